"""Backups: all that a database holds, in one SQLite file, and back into a database of either kind.

Rows are copied, from one moment of the database, so a server may go on meanwhile. The file is checked before it takes
its name, and before it replaces anything.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from brocante.engine.errors import UsageError
from brocante.engine.text import Text
from brocante.files import leave_to_owner
from brocante.server.checking import Findings, check
from brocante.server.serve import lock_file
from brocante.server.storage import schema
from brocante.server.storage.database import Connection, Database, said
from brocante.server.storage.sqlite import SQLite, beside

#: What belongs to a database, beside it.
BESIDE = ("wal", "shm", "witness", "journal")
OTHER_THAN_VERSION = " WHERE name <> 'schema'"
#: What is called with how many rows were copied, and how many there are.
Progress = Callable[[int, int], None]


def back_up(database: Database, file: Path, progress: Progress, *, overwrite: bool) -> Findings:
    """Copy a database into a file. What is found in the copy: of a damaged database it holds what can be read."""
    if isinstance(database, SQLite) and would_harm(file, database.path):
        raise UsageError(Text("backup.itself", file=str(file)))
    if file.exists() and not overwrite:
        raise UsageError(Text("backup.there", file=str(file)))
    with closing(database.connect_to_read()) as source, written_aside(file) as copy:
        fill(copy, database, source, progress)
        return check(copy, lambda done, of: None, replaying=False, known_to=database)


def would_harm(file: Path, database: Path) -> bool:
    """Whether writing a backup would write over a database, or what belongs to it, or remove that from beside the
    backup."""
    is_itself = file.exists() and database.exists() and file.samefile(database)
    return is_itself or not files_of(file.resolve()).isdisjoint(files_of(database.resolve()))


def files_of(database: Path) -> set[Path]:
    return {database, Path(f"{database}.lock"), *(beside(database, what) for what in (*BESIDE, "part"))}


def put_back(file: Path, database: Database, progress: Progress, *, overwrite: bool) -> Findings:
    """Copy a backup into a database at which no server is. What is found in the backup."""
    if not file.is_file():
        raise UsageError(Text("backup.none", file=str(file)))
    backup = SQLite(file)
    findings = check(backup, lambda done, of: None, replaying=False)
    if findings.problems:
        raise UsageError(Text("backup.damaged", file=str(file), n=len(findings.problems)))
    if not overwrite and is_used(database):
        raise UsageError(Text("backup.used", database=database.name))
    with closing(backup.connect_to_read()) as source:
        if isinstance(database, SQLite):
            lock_file(database.path)
            with written_aside(database.path) as copy:
                fill(copy, backup, source, progress)
                leave_to_owner(copy.path, database.path)
        else:
            with failing("backup.unwritable", database.name):
                database.make_schema()
                fill(database, backup, source, progress)
    return findings


def is_used(database: Database) -> bool:
    """Whether anything is kept in a database."""
    if isinstance(database, SQLite):
        return database.path.exists()
    database.make_schema()
    with closing(database.connect_to_read()) as connection:
        return bool(connection.execute(f"{schema.ALL_TABLES} LIMIT 1").fetchall())


@contextmanager
def written_aside(file: Path) -> Iterator[SQLite]:
    """A new database beside a file, which takes its place once it is whole and on the disk. If that fails, whatever was
    there is as it was. Where a link leads there, it still does."""
    file = Path(os.path.realpath(file))
    part = beside(file, "part")
    try:
        with failing("backup.unwritable", str(file)):
            remove_database(part)
            copy = SQLite(part)
            copy.make_schema()
            yield copy
            copy.become_one_file()
            sync(part)
            remove_from_beside(file)  # at the last moment: it belongs to the one that was there
            part.replace(file)
        with suppress(OSError):  # not everywhere can this be asked of a folder
            sync(file.parent)
    finally:
        with suppress(OSError):
            remove_database(part)


def remove_database(database: Path) -> None:
    """Remove a database, if it is there."""
    remove_from_beside(database)
    database.unlink(missing_ok=True)


def remove_from_beside(database: Path) -> None:
    for what in BESIDE:
        beside(database, what).unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Wait until a file, or what a folder holds, is on the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


@contextmanager
def failing(key: str, database: str) -> Iterator[None]:
    """Whatever goes wrong is said in a sentence."""
    try:
        yield
    except UsageError:
        raise
    except Exception as error:  # drivers raise all kinds
        raise UsageError(Text(key, database=database, problem=said(error))) from error


def fill(target: Database, source: Database, connection: Connection, progress: Progress) -> None:
    """Have a database hold what another one does, and nothing else."""
    with failing("backup.unreadable", source.name):
        of = sum(connection.execute(f"SELECT COUNT(*) FROM {table}").fetchall()[0][0] for table in schema.TABLES)
    done = 0
    with closing(target.connect()) as writing:
        if target.is_in_use(writing):
            raise UsageError(Text("backup.in_use", database=target.name))
        writing.execute(target.BEGIN)
        for table in schema.TABLES:
            # The version of the schema is the target's own.
            writing.execute(f"DELETE FROM {table}{OTHER_THAN_VERSION if table == schema.INSTALLATION else ''}")
            for columns, rows in rows_of(source, connection, table):
                insert(target, writing, table, columns, rows)
                done += len(rows)
                progress(done, of)
        writing.execute("COMMIT")
        target.committed(writing, [])


def rows_of(source: Database, connection: Connection, table: str) -> Iterator[tuple[list[str], list[Any]]]:
    with failing("backup.unreadable", source.name):
        yield from source.batches(connection, table)


def insert(target: Database, connection: Connection, table: str, columns: list[str], rows: list[Any]) -> None:
    if table == schema.INSTALLATION:
        rows = [row for row in rows if row[columns.index("name")] != "schema"]
    booleans = [number for number, column in enumerate(columns) if column in schema.BOOLEANS]
    values: list[Any] = []
    for row in rows:
        values += [bool(value) if number in booleans else value for number, value in enumerate(row)]
    if rows:
        template = f"INSERT INTO {table} ({', '.join(columns)}) VALUES <rows>"
        one = f"({', '.join(['{}'] * len(columns))})"
        connection.execute(target.statement(template, one, len(rows)), values)
