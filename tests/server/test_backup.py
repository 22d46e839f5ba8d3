"""Backups are made while a server runs, and restored into databases of either kind."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.server.asking import House, check_refused, house
from tests.server.commands import brocante
from tests.server.postgres import Postgres


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
        assert (code, "1 tables" in said) == (0, True), said
        assert backup.stat().st_mode & 0o777 == 0o600
        await restored(found, table, backup, str(file), tmp_path)
        await restored(found, table, backup, postgres.new_database(), tmp_path)
    assert [one.name for one in tmp_path.glob("backup.db*")] == ["backup.db"]


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


async def test_nothing_is_restored_under_a_running_server(postgres: Postgres, tmp_path: Path) -> None:
    database, backup = postgres.new_database(), tmp_path / "backup.db"
    async with house(tmp_path, database=database) as found:
        table, _ = await found.game("collection")
        assert (await asyncio.to_thread(brocante, "backup", str(backup), "--database", database))[0] == 0
        again = "restore", str(backup), "--database", database, "--overwrite"
        code, said = await asyncio.to_thread(brocante, *again)
        assert (code, "server" in said) == (2, True), said
        assert (await found.ask("GET", f"/api/tables/{table}")).status_code == 200


@pytest.mark.parametrize("args", [("backup", "copy.db"), ("restore", "none.db")])
def test_what_is_not_there_is_said_in_words(
    args: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, said = brocante(*args, "--database", "tables.db")
    assert (code, "There is no database at" in said) == (2, True), said
    assert not [*tmp_path.iterdir()]
