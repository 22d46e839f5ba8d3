"""The rules of Collection, clause by clause (C1–C12, as in locale/rules.en.md).

Predicates that are evaluated for every action are joined with `&` and `|` rather than `and` and `or`. Without branches,
which a processor cannot predict in a card game, listing the legal actions takes half the time.
"""

from enum import IntEnum

import numpy as np

from brocante.engine import CHANCE, NOBODY, below, left_of, offer, rank, record, rule, shuffle
from brocante.engine.deck import lay_out, take_top, turn_over


class Action(IntEnum):
    PLACE = 0  # .. 4: place one card of kind k
    CLOSE = 5  # .. 9: close the collection of kind k
    END_TURN = 10


# C1
KINDS = 5
#                banknotes watches stamps books tarots
BOX = np.array([28, 24, 20, 20, 16], np.int16)
SIZE = np.array([7, 6, 5, 5, 4], np.int8)
CARDS = 108

MOST_PLAYERS = 4
HAND = 5
ROOM_ON_TABLE = 3
FEWEST_TO_CLOSE = 3
COMPLETE = 2  # points a card (C5)
CLOSED = 1  # points a card (C6)

ACTIONS = 11
STATE = record(
    ("score", np.int16, MOST_PLAYERS),  # C12: of the whole match
    ("hand", np.int8, (MOST_PLAYERS, KINDS)),
    ("table", np.int8, (MOST_PLAYERS, KINDS)),
    ("completed", np.int8, (MOST_PLAYERS, KINDS)),  # point cards of this round that lie upright (C5)
    ("closed", np.int8, (MOST_PLAYERS, KINDS)),  # and those that lie sideways (C6)
    ("discarded", np.int8, KINDS),
    ("placed", np.int8, KINDS),  # this turn, by kind
    ("held", np.int8, MOST_PLAYERS),  # cards in hand
    ("deck", np.int8, CARDS),
    ("left", np.int8),  # cards in the deck
    ("first", np.int8),  # who starts this round
    ("rounds", np.int32),  # begun so far
    ("target", np.int16),  # 0: a single round
    ("players", np.int8),
    ("actor", np.int8),
)


# --- setup ------------------------------------------------------------------------------------------------------------


@rule
def chance(s, rng):
    """C2: shuffle and deal. The first player of the match is drawn; C12: then the start passes to the left."""
    lay_out(s.deck, BOX)
    shuffle(rng, s.deck, 0, CARDS)
    turn_over(s.deck, CARDS)
    s.first = below(rng, s.players) if s.rounds == 0 else left_of(s, s.first)
    deal(s)


@rule
def deal(s):
    """C2: five cards to each player from the deck as it lies; nothing else is on the table."""
    s.left = CARDS
    s.hand[:] = 0
    s.table[:] = 0
    s.completed[:] = 0
    s.closed[:] = 0
    s.discarded[:] = 0
    s.held[:] = 0
    for p in range(s.players):
        draw(s, p, HAND)
    s.rounds += 1
    begin_turn(s, s.first)


# --- a turn -----------------------------------------------------------------------------------------------------------


@rule
def begin_turn(s, p):
    s.actor = p
    s.placed[:] = 0
    if not can_place_any(s, p):
        discard_table(s, p)


@rule
def holds(s, p, k):
    return s.hand[p, k] > 0


@rule
def has_room(s, p, k):
    """C3: a kind already on the table, or room for one more collection."""
    return (s.table[p, k] > 0) | (collections_on_table(s, p) < ROOM_ON_TABLE)


@rule
def can_place(s, p, k):
    return holds(s, p, k) & has_room(s, p, k)


@rule
def can_place_any(s, p):
    for k in range(KINDS):
        if can_place(s, p, k):
            return True
    return False


@rule
def collections_on_table(s, p):
    n = 0
    for k in range(KINDS):
        n += int(s.table[p, k] > 0)
    return n


@rule
def place(s, p, k):
    """C3, and C5 the moment the collection reaches its size."""
    s.hand[p, k] -= 1
    s.held[p] -= 1
    s.table[p, k] += 1
    s.placed[k] += 1
    if s.table[p, k] == SIZE[k]:
        complete(s, p, k)


@rule
def complete(s, p, k):
    """C5: two points a card; everyone else discards what they have of that kind."""
    take(s, p, k, s.completed, COMPLETE)
    for q in range(s.players):
        discard(s, q, k)


@rule
def large_enough_to_close(s, p, k):
    return s.table[p, k] >= FEWEST_TO_CLOSE


@rule
def placed_this_turn(s, k):
    return s.placed[k] > 0


@rule
def can_close(s, p, k):
    """C6: three or more on the table, at least one of them placed this turn."""
    return large_enough_to_close(s, p, k) & placed_this_turn(s, k)


@rule
def close(s, p, k):
    """C6: one point a card, also for those who have as many or more; the others discard theirs."""
    mine = s.table[p, k]
    for q in range(s.players):
        if s.table[q, k] >= mine:
            take(s, q, k, s.closed, CLOSED)
        else:
            discard(s, q, k)


@rule
def take(s, p, k, lying, points):
    """A collection becomes point cards, upright (`completed`) or sideways (`closed`), and makes room at once (C7)."""
    s.score[p] += points * s.table[p, k]
    lying[p, k] += s.table[p, k]
    s.table[p, k] = 0


@rule
def discard(s, p, k):
    s.discarded[k] += s.table[p, k]
    s.table[p, k] = 0


@rule
def discard_table(s, p):
    """C4: a player who can place no card discards all their collections."""
    for k in range(KINDS):
        discard(s, p, k)


@rule
def can_end_turn(s):
    """C9: after at least one card was placed."""
    return cards_placed(s) > 0


@rule
def cards_placed(s):
    n = 0
    for k in range(KINDS):
        n += s.placed[k]
    return n


@rule
def end_turn(s, p):
    """C8, and C10: the round may be over."""
    draw(s, p, cards_to_draw(s))
    if round_is_over(s):
        end_round(s)
    else:
        begin_turn(s, left_of(s, p))


@rule
def cards_to_draw(s):
    """C8: as many as were placed, or as the deck still has."""
    return min(cards_placed(s), s.left)


@rule
def draw(s, p, n):
    for _ in range(n):
        s.hand[p, take_top(s.deck, s.left)] += 1
        s.held[p] += 1
        s.left -= 1


# --- the end ----------------------------------------------------------------------------------------------------------


@rule
def round_is_over(s):
    """C10: the deck is empty and a player has no cards."""
    if s.left > 0:
        return False
    for p in range(s.players):
        if s.held[p] == 0:
            return True
    return False


@rule
def end_round(s):
    """C10: what lies on the table and in hands is worth nothing. C12: a match goes on until the target is reached."""
    s.placed[:] = 0
    s.actor = CHANCE if s.target > 0 and best_score(s) < s.target else NOBODY


@rule
def best_score(s):
    best = 0
    for p in range(s.players):
        best = max(best, s.score[p])
    return best


@rule
def result(s, scores, ranks):
    """C11: the most points win; equal totals share the victory."""
    for p in range(s.players):
        scores[p] = s.score[p]
    rank(s.score, ranks, s.players)


# --- the fixed list of actions ----------------------------------------------------------------------------------------


@rule
def legal(s, actions):
    """Write the legal actions into the buffer, in ascending order; return how many there are."""
    p = s.actor
    n = 0
    for k in range(KINDS):
        n = offer(actions, n, Action.PLACE + k, can_place(s, p, k))
    for k in range(KINDS):
        n = offer(actions, n, Action.CLOSE + k, can_close(s, p, k))
    return offer(actions, n, Action.END_TURN, can_end_turn(s))


@rule
def apply(s, action):
    """Carry out a legal action of the player whose turn it is."""
    p = s.actor
    if action < Action.CLOSE:
        place(s, p, action - Action.PLACE)
    elif action < Action.END_TURN:
        close(s, p, action - Action.CLOSE)
    else:
        end_turn(s, p)


# --- what is in the box -----------------------------------------------------------------------------------------------


@rule
def census(s, counts):
    """C1: how many cards of each kind are in the game, wherever they are."""
    for k in range(KINDS):
        counts[k] = cards_seen(s, k)
    for i in range(s.left):
        counts[s.deck[i]] += 1


@rule
def cards_seen(s, k):
    """Cards of a kind outside the deck and the hidden hands."""
    n = s.discarded[k]
    for p in range(s.players):
        n += s.hand[p, k] + s.table[p, k] + point_cards(s, p, k)
    return n


@rule
def point_cards(s, p, k):
    """How many point cards of a kind a player has, whichever way they lie."""
    return s.completed[p, k] + s.closed[p, k]
