"""Whether the files of a SQLite database are still where they were, so that somebody will read what is written there.

Without looking one would not notice: a file that was removed or replaced can be written to until it is closed, and one
that was written over is read as if SQLite had written it.
"""

import os
import struct
from pathlib import Path

#: Where a database says how large its pages are, and how many it has.
PAGE_SIZE, PAGES, HEADER = (16, ">H"), (28, ">L"), 32
#: Where the index of a write-ahead log says how large the pages are, and how many frames the log has.
INDEXED_SIZE, FRAMES, INDEX_HEADER = (14, "=H"), (16, "=L"), 20
#: Bytes of the log before all frames, and of a frame before its page.
LOG_HEADER, FRAME_HEADER = 32, 24


class Misplaced(Exception):
    """A file of the database was removed, replaced, cut off or written over."""


class Peephole:
    """Through which one sees how a file begins that SQLite has open. It stays open: to close a file is to let go of all
    locks that the process has on it, SQLite's too, and whoever comes next would believe to be alone."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def look(self, size: int) -> bytes:
        """The first bytes; fewer, if there are not so many."""
        if self._file is not None and not os.path.samestat(os.fstat(self._file), os.stat(self._path)):
            os.close(self._file)  # SQLite has let go of it too
            self._file = None
        if self._file is None:
            self._file = os.open(self._path, os.O_RDONLY)
        return os.pread(self._file, size, 0)


class WatchedFile:
    """A file, as it was when all was well with it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known = self._found()

    def look(self) -> os.stat_result | None:
        """How the file is now, if somebody else may have changed it since. Misplaced, if it is another."""
        known = self.known  # before looking: another thread may see it grow meanwhile
        found = self._found()
        if not os.path.samestat(found, known):
            raise Misplaced(f"{self.path} was replaced by another file")
        if self._is_changed(known, found):
            return found
        self.known = found
        return None

    def accept(self) -> None:
        """This process has changed it."""
        if change := self.look():
            self.check_length(change)
            self.known = change

    def check_length(self, found: os.stat_result) -> None:
        """Misplaced, if it is shorter than it says."""
        if found.st_size < self.known.st_size and found.st_size < self._least():
            raise Misplaced(f"{self.path} was cut off")

    def _is_changed(self, known: os.stat_result, found: os.stat_result) -> bool:
        raise NotImplementedError

    def _least(self) -> float:
        raise NotImplementedError

    def _found(self) -> os.stat_result:
        try:
            return os.stat(self.path)
        except FileNotFoundError:
            raise Misplaced(f"{self.path} was removed") from None


class DatabaseFile(WatchedFile):
    """It changes when the log is brought in, and only then. It may be shorter: somebody has vacuumed it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._peephole = Peephole(path)

    def _is_changed(self, known: os.stat_result, found: os.stat_result) -> bool:
        return (found.st_mtime_ns, found.st_size) != (known.st_mtime_ns, known.st_size)

    def _least(self) -> float:
        header = self._peephole.look(HEADER)
        if len(header) < HEADER or not header.startswith(b"SQLite"):
            return float("inf")
        return number(header, PAGES) * page_size(header, PAGE_SIZE)


class WriteAheadLog(WatchedFile):
    """It changes all the time. It may be shorter: somebody has brought it in, and begun it anew."""

    def __init__(self, path: Path, index: Peephole) -> None:
        super().__init__(path)
        self._index = index

    def _is_changed(self, known: os.stat_result, found: os.stat_result) -> bool:
        return found.st_size < known.st_size

    def _least(self) -> float:
        header = self._index.look(INDEX_HEADER)
        if len(header) < INDEX_HEADER:
            return float("inf")
        frames = number(header, FRAMES)
        return LOG_HEADER + frames * (FRAME_HEADER + page_size(header, INDEXED_SIZE)) if frames else 0


def number(header: bytes, where: tuple[int, str]) -> int:
    at, kind = where
    return int(struct.unpack_from(kind, header, at)[0])


def page_size(header: bytes, where: tuple[int, str]) -> int:
    return size if (size := number(header, where)) > 1 else 65_536
