"""How a test sits at a table of the terminal client: with the keyboard and the mouse, like a person."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from textual.pilot import Pilot
from textual.widgets import OptionList, Static

import brocante
from brocante.engine.moves import Move
from brocante.engine.text import Text
from brocante.table import audience
from brocante.terminal.app import Terminal
from brocante.terminal.home_table import PERSON, HomeTable, new_game
from brocante.terminal.home_table_screen import HomeTableScreen
from brocante.terminal.table_screen import TableScreen

SIZES = {"wide": (120, 36), "standard": (80, 24), "narrow": (60, 50)}
LONGEST = 300  # decisions of one player in a game


def seated(seed: str = "table", players: int = 3, game: str = "collection", **options: Any) -> HomeTable:
    box = brocante.box(game)
    return new_game(box, {"players": players, **options}, ["greedy"] * (players - 1), seed=seed)


def legal_moves(table: HomeTable) -> list[Move]:
    """What the person may decide now."""
    return audience.game_for(table.table, table.game, PERSON).legal_moves


@asynccontextmanager
async def at_table(
    game: HomeTable | None = None, code: str = "en", size: tuple[int, int] = SIZES["wide"]
) -> AsyncIterator[tuple[Pilot[None], HomeTableScreen]]:
    """Sit down and wait until it is one's turn."""
    game = game or seated()
    game.table.refresh()  # a test may have arranged the game
    app = Terminal(code, game.game.box, lambda: game)
    async with app.run_test(size=size) as pilot:
        screen = await the_table(pilot)
        app.pace = "instant"
        await my_turn(pilot, screen)
        yield pilot, screen


async def the_table(pilot: Pilot[None]) -> HomeTableScreen:
    """The rules are compiled first, which may take a while."""
    for _ in range(18_000):
        await pilot.pause(0.01)
        screen = pilot.app.screen
        if isinstance(screen, HomeTableScreen) and screen.is_mounted and screen.query("#seat-1"):
            return screen
    raise AssertionError("no table was laid")


async def my_turn(pilot: Pilot[None], screen: HomeTableScreen) -> None:
    for _ in range(3000):
        await pilot.pause(0.01)
        if screen.model.persons_turn or screen.model.game.is_over or screen.moment:
            await pilot.pause(0.02)
            return
    raise AssertionError("the bots never finished")


async def until(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    """Wait for something that takes its time."""
    for _ in range(3000):
        await pilot.pause(0.01)
        if condition():
            return
    raise AssertionError("it never came about")


async def attend(pilot: Pilot[None], screen: HomeTableScreen) -> None:
    """Look at what is seen for a moment, and go on, until there is something to decide."""
    for _ in range(50):
        await my_turn(pilot, screen)
        if not screen.moment:
            return
        await pilot.press("space")
        await pilot.pause(0.02)
    raise AssertionError("there was no end of moments")


async def assert_the_scoring_is_told(pilot: Pilot[None], screen: HomeTableScreen) -> None:
    """The game is over; award after award is told, and what everyone has in the end."""
    assert screen.model.game.is_over
    scores = [
        f"{screen.names[seat]}  {screen.say(Text('points', n=score))}"
        for seat, score in enumerate(screen.model.game.scores)
    ]
    await until(pilot, lambda: all(score in shown(screen, "#result") for score in scores))
    result = shown(screen, "#result")
    for award in screen.view.awards:
        assert screen.say(award.title) in result
        assert screen.say(award.why) in result


def moves(screen: TableScreen) -> list[str]:
    listed = screen.query_one("#moves", OptionList)
    return [str(listed.get_option_at_index(i).id) for i in range(listed.option_count)]


def shown(screen: TableScreen, selector: str) -> str:
    return str(screen.query_one(selector, Static).render())


def logged(screen: TableScreen) -> str:
    return shown(screen, "#told")
