"""A bot that does anything but call Vinto, so that rounds go through every corner: empty draw piles, rows without
cards, aces that nobody can take, and the limit of turns. Every other time it tosses in or declares what it knows, so
that actions wait for each other."""

from brocante.engine import below, rule
from brocante.games.vinto.rules import GAP, SLOTS, Action, Stage, rank_of, top_of_pile
from tests.games.watchful import MOST_WAITING

SCRATCH = 0


@rule
def choose(s, seat, actions, n, scratch, rng):
    assert s.waits <= MOST_WAITING
    if below(rng, 2):
        for action in actions[:n]:
            if is_known_to_be_right(s, seat, action):
                return action
    action = actions[below(rng, n)]
    return Action.END if action == Action.VINTO else action


@rule
def is_known_to_be_right(s, seat, action):
    """Whether it tosses in a card that matches, or points a King at a card that one has seen, or declares its rank."""
    if s.stage == Stage.WINDOW and action >= Action.SLOT:
        return rank_of(s.row[seat, action - Action.SLOT]) == rank_of(top_of_pile(s))
    if s.stage == Stage.KING:
        at = action - Action.AT
        return s.row[at // SLOTS, at % SLOTS] > GAP
    return s.stage == Stage.KING_RANK and rank_of(s.row[s.picked // SLOTS, s.picked % SLOTS]) == action - Action.RANK
