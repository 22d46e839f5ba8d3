"""Game records as bytes: how lines are written, read and checked (docs/record.md). `replay.py` plays them."""

import codecs
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO

from brocante.engine.errors import BrocanteError, quoted
from brocante.engine.game import Game
from brocante.engine.step import EVENT
from brocante.engine.text import Text

#: No line of any game comes near this. A longer one is refused before all of it is read.
LONGEST_LINE = 1 << 20
#: The kinds of lines, by the key that identifies each.
KINDS_OF_LINE = ("setup", "seat", "chance", EVENT, "result")
to_json = json.JSONEncoder(ensure_ascii=False).encode


def written(line: Mapping[str, Any]) -> bytes:
    """One line of a record, as bytes."""
    return to_json(line).encode() + b"\n"


def write_record(game: Game, names: Sequence[str] = ()) -> bytes:
    """The whole record of a game as far as it has gone."""
    return b"".join(map(written, game.lines(names)))


def same_json(a: Any, b: Any) -> bool:
    """Equal, and of the same types: in JSON, 1 is neither true nor 1.0."""
    return bool(a == b and json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True))


def read_line(data: bytes) -> dict[str, Any]:
    """One line as a JSON object; anything else raises an error in words."""
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
        raise BrocanteError(Text("error.record.not_json", why=Text("error.record.not_an_object", line=quoted(line))))
    _no_half_characters(line)
    return line


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    once = dict(pairs)
    if len(once) < len(pairs):
        key, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise BrocanteError(Text("error.record.key_twice", key=quoted(key)))
    return once


def _no_half_characters(line: dict[str, Any]) -> None:
    """Refuse half characters: JSON can spell them (`\\ud800`), but they are no text and cannot be written again."""
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
