"""What happened since a viewer's last turn, turn by turn: what was said of it, and how the table looked then.

Only what is still news to the viewer is told again, and they are shown only what they were shown at the time.
"""

from collections.abc import Iterator

import msgspec

from brocante.engine.box import Box
from brocante.engine.game import Game
from brocante.engine.perspective import past_view
from brocante.engine.step import Step
from brocante.engine.text import Text
from brocante.engine.view import View

#: The longest recap: after more turns it tells the last ones.
MOST_FRAMES = 24


class PastTurn(msgspec.Struct):
    """A turn: whose (None: the deal), what the log says of it, and its last step."""

    seat: int | None
    said: list[Text]
    last: Step

    def view(self, box: Box, viewer: int) -> View:
        """How the table looked to the viewer at its end."""
        return past_view(box, self.last.states(box)[1], viewer, is_last=False)


def turns_since(game: Game, viewer: int) -> list[PastTurn]:
    """The turns since the viewer's own last one; for those who watch, since that of the player who is to decide."""
    turns = list(turns_from(game, viewer, game.news_begin(viewer)))
    while turns and turns[-1].seat == viewer:  # their own turn, which is still going on
        turns.pop()
    return turns[-MOST_FRAMES:]


def turns_from(game: Game, viewer: int, begin: int) -> Iterator[PastTurn]:
    """The turns from a step on. What chance did belongs to whoever moved last, even by a move that has no line."""
    turn: PastTurn | None = None
    mover: int | None = None
    for step in game.steps[begin:]:
        mover = step.move.seat if step.move else mover
        said = step.log(game.box, viewer)
        if turn and mover == turn.seat:
            turn.said += said
            turn.last = step
        elif turn is None or said:
            if turn and turn.said:
                yield turn
            turn = PastTurn(mover, said, step)
    if turn and turn.said:
        yield turn
