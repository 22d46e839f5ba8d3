"""SQLite: one file and nothing to set up; for one process."""

import logging
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, ClassVar, cast

from brocante.engine.errors import UsageError
from brocante.engine.text import Text
from brocante.server.storage import schema
from brocante.server.storage.checkpointer import Checkpointer
from brocante.server.storage.database import BATCH, Called, Connection, Database, Heard, Missed, Sizes, said
from brocante.server.storage.watched_file import Misplaced, WatchedFile
from brocante.server.storage.witness import Tip, Witness

log = logging.getLogger("brocante.server")

BUSY_SECONDS = 10
#: Bytes of the write-ahead log at which writing waits until it is begun anew: as long as there is always something to
#: write, it would grow for ever.
LARGEST_LOG = 64 * 2**20

#: Problems of a damaged file that are told.
MOST_PROBLEMS = 20

PRAGMAS = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL; -- with less, a commit would not wait for the disk
PRAGMA wal_autocheckpoint = 0; -- see checkpointer.py
"""


class SQLite(Database):
    WORDS: ClassVar = {
        "integer": "INTEGER",
        "real": "REAL",
        "bytes": "BLOB",
        "boolean": "INTEGER",
        "strict": " STRICT",
        "body has": "instr(body, {}) > 0",
    }
    SHARED = False
    BEGIN = BEGIN_MAKING = "BEGIN IMMEDIATE"
    UNWRITABLE = (sqlite3.DataError, sqlite3.IntegrityError, sqlite3.ProgrammingError, OverflowError, UnicodeError)

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.name = str(self.path)
        self._log = beside(self.path, "wal")
        self._checkpointer = Checkpointer(self.connect)
        self._file: WatchedFile | None = None
        self._log_file: WatchedFile | None = None
        self._writing: Connection | None = None  # the connection whose log is at that place
        self._misplaced: Misplaced | None = None
        self._witness: Witness | None = None

    def make_schema(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch(mode=0o600)  # it holds the key of all tokens
            self._file = WatchedFile(self.path)
            self._witness = Witness(beside(self.path, "witness"))
        except OSError as error:
            raise self.refusal(error) from error
        super().make_schema()

    def _make_tables(self, connection: Connection) -> None:
        """As long as nothing was written, all that a damaged log holds is still there."""
        assert self._witness
        if self._witness.tips and not is_made(connection):
            raise UsageError(Text("error.storage.emptied", database=self.name, n=len(self._witness.tips)))
        if self.missing(connection) and self._log.exists():
            kept = unused(self.path, "wal.damaged")
            kept.touch(mode=0o600)
            shutil.copyfile(self._log, kept)
            log.critical("the write-ahead log is damaged", extra={"kept": str(kept)})
        super()._make_tables(connection)

    def missing(self, connection: Connection) -> list[str]:
        """The tables that lack entries which were acknowledged."""
        if not self._witness or not is_made(connection, schema.CHAINED):
            return []
        statement = self.statement(schema.HASH)
        return [
            table
            for table, tip in self._witness.tips.items()
            if connection.execute(statement, (table, tip.number)).fetchall() != [(tip.hash,)]
        ]

    def acknowledged(self, table: str) -> Tip | None:
        return self._witness.tips.get(table) if self._witness else None

    def has_learned(self, table: str) -> bool:
        known = self.acknowledged(table)
        if self._witness:
            self._witness.read()
        return self.acknowledged(table) != known

    def connect(self) -> Connection:
        if self._misplaced:
            raise self._misplaced
        if self._file:
            self._file.check()
        uri = f"{self.path.as_uri()}?mode=rw"  # whatever became of the file, none is made in its place
        connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            connection.text_factory = readable_text
            connection.executescript(PRAGMAS)
        except sqlite3.Error:
            connection.close()
            raise
        return cast("Connection", connection)

    def begin(self, connection: Connection) -> None:
        if connection is self._writing:
            self._check_files(connection)
        super().begin(connection)

    def connect_to_read(self) -> Connection:
        if not self.path.is_file():
            raise UsageError(Text("admin.refused.no_database", database=self.name))
        try:
            if (witness := beside(self.path, "witness")).exists():
                self._witness = Witness(witness)  # before reading: meanwhile there may be more
            connection = sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True, isolation_level=None)
            connection.text_factory = readable_text
            connection.execute("BEGIN")
            if not is_made(cast("Connection", connection)):
                raise sqlite3.DatabaseError("Brocante has kept nothing there")
        except (OSError, sqlite3.Error) as error:
            raise self.refusal(error) from error
        return cast("Connection", connection)

    def batches(self, connection: Connection, table: str) -> Iterator[tuple[list[str], list[Any]]]:
        cursor = cast("sqlite3.Connection", connection).execute(f"SELECT * FROM {table}")
        while rows := cursor.fetchmany(BATCH):
            yield [name for name, *_ in cursor.description], rows

    def become_one_file(self) -> None:
        """Be one that nobody writes to: with nothing beside it, also when it is read."""
        with closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")

    def problems(self, connection: Connection) -> Iterator[str]:
        try:
            for (words,) in connection.execute(f"PRAGMA integrity_check({MOST_PROBLEMS})").fetchall():
                if words != "ok":
                    yield from words.splitlines()
        except sqlite3.Error as error:
            yield said(error)

    def committed(self, connection: Connection, written: Sequence[tuple[str, int, bytes]]) -> None:
        if connection is not self._writing:
            self._writing, self._log_file = connection, None
        self._check_files(connection)
        if self._witness and written:
            with suppress(OSError):  # then it knows less than it might
                self._witness.note(written)

    def _check_files(self, connection: Connection) -> None:
        """Whether what is written over a connection is written where it will be read."""
        try:
            if self._file:
                self._file.check()
            if self._log_file:
                self._log_file.check()
            else:
                self._log_file = WatchedFile(self._log)
        except Misplaced as misplaced:
            self._misplaced = misplaced
            self._rescue(connection)
            raise

    def _rescue(self, connection: Connection) -> None:
        """Write all that this process still has, and nobody will find, into a file where it can be found."""
        rescued = unused(self.path, "rescued")
        try:
            rescued.touch(mode=0o600)
            connection.execute("VACUUM INTO ?", (str(rescued),))
        except (OSError, sqlite3.Error) as error:
            rescued.unlink(missing_ok=True)
            log.critical("the database is lost", extra={"problem": str(self._misplaced), "rescue": said(error)})
        else:
            log.critical("the database is lost", extra={"problem": str(self._misplaced), "rescued": str(rescued)})

    def forget(self, tables: Iterable[str]) -> None:
        if self._witness:
            with suppress(OSError):
                self._witness.forget(tables)

    @staticmethod
    def is_damage(error: BaseException | None) -> bool:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

    @staticmethod
    def placeholder(number: int) -> str:
        return "?"

    def keep_others_out(self, connection: Connection) -> None:
        """SQLite has one writer at a time."""

    def tell(self, connection: Connection, appended: object) -> None:
        """There are no other processes."""

    def call(self, connection: Connection, words: str) -> None:
        """There are no other processes."""

    def tidy(self, connection: Connection) -> None:
        self._checkpointer.note()
        if self._log.stat().st_size > LARGEST_LOG:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self._log_file = WatchedFile(self._log)

    def sizes(self, connection: Connection) -> Sizes:
        wal = self._log.stat().st_size if self._log.exists() else 0
        return Sizes(self.path.stat().st_size, wal, shutil.disk_usage(self.path.parent).free)

    async def listen(self, heard: Heard, missed: Missed, called: Called) -> None:
        """There are no other processes."""

    async def stop_listening(self) -> None:
        """There is nothing to stop."""


#: A damaged name must not keep anyone from reading the rest.
readable_text = partial(str, encoding="utf-8", errors="replace")


def beside(path: Path, what: str) -> Path:
    """The file that is called like a database, and what it is to it."""
    return Path(f"{path}-{what}")


def unused(path: Path, what: str) -> Path:
    """The first such file that is not there yet."""
    return next(file for number in count(1) if not (file := beside(path, f"{what}-{number}")).exists())


def is_made(connection: Connection, version: int = 1) -> bool:
    """Whether a database has the tables of a version."""
    tables = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'brocante'").fetchall()
    found = tables and connection.execute("SELECT value FROM brocante WHERE name = 'schema'").fetchall()
    return bool(found) and int(found[0][0]) >= version
