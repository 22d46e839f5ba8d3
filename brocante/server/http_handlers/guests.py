"""Guests: who somebody is."""

import msgspec
from starlette.responses import Response

from brocante.server.http import Exchange
from brocante.server.http_errors import HttpRefused
from brocante.server.identity import COOKIE, Identity
from brocante.wire.http import Me


async def become_guest(exchange: Exchange) -> Me:
    """Play at once, as a guest with a name."""
    server, request = exchange.server, exchange.request
    if not server.guests.take(server.network_of(request)):
        raise HttpRefused(429, "rate")
    identity = server.identities.newcomer(exchange.body.name)
    if exchange.body.token:
        return Me(identity.name, server.identities.token(identity))
    known = None if "authorization" in request.headers else (await server.identify(request))[0]
    if known:  # in another tab: whoever sits somewhere goes on sitting there
        identity = msgspec.structs.replace(identity, id=known.id)
    set_cookie(exchange, identity)
    return Me(identity.name)


def set_cookie(exchange: Exchange, identity: Identity) -> None:
    """Have the browser keep the token, where no script can read it and no other site can use it."""
    answer, identities = Response(), exchange.server.identities
    secure = exchange.request.url.scheme == "https"
    answer.set_cookie(
        COOKIE, identities.token(identity), identities.max_age, httponly=True, samesite="lax", secure=secure
    )
    exchange.headers["set-cookie"] = answer.headers["set-cookie"]


async def me(exchange: Exchange) -> Me:
    """Who you are; a browser's cookie is renewed."""
    if COOKIE in exchange.request.cookies:
        set_cookie(exchange, exchange.identity)
    return Me(exchange.identity.name)


async def forget_me(exchange: Exchange) -> Me:
    """Forget you: your token opens nothing any more, wherever it is kept."""
    await exchange.server.storage.forget_identity(exchange.identity.id)
    await exchange.server.rooms.presence.forget(exchange.identity.id)
    answer = Response()
    answer.delete_cookie(COOKIE, httponly=True, samesite="lax")
    exchange.headers["set-cookie"] = answer.headers["set-cookie"]
    return Me(exchange.identity.name)
