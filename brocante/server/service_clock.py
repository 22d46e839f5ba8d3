"""The service clock: how many seconds servers of a database have been running.

It never steps and never goes back, since it counts by the processes' steady clocks. Nothing is deleted, and nobody is
forgotten, on the word of the clock on the wall alone: that may be wrong by months for an hour.
"""

import time
from collections.abc import Callable

from brocante.server.storage import Storage


class ServiceClock:
    """The clock as one process has it. Processes that run at the same time follow the one that is ahead."""

    def __init__(self, storage: Storage, steady: Callable[[], float] = time.monotonic) -> None:
        self._storage = storage
        self._steady = steady
        self._origin = steady()

    def __call__(self) -> float:
        return self._steady() - self._origin

    async def keep(self) -> None:
        """Note in the database how late it is, and go on from there if another process has noted more."""
        kept = await self._storage.keep_served(self())
        self._origin = min(self._origin, self._steady() - kept)
