"""The socket of one client at one table: its requests are dispatched one after the other, and it is sent the news."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import HTTPConnection

from brocante.engine.errors import BrocanteError
from brocante.server.broadcast import encoded_view, recap
from brocante.server.frames import RESTARTING, TOO_SLOW, UNWELCOME
from brocante.server.http_errors import HttpRefused, answer_to, decoded, refusal_of, status_and_code
from brocante.server.identity import check_origin
from brocante.server.processor_time import Metered
from brocante.server.rate_limits import Bucket
from brocante.server.room import Room
from brocante.server.session import DETAILS, Session
from brocante.server.websocket import EXTENSION, Wire
from brocante.table.commands import PlayMove
from brocante.wire.socket_codec import NotDone, Recapped, Request, Seen, decode_request, encode

if TYPE_CHECKING:
    from brocante.server.app import Server

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

#: Seconds after which a client that could not be shown the table may try again.
RELOAD = 1.0
#: The share of the rate limit, and of the burst, that may be requests which are refused: whoever sends more of them is
#: hung up on.
FORGIVEN, FORGIVEN_AT_ONCE = 0.05, 0.5
#: Messages that wait while one is carried out; from then on nothing more is read.
MOST_WAITING = 8


class Socket:
    """A connection that was accepted, until its end."""

    __slots__ = (
        "_closed", "_closing", "_forgiveness", "_frames", "_server", "_wire", "_working", "address", "client",
        "is_gone", "network", "room", "session",
    )  # fmt: skip

    def __init__(self, server: "Server", wire: Wire, connection: HTTPConnection, client: str, room: Room) -> None:
        self._server = server
        self._wire = wire
        self.address = server.address_of(connection)
        self.network, self.client = server.network_of(connection), client  # whom limits count
        self.room = room
        self.session: Session
        rate, burst = server.config.rate, server.config.burst
        self._forgiveness = Bucket(rate * FORGIVEN, burst * FORGIVEN_AT_ONCE)
        self._frames: deque[bytes | None] = deque()  # that came while another was being dispatched
        self._working = True  # until the client has joined, what it says waits
        self._closing = False  # it is about to be closed
        self._closed = False
        self.is_gone = False

    # --- what the client is sent ---

    def push(self, message: bytes) -> None:
        """Send a message. A client that does not read is hung up on, and can come back for the rest."""
        if self._closed:
            return
        waiting = self._wire.waiting
        if waiting and waiting + len(message) > self._server.limits.backlog(self.network):
            self.close(TOO_SLOW)
        else:
            self._wire.send(message)

    def close(self, code: int = RESTARTING) -> None:
        """Hang up, after what is being said right now: a refusal comes before the end."""
        if not self._closing:
            self._closing = True
            self._frames.clear()
            self._wire.pause()
            asyncio.get_running_loop().call_soon(self._hang_up, code)

    def _hang_up(self, code: int) -> None:
        self._closed = True
        self._wire.close(code)

    # --- what it says ---

    def counted(self, kind: int) -> bool:
        """Every frame counts, whatever is in it: whoever sends too many is first refused, and then hung up on."""
        if self._closing:
            return False
        try:
            self._server.limits.admit(self.client)
        except HttpRefused as refusal:
            self._refuse(refusal, None)
            return False
        self._server.limits.charge_frame(self.network)
        return True

    @property
    def _plays(self) -> bool:
        """Whether they go on with a game, or would like another."""
        return self.session.viewer >= 0 and self.room.table.phase != "open"

    def received(self, frame: bytes | None) -> None:
        if self._working:
            self._frames.append(frame)
            if len(self._frames) == MOST_WAITING:
                self._wire.pause()
        else:
            self._working = True
            self._server.rooms.background.start(self._work(frame))

    async def _work(self, frame: bytes | None) -> None:
        """Dispatch a message, and those that come meanwhile."""
        await self._dispatch(frame)
        await self.go_on()

    async def go_on(self) -> None:
        """Dispatch what has been waiting, and from now on what comes."""
        while self._frames:
            frame = self._frames.popleft()
            if len(self._frames) == MOST_WAITING - 1:
                self._wire.resume()
            await self._dispatch(frame)
        self._working = False

    def lost(self) -> None:
        """The connection is gone. What is being carried out goes on: what is on the disk must be broadcast."""
        self._closed = self.is_gone = True
        self._frames.clear()
        self._server.release_socket(self)
        self._server.rooms.part(self.room, self.session)
        self.note_visit("left")
        self.session.cut_off()

    def note_visit(self, event: str) -> None:
        self._server.connections.note_visit(event, self.network, table=self.room.id[:6], seat=self.session.viewer)

    def look_after(self, now: float) -> None:
        self._wire.look_after(now)

    async def _dispatch(self, frame: bytes | None) -> None:
        """Carry out one request: a command for the table, a look at it, or a recap."""
        began = time.perf_counter()
        number, do, metrics = None, "unreadable", self._server.metrics
        try:
            if frame is None:
                raise HttpRefused(400, "binary")
            request = decoded(frame, decode_request)
            if not request.asks_for_one_thing:
                raise HttpRefused(400, "one_thing")
            number, do = request.id, request.kind
            if request.command and self._plays:
                await self._play(request)
            else:
                await self._server.limits.wait_for_time(self.network)
                await self._answer(request)
            if request.command:
                metrics.latency.observe(time.perf_counter() - began)
        except Exception as error:
            refusal = refusal_of(error, "socket", metrics)
            metrics.count_command(do, status_and_code(refusal)[1])
            self._refuse(refusal, number)
            del refusal  # its traceback has this frame: a cycle
        else:
            metrics.count_command(do, "done")

    async def _play(self, request: Request) -> None:
        """What is a part of playing is paid for by the address; what is no move, by the guest as well.

        Asking the system for the time of a thread would take a twentieth of a move. A move is timed by the clock, since
        nobody is refused for what moves take.
        """
        limits, is_move = self._server.limits, isinstance(request.command, PlayMove)
        await limits.wait_to_play(self.network)
        work = Metered(self._carry_out(request), time.perf_counter if is_move else time.thread_time)
        try:
            await work
        finally:
            limits.charge_player("" if is_move else self.client, self.network, work.seconds)

    async def _answer(self, request: Request) -> None:
        """Everything else is paid for by the guest and by the address."""
        work = Metered(self._carry_out(request) if request.command else self._tell(request))
        try:
            await work
        finally:
            self._server.limits.charge(self.client, self.network, work.seconds)

    async def _carry_out(self, request: Request) -> None:
        assert request.command is not None
        session = self.session
        if not session.who:  # strangers may watch, and no more
            raise HttpRefused(401, "stranger")
        self._server.limits.admit_command(request.command, self.client, self.network)
        await self._server.rooms.do(self.room, request.command, session.who, session, request.id)

    async def _tell(self, request: Request) -> None:
        """Answer what changes nothing."""
        session, table = self.session, self.room.table
        if request.look is None:
            session.say(Recapped(request.id, recap(table, session.viewer, session.language)))
        else:
            view = encoded_view(table, session.viewer, session.language, tuple(request.look.begun))
            session.say(Seen(request.id, view or msgspec.Raw(b"null")))

    def _refuse(self, error: BrocanteError, number: int | None) -> None:
        _, code = status_and_code(error)
        self.session.say(NotDone(code, error.say(self.session.language.code), number))
        if not self._closing and not self._forgiveness.take():
            self._server.connections.note_of("hung up", self.network, code=UNWELCOME, problem=code)
            self.close(UNWELCOME)


class SocketEndpoint:
    """The ASGI application of `/api/tables/{id}/socket`: the handshake. What comes after it is a `Socket`'s."""

    def __init__(self, server: "Server") -> None:
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        wire: Wire = scope["extensions"][EXTENSION]
        try:
            socket = await self._admit(connection, wire)
        except Exception as error:
            refusal = refusal_of(error, "handshake", self._server.metrics)
            await refuse_handshake(self._server, connection, send, refusal)
            return
        wire.accept(socket)
        await self._join(connection, socket)

    async def _admit(self, connection: HTTPConnection, wire: Wire) -> Socket:
        """Let a client in if it may: from the right site, with a good token or none, not over too many connections."""
        server, address = self._server, self._server.address_of(connection)
        server.bans.check(address, "", server.clock())
        identity, by_cookie = await server.identify(connection)
        check_origin(connection, server.config.allowed_origins, by_cookie=by_cookie)
        server.admit(connection, identity)
        detail = DETAILS.get(connection.query_params.get("detail", "view"))
        if detail is None:
            raise HttpRefused(400, "detail")
        since(connection)
        who = identity.id if identity else ""
        room = await server.rooms.find(connection.path_params["id"], who)
        socket = Socket(server, wire, connection, server.client_of(connection, identity), room)
        socket.session = Session(who, server.language(connection), detail, socket.push, socket.close)
        server.admit_socket(socket)
        return socket

    async def _join(self, connection: HTTPConnection, socket: Socket) -> None:
        rooms, room, session = self._server.rooms, socket.room, socket.session
        try:
            await rooms.join(room, session, since(connection), connection.query_params.get("stream", ""))
        except Exception as problem:
            refusal_of(problem, "socket", self._server.metrics)
            session.hang_up("reload", RELOAD)
        if socket.is_gone:  # it was lost meanwhile
            rooms.part(room, session)
        socket.note_visit("connected")
        await socket.go_on()


def since(connection: HTTPConnection) -> int | None:
    """The number of the last event that a client has."""
    text = connection.query_params.get("since")
    if text is None:
        return None
    if not text.isdecimal() or len(text) > 15:
        raise HttpRefused(400, "since")
    return int(text)


async def refuse_handshake(server: "Server", connection: HTTPConnection, send: Send, error: BrocanteError) -> None:
    """Refuse before there is a socket, as any request is refused."""
    status, failure = answer_to(error, server.language(connection).code)
    server.note_refusal(connection, error, what="handshake")
    headers = [(b"content-type", b"application/json")]
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": encode(failure)})
