"""The server: what it holds, and the application that uvicorn runs."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import HTTPConnection
from starlette.routing import BaseRoute, Route, WebSocketRoute

from brocante.engine.errors import BrocanteError
from brocante.engine.text import LANGUAGES, Language, language
from brocante.games import GAMES
from brocante.server.config import Config
from brocante.server.identity import Identities, Identity, token_of
from brocante.server.metrics import Metrics
from brocante.server.rate_limits import Buckets
from brocante.server.refusals import HttpRefused
from brocante.server.rooms import Rooms
from brocante.server.storage import Storage

log = logging.getLogger("brocante.server")
#: Seconds between looks at tables that may leave the memory.
HOUSEKEEPING = 15.0
#: Seconds between two looks for tables that are too old.
SWEEPING = 3600.0
#: Seconds that answering and taking leave may take.
FAREWELL = 5
#: Guests that an address may ask for at once, and requests for each one a second.
GUESTS_AT_ONCE = 30.0


class Server:
    """One process of a server."""

    def __init__(self, config: Config, clock: Callable[[], float] = time.time) -> None:
        self.config = config
        self.clock = clock
        self.metrics = Metrics()
        self.storage: Storage
        self.rooms: Rooms
        self.identities: Identities
        self.guests = Buckets(config.guests_rate, GUESTS_AT_ONCE)
        self.requests = Buckets(config.rate, config.burst)
        self.closing = False
        self._sockets: Counter[str] = Counter()  # by client

    @asynccontextmanager
    async def running(self, _: object = None) -> AsyncIterator[None]:
        """Open the database, keep house, and let go of everything in the end."""
        self.storage = await Storage.open(self.config.database)
        try:
            self.identities = Identities(await self.storage.secret(), self.config.token_days)
            self.metrics.watch(self.storage)
            self.rooms = Rooms(self.storage, self.config, self.metrics, self.clock)
            await self.rooms.listen()
            self.rooms.workshop.want(*GAMES)
            work = (self._keep_house(), self._go_over_tables())
            tasks = [asyncio.create_task(each) for each in work]
            try:
                yield
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                self.rooms.workshop.close()
                await self.rooms.finish()
        finally:
            await self.storage.close()

    async def _keep_house(self) -> None:
        swept = 0.0
        while True:
            if time.monotonic() - swept > SWEEPING or not swept:
                swept = time.monotonic()
                await self._sweep()
            await asyncio.sleep(HOUSEKEEPING)
            self.rooms.forget_idle()
            self.rooms.stay_listed()

    async def _go_over_tables(self) -> None:
        try:
            await self.rooms.go_over()
        except BrocanteError as error:  # the database is away; a table is looked after when somebody comes to it
            self.metrics.failed("going over", error)

    async def _sweep(self) -> None:
        try:
            if count := await self.rooms.sweep():
                log.info("swept", extra={"tables": count})
        except BrocanteError as error:  # the database is away; there will be another time
            self.metrics.failed("sweep", error)

    def say_farewell(self, retry: float = 2.0) -> None:
        """The server is about to stop: tell everyone to come back."""
        self.closing = True
        if hasattr(self, "rooms"):
            self.rooms.farewell(retry)

    async def take_leave(self) -> None:
        """Say farewell, and wait until everyone has been told, after the answers to what they have asked for."""
        self.say_farewell()
        if hasattr(self, "rooms"):
            await asyncio.wait([asyncio.ensure_future(self.rooms.finish())], timeout=FAREWELL)

    # --- who asks ---

    async def identify(self, connection: HTTPConnection) -> tuple[Identity | None, bool]:
        """Who somebody is, and whether their browser says so; None for a stranger, a refusal for a bad token. A cookie
        that is good no more makes a stranger: browsers keep it for longer than we do, and cannot leave it out."""
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
        return identity, by_cookie

    @staticmethod
    def language(connection: HTTPConnection) -> Language:
        """`?lang=`, or what the browser prefers of what we speak, or English."""
        asked = connection.query_params.get("lang") or connection.headers.get("accept-language", "")
        codes = [part.split(";")[0].strip()[:2].lower() for part in asked.split(",")]
        return language(next((code for code in codes if code in LANGUAGES), LANGUAGES[0]))

    @staticmethod
    def address_of(connection: HTTPConnection) -> str:
        return connection.client.host if connection.client else ""

    @staticmethod
    def client_of(connection: HTTPConnection, identity: Identity | None) -> str:
        """Whom limits are for: a guest or, of strangers, all that come from one address."""
        return identity.id if identity else Server.address_of(connection)

    def came(self, who: str) -> None:
        """Another socket, unless there are too many."""
        if self.closing:
            raise HttpRefused(503, "closing")
        if self._sockets.total() >= self.config.connections:
            raise HttpRefused(503, "full")
        if self._sockets[who] >= self.config.connections_each:
            raise HttpRefused(429, "connections", most=self.config.connections_each)
        self._sockets[who] += 1
        self.metrics.connections.inc()

    def left(self, who: str) -> None:
        self._sockets[who] -= 1
        if self._sockets[who] <= 0:
            del self._sockets[who]
        self.metrics.connections.dec()


def application(server: Server) -> Starlette:
    """The ASGI application."""
    from brocante.server import lessons, pages, replays  # noqa: F401  some are here for their endpoints
    from brocante.server.http import ENDPOINTS, UNSAFE, asgi, nothing_here
    from brocante.server.socket import SocketEndpoint

    routes: list[BaseRoute] = [WebSocketRoute("/api/tables/{id}/socket", SocketEndpoint(server))]
    paths: dict[str, list[str]] = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, []).append(endpoint.method)
    routes += [Route(path, asgi(server, path), methods=methods) for path, methods in paths.items()]
    routes += pages.routes(server)
    others = server.config.allowed_origins
    cors = Middleware(
        CORSMiddleware, allow_origins=others, allow_methods=["GET", *UNSAFE], allow_headers=["authorization"]
    )
    app = Starlette(
        routes=routes,
        lifespan=server.running,
        middleware=[cors] if others else [],
        exception_handlers={HTTPException: nothing_here(server)},
    )
    app.router.redirect_slashes = False
    return app
