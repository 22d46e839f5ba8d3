"""How the final score comes about (P29, P30): the track, the barrels, every planted Estate, the ties."""

from collections.abc import Iterator
from typing import Any

from brocante.engine.box import equal_scores, result_of
from brocante.engine.text import Player, Text
from brocante.engine.view import Award
from brocante.games.port import rules
from brocante.games.port.faces import MARKS, site_name
from brocante.games.port.rules import BARRELS_FOR_A_POINT


def awards(s: Any) -> Iterator[Award]:
    players = range(s.players)
    track = tuple(int(s.vp[p]) for p in players)
    counts = tuple(Text("port.award.count", player=Player(p), n=track[p]) for p in players)
    yield Award(Text("port.award.track"), Text("port.award.listed", listed=counts), track)
    yield barrels(s, tuple(int(rules.vp_for_barrels(s, p)) for p in players))
    yield from (estates_of(s, p) for p in players)
    yield from ties(s)


def barrels(s: Any, points: tuple[int, ...]) -> Award:
    owned = tuple(
        Text("port.award.barrels_of", player=Player(p), n=int(rules.barrels_owned(s, p)), vp=Text("port.points", n=vp))
        for p, vp in enumerate(points)
    )
    return Award(Text("port.award.barrels", n=BARRELS_FOR_A_POINT), Text("port.award.listed", listed=owned), points)


def estates_of(s: Any, p: int) -> Award:
    """P29: the price of every planted one."""
    listed = tuple(estate(s, p, e) for e in range(s.estates[p]))
    points = tuple(int(rules.vp_for_estates(s, p)) if q == p else 0 for q in range(s.players))
    title = Text("port.award.estates", player=Player(p), vp=Text("port.points", n=points[p]))
    return Award(title, Text("port.award.listed", listed=listed), points, MARKS[p])


def estate(s: Any, p: int, e: int) -> Text:
    site = s.site[p, e]
    planted = rules.is_planted(s, p, e)
    return Text(f"port.award.{'planted' if planted else 'bare'}", site=site_name(s, site), n=int(s.price[site]))


def ties(s: Any) -> Iterator[Award]:
    """P30: equal scores, and what breaks the tie."""
    scores, ranks = result_of(rules.result, s)
    for score, tied in equal_scores(scores):
        title = Text("port.award.tie", players=tuple(map(Player, tied)), points=Text("port.points", n=score))
        yield Award(title, tie_break(s, tied, ranks), (0,) * int(s.players))


def tie_break(s: Any, tied: list[int], ranks: list[int]) -> Text:
    first = tuple(Player(p) for p in tied if ranks[p] == min(ranks[q] for q in tied))
    if len(first) == len(tied):
        return Text("port.award.shared")
    most = [p for p in tied if s.estates[p] == max(s.estates[q] for q in tied)]
    estates = tuple(Text("port.award.count", player=Player(p), n=int(s.estates[p])) for p in tied)
    if len(first) == len(most):
        return Text("port.award.most_estates", players=first, n=len(first), estates=estates)
    qualities = tuple(Text("port.award.count", player=Player(p), n=int(rules.sum_of_qualities(s, p))) for p in most)
    return Text("port.award.best_estates", players=first, n=len(first), estates=estates, qualities=qualities)
