"""The open connections of a process, whatever is spoken over them, and how many there may be.

Nobody is shut out by those who connect and say nothing: where there are too many connections, the one that has had its
client's turn for the longest is dropped, and whoever asks at once is answered.
"""

import asyncio
import logging
import sys
import time
from collections import defaultdict
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.utils import get_remote_addr

from brocante.server.config import Config
from brocante.server.limits import Limits
from brocante.server.metrics import Metrics
from brocante.server.openers import neighbourhood
from brocante.server.rate_limits import Buckets

#: Under which name the application's state has them.
CONNECTIONS = "connections"
#: Seconds for a client to say what it wants, from its first byte to its last, or to take the answer.
TURN = 20.0
#: Connections that are dropped before moves get their turn.
DROPPED_AT_ONCE = 50
#: Connections of an address for each of the sockets that it may have: pages fetch their files over several.
FOR_EACH_SOCKET = 2
#: New connections a second of one address, in the long run and at once.
NEW, NEW_AT_ONCE = 100.0, 1_000.0
#: Lines about one address in the log: one in so many seconds, and so many at once.
SECONDS_A_LINE, LINES_AT_ONCE = 10.0, 5.0
#: Lines at once about those who come from an address, and go.
VISITS_AT_ONCE = 50.0
#: Files that are open besides connections: the database, its log, those of the page.
OTHER_FILES = 128
#: As many files as are asked for where there is no limit; some systems (macOS) allow no more than the second number.
MOST_FILES = (2**20, 10_240)
#: Connections besides all sockets that there may be.
FOR_REQUESTS = 2_000
#: Of what an address consists, or a network of them. A proxy may pass on anything.
ADDRESS, LONGEST_ADDRESS = frozenset("0123456789abcdef.:/"), 45
log = logging.getLogger("brocante.server")


class Connections:
    """Every connection, and since when it has been its client's turn."""

    def __init__(self, limits: Limits, metrics: Metrics, config: Config) -> None:
        self.limits = limits
        self.most = most_connections(config)
        limits.most_sockets = min(limits.most_sockets, self.most - min(FOR_REQUESTS, self.most // 3))
        self._metrics = metrics
        self._each = config.connections_address * FOR_EACH_SOCKET
        self._open: dict[asyncio.Transport, str] = {}  # with its network, or nothing for a proxy that is trusted
        self._turns: dict[asyncio.Transport, float] = {}  # the longest first
        self._by_network: defaultdict[str, set[asyncio.Transport]] = defaultdict(set)
        self._new = Buckets(NEW, NEW_AT_ONCE)
        self._lines = Buckets(1 / SECONDS_A_LINE, LINES_AT_ONCE)
        self._visits = Buckets(1 / SECONDS_A_LINE, VISITS_AT_ONCE)

    def __len__(self) -> int:
        return len(self._open)

    def arrived(self, transport: asyncio.Transport, forwarders: list[str] | str) -> None:
        """A connection was made. Where there are too many, one that says nothing goes, or this one."""
        host, *_ = get_remote_addr(transport) or ("",)
        network = "" if host in trusted(str(forwarders)) else neighbourhood(host)
        too_fast = bool(network) and not self._new.take(network)
        self._open[transport] = network
        if network:
            self._by_network[network].add(transport)
        if too_fast:
            self._drop(transport, "too many new connections")
        elif network and len(self._by_network[network]) > self._each:
            self._make_room(self._by_network[network], transport, "too many connections of one address")
        elif len(self._open) > self.most:
            self._make_room(self._open, transport, "too many connections")
        self.is_clients_turn(transport)

    def _make_room(self, among: Any, newcomer: asyncio.Transport, problem: str) -> None:
        longest = next((transport for transport in self._turns if transport in among), newcomer)
        self._drop(longest, problem)

    def _drop(self, transport: asyncio.Transport, problem: str) -> None:
        self.note("dropped", transport, problem=problem)
        self.left(transport)
        transport.abort()

    def left(self, transport: asyncio.Transport) -> None:
        """A connection is gone."""
        network = self._open.pop(transport, "")
        self._turns.pop(transport, None)
        if network:
            of_network = self._by_network[network]
            of_network.discard(transport)
            if not of_network:
                del self._by_network[network]

    def is_clients_turn(self, transport: asyncio.Transport) -> None:
        """From now on it is up to the client to say what it wants."""
        if transport in self._open:
            self._turns.setdefault(transport, time.monotonic())

    def is_our_turn(self, transport: asyncio.Transport) -> None:
        """The client has said what it wants."""
        self._turns.pop(transport, None)

    def is_shut_to(self, transport: asyncio.Transport) -> bool:
        """Whether so much was refused to an address that it is not listened to any more."""
        network = self._open.get(transport, "")
        return bool(network) and self.limits.has_had_enough_of(network)

    def drop_the_slow(self) -> bool:
        """Drop some of those who have not come to an end in time; whether there may be more."""
        since = time.monotonic() - TURN
        for transport, began in [*islice(self._turns.items(), DROPPED_AT_ONCE)]:
            if began > since:
                return False
            self._drop(transport, "an unfinished request")
        return bool(self._turns)

    # --- what the operator is told ---

    def note(self, event: str, transport: asyncio.Transport, **more: Any) -> None:
        """Have a line in the log about somebody who does not behave."""
        host, *_ = get_remote_addr(transport) or ("",)
        self.note_of(event, self._open.get(transport) or neighbourhood(host), **more)

    def note_of(self, event: str, network: str, **more: Any) -> None:
        """The same for an address; there are not more lines than one can read."""
        self._metrics.refusals.labels(event).inc()
        if self._lines.take(network):
            address = "".join(character for character in network if character in ADDRESS)[:LONGEST_ADDRESS]
            log.info(event, extra={**more, "address": address})

    def note_visit(self, event: str, network: str, **more: Any) -> None:
        """Have a line about somebody who comes or goes. They have done nothing, so it does not say from where."""
        if self._visits.take(network):
            log.info(event, extra=more)


def most_connections(config: Config) -> int:
    """How many connections there may be: fewer where the system does not allow for as many files."""
    return min(config.connections + FOR_REQUESTS, most_files() - OTHER_FILES)


def most_files() -> int:
    """How many files this process may have open: as many as the system allows it, once it has asked."""
    try:
        import resource
    except ImportError:  # on Windows there is no such limit
        return sys.maxsize
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    now, highest = (sys.maxsize if limit == resource.RLIM_INFINITY else limit for limit in limits)
    for files in MOST_FILES:
        more = min(files, highest)
        if more > now:
            with suppress(ValueError, OSError):  # not every system allows what it says it does
                resource.setrlimit(resource.RLIMIT_NOFILE, (more, limits[1]))
                return more
    return now


@cache
def trusted(forwarders: str) -> Any:
    """The proxies whose word uvicorn takes for where a request comes from."""
    return ProxyHeadersMiddleware(nobody, forwarders).trusted_hosts


async def nobody(*_: Any) -> None:
    """An application that is never called."""
