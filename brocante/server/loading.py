"""Tables on their way from the log into memory.

After a crash everyone comes back at once. Tables are then read ahead, and built one by one between the moves of those
who are back already: first those at which somebody waits to make their own move, then the others as they were asked
for.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from heapq import heappop, heappush

import msgspec

from brocante.server.http_errors import HttpRefused
from brocante.server.listings import summary_of
from brocante.server.room import Room
from brocante.server.storage import Entry, StoredTable
from brocante.table import facts as f

#: Tables that are read together, and how many may be read before they are built.
TOGETHER, READ_AHEAD = 50, 200


class Arrival:
    """A table that people have asked for, until it is in memory."""

    def __init__(self, number: int) -> None:
        self.number = number  # of those that were asked for
        self.people: set[str] = set()
        self.stored: asyncio.Future[StoredTable] = asyncio.get_running_loop().create_future()
        self.has_changed = False  # another process may have written since it was read
        self.room: asyncio.Task[Room]

    def is_urgent(self, stored: StoredTable) -> bool:
        """Whether one of these people is to move, by what the last entry says, or else by the listing."""
        listing = stored.listing
        if listing is None:
            return False
        asked = actor_after(stored.entries) or summary_of(listing).asked
        return any(who in self.people and seat in asked for who, seat in listing.seated)


class Loading:
    """Loads tables: `read` asks the database, `build` adds up what it has, and `wake` has the table act again."""

    def __init__(
        self,
        read: Callable[[Sequence[str]], Awaitable[Mapping[str, StoredTable | Exception]]],
        build: Callable[[str, StoredTable], Awaitable[Room]],
        wake: Callable[[Room, bool], Awaitable[None]],
    ) -> None:
        self._read, self._build, self._wake = read, build, wake
        self._arrivals: dict[str, Arrival] = {}
        self._unread: dict[str, Arrival] = {}
        self._arrived = 0
        self._ahead = asyncio.Semaphore(READ_AHEAD)
        self._reading: asyncio.Task[None] | None = None
        self._turns = Turns()

    def __contains__(self, key: str) -> bool:
        return key in self._arrivals

    @property
    def tasks(self) -> list[asyncio.Task[Room]]:
        return [arrival.room for arrival in self._arrivals.values()]

    async def find(self, key: str, who: str) -> Room:
        """The room of a table, once it is awake."""
        arrival = self._arrivals.get(key)
        if arrival is None:
            arrival = self._begin(key)
        arrival.people.add(who)
        return await asyncio.shield(arrival.room)

    def changed(self, key: str | None = None) -> None:
        """Another process has written an entry of a table, or any of all."""
        for arrival in [self._arrivals.get(key)] if key else self._arrivals.values():
            if arrival:
                arrival.has_changed = True

    def _begin(self, key: str) -> Arrival:
        self._arrived += 1
        arrival = self._arrivals[key] = self._unread[key] = Arrival(self._arrived)
        arrival.room = asyncio.ensure_future(self._load(key, arrival))
        arrival.room.add_done_callback(lambda _: self._arrivals.pop(key))
        if self._reading is None:
            self._reading = asyncio.ensure_future(self._read_on())
        return arrival

    async def _read_on(self) -> None:
        """Read all that were asked for, as far ahead as may be."""
        while self._unread:
            batch: dict[str, Arrival] = {}
            while self._unread and len(batch) < TOGETHER and not (batch and self._ahead.locked()):
                await self._ahead.acquire()
                key = next(iter(self._unread))
                batch[key] = self._unread.pop(key)
            await self._read_together(batch)
        self._reading = None

    async def _read_together(self, batch: dict[str, Arrival]) -> None:
        try:
            found = await self._read([*batch])
        except Exception as error:
            found = dict.fromkeys(batch, error)
        for key, arrival in batch.items():
            stored = found.get(key, HttpRefused(404, "no_table"))
            if isinstance(stored, Exception):
                arrival.stored.set_exception(stored)
            else:
                arrival.stored.set_result(stored)

    async def _load(self, key: str, arrival: Arrival) -> Room:
        try:
            stored = await arrival.stored
            await self._turns.wait((not arrival.is_urgent(stored), arrival.number))
            room = await self._build(key, stored)
        finally:
            self._ahead.release()
        await self._wake(room, arrival.has_changed)
        return room


def actor_after(entries: Sequence[Entry]) -> Sequence[int]:
    """Who is to move after the last move of the last entry, if that has one and can be read."""
    with suppress(msgspec.DecodeError):
        for fact in reversed(f.decode(entries[-1].body) if entries else []):
            if isinstance(fact, f.Moved):
                return fact.standing[:1]
    return ()


class Turns:
    """Lets those who wait go on one at a time, the lowest rank first; between them whatever else there is to do."""

    def __init__(self) -> None:
        self._waiting: list[tuple[tuple[bool, int], asyncio.Future[None]]] = []
        self._is_called = False

    async def wait(self, rank: tuple[bool, int]) -> None:
        """Wait for one's turn. No two have the same rank."""
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()
        heappush(self._waiting, (rank, turn))
        if not self._is_called:
            self._is_called = True
            loop.call_soon(self._next)
        await turn

    def _next(self) -> None:
        _, turn = heappop(self._waiting)
        if not turn.done():
            turn.set_result(None)
        self._is_called = bool(self._waiting)
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._next)
