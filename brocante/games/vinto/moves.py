"""The moves of Vinto, its chance and its clock, as the record names them: `peek {slots}` · `draw` · `take` · `play` ·
`swap {slot, declare?}` · `look {at}` · `exchange {a, b}` · `look2 {a, b}` · `leave` · `declare {at, rank}` ·
`name {rank}` · `give {to}` · `toss {slot}` · `pass` · `vinto` · `end`."""

from collections.abc import Iterable, Mapping
from itertools import pairwise, takewhile
from typing import Any, Literal, get_args

import msgspec
from msgspec.structs import force_setattr

from brocante.engine.chance_lines import check_each_once, read_as, read_renewal
from brocante.engine.errors import IllegalMove, shown
from brocante.engine.moves import Move, Part, Together
from brocante.engine.state import NOBODY
from brocante.engine.text import Player, Text
from brocante.games.vinto import rules
from brocante.games.vinto.rules import DEALT, GAP, NONE, SLOTS, Action, Stage

Rank = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "X"]
RANKS: tuple[Rank, ...] = get_args(Rank)
SUITS = "CDHS"
#: V1: the cards by their numbers, as a record writes them.
CARD_NAMES = (*(f"{rank}{suit}" for rank in RANKS[:-1] for suit in SUITS), "X1", "X2")
NUMBER = {name: card for card, name in enumerate(CARD_NAMES)}

At = tuple[int, int]  # a seat and a slot


def sort_pair(move: "Exchange | Look2") -> None:
    """Two cards have no order: whichever was pointed at first, it is the same move."""
    if move.a and move.b and move.a > move.b:
        first, second = move.b, move.a
        force_setattr(move, "a", first)
        force_setattr(move, "b", second)


class Peek(Move, frozen=True):
    slots: tuple[int, int]

    def __post_init__(self) -> None:
        force_setattr(self, "slots", tuple(sorted(self.slots)))


class Draw(Move, frozen=True):
    pass


class Take(Move, frozen=True):
    pass


class Play(Move, frozen=True):
    pass


class Swap(Move, frozen=True):
    slot: int
    declare: Rank | None = None


class Look(Move, frozen=True):
    at: At


class Exchange(Move, frozen=True):
    a: At | None = None
    b: At | None = None

    def __post_init__(self) -> None:
        sort_pair(self)


class Look2(Move, frozen=True):
    a: At
    b: At

    def __post_init__(self) -> None:
        sort_pair(self)


class Leave(Move, frozen=True):
    pass


class Declare(Move, frozen=True):
    at: At
    rank: Rank


class Name(Move, frozen=True):
    rank: Rank


class Give(Move, frozen=True):
    to: int


class Toss(Move, frozen=True):
    slot: int


class Pass(Move, frozen=True):
    pass


class Vinto(Move, frozen=True):
    pass


class End(Move, frozen=True):
    pass


MOVES = (Peek, Draw, Take, Play, Swap, Look, Exchange, Look2, Leave, Declare, Name, Give, Toss, Pass, Vinto, End)
#: What is done without a card.
PLAIN = {
    Action.DRAW: Draw,
    Action.TAKE: Take,
    Action.PASS: Pass,
    Action.PLAY: Play,
    Action.END: End,
    Action.VINTO: Vinto,
    Action.EXCHANGE: Exchange,
    Action.LEAVE: Leave,
}


def move_of(s: Any, actions: tuple[int, ...]) -> Move | None:
    """Two cards, or a card and a rank, are two actions; everything else is one."""
    seat, first, then = int(s.actor), actions[0], actions[1] if len(actions) > 1 else None
    if first >= Action.AT:
        return pointed(s, seat, first - Action.AT, then)
    if first >= Action.GIVE:
        return Give(seat, first - Action.GIVE)
    if first >= Action.RANK:
        return Name(seat, RANKS[first - Action.RANK])
    if first >= Action.SLOT:
        return picked(s, seat, first - Action.SLOT, then)
    return PLAIN[Action(first)](seat)


def pointed(s: Any, seat: int, at: int, then: int | None) -> Move | None:
    stage = int(s.stage)
    if stage in (Stage.JACK, Stage.QUEEN):
        kind = Exchange if stage == Stage.JACK else Look2
        return None if then is None else kind(seat, place(at), place(then - Action.AT))
    if stage == Stage.KING:
        return None if then is None else Declare(seat, place(at), RANKS[then - Action.RANK])
    return Look(seat, place(at))


def picked(s: Any, seat: int, slot: int, then: int | None) -> Move | None:
    stage = int(s.stage)
    if stage == Stage.DRAWN:
        return None if then is None else Swap(seat, slot, declared(then))
    if stage == Stage.PEEK:
        return None if then is None else Peek(seat, (slot, then - Action.SLOT))
    return Toss(seat, slot)


def place(at: int) -> At:
    """Seat and slot."""
    return at // SLOTS, at % SLOTS


def declared(action: int) -> Rank | None:
    return None if action == Action.SILENT else RANKS[action - Action.RANK]


# --- why a move is refused --------------------------------------------------------------------------------------------

#: The stage at which each move has its place; where there are several, the stage itself says what is to be done.
STAGE_OF: dict[type[Move], tuple[Stage, ...]] = {
    Peek: (Stage.PEEK,),
    Draw: (Stage.TURN,),
    Take: (Stage.TURN,),
    Play: (Stage.DRAWN,),
    Swap: (Stage.DRAWN,),
    Look: (Stage.LOOK_OWN, Stage.LOOK_OTHER),
    Exchange: (Stage.JACK, Stage.QUEEN_LOOKED),
    Look2: (Stage.QUEEN,),
    Leave: (Stage.QUEEN_LOOKED,),
    Declare: (Stage.KING,),
    Name: (Stage.KING_WILD,),
    Give: (Stage.ACE,),
    Toss: (Stage.WINDOW,),
    Pass: (Stage.WINDOW, Stage.TURN),
    Vinto: (Stage.END,),
    End: (Stage.END,),
}
#: The stages within a move.
BEGUN = (Stage.PEEK_SECOND, Stage.SWAP, Stage.JACK_SECOND, Stage.QUEEN_SECOND, Stage.KING_RANK)
#: What is to be done at each stage instead of something else.
INSTEAD: dict[int, Text] = {
    stage: Text("vinto.touch.begun" if stage in BEGUN else f"vinto.why.step.{stage.name.lower()}") for stage in Stage
}
#: Those at which a card is pointed at that may be anybody's.
POINTING = {
    Stage.LOOK_OWN,
    Stage.LOOK_OTHER,
    Stage.JACK,
    Stage.JACK_SECOND,
    Stage.QUEEN,
    Stage.QUEEN_SECOND,
    Stage.KING,
}


def why_not(s: Any, move: Move) -> Text:
    """The clause that stands in the way. It tells the player no more than they can see."""
    if isinstance(move, Part):
        return touch_refused(s, move.seat, move.action)
    stage = int(s.stage)
    if stage not in STAGE_OF[type(move)]:
        return INSTEAD[stage]
    match move:
        case Peek(seat, slots):
            return cards_refused(s, [(seat, slot) for slot in slots])
        case Draw():
            return Text("vinto.why.nothing_to_draw")
        case Take():
            return Text("vinto.why.nothing_to_take")
        case Pass():
            return Text("vinto.why.no_pass")
        case Vinto():
            return Text("vinto.why.called")
        case Swap(seat, slot) | Toss(seat, slot):
            return cards_refused(s, [(seat, slot)])
        case Declare(_, at):
            return cards_refused(s, [at])
        case Look(seat, at):
            return look_refused(s, seat, at)
        case Look2(_, a, b):
            return cards_refused(s, [a, b])
        case Exchange(_, a, b):
            return exchange_refused(s, a, b)
        case Name():
            return Text("vinto.why.not_to_be_named", ranks=nameable())
        case Give(_, to):
            return called(to) if 0 <= to == s.caller else Text("vinto.why.no_such_seat", seat=to)
    raise AssertionError(move)


def called(seat: int) -> Text:
    return Text("vinto.why.caller", player=Player(seat))


def touch_refused(s: Any, seat: int, action: int) -> Text:
    """Why a card on the table cannot be pointed at."""
    stage = int(s.stage)
    if stage in POINTING:
        return look_refused(s, seat, place(action - Action.AT))
    if stage == Stage.ACE:
        return called(action - Action.GIVE)
    if stage == Stage.PEEK_SECOND and action < Action.AT:
        return cards_refused(s, [(seat, action - Action.SLOT)])
    return INSTEAD[stage]


def cards_refused(s: Any, cards: list[At]) -> Text:
    for seat, slot in cards:
        if not 0 <= seat < s.players:
            return Text("vinto.why.no_such_seat", seat=seat)
        if not 0 <= slot < SLOTS or s.row[seat, slot] == GAP:
            return Text("vinto.why.gap", player=Player(seat), slot=slot)
        if rules.is_frozen(s, seat):
            return called(seat)
    return Text("vinto.why.two_cards")


def look_refused(s: Any, seat: int, at: At) -> Text:
    if s.stage == Stage.LOOK_OWN and at[0] != seat:
        return Text("vinto.why.own_card")
    if s.stage == Stage.LOOK_OTHER and at[0] == seat:
        return Text("vinto.why.others_card")
    return cards_refused(s, [at])


def exchange_refused(s: Any, a: At | None, b: At | None) -> Text:
    if s.stage == Stage.QUEEN_LOOKED:
        return Text("vinto.why.those_two")
    return Text("vinto.why.which_two") if a is None or b is None else cards_refused(s, [a, b])


def nameable() -> tuple[str, ...]:
    return tuple(rank for number, rank in enumerate(RANKS) if rules.can_be_named(number))


# --- chance: the deal of each round, and the renewal of the draw pile -------------------------------------------------


class Setup(msgspec.Struct, forbid_unknown_fields=True):
    """V2: who begins, the rows, the draw pile with the next card first."""

    first: int
    hands: list[list[str]]
    deck: list[str]


def chance_line(before: Any, after: Any) -> dict[str, Any]:
    deck = [CARD_NAMES[card] for card in reversed(after.draw_pile) if card != NONE]
    if rules.is_under_way(before):
        return {"chance": "renew", "deck": [*card_needed(before, after), *deck]}
    hands = [[CARD_NAMES[card] for card in after.row[p, :DEALT]] for p in range(after.players)]
    return {"setup": {"first": int(after.first), "hands": hands, "deck": deck}}


def card_needed(before: Any, after: Any) -> list[str]:
    """What was taken from the renewed pile at once."""
    if before.taker < 0:
        return [CARD_NAMES[after.drawn]]
    rows = before.row[before.taker], after.row[before.taker]
    return [CARD_NAMES[now] for was, now in zip(*rows, strict=True) if was == GAP and now != GAP]


def chance_from_line(s: Any, line: Mapping[str, Any]) -> None:
    if rules.is_under_way(s):
        renew_as_told(s, line)
    else:
        deal_as_told(s, line)


def deal_as_told(s: Any, line: Mapping[str, Any]) -> None:
    """V2, with the cards where they are."""
    if set(line) != {"setup"}:
        raise IllegalMove(Text("vinto.setup.only"))
    setup = read_as(Setup, line["setup"], "vinto.setup.shape")
    check_first(s, setup.first)
    check_hands(s, setup.hands)
    in_turn = [setup.hands[(setup.first + step) % s.players] for step in range(s.players)]
    cards = [card for hand in in_turn for card in hand] + setup.deck
    check_each_once(cards, CARD_NAMES, "vinto.setup.cards")
    s.draw_pile[:] = [NUMBER[card] for card in reversed(cards)]
    rules.deal(s, setup.first)


def check_first(s: Any, first: int) -> None:
    """V2: any player in the first round; then the start passes to the left."""
    if not 0 <= first < s.players:
        raise IllegalMove(Text("vinto.setup.first", first=first, last=int(s.players) - 1))
    if s.rounds_played and first != rules.left_of(s, s.first):
        raise IllegalMove(Text("vinto.setup.left", first=first, right=int(rules.left_of(s, s.first))))


def check_hands(s: Any, hands: list[list[str]]) -> None:
    if len(hands) != s.players:
        raise IllegalMove(Text("vinto.setup.hands", hands=len(hands), n=int(s.players)))
    for seat, hand in enumerate(hands):
        if len(hand) != DEALT:
            raise IllegalMove(Text("vinto.setup.hand", seat=seat, cards=len(hand), n=DEALT))


def renew_as_told(s: Any, line: Mapping[str, Any]) -> None:
    """V8.1, with the cards in this order."""
    if "chance" not in line:
        raise IllegalMove(Text("vinto.renewal.only"))
    deck = read_renewal(line, "vinto.renewal")
    below_the_top = [CARD_NAMES[card] for card in s.discard_pile[: s.discards - 1]]
    check_each_once(deck, below_the_top, "vinto.renewal.cards")
    rules.gather_discards(s)
    s.draw_pile[: s.left] = [NUMBER[card] for card in reversed(deck)]
    rules.go_on_after_renewal(s)


# --- at a live table --------------------------------------------------------------------------------------------------


def together(s: Any) -> Together | None:
    """V2: all peek at the same time. V6.2: all decide at the same time whether to toss in, and are taken in order."""
    stage = int(s.stage)
    if stage not in (Stage.PEEK, Stage.WINDOW):
        return None
    clockwise = [(int(s.actor) + step) % int(s.players) for step in range(s.players)]
    first = s.first if stage == Stage.PEEK else s.turn  # with whom the round of asking ends
    to_ask = takewhile(lambda p: p == s.actor or p != first, clockwise)
    if stage == Stage.PEEK:
        return Together(tuple(to_ask))
    return Together(tuple(p for p in to_ask if rules.may_toss(s, p)), otherwise=Pass)


def set_aside(s: Any, move: Move) -> None:
    """V6.2: who has decided to toss a card in may toss another; whether it was right, nobody knows yet."""
    assert isinstance(move, Toss)
    rules.set_aside(s, move.seat, move.slot)


def allies(s: Any) -> tuple[int, ...]:
    """V9: the coalition, which may share information until the round is scored."""
    if s.caller == NOBODY or s.actor < 0:
        return ()
    return tuple(p for p in range(s.players) if p != s.caller)


# --- the clock, and what a result says besides ------------------------------------------------------------------------

TIME = {"event": "time"}


def events(s: Any) -> tuple[dict[str, str], ...]:
    """V11: what the table may announce now."""
    return (TIME,) if rules.time_can_be_up(s) else ()


def event_from_line(s: Any, line: Mapping[str, Any]) -> None:
    if line != TIME:
        raise IllegalMove(Text("vinto.event.unknown", line=shown(line)))
    if not rules.time_can_be_up(s):
        raise IllegalMove(Text("vinto.event.no_minutes" if not s.minutes else "vinto.event.not_now"))
    rules.end_time(s)


def result_besides(states: Iterable[Any]) -> dict[str, Any]:
    """V10: the points of every round, from the states that a game went through."""
    rounds = [
        (after.points - before.points)[: after.players].tolist()
        for before, after in pairwise(states)
        if after.rounds_played > before.rounds_played
    ]
    return {"rounds": rounds}
