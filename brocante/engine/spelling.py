"""Moves and the actions that spell them: a big choice is a sequence of small ones."""

from collections.abc import Iterator, Sequence
from typing import Any

from brocante.engine.box import Box
from brocante.engine.errors import IllegalMove, quoted
from brocante.engine.moves import Move, Part
from brocante.engine.state import copied
from brocante.engine.text import Text

#: A move, or a Part of one, with all its actions so far.
Spelled = tuple[Move, tuple[int, ...]]


def legal_moves(box: Box, state: Any) -> Iterator[Spelled]:
    """Every legal move with the actions that spell it, in a fixed order."""
    return _spelled(box, state, state, (), set(), None)


def spelling_of(box: Box, state: Any, move: Move) -> tuple[int, ...] | None:
    """The actions that spell a move; None if it is not legal."""
    found = _spelled(box, state, state, (), set(), move)
    return next((actions for legal, actions in found if legal == move), None)


def _spelled(
    box: Box, state: Any, s: Any, begun: tuple[int, ...], found: set[Move], wanted: Move | None
) -> Iterator[Spelled]:
    """Those that begin with these actions, after which the state is `s`; where one is wanted, not all of the others. (A
    function within `legal_moves` that calls itself would be a cycle, which only the garbage collector can free.)"""
    for action in box.legal(s):
        if wanted is not None and not box.may_choose(s, action, wanted):
            continue
        actions = (*begun, action)
        move = box.move_of(state, actions)
        if move is None:
            after = copied(s)
            box.running.apply(after, action)
            yield from _spelled(box, state, after, actions, found, wanted)
        elif move not in found:  # the same two cards can be chosen in either order
            found.add(move)
            yield move, actions


def after_choices(box: Box, state: Any, begun: Sequence[int]) -> Any:
    """The state after these choices of the actor, which must not complete a move."""
    s = copied(state)
    for number, action in enumerate(begun, 1):
        if action not in box.legal(s) or box.move_of(state, tuple(begun[:number])) is not None:
            raise IllegalMove(Text("error.choice", action=quoted(action)))
        box.running.apply(s, action)
    return s


def next_choices(box: Box, state: Any, begun: Sequence[int]) -> list[Spelled]:
    """What the actor may choose after the actions `begun`: moves that it completes, and Parts of those it does not."""
    found: list[Spelled] = []
    for action in box.legal(after_choices(box, state, begun) if begun else state):
        actions = (*begun, action)
        move = box.move_of(state, actions)
        found.append((Part(int(state.actor), action) if move is None else move, actions))
    return found
