"""A sensible dealer: takes the step that leaves it furthest ahead of the others, as far as it can tell.

It values a position for everyone in points: what the Hoards are worth, what each player will probably hoard from their
Display Case (the rest is stolen, or never gets its turn), and their chances of the bonus cards with that. The weights
were found by letting variants play many thousands of games against each other. Variants that thought through the turns
of the others lost: they took a likely theft for certain, and did not dare to take good items.
"""

from math import sqrt

import numpy as np

from brocante.engine import rule
from brocante.games.antiques import rules
from brocante.games.antiques.rules import (
    BONUSES,
    CASE,
    DECK,
    DISCARD,
    DRAWN_AT_ONCE,
    HOARD,
    ITEMS,
    MOST_PLAYERS,
    POINTS,
    Action,
    Stage,
)

#: The position after a step; for each player a sheet with what they will probably hoard for each bonus, under `value`;
#: and one with how many items for each bonus are still to be had, and, under `where`, in which Hoard the oldest is.
SCRATCH = 1 + MOST_PLAYERS + 1
MARKET = MOST_PLAYERS  # the last sheet
WHOLE = 1000  # what a certain item counts on a sheet: states hold whole numbers

# Items in a Display Case
HOPE = 0.9  # chance to hoard an item that is not stolen
LURE = 0.1  # how much more a thief wants an item for each point it is worth
BOLD = 1.3  # thefts a turn: more than there are, because caution pays
FACE = 0.9  # of an item's points: without it, there would be another to hoard
# Bonuses
SHARP = 1.4  # how much a lead of one item means, compared to how many are still to come
NEVER_SURE = 0.05  # as if a few more were still to come
OLDEST = 0.4  # a lead of so many items: the oldest item wins ties
# Others
DENY = 0.7  # of what the others have on average, counted as lost


@rule
def choose(s, seat, actions, n, scratch, rng):
    """The step after which the seat stands best."""
    choice, best = actions[0], -np.inf
    for action in actions[:n]:
        scratch[0] = s
        take_step(scratch[0], seat, action)
        value = standing(scratch[0], seat, scratch[1:])
        if value > best:
            choice, best = action, value
    return choice


@rule
def take_step(s, seat, action):
    """Move the item, but draw nothing: the deck is not known. Items that the turn will still bring are counted, because
    they decide whether a player's only item is safe (A5.1)."""
    case = CASE + seat
    if s.stage == Stage.KEEP:
        rules.put(s, action - Action.KEEP, case)
    elif s.stage == Stage.STEAL:
        if action == Action.SALVAGE:
            rules.put(s, rules.top_of_discards(s), case)
        else:
            s.stolen = action - Action.STEAL
            rules.put(s, s.stolen, case)
        s.there[case] += 1
    else:
        if action != Action.PASS:
            rules.hoard(s, seat, action - Action.HOARD)
        if s.stage == Stage.HOARD:
            s.there[case] += 2


@rule
def standing(s, seat, sheets):
    """How far ahead of the others a seat is, in points."""
    turns = 0.0 if s.stage == Stage.FINAL else turns_to_come(s)
    value = 0.0
    for p in range(s.players):
        value += stake(s, seat, p) * s.worth[p]
        for bonus in range(BONUSES):
            sheets[p].value[bonus] = WHOLE * int(s.tally[p, bonus])
    if s.stage != Stage.FINAL:
        value += count_on_cases(s, seat, sheets, turns)
    pool = survey_market(s, sheets[MARKET])
    to_come = 0.0 if s.stage == Stage.FINAL else (turns / s.players + 1) / max(1, pool)
    for bonus in range(BONUSES):
        value += POINTS[bonus] * lead(s, seat, bonus, sheets, to_come)
    return value


@rule
def stake(s, seat, p):
    """What a point of a player is worth to a seat."""
    return 1.0 if p == seat else -DENY / (s.players - 1)


@rule
def turns_to_come(s):
    """How many turns there will probably be after this one (A7, A8)."""
    left = float(s.there[DECK])
    if s.stage != Stage.KEEP:
        left -= DRAWN_AT_ONCE
    turns = left / DRAWN_AT_ONCE
    if rules.can_renew(s):
        turns += (s.there[DISCARD] + turns) / DRAWN_AT_ONCE
    return max(0.0, turns)


# --- the Display Cases ------------------------------------------------------------------------------------------------


@rule
def count_on_cases(s, seat, sheets, turns):
    """Write on the sheets what everyone will probably hoard of what they display; return its value in points."""
    dearest = dearest_to_steal(s)
    temptation = 0.0
    for i in range(ITEMS):
        if may_be_stolen(s, i):
            temptation += lure(s, i, dearest)
    value = 0.0
    for i in range(ITEMS):
        if s.where[i] < HOARD:
            p = s.where[i] - CASE
            risk = min(1.0, BOLD * lure(s, i, dearest) / temptation) if may_be_stolen(s, i) else 0.0
            probably = int(WHOLE * chance_to_hoard(s, seat, i, turns, risk))
            value += stake(s, seat, p) * FACE * s.value[i] * probably / WHOLE
            for k in range(3):
                sheets[p].value[s.counts_for[i, k]] += probably
    return value


@rule
def dearest_to_steal(s):
    """The highest value of an item that may be stolen."""
    most = 0
    for i in range(ITEMS):
        most = max(most, s.value[i] * int(may_be_stolen(s, i)))
    return most


@rule
def may_be_stolen(s, i):
    """A5.1, A11."""
    return (s.where[i] < HOARD) & rules.may_be_robbed(s, s.where[i] % MOST_PLAYERS)


@rule
def lure(s, i, dearest):
    """How much a thief wants an item, compared to the dearest (values may be large in a deck that somebody brings)."""
    return grown(LURE * (s.value[i] - dearest))


@rule
def chance_to_hoard(s, seat, i, turns, risk):
    """How likely the player who displays an item will hoard it, given the risk of theft in each turn until then."""
    p = s.where[i] - CASE
    if (turns < 1) & (i == s.stolen):  # A9: too late
        return 0.0
    hoardings = turns / s.players + 1
    chance = HOPE * min(1.0, hoardings / s.there[CASE + p])
    for _ in range(min((p - seat - 1) % s.players, int(turns))):
        chance *= 1 - risk
    return chance


# --- the bonuses ------------------------------------------------------------------------------------------------------


@rule
def survey_market(s, market):
    """Note for each bonus how many items are still to be had, and who hoarded the oldest; return how many are left."""
    for bonus in range(BONUSES):
        market.value[bonus] = 0
        market.where[bonus] = DECK
    pool = 0
    for i in range(ITEMS):
        reachable = int(within_reach(s, i))
        hoarded = (s.where[i] >= HOARD) & (s.where[i] < DISCARD)
        pool += reachable
        for bonus in s.counts_for[i]:
            market.value[bonus] += reachable
            if hoarded & (market.where[bonus] == DECK):
                market.where[bonus] = s.where[i]
    return pool


@rule
def within_reach(s, i):
    """Whether somebody may still hoard an item: not if it lies in a discard pile that is never shuffled."""
    place = s.where[i]
    return (place < HOARD) | (place > DISCARD) | ((place == DISCARD) & rules.can_renew(s))


@rule
def lead(s, seat, bonus, sheets, to_come):
    """The chance to win a bonus, less that of the others.

    The player with more is ahead, and the more surely so the fewer are to come: a lead is measured by how far two
    players will drift apart.
    """
    sharp = SHARP / sqrt(NEVER_SURE + 2 * sheets[MARKET].value[bonus] * to_come)
    balance, total = 0.0, 0.0
    for p in range(s.players):
        oldest = int(sheets[MARKET].where[bonus] == HOARD + p)
        strength = grown(sharp * (sheets[p].value[bonus] / WHOLE + OLDEST * oldest))
        balance += stake(s, seat, p) * strength
        total += strength
    return balance / total


@rule
def grown(x):
    """About e to the power of x, from products alone: they are the same on every machine, unlike `exp`."""
    y = max(0.0, 1 + x / 1024)
    for _ in range(10):
        y *= y
    return y
