"""Games kept on disk, move by move: a game that was interrupted, however rudely, goes on where it was.

A file is an ordinary record (docs/record.md) whose header also says who the person is, which bots play, what stood in
the files that the person brought along, and the version of the game. A line is on the disk before the move is shown;
the last line may be cut off by a crash, and is then a move that nobody has seen. Beside a game that goes by the clock
lies how long it was played (`.clock`). A game of rules that are gone is put aside.
"""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from brocante.engine.box import Box
from brocante.engine.errors import BrocanteError, RecordError, UsageError
from brocante.engine.game import Game
from brocante.engine.options import GIVEN
from brocante.engine.records import lines_of, read_line, written
from brocante.engine.replay import Replay
from brocante.engine.text import Text
from brocante.files import data_folder, write_at_once
from brocante.games import box as find_box

#: Where games lie whose rules are gone, in the folder of games.
CLOSED = "closed"


def games_folder() -> Path:
    return data_folder() / "games"


class Saved:
    """The file of one game."""

    def __init__(self, path: Path, header: dict[str, Any], ends: list[int]) -> None:
        self.path = path
        self.header = header
        self._ends = ends  # where each line ends, so that a move can be taken back

    @classmethod
    def create(cls, header: dict[str, Any]) -> "Saved":
        """A new file that begins with this header."""
        folder = games_folder()
        name = f"{time.strftime('%Y-%m-%d-%H%M%S')}-{header['game']}-{time.monotonic_ns() % 10**6:06}.jsonl"
        saved = cls(folder / name, header, [])
        try:
            folder.mkdir(parents=True, exist_ok=True)
            saved.path.open("xb").close()
            for created in (folder, folder.parent):
                sync_folder(created)
        except OSError as error:
            raise UsageError(Text("error.file", file=str(folder), problem=error.strerror)) from None
        saved._append(header)
        return saved

    @classmethod
    def unfinished(cls, box: Box) -> Iterator["Saved"]:
        """The games that were left in the middle, the last one first; files are read as they are asked for."""
        files = [file for file in games_folder().glob(f"*-{box.slug}-*.jsonl") if file.is_file()]
        files.sort(key=lambda file: file.stat().st_mtime, reverse=True)
        return filter(None, map(cls._opened, files))

    @classmethod
    def close_outdated(cls, box: Box) -> Text | None:
        """Put the games aside that were begun by other rules than ours; what to say of the last one, if there are any.
        Where they lie then, their records can be read."""
        outdated = [saved for saved in cls.unfinished(box) if not saved.is_of(box)]
        for saved in outdated:
            saved._put_aside()
        return outdated[0].why_closed(box) if outdated else None

    def is_of(self, box: Box) -> bool:
        """Whether it was begun by our rules; a file that does not say so is of the first."""
        return (self.header.get("edition", 1), self.header.get("version", 1)) == (box.edition, box.version)

    def why_closed(self, box: Box) -> Text:
        edition = self.header.get("edition", 1)
        key = "kept_earlier" if edition == box.edition else "kept_edition"
        return Text(f"error.{key}", game=box.title, file=str(self.path), edition=edition, ours=box.edition)

    def _put_aside(self) -> None:
        folder = games_folder() / CLOSED
        try:
            folder.mkdir(exist_ok=True)
            self.path = self.path.rename(folder / self.path.name)
        except OSError as error:
            raise UsageError(Text("error.file", file=str(folder), problem=error.strerror)) from None

    @classmethod
    def _opened(cls, path: Path) -> "Saved | None":
        """The file, if it is one of ours and its game is not over."""
        with path.open("rb") as file:
            lines = [line for line in lines_of(file) if line.endswith(b"\n")]
        try:
            header = read_line(lines[0])
            last = json.loads(lines[-1])
        except (IndexError, BrocanteError, ValueError):
            return None
        if not isinstance(header.get("bots"), list) or "seed" not in header or "result" in last:
            return None
        options = header.get("options")
        if len(lines) == 1 and isinstance(options, dict) and GIVEN in options.values():
            return None  # a deck of one's own comes with the deal, which nobody has seen yet
        ends = [0]
        for line in lines:
            ends.append(ends[-1] + len(line))
        return cls(path, header, ends[1:])

    def replayed(self) -> Game:
        """The game as it was left; chance goes on as it would have."""
        self._cut_to(len(self._ends))
        replay = Replay(find_box)
        try:
            with self.path.open("rb") as file:
                replay.read(lines_of(file))
        except RecordError as error:  # its words might tell what others hold
            raise UsageError(Text("error.kept_wrong", file=str(self.path), line=error.line)) from None
        if isinstance(self.header.get("files"), dict):
            replay.game.box.open_texts(self.header["files"], str(self.path))
        replay.game.go_on_with(self.header["seed"])
        return replay.game

    def note_seconds(self, seconds: float) -> None:
        """Keep how long a game that goes by the clock has been played: while it is laid aside, no time passes."""
        try:
            write_at_once(self._clock, f"{seconds:.1f}\n".encode())
        except OSError as error:
            raise UsageError(Text("error.file", file=str(self._clock), problem=error.strerror)) from None

    @property
    def seconds_played(self) -> float:
        try:
            return max(0.0, float(self._clock.read_text()))
        except (OSError, ValueError):
            return 0.0

    @property
    def _clock(self) -> Path:
        return self.path.with_suffix(".clock")

    def keep_up(self, game: Game) -> None:
        """Make the file say what the game says: what was undone is cut off, what happened is added."""
        lines = list(game.lines())  # the header, which is there already, among them
        if len(self._ends) > len(lines):
            self._cut_to(len(lines))
        for line in lines[len(self._ends) :]:
            self._append(line)

    def _cut_to(self, lines: int) -> None:
        del self._ends[lines:]
        try:
            with self.path.open("r+b") as file:
                file.truncate(self._ends[-1])
                os.fsync(file.fileno())
        except OSError as error:
            raise UsageError(Text("error.file", file=str(self.path), problem=error.strerror)) from None

    def _append(self, line: dict[str, Any]) -> None:
        try:
            with self.path.open("ab") as file:
                if os.fstat(file.fileno()).st_size != (self._ends[-1] if self._ends else 0):
                    raise UsageError(Text("error.kept_elsewhere", file=str(self.path)))
                data = written(line)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise UsageError(Text("error.file", file=str(self.path), problem=error.strerror)) from None
        self._ends.append((self._ends[-1] if self._ends else 0) + len(data))


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk too: a file that was written but cannot be found is lost."""
    if os.name == "posix":  # elsewhere a folder cannot be opened, and need not be
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
