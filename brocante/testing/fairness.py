"""The law that a redeal is fair: not just possible, but every possibility as likely as it should be.

As long as only chance and the seat itself have acted, the seat's knowledge leaves the true deal and a fair redeal with
the same distribution, and two redeals as independent of each other as of the truth. So over many deals the means of
anything one can compute from the hidden parts must agree. We compare every number in the state, the products of
neighbours (a pack that is only cut keeps the plain means), and how much a redeal resembles the truth.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from brocante.engine.box import Box
from brocante.engine.game import Game
from brocante.engine.options import Value
from brocante.engine.random import generator
from brocante.testing.positions import played_on

#: A fair redeal goes beyond this many standard errors about once in a hundred million comparisons.
SIGMAS = 6.0


def redeals_are_fair(box: Box, examples: int = 1500) -> None:
    for players in box.players:
        for moment in (before_anyone_acts, after_the_first_turn):
            _compare(box, {"players": players}, moment, examples)


def before_anyone_acts(game: Game) -> int:
    """Right after the deal, whoever it is that looks."""
    return (game.actor + 1) % game.players


def after_the_first_turn(game: Game) -> int:
    """When the first player has acted and nobody else has, as that player sees it."""
    seat = game.actor
    while game.actor == seat:
        played_on(game, 1)
    return seat


def _compare(box: Box, options: dict[str, Value], moment: Any, examples: int) -> None:
    truths, redeals, others = (np.array(rows) for rows in zip(*_samples(box, options, moment, examples), strict=True))
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
            f"a redeal is biased ({moment.__name__}, {options}): {what}, at place {worst}, is {sigmas:.0f} sigmas off"
        )


def _samples(box: Box, options: dict[str, Value], moment: Any, examples: int) -> Iterator[tuple[Any, Any, Any]]:
    """The truth and two redeals of it, as rows of numbers."""
    rng = generator("fair")
    for number in range(examples):
        game = Game(box, options, f"fair:{number}")
        seat = moment(game)
        yield tuple(_numbers(g.state) for g in (game, game.redeal(seat, rng), game.redeal(seat, rng)))


def _numbers(s: Any) -> Any:
    return np.concatenate([np.atleast_1d(s[name]).ravel().astype(np.float64) for name in s.dtype.names])
