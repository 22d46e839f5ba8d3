"""Where the tables of a server are kept: an append-only log of entries for each, on SQLite or PostgreSQL.

When `append` returns True, the entry is on the disk. Many appends share one commit (see `threads`). The two dozen
statements (see `schema`) run as they are, over plain DB-API connections in a few threads: aiosqlite would change
threads for every statement, SQLAlchemy would add work to every row, and neither can commit for many at once.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from msgspec.structs import astuple

from brocante.engine.errors import UsageError
from brocante.engine.text import Text
from brocante.extras import needs
from brocante.server.storage import chain, installation, schema
from brocante.server.storage.chain import Damaged, Rewritten
from brocante.server.storage.database import Called, Connection, Database, Heard, Missed, Sizes, said
from brocante.server.storage.operating import BanRow, DoneAct, Operating
from brocante.server.storage.schema import Entry, Listing, Snapshot, Stamp, StoredTable
from brocante.server.storage.sqlite import SQLite
from brocante.server.storage.threads import (
    Answer,
    Append,
    Gatherer,
    Job,
    Query,
    Reader,
    StorageError,
    Writer,
    at_leisure,
)
from brocante.server.storage.witness import Tip

__all__ = [
    "BanRow",
    "Damaged",
    "DoneAct",
    "Entry",
    "Listing",
    "Rewritten",
    "Sizes",
    "Snapshot",
    "Stamp",
    "Storage",
    "StorageError",
    "StoredTable",
]

log = logging.getLogger("brocante.server")

READERS = 2
#: Tables deleted in one transaction, for which moves must wait.
SWEPT_AT_ONCE = 50
#: Seconds for which it is taken for granted that what could be written to still can.
TRUSTED = 5.0
#: Seconds after which a database that has not answered counts as one that does not.
PATIENCE = 10.0
#: Bytes that are written to try whether that is possible; and at first, and after something could not be written, more
#: than moves take: those that failed have left some room at the end of the log, in which a little can still be written.
LITTLE, MUCH = 8, 2**18
#: The times of a table that was never touched.
NEVER = Stamp(0.0, 0.0)


class Storage(Operating):
    """A process's only access to the database; for the event loop in which it was opened."""

    def __init__(self, database: Database, *, tidying: bool = True) -> None:
        self._database = database
        self._loop = asyncio.get_running_loop()
        self._queries: SimpleQueue[Query | None] = SimpleQueue()
        self._readers = [Reader(self._queries, database, self._loop) for _ in range(READERS)]
        self._writer = Writer(database, self._loop, tidying=tidying)
        self._gatherer = Gatherer(self._writer, self._loop)
        self._closed = False
        self.damaged: set[str] = set()  # tables whose logs were found not to be as they were written
        self.is_broken = False  # whether the database itself has said that it is damaged
        self._on_their_way: dict[asyncio.Future[bool], float] = {}  # appends, the oldest first, and since when
        self.timed: Callable[[float], None] = lambda seconds: None  # called with how long an append took

    @staticmethod
    async def open(url: str | Path, *, tidying: bool = True) -> "Storage":
        """Open a database, and create it if need be: a file, `sqlite:///file` or `postgresql://…`.

        As elsewhere, `sqlite:///games.db` is a file in the current folder, and `sqlite:////srv/games.db` one anywhere.
        Servers tidy up; whoever works beside them leaves it to them.
        """
        database = database_at(url)
        await asyncio.to_thread(database.make_schema)
        storage = Storage(database, tidying=tidying)
        storage.damaged.update(await storage._ask(storage._queries, database.missing))
        if storage.damaged:
            log.critical("acknowledged entries are missing", extra={"tables": len(storage.damaged)})
        return storage

    async def append(
        self,
        table: str,
        number: int,
        at: float,
        body: bytes,
        listing: Listing | None = None,
        link: bytes = b"",
        table_time: float | None = None,
    ) -> bool:
        """Write a table's next entry, and with it how the table is listed from now on. True: both are on the disk.

        `link` is the entry's hash (see `chain`); without one, the next entry that has one vouches for it. `at` is the
        time of day; `table_time` is the table's own, if that is another.

        False: the number is not the table's next one (another process was faster, or the table was swept), and nothing
        was changed. StorageError: the entry may be there or not; the log will tell.
        """
        self._check_open()
        future: asyncio.Future[bool] = self._loop.create_future()
        self._on_their_way[future] = began = time.monotonic()
        own_time = at if table_time is None else table_time
        self._gatherer.add(Append(table, number, at, body, link, own_time, listing, future))
        try:
            appended = await self._answered(future)
        finally:
            del self._on_their_way[future]
        self.timed(time.monotonic() - began)
        return appended

    async def stored(self, tables: Iterable[str], version: str = "") -> dict[str, StoredTable | Damaged]:
        """What there is of some tables, with their snapshots of a version; nothing of those that are not there. Read
        together, since many come back together."""
        found = await self._ask(self._queries, partial(self._stored, tables, version))
        for damage in found.values():
            if isinstance(damage, Damaged):
                self.found(damage)
        return found

    def _stored(self, tables: Iterable[str], version: str, connection: Connection) -> dict[str, StoredTable | Damaged]:
        found = {table: self._stored_table(table, version, connection) for table in tables}
        return {table: stored for table, stored in found.items() if stored}

    def _stored_table(self, table: str, version: str, connection: Connection) -> StoredTable | Damaged | None:
        def read(template: str, *values: Any) -> list[Any]:
            return connection.execute(self._database.statement(template), values).fetchall()

        tip = self._database.acknowledged(table)  # before reading: meanwhile there may be more
        try:
            found = stored_table(read, table, version, tip)
        except Exception as error:
            if not self._database.is_damage(error):
                raise
            self._note_broken(said(error))
            return Damaged(table, [], 1)  # others may be whole
        is_news = isinstance(found, Damaged) and table not in self.damaged
        if is_news and self._database.has_learned(table):
            return self._stored_table(table, version, connection)
        return found

    async def entries(self, table: str, after: int = 0, link: bytes = b"") -> list[Entry]:
        """What happened at a table, in order, after the entry of that number and hash, or from the beginning. Damaged,
        if it is not as it was written; Rewritten, if it is, but the hash is none of its."""
        tip = self._database.acknowledged(table)  # before reading: meanwhile there may be more
        try:
            rows = await self._rows(schema.ENTRIES, table, after)
        except StorageError as error:
            if self._database.is_damage(error.__cause__):
                raise self.found(Damaged(table, [], after + 1)) from error
            raise
        try:
            entries = chain.checked(table, rows, after, link if after else chain.beginning(table))
            check_reaches(tip, table, entries, after)
        except Damaged as damage:
            if chain.REWRITTEN in [body for _, _, body, *_ in rows] and after and await self.entries(table):
                raise Rewritten from None  # all of it was looked at, and holds
            if table not in self.damaged and await asyncio.to_thread(self._database.has_learned, table):
                return await self.entries(table, after, link)
            raise self.found(damage) from None
        return entries

    async def look_for_damage(self) -> None:
        """Have a database that is a file go over itself: what is wrong with an index can make the end of a table vanish
        without a word."""
        began = time.monotonic()
        for problem in await at_leisure(self._problems):
            self._note_broken(problem)
        log.info("looked for damage", extra={"seconds": round(time.monotonic() - began, 1)})

    def _problems(self) -> list[str]:
        with closing(self._database.connect()) as connection:
            return [*self._database.problems(connection)]

    def found(self, damage: Damaged) -> Damaged:
        """Note that a table's log is damaged, for the operator."""
        if damage.table not in self.damaged:
            self.damaged.add(damage.table)
            log.error("damaged", extra={"table": damage.table[:6], "entry": damage.entry})
        return damage

    async def keep_snapshots(self, version: str, snapshots: Iterable[tuple[str, Snapshot]]) -> None:
        """Keep snapshots of tables for programs of a version; an older one does not replace a newer one."""
        statement = self._database.statement(schema.KEEP_SNAPSHOT)

        def keep(connection: Connection) -> None:
            for table, snapshot in snapshots:
                connection.execute(statement, (table, version, *astuple(snapshot)))

        await self._write(keep)

    async def has(self, table: str) -> bool:
        """Whether anything is kept of a table."""
        return bool(await self._rows(schema.HAS_TABLE, table, table))

    async def listing(self, table: str) -> Listing | None:
        """How a table is listed, but not who sits there."""
        rows = await self._rows(schema.LISTING, table)
        return schema.listing_from_row(rows[0]) if rows else None

    async def listings(self, *, phase: str | None = None, attended: Stamp = NEVER, limit: int = 100) -> list[Listing]:
        """The public tables: everyone's latest before anyone's second, and among those the one opened last first. Of
        those where nothing was dealt yet, only the ones that were touched since `attended`, by both clocks."""
        if phase:
            rows = await self._rows(schema.LISTINGS_OF_PHASE, *attended, phase, limit)
        else:
            rows = await self._rows(schema.LISTINGS, *attended, limit)
        return [schema.listing_from_row(row) for row in rows]

    async def own(self, identity: str, limit: int = 50) -> list[tuple[Listing, int | None]]:
        """The tables that somebody sits at or has opened, private or not, the one touched last first; and their seat
        there."""
        rows = await self._rows(schema.OWN, identity, identity, identity, limit)
        return [(schema.listing_from_row(row[:-1]), row[-1]) for row in rows]

    async def begun(self) -> list[str]:
        """All tables at which a game was ever dealt."""
        return [table for (table,) in await self._rows(schema.BEGUN)]

    async def rules(self) -> bytes:
        """The rules by which all tables were last checked; nothing if they never were."""
        return await self._noted(installation.RULES)

    async def note_rules(self, rules: bytes) -> None:
        """Note that all tables were checked by these rules."""
        await self._execute(schema.TELL_INSTALLATION_ANEW, installation.RULES, rules)

    async def keep_served(self, seconds: float) -> float:
        """Note for how long servers have been running, unless a longer time is noted; returns which is."""
        return await self._write(partial(self._keep_served, seconds))

    async def touch(self, table: str, when: Stamp) -> None:
        """Note that somebody is at a table, although nothing has happened."""
        await self._execute(schema.TOUCH, *when, table)

    async def of_host(self, host: str) -> int:
        """How many tables that are not over this identity has opened."""
        return int((await self._rows(schema.OF_HOST, host))[0][0])

    async def of_opener(self, opener: str, since: Stamp) -> tuple[int, int]:
        """How many tables were opened from there since then, and how many of those are not over."""
        [(opened, unfinished)] = await self._rows(schema.OF_OPENER, opener, *since)
        return int(opened), int(unfinished)

    async def sweep(self, *phases: tuple[str, Stamp]) -> list[str]:
        """Delete the tables of each phase that were last touched before its time, by both clocks; returns which."""
        swept: list[str] = []
        for phase, before in phases:
            while some := await self._write(partial(self._sweep, phase, before)):
                swept += some
        return swept

    async def forget_identity(self, identity: str) -> None:
        """Forget an identity: its token is worth nothing from now on."""
        await self._execute(schema.FORGET, identity)

    async def is_forgotten(self, identity: str) -> bool:
        return bool(await self._rows(schema.FORGOTTEN, identity))

    async def secret(self) -> bytes:
        """The signing key of this installation, the same for all its processes. With another, everyone would lose who
        they are: a UsageError, if it is damaged."""
        secret, checksum = await self._write(self._secret)
        if installation.checksum(secret) != checksum:
            raise UsageError(Text("error.storage.secret", database=self._database.name))
        return secret

    async def listen(self, heard: Heard, missed: Missed, called: Called = lambda words: None) -> None:
        """From now on, call `heard(table, number)` for what another process appends, `called(words)` for what it says.

        `missed()` means that the database was out of reach and is back: anything may have happened. On SQLite there
        are no other processes.
        """
        await self._database.listen(heard, missed, called)

    @property
    def is_shared(self) -> bool:
        """Whether there may be other processes."""
        return self._database.SHARED

    async def call(self, words: str) -> None:
        """Say something to the other processes that listen now."""
        await self._write(lambda connection: self._database.call(connection, words))

    async def ping(self) -> None:
        """Raise a StorageError if the database does not answer in time, or nothing can be written to it."""
        try:
            async with asyncio.timeout(PATIENCE):
                await self._noted(installation.SCHEMA)
                await self._probe()
        except TimeoutError as error:
            raise StorageError from error

    async def _probe(self) -> None:
        """Write something, unless something was just written. It is another each time: SQLite does not write what is
        there already."""
        writer, statement = self._writer, self._database.statement(schema.TELL_INSTALLATION_ANEW)
        is_due = not writer.is_sure or time.monotonic() > writer.wrote_at + TRUSTED
        anything = secrets.token_bytes(LITTLE if writer.is_sure else MUCH)
        await self._write(lambda connection: is_due and connection.execute(statement, (installation.PROBE, anything)))
        if is_due:
            writer.is_sure, writer.wrote_at = True, time.monotonic()

    async def close(self) -> None:
        """Wait for what is being written, and disconnect."""
        if self._closed:
            return
        self._closed = True
        await self._database.stop_listening()
        self._gatherer.empty()
        self._writer.queue.put(None)
        for _ in self._readers:
            self._queries.put(None)
        await asyncio.gather(self._writer.ended, *(reader.ended for reader in self._readers))

    async def sizes(self) -> Sizes:
        """How large the database is, and what room it has left."""
        return await self._ask(self._queries, self._database.sizes)

    @property
    def oldest_append(self) -> float:
        """For how many seconds the oldest append that waits has waited."""
        return time.monotonic() - began if (began := next(iter(self._on_their_way.values()), 0.0)) else 0.0

    @property
    def batches(self) -> int:
        """How many transactions the appends took so far."""
        return self._writer.batches

    @property
    def appended(self) -> int:
        return self._writer.appended

    async def _rows(self, template: str, *values: Any) -> list[Any]:
        statement = self._database.statement(template)
        return await self._ask(self._queries, lambda connection: connection.execute(statement, values).fetchall())

    async def _execute(self, template: str, *values: Any) -> None:
        statement = self._database.statement(template)
        await self._write(lambda connection: connection.execute(statement, values))

    async def _noted(self, name: str) -> bytes:
        return await self._ask(self._queries, lambda connection: self._database.noted(connection, name))

    async def _write(self, job: Job[Answer]) -> Answer:
        return await self._ask(self._writer.queue, job)

    async def _ask(self, queue: SimpleQueue[Any], job: Job[Answer]) -> Answer:
        self._check_open()
        future: asyncio.Future[Answer] = self._loop.create_future()
        queue.put(Query(job, future))
        return await self._answered(future)

    async def _answered(self, future: asyncio.Future[Answer]) -> Answer:
        try:
            return await future
        except StorageError as error:
            if self._database.is_damage(error.__cause__):
                self._note_broken(error.problem)
            raise

    def _note_broken(self, problem: str) -> None:
        if not self.is_broken:
            self.is_broken = True
            log.critical("the database is damaged", extra={"problem": problem})

    def _check_open(self) -> None:
        if self._closed:
            raise StorageError

    def _sweep(self, phase: str, before: Stamp, connection: Connection) -> list[str]:
        self._database.keep_others_out(connection)  # or an entry that comes meanwhile would be left over
        untouched = self._database.statement(schema.UNTOUCHED)
        tables = [table for (table,) in connection.execute(untouched, (phase, *before, SWEPT_AT_ONCE)).fetchall()]
        self._database.forget(tables)
        for table in tables:
            for template in schema.DELETE:
                connection.execute(self._database.statement(template), (table,))
        return tables

    def _keep_served(self, seconds: float, connection: Connection) -> float:
        """Where it is damaged, it was not earlier than a table was touched."""
        tell, noted = self._database.statement, self._database.noted
        connection.execute(tell(schema.TELL_INSTALLATION_MORE), (installation.SERVED, installation.seconds(seconds)))
        if not installation.is_seconds(kept := noted(connection, installation.SERVED)):
            log.error("the service clock is damaged", extra={"noted": kept})
            [(latest,)] = connection.execute(tell(schema.LAST_SERVED), (installation.CENTURY,)).fetchall()
            kept = installation.seconds(max(seconds, latest))
            connection.execute(tell(schema.TELL_INSTALLATION_ANEW), (installation.SERVED, kept))
        return float(kept)

    def _secret(self, connection: Connection) -> tuple[bytes, bytes]:
        """It, and its checksum. What is there with a checksum is not made anew, whatever has become of it."""
        tell, noted = self._database.statement(schema.TELL_INSTALLATION), self._database.noted
        if not noted(connection, installation.CHECKSUM):
            connection.execute(tell, (installation.SECRET, secrets.token_bytes(installation.SECRET_BYTES)))
            checksum = installation.checksum(noted(connection, installation.SECRET))
            connection.execute(tell, (installation.CHECKSUM, checksum))
        return noted(connection, installation.SECRET), noted(connection, installation.CHECKSUM)


def stored_table(
    read: Callable[..., list[Any]], table: str, version: str, tip: Tip | None
) -> StoredTable | Damaged | None:
    """All that there is of a table. If its log does not follow from the snapshot, that is left out."""
    # In this order: a later snapshot, or entry, than what is read first does no harm.
    [(reached,)] = read(schema.REACHED, table)
    snapshot = next((Snapshot(*row) for row in read(schema.SNAPSHOT, table, version)), None)
    number, link = (snapshot.number, snapshot.hash) if snapshot else (0, chain.beginning(table))
    rows, listed = read(schema.ENTRIES, table, number), read(schema.LISTING, table)
    listing = schema.listing_from_row(listed[0], read(schema.SEATED, table)) if listed else None
    try:
        entries = chain.checked(table, rows, number, link)
        check_reaches(tip, table, entries, number)
        if (entries or snapshot) and reached > number + len(entries):
            raise Damaged(table, entries, number + len(entries) + 1)
    except Damaged as damage:
        return stored_table(read, table, "", tip) if snapshot else damage
    if entries or snapshot:
        return StoredTable(listing, snapshot, entries)
    return Damaged(table, [], 1) if listing else None


def check_reaches(tip: Tip | None, table: str, entries: list[Entry], after: int) -> None:
    """Damaged, if neither these entries nor those before them contain the one that was acknowledged last."""
    last = after + len(entries)
    if tip and tip.number > last:
        raise Damaged(table, entries, last + 1)
    if tip and tip.number > after and entries[tip.number - after - 1].hash != tip.hash:
        raise Damaged(table, entries[: tip.number - after - 1], tip.number)


def database_at(url: str | Path) -> Database:
    scheme, separator, rest = str(url).partition("://")
    if not separator:
        return SQLite(Path(url))
    if scheme == "sqlite" and len(rest) > 1 and rest.startswith("/"):
        return SQLite(Path(rest[1:]))
    if scheme in ("postgresql", "postgres"):
        with needs("postgres"):
            from brocante.server.storage.postgres import Postgres

        return Postgres(str(url))
    raise UsageError(Text("error.storage.url", url=f"{scheme}://…"))  # the rest may hold a password
