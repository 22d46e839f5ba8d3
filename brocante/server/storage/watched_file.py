"""Whether the files of a SQLite database are still where they were, so that somebody will read what is written there.

Without looking one would not notice: a file that was removed or replaced can be written to until it is closed, and one
that was written over is read as if SQLite had written it.
"""

import os
import struct
from pathlib import Path

#: Where a database says how large its pages are, and how many it has.
PAGE_SIZE, PAGES, HEADER = (16, ">H"), (28, ">L"), 32
#: Where the index of a write-ahead log says how large the pages are, how many frames the log has, and by which numbers,
#: drawn whenever it is begun anew, one can tell that it is this log. It says so twice.
INDEXED_SIZE, FRAMES, INDEXED_SALTS, INDEX_HEADER = (14, "=H"), (16, "=L"), slice(32, 40), 48
#: Bytes of the log before all frames, with those numbers, and of a frame before its page.
SALTS, LOG_HEADER, FRAME_HEADER = slice(16, 24), 32, 24


class Misplaced(Exception):
    """A file of the database was removed, replaced, cut off or written over."""


class Peephole:
    """Through which one sees how a file begins that SQLite has open. It stays open: to close a file is to let go of all
    locks that the process has on it, SQLite's too, and whoever comes next would believe to be alone."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._open: tuple[int, os.stat_result] | None = None

    def look(self, size: int) -> bytes:
        """The first bytes; fewer, if there are not so many."""
        there = stat_of(self._path)
        if self._open is None or not os.path.samestat(self._open[1], there):
            if self._open:
                os.close(self._open[0])  # SQLite has let go of it too
            self._open = os.open(self._path, os.O_RDONLY), there
        return os.pread(self._open[0], size, 0)


class WatchedFile:
    """A file, as it was when all was well with it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known = stat_of(path)

    def look(self) -> os.stat_result | None:
        """How the file is now, if somebody else may have changed it since. Misplaced, if it is another."""
        known = self.known  # before looking: another thread may see it grow meanwhile
        found = stat_of(self.path)
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
        if found.st_size < self.known.st_size and self._is_cut_off():
            raise Misplaced(f"{self.path} was cut off")

    def _is_changed(self, known: os.stat_result, found: os.stat_result) -> bool:
        raise NotImplementedError

    def _is_cut_off(self) -> bool:
        raise NotImplementedError


class DatabaseFile(WatchedFile):
    """It changes when the log is brought in, and only then. It may be shorter: somebody has vacuumed it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._peephole = Peephole(path)

    def _is_changed(self, known: os.stat_result, found: os.stat_result) -> bool:
        return times_and_size(found) != times_and_size(known)

    def _is_cut_off(self) -> bool:
        header = self._peephole.look(HEADER)
        if len(header) < HEADER or not header.startswith(b"SQLite"):
            return True
        return stat_of(self.path).st_size < number(header, PAGES) * page_size(header, PAGE_SIZE)


class WriteAheadLog(WatchedFile):
    """It changes all the time. It may be shorter: somebody has brought it in, and begun it anew."""

    def __init__(self, path: Path, beginning: Peephole, index: Peephole) -> None:
        super().__init__(path)
        self._beginning = beginning
        self._index = index

    def look(self) -> os.stat_result | None:
        """Besides: what SQLite has in memory would hide from it that the log was written over."""
        found = super().look()
        if not found and self._is_another():
            raise Misplaced(f"{self.path} was written over")
        return found

    def _is_another(self) -> bool:
        """Whether it is none of which the index speaks; that may change while one looks."""
        index = self._index.look(2 * INDEX_HEADER)
        if len(index) < 2 * INDEX_HEADER:
            return True
        is_settled = index[:INDEX_HEADER] == index[INDEX_HEADER:]
        return is_settled and not self._fits(index) and index == self._index.look(2 * INDEX_HEADER)

    _is_cut_off = _is_another

    def _fits(self, index: bytes) -> bool:
        """An index of no frames speaks of a log that is to come."""
        frames, frame = number(index, FRAMES), FRAME_HEADER + page_size(index, INDEXED_SIZE)
        if not frames:
            return True
        beginning = self._beginning.look(LOG_HEADER)
        return beginning[SALTS] == index[INDEXED_SALTS] and stat_of(self.path).st_size >= LOG_HEADER + frames * frame

    def _is_changed(self, known: os.stat_result, found: os.stat_result) -> bool:
        return found.st_size < known.st_size


def stat_of(path: Path) -> os.stat_result:
    try:
        return os.stat(path)
    except FileNotFoundError:
        raise Misplaced(f"{path} was removed") from None


def times_and_size(found: os.stat_result) -> tuple[int, int, int]:
    """Two times: whoever writes over a file may set the one back, but not the other."""
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size


def number(header: bytes, where: tuple[int, str]) -> int:
    at, kind = where
    return int(struct.unpack_from(kind, header, at)[0])


def page_size(header: bytes, where: tuple[int, str]) -> int:
    return size if (size := number(header, where)) > 1 else 65_536
