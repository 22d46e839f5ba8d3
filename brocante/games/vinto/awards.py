"""How the final score comes about, and how points are written: places by the points of all rounds (V11.1)."""

from collections.abc import Iterator
from typing import Any

from brocante.engine.box import result_of
from brocante.engine.text import Player, Text
from brocante.engine.view import Award
from brocante.games.vinto import rules


def awards(s: Any) -> Iterator[Award]:
    """V11.1: the places, from the last that counts to the first."""
    scores, ranks = result_of(rules.result, s)
    for rank in sorted(set(ranks), reverse=True):
        there = [p for p in range(s.players) if ranks[p] == rank]
        if scores[there[0]]:
            points = signed(s.points[there[0]])
            why = Text("vinto.place.why", players=tuple(map(Player, there)), points=points)
            yield Award(Text(f"vinto.place.{rank}"), why, tuple(scores[p] * (p in there) for p in range(s.players)))


def signed(points: int) -> str:
    return f"+{points}" if points > 0 else number(points)


def number(n: int) -> str:
    return f"−{-n}" if n < 0 else str(n)
