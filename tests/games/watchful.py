"""A bot that plays Vinto at random, and stops everything if ever it finds more actions waiting (V5) than it should."""

from typing import Any

from brocante.engine import below, rule

SCRATCH = 0
MOST_WAITING = 12  # about twice as many as in the longest turns that are ever played


@rule
def choose(s: Any, seat: Any, actions: Any, n: Any, scratch: Any, rng: Any) -> Any:
    assert s.waits <= MOST_WAITING
    return actions[below(rng, n)]
