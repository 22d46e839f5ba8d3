"""Unfinished games on disk: found again and resumed, or put aside if their rules are gone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from brocante.engine.box import Box
from brocante.engine.errors import UsageError
from brocante.engine.text import Text
from brocante.files import write_at_once
from brocante.table.facts import Opened, Started
from brocante.terminal import old_saves
from brocante.terminal.game_log import LOG, RECORD, first_facts, games_folder, record_so_far, refusing, reopen
from brocante.terminal.home_table import HomeTable

#: The folder, within that of the games, for records of games whose rules are gone.
CLOSED = "closed"


class SavedGame(msgspec.Struct, frozen=True):
    """A game on disk: its options, and the rules that it was begun under."""

    path: Path
    options: dict[str, Any]
    edition: int = 1
    version: int = 1

    @property
    def is_old(self) -> bool:
        """Whether it was written before there were logs."""
        return self.path.suffix == RECORD

    def is_of(self, box: Box) -> bool:
        """Whether it was begun under our rules."""
        return (self.edition, self.version) == (box.edition, box.version)


def unfinished(box: Box) -> Iterator[SavedGame]:
    """Unfinished games, the last played first. Files are read as they are asked for."""
    files = [file for file in games_folder().glob(f"*-{box.slug}-*") if file.is_file()]
    files.sort(key=lambda file: file.stat().st_mtime, reverse=True)
    return filter(None, map(saved_game, files))


def saved_game(path: Path) -> SavedGame | None:
    """The game in a file, if it is one of ours and not over."""
    if path.suffix == LOG:
        match first_facts(path):
            case [Opened(_, options), *_, Started(edition, version)]:
                return SavedGame(path, options, edition, version)
    elif path.suffix == RECORD and not path.with_suffix(LOG).exists() and (header := old_saves.header(path)):
        options = header["options"] if isinstance(header.get("options"), dict) else {}
        return SavedGame(path, options, header.get("edition", 1), header.get("version", 1))
    return None


def resumed_game(box: Box) -> HomeTable:
    """The unfinished game that was played last, if its file is sound and its rules are ours."""
    closed = close_outdated(box)
    problem = UsageError(closed or Text("error.nothing_to_resume", game=box.slug))
    for saved in unfinished(box):
        try:
            return HomeTable(*reopen(box, old_saves.convert(box, saved.path) if saved.is_old else saved.path))
        except UsageError as error:
            problem = error
    raise problem


def close_outdated(box: Box) -> Text | None:
    """Put aside games that were begun under other rules, and say what became of the last one."""
    told = [put_aside(box, saved) for saved in [*unfinished(box)] if not saved.is_of(box)]
    return told[0] if told else None


def put_aside(box: Box, saved: SavedGame) -> Text:
    """Move the record of a game to where it can be read but is no longer resumed."""
    file = games_folder() / CLOSED / saved.path.with_suffix(RECORD).name
    with refusing(file.parent):
        file.parent.mkdir(exist_ok=True)
        if saved.is_old:
            saved.path.rename(file)
        else:
            write_at_once(file, record_so_far(box, saved.path))
            saved.path.unlink()
    key = "kept_earlier" if saved.edition == box.edition else "kept_edition"
    return Text(f"error.{key}", game=box.title, file=str(file), edition=saved.edition, ours=box.edition)
