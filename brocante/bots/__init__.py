"""Players: `random` for every game, `greedy` where a game's folder brings one.

A bot is a rule `choose(s, seat, actions, n, scratch, rng)`, run by whatever runs the game. The state it is given has
everything blanked that its seat does not know, so no bot can cheat; `actions[:n]` are legal; `scratch` has room for as
many states as it asks for.
"""

from collections.abc import Sequence
from types import ModuleType

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

#: Who one meets at a flea market: one for every seat that there can be.
STALLHOLDERS = ("Odette", "Marcel", "Lucienne", "Gaston", "Simone", "Fernand")


def bots_for(box: Box) -> dict[str, ModuleType]:
    """The bots that can play a game, the weakest first."""
    return {"random": random} if box.greedy is None else {"random": random, "greedy": box.greedy}


def best_bot(box: Box) -> str:
    return list(bots_for(box))[-1]


def lineup(box: Box, names: Sequence[str], seats: int) -> tuple[str, ...]:
    """A bot for each seat: one name stands for all, otherwise there is one a seat.

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
        """The bot's move for the seat whose turn it is; the game is left as it is.

        >>> import brocante
        >>> game = brocante.deal("collection", players=2, seed=3)
        >>> Bot(game.box, "random", seed=1).choose(game) in game.legal_moves
        True
        """
        box, seat = game.box, game.actor
        choose = self._choice_of(box)
        state = copied(game.state)
        spelled: tuple[int, ...] = ()
        while True:
            seen = box.seen(state, seat)
            n = box.running.legal(state, self._actions)
            action = int(choose(seen, seat, self._actions, n, self._scratch, self._rng))
            spelled = (*spelled, action)
            move = box.move_of(game.state, spelled)
            if move is not None:
                return move
            box.running.apply(state, action)

    def _choice_of(self, box: Box) -> Rule:
        """How the bot chooses: as the game runs, which may be another way than a move ago."""
        return random.choose if self.name == "random" else box.running.choose
