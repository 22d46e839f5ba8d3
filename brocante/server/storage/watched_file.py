"""Whether the files of a SQLite database are still where they were, so that somebody will read what is written there.

Without looking one would not notice: a file that was removed or replaced can be written to until it is closed.
"""

import os
import struct
from pathlib import Path

#: Where a database says how large its pages are, and how many it has.
PAGE_SIZE, PAGES, HEADER = (16, ">H"), (28, ">L"), 32


class Misplaced(Exception):
    """A file of the database was removed, replaced or cut off."""


class WatchedFile:
    """A file, as it was last seen."""

    def __init__(self, path: Path) -> None:
        self._path = path
        found = self._found()
        self._identity = found.st_dev, found.st_ino
        self.size = found.st_size

    def check(self) -> None:
        """Misplaced, unless the file is still there, and not shorter than it was."""
        size = self.size  # before looking: another thread may see it grow meanwhile
        found = self._found()
        if (found.st_dev, found.st_ino) != self._identity:
            raise Misplaced(f"{self._path} was replaced by another file")
        if found.st_size < size and not self._may_be_shorter(found.st_size):
            raise Misplaced(f"{self._path} was cut off")
        self.size = found.st_size

    def _found(self) -> os.stat_result:
        try:
            return os.stat(self._path)
        except FileNotFoundError:
            raise Misplaced(f"{self._path} was removed") from None

    def _may_be_shorter(self, size: int) -> bool:
        """Whether it is a database that somebody has vacuumed."""
        with self._path.open("rb") as file:
            header = file.read(HEADER)
        if len(header) < HEADER or not header.startswith(b"SQLite"):
            return False
        (page_size,), (pages,) = (struct.unpack_from(kind, header, at) for at, kind in (PAGE_SIZE, PAGES))
        return bool(pages * (page_size if page_size > 1 else 65_536) <= size)
