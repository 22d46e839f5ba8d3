"""How rules are compiled: each once, with machine code for entry points only.

By default, Numba generates and optimises machine code for every function, together with everything that it calls, and
does so again for every width of integer that it is called with. Three changes cut that to a third of the time:

- a rule that other rules call is a *callee*: it is lowered to LLVM's intermediate representation and left there until
  an entry point links it in and everything is optimised together, once;
- integers are passed as 64 bits wide, whatever field they come from, so a rule is compiled for one type;
- only entry points can be called from Python and have the wrappers for it.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any

from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher


class NoEnvironment:
    """Where Numba notes what a function needs to call Python: callees never do."""

    @staticmethod
    def set_env(name: str, environment: Any) -> None:
        pass


class CalleeLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of one rule, without machine code."""

    codegen = NoEnvironment()

    def add_linking_library(self, library: Any) -> None:
        self._linking_libraries.append(library)

    def finalize(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 1  # any address will do: nobody calls it


class EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of an entry point, with that of all its callees."""

    def add_linking_library(self, library: Any) -> None:
        if library in self._linking_libraries:
            return
        super().add_linking_library(library)
        if isinstance(library, CalleeLibrary):
            for other in library._linking_libraries:
                self.add_linking_library(other)


class CalleeCompiler(Compiler):  # type: ignore[misc]
    """Compiles a rule into a library of its own kind."""

    library_class = CalleeLibrary

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *others: Any) -> None:
        own = self.library_class(targetctx.codegen(), self.library_class.__name__)
        own.enable_object_caching()
        super().__init__(typingctx, targetctx, own, *others)


class EntryCompiler(CalleeCompiler):
    library_class = EntryLibrary


class Callee(CPUDispatcher):  # type: ignore[misc]
    """A rule that other rules call."""

    def __init__(self, function: FunctionType, options: dict[str, Any], on_compiled: Callable[[], object]) -> None:
        unneeded = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(function, targetoptions=options | unneeded, pipeline_class=CalleeCompiler)
        self._on_compiled = on_compiled

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return super().get_call_template([widened(arg) for arg in args], kws)

    def compile(self, sig: Any) -> Any:
        known = len(self.overloads)
        entry = super().compile(sig)
        if len(self.overloads) > known:
            self._on_compiled()
        return entry


def widened(argument: Any) -> Any:
    """The type that a rule is compiled for when it is called with this one."""
    return types.int64 if isinstance(argument, types.Integer | types.IntEnumMember) else argument
