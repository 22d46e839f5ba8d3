"""Live tables under load, on loopback: `make bench-live`. The table is written to live.md beside this file.

Two clients at each table play Collection against each other over their own sockets. Every move is on disk before anyone
is told of it. First there are 200 tables at which everyone moves as soon as it is their turn, then 1,000 at human pace.
A move counts when both clients have been told of it; its time runs from the moment it was sent. There is one process
with SQLite, then as many as there are cores with PostgreSQL: the people of a table are connected to the same process
(as by a load balancer that goes by the table's address) or to different ones. If npm is installed, boardgame.io and
Colyseus are measured under the same load in the same run (peers.py).
"""

import argparse
import asyncio
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec

from benchmarks import peers
from benchmarks.load import Client, Measured, Process, Stopwatch, play, run
from benchmarks.random_play import processor
from brocante.backends import compiler
from brocante.games import GAMES, box
from tests.server.postgres import running_postgres
from tests.server.processes import free_port

HERE = Path(__file__).parent
ROOT = HERE.parent
GENEROUS = (
    "--rate=1e9",
    "--burst=1e9",
    "--guests-rate=1e9",
    "--tables=100000",
    "--connections-each=100000",
    "--grace=600",
)
#: Seconds that people think about a move of Collection.
THINKING = peers.THINKING
#: Tables that are opened at the same time.
AT_ONCE = 20


class Told(msgspec.Struct):
    event: str


class Phase(msgspec.Struct):
    phase: str


class Offered(msgspec.Struct):
    move: dict[str, Any]


class Seen(msgspec.Struct):
    offers: list[Offered]


class Message(msgspec.Struct):
    """The part of a message that a player needs."""

    type: str
    events: list[Told] = []
    table: Phase | None = None
    legal: list[dict[str, Any]] | None = None
    view: Seen | None = None


read = msgspec.json.Decoder(Message).decode
write = msgspec.json.Encoder().encode


class Run(msgspec.Struct, frozen=True):
    """One measurement of ours."""

    name: str
    tables: int
    detail: str = "moves"
    thinks: bool = False
    processes: int = 1
    apart: bool = False  # the people of a table are connected to different processes


CORES = os.cpu_count() or 1
RUNS = (
    Run("SQLite, one process, moves", 200),
    Run("SQLite, one process, views", 200, "view"),
    Run(f"PostgreSQL, {CORES} processes, moves", 200, processes=CORES),
    Run(f"PostgreSQL, {CORES} processes, moves, people apart", 200, processes=CORES, apart=True),
    Run("SQLite, one process, moves", 1000, thinks=True),
    Run("SQLite, one process, views", 1000, "view", thinks=True),
)


class Player(Client):
    """A player who makes any legal move, at once or after a pause, and starts another game when one is over."""

    def __init__(self, url: str, token: str, table: str, stopwatch: Stopwatch, thinks: bool) -> None:
        super().__init__(url, {"Authorization": f"Bearer {token}"})
        self._table = table
        self._stopwatch = stopwatch
        self._thinks = thinks
        self._moves = 0  # that were told
        self._sent = 0
        self._welcome: list[dict[str, Any]] = []  # the legal moves that came before all were connected

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
            if any(event.event == "moved" for event in told.events):  # the last move: each client is told of it once
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


async def seated(urls: Sequence[str], asked_for: Run, stopwatch: Stopwatch) -> list[Player]:
    """A number of tables, each with two people who have begun a game."""
    tables = range(asked_for.tables)
    async with httpx.AsyncClient(timeout=60, limits=httpx.Limits(max_connections=AT_ONCE)) as http:
        opened = []
        for start in tables[::AT_ONCE]:
            some = [open_table(http, urls[number % len(urls)]) for number in tables[start : start + AT_ONCE]]
            opened += await asyncio.gather(*some)
    players = []
    for number, (table, tokens) in enumerate(opened):
        for seat, token in enumerate(tokens):
            base = urls[(number + (seat if asked_for.apart else 0)) % len(urls)].replace("http", "ws")
            url = f"{base}/api/tables/{table}/socket?detail={asked_for.detail}"
            players.append(Player(url, token, table, stopwatch, asked_for.thinks))
    return players


async def open_table(http: httpx.AsyncClient, url: str) -> tuple[str, list[str]]:
    tokens = [
        (await asked(http, url, "/api/guests", {"name": name, "token": True}))["token"] for name in ("Ada", "Ben")
    ]
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
def server(database: str, processes: int, checkout: Path = ROOT) -> Iterator[tuple[list[str], list[Process]]]:
    """Servers that share a database, one process each, and where they are. They run the code of a checkout."""
    ports = [free_port() for _ in range(processes)]
    command = [sys.executable, "-m", "brocante.cli", "serve", "--database", database, *GENEROUS, "--port"]
    running = [
        subprocess.Popen([*command, str(port)], cwd=checkout, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for port in ports
    ]
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


def wait_for(url: str) -> None:
    for _ in range(600):
        try:
            if httpx.get(f"{url}/healthz").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise RuntimeError(f"{url} does not answer")


def measured(asked_for: Run, seconds: float) -> dict[str, float]:
    """Play, and measure for a number of seconds."""
    with ExitStack() as stack:
        if asked_for.processes > 1:
            database = stack.enter_context(running_postgres(fsync=True)).new_database()
        else:
            database = str(Path(stack.enter_context(tempfile.TemporaryDirectory())) / "tables.db")
        urls, used = stack.enter_context(server(database, asked_for.processes))

        async def playing() -> Measured:
            stopwatch = Stopwatch()
            players = await seated(urls, asked_for, stopwatch)
            return await play(
                players, stopwatch, used, seconds=seconds, warm_up=THINKING[1] + 2.0 if asked_for.thinks else 3.0
            )

        found = run(playing())
    return {
        "moves_per_second": found.moves_per_second,
        "p50_ms": 1000 * found.quantile(0.5),
        "p99_ms": 1000 * found.quantile(0.99),
        "server_cpu_us": 1e6 * found.server_cpu_per_move,
        "load_cpu_us": 1e6 * found.load_cpu_per_move,
        "server_mb": found.server_resident_bytes / 2**20,
    }


COLUMNS = {"moves_per_second": "moves/s", "p50_ms": "p50 ms", "p99_ms": "p99 ms", "server_cpu_us": "server µs/move",
           "load_cpu_us": "load µs/move", "server_mb": "MB"}  # fmt: skip
PAGE = """\
# Live tables under load

Written by `make bench-live`: {cores} cores, {processor}; load, servers and database on the same machine.
{seconds:.0f} seconds of play each. Two clients at each table; a move counts when both have been told of it, and its
time runs from being sent to the last one told. Our games are whole games of Collection, and **every move is on the disk
before anyone is told**; those of boardgame.io and Colyseus are a few lines of rules in memory, with nothing hidden, and
their clients count messages without decoding them. *Moves*: a client is sent what happened, in words, and its legal
moves; *views*: also all that it sees of the table, as a page needs it.

## 200 tables, everyone moves as soon as it is their turn

{flat_out}

## 1,000 tables at the pace of people: a move after 2 to 6 seconds

{people}
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=10.0, help="how long each run is measured")
    options.add_argument("--only", default="", help="only runs whose name contains this, and no page is written")
    chosen = options.parse_args()
    for game in GAMES:
        compiler().compile(box(game).entry_points)  # so that nothing is compiled during the measurement
    found = {ours: measured(ours, chosen.seconds) for ours in map(announced, RUNS) if chosen.only in ours.name}
    if chosen.only:
        sys.stdout.write("\n".join(f"{ours.name} {row(figures)}" for ours, figures in found.items()) + "\n")
        return
    rows = {
        thinks: [(ours.name, figures) for ours, figures in found.items() if ours.thinks == thinks]
        for thinks in (False, True)
    }
    for peer in peers.NAMES if shutil.which("npm") else ():
        rows[False].append((f"{peer}, one process", peers.measure(peer, 200, chosen.seconds, None)))
        rows[True].append((f"{peer}, one process", peers.measure(peer, 1000, chosen.seconds, THINKING)))
    page = PAGE.format(
        cores=CORES, processor=processor(), seconds=chosen.seconds, flat_out=grid(rows[False]), people=grid(rows[True])
    )
    (HERE / "live.md").write_text(page)
    sys.stdout.write(page)


def announced(ours: Run) -> Run:
    sys.stderr.write(f"{ours.tables} tables: {ours.name}\n")
    return ours


def grid(rows: list[tuple[str, dict[str, float]]]) -> str:
    """The figures as a table, with the ratio of the first row to each of the others."""
    best = rows[0][1]["moves_per_second"]
    lines = [["", *COLUMNS.values(), "first row is"], ["---", *["---:"] * (len(COLUMNS) + 1)]]
    lines += [[name, *row(found), f"× {best / found['moves_per_second']:.2f}"] for name, found in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def row(found: dict[str, float]) -> list[str]:
    return [f"{found[column]:,.0f}" if found[column] >= 100 else f"{found[column]:.2f}" for column in COLUMNS]


if __name__ == "__main__":
    main()
