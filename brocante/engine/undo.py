"""Whether a move has shown a player something, so that it cannot be taken back."""

from brocante.engine.box import Box
from brocante.engine.random import generator
from brocante.engine.state import copied
from brocante.engine.step import Step

#: Where the random numbers of redeals begin, every time.
BEGINNING = generator("undo")
#: How many redeals are tried to find out whether a move may have told its player something.
REDEALS = 64


def reveals(box: Box, step: Step, seat: int, redeals: int = REDEALS) -> bool:
    """Whether a move may have shown a player something new: whether some of the states that looked the same to them
    before look different afterwards, if only for a moment, or would not have allowed another player this move. Only
    what the player is shown counts, not what they may remember: otherwise a player could refresh their memory by taking
    back a look at a card."""
    assert step.move is not None
    rng = BEGINNING.copy()
    before, after = step.states(box)
    moment = box.moment(before, step.move, after, seat)
    looked, shown = box.blanked(after, seat).tobytes(), box.blanked(before, seat).tobytes()
    for _ in range(redeals):
        other = box.state_from(shown)
        box.running.fill(other, seat, rng)
        after = copied(other) if box.has_moments else other  # only those are seen by what was before
        for action in step.actions:
            if step.move.seat != seat and action not in box.legal(after):
                return True
            box.running.apply(after, action)
        if box.moment(other, step.move, after, seat) != moment or box.blanked(after, seat).tobytes() != looked:
            return True
    return False
