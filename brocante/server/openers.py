"""From where tables are opened: lists show everyone's first table before anyone's second, and whoever would crowd the
others out can have another identity for the asking, but not another address.

Nobody learns the address. With a table goes a mark that only this installation can make of it, and goes with the table.
"""

from hashlib import blake2b
from ipaddress import IPv6Address, IPv6Network, ip_address

#: Characters of a mark.
LENGTH = 24


class Openers:
    """Makes marks, with the key of the installation."""

    def __init__(self, key: bytes) -> None:
        self._key = blake2b(key, person=b"brocante.openers").digest()

    def mark(self, address: str) -> str:
        """The mark of an address; nothing where there is none."""
        all_theirs = neighbourhood(address)
        return blake2b(all_theirs.encode(), key=self._key).hexdigest()[:LENGTH] if all_theirs else ""


def neighbourhood(address: str) -> str:
    """What one person has: an IPv4 address, or a network of the 2⁶⁴ IPv6 addresses that begin alike."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or IPv6Network((int(found) >> 64 << 64, 64)))
    return str(found)
