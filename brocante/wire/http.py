"""The bodies of HTTP requests and replies, one JSON object each; docs/api.md explains them."""

from typing import Annotated, Any

import msgspec

from brocante.table import Clock
from brocante.table import commands as c
from brocante.wire.events import Now, TableInfo
from brocante.wire.socket_codec import You


class Failure(msgspec.Struct, frozen=True):
    """The body of a refusal."""

    code: str  # for programs
    says: str  # for people


class Guest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A newcomer. With `token` the reply has their token, to send as `Authorization: Bearer …`; otherwise the server
    sets a cookie."""

    name: c.Name
    token: bool = False


class Me(msgspec.Struct, frozen=True, omit_defaults=True):
    name: str
    token: str = ""


class OptionInfo(msgspec.Struct, frozen=True):
    """An option of a game: a number from `least` to `most`, one of `choices`, or on and off."""

    name: str
    title: str
    kind: str
    default: int | bool | str | None
    least: int
    most: int
    choices: tuple[str, ...]
    instead_of: str


class GameInfo(msgspec.Struct, frozen=True):
    slug: str
    title: str
    blurb: str
    authors: tuple[str, ...]
    publisher: str | None
    players: tuple[int, ...]
    minutes: int
    ink: str  # its leading colour
    forgets: bool  # its log tells less of what is no longer news, unless a table says otherwise
    reference: str  # the heading of the part of its rules that players keep beside them; empty where there is none
    options: tuple[OptionInfo, ...]
    bots: tuple[str, ...]


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: Annotated[str, msgspec.Meta(max_length=40)]
    options: dict[str, Any] = {}
    private: bool = False
    clock: Clock = Clock()
    fading: bool = True  # whether the log forgets what players are to remember


class Listed(msgspec.Struct, frozen=True):
    """A table in the list of those that are open to all."""

    id: str
    game: str
    phase: str
    opened: float
    options: dict[str, Any]
    seats: list[dict[str, str]]


class Own(Listed, frozen=True):
    """A table in the list of your own: at which you sit, or which you have opened."""

    private: bool
    seat: int | None  # yours
    your_turn: bool
    games: int  # how many were played to their end


class TableReply(msgspec.Struct, frozen=True):
    """A table, and who you are to it."""

    id: str
    table: TableInfo
    now: Now
    you: You


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sit down, under your own name unless you give another."""

    name: c.Name = ""
    seat: c.SeatNumber | None = None
    nonce: c.Nonce = ""


class Health(msgspec.Struct, frozen=True):
    status: str


class ServerInfo(msgspec.Struct, frozen=True):
    """The server. `loopback`: it was asked at an address that leads to this machine only; so do links with it."""

    brocante: str  # the version
    page: str  # and that of the page
    loopback: bool
    announcement: str = ""  # what the operator says to everyone now


class LessonInfo(msgspec.Struct, frozen=True):
    title: str
    steps: int
    seat: int  # the learner's
    names: tuple[str, ...]


class LessonReply(msgspec.Struct, frozen=True):
    """One step: what has happened since the one before, what is explained, and what the learner sees."""

    says: str
    points_at: str  # the part of the table to look at: `pack`, `0.hand` for a zone of seat 0, `board.actions`; or none
    view: dict[str, Any]  # it offers nothing but what leads on
    yours: bool  # the learner is to move; otherwise they go on when they have read it
    last: bool
    log: list[str]
    pictures: dict[str, Any]  # the cards that the log names, by the phrases that name them
    moments: list[Any]


class Replayed(msgspec.Struct, frozen=True):
    """A game that is over, and what was told of each of its steps, in the order in which they happened.

    A game that was played by other rules is shown as far as it follows ours; `stopped` says where, and why.
    """

    game: str
    options: dict[str, Any]
    names: tuple[str, ...]
    seats: int
    steps: int
    winners: tuple[int, ...]
    log: list[list[str]]  # by step
    pictures: dict[str, Any]  # the cards that the log names, by the phrases that name them
    stopped: str = ""
