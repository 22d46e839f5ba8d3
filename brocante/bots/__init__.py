"""Bots: `random` for every game, and `greedy` if the game's folder has one.

A bot is a rule `choose(s, seat, actions, n, scratch, rng)`, run by the backend that runs the game. In the state that it
gets, everything that its seat does not know is blanked, so no bot can cheat. `actions[:n]` are legal; `scratch` has
room for as many states as it asks for.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from brocante.bots import random
from brocante.engine.box import Box
from brocante.engine.errors import UsageError
from brocante.engine.game import Game
from brocante.engine.moves import Move
from brocante.engine.random import BOTS, generator
from brocante.engine.rule import Rule
from brocante.engine.state import copied
from brocante.engine.text import Text

#: Names that you might meet at a flea market: one for every possible seat.
STALLHOLDERS = ("Odette", "Marcel", "Lucienne", "Gaston", "Simone", "Fernand")


def bots_for(box: Box) -> dict[str, ModuleType]:
    """The bots that can play a game, the weakest first."""
    return {"random": random} if box.greedy is None else {"random": random, "greedy": box.greedy}


def best_bot(box: Box) -> str:
    return list(bots_for(box))[-1]


def lineup(box: Box, names: Sequence[str], seats: int) -> tuple[str, ...]:
    """A bot for each seat, from one name for all or one name per seat.

    >>> import brocante
    >>> lineup(brocante.box("collection"), ["greedy"], 3)
    ('greedy', 'greedy', 'greedy')
    """
    known = bots_for(box)
    for name in names:
        if name not in known:
            raise UsageError(Text("error.bot.name", bot=name, game=box.slug, bots=tuple(known)))
    if len(names) not in (1, seats):
        raise UsageError(Text("error.bot.number", bots=len(names), n=seats))
    return tuple(names) if len(names) == seats else tuple(names) * seats


class Bot:
    """A bot at a seat of one game. The same seed makes the same choices."""

    def __init__(self, box: Box, name: str, seed: object = 0) -> None:
        lineup(box, [name], 1)
        self.name = name
        self._rng = generator(seed, BOTS)
        self._actions = np.zeros(box.rules.ACTIONS, np.int64)
        self._scratch = np.zeros(bots_for(box)[name].SCRATCH, box.rules.STATE)

    def choose(self, game: Game) -> Move:
        """The bot's move for the seat whose turn it is; the game does not change.

        >>> import brocante
        >>> game = brocante.deal("collection", players=2, seed=3)
        >>> Bot(game.box, "random", seed=1).choose(game) in game.legal_moves
        True
        """
        return self.choose_in(game.box, game.state)

    def choose_in(self, box: Box, before: Any) -> Move:
        """The same where there is only the state of a game."""
        seat, state = int(before.actor), copied(before)
        choose = self._choice_of(box)
        spelled: tuple[int, ...] = ()
        while True:
            seen = box.seen(state, seat)
            n = box.running.legal(state, self._actions)
            action = int(choose(seen, seat, self._actions, n, self._scratch, self._rng))
            spelled = (*spelled, action)
            move = box.move_of(before, spelled)
            if move is not None:
                return move
            box.running.apply(state, action)

    def _choice_of(self, box: Box) -> Rule:
        """How the bot chooses: on the game's present backend, which may have changed since the last move."""
        return random.choose if self.name == "random" else box.running.choose
