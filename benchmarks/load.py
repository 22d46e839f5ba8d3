"""Load on a server: many WebSockets from one process, moves timed, and the server's own processor time and memory.

What the messages say is the caller's business: a subclass of `Client` answers them, and tells a `Stopwatch` when a move
is sent and when someone has been told of it. The connections are picows', because the load must cost less than the
server.
"""

import asyncio
import gc
import math
import os
import time
from collections.abc import Callable, Coroutine, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvloop
from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

DATA = WSMsgType.TEXT, WSMsgType.BINARY
PATIENCE = 60.0  # seconds for all to connect: a server that is busy with some lets the others wait


class LoadError(Exception):
    """The measurement is invalid: a connection was lost, or a message could not be handled."""


class Client(WSListener):
    """One connection. Subclasses say what to do with a message; they may send from there, or whenever they like."""

    def __init__(self, url: str, headers: Mapping[str, str] | None = None) -> None:
        self.url = url
        self.headers = dict(headers or {})

    def on_open(self) -> None:
        """All clients of the run are connected. A greeting of the server may have come to `on_message` before."""

    def on_message(self, message: bytes) -> None:
        raise NotImplementedError

    def send(self, message: bytes) -> None:
        """Send UTF-8 text. It is on its way when this returns."""
        self._transport.send(WSMsgType.TEXT, message)

    async def connect(self, failure: asyncio.Future[None]) -> None:
        """Connect; whatever goes wrong afterwards ends up in `failure`, which the whole run waits for."""
        self._failure = failure
        await ws_connect(
            lambda: self,
            self.url,
            extra_headers=self.headers,
            websocket_handshake_timeout=PATIENCE,
            use_aiofastnet=False,  # no faster than uvloop's own transports, and not installed everywhere
        )

    async def close(self) -> None:
        self._transport.send_close(WSCloseCode.OK)
        self._transport.disconnect()
        await self._transport.wait_disconnected()

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type in DATA and frame.fin:
            try:
                self.on_message(frame.get_payload_as_bytes())
            except Exception as error:
                self._fail(error)
        elif frame.msg_type == WSMsgType.CLOSE:
            self._fail(LoadError(f"the server closed {self.url}: {frame.get_close_reason() or frame.get_close_code()}"))
        elif not frame.fin:
            self._fail(LoadError(f"{self.url} got a message in several frames; only whole ones are measured"))

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._fail(LoadError(f"the server hung up on {self.url}"))

    def _fail(self, error: Exception) -> None:
        if not self._failure.done():
            self._failure.set_exception(error)


class Stopwatch:
    """How long each move takes, from being sent until the last client concerned has been told."""

    def __init__(self) -> None:
        self.latencies: list[float] = []  # in seconds, of the moves that everyone has been told of
        self._running: dict[Hashable, tuple[float, int]] = {}

    def sent(self, move: Hashable, audience: int) -> None:
        """A move is sent, under a unique name (such as a table and a number); `audience` clients will be told."""
        self._running[move] = time.perf_counter(), audience

    def told(self, move: Hashable) -> bool:
        """One more client has been told; whether it was the last."""
        if move not in self._running:
            raise LoadError(f"a client was told of move {move}, which nobody sent or all have been told of")
        start, left = self._running[move]
        if left > 1:
            self._running[move] = start, left - 1
            return False
        del self._running[move]
        self.latencies.append(time.perf_counter() - start)
        return True


@dataclass(frozen=True)
class Process:
    """What a process has used so far, with its threads and, of the processor, with its children."""

    pid: int

    @property
    def cpu_seconds(self) -> float:
        after_name = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        own_and_of_children_that_ended = map(int, after_name[11:15])
        seconds = sum(own_and_of_children_that_ended) / os.sysconf("SC_CLK_TCK")
        for thread in Path(f"/proc/{self.pid}/task").iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):  # it, or a child of it, has just ended
                seconds += sum(Process(int(pid)).cpu_seconds for pid in (thread / "children").read_text().split())
        return seconds

    @property
    def resident_bytes(self) -> int:
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Measured:
    """One run. Latencies in seconds; processor time in seconds over the run; memory at its end."""

    seconds: float
    latencies: Sequence[float]  # sorted
    server_cpu_seconds: float
    server_resident_bytes: int
    load_cpu_seconds: float

    @property
    def moves(self) -> int:
        return len(self.latencies)

    @property
    def moves_per_second(self) -> float:
        return self.moves / self.seconds

    @property
    def server_cpu_per_move(self) -> float:
        return self.server_cpu_seconds / self.moves

    @property
    def load_cpu_per_move(self) -> float:
        return self.load_cpu_seconds / self.moves

    def quantile(self, share: float) -> float:
        """The latency that `share` of the moves (0.5: half of them) did not exceed."""
        return self.latencies[max(0, math.ceil(share * self.moves) - 1)]


async def play(
    clients: Sequence[Client],
    stopwatch: Stopwatch,
    servers: Sequence[Process],
    *,
    during: Callable[[], Coroutine[Any, Any, None]],
    warm_up: float = 1.0,
) -> Measured:
    """Connect all clients, let them play, and measure them while something goes on; raise LoadError, or what a callback
    raised."""
    failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    await asyncio.gather(*(client.connect(failure) for client in clients))
    try:
        for client in clients:
            client.on_open()
        await until_over(asyncio.sleep(warm_up), failure)
        return await _measure(stopwatch, servers, during(), failure)
    finally:
        failure.cancel()
        await asyncio.gather(*(client.close() for client in clients))


def run(measuring: Coroutine[Any, Any, Measured]) -> Measured:
    """`play(...)` on the event loop it is meant for, without pauses of our own that would count towards the result."""
    gc.disable()
    return uvloop.run(measuring)


async def _measure(
    stopwatch: Stopwatch,
    servers: Sequence[Process],
    what_goes_on: Coroutine[Any, Any, None],
    failure: asyncio.Future[None],
) -> Measured:
    stopwatch.latencies.clear()
    start, own_cpu = time.perf_counter(), time.process_time()
    cpu = sum(server.cpu_seconds for server in servers)
    await until_over(what_goes_on, failure)
    latencies = sorted(stopwatch.latencies)
    if not latencies:
        raise LoadError("no move was told to everyone; is anyone moving?")
    return Measured(
        seconds=time.perf_counter() - start,
        latencies=latencies,
        server_cpu_seconds=sum(server.cpu_seconds for server in servers) - cpu,
        server_resident_bytes=sum(server.resident_bytes for server in servers),
        load_cpu_seconds=time.process_time() - own_cpu,
    )


async def until_over(what_goes_on: Coroutine[Any, Any, None], failure: asyncio.Future[None]) -> None:
    """Wait for something to come to its end, unless something fails."""
    going_on = asyncio.ensure_future(what_goes_on)
    done, _ = await asyncio.wait([failure, going_on], return_when=asyncio.FIRST_COMPLETED)
    going_on.cancel()
    for ended in done:
        ended.result()
