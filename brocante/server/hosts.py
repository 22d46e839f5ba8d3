"""By which names the server may be asked (the Host header).

A page of another site can have its own name lead to this machine (DNS rebinding). To the browser it is then a page of
ours; only the name by which it asks gives it away.
"""

import re
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request

from brocante.server.http import refused
from brocante.server.http_errors import HttpRefused
from brocante.server.socket import Receive, Scope, Send, refuse_handshake

if TYPE_CHECKING:
    from brocante.server.app import Server

ANY, LOOPBACK = "*", "localhost"
#: A name or an address, and a port.
HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^\s:/@\[\]]+?)\.?)(?::\d+)?", re.IGNORECASE)
#: Characters of a name that a refusal repeats.
REPEATED = 80


def hosts_at(address: str, hosts: str) -> str:
    """The setting `hosts` of a server that listens at an address. Elsewhere than at loopback, people use whatever name
    they know the machine by."""
    return hosts or (LOOPBACK if is_loopback(address) else ANY)


def is_loopback(name: str) -> bool:
    """Whether a name or an address leads back to the machine that uses it."""
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == LOOPBACK


def name_in(host: str) -> str:
    """The name or address in a Host header; nothing if that is not what it has."""
    found = HOST.fullmatch(host)
    return (found[1] or found[2]).lower() if found else ""


class HostCheck:
    """ASGI middleware that refuses whoever asks for another host. Loopback is nobody else's name."""

    def __init__(self, app: Any, server: "Server") -> None:
        self._app = app
        self._server = server
        self._names = {name.strip().lower() for name in server.config.hosts.split(",")} - {""}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or self._goes_by(Headers(scope=scope).getlist("host")):
            await self._app(scope, receive, send)
        else:
            await self._refuse(scope, receive, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = HttpRefused(421, "host", host=", ".join(Headers(scope=scope).getlist("host"))[:REPEATED])
        if scope["type"] == "websocket":
            await refuse_handshake(self._server, HTTPConnection(scope), send, refusal)
        else:
            self._server.metrics.requests.labels("", refusal.status).inc()
            await refused(self._server, Request(scope), refusal)(scope, receive, send)

    def _goes_by(self, hosts: list[str]) -> bool:
        if ANY in self._names or not self._names:
            return True
        name = name_in(hosts[0]) if len(hosts) == 1 else ""
        return name in self._names or is_loopback(name)
