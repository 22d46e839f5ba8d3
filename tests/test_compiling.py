"""Games are compiled beside whoever plays them, who notices nothing but the speed."""

import logging
import os
import re
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import brocante
from brocante.bots import Bot
from brocante.compiling.queue import CompileQueue, may_compile
from brocante.engine.backend import PYTHON
from brocante.engine.box import Box

pytestmark = pytest.mark.usefixtures("plain_python")

PATIENCE = 240.0
COLLECTION = brocante.box("collection")


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BROCANTE_CACHE_DIR", str(tmp_path / "compiled"))
    return tmp_path / "compiled"


@pytest.fixture
def queue(caplog: pytest.LogCaptureFixture) -> Iterator[CompileQueue]:
    caplog.set_level(logging.INFO, "brocante.compiling")
    found = CompileQueue()
    yield found
    found.close()


def wait_until(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.02)


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [f"{r.getMessage()}: {r.__dict__['problem']}" for r in caplog.records if r.levelno >= logging.WARNING]


def test_a_game_is_played_while_it_is_compiled_and_goes_over(
    queue: CompileQueue, caplog: pytest.LogCaptureFixture
) -> None:
    game, alone = (brocante.deal(box, players=2, target=200, seed=3) for box in (COLLECTION, COLLECTION.on(PYTHON)))
    bots = Bot(game.box, "greedy", 5), Bot(alone.box, "greedy", 5)
    began = time.monotonic()
    queue.want("collection")
    assert time.monotonic() - began < 1.0
    assert game.box.backend is PYTHON
    after = 0
    while after < 10:
        game.play(bots[0].choose(game))
        alone.play(bots[1].choose(alone))
        assert game.state.tobytes() == alone.state.tobytes()
        after += game.box.backend is not PYTHON
        if len(game.steps) > 40:  # where the compiler is slow: back to the beginning
            for each in (game, alone):
                while len(each.steps) > 1:
                    each.undo()
        time.sleep(0.2 if game.box.backend is PYTHON else 0.0)
        assert time.monotonic() < began + PATIENCE
    assert game.box.backend.name == "numba"
    assert caplog.messages == ["compiled rules are in use"]


def test_the_game_that_was_wanted_last_comes_first_and_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared: list[str] = []

    def prepare(queue: CompileQueue, box: Box) -> None:
        begun.append(box.slug)
        wait_until(lambda: bool(wanted))
        prepared.append(box.slug)

    begun: list[str] = []
    wanted: list[str] = []
    monkeypatch.setattr(CompileQueue, "_prepare", prepare)
    queue = CompileQueue()
    queue.want("antiques")
    wait_until(lambda: begun == ["antiques"])
    queue.want(*brocante.GAMES)
    queue.want("vinto")
    queue.want("collection")
    queue.want("antiques")  # which is under way
    wanted.append("all")
    wait_until(lambda: len(prepared) == len(brocante.GAMES))
    queue.want("port")
    assert prepared == ["antiques", "collection", "vinto", "port"]


@pytest.mark.parametrize(
    ("trouble", "says"),
    [("in the way", "File exists"), ("killed", r"the compiler was ended \(-9\)"), ("broken", "no compiler here")],
)
def test_where_it_cannot_be_compiled_the_game_goes_on_and_the_log_says_so_once(
    trouble: str,
    says: str,
    queue: CompileQueue,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    if trouble == "in the way":
        (tmp_path / "compiled").write_text("a file")
    else:
        pretend(monkeypatch, tmp_path, "kill -9 $$" if trouble == "killed" else "echo no compiler here >&2; exit 1")
    queue.want("collection")
    wait_until(lambda: bool(caplog.records))
    queue.want("collection")
    time.sleep(0.1)
    [warning] = warnings(caplog)
    assert warning.startswith("not compiled: goes on as plain Python: ")
    assert re.search(says, warning)
    assert COLLECTION.backend is PYTHON
    assert Bot(COLLECTION, "greedy").choose(brocante.deal("collection", seed=1))


def pretend(monkeypatch: pytest.MonkeyPatch, folder: Path, does: str) -> None:
    """Something else stands in for the compiler's process."""
    script = folder / "python"
    script.write_text(f"#!/bin/sh\n{does}\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(sys, "executable", str(script))


def test_what_lies_in_the_folder_one_happens_to_be_in_is_none_of_ours(
    queue: CompileQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("numbers.py", "brocante.py"):
        (tmp_path / name).write_text(f"open({str(tmp_path / 'was-run')!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    queue.want("collection")
    wait_until(lambda: (tmp_path / "compiled" / "compiling.lock").exists())
    assert not (tmp_path / "was-run").exists()


def test_a_compiler_that_is_told_to_stop_with_all_others_is_no_trouble(
    queue: CompileQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pretend(monkeypatch, tmp_path, f"echo >> {tmp_path / 'begun'}; kill -TERM $$")
    queue.want("collection", "vinto")
    wait_until(lambda: not queue._working)
    assert (tmp_path / "begun").read_text() == "\n", "and nothing is begun any more"
    assert caplog.records == []


def test_whoever_stops_does_not_wait_for_the_compiler(
    queue: CompileQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pretend(monkeypatch, tmp_path, f"echo $$ > {tmp_path / 'pid'}; exec sleep 600")
    queue.want("collection")
    wait_until(lambda: (tmp_path / "pid").exists() and bool((tmp_path / "pid").read_text().strip()))
    process = int((tmp_path / "pid").read_text())
    queue.close()
    wait_until(lambda: not is_running(process))
    queue.want("vinto")
    assert caplog.records == []


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


ENDS_AT_ONCE = """
import os, time
from brocante.compiling.queue import CompileQueue
queue = CompileQueue()
queue.want("port")
while queue._process is None:
    time.sleep(0.01)
time.sleep(0.5)
print(queue._process.pid, flush=True)
os.kill(os.getpid(), 9)
"""


def test_the_compiler_does_not_outlive_the_program_that_started_it() -> None:
    ended = subprocess.run([sys.executable, "-c", ENDS_AT_ONCE], capture_output=True, text=True)
    wait_until(lambda: not is_running(int(ended.stdout)))


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="this system has no such thing")
def test_the_compiler_gives_way_to_everything_else(queue: CompileQueue) -> None:
    queue.want("port")
    wait_until(lambda: queue._process is not None)
    assert queue._process
    process = queue._process.pid
    wait_until(lambda: os.getpriority(os.PRIO_PROCESS, process) > os.getpriority(os.PRIO_PROCESS, 0))


def test_a_closed_queue_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    queue = CompileQueue(closed=True)
    queue.want(*brocante.GAMES)
    time.sleep(0.1)
    assert not queue._working
    assert may_compile()
    monkeypatch.setenv("BROCANTE_COMPILE", "0")
    assert not may_compile()
