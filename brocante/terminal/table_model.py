"""What the screen of a table needs to know, wherever the table stands: at home or at a server."""

from collections.abc import Sequence
from typing import Protocol

from brocante.engine.box import Box
from brocante.engine.text import Text, Words
from brocante.engine.view import Moment, View
from brocante.wire.events import UndoState


class TableModel(Protocol):
    """A table as a person at it sees it."""

    box: Box
    seat: int  # the person's
    players: int
    epilogue: Text | None = None  # what to say after the game, such as where its record is

    def names(self, nameless: str) -> tuple[str, ...]:
        """The names of the seats; `nameless` for a person who gave none."""

    def view(self, begun: tuple[int, ...]) -> View:
        """What the person sees, their own place first, after these choices of a move."""

    # --- what has happened, numbered from 0 ---

    @property
    def happened(self) -> int:
        """How many things."""

    def sentences(self, number: int) -> Sequence[Words]:
        """What the log says of it."""

    def is_own(self, number: int) -> bool:
        """Whether the person did it."""

    def moment(self, number: int) -> Moment | None:
        """What the person sees only while it happens."""

    @property
    def first_moment(self) -> int:
        """The first thing of which a person who comes to the table now sees the moment."""

    # --- how things stand ---

    @property
    def is_over(self) -> bool: ...

    @property
    def undo_state(self) -> UndoState:
        """What would become of the person's last move if they took it back."""

    @property
    def can_undo(self) -> bool:
        return self.undo_state in ("free", "bots", "ask")

    @property
    def can_skip(self) -> bool:
        """Whether the person waits for nobody but bots, which could be made to hurry."""

    @property
    def seconds_left(self) -> int | None:
        """What the clock shows; None if there is none."""

    def farewell(self, program: str) -> Text | None:
        """How to go on with an unfinished game; None if it is over."""
