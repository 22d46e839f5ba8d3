"""Live tables under load, on loopback: `make bench-live`.

Two clients at each table play Collection against each other over their own sockets; every move is on the disk before it
is told. First 200 tables at which everyone moves as soon as it is their turn, then 1,000 at the pace of people. A move
counts when both clients have been told of it, and its time runs from the moment it was sent. On one process with
SQLite; on two with PostgreSQL, clients spread as a load balancer would that goes by the table's address, and as one
would that does not.
"""

import argparse
import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec

from benchmarks.load import Client, Measured, Process, Stopwatch, play, run

HERE = Path(__file__).parent
GENEROUS = ("--rate=1e9", "--burst=1e9", "--guests-rate=1e9", "--tables=100000", "--connections-each=100000")
#: Seconds that people think about a move of Collection.
THINKING = (2.0, 6.0)


class Told(msgspec.Struct):
    event: str


class Phase(msgspec.Struct):
    phase: str


class Offered(msgspec.Struct):
    move: dict[str, Any]


class Seen(msgspec.Struct):
    offers: list[Offered]


class Message(msgspec.Struct):
    """As much of a message as a player needs."""

    type: str
    events: list[Told] = []
    table: Phase | None = None
    legal: list[dict[str, Any]] | None = None
    view: Seen | None = None


read = msgspec.json.Decoder(Message).decode
write = msgspec.json.Encoder().encode


class Player(Client):
    """Somebody who plays any legal move, at once or after a while, and another game when one is over."""

    def __init__(self, url: str, token: str, table: str, stopwatch: Stopwatch, thinks: bool) -> None:
        super().__init__(url, {"Authorization": f"Bearer {token}"})
        self._table = table
        self._stopwatch = stopwatch
        self._thinks = thinks
        self._moves = 0  # that were told
        self._sent = 0
        self._welcome: list[dict[str, Any]] = []  # what could be done before all were connected

    def on_open(self) -> None:
        if self._welcome:
            self._play(self._welcome)

    def on_message(self, message: bytes) -> None:
        told = read(message)
        if told.type == "refused":
            raise RuntimeError(message.decode())
        for event in told.events if told.type == "news" else ():
            if event.event == "moved":
                self._moves += 1
                self._stopwatch.told((self._table, self._moves))
        legal = told.legal or [offer.move for offer in (told.view.offers if told.view else ())]
        if told.type == "welcome":
            self._welcome = legal
        elif told.table and told.table.phase == "over":
            self._ask({"do": "again"})
        elif legal:
            self._play(legal)

    def _play(self, legal: list[dict[str, Any]]) -> None:
        if self._thinks:
            asyncio.get_running_loop().call_later(random.uniform(*THINKING), self._move, legal)
        else:
            self._move(legal)

    def _move(self, legal: list[dict[str, Any]]) -> None:
        self._stopwatch.sent((self._table, self._moves + 1), 2)
        self._ask({"do": "move", "move": random.choice(legal)})

    def _ask(self, command: dict[str, Any]) -> None:
        self._sent += 1
        self.send(write({"id": self._sent, "command": command}))


async def seated(urls: Sequence[str], tables: int, detail: str, stopwatch: Stopwatch, thinks: bool, apart: bool) -> list[Player]:
    """So many tables, each with two people who have begun a game; `apart`: each is connected to another process."""
    async with httpx.AsyncClient(timeout=60, limits=httpx.Limits(max_connections=20)) as http:
        opened = []
        for start in range(0, tables, 20):
            numbers = range(start, min(tables, start + 20))
            opened += await asyncio.gather(*(open_table(http, urls[number % len(urls)]) for number in numbers))
    players = []
    for number, (table, tokens) in enumerate(opened):
        for seat, token in enumerate(tokens):
            base = urls[(number + (seat if apart else 0)) % len(urls)].replace("http", "ws")
            url = f"{base}/api/tables/{table}/socket?detail={detail}"
            players.append(Player(url, token, table, stopwatch, thinks))
    return players


async def open_table(http: httpx.AsyncClient, url: str) -> tuple[str, list[str]]:
    tokens = [(await asked(http, url, "/api/guests", {"name": name, "token": True}))["token"] for name in ("Ada", "Ben")]
    table = (await asked(http, url, "/api/tables", {"game": "collection", "options": {"players": 2}}, tokens[0]))["id"]
    for token in tokens:
        await asked(http, url, f"/api/tables/{table}/join", {}, token)
    await asked(http, url, f"/api/tables/{table}/do", {"do": "start"}, tokens[0])
    return table, tokens


async def asked(http: httpx.AsyncClient, url: str, path: str, body: Any, token: str = "") -> Any:
    reply = await http.post(url + path, json=body, headers={"Authorization": f"Bearer {token}"} if token else {})
    reply.raise_for_status()
    return reply.json()


@contextmanager
def server(database: str, processes: int) -> Iterator[tuple[list[str], list[Process]]]:
    """Servers that share a database, one process each, and where they are."""
    ports = [free_port() for _ in range(processes)]
    command = [sys.executable, "-m", "brocante.cli", "serve", "--database", database, *GENEROUS, "--port"]
    running = [subprocess.Popen([*command, str(port)], stderr=subprocess.DEVNULL) for port in ports]
    urls = [f"http://127.0.0.1:{port}" for port in ports]
    try:
        for url in urls:
            wait_for(url)
        yield urls, [Process(process.pid) for process in running]
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait(20)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(url: str) -> None:
    for _ in range(600):
        try:
            if httpx.get(f"{url}/healthz").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise RuntimeError(f"{url} does not answer")


def measured(
    database: str, tables: int, detail: str, *, seconds: float, thinks: bool = False, processes: int = 1, apart: bool = False
) -> dict[str, Any]:
    with server(database, processes) as (urls, used):

        async def playing() -> Measured:
            stopwatch = Stopwatch()
            players = await seated(urls, tables, detail, stopwatch, thinks, apart)
            return await play(players, stopwatch, used[0], seconds=seconds, warm_up=8.0 if thinks else 3.0)

        found = run(playing())
        memory = sum(process.resident_bytes for process in used)
    return {
        "tables": tables,
        "messages": detail,
        "pace": "people" if thinks else "flat out",
        "processes": processes,
        "moves_per_second": round(found.moves_per_second),
        "p50_ms": round(1000 * found.quantile(0.5), 2),
        "p99_ms": round(1000 * found.quantile(0.99), 2),
        "server_cpu_us": round(1e6 * found.server_cpu_per_move * (processes if processes > 1 else 1)),
        "load_cpu_us": round(1e6 * found.load_cpu_per_move),
        "server_mb": round(memory / 2**20),
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=10.0, help="how long each run is measured")
    options.add_argument("--only", default="", help="only runs whose name contains this")
    asked_for = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in RUNS.items():
            if asked_for.only in name:
                file = str(Path(folder) / f"{abs(hash(name))}.db")
                print(name, json.dumps(measured(file, seconds=asked_for.seconds, **arguments)), flush=True)


RUNS: dict[str, dict[str, Any]] = {
    "flat out, moves": {"tables": 200, "detail": "moves"},
    "flat out, views": {"tables": 200, "detail": "view"},
    "people, views": {"tables": 1000, "detail": "view", "thinks": True},
}

if __name__ == "__main__":
    main()
