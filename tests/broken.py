"""Games broken on purpose: Collection under another name, without its bot, and with a line or two changed."""

import importlib
import shutil
import sys
from pathlib import Path

import brocante
from brocante.engine.box import Box

Changes = dict[str, list[tuple[str, str]]]  # file: what stands there and what shall, as often as needed


def write_broken(folder: Path, name: str, changes: Changes) -> Path:
    """A package with the changed game, as real files that any process can import."""
    package = folder / name
    shutil.copytree(brocante.box("collection").folder, package, ignore=shutil.ignore_patterns("__pycache__"))
    for file in package.glob("*.py"):
        source = file.read_text()
        for old, new in changes.get(file.name, []):
            assert source.count(old) == 1, f"{old!r} stands {source.count(old)} times in {file.name}"
            source = source.replace(old, new)
        file.write_text(source.replace("brocante.games.collection", name).replace("collection.", f"{name}."))
    lid = package / "__init__.py"
    source = lid.read_text().replace('"collection"', f'"{name}"')
    lid.write_text(source.replace("    greedy=greedy,\n", ""))  # compiling the bot would take a third of the time
    return package


def broken(folder: Path, name: str, changes: Changes) -> Box:
    write_broken(folder, name, changes)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    box: Box = importlib.import_module(name).BOX
    return box
