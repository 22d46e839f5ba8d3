"""What was acknowledged and is not there any more is missed, and said: whatever byte of a database changes, there is
never a table at which moves are gone and all is well."""

import asyncio
import json
import os
import random
import resource
import shutil
import sqlite3
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from brocante.engine.errors import UsageError
from brocante.server.operator import Operator
from brocante.server.storage import Entry, Stamp, Storage, sqlite
from brocante.server.storage.database import Connection
from brocante.server.storage.sqlite import SQLite, beside
from tests.server.asking import PATIENCE, House, check_refusal, check_refused, house
from tests.server.commands import brocante
from tests.server.postgres import Postgres
from tests.server.processes import processes

TRIALS = 10
TABLES, CHATS = 8, 12
#: Bytes that a page takes in the write-ahead log.
PAGE = 24 + 4096


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


async def test_a_damaged_log_is_kept_once_and_as_it_was(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """However often a server is started and killed, and an operator looks in meanwhile."""
    async with house(tmp_path) as found:
        await found.game("collection")
        folder = shutil.copytree(tmp_path, tmp_path / "left")  # as if it were killed now
    database = folder / "tables.db"
    log, kept = beside(database, "wal"), beside(database, "wal.damaged-1")
    os.truncate(log, log.stat().st_size // 2)
    damaged = log.read_bytes()
    sqlite.SQLite(database).make_schema()  # as `serve` does, to say in words what is wrong
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("SELECT * FROM entry").fetchone()  # the log stays, as that of whoever is killed does
        for _ in range(2):
            async with house(folder) as found:
                check_refused(await found.ask("GET", "/healthz"), 503, "damaged")
                assert (await asyncio.to_thread(brocante, "admin", "list", "--database", str(database)))[0] == 0
            assert log.stat().st_size
    assert [*folder.glob("*.damaged-*")] == [kept]
    assert kept.read_bytes() == damaged
    assert [vars(record)["kept"] for record in caplog.records if "kept" in vars(record)] == [str(kept)]


# --- damage that a server finds while it runs -------------------------------------------------------------------------


async def test_a_damaged_table_says_so_and_keeps_its_records_and_the_others_go_on(tmp_path: Path) -> None:
    async with house(tmp_path) as found:
        table, (ana, *_) = await found.game("collection", options={"players": 2})
        other, (ben, *_) = await found.game("collection")
        await found.done("do", table, ana, json={"do": "resign"})
        record = (await found.ask("GET", f"/api/tables/{table}/record")).text
        number = found.room(table).number
        ear = await found.ear(table, ana)
        assert (await ear.do("chat", text="Well played"))["type"] == "news"
        with closing(sqlite3.connect(tmp_path / "tables.db")) as connection, connection:
            connection.execute("UPDATE entry SET body = X'5B5D' WHERE table_id = ? AND number > ?", (table, number))
        found.server.rooms.forget(found.room(table))
        check_refused(await found.ask("GET", f"/api/tables/{table}"), 409, "damaged")
        assert (await found.ear(table, ana)).status == 409
        assert (await found.ask("GET", f"/api/tables/{table}/record")).text == record
        assert (await found.ask("GET", f"/api/tables/{table}/games/1")).status_code == 200
        check_refused(await found.ask("GET", "/healthz"), 503, "damaged")
        assert "brocante_damaged_tables 1.0" in (await found.ask("GET", "/metrics")).text
        assert (await (await found.ear(other, ben)).do("pause"))["type"] == "news"


async def test_a_snapshot_that_cannot_be_read_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brocante.server.snapshots.SNAPSHOT_EVERY", 2)
    async with house(tmp_path) as found:
        table, _ = await found.game("collection")
        state = found.state(table)
    with closing(sqlite3.connect(tmp_path / "tables.db")) as connection, connection:
        assert connection.execute("UPDATE snapshot SET body = substr(body, 2)").rowcount == 1
    async with house(tmp_path) as found:
        assert (await found.ask("GET", f"/api/tables/{table}")).status_code == 200
        assert found.state(table) == state


async def test_a_table_that_was_deleted_is_not_missed(tmp_path: Path) -> None:
    async with house(tmp_path) as found:
        swept, removed = [await found.table(await found.guest("Ana")) for _ in range(2)]
        await found.server.storage.remove(removed)
        found.server.rooms.forget(found.room(removed))
        check_refused(await found.ask("GET", f"/api/tables/{removed}"), 404, "no_table")
        await found.server.storage.sweep(("open", Stamp(1e12, 1e12)))
    async with house(tmp_path) as found:
        for table in (swept, removed):
            check_refused(await found.ask("GET", f"/api/tables/{table}"), 404, "no_table")
        assert (await found.ask("GET", "/healthz")).status_code == 200


async def test_what_an_operator_removes_from_beside_the_server_is_not_missed_either(tmp_path: Path) -> None:
    async with house(tmp_path) as found:
        host = await found.guest("Ana")
        table, other = await found.table(host), await found.table(host)
        operator = await Storage.open(tmp_path / "tables.db")
        await operator.remove(table)
        await operator.close()
        found.server.rooms.forget(found.room(table))
        check_refused(await found.ask("GET", f"/api/tables/{table}"), 404, "no_table")
        await found.done("join", other, host, json={})
        assert (await found.ask("GET", "/healthz")).status_code == 200
    async with house(tmp_path) as found:
        check_refused(await found.ask("GET", f"/api/tables/{table}"), 404, "no_table")
        assert (await found.ask("GET", f"/api/tables/{other}")).status_code == 200


async def test_a_table_whose_listing_is_damaged_is_listed_with_the_others(tmp_path: Path) -> None:
    async with house(tmp_path) as found:
        host = await found.guest("Ana")
        tables = [await found.table(host) for _ in range(3)]
        with closing(sqlite3.connect(tmp_path / "tables.db")) as connection, connection:
            connection.execute("UPDATE listing SET summary = X'FF7B' WHERE table_id = ?", tables[:1])
            connection.execute("UPDATE listing SET host = CAST(X'FF' AS TEXT) WHERE table_id = ?", tables[1:2])
        for path in ("/api/tables", "/api/me/tables"):
            answer = await found.ask("GET", path, host)
            assert (answer.status_code, tables[2] in answer.text) == (200, True), answer.text


def remove(file: Path) -> None:
    file.unlink()


def replace(file: Path) -> None:
    copy = file.with_name("copy")
    shutil.copyfile(file, copy)
    copy.replace(file)


def cut_off(file: Path) -> None:
    os.truncate(file, 0)


def write_over(file: Path, growth: float) -> None:
    """As `cp` does with an older copy that is so much larger."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint")
    older, size = file.with_name("older"), file.stat().st_size
    sqlite.SQLite(older).make_schema()
    file.write_bytes(older.read_bytes().ljust(int(size * growth), b"\0"))
    assert (file.stat().st_size > size) == (growth > 1)


def write_shorter_over(file: Path) -> None:
    write_over(file, 0.0)


def write_as_much_over(file: Path) -> None:
    write_over(file, 1.0)


def write_more_over(file: Path) -> None:
    write_over(file, 1.5)


def write_another_log_over(file: Path) -> None:
    """As long as the one that was there."""
    with closing(sqlite3.connect(file.with_name("older"))) as connection, file.open("r+b") as opened:
        connection.executescript("PRAGMA journal_mode = WAL; CREATE TABLE other (data)")
        opened.write(beside(file.with_name("older"), "wal").read_bytes())


ELSEWHERE, OVER = [remove, replace, cut_off], [write_shorter_over, write_as_much_over, write_more_over]


@pytest.mark.parametrize(
    ("which", "harm"),
    [("tables.db", harm) for harm in [*ELSEWHERE, *OVER]]
    + [("tables.db-wal", harm) for harm in [*ELSEWHERE, write_another_log_over]]
    + [("tables.db-shm", remove)],
)
async def test_nothing_is_acknowledged_into_a_file_that_nobody_will_read(
    which: str, harm: Callable[[Path], None], tmp_path: Path
) -> None:
    async with house(tmp_path) as found:
        table, (ana, *_) = await found.game("collection")
        number = found.room(table).number
        ear = await found.ear(table, ana)
        harm(tmp_path / which)
        check_refusal(await ear.do("pause"), "storage")
        check_refused(await found.ask("GET", "/healthz"), 503, "storage")
        check_refused(await found.ask("POST", "/api/tables", ana, json={"game": "collection"}), 503, "storage")
    rescued = tmp_path / "tables.db-rescued-1"
    if harm in (remove, replace):
        assert rescued.stat().st_mode & 0o777 == 0o600
        storage = await Storage.open(rescued)
        assert len(await storage.entries(table)) >= number, "what was acknowledged was saved"
        await storage.close()
    if (which, harm) == ("tables.db", remove):
        with pytest.raises(UsageError) as refusal:
            await Storage.open(tmp_path / which)
        assert [name in refusal.value.say("en") for name in ("tables.db-witness", f"{rescued}")] == [True, True]


async def test_a_file_that_was_written_over_is_noticed_though_its_time_was_set_back(tmp_path: Path) -> None:
    """As `cp -p` does, with a copy that differs in nothing else."""
    database, older = tmp_path / "tables.db", tmp_path / "older"
    sqlite.SQLite(older).make_schema()
    async with house(tmp_path) as found:
        table, (ana, *_) = await found.game("collection")
        ear = await found.ear(table, ana)
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA wal_checkpoint")
        assert (await found.ask("GET", "/healthz")).status_code == 200  # something else begins the log anew
        before = database.stat()
        database.write_bytes(older.read_bytes().ljust(before.st_size, b"\0"))
        os.utime(database, ns=(before.st_atime_ns, before.st_mtime_ns))
        check_refusal(await ear.do("pause"), "storage")


async def test_a_log_that_is_removed_right_after_a_commit_is_rescued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tidying up comes upon it first, and must not let go of what this process still has."""
    harm: list[str] = []

    def committed(database: SQLite, connection: Connection, written: Sequence[tuple[str, int, bytes]]) -> None:
        noted(database, connection, written)
        if written and harm == ["wanted"]:  # what was written before may still have to be tidied up
            harm.append("due")

    def tidy(database: SQLite, connection: Connection) -> None:
        if harm == ["wanted", "due"]:
            remove(tmp_path / "tables.db-wal")
            harm.append("done")
        tidied(database, connection)

    noted, tidied = SQLite.committed, SQLite.tidy
    monkeypatch.setattr(SQLite, "committed", committed)
    monkeypatch.setattr(SQLite, "tidy", tidy)
    async with house(tmp_path) as found:
        table, (ana, *_) = await found.game("collection")
        ear = await found.ear(table, ana)
        harm.append("wanted")
        assert (await ear.do("pause"))["type"] == "news"
        number = found.room(table).number
        check_refusal(await ear.do("resume"), "storage")
    storage = await Storage.open(tmp_path / "tables.db-rescued-1")
    assert len(await storage.entries(table)) >= number
    await storage.close()


def hide_the_last_entry(database: Path, table: str) -> None:
    """Change a letter of the index of entries, so that none finds the table's last entry there."""
    with closing(sqlite3.connect(database)) as connection:
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_entry_1'"
        ).fetchone()
        (last,) = connection.execute("SELECT MAX(number) FROM entry WHERE table_id = ?", (table,)).fetchone()
    data = bytearray(database.read_bytes())
    at = data.index(table.encode() + bytes([last]), (root - 1) * 4096, root * 4096)
    data[at + len(table) - 1] = ord("~")
    database.write_bytes(data)
    beside(database, "witness").unlink()  # as if many other entries had been acknowledged since


async def test_a_snapshot_of_what_is_gone_says_that_it_is(tmp_path: Path) -> None:
    async with house(tmp_path) as found:
        table, _ = await found.game("collection")
    hide_the_last_entry(tmp_path / "tables.db", table)
    async with house(tmp_path) as found:
        check_refused(await found.ask("GET", f"/api/tables/{table}"), 409, "damaged")
    assert brocante("check", str(tmp_path / "tables.db"))[0] == 1


async def test_the_database_looks_for_damage_of_which_no_table_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path) as found:
        table, _ = await found.game("collection")
    harm(f"sqlite:///{tmp_path}/tables.db", "DELETE FROM snapshot")
    hide_the_last_entry(tmp_path / "tables.db", table)
    monkeypatch.setattr("brocante.server.housekeeping.LOOK_OVER_AFTER", 0.0)
    async with house(tmp_path) as found, asyncio.timeout(PATIENCE):
        while not found.server.storage.is_broken:
            await asyncio.sleep(0.01)
        check_refused(await found.ask("GET", "/healthz"), 503, "damaged")
        assert "brocante_damaged_database 1.0" in (await found.ask("GET", "/metrics")).text


async def test_a_whole_database_that_looks_for_damage_finds_none_while_moves_are_made(tmp_path: Path) -> None:
    async with house(tmp_path) as found:
        table, (ana, *_) = await found.game("collection")
        ear = await found.ear(table, ana)
        looking = asyncio.create_task(found.server.storage.look_for_damage())
        assert (await ear.do("pause"))["type"] == "news"
        await looking
        assert (await found.ask("GET", "/healthz")).status_code == 200


async def test_a_removed_file_is_noticed_though_nobody_moves(tmp_path: Path) -> None:
    async with house(tmp_path) as found:
        await found.table(await found.guest("Ana"))
        (tmp_path / "tables.db").unlink()
        check_refused(await found.ask("GET", "/healthz"), 503, "storage")


async def test_a_database_that_somebody_has_vacuumed_is_no_other(tmp_path: Path) -> None:
    async with house(tmp_path) as found:
        table, (ana, *_) = await found.game("collection")
        ear = await found.ear(table, ana)
        with closing(sqlite3.connect(tmp_path / "tables.db", isolation_level=None)) as connection:
            connection.execute("CREATE TABLE padding AS SELECT randomblob(1000000) AS data")
            connection.execute("PRAGMA wal_checkpoint")
            connection.execute("DROP TABLE padding")
            await ear.do("pause")
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint")
        assert (await ear.do("resume"))["type"] == "news"


async def test_a_log_that_somebody_has_brought_in_and_cut_is_no_other(tmp_path: Path) -> None:
    """As a `sqlite3` does, or a program that makes backups."""
    async with house(tmp_path) as found:
        table, (ana, *_) = await found.game("collection")
        ear = await found.ear(table, ana)
        for what in ("pause", "resume", "pause"):
            with closing(sqlite3.connect(tmp_path / "tables.db", isolation_level=None)) as connection:
                assert connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
            assert (tmp_path / "tables.db-wal").stat().st_size == 0
            assert (await ear.do(what))["type"] == "news"
        assert (await found.ask("GET", "/healthz")).status_code == 200
        state = found.state(table)
    async with house(tmp_path) as found:
        assert (await found.ask("GET", f"/api/tables/{table}")).status_code == 200
        assert found.state(table) == state


def linked(tmp_path: Path) -> Path:
    """A link to a database that is not there yet."""
    (tmp_path / "disk").mkdir()
    link = tmp_path / "tables.db"
    link.symlink_to(tmp_path / "disk" / "real.db")
    return link


async def test_a_database_may_be_a_link_to_one(tmp_path: Path) -> None:
    """All that belongs to it lies beside the file itself, by whatever name that is opened."""
    link = linked(tmp_path)
    async with house(tmp_path, database=str(link)) as found:
        table, (ana, *_) = await found.game("collection")
        assert (await (await found.ear(table, ana)).do("pause"))["type"] == "news"
        assert (await found.ask("GET", "/healthz")).status_code == 200
    for path in (link, link.resolve()):
        harm(f"sqlite:///{path}", f"DELETE FROM entry WHERE table_id = '{table}' AND number > 3")
        async with house(tmp_path, database=str(path)) as found:
            check_refused(await found.ask("GET", f"/api/tables/{table}"), 409, "damaged")
    assert [file.name for file in tmp_path.iterdir()] == ["disk", "tables.db"]


async def test_a_link_that_leads_elsewhere_meanwhile_is_noticed(tmp_path: Path) -> None:
    link = linked(tmp_path)
    async with house(tmp_path, database=str(link)) as found:
        table, (ana, *_) = await found.game("collection")
        shutil.copyfile(link, tmp_path / "other.db")
        link.unlink()
        link.symlink_to(tmp_path / "other.db")
        check_refusal(await (await found.ear(table, ana)).do("pause"), "storage")
    assert (tmp_path / "disk" / "real.db-rescued-1").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="locks belong to the process only elsewhere")
async def test_looking_at_a_file_lets_go_of_no_lock(tmp_path: Path) -> None:
    """Or the next program that is done with the database would believe to be the last, and remove its log."""
    database = tmp_path / "tables.db"
    async with house(tmp_path) as found:
        table, (ana, *_) = await found.game("collection")
        ear = await found.ear(table, ana)
        for statements in (
            "CREATE TABLE padding AS SELECT randomblob(1000000); PRAGMA wal_checkpoint",
            "DROP TABLE padding; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)",  # both files are shorter now
            "SELECT * FROM entry",
        ):
            await in_another_program(database, statements)
            assert (await ear.do("resume" if found.room(table).table.paused else "pause"))["type"] == "news"
        assert beside(database, "wal").exists()


async def in_another_program(database: Path, statements: str) -> None:
    program = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])"
    ended = await asyncio.create_subprocess_exec(sys.executable, "-c", program, str(database), statements)
    assert await ended.wait() == 0


async def test_what_was_missing_before_is_not_missed_anew(tmp_path: Path) -> None:
    """A table that was found damaged stands still; the others go on, whoever brings in the log."""
    async with house(tmp_path) as found:
        table, (ana, *_) = await found.game("collection")
        other, _ = await found.game("collection")
    harm(f"sqlite:///{tmp_path}/tables.db", f"DELETE FROM entry WHERE table_id = '{other}' AND number > 3")
    async with house(tmp_path) as found:
        ear = await found.ear(table, ana)
        for what in ("pause", "resume"):
            with closing(sqlite3.connect(tmp_path / "tables.db", isolation_level=None)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            assert (await ear.do(what))["type"] == "news"
        check_refused(await found.ask("GET", "/healthz"), 503, "damaged")
        listed = ("admin", "list", "--database", str(tmp_path / "tables.db"))
        assert "(damaged)" in (await asyncio.to_thread(brocante, *listed))[1]
        rows = json.loads((await asyncio.to_thread(brocante, *listed, "--json"))[1])
        assert [row["table"] for row in rows if row["damaged"]] == [other]


async def test_health_says_when_nothing_can_be_written_and_when_it_can_be_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the disk is full; and though nobody moves meanwhile, since somebody may be kept away by it."""
    async with house(tmp_path) as found:
        monkeypatch.setattr("brocante.server.storage.TRUSTED", -1.0)
        assert (await found.ask("GET", "/healthz")).status_code == 200
        monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.01)
        with monkeypatch.context() as meanwhile:  # whatever connects anew cannot write either
            meanwhile.setattr(sqlite, "PRAGMAS", f"{sqlite.PRAGMAS} PRAGMA query_only = 1;")
            await found.server.storage._write(lambda ours: ours.execute("PRAGMA query_only = 1").fetchall())
            check_refused(await found.ask("GET", "/healthz"), 503, "storage")
        assert (await found.ask("GET", "/healthz")).status_code == 200
        with closing(sqlite3.connect(tmp_path / "tables.db", isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            check_refused(await found.ask("GET", "/healthz"), 503, "storage")
            connection.execute("ROLLBACK")
        assert (await found.ask("GET", "/healthz")).status_code == 200


async def test_health_says_when_the_database_hangs(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = postgres.new_database()
    async with house(tmp_path, database=database) as found:
        monkeypatch.setattr("brocante.server.storage.PATIENCE", 0.2)
        with closing(psycopg.connect(database)) as connection:
            connection.execute("LOCK TABLE brocante IN ACCESS EXCLUSIVE MODE")
            async with asyncio.timeout(PATIENCE):
                check_refused(await found.ask("GET", "/healthz"), 503, "storage")
            connection.rollback()
        monkeypatch.undo()
        assert (await found.ask("GET", "/healthz")).status_code == 200


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of another process cannot be set")
@pytest.mark.parametrize("room", [0, 2 * PAGE])
async def test_a_full_disk_is_said_and_play_goes_on_once_there_is_room(room: int, tmp_path: Path) -> None:
    """What a process may write is limited to what it has written, or to a little more, in which there is no room for a
    move: SQLite is told that there is none."""
    database = tmp_path / "tables.db"
    with processes(str(database), tmp_path) as [server]:
        await server.start()
        async with httpx.AsyncClient(timeout=60) as client:
            guest = (await client.post(f"{server.url}/api/guests", json={"name": "Ana", "token": True})).json()
            ana = {"authorization": f"Bearer {guest['token']}"}
            new = {"game": "collection", "options": {"players": 2}}
            table = (await client.post(f"{server.url}/api/tables", json=new, headers=ana)).json()["id"]
            path = f"{server.url}/api/tables/{table}"
            (await client.post(f"{path}/join", json={}, headers=ana)).raise_for_status()
            for do in ({"do": "start", "fill": True}, {"do": "pause"}):
                (await client.post(f"{path}/do", json=do, headers=ana)).raise_for_status()
            before = (await client.get(path, headers=ana)).json()
            size = beside(database, "wal").stat().st_size
            limits = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size + room, limits[1]))
            for _ in range(3):
                check_refused(await client.post(f"{path}/do", json={"do": "resume"}, headers=ana), 503, "storage")
                check_refused(await client.get(f"{server.url}/healthz"), 503, "storage")
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, limits)
            assert (await client.get(f"{server.url}/healthz")).status_code == 200
            assert (await client.get(path, headers=ana)).json() == before
            (await client.post(f"{path}/do", json={"do": "resume"}, headers=ana)).raise_for_status()
            assert (await client.get(f"{server.url}/healthz")).status_code == 200
        server.kill()
    assert brocante("check", str(database))[0] == 0


# --- brocante check ---------------------------------------------------------------------------------------------------


async def test_check_goes_over_a_whole_database_while_a_server_runs(database_url: str, tmp_path: Path) -> None:
    async with house(tmp_path, database=database_url) as found:
        table, (ana, *_) = await found.game("collection", options={"players": 2})
        await found.done("do", table, ana, json={"do": "resign"})
        await found.game("vinto")
        code, said = await asyncio.to_thread(brocante, "check", database_url)
        assert (code, "all is well. 2 tables, " in said, "1 finished game." in said) == (0, True, True), said
        number = found.room(table).number
        assert await found.server.storage.append(table, number + 1, 0.0, b"no fact")
        code, said = await asyncio.to_thread(brocante, "check", database_url)
        assert (code, f"entry {number + 1} is as it was written, but cannot be understood" in said) == (1, True), said
        harm(database_url, f"UPDATE entry SET at = 5 WHERE table_id = '{table}' AND number = {number}")
        code, said = await asyncio.to_thread(brocante, "check", database_url, "--json")
        (problem,) = json.loads(said)["problems"]
        assert code == 1
        assert (problem["table"], problem["entry"]) == (table, number)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("UPDATE listing SET private = NOT private", "private"),
        ("UPDATE listing SET host = 'somebody', phase = 'open'", "phase, host"),
        ("UPDATE seated SET seat = 1 - seat", "seated"),
        ("UPDATE listing SET summary = (SELECT summary FROM listing WHERE game = 'vinto')", "options, seats, games"),
    ],
)
async def test_check_finds_a_table_that_is_listed_as_what_it_is_not(
    change: str, what: str, database_url: str, tmp_path: Path
) -> None:
    async with house(tmp_path, database=database_url) as found:
        table, (ana, *_) = await found.game("collection", options={"players": 2}, private=True)
        await found.game("vinto")
        await found.done("do", table, ana, json={"do": "resign"})
    assert brocante("check", database_url)[0] == 0
    harm(database_url, f"{change} WHERE table_id = '{table}'")
    code, said = brocante("check", database_url)
    assert (code, f"Table {table} is listed otherwise than its entries say: {what}." in said) == (1, True), said
    assert "1 problem." in said


async def test_check_finds_acts_of_the_operator_that_no_server_can_read(database_url: str, tmp_path: Path) -> None:
    async with house(tmp_path, database=database_url), Operator.at(database_url) as operator:
        for text in ("Tea at five.", "Tea is over."):
            await operator.announce(text, None)
    assert brocante("check", database_url)[0] == 0
    harm(database_url, "UPDATE act SET what = substr(what, 2) WHERE number = 1")
    harm(database_url, "UPDATE brocante SET value = substr(value, 2) WHERE name = 'announcement'")
    code, said = brocante("check", database_url)
    assert (code, "operator did (1 in" in said, "has announced cannot" in said) == (1, True, True), said
    assert "2 problems." in said


@pytest.mark.parametrize(
    ("noted", "value"),
    [("served", "x"), ("served", "9999999999999999.000"), ("question", "x"), ("announcement", "{")],
)
async def test_a_server_does_without_what_it_has_noted_and_cannot_read(
    noted: str, value: str, database_url: str, tmp_path: Path
) -> None:
    async with house(tmp_path, database=database_url) as found, Operator.at(database_url) as operator:
        table, (ana, *_) = await found.game("collection")
        await operator.announce("Tea at five.", None)
        await found.server.storage.ask()
    written = f"UPDATE brocante SET value = {literal(value, database_url)} WHERE name = '{noted}'"
    harm(database_url, written)
    code, said = await asyncio.to_thread(brocante, "check", database_url)
    assert (code, noted in said or "has announced" in said) == (1, True), said
    async with house(tmp_path, database=database_url) as found, Operator.at(database_url) as operator:
        assert await found.server.storage.ask() > 0
        assert (await found.ask("GET", "/api/me", ana)).status_code == 200, "tokens are worth what they were"
        assert (await (await found.ear(table, ana)).do("pause"))["type"] == "news"
        await operator.announce("Tea at five.", None)
    assert (await asyncio.to_thread(brocante, "check", database_url))[0] == 0


async def test_a_damaged_key_of_all_tokens_is_said_before_anybody_loses_who_they_are(
    database_url: str, tmp_path: Path
) -> None:
    async with house(tmp_path, database=database_url) as found:
        await found.guest("Ana")
    for change in (
        "UPDATE brocante SET value = substr(value, 2) WHERE name = 'secret'",
        "DELETE FROM brocante WHERE name = 'secret'",
    ):
        harm(database_url, change)
        with pytest.raises(UsageError, match="brocante restore"):
            async with house(tmp_path, database=database_url):
                pass
        code, said = await asyncio.to_thread(brocante, "check", database_url)
        assert (code, "secret" in said) == (1, True), said


async def test_a_database_whose_version_cannot_be_read_is_refused_in_words(database_url: str, tmp_path: Path) -> None:
    async with house(tmp_path, database=database_url):
        pass
    harm(database_url, f"UPDATE brocante SET value = {literal('x', database_url)} WHERE name = 'schema'")
    with pytest.raises(UsageError, match="its own version is damaged"):
        await Storage.open(database_url)
    code, said = await asyncio.to_thread(brocante, "check", database_url)
    assert (code > 0, "version is damaged" in said or 'notes under "schema" is damaged' in said) == (True, True), said


def literal(value: str, url: str) -> str:
    """Bytes in the words of a database."""
    return f"'\\x{value.encode().hex()}'" if url.startswith("postgresql") else f"X'{value.encode().hex()}'"


def harm(url: str, statement: str) -> None:
    path = url.removeprefix("sqlite:///")
    connection: Any = sqlite3.connect(path) if path != url else psycopg.connect(url)
    with closing(connection), connection:
        connection.execute(statement)


async def test_check_changes_nothing_and_finds_what_is_missing(left: Left, tmp_path: Path) -> None:
    folder = left.copy(tmp_path / "left")
    before = {file.name: file.read_bytes() for file in folder.iterdir() if file.name != "tables.db-shm"}
    assert brocante("check", str(folder / "tables.db"))[0] == 0
    assert {name: (folder / name).read_bytes() for name in before} == before
    (folder / "tables.db-wal").unlink()
    code, said = brocante("check", str(folder / "tables.db"))
    assert (code, "is missing" in said) == (1, True), said


def test_check_says_in_words_what_is_no_database(tmp_path: Path) -> None:
    assert brocante("check", str(tmp_path / "none.db"))[0] == 2
    (tmp_path / "notes.txt").write_text("Buy bread. " * 1000)
    code, said = brocante("check", str(tmp_path / "notes.txt"))
    assert (code, "not a database" in said) == (2, True), said
