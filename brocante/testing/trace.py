"""A whole game as a list of fingerprints, to compare backends."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from brocante.engine.box import Box
from brocante.engine.random import BOTS, below, generator
from brocante.engine.state import CHANCE, NOBODY

#: What seats know is computed only once in this many moves: it is slow in plain Python.
SELDOM = 13


def trace(box: Box, options: Mapping[str, Any], seed: str, most: int) -> list[str]:
    """The fingerprint of every state of a random game, and now and then of everything the rules compute from it."""
    s = box.fresh(box.complete(options))
    rng = generator(seed, BOTS)
    prints: list[str] = []
    fallen = 0
    while s.actor != NOBODY and len(prints) < most:
        if s.actor == CHANCE:
            box.running.chance(s, generator(seed, fallen))
            fallen += 1
        else:
            actions = box.legal(s)
            box.running.apply(s, actions[below(rng, len(actions))])
        parts = [s.tobytes()]
        if len(prints) % SELDOM == 0:
            parts += known(box, s, seed)
        prints.append(hashlib.blake2b(b"|".join(parts), digest_size=8).hexdigest())
    return prints


def known(box: Box, s: Any, seed: str) -> Iterator[bytes]:
    """Everything else that the rules and the bots compute from a state."""
    yield repr((box.census(s), box.result(s))).encode()
    for seat in range(s.players):
        yield box.seen(s, seat).tobytes()
        yield box.observation(s, seat).tobytes()
        yield box.redealt(s, seat, generator(seed, seat)).tobytes()
    if s.actor >= 0:
        yield from choices(box, s, seed)


def choices(box: Box, s: Any, seed: str) -> Iterator[bytes]:
    actions = np.zeros(box.rules.ACTIONS, np.int64)
    n = box.running.legal(s, actions)
    if box.greedy is not None:
        scratch = np.zeros(box.greedy.SCRATCH, box.rules.STATE)
        yield b"%d" % box.running.choose(box.seen(s, s.actor), s.actor, actions, n, scratch, generator(seed, BOTS))
