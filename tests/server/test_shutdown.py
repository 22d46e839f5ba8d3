"""A server that is told to stop takes leave of everyone; one whose database is away says so, and goes on afterwards."""

import asyncio
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from websockets.exceptions import InvalidStatus

from tests.server.players import Gone, Player, dealt, told_anew
from tests.server.postgres import Postgres
from tests.server.processes import ServerProcess, is_well, processes
from tests.server.trouble import connections, cut

#: Seconds in which a server that is told to stop has stopped.
SOON = 5.0


def after(messages: int, happens: Callable[[], None]) -> Callable[[], None]:
    """Have something happen when so many messages were sent and heard."""
    left = messages

    def moment() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            happens()

    return moment


async def stopped_in_the_middle(people: list[Player], stop: Callable[[], None]) -> None:
    """Have people play at full speed until the server has hung up on all of them."""
    moment = after(40 * len(people), stop)
    for player in people:
        player.moment = moment
    await asyncio.gather(*(until_hung_up_on(player) for player in people))


async def until_hung_up_on(player: Player) -> None:
    await player.come_back()
    try:
        while True:
            await player.until(lambda: player.legal)
            await player.make(player.some_move())
    except Gone:
        player.moment = lambda: None


@pytest.fixture(params=["sqlite", "postgresql", "several"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ServerProcess]:
    """A server on each database, and one of several processes that share a port."""
    if request.param == "sqlite":
        database, workers = f"sqlite:///{tmp_path}/games.db", 1
    else:
        database = request.getfixturevalue("postgres").new_database()
        workers = 2 if request.param == "several" else 1
    with processes(database, tmp_path, workers=workers) as [server]:
        yield server


async def test_whoever_plays_when_the_server_is_stopped_is_told_to_come_back(server: ServerProcess) -> None:
    await server.start()
    tables = [await dealt([server.url], "collection", ["Ana", "Ben"], seed=n, players=2 + n % 2) for n in range(6)]
    people = [player for table in tables for player in table]
    await stopped_in_the_middle(people, server.ask_to_stop)
    assert await server.ended(within=SOON) == 0
    for player in people:
        assert [(bye.reason, bye.retry > 0) for bye in player.byes] == [("restart", True)]
        assert player.close_code == 1012
    assert "hung up" not in server.log.read_text(), "whoever takes leave in turn is not at fault"
    await server.start()
    await asyncio.gather(*(player.play() for player in people))
    for player in people:
        assert player.found_out == 0, "a move was made, and nobody said so"
        assert await told_anew(player) == player.told
        await player.hang_up()
    assert server.complaints() == []
    assert re.search("INFO stopping signal=SIGTERM(.*\n)*.*INFO stopped", server.log.read_text())


async def test_a_server_that_has_stopped_leaves_nothing_behind(postgres: Postgres, tmp_path: Path) -> None:
    database = postgres.new_database()
    with processes(database, tmp_path) as [server]:
        await server.start()
        (ana,) = await dealt([server.url], "collection", ["Ana"], players=2)
        await ana.come_back()
        assert connections(postgres, database) > 0
        server.ask_to_stop()
        assert await server.ended(within=SOON) == 0
        async with asyncio.timeout(SOON):
            while connections(postgres, database):
                await asyncio.sleep(0.02)
        await ana.hang_up()
        assert server.complaints() == []


async def test_a_server_whose_database_is_away_says_so_and_goes_on_afterwards(
    postgres: Postgres, tmp_path: Path
) -> None:
    database = postgres.new_database()
    with processes(database, tmp_path) as [server]:
        await server.start()
        people = await dealt([server.url], "collection", ["Ana", "Ben"], players=2)
        await asyncio.gather(*(player.play(events=40) for player in people))
        with cut(postgres, database):
            assert (await people[0].ask("chat", text="Is anybody there?")).code == "storage"
            await check_it_says_so(server, people[1])
            assert "problem=" in server.log.read_text()
            assert "Traceback" not in server.log.read_text()
        await asyncio.gather(*(player.play() for player in people))
        for player in people:
            assert await told_anew(player) == player.told
            await player.hang_up()
        assert server.is_running


async def check_it_says_so(server: ServerProcess, player: Player) -> None:
    """To whoever asks, and to whoever would come back."""
    async with httpx.AsyncClient() as client:
        for path in ("/healthz", f"/api/tables/{player.table}", "/api/tables"):
            answer = await client.get(server.url + path)
            assert (answer.status_code, answer.json()["code"]) == (503, "storage")
    with pytest.raises(InvalidStatus) as refused:
        await player.connect()
    assert refused.value.response.status_code == 503
    assert b'"storage"' in refused.value.response.body


async def test_no_process_outlives_the_one_that_started_it(postgres: Postgres, tmp_path: Path) -> None:
    with processes(postgres.new_database(), tmp_path, workers=2) as [server]:
        await server.start()
        server.kill()
        async with asyncio.timeout(60), httpx.AsyncClient() as client:
            while await is_well(client, server.url):
                await asyncio.sleep(0.05)


@pytest.mark.parametrize("workers", [1, 2])
async def test_a_server_that_cannot_start_says_why_in_a_sentence_and_that_it_has_failed(
    postgres: Postgres, tmp_path: Path, workers: int
) -> None:
    """The database is there when it looks, and then allows no further connection."""
    role = f"narrow{workers}"
    database = postgres.new_database()
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN CONNECTION LIMIT 1".encode())
        connection.execute(f"ALTER DATABASE {conninfo_to_dict(database)['dbname']} OWNER TO {role}".encode())
    with processes(database.replace("brocante@", f"{role}@"), tmp_path, workers=workers) as [server]:
        with pytest.raises(AssertionError, match="has ended"):
            await server.start()
        assert await server.ended(within=SOON) == 3
        said = server.log.read_text()
        assert re.search("cannot start: .*too many connections", said)
        assert "Traceback" not in said
