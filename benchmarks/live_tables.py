"""Live tables under load, on loopback: `make bench-live`. Figures are written to live.md beside this file, with a plot.

Two clients at each table play against each other over their own sockets. Every move is on disk before anyone is told of
it. First there are 200 tables at which everyone moves as soon as it is their turn, then more and more at human pace, up
to ten thousand. A move counts when both clients have been told of it; its time runs from the moment it was sent. There
is one process with SQLite, then as many as there are cores with PostgreSQL: the people of a table are connected to the
same process (as by a load balancer that goes by the table's address) or to different ones. If npm is installed,
boardgame.io and Colyseus are measured under the same load in the same run (peers.py). In the end, three thousand tables
with bots are opened at once while people play at others (opening.py).
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
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
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
from brocante.server.connections import FOR_REQUESTS, OTHER_FILES, most_files
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
    seat: int | None = None


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
    as_of: int = 0  # those who think do so less long: there are as many moves as of so many tables
    processes: int = 1
    apart: bool = False  # the people of a table are connected to different processes

    @property
    def title(self) -> str:
        return f"{self.name}, as many moves as of {self.as_of:,} tables" if self.as_of else self.name

    @property
    def pause(self) -> tuple[float, float] | None:
        """The shortest and the longest time that people think about a move."""
        share = self.tables / (self.as_of or self.tables)
        return (THINKING[0] * share, THINKING[1] * share) if self.thinks else None

    @property
    def sockets(self) -> int:
        return self.tables * PLAYERS[self.game]


CORES = os.cpu_count() or 1
MOVES = "Collection, moves"
#: How many tables there are at the pace of people, from one run to the next.
MORE_AND_MORE = (1_000, 3_000, 6_000, 10_000)
RUNS = (
    Run(MOVES, 200),
    Run("Collection, views", 200, detail="changes"),
    Run("antiques, views", 200, "antiques", "changes"),
    Run("Port, views", 200, "port", "changes"),
    Run(f"Collection, moves, PostgreSQL, {CORES} processes", 200, processes=CORES),
    Run(f"Collection, moves, PostgreSQL, {CORES} processes, people apart", 200, processes=CORES, apart=True),
    *(Run(MOVES, tables, thinks=True) for tables in MORE_AND_MORE),
    Run("Collection, views", 1000, detail="changes", thinks=True),
    Run("antiques, views", 1000, "antiques", "changes", thinks=True),
    Run("Port, views", 1000, "port", "changes", thinks=True),
)
#: Tables with bots that are opened at once, and those at which people play meanwhile.
OPENED, BESIDE = 3_000, Run(MOVES, 20, thinks=True, as_of=200)
OPENING = "tables with bots, opened at once"


def most_sockets() -> int:
    """How many sockets a server can have, and we the other ends of: every one is an open file, and the server keeps
    some for requests. From now on, we may have as many files as the system allows, and so may the servers we start."""
    connections = max(0, most_files() - OTHER_FILES)
    return connections - min(FOR_REQUESTS, connections // 3)


def fitting(sockets: int) -> tuple[list[Run], list[Run]]:
    """The runs for which there are so many sockets, and the others. Where there are not enough for the most tables,
    there are as many as there can be, with as many moves."""
    most, largest = MORE_AND_MORE[-1], sockets // PLAYERS["collection"] // 100 * 100

    def instead(ours: Run) -> Run:
        if ours.tables == most > largest >= MORE_AND_MORE[0]:
            return msgspec.structs.replace(ours, tables=largest, as_of=most)
        return ours

    runs = [*map(instead, RUNS)]
    return [ours for ours in runs if ours.sockets <= sockets], [ours for ours in runs if ours.sockets > sockets]


class Player(Client):
    """A player who makes any legal move, at once or after a pause, and starts another game when one is over."""

    def __init__(self, url: str, token: str, table: str, seat: int, stopwatch: Stopwatch, asked_for: Run) -> None:
        super().__init__(f"{url}?detail={asked_for.detail}", {"Authorization": f"Bearer {token}"})
        self._table = table
        self._seat = seat
        self._stopwatch = stopwatch
        self._players = PLAYERS[asked_for.game]
        self._pause = asked_for.pause
        self._moves = 0  # that were told
        self._sent = 0
        self._legal: list[dict[str, Any]] = []
        self._step = -1  # at which it has moved last
        self._all_are_here = False
        self._now = Now()

    def on_open(self) -> None:
        self._all_are_here = True
        self._play_if_asked()

    def on_message(self, message: bytes) -> None:
        told = read(message)
        if told.type == "refused":
            raise RuntimeError(message.decode())
        for event in told.events if told.type == "news" else ():
            if event.event == "moved":
                self._moves += 1
                self._stopwatch.told((self._table, self._moves))
        self._look(told)
        if told.type == "news" and told.table and told.table.phase == "over":
            if any(event.event == "moved" for event in told.events):  # the last move: each client is told of it once
                self._ask({"do": "again"})
        elif self._all_are_here:  # a welcome may be late
            self._play_if_asked()

    def _look(self, told: Message) -> None:
        """See who is to decide, and what is legal. (The first choices of moves that take several are left out.)"""
        if told.type in ("welcome", "news"):
            self._now = told.now
        offers = told.view.offers if told.view else None
        if told.changes and "offers" in told.changes.parts:
            offers = read_offers(told.changes.parts["offers"])
        if told.legal:
            self._legal = told.legal
        elif offers:
            self._legal = [offer.move for offer in offers if offer.move["move"] != "part"]

    def _play_if_asked(self) -> None:
        if self._seat not in self._now.asked or self._now.step == self._step:
            return
        self._step = self._now.step
        if self._pause:
            asyncio.get_running_loop().call_later(random.uniform(*self._pause), self._move)
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


def measured(asked_for: Run, during: Callable[[str], Coroutine[Any, Any, None]]) -> Measured:
    """Play, and measure while something goes on at the (first) server of a run."""
    with ExitStack() as stack:
        if asked_for.processes > 1:
            database = stack.enter_context(running_postgres(fsync=True)).new_database()
        else:
            database = str(Path(stack.enter_context(tempfile.TemporaryDirectory())) / "tables.db")
        urls, used = stack.enter_context(server(database, asked_for.processes))

        async def playing() -> Measured:
            stopwatch = Stopwatch()
            players = await seated(urls, asked_for, stopwatch)
            warm_up = asked_for.pause[1] + 2.0 if asked_for.pause else 3.0
            return await play(players, stopwatch, used, during=partial(during, urls[0]), warm_up=warm_up)

        return run(playing())


def for_seconds(seconds: float) -> Callable[[str], Coroutine[Any, Any, None]]:
    """Nothing else goes on."""
    return lambda url: asyncio.sleep(seconds)


def figures(found: Measured) -> dict[str, float]:
    return {
        "moves_per_second": found.moves_per_second,
        "p50_ms": 1000 * found.quantile(0.5),
        "p99_ms": 1000 * found.quantile(0.99),
        "server_cpu_us": 1e6 * found.server_cpu_per_move,
        "load_cpu_us": 1e6 * found.load_cpu_per_move,
        "server_mb": found.server_resident_bytes / 2**20,
    }


def opened_at_once(tables: int) -> dict[str, float]:
    """Open so many tables with bots, and see what it takes, and what people notice who play beside them."""
    taken: dict[str, float] = {}

    async def open_all(url: str) -> None:
        command = ("-m", "benchmarks.opening", url, str(tables))  # in a process of its own, so as not to delay players
        process = await asyncio.create_subprocess_exec(sys.executable, *command, cwd=ROOT, stdout=subprocess.PIPE)
        said, _ = await process.communicate()
        taken.update(msgspec.json.decode(said))

    found = measured(BESIDE, open_all)
    return {
        **taken,
        "cpu": found.server_cpu_seconds,
        "moves": found.moves,
        "p50_ms": 1000 * found.quantile(0.5),
        "p99_ms": 1000 * found.quantile(0.99),
    }


COLUMNS = {"moves_per_second": "moves/s", "p50_ms": "p50 ms", "p99_ms": "p99 ms", "server_cpu_us": "server µs/move",
           "load_cpu_us": "load µs/move", "server_mb": "MB"}  # fmt: skip
OPENING_COLUMNS = {"opened": "all are open, s", "turned": "the bots have moved, s", "cpu": "server CPU, s",
                   "moves": "moves beside", "p50_ms": "p50 ms", "p99_ms": "p99 ms"}  # fmt: skip
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

The dotted line is at {limit:.0f} ms. Every socket is an open file, and the system allows a process as many as make
{sockets:,} sockets. Where these are too few for the most tables, there are fewer, at which people think less long, so
that there are as many moves. {left_out}

## {opened:,} {opening}

One person opens each, with two bots: Collection, antiques and Port in turns, as pages do, a hundred requests at a time.
They move as soon as they are asked, until each bot has had its first turn. Meanwhile people play Collection at {beside}
other tables, a move after {pause[0]:.1f} to {pause[1]:.1f} seconds, and it is their moves that are timed. Whatever is
not a move, such as opening a table, may have half of a processor: hence the time. The server's CPU is that of its
workers too, in which bots think until the compiled rules are loaded.

{with_bots}
"""
#: Milliseconds that 99 of 100 moves are to take at most.
EXPECTED = 50.0


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=10.0, help="how long each run is measured")
    options.add_argument("--only", default="", help="only runs whose name contains this, and no page is written")
    options.add_argument("--tables", type=int, help="with --only: so many tables instead")
    chosen = options.parse_args()
    sockets = most_sockets()
    fit, others = fitting(sockets)
    for ours in others:
        sys.stderr.write(f"left out, for want of open files: {told_of(ours)}\n")
    for game in GAMES:
        compiler().compile(box(game).entry_points)  # so that nothing is compiled during the measurement
    opened = min(OPENED, sockets - BESIDE.sockets)
    if chosen.only:
        try_some(fit, chosen.only, chosen.tables, chosen.seconds)
        if chosen.only in OPENING:
            sys.stdout.write(f"{row(opened_at_once(chosen.tables or opened), OPENING_COLUMNS)}\n")
        return
    found = [result_of(ours, chosen.seconds) for ours in fit]
    for peer in peers.NAMES if shutil.which("npm") else ():
        for ours in fit:
            if ours.name == MOVES:
                theirs = peers.measure(peer, ours.tables, chosen.seconds, ours.pause)
                found.append(Result(msgspec.structs.replace(ours, name=peer), theirs))
    sys.stderr.write(f"{opened:,} {OPENING}\n")
    write_page(found, others, {"tables": opened, **opened_at_once(opened)}, sockets, chosen.seconds)


def try_some(runs: Sequence[Run], only: str, tables: int | None, seconds: float) -> None:
    """Measure some of the runs, perhaps with fewer tables, and write no page."""
    for ours in runs:
        if only in f"{ours.tables} {ours.title}":
            asked_for = msgspec.structs.replace(ours, tables=tables, as_of=0) if tables else ours
            sys.stdout.write(f"{row(result_of(asked_for, seconds).figures)}\n")


class Result(msgspec.Struct, frozen=True):
    """What was measured of one run of ours, or of a peer's."""

    run: Run
    figures: dict[str, float]


def result_of(ours: Run, seconds: float) -> Result:
    sys.stderr.write(f"{told_of(ours)}\n")
    return Result(ours, figures(measured(ours, for_seconds(seconds))))


def told_of(ours: Run) -> str:
    return f"{ours.tables:,} × {ours.title}"


def write_page(
    found: Sequence[Result], others: Sequence[Run], with_bots: dict[str, float], sockets: int, seconds: float
) -> None:
    """The figures as a page, and as a plot beside it."""
    flat_out = [result for result in found if not result.run.thinks]
    people = [result for result in found if result.run.thinks]
    page = PAGE.format(
        cores=CORES,
        processor=processor(),
        seconds=seconds,
        flat_out=grid([(result.run.name, result) for result in flat_out]),
        people=grid([(told_of(result.run), result) for result in people]),
        limit=EXPECTED,
        sockets=sockets,
        left_out=f"Left out for want of them: {'; '.join(map(told_of, others))}." if others else "",
        opened=with_bots["tables"],
        opening=OPENING,
        beside=BESIDE.tables,
        pause=BESIDE.pause,
        with_bots=lines_of([[*OPENING_COLUMNS.values()], row(with_bots, OPENING_COLUMNS)], first="---:"),
    )
    lines: dict[str, list[tuple[float, float]]] = {}
    for result in people:
        lines.setdefault(result.run.name, []).append((result.run.tables, result.figures["p99_ms"]))
    lines = {name: points for name, points in lines.items() if len(points) > 1}
    draw(HERE / "live.svg", lines, "tables at the pace of people", "p99 of a move, ms", EXPECTED)
    (HERE / "live.md").write_text(page)
    sys.stdout.write(page)


def grid(rows: Sequence[tuple[str, Result]]) -> str:
    """The figures as a table. How much of a core the server takes, at the speed at which it was asked to go."""
    lines = [["", *COLUMNS.values(), "of a core"]]
    for name, result in rows:
        share = result.figures["moves_per_second"] * result.figures["server_cpu_us"] / 1e6
        lines.append([name, *row(result.figures), f"{share:.2f}"])
    return lines_of(lines)


def lines_of(rows: Sequence[Sequence[str]], first: str = "---") -> str:
    """A table of Markdown, its first row the names of the columns."""
    head, *others = rows
    lines = [head, [first, *["---:"] * (len(head) - 1)], *others]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def row(found: dict[str, float], columns: dict[str, str] = COLUMNS) -> list[str]:
    return [f"{found[column]:,.0f}" if found[column] >= 100 else f"{found[column]:.2f}" for column in columns]


if __name__ == "__main__":
    main()
