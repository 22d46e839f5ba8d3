"""A state is one flat NumPy record: copying a game is copying about a kilobyte at most."""

from typing import Any

import numpy as np

#: What `actor` holds when it is no seat's decision.
CHANCE = -1
NOBODY = -2

#: The fields every state has: whose decision it is, and how many seats there are.
COMMON = ("actor", "players")


def record(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    """The type of a state, from `(name, type)` or `(name, type, shape)` fields.

    >>> STATE = record(("actor", np.int8), ("players", np.int8), ("hand", np.int8, (4, 5)))
    >>> s = new(STATE)
    >>> s.hand[0, 2] += 1
    >>> int(s.hand.sum())
    1

    A name that NumPy's records use themselves would be read as theirs, not ours, so it is refused:

    >>> record(("actor", np.int8), ("players", np.int8), ("round", np.int8))
    Traceback (most recent call last):
    ...
    ValueError: a state field cannot be called 'round': NumPy records have an attribute of that name
    """
    names = [field[0] for field in fields]
    for name in names:
        if hasattr(np.record, name):
            raise ValueError(f"a state field cannot be called {name!r}: NumPy records have an attribute of that name")
    for name in COMMON:
        if name not in names:
            raise ValueError(f"a state needs a field {name!r}")
    plain = np.dtype(list(fields), align=True)
    return np.dtype((np.record, plain))


def new(dtype: np.dtype[Any]) -> Any:
    """A state with every byte zero, padding included (so that equal states have equal bytes)."""
    return np.zeros(1, dtype)[0]


def copied(s: Any) -> Any:
    """An independent copy of a state."""
    return from_bytes(s.dtype, s.tobytes())


def from_bytes(dtype: np.dtype[Any], data: bytes) -> Any:
    """The state that `s.tobytes()` came from."""
    return np.frombuffer(bytearray(data), dtype)[0]
