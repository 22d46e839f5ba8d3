"""The installed program in a real terminal."""

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROGRAM = Path(sys.executable).parent / "brocante"


def read_until(terminal: int, word: str, seconds: float = 120) -> str:
    """What appears until a word does; a cold start compiles the rules first."""
    seen = ""
    end = time.monotonic() + seconds
    while word not in seen and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                seen += os.read(terminal, 65536).decode("utf-8", "replace")
            except OSError:
                break
    assert word in seen, seen[-2000:]
    return seen


@contextmanager
def playing(folder: Path, *args: str) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """`brocante play collection` in a terminal of its own."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "BROCANTE_DATA_DIR": str(folder), "TERM": "xterm-256color", "LANG": "fr_FR.UTF-8"}
    environment |= {"COLUMNS": "100", "LINES": "32", "LC_ALL": ""}
    command = [str(PROGRAM), "play", "collection", *args]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    try:
        yield ours, process
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def test_a_table_opens_in_a_terminal_and_the_game_is_kept_when_one_leaves(tmp_path: Path) -> None:
    with playing(tmp_path, "--seed", "1") as (terminal, process):
        read_until(terminal, "Odette")
        os.write(terminal, b"q")
        read_until(terminal, "brocante play collection --resume")
        assert process.wait(10) == 0
    assert len(list(tmp_path.rglob("*.log"))) == 1


def test_a_game_goes_on_after_kill_9(tmp_path: Path) -> None:
    with playing(tmp_path, "--seed", "1") as (terminal, process):
        read_until(terminal, "À vous")
        os.write(terminal, b"\r")
        read_until(terminal, "d’autres")  # "Posez d’autres cartes": a card was placed
        process.kill()
    (log,) = tmp_path.rglob("*.log")
    lines = log.read_bytes()
    assert b'"fact":"moved","seat":0' in lines
    with playing(tmp_path, "--resume") as (terminal, _):
        read_until(terminal, "annuler")  # the move can even be taken back
    assert log.read_bytes().startswith(lines[: lines.rfind(b"\n") + 1])
