"""The replay loop: a record is read line by line, every line is checked, and its game is played again."""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from brocante.engine.box import Box
from brocante.engine.errors import BrocanteError, IllegalMove, RecordError, quoted
from brocante.engine.game import RECORD_VERSION, Game
from brocante.engine.records import KINDS_OF_LINE, lines_of, read_line, same_json
from brocante.engine.state import CHANCE, NOBODY
from brocante.engine.step import EVENT
from brocante.engine.text import Text


class Replay:
    """A record being replayed: `feed` it one line after another, or `read` them all; `game` is the game so far.

    A wrong line raises RecordError with its number and changes nothing.
    """

    def __init__(self, find_box: Callable[[str], Box]) -> None:
        self._find_box = find_box
        self._game: Game | None = None
        self.line = 0
        self.names: tuple[str, ...] = ()
        self.finished = False  # whether the result line was there

    @property
    def game(self) -> Game:
        if self._game is None:
            raise RecordError(1, Text("error.record.empty"))
        return self._game

    def read(self, lines: Iterable[bytes]) -> "Replay":
        """Check all these lines and carry them out."""
        for data in lines:
            self.feed(data)
        self.game  # noqa: B018  an empty record is no record
        return self

    def feed(self, data: bytes) -> None:
        """Check the next line and carry it out."""
        number = self.line + 1
        try:
            line = read_line(data)
            if self._game is None:
                self._begin(line)
            elif self.finished:
                raise BrocanteError(Text("error.record.after_result"))
            else:
                self._go_on(self._game, line)
        except BrocanteError as error:
            raise RecordError(number, error.text) from None
        self.line = number

    def _begin(self, line: dict[str, Any]) -> None:
        if "record" not in line:
            raise BrocanteError(Text("error.record.no_header", line=quoted(line)))
        check_version(line["record"])
        game, options = wanted(line, "game", str), wanted(line, "options", dict)
        if "players" not in options:
            raise BrocanteError(Text("error.record.no_players"))
        box = self._find_box(game)
        check_edition(box, line.get("edition", 1))
        begun = Game(box, options)
        seats = wanted(line, "seats", list)
        if len(seats) != begun.players or not all(isinstance(name, str) for name in seats):
            raise BrocanteError(Text("error.record.seats", players=begun.players, seats=quoted(seats)))
        self._game, self.names = begun, tuple(seats)

    def _go_on(self, game: Game, line: dict[str, Any]) -> None:
        kind = next((key for key in KINDS_OF_LINE if key in line), None)
        if kind == "seat":
            if game.actor == CHANCE:
                raise BrocanteError(Text("error.record.chance_wanted", seat=quoted(line["seat"])))
            play_line(game, line)
        elif kind == "result":
            check_result(game, line)
            self.finished = True
        elif kind == EVENT:
            game.announce(line)
        elif kind:
            game.chance(line)
        else:
            raise BrocanteError(Text("error.record.unknown", line=quoted(line), known=KINDS_OF_LINE))


def play_line(game: Game, line: Mapping[str, Any]) -> None:
    """Make a recorded move. A record hides nothing from its reader, so every refusal may say what would be legal."""
    try:
        game.play(line)
    except IllegalMove as error:
        if game.actor == NOBODY or "legal" in error.text.args:
            raise
        raise IllegalMove(Text("error.record.legal", problem=error.text, legal=game.legal_in_words())) from None


def check_version(version: Any) -> None:
    if type(version) is not int or version < 1:
        raise BrocanteError(Text("error.record.version", version=quoted(version), ours=RECORD_VERSION))
    if version > RECORD_VERSION:
        raise BrocanteError(Text("error.record.newer", version=quoted(version), ours=RECORD_VERSION))


def check_edition(box: Box, edition: Any) -> None:
    """A game replays only by the edition of the rules by which it was played."""
    if type(edition) is not int or edition < 1:
        raise BrocanteError(Text("error.record.edition_shape", edition=quoted(edition), ours=box.edition))
    if edition != box.edition:
        raise BrocanteError(Text("error.record.edition", game=box.title, edition=edition, ours=box.edition))


def wanted(header: Mapping[str, Any], key: str, kind: type) -> Any:
    """What the header must hold under a key."""
    if not isinstance(header.get(key), kind):
        expected = Text(f"error.record.header.{key}")
        raise BrocanteError(Text("error.record.header.wanted", key=key, expected=expected))
    return header[key]


def check_result(game: Game, line: Mapping[str, Any]) -> None:
    """The result must be there when the game is over, not before, and must follow from the moves."""
    for key in line:
        if key != "result":
            raise BrocanteError(Text("error.record.result_key", key=quoted(key)))
    if game.actor != NOBODY:
        raise BrocanteError(Text("error.record.not_over", whose=game.whose_decision()))
    right = game.result_line()
    if not same_json(line["result"], right):
        raise BrocanteError(Text("error.record.result", result=quoted(line["result"]), right=json.dumps(right)))


def replay_file(path: Path, find_box: Callable[[str], Box]) -> Replay:
    """Replay a record file to its end. A RecordError names the first wrong line."""
    with path.open("rb") as file:
        return Replay(find_box).read(lines_of(file))
