"""A compiled rule is kept under a name made from all that it does, and from nothing else."""

from enum import IntEnum
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

import brocante
from brocante.arena.simulate import loop_of
from brocante.backends.fingerprint import Fingerprint

RULES = """
from brocante.engine.rule import rule

@rule
def price_of(case):
    \"\"\"What a case costs.\"\"\"
    return TABLE[case] + EXTRA

@rule
def can_buy(purse, case):
    return purse >= price_of(case)

@rule
def unasked(case):
    return 7

def drawing(case):
    return "a picture"
"""


def written(source: str = RULES, **constants: Any) -> ModuleType:
    """A module of rules, as somebody may write it."""
    module = ModuleType("stall")
    vars(module).update({"TABLE": np.array([3, 4, 5], np.int8), "EXTRA": 1, **constants})
    exec(source, vars(module))
    return module


def name_of(module: ModuleType, rule: str = "can_buy") -> str:
    return Fingerprint(getattr(module, rule)).digest()


def test_a_rule_has_the_same_name_every_time() -> None:
    assert name_of(written()) == name_of(written())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return purse >= price_of(case)", "return purse > price_of(case)"),
        ("return TABLE[case] + EXTRA", "return TABLE[case] - EXTRA"),
        ("return TABLE[case] + EXTRA", "return TABLE[case] + 2"),
        ("def price_of(case):", "def price_of(case, extra=1):"),
    ],
)
def test_an_edit_of_a_rule_or_of_one_that_it_calls_gives_another_name(old: str, new: str) -> None:
    assert name_of(written(RULES.replace(old, new))) != name_of(written())


class Other(IntEnum):
    PRICE = 1


@pytest.mark.parametrize(
    "constants",
    [
        {"EXTRA": 2},
        {"EXTRA": 1.0},
        {"EXTRA": True},
        {"TABLE": np.array([3, 4, 6], np.int8)},
        {"TABLE": np.array([3, 4, 5], np.int16)},
        {"TABLE": (3, 4, 5)},
    ],
    ids=str,
)
def test_a_constant_counts_wherever_it_came_from(constants: dict[str, Any]) -> None:
    """A table that was read from a file of data is part of the rule that looks things up in it."""
    assert name_of(written(**constants)) != name_of(written())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return 7", "return 8"),
        ('return "a picture"', 'return "another picture"'),
        ('"""What a case costs."""', '"""What one pays for a case."""'),
        ("@rule\ndef unasked", "# Nobody asks for it.\n\n\n@rule\ndef unasked"),
    ],
)
def test_what_no_rule_uses_changes_nothing(old: str, new: str) -> None:
    source = RULES.replace(old, new)
    assert source != RULES
    assert name_of(written(source)) == name_of(written())


def test_a_constant_of_another_module_counts_too() -> None:
    """`from their_game import board`, and a rule that uses `board.WIDTH`."""
    source = RULES.replace("+ EXTRA", "+ board.WIDTH")
    boards = [ModuleType("board"), ModuleType("board")]
    for board, width in zip(boards, (3, 4), strict=True):
        board.WIDTH = width  # type: ignore[attr-defined]
    assert len({name_of(written(source, board=board)) for board in boards}) == 2


class Pair(NamedTuple):
    a: int
    b: int


class Couple(NamedTuple):
    b: int
    a: int


FIELDS = [np.dtype([("a", np.int8), ("b", np.int8)]), np.dtype([("b", np.int8), ("a", np.int8)])]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Pair(1, 2), Couple(1, 2)),
        (Pair, Couple),
        *[(np.zeros(3, FIELDS[0]), np.zeros(3, FIELDS[1])), (FIELDS[0], FIELDS[1])],
        (IntEnum("E", {"A": 1, "B": 1}), IntEnum("E", {"A": 1, "C": 1})),
        (0.0, -0.0),
    ],
    ids=["named tuples", "their classes", "arrays of records", "records", "aliases", "zeros"],
)
def test_what_only_looks_equal_is_told_apart(one: Any, other: Any) -> None:
    assert name_of(written(EXTRA=one)) != name_of(written(EXTRA=other))


def test_an_enum_counts_by_its_members() -> None:
    source = RULES.replace("+ EXTRA", "+ Extra.PRICE")
    one, two = (written(source, Extra=IntEnum("Extra", {"PRICE": price})) for price in (1, 2))
    assert name_of(one) != name_of(two)


def test_what_no_rule_can_use_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match=r"price_of uses \{\}, which no rule can"):
        name_of(written(EXTRA={}))


def test_a_loop_is_made_of_the_game_that_it_is_for() -> None:
    names = {
        Fingerprint(loop_of(brocante.box(slug), [bot]).rule).digest()
        for slug in brocante.GAMES
        for bot in ("random", "greedy")
    }
    assert len(names) == 2 * len(brocante.GAMES)


@pytest.mark.parametrize("slug", brocante.GAMES)
def test_the_rules_of_a_game_are_found_and_nothing_but_rules(slug: str) -> None:
    box = brocante.box(slug)
    for entry in box.entry_points:
        found = Fingerprint(entry.rule).rules
        assert found[0] is entry.rule
        assert all(isinstance(part, FunctionType) and hasattr(part, "is_rule") for part in found)
        assert {part.__module__ for part in found} <= {
            *(f"{box.package}.{file}" for file in ("rules", "knowledge", "observation", "greedy")),
            *(f"brocante.engine.{file}" for file in ("common_rules", "deck", "random")),
        }
