"""docs/adding-a-game.md works for someone who follows it to the letter."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import brocante
from brocante.testing import LAWS

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "adding-a-game.md"
BLOCK = re.compile(r"<!-- file: (?P<name>\S+) -->\n```\w*\n(?P<text>.*?)```", re.DOTALL)

EVERY_LAW = """
import brocante
from brocante.testing import LAWS
for law in LAWS:
    law(brocante.box("stall"))
    print(law.__name__)
"""


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of Brocante to which the page was applied: one folder, one line."""
    copy = tmp_path_factory.mktemp("followed")
    shutil.copytree(Path(brocante.__file__).parent, copy / "brocante", ignore=shutil.ignore_patterns("__pycache__"))
    folder = copy / "brocante" / "games" / "stall"
    for block in BLOCK.finditer(PAGE.read_text()):
        file = folder / block["name"]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block["text"])
    registry = copy / "brocante" / "games" / "__init__.py"
    lines = registry.read_text()
    assert lines.count("GAMES = (") == 1
    registry.write_text(lines.replace("GAMES = (", 'GAMES = ("stall", '))
    return copy


def run(folder: Path, *args: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(folder), "BROCANTE_CACHE_DIR": str(folder / "cache"), "LANG": "en"}
    done = subprocess.run([sys.executable, *args], env=env, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_new_game_obeys_every_law(followed: Path) -> None:
    assert run(followed, "-c", EVERY_LAW).split() == [law.__name__ for law in LAWS]


def test_the_new_game_is_on_the_shelf_and_on_the_command_line(followed: Path) -> None:
    assert "stall" in run(followed, "-m", "brocante.cli", "games")
    assert "Offer a card" in run(followed, "-m", "brocante.cli", "rules", "stall")
    records = followed / "records"
    simulate = ("simulate", "stall", "--players", "3", "--games", "20", "--records", str(records))
    assert "20 games of Stall" in run(followed, "-m", "brocante.cli", *simulate)
    assert run(followed, "-m", "brocante.cli", "replay", *map(str, records.iterdir())).count("OK") == 20


def test_the_new_game_is_typed_and_tidy(followed: Path) -> None:
    """As the page stands: what one copies from it passes the checks that the rest passes."""
    stall = followed / "brocante" / "games" / "stall"
    config = str(ROOT / "pyproject.toml")
    run(followed, "-m", "ruff", "check", "--config", config, str(stall))
    run(followed, "-m", "ruff", "format", "--check", "--config", config, str(stall))
    run(followed, "-m", "mypy", "--config-file", config, str(stall))


def test_the_new_game_is_played_in_the_terminal(followed: Path) -> None:
    run(followed, "-c", PLAYED)


PLAYED = """
import asyncio, os, tempfile
os.environ["BROCANTE_DATA_DIR"] = tempfile.mkdtemp()
import brocante
from brocante.terminal.app import Terminal
from brocante.terminal.home_table import new_game
from brocante.terminal.home_table_screen import HomeTableScreen

async def play():
    box = brocante.box("stall")
    app = Terminal("fr", box, lambda: new_game(box, {"players": 3}, ["random"] * 2, seed="1"))
    async with app.run_test(size=(100, 40)) as pilot:
        while not isinstance(app.screen, HomeTableScreen):
            await pilot.pause(0.1)
        app.pace = "instant"
        for _ in range(200):
            await pilot.press("enter")
            await pilot.pause(0.02)
            if app.screen.model.game.is_over:
                return
    raise AssertionError("not over")

asyncio.run(play())
"""
