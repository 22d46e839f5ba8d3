"""Rules compiled by Numba and cached on disk.

Compiling takes seconds. It happens only where somebody knowingly waits for it (`brocante compile`, `simulate`), or in
a process of its own (`brocante.compiling`). What is in the cache loads in a moment.
"""

import os
import pickle
import platform
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from sys import modules
from types import ModuleType
from typing import Any

from brocante.backends import disk
from brocante.backends.fingerprint import Fingerprint
from brocante.engine.backend import Argument, EntryPoint, Progress
from brocante.engine.rule import Rule

#: About how many seconds Numba takes to import, and to compile a rule.
IMPORT_SECONDS, RULE_SECONDS = 1.0, 0.15


class NotCompiled(Exception):
    """A rule is not in the cache, and may not be compiled here."""


class Numba:
    """The backend. Without `compiles`, a rule that is not in the cache raises NotCompiled: for callers that must not
    wait."""

    name = "numba"

    def __init__(self, *, compiles: bool = True) -> None:
        self._not_kept: OSError | None = None
        self._compiles = compiles
        self._on_compiled: Callable[[], object] = lambda: None  # called after each compiled rule
        self._options: dict[str, bool] = {"nopython": True, "boundscheck": False}
        self._ready: dict[EntryPoint, Rule] = {}
        self._copies: Any = None

    @property
    def not_kept(self) -> OSError | None:
        return self._not_kept

    def run(self, entry: EntryPoint) -> Rule:
        """The compiled rule: from the cache, or compiled now and cached if possible."""
        found = self.load(entry)
        if found is None and not self._compiles:
            raise NotCompiled(f"{label_of(entry.rule)} has not been compiled, or its file in the cache is damaged")
        return found or self._compile(entry)

    def load(self, entry: EntryPoint) -> Rule | None:
        """The compiled rule, if the cache has it."""
        if entry not in self._ready:
            body = disk.read_kept(self.file(entry))
            found = body and self._rebuilt(entry, body)
            if not found:
                return None
            self._ready[entry] = found
        return self._ready[entry]

    def is_kept(self, entry: EntryPoint) -> bool:
        """Whether the cache has it. This does not import Numba."""
        return entry in self._ready or self.file(entry).exists()

    def compile(self, entries: Sequence[EntryPoint], progress: Progress = lambda rules, of: None) -> int:
        """Load or compile all of these. Calls `progress` with the number of rules compiled so far and in all, and
        returns the latter."""
        of = len(self._to_compile(entries))
        compiled = 0

        def count() -> None:
            nonlocal compiled
            compiled = min(compiled + 1, of)
            progress(compiled, of)

        self._on_compiled = count
        try:
            for entry in entries:
                self.run(entry)
        finally:
            self._on_compiled = lambda: None
        if of:
            progress(of, of)
        return of

    def seconds_to_compile(self, entries: Iterable[EntryPoint]) -> float:
        """A rough estimate for everything that is not in the cache."""
        return IMPORT_SECONDS + RULE_SECONDS * len(self._to_compile(entries))

    def _to_compile(self, entries: Iterable[EntryPoint]) -> set[Rule]:
        """Every rule that must be compiled for these."""
        return {rule for entry in entries if not self.is_kept(entry) for rule in Fingerprint(entry.rule).rules}

    def file(self, entry: EntryPoint) -> Path:
        fingerprint = Fingerprint(entry.rule).digest(entry.takes, sorted(self._options_of(entry).items()), toolchain())
        return disk.path_of(label_of(entry.rule), fingerprint)

    def _options_of(self, entry: EntryPoint) -> dict[str, bool]:
        """A rule that takes long lets other threads go on. One that takes a microsecond keeps Python to itself: giving
        it up, and waiting for it again where another thread is at work, takes ten times as long."""
        return self._options | {"nogil": entry.takes_long}

    def _compile(self, entry: EntryPoint) -> Rule:
        from numba.core.registry import CPUDispatcher

        from brocante.backends.numba.callees import EntryCompiler
        from brocante.backends.numba.module_copies import ModuleCopies

        if self._copies is None:
            self._copies = ModuleCopies(self._options, lambda: self._on_compiled())
        options = self._options_of(entry) | {"no_cfunc_wrapper": True}
        rule = CPUDispatcher(self._copies.in_copy(entry.rule), targetoptions=options, pipeline_class=EntryCompiler)
        rule.compile(signature(entry.takes))
        rule.disable_compile()
        self._keep(entry, *rule.overloads.values())
        self._on_compiled()
        self._ready[entry] = rule
        return rule  # type: ignore[no-any-return]

    def _keep(self, entry: EntryPoint, compiled: Any) -> None:
        from numba.core.serialize import dumps

        try:
            disk.keep(self.file(entry), dumps((target(), compiled._reduce())))
        except OSError as error:
            self._not_kept = error  # the rule itself can be used all the same

    def _rebuilt(self, entry: EntryPoint, body: bytes) -> Rule | None:
        """A rule from its cached form; None if that was made for another processor."""
        from numba.core.compiler import CompileResult
        from numba.core.compiler_lock import global_compiler_lock
        from numba.core.registry import CPUDispatcher

        found = CPUDispatcher(entry.rule, targetoptions=self._options_of(entry))
        with global_compiler_lock:
            found.targetctx.refresh()
            made_for, parts = pickle.loads(body)
            if made_for != target():
                return None
            found.add_overload(CompileResult._rebuild(found.targetctx, *parts))
        found.disable_compile()
        return found  # type: ignore[no-any-return]


def signature(takes: tuple[Argument, ...]) -> tuple[Any, ...]:
    """The types of arguments, as Numba has them."""
    from numba import from_dtype, types

    kinds = [(from_dtype(argument.dtype), argument.dimensions) for argument in takes]
    return tuple(types.Array(kind, n, "C") if n else kind for kind, n in kinds)


def target() -> tuple[Any, ...]:
    """The processor that Numba generates code for."""
    from numba.core.registry import cpu_target

    return cpu_target.target_context.codegen().magic_tuple()  # type: ignore[no-any-return]


@cache
def toolchain() -> tuple[object, ...]:
    """Everything besides the rule that decides what code is generated: compiler, versions, processor, settings."""
    own = [file.read_bytes() for file in sorted(Path(__file__).parent.glob("*.py"))]
    versions = [version(name) for name in ("numba", "llvmlite", "numpy")]
    settings = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
    return (*own, *versions, platform.python_version(), processor(), *settings)


def processor() -> str:
    """The kind of processor as far as Python knows it, unless another was chosen (`NUMBA_CPU_NAME`)."""
    if os.environ.get("NUMBA_CPU_NAME"):
        return platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine() + platform.processor()
    described = [line for line in lines if line.startswith(("model name", "flags", "Features"))]
    return platform.machine() + "".join(sorted(set(described)))


def label_of(rule: Any) -> str:
    """The name of a rule in the cache, such as `port.rules.apply`."""
    within = [cell.cell_contents for cell in rule.__closure__ or () if isinstance(cell.cell_contents, ModuleType)]
    names = [*(short(module) for module in within), short(modules[rule.__module__]), rule.__name__]
    return ".".join(names)


def short(module: ModuleType) -> str:
    return ".".join(module.__name__.split(".")[-2:])
