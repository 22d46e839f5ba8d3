"""The games of a server, each prepared once, beside everything else that it does."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from brocante.games import GAMES, box
from brocante.table.preparing import prepare


class Games:
    """Rules are loaded, and the first time compiled, in a thread of their own; who needs a game waits for it."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "brocante-games")
        self._prepared: dict[str, asyncio.Future[None]] = {}

    async def ready(self, slug: str) -> None:
        """The game can be played. UsageError if there is none of that name."""
        found = box(slug)
        if slug not in self._prepared:
            self._prepared[slug] = asyncio.get_running_loop().run_in_executor(self._thread, prepare, found)
        await asyncio.shield(self._prepared[slug])

    async def prepare_all(self) -> None:
        for slug in GAMES:
            await self.ready(slug)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
