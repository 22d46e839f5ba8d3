"""Whether another process watches the clocks of a table that is read here, and how late it is there.

Only whoever has a table in memory knows how long somebody has been thinking since the last entry of its log: the clocks
on the walls of two machines need not agree.
"""

import asyncio
from typing import TYPE_CHECKING

from brocante.server.room import Room
from brocante.table import LiveTable

if TYPE_CHECKING:
    from brocante.server.rooms import Rooms

#: What processes say to each other of the last entry of a table, and how many seconds an answer may take.
WHEN, AGO, ANSWERS_WITHIN = "when", "ago=", 0.5


class Watch:
    """Asks other processes, and answers them."""

    def __init__(self, rooms: "Rooms") -> None:
        self._rooms = rooms
        self._asked: dict[str, asyncio.Future[float]] = {}  # how many seconds ago the last entry of a table was

    async def goes_on_elsewhere(self, room: Room) -> bool:
        """Whether another process watches a table; from now on it is as late here as there."""
        if not (self._rooms.storage.is_shared and is_thinking(room.table)):
            return False
        answer = self._asked[room.id] = asyncio.get_running_loop().create_future()
        then = room.table.since
        try:
            await self._rooms.storage.call(f"{room.id} {room.number} {WHEN}")
            async with asyncio.timeout(ANSWERS_WITHIN):
                room.go_on_from(max(room.now, then + await answer))
        except TimeoutError:
            return False
        finally:
            del self._asked[room.id]
        return True

    def called(self, key: str, number: int, word: str) -> None:
        """Another process asks how late it is at a table, or says so."""
        room = self._rooms.awake(key)
        if word == WHEN and room and room.number == number:
            ago = room.now - room.table.since
            self._rooms.background.start(self._rooms.storage.call(f"{key} {number} {AGO}{ago:.3f}"))
        elif word.startswith(AGO) and (answer := self._asked.get(key)) and not answer.done():
            answer.set_result(float(word.removeprefix(AGO)))


def is_thinking(table: LiveTable) -> bool:
    """Whether the table waits for a person, and will act by itself when they are late."""
    return table.due() is not None and any(table.seats[seat].plays for seat in table.undecided)
