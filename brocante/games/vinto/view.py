"""How Vinto looks: rows of cards that lie face down, the two piles, and what happened in words.

Slots are counted from 1 for people, from 0 in moves and records.
"""

from collections.abc import Callable, Iterator
from typing import Any

from brocante.engine.box import result_of
from brocante.engine.moves import Move, Part
from brocante.engine.state import NOBODY, copied
from brocante.engine.text import Player, Text, Words
from brocante.engine.view import Award, Card, Moment, Place, Stack, Table, Zone
from brocante.games.vinto import rules
from brocante.games.vinto.moves import (
    RANKS,
    Declare,
    Draw,
    Exchange,
    Give,
    Leave,
    Look,
    Look2,
    Name,
    Pass,
    Peek,
    Play,
    Swap,
    Take,
    Toss,
    Vinto,
    place,
)
from brocante.games.vinto.rules import CARDS, GAP, JOKER, KING, NONE, SLOTS, Action, King, Stage

SIGNS = "♣♦♥♠"
INKS = ("ink", "tomato", "tomato", "ink")
#: The keys that declare a rank: its letter or digit, and 0 for 10.
RANK_KEYS = dict(zip(RANKS, "a234567890jqkx", strict=True))
PLAIN_KEYS = {"play": "0", "pass": "0", "end": "0", "leave": "0", "vinto": "v"}
#: The stages at which a card of one's own row is meant, by its slot.
OWN_ROW = (Stage.PEEK, Stage.PEEK_SECOND, Stage.DRAWN, Stage.WINDOW)
Touch = Callable[[int, int], tuple[Move, ...]]  # what touching a player's card in a slot does


def face(card: int) -> Card:
    if rules.rank_of(card) == JOKER:
        return Card("X", Text("vinto.joker"), "★", "mustard")
    suit = card % len(SIGNS)
    rank = RANKS[rules.rank_of(card)]
    return Card(rank, f"{rank}{SIGNS[suit]}", SIGNS[suit], INKS[suit], corner=rank)


FACES = tuple(face(card) for card in range(CARDS))


def name_of(card: int) -> Words:
    return FACES[card].name


def rank_name(rank: str) -> Words:
    return Text("vinto.joker") if rank == "X" else rank


def what_it_does(s: Any, rank: int) -> Text:
    """The action of a rank, in words."""
    return Text(f"vinto.action.{action_of(s, rank) if rules.has_action(rank) else 'none'}")


def action_of(s: Any, rank: int) -> str:
    """What the catalogues call it."""
    return "K_wild" if rank == KING and s.king == King.WILD else RANKS[rank]


# --- the table --------------------------------------------------------------------------------------------------------


def table(s: Any, viewer: int | None) -> Table:
    seat = NOBODY if viewer is None else viewer
    touch, chosen = touching(s, seat), chosen_cards(s)
    asked = seat if seat == s.actor else NOBODY  # who may touch the piles
    return Table(
        status=status(s),
        centre=(draw_zone(s, asked), *drawn_zone(s, asked), discard_zone(s, asked), *waiting_zone(s)),
        places=tuple([place_of(s, p, touch, chosen) for p in range(s.players)]),
    )


def place_of(s: Any, p: int, touch: Touch, chosen: list[tuple[int, int]]) -> Place:
    points = int(s.points[p])
    words = Text("vinto.points", n=points, points=number(points))
    return Place(p, points, (row_zone(s, p, touch, chosen),), words)


def status(s: Any) -> Text:
    """Which round it is, and whether these are its last turns."""
    if s.caller != NOBODY and rules.is_under_way(s):
        return Text("vinto.status.final", status=which_round(s), player=Player(s.caller))
    return which_round(s)


def which_round(s: Any) -> Text:
    n = int(s.rounds_played) + int(int(s.stage) != Stage.REVEAL)
    if s.minutes:
        return (
            Text("vinto.status.last", n=n) if s.time_up else Text("vinto.status.minutes", n=n, minutes=int(s.minutes))
        )
    return Text("vinto.status.rounds", n=n, rounds=int(s.rounds))


def touching_pile(asked: int, move: type[Move]) -> tuple[Move, ...]:
    return () if asked == NOBODY else (move(asked),)


def draw_zone(s: Any, asked: int) -> Zone:
    pile = Stack(None, int(s.left), moves=touching_pile(asked, Draw))
    return Zone("draw", Text("vinto.zone.draw"), "piles", (pile,))


def drawn_zone(s: Any, asked: int) -> tuple[Zone, ...]:
    """The card that was turned up, until it is played or swapped."""
    if int(s.stage) not in (Stage.DRAWN, Stage.SWAP):
        return ()
    card = Stack(FACES[s.drawn], 1, moves=touching_pile(asked, Play))
    return (Zone("drawn", Text("vinto.zone.drawn"), "row", (card,)),)


def discard_zone(s: Any, asked: int) -> Zone:
    """The discard pile: its top card, and whether its action is still to be had; unless it is one of those to come."""
    if not s.discards:
        return Zone("discard", Text("vinto.zone.discard"), "row", ())
    top = rules.top_of_pile(s)
    told = rules.has_action(rules.rank_of(top)) and top != s.acting and top not in s.waiting[: s.waits]
    note = Text("vinto.note.unused" if s.unused else "vinto.note.used") if told else None
    pile = Stack(FACES[top], int(s.discards), note=note, moves=touching_pile(asked, Take))
    return Zone("discard", Text("vinto.zone.discard"), "row", (pile,))


def waiting_zone(s: Any) -> tuple[Zone, ...]:
    """V5: the card whose action is being carried out, and those whose actions wait, in order."""
    waits = [(int(s.waiting[k]), int(s.waiting_for[k])) for k in range(s.waits)]
    stacks = [Stack(FACES[card], 1, note=Text("vinto.note.waits", player=Player(p))) for card, p in waits]
    if s.acting != NONE:
        note = Text("vinto.note.acting", player=Player(s.actor)) if s.actor >= 0 else None  # chance renews the pile
        stacks.insert(0, Stack(FACES[s.acting], 1, note=note, chosen=True))
    return (Zone("waiting", Text("vinto.zone.waiting"), "row", tuple(stacks)),) if stacks else ()


def row_zone(s: Any, p: int, touch: Touch, chosen: list[tuple[int, int]]) -> Zone:
    row = s.row[p, : s.width[p]].tolist()
    while row and row[-1] == GAP:
        row.pop()
    stacks = tuple([slot(card, touch(p, k), (p, k) in chosen) for k, card in enumerate(row)])
    return Zone("row", Text("vinto.zone.row"), "slots", stacks, note=row_note(s, p))


def slot(card: int, moves: tuple[Move, ...], chosen: bool) -> Stack:
    if card == GAP:
        return Stack(None, 0)
    return Stack(FACES[card] if card > GAP else None, 1, moves=moves, chosen=chosen)


def chosen_cards(s: Any) -> list[tuple[int, int]]:
    """The cards that were pointed at for a move that is not complete."""
    match int(s.stage):
        case Stage.SWAP | Stage.PEEK_SECOND:
            return [(int(s.actor), int(s.picked))]
        case Stage.QUEEN_LOOKED:
            return [place(int(s.picked)), place(int(s.other))]
        case Stage.JACK_SECOND | Stage.QUEEN_SECOND | Stage.KING_RANK:
            return [place(int(s.picked))]
    return []


def touching(s: Any, viewer: int) -> Touch:
    """What pointing at a card does, or would do at another time."""
    if viewer != s.actor:
        return lambda p, k: ()
    stage = int(s.stage)
    if stage == Stage.ACE:
        return lambda p, k: (Part(viewer, Action.GIVE + p),)
    own = viewer if stage in OWN_ROW else NOBODY
    return lambda p, k: (Part(viewer, Action.SLOT + k if p == own else Action.AT + p * SLOTS + k),)


def row_note(s: Any, p: int) -> Text | None:
    stage = int(s.stage)
    if stage == Stage.REVEAL:
        key = "caller_total" if p == s.caller else "total"
        return Text(f"vinto.note.{key}", total=number(rules.total(s, p)), points=signed(rules.round_points(s, p)))
    return Text("vinto.note.caller") if p == s.caller and stage != Stage.DEAL else None


def signed(points: int) -> str:
    return f"+{points}" if points > 0 else number(points)


def number(n: int) -> str:
    return f"−{-n}" if n < 0 else str(n)


# --- what is asked ----------------------------------------------------------------------------------------------------


def prompt(s: Any, viewer: int) -> Text:
    if s.actor != viewer:
        return waiting(s)
    match int(s.stage):
        case Stage.TURN:
            return turn_prompt(s)
        case Stage.DRAWN:
            return drawn_prompt(s, viewer)
        case Stage.SWAP:
            return Text("vinto.prompt.swap", slot=int(s.picked) + 1)
        case Stage.JACK_SECOND | Stage.QUEEN_SECOND | Stage.KING_RANK:
            key = Stage(s.stage).name.lower()
            return Text(f"vinto.prompt.{key}", card=whose(place(int(s.picked)), viewer, viewer))
        case Stage.QUEEN_LOOKED:
            return queen_prompt(s, viewer)
        case Stage.WINDOW:
            return window_prompt(s)
        case Stage.END:
            return Text("vinto.prompt.end" if s.caller == NOBODY else "vinto.prompt.only_end")
        case Stage.PEEK | Stage.PEEK_SECOND:
            return Text(f"vinto.prompt.{Stage(s.stage).name.lower()}")
    return Text(f"vinto.prompt.{Stage(s.stage).name.lower()}", card=name_of(s.acting))


def waiting(s: Any) -> Text:
    """Whose decision it is, and which."""
    player = Player(s.actor)
    match int(s.stage):
        case Stage.WINDOW:
            return Text("vinto.prompt.wait.window", player=player)
        case Stage.PEEK | Stage.PEEK_SECOND:
            return Text("vinto.prompt.wait.peek", player=player)
    if s.acting != NONE:
        deed = Text(f"vinto.deed.{action_of(s, int(rules.rank_of(s.acting)))}")
        return Text("vinto.prompt.wait.action", player=player, card=name_of(s.acting), action=deed)
    return Text("prompt.wait", player=player)


def turn_prompt(s: Any) -> Text:
    if not rules.can_take(s):
        return Text("vinto.prompt.turn" if rules.can_draw(s) else "vinto.prompt.pass")
    top = rules.top_of_pile(s)
    blanks = {"card": name_of(top), "action": what_it_does(s, int(rules.rank_of(top)))}
    return Text("vinto.prompt.turn_or_take" if rules.can_draw(s) else "vinto.prompt.take", **blanks)


def drawn_prompt(s: Any, viewer: int) -> Text:
    rank = int(rules.rank_of(s.drawn))
    key = "play" if rules.has_action(rank) else "discard"
    if not s.cards[viewer]:
        return Text(f"vinto.prompt.only_{key}", card=name_of(s.drawn))
    return Text(f"vinto.prompt.{key}", card=name_of(s.drawn), action=what_it_does(s, rank))


def queen_prompt(s: Any, viewer: int) -> Text:
    at = [place(int(s.picked)), place(int(s.other))]
    a, b = (whose(card, viewer, viewer) for card in at)
    first, second = (name_of(s.row[card]) for card in at)
    return Text("vinto.prompt.queen_looked", a=a, b=b, first=first, second=second)


def window_prompt(s: Any) -> Text:
    rank = RANKS[rules.rank_of(rules.top_of_pile(s))]
    return Text("vinto.prompt.window", player=Player(s.turn), rank=rank_name(rank))


def whose(at: tuple[int, int], mover: int, viewer: int) -> Text:
    """A card in words: your card 3, Odette's card 2, their own card 1."""
    seat, k = at
    if seat == viewer:
        return Text("vinto.card.yours", slot=k + 1)
    return Text("vinto.card.own" if seat == mover else "vinto.card.of", slot=k + 1, player=Player(seat))


def label(s: Any, move: Move) -> Text:
    seat, stage = move.seat, int(s.stage)
    match move:
        case Part(_, action) if action >= Action.AT:
            return Text("vinto.move.point", card=whose(place(action - Action.AT), seat, seat))
        case Part(_, action):
            key = "peek" if stage == Stage.PEEK else "swap"
            return Text(f"vinto.move.{key}", slot=action - Action.SLOT + 1)
        case Peek(_, slots) if stage == Stage.PEEK:
            return Text("vinto.move.peek_both", a=slots[0] + 1, b=slots[1] + 1)
        case Peek(_, slots):
            return Text("vinto.move.peek", slot=sum(slots) - int(s.picked) + 1)
        case Play():
            rank = int(rules.rank_of(s.drawn))
            key = "play" if rules.has_action(rank) else "discard"
            return Text(f"vinto.move.{key}", card=name_of(s.drawn), action=what_it_does(s, rank))
        case Take():
            top = rules.top_of_pile(s)
            return Text("vinto.move.take", card=name_of(top), action=what_it_does(s, int(rules.rank_of(top))))
        case Swap():
            return swap_label(s, move)
        case Look(_, at):
            return Text("vinto.move.look", card=whose(at, seat, seat))
        case Exchange(_, a, b) if a and b and stage == Stage.JACK:
            return Text("vinto.move.exchange_both", a=whose(a, seat, seat), b=whose(b, seat, seat))
        case Exchange(_, a, b) if a and b:
            return Text("vinto.move.exchange_with", card=whose(other_card(s, a, b), seat, seat))
        case Look2(_, a, b) if stage == Stage.QUEEN:
            return Text("vinto.move.look_both", a=whose(a, seat, seat), b=whose(b, seat, seat))
        case Look2(_, a, b):
            return Text("vinto.move.look", card=whose(other_card(s, a, b), seat, seat))
        case Declare(_, at, rank) if stage == Stage.KING:
            return Text("vinto.move.declare_card", card=whose(at, seat, seat), rank=rank_name(rank))
        case Declare(_, _, rank):
            return Text("vinto.move.declare", rank=rank_name(rank))
        case Name(_, rank):
            return Text("vinto.move.name", rank=rank_name(rank), action=what_it_does(s, RANKS.index(rank)))
        case Give(_, to):
            return Text("vinto.move.give_yourself") if to == seat else Text("vinto.move.give", player=Player(to))
        case Toss(_, k):
            return Text("vinto.move.toss", slot=k + 1)
    return Text(f"vinto.move.{move.name()}")


def other_card(s: Any, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    """Of two cards the one that was not picked first."""
    return a if place(int(s.picked)) == b else b


def swap_label(s: Any, move: Swap) -> Text:
    """In full, or just what is declared once the slot has been chosen."""
    if int(s.stage) == Stage.SWAP:
        return Text("vinto.move.declare", rank=rank_name(move.declare)) if move.declare else Text("vinto.move.silent")
    if move.declare:
        return Text("vinto.move.swap_declaring", slot=move.slot + 1, rank=rank_name(move.declare))
    return Text("vinto.move.swap_silent", slot=move.slot + 1)


def key(move: Move) -> str:
    """Ranks by their letters; cards have the keys of their slots."""
    match move:
        case Swap(_, _, declare):
            return RANK_KEYS[declare] if declare else "s"
        case Declare(_, _, rank) | Name(_, rank):
            return RANK_KEYS[rank]
        case Exchange(_, None, None):
            return "x"
    return PLAIN_KEYS.get(move.name(), "")


# --- what one sees for a moment ---------------------------------------------------------------------------------------


def moment(before: Any, move: Move | None, after: Any, viewer: int) -> Moment | None:
    """A card that one looks at, a card that was tossed in or declared wrongly, what the others know when somebody has
    called (V9.2), and all cards when a round is over."""
    if is_revealed(after) and not is_revealed(before):
        return Moment(round_over(after, viewer), table(after, viewer), pause=True)
    cards = bared(before, move, after, viewer)
    shown = copied(after)
    rules.forget(shown, viewer)
    if isinstance(move, Vinto) and viewer not in (NOBODY, move.seat):
        return Moment(Text("vinto.moment.vinto", player=Player(move.seat)), table(shown, viewer), pause=True)
    if not cards or all(shown.row[at] > GAP for at in cards):
        return None
    for at in cards:
        shown.row[at] = after.row[at]
    assert move is not None
    words = tuple(
        Text("vinto.moment.card", where=whose(at, viewer, viewer), card=name_of(after.row[at])) for at in cards
    )
    looked = isinstance(move, Peek | Look)
    text = Text("vinto.moment.look", cards=words) if looked else Text("vinto.moment.wrong", cards=words)
    return Moment(text, table(shown, viewer), pause=move.seat == viewer)


def bared(before: Any, move: Move | None, after: Any, viewer: int) -> list[tuple[int, int]]:
    """The cards that a step shows the viewer, though they lie face down again afterwards."""
    match move:
        case Peek(seat, slots) if seat == viewer:
            return [(seat, k) for k in slots]
        case Look(seat, at) if seat == viewer:
            return [at]
        case Toss(seat, k) if not was_right(before, after):
            return [(seat, k)]
        case Declare(_, at) if not was_right(before, after):
            return [at]
    return []


def is_revealed(s: Any) -> bool:
    """V10: whether a round is over and all cards lie open."""
    return int(s.stage) == Stage.REVEAL


def was_right(before: Any, after: Any) -> bool:
    """V6, V8: a card that was tossed in or declared rightly lies on the pile."""
    return bool(after.discards > before.discards)


# --- what happened ----------------------------------------------------------------------------------------------------


def tell(before: Any, move: Move | None, after: Any, viewer: int, news: bool) -> Iterator[Text]:
    """The lines of the log for one step. A card that everyone saw is named while one has just seen it; afterwards one
    must remember where it went. What somebody looked at is never named."""
    named = news or bool(before.memory_aid)
    if move is None:
        yield from tell_chance(before, after, viewer, named)
    else:
        yield from tell_move(before, move, after, viewer, named)
    if is_revealed(after) and not is_revealed(before):
        yield round_over(after, viewer)
        yield Text("vinto.log.totals", totals=[total_of(after, p) for p in range(after.players)])


def tell_chance(before: Any, after: Any, viewer: int, named: bool) -> Iterator[Text]:
    if after.time_up != before.time_up:
        yield Text("vinto.log.time")
    elif not rules.is_under_way(before):
        yield told("deal", int(after.first), viewer, n=int(after.rounds_played) + 1)
    else:
        yield Text("vinto.log.renew")
        if after.drawn != NONE:
            yield told("draw", int(after.turn), viewer, card=name_of(after.drawn) if named else None)


def tell_move(before: Any, move: Move, after: Any, viewer: int, named: bool) -> Iterator[Text]:
    """Passes, and the end of a turn, go without saying."""
    seat = move.seat
    match move:
        case Peek(_, (a, b)):
            yield told("peek", seat, viewer, a=a + 1, b=b + 1)
        case Draw() if after.drawn != NONE:  # otherwise the pile is renewed first
            yield told("draw", seat, viewer, card=name_of(after.drawn) if named else None)
        case Take():
            yield told("take", seat, viewer, card=name_of(rules.top_of_pile(before)) if named else None)
        case Play():
            key = "play" if rules.has_action(rules.rank_of(before.drawn)) else "discard"
            yield told(key, seat, viewer, card=name_of(before.drawn) if named else None)
        case Swap():
            yield from tell_swap(before, move, after, viewer, named)
        case Toss(_, k):
            yield from tell_toss(before, seat, k, after, viewer, named)
        case Declare(_, at, rank):
            yield from tell_declaration(before, seat, whose(at, seat, viewer), rank, after, viewer)
        case Give(_, to):
            yield told("give_yourself", seat, viewer) if to == seat else given(seat, to, viewer)
            yield from tell_none_left(before, to, after)
        case Look(_, at):
            yield told("look", seat, viewer, card=whose(at, seat, viewer))
        case Look2(_, a, b) | Exchange(_, tuple() as a, tuple() as b):
            yield told(move.name(), seat, viewer, a=whose(a, seat, viewer), b=whose(b, seat, viewer))
        case Exchange():
            yield told("queen_exchange", seat, viewer)
        case Name(_, rank):
            yield told("name", seat, viewer, rank=rank_name(rank))
        case Leave() | Vinto():
            yield told(move.name(), seat, viewer)
        case Pass() if int(before.stage) == Stage.TURN:
            yield told("pass", seat, viewer)


def tell_swap(before: Any, move: Swap, after: Any, viewer: int, named: bool) -> Iterator[Text]:
    """What comes out lies on the pile for all to see."""
    seat, slot = move.seat, move.slot + 1
    out = int(rules.top_of_pile(after))
    card = name_of(out) if named else None
    if move.declare is None:
        yield told("swap", seat, viewer, slot=slot, card=card)
        return
    right = RANKS[rules.rank_of(out)] == move.declare
    key = "swap_right" if right else "swap_wrong"
    yield told(key, seat, viewer, slot=slot, card=card, rank=rank_name(move.declare))
    yield from tell_penalty(before, seat, after, viewer, right)


def tell_toss(before: Any, seat: int, k: int, after: Any, viewer: int, named: bool) -> Iterator[Text]:
    right = was_right(before, after)
    if right:
        yield told("toss", seat, viewer, slot=k + 1, card=name_of(rules.top_of_pile(after)) if named else None)
    else:
        rank = RANKS[rules.rank_of(rules.top_of_pile(before))]
        yield told("toss_wrong", seat, viewer, slot=k + 1, rank=rank_name(rank))
    yield from tell_penalty(before, seat, after, viewer, right)


def tell_declaration(before: Any, seat: int, card: Text, rank: str, after: Any, viewer: int) -> Iterator[Text]:
    right = was_right(before, after)
    yield told("declare" if right else "declare_wrong", seat, viewer, card=card, rank=rank_name(rank))
    yield from tell_penalty(before, seat, after, viewer, right)


def tell_penalty(before: Any, seat: int, after: Any, viewer: int, right: bool) -> Iterator[Text]:
    if not right:
        yield told("penalty", seat, viewer)
        yield from tell_none_left(before, seat, after)


def tell_none_left(before: Any, seat: int, after: Any) -> Iterator[Text]:
    """V8.1: there may be no card to take."""
    if after.taker == NOBODY and after.cards[seat] <= before.cards[seat]:
        yield Text("vinto.log.none_left")


def given(seat: int, to: int, viewer: int) -> Text:
    key = "given" if to == viewer else "give"
    return told(key, seat, viewer, to=Player(to))


def round_over(s: Any, viewer: int) -> Text:
    """V10: how a round ended."""
    if s.caller == NOBODY:
        return Text("vinto.log.no_caller", n=int(s.rounds_played))
    points = int(rules.round_points(s, s.caller))
    others = int(rules.round_points(s, rules.left_of(s, s.caller)))
    how = "lost" if points < 0 else "won" if others < 0 else "level"
    return told(how, int(s.caller), viewer, n=int(s.rounds_played))


def total_of(s: Any, p: int) -> Text:
    points = signed(rules.round_points(s, p))
    return Text("vinto.log.total", player=Player(p), total=number(rules.total(s, p)), points=points)


#: The single cards that the log names.
PICTURES = {card.name: card for card in FACES}


def picture(words: Words) -> Card | None:
    return PICTURES.get(words)


def told(what: str, seat: int, viewer: int, **blanks: Any) -> Text:
    """A line about the reader or about somebody else. A card that is None is not named."""
    person = "you" if seat == viewer else "they"
    if blanks.get("card", "") is None:
        what, blanks = f"{what}_something", {name: value for name, value in blanks.items() if name != "card"}
    return Text(f"vinto.log.{what}.{person}", player=Player(seat), **blanks)


# --- the end ----------------------------------------------------------------------------------------------------------


def awards(s: Any) -> Iterator[Award]:
    """V11.1: the places, from the last that counts to the first."""
    scores, ranks = result_of(rules.result, s)
    for rank in sorted(set(ranks), reverse=True):
        there = [p for p in range(s.players) if ranks[p] == rank]
        if scores[there[0]]:
            points = signed(s.points[there[0]])
            why = Text("vinto.place.why", players=tuple(map(Player, there)), points=points)
            yield Award(Text(f"vinto.place.{rank}"), why, tuple(scores[p] * (p in there) for p in range(s.players)))
