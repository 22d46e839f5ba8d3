"""What is said on the socket of a table, and how it is encoded and decoded: text frames, one JSON object each."""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec

from brocante.table.commands import PlayerCommand
from brocante.wire.changes import Changes
from brocante.wire.events import Event, Now, TableInfo, UndoState

Number = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


# --- from clients -----------------------------------------------------------------------------------------------------


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What would be offered if these choices of a move had been made; nothing happens."""

    begun: Annotated[list[Number], msgspec.Meta(max_length=32)]


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A command for the table, a look, or a recap; the answer carries the same id."""

    id: Number
    command: PlayerCommand | None = None
    look: Look | None = None
    recap: bool = False

    @property
    def asks_for_one_thing(self) -> bool:
        return (self.command is not None) + (self.look is not None) + self.recap == 1

    @property
    def kind(self) -> str:
        """What is asked for, in a word."""
        return self.command.kind() if self.command is not None else "recap" if self.recap else "look"


# --- from the server --------------------------------------------------------------------------------------------------


class Message(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower, omit_defaults=True):
    """Something that the server says. A `view` is plain data, or JSON that was made of it already."""

    @property
    def answers(self) -> int | None:
        """The id of the request that it answers, if any."""
        answered: int | None = getattr(self, "done", getattr(self, "id", None))
        return answered


class You(msgspec.Struct, frozen=True):
    """Who a client is to a table."""

    seat: int | None
    host: bool


class Welcome(Message, frozen=True):
    """How things stand: the first message, and again when the client has sat down or got up.

    `events` are those that the client missed since the number that it has of the same stream. Without one, `log` is
    what it may read of the game so far, and `later` its last lines as they read when they are no longer news.
    """

    stream: str
    n: int  # the number of the last event in the stream
    you: You
    table: TableInfo
    now: Now
    view: Any = None
    legal: list[dict[str, Any]] | None = None
    events: list[Event] | None = None
    log: list[str] | None = None
    later: list[str] = []
    pictures: dict[str, Any] = {}  # the cards that the log names, by the phrases that name them
    undo: UndoState | None = None  # of the viewer's last move; left out for those who watch
    done: int | None = None  # the id of the client's own request that led to it


class News(Message, frozen=True):
    """What has happened, and how things stand now."""

    events: list[Event]
    now: Now
    you: You | None = None
    table: TableInfo | None = None
    view: Any = None
    changes: Changes | None = None  # what has changed of the view that the client has
    legal: list[dict[str, Any]] | None = None
    undo: UndoState | None = None  # as of a welcome
    done: int | None = None  # the id of the client's own request that led to it


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


class Frame(msgspec.Struct, frozen=True):
    """One turn of a recap: whose it was (the deal was nobody's), what the log said, and how the table looked then."""

    seat: int | None
    said: list[str]
    view: Any
    pictures: dict[str, Any]  # the cards that the log names, by the phrases that name them


class Recapped(Message, frozen=True):
    """The answer to a request for a recap: what happened since the viewer's last turn."""

    id: int
    frames: list[Frame]


class Announcement(Message, frozen=True):
    """What the operator of the server says to everyone; an empty text takes it back."""

    text: str


class Bye(Message, frozen=True):
    """The server hangs up; come back after so many seconds."""

    reason: str
    retry: float


FromServer = Welcome | News | Done | NotDone | Seen | Recapped | Announcement | Bye


# --- encoding and decoding --------------------------------------------------------------------------------------------

encode = msgspec.json.Encoder().encode
#: What a client or the server said; a DecodeError says what is wrong with it.
decode_request = msgspec.json.Decoder(Request).decode
decode_message: Callable[[str | bytes], FromServer] = msgspec.json.Decoder(FromServer).decode


def with_done(frame: bytes, request: int) -> bytes:
    """An encoded welcome or news, with its `done` filled in. One message is encoded once for all who are sent it, and
    only the client whose request led to it is sent the id."""
    return b'{"done":%d,%b' % (request, frame[1:])
