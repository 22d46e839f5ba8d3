"""The law that a redeal is fair: it is possible, and every possibility is as likely as it should be.

As long as only chance and the seat itself have acted, the seat's knowledge leaves the true deal and a fair redeal with
the same distribution, and two redeals as independent of each other as of the truth. So over many deals the means of
anything computed from the hidden parts must agree. We compare every number in the state, the products of
neighbours (a pack that is only cut keeps the plain means), and how much a redeal resembles the truth.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from brocante.engine.box import Box
from brocante.engine.random import below, generator
from brocante.engine.state import CHANCE, copied

#: A fair redeal goes beyond this many standard errors about once in a hundred million comparisons.
SIGMAS = 6.0

#: Plays a state from the deal to the point where a seat looks at it. Returns the seat.
Moment = Callable[[Box, Any, Any], int]


def redeals_are_fair(box: Box, examples: int = 1500) -> None:
    for players in box.players:
        fresh = box.fresh(box.complete({"players": players}))
        for moment in (before_anyone_acts, after_the_first_turn):
            _compare(box, fresh, moment, examples)


def before_anyone_acts(box: Box, s: Any, rng: Any) -> int:
    """Right after the deal, as seen by a seat that is not to act."""
    return int(s.actor + 1) % int(s.players)


def after_the_first_turn(box: Box, s: Any, rng: Any) -> int:
    """When the first player has acted and nobody else has, as that player sees it."""
    seat = int(s.actor)
    while s.actor == seat:
        actions = box.legal(s)
        box.running.apply(s, actions[below(rng, len(actions))])
        _let_chance_move(box, s, rng)
    return seat


def _compare(box: Box, fresh: Any, moment: Moment, examples: int) -> None:
    truths, redeals, others = (
        _numbers(box, rows) for rows in zip(*_samples(box, fresh, moment, examples), strict=True)
    )
    features = {
        "a number of the state": truths - redeals,
        "two numbers side by side": truths[:, 1:] * truths[:, :-1] - redeals[:, 1:] * redeals[:, :-1],
        "likeness to the truth": (truths - others) * redeals,
    }
    for what, differences in features.items():
        mean, error = differences.mean(axis=0), differences.std(axis=0) / np.sqrt(examples)
        worst = int(np.argmax(np.abs(mean) / np.maximum(error, 1e-12)))
        sigmas = abs(mean[worst]) / max(error[worst], 1e-12)
        assert sigmas < SIGMAS, (
            f"a redeal is biased ({moment.__name__}, {fresh.players} players): {what}, at place {worst}, "
            f"is {sigmas:.0f} sigmas off"
        )


def _samples(box: Box, fresh: Any, moment: Moment, examples: int) -> Iterator[tuple[bytes, bytes, bytes]]:
    """The truth and two redeals of it."""
    rng = generator("fair")
    for _ in range(examples):
        s = copied(fresh)
        _let_chance_move(box, s, rng)
        seat = moment(box, s, rng)
        yield s.tobytes(), box.redealt(s, seat, rng).tobytes(), box.redealt(s, seat, rng).tobytes()


def _let_chance_move(box: Box, s: Any, rng: Any) -> None:
    while s.actor == CHANCE:
        box.running.chance(s, rng)


def _numbers(box: Box, states: tuple[bytes, ...]) -> Any:
    """States as rows of numbers."""
    rows = np.frombuffer(b"".join(states), box.rules.STATE)
    return np.hstack([rows[name].reshape(len(rows), -1).astype(np.float64) for name in box.rules.STATE.names or ()])
