"""Backups are made while a server runs, and restored into databases of either kind."""

import asyncio
import os
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import httpx
import pytest

from brocante.server.storage.sqlite import beside
from tests.server.asking import House, Person, check_refused, house
from tests.server.commands import brocante
from tests.server.log import entries
from tests.server.postgres import Postgres
from tests.server.processes import is_well, processes


async def restored(found: House, table: str, file: Path, to: str, folder: Path) -> None:
    """The table goes on in a database that was restored from a backup, for the same people."""
    code, said = await asyncio.to_thread(brocante, "restore", str(file), "--database", to)
    assert (code, "restored" in said) == (0, True), said
    before, entries = found.state(table), await found.server.storage.entries(table)
    async with house(folder, database=to) as again:
        person = found.people[0]
        assert (await again.ask("GET", "/api/me", person)).status_code == 200, "tokens are worth what they were"
        ear = await again.ear(table, person)
        assert again.state(table) == before
        assert (await again.server.storage.entries(table))[: len(entries)] == entries
        assert (await ear.do("pause"))["type"] == "news"
        assert (await again.ask("GET", "/healthz")).status_code == 200


async def test_a_backup_of_either_kind_is_restored_into_either_kind(
    database_url: str, postgres: Postgres, tmp_path: Path
) -> None:
    backup, file = tmp_path / "backup.db", tmp_path / "restored" / "tables.db"
    async with house(tmp_path, database=database_url) as found:
        table, _ = await found.game("collection")
        code, said = await asyncio.to_thread(brocante, "backup", str(backup), "--database", database_url)
        assert (code, "1 table and " in said) == (0, True), said
        assert backup.stat().st_mode & 0o777 == 0o600
        await restored(found, table, backup, str(file), tmp_path)
        await restored(found, table, backup, postgres.new_database(), tmp_path)
    assert [one.name for one in tmp_path.glob("backup.db*")] == ["backup.db"]


async def test_what_is_restored_where_a_link_leads_lies_there(tmp_path: Path) -> None:
    backup, link, there = tmp_path / "backup.db", tmp_path / "link.db", tmp_path / "there.db"
    link.symlink_to(there)
    async with house(tmp_path) as found:
        table, _ = await found.game("collection")
        assert (await asyncio.to_thread(brocante, "backup", str(backup), "--database", f"{tmp_path}/tables.db"))[0] == 0
        await restored(found, table, backup, str(link), tmp_path)
    assert (link.is_symlink(), there.is_symlink()) == (True, False)


async def test_a_backup_is_of_one_moment_though_moves_go_on_being_made(database_url: str, tmp_path: Path) -> None:
    async with house(tmp_path, database=database_url) as found:
        tables = [await found.game("collection", options={"players": 2}) for _ in range(3)]
        backups: list[Path] = []

        async def play(table: str, host: Person) -> None:
            ear, number = await found.ear(table, host), 0
            while len(backups) < 3:
                assert (await ear.do("resume" if number % 2 else "pause"))["type"] == "news"
                number += 1

        async def back_up() -> None:
            for number in range(3):
                file = tmp_path / f"backup-{number}.db"
                code, said = await asyncio.to_thread(brocante, "backup", str(file), "--database", database_url)
                assert code == 0, said
                backups.append(file)

        await asyncio.gather(back_up(), *(play(table, people[0]) for table, people in tables))
        logs = {table: await found.server.storage.entries(table) for table, _ in tables}
    for table, log in logs.items():
        copies = [await entries(str(file), table) for file in backups]
        assert copies == [log[: len(copy)] for copy in copies]
        assert len(copies[0]) < len(log)
    assert [brocante("check", str(file))[0] for file in backups] == [0, 0, 0]


async def test_what_was_done_since_is_gone_and_not_missed(tmp_path: Path) -> None:
    database, backup = str(tmp_path / "tables.db"), str(tmp_path / "backup.db")
    async with house(tmp_path) as found:
        table, people = await found.game("collection")
        assert (await asyncio.to_thread(brocante, "backup", backup, "--database", database))[0] == 0
        number = found.room(table).number
        await found.done("do", table, people[0], json={"do": "pause"})
        other, _ = await found.game("collection")
    code, said = await asyncio.to_thread(brocante, "restore", backup, "--database", database)
    assert (code, "add --overwrite" in said) == (2, True), said
    assert (await asyncio.to_thread(brocante, "restore", backup, "--database", database, "--overwrite"))[0] == 0
    async with house(tmp_path) as found:
        assert (await found.ask("GET", f"/api/tables/{table}")).status_code == 200
        assert number <= found.room(table).number <= number + 1, "perhaps somebody is away by now"
        check_refused(await found.ask("GET", f"/api/tables/{other}"), 404, "no_table")
        assert (await found.ask("GET", "/healthz")).status_code == 200


async def test_nothing_is_written_over_that_is_wanted(tmp_path: Path) -> None:
    database, backup = str(tmp_path / "tables.db"), tmp_path / "backup.db"
    async with house(tmp_path) as found:
        table, _ = await found.game("collection")
    for own in (
        database,
        f"{database}-wal",
        f"{database}-witness",
        f"{database}.lock",
        f"{tmp_path}/../{tmp_path.name}/tables.db-shm",
    ):
        code, said = brocante("backup", own, "--database", database, "--overwrite")
        assert (code, "the database itself" in said) == (2, True), said
    backup.write_text("dear")
    code, said = await asyncio.to_thread(brocante, "backup", str(backup), "--database", database)
    assert (code, "is there already" in said, backup.read_text()) == (2, True, "dear")
    assert (await asyncio.to_thread(brocante, "backup", str(backup), "--database", database, "--overwrite"))[0] == 0
    with closing(sqlite3.connect(backup)) as connection, connection:
        connection.execute("UPDATE entry SET at = 5 WHERE number = 2")
    before = Path(database).read_bytes()
    code, said = await asyncio.to_thread(brocante, "restore", str(backup), "--database", database, "--overwrite")
    assert (code, "nothing was restored" in said, Path(database).read_bytes()) == (2, True, before), said
    async with house(tmp_path) as found:
        assert (await found.ask("GET", f"/api/tables/{table}")).status_code == 200


async def test_a_backup_is_restored_once_what_is_damaged_is_taken_out_of_it(tmp_path: Path) -> None:
    """Whether it is a log that does not hold, or a table that is not even listed any more."""
    database, backup, restored = str(tmp_path / "tables.db"), str(tmp_path / "backup.db"), str(tmp_path / "new.db")
    async with house(tmp_path) as found:
        damaged, unlisted, whole = [(await found.game("collection"))[0] for _ in range(3)]
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE entry SET at = 5 WHERE number = 2 AND table_id <> ?", (whole,))
        connection.execute("DELETE FROM listing WHERE table_id = ?", (unlisted,))
    assert (await asyncio.to_thread(brocante, "backup", backup, "--database", database))[0] == 1
    code, said = await asyncio.to_thread(brocante, "restore", backup, "--database", restored)
    take_out = ["admin", "remove", "TABLE", "--yes", "--database", backup]
    assert (code, f"`brocante {' '.join(take_out)}`" in said) == (2, True), said
    for table in (damaged, unlisted):
        code, said = await asyncio.to_thread(brocante, *(table if one == "TABLE" else one for one in take_out))
        assert code == 0, said
    code, said = await asyncio.to_thread(brocante, "restore", backup, "--database", restored)
    assert (code, "1 table and " in said) == (0, True), said


@pytest.mark.parametrize(
    ("what", "error"),
    [
        ("brocante.server.storage.sqlite.SQLite.become_one_file", sqlite3.OperationalError("disk is full")),
        ("os.fsync", OSError(28, "No space left on device")),
    ],
)
async def test_a_restore_that_fails_at_the_end_leaves_everything_as_it_was(
    what: str, error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a full disk: the database, its log and what is known to have been acknowledged are still there."""
    database, backup = str(tmp_path / "tables.db"), tmp_path / "backup.db"
    async with house(tmp_path) as found:
        table, (ana, *_) = await found.game("collection")
        assert (await asyncio.to_thread(brocante, "backup", str(backup), "--database", database))[0] == 0
        await found.done("do", table, ana, json={"do": "pause"})
        before = kept(tmp_path)
        assert before["tables.db-wal"]
        with monkeypatch.context() as failing:
            failing.setattr(what, partial(fail, error))
            again = "restore", str(backup), "--database", database, "--overwrite"
            code, said = await asyncio.to_thread(brocante, *again)
        assert (code, "Nothing could be written to" in said, "Traceback" in said) == (2, True, False), said
        assert kept(tmp_path) == before
        await found.done("do", table, ana, json={"do": "resume"})


def fail(error: Exception, *_: object) -> None:
    raise error


def kept(folder: Path) -> dict[str, bytes]:
    """What is kept in a folder; not who reads it just now."""
    return {one.name: one.read_bytes() for one in folder.iterdir() if not one.name.endswith(("-shm", ".lock"))}


async def test_what_is_restored_does_not_have_the_log_of_what_was_there(tmp_path: Path) -> None:
    database, backup = tmp_path / "tables.db", tmp_path / "backup.db"
    async with house(tmp_path) as found:
        table, _ = await found.game("collection")
    assert (await asyncio.to_thread(brocante, "backup", str(backup), "--database", str(database)))[0] == 0
    for what in ("wal", "shm", "witness"):
        beside(database, what).write_bytes(b"of another")
    assert (await asyncio.to_thread(brocante, "restore", str(backup), "--database", str(database), "--overwrite"))[
        0
    ] == 0
    assert not [one.name for one in tmp_path.glob("tables.db-*") if one.read_bytes().startswith(b"of another")]
    async with house(tmp_path) as found:
        assert (await found.ask("GET", f"/api/tables/{table}")).status_code == 200


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root makes files for others")
@pytest.mark.parametrize("is_there", [True, False])
async def test_what_root_restores_belongs_to_whoever_runs_the_server(is_there: bool, tmp_path: Path) -> None:
    """To the owner of what is replaced, or else of the folder."""
    async with house(tmp_path) as found:
        await found.game("collection")
    backup, there = tmp_path / "backup.db", tmp_path / "there"
    there.mkdir()
    database = there / "tables.db"
    assert (await asyncio.to_thread(brocante, "backup", str(backup), "--database", str(tmp_path / "tables.db")))[0] == 0
    if is_there:
        database.touch()
    os.chown(database if is_there else there, 65534, 65534)
    code, said = await asyncio.to_thread(brocante, "restore", str(backup), "--database", str(database), "--overwrite")
    assert code == 0, said
    made = {one.name: (one.stat().st_uid, one.stat().st_gid, one.stat().st_mode & 0o777) for one in there.iterdir()}
    assert {"tables.db", "tables.db-witness", "tables.db.lock"} <= made.keys()
    assert {*made.values()} == {(65534, 65534, 0o600)}
    assert backup.stat().st_uid == 0


async def test_a_backup_says_what_was_acknowledged_and_is_missing_already(tmp_path: Path) -> None:
    database, backup = tmp_path / "tables.db", tmp_path / "backup.db"
    async with house(tmp_path) as found:
        table, _ = await found.game("collection")
        gone, _ = await found.game("collection")
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("DELETE FROM entry WHERE table_id = ? AND number > 3", (table,))
        for kind in ("entry", "listing", "seated", "snapshot"):
            connection.execute(f"DELETE FROM {kind} WHERE table_id = ?", (gone,))
    code, said = await asyncio.to_thread(brocante, "backup", str(backup), "--database", str(database))
    assert (code, f"Table {table}: entry 4 is missing" in said) == (1, True), said
    assert f"Table {gone}: entry 1 is missing" in said
    assert backup.exists(), "it has what there is"


async def test_nothing_is_restored_under_a_running_server(postgres: Postgres, tmp_path: Path) -> None:
    database, backup = postgres.new_database(), tmp_path / "backup.db"
    async with house(tmp_path, database=database) as found:
        table, _ = await found.game("collection")
        assert (await asyncio.to_thread(brocante, "backup", str(backup), "--database", database))[0] == 0
        again = "restore", str(backup), "--database", database, "--overwrite"
        code, said = await asyncio.to_thread(brocante, *again)
        assert (code, "server" in said) == (2, True), said
        assert (await found.ask("GET", f"/api/tables/{table}")).status_code == 200


async def test_nothing_is_restored_over_the_file_of_a_running_server(tmp_path: Path) -> None:
    database, backup = tmp_path / "tables.db", tmp_path / "backup.db"
    with processes(str(database), tmp_path) as [server]:
        await server.start()
        async with httpx.AsyncClient(timeout=60) as client:
            assert (await asyncio.to_thread(brocante, "backup", str(backup), "--database", str(database)))[0] == 0
            inode = database.stat().st_ino
            code, said = await asyncio.to_thread(
                brocante, "restore", str(backup), "--database", str(database), "--overwrite"
            )
            assert (code, "server is using" in said, database.stat().st_ino) == (2, True, inode), said
            (link := tmp_path / "link.db").symlink_to(database)
            code, said = await asyncio.to_thread(
                brocante, "restore", str(backup), "--database", str(link), "--overwrite"
            )
            assert (code, "server is using" in said, database.stat().st_ino) == (2, True, inode), said
            guest = await client.post(f"{server.url}/api/guests", json={"name": "Ana"})
            assert (guest.status_code, await is_well(client, server.url)) == (201, True)


@pytest.mark.parametrize(("args", "what"), [(("backup", "copy.db"), "database"), (("restore", "none.db"), "backup")])
def test_what_is_not_there_is_said_in_words(
    args: tuple[str, ...], what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, said = brocante(*args, "--database", "tables.db")
    assert (code, f"There is no {what} at" in said) == (2, True), said
    assert not [*tmp_path.iterdir()]
