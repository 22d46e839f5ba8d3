"""The machine's clock may be set back or forward, and the machine may sleep: games go on, and nobody's time is lost."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from itsdangerous import TimestampSigner

from brocante.engine.errors import BrocanteError
from brocante.engine.text import language
from brocante.server.config import DAY
from brocante.server.http_handlers.tables import DESERTED_AFTER
from brocante.server.identity import COOKIE
from brocante.server.room import Room
from brocante.server.rooms import Rooms
from brocante.server.service_clock import ServiceClock
from brocante.server.storage import Storage
from brocante.server.ticks import tick_room
from brocante.server.timekeeping import NOTICED, Timekeeper
from brocante.table import Clock, audience
from brocante.table import commands as c
from brocante.table import facts as f
from tests.server.asking import SITE, FakeTime, House, check_refused, house
from tests.server.log import entries
from tests.server.players import dealt as really_dealt
from tests.server.players import told_anew
from tests.server.postgres import Postgres
from tests.server.processes import processes
from tests.server.rooms import running_rooms

HOUR = 3600.0
#: Seconds within which something happens, on a busy machine too.
SOON = 20.0
#: How the clock is set, one step after another.
STEPS = {"an hour back": [-HOUR], "five seconds back": [-5.0], "forward and back": [HOUR, -HOUR]}
ENGLISH = language("en")


class WallClock:
    """What the time of day is said to be: people and programs set it."""

    def __init__(self, ahead: float = 0.0) -> None:
        self.ahead = ahead

    def __call__(self) -> float:
        return time.time() + self.ahead


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/games.db"


async def dealt(
    rooms: Rooms, game: str = "collection", people: int = 1, clock: Clock | None = None, **more: Any
) -> Room:
    """A game under way at which so many people sit, and bots at the other seats."""
    players = {"vinto": 4}.get(game, 3)
    room = await rooms.open(game, {"players": players, **more}, "id0", clock=clock)
    for number in range(people):
        await rooms.do(room, c.Sit(f"Person {number}"), f"id{number}")
    await rooms.do(room, c.Start(fill=True), "id0")
    return room


def first_person(room: Room) -> int | None:
    """A person who is to decide, if one is."""
    table = room.table
    return next((seat for seat in table.undecided if table.seats[seat].plays), None)


async def asked(room: Room) -> int:
    """Whoever of the people is to decide, once the bots have moved by themselves."""
    async with asyncio.timeout(SOON):
        while (seat := first_person(room)) is None:
            await asyncio.sleep(0.005)
    return seat


async def move(rooms: Rooms, room: Room, seat: int) -> None:
    legal = audience.legal(room.table, seat)
    assert legal
    await rooms.do(room, c.PlayMove(legal[0]), f"id{seat}")


async def at_their_turn(rooms: Rooms, room: Room) -> int:
    """The same where the clocks are made: what is due is done, at the time when it is."""
    for _ in range(200):
        if (seat := first_person(room)) is not None:
            return seat
        await tick_room(rooms, room)
    raise AssertionError("nobody is ever asked")


def left(room: Room, seat: int) -> float | None:
    return audience.now(room.table, room.now).left[seat]


# --- while the server runs --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
async def test_bots_move_on_whatever_becomes_of_the_clock(database: str, steps: list[float]) -> None:
    wall = WallClock()
    async with running_rooms(database, clock=wall, pace=0.02) as rooms:
        room = await dealt(rooms)
        for step in [0.0, *steps]:
            wall.ahead += step
            for _ in range(2):
                await move(rooms, room, await asked(room))
        await asked(room)


@pytest.mark.parametrize("clock", [Clock("move", 60), Clock("bank", 60)])
@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
async def test_thinking_time_is_what_has_passed(database: str, steps: list[float], clock: Clock) -> None:
    wall, steady = FakeTime(), FakeTime(1000.0)
    async with running_rooms(database, clock=wall, steady=steady) as rooms:
        room = await dealt(rooms, people=2, clock=clock)
        seat = await at_their_turn(rooms, room)
        passed = 0.0
        for step in steps:
            steady.now += 10
            wall.now += 10 + step
            passed += 10
            assert left(room, seat) == 60 - passed
            await rooms.do(room, c.Chat("hm"), f"id{seat}")
            assert left(room, seat) == 60 - passed
        steady.now += 60 - passed - 1
        await tick_room(rooms, room)
        assert first_person(room) == seat, "a second is left"
        steady.now += 1.1
        await tick_room(rooms, room)
        late = [happened.fact for happened in room.table.history if isinstance(happened.fact, f.Moved)]
        assert [(fact.seat, fact.by) for fact in late if fact.by == "clock"] == [(seat, "clock")]


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
async def test_a_window_and_the_minutes_of_a_game_are_what_has_passed(database: str, steps: list[float]) -> None:
    wall, steady = FakeTime(), FakeTime(1000.0)
    async with running_rooms(database, clock=wall, steady=steady) as rooms:
        room = await dealt(rooms, "vinto", 2, Clock("none", 0, 20), rounds=4, minutes=10)
        while not (room.table.otherwise and first_person(room) is not None):
            await move(rooms, room, await at_their_turn(rooms, room))
        was = audience.now(room.table, room.now)
        assert was.window is not None
        assert was.game is not None
        for step in steps:
            steady.now += 3
            wall.now += 3 + step
        now, passed = audience.now(room.table, room.now), 3 * len(steps)
        assert (now.window, now.game) == (was.window - passed, was.game - passed)
        steady.now += was.window - passed + 0.1
        await tick_room(rooms, room)
        assert not room.table.otherwise, "it has closed"


async def test_one_talks_so_much_and_no_more_whatever_the_clock_says(database: str) -> None:
    wall, steady = FakeTime(), FakeTime(1000.0)
    async with running_rooms(database, clock=wall, steady=steady) as rooms:
        room = await dealt(rooms)
        for _ in range(5):
            await rooms.do(room, c.Chat("hello"), "id0")
        wall.now += HOUR
        with pytest.raises(BrocanteError, match="messages"):
            await rooms.do(room, c.Chat("hello"), "id0")
        wall.now -= 2 * HOUR
        steady.now += 11
        await rooms.do(room, c.Chat("hello"), "id0")


async def test_what_happened_is_told_by_the_time_of_day_and_the_same_for_ever(database: str) -> None:
    wall, steady = FakeTime(), FakeTime(1000.0)
    async with running_rooms(database, clock=wall, steady=steady) as rooms:
        room = await dealt(rooms, people=2)
        for step in (HOUR, -2 * HOUR, 0.123456):
            wall.now += step
            steady.now += 1
            await move(rooms, room, await at_their_turn(rooms, room))
            assert room.table.history[-1].at == wall.now
        told = audience.events(room.table, 0, 0, ENGLISH)
    async with running_rooms(database, clock=wall, steady=FakeTime(5.0)) as rooms:
        again = await rooms.find(room.id)
        assert msgspec.json.encode(audience.events(again.table, 0, 0, ENGLISH)) == msgspec.json.encode(told)
        assert again.table.used == room.table.used


async def test_when_the_machine_has_slept_clients_come_back_and_nobody_has_lost_time(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "brocante")

    wall, steady, asleep = FakeTime(), FakeTime(1000.0), FakeTime(0.0)
    async with house(tmp_path, time=wall, steady=steady) as found:
        table, people = await found.game("collection", clock={"kind": "move", "seconds": 30})
        ears = [await found.ear(table, person) for person in people]
        timekeeper = Timekeeper(found.server.rooms, asleep)
        for clock, seconds in ((steady, 10), (wall, 10 + 3 * HOUR), (asleep, 3 * HOUR)):
            clock.now += seconds
        await timekeeper.look()
        for ear in ears:
            await ear.over()
            assert msgspec.json.decode(ear.heard[-1]) == {"type": "bye", "reason": "reload", "retry": 0.1}
        known = msgspec.json.decode(ears[0].heard[0])
        again = await found.ear(table, people[0], since=known["n"], stream=known["stream"])
        assert 20.0 in msgspec.json.decode(again.heard[0])["now"]["left"]
        await timekeeper.look()
        assert again.is_open, "only once"
        lines = [(line.getMessage(), getattr(line, "seconds", 0)) for line in caplog.records]
        assert [line for line in lines if line[0] in ("slept", "clock set")] == [("slept", 3 * HOUR)]


# --- from one start of the server to the next -------------------------------------------------------------------------


@pytest.mark.parametrize("ahead", [HOUR, -HOUR])
async def test_a_log_by_another_clock_is_played_on_from(database: str, ahead: float) -> None:
    async with running_rooms(database, clock=WallClock(ahead), pace=0.02) as rooms:
        room = await dealt(rooms)
        await move(rooms, room, await asked(room))
    async with running_rooms(database, pace=0.02) as rooms:
        room = await rooms.find(room.id)
        for _ in range(3):
            await move(rooms, room, await asked(room))
        await asked(room)
    times = [entry.table_time or 0.0 for entry in await entries(database, room.id)]
    assert times == sorted(times)


async def test_an_older_log_from_the_future_is_played_on_from(database: str) -> None:
    """Its entries have one time each, which stands for both; there was neither a chain nor a witness then."""
    async with running_rooms(database, clock=WallClock(HOUR), pace=0.02) as rooms:
        room = await dealt(rooms)
        await move(rooms, room, await asked(room))
        with_both = room.table
        await rooms.storage._execute("UPDATE entry SET table_time = NULL, hash = NULL")
    Path(f"{database.removeprefix('sqlite:///')}-witness").unlink()
    async with running_rooms(database, pace=0.02) as rooms:
        room = await rooms.find(room.id)
        assert abs(room.table.since - with_both.since) < 1
        for _ in range(3):
            await move(rooms, room, await asked(room))


@pytest.mark.parametrize("step", [HOUR, -HOUR, 0.0])
async def test_the_time_without_a_server_takes_nothing_off_a_bank(database: str, step: float) -> None:
    """However long it was, or is said to have been."""
    wall, steady = FakeTime(), FakeTime(1000.0)
    async with running_rooms(database, clock=wall, steady=steady) as rooms:
        room = await dealt(rooms, people=2, clock=Clock("bank", 4 * 3600))
        seat = await at_their_turn(rooms, room)
        steady.now, wall.now = steady.now + 100, wall.now + 100
        await rooms.do(room, c.Chat("hm"), f"id{seat}")
        assert left(room, seat) == 4 * 3600 - 100
    wall.now += 300 + step
    async with running_rooms(database, clock=wall, steady=FakeTime(7.0)) as rooms:
        room = await rooms.find(room.id)
        assert left(room, seat) == 4 * 3600 - 100


@pytest.mark.parametrize("step", [HOUR, -HOUR])
async def test_whoever_was_thinking_when_the_server_stopped_begins_anew(database_url: str, step: float) -> None:
    database = database_url
    wall, steady = FakeTime(), FakeTime(1000.0)
    async with running_rooms(database, clock=wall, steady=steady) as rooms:
        room = await dealt(rooms, people=2, clock=Clock("move", 30))
        seat = await at_their_turn(rooms, room)
        steady.now, wall.now = steady.now + 29, wall.now + 29
        await rooms.do(room, c.Chat("hm"), f"id{seat}")
    wall.now += step
    async with running_rooms(database, clock=wall, steady=FakeTime(7.0)) as rooms:
        assert left(await rooms.find(room.id), seat) == 30


# --- several processes ------------------------------------------------------------------------------------------------


@asynccontextmanager
async def two_processes(database: str, apart: float) -> AsyncIterator[tuple[Rooms, Rooms, Callable[[float], None]]]:
    """Two that disagree on the time of day; and how to let time pass for both."""
    walls = [FakeTime(), FakeTime()]
    steadies = [FakeTime(1000.0), FakeTime(5_000_000.0)]
    walls[1].now += apart

    def wait(seconds: float) -> None:
        for clock in walls + steadies:
            clock.now += seconds

    async with (
        running_rooms(database, clock=walls[0], steady=steadies[0]) as one,
        running_rooms(database, clock=walls[1], steady=steadies[1]) as other,
    ):
        yield one, other, wait


async def heard(room: Room, by: Room) -> None:
    """Both know all that the one knows."""
    async with asyncio.timeout(SOON):
        while by.number < room.number:
            await asyncio.sleep(0.005)


@pytest.mark.parametrize("apart", [180.0, -180.0])
async def test_processes_whose_clocks_differ_by_minutes_agree_on_what_is_left(postgres: Postgres, apart: float) -> None:
    """Whether one of them has known the table all along, or reads it while somebody is thinking."""
    async with two_processes(postgres.new_database(), apart) as (one, other, wait):
        room = await one.open("collection", {"players": 3}, "id0", clock=Clock("move", 30))
        for number in range(3):
            await one.do(room, c.Sit(f"Person {number}"), f"id{number}")
        await one.do(room, c.Start(), "id0")
        wait(7)
        await one.do(room, c.Chat("hm"), "id0")
        wait(5)
        there = await other.find(room.id)
        seat = first_person(room)
        assert seat is not None
        assert left(room, seat) == left(there, seat) == 18
        await move(one, room, seat)
        for rooms, here, away in ((one, room, there), (other, there, room)) * 2:
            await heard(here, away)
            await heard(away, here)
            seat = first_person(here)
            assert seat is not None
            wait(10)
            assert left(here, seat) == left(away, seat) == 20
            for each, at in ((one, room), (other, there)):
                await tick_room(each, at)
            assert first_person(room) == first_person(there) == seat, "it is not too late for them"
            await move(rooms, here, seat)


async def test_when_one_of_two_machines_has_slept_an_entry_says_how_late_it_is(postgres: Postgres) -> None:
    database, asleep, awake = postgres.new_database(), FakeTime(1000.0), FakeTime(50.0)
    async with running_rooms(database, steady=asleep) as one, running_rooms(database, steady=awake) as other:
        room = await dealt(one, people=3, clock=Clock("move", 600))
        there = await other.find(room.id)
        for rooms, here, away in ((one, room, there), (other, there, room)):
            awake.now += 100  # while the other one sleeps
            seat = first_person(room)
            assert seat is not None
            assert (left(room, seat), left(there, seat)) == (600, 500)
            await move(rooms, here, seat)
            await heard(here, away)
            seat = first_person(room)
            assert seat is not None
            assert left(room, seat) == left(there, seat) == 600


# --- old tables, waiting tables, and who somebody is ------------------------------------------------------------------


async def at_the_same_database(folder: Path, wall: FakeTime, days: float = 0.0) -> tuple[set[str], int]:
    """Start a server whose clock on the wall is that one, and let it run for so many days: which tables are left."""
    steady = FakeTime(77.0)
    async with house(folder, time=wall, steady=steady) as found:
        steady.now += days * DAY
        wall.now += days * DAY
        swept = await found.server.housekeeping.sweep()
        return {listing.table for listing in await found.server.storage.listings()}, swept


async def test_a_server_that_starts_with_its_clock_ahead_deletes_nothing(tmp_path: Path) -> None:
    wall = FakeTime()
    async with house(tmp_path, time=wall, steady=FakeTime(5.0)) as found:
        ana = await found.guest("Ana")
        tables = {await found.table(ana), (await found.game("collection"))[0]}
    wall.now += 61 * DAY
    assert await at_the_same_database(tmp_path, wall) == (tables, 0)
    wall.now -= 61 * DAY
    assert await at_the_same_database(tmp_path, wall) == (tables, 0)


async def test_a_server_that_has_run_for_long_enough_deletes_what_is_old(tmp_path: Path) -> None:
    """However often it was started anew meanwhile."""
    wall = FakeTime()
    async with house(tmp_path, time=wall, steady=FakeTime(5.0)) as found:
        game, _ = await found.game("collection")
    for days in (20, 20, 19.9):
        assert await at_the_same_database(tmp_path, wall, days) == ({game}, 0)
    assert await at_the_same_database(tmp_path, wall, 0.2) == (set(), 1)


async def test_what_is_old_by_the_service_clock_alone_is_kept_as_well(tmp_path: Path) -> None:
    wall = FakeTime()
    async with house(tmp_path, time=wall, steady=FakeTime(5.0)) as found:
        await found.game("collection")
    wall.now -= 61 * DAY
    assert (await at_the_same_database(tmp_path, wall, 61))[1] == 0


async def test_the_service_clock_goes_on_from_where_the_last_process_has_noted_it(database_url: str) -> None:
    storages = [await Storage.open(database_url) for _ in range(2)]
    steadies = [FakeTime(1000.0), FakeTime(50.0)]
    one, other = (ServiceClock(*both) for both in zip(storages, steadies, strict=True))
    await one.keep()
    steadies[0].now += 100
    assert (one(), other()) == (100, 0)
    await one.keep()
    await other.keep()
    assert (one(), other()) == (100, 100), "it follows the one that is ahead"
    steadies[1].now += 1e9 + 0.5
    await other.keep()
    await one.keep()
    assert one() == other() == 1e9 + 100.5
    steadies[1].now -= 10
    await other.keep()
    assert other() == 1e9 + 100.5, "it never goes back"
    for storage in storages:
        await storage.close()


@pytest.mark.parametrize("step", [HOUR, -HOUR])
async def test_tables_at_which_people_wait_are_listed_whatever_the_clock_says(
    tmp_path: Path, step: float, caplog: pytest.LogCaptureFixture
) -> None:
    wall, steady = FakeTime(), FakeTime(5.0)
    async with house(tmp_path, time=wall, steady=steady) as found:
        ana = await found.guest("Ana")
        waiting, deserted = await found.table(ana), await found.table(ana)
        await found.done("join", waiting, ana, json={})
        await found.ear(waiting, ana)
        timekeeper = Timekeeper(found.server.rooms)
        wall.now += NOTICED - 1
        await timekeeper.look()
        wall.now += step
        await timekeeper.look()
        found.server.housekeeping.stay_listed()
        await found.server.rooms.finish()
        assert waiting in await listed(found)
        for clock in (wall, steady):
            clock.now += DESERTED_AFTER - 1
        found.server.housekeeping.stay_listed()
        await found.server.rooms.finish()
        for clock in (wall, steady):
            clock.now += 2
        assert await listed(found) == [waiting]
        assert deserted not in await listed(found)
        said = [line.__dict__["seconds"] for line in caplog.records if line.getMessage() == "clock set"]
        assert said == [step], "the operator is told, but not of what is nothing"


async def listed(found: House) -> list[str]:
    return [table["id"] for table in (await found.ask("GET", "/api/tables")).json()]


async def test_ones_own_tables_come_in_the_order_in_which_they_were_touched(tmp_path: Path) -> None:
    wall, steady = FakeTime(), FakeTime(5.0)
    async with house(tmp_path, time=wall, steady=steady) as found:
        ana = await found.guest("Ana")
        tables = []
        for step in (0, HOUR, -2 * HOUR):
            wall.now += step
            steady.now += 1
            tables.append(await found.table(ana))
        own = (await found.ask("GET", "/api/me/tables", ana)).json()
        assert [table["id"] for table in own] == tables[::-1]


@pytest.mark.parametrize("step", [200 * DAY, -200 * DAY, -1.0])
async def test_people_stay_who_they_are_whatever_the_clock_says(
    tmp_path: Path, step: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    wall, steady = FakeTime(), FakeTime(5.0)
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda self: int(wall.now))
    async with house(tmp_path, time=wall, steady=steady) as found:
        _, (ana, *_) = await found.game("collection")
        wall.now += step
        assert (await found.ask("GET", "/api/me", ana)).status_code == 200
        cookie = {"cookie": f"{COOKIE}={ana.token}", "origin": SITE}
        renewed = await found.ask("POST", "/api/guests", headers=cookie, json={"name": "Ana Two"})
        token = renewed.headers["set-cookie"].split("=", 1)[1].split(";")[0]
        assert found.server.identities.read(token).id == ana.id
        steady.now += 181 * DAY
        check_refused(await found.ask("GET", "/api/me", ana), 401, "token")


async def test_a_token_of_an_older_version_is_good_from_now_on(tmp_path: Path) -> None:
    """It does not say when it was made by the service clock, which begins with this version."""
    steady = FakeTime(5.0)
    async with house(tmp_path, steady=steady) as found:
        identities = found.server.identities
        signed = identities._signer.dumps({"id": "ana", "name": "Ana"})
        token = signed if isinstance(signed, str) else signed.decode()
        assert identities.read(token).id == "ana"
        steady.now += 181 * DAY
        with pytest.raises(BrocanteError):
            identities.read(token)


# --- a real server ----------------------------------------------------------------------------------------------------


async def test_a_real_server_plays_on_whatever_its_clock_says_and_whenever_it_is_killed(tmp_path: Path) -> None:
    ahead = tmp_path / "ahead"
    ahead.write_text("0")
    with processes(str(tmp_path / "games.db"), tmp_path, clock=ahead, pace=0.02) as (server,):
        await server.start()
        (player,) = await really_dealt([server.url], "vinto", ["Ana"], players=4, rounds=4)
        for seconds in (0, -HOUR, -HOUR - 5, HOUR, 0):
            ahead.write_text(str(seconds))
            await player.play(len(player.told) + 10)
        for days in (61, -1):
            await player.hang_up()
            server.kill()
            ahead.write_text(str(days * DAY))
            await server.start()
            await player.play(len(player.told) + 10)
        await player.play()
        assert player.is_over
        assert await told_anew(player) == player.told
        assert "Traceback" not in server.log.read_text()
