"""Processes without sockets, several in one, to have things happen in a given order."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from brocante.engine.text import language
from brocante.server.config import Config
from brocante.server.metrics import Metrics
from brocante.server.room import Room
from brocante.server.rooms import Rooms
from brocante.server.session import Session
from brocante.server.storage import Storage
from brocante.table import commands as c

Clock = Callable[[], float]
#: Seconds after which whoever is gone is missed.
GRACE = 0.05


@asynccontextmanager
async def running_rooms(
    database: str, *, deaf: bool = False, clock: Clock = time.time, steady: Clock = time.monotonic, **settings: Any
) -> AsyncIterator[Rooms]:
    """The tables of one process; a deaf one does not hear what others do."""
    storage = await Storage.open(database)
    config = Config(**{"database": database, "pace": 0.0, "grace": GRACE, "compile": False, **settings})
    rooms = Rooms(storage, config, Metrics(), clock, steady)
    try:
        if not deaf:
            await rooms.listen()
        yield rooms
    finally:
        rooms.close(0.0)
        await rooms.finish()
        await storage.close()


class Ear:
    """Somebody who listens to a table."""

    def __init__(self, who: str) -> None:
        self.heard: list[dict[str, Any]] = []
        self.session = Session(who, language("en"), "moves", self._hear, lambda: None)

    def _hear(self, message: bytes) -> None:
        self.heard.append(msgspec.json.decode(message))

    @property
    def events(self) -> list[dict[str, Any]]:
        return [event for message in self.heard for event in message.get("events", [])]


async def table_of(rooms: Rooms, *people: str) -> Room:
    """A table at which these people sit."""
    room = await rooms.open("collection", {"players": max(2, len(people))}, people[0])
    for who in people:
        await rooms.do(room, c.Sit(who), who)
    return room
