"""The options of a game: what may be chosen before it is dealt."""

from collections.abc import Mapping, Sequence

import msgspec

from brocante.engine.errors import UsageError, shown
from brocante.engine.text import Text

Value = int | bool | str | None


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One option, kept in the state under its own name.

    A number between `least` and `most`, one of `choices`, or (with neither) on or off. `default` None means that the
    option may be left out altogether, and stands as 0 in the state.
    """

    name: str
    default: Value
    least: int = 0
    most: int = 0
    choices: tuple[str, ...] = ()
    usual: tuple[Value, ...] = ()  # values besides the default that people choose, and that tests try

    @property
    def kind(self) -> type:
        return str if self.choices else int if self.most else bool

    def check(self, game: str, value: object) -> Value:
        """The value, if it is one; a UsageError that says what would be right otherwise."""
        match value:
            case None if self.default is None:
                return None
            case bool() if self.kind is bool:
                return value
            case str() if value in self.choices:
                return value
            case int() if self.kind is int and not isinstance(value, bool) and self.least <= value <= self.most:
                return value
        given, values = shown(value), self.values()
        raise UsageError(Text("error.option.value", game=game, option=self.name, value=given, values=values))

    def values(self) -> Text:
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
        if self.usual or self.default is None:
            return (self.default, *self.usual)
        return tuple(range(self.least, self.most + 1))

    def number(self, value: Value) -> int:
        """The value as the state holds it."""
        if isinstance(value, str):
            return self.choices.index(value)
        return int(value or 0)


def complete_options(game: str, options: Sequence[Option], given: Mapping[str, object]) -> dict[str, Value]:
    """All options of a game: those given, checked, and the defaults of the others."""
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise UsageError(Text("error.option.name", game=game, option=shown(name), options=tuple(known)))
    return {name: option.check(game, given.get(name, option.default)) for name, option in known.items()}


def options_to_write(options: Sequence[Option], chosen: Mapping[str, Value]) -> dict[str, Value]:
    """What a record's header holds: `players`, and every option that differs from its default."""
    return {o.name: chosen[o.name] for o in options if o.name == "players" or chosen[o.name] != o.default}
