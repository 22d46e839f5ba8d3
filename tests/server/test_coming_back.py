"""Tables that come back from the log: quickly, exactly as they were, and in an order that keeps few people waiting."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random
from unittest.mock import Mock

import msgspec
import pytest

from brocante.server import rooms as rooms_module
from brocante.server import snapshots
from brocante.server.loading import Loading
from brocante.server.room import Room
from brocante.server.rooms import Rooms
from brocante.server.storage import Listing, StoredTable
from brocante.table import LiveTable
from brocante.table import commands as c
from brocante.table.snapshot import restore, take_snapshot
from tests.server.rooms import Ear, running_rooms, table_of

PEOPLE = "Ana", "Ben"


async def played(rooms: Rooms, moves: int) -> Room:
    """A table at which so many moves were made."""
    room = await table_of(rooms, *PEOPLE)
    await rooms.do(room, c.Start(), PEOPLE[0])
    for _ in range(moves):
        await play_any(rooms, room)
    return room


async def play_any(rooms: Rooms, room: Room) -> None:
    game = room.table.game
    assert game
    move = Random(len(game.steps)).choice(game.legal_moves)
    await rooms.do(room, c.PlayMove(str(move)), PEOPLE[move.seat])


async def all_kept(rooms: Rooms) -> None:
    """Wait until every snapshot that is due is in the database."""
    await asyncio.gather(*rooms.background.tasks)


@pytest.fixture
def restored(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """Called whenever a table comes back from a snapshot."""
    watched = Mock(wraps=restore)
    monkeypatch.setattr(rooms_module, "restore", watched)
    return watched


async def test_a_killed_server_has_left_snapshots_of_the_last_moves(database_url: str, restored: Mock) -> None:
    """As after `kill -9`, nothing is done in the end: the other process finds what is in the database."""
    async with running_rooms(database_url) as here, running_rooms(database_url) as there:
        room = await played(here, snapshots.SNAPSHOT_EVERY)
        await all_kept(here)
        for _ in range(3):
            await play_any(here, room)
        back = await there.find(room.id)
        assert restored.call_count == 1
        assert back.number - back.kept < snapshots.SNAPSHOT_EVERY
        assert back.number == room.number
        assert take_snapshot(back.table) == take_snapshot((await there._whole(room.id)).table), (
            "as if it had been rebuilt from its beginning"
        )


async def test_a_server_that_stops_in_order_leaves_snapshots_of_everything(database_url: str, restored: Mock) -> None:
    async with running_rooms(database_url) as here:
        room = await played(here, 2)
        await here.keep_snapshots()
    async with running_rooms(database_url) as there:
        back = await there.find(room.id)
        assert restored.call_count == 1
        assert back.kept == back.number == room.number
        await play_any(there, back)


async def test_there_is_no_time_without_end_for_the_last_snapshots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms_module, "LAST_SNAPSHOTS", 0.0)
    async with running_rooms(str(tmp_path / "tables.db")) as rooms:
        room = await played(rooms, 2)
        await rooms.keep_snapshots()
        assert room.kept == 0


async def test_snapshots_that_cannot_be_written_are_tried_again(tmp_path: Path) -> None:
    async with running_rooms(str(tmp_path / "tables.db")) as rooms:
        keep, rooms.storage.keep_snapshots = rooms.storage.keep_snapshots, Mock(side_effect=OSError)  # type: ignore[method-assign]
        room = await played(rooms, snapshots.SNAPSHOT_EVERY)
        await asyncio.gather(*rooms.background.tasks, return_exceptions=True)
        assert room.kept == 0
        rooms.storage.keep_snapshots = keep  # type: ignore[method-assign]
        await play_any(rooms, room)
        await all_kept(rooms)
        assert room.kept == room.number


async def test_whoever_is_to_move_does_not_wait_for_the_others(tmp_path: Path) -> None:
    database = str(tmp_path / "tables.db")
    async with running_rooms(database) as here:
        tables = [(await played(here, moves)) for moves in range(8)]
        asked = {room.id: PEOPLE[room.table.deciding[0]] for room in tables}
    assert {*asked.values()} == {*PEOPLE}, "or nothing is tried"
    async with running_rooms(database) as there:
        await asyncio.gather(*(there.find(key, "Ana") for key in asked))
        order = [asked[room.id] for room in there]
        assert order == sorted(order), "first the tables where Ana is to move, then those where Ben is"
    async with running_rooms(database) as there:
        await asyncio.gather(*(there.find(key) for key in asked))
        assert [room.id for room in there] == [*asked], "strangers come in as they have come"


async def test_moves_are_made_between_tables_that_come_back(tmp_path: Path) -> None:
    database = str(tmp_path / "tables.db")
    async with running_rooms(database) as here:
        keys = [(await played(here, 1)).id for _ in range(10)]
    async with running_rooms(database) as there:
        rounds, built_in = 0, []
        build = there._build

        async def noted(key: str, stored: StoredTable) -> Room:
            built_in.append(rounds)
            return await build(key, stored)

        there._loading._build = noted
        coming = asyncio.gather(*(there.find(key) for key in keys))
        while not coming.done():
            rounds += 1
            await asyncio.sleep(0)
        assert len({*built_in}) == len(keys), "others get their turn after every table"


async def test_what_another_process_writes_while_a_table_is_read_is_not_missed() -> None:
    read, room, told = asyncio.Event(), Room("t", LiveTable(), 1, b""), []

    async def reading(keys: Sequence[str]) -> dict[str, StoredTable]:
        await read.wait()
        listing = Listing("t", "collection", "open", False, "", 0.0, 0.0, b'{"options": {}, "seats": []}')
        return {"t": StoredTable(listing, None, [])}

    async def building(key: str, stored: StoredTable) -> Room:
        return room

    async def waking(_: Room, has_changed: bool) -> None:
        told.append(has_changed)

    loading = Loading(reading, building, waking)
    changed: list[list[str | None]] = [[], ["t"], ["another"], [None]]
    for changes in changed:
        coming = asyncio.ensure_future(loading.find("t", ""))
        await asyncio.sleep(0)
        for key in changes:
            loading.changed(key)
        read.set()
        assert await coming is room
    assert told == [False, True, False, True]


async def test_a_table_that_cannot_be_read_is_asked_for_again(tmp_path: Path) -> None:
    database = str(tmp_path / "tables.db")
    async with running_rooms(database) as here:
        key = (await played(here, 1)).id
    async with running_rooms(database) as there:
        build, there._loading._build = there._loading._build, Mock(side_effect=ZeroDivisionError)
        with pytest.raises(ZeroDivisionError):
            await there.find(key)
        there._loading._build = build
        ear = Ear("Ana")
        await there.join(await there.find(key), ear.session, None, "")
        assert ear.heard[0]["type"] == "welcome"


async def test_clients_are_told_to_come_back_one_after_another_and_first_who_is_to_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms_module, "BACK_IN_A_SECOND", 1)
    async with running_rooms(str(tmp_path / "tables.db")) as rooms:
        rooms.config = msgspec.structs.replace(rooms.config, grace=1000.0)
        retries: dict[bool, set[float]] = {True: set(), False: set()}
        ears = []
        for moves in range(4):
            room = await played(rooms, moves)
            for who in PEOPLE:
                ears.append((room, Ear(who)))
                await rooms.join(room, ears[-1][1].session, None, "")
        rooms.close(2.0)
        await rooms.finish()
        for room, ear in ears:
            assert ear.heard[-1]["type"] == "bye"
            retries[room.table.seat_of(ear.session.who) in room.table.deciding].add(ear.heard[-1]["retry"])
    assert len(retries[True] | retries[False]) > 6, "not all at once"
    assert max(retries[True]) <= 2.0 + 8 * rooms_module.SOONER
    assert min(retries[False]) >= 2.0
    assert max(retries[False]) <= 10.0
