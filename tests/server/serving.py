"""A server for tests: in a thread of this process, on a free port, gone in the end."""

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from brocante.server.app import Server, application
from brocante.server.config import Config
from brocante.server.serve import listen, uvicorn_settings

#: Bots do not dawdle, nobody is told to slow down, and one address opens as many tables as there are tests.
QUICK: dict[str, Any] = {
    "pace": 0.0,
    "rate": 1e6,
    "burst": 1e6,
    "guests_rate": 1e6,
    "tables": 1_000_000,
    "compile": False,
}
PATIENCE = 60.0  # seconds for a server to start


@contextmanager
def served(tmp_path: Path, *, port: int = 0, **settings: Any) -> Iterator[str]:
    """The address of a server that keeps its tables in a folder: whoever serves the same folder, and port, goes on.

    Games are played as plain Python. Those who are connected in the end are told to come back.
    """
    config = Config(**{"database": str(tmp_path / "tables.db"), **QUICK, **settings})
    with listen("127.0.0.1", port) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        server = Server(config)
        running = uvicorn.Server(
            uvicorn.Config(application(server), timeout_graceful_shutdown=5, **uvicorn_settings(config))
        )
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=run, args=(loop, running, listening))
        thread.start()
        try:
            wait_for(url, thread)
            yield url
        finally:
            if thread.is_alive():
                loop.call_soon_threadsafe(server.announce_shutdown, 0.05)
                running.should_exit = True
            thread.join()
            loop.close()


def run(loop: asyncio.AbstractEventLoop, running: uvicorn.Server, listening: socket.socket) -> None:
    asyncio.set_event_loop(loop)
    loop.run_until_complete(running.serve(sockets=[listening]))


def wait_for(url: str, thread: threading.Thread) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and thread.is_alive():
        try:
            if httpx.get(f"{url}/healthz").is_success:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.02)
    raise AssertionError("the server did not start")
