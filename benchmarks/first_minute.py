"""The first minute in figures, on loopback: `make bench-page`. The tables are written to first_minute.md beside this
file.

How long it takes from a clone of the repository to the home page, from starting a server to the home page, and from a
click there to the table and to the first move: cold, with nothing compiled and a compiler at work, and warm. And what
switching to compiled rules costs a server that hosts all games. Server, compiler, browser and this program run on one
machine.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
from playwright.async_api import Browser

from benchmarks.live_tables import GENEROUS
from benchmarks.load import Process
from benchmarks.random_play import processor
from brocante.games import GAMES
from tests.server.processes import free_port
from tests.web.browsing import IS_THEIR_TURN, Visitor, running_browser, visiting

HERE = Path(__file__).parent
#: The command that users run.
BROCANTE = Path(sys.executable).parent / "brocante"
#: Seconds between two probes of a server; and the limit for everything to be compiled.
EVERY, PATIENCE = 0.02, 600.0
#: The person's moves at each table, and the seconds of thought before each.
MOVES, THINKING = 10, 0.5
WAYS = ("cold", "warm")
#: What is imported; the first is what the others are compared with.
IMPORTED = ("numpy", "brocante", "brocante.client", "brocante.cli")

PLAY = "[data-do=play]"
HOME_IS_DRAWN = f"() => document.querySelectorAll('{PLAY}').length === {len(GAMES)}"
TABLE_IS_DRAWN = "() => document.body.dataset.phase === 'playing' && document.querySelector('#table *')"
NOTE_CLICK = "addEventListener('click', () => (window.clickedAt = performance.now()), { capture: true, once: true })"

PAGE = """\
# The first minute in figures

Written by `make bench-page`: {cores} cores, {processor}; server, compiler, browser and what measures on the same
machine. In seconds, where nothing else is said: the median of several runs and the slowest of them, each with a server
that has just been started and a browser that has never been there. *Cold*: nothing was compiled before, and a compiler
is at work meanwhile. *Warm*: everything was. Bots do not dawdle.

## From a clone to the home page

Measured once. Most of setting up is downloading: it is as quick as the network. The clone is from the same disk.

| | s |
| --- | ---: |
{clone}

## Imports

`python -c "import …"`, the Python that does so included, beside NumPy alone. Measured {starts}.

| | s | slowest | × numpy |
| --- | ---: | ---: | ---: |
{imports}

## From the command to the home page

`brocante serve`, to its first answer and to the home page on the screen. Measured {starts}.

| | cold | slowest | warm | slowest | cold is |
| --- | ---: | ---: | ---: | ---: | ---: |
{starting}

## From a click on “Play now”

To the table on the screen, and until one can make a move. Measured {times}.

| | cold | slowest | warm | slowest | cold is |
| --- | ---: | ---: | ---: | ---: | ---: |
{clicking}

## A server while its games go over

*Over*: from the command until all four games are run by compiled rules. *Answer*: how long a server took that was asked
for `/healthz` every {every:.0f} ms: the median, what 99 of 100 did not exceed, and the slowest. Others wait while it
thinks of a bot's move, or loads compiled rules. *Memory*: of the server, in the end. Measured once with somebody at a
table of each game, who makes {moves} moves at least; and with nobody there {times}.

| | over s | answer ms | 99 of 100 | slowest | memory MB |
| --- | ---: | ---: | ---: | ---: | ---: |
{going_over}
"""


# --- servers ----------------------------------------------------------------------------------------------------------


class Serving(NamedTuple):
    """A server that answers."""

    url: str
    process: Process
    log: Path
    began: float  # when the command was given
    to_answer: float  # seconds from there to the first answer

    def went_over(self) -> list[float]:
        """After how many seconds each game switched to compiled rules."""
        lines = map(json.loads, self.log.read_text().splitlines())
        return [line["at"] - self.began for line in lines if line["event"] == "compiled rules are in use"]


@contextmanager
def served(cache: Path, *flags: str, program: Path = BROCANTE) -> Iterator[Serving]:
    with tempfile.TemporaryDirectory() as folder:
        log, port = Path(folder) / "log", free_port()
        url, own = f"http://127.0.0.1:{port}", (f"--database={folder}/tables.db", f"--port={port}", "--json-logs")
        environment = {**os.environ, "BROCANTE_CACHE_DIR": str(cache)}
        with log.open("w") as said:
            began = time.time()
            command = [str(program), "serve", *own, *GENEROUS, "--pace=0", *flags]
            process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=said)
        try:
            wait_for(url)
            yield Serving(url, Process(process.pid), log, began, time.time() - began)
        finally:
            process.terminate()
            process.wait(20)


@contextmanager
def served_as(way: str, warm: Path) -> Iterator[Serving]:
    with tempfile.TemporaryDirectory() as empty, served({"cold": Path(empty), "warm": warm}[way]) as serving:
        yield serving


def wait_for(url: str) -> None:
    until = time.monotonic() + PATIENCE
    with httpx.Client() as client:
        while time.monotonic() < until:
            try:
                client.get(f"{url}/healthz").raise_for_status()
                return
            except httpx.TransportError:
                time.sleep(0.01)
    raise RuntimeError(f"{url} does not answer")


@contextmanager
def asked_all_the_while(url: str) -> Iterator[list[float]]:
    """How many seconds a server takes for each answer while something else happens."""
    times: list[float] = []
    enough = threading.Event()

    def ask() -> None:
        with httpx.Client(timeout=PATIENCE) as client:
            while not enough.wait(EVERY):
                began = time.perf_counter()
                client.get(f"{url}/healthz").raise_for_status()
                times.append(time.perf_counter() - began)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        yield times
    finally:
        enough.set()
        asking.join()


# --- people -----------------------------------------------------------------------------------------------------------


async def at_home(browser: Browser, url: str) -> Visitor:
    """A new visitor who sees the home page."""
    visitor = await visiting(browser, url)
    await visitor.go("/")
    await visitor.page.wait_for_function(HOME_IS_DRAWN)
    return visitor


async def play_now(visitor: Visitor, game: str) -> list[float]:
    """Seconds from the click to the table, and to the first possible move."""
    await visitor.page.evaluate(NOTE_CLICK)
    waiting = [asyncio.create_task(since_click(visitor, what)) for what in (TABLE_IS_DRAWN, IS_THEIR_TURN)]
    await visitor.find(f"[data-game={game}] {PLAY}").click()
    return await asyncio.gather(*waiting)


async def since_click(visitor: Visitor, happens: str) -> float:
    after = f"() => window.clickedAt && ({happens})() && performance.now() - window.clickedAt"
    found = await visitor.page.wait_for_function(after, timeout=1000 * PATIENCE)
    return float(await found.json_value()) / 1000


# --- measurements -----------------------------------------------------------------------------------------------------


class First(NamedTuple):
    """How long everything takes with a freshly started server, in seconds."""

    to_answer: float
    to_home: float
    to_table: float
    to_move: float


async def first_minutes(browser: Browser, warm: Path, runs: int) -> dict[tuple[str, str], list[First]]:
    """By game, and by whether it was cold or warm."""
    found: dict[tuple[str, str], list[First]] = {(game, way): [] for game in GAMES for way in WAYS}
    for _ in range(runs):
        for game, way in found:
            with served_as(way, warm) as serving:
                found[game, way].append(await first_minute(browser, serving, game))
            announce(f"{game}, {way}", found[game, way][-1])
    return found


async def first_minute(browser: Browser, serving: Serving, game: str) -> First:
    visitor = await at_home(browser, serving.url)
    to_home = time.time() - serving.began
    found = First(serving.to_answer, to_home, *await play_now(visitor, game))
    await visitor.context.close()
    return found


class Evening(NamedTuple):
    """How a server fares while its games switch over."""

    over: float | None  # seconds from the command until all have switched, if they do
    answers: Sequence[float]  # seconds
    memory: float  # bytes


async def evenings(browser: Browser, warm: Path, runs: int) -> dict[str, list[Evening]]:
    """The folder is empty before, and holds the compiled rules afterwards."""
    found: dict[str, list[Evening]] = {}
    with served(warm) as serving:
        found["cold"] = [await evening(browser, serving, GAMES)]
    with served(warm) as serving:
        found["warm"] = [await evening(browser, serving, GAMES)]
    with served(warm, "--no-compile") as serving:
        found["plain Python (`--no-compile`)"] = [await evening(browser, serving, GAMES, compiles=False)]
    found["warm, and nobody there"] = []
    for _ in range(runs):
        with served(warm) as serving:
            found["warm, and nobody there"].append(await evening(browser, serving, ()))
    return found


async def evening(browser: Browser, serving: Serving, games: Sequence[str], *, compiles: bool = True) -> Evening:
    """Play at a table of each of these games until everything has switched over, and for some moves at least."""
    with asked_all_the_while(serving.url) as answers:
        people = [await at_home(browser, serving.url) for _ in games]
        for visitor, game in zip(people, games, strict=True):
            await play_now(visitor, game)
        moves = 0
        async with asyncio.timeout(PATIENCE):
            while moves < MOVES or (compiles and len(serving.went_over()) < len(GAMES)):
                for visitor in people:
                    await visitor.play_on(moves=1)
                await asyncio.sleep(THINKING)
                moves += 1
    found = Evening(max(serving.went_over(), default=None), answers, serving.process.resident_bytes)
    for visitor in people:
        await visitor.context.close()
    return found


def importing(runs: int) -> dict[str, list[float]]:
    """Seconds that each of these imports takes, measured in turn."""
    found: dict[str, list[float]] = {name: [] for name in IMPORTED}
    for _ in range(runs):
        for name, seconds in found.items():
            seconds.append(seconds_of(sys.executable, "-c", f"import {name}"))
    return found


async def from_a_clone(browser: Browser) -> dict[str, float]:
    """Seconds for everything that happens between `git clone` and the home page."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "brocante"
        took = {
            "`git clone`": seconds_of("git", "clone", "--quiet", str(HERE.parent), str(clone)),
            "setting up": seconds_of("make", "-C", str(clone), ".venv/play", f"PYTHON={sys.executable}"),
        }
        with served(Path(folder) / "cache", program=clone / ".venv/bin/brocante") as serving:
            visitor = await at_home(browser, serving.url)
            took["`brocante serve`, to the home page"] = time.time() - serving.began
            await visitor.context.close()
    return took


def seconds_of(*command: str) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - began


# --- the page ---------------------------------------------------------------------------------------------------------


def announce(what: str, found: object) -> None:
    sys.stderr.write(f"{what}: {found}\n")


def times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def grid(rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def imports(found: dict[str, list[float]]) -> Iterator[list[str]]:
    base = statistics.median(found[IMPORTED[0]])
    for name, took in found.items():
        median = statistics.median(took)
        yield [f"`{name}`", f"{median:.2f}", f"{max(took):.2f}", f"{median / base:.1f}"]


def starting(found: dict[tuple[str, str], list[First]]) -> Iterator[list[str]]:
    cold, warm = ([first for game in GAMES for first in found[game, way]] for way in WAYS)
    yield compared("to the first answer", [first.to_answer for first in cold], [first.to_answer for first in warm])
    yield compared("to the home page", [first.to_home for first in cold], [first.to_home for first in warm])


def clicking(found: dict[tuple[str, str], list[First]]) -> Iterator[list[str]]:
    for game in GAMES:
        cold, warm = (found[game, way] for way in WAYS)
        yield compared(f"{game}, to the table", [first.to_table for first in cold], [first.to_table for first in warm])
        yield compared(f"{game}, to a move", [first.to_move for first in cold], [first.to_move for first in warm])


def compared(name: str, cold: Sequence[float], warm: Sequence[float]) -> list[str]:
    """The median and the slowest of both, and the ratio of the medians."""
    figures = [f"{of(times):.2f}" for times in (cold, warm) for of in (statistics.median, max)]
    return [name, *figures, f"× {statistics.median(cold) / statistics.median(warm):.2f}"]


def going_over(found: dict[str, list[Evening]]) -> Iterator[list[str]]:
    for name, several in found.items():
        over = [evening.over for evening in several if evening.over is not None]
        answers = [1000 * answer for evening in several for answer in evening.answers]
        memory = statistics.median(evening.memory for evening in several) / 2**20
        figures = statistics.median(answers), statistics.quantiles(answers, n=100)[-1], max(answers), memory
        yield [name, f"{statistics.median(over):.1f}" if over else "", *(f"{figure:.0f}" for figure in figures)]


async def measured(runs: int) -> str:
    imported = importing(runs * len(GAMES))
    announce("imports", list(imports(imported)))
    with tempfile.TemporaryDirectory() as cache:
        async with running_browser() as browser:
            clone = await from_a_clone(browser)
            announce("clone", clone)
            over = await evenings(browser, Path(cache), runs)
            announce("going over", list(going_over(over)))
            firsts = await first_minutes(browser, Path(cache), runs)
    return PAGE.format(
        cores=os.cpu_count(),
        processor=processor(),
        times=times(runs),
        starts=times(runs * len(GAMES)),
        every=1000 * EVERY,
        moves=MOVES,
        clone=grid([name, f"{seconds:.1f}"] for name, seconds in clone.items()),
        imports=grid(imports(imported)),
        starting=grid(starting(firsts)),
        clicking=grid(clicking(firsts)),
        going_over=grid(going_over(over)),
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=5, help="how often everything is measured that is quick")
    page = asyncio.run(measured(options.parse_args().runs))
    (HERE / "first_minute.md").write_text(page)
    sys.stdout.write(page)


if __name__ == "__main__":
    main()
