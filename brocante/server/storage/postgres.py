"""PostgreSQL: for several server processes at once. Each tells the others what it has appended (`NOTIFY`)."""

import asyncio
import logging
import secrets
import time
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, cast

import msgspec
import psycopg
from psycopg import AsyncConnection, RawCursor
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from brocante.engine.errors import UsageError
from brocante.engine.text import Text
from brocante.server.storage import schema
from brocante.server.storage.database import BATCH, Called, Connection, Database, Heard, Missed, Sizes, said
from brocante.server.storage.installation import SCHEMA
from brocante.server.storage.threads import StorageError

log = logging.getLogger("brocante.server")
CHANNEL = "brocante"
#: PostgreSQL takes up to 7999 bytes in a notification.
LONGEST_NOTE = 7000
#: Seconds before asking again for a database that is out of reach.
PATIENCE = 1.0
#: Tenths of seconds within which connections that were closed are gone.
GOING = 10
#: The connections of others of ours.
OTHERS = """SELECT 1 FROM pg_stat_activity
WHERE datname = current_database() AND application_name = 'brocante' AND pid <> pg_backend_pid()"""
#: A database that has vanished without a word is noticed within half a minute; the URL may say otherwise.
MANNERS = {
    "application_name": "brocante",
    "client_encoding": "UTF8",
    "options": "-c synchronous_commit=on",  # whatever the server's default: an acknowledged move is on the disk
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "20000",
}


class Note(msgspec.Struct, array_like=True):
    """What a process tells the others: who it is, and what it has appended or says."""

    process: str
    appended: list[tuple[str, int]]
    words: str = ""


class Postgres(Database):
    WORDS: ClassVar = {
        "integer": "BIGINT",
        "real": "DOUBLE PRECISION",
        "bytes": "BYTEA",
        "boolean": "BOOLEAN",
        "strict": "",
        "body has": "position({}::bytea IN body) > 0",
    }
    SHARED = True
    BEGIN = "BEGIN"
    BEGIN_MAKING = "BEGIN; SELECT pg_advisory_xact_lock(1112691523)"  # a number that only Brocante uses
    UNWRITABLE = (psycopg.DataError, psycopg.ProgrammingError, UnicodeError)

    def __init__(self, url: str) -> None:
        try:
            parts = conninfo_to_dict(url)
        except psycopg.Error as error:
            raise UsageError(Text("error.storage.postgres_url", problem=said(error))) from None
        self.name = f"postgresql://{parts.get('host', '')}/{parts.get('dbname', '')}"
        self._conninfo = make_conninfo("", **{**MANNERS, **parts})
        self._process = secrets.token_hex(8)
        self._listening: asyncio.Task[None] | None = None

    def connect(self) -> Connection:
        return cast("Connection", psycopg.connect(self._conninfo, autocommit=True, cursor_factory=RawCursor))

    def connect_to_read(self) -> Connection:
        try:
            connection = self.connect()
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            connection.execute(self.statement(schema.ASK_INSTALLATION), (SCHEMA,))
        except psycopg.Error as error:
            raise self.refusal(error) from error
        return connection

    def batches(self, connection: Connection, table: str) -> Iterator[tuple[list[str], list[Any]]]:
        with cast("psycopg.Connection[Any]", connection).cursor(name="brocante_batches") as cursor:
            cursor.execute(f"SELECT * FROM {table}".encode())
            while rows := cursor.fetchmany(BATCH):
                yield [column.name for column in cursor.description or ()], rows

    def is_in_use(self, connection: Connection) -> bool:
        for _ in range(GOING):
            if not connection.execute(OTHERS).fetchall():
                return False
            time.sleep(0.1)
        return True

    def problems(self, connection: Connection) -> Iterator[str]:
        """To be read is all that one can ask of it."""
        for table in schema.TABLES:
            try:
                connection.execute(f"SELECT COUNT(t.*::text) FROM {table} AS t").fetchall()
            except psycopg.Error as error:
                yield f"{table}: {said(error)}"
                return  # the transaction is over

    @staticmethod
    def placeholder(number: int) -> str:
        return f"${number}"

    def keep_others_out(self, connection: Connection) -> None:
        connection.execute("LOCK TABLE entry IN SHARE ROW EXCLUSIVE MODE")

    def tell(self, connection: Connection, appended: Sequence[tuple[str, int]]) -> None:
        for note in notes(self._process, appended):
            connection.execute(f"SELECT pg_notify('{CHANNEL}', $1)", (note,))

    def call(self, connection: Connection, words: str) -> None:
        note = msgspec.json.encode(Note(self._process, [], words)).decode()
        connection.execute(f"SELECT pg_notify('{CHANNEL}', $1)", (note,))

    def committed(self, connection: Connection, written: object) -> None:
        """PostgreSQL looks after its files by itself."""

    def forget(self, tables: object) -> None:
        """There is no witness."""

    def acknowledged(self, table: str) -> None:
        """There is no witness: PostgreSQL notices a damaged log by itself."""

    def has_learned(self, table: str) -> bool:
        return False

    def missing(self, connection: Connection) -> list[str]:
        return []

    @staticmethod
    def is_damage(error: BaseException | None) -> bool:
        return isinstance(error, psycopg.errors.DataCorrupted | psycopg.errors.IndexCorrupted)

    def tidy(self, connection: Connection) -> None:
        """PostgreSQL does it by itself."""

    def sizes(self, connection: Connection) -> Sizes:
        [(database,)] = connection.execute("SELECT pg_database_size(current_database())").fetchall()
        return Sizes(database)

    async def listen(self, heard: Heard, missed: Missed, called: Called) -> None:
        try:
            connection = await self._listening_connection()
        except psycopg.Error as error:
            raise StorageError from error
        self._listening = asyncio.create_task(self._hear(connection, heard, missed, called))

    async def stop_listening(self) -> None:
        if self._listening:
            self._listening.cancel()
            await asyncio.wait([self._listening])

    async def _hear(self, connection: AsyncConnection[Any], heard: Heard, missed: Missed, called: Called) -> None:
        """Listen for ever. The loop calls the callbacks, so that a failing one does not end the listening."""
        loop = asyncio.get_running_loop()
        while True:
            try:
                async for notify in connection.notifies():
                    self._pass_on(notify.payload, heard, missed, called)
            except Exception as error:  # the connection was lost
                log.warning("not listening", extra={"problem": said(error)})
            finally:
                await connection.close()
            connection = await self._reconnected()
            loop.call_soon(missed)

    def _pass_on(self, payload: str, heard: Heard, missed: Missed, called: Called) -> None:
        loop = asyncio.get_running_loop()
        try:
            note = msgspec.json.decode(payload, type=Note)
        except msgspec.DecodeError:  # not one of ours, but something may have happened
            loop.call_soon(missed)
            return
        if note.process != self._process:
            for table, number in note.appended:
                loop.call_soon(heard, table, number)
            if note.words:
                loop.call_soon(called, note.words)

    async def _reconnected(self) -> AsyncConnection[Any]:
        while True:
            try:
                return await self._listening_connection()
            except Exception:  # still lost
                await asyncio.sleep(PATIENCE)

    async def _listening_connection(self) -> AsyncConnection[Any]:
        connection = await AsyncConnection.connect(self._conninfo, autocommit=True)
        try:
            await connection.execute(f"LISTEN {CHANNEL}")
        except BaseException:
            await connection.close()
            raise
        return connection


def notes(process: str, appended: Sequence[tuple[str, int]]) -> Iterator[str]:
    """What to notify, in as many notes as it takes."""
    note = msgspec.json.encode(Note(process, list(appended)))
    if len(appended) > 1 and len(note) > LONGEST_NOTE:
        half = len(appended) // 2
        yield from notes(process, appended[:half])
        yield from notes(process, appended[half:])
    elif appended:
        yield note.decode()
