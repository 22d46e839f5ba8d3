"""Looks at the clocks of a process from time to time: whether one was set, whether the machine has slept."""

import logging
import math
import sys
import time
from collections.abc import Callable

from brocante.engine.errors import BrocanteError
from brocante.server.rooms import Rooms

log = logging.getLogger("brocante.server")
#: Seconds between two notes of the service clock in the database.
KEEP_EVERY = 60.0
#: Seconds by which the clock on the wall must be set, or for which the machine must sleep, to be noticed.
NOTICED = 5.0


def seconds_asleep() -> float:
    """For how long the machine has slept since it was started, as far as the system says."""
    if sys.platform != "linux":
        return 0.0
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)


class Timekeeper:
    """What one process knows of its clocks."""

    def __init__(self, rooms: Rooms, asleep: Callable[[], float] = seconds_asleep) -> None:
        self._rooms = rooms
        self._asleep = asleep
        # When last looked at: how long the machine had slept, how far the clock on the wall was ahead, and what the
        # service clock said when it was noted.
        self._slept, self._ahead, self._kept = asleep(), self._ahead_now(), rooms.service()

    def _ahead_now(self) -> float:
        """How far the clock on the wall is ahead of the steady one, sleep left out."""
        return self._rooms.clock() - self._rooms.steady() - self._asleep()

    async def look(self) -> None:
        slept, self._slept = self._asleep() - self._slept, self._asleep()
        was_set, self._ahead = self._ahead_now() - self._ahead, self._ahead_now()
        if abs(was_set) > NOTICED:
            log.warning("clock set", extra={"seconds": round(was_set)})
        if slept > NOTICED:
            log.info("slept", extra={"seconds": round(slept)})
            self._call_everyone_back()
        if abs(was_set) > NOTICED or slept > NOTICED:
            for room in self._rooms:
                room.listed = -math.inf  # whoever waits goes on being listed
        await self._keep()

    def _call_everyone_back(self) -> None:
        """Clocks went on where the clients are, and not here; and of some the connection is gone."""
        for room in self._rooms:
            for session in list(room.sessions):
                session.hang_up("reload", 0.1)

    async def _keep(self) -> None:
        now = self._rooms.service()
        if now - self._kept >= KEEP_EVERY:
            self._kept = now
            try:
                await self._rooms.service.keep()
            except BrocanteError as error:  # the database is away; it will be noted another time
                self._rooms.metrics.failed("service clock", error)
