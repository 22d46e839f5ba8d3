"""What is said on the socket; docs/api.md explains it. Text frames, one JSON object each."""

from typing import Annotated, Any

import msgspec

from brocante.table.commands import PlayerCommand
from brocante.wire.events import Event, Now, TableInfo

Number = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What would be offered if these choices of a move had been made; nothing happens."""

    begun: Annotated[list[Number], msgspec.Meta(max_length=32)]


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From a client: a command for the table, or a look; the answer carries the same id."""

    id: Number
    command: PlayerCommand | None = None
    look: Look | None = None


class Message(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower, omit_defaults=True):
    """From the server. A `view` is plain data or, where it is sent, what was made of it already."""


class You(msgspec.Struct, frozen=True):
    seat: int | None
    host: bool


class Welcome(Message, frozen=True):
    """Always the first message, and again when one has sat down or got up: how things stand.

    `events` are those that were missed since the number that the client has of the same stream; without one, `log` is
    what one may read of the game so far.
    """

    stream: str
    n: int  # the number of the last event in it
    you: You
    table: TableInfo
    now: Now
    view: Any = None
    legal: list[dict[str, Any]] | None = None
    events: list[Event] | None = None
    log: list[str] | None = None
    pictures: dict[str, Any] = {}  # the cards that the log names, by the phrases that name them


class News(Message, frozen=True):
    """What has happened, and how things stand now; `done` is the id of one's own request that it answers."""

    events: list[Event]
    now: Now
    you: You | None = None
    table: TableInfo | None = None
    view: Any = None
    legal: list[dict[str, Any]] | None = None


class Done(Message, frozen=True):
    """A request was carried out, and there is nothing to tell."""

    done: int


class NotDone(Message, frozen=True, tag="refused"):
    """A request was refused, and nothing was changed; no id where it could not be read."""

    code: str
    says: str
    id: int | None = None


class Seen(Message, frozen=True):
    """The answer to a look."""

    id: int
    view: Any


class Bye(Message, frozen=True):
    """The server hangs up; come back after so many seconds."""

    reason: str
    retry: float
