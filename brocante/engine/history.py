"""A list that grows at its end, and costs nothing to copy."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class History(Sequence[T], Generic[T]):
    """A history. Copies share their items; they are copied only when two copies diverge.

    >>> history = History(["deal", "draw"])
    >>> other = history.copy()
    >>> history.append("play")
    >>> other.append("swap")
    >>> history, other
    (History(['deal', 'draw', 'play']), History(['deal', 'draw', 'swap']))
    >>> history.cut(1)
    >>> list(history), history[-1], other[1:], history == ["deal"]
    (['deal'], 'deal', ['draw', 'swap'], True)
    >>> list(reversed(history)), list(reversed(other))
    (['deal'], ['swap', 'draw', 'deal'])
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)
        self._length = len(self._items)

    def copy(self) -> "History[T]":
        other: History[T] = object.__new__(History)
        other._items, other._length = self._items, self._length
        return other

    def append(self, item: T) -> None:
        if len(self._items) != self._length:  # another copy has gone on from here in another way
            self._items = self._items[: self._length]
        self._items.append(item)
        self._length += 1

    def cut(self, length: int) -> None:
        """Forget everything from this index on."""
        self._length = min(length, self._length)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> list[T]: ...
    def __getitem__(self, at: int | slice) -> T | list[T]:
        if isinstance(at, slice):
            return [self._items[number] for number in range(*at.indices(self._length))]
        if not -self._length <= at < self._length:
            raise IndexError(at)
        return self._items[at if at >= 0 else self._length + at]

    def __iter__(self) -> Iterator[T]:
        return islice(self._items, self._length)

    def __reversed__(self) -> Iterator[T]:
        return islice(reversed(self._items), len(self._items) - self._length, None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History | list) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"History({list(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return History, (list(self),)
