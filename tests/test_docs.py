"""docs/adding-a-game.md works for someone who follows it to the letter."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import brocante
from brocante.testing import LAWS
from tests.server.processes import free_port
from tests.web.browsing import running_browser, visiting

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "adding-a-game.md"
BLOCK = re.compile(r"<!-- (?P<kind>file|package): (?P<name>\S+) -->\n```\w*\n(?P<text>.*?)```", re.DOTALL)


def write_blocks(kind: str, folder: Path) -> None:
    """The files that the page shows: of the game, or of the package in which it is published."""
    for block in BLOCK.finditer(PAGE.read_text()):
        if block["kind"] == kind:
            file = folder / block["name"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block["text"])


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of Brocante to which the page was applied: one folder, one line."""
    copy = tmp_path_factory.mktemp("followed")
    shutil.copytree(Path(brocante.__file__).parent, copy / "brocante", ignore=shutil.ignore_patterns("__pycache__"))
    write_blocks("file", copy / "brocante" / "games" / "stall")
    registry = copy / "brocante" / "games" / "__init__.py"
    lines = registry.read_text()
    assert lines.count("OWN_GAMES = (") == 1
    registry.write_text(lines.replace("OWN_GAMES = (", 'OWN_GAMES = ("stall", '))
    return copy


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the package is installed that the page publishes."""
    folder = tmp_path_factory.mktemp("published")
    package = folder / "brocante-stall"
    write_blocks("file", package / "brocante_stall")
    write_blocks("package", package)
    for file in (package / "brocante_stall").glob("*.py"):
        file.write_text(file.read_text().replace("brocante.games.stall", "brocante_stall"))
    offline = ("--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--disable-pip-version-check")
    run(folder, "-m", "pip", "install", *offline, "--target", str(folder / "site"), str(package))
    return folder / "site"


def environment(folder: Path) -> dict[str, str]:
    """One in which what is in the folder is imported before everything else."""
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    own = {"PYTHONPATH": os.pathsep.join(paths), "BROCANTE_CACHE_DIR": str(folder / "cache"), "LANG": "en"}
    return {**os.environ, **own}


def run(folder: Path, *args: str) -> str:
    command = [sys.executable, *args]
    done = subprocess.run(command, env=environment(folder), cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def cli(folder: Path, *args: str) -> str:
    return run(folder, "-m", "brocante.cli", *args)


# --- one folder and one line ---


#: A quarter of the usual examples: they are for games whose rules are being worked on.
EVERY_LAW = """
import brocante
from brocante.testing import LAWS
for law in LAWS:
    law(brocante.box("stall"), law.__defaults__[0] // 4)
    print(law.__name__)
"""


def test_the_new_game_obeys_every_law(followed: Path) -> None:
    assert run(followed, "-c", EVERY_LAW).split() == [law.__name__ for law in LAWS]


def test_the_new_game_is_on_the_shelf_and_on_the_command_line(followed: Path) -> None:
    check_the_command_line(followed)


def test_the_new_game_is_typed_and_tidy(followed: Path) -> None:
    """As the page stands: what one copies from it passes the checks that the rest passes."""
    stall = followed / "brocante" / "games" / "stall"
    config = str(ROOT / "pyproject.toml")
    run(followed, "-m", "ruff", "check", "--config", config, str(stall))
    run(followed, "-m", "ruff", "format", "--check", "--config", config, str(stall))
    run(followed, "-m", "mypy", "--config-file", config, str(stall))


def test_the_new_game_is_played_in_the_terminal(followed: Path) -> None:
    run(followed, "-c", PLAYED)


# --- a package of its own ---


def test_the_published_game_is_on_the_shelf_and_on_the_command_line(published: Path) -> None:
    check_the_command_line(published)


def test_the_published_game_is_played_in_the_terminal(published: Path) -> None:
    run(published, "-c", PLAYED)


@pytest.fixture(scope="module")
def site(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with the published game."""
    url = f"http://127.0.0.1:{free_port()}"
    database = str(tmp_path_factory.mktemp("site") / "tables.db")
    flags = ("--port", url.rpartition(":")[2], "--database", database, "--pace", "0", "--no-compile")
    command = [sys.executable, "-m", "brocante.cli", "serve", *flags]
    with subprocess.Popen(command, env=environment(published), stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            assert url in server.stdout.readline()
            yield url
        finally:
            server.terminate()


def test_the_published_game_is_served_and_played_by_a_client(published: Path, site: str) -> None:
    assert "won by" in run(published, "-c", VISIT, site)


async def test_the_published_game_is_played_on_the_page(site: str) -> None:
    async with running_browser() as browser:
        visitor = await visiting(browser, site)
        await visitor.sit_with_bots("stall", players=2)
        await visitor.play_on("mouse")
        await visitor.in_phase("over")
        not_brought = "/games/stall/table."  # a game need not have a drawing of its own, but the page looks for one
        assert [trouble for trouble in visitor.troubles if not_brought not in trouble] == []


def check_the_command_line(folder: Path) -> None:
    assert "stall" in cli(folder, "games")
    assert "Offer a card" in cli(folder, "rules", "stall")
    records = folder / "records"
    simulate = ("simulate", "stall", "--players", "3", "--games", "20", "--records", str(records))
    assert "20 games of Stall" in cli(folder, *simulate)
    assert cli(folder, "replay", *map(str, records.iterdir())).count("OK") == 20


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

#: What the page fetches, and a game at a table.
VISIT = r"""
import asyncio, re, sys
import httpx
from brocante.client import Client

url = sys.argv[1]

def get(path):
    answer = httpx.get(url + path, trust_env=False, timeout=60)
    answer.raise_for_status()
    return answer

assert "stall" in [game["slug"] for game in get("/api/games").json()]
assert "Offer a card" in get("/api/games/stall/rules?as=html").text
files = "/web/" + re.search(r"/web/(\w+)/", get("/rules/stall").text)[1]
assert 'id="box-stall"' in get(files + "/art.svg").text
assert 'id="box"' in get(files + "/games/stall/art.svg").text

async def play():
    async with Client(url, name="Ana") as client:
        table = await client.open("stall", players=2)
        await table.sit()
        await table.start(fill=True)
        async for turn in table.turns():
            await turn.play(turn.legal[0])
        await table.verify()
        print("won by", table.info.winners)

asyncio.run(play())
"""
