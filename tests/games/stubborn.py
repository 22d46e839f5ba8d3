"""A bot that does anything but call Vinto, so that rounds go through every corner: empty draw piles, rows without
cards, aces that nobody can take, and the limit of turns."""

from brocante.engine import below, rule
from brocante.games.vinto.rules import Action

SCRATCH = 0


@rule
def choose(s, seat, actions, n, scratch, rng):
    action = actions[below(rng, n)]
    return Action.END if action == Action.VINTO else action
