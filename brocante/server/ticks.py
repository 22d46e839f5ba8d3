"""Clock ticks: a table acts by itself when a bot is to move, a clock has run down or a window closes."""

import asyncio
from typing import TYPE_CHECKING

from brocante.server.room import Room
from brocante.table import commands as c

if TYPE_CHECKING:
    from brocante.server.rooms import Rooms

#: Seconds that a process waits longer if another made the last entry: usually that one acts first.
AFTER_YOU = 0.7


def schedule_tick(rooms: "Rooms", room: Room) -> None:
    """Set the timer of a table to when it must act next."""
    if room.timer:
        room.timer.cancel()
        room.timer = None
    due = room.table.due()
    if due is not None:
        wait = max(0.0, due - room.now) + (0.0 if room.ours else AFTER_YOU)
        room.timer = asyncio.get_running_loop().call_later(wait, ring, rooms, room)


def ring(rooms: "Rooms", room: Room) -> None:
    room.timer = None
    if rooms.is_current(room):
        rooms.background.start(tick_room(rooms, room))


async def tick_room(rooms: "Rooms", room: Room) -> None:
    """Let a table do what is due."""
    await rooms.do(room, c.Tick(), "")
    if room.timer is None:
        schedule_tick(rooms, room)
