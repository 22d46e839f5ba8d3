"""What clients may use: each guest so many requests, and each address so much of the processor's time.

A guest can be had for the asking, and an address cannot: what is expensive is limited by both. Playing is never refused
for that: people at an address that plays as much as a whole school would wait for each other.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable

from brocante.server.config import Config
from brocante.server.http_errors import HttpRefused
from brocante.server.rate_limits import Bucket, Buckets
from brocante.table.commands import Command, PlayMove

#: Seconds of processor time that a request may take. What takes longer counts as several.
REQUEST = 0.002
#: Seconds that go by in the system's and uvicorn's code, where nobody measures, for a request and for a frame.
OVERHEAD, FRAME = 0.000_1, 0.000_02
#: Under which name the scope of a request has the client that it counts for.
CLIENT = "brocante.client"
#: How many busy guests' time an address may have, and how many such guests' for playing: with the usual settings, half
#: a processor in the long run, and a second of it at once.
GUESTS, PLAYERS = 3, 6
#: The share of the rate limit, and of the burst, that may be commands that are no moves: they are kept on the disk as
#: moves are, and no game comes to an end by them. An address may send what so many guests may.
BESIDES_MOVES, BESIDES_MOVES_AT_ONCE, SENDERS = 0.025, 0.5, 6
#: Seconds of processor time in a second for whatever is no part of playing. What exceeds it waits until the event loop
#: has nothing else to do, so that moves come first; only so much may wait.
SHARE, AT_ONCE, MOST_WAITING = 0.5, 0.05, 200
#: Seconds that are charged beforehand, since many may ask before the first has been answered, and those between two
#: that have waited.
EXPECTED, APART = 0.002, 0.005
#: Seconds for one round of an event loop that has nothing to do, and after which it is looked at again.
IDLE, LOOK_AGAIN = 0.003, 0.01
#: Requests a second of an address that are refused one by one, in the long run and at once; then it is hung up on.
FORGIVEN, FORGIVEN_AT_ONCE = 5.0, 200.0
#: Sockets of an address for which there is the whole backlog; more of them share what these could have.
WHOLE_BACKLOGS = 20
#: Tables a second of an address that may turn out not to be there, in the long run and at once, until whoever asks for
#: one that is not in memory does not count as playing.
GUESSES, GUESSES_AT_ONCE = 1.0, 20.0
#: The share of all sockets that is kept for those who are playing.
KEPT_FOR_PLAYERS = 0.1


async def is_idle() -> bool:
    """Whether the event loop comes round at once."""
    began = time.monotonic()
    await asyncio.sleep(0)
    return time.monotonic() - began < IDLE


class Queue:
    """Those who wait until the event loop has nothing else to do, one after the other."""

    def __init__(self) -> None:
        self._turn, self._waiting = asyncio.Lock(), 0

    async def wait(self, has_room: Callable[[], bool]) -> None:
        """Wait until there is room, or nothing else to do."""
        if self._waiting >= MOST_WAITING:
            raise HttpRefused(503, "overloaded")
        self._waiting += 1
        try:
            async with self._turn:
                while not (has_room() or await is_idle()):
                    await asyncio.sleep(LOOK_AGAIN)
                await asyncio.sleep(APART)
        finally:
            self._waiting -= 1


class Limits:
    """What the clients of a process have used lately."""

    def __init__(self, config: Config) -> None:
        rate, burst = config.rate, config.burst
        self._requests = Buckets(rate, burst)
        self._time = Buckets(rate * REQUEST * GUESTS, burst * REQUEST * GUESTS)
        self._playing = Buckets(rate * REQUEST * PLAYERS, burst * REQUEST * PLAYERS)
        slowly, at_once = rate * BESIDES_MOVES, burst * BESIDES_MOVES_AT_ONCE
        self._besides_moves = Buckets(slowly, at_once)
        self._besides_moves_of_address = Buckets(slowly * SENDERS, at_once * SENDERS)
        self._share = Bucket(SHARE, AT_ONCE)
        self._queue, self._players_queue = Queue(), Queue()
        self.thread = asyncio.Lock()  # held by whoever has something done in a thread: it takes the others' time, too
        self._guesses = Buckets(GUESSES, GUESSES_AT_ONCE)
        self._forgiveness = Buckets(FORGIVEN, FORGIVEN_AT_ONCE)
        self._config = config
        self._sockets = Counter[str]()  # by client and by address
        self.most_sockets = config.connections  # fewer where the system does not allow for as many files

    # --- requests ---

    def admit(self, client: str) -> None:
        """Count a request, or refuse it if the client asks too often."""
        if not self._requests.take(client):
            raise HttpRefused(429, "rate")

    def admit_command(self, command: Command, client: str, address: str) -> None:
        """Count a command, too, if it is no move; or refuse it."""
        if isinstance(command, PlayMove):
            return
        if not (self._besides_moves.take(client) and self._besides_moves_of_address.take(address)):
            raise HttpRefused(429, "rate")

    def has_time(self, address: str) -> bool:
        return self._time.of(address).has(0.0)

    def has_room(self, address: str) -> bool:
        """Whether a request may be carried out at once; a refusal where its address has used its time."""
        if not self.has_time(address):
            raise HttpRefused(429, "rate")
        if not self._share.has(0.0):
            return False
        self._share.charge(EXPECTED)
        return True

    async def wait_for_time(self, address: str) -> None:
        """Refuse what is not a part of playing and comes from an address that has used its time. It waits while there
        is too much of it."""
        if not self.has_room(address):
            await self._queue.wait(lambda: self.has_room(address))

    async def wait_to_play(self, address: str) -> None:
        """What is a part of playing waits where its address has used its time for that, and others are served."""
        if not self._may_play(address):
            await self._players_queue.wait(lambda: self._may_play(address))

    def _may_play(self, address: str) -> bool:
        return self._playing.of(address).has(0.0)

    def charge(self, client: str, address: str, seconds: float) -> None:
        """Count what a request has taken, once it is done; `client` is nobody where only the address is known."""
        self._time.of(address).charge(seconds)
        if self._share.has(0.0):  # what waited for its turn is not charged again
            self._share.charge(seconds)
        self._charge_guest(client, seconds)

    def charge_player(self, client: str, address: str, seconds: float) -> None:
        """The same for what is a part of playing. `client` is nobody for a move: it counts once, whatever it takes."""
        playing = self._playing.of(address)
        if playing.has(0.0):
            playing.charge(seconds)
        self._charge_guest(client, seconds)

    def _charge_guest(self, client: str, seconds: float) -> None:
        if client and seconds > REQUEST:
            self._requests.of(client).charge(seconds / REQUEST - 1)

    def charge_frame(self, address: str) -> None:
        self._time.of(address).charge(FRAME)

    def charge_guess(self, address: str) -> None:
        """Count that a table was asked for as if to play there, and is not there."""
        self._guesses.of(address).charge(1.0)

    def is_guessing(self, address: str) -> bool:
        return not self._guesses.of(address).has(1.0)

    def forgives(self, address: str) -> bool:
        """Whether another request may be refused without hanging up."""
        return self._forgiveness.take(address)

    def has_had_enough_of(self, address: str) -> bool:
        return not self._forgiveness.of(address).has(1.0)

    # --- sockets ---

    def admit_socket(self, client: str, address: str, *, plays: bool) -> None:
        """Count another socket, unless there are too many. Whoever plays, and has none at their table, gets one."""
        each, at_address = self._config.connections_each, self._config.connections_address
        count = self._sockets[""]
        if count >= self.most_sockets * (1.0 if plays else 1.0 - KEPT_FOR_PLAYERS):
            raise HttpRefused(503, "full")
        for key, most in () if plays else ((client, each), (f"@{address}", at_address)):
            if self._sockets[key] >= most:
                raise HttpRefused(429, "connections", most=most)
        self._sockets.update(("", client, f"@{address}"))

    def release_socket(self, client: str, address: str) -> None:
        for key in ("", client, f"@{address}"):
            self._sockets[key] -= 1
            if not self._sockets[key]:
                del self._sockets[key]

    def backlog(self, address: str) -> float:
        """How many bytes may wait for each socket of an address, if its client does not read."""
        return self._config.backlog * min(1.0, WHOLE_BACKLOGS / max(1, self._sockets[f"@{address}"]))
