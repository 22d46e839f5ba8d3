"""Draws the pictures of the documents: `make pictures`.

A game is played from a fixed seed by a person who always does what a bot would, and the screen is kept as SVG; the
objects of the antiques market are laid out on one sheet.
"""

import asyncio
import os
import re
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import brocante
from brocante.bots import Bot
from brocante.games.antiques.deck_file import Deck
from brocante.table import audience
from brocante.terminal.app import Terminal
from brocante.terminal.home_table import PERSON, new_game
from brocante.terminal.home_table_screen import HomeTableScreen

HERE = Path(__file__).resolve().parent
FONT = '"Fira Code", "DejaVu Sans Mono", Menlo, Consolas, monospace'
CELL = 88  # of the sheet, of which a drawing takes 64


async def draw(name: str, game: str, code: str, theme: str, size: tuple[int, int], moves: int, **options: Any) -> None:
    box, opponents = brocante.box(game), ["greedy"] * (options["players"] - 1)
    app = Terminal(code, box, lambda: new_game(box, options, opponents, seed="a sunny sunday"))
    async with app.run_test(size=size) as pilot:
        app.theme = theme
        while not isinstance(app.screen, HomeTableScreen):
            await pilot.pause(0.1)
        screen = app.screen
        app.pace = "instant"
        screen.redraw()
        person = Bot(screen.model.game.box, "greedy")
        for _ in range(1000):
            await pilot.pause(0.05)
            if screen.model.game.is_over:
                break
            if screen.model.persons_turn and moves <= 0 and not screen.model.can_undo:
                break  # a turn is about to begin
            if screen.moment:
                screen.action_next()
            elif screen.model.persons_turn:
                screen.make(person.choose(audience.game_for(screen.model.table, screen.model.game, PERSON)))
                moves -= 1
        await pilot.pause(1)
        (HERE / f"{name}.svg").write_text(without_web_fonts(app.export_screenshot(title=f"brocante play {game}")))


def without_web_fonts(svg: str) -> str:
    """The picture loads nothing from elsewhere: a font of the reader's own will do."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return re.sub(r"font-family: Fira Code, monospace", f"font-family: {FONT}", svg)


def lay_out_objects() -> None:
    """Every object of the antiques market, a row for each category, the oldest first."""
    art = brocante.box("antiques").folder / "art"
    inks = tomllib.loads((art / "inks.toml").read_text())["light"]
    deck = Deck.built_in()
    width, height = 9 * CELL, len(deck.categories) * CELL
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" color="{inks["ink"]}">']
    lines.append(f'<rect width="{width}" height="{height}" fill="{inks["paper"]}"/>')
    for row, category in enumerate(deck.categories):
        for column, item in enumerate(item for item in deck.items if item.category == category):
            place = f'x="{column * CELL + 12}" y="{row * CELL + 12}" width="64" height="64"'
            drawing = (art / f"{item.id}.svg").read_text().replace("<svg ", f"<svg {place} ", 1)
            lines.append(drawing.replace(' xmlns="http://www.w3.org/2000/svg"', "").strip())
    (HERE / "antiques-objects.svg").write_text("\n".join([*lines, "</svg>\n"]))


async def main() -> None:
    os.chdir(tempfile.mkdtemp())
    os.environ["BROCANTE_DATA_DIR"] = "my-games"  # it is in the picture
    await draw("collection-terminal", "collection", "en", "paper", (116, 32), 14, players=3)
    await draw("collection-terminal-fr", "collection", "fr", "lamplight", (80, 26), 9, players=4)
    await draw("antiques-terminal", "antiques", "en", "paper", (140, 44), 12, players=4)
    await draw("port-terminal", "port", "en", "paper", (140, 46), 22, players=3)
    await draw("vinto-terminal", "vinto", "en", "lamplight", (120, 34), 16, players=5)
    await draw("antiques-awards-fr", "antiques", "fr", "lamplight", (110, 40), 1000, players=3)
    lay_out_objects()


if __name__ == "__main__":
    asyncio.run(main())
