"""Telling the clients of a table what happened there, each in their language and as their seat may know it."""

from typing import Any

import msgspec

from brocante.engine.text import Language
from brocante.server.room import Room
from brocante.server.session import Session
from brocante.table import Fact, LiveTable, audience
from brocante.table.recap import turns_since
from brocante.wire.events import Event
from brocante.wire.socket_codec import Done, Frame, News, Welcome, You, encode


def broadcast(room: Room, facts: list[Fact], at: float, by: Session | None = None, request: int | None = None) -> None:
    """Send the news to all sessions; to `by`, whose request led to it, with the id of that request.

    Whoever has sat down or got up is sent a welcome instead.
    """
    whole = changes_info(room.table, facts)
    encoded: dict[Any, bytes] = {}
    for session in list(room.sessions):
        done = request if session is by else None
        if whole and session.stream != session.stream_at(room.table):
            session.take_seat(room.table)
            session.send(welcome(room.table, session, at, None), done)
            continue
        kind = (session.kind, session.who == room.table.host) if whole else session.kind
        if kind not in encoded:
            encoded[kind] = news(room.table, session, len(facts), at, whole=whole)
        if encoded[kind]:
            session.send(encoded[kind], done)
        elif done is not None:
            session.say(Done(done))


def changes_info(table: LiveTable, facts: list[Fact]) -> bool:
    """Whether what everyone may know of a table (TableInfo) may have changed: not by moves and talk alone."""
    return table.phase == "over" or not all(fact.category in ("play", "chat") for fact in facts)


def welcome(table: LiveTable, session: Session, at: float, events: list[Event] | None) -> bytes:
    """How things stand, and the events that the client missed or, if it has seen nothing yet, the log."""
    in_full = session.detail == "view"
    texts = audience.recent(table, session.viewer) if events is None else []
    later = audience.fading(table, session.viewer) if events is None else []
    return encode(
        Welcome(
            session.stream,
            table.event_counts.get(session.viewer, 0),
            you_at(table, session.who),
            audience.info(table),
            audience.now(table, at),
            view=encoded_view(table, session.viewer, session.language) if in_full else None,
            legal=None if in_full else encoded_moves(table, session.viewer),
            events=events,
            log=[session.language.say(text, table.dealt_to) for text in texts] if events is None else None,
            later=[session.language.say(text, table.dealt_to) for text in later],
            pictures=audience.pictures(table.box, texts, session.language, table.dealt_to) if in_full else {},
            undo=audience.undo_for(table, session.viewer) if in_full else None,
        )
    )


def news(table: LiveTable, session: Session, facts: int, at: float, *, whole: bool) -> bytes:
    """The last facts as the client may know them, and how things stand now; nothing where it may know of none."""
    in_full = session.detail == "view"
    events = audience.latest(table, facts, session.viewer, session.language, pictured=in_full)
    if not events:
        return b""
    return encode(
        News(
            events,
            audience.now(table, at),
            you=you_at(table, session.who) if whole else None,
            table=audience.info(table) if whole else None,
            view=encoded_view(table, session.viewer, session.language) if in_full else None,
            legal=None if in_full else encoded_moves(table, session.viewer),
            undo=audience.undo_for(table, session.viewer) if in_full else None,
        )
    )


def encoded_moves(table: LiveTable, viewer: int) -> list[Any] | None:
    """The moves that a viewer may make, as JSON."""
    moves = audience.moves_of_viewer(table, viewer)
    return None if moves is None else [move.encoded() for move in moves]


def encoded_view(table: LiveTable, viewer: int, language: Language, begun: tuple[int, ...] = ()) -> msgspec.Raw | None:
    """What a viewer sees of the game, as JSON in a language."""
    view = audience.view(table, viewer, begun)
    return None if view is None else msgspec.Raw(view.encoded(language, table.dealt_to))


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
