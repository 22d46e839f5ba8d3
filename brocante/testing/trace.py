"""A whole game as a list of fingerprints, to compare ways of running the same rules."""

import base64
import hashlib
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any

import numpy as np

from brocante.bots import bots_for
from brocante.engine.box import Box
from brocante.engine.random import BOTS, below, generator
from brocante.engine.state import CHANCE, NOBODY

#: What seats know is looked at every so many moves: it is slow interpreted.
SELDOM = 13

INTERPRETED = {"NUMBA_DISABLE_JIT": "1"}
BOUNDS_CHECKED = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_DISABLE_JIT": "0"}


def trace(box: Box, options: Mapping[str, Any], seed: str, most: int) -> list[str]:
    """The fingerprint of every state of a random game, and now and then of all that the rules make of it."""
    s = box.fresh(box.complete(options))
    rng = generator(seed, BOTS)
    prints: list[str] = []
    fallen = 0
    while s.actor != NOBODY and len(prints) < most:
        if s.actor == CHANCE:
            box.rules.chance(s, generator(seed, fallen))
            fallen += 1
        else:
            actions = box.legal(s)
            box.rules.apply(s, actions[below(rng, len(actions))])
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
    n = box.rules.legal(s, actions)
    for bot in bots_for(box).values():
        scratch = np.zeros(bot.SCRATCH, box.rules.STATE)
        yield b"%d" % bot.choose(box.seen(s, s.actor), s.actor, actions, n, scratch, generator(seed, BOTS))


class Elsewhere:
    """Another Python process that plays the same game in another mode."""

    def __init__(self, box: Box, mode: Mapping[str, str]) -> None:
        self._package = box.package
        path = os.pathsep.join(sys.path)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "brocante.testing"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path, **mode},
        )

    def trace(self, options: Mapping[str, Any], seed: str, most: int) -> list[str]:
        assert self._process.stdin and self._process.stdout
        given = base64.b64encode(pickle.dumps(dict(options))).decode()  # a deck of one's own is no JSON
        request = {"package": self._package, "options": given, "seed": seed, "most": most}
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, f"playing {request} ended the other process"
        reply: dict[str, Any] = json.loads(answer)
        assert "error" not in reply, reply["error"]
        prints: list[str] = reply["prints"]
        return prints

    def __enter__(self) -> "Elsewhere":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
