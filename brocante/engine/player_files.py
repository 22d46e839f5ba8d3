"""What players bring along in a file of their own: a deck, a board. How such a file is read, refused and remembered."""

import hashlib
import json
import tomllib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Self

from msgspec import UnsetType

from brocante.engine.errors import IllegalMove, UsageError, quoted
from brocante.engine.text import Text

LARGEST_FILE = 1 << 20
MOST_TOLD = 10  # problems at once


class Brought(ABC):
    """Something of the box that players may bring along in a TOML file of their own.

    Rules know its content from the state (`lay_out`), everything else from `opened`, by the key that the state holds.
    Two with the same content are the same, whatever else their files say.
    """

    game: ClassVar[str]  # the game it belongs to
    what: ClassVar[str]  # "deck", "board": its option, and the command that prints the built-in one
    field: ClassVar[str]  # of a state that holds its key; named like the option unless a game says otherwise
    file: ClassVar[Path]  # the built-in one
    wrong: ClassVar[str]  # the message above a list of problems
    opened: ClassVar[dict[int, Any]]  # every one that was opened, by its key: the last one that said more than a record

    def __init_subclass__(cls) -> None:
        cls.opened = {}
        cls.field = vars(cls).get("field", cls.what)

    def __init__(self, content: Any, text: str) -> None:
        """`content` is what matters to the rules, as plain data; `text` that of the file, if it was read from one."""
        self.key = content_key(content)
        self.text = text
        if self.says_more() or self.key not in self.opened:
            self.opened[self.key] = self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.key == other.key

    def __hash__(self) -> int:
        return self.key

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.key:x}>"

    def says_more(self) -> bool:
        """Whether it holds anything that a record leaves out, such as names."""
        return bool(self.text)

    @classmethod
    @cache
    def built_in(cls) -> Self:
        return cls.read(cls.file)

    @classmethod
    def template(cls) -> str:
        """A file to start from: the built-in one."""
        return cls.file.read_text("utf-8")

    @classmethod
    def of(cls, s: Any) -> Self:
        """What a state is played with. Until a record has given it, nothing of it is seen."""
        key = int(s[cls.field])
        found: Self = cls.opened[key] if key else cls.built_in()
        return found

    @classmethod
    def read(cls, file: Path) -> Self:
        """What a TOML file holds. Raises a UsageError that says what is wrong, and with which entry."""
        try:
            with file.open("rb") as opened:
                data = opened.read(LARGEST_FILE + 1)
        except (OSError, ValueError) as error:  # the latter for a name that no file can have
            problem = getattr(error, "strerror", None) or str(error)
            text = Text("error.brought.no_file", what=cls.what, game=cls.game, file=str(file), problem=problem)
            raise UsageError(text) from None
        if len(data) > LARGEST_FILE:
            raise UsageError(Text("error.brought.too_large", file=str(file), most=LARGEST_FILE))
        try:
            return cls.parse(data.decode("utf-8-sig"), str(file))
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b"\n") + 1
            raise UsageError(Text("error.brought.not_text", file=str(file), line=line)) from None

    @classmethod
    def parse(cls, text: str, where: str) -> Self:
        """What the text of a file describes."""
        try:
            data = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise UsageError(Text("error.brought.not_toml", file=where, problem=str(error))) from None
        return cls.from_file(data, where, text)

    @classmethod
    def take(cls, s: Any, told: dict[str, Any] | UnsetType, *, lacking: str, other: str) -> None:
        """Lay out what a setup line brings along. A record of a game with a player's own deck or board must bring it
        (otherwise: `lacking`); one with the built-in one may bring only that (otherwise: `other`)."""
        if isinstance(told, UnsetType):
            if not s[cls.field]:
                raise IllegalMove(Text(lacking))
            return
        try:
            brought = cls.from_record(told)
        except UsageError as error:
            raise IllegalMove(error.text) from None
        if s[cls.field] and s[cls.field] != brought.key:
            raise IllegalMove(Text(other))
        brought.lay_out(s)

    @classmethod
    def refuse(cls, problems: Iterable[Text], where: Text | str) -> None:
        """A UsageError that lists the problems, if there are any."""
        told = list(problems)
        if told:
            more = [Text("error.brought.more", n=len(told) - MOST_TOLD)] if len(told) > MOST_TOLD else []
            raise UsageError(Text(cls.wrong, file=where, problems=told[:MOST_TOLD] + more))

    @classmethod
    @abstractmethod
    def from_file(cls, data: dict[str, Any], where: str, text: str) -> Self:
        """What the tables of a file describe."""

    @classmethod
    @abstractmethod
    def from_record(cls, data: dict[str, Any]) -> Self:
        """What a setup line carries."""

    @abstractmethod
    def for_record(self) -> dict[str, Any]: ...

    @abstractmethod
    def lay_out(self, s: Any) -> None:
        """Write into a state what the rules need to know of it."""


def content_key(content: Any) -> int:
    """A number for plain data that fits into a state."""
    digest = hashlib.blake2b(json.dumps(content).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1


# --- what can be wrong with any of them -------------------------------------------------------------------------------


def of_entry(entry: Text | str, problems: Iterable[Text]) -> Iterator[Text]:
    """The problems, each with the entry that has it."""
    return (Text("error.brought.of_entry", entry=entry, problem=problem) for problem in problems)


def keys_amiss(row: Mapping[str, Any], keys: tuple[str, ...], may: tuple[str, ...] = ()) -> Iterator[Text]:
    """Unknown keys and missing ones; those of `may` can be left out."""
    for key in sorted(set(row) - {*keys, *may}):
        yield Text("error.brought.unknown_key", key=quoted(key), keys=(*keys, *may))
    yield from (Text("error.brought.missing", key=key) for key in keys if row.get(key) is None)


def ids_twice(ids: Iterable[str]) -> Iterator[Text]:
    for id_, n in Counter(ids).items():
        if n > 1:
            yield Text("error.brought.id_twice", id=id_, times=n)


def is_whole(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most
