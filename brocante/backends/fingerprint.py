"""The fingerprint of a rule: a hash of its code, the constants it uses, and the same of every rule it calls.

It changes exactly when what the rule does changes. Hashing files would not do: they change too often (a comment, a
view, a test) and too rarely (a table read from a data file).
"""

import hashlib
import sys
from collections.abc import Iterable, Iterator
from enum import EnumType
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from brocante.engine.rule import Rule, is_rule

#: Values that are written the same wherever they are equal.
PLAIN = (int, float, str, bytes, bool, type(None))
LIBRARIES = {"numpy", *sys.stdlib_module_names}


class Fingerprint:
    """Hashes everything that goes into a rule."""

    def __init__(self, rule: Rule) -> None:
        self.rules: list[FunctionType] = []  # the rule and all that it calls
        self._hash = hashlib.blake2b(digest_size=16)
        self._add(rule)

    def digest(self, *besides: object) -> str:
        """A name for what the rule does, and for what else it depends on."""
        digest = self._hash.copy()
        digest.update(repr(besides).encode())
        return digest.hexdigest()

    def _add(self, rule: Any) -> None:
        if rule in self.rules:
            return self._note("again", self.rules.index(rule))
        self.rules.append(rule)
        self._note("rule", rule.__name__, rule.__defaults__)
        for code in codes(rule.__code__):
            constants = [const for const in code.co_consts if not isinstance(const, CodeType) and const != rule.__doc__]
            self._note(code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars)
        for cell in rule.__closure__ or ():
            self._add_value(cell.cell_contents, rule)
        for name in named_in(rule):
            if name in rule.__globals__:
                self._note(name)
                self._add_value(rule.__globals__[name], rule)
        return None

    def _add_value(self, value: Any, rule: FunctionType) -> None:
        """Something that a rule names. Of a module, everything in it that the rule may mean."""
        if is_rule(value):
            self._add(value)
        elif isinstance(value, ModuleType):
            self._note("module", value.__name__)
            for name in () if is_library(value.__name__) else named_in(rule):
                if hasattr(value, name):
                    self._note(name)
                    self._add_value(getattr(value, name), rule)
        else:
            self._note(*value_key(value, rule))

    def _note(self, *what: object) -> None:
        self._hash.update(repr(what).encode())


def is_library(module: str) -> bool:
    """Whether a module is Python's own or NumPy's: their versions are noted elsewhere."""
    return module.partition(".")[0] in LIBRARIES


def codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and those nested in it."""
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from codes(const)


def named_in(rule: FunctionType) -> Iterable[str]:
    """Every name that a rule uses, in a fixed order."""
    return dict.fromkeys(name for code in codes(rule.__code__) for name in code.co_names)


def value_key(value: Any, rule: FunctionType) -> tuple[object, ...]:
    """A constant in a form in which equal values are equal text."""
    if isinstance(value, np.ndarray | np.generic):
        return (repr(value.dtype.descr), value.shape, value.tobytes())
    if isinstance(value, np.dtype):
        return (repr(value.descr),)
    if isinstance(value, EnumType):
        members: dict[str, Any] = dict(value.__members__)  # aliases, too
        return (value.__qualname__, *((name, int(member)) for name, member in members.items()))
    if isinstance(value, PLAIN):
        return (type(value).__name__, value)
    if isinstance(value, tuple):
        fields = getattr(value, "_fields", ())
        return (type(value).__qualname__, fields, *(value_key(part, rule) for part in value))
    if isinstance(value, type) and issubclass(value, tuple):
        return (value.__qualname__, value._fields, value._field_defaults)  # type: ignore[attr-defined]
    if callable(value) and is_library(value.__module__):
        return (value.__module__, value.__qualname__)
    raise TypeError(
        f"{rule.__module__}.{rule.__name__} uses {value!r}, which no rule can: make it a number or an array"
    )
