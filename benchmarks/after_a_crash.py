"""A server that is killed under load, and everyone who comes back at once: `python -m benchmarks.after_a_crash`.

At half of the tables two people play Collection, at the others two people and a bot play antiques, all at the pace of
people and with views, as on the page. Then the server is killed (`kill -9`) and started again. As soon as it answers,
every client asks for its table and opens its socket where it broke off, all in the same moment: that is the worst case,
clients of ours spread out. What is measured is the time until each is welcomed, and the server's processor time. The
table is written to after_a_crash.md beside this file.
"""

import argparse
import asyncio
import gc
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import msgspec
import uvloop

from benchmarks.live_tables import GENEROUS, ROOT, THINKING, asked, wait_for
from benchmarks.load import Client, Process
from benchmarks.random_play import processor
from tests.server.processes import free_port

HERE = Path(__file__).parent
#: What is opened: the game, its seats, and whether bots take the empty ones.
KINDS = (("collection", 2), ("antiques", 3))
#: Tables that are opened at the same time.
AT_ONCE = 20


class Event(msgspec.Struct):
    n: int


class Offered(msgspec.Struct):
    move: dict[str, Any]


class Seen(msgspec.Struct):
    offers: list[Offered]


class Message(msgspec.Struct):
    type: str
    n: int = 0
    stream: str = ""
    events: list[Event] | None = None
    view: Seen | None = None
    legal: list[dict[str, Any]] | None = None


read = msgspec.json.Decoder(Message).decode
write = msgspec.json.Encoder().encode


class Player(Client):
    """Somebody who plays at the pace of people, loses the connection, and comes back for what is missing."""

    def __init__(self, address: str, token: str, table: str, detail: str) -> None:
        super().__init__(address, {"Authorization": f"Bearer {token}"})
        self._address = f"{address}/api/tables/{table}/socket?detail={detail}"
        self._path, self._token = f"/api/tables/{table}", token
        self._n, self._stream = 0, ""
        self._plays = True
        self._ids = 0
        self.is_asked = False
        self.welcomed: asyncio.Future[float]

    async def come(self, port: int, *, ask_first: bool) -> None:
        """Connect, and wait for the welcome."""
        self.welcomed = asyncio.get_running_loop().create_future()
        self.url = self._address + (f"&since={self._n}&stream={quote(self._stream)}" if self._stream else "")
        if ask_first:
            await ask(port, self._path, self._token)
        await self.connect(asyncio.get_running_loop().create_future())
        await self.welcomed

    def stop(self) -> None:
        """Move no more, and take a hang-up as it comes."""
        self._plays = False

    def on_message(self, message: bytes) -> None:
        told = read(message)
        self.is_asked = bool(told.legal or (told.view and told.view.offers))
        for event in told.events or ():
            self._n = event.n
        if told.type == "welcome":
            self._n, self._stream = told.n, told.stream
            self.welcomed.set_result(time.perf_counter())
        if self.is_asked and self._plays:
            legal = told.legal or [offer.move for offer in (told.view.offers if told.view else ())]
            asyncio.get_running_loop().call_later(random.uniform(*THINKING), self._move, random.choice(legal))

    def _move(self, move: dict[str, Any]) -> None:
        if self._plays:
            self._ids += 1
            self.send(write({"id": self._ids, "command": {"do": "move", "move": move}}))

    def on_ws_disconnected(self, transport: Any) -> None:
        """It is known when: see `stop`."""


async def ask(port: int, path: str, token: str) -> None:
    """Ask how a table stands, as cheaply as can be: the load must cost less than the server."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    words = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    writer.write(words.encode())
    status = await reader.readline()
    assert b" 200 " in status, status
    await reader.read()
    writer.close()


async def opened(url: str, number: int, detail: str) -> list[Player]:
    """So many tables at which two people each have begun a game."""
    players = []
    async with httpx.AsyncClient(timeout=120, limits=httpx.Limits(max_connections=AT_ONCE)) as http:
        for start in range(0, number, AT_ONCE):
            tables = range(start, min(start + AT_ONCE, number))
            for some in await asyncio.gather(*(open_table(http, url, *KINDS[table % len(KINDS)]) for table in tables)):
                table, tokens = some
                players += [Player(url.replace("http", "ws"), token, table, detail) for token in tokens]
    return players


async def open_table(http: httpx.AsyncClient, url: str, game: str, seats: int) -> tuple[str, list[str]]:
    tokens = [
        (await asked(http, url, "/api/guests", {"name": name, "token": True}))["token"] for name in ("Ada", "Ben")
    ]
    table = (await asked(http, url, "/api/tables", {"game": game, "options": {"players": seats}}, tokens[0]))["id"]
    for token in tokens:
        await asked(http, url, f"/api/tables/{table}/join", {}, token)
    await asked(http, url, f"/api/tables/{table}/do", {"do": "start", "fill": True}, tokens[0])
    return table, tokens


class Crashing:
    """A server process that can be killed, and started again on the same port."""

    def __init__(self, database: Path) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._command = [sys.executable, "-m", "brocante.cli", "serve", "--database", str(database), *GENEROUS]
        self._process: subprocess.Popen[bytes]

    def start(self) -> float:
        """Start; how many seconds until it answered."""
        began = time.perf_counter()
        command = [*self._command, "--port", str(self.port)]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self.url)
        return time.perf_counter() - began

    @property
    def used(self) -> Process:
        return Process(self._process.pid)

    def end(self, number: signal.Signals = signal.SIGKILL) -> None:
        self._process.send_signal(number)
        self._process.wait(30)


async def crash(tables: int, seconds: float, detail: str, *, ask_first: bool) -> dict[str, float]:
    """Play, kill, come back; what it took."""
    with tempfile.TemporaryDirectory() as folder:
        server = Crashing(Path(folder) / "tables.db")
        server.start()
        try:
            players = await opened(server.url, tables, detail)
            for start in range(0, len(players), AT_ONCE):
                some = players[start : start + AT_ONCE]
                await asyncio.gather(*(player.come(server.port, ask_first=False) for player in some))
            said("everyone is here")
            played = server.used.cpu_seconds
            await asyncio.sleep(seconds)
            playing = (server.used.cpu_seconds - played) / seconds
            for player in players:
                player.stop()
            server.end()
            starting = server.start()
            before = server.used.cpu_seconds
            began = time.perf_counter()
            await asyncio.gather(*(player.come(server.port, ask_first=ask_first) for player in players))
            waits = sorted(player.welcomed.result() - began for player in players)
            asked_waits = sorted(player.welcomed.result() - began for player in players if player.is_asked)
            return {
                "seconds": waits[-1],
                "median": waits[len(waits) // 2],
                "asked": asked_waits[len(asked_waits) // 2],
                "cpu_ms": 1000 * (server.used.cpu_seconds - before) / tables,
                "start": starting,
                "playing": playing,
                "mb": server.used.resident_bytes / 2**20,
            }
        finally:
            server.end()


COLUMNS = {
    "tables": "tables",
    "seconds": "all are back, s",
    "median": "median wait, s",
    "asked": "median wait of those who are to move, s",
    "cpu_ms": "CPU per table, ms",
    "start": "start of the server, s",
    "playing": "CPU while playing, cores",
    "mb": "MB",
}
PAGE = """\
# After a crash

Written by `python -m benchmarks.after_a_crash`: {cores} cores, {processor}; load and server on the same machine.
Two people at every table, at half of them with a bot, play for {seconds:.0f} seconds at the pace of people. Then the
server is killed (`kill -9`) and started, and **all clients come back in the same moment**, each with a request for its
table and with its socket. The time runs until the welcome with everything that one sees; the CPU is the server's.

{table}
"""


def said(words: str) -> None:
    sys.stderr.write(f"{words}\n")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--tables", type=int, nargs="+", default=[1000, 3000])
    options.add_argument("--seconds", type=float, default=60.0, help="how long everyone plays before the crash")
    options.add_argument("--sockets-only", action="store_true", help="clients do not ask for their table first")
    options.add_argument("--try", dest="is_trial", action="store_true", help="no page is written")
    chosen = options.parse_args()
    gc.disable()
    rows = [
        {"tables": tables, **uvloop.run(crash(tables, chosen.seconds, "view", ask_first=not chosen.sockets_only))}
        for tables in chosen.tables
    ]
    lines = [[*COLUMNS.values()], ["---:"] * len(COLUMNS)]
    lines += [[f"{row[name]:,.0f}" if row[name] >= 100 else f"{row[name]:.2f}" for name in COLUMNS] for row in rows]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    page = PAGE.format(cores=os.cpu_count(), processor=processor(), seconds=chosen.seconds, table=table)
    if not chosen.is_trial:
        (HERE / "after_a_crash.md").write_text(page)
    sys.stdout.write(page)


if __name__ == "__main__":
    main()
