"""The HTTP side of the server: each endpoint says what it takes and what it answers, and OpenAPI is made from that."""

import gzip
from collections.abc import Awaitable, Callable
from functools import cache
from io import BytesIO
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

import msgspec
import segno
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from brocante.bots import bots_for
from brocante.engine.box import Box
from brocante.engine.errors import BrocanteError
from brocante.engine.options import Option
from brocante.engine.text import Language, Text
from brocante.games import GAMES
from brocante.games import box as find_box
from brocante.server.identity import COOKIE, Identity, check_origin
from brocante.server.listener import Listener, encode, shown, who_is
from brocante.server.markdown import rules_as_html
from brocante.server.pages import HTML, JSON, SVG, can_unpack, not_found, page, precautions
from brocante.server.refusals import HttpRefused, answer_to, decoded, refusal_of
from brocante.server.rooms import DESERTED_AFTER, summary_of
from brocante.server.storage import Listing
from brocante.table import LiveTable, audience
from brocante.table import commands as c
from brocante.table.table_fields import Finished
from brocante.version import VERSION
from brocante.wire.http import (
    GameInfo,
    Guest,
    Health,
    Join,
    Listed,
    Me,
    NewTable,
    OptionInfo,
    Own,
    ServerInfo,
    TableReply,
)

if TYPE_CHECKING:
    from brocante.server.app import Server
    from brocante.server.rooms import Room

TEXT, RECORD = "text/plain; charset=utf-8", "application/jsonl"
UNSAFE = ("POST", "DELETE")
#: Characters of a link that a telephone can still make out.
LONGEST_LINK = 500
#: What is answered is for the one who asked, and is what it says it is.
HEADERS = {"cache-control": "no-store"}
#: Bytes of an answer that are worth packing.
WORTH_PACKING = 1_000


# --- endpoints --------------------------------------------------------------------------------------------------------


class Asked:
    """A request: of whom, for what, in which language."""

    def __init__(self, server: "Server", request: Request, identity: Identity | None, body: Any) -> None:
        self.server = server
        self.request = request
        self.guest = identity
        self.body = body
        self.headers: dict[str, str] = {}
        self.kind = ""  # of the answer, where it is not the endpoint's usual one

    @property
    def language(self) -> Language:
        return self.server.language(self.request)

    @property
    def identity(self) -> Identity:
        """Who asks; a stranger must become a guest first."""
        if self.guest is None:
            raise HttpRefused(401, "stranger")
        return self.guest

    @property
    def who(self) -> str:
        return self.guest.id if self.guest else ""

    async def room(self) -> "Room":
        return await self.server.rooms.find(self.request.path_params["id"])

    def reply(self, room: "Room") -> TableReply:
        table = room.table
        return TableReply(
            room.id, audience.info(table), audience.now(table, self.server.clock()), who_is(table, self.who)
        )

    async def do(self, command: c.Command) -> TableReply:
        room = await self.room()
        await self.server.rooms.do(room, command, self.identity.id)
        return self.reply(await self.room())


class Endpoint(msgspec.Struct, frozen=True):
    method: str
    path: str
    run: Callable[[Asked], Awaitable[Any]]
    answer: Any  # the type, or how a text is called
    also: str = ""  # how a text is called that can be had instead
    body: Any = None
    status: int = 200
    query: tuple[str, ...] = ()
    needs_identity: bool = False
    for_anyone: bool = False  # it does not matter who asks, nor whether their token is good

    @property
    def summary(self) -> str:
        return (self.run.__doc__ or "").strip()


ENDPOINTS: list[Endpoint] = []


def endpoint(method: str, path: str, answer: Any, **more: Any) -> Callable[[Any], Any]:
    def add(run: Any) -> Any:
        ENDPOINTS.append(Endpoint(method, path, run, answer, **more))
        return run

    return add


@endpoint("GET", "/healthz", Health, for_anyone=True)
async def health(asked: Asked) -> Health:
    """Whether the server is well: it is up, and its database answers."""
    await asked.server.storage.ping()
    return Health("ok")


@endpoint("GET", "/metrics", TEXT, for_anyone=True)
async def metrics(asked: Asked) -> bytes:
    """Figures for Prometheus, for the operator alone: when moves are made is nobody else's business."""
    if not asked.server.config.may_read_metrics(asked.server.address_of(asked.request)):
        raise HttpRefused(403, "metrics")
    return asked.server.metrics.text()


@endpoint("GET", "/api/server", ServerInfo, for_anyone=True)
async def about(asked: Asked) -> ServerInfo:
    """Which server this is, and whether its links lead to this machine only."""
    return ServerInfo(VERSION, page().version, is_loopback(asked.request.url.hostname or ""))


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@endpoint("GET", "/api/openapi.json", dict[str, Any], for_anyone=True)
async def openapi(asked: Asked) -> Any:
    """This description."""
    from brocante.server.openapi import document

    return document()


@endpoint("POST", "/api/guests", Me, body=Guest, status=201, for_anyone=True)
async def become_guest(asked: Asked) -> Me:
    """Play at once, as a guest with a name."""
    if not asked.server.guests.take(asked.server.address_of(asked.request)):
        raise HttpRefused(429, "rate")
    identity = asked.server.identities.newcomer(asked.body.name)
    if asked.body.token:
        return Me(identity.name, asked.server.identities.token(identity))
    known = None if "authorization" in asked.request.headers else (await asked.server.identify(asked.request))[0]
    if known:  # in another tab: whoever sits somewhere goes on sitting there
        identity = msgspec.structs.replace(identity, id=known.id)
    keep_cookie(asked, identity)
    return Me(identity.name)


def keep_cookie(asked: Asked, identity: Identity) -> None:
    """The browser keeps the token; no script can read it, and no other site can use it."""
    answer, identities = Response(), asked.server.identities
    secure = asked.request.url.scheme == "https"
    answer.set_cookie(
        COOKIE, identities.token(identity), identities.max_age, httponly=True, samesite="lax", secure=secure
    )
    asked.headers["set-cookie"] = answer.headers["set-cookie"]


@endpoint("GET", "/api/me", Me, needs_identity=True)
async def me(asked: Asked) -> Me:
    """Who you are; a browser's cookie is renewed."""
    if COOKIE in asked.request.cookies:
        keep_cookie(asked, asked.identity)
    return Me(asked.identity.name)


@endpoint("DELETE", "/api/me", Me, needs_identity=True)
async def forget_me(asked: Asked) -> Me:
    """Forget you: your token opens nothing any more, wherever it is kept."""
    await asked.server.storage.forget_identity(asked.identity.id)
    await asked.server.rooms.forget_somebody(asked.identity.id)
    answer = Response()
    answer.delete_cookie(COOKIE, httponly=True, samesite="lax")
    asked.headers["set-cookie"] = answer.headers["set-cookie"]
    return Me(asked.identity.name)


@endpoint("GET", "/api/games", list[GameInfo], for_anyone=True)
async def games(asked: Asked) -> list[GameInfo]:
    """The games, with their options."""
    return [game_info(find_box(slug), asked.language) for slug in GAMES]


def game_info(box: Box, language: Language) -> GameInfo:
    return GameInfo(
        slug=box.slug,
        title=language.say(box.title),
        blurb=language.say(Text(f"{box.slug}.blurb")),
        authors=box.authors,
        publisher=box.publisher,
        players=tuple(box.players),
        minutes=box.minutes,
        ink=box.ink,
        reference=language.say(box.reference) if language.knows(box.reference.key) else "",
        options=tuple(option_info(box, option, language) for option in box.options if not option.bring),
        bots=tuple(bots_for(box)),
    )


def option_info(box: Box, option: Option, language: Language) -> OptionInfo:
    return OptionInfo(
        name=option.name,
        title=language.say(Text(f"{box.slug}.option.{option.name}.help")),
        kind=option.kind.__name__,
        default=option.default,  # type: ignore[arg-type]
        least=option.least,
        most=option.most,
        choices=option.choices,
        instead_of=option.instead_of,
    )


@endpoint("GET", "/api/games/{game}/rules", TEXT, also=HTML, query=("as",), for_anyone=True)
async def rules(asked: Asked) -> bytes:
    """The rules of a game in our own words, as Markdown or (`?as=html`) as a piece of HTML."""
    game, code = asked.request.path_params["game"], asked.language.code
    if game not in GAMES:
        raise HttpRefused(404, "no_game", games=GAMES)
    wanted = asked.request.query_params.get("as")
    if wanted not in (None, "html"):
        raise HttpRefused(400, "as")
    if wanted is None:
        return find_box(game).rules_page(code).encode()
    asked.kind = HTML
    return rules_as_html(game, code).encode()


@endpoint("GET", "/api/tables", list[Listed], query=("phase",))
async def tables(asked: Asked) -> list[Listed]:
    """The tables that are open to all, the latest first; not those where nobody waits any more."""
    phase = asked.request.query_params.get("phase")
    if phase not in (None, "open", "playing", "over"):
        raise HttpRefused(400, "phase")
    attended = asked.server.clock() - DESERTED_AFTER
    return [listed(found) for found in await asked.server.storage.listings(phase=phase, attended=attended)]


def listed(found: Listing) -> Listed:
    summary = summary_of(found)
    return Listed(found.table, found.game, found.phase, found.opened, summary.options, summary.seats)


@endpoint("GET", "/api/me/tables", list[Own], needs_identity=True)
async def own_tables(asked: Asked) -> list[Own]:
    """The tables at which you sit, or which you have opened, private ones too; those of late first."""
    return [own(asked.server, *found) for found in await asked.server.storage.own(asked.identity.id)]


def own(server: "Server", found: Listing, seat: int | None) -> Own:
    summary = summary_of(found)
    to_decide = server.rooms.asked(found.table)
    return Own(
        **msgspec.structs.asdict(listed(found)),
        private=found.private,
        seat=seat,
        your_turn=seat in (summary.asked if to_decide is None else to_decide),
        games=summary.games,
    )


@endpoint("POST", "/api/tables", TableReply, body=NewTable, status=201, needs_identity=True)
async def open_table(asked: Asked) -> TableReply:
    """Open a table. You are its host; sit down next."""
    new: NewTable = asked.body
    room = await asked.server.rooms.open(new.game, new.options, asked.identity.id, private=new.private, clock=new.clock)
    return asked.reply(room)


@endpoint("GET", "/api/tables/{id}", TableReply)
async def table(asked: Asked) -> TableReply:
    """How a table stands."""
    return asked.reply(await asked.room())


@endpoint("POST", "/api/tables/{id}/join", TableReply, body=Join, needs_identity=True)
async def join(asked: Asked) -> TableReply:
    """Sit down at a table, or come back to it."""
    body: Join = asked.body
    return await asked.do(c.Sit(body.name or asked.identity.name, body.seat, body.nonce))


@endpoint("POST", "/api/tables/{id}/leave", TableReply, needs_identity=True)
async def leave(asked: Asked) -> TableReply:
    """Get up; during a game a bot plays on for you until you come back."""
    return await asked.do(c.Stand())


@endpoint("POST", "/api/tables/{id}/do", TableReply, body=c.PlayerCommand, needs_identity=True)
async def do(asked: Asked) -> TableReply:
    """Any command that the socket takes."""
    return await asked.do(asked.body)


@endpoint("GET", "/api/tables/{id}/view", dict[str, Any] | None)
async def view(asked: Asked) -> Any:
    """What you see of the game: your seat's view, or what everyone may see."""
    room, listener = await asked.room(), viewer(asked)
    listener.sit(room.table)
    return shown(room.table, listener)


@endpoint("GET", "/api/tables/{id}/log", list[str])
async def log(asked: Asked) -> list[str]:
    """What happened in the game, as you may know it."""
    room, listener = await asked.room(), viewer(asked)
    listener.sit(room.table)
    return audience.log(room.table, listener.viewer, listener.language)


@endpoint("GET", "/api/tables/{id}/qr", SVG, for_anyone=True)
async def qr(asked: Asked) -> bytes:
    """The link of a table as a QR code, to be scanned with a telephone."""
    link = f"{asked.request.base_url}tables/{(await asked.room()).id}"
    if len(link) > LONGEST_LINK:
        raise HttpRefused(413, "too_long", most=LONGEST_LINK)
    return qr_code(link)


def qr_code(link: str) -> bytes:
    picture = BytesIO()
    # Black on white whatever the page looks like: not every telephone reads white on black.
    segno.make_qr(link).save(picture, kind="svg", light="white", xmldecl=False, omitsize=True, svgclass=None)
    return picture.getvalue()


def viewer(asked: Asked) -> Listener:
    return Listener(asked.who, asked.language, "view", lambda _: None, lambda: None)


@endpoint("GET", "/api/tables/{id}/record", RECORD, query=("game",))
async def record(asked: Asked) -> bytes:
    """The record of a game that is over: the last one, or the one of that number, counted from 1."""
    table = (await asked.room()).table
    return finished_game(table, asked.request.query_params.get("game", str(len(table.finished)))).record


def finished_game(table: LiveTable, number: str) -> Finished:
    """The game of that number, counted from 1, if it is over."""
    if not table.finished:
        raise HttpRefused(409, "not_finished")
    if not 1 <= whole(number) <= len(table.finished):
        raise HttpRefused(404, "no_record", games=len(table.finished))
    return table.finished[whole(number) - 1]


def whole(text: str) -> int:
    """What somebody wrote as a number; −1 where it is none, or greater than anything we count."""
    return int(text) if text.isdecimal() and len(text) < 6 else -1


# --- how a request is answered ----------------------------------------------------------------------------------------


def asgi(server: "Server", path: str) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of a path as Starlette calls it."""
    by_method = {endpoint.method: endpoint for endpoint in ENDPOINTS if endpoint.path == path}
    by_method |= {"HEAD": by_method["GET"]} if "GET" in by_method else {}

    async def answer(request: Request) -> Response:
        response = await answered(server, by_method[request.method], request)
        server.metrics.requests.labels(path, response.status_code).inc()
        return response

    return answer


async def answered(server: "Server", endpoint: Endpoint, request: Request) -> Response:
    try:
        asked = await admitted(server, endpoint, request)
        found = await endpoint.run(asked)
    except Exception as error:
        return refused(server, request, refusal_of(error, endpoint.path, server.metrics))
    body, kind = (found, asked.kind or endpoint.answer) if isinstance(found, bytes) else (encode(found), JSON)
    return response(request, body, endpoint.status, kind, asked.headers)


def refused(server: "Server", request: Request, error: BrocanteError) -> Response:
    status, failure = answer_to(error, server.language(request).code)
    return response(request, encode(failure), status, JSON, {})


def response(request: Request, body: bytes, status: int, kind: str, headers: dict[str, str]) -> Response:
    """An answer, packed if it is long and the one who asked can unpack it."""
    headers = HEADERS | precautions(kind) | headers
    if len(body) >= WORTH_PACKING:
        headers["vary"] = "accept-encoding"
        if can_unpack(request.headers.get("accept-encoding", "")):
            body, headers["content-encoding"] = gzip.compress(body, compresslevel=6, mtime=0), "gzip"
    return Response(body, status, headers, kind)


def nothing_here(server: "Server") -> Callable[[Request, Exception], Response]:
    """The answer where there is no endpoint, or not for that method."""

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


async def admitted(server: "Server", endpoint: Endpoint, request: Request) -> Asked:
    """The request, if it may be made: from the right site, by somebody, not too often, with a body that can be read."""
    identity, by_cookie = (None, False) if endpoint.for_anyone else await server.identify(request)
    if endpoint.method in UNSAFE:
        check_origin(request.headers, server.config.allowed_origins, by_cookie=by_cookie)
    if endpoint.needs_identity and identity is None:
        raise HttpRefused(401, "stranger")
    if not server.requests.take(server.client_of(request, identity)):
        raise HttpRefused(429, "rate")
    body = await read_body(request, server.config.body_bytes)
    return Asked(server, request, identity, decoded(body, decoder(endpoint.body)) if endpoint.body else None)


async def read_body(request: Request, most: int) -> bytes:
    """The body, as long as it is not too long, whatever the headers say."""
    parts, length = [], 0
    async for part in request.stream():
        parts.append(part)
        length += len(part)
        if length > most:
            raise HttpRefused(413, "too_long", most=most)
    return b"".join(parts)


@cache
def decoder(kind: Any) -> "msgspec.json.Decoder[Any]":
    return msgspec.json.Decoder(kind)
