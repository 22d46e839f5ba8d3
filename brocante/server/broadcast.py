"""Telling the clients of a table what happened there, each in their language and as their seat may know it."""

from typing import Any

import msgspec

from brocante.engine.perspective import Perspective
from brocante.engine.text import Language
from brocante.server.room import Room
from brocante.server.session import Session, Shown
from brocante.table import Fact, LiveTable, audience
from brocante.table.recap import turns_since
from brocante.wire.changes import encoded_changes
from brocante.wire.events import Event, UndoState
from brocante.wire.socket_codec import Done, Frame, News, Welcome, You, encode


def broadcast(room: Room, facts: list[Fact], at: float, by: Session | None = None, request: int | None = None) -> None:
    """Send the news to all sessions; to `by`, whose request led to it, with the id of that request.

    Whoever has sat down or got up is sent a welcome instead.
    """
    whole = changes_info(room.table, facts)
    reporter = Reporter(room.table, len(facts), at, whole=whole)
    for session in list(room.sessions):
        done = request if session is by else None
        if whole and session.stream != session.stream_at(room.table):
            session.take_seat(room.table)
            session.send(welcome(room.table, session, at, None), done)
        elif news := reporter.news(session):
            session.send(news, done)
        elif done is not None:
            session.say(Done(done))


def changes_info(table: LiveTable, facts: list[Fact]) -> bool:
    """Whether what everyone may know of a table (TableInfo) may have changed: not by moves and talk alone."""
    return table.phase == "over" or not all(fact.category in ("play", "chat") for fact in facts)


def welcome(table: LiveTable, session: Session, at: float, events: list[Event] | None) -> bytes:
    """How things stand, and the events that the client missed or, if it has seen nothing yet, the log."""
    texts = audience.recent(table, session.viewer) if events is None else []
    later = audience.fading(table, session.viewer) if events is None else []
    perspective = audience.perspective(table, session.viewer) if session.sees else None
    session.shown = Shown(perspective, table.dealt_to) if perspective and session.detail == "changes" else None
    return encode(
        Welcome(
            session.stream,
            table.event_counts.get(session.viewer, 0),
            you_at(table, session.who),
            audience.info(table),
            audience.now(table, at),
            view=as_seen(perspective, session.language, table.dealt_to),
            legal=None if session.sees else encoded_moves(table, session.viewer),
            events=events,
            log=[session.language.say(text, table.dealt_to) for text in texts] if events is None else None,
            later=[session.language.say(text, table.dealt_to) for text in later],
            pictures=audience.pictures(table.box, texts, session.language, table.dealt_to) if session.sees else {},
            undo=audience.undo_for(table, session.viewer) if session.sees else None,
        )
    )


class Reporter:
    """Tells the clients of a table what the last facts are to them. Each viewer's part is made once, however many
    clients they have."""

    def __init__(self, table: LiveTable, facts: int, at: float, *, whole: bool) -> None:
        self.table = table
        self._facts = facts
        self._whole = whole  # whether what everyone may know of the table comes along
        self._now = audience.now(table, at)
        self._info = audience.info(table) if whole else None
        self._shown: dict[int, Shown | None] = {}
        self._undo: dict[int, UndoState | None] = {}
        self._news: dict[Any, bytes] = {}

    def news(self, session: Session) -> bytes:
        """The last facts as a client may know them, and how things stand now; nothing where it may know of none."""
        kind = (session.kind, session.who == self.table.host) if self._whole else session.kind
        found = self._news.get(kind)
        if found is None:
            found = self._news[kind] = self._encoded(session)
        if found and session.detail == "changes":
            session.shown = self._shown_to(session.viewer)
        return found

    def _encoded(self, session: Session) -> bytes:
        table, viewer, language = self.table, session.viewer, session.language
        events = audience.latest(table, self._facts, viewer, language, pictured=session.sees)
        if not events:
            return b""
        view, changes = self._sight(session, events[0].n - 1) if session.sees else (None, None)
        return encode(
            News(
                events,
                self._now,
                you=you_at(table, session.who) if self._whole else None,
                table=self._info,
                view=view,
                changes=changes,
                legal=None if session.sees else encoded_moves(table, viewer),
                undo=self._undo_for(viewer) if session.sees else None,
            )
        )

    def _sight(self, session: Session, since: int) -> tuple[Any, Any]:
        """All that a client sees, or what has changed of what it was shown before."""
        before, after, names = session.shown, self._shown_to(session.viewer), self.table.dealt_to
        perspective = after.perspective if after else None
        if before is None or (after and before.names != after.names):
            return as_seen(perspective, session.language, names), None
        return None, encoded_changes(before.perspective, perspective, since, session.language, names)

    def _shown_to(self, viewer: int) -> Shown | None:
        if viewer not in self._shown:
            perspective = audience.perspective(self.table, viewer)
            self._shown[viewer] = Shown(perspective, self.table.dealt_to) if perspective else None
        return self._shown[viewer]

    def _undo_for(self, viewer: int) -> UndoState | None:
        if viewer not in self._undo:
            self._undo[viewer] = audience.undo_for(self.table, viewer)
        return self._undo[viewer]


def encoded_moves(table: LiveTable, viewer: int) -> list[Any] | None:
    """The moves that a viewer may make, as JSON."""
    moves = audience.moves_of_viewer(table, viewer)
    return None if moves is None else [move.encoded() for move in moves]


def encoded_view(table: LiveTable, viewer: int, language: Language, begun: tuple[int, ...] = ()) -> msgspec.Raw | None:
    """What a viewer sees of the game, as JSON in a language."""
    return as_seen(audience.perspective(table, viewer, begun), language, table.dealt_to)


def as_seen(perspective: Perspective | None, language: Language, names: tuple[str, ...]) -> msgspec.Raw | None:
    """A view as JSON in a language."""
    return None if perspective is None else msgspec.Raw(perspective.whole().encoded(language, names))


def recap(table: LiveTable, viewer: int, language: Language) -> list[Frame]:
    """What has happened since a viewer's last turn, in a language."""
    if table.game is None:
        return []
    eyes, names = audience.witness(viewer, table.game.players), table.dealt_to
    return [
        Frame(
            turn.seat,
            [language.say(text, names) for text in turn.said],
            msgspec.Raw(turn.view(table.box, eyes).encoded(language, names)),
            audience.pictures(table.box, turn.said, language, names),
        )
        for turn in turns_since(table.game, eyes)
    ]


def you_at(table: LiveTable, who: str) -> You:
    """Who somebody is to a table."""
    return You(table.seat_of(who), bool(who) and who == table.host)
