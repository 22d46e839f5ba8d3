"""Games are compiled while they are being played, in a process of their own.

Nobody waits for it: a game begins as plain Python, and goes over when its compiled rules are at hand. Whatever goes
wrong with the compiler (no space, no permission, killed), it goes on as it is, and the next start tries again.
"""

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
#: For a person who wants to keep the processor to themselves: with `BROCANTE_COMPILE=0`, everything stays plain Python.
SETTING = "BROCANTE_COMPILE"
#: Of what a compiler has to say before it fails, the log tells the end.
LAST_WORDS = 300
#: How a compiler ends that was told to, as all of a group of processes are.
TOLD_TO_STOP = (-signal.SIGINT, -signal.SIGTERM)
#: Seconds before it begins: whoever has just opened the page, or sat down, has the processor to themselves.
AFTER_YOU = 2.0


def may_compile() -> bool:
    return os.environ.get(SETTING, "1").lower() not in ("0", "false", "f", "no", "n", "off")


class Workshop:
    """Has games compiled, one at a time, and lets them go over. One that is shut does nothing."""

    def __init__(self, *, shut: bool = False) -> None:
        self._numba = Numba(compiles=False)
        self._lock = threading.Lock()
        self._wanted: deque[Box] = deque()
        self._known: set[str] = set()  # done, under way, or given up: each is tried once
        self._working = False
        self._closed = shut
        self._process: subprocess.Popen[str] | None = None
        self._stopped = threading.Event()

    def want(self, *games: str) -> None:
        """These games are wanted now, the first of them first, before all that were wanted earlier. Returns at once."""
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
                # A daemon: whoever wants to stop does not wait for a compiler.
                threading.Thread(target=self._work, name="brocante-workshop", daemon=True).start()

    def close(self) -> None:
        """Leave everything as it is."""
        with self._lock:
            self._closed = True
            self._stopped.set()
            self._wanted.clear()
            if self._process:
                self._process.kill()

    def _work(self) -> None:
        self._stopped.wait(AFTER_YOU)
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
            self._compile(box)
        box.go_over(Running(box.entry_points, self._numba))

    def _compile(self, box: Box) -> None:
        command = [sys.executable, "-P", "-m", __name__, box.slug]  # not what lies in the folder one happens to be in
        gives_way = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)  # elsewhere it sees to that itself
        with self._lock:
            if self._closed:
                raise InterruptedError
            self._process = subprocess.Popen(
                command,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                stdin=subprocess.PIPE,  # which closes with us, however we end: the compiler notices
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                creationflags=gives_way,
            )
        with self._process as process:
            assert process.stderr
            said = process.stderr.read()  # not `communicate`, which would close its input
            code = process.wait()
        if code in TOLD_TO_STOP:
            self.close()  # whoever told the compiler has told us, too
        if code:
            raise ChildProcessError(said.strip()[-LAST_WORDS:] or f"the compiler was ended ({code})")
