"""The log of a game at home: a file to which its facts are appended, each on the disk before it is shown.

A line holds the facts that followed from one command, and when: all of them, or none if a crash cut the line off, and
then nobody has seen them. Time is that at the table: it begins with 0 and stands still while nobody plays. When the
game is over, its record takes the place of the log.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from brocante.engine.box import Box
from brocante.engine.errors import UsageError
from brocante.engine.text import Text
from brocante.files import data_folder, write_at_once
from brocante.table import LiveTable, handle
from brocante.table.commands import Wake
from brocante.table.facts import Fact, decode, encode

LOG, RECORD = ".log", ".jsonl"


class LogLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of a log. The first one begins a game, and holds the texts of the files that the person brought along."""

    at: float
    body: msgspec.Raw = msgspec.field(name="facts")
    files: dict[str, str] = {}

    @classmethod
    def of(cls, at: float, facts: list[Fact], files: dict[str, str] | None = None) -> "LogLine":
        return cls(at, msgspec.Raw(encode(facts)), files or {})

    @property
    def facts(self) -> list[Fact]:
        return decode(bytes(self.body))


_decoder = msgspec.json.Decoder(LogLine)


class GameLog:
    """A log file that grows."""

    def __init__(self, path: Path, size: int) -> None:
        self.path = path
        self._size = size  # in bytes

    @classmethod
    def create(cls, box: Box, first: LogLine) -> "GameLog":
        folder = games_folder()
        name = f"{time.strftime('%Y-%m-%d-%H%M%S')}-{box.slug}-{time.monotonic_ns() % 10**6:06}"
        log = cls(folder / (name + LOG), 0)
        with refusing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            log.path.open("xb").close()
            for created in (folder, folder.parent):
                sync_folder(created)
        log.append(first)
        return log

    def append(self, entry: LogLine) -> None:
        data = encode_line(entry)
        with refusing(self.path), self.path.open("ab") as file:
            if os.fstat(file.fileno()).st_size != self._size:
                raise UsageError(Text("error.kept_elsewhere", file=str(self.path)))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        self._size += len(data)

    def finish(self, record: bytes) -> None:
        """Put the record of the game in the place of the log. A crash in between loses nothing that was shown."""
        with refusing(self.record):
            write_at_once(self.record, record)
            self.path.unlink()
            sync_folder(self.path.parent)

    @property
    def record(self) -> Path:
        """Where the record of the game will be."""
        return self.path.with_suffix(RECORD)


def encode_line(entry: LogLine) -> bytes:
    return msgspec.json.encode(entry) + b"\n"


def first_facts(path: Path) -> list[Fact]:
    """How a game began; nothing if the file does not say."""
    with path.open("rb") as file:
        line = file.readline()
    try:
        return _decoder.decode(line).facts if line.endswith(b"\n") else []
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return []


def reopen(box: Box, path: Path) -> tuple[LiveTable, GameLog]:
    """The table that a log adds up to. What a crash cut off is dropped."""
    with refusing(path):
        whole = whole_lines(path)
        os.truncate(path, len(whole))
    table = LiveTable(slowness=0.0)  # the screen says when bots move
    for number, line in enumerate(whole.splitlines(), 1):
        if not add_line(table, box, path, line) or table.retired:
            raise wrong_line(path, number)
    return table, GameLog(path, len(whole))


def record_so_far(box: Box, path: Path) -> bytes:
    """The record of a game whose rules are gone, as far as its log is sound."""
    with refusing(path):
        lines = whole_lines(path).splitlines()
    table = LiveTable()
    for line in lines:
        if not add_line(table, box, path, line):
            break
    return handle(table, Wake(), "", 0.0)[0].record()


def whole_lines(path: Path) -> bytes:
    data = path.read_bytes()
    return data[: data.rfind(b"\n") + 1]


def add_line(table: LiveTable, box: Box, path: Path, line: bytes) -> bool:
    """Add the facts of a line to a table; False if one makes no sense, and then only those before it are added."""
    try:
        entry = _decoder.decode(line)
        box.open_texts(entry.files, str(path))
        for fact in entry.facts:
            table.apply(fact, entry.at, logged=True)
    except Exception:  # a file that was tampered with may say anything
        return False
    return True


def wrong_line(path: Path, number: int) -> UsageError:
    """What the line says is not repeated: it might tell what others hold."""
    return UsageError(Text("error.kept_wrong", file=str(path), line=number))


def games_folder() -> Path:
    return data_folder() / "games"


@contextmanager
def refusing(path: Path) -> Iterator[None]:
    """Say in words that a file or folder cannot be used."""
    try:
        yield
    except OSError as error:
        raise UsageError(Text("error.file", file=str(path), problem=error.strerror)) from None


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk too: a file that was written but cannot be found is lost."""
    if os.name == "posix":  # elsewhere a folder cannot be opened, and need not be
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
