"""The session of one connected client: who it is to the table, and how it is sent messages."""

from collections.abc import Callable
from typing import Literal

import msgspec

from brocante.engine.perspective import Perspective
from brocante.engine.state import NOBODY
from brocante.engine.text import Language
from brocante.table import LiveTable
from brocante.wire.socket_codec import Bye, Message, encode, with_done

#: What a client is sent of how things stand: all that it sees, what has changed of that, or its legal moves.
Detail = Literal["view", "changes", "moves"]
DETAILS: dict[str, Detail] = {"view": "view", "changes": "changes", "moves": "moves"}


class Shown(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A view that clients have been sent."""

    perspective: Perspective
    names: tuple[str, ...]  # with which it was put into words


class Session:
    """One connection. `send` queues a message for it, `close` ends it."""

    def __init__(
        self,
        who: str,
        language: Language,
        detail: Detail,
        send: Callable[[bytes], None],
        close: Callable[[], None],
    ) -> None:
        self.who = who
        self.language = language
        self.detail = detail
        self.viewer = NOBODY
        self.stream = ""
        self.shown: Shown | None = None  # the view that it has, where it is sent what changes of it
        self._send = send
        self._close = close

    @property
    def kind(self) -> tuple[int, str, Detail, Shown | None]:
        """Sessions of one kind are sent the same bytes."""
        return self.viewer, self.language.code, self.detail, self.shown

    @property
    def sees(self) -> bool:
        """Whether it is sent what its viewer sees, and not only legal moves."""
        return self.detail != "moves"

    def stream_at(self, table: LiveTable) -> str:
        """The name of its stream of events. Whoever sits down gets a new one."""
        viewer = table.viewer_of(self.who)
        return "watching" if viewer == NOBODY else f"{viewer}-{table.seats[viewer].sat}"

    def is_ahead_of(self, table: LiveTable, since: int, stream: str) -> bool:
        """Whether the client, which has so many events of a stream, knows more than this process."""
        return stream != self.stream_at(table) or since > table.event_counts.get(table.viewer_of(self.who), 0)

    def take_seat(self, table: LiveTable) -> None:
        """Note who the client is to the table now."""
        self.viewer, self.stream = table.viewer_of(self.who), self.stream_at(table)

    def cut_off(self) -> None:
        """The connection is gone: what is still sent goes nowhere. (This lets go of it: they hold each other.)"""
        self._send, self._close = lambda message: None, lambda: None

    def send(self, message: bytes, done: int | None = None) -> None:
        """Send an encoded message, with the id of the client's own request if it answers one."""
        self._send(message if done is None else with_done(message, done))

    def say(self, message: Message) -> None:
        self._send(encode(message))

    def hang_up(self, reason: str, retry: float) -> None:
        self.say(Bye(reason, retry))
        self._close()
