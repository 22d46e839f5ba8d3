"""A sensible player of Collection: thinks every turn through to its end and plays the one that leaves it best off.

It does not look beyond the end of a turn, because it knows neither the pack nor the other hands. It weighs the position
in which the turn would end: points, and what the collections may become with the cards that are still hidden.
The weights were found by letting variants play many thousands of games against each other.
"""

from math import comb

import numpy as np

from brocante.engine import rule
from brocante.games.collection import rules
from brocante.games.collection.rules import ACTIONS, FEWEST_TO_CLOSE, HAND, KINDS, ROOM_ON_TABLE, SIZE, Action

#: The position before the turn, and one after each action: five cards are placed at most, and three collections closed.
SCRATCH = 1 + HAND + ROOM_ON_TABLE

# Points
CLOSABLE = 1.5  # a card of a collection that could be closed, and may yet be completed
TEMPO = 0.5  # a card drawn: placing more shows more of the pack
# Shares
LATER = 0.8  # of the points within reach next turn, for the seat and for the others
BOLDNESS = 0.7  # how often a player who can overtake a collection does

#: PROSPECT[k, n]: what n cards of a kind are good for.
PROSPECT = np.zeros((KINDS, SIZE.max() + 1))
for _k in range(KINDS):
    PROSPECT[_k, FEWEST_TO_CLOSE:] = CLOSABLE * np.arange(FEWEST_TO_CLOSE, SIZE.max() + 1)
    PROSPECT[_k, SIZE[_k] :] = rules.COMPLETE * SIZE[_k]

#: WAYS[n, m]: in how many ways m of n cards can be the wanted ones.
WAYS = np.array([[comb(n, m) for m in range(HAND + 1)] for n in range(HAND + 1)], np.int64)


@rule
def choose(s, seat, actions, n, scratch, rng):
    """The first action of the best turn. After it, the turn is thought through again."""
    scratch[0] = s
    choice, best = actions[0], -np.inf
    for action in actions[:n]:
        value = worth(s, seat) if action == Action.END_TURN else best_after(scratch, action)
        if value > best:
            choice, best = action, value
    return choice


@rule
def best_after(scratch, action):
    """The value of the best position in which a turn can end that continues with this action.

    The turn is a number whose digits are actions, in place of a call stack: a compiled function that calls itself
    crashes when it is loaded from disk.
    """
    turn, done, following = action, 1, 0
    best = go_on(scratch, 0, action)
    while done > 0:
        last = turn % ACTIONS
        if following == Action.END_TURN:  # all tried: take the last one back
            turn, done, following = turn // ACTIONS, done - 1, last + 1
        elif possible(scratch[done], following) and not swapped(scratch[done - 1], last, following):
            best = max(best, go_on(scratch, done, following))
            turn, done, following = turn * ACTIONS + following, done + 1, 0
        else:
            following += 1
    return best


@rule
def go_on(scratch, done, action):
    """Carry out one more action on the next scratch state; return what that position is worth."""
    scratch[done + 1] = scratch[done]
    s = scratch[done + 1]
    rules.apply(s, action)
    return worth(s, s.actor)


@rule
def possible(s, action):
    if action < Action.CLOSE:
        return rules.can_place(s, s.actor, action - Action.PLACE)
    return rules.can_close(s, s.actor, action - Action.CLOSE)


@rule
def swapped(before, action, following):
    """Whether the two actions lead to the same position in the other order, which is tried anyway."""
    return following < action and following % KINDS != action % KINDS and possible(before, following)


@rule
def worth(s, seat):
    """How far ahead of the others a seat is if it ends its turn now, in points."""
    others = s.players - 1
    value = 0.0
    for p in range(s.players):
        value += s.score[p] if p == seat else -s.score[p] / others
    if rules.round_is_over(s):
        return value
    drawn = rules.cards_to_draw(s)
    again = s.left > drawn  # once the pack is empty, do not count on another turn
    value += TEMPO * drawn
    hidden = hidden_cards(s, seat)
    for k in range(KINDS):
        share = (rules.BOX[k] - rules.cards_seen(s, k)) / hidden
        if again:
            mine = s.table[seat, k] + s.hand[seat, k]
            value += LATER * chance_to_keep(s, seat, k, share) * prospect(k, mine, drawn, share)
        for p in range(s.players):
            if p != seat and rules.has_room(s, p, k):
                value -= LATER * prospect(k, s.table[p, k], s.held[p], share) / others
    return value


@rule
def hidden_cards(s, seat):
    """How many cards a seat does not know: the pack and the other hands."""
    n = int(s.left)
    for p in range(s.players):
        n += s.held[p] if p != seat else 0
    return n


@rule
def prospect(k, sure, hidden, share):
    """What a number of certain cards of a kind is good for, with what the hidden cards may add."""
    value = 0.0
    for found in range(hidden + 1):
        value += chance_to_find(found, hidden, share) * PROSPECT[k, min(sure + found, SIZE[k])]
    return value


@rule
def chance_to_find(found, hidden, share):
    """How likely it is that exactly so many hidden cards are of a kind that has this share of them."""
    chance = float(WAYS[hidden, found])
    for i in range(hidden):
        chance *= share if i < found else 1.0 - share
    return chance


@rule
def chance_to_keep(s, seat, k, share):
    """How likely it is that nobody makes a seat discard a collection by closing or completing a larger one."""
    mine = s.table[seat, k]
    chance = 1.0
    for p in range(s.players):
        if mine > 0 and p != seat and rules.has_room(s, p, k):
            larger = max(FEWEST_TO_CLOSE, mine + 1)
            chance *= 1.0 - BOLDNESS * chance_to_reach(larger - s.table[p, k], s.held[p], share)
    return chance


@rule
def chance_to_reach(needed, hidden, share):
    """How likely the hidden cards are to hold enough of a kind, and at least the one that must be placed."""
    chance = 0.0
    for found in range(max(1, needed), hidden + 1):
        chance += chance_to_find(found, hidden, share)
    return chance
