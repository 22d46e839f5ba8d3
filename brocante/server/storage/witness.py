"""A witness of what was acknowledged, in a small file beside a SQLite database.

SQLite drops whatever comes after the first damaged byte of its write-ahead log, and says nothing: what is left is
whole, and older. So after each commit, and before anybody is told, the table, number and hash of every entry are
written here too. There is room for the last 65,536 entries, more than the log ever holds; then the oldest are replaced.

The file is not synced. A process that is killed loses nothing of it, and a machine that loses power at worst some of
what it knows. So what the witness says was acknowledged was; what it does not know may have been.
"""

import os
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import Lock
from typing import NamedTuple
from zlib import crc32

ROOM = 65_536
#: The table's id, how many records there were before, and the number and hash of the entry; then a checksum.
_record = struct.Struct(">16sQL16s")
_checksum = struct.Struct(">L")
SIZE = _record.size + _checksum.size
ID_LENGTH = 16
#: In place of a number: the table was deleted, and is not missed.
DELETED = 2**32 - 1


class Tip(NamedTuple):
    """An entry of a table that was acknowledged."""

    number: int
    hash: bytes


class Witness:
    """The file, and what it says. Several threads may use it, and an operator's process besides."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self._lock = Lock()
        self._count = 0
        #: The last entry that is known of each table, the one that was acknowledged first in front.
        self.tips: dict[str, Tip] = {}
        self.read()

    def read(self) -> None:
        """Learn what the file says."""
        with self._lock:
            self._read()

    def note(self, written: Iterable[tuple[str, int, bytes]]) -> None:
        """These entries are on the disk: from now on they are missed if they are not."""
        with self._lock:
            if self._is_written_by_another():
                self._read()
            start = self._count % ROOM
            records: list[bytes] = []
            for table, number, link in written:
                if len(table) == ID_LENGTH and table.isascii() and link:
                    records.append(packed(table, self._count + len(records), number, link))
                    self._learn(table, Tip(number, link))
            self._count += len(records)
            self._write(records[: ROOM - start], start)
            self._write(records[ROOM - start :], 0)

    def forget(self, tables: Iterable[str]) -> None:
        """These tables are about to be deleted."""
        self.note((table, DELETED, bytes(16)) for table in tables)

    def _read(self) -> None:
        records = sorted(readable(os.pread(self._file, ROOM * SIZE, 0)))
        self._count = records[-1][0] + 1 if records else 0
        self.tips = {}
        for _, table, tip in records:
            self._learn(table, tip)

    def _write(self, records: list[bytes], start: int) -> None:
        if records:
            os.pwrite(self._file, b"".join(records), start * SIZE)

    def _is_written_by_another(self) -> bool:
        """Whether what lies where the next record is to go is not an old one: an operator has written it."""
        found = os.pread(self._file, SIZE, self._count % ROOM * SIZE)
        return any(count >= self._count for count, *_ in readable(found))

    def _learn(self, table: str, tip: Tip) -> None:
        self.tips.pop(table, None)
        if tip.number != DELETED:
            self.tips[table] = tip
        if len(self.tips) > ROOM:
            del self.tips[next(iter(self.tips))]


def packed(table: str, count: int, number: int, link: bytes) -> bytes:
    record = _record.pack(table.encode(), count, number, link)
    return record + _checksum.pack(crc32(record))


def readable(data: bytes) -> Iterator[tuple[int, str, Tip]]:
    """The records that are whole, each with how many there were before."""
    for start in range(0, len(data) - SIZE + 1, SIZE):
        record, (checksum,) = data[start : start + _record.size], _checksum.unpack_from(data, start + _record.size)
        if crc32(record) == checksum:
            table, count, number, link = _record.unpack(record)
            yield count, table.decode("ascii", "replace"), Tip(number, link)
