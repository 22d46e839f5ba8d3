"""The moves of Vinto, as the record names them: `peek {slots}` · `draw` · `take` · `play` · `swap {slot, declare?}` ·
`look {at}` · `exchange {a, b}` · `look2 {a, b}` · `leave` · `declare {at, rank}` · `name {rank}` · `give {to}` ·
`toss {slot}` · `pass` · `vinto` · `end`."""

from itertools import takewhile
from typing import Any, Literal, get_args

from msgspec.structs import force_setattr

from brocante.engine.moves import Move, Together
from brocante.engine.state import NOBODY
from brocante.games.vinto import rules
from brocante.games.vinto.rules import SLOTS, Action, Stage

Rank = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "X"]
RANKS: tuple[Rank, ...] = get_args(Rank)

At = tuple[int, int]  # a seat and a slot


def sort_pair(move: "Exchange | Look2") -> None:
    """Two cards have no order: the move is the same whichever was pointed at first."""
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
#: The moves without arguments.
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


# --- at a live table --------------------------------------------------------------------------------------------------


def turn(s: Any) -> int:
    """Others toss in, and carry out what they tossed in, in somebody's turn. Nobody's turn has begun while all peek."""
    return NOBODY if s.stage == Stage.PEEK else int(s.turn)


def together(s: Any) -> Together | None:
    """V2: all peek at the same time. V6.2: all decide at the same time whether to toss in, and are taken in order."""
    stage = int(s.stage)
    if stage not in (Stage.PEEK, Stage.WINDOW):
        return None
    clockwise = [(int(s.actor) + step) % int(s.players) for step in range(s.players)]
    first = s.first if stage == Stage.PEEK else s.turn  # everyone before this player is asked
    to_ask = takewhile(lambda p: p == s.actor or p != first, clockwise)
    if stage == Stage.PEEK:
        return Together(tuple(to_ask))
    return Together(tuple(p for p in to_ask if rules.may_toss(s, p)), otherwise=Pass)


def set_aside(s: Any, move: Move) -> None:
    """V6.2: a player who has decided to toss a card in may toss another. Nobody knows yet whether it was right."""
    assert isinstance(move, Toss)
    rules.set_aside(s, move.seat, move.slot)


def allies(s: Any) -> tuple[int, ...]:
    """V9: the coalition, which may share information until the round is scored."""
    if s.actor < 0 or not rules.is_final_round(s):
        return ()
    return tuple(p for p in range(s.players) if p != s.caller)
