"""What is done from time to time: idle tables leave the memory, old ones are deleted, retired games are closed."""

import asyncio
import logging
import time

import msgspec

from brocante.engine.errors import BrocanteError
from brocante.games import GAMES
from brocante.games import box as find_box
from brocante.server.config import DAY
from brocante.server.rooms import Rooms
from brocante.server.timekeeping import Timekeeper

log = logging.getLogger("brocante.server")
#: Seconds between looks at tables that may leave the memory, and between looks for tables that are too old.
LOOK_EVERY, SWEEP_EVERY = 15.0, 3600.0
#: Seconds after which the listing of a table at which people wait says so again.
WAIT_EVERY = 300.0
#: Seconds after which a database file is looked over for damage: when all are back after a start, and then every day.
LOOK_OVER_AFTER, LOOK_OVER_EVERY = 300.0, DAY
#: Seconds between two tables that are checked after the rules have changed: moves come first.
NO_HURRY = 0.05


class Housekeeping:
    """Keeps the tables of a process in order."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._storage = rooms.storage
        self._timekeeper = Timekeeper(rooms)

    async def run(self) -> None:
        """Keep house until cancelled."""
        swept = 0.0
        while True:
            if time.monotonic() - swept > SWEEP_EVERY or not swept:
                swept = time.monotonic()
                await self._sweep()
            await asyncio.sleep(LOOK_EVERY)
            self.forget_idle()
            await self._timekeeper.look()
            self.stay_listed()

    async def _sweep(self) -> None:
        try:
            if count := await self.sweep():
                log.info("swept", extra={"tables": count})
        except BrocanteError as error:  # the database is away; there will be another time
            self._rooms.metrics.failed("sweep", error)

    async def sweep(self) -> int:
        """Delete old tables; how many. Nothing is old on the word of a clock alone: servers have really been running
        for so long."""
        now, config = self._rooms.stamp(), self._rooms.config
        keep = (("open", config.keep_open), ("playing", config.keep_playing), ("over", config.keep_over))
        swept = await self._storage.sweep(*((phase, now.earlier(days * DAY)) for phase, days in keep))
        for key in swept:
            if room := self._rooms.in_memory(key):
                self._rooms.forget(room)
        return len(swept)

    def forget_idle(self) -> None:
        """Drop tables from memory that nobody looks at and that have nothing to do."""
        since = time.monotonic() - self._rooms.config.idle
        for room in list(self._rooms):
            idle = not room.sessions and room.looked_at < since and not room.lock.locked()
            if idle and room.table.due() is None:
                self._rooms.forget(room)

    def stay_listed(self) -> None:
        """Note in the listing of tables at which people wait for others that they still do."""
        now = self._rooms.stamp()
        for room in self._rooms:
            waited_at = room.table.phase == "open" and any(session.viewer >= 0 for session in room.sessions)
            if waited_at and now.served > room.listed + WAIT_EVERY:
                room.listed = now.served
                self._rooms.background.start(self._storage.touch(room.id, now))

    async def look_for_damage(self) -> None:
        """Have the database look for damage in itself until cancelled. PostgreSQL's operators see to theirs."""
        await asyncio.sleep(LOOK_OVER_AFTER)
        while not self._storage.is_shared:
            try:
                await self._storage.look_for_damage()
            except BrocanteError as error:  # the database is away; there will be another time
                self._rooms.metrics.failed("looking for damage", error)
            await asyncio.sleep(LOOK_OVER_EVERY)

    async def close_retired_games(self) -> None:
        """When the rules have changed since the last time: record what was played by the old ones, and close what was
        under way, also at tables where nobody comes by."""
        rules = rules_of_all_games()
        try:
            if await self._storage.rules() != rules:
                await self._check_all_tables()
                await self._storage.note_rules(rules)
        except BrocanteError as error:  # the database is away; a table is checked when somebody comes to it
            self._rooms.metrics.failed("going over", error)

    async def _check_all_tables(self) -> None:
        for key in await self._storage.begun():
            try:
                await self._rooms.wake_if_outdated(key)
            except Exception as error:  # one table must not stop the others
                self._rooms.metrics.failed("going over", error)
            await asyncio.sleep(NO_HURRY)


def rules_of_all_games() -> bytes:
    """The edition and the version of every game, as the database notes them."""
    boxes = map(find_box, GAMES)
    return msgspec.json.encode({box.slug: [box.edition, box.version] for box in boxes})
