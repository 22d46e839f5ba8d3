"""The games of a server, each prepared once, beside everything else that it does."""

import asyncio
import threading
from contextlib import suppress

from brocante.engine.box import Box
from brocante.games import GAMES, box
from brocante.table.preparing import prepare


class Games:
    """Rules are loaded, and the first time compiled, in a thread; who needs a game waits for it."""

    def __init__(self) -> None:
        self._one_at_a_time = threading.Lock()
        self._prepared: dict[str, asyncio.Future[None]] = {}

    async def ready(self, slug: str) -> None:
        """The game can be played. UsageError if there is none of that name."""
        found = box(slug)
        if slug not in self._prepared:
            loop = asyncio.get_running_loop()
            self._prepared[slug] = loop.create_future()
            # A daemon: a server that is told to stop does not wait for a compiler.
            threading.Thread(target=self._prepare, args=(found, loop), name=f"prepare-{slug}", daemon=True).start()
        await asyncio.shield(self._prepared[slug])

    async def prepare_all(self) -> None:
        for slug in GAMES:
            await self.ready(slug)

    def _prepare(self, found: Box, loop: asyncio.AbstractEventLoop) -> None:
        with self._one_at_a_time:
            try:
                prepare(found)
            except Exception as error:
                outcome: Exception | None = error
            else:
                outcome = None
        with suppress(RuntimeError):  # the loop was closed: nobody waits
            loop.call_soon_threadsafe(self._is_prepared, found.slug, outcome)

    def _is_prepared(self, slug: str, problem: Exception | None) -> None:
        if problem is None:
            self._prepared[slug].set_result(None)
        else:
            self._prepared.pop(slug).set_exception(problem)
