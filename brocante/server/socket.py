"""The socket of one client at one table: its requests are dispatched one after the other, and it is sent the news."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import HTTPConnection
from starlette.websockets import WebSocketDisconnect

from brocante.engine.errors import BrocanteError
from brocante.server.broadcast import encoded_view, recap
from brocante.server.http_errors import HttpRefused, answer_to, decoded, refusal_of, status_and_code
from brocante.server.identity import check_origin
from brocante.server.rate_limits import Bucket
from brocante.server.room import Room
from brocante.server.session import Session
from brocante.wire.socket_codec import NotDone, Recapped, Seen, decode_request, encode

if TYPE_CHECKING:
    from brocante.server.app import Server

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

GOING_AWAY, TOO_SLOW = 1012, 1013  # of RFC 6455's registry: come back; try again later
#: Seconds that a client has to take the last messages before it is dropped.
PATIENCE = 5.0
#: Seconds after which a client that could not be shown the table may try again.
RELOAD = 1.0
log = logging.getLogger("brocante.server")


class Socket:
    """A connection, from its handshake to its end."""

    def __init__(self, server: "Server", send: Send, client: str = "") -> None:
        self._server = server
        self.client = client  # whom limits count
        self._send = send
        self._outbox: deque[bytes] = deque()
        self._waiting = 0  # bytes in it
        self._awake = asyncio.Event()  # there is something to send, or to close
        self._code: int | None = None  # with which to close when everything is sent
        self._hung_up = asyncio.Event()
        self.dispatching = asyncio.Lock()  # held while a request is carried out

    def push(self, message: bytes) -> None:
        """Queue a message. A client that does not read is hung up on, and can come back for the rest."""
        if self._code == TOO_SLOW:
            return
        slow = self._waiting > 0 and self._waiting + len(message) > self._server.config.backlog
        self._outbox.append(message)
        self._waiting += len(message)
        if slow:
            self._outbox.clear()
            self._hang_up(TOO_SLOW)
        self._awake.set()

    def close(self) -> None:
        self._hang_up(self._code or GOING_AWAY)

    def _hang_up(self, code: int) -> None:
        self._code = code
        self._hung_up.set()
        self._awake.set()

    async def lose_patience(self) -> None:
        """Drop clients that ignore the close frame."""
        await self._hung_up.wait()
        await asyncio.sleep(PATIENCE)

    async def write(self) -> None:
        """Send messages as they come."""
        while True:
            while self._outbox:
                message = self._outbox.popleft()
                self._waiting -= len(message)
                await self._send({"type": "websocket.send", "text": message.decode()})
            if self._code is not None:
                await self._send({"type": "websocket.close", "code": self._code})
                return
            self._awake.clear()
            await self._awake.wait()

    async def read(self, receive: Receive, room: Room, session: Session) -> None:
        """Take the client's requests, within the rate limit, until it hangs up."""
        config = self._server.config
        bucket = Bucket(config.rate, config.burst)
        while True:
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return
            frame = message.get("text")
            if self._hung_up.is_set():
                continue
            if not bucket.take():
                self._refuse(session, HttpRefused(429, "rate"), None)
            elif frame is None:
                self._refuse(session, HttpRefused(400, "binary"), None)
            else:
                async with self.dispatching:
                    await self.dispatch(frame, room, session)

    async def dispatch(self, frame: str, room: Room, session: Session) -> None:
        """Carry out one request: a command for the table, a look at it, or a recap."""
        began = time.perf_counter()
        number, do = None, "unreadable"
        metrics = self._server.metrics
        try:
            request = decoded(frame, decode_request)
            if not request.asks_for_one_thing:
                raise HttpRefused(400, "one_thing")
            number = request.id
            if request.command is not None:
                if not session.who:  # strangers may watch, and no more
                    raise HttpRefused(401, "stranger")
                do = request.command.kind()
                await self._server.rooms.do(room, request.command, session.who, session, number)
                metrics.latency.observe(time.perf_counter() - began)
            elif request.recap:
                do = "recap"
                session.say(Recapped(number, recap(room.table, session.viewer, session.language)))
            elif request.look is not None:
                do = "look"
                view = encoded_view(room.table, session.viewer, session.language, tuple(request.look.begun))
                session.say(Seen(number, view or msgspec.Raw(b"null")))
        except Exception as error:
            refusal = refusal_of(error, "socket", metrics)
            metrics.commands.labels(do, status_and_code(refusal)[1]).inc()
            self._refuse(session, refusal, number)
        else:
            metrics.commands.labels(do, "done").inc()

    def _refuse(self, session: Session, error: BrocanteError, number: int | None) -> None:
        _, code = status_and_code(error)
        session.say(NotDone(code, error.say(session.language.code), number))


class SocketEndpoint:
    """The ASGI application of `/api/tables/{id}/socket`."""

    def __init__(self, server: "Server") -> None:
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        await receive()  # websocket.connect
        try:
            room, session, socket = await self._admit(connection, send)
        except Exception as error:
            refusal = refusal_of(error, "handshake", self._server.metrics)
            log.info("refused", extra={"what": "handshake", "code": status_and_code(refusal)[1]})
            await refuse_handshake(send, refusal, self._server.language(connection).code)
            return
        try:
            await send({"type": "websocket.accept"})
            await self._serve(connection, receive, room, session, socket)
        finally:
            self._server.release_socket(socket.client)

    async def _admit(self, connection: HTTPConnection, send: Send) -> tuple[Room, Session, Socket]:
        """Let a client in if it may: from the right site, with a good token or none, not over too many connections."""
        server = self._server
        identity, by_cookie = await server.identify(connection)
        check_origin(connection.headers, server.config.allowed_origins, by_cookie=by_cookie)
        client = server.client_of(connection, identity)
        if not server.requests.take(client):
            raise HttpRefused(429, "rate")
        detail = connection.query_params.get("detail", "view")
        if detail not in ("view", "moves"):
            raise HttpRefused(400, "detail")
        since(connection)
        room = await server.rooms.find(connection.path_params["id"])
        who = identity.id if identity else ""
        server.admit_socket(client)
        socket = Socket(server, send, client)
        language = server.language(connection)
        return room, Session(who, language, detail, socket.push, socket.close), socket  # type: ignore[arg-type]

    async def _serve(
        self, connection: HTTPConnection, receive: Receive, room: Room, session: Session, socket: Socket
    ) -> None:
        rooms = self._server.rooms
        try:
            await rooms.join(room, session, since(connection), connection.query_params.get("stream", ""))
        except Exception as problem:
            refusal_of(problem, "socket", self._server.metrics)
            session.hang_up("reload", RELOAD)
        log.info("connected", extra={"table": room.id[:6], "seat": session.viewer})
        work = (socket.write(), socket.read(receive, room, session), socket.lose_patience())
        tasks = [asyncio.create_task(task) for task in work]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                if (error := task.exception()) and not isinstance(error, WebSocketDisconnect | OSError):
                    self._server.metrics.failed("socket", error)
        finally:
            rooms.part(room, session)
            async with socket.dispatching:  # what is on the disk must be broadcast, even if its author is gone
                for task in tasks:
                    task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            log.info("left", extra={"table": room.id[:6], "seat": session.viewer})


def since(connection: HTTPConnection) -> int | None:
    """The number of the last event that a client has."""
    text = connection.query_params.get("since")
    if text is None:
        return None
    if not text.isdecimal() or len(text) > 15:
        raise HttpRefused(400, "since")
    return int(text)


async def refuse_handshake(send: Send, error: BrocanteError, code: str) -> None:
    """Refuse before there is a socket, as any request is refused."""
    status, body = answer_to(error, code)
    headers = [(b"content-type", b"application/json")]
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": encode(body)})
