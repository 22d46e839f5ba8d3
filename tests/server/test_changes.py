"""Clients are sent what has changed of what they see, and it adds up to all that they see."""

from random import Random
from typing import Any

import msgspec
import pytest

import brocante
from brocante import NOBODY
from brocante.engine.text import language
from brocante.server.broadcast import broadcast, welcome
from brocante.server.room import Room
from brocante.server.session import DETAILS, Session
from brocante.table import LiveTable, audience
from brocante.table import commands as c
from brocante.wire.changes import Changes, changed
from tests.server.asking import House, house
from tests.table.anything import act, any_sitting
from tests.table.tables import PEOPLE, STRANGER, Sitting

REQUESTS = 100


class Watcher:
    """A client that is sent what changes, and has the view that follows from it."""

    def __init__(self, room: Room, who: str, code: str, at: float) -> None:
        self.room = room
        self.view: Any = None
        self.n = 0  # the number of the last event that it was told
        self.sent: list[bytes] = []
        self.session = Session(who, language(code), "changes", self._hear, lambda: None)
        self.session.take_seat(room.table)
        self.session.send(welcome(room.table, self.session, at, None))
        room.sessions.add(self.session)

    def _hear(self, message: bytes) -> None:
        self.sent.append(message)
        told = msgspec.json.decode(message)
        if told["type"] == "welcome" or "view" in told:
            self.view = told.get("view")
        elif "changes" in told:
            changes = msgspec.convert(told["changes"], Changes)
            assert changes.since == self.n
            before = msgspec.json.encode(self.view)
            after = changed(self.view, changes)
            assert msgspec.json.encode(self.view) == before, "what was there before stays as it was"
            self.view = after
        self.n = told["n"] if "n" in told else told["events"][-1]["n"]

    @property
    def as_it_is(self) -> Any:
        """All that it sees, as it would be told anew."""
        table, session = self.room.table, self.session
        view = audience.view(table, session.viewer)
        return view and msgspec.json.decode(view.encoded(session.language, table.dealt_to))


def tell(room: Room, sitting: Sitting, facts: Any) -> None:
    if facts:
        room.table = sitting.table
        broadcast(room, facts, sitting.now)


def go_on(room: Room, sitting: Sitting) -> None:
    """One decision further."""
    tell(room, sitting, sitting.move(sitting.asked[0]) if sitting.asked else sitting.wait_for_due())


@pytest.mark.parametrize("game", brocante.GAMES)
@pytest.mark.parametrize("seed", range(2))
def test_what_has_changed_adds_up_to_what_is_seen(game: str, seed: int) -> None:
    """Whatever people do, whoever watches, whenever they come."""
    rng = Random(f"{game} {seed}")
    sitting = any_sitting(rng, game)
    room = Room("table", sitting.table, 1, b"")
    watchers: list[Watcher] = []
    tell(room, sitting, sitting.do(c.Start(fill=True), PEOPLE[0]))
    for _ in range(REQUESTS):
        if rng.random() < 0.15:
            watchers.append(Watcher(room, rng.choice((*PEOPLE, STRANGER)), rng.choice(("en", "fr")), sitting.now))
        if rng.random() < 0.02 and watchers:
            room.sessions.remove(watchers.pop(0).session)
        tell(room, sitting, act(rng, sitting)[0])
        for watcher in watchers:
            assert watcher.view == watcher.as_it_is
    assert len(watchers) > 2


def test_the_order_of_everything_is_the_same_too() -> None:
    sitting = Sitting("port").start()
    room = Room("table", sitting.table, 1, b"")
    watcher = Watcher(room, PEOPLE[0], "fr", sitting.now)
    for _ in range(40):
        go_on(room, sitting)
        view = audience.view(sitting.table, 0)
        assert view
        assert msgspec.json.encode(watcher.view) == view.encoded(language("fr"), sitting.table.dealt_to)


def watched(game: str, *people: str) -> tuple[Sitting, Room, list[Watcher]]:
    sitting = Sitting(game).start()
    room = Room("table", sitting.table, 1, b"")
    return sitting, room, [Watcher(room, who, "en", sitting.now) for who in people]


def test_those_who_see_the_same_are_sent_the_same_bytes() -> None:
    sitting, room, (one, other) = watched("collection", PEOPLE[0], PEOPLE[0])
    for _ in range(5):
        go_on(room, sitting)
    assert one.session.shown is other.session.shown, "and the view is kept once"
    assert one.sent[-1] is other.sent[-1]


def test_who_does_not_have_the_view_before_is_sent_it_whole() -> None:
    sitting, room, (one, other) = watched("collection", PEOPLE[0], PEOPLE[0])
    other.session.shown = None
    go_on(room, sitting)
    assert "view" not in msgspec.json.decode(one.sent[-1])
    assert "changes" not in msgspec.json.decode(other.sent[-1])
    assert one.view == other.view == one.as_it_is


def test_nothing_is_said_of_a_view_that_has_not_changed() -> None:
    sitting, room, watchers = watched("collection", PEOPLE[0], STRANGER)
    tell(room, sitting, sitting.do(c.Chat("hello"), PEOPLE[0]))
    for watcher in watchers:
        assert not {"view", "changes"} & set(msgspec.json.decode(watcher.sent[-1]))
        assert watcher.view == watcher.as_it_is


def test_what_could_be_touched_before_looks_the_same_afterwards() -> None:
    """So a change of turn changes nothing that lies there, and there is little to compare."""
    game = brocante.deal("collection", players=2, seed=1)
    asked, watching = (game.perspective(viewer) for viewer in (game.actor, NOBODY))
    pack = "centre.0.stacks.0"
    assert pack in asked.touches, "drawing from it ends the turn"
    assert pack not in watching.touches
    assert asked.view.table.centre[0] is watching.view.table.centre[0]


def test_a_name_that_has_changed_is_told_with_the_next_game() -> None:
    """Words may be the same and still be said otherwise: players are called by other names."""
    sitting, room, (watcher,) = watched("port", PEOPLE[0])
    before = sitting.table.dealt_to
    tell(room, sitting, sitting.do(c.Resign(), PEOPLE[1]))
    tell(room, sitting, sitting.do(c.Stand(), PEOPLE[1]))
    tell(room, sitting, sitting.do(c.Sit("Zoé"), PEOPLE[2]))
    for who in (PEOPLE[0], PEOPLE[2]):
        tell(room, sitting, sitting.do(c.Again(), who))
    assert sitting.table.phase == "playing"
    assert sitting.table.dealt_to != before
    assert watcher.view == watcher.as_it_is


@pytest.mark.parametrize(("game", "share"), [("antiques", 2), ("collection", 2), ("port", 5), ("vinto", 2)])
def test_a_change_is_much_smaller_than_what_it_is_a_change_of(game: str, share: float) -> None:
    sitting, room, watchers = watched(game, *PEOPLE[:2])
    whole = 0
    for _ in range(60):
        go_on(room, sitting)
        whole += sum(len(msgspec.json.encode(watcher.view)) for watcher in watchers)
    assert sum(len(sent) for watcher in watchers for sent in watcher.sent[1:]) < whole / share


# --- over a socket ----------------------------------------------------------------------------------------------------


@pytest.fixture
async def open_house(tmp_path: Any) -> Any:
    async with house(tmp_path) as found:
        yield found


def view_after(heard: list[bytes]) -> Any:
    view: Any = None
    for told in map(msgspec.json.decode, heard):
        if told["type"] == "welcome" or "view" in told:
            view = told.get("view")
        elif "changes" in told:
            view = changed(view, msgspec.convert(told["changes"], Changes))
    return view


async def test_a_client_may_be_sent_changes_or_whole_views_and_comes_back_to_a_whole_one(open_house: House) -> None:
    table, people = await open_house.game("port")
    ears = {detail: await open_house.ear(table, people[0], detail=detail) for detail in ("view", "changes")}
    players = [await open_house.ear(table, person, detail="moves") for person in people]
    for _ in range(4):
        live: LiveTable = open_house.room(table).table
        seat = live.undecided[0]
        await players[seat].do("move", move=(audience.legal(live, seat) or [{}])[0])
    heard = {detail: [one for one in await ear.caught_up() if b'"seen"' not in one] for detail, ear in ears.items()}
    asked = (await open_house.ask("GET", f"/api/tables/{table}/view", people[0])).json()
    assert view_after(heard["view"]) == view_after(heard["changes"]) == asked
    assert len(heard["view"][-1]) > len(heard["changes"][-1])
    last = msgspec.json.decode(heard["changes"][-1])["events"][-1]["n"]
    stream = msgspec.json.decode(heard["changes"][0])["stream"]
    back = await open_house.ear(table, people[0], detail="changes", stream=stream, since=last)
    assert view_after(back.heard) == asked


def test_views_are_kept_only_for_those_who_are_sent_changes() -> None:
    sitting = Sitting("collection").start()
    room = Room("table", sitting.table, 1, b"")
    for detail in DETAILS.values():
        session = Session(PEOPLE[0], language("en"), detail, lambda message: None, lambda: None)
        session.take_seat(room.table)
        session.send(welcome(room.table, session, sitting.now, None))
        room.sessions.add(session)
    go_on(room, sitting)
    assert {session.detail for session in room.sessions if session.shown} == {"changes"}
