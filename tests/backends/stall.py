"""A rule that is compiled in a moment."""

from brocante.engine.backend import NUMBER, EntryPoint
from brocante.engine.rule import rule


@rule
def twice(n, times):  # type: ignore[no-untyped-def]
    return n * times


@rule
def double(n):  # type: ignore[no-untyped-def]
    return twice(n, 2)


DOUBLE = EntryPoint(double, (NUMBER,))
