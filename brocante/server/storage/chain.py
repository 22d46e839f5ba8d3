"""The chain of a table's log: every entry carries a hash of itself and of the one before it.

Whoever has read an entry's hash can tell whether all that came before is as it was written, and in that order. An entry
that an older version has written carries none; the next one that does vouches for it, so old logs need not be gone
over.
"""

import struct
from collections.abc import Iterable, Iterator
from hashlib import blake2b

import msgspec

from brocante.engine.errors import BrocanteError
from brocante.engine.text import Text
from brocante.server.storage.schema import Entry

#: An entry as the database has it.
Row = tuple[int, float, bytes, bytes | None, float | None]
SIZE = 16
_number_and_times = struct.Struct(">Qdd").pack
#: An entry in which nothing happens: those before it were rewritten. A process that still goes by what they were finds
#: its next number taken.
REWRITTEN = b"[]"


class Damaged(BrocanteError):
    """The log of a table is not as it was written; `whole` is what comes before the first entry that does not hold."""

    def __init__(self, table: str, whole: list[Entry], entry: int) -> None:
        super().__init__(Text("error.storage.damaged"))
        self.table = table
        self.whole = whole
        self.entry = entry  # the number of the first that is missing, or other than it was written


class Rewritten(Exception):
    """The log of a table holds, but does not follow from what somebody has read of it: its operator has taken
    something out of it."""


def beginning(table: str) -> bytes:
    """What the first entry of a table is chained to."""
    return blake2b(table.encode(errors="surrogatepass"), digest_size=SIZE).digest()


def link(before: bytes, number: int, at: float, body: bytes, table_time: float | None = None) -> bytes:
    """The hash of an entry that follows the one with this hash."""
    times = _number_and_times(number, at, at if table_time is None else table_time)
    return blake2b(before + times + body, digest_size=SIZE).digest()


def chained(table: str, entries: Iterable[Entry]) -> Iterator[Entry]:
    """A table's entries with the hashes that they must have, from the first one on."""
    before = beginning(table)
    for entry in entries:
        before = link(before, entry.number, entry.at, entry.body, entry.table_time)
        yield msgspec.structs.replace(entry, hash=before)


def checked(table: str, rows: Iterable[Row], after: int, before: bytes) -> list[Entry]:
    """The entries that these rows hold, which follow an entry of that number and hash. Damaged, if they do not; where a
    byte has changed, there may be a value of any kind."""
    whole: list[Entry] = []
    for expected, (number, at, body, kept, table_time) in enumerate(rows, after + 1):
        try:
            before = link(before, expected, at, body, table_time)
        except (TypeError, struct.error):
            raise Damaged(table, whole, expected) from None
        if number != expected or (kept and kept != before):
            raise Damaged(table, whole, expected)
        whole.append(Entry(number, at, body, before, table_time))
    return whole
