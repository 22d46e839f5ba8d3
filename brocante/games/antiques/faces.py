"""What items look like: the signs of categories, colours and decades, and the faces of the cards."""

from functools import lru_cache
from typing import Any

from brocante.engine.text import Name, Text, Words, language
from brocante.engine.view import Card, Mark
from brocante.games.antiques.deck_file import Item, bonuses_of, categories_of, colours_of, deck_of

#: Signs and inks that colour-blind people can tell apart. What a player's deck adds gets a spare sign.
COLOURS = {
    "red": ("◆", "tomato"),
    "yellow": ("★", "mustard"),
    "green": ("♣", "olive"),
    "blue": ("▼", "river"),
    "pink": ("♥", "pink"),
    "black": ("■", "ink"),
    "white": ("○", "faint"),
    "orange": ("▲", "mustard"),
    "purple": ("♠", "wine"),
    "brown": ("▬", "wine"),
    "grey": ("◐", "faint"),
}
CATEGORIES = {
    "lighting": "☼",
    "bikes": "◎",
    "toys": "♞",
    "seats": "π",
    "kitchen": "ψ",
    "music": "♪",
    "gadgets": "✆",
}
DECADE_SIGNS = ("50", "60", "70")
SPARE_SIGNS = "αβγδεζηθκλμνξρ"
DECKS_AT_HAND = 64  # decks whose faces are cached


def faces(s: Any) -> tuple[Card, ...]:
    """The faces of the cards that a state is played with, the oldest first."""
    return faces_of(deck_of(s).items)


def bonus_marks(s: Any) -> tuple[Mark, ...]:
    """A sign and a name for each bonus: the decades, the colours, the categories."""
    return marks_of(deck_of(s).items)


@lru_cache(maxsize=DECKS_AT_HAND)
def faces_of(items: tuple[Item, ...]) -> tuple[Card, ...]:
    marks, bonuses = marks_of(items), bonuses_of(items)
    return tuple(
        face(item, marks[colour], marks[category]) for item, (_, colour, category) in zip(items, bonuses, strict=True)
    )


def face(item: Item, colour: Mark, category: Mark) -> Card:
    return Card(item.id, item.title, category.sign, colour.ink, str(item.value), (category, colour), str(item.year))


@lru_cache(maxsize=DECKS_AT_HAND)
def marks_of(items: tuple[Item, ...]) -> tuple[Mark, ...]:
    marks = [Mark(sign, "ink", Text(f"antiques.decade.{n}")) for n, sign in enumerate(DECADE_SIGNS)]
    for colour in colours_of(items):
        sign, ink = COLOURS.get(colour, (spare_sign(colour, marks), "ink"))
        marks.append(Mark(sign, ink, word("colour", colour)))
    for category in categories_of(items):
        sign = CATEGORIES.get(category) or spare_sign(category, marks)
        marks.append(Mark(sign, "ink", word("category", category)))
    return tuple(marks)


def spare_sign(slug: str, marks: list[Mark]) -> str:
    """A sign for a word of a player's deck: one of its letters, or any letter that is not taken."""
    taken = {mark.sign for mark in marks}
    return next(sign for sign in slug.upper() + SPARE_SIGNS if sign.isalpha() and sign not in taken)


def word(kind: str, slug: str) -> Words:
    """What a colour or a category is called; its slug, if it comes from a player's deck."""
    key = f"antiques.{kind}.{slug}"
    return Text(key) if language("en").knows(key) else Name({}, slug.replace("-", " "))


class Called(Name):
    """The name of an item, with its card: two items of a deck may have the same name."""

    __slots__ = ("card",)

    def __init__(self, name: Name, card: Card) -> None:
        super().__init__(name.by_language, name.otherwise)
        self.card = card

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Called) and self.card == other.card and super().__eq__(other)

    def __hash__(self) -> int:
        return hash(self.card)


@lru_cache(maxsize=DECKS_AT_HAND)
def names_of(items: tuple[Item, ...]) -> tuple[Called, ...]:
    return tuple(Called(item.title, card) for item, card in zip(items, faces_of(items), strict=True))


def name_of(s: Any, item: int | str) -> Name:
    """What an item is called, by its number or its id."""
    deck = deck_of(s)
    return names_of(deck.items)[deck.number[item] if isinstance(item, str) else item]
