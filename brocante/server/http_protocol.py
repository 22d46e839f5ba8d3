"""HTTP as uvicorn speaks it, with an end to everything: heads, bodies, requests at once, and patience."""

from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from brocante.server.connections import CONNECTIONS, Connections

#: Bytes and fields of the head of a request. With the head counts whatever else is no body: blank lines before it,
#: what is said of a chunk besides its length, and what comes after the last one.
HEAD_BYTES, HEAD_FIELDS = 16_384, 100
#: Pieces in which a body may come: each costs as much as a whole one.
BODY_PIECES = 1_000
#: Bytes of a body that are read after the answer was given; for more of them the connection is closed.
STILL_READ = 262_144
#: Requests that wait on one connection while one is answered.
MOST_WAITING = 8


class HttpRefusal(Exception):
    """A request that is not even read to its end."""

    def __init__(self, status: int, problem: str) -> None:
        super().__init__(problem)
        self.status = status


class HttpProtocol(HttpToolsProtocol):
    """One connection, until it is closed or becomes a WebSocket."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._connections: Connections = self.app_state[CONNECTIONS]
        self._is_in_head = False
        self._besides = 0  # bytes besides bodies, since a request was complete
        self._fields = 0  # bytes of the head, as they were understood
        self._pieces = 0  # of the body
        self._unread = 0  # bytes of the request that came after its answer

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._connections.arrived(transport, self.config.forwarded_allow_ips)

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.left(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        self._unset_keepalive_if_required()
        self._besides += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            if self._should_upgrade():
                self.handle_websocket_upgrade()
            else:
                self._unsupported_upgrade_warning()
        except httptools.HttpParserError as error:
            found = error.__context__
            self._refuse(found if isinstance(found, HttpRefusal) else HttpRefusal(400, "no HTTP request"))
        else:
            if self._besides > HEAD_BYTES:
                self._refuse(HttpRefusal(431, "too much besides the body"))

    def _refuse(self, refusal: HttpRefusal) -> None:
        """Hang up. Where answers are still to come, nothing is said, since it would be taken for one of them."""
        self._connections.is_clients_turn(self.transport)  # to take what it has been answered
        self._connections.note("refused", self.transport, status=refusal.status, problem=str(refusal))
        cycle = self.cycle
        is_in_body = cycle and cycle.more_body and not cycle.response_started and not self.pipeline
        if cycle is None or cycle.response_complete or is_in_body:
            body = f"{refusal}\n".encode()
            self.transport.write(
                b"%bcontent-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%b"
                % (STATUS_LINE[refusal.status], len(body), body)
            )
        self.transport.close()

    def _unsupported_upgrade_warning(self) -> None:
        self._connections.note("refused", self.transport, problem="an unknown upgrade")
        self.cycle.keep_alive = False

    # --- whose turn it is ---

    def pause_writing(self) -> None:
        """Whoever does not take the answers has us wait, whatever is still to be answered."""
        super().pause_writing()
        self._connections.is_clients_turn(self.transport)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._is_answering and not (self._is_in_head or self.cycle.more_body):
            self._connections.is_our_turn(self.transport)

    @property
    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    # --- what the parser finds ---

    def on_message_begin(self) -> None:
        self._is_in_head, self._fields, self._pieces, self._unread = True, 0, 0, 0
        self._connections.is_clients_turn(self.transport)
        if len(self.pipeline) >= MOST_WAITING:
            raise HttpRefusal(429, "too many requests at once")
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > HEAD_BYTES:
            raise HttpRefusal(414, "a long address")

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self._fields += len(name) + len(value)
        if len(self.headers) > HEAD_FIELDS or self._fields > HEAD_BYTES:
            raise HttpRefusal(431, "a long head")

    def on_headers_complete(self) -> None:
        self._is_in_head = False
        upgrades = self.parser.should_upgrade()
        named = any(name in (b"authorization", b"cookie") for name, _ in self.headers)
        if not (upgrades and named) and self._connections.is_shut_to(self.transport):
            raise HttpRefusal(429, "too many requests")
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._besides -= len(body)
        self._pieces += 1
        if self._pieces > BODY_PIECES:
            raise HttpRefusal(413, "a body in too many pieces")
        if self.cycle and self.cycle.response_complete:
            self._unread += len(body)
            if self._unread > STILL_READ:
                raise HttpRefusal(413, "a long body")

    def on_message_complete(self) -> None:
        self._besides = 0
        if not self.flow.write_paused:
            self._connections.is_our_turn(self.transport)
        super().on_message_complete()
        if not self._is_answering:
            self._connections.is_clients_turn(self.transport)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self._is_answering or self.transport.is_closing():
            self._connections.is_clients_turn(self.transport)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        """Uvicorn would write to a connection on which we have hung up, until it hears that it is lost; and of several
        requests at once it tells only the last that it is."""

        async def answer(scope: Any, receive: Any, send: Any) -> None:
            async def send_unless_closed(message: Any) -> None:
                await self.flow.drain()
                cycle.disconnected |= self.transport.is_closing()
                await send(message)

            await app(scope, receive, send_unless_closed)

        super()._start_asgi_task(cycle, answer)

    def handle_websocket_upgrade(self) -> None:
        """From then on nobody would wait for answers that were not taken before."""
        if self._is_answering or self.flow.write_paused:
            self._refuse(HttpRefusal(400, "an upgrade before all was answered"))
            return
        self._connections.is_our_turn(self.transport)
        super().handle_websocket_upgrade()
