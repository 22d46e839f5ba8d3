"""The laws bite: they fail on games that were broken in the ways they guard against."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings

import brocante
from brocante import testing
from brocante.backends import backend
from brocante.engine.backend import PYTHON, EntryPoint
from brocante.engine.box import Box
from brocante.engine.rule import Rule
from tests.broken import Changes, broken, write_broken

HANDS_NOT_HIDDEN = [
    ("            s.hand[p] = 0\n", "            s.hand[p] = s.hand[p]\n"),
    (
        "    unseen = 0\n",
        "    unseen = 0\n    for p in range(s.players):\n        if p != seat:\n            s.hand[p] = 0\n",
    ),
]

STOP = """class End(Move, frozen=True):
    def __str__(self):
        return "stop"
"""

#: What one sees for a moment has a race in it that is another one whenever it is looked at.
RESTLESS_MOMENT = """
COUNT = iter(range(1_000_000))


def moment(before, move, after, viewer):
    race = Race(Mark("*", "teal", Text("seat", number=1)), next(COUNT), (0, 0), 0, 0)
    return Moment(Text("seat", number=1), Table(Text("seat", number=1), (), (), races=(race,)), pause=False)


def status(
"""


def play_as_plain_python(box: Box, examples: int) -> None:
    """The law on the one backend that notices. The others would have to be compiled first."""
    testing.backends_play_the_same_game(box, examples, (PYTHON,))


#: What is broken, which law notices, in how many examples, and what it says.
CASES: dict[str, tuple[Changes, Callable[[Box, int], None], int, str]] = {
    "leaking_pack": (
        {"knowledge.py": [("    blank(s.deck)\n", "")]},
        testing.nothing_shown_changes_with_a_redeal,
        10,
        "can tell",
    ),
    "leaking_hands": ({"knowledge.py": HANDS_NOT_HIDDEN}, testing.nothing_shown_changes_with_a_redeal, 10, "can tell"),
    "leaking_view": (
        {
            "knowledge.py": HANDS_NOT_HIDDEN,
            "view.py": [("is_open = viewer is None or viewer == seat", "is_open = True")],
        },
        testing.nothing_shown_changes_with_a_redeal,
        10,
        "can tell",
    ),
    "leaking_moves": (
        {"rules.py": [("    return s.placed[k] > 0\n", "    return (s.placed[k] > 0) & (s.deck[0] > 1)\n")]},
        testing.nothing_shown_changes_with_a_redeal,
        40,
        "can tell",
    ),
    "leaking_refusals": (
        {"refusals.py": [('Text("collection.why.nothing_placed")', 'Text("collection.why.no_room", n=s.deck[0])')]},
        testing.nothing_shown_changes_with_a_redeal,
        40,
        "can tell",
    ),
    "leaking_moment": (
        {
            "view.py": [
                ("def status(", RESTLESS_MOMENT.strip()),
                ("from brocante.engine.view import ", "from brocante.engine.view import Mark, Moment, Race, "),
            ]
        },
        testing.nothing_shown_changes_with_a_redeal,
        2,
        "sees too much for a moment",
    ),
    "biased_redeal": (
        {"knowledge.py": [("shuffle(rng, s.deck, 0, unseen)", "shuffle(rng, s.deck, 0, unseen // 2)")]},
        testing.redeals_are_fair,
        400,
        "a redeal is biased",
    ),
    "lost_card": (
        {"rules.py": [("    s.discarded[k] += s.table[p, k]\n", "")]},
        testing.every_piece_is_in_exactly_one_place,
        10,
        "pieces lost or made",
    ),
    "softlock": (
        {"rules.py": [("    if not can_place_any(s, p):\n        discard_table(s, p)\n", "")]},
        testing.every_game_ends_and_has_a_legal_move_until_then,
        10,
        "nothing is legal",
    ),
    "unseeded": (
        {"rules.py": [("below(rng, s.players) if", "np.random.randint(s.players) if")]},
        testing.the_same_seed_gives_the_same_game,
        30,
        "two different games|unreliable results",
    ),
    "overflow": (
        {"rules.py": [("s.score[p] += points * s.table[p, k]\n", "s.score[p] += points * s.table[p, k] * 20\n")]},
        play_as_plain_python,
        3,
        "overflow",
    ),
    "compiled_otherwise": (  # two truths added up are two where that is compiled, and one where it is not
        {
            "rules.py": [
                ("s.score[p] += points * s.table[p, k]\n", "s.score[p] += points * s.table[p, k] + (TRUTH + TRUTH)\n"),
                ("CARDS = ", "TRUTH = np.bool_(True)\nCARDS = "),
            ]
        },
        testing.backends_play_the_same_game,
        3,
        "numba differs from python",
    ),
    "out_of_bounds": (
        {"rules.py": [("        n += int(s.table[p, k] > 0)", "        n += int(s.table[p, k + 1] > 0)")]},
        play_as_plain_python,
        3,
        "out of bounds",
    ),
    "speechless": (
        {"refusals.py": [("collection.why.not_held", "collection.why.unheard_of")]},
        testing.illegal_moves_change_nothing,
        20,
        "unheard_of",
    ),
    "requirement_left_out": (
        {"refusals.py": [("yield rules.has_room(s, seat, k), Text", "yield True, Text")]},
        testing.a_move_is_legal_where_its_requirements_are_met,
        60,
        "is illegal, its requirements say otherwise",
    ),
    "requirement_too_strict": (
        {"refusals.py": [("rules.can_end_turn(s)", "rules.cards_placed(s) > 1")]},
        testing.a_move_is_legal_where_its_requirements_are_met,
        20,
        "is legal, its requirements say otherwise",
    ),
    "nothing_said": (
        {"refusals.py": [("        case _:\n", "        case Move(seat=-1):\n")]},
        testing.a_move_is_legal_where_its_requirements_are_met,
        20,
        "nothing is required of",
    ),
    "misspelled": (
        {"moves.py": [("class End(Move, frozen=True):\n    pass", STOP)]},
        testing.moves_are_read_as_they_are_written,
        20,
        'no move "stop"',
    ),
    "mixed_up_record": (
        {"chance_lines.py": [('{"setup": {"hands": hands, ', '{"setup": {"hands": hands[::-1], ')]},
        testing.records_replay_to_the_same_bytes,
        5,
        "replays to another game|is not possible",
    ),
}


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Broken rules are not kept among good ones."""
    monkeypatch.setenv("BROCANTE_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture(autouse=True)
def any_counterexample_will_do() -> Iterator[None]:
    """Finding the smallest one takes Hypothesis a while; and it is looked for in the same places every time."""
    settings.register_profile("first counterexample", phases=[Phase.generate], derandomize=True)
    settings.load_profile("first counterexample")
    yield
    settings.load_profile("default")


class Skewed:
    """A backend in which every collection that is closed scores a point more."""

    name = "skewed"

    def run(self, entry: EntryPoint) -> Rule:
        rule = entry.rule

        def apply(s: Any, action: int) -> None:
            before = s.closed.sum()
            rule(s, action)
            s.score[0] += s.closed.sum() > before

        return apply if rule.__name__ == "apply" else rule


def test_the_law_fails_on_a_game_that_is_broken_on_one_backend_alone() -> None:
    """Whichever two are compared, and wherever the broken one stands."""
    plain, compiled, skewed = backend("python"), backend("numba"), Skewed()
    box = brocante.box("collection")
    testing.backends_play_the_same_game(box, 3, (plain, compiled, plain))
    for backends in ((plain, skewed), (compiled, skewed), (skewed, plain), (plain, compiled, skewed)):
        with pytest.raises(AssertionError, match=r"(skewed differs from|differs from skewed)"):
            testing.backends_play_the_same_game(box, 10, backends)


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize("name", CASES)
def test_the_law_fails_on_a_game_broken_on_purpose(name: str, tmp_path: Path) -> None:
    changes, law, examples, says = CASES[name]
    with pytest.raises(AssertionError, match=says):
        law(broken(tmp_path, name, changes), examples)


@pytest.mark.usefixtures("own_cache")
def test_the_laws_hold_on_the_same_game_unbroken(tmp_path: Path) -> None:
    """So it is what we changed that they find, not how."""
    box = broken(tmp_path, "unbroken", {})
    for law in {law for _, law, _, _ in CASES.values()} - {play_as_plain_python}:
        law(box, 400 if law is testing.redeals_are_fair else 3)


PLAY_BOTH_WAYS = """
import brocante.backends.fingerprint, hypothesis, sys
hypothesis.settings.register_profile("first counterexample", phases=[hypothesis.Phase.generate], derandomize=True)
hypothesis.settings.load_profile("first counterexample")
if "a cache that looks at nothing" in sys.argv:
    brocante.backends.fingerprint.Fingerprint.digest = lambda self, *besides: "one file for all versions"
from brocante.testing import backends_play_the_same_game as law
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
    assert play_both_ways(tmp_path, "a cache that looks at nothing") == 0
    sizes.write_text(sizes.read_text().replace("7, 6", "4, 6"))
    assert play_both_ways(tmp_path, "a cache that looks at nothing") != 0


SIZES_APART: Changes = {
    "rules.py": [("SIZE = np.array([7, 6, 5, 5, 4], np.int8)\n", "from brocante.games.collection.sizes import SIZE\n")]
}


def play_both_ways(folder: Path, *how: str) -> int:
    environment = {**os.environ, "BROCANTE_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(folder)}
    done = subprocess.run([sys.executable, "-c", PLAY_BOTH_WAYS, *how], env=environment, capture_output=True, text=True)
    assert done.returncode == 0 or "AssertionError" in done.stderr, done.stderr
    return done.returncode
