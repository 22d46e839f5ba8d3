"""Work that nobody waits for."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from brocante.engine.errors import BrocanteError
from brocante.server.metrics import Metrics


class Background:
    """The tasks that are under way; failures that are our own are noted."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self.tasks: set[asyncio.Future[Any]] = set()

    def start(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Future[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) and not isinstance(error, BrocanteError):
            self._metrics.failed("task", error)
