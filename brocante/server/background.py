"""Work that nobody waits for."""

import asyncio
from collections.abc import Awaitable
from typing import Any

from brocante.engine.errors import BrocanteError
from brocante.server.metrics import Metrics


class Background:
    """The tasks that are under way; failures that are our own are noted."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._tasks: set[asyncio.Future[Any]] = set()

    def start(self, work: Awaitable[Any]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Future[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) and not isinstance(error, BrocanteError):
            self._metrics.failed("task", error)

    @property
    def is_busy(self) -> bool:
        return bool(self._tasks)

    async def finish(self) -> None:
        """Wait for what is under way, and for what that starts."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)
