"""What tests of every game do with one: play it to its end, and be refused."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from brocante import Game, IllegalMove


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
