"""Live tables under load, on loopback: `make bench-live`. Figures are written to live.md beside this file, with a plot.

Two clients at each table play against each other over their own sockets. Every move is on disk before anyone is told of
it. First there are 200 tables at which everyone moves as soon as it is their turn, then more and more at human pace, up
to ten thousand. A move counts when both clients have been told of it; its time runs from the moment it was sent. There
is one process with SQLite, then as many as there are cores with PostgreSQL: the people of a table are connected to the
same process (as by a load balancer that goes by the table's address) or to different ones. If npm is installed,
boardgame.io and Colyseus are measured under the same load in the same run (peers.py).
"""

import argparse
import asyncio
import os
import random
import resource
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
from benchmarks.plot import draw
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
    "--connections=100000",
    "--connections-each=100000",
    "--connections-address=100000",
    "--connections-address=100000",
    "--grace=600",
)
#: Seconds that people think about a move of Collection.
THINKING = peers.THINKING
#: How many play at each table.
PLAYERS = {"collection": 2, "antiques": 3, "port": 2}
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


class Changed(msgspec.Struct):
    parts: dict[str, msgspec.Raw] = {}


class Now(msgspec.Struct):
    step: int = 0
    asked: list[int] = []


class Message(msgspec.Struct):
    """The part of a message that a player needs."""

    type: str
    now: Now = msgspec.field(default_factory=Now)
    events: list[Told] = []
    table: Phase | None = None
    legal: list[dict[str, Any]] | None = None
    view: Seen | None = None
    changes: Changed | None = None


read = msgspec.json.Decoder(Message).decode
read_offers = msgspec.json.Decoder(list[Offered]).decode
write = msgspec.json.Encoder().encode


class Run(msgspec.Struct, frozen=True):
    """One measurement of ours."""

    name: str
    tables: int
    game: str = "collection"
    detail: str = "moves"
    thinks: bool = False
    processes: int = 1
    apart: bool = False  # the people of a table are connected to different processes


CORES = os.cpu_count() or 1
#: Each table takes two sockets, every socket is an open file, and the server keeps some for requests.
MOST_TABLES = min(10_000, (resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 2_200) // 2)
#: How many tables there are at the pace of people, from one run to the next.
MORE_AND_MORE = (1_000, 3_000, 6_000, MOST_TABLES)
RUNS = (
    Run("Collection, moves", 200),
    Run("Collection, views", 200, detail="changes"),
    Run("antiques, views", 200, "antiques", "changes"),
    Run("Port, views", 200, "port", "changes"),
    Run(f"Collection, moves, PostgreSQL, {CORES} processes", 200, processes=CORES),
    Run(f"Collection, moves, PostgreSQL, {CORES} processes, people apart", 200, processes=CORES, apart=True),
    *(Run("Collection, moves", tables, thinks=True) for tables in MORE_AND_MORE),
    Run("Collection, views", 1000, detail="changes", thinks=True),
    Run("Port, views", 1000, "port", "changes", thinks=True),
)


class Player(Client):
    """A player who makes any legal move, at once or after a pause, and starts another game when one is over."""

    def __init__(self, url: str, token: str, table: str, seat: int, stopwatch: Stopwatch, asked_for: Run) -> None:
        super().__init__(f"{url}?detail={asked_for.detail}", {"Authorization": f"Bearer {token}"})
        self._table = table
        self._seat = seat
        self._stopwatch = stopwatch
        self._players = PLAYERS[asked_for.game]
        self._thinks = asked_for.thinks
        self._moves = 0  # that were told
        self._sent = 0
        self._legal: list[dict[str, Any]] = []
        self._step = -1  # at which it has moved last
        self._welcome = Now()  # that came before all were connected

    def on_open(self) -> None:
        self._play_if_asked(self._welcome)

    def on_message(self, message: bytes) -> None:
        told = read(message)
        if told.type == "refused":
            raise RuntimeError(message.decode())
        for event in told.events if told.type == "news" else ():
            if event.event == "moved":
                self._moves += 1
                self._stopwatch.told((self._table, self._moves))
        self._look(told)
        if told.type == "welcome":
            self._welcome = told.now
        elif told.table and told.table.phase == "over":
            if any(event.event == "moved" for event in told.events):  # the last move: each client is told of it once
                self._ask({"do": "again"})
        else:
            self._play_if_asked(told.now)

    def _look(self, told: Message) -> None:
        """See what is legal. (The first choices of moves that take several are left out.)"""
        offers = told.view.offers if told.view else None
        if told.changes and "offers" in told.changes.parts:
            offers = read_offers(told.changes.parts["offers"])
        if told.legal:
            self._legal = told.legal
        elif offers:
            self._legal = [offer.move for offer in offers if offer.move["move"] != "part"]

    def _play_if_asked(self, now: Now) -> None:
        if self._seat not in now.asked or now.step == self._step:
            return
        self._step = now.step
        if self._thinks:
            asyncio.get_running_loop().call_later(random.uniform(*THINKING), self._move)
        else:
            self._move()

    def _move(self) -> None:
        self._stopwatch.sent((self._table, self._moves + 1), self._players)
        self._ask({"do": "move", "move": random.choice(self._legal)})

    def _ask(self, command: dict[str, Any]) -> None:
        self._sent += 1
        self.send(write({"id": self._sent, "command": command}))


async def seated(urls: Sequence[str], asked_for: Run, stopwatch: Stopwatch) -> list[Player]:
    """A number of tables, each with people who have begun a game."""
    tables = range(asked_for.tables)
    async with httpx.AsyncClient(timeout=60, limits=httpx.Limits(max_connections=AT_ONCE)) as http:
        opened = []
        for start in tables[::AT_ONCE]:
            some = tables[start : start + AT_ONCE]
            opened += await asyncio.gather(*(open_table(http, urls[n % len(urls)], asked_for.game) for n in some))
    players = []
    for number, (table, tokens) in enumerate(opened):
        for seat, token in enumerate(tokens):
            base = urls[(number + (seat if asked_for.apart else 0)) % len(urls)].replace("http", "ws")
            players.append(Player(f"{base}/api/tables/{table}/socket", token, table, seat, stopwatch, asked_for))
    return players


async def open_table(http: httpx.AsyncClient, url: str, game: str) -> tuple[str, list[str]]:
    names = ("Ada", "Ben", "Cleo")[: PLAYERS[game]]
    tokens = [(await asked(http, url, "/api/guests", {"name": name, "token": True}))["token"] for name in names]
    options = {"players": len(names)}
    table = (await asked(http, url, "/api/tables", {"game": game, "options": options}, tokens[0]))["id"]
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
{seconds:.0f} seconds of play each. Every player of a table is a client; a move counts when all have been told of it,
and its time runs from being sent to the last one told. Ours are whole games, and **every move is on the disk before
anyone is told**; those of boardgame.io and Colyseus are a few lines of rules in memory, with nothing hidden, and their
clients count messages without decoding them. *Moves*: a client is sent what happened, in words, and its legal moves;
*views*: also what has changed of all that it sees, as the page asks for it. One process with SQLite, unless something
else is said.

## 200 tables, everyone moves as soon as it is their turn

{flat_out}

## At the pace of people: a move after 2 to 6 seconds

{people}

![How long 99 of 100 moves take at most, over the number of tables](live.svg)

The dotted line is at {limit:.0f} ms. Each table takes two sockets, and the system allows a process {files:,} open
files, of which the server keeps 2,000 for requests: hence the largest number of tables.
"""
#: Milliseconds that 99 of 100 moves are to take at most.
EXPECTED = 50.0


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=10.0, help="how long each run is measured")
    options.add_argument("--only", default="", help="only runs whose name contains this, and no page is written")
    options.add_argument("--tables", type=int, help="with --only: so many tables instead")
    chosen = options.parse_args()
    for game in GAMES:
        compiler().compile(box(game).entry_points)  # so that nothing is compiled during the measurement
    if chosen.only:
        for ours in RUNS:
            if chosen.only in f"{ours.tables} {ours.name}":
                asked_for = msgspec.structs.replace(ours, tables=chosen.tables or ours.tables)
                sys.stdout.write(f"{row(measured(announced(asked_for), chosen.seconds))}\n")
        return
    found = [Result(ours.name, ours.tables, ours.thinks, measured(announced(ours), chosen.seconds)) for ours in RUNS]
    for peer in peers.NAMES if shutil.which("npm") else ():
        found.append(Result(peer, 200, False, peers.measure(peer, 200, chosen.seconds, None)))
        for tables in MORE_AND_MORE:
            found.append(Result(peer, tables, True, peers.measure(peer, tables, chosen.seconds, THINKING)))
    write_page(found, chosen.seconds)


class Result(msgspec.Struct, frozen=True):
    """What was measured of one run of ours, or of a peer's."""

    name: str
    tables: int
    thinks: bool
    figures: dict[str, float]


def write_page(found: Sequence[Result], seconds: float) -> None:
    """The figures as a page, and as a plot beside it."""
    flat_out = [result for result in found if not result.thinks]
    people = [result for result in found if result.thinks]
    page = PAGE.format(
        cores=CORES,
        processor=processor(),
        seconds=seconds,
        flat_out=grid([(result.name, result) for result in flat_out]),
        people=grid([(f"{result.tables:,} × {result.name}", result) for result in people]),
        limit=EXPECTED,
        files=resource.getrlimit(resource.RLIMIT_NOFILE)[0],
    )
    lines: dict[str, list[tuple[float, float]]] = {}
    for result in people:
        lines.setdefault(result.name, []).append((result.tables, result.figures["p99_ms"]))
    lines = {name: points for name, points in lines.items() if len(points) > 1}
    draw(HERE / "live.svg", lines, "tables at the pace of people", "p99 of a move, ms", EXPECTED)
    (HERE / "live.md").write_text(page)
    sys.stdout.write(page)


def announced(ours: Run) -> Run:
    sys.stderr.write(f"{ours.tables:,} tables: {ours.name}\n")
    return ours


def grid(rows: Sequence[tuple[str, Result]]) -> str:
    """The figures as a table. How much of a core the server takes, at the speed at which it was asked to go."""
    lines = [["", *COLUMNS.values(), "of a core"], ["---", *["---:"] * (len(COLUMNS) + 1)]]
    for name, result in rows:
        share = result.figures["moves_per_second"] * result.figures["server_cpu_us"] / 1e6
        lines.append([name, *row(result.figures), f"{share:.2f}"])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def row(found: dict[str, float]) -> list[str]:
    return [f"{found[column]:,.0f}" if found[column] >= 100 else f"{found[column]:.2f}" for column in COLUMNS]


if __name__ == "__main__":
    main()
