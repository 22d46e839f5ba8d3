"""The installed program in a real terminal."""

import os
import pty
import select
import subprocess
import sys
import time
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


def test_a_table_opens_in_a_terminal_and_the_game_is_kept_when_one_leaves(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "BROCANTE_DATA_DIR": str(tmp_path), "TERM": "xterm-256color", "LANG": "fr_FR.UTF-8"}
    environment |= {"COLUMNS": "100", "LINES": "32", "LC_ALL": ""}
    process = subprocess.Popen(
        [PROGRAM, "play", "collection", "--seed", "1"], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    )
    os.close(theirs)
    try:
        read_until(ours, "Odette")
        os.write(ours, b"q")
        read_until(ours, "brocante play collection --resume")
        assert process.wait(10) == 0
    finally:
        process.kill()
        os.close(ours)
    assert len(list(tmp_path.rglob("*.log"))) == 1
