"""The games that were left in the middle: found again, or put aside if their rules are gone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from brocante.engine.box import Box
from brocante.engine.text import Text
from brocante.files import write_at_once
from brocante.table.facts import Opened, Started
from brocante.terminal import old_saves
from brocante.terminal.game_log import LOG, RECORD, first_facts, games_folder, record_of, refusing

#: Where the records of games lie whose rules are gone, in the folder of games.
CLOSED = "closed"


class SavedGame(msgspec.Struct, frozen=True):
    """A game on the disk, and what it is played by."""

    path: Path
    options: dict[str, Any]
    edition: int = 1
    version: int = 1

    @property
    def is_old(self) -> bool:
        """Whether it was written before there were logs."""
        return self.path.suffix == RECORD

    def is_of(self, box: Box) -> bool:
        """Whether it was begun by our rules."""
        return (self.edition, self.version) == (box.edition, box.version)


def unfinished(box: Box) -> Iterator[SavedGame]:
    """The games that were left in the middle, the last one first; files are read as they are asked for."""
    files = [file for file in games_folder().glob(f"*-{box.slug}-*") if file.is_file()]
    files.sort(key=lambda file: file.stat().st_mtime, reverse=True)
    return filter(None, map(saved_game, files))


def saved_game(path: Path) -> SavedGame | None:
    """The game in a file, if it is one of ours and not over."""
    if path.suffix == LOG:
        return logged_game(path)
    if path.suffix == RECORD and not path.with_suffix(LOG).exists() and (header := old_saves.header(path)):
        options = header["options"] if isinstance(header.get("options"), dict) else {}
        return SavedGame(path, options, header.get("edition", 1), header.get("version", 1))
    return None


def logged_game(path: Path) -> SavedGame | None:
    match first_facts(path):
        case [Opened(_, options), *_, Started(edition, version)]:
            return SavedGame(path, options, edition, version)
    return None


def close_outdated(box: Box) -> Text | None:
    """Put the games aside that were begun by other rules than ours; what to say of the last one, if there are any."""
    told = [put_aside(box, saved) for saved in [*unfinished(box)] if not saved.is_of(box)]
    return told[0] if told else None


def put_aside(box: Box, saved: SavedGame) -> Text:
    """Have the record of a game where it is not found any more but can be read, and say so."""
    file = games_folder() / CLOSED / saved.path.with_suffix(RECORD).name
    with refusing(file.parent):
        file.parent.mkdir(exist_ok=True)
        if saved.is_old:
            saved.path.rename(file)
        else:
            write_at_once(file, record_of(box, saved.path))
            saved.path.unlink()
    key = "kept_earlier" if saved.edition == box.edition else "kept_edition"
    return Text(f"error.{key}", game=box.title, file=str(file), edition=saved.edition, ours=box.edition)
