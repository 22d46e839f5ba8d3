"""Games of other packages: found when they are looked for, and harmless when they are broken."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import brocante
from brocante.cli import main
from brocante.engine.errors import UsageError
from brocante.games import OWN_GAMES
from brocante.games.installed import installed_games
from tests.broken import write_broken


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which packages can be installed."""
    monkeypatch.syspath_prepend(tmp_path)
    installed_games.cache_clear()
    yield tmp_path
    monkeypatch.undo()
    installed_games.cache_clear()


def install(site: Path, package: str, **games: str) -> None:
    """What an installer leaves behind of a package with these entry points."""
    folder = site / f"{package.replace('-', '_')}-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = [f"{slug} = {module}" for slug, module in games.items()]
    (folder / "entry_points.txt").write_text("\n".join(["[brocante.games]", *lines, ""]))


def test_a_game_of_another_package_is_a_game_like_any_other(site: Path) -> None:
    write_broken(site, "bric", {})
    install(site, "bric-a-brac", bric="bric")
    assert list(brocante.GAMES) == [*OWN_GAMES, "bric"]
    game = brocante.deal("bric", players=2, seed=1)
    assert game.box.folder == site / "bric"
    assert str(game.box.title) == "Collection", "its words come from its own folder"
    assert brocante.box("bric") is game.box
    assert brocante.box("bric", backend="python") is not game.box


@pytest.mark.parametrize(
    ("slug", "module", "problem"),
    [
        ("broken", "broken_module", "ZeroDivisionError: division by zero"),
        ("missing", "no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("empty", "empty_module", "empty_module defines no BOX of that name"),
        ("other", "brocante.games.port", "brocante.games.port defines no BOX of that name"),
        ("port", "broken_module", "that name is taken"),
        ("error", "broken_module", "that name is taken"),  # by Brocante's own words
        ("Port", "broken_module", "a game’s name is made of lowercase letters, digits and hyphens"),
    ],
)
def test_a_game_that_cannot_be_used_is_left_out_and_its_package_named(
    site: Path, slug: str, module: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (site / "broken_module.py").write_text("1 / 0")
    (site / "empty_module.py").write_text("")
    install(site, "bad-games", **{slug: module})
    assert list(brocante.GAMES) == list(OWN_GAMES)
    sentence = f"The package bad-games brings a game called {slug}, which cannot be played: {problem}."
    with pytest.raises(SystemExit):
        main(["games", "--lang", "en"])
    printed = capsys.readouterr()
    assert printed.err == f"brocante: {sentence}\n"
    assert all(game in printed.out for game in OWN_GAMES)
    if slug not in OWN_GAMES:
        with pytest.raises(UsageError) as refused:
            brocante.box(slug)
        assert str(refused.value) == sentence


def test_of_two_games_with_one_name_the_first_is_played(site: Path) -> None:
    write_broken(site, "brac", {})
    install(site, "a-brac", brac="brac")
    install(site, "b-brac", brac="brac")
    assert list(brocante.GAMES) == [*OWN_GAMES, "brac"]
    assert brocante.box("brac").slug == "brac"
    [problem] = installed_games().problems
    assert "that name is taken" in str(problem)


def test_our_own_games_are_played_without_a_look_at_other_packages() -> None:
    program = (
        "import sys, brocante, brocante.cli\n"
        "assert 'port' in brocante.GAMES\n"
        "brocante.deal('port', seed=1).legal_moves\n"
        "sys.exit('importlib.metadata' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
