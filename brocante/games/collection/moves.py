"""The moves of Collection, as the record names them: `place {kind}` · `close {kind}` · `end`."""

from typing import Any, Literal, get_args

from brocante.engine.moves import Move
from brocante.games.collection.rules import Action

Kind = Literal["banknotes", "watches", "stamps", "books", "tarots"]
KINDS: tuple[str, ...] = get_args(Kind)


class Place(Move, frozen=True):
    kind: Kind


class Close(Move, frozen=True):
    kind: Kind


class End(Move, frozen=True):
    pass


MOVES = (Place, Close, End)


def move_of(s: Any, actions: tuple[int, ...]) -> Move:
    """Every action is a move of its own."""
    seat, action = int(s.actor), actions[0]
    if action == Action.END_TURN:
        return End(seat)
    if action >= Action.CLOSE:
        return Close(seat, KINDS[action - Action.CLOSE])  # type: ignore[arg-type]
    return Place(seat, KINDS[action - Action.PLACE])  # type: ignore[arg-type]
