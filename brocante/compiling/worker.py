"""Compiles one game into the cache, at low priority.

    python -m brocante.compiling.worker port

It ends with the process that started it: then its standard input is closed.
"""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from brocante.backends import disk
from brocante.backends.numba import Numba
from brocante.games import box as find_box

#: Leaves the worker about a tenth of a processor that others want: a busy server is slowed little, and still gets its
#: compiled rules.
NICENESS = 10
#: A file in the cache that is locked while a worker compiles.
LOCK = "compiling.lock"


def lower_priority() -> None:
    if hasattr(os, "nice"):
        os.nice(NICENESS)


def end_with_parent() -> None:
    def watch() -> None:
        sys.stdin.read()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Of several workers on a machine, the second finds in the cache what the first has compiled."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    with (disk.cache_root() / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def compile_game(slug: str) -> None:
    box, numba = find_box(slug), Numba()
    with one_at_a_time():
        numba.compile(box.entry_points)
    if numba.not_kept:
        raise numba.not_kept


if __name__ == "__main__":
    lower_priority()
    end_with_parent()
    try:
        disk.check_it_can_be_written()
        compile_game(sys.argv[1])
    except OSError as error:
        sys.exit(f"{error.filename or disk.cache_root()}: {error.strerror}")
