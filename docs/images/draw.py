"""Draws the pictures of the documents: `make pictures`.

A game is played from a fixed seed by a person who always does what a bot would, and the screen is kept as SVG.
"""

import asyncio
import os
import re
import tempfile
from pathlib import Path

import brocante
from brocante.bots import Bot
from brocante.terminal.app import Terminal
from brocante.terminal.seats import new_game
from brocante.terminal.table import TableScreen

HERE = Path(__file__).parent
FONT = '"Fira Code", "DejaVu Sans Mono", Menlo, Consolas, monospace'


async def draw(name: str, code: str, theme: str, size: tuple[int, int], players: int, moves: int) -> None:
    box, opponents = brocante.box("collection"), ["greedy"] * (players - 1)
    app = Terminal(code, box, lambda: new_game(box, {"players": players}, opponents, seed="a sunny sunday"))
    async with app.run_test(size=size) as pilot:
        app.theme = theme
        while not isinstance(app.screen, TableScreen):
            await pilot.pause(0.1)
        screen = app.screen
        app.pace = "instant"
        screen.redraw()
        person = Bot(screen.seated.game.box, "greedy")
        for _ in range(1000):
            await pilot.pause(0.05)
            if screen.seated.persons_turn and moves <= 0 and not screen.seated.can_undo:
                break  # a turn is about to begin
            if screen.seated.persons_turn:
                screen.play(person.choose(screen.seated.game))
                moves -= 1
        await pilot.pause(0.3)
        (HERE / f"{name}.svg").write_text(without_web_fonts(app.export_screenshot(title="brocante play collection")))


def without_web_fonts(svg: str) -> str:
    """The picture loads nothing from elsewhere: a font of the reader's own will do."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return re.sub(r"font-family: Fira Code, monospace", f"font-family: {FONT}", svg)


async def main() -> None:
    os.environ["BROCANTE_DATA_DIR"] = tempfile.mkdtemp()
    await draw("collection-terminal", "en", "paper", (116, 32), 3, 14)
    await draw("collection-terminal-fr", "fr", "lamplight", (80, 26), 4, 9)


if __name__ == "__main__":
    asyncio.run(main())
