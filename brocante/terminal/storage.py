"""Games kept on disk, move by move: a game that was interrupted, however rudely, goes on where it was.

A file is an ordinary record (docs/record.md) whose header also says which bots play. A line is on the disk before the
move is shown; the last line may be cut off by a crash, and is then a move that nobody has seen.
"""

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

from brocante.engine.box import Box
from brocante.engine.errors import RecordError, UsageError
from brocante.engine.game import Game
from brocante.engine.records import Replay, lines_of, written
from brocante.engine.text import Text

if TYPE_CHECKING:
    from brocante.terminal.seats import SeatedGame


def games_folder() -> Path:
    """`BROCANTE_DATA_DIR`, or the user's data directory."""
    return Path(os.environ.get("BROCANTE_DATA_DIR") or platformdirs.user_data_dir("brocante")) / "games"


class Saved:
    """The file of one game."""

    def __init__(self, path: Path, ends: list[int]) -> None:
        self.path = path
        self._ends = ends  # where each line ends, so that a move can be taken back

    @classmethod
    def create(cls, game: Game, names: Sequence[str], opponents: Sequence[str]) -> "Saved":
        folder = games_folder()
        path = folder / f"{time.strftime('%Y-%m-%d-%H%M%S')}-{game.box.slug}-{os.getpid()}-{time.monotonic_ns()}.jsonl"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.touch()
        except OSError as error:
            raise UsageError(Text("error.file", file=str(folder), problem=error.strerror)) from None
        saved = cls(path, [])
        saved._append({**game.header(names), "bots": list(opponents)})
        return saved

    @classmethod
    def latest(cls, box: Box) -> "Saved":
        """The unfinished game that was played last."""
        files = sorted(
            games_folder().glob(f"*-{box.slug}-*.jsonl"), key=lambda file: file.stat().st_mtime, reverse=True
        )
        for file in files:
            saved = cls(file, line_ends(file))
            if saved._ends and not saved.finished:
                return saved
        raise UsageError(Text("error.nothing_to_resume", game=box.slug))

    @property
    def finished(self) -> bool:
        start = self._ends[-2] if len(self._ends) > 1 else 0
        return self.path.read_bytes()[start:].startswith(b'{"result"')

    def seated(self) -> "SeatedGame":
        """The game as it was left, with the same bots."""
        from brocante.games import box as find_box
        from brocante.terminal.seats import PERSON, SeatedGame

        os.truncate(self.path, self._ends[-1])
        replay = Replay(find_box)
        header: dict[str, Any] = {}
        try:
            with self.path.open("rb") as file:
                for line in lines_of(file):
                    replay.feed(line)
                    header = header or json.loads(line)
        except RecordError as error:
            raise UsageError(Text("error.file", file=str(self.path), problem=error.text)) from None
        replay.game.seed = header["seed"]  # chance goes on from where it was
        return SeatedGame(replay.game, header["bots"], replay.names[PERSON] or None, self)

    def keep_up(self, game: Game) -> None:
        """Make the file say what the game says: what happened is added, what was undone is cut off."""
        kept = len(self._ends) - 1  # besides the header
        if kept > len(game.steps):
            del self._ends[1 + len(game.steps) :]
            os.truncate(self.path, self._ends[-1])
        for step in game.steps[kept:]:
            self._append(step.line)
        if game.is_over and kept <= len(game.steps):
            self._append({"result": game.result_line()})

    def _append(self, line: dict[str, Any]) -> None:
        with self.path.open("ab") as file:
            file.write(written(line))
            file.flush()
            os.fsync(file.fileno())
            self._ends.append(file.tell())


def line_ends(path: Path) -> list[int]:
    """Where the whole lines of a file end."""
    ends: list[int] = []
    with path.open("rb") as file:
        for line in lines_of(file):
            if line.endswith(b"\n"):
                ends.append((ends[-1] if ends else 0) + len(line))
    return ends
