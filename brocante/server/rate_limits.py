"""Rate limits: how often a client may ask for something, and how much of the processor's time it may take."""

import time
from collections import OrderedDict
from collections.abc import Callable

#: Clients that are remembered at most; the one that was quiet the longest is forgotten.
REMEMBERED = 10_000


class Bucket:
    """A token bucket: it fills up at a rate, up to a burst; a client that finds it empty must wait.

    >>> now = 0.0
    >>> bucket = Bucket(rate=1, burst=2, clock=lambda: now)
    >>> bucket.take(), bucket.take(), bucket.take()
    (True, True, False)
    >>> now = 1.0
    >>> bucket.take(), bucket.take()
    (True, False)

    What something costs may be known only afterwards. Whoever is in debt waits the longer:

    >>> now = 3.0
    >>> bucket.charge(3.0)
    >>> now = 4.0
    >>> bucket.take()
    False
    """

    __slots__ = ("_at", "_burst", "_clock", "_left", "_rate")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left, self._at = burst, clock()

    def has(self, tokens: float) -> bool:
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        return self._left >= tokens

    def take(self) -> bool:
        if not self.has(1.0):
            return False
        self._left -= 1.0
        return True

    def charge(self, cost: float) -> None:
        """Take what was used, even if there is less."""
        self._left -= cost


class Buckets:
    """A token bucket for each address or identity."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, key: str) -> Bucket:
        bucket = self._buckets.pop(key, None) or Bucket(self._rate, self._burst, self._clock)
        self._buckets[key] = bucket
        if len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return bucket

    def take(self, key: str) -> bool:
        return self.of(key).take()
