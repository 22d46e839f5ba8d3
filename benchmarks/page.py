"""The page in figures, on loopback: `make bench-page`. The table is written to page.md beside this file.
With names of games, it measures only those and writes no page. `make bench-page BESIDE=COMMIT` measures the page of
another commit in the same run, in turns.

For each game: the bytes that come over the wire from an empty cache until the first game is on the screen, the time
until a game is on the screen when the page is opened again, and the time from somebody's click to the move on the
screen of the other player, in a browser of their own. Server, browsers and this program run on one machine.
"""

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

from playwright.async_api import Browser
from playwright.async_api import TimeoutError as TooLate

import brocante
from benchmarks.live_tables import ROOT, server
from benchmarks.random_play import processor
from brocante.client import Client, TableClient
from tests.web.browsing import Visitor, running_browser, visiting
from tests.web.weight import bytes_until_playing, until_repacked

HERE = Path(__file__).parent
#: How often the page is opened again, and how many moves are timed at how many tables. Hands that know no rule make
#: such a mess of a table, above all in Vinto, that first moves tell more of what people see than later ones.
OPENED, TABLES, MOVES = 10, 6, 5
#: Milliseconds after which a move that a page holds back is no longer waited for.
LATEST = 3000
OPTIONS: dict[str, dict[str, Any]] = {
    "antiques": {"players": 3},
    "collection": {"players": 2},
    "port": {"players": 2},
    "vinto": {"players": 4},
}
#: Notes when the table is first on the screen, in milliseconds since the page was requested: when its first frame has
#: been laid out and painted.
NOTE_DRAWN = """
new MutationObserver((_, watching) => {
  if (document.body?.dataset.phase !== "playing" || !document.querySelector("#table *")) return;
  requestAnimationFrame(() => requestAnimationFrame(() => (window.drawnAfter = performance.now())));
  watching.disconnect();
}).observe(document, { subtree: true, childList: true, attributes: true });
"""
#: Notes when somebody clicks, and when what the server says has been painted: a new line of the log, and what lies on
#: the table, if that has changed. A page may write the line and let the table wait. Both browsers have the same clock.
NOTE_CHANGES = """
const now = () => performance.timeOrigin + performance.now();
const noteClick = () => (window.clickedAt = now());
addEventListener("click", noteClick, true);
addEventListener("keydown", noteClick, true);
const zonesOf = ({ centre, board, places }) => [centre, board, ...places.map(({ zones }) => zones)].flat();
const lying = ({ table }) =>
  JSON.stringify(zonesOf(table).map(({ stacks }) => stacks.map(({ card, count }) => [card?.kind, count])));
let [lay, said] = ["", ""];
window.awaited = new Set(); // parts of the page that are to change; undefined: nothing has been said yet
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => {
      const { view, events } = JSON.parse(data);
      if (!view) return;
      const isTold = events?.some((event) => event.said?.length);
      if (isTold && !window.awaited) {
        window.awaited = new Set(lying(view) === lay ? ["log"] : ["log", "table"]);
        window.arrivedAt = now();
      }
      lay = lying(view);
    });
  }
};
const noteTold = () => window.awaited && (window.toldAt ??= now());
const isOnTable = ({ target }) => {
  const at = target.closest ? target : target.parentElement;
  return at?.closest("#table, #hand") && !at.closest(".nameplate");
};
new MutationObserver((changes) => {
  if (changes.some(isOnTable)) window.awaited?.delete("table");
  if (said !== (said = document.querySelector("#log")?.textContent)) window.awaited?.delete("log");
  if (window.awaited?.size === 0) requestAnimationFrame(() => requestAnimationFrame(noteTold));
}).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
"""
PAGE = """\
# The page in figures

Written by `make bench-page`: {cores} cores, {processor}; server, browsers and what measures on the same machine.
*Weight*: everything that came over the wire, compressed, from an empty cache to the first game on the screen, by way of
the home page. *Again*: the median time to a game on the screen with a warm cache, and the slowest of {opened}.
*Move*: from a click until the move is painted on the other player's screen, in the log and on the table, the median of
{moves} moves at {tables} tables, and the slowest; {latest} if a page holds it back for longer.
{beside}
| | weight kB | again ms | slowest | move ms | slowest |
| --- | ---: | ---: | ---: | ---: | ---: |
{rows}
"""


async def opened_again(browser: Browser, url: str, game: str) -> list[float]:
    """How long it takes to have the table on the screen, with a warm cache."""
    visitor = await visiting(browser, url)
    await visitor.context.add_init_script(NOTE_DRAWN)
    await visitor.sit_with_bots(game, **OPTIONS[game])
    times = []
    for _ in range(OPENED):
        await visitor.go("/rules/" + game)
        await visitor.at_table()
        drawn = await visitor.page.wait_for_function("window.drawnAfter")
        times.append(float(await drawn.json_value()))
    await visitor.context.close()
    return times


async def moves_told(browser: Browser, url: str, game: str) -> list[float]:
    """How long it takes from one player's click to the move on the other's screen."""
    ana, ben = await visiting(browser, url), await visiting(browser, url)
    for visitor in (ana, ben):
        await visitor.context.add_init_script(NOTE_CHANGES)
    table = await ana.open_table(game, **OPTIONS[game])
    await ben.join(table)
    times: list[float] = []
    async with at_the_other_seats(url, table, OPTIONS[game]["players"] - 2):
        await ana.do("start")
        await asyncio.gather(ana.at_table(), ben.at_table())
        while len(times) < MOVES and not await ana.is_over():
            for mover, other in ((ana, ben), (ben, ana)):
                times += await told(mover, other)
    for visitor in (ana, ben):
        await visitor.context.close()
    return times


@asynccontextmanager
async def at_the_other_seats(url: str, table: str, seats: int) -> AsyncIterator[None]:
    """Programs that decide at once. Bots would not do: their pace has changed over time, and with it what the others
    have to decide, so that other moves would be timed at another page."""
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(url, f"Program {n + 1}")) for n in range(seats)]
        playing = [asyncio.create_task(play(await client.sit(table))) for client in clients]
        yield
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


async def play(table: TableClient) -> None:
    async for turn in table.turns():
        await turn.play(turn.legal[0])


async def told(mover: Visitor, other: Visitor) -> list[float]:
    """Time one thing that the mover does; empty if it is not their turn, or the other was told nothing of it."""
    if not await mover.is_asked():
        await asyncio.sleep(0.01)
        return []
    if await other.is_asked():  # nobody is told before all have decided
        await pass_or_touch_something(mover)
        return []
    await other.page.evaluate("window.toldAt = window.arrivedAt = window.awaited = undefined")
    await mover.touch_something()
    clicked = float(await mover.page.evaluate("window.clickedAt"))
    await asyncio.sleep(0.2)
    arrived = await other.page.evaluate("window.arrivedAt")
    if arrived is None or arrived < clicked:  # the other was told nothing, or what somebody else did just before
        return []
    with suppress(TooLate):
        await other.page.wait_for_function("() => window.toldAt", timeout=LATEST)
    painted = await other.page.evaluate("window.toldAt")
    return [min(painted - clicked, LATEST) if painted else LATEST]


async def pass_or_touch_something(visitor: Visitor) -> None:
    """Pass, where one can. Hands that know no rule toss in every card of Vinto, as nobody does."""
    passing = visitor.find('#choices [data-moves*="pass"]')
    if await passing.count():
        await passing.click()
        await asyncio.sleep(0.05)
    else:
        await visitor.touch_something()


async def measured(urls: list[str], games: list[str]) -> list[str]:
    """A row for each game; the pages are measured in turns, so that all have the same share of a machine's moods."""
    rows = []
    async with running_browser() as browser:
        for url in urls:
            with suppress(TimeoutError):  # older pages were not packed again
                await until_repacked(await visiting(browser, url))
        for game in games:
            columns = list(zip(*[await figures(browser, url, game) for url in urls], strict=True))
            cells = [f"{ours:.0f}" + "".join(f" ({other:.0f})" for other in others) for ours, *others in columns]
            rows.append(f"| {game} | {' | '.join(cells)} |")
            sys.stderr.write(rows[-1] + "\n")
    return rows


async def figures(browser: Browser, url: str, game: str) -> list[float]:
    weight = await bytes_until_playing(await visiting(browser, url), game)
    again = await opened_again(browser, url, game)
    moves = [time for _ in range(TABLES) for time in await moves_told(browser, url, game)]
    return [weight / 1000, statistics.median(again), max(again), statistics.median(moves), max(moves)]


@contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """A folder with the files of a commit."""
    with tempfile.TemporaryDirectory() as folder:
        files = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=files, check=True)
        yield Path(folder)


@contextmanager
def served(tree: Path) -> Iterator[str]:
    """The page of a checkout. Its rules are compiled first, so that nothing is during the measurement."""
    subprocess.run([sys.executable, "-m", "brocante.cli", "compile"], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as folder, server(str(Path(folder) / "tables.db"), 1, tree) as ([url], _):
        yield url


def main() -> None:
    asked = argparse.ArgumentParser(description="The page in figures.")
    asked.add_argument("games", nargs="*", metavar="GAME", help="all, if none is named")
    asked.add_argument("--beside", metavar="COMMIT", help="measure the page of this commit in the same run")
    given = asked.parse_args()
    wanted = given.games or list(brocante.GAMES)
    with ExitStack() as stack:
        trees = [ROOT, *([stack.enter_context(checkout(given.beside))] if given.beside else [])]
        rows = asyncio.run(measured([stack.enter_context(served(tree)) for tree in trees], wanted))
    beside = f"In brackets: the page of commit {given.beside}, measured in the same run.\n" if given.beside else ""
    counts = {"opened": OPENED, "moves": TABLES * MOVES, "tables": TABLES, "latest": LATEST}
    page = PAGE.format(cores=os.cpu_count(), processor=processor(), beside=beside, rows="\n".join(rows), **counts)
    if wanted == list(brocante.GAMES):
        (HERE / "page.md").write_text(page)
    sys.stdout.write(page)


if __name__ == "__main__":
    main()
