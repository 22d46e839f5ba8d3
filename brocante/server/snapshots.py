"""Snapshots of the tables in memory, so that none has to be rebuilt from far back, and a crash is soon over.

A snapshot costs as much as a move or two. So they are taken a few at a time and written in one transaction, and all of
them together may take only a small share of the time: the busier the server, the longer they wait.
"""

import asyncio
import time
from typing import NamedTuple

from brocante.server.background import Background
from brocante.server.room import Room
from brocante.server.storage import Snapshot, Storage
from brocante.table.snapshot import snapshot_version, take_snapshot

#: Entries since its last snapshot after which a table gets another.
SNAPSHOT_EVERY = 20
#: Snapshots that are taken and written together.
TOGETHER = 20
#: The share of the time that they may take.
SHARE = 0.03


class Taken(NamedTuple):
    room: Room
    snapshot: Snapshot


class Snapshots:
    """The tables that are to have a snapshot, in the order in which it was due."""

    def __init__(self, storage: Storage, background: Background) -> None:
        self._storage = storage
        self._background = background
        self._due: dict[Room, None] = {}
        self._is_working = False

    def note(self, room: Room) -> None:
        """Something has happened at a table, or it was loaded."""
        if room.number - room.kept >= SNAPSHOT_EVERY and room.table.retired is None:
            self._due[room] = None
            if not self._is_working:
                self._is_working = True
                self._background.start(self._work())

    def forget(self, room: Room) -> None:
        """A table leaves the memory."""
        self._due.pop(room, None)

    async def keep_all(self, rooms: list[Room], seconds: float) -> None:
        """Keep a snapshot of every table that has gone on since its last, as far as there is time: the server stops."""
        self._due = {room: None for room in rooms if room.number > room.kept and room.table.retired is None}
        until = time.monotonic() + seconds
        while self._due and time.monotonic() < until:
            await self._keep(self._taken()[0])

    async def _work(self) -> None:
        try:
            while self._due:
                taken, seconds = self._taken()
                await self._keep(taken)
                await asyncio.sleep(seconds / SHARE)
        finally:
            self._is_working = False

    def _taken(self) -> tuple[list[Taken], float]:
        """Some snapshots, and how many seconds they took."""
        began = time.thread_time()
        rooms = [*self._due][:TOGETHER]
        for room in rooms:
            del self._due[room]
        taken = [Taken(room, Snapshot(room.number, room.link, take_snapshot(room.table))) for room in rooms]
        return taken, time.thread_time() - began

    async def _keep(self, taken: list[Taken]) -> None:
        await self._storage.keep_snapshots(snapshot_version(), [(room.id, snapshot) for room, snapshot in taken])
        for room, snapshot in taken:
            room.kept = snapshot.number
