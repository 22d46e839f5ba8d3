"""The moves of the antiques market, as the record names them: `hoard {item}` · `steal {item, from}` · `salvage` ·
`keep {item}` · `pass`."""

from typing import Any

import msgspec

from brocante.engine.moves import Move
from brocante.games.antiques.deck_file import deck_of
from brocante.games.antiques.rules import CASE, Action


class Hoard(Move, frozen=True):
    item: str


class Steal(Move, frozen=True):
    item: str
    victim: int = msgspec.field(name="from")


class Salvage(Move, frozen=True):
    pass


class Keep(Move, frozen=True):
    item: str


class Pass(Move, frozen=True):
    pass


MOVES = (Hoard, Steal, Salvage, Keep, Pass)


def move_of(s: Any, actions: tuple[int, ...]) -> Move:
    """Every action is a move of its own."""
    seat, action, ids = int(s.actor), actions[0], deck_of(s).ids
    if action == Action.PASS:
        return Pass(seat)
    if action == Action.SALVAGE:
        return Salvage(seat)
    if action >= Action.KEEP:
        return Keep(seat, ids[action - Action.KEEP])
    if action >= Action.STEAL:
        item = action - Action.STEAL
        return Steal(seat, ids[item], int(s.where[item]) - CASE)
    return Hoard(seat, ids[action - Action.HOARD])
