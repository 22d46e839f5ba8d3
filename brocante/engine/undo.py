"""Whether a move may be taken back by its player."""

from typing import Any

from brocante.engine.box import Box
from brocante.engine.random import generator
from brocante.engine.state import copied
from brocante.engine.step import Step
from brocante.engine.view import Moment

#: How many redeals are tried to find out whether a move may have told its player something.
REDEALS = 64


def reveals(box: Box, step: Step) -> bool:
    """Whether a move may have shown its player something new: whether some of the states that looked the same to them
    before look different afterwards, if only for a moment. Only what the player is shown counts, not what they may
    remember: otherwise a player could refresh their memory by taking back a look at a card."""
    assert step.move is not None
    seat, rng = step.move.seat, generator("undo")
    before, after = step.states(box)

    def look(before: Any, after: Any) -> tuple[bytes, Moment | None]:
        return box.shown(after, seat).tobytes(), box.moment(before, step.move, after, seat)

    looked = look(before, after)
    for _ in range(REDEALS):
        other = box.redealt(before, seat, rng, from_shown=True)
        after = copied(other)
        for action in step.actions:
            box.running.apply(after, action)
        if look(other, after) != looked:
            return True
    return False
