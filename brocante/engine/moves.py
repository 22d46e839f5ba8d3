"""Moves as people and records name them: `place books`, `{"seat": 2, "move": "place", "kind": "books"}`.

A game lists its moves as classes, one a move; their fields are the arguments, and their types say what may stand there:

    class Place(Move):
        kind: Literal["banknotes", "watches"]

A move is carried out by one or more small actions of the rules; the game's `moves.py` spells it.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from brocante.engine.errors import IllegalMove, shown
from brocante.engine.text import Text


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One move of one seat. Moves compare by value and can be keys of a dict."""

    seat: int

    @classmethod
    def name(cls) -> str:
        return cls.__name__.lower()

    @classmethod
    def arguments(cls) -> dict[str, Any]:
        """The types of the arguments by name."""
        return {name: hint for name, hint in get_type_hints(cls).items() if name != "seat"}

    def values(self) -> dict[str, Any]:
        """The arguments that are given, by name."""
        given = {name: getattr(self, name) for name in self.arguments()}
        return {name: value for name, value in given.items() if value is not None}

    def line(self) -> dict[str, Any]:
        """The move as a line of a record."""
        return {"seat": self.seat, "move": self.name(), **self.values()}

    def __str__(self) -> str:
        """The name and its arguments, as `Game.parse` reads them: `place books`."""
        return " ".join([self.name(), *(_written(value) for value in self.values().values())])


def _written(value: Any) -> str:
    return ",".join(map(_written, value)) if isinstance(value, tuple | list) else str(value)


def read_move(kinds: Iterable[type[Move]], line: Mapping[str, Any]) -> Move:
    """The move that a line of a record names; an IllegalMove that says what is wrong with it otherwise."""
    by_name = {kind.name(): kind for kind in kinds}
    name = line.get("move")
    kind = by_name.get(name) if isinstance(name, str) else None
    if kind is None:
        raise IllegalMove(Text("error.move.name", name=shown(name), moves=tuple(by_name)))
    for key in line:
        if key not in ("seat", "move", *kind.arguments()):
            raise IllegalMove(Text("error.move.extra", move=kind.name(), key=shown(key)))
    for field in msgspec.structs.fields(kind):
        if field.required and field.name not in line:
            values = allowed(kind, field.name)
            raise IllegalMove(Text("error.move.missing", move=kind.name(), key=field.name, values=values))
    try:
        return msgspec.convert({k: v for k, v in line.items() if k != "move"}, kind)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        key_at_fault = str(error).rpartition("$.")[2].partition("[")[0].strip("`")
        raise IllegalMove(
            Text(
                "error.move.value",
                move=kind.name(),
                key=key_at_fault,
                value=shown(line.get(key_at_fault)),
                values=allowed(kind, key_at_fault),
            )
        ) from None


def parse_move(kinds: Iterable[type[Move]], seat: int, text: str) -> Move:
    """The move that `str(move)` wrote."""
    kinds = tuple(kinds)
    name, *values = text.split()
    kind = next((kind for kind in kinds if kind.name() == name), None)
    keys = list(kind.arguments()) if kind else []
    if len(values) > len(keys):
        keys += ["…"] * (len(values) - len(keys))
    line = {"seat": seat, "move": name}
    for key, value in zip(keys, values, strict=False):
        line[key] = _read(kind.arguments().get(key, str) if kind else str, value)
    return read_move(kinds, line)


def _read(hint: Any, text: str) -> Any:
    """A written argument as its type has it; left as text where it cannot be, for read_move to refuse."""
    try:
        if get_origin(hint) is tuple or hint is tuple:
            return msgspec.convert(text.split(","), hint, strict=False)
        return msgspec.convert(text, hint, strict=False)
    except msgspec.ValidationError:
        return text


def allowed(kind: type[Move], key: str) -> Text:
    """What may stand for an argument, in words."""
    hint = kind.arguments().get(key, int)
    if get_origin(hint) is Literal:
        return Text("error.values.one_of", values=get_args(hint))
    return Text("error.values.number")
