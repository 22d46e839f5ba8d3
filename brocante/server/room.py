"""One table in memory, and the sessions of its clients."""

import asyncio
import math
import time
from collections.abc import Callable

from brocante.server.session import Session
from brocante.table import LiveTable


class Room:
    """A live table, how far its log was read, and who is connected to it."""

    def __init__(
        self, key: str, table: LiveTable, number: int, link: bytes, steady: Callable[[], float] = time.monotonic
    ) -> None:
        self.id = key  # which nobody can guess
        self._steady = steady
        self.table = table
        self.number = number  # of the last entry of the log
        self.link = link  # the hash of that entry
        self.kept = 0  # the number of the entry after which its last snapshot was taken
        self.lock = asyncio.Lock()
        self.sessions: set[Session] = set()
        self.ours = True  # whether the last entry is from this process
        self.listed = -math.inf  # when the listing was last written, by the service clock
        self.looked_at = time.monotonic()
        self.timer: asyncio.TimerHandle | None = None  # of the table's next tick
        self.leaving: dict[int, asyncio.TimerHandle] = {}  # seats whose connection is gone
        self.go_on_from(table.since)

    @property
    def now(self) -> float:
        """The table's own time. It goes on from the last entry of the log, by a clock that never steps and stands still
        while the machine sleeps: what the clock on the wall says, here or where the entry was written, is all one."""
        return self._steady() - self._origin

    def go_on_from(self, then: float) -> None:
        """It is `then` now: when the log is read, and when another process has written in it."""
        self._origin = self._steady() - then

    def is_present(self, seat: int) -> bool:
        return any(session.viewer == seat for session in self.sessions)

    def cancel_timers(self) -> None:
        for timer in [self.timer, *self.leaving.values()]:
            if timer:
                timer.cancel()
        self.timer, self.leaving = None, {}
