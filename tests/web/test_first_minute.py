"""The first minute: nobody waits for a compiler, and nothing depends on one.

Every server here is a process of its own that finds its games not compiled, as on the day when Brocante was installed.
"""

import asyncio
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.async_api import expect

import brocante
from brocante.backends.disk import cache_root
from brocante.backends.numba import Numba
from brocante.compiling.worker import LOCK
from brocante.engine.backend import PYTHON
from tests.server.processes import ServerProcess, is_well, processes
from tests.web.browsing import Visitor
from tests.web.conftest import Visit
from tests.web.test_whole_games import has_its_scoring

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.usefixtures("plain_python")]
can_find_processes = pytest.mark.skipif(not shutil.which("ps"), reason="there is no ps to find a process with")

#: What the log says of a game.
NOT_COMPILED, IN_USE = "not compiled: goes on as plain Python", "compiled rules are in use"
#: The game that a server compiles first if nobody asks for another, and the one that is compiled soonest.
FIRST, SOONEST = brocante.GAMES[0], "collection"
#: Where a server keeps what it compiles.
CACHE = Path("cache/compiled")
#: Seconds for a compiler: it gives way to whatever else the machine does, such as other tests.
PATIENCE = 300.0
#: Moves of one's own before a game is compiled, so that some are left for afterwards.
MEANWHILE = 6
#: Moves that show that a game can be played.
FEW = 3


@pytest.fixture
def nearly_compiled(tmp_path: Path) -> None:
    """Everything that this machine has compiled, but for one rule: compiling all of a game takes minutes while other
    tests run."""
    folder, numba = tmp_path / CACHE, Numba(compiles=False)
    folder.mkdir(parents=True)
    for game in map(brocante.box, brocante.GAMES):
        for file in map(numba.file, game.entry_points):
            if file.exists() and not file.name.startswith(f"{SOONEST}.rules.legal-"):
                shutil.copy(file, folder)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerProcess]:
    """One that compiles into a folder of its own; it is not started yet."""
    monkeypatch.setenv("BROCANTE_CACHE_DIR", str(tmp_path / CACHE))
    with processes(f"sqlite:///{tmp_path}/games.db", tmp_path, compile=True) as [server]:
        yield server


async def play_now(visitor: Visitor, game: str) -> None:
    """One click on the home page, and no more."""
    await visitor.go("/")
    await visitor.find(f"[data-game={game}] [data-do=play]").click()
    await visitor.in_phase("playing")
    visitor.table = visitor.page.url.rpartition("/")[2]


async def until(is_so: Callable[[], object], server: ServerProcess) -> None:
    """Wait for it, as long as the server is there to make it so."""
    try:
        async with asyncio.timeout(PATIENCE):
            while not is_so():
                server.check_it_runs()
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError(f"it did not come to that:\n{server.log.read_text()}") from None


def said_of(server: ServerProcess, what: str) -> list[str]:
    """The games of which the log says so."""
    return re.findall(rf" {what} game=(\w+)", server.log.read_text())


def compilers_of(server: ServerProcess, game: str) -> list[int]:
    """The process that compiles a game for this server, while it does."""
    everything = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    )
    lines = [line.split(maxsplit=2) for line in everything.stdout.splitlines()]
    wanted = f"-m brocante.compiling.worker {game}"
    return [int(pid) for pid, parent, command in lines if int(parent) == server.pid and command.endswith(wanted)]


async def kill_the_compiler_of(server: ServerProcess, game: str) -> None:
    """As soon as there is one; the log says so."""
    await until(lambda: compilers_of(server, game), server)
    for process in compilers_of(server, game):
        os.kill(process, signal.SIGKILL)
    await until(lambda: game in said_of(server, NOT_COMPILED), server)


# --- no compiler ------------------------------------------------------------------------------------------------------


async def test_where_nothing_can_be_compiled_every_game_is_played_all_the_same(
    server: ServerProcess, visit: Visit
) -> None:
    """One of them to its end. That all go on as plain Python to the end is a law of every game."""
    cache_root().parent.write_text("A file in the way: no folder can be made here, not even by root.")
    await server.start()
    for game in brocante.GAMES:
        visitor = await visit(url=server.url)
        await play_now(visitor, game)
        if game == SOONEST:
            await visitor.play_on()
            await has_its_scoring(visitor)
        else:
            await visitor.play_on(moves=FEW)
    await until(lambda: len(server.complaints()) >= len(brocante.GAMES), server)
    assert sorted(said_of(server, NOT_COMPILED)) == sorted(brocante.GAMES), "once for each, whichever is played"
    assert len(server.complaints()) == len(brocante.GAMES), "and nothing worse"


@can_find_processes
async def test_a_compiler_that_is_killed_takes_nothing_with_it(server: ServerProcess, visit: Visit) -> None:
    await server.start()
    await kill_the_compiler_of(server, FIRST)
    visitor = await visit(url=server.url)
    await play_now(visitor, FIRST)
    await visitor.play_on()
    await has_its_scoring(visitor)
    assert said_of(server, NOT_COMPILED) == [FIRST], "the others are compiled as if nothing had happened"
    assert len(server.complaints()) == 1
    async with httpx.AsyncClient() as client:
        assert await is_well(client, server.url)


# --- and one that comes in the middle ---------------------------------------------------------------------------------


@pytest.mark.usefixtures("nearly_compiled")
async def test_a_game_goes_over_while_it_is_played_and_its_record_holds(
    server: ServerProcess, visit: Visit, tmp_path: Path
) -> None:
    with held(tmp_path / CACHE / LOCK):
        await server.start()
        visitor = await visit(url=server.url)
        await play_now(visitor, SOONEST)
        before = await visitor.play_on(moves=MEANWHILE)
    await until(lambda: SOONEST in said_of(server, IN_USE), server)
    after = await visitor.play_on()
    assert before
    assert after
    await has_its_scoring(visitor)
    replayed = brocante.read(await record_of(visitor, tmp_path))
    assert replayed.finished
    assert replayed.game.box.backend is PYTHON
    for score in replayed.game.scores:
        await expect(visitor.find("#scoring")).to_contain_text(str(score))
    assert server.complaints() == []


@contextmanager
def held(lock: Path) -> Iterator[None]:
    """Let no compiler begin meanwhile."""
    fcntl = pytest.importorskip("fcntl")
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


async def record_of(visitor: Visitor, folder: Path) -> Path:
    """The record of the game that is over, as anyone at the table can have it."""
    answer = await visitor.context.request.get(f"{visitor.url}/api/tables/{visitor.table}/record")
    file = folder / "record.jsonl"
    file.write_bytes(await answer.body())
    return file
