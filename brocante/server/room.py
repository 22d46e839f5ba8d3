"""One table in memory, and the sessions of its clients."""

import asyncio
import time

from brocante.server.session import Session
from brocante.table import LiveTable


class Room:
    """A live table, how far its log was read, and who is connected to it."""

    def __init__(self, key: str, table: LiveTable, number: int, link: bytes) -> None:
        self.id = key  # which nobody can guess
        self.table = table
        self.number = number  # of the last entry of the log
        self.link = link  # the hash of that entry
        self.lock = asyncio.Lock()
        self.sessions: set[Session] = set()
        self.ours = True  # whether the last entry is from this process
        self.listed = 0.0  # when the listing was last written
        self.looked_at = time.monotonic()
        self.timer: asyncio.TimerHandle | None = None  # of the table's next tick
        self.leaving: dict[int, asyncio.TimerHandle] = {}  # seats whose connection is gone

    def is_present(self, seat: int) -> bool:
        return any(session.viewer == seat for session in self.sessions)

    def cancel_timers(self) -> None:
        for timer in [self.timer, *self.leaving.values()]:
            if timer:
                timer.cancel()
        self.timer, self.leaving = None, {}
