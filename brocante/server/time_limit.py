"""What a request takes of the processor's time is counted against whoever sent it, whatever it asks for."""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from starlette.requests import HTTPConnection, Request

from brocante.engine.errors import BrocanteError
from brocante.server.http import refused
from brocante.server.http_errors import HttpRefused
from brocante.server.limits import CLIENT, OVERHEAD
from brocante.server.processor_time import Metered
from brocante.server.socket import Receive, Scope, Send, refuse_handshake

if TYPE_CHECKING:
    from brocante.server.app import Server

#: What people need in order to go on playing: their table, too, of which a page that is opened again asks first.
PLAYING = re.compile(r"/api/tables/([\w-]+)(?:/socket|/do)?", re.ASCII)
#: Under which name the scope of a request says that it was let in because it is a part of playing.
PLAYS = "brocante.plays"


class TimeLimit:
    """ASGI middleware that lets in whoever's address has time left, and those who play; others are told so and, if they
    go on, hung up on."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Any], server: "Server") -> None:
        self._app = app
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        limits, network = self._server.limits, self._server.network_of(HTTPConnection(scope))

        async def send_and_count(message: Any) -> None:
            if message["type"].endswith("response.start"):
                self._count(scope, network, message)
            await send(message)

        work = Metered(self._answer(scope, receive, send_and_count, network))
        try:
            await work
        finally:
            charge = limits.charge_player if PLAYS in scope else limits.charge
            charge(scope.get(CLIENT, ""), network, work.seconds + OVERHEAD)

    def _count(self, scope: Scope, network: str, answer: Any) -> None:
        """Whoever is refused too often is hung up on; whoever plays at no table does not play."""
        limits = self._server.limits
        if answer["status"] == 429 and not limits.forgives(network):
            answer["headers"] = [*answer["headers"], (b"connection", b"close")]
        elif answer["status"] == 404 and PLAYS in scope:
            limits.charge_guess(network)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, network: str) -> None:
        try:
            await self._wait(scope, network)
        except HttpRefused as refusal:
            if scope["type"] == "http":
                await refused(self._server, Request(scope), refusal)(scope, receive, send)
            else:
                await refuse_handshake(self._server, HTTPConnection(scope), send, refusal)
        else:
            await self._app(scope, receive, send)

    async def _wait(self, scope: Scope, network: str) -> None:
        """Who plays is looked at only where it matters: it takes time itself."""
        limits = self._server.limits
        with suppress(HttpRefused):
            if limits.has_room(network):
                return
        if await self._plays(scope, network):
            scope[PLAYS] = True
            await limits.wait_to_play(network)
        else:
            await limits.wait_for_time(network)

    async def _plays(self, scope: Scope, network: str) -> bool:
        """Whether this is somebody who goes on with their game; whoever comes to a table that has just been started
        again with the server may be, unless too many that were asked for from there were no tables at all."""
        found = PLAYING.fullmatch(scope["path"])
        if found is None:
            return False
        try:
            identity, _ = await self._server.identify(HTTPConnection(scope))
        except BrocanteError:  # whose it is, the application says
            return False
        if identity is None:
            return False
        if self._server.rooms.in_memory(found[1]) is None:
            return not self._server.limits.is_guessing(network)
        return self._server.plays_at(found[1], identity.id)
