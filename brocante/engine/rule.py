"""`@rule`: a plain Python function that any backend can run.

Rules are called as they are written: importing a game compiles nothing. What makes a rule of a function is that it
keeps to whole numbers, fields of a flat state and other rules, so that a backend (`brocante.backends`) can run the very
same function compiled.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any

Rule = Callable[..., Any]  # what a rule takes is for a compiler to find out


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
