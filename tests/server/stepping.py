"""A real server process whose clock on the wall can be set: a file says by how many seconds it is ahead."""

import runpy
import sys
import time
from pathlib import Path


def set_by(file: Path) -> None:
    """From now on, the time of day is what the file says."""
    real = time.time
    time.time = lambda: real() + float(file.read_text() or 0)


if __name__ == "__main__":
    set_by(Path(sys.argv.pop(1)))  # before anything of the server is loaded
    runpy.run_module("tests.server.processes", run_name="__main__")
