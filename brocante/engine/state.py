"""A state is one flat NumPy record: copying a game is copying about a kilobyte at most."""

import copyreg
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import itemgetter
from struct import Struct
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")
#: What `actor` holds when it is no seat's decision.
CHANCE = -1
NOBODY = -2

#: The fields every state has: whose decision it is, and how many seats there are.
COMMON = ("actor", "players")


class StateClass(type):
    """The class of a type of state. It is pickled as the layout that it was made from."""

    layout: np.dtype[Any]


class State(np.void, metaclass=StateClass):  # type: ignore[misc]  # NumPy can be extended like this, whatever its stubs say
    """One state. Its fields are attributes, as in NumPy's own records, but they are read, and passed to compiled rules,
    several times faster: NumPy's records look up every field in Python and describe all of them again at every call.
    Each type of state is a class of its own (`with_attributes`).
    """

    __slots__ = ("data",)  # its bytes, for compiled rules; unset in a state that NumPy made

    def __getattr__(self, name: str) -> Any:
        """What must be looked up: the bytes of an element of an array."""
        if name == "data":
            return np.void.data.__get__(self)
        raise AttributeError(f"a state has no field {name!r}")


def attribute(layout: np.dtype[Any], field: str) -> property:
    """How a field is read and written. A single number is read as Python's, not as NumPy's: those take ten times as
    long to compare, and would overflow where compiled rules do not."""
    fields: Mapping[str, Any] = layout.fields or {}
    kind, offset = fields[field][:2]

    def write(s: Any, value: Any) -> None:
        s[field] = value

    if kind.shape or kind.kind not in "iub":
        return property(itemgetter(field), write)
    unpack = Struct(kind.char).unpack_from
    return property(lambda s: unpack(s.data, offset)[0], write)


def record(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    """The type of a state, from `(name, type)` or `(name, type, shape)` fields.

    >>> STATE = record(("actor", np.int8), ("players", np.int8), ("hand", np.int8, (4, 5)))
    >>> s = new(STATE)
    >>> s.hand[0, 2] += 1
    >>> int(s.hand.sum())
    1

    A name that NumPy's records already use is refused, because it would not be read as a field:

    >>> record(("actor", np.int8), ("players", np.int8), ("round", np.int8))
    Traceback (most recent call last):
    ...
    ValueError: a field cannot be called 'round': NumPy records have an attribute of that name
    """
    names = [field[0] for field in fields]
    for name in COMMON:
        if name not in names:
            raise ValueError(f"a state needs a field {name!r}")
    return with_attributes(fields)


def with_attributes(fields: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """The type of a record whose fields are attributes."""
    for name, *_ in fields:
        if hasattr(np.record, name):
            raise ValueError(f"a field cannot be called {name!r}: NumPy records have an attribute of that name")
    layout = np.dtype(list(fields), align=True)
    return np.dtype((state_class(layout), layout))


@cache
def state_class(layout: np.dtype[Any]) -> StateClass:
    attributes = {name: attribute(layout, name) for name in layout.names or ()}
    return StateClass("State", (State,), {"__slots__": (), "layout": layout, **attributes})


copyreg.pickle(StateClass, lambda kind: (state_class, (kind.layout,)))


def new(dtype: np.dtype[Any]) -> Any:
    """A state with every byte zero, padding included (so that equal states have equal bytes)."""
    return from_bytes(dtype, bytes(dtype.itemsize))


def copied(s: Any) -> Any:
    """An independent copy of a state."""
    return from_bytes(s.dtype, s.tobytes())


def from_bytes(dtype: np.dtype[Any], data: bytes) -> Any:
    """The state that `s.tobytes()` came from."""
    own = bytearray(data)
    s = np.frombuffer(own, dtype)[0]
    s.data = own
    return s


def found_once(find: Callable[[Any, int], T]) -> Callable[[Any, int], T]:
    """With what many questions about one state begin is found out once, as long as they are about the same state."""
    last: list[tuple[bytes, int, T]] = []

    def found(s: Any, seat: int) -> T:
        now = s.data
        for before, of, answer in last:
            if before == now and of == seat:
                return answer
        answer = find(s, seat)
        last[:] = [(s.tobytes(), seat, answer)]
        return answer

    return found
