"""Random numbers: small, fast, and the same on every machine and every backend.

The generator is Chris Doty-Humphrey's sfc32: 128 bits of state, additions, shifts and exclusive-ors of 32-bit words.
The words are held in 64-bit integers and cut to 32 bits after every step, so nothing overflows on any backend.

A generator belongs to whoever makes choices (chance, a bot, a search), never to a state. Chance takes a fresh one for
each of its moves, named by the seed, the number of the game and the number of the move: a game can be stopped, undone,
stored and resumed, and the same seed still gives the same game.
"""

import hashlib
from typing import Any

import numpy as np

from brocante.engine.rule import rule

MASK = 0xFFFFFFFF
WARM_UP = 20  # steps until every bit of the seed has reached every bit of the state
#: Bots draw from a stream that no move of chance uses.
BOTS = 0x80000000


@rule
def next32(rng):
    """The next 32 random bits."""
    a, b, c = rng[0], rng[1], rng[2]
    out = (a + b + rng[3]) & MASK
    rng[3] = (rng[3] + 1) & MASK
    rng[0] = b ^ (b >> 9)
    rng[1] = (c + (c << 3)) & MASK
    rng[2] = ((((c << 21) & MASK) | (c >> 11)) + out) & MASK
    return out


@rule
def below(rng, n):
    """A whole number from 0 to n − 1, each equally likely (Lemire's method, with rejection)."""
    product = next32(rng) * n
    if product & MASK < n:
        unfair = (MASK + 1 - n) % n
        while product & MASK < unfair:
            product = next32(rng) * n
    return product >> 32


@rule
def shuffle(rng, cards, start, stop):
    """Put cards[start:stop] into an order chosen uniformly."""
    for last in range(stop - 1, start, -1):
        other = start + below(rng, last - start + 1)
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card


@rule
def seed_generator(rng, key, number, stream):
    """Set the generator for one stream of game `number` under a 64-bit key (two 32-bit words)."""
    rng[0] = key[0]
    rng[1] = key[1]
    rng[2] = number & MASK
    rng[3] = stream & MASK
    for _ in range(WARM_UP):
        next32(rng)


def seed_key(seed: str) -> Any:
    """The 64-bit key of a seed, which may be any text."""
    digest = hashlib.blake2b(seed.encode("utf-8", "surrogateescape"), digest_size=8).digest()
    return np.array([int.from_bytes(digest[:4], "little"), int.from_bytes(digest[4:], "little")], np.int64)


def split_seed(seed: str) -> tuple[str, int]:
    """A seed and the number of the game: `7:12` is game 12 of seed 7, plain `7` is its game 0.

    >>> split_seed("7:12"), split_seed("7"), split_seed("market:day")
    (('7', 12), ('7', 0), ('market:day', 0))
    """
    text, _, number = seed.rpartition(":")
    if text and number.isdecimal() and number.isascii() and len(number) < 10:
        return text, int(number)
    return seed, 0


def generator(seed: object, stream: int = 0) -> Any:
    """A generator for one stream of a seed.

    >>> rng = generator("market day")
    >>> [int(below(rng, 6)) for _ in range(8)]
    [1, 2, 2, 2, 2, 2, 3, 0]
    """
    text, number = split_seed(str(seed))
    rng = np.zeros(4, np.int64)
    seed_generator(rng, seed_key(text), number, stream)
    return rng
