"""What is done from time to time: idle tables leave the memory, old ones are deleted, retired games are closed."""

import asyncio
import logging
import math
import sys
import time
from collections.abc import Callable

import msgspec

from brocante.engine.errors import BrocanteError
from brocante.games import GAMES
from brocante.games import box as find_box
from brocante.server.config import DAY
from brocante.server.rooms import Rooms

log = logging.getLogger("brocante.server")
#: Seconds between looks at tables that may leave the memory, and between looks for tables that are too old.
LOOK_EVERY, SWEEP_EVERY = 15.0, 3600.0
#: Seconds after which the listing of a table at which people wait says so again.
WAIT_EVERY = 300.0
#: Seconds between two notes of the service clock in the database.
KEEP_EVERY = 60.0
#: Seconds by which the clock on the wall must be set, or for which the machine must sleep, to be noticed.
NOTICED = 5.0
#: Seconds between two tables that are checked after the rules have changed: moves come first.
NO_HURRY = 0.05


def seconds_asleep() -> float:
    """For how long the machine has slept since it was started, as far as the system says."""
    if sys.platform != "linux":
        return 0.0
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)


class Housekeeping:
    """Keeps the tables of a process in order."""

    def __init__(self, rooms: Rooms, asleep: Callable[[], float] = seconds_asleep) -> None:
        self._rooms = rooms
        self._asleep = asleep
        self._slept = asleep()  # when last looked at
        self._storage = rooms.storage
        self._kept = rooms.service()  # when the service clock was last noted
        self._wall_ahead = self._ahead  # of the steady clock, when last looked at

    @property
    def _ahead(self) -> float:
        return self._rooms.clock() - self._rooms.steady()

    async def run(self) -> None:
        """Keep house until cancelled."""
        swept = 0.0
        while True:
            if time.monotonic() - swept > SWEEP_EVERY or not swept:
                swept = time.monotonic()
                await self._sweep()
            await asyncio.sleep(LOOK_EVERY)
            self.forget_idle()
            self.notice_sleep()
            self.notice_the_clock()
            self.stay_listed()
            await self._keep_time()

    async def _keep_time(self) -> None:
        if self._rooms.service() - self._kept < KEEP_EVERY:
            return
        self._kept = self._rooms.service()
        try:
            await self._rooms.service.keep()
        except BrocanteError as error:  # the database is away; nothing is lost but the time until it is back
            self._rooms.metrics.failed("service clock", error)

    def notice_sleep(self) -> None:
        """When the machine has slept, have all clients come back: clocks went on where they are, and not here; and who
        does not hear of it is gone."""
        before, self._slept = self._slept, self._asleep()
        if self._slept - before > NOTICED:
            log.info("slept", extra={"seconds": round(self._slept - before)})
            for room in self._rooms:
                for session in list(room.sessions):
                    session.hang_up("reload", 0.1)

    def notice_the_clock(self) -> None:
        """Say so when the clock on the wall was set, or the machine has slept; whoever waits goes on being listed."""
        was, self._wall_ahead = self._wall_ahead, self._ahead
        if abs(self._wall_ahead - was) > NOTICED:
            log.warning("clock set", extra={"seconds": round(self._wall_ahead - was)})
            for room in self._rooms:
                room.listed = -math.inf

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
