"""Games that were left in the middle before there were logs, and how they become logs.

Such a file is an ordinary record (docs/record.md) whose header also says who the person is, which bots play, and what
stood in the files that the person brought along. Beside a game that goes by the clock lies how long it was played
(`.clock`).
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import Any

from brocante.bots import lineup
from brocante.engine.box import Box
from brocante.engine.errors import BrocanteError, RecordError
from brocante.engine.game import Game
from brocante.engine.options import GIVEN
from brocante.engine.records import lines_of, read_line, written
from brocante.engine.replay import Replay
from brocante.files import write_at_once
from brocante.games import box as find_box
from brocante.table import LiveTable
from brocante.table.facts import Announced, Fact, Moved
from brocante.terminal.game_log import LOG, LogLine, encode_line, refusing, sync_folder, wrong_line
from brocante.terminal.home_table import PERSON, deal_at_home

CLOCK = ".clock"


def header(path: Path) -> dict[str, Any] | None:
    """The header of such a file; None if it is another one, or the game is over."""
    lines = complete_lines(path)
    try:
        found, last = read_line(lines[0]), json.loads(lines[-1])
    except (IndexError, BrocanteError, ValueError):
        return None
    if not isinstance(found.get("bots"), list) or "seed" not in found or "result" in last:
        return None
    options = found.get("options")
    if len(lines) == 1 and isinstance(options, dict) and GIVEN in options.values():
        return None  # a deck of one's own comes with the deal, which nobody has seen yet
    return found


def complete_lines(path: Path) -> list[bytes]:
    """Without a last line that was cut off, which nobody has seen."""
    with path.open("rb") as file:
        return [line for line in lines_of(file) if line.endswith(b"\n")]


def convert(box: Box, path: Path) -> Path:
    """Put a log in place of an old file; chance goes on as it would have."""
    found = header(path)
    assert found
    game = replay_old_save(path)
    if isinstance(found.get("files"), dict):
        box.open_texts(found["files"], str(path))
    opponents = lineup(box, found["bots"], game.players - 1)
    table, first = deal_at_home(box, game.options, str(found["seed"]), found.get("person"), opponents)
    seconds = seconds_played(path)
    facts = play_anew(table, game, seconds, path)
    log = path.with_suffix(LOG)
    with refusing(log):
        write_at_once(log, encode_line(first) + encode_line(LogLine.of(seconds, facts)))
        path.unlink()
        path.with_suffix(CLOCK).unlink(missing_ok=True)
        sync_folder(path.parent)
    return log


def replay_old_save(path: Path) -> Game:
    try:
        return Replay(find_box).read(complete_lines(path)).game
    except RecordError as error:
        raise wrong_line(path, error.line) from None


def play_anew(table: LiveTable, game: Game, seconds: float, path: Path) -> list[Fact]:
    """Make the moves of a game at a table, and see that chance does the same there: it follows from the seed."""
    facts: list[Fact] = []
    with suppress(BrocanteError):  # some line before it differs
        facts += (table.apply(fact, seconds) for fact in facts_of(game))
    lines = [step.line for step in table.game.steps] if table.game else []
    for number, step in enumerate(game.steps):
        if number >= len(lines) or written(lines[number]) != written(step.line):
            raise wrong_line(path, number + 2)  # the header is line 1
    return facts


def facts_of(game: Game) -> Iterator[Fact]:
    """What was decided and announced."""
    for step in game.steps:
        if step.move:
            line = {key: value for key, value in step.line.items() if key != "seat"}
            yield Moved(step.move.seat, line, "player" if step.move.seat == PERSON else "bot")
        elif not step.is_chance:
            yield Announced(step.line)


def seconds_played(path: Path) -> float:
    """How long a game by the clock was played; 0 if that was lost."""
    try:
        seconds = float(path.with_suffix(CLOCK).read_text())
    except (OSError, ValueError):
        return 0.0
    return max(0.0, seconds) if isfinite(seconds) else 0.0
