"""The laws bite: each fails on a game that was broken in the way it guards against."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import Phase, settings

from brocante import testing
from brocante.engine.box import Box
from tests.broken import Changes, broken, write_broken

CASES: dict[str, tuple[Changes, Callable[[Box, int], None], int]] = {
    "unbroken": ({}, testing.nothing_shown_changes_with_a_redeal, 10),
    "leaking_pack": (
        {"rules.py": ("    for i in range(CARDS):\n        s.pack[i] = DRAWN\n    for p", "    for p")},
        testing.nothing_shown_changes_with_a_redeal,
        10,
    ),
    "leaking_hands": (
        {"rules.py": ("            s.hand[p] = 0\n", "            s.hand[p] = s.hand[p]\n")},
        testing.nothing_shown_changes_with_a_redeal,
        10,
    ),
    "leaking_moves": (
        {
            "rules.py": (
                "placed_this_turn(s, k)\n\n\n@rule\ndef close",
                "placed_this_turn(s, k) & (s.pack[CARDS - 1] > 1)\n\n\n@rule\ndef close",
            )
        },
        testing.nothing_shown_changes_with_a_redeal,
        40,
    ),
    "biased_redeal": (
        {"rules.py": ("shuffle(rng, s.pack, 0, unseen)", "shuffle(rng, s.pack, 0, unseen // 2)")},
        testing.redeals_are_fair,
        400,
    ),
    "lost_card": (
        {"rules.py": ("    s.discarded[k] += s.table[p, k]\n", "")},
        testing.every_piece_is_in_exactly_one_place,
        10,
    ),
    "softlock": (
        {"rules.py": ("    if not can_place_any(s, p):\n        discard_table(s, p)\n", "")},
        testing.every_game_ends_and_has_a_legal_move_until_then,
        10,
    ),
    "overflow": (
        {"rules.py": ("    s.score[p] += points * s.table[p, k]\n", "    s.score[p] += points * s.table[p, k] * 20\n")},
        testing.interpreted_and_compiled_play_are_the_same,
        3,
    ),
    "out_of_bounds": (
        {"rules.py": ("        n += int(s.table[p, k] > 0)", "        n += int(s.table[p, k + 1] > 0)")},
        testing.compiled_play_stays_in_bounds,
        3,
    ),
    "mixed_up_record": (
        {"moves.py": ('    return {"setup": {"hands": hands, ', '    return {"setup": {"hands": hands[::-1], ')},
        testing.records_replay_to_the_same_bytes,
        5,
    ),
}


@pytest.fixture(autouse=True)
def any_counterexample_will_do() -> Iterator[None]:
    """Finding the smallest one takes Hypothesis a while."""
    settings.register_profile("first counterexample", phases=[Phase.generate])
    settings.load_profile("first counterexample")
    yield
    settings.load_profile("default")


@pytest.mark.parametrize("name", CASES)
def test_the_law_fails_on_a_game_broken_on_purpose(name: str, tmp_path: Path) -> None:
    changes, law, examples = CASES[name]
    box = broken(tmp_path, name, changes)
    if name == "unbroken":
        law(box, examples)
    else:
        with pytest.raises(AssertionError):
            law(box, examples)


PLAY_BOTH_WAYS = """
import brocante.engine.compile, hypothesis, sys
hypothesis.settings.register_profile("first counterexample", phases=[hypothesis.Phase.generate])
hypothesis.settings.load_profile("first counterexample")
if "numba's own cache" in sys.argv:
    brocante.engine.compile.fingerprint = lambda packages: "one folder for all versions"
from brocante.testing import interpreted_and_compiled_play_are_the_same as law
import stall
law(stall.BOX, 2)
"""


def test_an_edit_in_any_file_reaches_the_compiled_rules(tmp_path: Path) -> None:
    package = write_broken(tmp_path, "stall", SIZES_APART)
    sizes = package / "sizes.py"
    sizes.write_text("import numpy as np\n\nSIZE = np.array([7, 6, 5, 5, 4], np.int8)\n")
    assert play_both_ways(tmp_path) == 0
    sizes.write_text(sizes.read_text().replace("7, 6", "4, 6"))
    assert play_both_ways(tmp_path) == 0


def test_the_law_catches_a_cache_that_keeps_old_rules(tmp_path: Path) -> None:
    package = write_broken(tmp_path, "stall", SIZES_APART)
    sizes = package / "sizes.py"
    sizes.write_text("import numpy as np\n\nSIZE = np.array([7, 6, 5, 5, 4], np.int8)\n")
    assert play_both_ways(tmp_path, "numba's own cache") == 0
    sizes.write_text(sizes.read_text().replace("7, 6", "4, 6"))
    assert play_both_ways(tmp_path, "numba's own cache") != 0


SIZES_APART: Changes = {
    "rules.py": ("SIZE = np.array([7, 6, 5, 5, 4], np.int8)\n", "from brocante.games.collection.sizes import SIZE\n")
}


def play_both_ways(folder: Path, *how: str) -> int:
    environment = {**os.environ, "BROCANTE_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(folder)}
    done = subprocess.run([sys.executable, "-c", PLAY_BOTH_WAYS, *how], env=environment, capture_output=True, text=True)
    assert done.returncode == 0 or "AssertionError" in done.stderr, done.stderr
    return done.returncode
