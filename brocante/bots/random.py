"""Plays any legal action, each equally likely."""

from brocante.engine import below, rule

SCRATCH = 1


@rule
def choose(s, seat, actions, n, scratch, rng):
    return actions[below(rng, n)]
