"""Listing the legal actions."""

from brocante.engine.rule import rule


@rule
def offer(actions, n, action, possible):
    """Write an action, and count it if it is possible. This has no branch, which a processor could not predict."""
    actions[n] = action
    return n + int(possible)
