"""Modules of rules, with every rule in them replaced by a part.

A rule finds what it calls in its module: `can_place(s, p, k)` there, `rules.apply(s, a)` in another. So that the rules
themselves stay plain functions, each module with rules gets a twin with the same constants, and a rule is compiled as
it would read there.
"""

from collections.abc import Callable
from sys import modules
from types import CellType, FunctionType, ModuleType
from typing import Any

from brocante.backends.numba.parts import Part
from brocante.engine.rule import is_rule


class Twins:
    """The twins of all modules that rules are in."""

    def __init__(self, options: dict[str, Any], compiled: Callable[[], object]) -> None:
        self._options = options
        self._compiled = compiled
        self._twins: dict[str, ModuleType] = {}
        self._parts: dict[FunctionType, Part] = {}

    def twin(self, module: ModuleType) -> ModuleType:
        if module.__name__ not in self._twins:
            twin = self._twins[module.__name__] = ModuleType(module.__name__)
            vars(twin).update({name: self._counterpart(value) for name, value in vars(module).items()})
        return self._twins[module.__name__]

    def _counterpart(self, value: Any) -> Any:
        if is_rule(value):
            return self._part(value)
        if isinstance(value, ModuleType) and any(map(is_rule, vars(value).values())):
            return self.twin(value)
        return value

    def _part(self, rule: FunctionType) -> Part:
        if rule not in self._parts:
            self._parts[rule] = Part(self.as_in_twin(rule), self._options, self._compiled)
        return self._parts[rule]

    def as_in_twin(self, rule: FunctionType) -> FunctionType:
        """A rule as it would read in the twin of its module."""
        twin = self.twin(modules[rule.__module__])
        cells = tuple(CellType(self._counterpart(cell.cell_contents)) for cell in rule.__closure__ or ())
        function = FunctionType(rule.__code__, vars(twin), rule.__name__, rule.__defaults__, cells)
        function.__module__, function.__qualname__ = rule.__module__, rule.__qualname__
        return function
