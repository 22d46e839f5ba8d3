"""One step of a game: what happened, with the states before and after it."""

from typing import Any

import msgspec

from brocante.engine.box import Box
from brocante.engine.moves import Move
from brocante.engine.state import NOBODY
from brocante.engine.text import Text
from brocante.engine.view import Gesture, Moment

#: The key of a line that the table writes itself.
EVENT = "event"


class Step(msgspec.Struct, frozen=True, gc=False):  # a server holds a great many, and none is part of a reference cycle
    """A move of a seat, or (move None) of chance or the table's clock."""

    before: bytes
    after: bytes  # the `before` of the next step: the same object
    move: Move | None
    actions: tuple[int, ...]  # those that carried the move out
    other_line: dict[str, Any] | None  # that of chance or the clock
    fallen: int  # moves of chance so far, with this one

    @property
    def line(self) -> dict[str, Any]:
        """Its line in the record. That of a move is made anew each time: so many of them take much memory."""
        if self.move is not None:
            return self.move.line()
        assert self.other_line is not None
        return self.other_line

    @property
    def is_chance(self) -> bool:
        return self.other_line is not None and EVENT not in self.other_line

    def states(self, box: Box) -> tuple[Any, Any]:
        """The states before and after."""
        return box.state_from(self.before), box.state_from(self.after)

    def turn(self, box: Box) -> int | None:
        """Whose turn it was made in, which need not be that of its mover (NOBODY: before anybody's); None if it is no
        move."""
        if self.move is None:
            return None
        turn = box.turn(box.state_from(self.before))
        return NOBODY if turn is None else turn

    def log(self, box: Box, eyes: int | None, news: bool = True) -> list[Text]:
        """The lines of the step for a seat, for a spectator (NOBODY), or with everything open (None); `news`: they have
        just witnessed it."""
        before, after = self.states(box)
        if eyes is None:
            return box.tell(before, self.move, after, NOBODY, True)
        return box.tell(box.blanked(before, eyes), self.move, box.blanked(after, eyes), eyes, news)

    def log_now_and_later(self, box: Box, seat: int) -> tuple[list[Text], list[Text]]:
        """The lines of the step for a seat while it is news, and afterwards."""
        before, after = (box.blanked(s, seat) for s in self.states(box))
        now = box.tell(before, self.move, after, seat, True)
        return now, box.tell(before, self.move, after, seat, False) if box.forgets else now

    def moment(self, box: Box, seat: int) -> Moment | None:
        """What a person at a seat sees only while the step happens."""
        if not box.has_moments:
            return None
        before, after = self.states(box)
        moment = box.moment(before, self.move, after, seat)
        return moment and msgspec.structs.replace(moment, table=moment.table.untouchable())

    def gesture(self, box: Box) -> Gesture | None:
        """What everyone sees a player do with cards that lie face down."""
        before, after = self.states(box)
        return box.gesture(before, self.move, after)
