"""Brocante: tabletop games of collecting, to play, to research and to design.

>>> import brocante
>>> game = brocante.deal("collection", players=2, seed=7)
>>> while not game.is_over:
...     game.play(game.legal_moves[-1])
>>> game.scores, game.winners
([26, 32], [1])
"""

from os import PathLike
from pathlib import Path
from typing import Any

from brocante.engine.box import Box
from brocante.engine.errors import BrocanteError, IllegalMove, RecordError, UsageError
from brocante.engine.game import Game
from brocante.engine.moves import Move
from brocante.engine.random import generator
from brocante.engine.records import write_record
from brocante.engine.replay import Replay, replay_file
from brocante.engine.state import CHANCE, NOBODY
from brocante.games import GAMES, box
from brocante.version import VERSION

__version__ = VERSION

__all__ = [
    "CHANCE",
    "GAMES",
    "NOBODY",
    "Box",
    "BrocanteError",
    "Game",
    "IllegalMove",
    "Move",
    "RecordError",
    "Replay",
    "UsageError",
    "box",
    "deal",
    "generator",
    "read",
    "write_record",
]


def deal(game: str | Box, *, seed: object = 0, **options: Any) -> Game:
    """Deal a game: `deal("collection", players=4, target=60, seed=42)`.

    The seed may be a number or any text; `"42:7"` is game number 7 of a simulation with seed 42. Options left out have
    their defaults; one that is unknown or out of range raises UsageError. An option that names a file of the player's
    (`deck="my-deck.toml"`) is read from it.
    """
    of = game if isinstance(game, Box) else box(game)
    return Game(of, of.load(options), seed)


def read(path: str | PathLike[str]) -> Replay:
    """Replay a record file and check every line. RecordError names the first that is wrong."""
    return replay_file(Path(path), box)
