"""Whatever was acknowledged stays, and everyone is told everything once: through `kill -9`, and from snapshots."""

import asyncio
import random
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import httpx
import msgspec
import pytest

import brocante
from brocante.engine.records import same_json
from brocante.server import rooms, snapshots
from brocante.server.http_errors import HttpRefused
from brocante.server.storage import Entry, StorageError
from brocante.table import commands as c
from brocante.table import facts as f
from brocante.table import snapshot
from brocante.table.fair import verify
from tests.server.log import entries, facts_of
from tests.server.players import PATIENCE, Player, dealt, told_anew
from tests.server.postgres import Postgres
from tests.server.processes import ServerProcess, processes
from tests.server.rooms import Ear, running_rooms, table_of
from tests.server.serving import served
from tests.server.trouble import cut_some

TABLES, KILLS = 6, 4
#: Messages sent and heard between one kill and the next, about.
A_WHILE = 250


class Accidents:
    """Kills a server at random moments: just after something was sent to it, or heard from it."""

    def __init__(self, server: ServerProcess, people: list[Player], kills: int, seed: int) -> None:
        self._server = server
        self._rng = random.Random(seed)
        self.left = kills
        self._killed = asyncio.Event()
        self._next()
        for player in people:
            player.moment = self._moment

    def _next(self) -> None:
        self._until = self._rng.randrange(A_WHILE // 2, A_WHILE * 3 // 2)

    def _moment(self) -> None:
        self._until -= 1
        if self._until == 0 and self.left:
            self._server.kill()
            self._killed.set()

    async def happen(self) -> None:
        while self.left:
            await self._killed.wait()
            self._killed.clear()
            await self._server.start()
            self.left -= 1
            self._next()


async def record_of(url: str, table: str, folder: Path) -> Path:
    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        answer = await client.get(f"{url}/api/tables/{table}/record")
    assert answer.is_success, answer.text
    path = folder / f"{table}.jsonl"
    path.write_bytes(answer.content)
    return path


def moves(path: Path, seat: int) -> list[dict[str, Any]]:
    """What a seat did according to a record."""
    lines = [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]
    return [line for line in lines[1:] if line.get("seat") == seat]


def decisions(log: list[Entry], seat: int) -> Iterator[dict[str, Any]]:
    """What a player decided according to the log."""
    for fact in (fact for entry in log for fact in f.decode(entry.body)):
        if isinstance(fact, f.Moved | f.Decided) and fact.seat == seat and fact.by == "player":
            yield {"seat": seat, **fact.move}


async def check_nothing_was_lost(url: str, database: str, people: list[Player], folder: Path) -> None:
    """At one table."""
    log = await entries(database, people[0].table)
    assert [entry.number for entry in log] == list(range(1, len(log) + 1))
    record = await record_of(url, people[0].table, folder)
    verify(record)
    for player in people:
        made = decisions(log, player.seat)
        for move in player.made:
            assert any(same_json(move, written) for written in made), f"{move} was acknowledged, and is not in the log"
        if brocante.read(record).game.box.slug == "collection":  # where nothing is decided that is not done
            assert same_json(player.made, moves(record, player.seat))
        assert [event["n"] for event in player.events] == list(range(1, len(player.told) + 1))
        assert await told_anew(player) == player.told


async def test_a_server_that_is_killed_again_and_again_loses_nothing(database_url: str, tmp_path: Path) -> None:
    with processes(database_url, tmp_path) as [server]:
        await server.start()
        tables = [await dealt([server.url], "vinto", ["Ana", "Ben"], players=4, rounds=1)]
        for n in range(1, TABLES):
            tables.append(await dealt([server.url], "collection", ["Ana", "Ben"], seed=n, players=2 + (n % 4 == 0)))
        people = [player for table in tables for player in table]
        accidents = Accidents(server, people, KILLS, seed=7)
        happening = asyncio.create_task(accidents.happen())
        await asyncio.gather(*(player.play() for player in people))
        assert accidents.left == 0, "the games were over before the last kill"
        await happening
        assert sum(player.in_doubt for player in people) > 0
        for table in tables:
            await check_nothing_was_lost(server.url, database_url, table, tmp_path)
        for player in people:
            await player.hang_up()
        assert server.complaints() == []


async def test_a_server_that_loses_its_database_again_and_again_loses_nothing_else(
    postgres: Postgres, tmp_path: Path
) -> None:
    database, rng, heard = postgres.new_database(), random.Random(3), count(1)
    with processes(database, tmp_path) as [server]:
        await server.start()
        tables = [await dealt([server.url], "collection", ["Ana", "Ben"], seed=n, players=2 + n % 2) for n in range(5)]
        people = [player for table in tables for player in table]
        for player in people:
            player.moment = lambda: cut_some(postgres, database, rng) if next(heard) % 150 == 0 else None
        await asyncio.gather(*(player.play() for player in people))
        assert sum(player.in_doubt for player in people) > 0
        for table in tables:
            await check_nothing_was_lost(server.url, database, table, tmp_path)
        await asyncio.gather(*(player.hang_up() for player in people))


# --- snapshots --------------------------------------------------------------------------------------------------------


async def test_a_table_that_is_rebuilt_from_a_snapshot_goes_on_as_if_nothing_had_been(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "SNAPSHOT_EVERY", 25)
    restored = Mock(wraps=snapshot.restore)
    monkeypatch.setattr(rooms, "restore", restored)
    with served(tmp_path, database=database_url) as url:
        people = await dealt([url], "collection", ["Ana", "Ben"], players=3)
        ana, ben = people
        await asyncio.gather(*(player.play(events=80) for player in people))
    assert restored.call_count == 0
    with served(tmp_path, database=database_url) as url:
        ana.addresses = ben.addresses = [url]
        await asyncio.gather(*(player.play(events=110) for player in people))
        assert restored.call_count == 1
        late = Player("Ben", ben.token, ben.table, [url])  # who has not been here since long before the snapshot
        late.stream, late.told = ben.stream, ben.told[:10]
        await late.come_back()
        await ben.until(lambda: len(ben.told) >= len(late.told))
        assert late.told == ben.told[: len(late.told)]
        await late.hang_up()
        await asyncio.gather(*(player.play() for player in people))
        await check_nothing_was_lost(url, database_url, people, tmp_path)
    await asyncio.gather(*(player.hang_up() for player in people))


# --- when it is not known whether something was written ---------------------------------------------------------------


async def test_a_table_of_which_it_is_not_known_what_was_written_is_read_anew(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running_rooms(database_url) as here:
        room = await table_of(here, "Ana", "Ben")
        ear = Ear("Ana")
        await here.join(room, ear.session, None, "")
        append = here.storage.append

        async def written_and_lost(*entry: Any) -> bool:
            monkeypatch.undo()
            await append(*entry)
            raise StorageError

        monkeypatch.setattr(here.storage, "append", written_and_lost)
        asked = here.do(room, c.Chat("Was this heard?"), "Ana"), here.do(room, c.Chat("And this?"), "Ben")
        first, second = await asyncio.gather(*asked, return_exceptions=True)
        assert isinstance(first, StorageError)
        assert isinstance(second, HttpRefused)
        assert ear.heard[-1]["type"] == "bye"
        again = await here.find(room.id)
        await here.do(again, c.Chat("It was."), "Ben")
        said = [fact.text for fact in await facts_of(database_url, room.id) if isinstance(fact, f.Said)]
        assert said == ["Was this heard?", "It was."]


async def test_a_player_who_does_not_come_back_after_a_restart_is_missed(database_url: str) -> None:
    async with running_rooms(database_url) as before:
        room = await table_of(before, "Ana", "Ben")
        await before.do(room, c.Start(), "Ana")
    async with running_rooms(database_url) as after:
        again = await after.find(room.id)
        ear = Ear("Ana")
        await after.join(again, ear.session, None, "")
        async with asyncio.timeout(PATIENCE):
            while not again.table.seats[1].away:
                await asyncio.sleep(0.02)
        assert not again.table.seats[0].away
