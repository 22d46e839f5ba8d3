"""A sensible player of Vinto: weighs what every card costs whoever has it, and does what helps it most.

A card that it knows costs its value. Any other card costs what the unseen cards are worth on average. A point is bad in
its own row. In the rows of the others it is good, though less so; it is best with whoever has the least. In the final
round a point is bad wherever it may keep the coalition from beating the caller. An action is worth what it changes.
The weights for calling, for knowing a card and for denying others were chosen by letting variants play thousands of
games against each other. The rest are guesses.
"""

from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from brocante.engine import below, offer, rule
from brocante.engine.deck import NONE
from brocante.games.vinto import rules
from brocante.games.vinto.knowledge import knows, note_seen, shuffled_at
from brocante.games.vinto.rules import (
    ACE,
    CARDS,
    EIGHT,
    GAP,
    JACK,
    KING,
    MOST_PLAYERS,
    NINE,
    PLACES,
    QUEEN,
    RANKS,
    SEVEN,
    SLOTS,
    TEN,
    VALUE,
    Action,
    King,
    Stage,
)

SCRATCH = 0

# Points
IGNORANCE = 2.5  # what it costs to own a card without knowing it
LEFT = 0.5  # an action that the next player may take
TURN = 3.0  # how much a turn lowers a row
SPAN = 16.0  # square points: a row that is higher by its square root matters half as much
SURPRISE = 8.3  # square points: how much a Queen's look at a card may reveal
# Shares
DENY = 0.15  # of a point: how good it is in the row of whoever has the least
CURIOSITY = 0.5  # of a card's stake: to know what another player has
KEPT = 0.8  # of its usual value: a card that its owner knows and has kept
# Calling Vinto
REST = 0.4  # of a row: what the final round will leave of it
CUT = 8.0  # points that the final round will take off a row, at most
SPREAD = 9.0  # square points, for each unknown card
NEVER_SURE = 6.0  # square points: what the final round may bring
SURE_ENOUGH = 0.55  # the chance to win that is enough to call, at first
IMPATIENCE = 0.04  # how much that falls with every round of turns: another player may call first


class Mind(NamedTuple):
    """What a seat makes of the table."""

    seat: int
    seen: Any  # whether the seat sees a card, wherever it lies
    table: Any  # the places of all cards that may be touched
    cost: Any  # of the card at each place, in points
    stake: Any  # what one more point in a player's row is worth
    fresh: float  # what a card from the deck costs whoever gets it unseen
    ignorance: float  # what it costs not to know a card
    left: float  # what it is worth to leave an action unused


@rule
def choose(s, seat, actions, n, scratch, rng):
    """The action that is worth most. The first half of a move is worth as much as the best second half. Chance decides
    among equals; otherwise everybody would pick on the first seats."""
    if n == 1:
        return actions[0]
    mind = size_up(s, int(seat))
    choice, best, equals = actions[0], -np.inf, 0
    for action in actions[:n]:
        value = worth(s, mind, action)
        if value > best:
            choice, best, equals = action, value, 1
        elif value == best:
            equals += 1
            choice = action if below(rng, equals) == 0 else choice
    return choice


@rule
def worth(s, mind, action):
    """What an action is worth to the seat, in points."""
    if action >= Action.AT:
        return pointing(s, mind, action - Action.AT)
    if action >= Action.GIVE:
        return giving(mind, action - Action.GIVE)
    if action >= Action.SILENT:
        return saying(s, mind, action - Action.RANK)
    if action >= Action.SLOT:
        return picking(s, mind, mind.seat * SLOTS + action - Action.SLOT)
    return acting(s, mind, action)


@rule
def pointing(s, mind, at):
    if s.stage == Stage.JACK or s.stage == Stage.QUEEN:
        return best_exchange_of(s, mind, at, NONE, s.stage == Stage.QUEEN)
    if s.stage == Stage.JACK_SECOND:
        return exchanging(s, mind, int(s.picked), at)
    if s.stage == Stage.QUEEN_SECOND:
        return looking_at_two(s, mind, int(s.picked), at)
    if s.stage == Stage.KING:
        return best_declaration(s, mind, at)
    return looking(s, mind, at)


@rule
def saying(s, mind, rank):
    if s.stage == Stage.SWAP:
        return letting_go(s, mind, mind.seat * SLOTS + int(s.picked), rank)
    if s.stage == Stage.KING_RANK:
        return declaring(s, mind, int(s.picked), rank)
    return using(s, mind, rank, NONE)


@rule
def picking(s, mind, at):
    if s.stage == Stage.WINDOW:
        return tossing(s, mind, at)
    if s.stage == Stage.DRAWN:
        return holding(mind, rules.rank_of(s.drawn)) + parting(s, mind, at)
    return 0.0  # V2: one card is as good to peek at as another


@rule
def acting(s, mind, action):
    if action == Action.DRAW:
        return drawing(s, mind)
    if action == Action.TAKE:
        return using_any(s, mind, rules.rank_of(rules.top_of_pile(s)), NONE)
    if action == Action.PLAY:
        return placing(s, mind, rules.rank_of(s.drawn), NONE)
    if action == Action.EXCHANGE:
        return exchanging(s, mind, int(s.picked), int(s.other))
    if action == Action.VINTO:
        return chance_to_win(s, mind) - SURE_ENOUGH + IMPATIENCE * s.turns / s.players
    return 0.0  # to pass, to leave, to end the turn


# --- the table --------------------------------------------------------------------------------------------------------


@rule
def size_up(s, seat):
    """What every card costs, and how much a point in each row is worth."""
    seen = np.zeros(CARDS, np.int8)
    note_seen(s, seen)
    table, n = np.zeros(PLACES, np.int64), 0
    cost, total = np.zeros(PLACES), np.zeros(MOST_PLAYERS)
    for p in range(s.players):
        for k in range(s.width[p]):
            at = p * SLOTS + k
            cost[at] = probable_cost(s, p, k, seen)
            total[p] += cost[at]
            n = offer(table, n, at, (s.row[p, k] != GAP) & (not rules.is_frozen(s, p)))
    final = rules.is_final_round(s)
    stake = np.zeros(MOST_PLAYERS)
    set_stakes(s, seat, total, stake)
    ignorance = 0.0 if final else IGNORANCE
    fresh = mean_to_draw(s, seen) + ignorance
    return Mind(seat, seen, table[:n], cost, stake, fresh, ignorance, LEFT if final else -LEFT)


@rule
def probable_cost(s, p, k, seen):
    """Of the card in a slot."""
    card = s.row[p, k]
    if card == GAP:
        return 0.0
    if card > GAP:
        return float(VALUE[rules.rank_of(card)])
    share = KEPT if knows(s, p, p, k) else 1.0
    return share * mean_unseen(s, seen, shuffled_at(s, p, k))


@rule
def mean_unseen(s, seen, shuffled):
    """What the unseen cards that were last shuffled then are worth on average."""
    points, n = 0, 0
    for rank in range(RANKS):
        count = count_unseen(s, seen, rank, shuffled)
        points += count * int(VALUE[rank])
        n += count
    return points / max(1, n)


@rule
def mean_to_draw(s, seen):
    """What the next card of the deck is worth on average."""
    points, n = 0, 0
    for rank in range(RANKS):
        count = count_to_draw(s, seen, rank)
        points += count * int(VALUE[rank])
        n += count
    return points / max(1, n)


@rule
def count_to_draw(s, seen, rank):
    """How many cards of a rank may come next. V8.1: if the deck is empty, those below the top of the discard pile."""
    if s.left > 0:
        return count_unseen(s, seen, rank, s.renewals)
    count = 0
    for k in range(s.discards - 1):
        count += int(rules.rank_of(s.discard_pile[k]) == rank)
    return count


@rule
def count_unseen(s, seen, rank, shuffled):
    """How many unseen cards of a rank were last shuffled then."""
    count = 0
    for card in range(4 * rank, min(4 * rank + 4, CARDS)):
        count += int((seen[card] == 0) & (s.shuffled[card] == shuffled))
    return count


@rule
def set_stakes(s, seat, total, stake):
    """The lowest row of the others matters most; in the final round, the lowest row of the coalition (V9, V10)."""
    final = rules.is_final_round(s)
    lowest = np.inf
    for p in range(s.players):
        total[p] -= TURN * int(final and has_turn_to_come(s, p))
        if p != (s.caller if final else seat):
            lowest = min(lowest, total[p])
    for p in range(s.players):
        gap = total[p] - lowest
        stake[p] = (-1.0 if final else DENY) / (1.0 + gap * gap / SPAN)
    if not final:
        stake[seat] = -1.0


@rule
def has_turn_to_come(s, p):
    """In the final round."""
    return (p - s.caller) % int(s.players) >= (s.turn - s.caller) % int(s.players)


@rule
def burden(s, mind, p, at):
    """What the card at a place costs player p, or would cost if they had it. It costs less to know it."""
    return mind.cost[at] + (0.0 if knows(s, p, at // SLOTS, at % SLOTS) else mind.ignorance)


@rule
def card_at(s, at):
    return s.row[at // SLOTS, at % SLOTS]


@rule
def is_rank(s, at, rank):
    """Whether the seat knows that a card is of a rank."""
    card = card_at(s, at)
    return (card > GAP) & (rules.rank_of(card) == rank)


# --- a turn -----------------------------------------------------------------------------------------------------------


@rule
def drawing(s, mind):
    """What the next card will be good for, on average."""
    part = best_parting(s, mind)
    value, n = 0.0, 0
    for rank in range(RANKS):
        count = count_to_draw(s, mind.seen, rank)
        if count > 0:
            value += count * max(placing(s, mind, rank, NONE), holding(mind, rank) + part)
            n += count
    return value / max(1, n)


@rule
def best_parting(s, mind):
    best = -np.inf
    for at in mind.table:
        if at // SLOTS == mind.seat:
            best = max(best, parting(s, mind, at))
    return best


@rule
def holding(mind, rank):
    """V3.2: the drawn card joins the seat's row."""
    return mind.stake[mind.seat] * VALUE[rank]


@rule
def parting(s, mind, at):
    """V3.2: the card at a place leaves the seat's row for the pile, declared if that is better."""
    relief = -mind.stake[mind.seat] * burden(s, mind, mind.seat, at)
    silent = letting_go(s, mind, at, NONE)
    if card_at(s, at) < GAP:
        return relief + silent
    return relief + max(silent, letting_go(s, mind, at, rules.rank_of(card_at(s, at))))


@rule
def letting_go(s, mind, at, declared):
    """V3.2: what comes of the card that is swapped out."""
    if declared != NONE:
        return placing(s, mind, declared, at) if is_rank(s, at, declared) else penalty(mind)
    if card_at(s, at) < GAP:
        return mind.left
    rank = rules.rank_of(card_at(s, at))
    return tosses(s, mind, rank, at) + (mind.left if rules.has_action(rank) else 0.0)


@rule
def penalty(mind):
    """A card for the seat itself, unseen."""
    return giving(mind, mind.seat)


@rule
def placing(s, mind, rank, but):
    """A card from the place `but` is placed on the pile, and its action is carried out."""
    return using_any(s, mind, rank, but) + tosses(s, mind, rank, but)


@rule
def tosses(s, mind, rank, but):
    """V6: what the others will toss in, as far as the seat can tell."""
    value = 0.0
    for at in mind.table:
        p = at // SLOTS
        if is_rank(s, at, rank) and p != s.turn and p != mind.seat and at != but and knows(s, p, p, at % SLOTS):
            value -= mind.stake[p] * max(0.0, mind.cost[at])
    return value


@rule
def tossing(s, mind, at):
    """V6: only a card that the seat is sure of."""
    rank = rules.rank_of(rules.top_of_pile(s))
    if is_rank(s, at, rank):
        return placing(s, mind, rank, at) - mind.stake[mind.seat] * mind.cost[at]
    return penalty(mind)


# --- actions ----------------------------------------------------------------------------------------------------------


@rule
def using_any(s, mind, rank, but):
    """What an action is worth when the card at `but` is gone."""
    if rank != KING:
        return using(s, mind, rank, but)
    return best_name(s, mind, but) if s.king == King.WILD else best_use_of_king(s, mind, but)


@rule
def using(s, mind, rank, but):
    """The same, for any card but a King."""
    if rank in (SEVEN, EIGHT):
        return best_look(s, mind, True, but)
    if rank in (NINE, TEN):
        return best_look(s, mind, False, but)
    if rank in (JACK, QUEEN):
        return best_exchange(s, mind, but, rank == QUEEN)
    return best_gift(s, mind) if rank == ACE else 0.0


@rule
def best_look(s, mind, own, but):
    best = 0.0
    for at in mind.table:
        if at != but and (at // SLOTS == mind.seat) == own:
            best = max(best, looking(s, mind, at))
    return best


@rule
def looking(s, mind, at):
    """7 to 10: at a card that the seat does not know. Another player's is best if they know it and have kept it."""
    p = at // SLOTS
    if card_at(s, at) > GAP:
        return 0.0
    if p == mind.seat:
        return -mind.stake[p] * mind.ignorance
    return abs(mind.stake[p]) * CURIOSITY * (2.0 if knows(s, p, p, at % SLOTS) else 1.0)


@rule
def best_exchange(s, mind, but, queen):
    best = 0.0
    for at in mind.table:
        if at != but:
            best = max(best, best_exchange_of(s, mind, at, but, queen))
    return best


@rule
def best_exchange_of(s, mind, a, but, queen):
    best = -np.inf
    for b in mind.table:
        if b != a and b != but:
            best = max(best, looking_at_two(s, mind, a, b) if queen else exchanging(s, mind, a, b))
    return best


@rule
def exchanging(s, mind, a, b):
    """Jack: two cards change places."""
    p, q = a // SLOTS, b // SLOTS
    first = mind.stake[p] * (burden(s, mind, p, b) - burden(s, mind, p, a))
    return first + mind.stake[q] * (burden(s, mind, q, a) - burden(s, mind, q, b))


@rule
def looking_at_two(s, mind, a, b):
    """Queen: learn two cards, and exchange them if that turns out to be good."""
    gain = exchanging(s, mind, a, b)
    difference = mind.stake[a // SLOTS] - mind.stake[b // SLOTS]
    unseen = int(card_at(s, a) < GAP) + int(card_at(s, b) < GAP)
    hope = (gain + sqrt(gain * gain + SURPRISE * unseen * difference * difference)) / 2
    return hope + looking(s, mind, a) + looking(s, mind, b)


@rule
def best_name(s, mind, but):
    best = 0.0
    for rank in range(RANKS):
        if rules.can_be_named(rank):
            best = max(best, using(s, mind, rank, but))
    return best


@rule
def best_use_of_king(s, mind, but):
    best = -np.inf
    for at in mind.table:
        if at != but:
            best = max(best, best_declaration(s, mind, at))
    return best if best > -np.inf else 0.0  # V7: without a card on the table, nothing happens


@rule
def best_declaration(s, mind, at):
    if card_at(s, at) > GAP:
        return declaring(s, mind, at, rules.rank_of(card_at(s, at)))
    best = -np.inf
    for rank in range(RANKS):
        best = max(best, declaring(s, mind, at, rank))
    return best


@rule
def declaring(s, mind, at, rank):
    """King: a known card is taken away and used, unless it is a second King. An unknown one is a guess."""
    relief = -mind.stake[at // SLOTS] * VALUE[rank]
    if card_at(s, at) < GAP:
        chance = chance_of_rank(s, mind, at, rank)
        return chance * relief + (1 - chance) * penalty(mind)
    if is_rank(s, at, rank):
        return relief + using(s, mind, rank, at) + tosses(s, mind, rank, at)
    return penalty(mind)


@rule
def chance_of_rank(s, mind, at, rank):
    """How likely an unknown card is of a rank."""
    shuffled = shuffled_at(s, at // SLOTS, at % SLOTS)
    n = 0
    for other in range(RANKS):
        n += count_unseen(s, mind.seen, other, shuffled)
    return count_unseen(s, mind.seen, rank, shuffled) / max(1, n)


@rule
def best_gift(s, mind):
    best = -np.inf
    for p in range(s.players):
        if not rules.is_frozen(s, p):
            best = max(best, giving(mind, p))
    return best


@rule
def giving(mind, p):
    """Ace: a card from the deck, unseen."""
    return mind.stake[p] * mind.fresh


# --- Vinto ------------------------------------------------------------------------------------------------------------


@rule
def chance_to_win(s, mind):
    """How likely nobody will have less than the seat when the final round is over."""
    chance = 1.0
    own, doubt = probable_total(s, mind, mind.seat)
    for p in range(s.players):
        if p != mind.seat:
            total, unknown = probable_total(s, mind, p)
            lead = max(REST * total, total - CUT) - own
            chance *= (1 + lead / sqrt(lead * lead + NEVER_SURE + SPREAD * (doubt + unknown))) / 2
    return chance


@rule
def probable_total(s, mind, p):
    """Of a row, and how many of its cards the seat does not know."""
    total, unknown = 0.0, 0
    for k in range(s.width[p]):
        total += mind.cost[p * SLOTS + k]
        unknown += int(s.row[p, k] < GAP)
    return total, unknown
