"""The page in figures, on loopback: `make bench-page`. The table is written to page.md beside this file.
With names of games, it measures only those and writes no page.

For each game: the bytes that come over the wire from an empty cache until the first game is on the screen, the time
until a game is on the screen when the page is opened again, and the time from somebody's click to the move on the
screen of the other player, in a browser of their own. Server, browsers and this program run on one machine.
"""

import asyncio
import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.async_api import Browser

import brocante
from benchmarks.live_tables import server
from benchmarks.random_play import processor
from brocante.backends import compiler
from tests.web.browsing import Visitor, running_browser, visiting
from tests.web.weight import bytes_until_playing

HERE = Path(__file__).parent
#: How often the page is opened again, and how many moves are timed.
OPENED, MOVES = 10, 30
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
#: Notes when somebody clicks, and when a new line appears in the log; both browsers share the machine's clock.
NOTE_CHANGES = """
const now = () => performance.timeOrigin + performance.now();
addEventListener("click", () => (window.clickedAt = now()), true);
addEventListener("keydown", () => (window.clickedAt = now()), true);
new MutationObserver(() => {
  const said = document.querySelector("#log")?.textContent;
  if (said === window.saidBefore) return;
  window.saidBefore = said;
  window.toldAt = now();
}).observe(document, { subtree: true, childList: true, characterData: true });
"""
PAGE = """\
# The page in figures

Written by `make bench-page`: {cores} cores, {processor}; server, browsers and what measures on the same machine.
*Weight*: everything that came over the wire, compressed, from an empty cache to the first game on the screen, by way of
the home page. *Again*: the median time to a game on the screen with a warm cache, and the slowest of {opened}.
*Move*: from a click to the move on the other player's screen, the median of {moves} and the slowest.

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
    await ben.join(await ana.open_table(game, **OPTIONS[game]))
    await ana.do("start", fill=True)
    await asyncio.gather(ana.at_table(), ben.at_table())
    times: list[float] = []
    while len(times) < MOVES and not await ana.is_over():
        for mover, other in ((ana, ben), (ben, ana)):
            times += await told(mover, other)
    for visitor in (ana, ben):
        await visitor.context.close()
    return times


async def told(mover: Visitor, other: Visitor) -> list[float]:
    """Time one thing that the mover does; empty if it is not their turn, or the other was told nothing of it."""
    if not await mover.is_asked():
        await asyncio.sleep(0.01)
        return []
    together = await other.is_asked()  # nobody is told before all have decided
    before = await other.page.evaluate("window.toldAt")
    await mover.touch_something()
    clicked = float(await mover.page.evaluate("window.clickedAt"))
    await asyncio.sleep(0.15)
    after = await other.page.evaluate("window.toldAt")
    return [after - clicked] if not together and after != before and after > clicked else []


async def measured(url: str, games: list[str]) -> list[str]:
    rows = []
    async with running_browser() as browser:
        for game in games:
            weight = await bytes_until_playing(await visiting(browser, url), game)
            again = await opened_again(browser, url, game)
            moves = await moves_told(browser, url, game)
            figures = [weight / 1000, statistics.median(again), max(again), statistics.median(moves), max(moves)]
            rows.append(f"| {game} | {' | '.join(f'{figure:.0f}' for figure in figures)} |")
            sys.stderr.write(rows[-1] + "\n")
    return rows


def main() -> None:
    wanted = sys.argv[1:] or list(brocante.GAMES)
    for game in brocante.GAMES:
        compiler().compile(brocante.box(game).entry_points)  # so that nothing is compiled during the measurement
    with tempfile.TemporaryDirectory() as folder, server(str(Path(folder) / "tables.db"), 1) as ([url], _):
        rows = asyncio.run(measured(url, wanted))
    page = PAGE.format(cores=os.cpu_count(), processor=processor(), opened=OPENED, moves=MOVES, rows="\n".join(rows))
    if wanted == list(brocante.GAMES):
        (HERE / "page.md").write_text(page)
    sys.stdout.write(page)


if __name__ == "__main__":
    main()
