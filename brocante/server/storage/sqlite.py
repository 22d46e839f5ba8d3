"""SQLite: one file and nothing to set up; for one process."""

import shutil
import sqlite3
from pathlib import Path
from typing import ClassVar, cast

from brocante.server.storage.database import Called, Connection, Database, Heard, Missed, Sizes

BUSY_SECONDS = 10
#: Pages of the write-ahead log at which it is brought into the file, and begun anew as soon as nobody reads in it.
CHECKPOINT_PAGES = 4000
#: Bytes of the log at which writing waits until nobody does: with readers all the time it would grow for ever.
LARGEST_LOG = 64 * 2**20

PRAGMAS = f"""
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL; -- with less, a commit would not wait for the disk
PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES};
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
        self._log = Path(f"{self.path}-wal")

    def make_schema(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch(mode=0o600)  # it holds the key of all tokens
        except OSError as error:
            raise self.refusal(error) from error
        super().make_schema()

    def connect(self) -> Connection:
        connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            connection.executescript(PRAGMAS)
        except sqlite3.Error:
            connection.close()
            raise
        return cast("Connection", connection)

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
        if self._log.stat().st_size > LARGEST_LOG:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def sizes(self, connection: Connection) -> Sizes:
        wal = self._log.stat().st_size if self._log.exists() else 0
        return Sizes(self.path.stat().st_size, wal, shutil.disk_usage(self.path.parent).free)

    async def listen(self, heard: Heard, missed: Missed, called: Called) -> None:
        """There are no other processes."""

    async def stop_listening(self) -> None:
        """There is nothing to stop."""
