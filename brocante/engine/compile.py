"""`@rule`: one Python function, interpreted or compiled, and a cache that never serves an old rule.

Numba's disk cache looks only at the file of the function itself: edit a rule in one file, and a caller compiled in
another keeps the old one. So every compiled function is kept in a folder named after all the sources it may have been
built from; editing any of them changes the name, and old folders are pruned.
"""

import hashlib
import os
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
import platformdirs

Rule = Callable[..., Any]  # what a rule takes is for Numba to find out

KEPT_FOLDERS = 12
OWN_PACKAGE = __name__.partition(".")[0]
#: The parts of Brocante that use rules, and that no rule uses.
ABOVE_RULES = ("cli", "client", "keeping", "locale", "server", "table", "terminal", "web")
#: The folders of a game that are drawings and words.
FOR_READERS = {"art", "locale", "web"}


def rule(function: Callable[..., Any]) -> Rule:
    """Compile a rule with Numba; under `NUMBA_DISABLE_JIT=1` leave it as the plain Python it is.

    >>> @rule
    ... def double(n):
    ...     return 2 * n
    >>> double(21)
    42
    """
    if numba.config.DISABLE_JIT:
        return function
    on_disk = Path(function.__code__.co_filename).is_file()  # not so what is typed at a prompt
    theirs = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder(packages_behind(function)))
    try:
        compiled: Rule = numba.njit(cache=on_disk, nogil=True)(function)
    finally:
        numba.config.CACHE_DIR = theirs  # what others compile is none of ours
    return compiled


def packages_behind(function: Callable[..., Any]) -> frozenset[str]:
    """The packages whose sources decide what a function does: ours, its own, those of what it closes over, and those
    of what its module has imported (but for installed libraries, which nobody edits)."""
    assert isinstance(function, FunctionType)
    own = {package_of(cell.cell_contents) for cell in function.__closure__ or ()} | {package_of(function), OWN_PACKAGE}
    imported = {package for package in map(package_of, function.__globals__.values()) if may_change(package)}
    return frozenset(package for package in own | imported if package in sys.modules)


def package_of(thing: Any) -> str:
    """The top package of the module that a thing is, or that it was defined in."""
    module = thing.__name__ if isinstance(thing, ModuleType) else getattr(thing, "__module__", None)
    return module.partition(".")[0] if isinstance(module, str) else ""


@cache
def may_change(package: str) -> bool:
    """Whether somebody may be working on a package: it is neither Python's own nor installed."""
    file = getattr(sys.modules.get(package), "__file__", None)
    installed = {Path(path) for path in map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib"))}
    return file is not None and not installed & set(Path(file).parents)


@cache
def cache_folder(packages: frozenset[str]) -> Path:
    """Where code compiled from these packages, as they are on disk now, is kept."""
    folder = cache_root() / fingerprint(sorted(packages))
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        prune(folder.parent)
    os.utime(folder)
    return folder


def fingerprint(packages: Iterable[str]) -> str:
    """A hash of every source of these packages, and of what else changes the compiled code."""
    digest = hashlib.blake2b(digest_size=16)
    tools = (numba.__version__, np.__version__, sys.version_info[:2], numba.config.BOUNDSCHECK)
    digest.update(repr(tools).encode())
    for package in packages:
        for source in sources(package):
            digest.update(f"\0{package}\0{source}\0".encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()


def sources(package: str) -> list[Path]:
    """Every file of a package: code, and whatever data its modules may read into constants."""
    module = sys.modules[package]
    folders = [Path(folder) for folder in getattr(module, "__path__", [])]
    if folders:
        files = (file for folder in folders for file in folder.rglob("*") if file.is_file())
        return sorted(file for file in files if "__pycache__" not in file.parts and not is_above_rules(file))
    file = getattr(module, "__file__", None)
    return [Path(file)] if file and Path(file).is_file() else []


def is_above_rules(file: Path) -> bool:
    """Whether a file belongs to a part of Brocante that no rule uses: editing it must not have every game compiled
    anew."""
    brocante = Path(__file__).parent.parent
    if not file.is_relative_to(brocante):
        return False
    part, *folders = file.relative_to(brocante).parts
    return Path(part).stem in ABOVE_RULES or bool(FOR_READERS.intersection(folders))


def cache_root() -> Path:
    """`BROCANTE_CACHE_DIR`, or the user's cache directory, or (where that cannot be written) a temporary one."""
    chosen = os.environ.get("BROCANTE_CACHE_DIR")
    root = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("brocante")) / "compiled"
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError:
        return Path(tempfile.gettempdir()) / f"brocante-compiled-{os.getpid()}"


def prune(root: Path) -> None:
    """Keep the folders used last; a running program has just used its own."""
    folders = sorted((f for f in root.iterdir() if f.is_dir()), key=lambda f: f.stat().st_mtime, reverse=True)
    for old in folders[KEPT_FOLDERS:]:
        shutil.rmtree(old, ignore_errors=True)
