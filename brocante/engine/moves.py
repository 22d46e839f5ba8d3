"""Moves as people and records name them: `place books`, `{"seat": 2, "move": "place", "kind": "books"}`.

A game defines a class for each move. Its fields are the arguments; their types say what values they take:

    class Place(Move, frozen=True):
        kind: Literal["banknotes", "watches"]

An argument that may be left out has `| None = None`; one whose name is a Python keyword (`from`) is written
`giver: int = msgspec.field(name="from")`. A move is carried out by one or more small actions of the rules; the game's
`moves.py` spells it.
"""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import msgspec
from msgspec.structs import FieldInfo

from brocante.engine.errors import IllegalMove, quoted
from brocante.engine.text import Text

LONGEST_MOVE = 200  # characters shown
MOST_ENCODED = 20_000  # moves whose JSON is remembered


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True, gc=False):
    """One move of one seat. Moves compare by value and can be keys of a dict."""

    seat: int

    @classmethod
    def name(cls) -> str:
        return cls.__name__.lower()

    @classmethod
    @cache
    def arguments(cls) -> dict[str, FieldInfo]:
        """The arguments by their names in a record."""
        return {field.encode_name: field for field in msgspec.structs.fields(cls) if field.name != "seat"}

    def values(self) -> dict[str, Any]:
        """The arguments that are given, by name."""
        return {
            name: value for name, field in self.arguments().items() if (value := getattr(self, field.name)) is not None
        }

    def line(self) -> dict[str, Any]:
        """The move as a line of a record."""
        return {"seat": self.seat, "move": self.name(), **self.values()}

    def encoded(self) -> msgspec.Raw:
        """The same as JSON. Games have few different moves, and say them again and again."""
        return _encoded(self)

    def __str__(self) -> str:
        """The name and its arguments, as `Game.parse` reads them: `place books`, `swap 3 declare=K`."""
        required = {name for name, field in self.arguments().items() if field.required}
        values = self.values().items()
        return " ".join(
            [self.name(), *(_written(v) if name in required else f"{name}={_written(v)}" for name, v in values)]
        )


@lru_cache(MOST_ENCODED)
def _encoded(move: Move) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(move.line()))


class Part(Move, frozen=True):
    """The beginning of a move that takes several choices: the next of them, as an action of the rules.

    Clients offer it like a move, but it is never played or recorded.
    """

    action: int


class Together(msgspec.Struct, frozen=True):
    """Seats that may all decide now, the actor among them, in the order in which they will be asked.

    A player who is asked later finds the present state, except for `actor`. `otherwise` is the move of a player who
    does not answer in time; until they make it themselves, they may decide on one thing after another. Without it, the
    table waits for everyone, and each decides once.
    """

    seats: tuple[int, ...]
    otherwise: type[Move] | None = None


def printable(move: Move) -> str:
    """A move as text that is safe to show, whatever somebody wrote into it."""
    text = "".join(c if c.isprintable() else "�" for c in str(move))
    return text if len(text) <= LONGEST_MOVE else text[: LONGEST_MOVE - 1] + "…"


def _written(value: Any) -> str:
    return ",".join(map(_written, value)) if isinstance(value, tuple | list) else str(value)


@cache
def _by_name(kinds: tuple[type[Move], ...]) -> dict[str, type[Move]]:
    return {kind.name(): kind for kind in kinds}


def read_move(kinds: Iterable[type[Move]], line: Mapping[str, Any]) -> Move:
    """The move that a line of a record names. Raises an IllegalMove that says what is wrong with the line."""
    by_name = _by_name(tuple(kinds))
    name = line.get("move")
    kind = by_name.get(name) if isinstance(name, str) else None
    if kind is None:
        raise IllegalMove(Text("error.move.name", name=quoted(name), moves=tuple(by_name)))
    arguments = kind.arguments()
    for key in line:
        if key not in ("seat", "move") and key not in arguments:
            raise IllegalMove(Text("error.move.extra", move=kind.name(), key=quoted(key)))
    for key, field in (("seat", None), *arguments.items()):
        if key not in line and (field is None or field.required):
            raise IllegalMove(Text("error.move.missing", move=kind.name(), key=key, values=allowed(kind, key)))
    try:
        return msgspec.convert({k: v for k, v in line.items() if k != "move"}, kind)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        key = str(error).rpartition("$.")[2].partition("[")[0].strip("`")
        value, values = quoted(line.get(key)), allowed(kind, key)
        raise IllegalMove(Text("error.move.value", move=kind.name(), key=key, value=value, values=values)) from None


def parse_move(kinds: Iterable[type[Move]], seat: int, text: str) -> Move:
    """The move that `str(move)` wrote."""
    kinds = tuple(kinds)
    name, *words = text.split()
    arguments = next((kind.arguments() for kind in kinds if kind.name() == name), {})
    in_order = iter([key for key, field in arguments.items() if field.required])
    line: dict[str, Any] = {"seat": seat, "move": name}
    for word in words:
        key, named, value = word.partition("=")
        if not (named and key in arguments):
            key, value = next(in_order, ""), word
            if not key and arguments:
                written = tuple(f"{argument}=…" for argument in arguments)
                raise IllegalMove(Text("error.move.word", move=name, word=quoted(word), arguments=written))
            key = key or word
        line[key] = _read(arguments[key].type, value) if key in arguments else value
    return read_move(kinds, line)


def _read(hint: Any, text: str) -> Any:
    """A written argument as a value of its type; if that fails, the text itself, for read_move to refuse."""
    hint = _given(hint)
    try:
        parts = text.split(",") if text else []
        return msgspec.convert(parts if _is_list(hint) else text, hint, strict=False)
    except (msgspec.ValidationError, UnicodeEncodeError):
        return text


def _given(hint: Any) -> Any:
    """The type of an argument that is given: without the None of an optional one."""
    if get_origin(hint) in (Union, UnionType):
        return next(part for part in get_args(hint) if part is not NoneType)
    return hint


def _is_list(hint: Any) -> bool:
    return (get_origin(hint) or hint) in (tuple, list)


def allowed(kind: type[Move], key: str) -> Text:
    """What an argument may be, in words."""
    hint = _given(kind.arguments()[key].type) if key in kind.arguments() else int
    if get_origin(hint) is Literal:
        return Text("error.values.one_of", values=get_args(hint))
    if _is_list(hint):
        return Text("error.values.list")
    return Text("error.values.text" if hint is str else "error.values.number")
