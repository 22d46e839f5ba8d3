"""Somebody who listens to a table, and what they are sent."""

from collections.abc import Callable
from typing import Literal

import msgspec

from brocante.engine.state import NOBODY
from brocante.engine.text import Language
from brocante.table import LiveTable, audience
from brocante.wire.events import Event
from brocante.wire.socket_messages import Bye, Done, Message, News, Welcome, You

Detail = Literal["view", "moves"]
encode = msgspec.json.Encoder().encode


class Listener:
    """One connection. `send` takes a message that is on its way then, `close` ends the connection."""

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
        self._send = send
        self._close = close

    @property
    def kind(self) -> tuple[int, str, Detail]:
        """Listeners of one kind are sent the same bytes."""
        return self.viewer, self.language.code, self.detail

    def viewer_at(self, table: LiveTable) -> int:
        seat = table.seat_of(self.who)
        return NOBODY if seat is None else seat

    def stream_at(self, table: LiveTable) -> str:
        """The name of the stream of events that they are told: another one for everyone who sits down anew."""
        viewer = self.viewer_at(table)
        return "watching" if viewer == NOBODY else f"{viewer}-{table.seats[viewer].sat}"

    def knows_more(self, table: LiveTable, since: int, stream: str) -> bool:
        """Whether they, who have so many events of a stream, were told something that this process has not heard."""
        return stream != self.stream_at(table) or since > table.event_counts.get(self.viewer_at(table), 0)

    def sit(self, table: LiveTable) -> None:
        """See who they are to the table."""
        self.viewer, self.stream = self.viewer_at(table), self.stream_at(table)

    def push(self, message: bytes, answers: int | None = None) -> None:
        """Send a message; with the id of their own request, if it answers one."""
        if answers is None:
            self._send(message)
        elif message:
            self._send(b'{"done":%d,%b' % (answers, message[1:]))
        else:
            self.push_done(answers)

    def push_done(self, answers: int) -> None:
        self._send(encode(Done(answers)))

    def say(self, message: Message) -> None:
        self._send(encode(message))

    def hang_up(self, reason: str, retry: float) -> None:
        self.say(Bye(reason, retry))
        self._close()


def shown(table: LiveTable, listener: Listener, begun: tuple[int, ...] = ()) -> msgspec.Raw | None:
    """What they see of the game, as JSON in their language."""
    view = audience.view(table, listener.viewer, begun)
    return None if view is None else msgspec.Raw(view.encoded(listener.language, table.dealt_to))


def who_is(table: LiveTable, who: str) -> You:
    """Who somebody is to a table."""
    return You(table.seat_of(who), bool(who) and who == table.host)


def welcome(table: LiveTable, listener: Listener, at: float, events: list[Event] | None) -> bytes:
    """How things stand, and what they have missed or, if they have seen nothing yet, the log."""
    in_full = listener.detail == "view"
    texts = audience.recent(table, listener.viewer) if events is None else []
    return encode(
        Welcome(
            listener.stream,
            table.event_counts.get(listener.viewer, 0),
            who_is(table, listener.who),
            audience.info(table),
            audience.now(table, at),
            view=shown(table, listener) if in_full else None,
            legal=None if in_full else audience.legal(table, listener.viewer),
            events=events,
            log=[listener.language.say(text, table.dealt_to) for text in texts] if events is None else None,
            pictures=audience.pictures(table.box, texts, listener.language, table.dealt_to) if in_full else {},
        )
    )


def news(table: LiveTable, listener: Listener, facts: int, at: float, *, whole: bool) -> bytes:
    """The last facts as they are told them, and how things stand now; nothing where they may not know of any."""
    in_full = listener.detail == "view"
    events = audience.latest(table, facts, listener.viewer, listener.language, pictured=in_full)
    if not events:
        return b""
    return encode(
        News(
            events,
            audience.now(table, at),
            you=who_is(table, listener.who) if whole else None,
            table=audience.info(table) if whole else None,
            view=shown(table, listener) if in_full else None,
            legal=None if in_full else audience.legal(table, listener.viewer),
        )
    )
