"""What clients are told of a table: what happened there, and how it stands."""

from typing import Any, Literal

import msgspec

from brocante.engine.view import Gesture
from brocante.table.facts import Category, Clock, Pace
from brocante.table.table_fields import Phase

#: What would become of a viewer's last move if they asked to take it back (docs/api.md).
UndoState = Literal["", "free", "ask", "bots", "shown", "over"]


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that happened, as one viewer is told it."""

    n: int  # its number in the viewer's stream
    at: float  # seconds since 1970
    event: str  # what kind of fact it is
    category: Category
    seat: int | None = None
    turn: int | None = None  # whose turn a move was made in, where that is not its player's (−2: nobody's)
    said: tuple[str, ...] = ()  # lines of the log, in the viewer's language
    pictures: dict[str, Any] = {}  # the cards that the log names, by the phrases that name them
    moments: tuple[Any, ...] = ()  # what one sees only while it happens
    die: int = 0  # what a die showed that was rolled
    gestures: tuple[Gesture, ...] = ()  # which cards everyone saw somebody look at, show or move
    name: str = ""
    text: str = ""  # a message of the chat
    reaction: str = ""  # what somebody said with one touch
    allies: bool = False  # only to those who play together
    by: str = ""  # who decided in the player's place: bot, clock
    move: dict[str, Any] | None = None  # the viewer's own decision, while others still decide
    later: tuple[str, ...] = ()  # what was said, as it reads when it is no longer news; left out where it is the same
    moves: int = 0  # how many moves were taken back


class SeatInfo(msgspec.Struct, frozen=True):
    kind: Literal["empty", "person", "bot"]
    name: str
    bot: str  # which bot plays, if one does
    away: bool
    resigned: bool
    nonce: str


class TableInfo(msgspec.Struct, frozen=True):
    """What everyone may know of a table."""

    game: str
    options: dict[str, Any]
    private: bool
    phase: Phase
    paused: bool
    clock: Clock
    host: int | None  # the seat of the host
    seats: tuple[SeatInfo, ...]
    undo: int | None  # who would take back a move
    agreed: tuple[int, ...]
    removal: int | None  # whom the host would remove from the game
    removal_agreed: tuple[int, ...]
    again: tuple[int, ...]  # who would play another game
    games: int  # how many are over
    winners: tuple[int, ...]
    commitment: str  # to the seed of this game or, when none is being played, of the next one
    closed: bool = False  # the last game could not be played to its end: its rules are gone
    taken_back: tuple[int, ...] = ()  # how many moves each seat has taken back in this game
    ended_by: int | None = None  # the seat that gave up, where that ended the game
    ended_by_operator: bool = False  # the operator of the server has closed the last game
    fading: bool = True  # the log forgets what players are to remember
    pace: Pace = "people"  # of bots
    skipping: bool = False  # bots move at once until a person must decide


class Now(msgspec.Struct, frozen=True, omit_defaults=True):
    """What changes all the time: who is to decide, and how long they may think."""

    step: int = 0  # how many steps the game has had
    asked: tuple[int, ...] = ()  # the seats that are to decide
    turn: int | None = None  # the seat whose turn it is, in which others may be asked
    otherwise: str = ""  # the move that is made for those who do not decide in time, while all decide at the same time
    left: tuple[float | None, ...] = ()  # seconds by seat, where there is a clock
    window: float | None = None  # seconds for which all decide at the same time
    game: float | None = None  # seconds until the table's clock ends the game
