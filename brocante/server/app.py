"""The server: what it holds, and the ASGI application that uvicorn runs."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import HTTPConnection
from starlette.routing import BaseRoute, Route, WebSocketRoute

from brocante.engine.errors import BrocanteError
from brocante.engine.text import LANGUAGES, Language, language
from brocante.games import GAMES
from brocante.server import pages
from brocante.server.bans import Bans
from brocante.server.config import Config
from brocante.server.connections import CONNECTIONS, Connections
from brocante.server.garbage import collect_when_quiet
from brocante.server.heeding import Heeding
from brocante.server.hosts import HostCheck
from brocante.server.housekeeping import Housekeeping
from brocante.server.http import UNSAFE, Endpoint, dispatcher, nothing_here
from brocante.server.http_errors import HttpRefused, status_and_code
from brocante.server.identity import Identities, Identity, token_of
from brocante.server.limits import CLIENT, Limits
from brocante.server.metrics import Metrics
from brocante.server.openers import Openers, neighbourhood
from brocante.server.outbox import OUTBOX, Outbox
from brocante.server.rate_limits import Buckets
from brocante.server.rooms import Rooms
from brocante.server.routes import ROUTES
from brocante.server.socket import Socket, SocketEndpoint
from brocante.server.storage import Storage, StorageError
from brocante.server.time_limit import TimeLimit
from brocante.table.clean_text import clean_text

#: Seconds that the last answers may take when the server stops.
SHUTDOWN_SECONDS = 5
#: Guests that an address may ask for at once.
GUESTS_AT_ONCE = 30.0
#: Seconds between two looks at who is still connected, and how many are looked at before moves get their turn.
LOOK_EVERY, LOOKED_AT_ONCE = 5.0, 500
#: With which status a server refuses those whom its settings keep out (hosts, origins, a web server in front), and how
#: much the log repeats of the reason.
MISTAKEN, LONGEST_PROBLEM = (403, 421), 300


class Server:
    """One process of a server."""

    def __init__(
        self, config: Config, clock: Callable[[], float] = time.time, steady: Callable[[], float] = time.monotonic
    ) -> None:
        self.config = config
        self.clock = clock
        self.steady = steady
        self.metrics = Metrics()
        self.storage: Storage
        self.rooms: Rooms
        self.housekeeping: Housekeeping
        self.heeding: Heeding
        self.bans = Bans()
        self.identities: Identities
        self.openers: Openers
        self.guests = Buckets(config.guests_rate, GUESTS_AT_ONCE)
        self.limits = Limits(config)
        self.connections: Connections
        self.closing = False
        self.visited = asyncio.Event()  # somebody has come to the page
        self.sockets: set[Socket] = set()

    @asynccontextmanager
    async def running(self, _: object = None) -> AsyncIterator[dict[str, Any]]:
        """Open the database, keep house, and let go of everything at the end. Yields what protocols need."""
        self.connections = Connections(self.limits, self.metrics, self.config)
        self.storage = await Storage.open(self.config.database)
        try:
            self.metrics.watch(self.storage)
            self.rooms = Rooms(self.storage, self.config, self.metrics, self.clock, self.steady)
            await self.rooms.service.keep()
            key = await self.storage.secret()
            self.openers = Openers(key)
            self.identities = Identities(key, self.config.token_days, self.rooms.service)
            await self.rooms.listen()
            self.rooms.compile_queue.want(*GAMES)
            self.housekeeping = Housekeeping(self.rooms)
            self.heeding = Heeding(self)
            await self.heeding.begin()
            work = (
                self.housekeeping.run(),
                self.housekeeping.close_retired_games(),
                self.housekeeping.look_for_damage(),
                self.heeding.run(),
                self.metrics.sample_loop_lag(),
                self._look_after_sockets(),
                collect_when_quiet(lambda: self.storage.appended),
                self._drop_the_slow(),
                pages.repack(self.visited),
            )
            tasks = [asyncio.create_task(each) for each in work]
            try:
                yield {CONNECTIONS: self.connections, OUTBOX: Outbox()}
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                self.rooms.compile_queue.close()
                await self.rooms.finish()
                with suppress(StorageError):  # then it has lost a minute, and the next one has more to read
                    await self.rooms.service.keep()
                    await self.rooms.keep_snapshots()
        finally:
            await self.storage.close()

    def announce_shutdown(self, retry: float = 2.0) -> None:
        """The server is about to stop: tell everyone to come back."""
        self.closing = True
        if hasattr(self, "rooms"):
            self.rooms.close(retry)

    async def shut_down(self) -> None:
        """Announce it, and wait until all clients know, after the answers to their requests."""
        self.announce_shutdown()
        if hasattr(self, "rooms"):
            await asyncio.wait([asyncio.ensure_future(self.rooms.finish())], timeout=SHUTDOWN_SECONDS)

    # --- clients ---

    async def identify(self, connection: HTTPConnection) -> tuple[Identity | None, bool]:
        """Who somebody is, and whether their cookie says so; None for a stranger, a refusal for a bad token.

        A cookie that has expired makes a stranger, since a browser cannot leave it out.
        """
        found = token_of(connection.headers, connection.cookies)
        if found is None:
            return None, False
        token, by_cookie = found
        try:
            identity = self.identities.read(token)
            if await self.storage.is_forgotten(identity.id):
                raise HttpRefused(401, "token")
        except HttpRefused:
            if by_cookie:
                return None, False
            raise
        self.bans.check("", identity.id, self.clock())
        return identity, by_cookie

    @staticmethod
    def language(connection: HTTPConnection) -> Language:
        """`?lang=`, or the first language of the browser that there is, or English."""
        asked = connection.query_params.get("lang") or connection.headers.get("accept-language", "")
        codes = [part.split(";")[0].strip()[:2].lower() for part in asked.split(",")]
        return language(next((code for code in codes if code in LANGUAGES), LANGUAGES[0]))

    @staticmethod
    def address_of(connection: HTTPConnection) -> str:
        return connection.client.host if connection.client else ""

    def opener_of(self, connection: HTTPConnection) -> str:
        return self.openers.mark(self.address_of(connection))

    @staticmethod
    def network_of(connection: HTTPConnection) -> str:
        """The address as limits count it."""
        return neighbourhood(Server.address_of(connection))

    @staticmethod
    def client_of(connection: HTTPConnection, identity: Identity | None) -> str:
        """Whom limits count: a guest or, for strangers, everyone at one address."""
        return identity.id if identity else Server.network_of(connection)

    def admit(self, connection: HTTPConnection, identity: Identity | None) -> None:
        """Count a request, or refuse it."""
        client = connection.scope[CLIENT] = self.client_of(connection, identity)
        self.limits.admit(client)

    def note_refusal(self, connection: HTTPConnection, error: BrocanteError, **more: str) -> None:
        """Have a line in the log about somebody who is refused; with the reason where a setting may be to blame."""
        status, code = status_and_code(error)
        if status in MISTAKEN:
            more["problem"] = clean_text(error.say(LANGUAGES[0]), LONGEST_PROBLEM)
        self.connections.note_of("refused", self.network_of(connection), **more, status=status, code=code)

    def plays_at(self, key: str, who: str) -> bool:
        """Whether somebody has a seat at a table at which a game is under way, or is over and another may follow."""
        room = self.rooms.in_memory(key)
        return room is not None and room.table.phase != "open" and bool(who) and room.table.seat_of(who) is not None

    def admit_socket(self, socket: Socket) -> None:
        """Count another socket of a client, unless there are too many. A player is never kept from their own table."""
        if self.closing:
            raise HttpRefused(503, "closing")
        who, room = socket.session.who, socket.room
        plays = self.plays_at(room.id, who) and not any(other.who == who for other in room.sessions)
        self.limits.admit_socket(socket.client, socket.network, plays=plays)
        self.sockets.add(socket)
        self.metrics.connections.inc()

    def release_socket(self, socket: Socket) -> None:
        self.sockets.discard(socket)
        self.limits.release_socket(socket.client, socket.network)
        self.metrics.connections.dec()

    async def _drop_the_slow(self) -> None:
        while True:
            await asyncio.sleep(0.0 if self.connections.drop_the_slow() else 1.0)

    async def _look_after_sockets(self) -> None:
        """Find out who is still there, some at a time: moves come first."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            for number, socket in enumerate([*self.sockets]):
                socket.look_after(time.monotonic())
                if number % LOOKED_AT_ONCE == 0:
                    await asyncio.sleep(0)


def application(server: Server) -> Starlette:
    """The ASGI application."""
    by_path: dict[str, list[Endpoint]] = {}
    for endpoint in ROUTES:
        by_path.setdefault(endpoint.path, []).append(endpoint)
    routes: list[BaseRoute] = [WebSocketRoute("/api/tables/{id}/socket", SocketEndpoint(server))]
    for path, endpoints in by_path.items():
        routes.append(Route(path, dispatcher(server, endpoints), methods=[each.method for each in endpoints]))
    routes += pages.routes(server)
    others = server.config.allowed_origins
    middleware = [Middleware(TimeLimit, server), Middleware(HostCheck, server)]
    if others:
        middleware.append(
            Middleware(
                CORSMiddleware, allow_origins=others, allow_methods=["GET", *UNSAFE], allow_headers=["authorization"]
            )
        )
    app = Starlette(
        routes=routes,
        lifespan=server.running,
        middleware=middleware,
        exception_handlers={HTTPException: nothing_here(server)},
    )
    app.router.redirect_slashes = False
    return app
