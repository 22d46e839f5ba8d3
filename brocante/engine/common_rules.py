"""Rules that every game needs: the order of seats, the list of legal actions, places."""

from brocante.engine.rule import rule


@rule
def left_of(s, p):
    """The next seat, clockwise."""
    return (p + 1) % s.players


@rule
def offer(actions, n, action, possible):
    """Write an action, and count it if it is possible: no branch, which a processor could not predict."""
    actions[n] = action
    return n + int(possible)


@rule
def rank(points, ranks, players):
    """Places by points alone: 1 + the number of players who did better. Equal points share a place."""
    for p in range(players):
        ranks[p] = 1
        for q in range(players):
            ranks[p] += int(points[q] > points[p])
