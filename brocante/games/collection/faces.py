"""The faces of the cards, and of point cards, which lie upright or sideways to show what they count (C5, C6)."""

from functools import cache
from typing import Any

import msgspec

from brocante.engine.text import Text
from brocante.engine.view import Card
from brocante.games.collection import rules
from brocante.games.collection.moves import KINDS


@cache
def kind_name(kind: str) -> Text:
    return Text(f"collection.kind.{kind}.name")


@cache
def cards_named(kind: str, n: int) -> Text:
    """A number of cards of a kind, as the log and the buttons name them."""
    return Text(f"collection.kind.{kind}.cards", n=n)


#        banknotes watches stamps books tarots
SIGNS = ("¤", "◷", "▣", "▤", "✶")
INKS = ("teal", "tomato", "mustard", "midnight", "wine")
FACES = tuple(
    Card(kind, kind_name(kind), sign, ink, str(size))
    for kind, sign, ink, size in zip(KINDS, SIGNS, INKS, rules.SIZE.tolist(), strict=True)
)


class Lying(msgspec.Struct, frozen=True):
    """One of the two ways in which point cards lie."""

    key: str
    sign: str
    points: int  # a card
    faces: tuple[Card, ...]


def lying(key: str, sign: str, points: int) -> Lying:
    """The face of a point card: its sign begins with how it lies, and its name says what it counts."""

    def turned(face: Card) -> Card:
        name = Text("collection.points.each", kind=face.name, points=Text("points", n=points))
        return Card(face.kind, name, sign + face.sign, face.ink)

    return Lying(key, sign, points, tuple(map(turned, FACES)))


COMPLETED = lying("completed", "▮", rules.COMPLETE)
CLOSED = lying("closed", "▬", rules.CLOSED)


def point_cards(s: Any, seat: int, way: Lying) -> list[int]:
    """How many point cards of each kind a player has that lie this way."""
    cards: list[int] = s[way.key][seat].tolist()
    return cards
