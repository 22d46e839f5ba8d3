"""Bots that think in processes of their own, where they hold up nobody.

With compiled rules a bot decides within microseconds, right where it is asked. In plain Python it thinks for tens of
milliseconds, during which a server could carry out a hundred moves of people. So it is asked in a worker process
(`bot_worker.py`): one question after another, in the order in which they came. Workers are started when there is
something to think about, and end when there has not been for a while. Where none can be had, a bot thinks in a thread.
"""

import asyncio
import logging
import os
import subprocess
import sys
import threading
from contextlib import suppress
from queue import Empty, SimpleQueue

import msgspec

from brocante.engine.backend import PYTHON
from brocante.engine.moves import Move, read_move
from brocante.games import box as find_box
from brocante.server import bot_worker
from brocante.server.http_errors import HttpRefused
from brocante.server.storage.threads import resolve
from brocante.table.thinking import Question

log = logging.getLogger("brocante.server")
WORKER = "brocante.server.bot_worker"
#: Workers at most: one processor is the server's.
WORKERS = max(1, min(4, (os.cpu_count() or 1) - 1))
#: Seconds after which a worker that has nothing to think about ends.
IDLE = 30.0
#: Workers that may fail, one after another, before bots think in the server's threads for good.
MOST_FAILURES = 3

Asked = tuple[Question, "asyncio.Future[Move]"]


class BotWorkers:
    """The workers of a server, for the event loop in which it was made. Once it is closed, it answers nothing."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._asked: SimpleQueue[Asked | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._waiting = 0  # questions that nobody has answered
        self._failures = 0
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    async def think(self, question: Question) -> Move:
        """What a bot decides."""
        future: asyncio.Future[Move] = self._loop.create_future()
        with self._lock:
            self._waiting += 1
            self._asked.put((question, future))
            if self._threads < min(WORKERS, self._waiting):
                self._threads += 1
                # A daemon: the program can end without waiting for a bot.
                threading.Thread(target=self._work, name="brocante-bots", daemon=True).start()
        return await future

    def close(self) -> None:
        """End all workers."""
        with self._lock:
            self._closed = True
            for process in self._processes:
                process.kill()
            for _ in range(self._threads):
                self._asked.put(None)

    def _work(self) -> None:
        """Answer questions until there are none for a while."""
        process: subprocess.Popen[bytes] | None = None
        while asked := self._next():
            question, future = asked
            answer: Move | Exception
            try:
                process, answer = self._answer(process, question)
            except Exception as error:  # whoever asked is told
                answer = error
            with self._lock:
                self._waiting -= 1
            with suppress(RuntimeError):  # the loop was closed: nobody waits
                self._loop.call_soon_threadsafe(resolve, [(future, answer)])
        self._end(process)

    def _next(self) -> Asked | None:
        try:
            return self._asked.get(timeout=IDLE)
        except Empty:
            pass
        with self._lock:
            if not self._asked.empty():  # at the last moment
                return self._asked.get()
            self._threads -= 1
        return None

    def _answer(
        self, process: subprocess.Popen[bytes] | None, question: Question
    ) -> tuple[subprocess.Popen[bytes] | None, Move]:
        """The bot's move, and the worker that is to be asked the next time."""
        box = find_box(question.game)
        while box.backend is PYTHON and self._failures < MOST_FAILURES and not self._closed:
            try:
                process = process or self._start()
                move = read_move(box.moves, ask(process, question))
            except (OSError, EOFError, msgspec.DecodeError) as error:
                self._end(process)
                process = None
                self._failures += 1
                if not self._closed:
                    log.warning("a bot's worker has failed", extra={"problem": repr(error)})
            else:
                self._failures = 0
                return process, move
        if self._closed:
            raise HttpRefused(503, "closing")
        return process, question.answer()

    def _start(self) -> subprocess.Popen[bytes]:
        low_priority = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)  # elsewhere the worker renices itself
        with self._lock:
            if self._closed:
                raise InterruptedError
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", WORKER],  # -P: never import from the current folder
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                stdin=subprocess.PIPE,  # closes when this process ends, however it ends: the worker notices
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                creationflags=low_priority,
            )
            self._processes.add(process)
        return process

    def _end(self, process: subprocess.Popen[bytes] | None) -> None:
        if process is None:
            return
        with self._lock:
            self._processes.discard(process)
        process.kill()
        with suppress(OSError), process:  # closes its pipes, and waits
            pass


def ask(process: subprocess.Popen[bytes], question: Question) -> dict[str, object]:
    """Have a worker answer a question: a move as a line of a record."""
    assert process.stdin
    assert process.stdout
    bot_worker.send_message(process.stdin, question)
    return msgspec.msgpack.decode(bot_worker.next_message(process.stdout), type=dict[str, object])
