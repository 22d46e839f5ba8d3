"""Copies of the modules of rules, in which every rule is replaced by its callee.

A rule finds what it calls in its module: `can_place(s, p, k)` there, `rules.apply(s, a)` in another. The rules
themselves stay plain functions: each module is copied with its constants, and a rule is compiled as it reads in the
copy.
"""

from collections.abc import Callable
from sys import modules
from types import CellType, FunctionType, ModuleType
from typing import Any

from brocante.backends.numba.callees import Callee
from brocante.engine.rule import is_rule


class ModuleCopies:
    """The copies of all modules that contain rules."""

    def __init__(self, options: dict[str, Any], on_compiled: Callable[[], object]) -> None:
        self._options = options
        self._on_compiled = on_compiled
        self._copies: dict[str, ModuleType] = {}
        self._callees: dict[FunctionType, Callee] = {}

    def in_copy(self, rule: FunctionType) -> FunctionType:
        """A rule as it reads in the copy of its module."""
        copy = self._copy(modules[rule.__module__])
        cells = tuple(CellType(self._counterpart(cell.cell_contents)) for cell in rule.__closure__ or ())
        function = FunctionType(rule.__code__, vars(copy), rule.__name__, rule.__defaults__, cells)
        function.__module__, function.__qualname__ = rule.__module__, rule.__qualname__
        return function

    def _copy(self, module: ModuleType) -> ModuleType:
        if module.__name__ not in self._copies:
            copy = self._copies[module.__name__] = ModuleType(module.__name__)
            vars(copy).update({name: self._counterpart(value) for name, value in vars(module).items()})
        return self._copies[module.__name__]

    def _counterpart(self, value: Any) -> Any:
        if is_rule(value):
            return self._callee(value)
        if isinstance(value, ModuleType) and any(map(is_rule, vars(value).values())):
            return self._copy(value)
        return value

    def _callee(self, rule: FunctionType) -> Callee:
        if rule not in self._callees:
            self._callees[rule] = Callee(self.in_copy(rule), self._options, self._on_compiled)
        return self._callees[rule]
