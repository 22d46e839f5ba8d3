"""A line between a client and a server that a test can cut, or on which nothing gets through in one direction."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit


class Wire:
    def __init__(self, url: str) -> None:
        self._host, self._port = urlsplit(url).hostname, urlsplit(url).port
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.url = ""
        self.deaf = False  # what the server says does not arrive
        self.mute = False  # what the client says does not arrive
        self.down = False  # nobody answers
        self.swallowed = asyncio.Event()  # something did not arrive since the line was last cut

    def cut(self) -> None:
        """Everyone is disconnected, without a word; what comes later gets through again."""
        for writer in self._writers:
            writer.transport.abort()
        self.deaf = self.mute = False
        self.swallowed.clear()

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        if self.down:
            writer.transport.abort()
            return
        there_reader, there_writer = await asyncio.open_connection(self._host, self._port)
        self._writers.add(there_writer)
        for task in (
            asyncio.create_task(self._pass_on(reader, there_writer, "mute")),
            asyncio.create_task(self._pass_on(there_reader, writer, "deaf")),
        ):
            self._tasks.add(task)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, kept_back: str) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65536):
                if getattr(self, kept_back):
                    self.swallowed.set()
                else:
                    writer.write(data)
                    await writer.drain()
        writer.close()

    async def finish(self) -> None:
        self.cut()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def wire_to(url: str) -> AsyncIterator[Wire]:
    """A line to a server; `wire.url` is its other end."""
    wire = Wire(url)
    server = await asyncio.start_server(wire.connected, "127.0.0.1", 0)
    wire.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield wire
    finally:
        server.close()
        await wire.finish()
        await server.wait_closed()
