"""Compiles one game for whoever plays it, when the machine has nothing better to do.

    python -m brocante.compiling port

It ends when the program does that started it: then its standard input is closed.
"""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from brocante.backends import disk
from brocante.backends.numba import Numba
from brocante.games import box as find_box

#: Of a processor that others want, this leaves about a tenth.
NICE = 10


def give_way() -> None:
    """Whoever plays comes first; but a server that is busy, and would be less so, gets there too."""
    if hasattr(os, "nice"):
        os.nice(NICE)


def end_with_the_parent() -> None:
    def watch() -> None:
        sys.stdin.read()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Several servers on a machine need not compile the same: the second finds what the first has kept."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    with (disk.cache_root() / "compiling.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def compile_game(slug: str) -> None:
    box, numba = find_box(slug), Numba()
    with one_at_a_time():
        numba.compile(box.entry_points)
    if numba.not_kept:
        raise numba.not_kept


if __name__ == "__main__":
    give_way()
    end_with_the_parent()
    try:
        disk.check_it_can_be_written()
        compile_game(sys.argv[1])
    except OSError as error:
        sys.exit(f"{error.filename or disk.cache_root()}: {error.strerror}")
