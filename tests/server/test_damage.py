"""What was acknowledged and is not there any more is missed, and said: whatever byte of a database changes, there is
never a table at which moves are gone and all is well."""

import asyncio
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from brocante.engine.errors import UsageError
from brocante.server.storage import Entry, Storage
from tests.server.asking import House, check_refused, house
from tests.server.processes import processes

TRIALS = 10
TABLES, CHATS = 8, 12


class Left:
    """What a server has left behind that was killed, and what it had acknowledged."""

    def __init__(self, folder: Path, logs: dict[str, list[Entry]]) -> None:
        self.folder = folder
        self.logs = logs

    def copy(self, to: Path) -> Path:
        return Path(shutil.copytree(self.folder, to))


async def talked(url: str, client: httpx.AsyncClient) -> str:
    """A table at which two people play and talk; its id."""
    people = [(await client.post(f"{url}/api/guests", json={"name": n, "token": True})).json() for n in ("Ana", "Ben")]
    ana, ben = ({"authorization": f"Bearer {person['token']}"} for person in people)
    new = {"game": "collection", "options": {"players": 2}}
    table = (await client.post(f"{url}/api/tables", json=new, headers=ana)).json()["id"]
    path = f"{url}/api/tables/{table}"
    for who, what, body in [
        (ana, "join", {}),
        (ben, "join", {}),
        (ana, "do", {"do": "start"}),
    ]:
        (await client.post(f"{path}/{what}", json=body, headers=who)).raise_for_status()
    for number in range(CHATS):
        what = "resume" if number % 2 else "pause"
        (await client.post(f"{path}/do", json={"do": what}, headers=ana)).raise_for_status()
    return str(table)


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Left:
    return asyncio.run(killed(tmp_path_factory))


async def killed(tmp_path_factory: pytest.TempPathFactory) -> Left:
    folder = tmp_path_factory.mktemp("left")
    with processes(str(folder / "tables.db"), folder) as [server]:
        await server.start()
        async with httpx.AsyncClient(timeout=60) as client:
            tables = [await talked(server.url, client) for _ in range(TABLES)]
            with closing(sqlite3.connect(folder / "tables.db")) as connection:  # half of it comes into the file
                connection.execute("PRAGMA wal_checkpoint")
            tables += [await talked(server.url, client) for _ in range(TABLES)]
        server.kill()
    whole = Left(folder, {})
    storage = await Storage.open(whole.copy(tmp_path_factory.mktemp("read") / "whole") / "tables.db")
    logs = {table: await storage.entries(table) for table in tables}
    await storage.close()
    return Left(folder, logs)


def flip(file: Path, rng: random.Random) -> str:
    """Change a byte of a file."""
    data = bytearray(file.read_bytes())
    at = rng.randrange(len(data))
    data[at] ^= rng.randrange(1, 256)
    file.write_bytes(data)
    return f"byte {at} of {file.name}"


async def check_all_is_there_or_missed(left: Left, folder: Path, what: str) -> str:
    try:
        async with house(folder, keep_open=1e5, keep_playing=1e5, keep_over=1e5) as found:
            missed = [table for table in left.logs if await is_missed(found, left, table)]
            health = await found.ask("GET", "/healthz")
            if missed:
                assert health.status_code == 503, (what, health.text)
            return "said" if missed else "well" if health.status_code == 200 else "said, though all is there"
    except UsageError:  # in words
        return "refused to start"


async def is_missed(found: House, left: Left, table: str) -> bool:
    answer = await found.ask("GET", f"/api/tables/{table}")
    if answer.status_code == 200:
        there = await found.server.storage.entries(table)
        acknowledged = left.logs[table]
        assert there[: len(acknowledged)] == acknowledged
        return False
    check_refused(answer, 409, "damaged")
    return True


@pytest.mark.parametrize("file", ["tables.db", "tables.db-wal"])
async def test_whatever_byte_is_changed_nothing_is_gone_and_all_is_well(left: Left, file: str, tmp_path: Path) -> None:
    rng, outcomes = random.Random(5), []
    for trial in range(TRIALS):
        folder = left.copy(tmp_path / str(trial))
        what = flip(folder / file, rng)
        outcomes.append(await check_all_is_there_or_missed(left, folder, what))
