"""What the screen of a table needs to know, wherever the table stands: at home or at a server."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from brocante.engine.box import Box
from brocante.engine.text import Text, Words
from brocante.engine.view import Moment, View


class TableModel(ABC):
    """A table as a person at it sees it."""

    box: Box
    seat: int  # the person's
    players: int

    @abstractmethod
    def names(self, nameless: str) -> tuple[str, ...]:
        """What the seats are called, and what the person is if they gave no name."""

    @abstractmethod
    def view(self, begun: tuple[int, ...]) -> View:
        """What the person sees, their own place first, when these choices of a move have been made."""

    # --- what has happened: numbered from 0 ---

    @property
    @abstractmethod
    def happened(self) -> int:
        """How much."""

    @abstractmethod
    def told(self, number: int) -> Sequence[Words]:
        """What the log says of it."""

    @abstractmethod
    def is_own(self, number: int) -> bool:
        """Whether it is the person's own doing."""

    @abstractmethod
    def moment(self, number: int) -> Moment | None:
        """What one sees of it only while it happens."""

    @property
    @abstractmethod
    def first_moment(self) -> int:
        """From where on moments are to be seen by one who comes to the table now."""

    # --- how things stand ---

    @property
    @abstractmethod
    def persons_turn(self) -> bool: ...

    @property
    @abstractmethod
    def is_over(self) -> bool: ...

    @property
    @abstractmethod
    def can_undo(self) -> bool: ...

    @property
    @abstractmethod
    def seconds_left(self) -> int | None:
        """What the clock says; None where there is none."""

    @property
    @abstractmethod
    def epilogue(self) -> Text | None:
        """What there is to know when the game is over, such as where its record is."""

    @abstractmethod
    def farewell(self, program: str) -> Text | None:
        """How to go on with a game that one leaves in the middle."""
