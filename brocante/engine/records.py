"""Game records: written, and read back line by line with every line checked (docs/record.md)."""

import codecs
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from brocante.engine.box import Box
from brocante.engine.errors import BrocanteError, IllegalMove, RecordError, shown
from brocante.engine.game import EVENT, RECORD_VERSION, Game
from brocante.engine.state import CHANCE, NOBODY
from brocante.engine.text import Text

#: No line of any game comes near this; a longer one is refused before it is read whole.
LONGEST_LINE = 1 << 20
#: What a line may be, by the key that tells.
KINDS_OF_LINE = ("setup", "seat", "chance", EVENT, "result")


def written(line: Mapping[str, Any]) -> bytes:
    """One line of a record, as bytes."""
    return json.dumps(line, ensure_ascii=False).encode() + b"\n"


def write_record(game: Game, names: Sequence[str] = ()) -> bytes:
    """The whole record of a game as far as it has gone."""
    return b"".join(map(written, game.lines(names)))


class Replay:
    """A record being read: `feed` it one line after another, `game` is where it has come to.

    A line that does not hold raises RecordError with its number and leaves everything as it was.
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
            raise BrocanteError(Text("error.record.no_header", line=shown(line)))
        check_version(line["record"])
        game, options = wanted(line, "game", str), wanted(line, "options", dict)
        if "players" not in options:
            raise BrocanteError(Text("error.record.no_players"))
        box = self._find_box(game)
        check_edition(box, line.get("edition", 1))
        begun = Game(box, options)
        seats = wanted(line, "seats", list)
        if len(seats) != begun.players or not all(isinstance(name, str) for name in seats):
            raise BrocanteError(Text("error.record.seats", players=begun.players, seats=shown(seats)))
        self._game, self.names = begun, tuple(seats)

    def _go_on(self, game: Game, line: dict[str, Any]) -> None:
        kind = next((key for key in KINDS_OF_LINE if key in line), None)
        if kind == "seat":
            if game.actor == CHANCE:
                raise BrocanteError(Text("error.record.chance_wanted", seat=shown(line["seat"])))
            play_line(game, line)
        elif kind == "result":
            check_result(game, line)
            self.finished = True
        elif kind == EVENT:
            game.announce(line)
        elif kind:
            game.chance(line)
        else:
            raise BrocanteError(Text("error.record.unknown", line=shown(line), known=KINDS_OF_LINE))


def play_line(game: Game, line: Mapping[str, Any]) -> None:
    """Make a recorded move; a record is open to its reader, so every refusal may say what would have been legal."""
    try:
        game.play(line)
    except IllegalMove as error:
        if game.actor == NOBODY or "legal" in error.text.args:
            raise
        raise IllegalMove(Text("error.record.legal", problem=error.text, legal=game.legal_in_words())) from None


def check_version(version: Any) -> None:
    if type(version) is not int or version < 1:
        raise BrocanteError(Text("error.record.version", version=shown(version), ours=RECORD_VERSION))
    if version > RECORD_VERSION:
        raise BrocanteError(Text("error.record.newer", version=shown(version), ours=RECORD_VERSION))


def check_edition(box: Box, edition: Any) -> None:
    """A game replays only by the edition of the rules that it was played by."""
    if type(edition) is not int or edition < 1:
        raise BrocanteError(Text("error.record.edition_shape", edition=shown(edition), ours=box.edition))
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
            raise BrocanteError(Text("error.record.result_key", key=shown(key)))
    if game.actor != NOBODY:
        raise BrocanteError(Text("error.record.not_over", whose=game.whose_decision()))
    right = game.result_line()
    if not same_json(line["result"], right):
        raise BrocanteError(Text("error.record.result", result=shown(line["result"]), right=json.dumps(right)))


def same_json(a: Any, b: Any) -> bool:
    """Equal, and of the same types: in JSON, 1 is neither true nor 1.0."""
    return bool(a == b and json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True))


def read_line(data: bytes) -> dict[str, Any]:
    """One line as a JSON object; an error in words for anything else."""
    if len(data) > LONGEST_LINE:
        raise BrocanteError(Text("error.record.too_long", most=LONGEST_LINE))
    if data.startswith(codecs.BOM_UTF8):
        raise BrocanteError(Text("error.record.byte_order_mark"))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BrocanteError(Text("error.record.not_utf8", byte=error.start + 1)) from None
    if not text.strip():
        raise BrocanteError(Text("error.record.blank"))
    try:
        line = json.loads(text, object_pairs_hook=_no_key_twice, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        why = "unreadable" if text.endswith("\n") else "cut_off"
        raise BrocanteError(Text("error.record.not_json", why=Text(f"error.record.{why}"))) from None
    if not isinstance(line, dict):
        raise BrocanteError(Text("error.record.not_json", why=Text("error.record.not_an_object", line=shown(line))))
    _no_half_characters(line)
    return line


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    once = dict(pairs)
    if len(once) < len(pairs):
        key, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise BrocanteError(Text("error.record.key_twice", key=shown(key)))
    return once


def _no_half_characters(line: dict[str, Any]) -> None:
    """JSON can spell half of a character (`\\ud800`), which is no text and could not be written again."""
    try:
        written(line)
    except UnicodeEncodeError:
        raise BrocanteError(Text("error.record.half_character")) from None


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, never more than one of them in memory."""
    while data := file.readline(LONGEST_LINE + 1):
        yield data


def replay(path: Path, find_box: Callable[[str], Box]) -> Replay:
    """Read a record file to its end; a RecordError names the first line that does not hold."""
    reading = Replay(find_box)
    with path.open("rb") as file:
        for data in lines_of(file):
            reading.feed(data)
    reading.game  # noqa: B018  an empty file is no record
    return reading
