"""Several processes on one PostgreSQL: whoever is connected to whichever, it is the same table."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from brocante.server import presence
from brocante.server.rooms import Rooms
from brocante.server.storage import Damaged, StoredTable
from brocante.table import Refused
from brocante.table import commands as c
from brocante.table import facts as f
from tests.server.log import facts_of
from tests.server.players import PATIENCE, Player, dealt, told_anew
from tests.server.postgres import Postgres
from tests.server.processes import ServerProcess, processes
from tests.server.rooms import Ear, running_rooms, table_of
from tests.server.trouble import EARS, cut

NewProcess = Callable[..., Awaitable[Rooms]]


@pytest.fixture(scope="module")
def database(postgres: Postgres) -> str:
    return postgres.new_database()


@pytest.fixture(scope="module")
def pair(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[ServerProcess]]:
    with processes(database, tmp_path_factory.mktemp("servers"), 2) as servers:
        yield servers


@pytest.fixture
async def two(pair: list[ServerProcess]) -> list[ServerProcess]:
    """Two servers of one database, started unless they run already."""
    await asyncio.gather(*(server.start() for server in pair if not server.is_running))
    return pair


def urls(servers: list[ServerProcess]) -> list[str]:
    return [server.url for server in servers]


async def all_hang_up(people: list[Player]) -> None:
    for player in people:
        await player.hang_up()


async def check_same_everywhere(servers: list[ServerProcess], player: Player) -> None:
    """Every process tells the whole story, and the same one."""
    for server in servers:
        player.addresses = [server.url]
        assert await told_anew(player) == player.told


# --- people at different processes ------------------------------------------------------------------------------------


async def test_people_at_different_processes_play_whole_games(two: list[ServerProcess], database: str) -> None:
    tables = [await dealt(urls(two), "collection", ["Ana", "Ben"], seed=n, players=2 + n % 2) for n in range(4)]
    people = [player for table in tables for player in table]
    await asyncio.gather(*(player.play() for player in people))
    for player in people:
        await check_same_everywhere(two, player)
    for table in tables:
        await check_each_move_was_made_once(database, table)
    await all_hang_up(people)
    assert [server.complaints() for server in two] == [[], []]


async def check_each_move_was_made_once(database: str, people: list[Player]) -> None:
    """People moved as often as they were told, and bots by one process each time."""
    moved = Counter(fact.seat for fact in await facts_of(database, people[0].table) if isinstance(fact, f.Moved))
    told = Counter(event["seat"] for event in people[0].events if event["event"] == "moved")
    assert moved == told
    assert [moved[player.seat] for player in people] == [len(player.made) for player in people]


async def test_what_is_asked_of_both_processes_at_the_same_time_is_settled_by_the_log(two: list[ServerProcess]) -> None:
    tables = [await dealt(urls(two), "collection", ["Ana", "Ben"], seed=n, start=False, players=2) for n in range(6)]
    people = [player for table in tables for player in table]
    await asyncio.gather(*(player.come_back() for player in people))
    said = [player.ask("chat", text=f"{player.name} {n}") for n in range(5) for player in people]
    assert all(answer.done for answer in await asyncio.gather(*said))
    for ana, ben in tables:
        await until_told([ana, ben], "said", times=10)
        assert sorted(words(ana)) == sorted(f"{name} {n}" for name in ("Ana", "Ben") for n in range(5))
        assert [*map(neutral, ana.events)] == [*map(neutral, ben.events)]
    await all_hang_up(people)


def words(player: Player) -> list[str]:
    return [event["text"] for event in player.events if event["event"] == "said"]


def neutral(event: dict[str, Any]) -> dict[str, Any]:
    """What is the same for all who are told of it."""
    return {key: event.get(key) for key in ("n", "at", "event", "seat", "text")}


async def test_one_who_starts_and_takes_back_at_both_processes_at_once_does_it_once(two: list[ServerProcess]) -> None:
    ana, ben = await dealt(urls(two), "collection", ["Ana", "Ben"], start=False, players=2)
    other_ana = Player("Ana", ana.token, ana.table, urls(two)[::-1])
    everyone = [ana, ben, other_ana]
    await asyncio.gather(*(player.come_back() for player in everyone))
    await both(ana, other_ana, "start")
    await until_told(everyone, "started")
    first = ana if ana.legal else ben
    other = Player(first.name, first.token, first.table, first.addresses[::-1])
    await other.come_back()
    await first.make(first.some_move())
    await until_told([other], "moved")
    await both(first, other, "undo")
    await until_told([*everyone, other], "undone")
    assert times_told(ben, "started") == times_told(ben, "undone") == 1
    assert ana.told == other_ana.told
    assert first.told == other.told
    await all_hang_up([*everyone, other])


async def until_told(people: list[Player], event: str, times: int = 1) -> None:
    for player in people:
        await player.until(lambda: times_told(player, event) >= times)  # noqa: B023 - it is called right here


def times_told(player: Player, event: str) -> int:
    return sum(told["event"] == event for told in player.events)


async def both(one: Player, other: Player, do: str) -> None:
    """Asked for at both processes at once, it is done by one of them, and the other says why not."""
    answers = await asyncio.gather(one.ask(do), other.ask(do))
    assert sorted(answer.type for answer in answers) == ["news", "refused"], answers


# --- what goes wrong --------------------------------------------------------------------------------------------------


async def test_when_a_process_is_killed_its_people_go_on_at_the_other(two: list[ServerProcess]) -> None:
    tables = [await dealt(urls(two), "collection", ["Ana", "Ben"], seed=n, players=2 + n % 2) for n in range(6)]
    people = [player for table in tables for player in table]
    sent = 0

    def moment() -> None:
        nonlocal sent
        sent += 1
        if sent == 400:
            two[1].kill()

    for player in people:
        player.moment = moment
    await asyncio.gather(*(player.play() for player in people))
    assert not two[1].is_running
    for player in people:
        await check_same_everywhere(two[:1], player)
    await all_hang_up(people)


async def test_a_process_that_has_heard_nothing_for_a_while_catches_up(
    two: list[ServerProcess], postgres: Postgres, database: str
) -> None:
    ana, ben = await dealt(urls(two), "collection", ["Ana", "Ben"], players=2)
    await asyncio.gather(ana.come_back(), ben.come_back())
    with cut(postgres, database, EARS):
        assert (await ana.ask("chat", text="Can you hear me?")).done
        assert (await ben.ask("chat", text="Yes, now that I speak myself.")).done
        assert words(ben) == ["Can you hear me?", "Yes, now that I speak myself."]
        assert (await ben.ask("chat", text="And you?")).done
    await ana.until(lambda: len(words(ana)) == 3)  # though Ana has asked for nothing since
    assert words(ana) == words(ben)
    await all_hang_up([ana, ben])


# --- two processes in one, to have things happen in a given order ----------------------------------------------------


@pytest.fixture
async def process(database: str) -> AsyncIterator[NewProcess]:
    async with AsyncExitStack() as stack:
        yield lambda **how: stack.enter_async_context(running_rooms(database, **how))


async def test_one_who_knows_more_than_a_process_is_told_what_follows(process: NewProcess) -> None:
    here, there = await process(), await process(deaf=True)
    room = await table_of(here, "Ana", "Ben")
    behind = await there.find(room.id)
    await here.do(room, c.Chat("Hello"), "Ana")
    known = room.table.event_counts[1]
    ear = Ear("Ben")
    await there.join(behind, ear.session, known, "1-" + str(room.table.seats[1].sat))
    assert ear.heard[0]["n"] == known
    assert ear.events == []
    await there.do(behind, c.Chat("Hello yourself"), "Ben")
    assert [event["n"] for event in ear.events] == [known + 1]


async def test_nobody_is_refused_because_a_process_has_not_heard_the_latest(process: NewProcess) -> None:
    here, there = await process(), await process(deaf=True)
    room = await table_of(here, "Ana")
    behind = await there.find(room.id)
    await here.do(room, c.Sit("Ben"), "Ben")
    await there.do(behind, c.Chat("I have just sat down"), "Ben")
    with pytest.raises(Refused, match="sit"):
        await there.do(behind, c.Chat("I have not"), "Cleo")


async def test_what_is_written_while_a_table_is_being_read_is_not_missed(
    process: NewProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = await process(), await process()
    room = await table_of(here, "Ana", "Ben")

    stored = there.storage.stored

    async def meanwhile(keys: Iterable[str], version: str = "") -> dict[str, StoredTable | Damaged]:
        found = await stored(keys, version)
        await here.do(room, c.Chat("While you were reading"), "Ana")
        return found

    monkeypatch.setattr(there.storage, "stored", meanwhile)
    found = await there.find(room.id)
    async with asyncio.timeout(PATIENCE):
        while found.number < room.number:
            await asyncio.sleep(0.01)


async def test_nobody_is_declared_away_who_is_at_another_process(
    process: NewProcess, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "ANSWERS_WITHIN", 1.0)
    here, there = await process(), await process()
    room = await table_of(here, "Ana", "Ben", "Cleo")
    ears = {who: Ear(who) for who in ("Ana", "Ben", "Cleo")}
    for ear in ears.values():
        await here.join(room, ear.session, None, "")
    await here.do(room, c.Start(), "Ana")
    await there.join(await there.find(room.id), Ear("Ben").session, None, "")
    here.part(room, ears["Ben"].session)
    here.part(room, ears["Cleo"].session)
    async with asyncio.timeout(PATIENCE):
        while not room.table.seats[2].away:
            await asyncio.sleep(0.02)
    went = [fact.seat for fact in await facts_of(database, room.id) if isinstance(fact, f.Went)]
    assert went == [2]
    assert not room.leaving.get(0)
