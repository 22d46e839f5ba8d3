"""What items look like: the signs of categories, colours and decades, and the faces of the cards."""

from functools import cache
from typing import Any

from brocante.engine.text import Name, Text, Words, language
from brocante.engine.view import Card, Mark
from brocante.games.antiques.deck import Deck, Item, deck_of
from brocante.games.antiques.rules import DECADES

#: Signs and inks that are told apart without seeing colour; what a deck brings besides gets one of the spare ones.
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


@cache
def faces(key: int) -> tuple[Card, ...]:
    """The faces of a deck's cards, the oldest first."""
    deck = Deck.opened[key]
    marks = dict(zip((*deck.colours, *deck.categories), bonus_marks(key)[DECADES:], strict=True))
    return tuple(face(item, marks[item.category], marks[item.colour]) for item in deck.items)


def face(item: Item, category: Mark, colour: Mark) -> Card:
    return Card(item.id, item.title, category.sign, colour.ink, str(item.value), (category, colour), str(item.year))


@cache
def bonus_marks(key: int) -> tuple[Mark, ...]:
    """A sign and a name for each bonus: the decades, the colours, the categories."""
    deck = Deck.opened[key]
    decades = [Mark(sign, "ink", Text(f"antiques.decade.{n}")) for n, sign in enumerate(DECADE_SIGNS)]
    colours = [colour_mark(colour, n) for n, colour in enumerate(deck.colours)]
    categories = [category_mark(category, n) for n, category in enumerate(deck.categories, len(colours))]
    return (*decades, *colours, *categories)


def colour_mark(colour: str, n: int) -> Mark:
    sign, ink = COLOURS.get(colour, (SPARE_SIGNS[n], "ink"))
    return Mark(sign, ink, word("colour", colour))


def category_mark(category: str, n: int) -> Mark:
    return Mark(CATEGORIES.get(category, SPARE_SIGNS[n]), "ink", word("category", category))


def word(kind: str, slug: str) -> Words:
    """What a colour or a category is called; one that only a deck of somebody's knows, by its slug."""
    key = f"antiques.{kind}.{slug}"
    return Text(key) if language("en").knows(key) else Name({}, slug.replace("-", " "))


def name_of(s: Any, item: int | str) -> Words:
    """What an item is called, by its number or its id."""
    deck = deck_of(s)
    return deck.items[deck.number[item] if isinstance(item, str) else item].title
