"""`@rule`: a plain Python function that any backend can run.

Rules are called as they are written: importing a game compiles nothing. A rule uses only whole numbers, fields of a
flat state and other rules, so a backend (`brocante.backends`) can compile the very same function.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any

Rule = Callable[..., Any]  # the compiler infers the types of a rule


def rule(function: Callable[..., Any]) -> Rule:
    """Mark a function as a rule; it stays the plain Python that it is.

    >>> @rule
    ... def double(n):
    ...     return 2 * n
    >>> double(21), is_rule(double), is_rule(max)
    (42, True, False)
    """
    function.is_rule = True  # type: ignore[attr-defined]
    return function


def is_rule(thing: object) -> bool:
    return isinstance(thing, FunctionType) and hasattr(thing, "is_rule")
