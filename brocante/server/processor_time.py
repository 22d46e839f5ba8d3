"""How much of the processor's time a piece of work takes, without what others do while it waits."""

import time
from collections.abc import Callable, Coroutine, Generator
from typing import Any, Generic, TypeVar

Found = TypeVar("Found")


class Metered(Generic[Found]):
    """Await this instead of a coroutine, and `seconds` says what the steps of it have taken so far."""

    def __init__(self, work: Coroutine[Any, Any, Found], clock: Callable[[], float] = time.thread_time) -> None:
        self._work = work
        self._clock = clock
        self.seconds = 0.0

    def __await__(self) -> Generator[Any, None, Found]:
        error: BaseException | None = None
        while True:
            began = self._clock()
            try:
                waited_for = self._work.send(None) if error is None else self._work.throw(error)
            except StopIteration as end:
                found: Found = end.value
                return found
            finally:
                self.seconds += self._clock() - began
            error = None
            try:
                yield waited_for
            except BaseException as thrown:  # it failed, or the work is cancelled: the work decides what that means
                error = thrown


class Timed(Generic[Found]):
    """The same for work that is done in a thread: call this there instead of a function."""

    def __init__(self, work: Callable[..., Found]) -> None:
        self._work = work
        self.seconds = 0.0

    def __call__(self, *arguments: Any) -> Found:
        began = time.thread_time()
        try:
            return self._work(*arguments)
        finally:
            self.seconds = time.thread_time() - began
