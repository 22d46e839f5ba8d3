"""Places: 1 + the number of players who did better."""

from brocante.engine.rule import rule


@rule
def rank(points, ranks, players):
    """Places by points alone; equal points share a place."""
    for p in range(players):
        ranks[p] = 1
        for q in range(players):
            ranks[p] += int(points[q] > points[p])
