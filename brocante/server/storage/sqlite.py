"""SQLite: one file and nothing to set up; for one process."""

import glob
import logging
import os
import shutil
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar, cast

from brocante.engine.errors import UsageError
from brocante.engine.text import Text
from brocante.files import leave_to_owner
from brocante.server.storage import schema
from brocante.server.storage.checkpointer import Checkpointer
from brocante.server.storage.database import BATCH, Called, Connection, Database, Heard, Missed, Sizes, said
from brocante.server.storage.installation import LOST
from brocante.server.storage.watched_file import DatabaseFile, Misplaced, Peephole, WriteAheadLog
from brocante.server.storage.witness import Tip, Witness

log = logging.getLogger("brocante.server")

BUSY_SECONDS = 10
#: Bytes of the write-ahead log at which writing waits until it is begun anew: as long as there is always something to
#: write, it would grow for ever.
LARGEST_LOG = 64 * 2**20
#: Seconds after which that is tried again, if somebody was still reading what the log has.
TRIED_AGAIN = 5.0
#: Problems of a damaged file that are told.
MOST_PROBLEMS = 20

PRAGMAS = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL; -- with less, a commit would not wait for the disk
PRAGMA wal_autocheckpoint = 0; -- see checkpointer.py
PRAGMA temp_store = MEMORY; -- or each large batch would make a file, and remove it, in case it cannot be written whole
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
        self._given = path.absolute()  # perhaps a link, which may come to lead elsewhere
        self.name = str(self._given)
        self.path = Path(os.path.realpath(path))  # as SQLite has it: all that belongs to the file lies beside this
        self._log = beside(self.path, "wal")
        self._peepholes = Peephole(self._log), Peephole(beside(self.path, "shm"))
        self._checkpointer = Checkpointer(self._bring_in)
        self._bringing_in = Lock()  # held while the file is changed by this process
        self._begin_anew_at = 0.0
        self._file: DatabaseFile | None = None
        self._log_file: WriteAheadLog | None = None
        self._writing: Connection | None = None  # the connection whose log is at that place
        self._misplaced: Misplaced | None = None
        self._witness: Witness | None = None
        self._lost: frozenset[str] = frozenset()  # tables that lacked something when the database was opened

    def make_schema(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch(mode=0o600)  # it holds the key of all tokens
            self._file = DatabaseFile(self._given)
            self._witness = Witness(beside(self.path, "witness"))
            leave_to_owner(beside(self.path, "witness"), self.path)
        except OSError as error:
            raise self.refusal(error) from error
        super().make_schema()
        self._file = DatabaseFile(self._given)

    def _make_tables(self, connection: Connection) -> None:
        assert self._witness
        if self._witness.tips and not self._is_made(connection):
            raise self._emptied(len(self._witness.tips))
        self._lost = frozenset(self.missing(connection))
        if self._lost:
            self._keep_damaged_log(connection, self._witness.tips)
        super()._make_tables(connection)

    def _emptied(self, tables: int) -> UsageError:
        """So many tables are gone, but perhaps a server has rescued them."""
        rescued = sorted(self.path.parent.glob(f"{glob.escape(self.path.name)}-rescued-*[0-9]"), key=os.path.getmtime)
        what = Text("error.storage.rescued", file=str(rescued[-1])) if rescued else Text("error.storage.backup")
        return UsageError(Text("error.storage.emptied", database=str(self.path), n=tables, what=what))

    def _keep_damaged_log(self, connection: Connection, tips: Mapping[str, Tip]) -> None:
        """As long as nothing was written, all that a damaged log holds is still there. Once for all that it lacks."""
        lost = sorted(f"{table}:{tips[table].number}".encode() for table in self._lost)
        if not set(lost).issubset(self.noted(connection, LOST).split()):
            if self._log.stat().st_size:
                kept = unused(self.path, "wal.damaged")
                kept.touch(mode=0o600)
                shutil.copyfile(self._log, kept)
                log.critical("the write-ahead log is damaged", extra={"kept": str(kept)})
            connection.execute(self.statement(schema.TELL_INSTALLATION_ANEW), (LOST, b" ".join(lost)))

    def _is_made(self, connection: Connection, version: int = 1) -> bool:
        """Whether it has the tables of a version."""
        tables = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'brocante'").fetchall()
        return bool(tables) and self.version(connection) >= version

    def missing(self, connection: Connection) -> list[str]:
        """The tables that lack entries which were acknowledged."""
        if not self._witness or not self._is_made(connection, schema.CHAINED):
            return []
        statement = self.statement(schema.HASH)
        return [
            table
            for table, tip in list(self._witness.tips.items())
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
            self._file.look()
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
            connection = self._reading()
            connection.execute("BEGIN")
            if not self._is_made(connection):
                raise sqlite3.DatabaseError("Brocante has kept nothing there")
        except (OSError, sqlite3.Error) as error:
            raise self.refusal(error) from error
        return connection

    def _reading(self) -> Connection:
        connection = sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True, isolation_level=None)
        connection.text_factory = readable_text
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
            self._look_at_files()
        except Misplaced as misplaced:
            self._misplaced = misplaced
            self._rescue(connection)
            raise

    def _look_at_files(self) -> None:
        """Others may bring in the log, or vacuum: what they have changed is looked into."""
        is_ours = self._bringing_in.locked()  # before looking: it may end meanwhile
        if self._log_file is None:
            self._log_file = WriteAheadLog(self._log, *self._peepholes)
        changes = [(file, change) for file in (self._file, self._log_file) if file and (change := file.look())]
        changes = [(file, change) for file, change in changes if not (is_ours and file is self._file)]
        for file, change in changes:
            file.check_length(change)  # first of all: beside an empty file, SQLite removes the log
        if changes:
            self._check_nothing_is_missing()
        for file, change in changes:
            file.known = change

    def _check_nothing_is_missing(self) -> None:
        """Misplaced, unless whoever opens the database now finds all that was acknowledged."""
        try:
            with closing(self._reading()) as connection:
                if self._witness and self._lacks_more(connection):
                    self._witness.read()  # an operator may have deleted something
                    if self._lacks_more(connection):
                        raise Misplaced(f"{self.path} was written over: acknowledged entries are missing")
        except sqlite3.Error as error:
            if self.is_damage(error) or getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_IOERR_SHORT_READ:
                raise Misplaced(f"{self.path} was written over: {said(error)}") from error
            raise

    def _lacks_more(self, connection: Connection) -> bool:
        """Whether something is missing that was there when the database was opened."""
        return not self._is_made(connection, schema.CHAINED) or not self._lost.issuperset(self.missing(connection))

    def _rescue(self, connection: Connection) -> None:
        """Write all that this process still has, and nobody will find, into a file where it can be found."""
        rescued = unused(self.path, "rescued")
        try:
            rescued.touch(mode=0o600)
            missing = len(self.missing(connection))
            connection.execute("VACUUM INTO ?", (str(rescued),))
        except (OSError, sqlite3.Error) as error:
            rescued.unlink(missing_ok=True)
            log.critical("the database is lost", extra={"problem": str(self._misplaced), "rescue": said(error)})
        else:
            found = {"rescued": str(rescued), "missing": missing}  # tables that lack something even there
            log.critical("the database is lost", extra={"problem": str(self._misplaced), **found})

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
        if self._is_log_large() and time.monotonic() > self._begin_anew_at and not self._bringing_in.locked():
            with not_waiting(connection):
                self._checkpoint(connection, "TRUNCATE")
            if self._log_file:
                self._log_file.accept()
            if self._is_log_large():
                self._begin_anew_at = time.monotonic() + TRIED_AGAIN

    def _is_log_large(self) -> bool:
        try:
            return self._log.stat().st_size > LARGEST_LOG
        except FileNotFoundError:  # the next transaction looks into it, with what this connection still has
            return False

    def _bring_in(self) -> None:
        with closing(self.connect()) as connection:
            self._checkpoint(connection, "PASSIVE")

    def _checkpoint(self, connection: Connection, how: str) -> None:
        """Bring the log into the file, unless somebody else has changed that, which is looked into first."""
        with self._bringing_in:
            if self._file and not self._file.look():
                connection.execute(f"PRAGMA wal_checkpoint({how})").fetchall()
                self._file.accept()

    def sizes(self, connection: Connection) -> Sizes:
        wal = self._log.stat().st_size if self._log.exists() else 0
        return Sizes(self.path.stat().st_size, wal, shutil.disk_usage(self.path.parent).free)

    async def listen(self, heard: Heard, missed: Missed, called: Called) -> None:
        """There are no other processes."""

    async def stop_listening(self) -> None:
        """There is nothing to stop."""


#: A damaged name must not keep anyone from reading the rest.
readable_text = partial(str, encoding="utf-8", errors="replace")


@contextmanager
def not_waiting(connection: Connection) -> Iterator[None]:
    """Whatever somebody else holds up fails at once, and is left as it is."""
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        yield
    finally:
        connection.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")


def beside(path: Path, what: str) -> Path:
    """The file that is called like a database, and what it is to it."""
    return Path(f"{path}-{what}")


def unused(path: Path, what: str) -> Path:
    """The first such file that is not there yet."""
    return next(file for number in count(1) if not (file := beside(path, f"{what}-{number}")).exists())
