"""Real server processes for tests: started, killed, asked to stop, and started again on the same port."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec

from brocante.server.config import Config
from brocante.server.serve import serve

ROOT = Path(__file__).parents[2]
#: Ports to give out, each once; every worker of a run takes those of its own remainder.
PORTS, PARALLEL = iter(range(20_000, 32_000)), 16
#: Seconds for a server to answer.
PATIENCE = 120.0
#: Bots do not dawdle, nobody is told to slow down, and nobody is away because a server was.
SETTINGS: dict[str, Any] = {
    "compile": False,
    "pace": 0.0,
    "grace": 300.0,
    "rate": 1e6,
    "burst": 1e6,
    "guests_rate": 1e6,
    "tables": 1000,
}


class ServerProcess:
    """A server that can be killed and started again. What it says goes into a file of its own."""

    def __init__(
        self,
        database: str,
        log: Path,
        *,
        workers: int = 1,
        clock: Path | None = None,
        root: Path = ROOT,
        **settings: Any,
    ) -> None:
        self.config = Config(database=database, **{**SETTINGS, **settings})
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = log
        self._root = root  # where the program lies, which may be of another version
        self._workers = workers
        self._module = [__name__] if clock is None else ["tests.server.stepping", str(clock)]
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Start, and wait until it answers."""
        config = msgspec.json.encode(self.config).decode()
        command = [sys.executable, "-m", *self._module, config, str(self.port), str(self._workers)]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(command, cwd=self._root, stdout=log, stderr=log)
        until = time.monotonic() + PATIENCE
        async with httpx.AsyncClient() as client:
            while not await is_well(client, self.url):
                self.check_it_runs()
                assert time.monotonic() < until, f"the server does not answer:\n{self.log.read_text()}"
                await asyncio.sleep(0.05)
        self.check_it_runs()  # or something else has answered on its port

    def check_it_runs(self) -> None:
        assert self.is_running, f"the server has ended:\n{self.log.read_text()}"

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    def kill(self) -> None:
        """As if the plug were pulled."""
        assert self._process
        self._process.kill()
        self._process.wait()

    def be_gone(self) -> None:
        if self.is_running:
            self.kill()

    def ask_to_stop(self) -> None:
        os.kill(self.pid, signal.SIGTERM)

    async def ended(self, within: float) -> int:
        """The exit status of a process that ends soon."""
        assert self._process
        async with asyncio.timeout(within):
            while self._process.poll() is None:
                await asyncio.sleep(0.02)
        return self._process.returncode

    def complaints(self) -> list[str]:
        """What the log says that an operator would have to see to."""
        return [line for line in self.log.read_text().splitlines() if " INFO " not in line]


async def is_well(client: httpx.AsyncClient, url: str) -> bool:
    try:
        return (await client.get(f"{url}/healthz")).is_success
    except httpx.TransportError:
        return False


def free_port() -> int:
    """One that nobody else gets meanwhile: neither another worker of this run, nor a connection, which the system
    numbers from 32768 upwards."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    for port in PORTS:
        if port % PARALLEL == worker % PARALLEL and is_free(port):
            return port
    raise AssertionError("every port of this worker was given out before, or is in use")


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


@contextmanager
def processes(database: str, folder: Path, number: int = 1, **settings: Any) -> Iterator[list[ServerProcess]]:
    """So many servers of one database, not started yet; whichever still runs in the end is killed."""
    with ExitStack() as stack:
        servers = [ServerProcess(database, folder / f"server-{n}.log", **settings) for n in range(number)]
        for server in servers:
            stack.callback(server.be_gone)
        yield servers


if __name__ == "__main__":
    config, port, workers = sys.argv[1:]
    settings = msgspec.json.decode(config, type=Config)
    serve(settings, host="127.0.0.1", port=int(port), workers=int(workers))
