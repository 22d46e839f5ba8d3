"""The queue of games to compile: one at a time, each in a worker process (`worker.py`)."""

import logging
import os
import signal
import subprocess
import sys
import threading
from collections import deque

from brocante.backends.numba import Numba
from brocante.engine.backend import Running
from brocante.engine.box import Box
from brocante.games import box as find_box

log = logging.getLogger("brocante.compiling")
#: With `BROCANTE_COMPILE=0`, everything stays plain Python and the processor is left alone.
SETTING = "BROCANTE_COMPILE"
WORKER = "brocante.compiling.worker"
#: How many characters of a failed worker's error output go into the log: the last ones.
ERROR_TAIL = 300
#: Exit codes of a worker that was stopped from outside, as Ctrl-C stops a whole process group.
STOPPED = (-signal.SIGINT, -signal.SIGTERM)
#: Seconds before the first worker starts: opening a page or a table comes first.
DELAY = 2.0


def may_compile() -> bool:
    return os.environ.get(SETTING, "1").lower() not in ("0", "false", "f", "no", "n", "off")


class CompileQueue:
    """Compiles games and switches their boxes to the compiled rules. A closed queue does nothing. One in a hurry loads
    at once what was compiled before: after a crash, all tables of a server come back in its first seconds."""

    def __init__(self, *, closed: bool = False, in_a_hurry: bool = False) -> None:
        self._numba = Numba(compiles=False)
        self._lock = threading.Lock()
        self._wanted: deque[Box] = deque()
        self._known: set[str] = set()  # done, under way or given up: each is tried once
        self._working = False
        self._closed = closed
        self._in_a_hurry = in_a_hurry
        self._process: subprocess.Popen[str] | None = None
        self._stopped = threading.Event()

    def want(self, *games: str) -> None:
        """Put these games at the head of the queue, in this order. Returns at once."""
        boxes = [find_box(game) for game in games]
        with self._lock:
            for box in reversed(boxes):
                if box in self._wanted:
                    self._wanted.remove(box)
                elif self._closed or box.slug in self._known:
                    continue
                self._known.add(box.slug)
                self._wanted.appendleft(box)
            if self._wanted and not self._working:
                self._working = True
                # A daemon thread: the program can end without waiting for a compiler.
                threading.Thread(target=self._work, name="brocante-compile-queue", daemon=True).start()

    def close(self) -> None:
        """Stop compiling. Boxes stay as they are."""
        with self._lock:
            self._closed = True
            self._stopped.set()
            self._wanted.clear()
            if self._process:
                self._process.kill()

    def _work(self) -> None:
        if not self._in_a_hurry:
            self._stopped.wait(DELAY)
        while box := self._next():
            try:
                self._prepare(box)
            except Exception as error:
                if not self._closed:
                    log.warning(
                        "not compiled: goes on as plain Python", extra={"game": box.slug, "problem": str(error)}
                    )
            else:
                log.info("compiled rules are in use", extra={"game": box.slug})

    def _next(self) -> Box | None:
        with self._lock:
            self._working = bool(self._wanted)
            return self._wanted.popleft() if self._wanted else None

    def _prepare(self, box: Box) -> None:
        if not all(map(self._numba.load, box.entry_points)):
            if self._in_a_hurry:
                self._in_a_hurry = False
                self._stopped.wait(DELAY)
            self._compile(box)
        box.switch_to(Running(box.entry_points, self._numba))

    def _compile(self, box: Box) -> None:
        command = [sys.executable, "-P", "-m", WORKER, box.slug]  # -P: never import from the current folder
        low_priority = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)  # elsewhere the worker renices itself
        with self._lock:
            if self._closed:
                raise InterruptedError
            self._process = subprocess.Popen(
                command,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                stdin=subprocess.PIPE,  # closes when this process ends, however it ends: the worker notices
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                creationflags=low_priority,
            )
        with self._process as process:
            assert process.stderr
            errors = process.stderr.read()  # not `communicate`, which would close its input
            code = process.wait()
        if code in STOPPED:
            self.close()  # whoever stopped the worker has stopped this process, too
        if code:
            raise ChildProcessError(errors.strip()[-ERROR_TAIL:] or f"the compiler was ended ({code})")
