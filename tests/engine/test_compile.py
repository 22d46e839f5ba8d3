"""The cache of compiled rules is named after everything it was compiled from (see also tests/test_broken_games.py)."""

import os
import sys
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba
import pytest

from brocante.engine import compile as compiling


def package(folder: Path, **files: str) -> str:
    """A package on disk, loaded under a name of its own."""
    for name, source in files.items():
        file = folder / name.replace("__", ".").replace("_in_", "/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source)
    module = ModuleType(folder.name)
    module.__path__ = [str(folder)]
    sys.modules[folder.name] = module
    return folder.name


def test_all_our_own_sources_count_but_those_that_no_rule_can_use() -> None:
    root = Path(compiling.__file__).parents[1]
    found = {f for f in root.rglob("*") if f.suffix in (".py", ".toml")}
    above = {f for f in found if compiling.is_above_rules(f)}
    assert found - above <= set(compiling.sources("brocante"))
    assert above
    assert not above & set(compiling.sources("brocante"))


@pytest.mark.parametrize("file", ["rules__py", "parts_in_deep__py", "deck__toml", "deck__json"])
def test_editing_any_source_gives_another_folder(tmp_path: Path, file: str) -> None:
    name = package(tmp_path / "shop", rules__py="A = 1", parts_in_deep__py="B = 2", deck__toml="c = 3")
    before = compiling.fingerprint([name])
    package(tmp_path / "shop", **{file: "D = 4"})
    assert compiling.fingerprint([name]) != before


def test_moving_a_source_gives_another_folder(tmp_path: Path) -> None:
    name = package(tmp_path / "shop", one__py="A = 1", two__py="B = 2")
    before = compiling.fingerprint([name])
    (tmp_path / "shop" / "one.py").rename(tmp_path / "shop" / "three.py")
    assert compiling.fingerprint([name]) != before


def test_a_loop_made_for_a_game_depends_on_the_games_package(tmp_path: Path) -> None:
    game = sys.modules[package(tmp_path / "their_game", rules__py="A = 1")]

    def loop() -> str:
        return game.__name__

    assert compiling.packages_behind(loop) == {"brocante", "their_game", __name__.partition(".")[0]}


def test_a_rule_depends_on_what_its_module_imports_but_not_on_installed_libraries(tmp_path: Path) -> None:
    """`from their_library import size` makes `size` a global of the module in which a rule is written."""
    source = "import numpy\ndef rule(): return size()"
    names: dict[str, Any] = {"__name__": "tests.somewhere"}
    exec(source, names)
    names["size"] = FunctionType(
        compile("0", "size", "eval"), {"__name__": package(tmp_path / "their_library", a__py="")}
    )
    names["size"].__module__ = "their_library"
    sys.modules["their_library"].__file__ = str(tmp_path / "their_library" / "a.py")
    assert compiling.packages_behind(names["rule"]) == {"brocante", "tests", "their_library"}


def test_what_others_compile_is_not_kept_in_our_folder() -> None:
    before = numba.config.CACHE_DIR

    @compiling.rule
    def double(n: int) -> int:
        return 2 * n

    assert before == numba.config.CACHE_DIR
    assert double(3) == 6


def test_old_folders_are_pruned_and_those_used_last_are_kept(tmp_path: Path) -> None:
    for age in range(compiling.KEPT_FOLDERS + 5):
        folder = tmp_path / f"{age}"
        folder.mkdir()
        os.utime(folder, (1e9 - age, 1e9 - age))
    compiling.prune(tmp_path)
    assert {folder.name for folder in tmp_path.iterdir()} == {f"{age}" for age in range(compiling.KEPT_FOLDERS)}


def test_a_cache_directory_that_cannot_be_written_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("BROCANTE_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert compiling.cache_root() != tmp_path / "file" / "cache"
