"""The deck: which 63 objects a game is played with (A2a, A2b).

The built-in deck is `deck.toml`, and anyone who owns the box can bring their own cards in such a file (docs/decks.md).
A record played with another deck carries its items, without their names.
"""

import hashlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from brocante.engine.errors import UsageError, shown
from brocante.engine.text import LANGUAGES, Name, Text
from brocante.games.antiques.rules import BONUSES, DECADES, ITEMS

BUILT_IN = Path(__file__).parent / "deck.toml"
FIRST_YEAR, LAST_YEAR = 1950, 1979
TRAITS = BONUSES - DECADES  # colours and categories together
MOST_VALUE = 1_000_000  # so that no score is too large for its field
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LONGEST_SLUG = 60
IN_A_RECORD = ("category", "colour", "year", "value")
LARGEST_FILE = 1 << 20
MOST_TOLD = 10  # problems at once
Row = tuple[Any, Any]  # an id and the rest of an item, as they were read


class Item(msgspec.Struct, frozen=True):
    """A1: an object of the market."""

    id: str
    category: str
    colour: str
    year: int
    value: int
    name: tuple[str, ...] = ()  # in each of LANGUAGES; none if only its id is known

    @property
    def title(self) -> Name:
        return Name(dict(zip(LANGUAGES, self.name, strict=True))) if self.name else Name({}, self.id.replace("-", " "))

    @property
    def decade(self) -> int:
        return (self.year - FIRST_YEAR) // 10


class Deck:
    """63 items, the oldest first. Two decks with the same items are the same deck, whatever the items are called."""

    #: Every deck that was opened, by its key, which is what a state holds of it: the last one that had names.
    opened: ClassVar[dict[int, "Deck"]] = {}

    def __init__(self, items: tuple[Item, ...], text: str = "") -> None:
        self.items = tuple(sorted(items, key=lambda item: (item.year, item.id)))
        self.text = text  # of the file it was read from
        self.ids = tuple(item.id for item in self.items)
        self.number = {item.id: i for i, item in enumerate(self.items)}
        self.colours, self.categories = colours_of(items), categories_of(items)
        self.key = self._key()
        if self.items[0].name or self.key not in self.opened:
            self.opened[self.key] = self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deck) and self.key == other.key

    def __hash__(self) -> int:
        return self.key

    def __reduce__(self) -> tuple[Any, ...]:
        return Deck, (self.items, self.text)

    def __repr__(self) -> str:
        return f"<Deck of {len(self.items)} items, key {self.key:x}>"

    def _key(self) -> int:
        """A number for what matters to the rules: everything but the names."""
        plain = json.dumps([[item.id, *(getattr(item, key) for key in IN_A_RECORD)] for item in self.items])
        return int.from_bytes(hashlib.blake2b(plain.encode(), digest_size=8).digest(), "little") >> 1

    @classmethod
    @cache
    def built_in(cls) -> "Deck":
        return cls.read(BUILT_IN)

    @classmethod
    def template(cls) -> str:
        """A file to start from: the built-in deck."""
        return BUILT_IN.read_text("utf-8")

    @classmethod
    def read(cls, file: Path) -> "Deck":
        """The deck in a TOML file; a UsageError that says what is wrong, and with which item, if it is none."""
        try:
            with file.open("rb") as opened:
                data = opened.read(LARGEST_FILE + 1)
        except (OSError, ValueError) as error:  # the latter for a name that no file can have
            problem = getattr(error, "strerror", None) or str(error)
            raise UsageError(Text("antiques.deck.no_file", file=str(file), problem=problem)) from None
        if len(data) > LARGEST_FILE:
            raise UsageError(Text("antiques.deck.too_large", file=str(file), most=LARGEST_FILE))
        try:
            return cls.parse(data.decode("utf-8-sig"), str(file))
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b"\n") + 1
            raise UsageError(Text("antiques.deck.not_utf8", file=str(file), line=line)) from None

    @classmethod
    def parse(cls, text: str, where: str) -> "Deck":
        """The deck that the text of a file describes."""
        try:
            data = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise UsageError(Text("antiques.deck.not_toml", file=where, problem=str(error))) from None
        if set(data) != {"item"} or not isinstance(data["item"], list):
            raise UsageError(Text("antiques.deck.no_items", file=where, keys=tuple(map(shown, data)) or "–"))
        return cls._checked([split_id(row) for row in data["item"]], (*IN_A_RECORD, "name"), where, text)

    @classmethod
    def from_record(cls, items: dict[str, Any]) -> "Deck":
        """The deck that a setup line carries: `{id: {category, colour, year, value}}`."""
        return cls._checked(list(items.items()), IN_A_RECORD, "items")

    @classmethod
    def _checked(cls, rows: list[Row], keys: tuple[str, ...], where: str, text: str = "") -> "Deck":
        problems = list(problems_of(rows, keys))
        if problems:
            more = [Text("antiques.deck.more", n=len(problems) - MOST_TOLD)] if len(problems) > MOST_TOLD else []
            raise UsageError(Text("antiques.deck.wrong", file=where, problems=problems[:MOST_TOLD] + more))
        return cls(tuple(Item(id_, **{**row, "name": names_of(row)}) for id_, row in rows), text)

    def for_record(self) -> dict[str, Any]:
        return {item.id: {key: getattr(item, key) for key in IN_A_RECORD} for item in self.items}

    def lay_out(self, s: Any) -> None:
        """Write into a state what the rules need to know of the items."""
        s.deck = self.key
        s.value[:] = [item.value for item in self.items]
        s.year[:] = [item.year - FIRST_YEAR for item in self.items]
        s.counts_for[:] = bonuses_of(self.items)


def colours_of(items: Iterable[Item]) -> tuple[str, ...]:
    return tuple(sorted({item.colour for item in items}))


def categories_of(items: Iterable[Item]) -> tuple[str, ...]:
    return tuple(sorted({item.category for item in items}))


def bonuses_of(items: Sequence[Item]) -> list[tuple[int, int, int]]:
    """A2: for each item, the numbers of the bonuses for which it counts: of its decade, its colour, its category."""
    colours, categories = colours_of(items), categories_of(items)
    first_category = DECADES + len(colours)
    return [
        (item.decade, DECADES + colours.index(item.colour), first_category + categories.index(item.category))
        for item in items
    ]


def split_id(row: Any) -> Row:
    """An item of a file as one of a record: its id, and the rest."""
    return (row.get("id"), {key: row[key] for key in row if key != "id"}) if isinstance(row, dict) else (None, row)


def names_of(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(row["name"][code].strip() for code in LANGUAGES) if "name" in row else ()


def deck_of(s: Any) -> Deck:
    """The deck that a state is played with; as long as a record has not given it, nothing of it is seen."""
    return Deck.opened[int(s.deck)] if s.deck else Deck.built_in()


# --- what can be wrong with a deck (A2b) ------------------------------------------------------------------------------


def problems_of(rows: list[Row], keys: tuple[str, ...]) -> Iterator[Text]:
    """Everything that is wrong, each with the item it is wrong with."""
    if len(rows) != ITEMS:
        yield Text("antiques.deck.number", items=len(rows), n=ITEMS)
    sound = []
    for number, (id_, row) in enumerate(rows, 1):
        wrong = list(problems_of_item(id_, row, keys))
        item = Text("antiques.deck.item", number=number, id=shown(id_))
        yield from (Text("antiques.deck.of_item", item=item, problem=problem) for problem in wrong)
        if not wrong:
            sound.append((id_, row))
    yield from problems_together(rows, sound)


def problems_of_item(id_: Any, row: Any, keys: tuple[str, ...]) -> Iterator[Text]:
    if not isinstance(row, dict):
        yield Text("antiques.deck.not_a_table")
        return
    for key in sorted(set(row) - set(keys)):
        yield Text("antiques.deck.unknown_key", key=shown(key), keys=("id", *keys) if "name" in keys else keys)
    if id_ is None:
        yield Text("antiques.deck.missing", key="id")
    for key, value in {"id": id_, **row}.items():
        if key in IS_SOUND and value is not None and not IS_SOUND[key](value):
            yield Text(f"antiques.deck.must_be.{key}", value=shown(value))
    yield from (Text("antiques.deck.missing", key=key) for key in keys if row.get(key) is None)


def problems_together(rows: list[Row], sound: list[Row]) -> Iterator[Text]:
    """What no item alone has wrong: ids that repeat, and too many or too few kinds."""
    for id_, n in Counter(id_ for id_, _ in sound).items():
        if n > 1:
            yield Text("antiques.deck.id_twice", id=id_, times=n)
    colours, categories = ({row[key] for _, row in sound} for key in ("colour", "category"))
    if len(sound) == len(rows) == ITEMS and len(colours) + len(categories) != TRAITS:
        kinds = {"colours": tuple(sorted(colours)), "categories": tuple(sorted(categories))}
        yield Text("antiques.deck.kinds", **kinds, there=len(colours) + len(categories), n=TRAITS)


def is_slug(value: Any) -> bool:
    return isinstance(value, str) and bool(SLUG.fullmatch(value)) and len(value) <= LONGEST_SLUG


def is_whole(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def is_named(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == set(LANGUAGES)
        and all(isinstance(name, str) and len(name.strip()) > 0 and name.isprintable() for name in value.values())
    )


IS_SOUND: dict[str, Callable[[Any], bool]] = {
    "id": is_slug,
    "category": is_slug,
    "colour": is_slug,
    "year": lambda value: is_whole(value, FIRST_YEAR, LAST_YEAR),
    "value": lambda value: is_whole(value, 0, MOST_VALUE),
    "name": is_named,
}

Deck.built_in()  # before any other deck, so that names that somebody brings for the same items are not lost again
