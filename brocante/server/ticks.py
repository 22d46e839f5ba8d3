"""Clock ticks: a table acts by itself when a bot is to move, a clock has run down or a window closes."""

import asyncio
from typing import TYPE_CHECKING

from brocante.server.room import Room
from brocante.table import commands as c

if TYPE_CHECKING:
    from brocante.server.rooms import Rooms

#: Seconds that a process waits longer if another made the last entry: usually that one acts first.
AFTER_YOU = 0.7


class Ticks:
    """The timers of the tables of a process."""

    def __init__(self, rooms: "Rooms") -> None:
        self._rooms = rooms

    def schedule(self, room: Room) -> None:
        """Set the timer of a table to when it must act next."""
        if room.timer:
            room.timer.cancel()
            room.timer = None
        due = room.table.due()
        if due is not None:
            wait = max(0.0, due - self._rooms.clock()) + (0.0 if room.ours else AFTER_YOU)
            room.timer = asyncio.get_running_loop().call_later(wait, self._ring, room)

    def _ring(self, room: Room) -> None:
        room.timer = None
        if self._rooms.is_current(room):
            self._rooms.background.start(self.tick(room))

    async def tick(self, room: Room) -> None:
        await self._rooms.do(room, c.Tick(), "")
        if room.timer is None:
            self.schedule(room)
