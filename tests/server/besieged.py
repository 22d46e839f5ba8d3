"""People who play at a server, and how long their moves take, while somebody attacks it."""

import asyncio
import json
import math
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.server.players import Player, dealt
from tests.server.processes import ROOT, ServerProcess

#: Seconds that people take for a move.
THINKING = 0.04
#: The limits as they are unless somebody says otherwise.
LIMITS: dict[str, Any] = {"rate": 40.0, "burst": 80.0, "guests_rate": 1.0}


class Siege:
    """A server at whose tables people play."""

    def __init__(self, server: ServerProcess, table: str) -> None:
        self.server = server
        self.table = table
        self.moves: list[float] = []  # how long each took, in seconds
        self.stretch = 1.0  # how many times as long as on an idle machine everything took during the last attack
        self._waiting: dict[Player, float] = {}  # those who have not been answered yet, and since when
        self._attacks = 0

    async def playing(self, player: Player) -> None:
        await player.come_back()
        while True:
            await player.until(lambda: player.legal or player.is_over)
            if player.is_over:
                await self._timed(player, player.ask("again", nonce=""))
                await player.until(lambda: not player.is_over)
                continue
            await asyncio.sleep(THINKING)
            if player.legal:
                await self._timed(player, player.make(player.some_move()))

    async def _timed(self, player: Player, move: Awaitable[Any]) -> None:
        self._waiting[player] = time.perf_counter()
        answer = await move
        self.moves.append(time.perf_counter() - self._waiting.pop(player))
        assert answer is None or answer.done is not None, answer

    def _taken(self) -> list[float]:
        """How long moves took, in order, and how long those have taken that are still not answered."""
        now = time.perf_counter()
        return sorted([*self.moves, *(now - since for since in self._waiting.values())])

    async def quiet(self, seconds: float) -> list[float]:
        """How long moves take while nothing else happens."""
        self.moves.clear()
        await asyncio.sleep(seconds)
        return self._taken()

    async def attacked(self, attack: str, seconds: float) -> tuple[list[float], float, dict[str, Any]]:
        """How long they take during an attack, how much of a processor the server uses, and what it came to."""
        self._attacks += 1
        address = f"127.0.0.{50 + self._attacks}"  # the debts of one are not those of the next
        command = ("-m", "tests.server.attacks", attack, str(self.server.port), address, str(seconds), self.table)
        process = await asyncio.create_subprocess_exec(
            sys.executable, *command, cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
        )
        assert process.stdout
        self.moves.clear()
        pids = self.server.pid, os.getpid()
        began, used, ran = time.perf_counter(), processor_time(self.server.pid), [*map(ran_and_waited, pids)]
        came_to = json.loads(await process.stdout.read())
        moves = self._taken()
        await process.wait()
        busy = (processor_time(self.server.pid) - used) / (time.perf_counter() - began)
        self.stretch = max(map(stretched, ran, map(ran_and_waited, pids)))
        return moves, busy, came_to


@asynccontextmanager
async def besieged(server: ServerProcess, tables: int) -> AsyncIterator[Siege]:
    """People play at so many tables, and someone who watches may come to another."""
    found = [await dealt([server.url], "collection", ["Ana", "Ben"], seed=n, players=2) for n in range(tables)]
    siege = Siege(server, found[0][0].table)
    playing = [asyncio.create_task(siege.playing(player)) for table in found for player in table]
    try:
        yield siege
        for task in playing:
            if task.done():
                task.result()
    finally:
        for task in playing:
            task.cancel()
        people = [player for table in found for player in table]
        for player in people:
            player._asked.clear()  # nobody waits any more for what is on its way
        await asyncio.gather(*playing, return_exceptions=True)
        for player in people:
            await player.hang_up()


def processor_time(pid: int) -> float:
    """Seconds that a process has used so far."""
    used = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK")


def ran_and_waited(pid: int) -> tuple[int, int]:
    """For how long a process has been running, and waiting for a processor that others had."""
    ran, waited, _ = map(int, Path(f"/proc/{pid}/schedstat").read_text().split())
    return ran, waited


def stretched(before: tuple[int, int], after: tuple[int, int]) -> float:
    """How many times as long it took as if it had never had to wait for a processor."""
    ran, waited = (now - then for now, then in zip(after, before, strict=True))
    return 1 + waited / ran


def memory(pid: int) -> int:
    """Bytes that it has in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def quantile(share: float, latencies: list[float]) -> float:
    """The time that so many of them did not exceed."""
    return latencies[max(0, math.ceil(share * len(latencies)) - 1)]
