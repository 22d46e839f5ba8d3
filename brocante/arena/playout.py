"""The loop that plays whole games. It is a rule like others, made once for each game and bot."""

from functools import cache

import numpy as np

from brocante.engine import CHANCE, NOBODY, below, rule
from brocante.engine.backend import NUMBER, NUMBERS, Argument
from brocante.engine.contract import RulesFile
from brocante.engine.random import BOTS, seed_generator

RANDOM = 0  # the bot that never looks at the state


@cache
def player_of(game, knowledge, bot):
    """`play(…)` for a game's rules, what its seats know, and the bot that plays beside `random`."""

    @rule
    def play(
        fresh, bots, key, first, states, scratch, actions, counts, generators, outcome, scores, ranks, lengths, trace
    ):
        """Play len(lengths) games from number `first` on; return how many ended with a piece missing.

        Writes the actions of the last game to `trace`, as far as it reaches.
        """
        s, seen = states[0], states[1]
        chance_rng, bot_rng = generators[0], generators[1]
        incomplete = 0
        for i in range(len(lengths)):
            number = first + i
            states[0] = fresh[0]
            seed_generator(bot_rng, key, number, BOTS)
            fallen, moves = 0, 0
            while s.actor != NOBODY:
                if s.actor == CHANCE:
                    seed_generator(chance_rng, key, number, fallen)
                    fallen += 1
                    game.chance(s, chance_rng)
                else:
                    n = game.legal(s, actions)
                    if bots[s.actor] == RANDOM:
                        action = actions[below(bot_rng, n)]
                    else:
                        states[1] = states[0]
                        knowledge.hide(seen, s.actor)
                        action = bot.choose(seen, s.actor, actions, n, scratch, bot_rng)
                    if moves < len(trace):
                        trace[moves] = action
                    game.apply(s, action)
                    moves += 1
            lengths[i] = moves
            game.result(s, outcome[0], outcome[1])
            for p in range(s.players):
                scores[i, p] = outcome[0, p]
                ranks[i, p] = outcome[1, p]
            game.census(s, counts)
            for k in range(len(counts)):
                if counts[k] != game.BOX[k]:
                    incomplete += 1
                    break
        return incomplete

    return play


def play_takes(game: RulesFile) -> tuple[Argument, ...]:
    """What `play` takes, in this order."""
    states = Argument(game.STATE, 1)
    return (
        states,  # fresh
        Argument(np.dtype(np.int8), 1),  # bots
        NUMBERS,  # key
        NUMBER,  # first
        states,
        states,  # scratch
        NUMBERS,  # actions
        NUMBERS,  # counts
        Argument(np.dtype(np.int64), 2),  # generators
        Argument(np.dtype(np.int64), 2),  # outcome: scores and ranks of one game
        Argument(np.dtype(np.int32), 2),  # scores
        Argument(np.dtype(np.int8), 2),  # ranks
        Argument(np.dtype(np.int32), 1),  # lengths
        NUMBERS,  # trace
    )
