"""Seats around a table, clockwise."""

from brocante.engine.rule import rule


@rule
def left_of(s, p):
    return (p + 1) % s.players
