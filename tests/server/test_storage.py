"""What was acknowledged is kept, in order and once, on SQLite and on PostgreSQL alike."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from msgspec.structs import astuple

from brocante.engine.errors import UsageError
from brocante.engine.text import LANGUAGES
from brocante.server.operator import Operator
from brocante.server.storage import (
    Damaged,
    Entry,
    Listing,
    Snapshot,
    Stamp,
    Storage,
    StorageError,
    checkpointer,
    database_at,
    sqlite,
)
from brocante.server.storage.chain import beginning, checked, link
from brocante.server.storage.postgres import LONGEST_NOTE, notes
from brocante.server.storage.sqlite import beside
from tests.server.log import snapshot_of
from tests.server.postgres import Postgres

Opened = Callable[[str], Awaitable[Storage]]
#: Seconds for a thread to do its work.
PATIENCE = 30.0


@pytest.fixture
async def opened() -> AsyncIterator[Opened]:
    """Opens databases, and closes them when the test ends."""
    async with AsyncExitStack() as stack:

        async def opened(url: str) -> Storage:
            storage = await Storage.open(url)
            stack.push_async_callback(storage.close)
            return storage

        yield opened


@pytest.fixture
async def storage(database_url: str, opened: Opened) -> Storage:
    return await opened(database_url)


def listing(
    table: str, phase: str = "open", *, private: bool = False, opened: float = 0, touched: float = 0
) -> Listing:
    return Listing(table, "vinto", phase, private, "ana", opened, touched, b'{"seats": 4}', touched)


def by_hand(url: str) -> Any:
    """A connection of one's own to the same database."""
    path = url.removeprefix("sqlite:///")
    return sqlite3.connect(path, isolation_level=None) if path != url else psycopg.connect(url, autocommit=True)


def do_by_hand(url: str, statement: str) -> None:
    connection = by_hand(url)
    connection.execute(statement)
    connection.close()


@contextmanager
def nobody_can_write(url: str) -> Iterator[None]:
    connection = by_hand(url)
    on_sqlite = isinstance(connection, sqlite3.Connection)
    connection.execute("BEGIN IMMEDIATE" if on_sqlite else "BEGIN; LOCK TABLE entry IN SHARE ROW EXCLUSIVE MODE")
    yield
    connection.execute("ROLLBACK")
    connection.close()


def chained(table: str, *entries: tuple[int, float, bytes]) -> list[Entry]:
    """The log of a table at which this happened."""
    rows = ((number, at, body, None, at) for number, at, body in entries)
    return checked(table, rows, 0, beginning(table))


async def begun_to_write(storage: Storage, number: int = 1) -> asyncio.Task[bool]:
    """An append that the writer has taken up, and is not done with."""
    task = asyncio.create_task(storage.append("first", number, 0, b"{}"))
    await asyncio.sleep(0)
    while not storage._writer.queue.empty():
        await asyncio.sleep(0.001)
    return task


async def test_what_was_appended_is_read_back_in_order(storage: Storage) -> None:
    written = chained("t", *((n, 1000 + n / 7, b'{"n": %d}' % n) for n in range(1, 21)))
    for entry in written:
        assert await storage.append("t", entry.number, entry.at, entry.body, link=entry.hash)
    assert await storage.entries("t") == written
    assert await storage.entries("t", 15, written[14].hash) == written[15:]
    assert await storage.entries("t", 20, written[19].hash) == []
    assert await storage.entries("another") == []


async def test_it_is_there_when_the_database_is_opened_again(database_url: str, opened: Opened) -> None:
    first = await opened(database_url)
    await first.append("t", 1, 0, b"{}", listing("t"))
    await first.close()
    again = await opened(database_url)
    assert await again.entries("t") == chained("t", (1, 0, b"{}"))
    assert await again.listing("t") == listing("t")


async def test_bodies_are_kept_to_the_byte(storage: Storage) -> None:
    bodies = [bytes(range(256)), b"", "é☃𝄞".encode(), b"\\x00'\"%s{}$1?", b"x" * 1_000_000]
    for number, body in enumerate(bodies, 1):
        assert await storage.append("t", number, 0, body)
    assert [entry.body for entry in await storage.entries("t")] == bodies


@pytest.mark.parametrize("table", ["'; DROP TABLE entry; --", "é☃𝄞", "%s {} $1 ? <rows>", "a\nb\\", "", "x" * 500])
async def test_the_name_of_a_table_is_just_data(storage: Storage, table: str) -> None:
    assert await storage.append(table, 1, 0, b"{}", listing(table))
    assert await storage.entries(table) == chained(table, (1, 0, b"{}"))
    assert await storage.listings() == [listing(table)]


async def test_only_the_next_number_of_a_table_is_taken(storage: Storage) -> None:
    """Not one that is there already, and none that would leave a gap."""
    assert not await storage.append("t", 2, 0, b"early", listing("t", touched=9))
    assert await storage.append("t", 1, 0, b"first", listing("t", touched=1))
    assert not await storage.append("t", 1, 0, b"again", listing("t", touched=2))
    assert not await storage.append("t", 3, 0, b"a gap", listing("t", touched=3))
    assert await storage.entries("t") == chained("t", (1, 0, b"first"))
    assert await storage.listing("t") == listing("t", touched=1), "what was not appended is not listed either"


async def test_of_two_who_append_the_same_number_exactly_one_is_told_that_it_is_there(
    database_url: str, opened: Opened
) -> None:
    both = await opened(database_url), await opened(database_url)
    tables = [f"t{n}" for n in range(20)]
    won: Counter[tuple[str, int]] = Counter()

    async def play(who: int, table: str) -> None:
        for number in range(1, 6):
            is_there = await both[who].append(
                table, number, who, b"%d" % who, listing(table, opened=who, touched=number)
            )
            won[table, number] += is_there

    # The tables in opposite order, in which two who wait for each other's entries would never end.
    await asyncio.gather(*(play(0, t) for t in tables), *(play(1, t) for t in reversed(tables)))
    assert set(won.values()) == {1}
    for table in tables:
        kept = await both[0].entries(table)
        assert [entry.number for entry in kept] == [1, 2, 3, 4, 5]
        shown = await both[0].listing(table)
        assert shown
        assert (shown.opened, shown.touched) == (kept[-1].at, 5), "the listing is the one of who was faster"


async def test_many_tables_at_once_share_commits(storage: Storage) -> None:
    async def play(table: str) -> None:
        for number in range(1, 11):
            assert await storage.append(table, number, 0, table.encode(), listing(table))

    await asyncio.gather(*(play(f"t{n}") for n in range(100)))
    assert storage.appended == 1000
    assert storage.batches < 200
    for n in range(100):
        assert [(e.number, e.body) for e in await storage.entries(f"t{n}")] == [(k, b"t%d" % n) for k in range(1, 11)]
    assert len(await storage.listings(limit=1000)) == 100


async def test_what_waits_while_the_disk_is_busy_is_written_together(database_url: str, storage: Storage) -> None:
    with nobody_can_write(database_url):
        first = await begun_to_write(storage)
        rest = [asyncio.create_task(storage.append(f"t{n}", 1, 0, b"{}")) for n in range(50)]
        await asyncio.sleep(0)
        assert not first.done()
    assert await asyncio.gather(first, *rest) == [True] * 51
    assert storage.batches == 2


async def test_a_table_may_hand_in_its_next_entry_before_the_last_one_is_written(storage: Storage) -> None:
    numbers = range(1, 11)
    assert all(await asyncio.gather(*(storage.append("t", n, 0, b"{}", listing("t", touched=n)) for n in numbers)))
    assert [entry.number for entry in await storage.entries("t")] == list(numbers)
    assert await storage.listing("t") == listing("t", touched=10)


async def test_reading_does_not_wait_for_writing(database_url: str, storage: Storage) -> None:
    with nobody_can_write(database_url):
        writing = await begun_to_write(storage)
        assert await storage.entries("first") == []
        assert not writing.done()
    assert await writing


async def test_closing_waits_for_what_is_being_written(database_url: str, opened: Opened) -> None:
    storage = await opened(database_url)
    with nobody_can_write(database_url):
        writing = await begun_to_write(storage)
        waiting = asyncio.create_task(storage.append("second", 1, 0, b"{}"))
        await asyncio.sleep(0)
        closing = asyncio.create_task(storage.close())
        await asyncio.sleep(0)
        with pytest.raises(StorageError):
            await storage.append("too late", 1, 0, b"{}")
    await closing
    assert (await writing, await waiting) == (True, True)
    again = await opened(database_url)
    assert [len(await again.entries(table)) for table in ("first", "second", "too late")] == [1, 1, 0]


async def test_somebody_who_stops_waiting_harms_nobody(database_url: str, storage: Storage) -> None:
    with nobody_can_write(database_url):
        writing = await begun_to_write(storage)
        writing.cancel()
        await asyncio.sleep(0)
    assert await storage.append("t", 1, 0, b"{}")
    assert len(await storage.entries("first")) == 1


async def test_what_cannot_be_written_fails_alone(database_url: str, storage: Storage) -> None:
    """A name that is not Unicode; those that are written together with it must not suffer."""
    with nobody_can_write(database_url):
        first = await begun_to_write(storage)
        odd = asyncio.create_task(storage.append("\ud800", 1, 0, b"{}"))
        rest = [asyncio.create_task(storage.append(f"t{n}", 1, 0, b"{}")) for n in range(5)]
        await asyncio.sleep(0)
    assert await asyncio.gather(first, *rest) == [True] * 6
    with pytest.raises(StorageError):
        await odd
    with pytest.raises(StorageError):
        await storage.entries("\ud800")


async def test_the_latest_snapshot_of_a_version_is_kept(storage: Storage) -> None:
    entries = chained("t", *((n, 0, b"{}") for n in range(1, 31)))
    for entry in entries:
        await storage.append("t", entry.number, entry.at, entry.body, link=entry.hash)

    async def keep(number: int, version: str, body: bytes) -> Snapshot:
        snapshot = Snapshot(number, entries[number - 1].hash, body)
        await storage.keep_snapshots(version, [("t", snapshot)])
        return snapshot

    assert await snapshot_of(storage, "t", "1.0") is None
    await keep(10, "1.0", b"ten")
    twenty = await keep(20, "1.0", b"twenty")
    await keep(15, "1.0", b"late")
    five = await keep(5, "1.1", b"five")
    assert await snapshot_of(storage, "t", "1.0") == twenty
    assert await snapshot_of(storage, "t", "1.1") == five
    assert await snapshot_of(storage, "t", "1.2") is None
    await storage.keep_snapshots("1.3", [("t", Snapshot(5, b"of another log", b"five"))])
    assert await snapshot_of(storage, "t", "1.3") is None
    await storage.keep_snapshots("1.4", [("t", Snapshot(31, b"of another log", b"not there"))])
    assert await snapshot_of(storage, "t", "1.4") is None
    kept = await storage._rows("SELECT version FROM snapshot ORDER BY version")
    assert [version for (version,) in kept] == ["1.0", "1.1"], "what the log does not have is not even kept"


async def test_a_log_in_which_anything_was_changed_is_found_damaged(database_url: str, storage: Storage) -> None:
    entries = chained("t", *((n, n, b'{"n": %d}' % n) for n in range(1, 11)))
    for entry in entries:
        assert await storage.append("t", entry.number, entry.at, entry.body, link=entry.hash)
    for change, undo in [
        ("UPDATE entry SET at = 7.5 WHERE number = 7", "UPDATE entry SET at = 7 WHERE number = 7"),
        ("UPDATE entry SET table_time = 7.5 WHERE number = 7", "UPDATE entry SET table_time = 7 WHERE number = 7"),
        ("UPDATE entry SET number = 17 WHERE number = 7", "UPDATE entry SET number = 7 WHERE number = 17"),
        ("UPDATE entry SET table_id = 'u' WHERE number = 7", "UPDATE entry SET table_id = 't'"),
        ("UPDATE entry SET at = number + 1", "UPDATE entry SET at = number"),
    ]:
        do_by_hand(database_url, change)
        with pytest.raises(Damaged) as damage:
            await storage.entries("t")
        assert damage.value.whole == entries[: damage.value.entry - 1]
        assert damage.value.entry == (1 if "number + 1" in change else 7)
        assert len({damage.value.say(code) for code in LANGUAGES}) == len(LANGUAGES)
        do_by_hand(database_url, undo)
        assert await storage.entries("t") == entries
    with pytest.raises(Damaged):
        await storage.entries("t", 5, entries[5].hash)
    assert storage.damaged == {"t"}


@pytest.mark.parametrize(
    ("column", "value"),
    [(column, value) for column in range(5) for value in ("x", b"x", -1, 2**63)]
    + [(column, None) for column in range(3)],
)
def test_a_value_of_any_other_kind_in_an_entry_is_damage(column: int, value: Any) -> None:
    """A changed byte can make anything of it; the tables that are read together with this one are none the worse."""
    first, second = chained("t", (1, 0.0, b"{}"), (2, 0.0, b"{}"))
    rows: list[Any] = [astuple(first), [*astuple(second)]]
    rows[1][column] = value
    with pytest.raises(Damaged) as damage:
        checked("t", rows, 0, beginning("t"))
    assert (damage.value.entry, damage.value.whole) == (2, [first])


async def test_entries_of_an_older_version_have_no_hash_and_the_next_one_vouches_for_them(
    database_url: str, storage: Storage
) -> None:
    for number in (1, 2):
        await storage.append("t", number, 0, b"[]")
    do_by_hand(database_url, "UPDATE entry SET hash = NULL")
    last = (await storage.entries("t"))[-1]
    assert await storage.append("t", 3, 0, b"[]", link=link(last.hash, 3, 0, b"[]"))
    assert await storage.append("t", 4, 0, b"[]"), "a process of the version before may still be there"
    assert len(await storage.entries("t")) == 4
    do_by_hand(database_url, "UPDATE entry SET at = 1 WHERE number = 2")
    with pytest.raises(Damaged) as damage:
        await storage.entries("t")
    assert damage.value.entry == 3


async def test_public_tables_are_listed_the_last_opened_first(storage: Storage) -> None:
    shown = [listing(f"t{n}", "over" if n % 2 else "open", opened=n) for n in range(6)]
    for each in [*shown, listing("hidden", private=True, opened=9)]:
        assert await storage.append(each.table, 1, 0, b"{}", each)
    assert await storage.listings() == shown[::-1]
    assert await storage.listings(phase="open") == [shown[4], shown[2], shown[0]]
    assert await storage.listings(phase="over", limit=1) == [shown[5]]
    assert await storage.listing("hidden") == listing("hidden", private=True, opened=9)
    assert await storage.listing("none") is None


async def test_it_is_known_how_many_tables_somebody_hosts(storage: Storage) -> None:
    for table, phase in [("a", "open"), ("b", "playing"), ("c", "over")]:
        await storage.append(table, 1, 0, b"{}", listing(table, phase, private=table == "b"))
    assert (await storage.of_host("ana"), await storage.of_host("ben")) == (2, 0)


async def test_tables_that_nobody_has_touched_are_swept_away(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brocante.server.storage.SWEPT_AT_ONCE", 2)
    for touched in range(6):
        for phase in ("open", "playing", "over"):
            table = f"{phase} {touched}"
            await storage.append(table, 1, 0, b"{}", listing(table, phase, touched=touched), link=b"link")
            await storage.keep_snapshots("1.0", [(table, Snapshot(1, b"link", b"s"))])
    swept = await storage.sweep(("open", Stamp(5, 5)), ("over", Stamp(1, 1)))
    assert sorted(swept) == ["open 0", "open 1", "open 2", "open 3", "open 4", "over 0"]
    for table in swept:
        assert await storage.entries(table) == []
        assert await snapshot_of(storage, table, "1.0") is None
        assert await storage.listing(table) is None
    for table in ("open 5", "over 1", "playing 0"):
        assert await snapshot_of(storage, table, "1.0") == Snapshot(1, b"link", b"s")
    assert not await storage.append("open 0", 2, 0, b"{}"), "nothing goes on at a table that is gone"


async def test_the_secret_is_made_once(database_url: str, opened: Opened) -> None:
    several = [await opened(database_url) for _ in range(3)]
    said = {*(await asyncio.gather(*(storage.secret() for storage in several)))}
    again = await opened(database_url)
    assert said == {await again.secret()}
    assert len(said.pop()) == 32


async def test_several_processes_may_open_a_new_database_at_once(database_url: str, opened: Opened) -> None:
    several = await asyncio.gather(*(opened(database_url) for _ in range(8)))
    assert sum(await asyncio.gather(*(storage.append("t", 1, 0, b"{}") for storage in several))) == 1


WRITER = """
import asyncio, os, sys
from brocante.server.storage import Storage

async def play(storage, table):
    number = 0
    while True:
        number += 1
        assert await storage.append(table, number, 0.0, b"{}")
        os.write(1, f"{table} {number}\\n".encode())

async def main():
    storage = await Storage.open(sys.argv[1])
    await asyncio.gather(*(play(storage, f"t{n}") for n in range(20)))

asyncio.run(main())
"""


@pytest.mark.parametrize("acknowledged", [1, 500])
async def test_what_was_acknowledged_survives_kill_9(database_url: str, opened: Opened, acknowledged: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, database_url], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    assert process.stdout
    lines = [process.stdout.readline() for _ in range(acknowledged)]
    os.kill(process.pid, signal.SIGKILL)
    lines += process.stdout.readlines()
    process.wait()
    process.stdout.close()
    last = {table: int(number) for table, number in (line.decode().split() for line in lines)}
    assert last
    storage = await opened(database_url)
    for table, number in last.items():
        numbers = [entry.number for entry in await storage.entries(table)]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) >= number
        assert await storage.append(table, len(numbers) + 1, 0, b"{}"), "and the game goes on"


# What the processes on one PostgreSQL tell each other.


class Ear:
    """What was heard, to be waited for."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[tuple[str, int] | None] = asyncio.Queue()

    async def listen(self, storage: Storage) -> "Ear":
        await storage.listen(lambda table, number: self.heard.put_nowait((table, number)), self.missed)
        return self

    def missed(self) -> None:
        self.heard.put_nowait(None)

    async def next(self) -> tuple[str, int] | None:
        return await asyncio.wait_for(self.heard.get(), 30)


async def test_one_hears_what_others_append_and_not_what_one_appends(postgres: Postgres, opened: Opened) -> None:
    url = postgres.new_database()
    ana, ben = await opened(url), await opened(url)
    ear = await Ear().listen(ana)
    assert await ana.append("t", 1, 0, b"{}")
    assert await ben.append("t", 2, 0, b"{}")
    assert not await ben.append("t", 2, 0, b"{}")
    assert await ben.append("é'\n", 1, 0, b"{}")
    assert [await ear.next(), await ear.next()] == [("t", 2), ("é'\n", 1)]


async def test_a_batch_of_any_size_is_heard(postgres: Postgres, opened: Opened) -> None:
    url = postgres.new_database()
    ana, ben = await opened(url), await opened(url)
    ear = await Ear().listen(ana)
    tables = {f"{n:0100}" for n in range(300)}
    await asyncio.gather(*(ben.append(table, 1, 0, b"{}") for table in tables))
    assert {await ear.next() for _ in tables} == {(table, 1) for table in tables}


def test_no_note_is_too_long() -> None:
    appended = [("é" * 50, n) for n in range(1000)]
    several = list(notes("me", appended))
    assert 10 < len(several) < 100
    assert all(len(note.encode()) <= LONGEST_NOTE for note in several)
    assert list(notes("me", [])) == []


async def test_after_a_lost_connection_one_is_told_that_something_may_have_been_missed(
    postgres: Postgres, opened: Opened
) -> None:
    url = postgres.new_database()
    ana, ben = await opened(url), await opened(url)
    ear = await Ear().listen(ana)
    do_by_hand(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
    assert await ear.next() is None
    assert await ben.append("t", 1, 0, b"{}")
    assert await ear.next() == ("t", 1)


async def test_a_note_that_nobody_understands_may_mean_something(postgres: Postgres, opened: Opened) -> None:
    url = postgres.new_database()
    ear = await Ear().listen(await opened(url))
    do_by_hand(url, "NOTIFY brocante, 'hello'")
    assert await ear.next() is None


async def test_a_listener_that_fails_hears_on(postgres: Postgres, opened: Opened) -> None:
    url = postgres.new_database()
    ana, ben = await opened(url), await opened(url)
    failures: asyncio.Queue[Any] = asyncio.Queue()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.put_nowait(context["exception"]))
    await ana.listen(lambda table, number: [][number], lambda: None)
    for number in (1, 2):
        assert await ben.append("t", number, 0, b"{}")
        assert isinstance(await asyncio.wait_for(failures.get(), 30), IndexError)


# What goes wrong.


async def test_a_server_that_drops_all_connections_is_survived(postgres: Postgres, opened: Opened) -> None:
    url = postgres.new_database()
    storage = await opened(url)
    assert await storage.append("t", 1, 0, b"{}")
    assert len(await storage.entries("t")) == 1
    others = "datname = current_database() AND pid <> pg_backend_pid()"
    do_by_hand(url, f"SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE {others}")
    assert len(await storage.entries("t")) == 1, "a question can be asked again"
    with pytest.raises(StorageError):
        await storage.append("t", 2, 0, b"{}")
    assert await storage.append("t", 2, 0, b"{}")


async def test_a_database_that_is_gone_for_a_while_is_survived(
    postgres: Postgres, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brocante.server.storage.postgres.PATIENCE", 0.01)
    url = postgres.new_database()
    name = url.partition("?")[0].rpartition("/")[2]
    storage = await opened(url)
    ear = await Ear().listen(storage)
    do_by_hand(postgres.url(), f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    do_by_hand(
        postgres.url(), f"SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '{name}'"
    )
    for _ in range(3):
        with pytest.raises(StorageError):
            await storage.append("t", 1, 0, b"{}")
        with pytest.raises(StorageError):
            await storage.ping()
    do_by_hand(postgres.url(), f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    assert await storage.append("t", 1, 0, b"{}")
    await storage.ping()
    assert await ear.next() is None


async def test_a_file_that_cannot_be_written_just_now_is_survived(
    tmp_path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.05)
    url = f"sqlite:///{tmp_path}/games.db"
    storage = await opened(url)
    with nobody_can_write(url):
        tried = await asyncio.gather(*(storage.append(f"t{n}", 1, 0, b"{}") for n in range(5)), return_exceptions=True)
    assert all(isinstance(outcome, StorageError) for outcome in tried)
    assert isinstance(tried[0], StorageError)
    assert "locked" in str(tried[0].__cause__)
    assert all(tried[0].say(code) for code in LANGUAGES)
    assert await storage.append("t0", 1, 0, b"{}")


async def test_the_write_ahead_log_of_sqlite_does_not_grow_without_bound(
    tmp_path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "LARGEST_LOG", 100_000)
    storage = await opened(str(tmp_path / "games.db"))
    for number in range(1, 31):
        assert await storage.append("t", number, 0, b"x" * 50_000)
    await storage.secret()  # when this is written, the log has been seen to
    assert (tmp_path / "games.db-wal").stat().st_size < 200_000
    assert (tmp_path / "games.db").stat().st_size > 1_000_000
    assert len(await storage.entries("t")) == 30


async def test_a_backup_that_takes_long_holds_nobody_up(
    tmp_path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It reads what the log has, which cannot be begun anew meanwhile."""
    monkeypatch.setattr(sqlite, "LARGEST_LOG", 100_000)
    monkeypatch.setattr(sqlite, "TRIED_AGAIN", 0.1)
    file = tmp_path / "games.db"
    storage = await opened(str(file))
    await storage.append("t", 1, 0, b"{}")
    with closing(database_at(file).connect_to_read()):
        async with asyncio.timeout(sqlite.BUSY_SECONDS / 2):
            for number in range(2, 12):
                assert await storage.append("t", number, 0, b"x" * 50_000)
        assert beside(file, "wal").stat().st_size > 500_000
    async with asyncio.timeout(PATIENCE):
        while beside(file, "wal").stat().st_size > 100_000:
            await storage.secret()
    assert len(await storage.entries("t")) == 11


async def test_only_servers_begin_the_write_ahead_log_anew(
    tmp_path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = await opened(str(tmp_path / "games.db"))
    await storage.append("t", 1, 0, b"{}")
    monkeypatch.setattr(sqlite, "LARGEST_LOG", 0)
    async with Operator.at(str(tmp_path / "games.db")) as operator:
        await operator.announce("Tea at five.", None)
        size = (tmp_path / "games.db-wal").stat().st_size
    assert size > 0
    assert await storage.append("t", 2, 0, b"{}")


async def test_the_write_ahead_log_is_brought_into_the_file_while_entries_go_on_being_written(
    tmp_path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpointer, "ENOUGH", 5)
    storage = await opened(str(tmp_path / "games.db"))
    number = 0
    async with asyncio.timeout(PATIENCE):
        while not entries_in_file_alone(tmp_path / "games.db"):
            number += 1
            assert await storage.append("t", number, 0, b"{}")
    assert len(await storage.entries("t")) == number


def entries_in_file_alone(file: Path) -> int:
    """How many entries a database has without its log."""
    with closing(sqlite3.connect(f"{file.as_uri()}?immutable=1", uri=True)) as connection:
        try:
            return int(connection.execute("SELECT COUNT(*) FROM entry").fetchone()[0])
        except sqlite3.DatabaseError:  # nothing is in it yet, or it is just being written
            return 0


async def refused(url: str | Path) -> str:
    with pytest.raises(UsageError) as error:
        await Storage.open(url)
    said = [error.value.say(code) for code in LANGUAGES]
    assert len(set(said)) == len(LANGUAGES)
    return said[0]


@pytest.mark.parametrize("url", ["mysql://ana:secret@host/games", "sqlite://games.db", "sqlite:///", "://"])
async def test_a_database_of_another_kind_is_refused(url: str) -> None:
    said = await refused(url)
    assert "postgresql://USER@HOST/NAME" in said
    assert "secret" not in said


async def test_a_wrong_address_is_refused() -> None:
    assert "postgresql://USER:PASSWORD@HOST:PORT/NAME" in await refused("postgresql://host/games?colour=red")


async def test_a_server_that_does_not_answer_is_refused(tmp_path: Path) -> None:
    said = await refused(f"postgresql://ana:secret@/games?host={tmp_path}")
    assert said.startswith(f"The database postgresql://{tmp_path}/games cannot be opened: connection ")
    assert "No such file or directory. Name another one" in said
    assert "secret" not in said


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Buy bread. " * 1000)
    assert "file is not a database" in await refused(tmp_path / "notes.txt")
    assert (tmp_path / "notes.txt").read_text() == "Buy bread. " * 1000
    assert "cannot be opened" in await refused(tmp_path)
    assert "cannot be opened" in await refused(tmp_path / "notes.txt" / "games.db")


async def test_a_damaged_database_is_refused(tmp_path: Path, opened: Opened) -> None:
    file = tmp_path / "games.db"
    storage = await opened(str(file))
    await storage.append("t", 1, 0, b"{}")
    await storage.close()
    file.write_bytes(file.read_bytes()[:4096].replace(b"CREATE TABLE", b"CREATE CHAIR"))
    assert "malformed" in await refused(file)


async def test_a_database_of_a_newer_brocante_is_left_alone(database_url: str, opened: Opened) -> None:
    await (await opened(database_url)).close()
    newer = "'99'" if "postgresql" in database_url else "CAST('99' AS BLOB)"
    do_by_hand(database_url, f"UPDATE brocante SET value = {newer} WHERE name = 'schema'")
    assert "newer Brocante (its schema is number 99" in await refused(database_url)


async def test_a_database_in_which_something_else_is_kept_is_left_alone(database_url: str) -> None:
    do_by_hand(database_url, "CREATE TABLE entry (dictionary TEXT)")
    assert "already exists" in await refused(database_url)


async def test_folders_are_made_as_needed(tmp_path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for url in ("sqlite:///here/games.db", f"sqlite:///{tmp_path}/a/b/games.db", str(tmp_path / "c" / "games.db")):
        assert await (await opened(url)).append("t", 1, 0, b"{}")
    assert sorted(tmp_path.rglob("games.db")) == [tmp_path / f / "games.db" for f in ("a/b", "c", "here")]
