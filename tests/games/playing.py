"""What tests of every game do with one: play it to its end, and be refused."""

import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

from brocante import Game, IllegalMove

SPOKEN = re.compile(r"(?:(?P<seat>\d): )?(?P<move>.+)")


def played_to_the_end(game: Game, seed: object = 0) -> Game:
    """The game after random moves, the same ones for the same seed."""
    choices = Random(str(seed))
    while not game.is_over:
        game.play(choices.choice(game.legal_moves))
    return game


def refusal(game: Game, move: str | Mapping[str, Any]) -> str:
    """Why a move is not possible; it must leave the game as it was."""
    before = game.copy()
    with pytest.raises(IllegalMove) as refused:
        game.play(move)
    assert game == before
    return str(refused.value)


def assert_refused(game: Game, attempt: Callable[[], None], key: str, said: str) -> None:
    """That something is refused for this reason, in these words among others, and leaves the game as it was."""
    before = game.copy()
    with pytest.raises(IllegalMove) as refusal:
        attempt()
    text = refusal.value.text
    assert text.args.get("why", text).key == key
    assert said in str(refusal.value)
    assert game == before
    assert game.steps == before.steps


def spoken(game: Game, move: str) -> Any:
    """A move with the seat that makes it: `1: pass`."""
    found = SPOKEN.fullmatch(move)
    assert found
    return game.parse(found["move"], int(found["seat"]) if found["seat"] else None)
