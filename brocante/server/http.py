"""How an HTTP request is admitted, handed to its handler (see `routes.py`) and answered."""

import asyncio
import gzip
from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from brocante.engine.errors import BrocanteError
from brocante.engine.text import Language
from brocante.server.broadcast import you_at
from brocante.server.http_errors import HttpRefused, answer_to, decoded, refusal_of
from brocante.server.identity import Identity, check_origin
from brocante.server.limits import CLIENT
from brocante.server.pages import JSON, can_unpack, not_found, precautions
from brocante.server.processor_time import Timed
from brocante.server.room import Room
from brocante.table import audience
from brocante.table import commands as c
from brocante.wire.http import TableReply
from brocante.wire.socket_codec import encode

if TYPE_CHECKING:
    from brocante.server.app import Server

Found = TypeVar("Found")
UNSAFE = ("POST", "DELETE")
#: With which status a request is refused that the operator is told of.
NOTED = (400, 403, 413, 421, 429, 503)
#: A reply is for whoever asked, and for nobody else's cache.
HEADERS = {"cache-control": "no-store"}
#: Bytes from which on a reply is worth packing.
WORTH_PACKING = 1_000


class Exchange:
    """A request and its reply, as a handler sees them: who asks for what, in which language."""

    def __init__(self, server: "Server", request: Request, guest: Identity | None, body: Any) -> None:
        self.server = server
        self.request = request
        self.guest = guest
        self.body = body
        self.headers: dict[str, str] = {}  # of the reply
        self.media_type = ""  # of the reply, where it is not the endpoint's usual one

    @property
    def language(self) -> Language:
        return self.server.language(self.request)

    @property
    def identity(self) -> Identity:
        """Who asks, at an endpoint that strangers are not admitted to."""
        assert self.guest
        return self.guest

    @property
    def who(self) -> str:
        return self.guest.id if self.guest else ""

    @property
    def network(self) -> str:
        return self.server.network_of(self.request)

    def path(self, name: str) -> str:
        """A part of the path."""
        return str(self.request.path_params[name])

    async def room(self) -> Room:
        return await self.server.rooms.find(self.path("id"), self.who)

    def reply(self, room: Room) -> TableReply:
        table = room.table
        now = audience.now(table, room.now)
        return TableReply(room.id, audience.info(table), now, you_at(table, self.who))

    async def in_thread(self, work: Callable[..., Found], *arguments: Any) -> Found:
        """Have something done that takes long, while others are served. Whoever asks pays for it, and one waits for the
        other: by then the address may have used its time."""
        limits, timed = self.server.limits, Timed(work)
        async with limits.thread:
            await limits.wait_for_time(self.network)
            try:
                return await asyncio.to_thread(timed, *arguments)
            finally:
                limits.charge(self.request.scope[CLIENT], self.network, timed.seconds)

    async def do(self, command: c.Command) -> TableReply:
        room = await self.room()
        self.server.limits.admit_command(command, self.identity.id, self.network)
        await self.server.rooms.do(room, command, self.identity.id)
        return self.reply(await self.room())


class Endpoint(msgspec.Struct, frozen=True):
    """A method and a path, the handler, and what it takes and gives: OpenAPI is made from this."""

    method: str
    path: str
    handler: Callable[[Exchange], Awaitable[Any]]
    answer: Any  # the type, or the media type of a text
    also: str = ""  # the media type of a text that can be had instead
    body: Any = None
    status: int = 200
    query: tuple[str, ...] = ()
    needs_identity: bool = False
    for_anyone: bool = False  # whoever asks, and whether or not their token is good

    @property
    def summary(self) -> str:
        return (self.handler.__doc__ or "").strip()


def number_in(text: str) -> int:
    """What somebody wrote as a number; −1 where it is none, or greater than anything that is counted here."""
    return int(text) if text.isdecimal() and len(text) < 6 else -1


# --- handling a request -----------------------------------------------------------------------------------------------


def dispatcher(server: "Server", endpoints: Iterable[Endpoint]) -> Callable[[Request], Awaitable[Response]]:
    """The endpoints of one path as Starlette calls them."""
    by_method = {endpoint.method: endpoint for endpoint in endpoints}
    by_method |= {"HEAD": by_method["GET"]} if "GET" in by_method else {}

    async def dispatch(request: Request) -> Response:
        endpoint = by_method[request.method]
        response = await handle_request(server, endpoint, request)
        server.metrics.requests.labels(endpoint.path, response.status_code).inc()
        return response

    return dispatch


async def handle_request(server: "Server", endpoint: Endpoint, request: Request) -> Response:
    try:
        exchange = await admit(server, endpoint, request)
        found = await endpoint.handler(exchange)
    except ClientDisconnect:
        return Response(status_code=400)  # nobody is there to read it
    except Exception as error:
        return refused(server, request, refusal_of(error, endpoint.path, server.metrics))
    if isinstance(found, bytes):
        body, media_type = found, exchange.media_type or endpoint.answer
    else:
        body, media_type = encode(found), JSON
    return response(request, body, endpoint.status, media_type, exchange.headers)


async def admit(server: "Server", endpoint: Endpoint, request: Request) -> Exchange:
    """Let a request in if it may be made: from the right site, by somebody, not too often, with a readable body."""
    server.bans.check(server.address_of(request), "", server.clock())
    identity, by_cookie = (None, False) if endpoint.for_anyone else await server.identify(request)
    if endpoint.method in UNSAFE:
        check_origin(request, server.config.allowed_origins, by_cookie=by_cookie)
    if endpoint.needs_identity and identity is None:
        raise HttpRefused(401, "stranger")
    server.admit(request, identity)
    body = await read_body(request, server.config.body_bytes)
    return Exchange(server, request, identity, decoded(body, decoder(endpoint.body)) if endpoint.body else None)


async def read_body(request: Request, most: int) -> bytes:
    """The body, unless it is too long, whatever the headers say."""
    parts, length = [], 0
    async for part in request.stream():
        parts.append(part)
        length += len(part)
        if length > most:
            raise HttpRefused(413, "too_long", most=most)
    return b"".join(parts)


@cache
def decoder(kind: Any) -> Callable[[bytes], Any]:
    return msgspec.json.Decoder(kind).decode


def refused(server: "Server", request: Request, error: BrocanteError) -> Response:
    status, failure = answer_to(error, server.language(request).code)
    if isinstance(error, HttpRefused) and status in NOTED:  # not what a table refuses, nor what is not there
        server.note_refusal(request, error)
    return response(request, encode(failure), status, JSON, {})


def response(request: Request, body: bytes, status: int, media_type: str, headers: dict[str, str]) -> Response:
    """A reply, packed if it is long and the client can unpack it."""
    headers = HEADERS | precautions(request, media_type) | headers
    if len(body) >= WORTH_PACKING:
        headers["vary"] = "accept-encoding"
        if can_unpack(request.headers.get("accept-encoding", "")):
            body, headers["content-encoding"] = gzip.compress(body, compresslevel=6, mtime=0), "gzip"
    return Response(body, status, headers, media_type)


def nothing_here(server: "Server") -> Callable[[Request, Exception], Response]:
    """The reply where there is no endpoint, or none for that method."""

    def answer(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        server.metrics.requests.labels("", error.status_code).inc()
        if error.status_code == 404 and (page := not_found(server, request)):
            return page
        why = "no_method" if error.status_code == 405 else "no_path"
        response = refused(server, request, HttpRefused(error.status_code, why))
        response.headers.update(error.headers or {})
        return response

    return answer
