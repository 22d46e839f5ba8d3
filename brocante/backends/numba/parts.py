"""How rules are compiled: each once, and made into machine code only as part of an entry point.

Left to itself, Numba makes a library of machine code of every function that another one calls, with all that it calls
in turn, optimised each time, and does so again for every width of whole numbers that it is called with. Of the time
that takes, rules need a third:

- a rule that is called by rules is a *part*: it is lowered to LLVM's language and left there, until an entry point
  takes it in and everything is optimised together, once;
- whole numbers are handed over as 64 bits wide, whatever field they come from, so a rule is compiled for one kind;
- only entry points can be called from Python, and have what it takes.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any

from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher


class NoEnvironment:
    """Where Numba notes what a function needs to call Python: parts never do."""

    @staticmethod
    def set_env(name: str, environment: Any) -> None:
        pass


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of one rule, of which no machine code is made."""

    codegen = NoEnvironment()

    def add_linking_library(self, library: Any) -> None:
        self._linking_libraries.append(library)

    def finalize(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 1  # somewhere: nobody calls it


class EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of an entry point, with that of all the parts that it uses."""

    def add_linking_library(self, library: Any) -> None:
        if library in self._linking_libraries:
            return
        super().add_linking_library(library)
        if isinstance(library, PartLibrary):
            for other in library._linking_libraries:
                self.add_linking_library(other)


class PartCompiler(Compiler):  # type: ignore[misc]
    """Compiles a rule into a library of its own kind."""

    library_class = PartLibrary

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *others: Any) -> None:
        own = self.library_class(targetctx.codegen(), self.library_class.__name__)
        own.enable_object_caching()
        super().__init__(typingctx, targetctx, own, *others)


class EntryCompiler(PartCompiler):
    library_class = EntryLibrary


class Part(CPUDispatcher):  # type: ignore[misc]
    """A rule that is called by rules."""

    def __init__(self, function: FunctionType, options: dict[str, Any], compiled: Callable[[], object]) -> None:
        unneeded = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(function, targetoptions=options | unneeded, pipeline_class=PartCompiler)
        self._compiled = compiled

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return super().get_call_template([widened(arg) for arg in args], kws)

    def compile(self, sig: Any) -> Any:
        known = len(self.overloads)
        entry = super().compile(sig)
        if len(self.overloads) > known:
            self._compiled()
        return entry


def widened(argument: Any) -> Any:
    """The type that a rule is compiled for when it is called with this one."""
    return types.int64 if isinstance(argument, types.Integer | types.IntEnumMember) else argument
