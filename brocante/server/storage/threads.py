"""The threads that use the database, so that the event loop never waits for it.

All appends go through one thread. It writes everything that is waiting in one transaction (a *group commit*): the
busier the server, the more moves share one wait for the disk. The outcome of a batch goes back to the event loop in one
call.
"""

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from operator import attrgetter
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import astuple

from brocante.engine.errors import BrocanteError
from brocante.engine.text import Text
from brocante.server.storage import schema
from brocante.server.storage.database import Connection, Database, said
from brocante.server.storage.schema import Listing

#: Entries in one transaction at most: the number of placeholders is limited.
LARGEST_BATCH = 1000
#: From so many entries a second on, a batch waits so many seconds for more: a commit costs as much as several entries.
BUSY, GATHERING = 150, 0.004
TABLE = attrgetter("table")
#: The priority of what may wait.
LOWEST = 19

Answer = TypeVar("Answer")
Job = Callable[[Connection], Answer]


class StorageError(BrocanteError):
    """The database has failed, or may have; the cause says why."""

    def __init__(self) -> None:
        super().__init__(Text("error.storage.failed"))

    @property
    def problem(self) -> str:
        """What the database itself says, for the operator."""
        return said(self.__cause__) if isinstance(self.__cause__, Exception) else str(self)


class Append(NamedTuple):
    table: str
    number: int
    at: float
    body: bytes
    link: bytes
    table_time: float
    listing: Listing | None
    future: asyncio.Future[bool]


class Query(NamedTuple):
    job: Job[Any]
    future: asyncio.Future[Any]


class Worker:
    """A thread with its own connection, which it renews when it is lost."""

    def __init__(self, name: str, database: Database, loop: asyncio.AbstractEventLoop) -> None:
        self._database = database
        self._loop = loop
        self._connection: Connection | None = None
        self.ended = loop.create_future()
        # A daemon: work whose outcome nobody was told need not be finished before the program ends.
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def _run(self) -> None:
        self._work()
        self._disconnect()
        self._resolve([(self.ended, None)])

    def _work(self) -> None:
        raise NotImplementedError

    def _connected(self) -> Connection:
        if self._connection is None:
            self._connection = self._database.connect()
        return self._connection

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):  # the connection is useless anyway
                connection.close()

    def _resolve(self, outcomes: list[tuple[asyncio.Future[Any], Any]]) -> None:
        with suppress(RuntimeError):  # the loop was closed: nobody waits
            self._loop.call_soon_threadsafe(resolve, outcomes)


def resolve(outcomes: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, outcome in outcomes:
        if future.done():  # whoever waited was cancelled
            continue
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)


def failed(error: Exception) -> StorageError:
    failure = StorageError()
    failure.__cause__ = error
    return failure


def at_leisure(job: Callable[[], Answer]) -> asyncio.Future[Answer]:
    """Have a job done in a thread of its own that lets everybody else go first."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Answer] = loop.create_future()

    def run() -> None:
        if sys.platform == "linux":  # elsewhere a thread has no number for that
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOWEST)
        try:
            outcome: Any = job()
        except Exception as error:
            outcome = failed(error)
        with suppress(RuntimeError):  # the loop was closed: nobody waits
            loop.call_soon_threadsafe(resolve, [(future, outcome)])

    threading.Thread(target=run, name="brocante-at-leisure", daemon=True).start()
    return future


class Reader(Worker):
    """Runs queries one by one. Several readers may share one queue."""

    def __init__(self, queue: SimpleQueue[Query | None], database: Database, loop: asyncio.AbstractEventLoop) -> None:
        self._queue = queue
        super().__init__("brocante-reader", database, loop)

    def _work(self) -> None:
        while query := self._queue.get():
            self._resolve([(query.future, self._answer(query.job))])

    def _answer(self, job: Job[Any]) -> Any:
        was_connected = self._connection is not None
        try:
            return job(self._connected())
        except Exception as error:
            self._disconnect()
            if was_connected:  # the connection may have been lost long ago; reading twice does no harm
                return self._answer(job)
            return failed(error)


class Gatherer:
    """Entries on their way to the writer, in the event loop.

    They are handed over together, and the next ones once those are on the disk. The writer is woken once for a batch:
    threads that wake each other for every entry fight over the interpreter. The busier the server, the more entries
    share a batch.
    """

    def __init__(self, writer: "Writer", loop: asyncio.AbstractEventLoop) -> None:
        self._writer = writer
        self._loop = loop
        self._waiting: list[Append] = []
        self._under_way = 0  # entries that the writer has
        self._called = False  # whether handing over is to come
        self._handed_over, self._is_busy = -1.0, False  # when that was done last, and whether much was waiting by then

    def add(self, append: Append) -> None:
        self._waiting.append(append)
        if not self._under_way:
            self._call()

    def _call(self) -> None:
        """Hand over soon: at once, or when more have come."""
        if self._called:
            return
        self._called = True
        wait = self._handed_over + GATHERING - self._loop.time()
        if self._is_busy and wait > 0:
            self._loop.call_later(wait, self.hand_over)
        else:
            self._loop.call_soon(self.hand_over)

    def hand_over(self) -> None:
        """Hand over all that is waiting, but a table's second entry only after its first."""
        self._called = False
        batch: dict[str, Append] = {}
        later = []
        for append in self._waiting:
            if append.table in batch or len(batch) == LARGEST_BATCH:
                later.append(append)
            else:
                batch[append.table] = append
        self._waiting, self._under_way = later, len(batch)
        if batch:
            self._note_rate(len(batch))
            batch[next(iter(batch))].future.add_done_callback(self._written)
            # Always in this order, so that two processes do not wait for each other's entries.
            self._writer.queue.put(sorted(batch.values(), key=TABLE))

    def _note_rate(self, entries: int) -> None:
        now = self._loop.time()
        self._is_busy = entries > BUSY * (now - self._handed_over)
        self._handed_over = now

    def _written(self, _: object) -> None:
        self._under_way = 0
        if self._waiting:
            self._call()

    def empty(self) -> None:
        """Hand everything over."""
        while self._waiting:
            self.hand_over()


class Writer(Worker):
    """Writes batches of entries, and runs jobs that write."""

    def __init__(self, database: Database, loop: asyncio.AbstractEventLoop, *, tidying: bool) -> None:
        self.queue: SimpleQueue[list[Append] | Query | None] = SimpleQueue()
        self._tidying = tidying
        self.batches = 0
        self.appended = 0
        self.wrote_at = 0.0  # when entries were last written
        self.is_sure = False  # whether it was seen that much can be written, and nothing has failed since
        super().__init__("brocante-writer", database, loop)

    def _work(self) -> None:
        while (item := self.queue.get()) is not None:
            outcomes = [(item.future, self._done(item.job))] if isinstance(item, Query) else self._appended(item)
            if isinstance(outcomes[0][1], StorageError):
                self.is_sure = False
            elif not isinstance(item, Query):
                self.wrote_at = time.monotonic()
            self._resolve(outcomes)
            self._tidy()

    def _tidy(self) -> None:
        try:
            if self._tidying and self._connection is not None:
                self._database.tidy(self._connection)
        except Exception:  # if it matters, the next transaction will fail too
            self._disconnect()

    def _appended(self, batch: list[Append]) -> list[tuple[asyncio.Future[Any], Any]]:
        try:
            taken = self._write(batch)
        except Exception as error:
            self._disconnect()
            if len(batch) > 1 and isinstance(
                error, self._database.UNWRITABLE
            ):  # one bad entry must not harm the others
                return [outcome for append in batch for outcome in self._appended([append])]
            return [(append.future, failed(error)) for append in batch]
        self.batches += 1
        self.appended += len(taken)
        return [(append.future, append.table in taken) for append in batch]

    def _write(self, batch: list[Append]) -> set[str]:
        """Write a batch; returns the tables whose entry was taken. The numbers of the others were not the next ones."""
        connection, database = self._begun(), self._database
        values = [value for append in batch for value in append[:6]]
        rows = connection.execute(database.statement(schema.APPEND, schema.ENTRY_ROW, len(batch)), values)
        taken = {table for (table,) in rows.fetchall()}
        listed = [append.listing for append in batch if append.listing is not None and append.table in taken]
        if listed:
            self._list(connection, listed)
        database.tell(connection, [(append.table, append.number) for append in batch if append.table in taken])
        connection.execute("COMMIT")
        written = [(append.table, append.number, append.link) for append in batch if append.table in taken]
        database.committed(connection, written)
        return taken

    def _begun(self) -> Connection:
        connection = self._connected()
        self._database.begin(connection)
        return connection

    def _list(self, connection: Connection, listed: list[Listing]) -> None:
        statement = self._database.statement
        values = [value for listing in listed for value in astuple(listing)[:-1]]
        connection.execute(statement(schema.LIST, schema.LISTING_ROW, len(listed)), values)
        tables = [listing.table for listing in listed]
        connection.execute(statement(schema.GET_UP, schema.GET_UP_ROW, len(tables)), tables)
        seated = [(who, listing.table, seat) for listing in listed for who, seat in listing.seated]
        if seated:
            values = [value for row in seated for value in row]
            connection.execute(statement(schema.SIT, schema.SIT_ROW, len(seated)), values)

    def _done(self, job: Job[Any]) -> Any:
        try:
            connection = self._begun()
            result = job(connection)
            connection.execute("COMMIT")
            self._database.committed(connection, [])
        except Exception as error:
            self._disconnect()
            return failed(error)
        return result
