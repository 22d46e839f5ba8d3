"""The deck file: which 63 objects a game is played with (A2a, A2b).

The built-in one is `deck.toml`; players can bring the cards of their own box in such a file (docs/decks.md). A record
played with another deck carries its items, without their names.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from brocante.engine.errors import UsageError, quoted
from brocante.engine.player_files import Brought, ids_twice, is_whole, keys_amiss, of_entry
from brocante.engine.text import LANGUAGES, Name, Text
from brocante.games.antiques.rules import BONUSES, DECADES, ITEMS

FIRST_YEAR, LAST_YEAR = 1950, 1979
TRAITS = BONUSES - DECADES  # colours and categories together
MOST_VALUE = 1_000_000  # so that every score fits its field
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LONGEST_SLUG = 60
IN_A_RECORD = ("category", "colour", "year", "value")
Row = tuple[Any, Any]  # the id of an item and its table, as they were read


class Item(msgspec.Struct, frozen=True):
    """A1: an object of the market."""

    id: str
    category: str
    colour: str
    year: int
    value: int
    name: tuple[str, ...] = ()  # in each of LANGUAGES; empty if only the id is known

    @property
    def title(self) -> Name:
        return Name(dict(zip(LANGUAGES, self.name, strict=True))) if self.name else Name({}, self.id.replace("-", " "))

    @property
    def decade(self) -> int:
        return (self.year - FIRST_YEAR) // 10


class Deck(Brought):
    """63 items, the oldest first. Two decks with the same items are the same deck, whatever the items are called."""

    game, what, field, wrong = "antiques", "deck", "deck_file", "antiques.deck.wrong"
    file = Path(__file__).parent / "deck.toml"

    def __init__(self, items: tuple[Item, ...], text: str = "") -> None:
        self.items = tuple(sorted(items, key=lambda item: (item.year, item.id)))
        self.ids = tuple(item.id for item in self.items)
        self.number = {item.id: i for i, item in enumerate(self.items)}
        self.colours, self.categories = colours_of(items), categories_of(items)
        super().__init__([[item.id, *(getattr(item, key) for key in IN_A_RECORD)] for item in self.items], text)

    def __reduce__(self) -> tuple[Any, ...]:
        return Deck, (self.items, self.text)

    def title_of(self, id_: str) -> Name:
        return self.items[self.number[id_]].title

    def says_more(self) -> bool:
        return bool(self.items[0].name)

    @classmethod
    def from_file(cls, data: dict[str, Any], where: str, text: str) -> "Deck":
        if set(data) != {"item"} or not isinstance(data["item"], list):
            raise UsageError(Text("antiques.deck.no_items", file=where, keys=tuple(map(quoted, data)) or "–"))
        return cls._checked([with_id(row) for row in data["item"]], ("id", *IN_A_RECORD, "name"), where, text)

    @classmethod
    def from_record(cls, data: dict[str, Any]) -> "Deck":
        """The deck that a setup line carries: `{id: {category, colour, year, value}}`."""
        return cls._checked(list(data.items()), IN_A_RECORD, Text("error.brought.setup"))

    @classmethod
    def _checked(cls, rows: list[Row], keys: tuple[str, ...], where: Text | str, text: str = "") -> "Deck":
        cls.refuse(problems_of(rows, keys), where)
        return cls(tuple(Item(**{**row, "id": id_, "name": names_of(row)}) for id_, row in rows), text)

    def for_record(self) -> dict[str, Any]:
        return {item.id: {key: getattr(item, key) for key in IN_A_RECORD} for item in self.items}

    def lay_out(self, s: Any) -> None:
        s.deck_file = self.key
        s.value[:] = [item.value for item in self.items]
        s.year[:] = [item.year - FIRST_YEAR for item in self.items]
        s.counts_for[:] = bonuses_of(self.items)


def colours_of(items: Iterable[Item]) -> tuple[str, ...]:
    return tuple(sorted({item.colour for item in items}))


def categories_of(items: Iterable[Item]) -> tuple[str, ...]:
    return tuple(sorted({item.category for item in items}))


def bonuses_of(items: Sequence[Item]) -> list[tuple[int, int, int]]:
    """A2: for each item, the bonuses for which it counts: those of its decade, its colour and its category."""
    colours, categories = colours_of(items), categories_of(items)
    first_category = DECADES + len(colours)
    return [
        (item.decade, DECADES + colours.index(item.colour), first_category + categories.index(item.category))
        for item in items
    ]


def with_id(row: Any) -> Row:
    """An item of a file in the shape of a record's: with its id before it."""
    return (row.get("id"), row) if isinstance(row, dict) else (None, row)


def names_of(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(row["name"][code].strip() for code in LANGUAGES) if "name" in row else ()


def deck_of(s: Any) -> Deck:
    """The deck that a state is played with."""
    return Deck.of(s)


# --- what can be wrong with a deck (A2b) ------------------------------------------------------------------------------


def problems_of(rows: list[Row], keys: tuple[str, ...]) -> Iterator[Text]:
    """Everything that is wrong, each with its item."""
    if len(rows) != ITEMS:
        yield Text("antiques.deck.number", items=len(rows), n=ITEMS)
    sound = []
    for number, (id_, row) in enumerate(rows, 1):
        wrong = list(problems_of_item(id_, row, keys))
        item = Text("antiques.deck.item", number=number, id=quoted(id_))
        yield from of_entry(item, wrong)
        if not wrong:
            sound.append((id_, row))
    yield from problems_together(rows, sound)


def problems_of_item(id_: Any, row: Any, keys: tuple[str, ...]) -> Iterator[Text]:
    if not isinstance(row, dict):
        yield Text("error.brought.not_a_table")
        return
    for key, value in {**row, "id": id_}.items():
        if key in IS_SOUND and value is not None and not IS_SOUND[key](value):
            yield Text(f"antiques.deck.must_be.{key}", value=quoted(value))
    yield from keys_amiss(row, keys)


def problems_together(rows: list[Row], sound: list[Row]) -> Iterator[Text]:
    """What is wrong with the items as a whole: repeated ids, too many or too few kinds."""
    yield from ids_twice(id_ for id_, _ in sound)
    colours, categories = ({row[key] for _, row in sound} for key in ("colour", "category"))
    if len(sound) == len(rows) == ITEMS and len(colours) + len(categories) != TRAITS:
        kinds = {"colours": tuple(sorted(colours)), "categories": tuple(sorted(categories))}
        yield Text("antiques.deck.kinds", **kinds, there=len(colours) + len(categories), n=TRAITS)


def is_slug(value: Any) -> bool:
    return isinstance(value, str) and bool(SLUG.fullmatch(value)) and len(value) <= LONGEST_SLUG


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

Deck.built_in()  # opened first, so that a player's names for the same items take precedence
