"""Presence: which players are connected, and when one who is not is declared away.

A player may be connected to another process of the same server, so processes ask each other before they do.
"""

import asyncio
from typing import TYPE_CHECKING

from brocante.server.room import Room
from brocante.table import commands as c

if TYPE_CHECKING:
    from brocante.server.rooms import Rooms

#: What processes say to each other of a seat, and how many seconds an answer may take.
WHERE, HERE, ANSWERS_WITHIN = "where", "here", 0.5
#: What they say of an identity that was deleted.
FORGOTTEN = "forgotten"


class Presence:
    """Who is connected to the tables of a process."""

    def __init__(self, rooms: "Rooms") -> None:
        self._rooms = rooms

    def arrived(self, room: Room, seat: int) -> None:
        """A player is connected: nobody waits for them any more."""
        if timer := room.leaving.pop(seat, None):
            timer.cancel()

    def departed(self, room: Room, seat: int) -> None:
        """A player may be gone: unless they are connected, they have a while to come back."""
        if not room.is_present(seat) and room.table.phase != "open":
            self.arrived(room, seat)
            loop = asyncio.get_running_loop()
            room.leaving[seat] = loop.call_later(self._rooms.config.grace, self._ask_others, room, seat)

    def _ask_others(self, room: Room, seat: int) -> None:
        loop = asyncio.get_running_loop()
        room.leaving[seat] = loop.call_later(ANSWERS_WITHIN, self._declare_away, room, seat)
        self._call(room.id, seat, WHERE)

    def _declare_away(self, room: Room, seat: int) -> None:
        room.leaving.pop(seat, None)
        if not room.is_present(seat):
            self._rooms.background.start(self._rooms.do(room, c.ConnectionLost(seat), ""))

    # --- other processes ---

    def _call(self, key: str, seat: int, word: str) -> None:
        self._rooms.background.start(self._rooms.storage.call(f"{key} {seat} {word}"))

    def called(self, key: str, seat: int, word: str) -> None:
        """Another process looks for a player, has one whom this process looks for, or has deleted an identity."""
        if word == FORGOTTEN:
            self.disconnect(key)
            return
        room = self._rooms.in_memory(key)
        if room and word == WHERE and room.is_present(seat):
            self._call(key, seat, HERE)
        elif room and word == HERE and seat in room.leaving:
            self.arrived(room, seat)
            if room.sessions:  # that process might be killed, and then nobody else would notice
                self.departed(room, seat)

    async def forget(self, who: str) -> None:
        """An identity was deleted: disconnect it, at whichever process it is."""
        self.disconnect(who)
        await self._rooms.storage.call(f"{who} 0 {FORGOTTEN}")

    def disconnect(self, who: str) -> None:
        """Hang up on somebody who was forgotten."""
        for room in self._rooms:
            for session in [session for session in room.sessions if session.who == who]:
                session.hang_up("forgotten", 0.0)
