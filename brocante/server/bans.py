"""Bans: guests and addresses that the operator keeps out."""

import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from brocante.engine.errors import UsageError
from brocante.engine.text import Text
from brocante.server.http_errors import HttpRefused
from brocante.server.openers import neighbourhood
from brocante.server.storage import BanRow

#: How an identity looks.
IDENTITY = re.compile(r"[\w-]{22}", re.ASCII)
#: Nobody bans the machine itself: its operator sits there, and all who come through a proxy that is not trusted.
LOOPBACK = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


class Banned(HttpRefused):
    """Somebody is kept out, with the operator's own words if they gave any."""

    def __init__(self, why: str) -> None:
        super().__init__(403, "banned")
        if why:
            self.text = Text("admin.banned_because", reason=why)


class Bans:
    """The bans as a process of a server knows them."""

    def __init__(self) -> None:
        self._guests: dict[str, BanRow] = {}
        self._networks: list[tuple[IPv4Network | IPv6Network, BanRow]] = []

    def renew(self, rows: Iterable[BanRow]) -> None:
        self._guests, self._networks = {}, []
        for row in rows:
            if "/" in row.who:
                self._networks.append((ip_network(row.who), row))
            else:
                self._guests[row.who] = row

    def ban_on(self, address: str, identity: str, now: float) -> BanRow | None:
        """The ban that keeps somebody out."""
        found = [self._guests[identity]] if identity in self._guests else []
        if self._networks and (numbers := numbers_of(address)):
            found += [row for network, row in self._networks if numbers in network]
        return next((row for row in found if row.until is None or now < row.until), None)

    def check(self, address: str, identity: str, now: float) -> None:
        if ban := self.ban_on(address, identity, now):
            raise Banned(ban.why)


def numbers_of(address: str) -> IPv4Address | IPv6Address | None:
    """An address as a socket has it; the same for IPv4, whether or not it is written as IPv6."""
    try:
        found = ip_address(address)
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def guest_of(text: str) -> str:
    """A guest, by their id."""
    if not IDENTITY.fullmatch(text):
        raise UsageError(Text("admin.refused.guest", guest=text))
    return text


def network_of(text: str) -> str:
    """An address, or a network such as 203.0.113.0/24, as a ban names it. Whoever has an IPv6 address has all of its
    neighbourhood, which is what limits count and what the log names."""
    try:
        found = ip_network(neighbourhood(text.strip()), strict=False)
    except ValueError:
        raise UsageError(Text("admin.refused.address", address=text)) from None
    if any(found.version == own.version and found.overlaps(own) for own in LOOPBACK):
        raise UsageError(Text("admin.refused.loopback", address=text))
    return str(found)
