"""A WebSocket as uvicorn runs it: the handshake goes through the ASGI application like any request, and from then on
frames go straight to whoever has accepted the connection, without a queue or a task in between."""

import asyncio
import base64
import binascii
import hashlib
import logging
from collections.abc import MutableMapping
from contextlib import suppress
from typing import Any, Protocol, cast
from urllib.parse import unquote

import httptools
from uvicorn import Config
from uvicorn.protocols.utils import get_local_addr, get_remote_addr, is_ssl
from uvicorn.server import ServerState

from brocante.server.connections import CONNECTIONS, Connections
from brocante.server.frames import (
    CLOSE,
    CONTINUATION,
    LEAVING,
    PING,
    PONG,
    TEXT,
    FrameError,
    FrameReader,
    close_frame,
    frame_bytes,
)
from brocante.server.outbox import OUTBOX, Outbox

#: What RFC 6455 adds to a client's key, to show that the answer comes from a WebSocket server.
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
#: Under which extension of an ASGI scope an application finds its end of the connection.
EXTENSION = "brocante.websocket"
#: Seconds for a client to answer a close frame before the connection is dropped, and bytes that it may still send.
PATIENCE, STILL_READ = 5.0, 16_384
#: Seconds for a message to be complete, from its first byte on.
COMPLETE_WITHIN = 20.0
#: Seconds after which a client that has said nothing is asked whether it is still there, and after which it is dropped.
QUIET, SILENT = 20.0, 45.0
#: Why nothing is read for now: the handshake has not been answered, the listener has enough to do, or the client does
#: not read what it was sent.
UNANSWERED, BUSY, CHOKED = 1, 2, 4
PLAIN = (b"content-type", b"text/plain; charset=utf-8")
#: The answer to what is no handshake of RFC 6455.
NO_HANDSHAKE = (400, [PLAIN], b"This is no handshake of a WebSocket.\n")
log = logging.getLogger("brocante.server")


class Listener(Protocol):
    """Whoever has accepted a connection."""

    def received(self, frame: bytes | None) -> None:
        """A message has come; None for one that is not a text."""

    def counted(self, kind: int) -> bool:
        """A frame has come, of whatever kind, or a piece of one; whether to go on."""

    def lost(self) -> None:
        """The connection is gone."""


class Wire(Protocol):
    """An application's end of a connection."""

    def accept(self, listener: Listener) -> None: ...
    def send(self, message: bytes) -> None: ...
    def close(self, code: int) -> None: ...

    # Whatever comes after the present message waits.
    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def look_after(self, now: float) -> None: ...
    @property
    def waiting(self) -> int: ...  # bytes that the client has not taken yet


class WebSocketProtocol(asyncio.Protocol):
    """One connection, from its handshake to its end."""

    __slots__ = (
        "_app_state", "_asked", "_begun", "_closing", "_config", "_connections", "_heard", "_held", "_key",
        "_left_over", "_listener", "_loop", "_outbox", "_reader", "_state", "_unsent", "transport",
    )  # fmt: skip

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any]) -> None:
        self._config = config
        self._state = server_state
        self._app_state = app_state
        self._connections: Connections = app_state[CONNECTIONS]
        self._outbox: Outbox = app_state[OUTBOX]
        self._unsent: list[bytes] = []  # what leaves at the end of this round
        self._loop = asyncio.get_running_loop()
        self._key: bytes | None = None  # that came with the handshake
        self._reader = FrameReader(config.ws_max_size)
        self._listener: Listener | None = None
        self._closing = False  # we have said that we hang up
        self._asked = False  # whether it is still there, since it was last heard
        self._heard = self._loop.time()  # when that was
        self._begun: float | None = None  # when a message was begun that is not complete
        self._held = 0  # why nothing is read
        self._left_over = STILL_READ  # bytes that are read of a client after we have hung up
        self.transport: asyncio.Transport

    # --- the transport ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self._state.connections.add(cast("Any", self))

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.left(self.transport)
        self._state.connections.discard(cast("Any", self))
        listener, self._listener = self._listener, None
        if listener:
            listener.lost()

    def eof_received(self) -> bool:
        return False

    def data_received(self, data: bytes) -> None:
        if self._key is None:
            self._shake_hands(data)
            return
        if self._closing:
            self._left_over -= len(data)
            if self._left_over < 0:
                self.transport.close()
                return
        self._heard, self._asked = self._loop.time(), False
        self._reader.feed(data)
        if not self._read_on() and self._listener and not self._held:
            self._listener.counted(CONTINUATION)  # sending a byte at a time is no way around the limits

    def _read_on(self) -> bool:
        """Take the frames that are complete; whether there was one."""
        any_came = False
        try:
            while not self._held and (frame := self._reader.read()):
                any_came = True
                self._take(*frame)
        except FrameError as error:
            self._connections.note("hung up", self.transport, code=error.code, problem=str(error))
            self.close(error.code)
            self.transport.close()
        if any_came or not self._reader.is_waiting:
            self._begun = None
        if self._begun is None and self._reader.is_waiting:
            self._begun = self._heard
        return any_came

    def _write(self, data: bytes) -> None:
        """Send at once, after what is to leave at the end of this round."""
        self._unsent.append(data)
        self.flush()

    def flush(self) -> None:
        """Send what there is. To a connection that is lost, of which we have not been told yet, one cannot."""
        unsent, self._unsent = self._unsent, []
        if unsent and not self.transport.is_closing():
            self.transport.write(unsent[0] if len(unsent) == 1 else b"".join(unsent))

    def pause_writing(self) -> None:
        """Whoever does not take the answers may not ask for more."""
        self._hold(CHOKED)

    def resume_writing(self) -> None:
        self._release(CHOKED)

    def _hold(self, reason: int) -> None:
        if not self._held and not self.transport.is_closing():
            self.transport.pause_reading()
        self._held |= reason

    def _release(self, reason: int) -> None:
        if not self._held & reason:
            return
        self._held &= ~reason
        if not self._held and not self.transport.is_closing():
            self._heard, self._begun = self._loop.time(), None
            self._read_on()
        if not self._held and not self.transport.is_closing():
            self.transport.resume_reading()

    def _take(self, kind: int, payload: bytes) -> None:
        listener = self._listener
        if kind == CLOSE:
            self._be_hung_up_on(payload)
        elif listener is None or self._closing or not listener.counted(kind):
            return
        elif kind == TEXT:
            listener.received(payload)
        elif kind == PING:
            self._write(frame_bytes(PONG, payload))
        elif kind not in (CONTINUATION, PONG):
            listener.received(None)

    def _be_hung_up_on(self, payload: bytes) -> None:
        """The client hangs up, or agrees that we do."""
        if not self._closing:
            self._closing = True
            self._write(frame_bytes(CLOSE, payload[:2]))
        self.transport.close()

    # --- the handshake ---

    def _shake_hands(self, head: bytes) -> None:
        self._hold(UNANSWERED)
        try:
            request = UpgradeRequest(head)
        except httptools.HttpParserError:
            self._key = b""
            self._refuse(*NO_HANDSHAKE)
            return
        self._key = request.key
        if problem := request.problem:
            self._refuse(*problem)
            return
        task = self._loop.create_task(self._ask_application(request))
        self._state.tasks.add(task)
        task.add_done_callback(self._state.tasks.discard)

    async def _ask_application(self, request: "UpgradeRequest") -> None:
        answer = Refusal()
        scope = request.scope(self.transport, self._config, self._app_state)
        scope["extensions"][EXTENSION] = self
        try:
            await self._config.loaded_app(scope, connected, answer.send)
        except Exception as error:
            log.error("failed", extra={"where": "handshake"}, exc_info=error)
            answer = Refusal()
        if self._listener is None and not self._closing:
            self._answer(answer.status, answer.headers, answer.body)

    def _refuse(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        self._connections.note("refused", self.transport, status=status, problem="no handshake")
        self._answer(status, headers, body)

    def _answer(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        """Refuse the handshake, as any request is refused."""
        self._closing = True
        own = [(b"content-length", str(len(body)).encode()), (b"connection", b"close")]
        lines = [b"HTTP/1.1 %d \r\n" % status, *(b"%b: %b\r\n" % header for header in [*headers, *own])]
        self._write(b"".join([*lines, b"\r\n", body]))
        self._connections.is_clients_turn(self.transport)  # to take it
        self.transport.close()

    # --- the application's end ---

    def accept(self, listener: Listener) -> None:
        """From now on frames go to the listener."""
        assert self._key
        if self._closing or self.transport.is_closing():
            listener.lost()
            return
        self._listener = listener
        key = base64.b64encode(hashlib.sha1(self._key + GUID).digest())
        self._write(
            b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n"
            b"sec-websocket-accept: %b\r\n\r\n" % key
        )
        self._release(UNANSWERED)

    def send(self, message: bytes) -> None:
        if not self._unsent:
            self._outbox.add(self)
        self._unsent.append(frame_bytes(TEXT, message))

    @property
    def waiting(self) -> int:
        return self.transport.get_write_buffer_size() + sum(map(len, self._unsent))

    def pause(self) -> None:
        self._hold(BUSY)

    def resume(self) -> None:
        self._release(BUSY)

    def close(self, code: int) -> None:
        """Hang up, once the client has taken what was sent; a client that does not is dropped."""
        if not self._closing:
            self._closing = True
            self._left_over -= self._reader.unread
            self._write(close_frame(code))
            if self._left_over < 0:
                self.transport.close()
            self._release(self._held)  # to see that it agrees
            self._loop.call_later(PATIENCE, self.transport.abort)

    def shutdown(self) -> None:
        """Uvicorn stops."""
        if self._listener:
            self.close(LEAVING)
        self.transport.close()

    def look_after(self, now: float) -> None:
        """Ask a client that has been quiet whether it is there; drop one that does not answer, or does not come to the
        end of what it says."""
        if self._begun is not None and now > self._begun + COMPLETE_WITHIN and not self._held:
            self._connections.note("dropped", self.transport, problem="a message that does not end")
            self.transport.abort()
        elif now > self._heard + SILENT:
            self.transport.abort()
        elif now > self._heard + QUIET and not self._asked and self._listener:
            self._asked = True
            self._write(frame_bytes(PING, b""))


class UpgradeRequest:
    """The request with which a client would like to open a WebSocket."""

    def __init__(self, head: bytes) -> None:
        self.headers: list[tuple[bytes, bytes]] = []
        self._url = b""
        parser = httptools.HttpRequestParser(self)
        with suppress(httptools.HttpParserUpgrade):  # as it should be
            parser.feed_data(head)
        self.method, self.version = parser.get_method(), parser.get_http_version()

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers.append((name.lower(), value))

    def _header(self, name: bytes) -> bytes:
        return next((value for other, value in self.headers if other == name), b"")

    @property
    def key(self) -> bytes:
        return self._header(b"sec-websocket-key").strip()

    @property
    def problem(self) -> tuple[int, list[tuple[bytes, bytes]], bytes] | None:
        """How to refuse it where it is no handshake of RFC 6455."""
        if self._header(b"sec-websocket-version").strip() != b"13":
            return 426, [PLAIN, (b"sec-websocket-version", b"13")], b"This server speaks version 13 of WebSocket.\n"
        if self.method != b"GET" or self.version != "1.1" or not is_key(self.key):
            return NO_HANDSHAKE
        return None

    def scope(self, transport: asyncio.Transport, config: Config, state: dict[str, Any]) -> dict[str, Any]:
        """The request as ASGI has it."""
        raw_path, _, query = self._url.partition(b"?")
        return {
            "type": "websocket",
            "asgi": {"version": config.asgi_version, "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "wss" if is_ssl(transport) else "ws",
            "server": get_local_addr(transport),
            "client": get_remote_addr(transport),
            "root_path": config.root_path,
            "path": config.root_path + unquote(raw_path.decode("latin-1")),
            "raw_path": config.root_path.encode() + raw_path,
            "query_string": query,
            "headers": self.headers,
            "subprotocols": [],
            "state": state.copy(),
            "extensions": {"websocket.http.response": {}},
        }


def is_key(key: bytes) -> bool:
    try:
        return len(base64.b64decode(key, validate=True)) == 16
    except binascii.Error:
        return False


async def connected() -> dict[str, str]:
    """What an ASGI application is told first."""
    return {"type": "websocket.connect"}


class Refusal:
    """What an application answers to a handshake that it does not accept."""

    def __init__(self) -> None:
        self.status = 500
        self.headers: list[tuple[bytes, bytes]] = []
        self.body = b""

    async def send(self, message: MutableMapping[str, Any]) -> None:
        match message["type"]:
            case "websocket.http.response.start":
                self.status, self.headers = message["status"], [*message["headers"]]
            case "websocket.http.response.body":
                self.body += message["body"]
            case "websocket.close":
                self.status = 403
