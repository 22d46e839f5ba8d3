"""How the final score comes about: earlier rounds of a match, then complete and closed collections (C5, C6, C12)."""

from collections.abc import Iterator
from typing import Any

from brocante.engine.text import Player, Text
from brocante.engine.view import Award, Mark
from brocante.games.collection.faces import CLOSED, COMPLETED, Lying, point_cards


def awards(s: Any) -> Iterator[Award]:
    this_round = [award(s, way) for way in (COMPLETED, CLOSED)]
    if s.rounds > 1:
        yield earlier_rounds(s, this_round)
    yield from this_round


def award(s: Any, way: Lying) -> Award:
    """The point cards that lie this way."""
    cards = [sum(point_cards(s, p, way)) for p in range(s.players)]
    counts = tuple(Text("collection.award.count", player=Player(p), cards=n) for p, n in enumerate(cards) if n)
    each = Text("collection.award.each", points=Text("points", n=way.points), counts=counts)
    title = Text(f"collection.award.{way.key}")
    why = each if counts else Text("collection.award.none")
    return Award(title, why, tuple(way.points * n for n in cards), Mark(way.sign, "ink", title))


def earlier_rounds(s: Any, this_round: list[Award]) -> Award:
    """C12: what everyone had before this round."""
    points = tuple(int(s.score[p]) - sum(award.points[p] for award in this_round) for p in range(s.players))
    return Award(Text("collection.award.earlier"), Text("collection.award.rounds", n=int(s.rounds) - 1), points)
