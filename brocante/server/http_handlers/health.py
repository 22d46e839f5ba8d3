"""The server itself: whether it is well, and which it is."""

from ipaddress import ip_address

from brocante.server.http import Exchange
from brocante.server.http_errors import HttpRefused
from brocante.server.pages import page
from brocante.version import VERSION
from brocante.wire.http import Health, ServerInfo


async def health(exchange: Exchange) -> Health:
    """Whether the server is well: it is up, its database answers and can be written to, and nothing was found
    damaged."""
    storage = exchange.server.storage
    await storage.ping()
    if storage.damaged or storage.is_broken:
        raise HttpRefused(503, "damaged", n=len(storage.damaged))
    return Health("ok")


async def metrics(exchange: Exchange) -> bytes:
    """Figures for Prometheus, for the operator alone: when moves are made is nobody else's business."""
    if not exchange.server.config.may_read_metrics(exchange.server.address_of(exchange.request)):
        raise HttpRefused(403, "metrics")
    return await exchange.server.metrics.text()


async def about(exchange: Exchange) -> ServerInfo:
    """Which server this is, and whether its links lead to this machine only."""
    loopback = is_loopback(exchange.request.url.hostname or "")
    return ServerInfo(VERSION, page().version, loopback, exchange.server.rooms.announcement)


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
