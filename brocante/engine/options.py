"""The options of a game: what may be chosen before it is dealt."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from brocante.engine.errors import UsageError, quoted
from brocante.engine.player_files import Brought
from brocante.engine.text import Text

Value = int | bool | str | Brought | None

#: What a record's header says of a deck or board that players brought along: the setup line gives it.
GIVEN = "given"
NOT_YET = 0  # its key before the setup line was read


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One option, kept in the state under its own name (or the `field` of what players bring).

    A number between `least` and `most`, one of `choices`, something that players `bring` along in a file, or (with none
    of these) on or off. `default` None means that the option may be left out altogether, and stands as 0 in the state.
    """

    name: str
    default: Value
    least: int = 0
    most: int = 0
    choices: tuple[str, ...] = ()
    bring: type[Brought] | None = None
    usual: tuple[Value, ...] = ()  # other values than the default that people choose and tests try
    instead_of: str = ""  # the option that it replaces: never both
    clock: bool = False  # the table's clock ends the game after so many minutes

    @property
    def field(self) -> str:
        return self.bring.field if self.bring else self.name

    @property
    def kind(self) -> type:
        return str if self.choices or self.bring else int if self.most else bool

    def load(self, value: object) -> object:
        """What a person gave; if they named a file, its content.

        Only files that a person names are read: a record or a message that names a file opens none.
        """
        if self.bring is None or not isinstance(value, str | Path) or value in (self.default, GIVEN):
            return value
        return self.bring.read(Path(value))

    def check(self, game: str, value: object) -> Value:
        """The value, if it is valid. Otherwise raises a UsageError that says what would be."""
        match value:
            case None if self.default is None:
                return None
            case bool() if self.kind is bool:
                return value
            case str() if value in self.choices or (self.bring and value in (self.default, GIVEN)):
                return value
            case _ if self.bring and isinstance(value, self.bring):
                return value
            case int() if self.kind is int and not isinstance(value, bool) and self.least <= value <= self.most:
                return value
        given, values = quoted(value), self.values()
        raise UsageError(Text("error.option.value", game=game, option=self.name, value=given, values=values))

    def values(self) -> Text:
        if self.bring:
            return Text("error.values.brought", default=self.default, given=GIVEN)
        if self.choices:
            return Text("error.values.one_of", values=self.choices)
        if self.most:
            return Text("error.values.range", least=self.least, most=self.most)
        return Text("error.values.switch")

    def tried(self) -> tuple[Value, ...]:
        """The values worth trying: all of them where they are few."""
        if self.choices:
            return self.choices
        if self.kind is bool:
            return (False, True)
        if self.bring or self.usual or self.default is None:
            return (self.default, *self.usual)
        return tuple(range(self.least, self.most + 1))

    def number(self, value: Value) -> int:
        """The value as the state holds it."""
        if self.bring:
            brought = self.brought(value)
            return brought.key if brought else NOT_YET
        if isinstance(value, str):
            return self.choices.index(value)
        return int(value) if isinstance(value, int) else 0

    def value(self, number: int) -> Value:
        """The value that the state holds as this number."""
        if self.bring:
            if number == self.bring.built_in().key:
                return self.default
            return GIVEN if number == NOT_YET else self.bring.opened[number]
        if self.choices:
            return self.choices[number]
        if self.kind is bool:
            return bool(number)
        return None if self.default is None and number == 0 else number

    def brought(self, value: Value) -> Brought | None:
        """What players brought along, or the built-in one; None while a setup line is still to give it."""
        if self.bring is None or value == GIVEN:
            return None
        return self.bring.built_in() if value == self.default else value  # type: ignore[return-value]

    def text(self, number: int) -> str:
        """The text of the file that players brought along, if the state holds this number; "" without a file."""
        if self.bring is None or number not in self.bring.opened:
            return ""
        opened: Brought = self.bring.opened[number]
        return "" if opened is self.bring.built_in() else opened.text

    def written(self, value: Value) -> Value:
        """The value as plain data, for records and programs."""
        return GIVEN if self.bring and value != self.default else value


def complete_options(game: str, options: Sequence[Option], given: Mapping[str, object]) -> dict[str, Value]:
    """All options of a game: those given, checked, and the defaults of the others."""
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise UsageError(Text("error.option.name", game=game, option=quoted(name), options=tuple(known)))
    chosen = {name: option.check(game, given.get(name, option.default)) for name, option in known.items()}
    for option in options:
        other = known.get(option.instead_of)
        if other and chosen[option.name] != option.default and chosen[other.name] != other.default:
            raise UsageError(Text("error.option.both", game=game, option=option.name, other=other.name))
    return chosen


def options_to_write(options: Sequence[Option], chosen: Mapping[str, Value]) -> dict[str, Value]:
    """What a record's header holds: `players`, and every option that differs from its default."""
    return {o.name: o.written(chosen[o.name]) for o in options if o.name == "players" or chosen[o.name] != o.default}
