"""Bringing SQLite's write-ahead log into the database file, in a thread of its own.

SQLite would do it within a commit. All moves on their way would wait for that, a tenth of a second on a busy server.
"""

import threading
from collections.abc import Callable
from contextlib import suppress

#: Transactions after which it is done.
ENOUGH = 200


class Checkpointer:
    """Counts transactions, and has the log brought into the file when there were enough."""

    def __init__(self, bring_in: Callable[[], None]) -> None:
        self._bring_in = bring_in
        self._transactions = 0
        self._thread: threading.Thread | None = None

    def note(self) -> None:
        """Something was written."""
        self._transactions += 1
        if self._transactions >= ENOUGH and not (self._thread and self._thread.is_alive()):
            self._transactions = 0
            self._thread = threading.Thread(target=self._run, name="brocante-checkpointer", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        with suppress(Exception):  # if it matters, writing will fail too
            self._bring_in()
