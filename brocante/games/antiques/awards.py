"""How the final score comes about: the items, the seventeen bonus cards and why each went where, the ties."""

from collections.abc import Iterator, Sequence
from typing import Any

from brocante.engine.box import equal_scores, result_of
from brocante.engine.state import NOBODY
from brocante.engine.text import Player, Text
from brocante.engine.view import Award
from brocante.games.antiques import rules
from brocante.games.antiques.deck_file import FIRST_YEAR
from brocante.games.antiques.faces import bonus_marks
from brocante.games.antiques.rules import ALL, BONUSES, ITEMS, POINTS


def scores(s: Any) -> list[int]:
    """A10.2: points by seat."""
    return result_of(rules.result, s)[0]


def awards(s: Any) -> Iterator[Award]:
    """A10, step by step."""
    values = tuple(map(int, s.worth[: s.players]))
    counts = tuple(Text("antiques.award.count", player=Player(p), count=values[p]) for p in range(s.players))
    yield Award(Text("antiques.award.items"), Text("antiques.award.items_why", counts=counts), values)
    marks = bonus_marks(s)
    for bonus in range(BONUSES):
        winner = int(rules.winner(s, bonus))
        points = tuple(int(POINTS[bonus]) if p == winner else 0 for p in range(s.players))
        worth = Text("points", n=int(POINTS[bonus]))
        title = Text("antiques.award.bonus", bonus=marks[bonus].name, points=worth)
        yield Award(title, why(s, bonus, winner), points, marks[bonus])
    yield from ties(s)


def why(s: Any, bonus: int, winner: int) -> Text:
    """A10: who has how many; in a tie, whose items are the oldest."""
    counts = {p: int(s.tally[p, bonus]) for p in range(s.players) if s.tally[p, bonus]}
    if not counts:
        return Text("antiques.award.nobody_has_any")
    listed = tuple(
        Text("antiques.award.count", player=Player(p), count=counts[p])
        for p in sorted(counts, key=lambda p: -counts[p])
    )
    tied = [p for p in counts if counts[p] == max(counts.values())]
    if len(tied) == 1:
        return Text("antiques.award.most", counts=listed, player=Player(winner))
    if winner == NOBODY:
        return Text("antiques.award.same_years", counts=listed)
    return Text("antiques.award.oldest", counts=listed, player=Player(winner), tie=tie_break(s, bonus, winner, tied))


def ties(s: Any) -> Iterator[Award]:
    """A10.3, A10.4: equal scores, and what breaks the tie."""
    points, ranks = result_of(rules.result, s)
    for score, tied in equal_scores(points):
        title = Text("antiques.award.tie", players=tuple(map(Player, tied)), points=Text("points", n=score))
        yield Award(title, why_first(s, tied, ranks), (0,) * int(s.players))


def why_first(s: Any, tied: Sequence[int], ranks: Sequence[int]) -> Text:
    first = [p for p in tied if ranks[p] == min(ranks[q] for q in tied)]
    if len(first) > 1:
        return Text("antiques.award.shared", players=tuple(map(Player, first)))
    return Text("antiques.award.tie_goes", player=Player(first[0]), tie=tie_break(s, ALL, first[0], tied))


def tie_break(s: Any, bonus: int, winner: int, tied: Sequence[int]) -> Text:
    """Which item decided, in words: the first in order of age at which nobody is level with the winner."""
    best, *others = (years_of(s, p, bonus) for p in (winner, *(p for p in tied if p != winner)))
    place = max(first_difference(best, years) for years in others)
    later = [years[place] for years in others if years[:place] == best[:place] and len(years) > place]
    if not later:
        return Text("antiques.award.runs_out")
    nth = Text(f"antiques.nth.{place}") if place < 3 else Text("antiques.nth.more", place=place + 1)
    return Text("antiques.award.earlier", nth=nth, year=best[place], later=min(later))


def first_difference(some: Sequence[int], others: Sequence[int]) -> int:
    pairs = enumerate(zip(some, others, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(some), len(others)))


def years_of(s: Any, seat: int, bonus: int) -> list[int]:
    """The years of a Hoard's items that count for a bonus, the oldest first."""
    mine = (i for i in range(ITEMS) if rules.in_hoard(s, seat, i) and rules.counts(s, i, bonus))
    return [FIRST_YEAR + int(s.year[i]) for i in mine]
