"""Random numbers: the same everywhere, and fair."""

import numpy as np
import pytest

from brocante.engine.random import below, generator, next32, seed_generator, seed_key, shuffle


def test_the_generator_is_sfc32() -> None:
    """Against a plain rendering of the published algorithm, with the 32-bit words of Python's own integers."""

    def sfc32(a: int, b: int, c: int, counter: int, steps: int) -> list[int]:
        out = []
        for _ in range(steps):
            result = (a + b + counter) % 2**32
            counter = (counter + 1) % 2**32
            a, b = b ^ (b >> 9), (c + (c << 3)) % 2**32
            c = (((c << 21) | (c >> 11)) + result) % 2**32
            out.append(result)
        return out

    rng = np.array([1, 2**32 - 1, 0xDEADBEEF, 7], np.int64)
    assert [int(next32(rng)) for _ in range(1000)] == sfc32(1, 2**32 - 1, 0xDEADBEEF, 7, 1000)


@pytest.mark.parametrize("n", [1, 2, 5, 6, 52, 108])
def test_every_number_below_n_is_as_likely(n: int) -> None:
    rng = generator("fair dice")
    counts = np.bincount([below(rng, n) for _ in range(200 * n)], minlength=n)
    assert len(counts) == n
    assert ((counts - 200) ** 2 / 200).sum() < n + 6 * np.sqrt(2 * n)


def test_every_order_of_a_shuffle_is_as_likely() -> None:
    rng = generator("shuffle")
    seen: dict[tuple[int, ...], int] = {}
    for _ in range(24 * 200):
        cards = np.array([9, 0, 1, 2, 3, 9])
        shuffle(rng, cards, 1, 5)
        assert cards[0] == cards[5] == 9
        seen[tuple(cards.tolist())] = seen.get(tuple(cards.tolist()), 0) + 1
    assert len(seen) == 24
    assert sum((count - 200) ** 2 / 200 for count in seen.values()) < 24 + 6 * np.sqrt(48)


def test_seeds_numbers_and_streams_give_different_numbers() -> None:
    firsts = set()
    for seed in ("1", "2", "market"):
        for number in range(20):
            for stream in range(20):
                rng = np.zeros(4, np.int64)
                seed_generator(rng, seed_key(seed), number, stream)
                firsts.add(int(next32(rng)))
    assert len(firsts) == 3 * 20 * 20


def test_neighbouring_seeds_are_unrelated() -> None:
    """Half of the bits differ between one stream and the next, from the first number on."""
    words = np.array([[int(next32(rng)) for _ in range(4)] for rng in (generator("s", n) for n in range(500))])
    flips = np.unpackbits((words[1:] ^ words[:-1]).astype(np.uint32).view(np.uint8)).mean()
    assert abs(flips - 0.5) < 0.01
