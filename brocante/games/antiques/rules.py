"""The rules of Vintage, the antiques market, clause by clause (A1–A11, as in locale/rules.en.md).

Items are numbered from the oldest to the newest. Their years, colours and categories are in the state, not in the code:
players may bring the deck of their own box.

Predicates that are evaluated for every item are joined with `&` and `|` rather than `and` and `or`, which would branch.
"""

from enum import IntEnum

import numpy as np

from brocante.engine import CHANCE, NOBODY, below, left_of, offer, rank, record, rule, shuffle
from brocante.engine.deck import NONE, blank, lay_out, take_top, turn_over

# A1, A2
ITEMS = 63
DECADES = 3
BONUSES = 17  # the decades, then every colour, then every category
POINTS = np.array([5, 8, 10] + [6] * (BONUSES - DECADES), np.int16)
ALL = -1  # in place of a bonus: every item counts
BOX = np.ones(ITEMS, np.int16)

MOST_PLAYERS = 6
DISPLAYED = 3  # A3: dealt to every player but the first two
DRAWN_AT_ONCE = 2
RENEWAL_FROM = 5  # players (A8)

# The places of an item: the Display Cases of players 0 to 5, their Hoards, and so on.
CASE = 0
HOARD = MOST_PLAYERS
DISCARD = 2 * MOST_PLAYERS
DRAWN = DISCARD + 1
DECK = DISCARD + 2  # also stands for an item that a seat has not seen
PLACES = DISCARD + 3


class Stage(IntEnum):
    DEAL = 0
    HOARD = 1  # A4
    STEAL = 2  # A5
    KEEP = 3  # A6
    FINAL = 4  # A9


class Action(IntEnum):
    HOARD = 0  # .. 62: hoard this item
    STEAL = 63  # .. 125: steal this item
    KEEP = 126  # .. 188: keep this one of the two drawn
    SALVAGE = 189
    PASS = 190


ACTIONS = 191
STATE = record(
    ("deck_file", np.int64),  # the key of the 63 items (deck_file.py)
    ("value", np.int32, ITEMS),
    ("year", np.int8, ITEMS),  # since 1950
    ("counts_for", np.int8, (ITEMS, 3)),  # the bonuses of its decade, colour and category
    ("worth", np.int32, MOST_PLAYERS),  # A10.2: of the items in a Hoard
    ("tally", np.int8, (MOST_PLAYERS, BONUSES)),  # items in a Hoard that count for a bonus
    ("where", np.int8, ITEMS),
    ("there", np.int8, PLACES),  # how many items are at a place
    ("deck", np.int8, ITEMS),  # of there[DECK] cards
    ("discard_pile", np.int8, ITEMS),  # the top card last
    ("drawn", np.int8, DRAWN_AT_ONCE),
    ("straddles", np.int8),  # A8.1: the first of the two drawn was the last of the old deck
    ("renewed", np.int8),  # A8
    ("stolen", np.int8),  # this turn (A9)
    ("turns", np.int8, MOST_PLAYERS),  # taken so far
    ("asked", np.int8),  # A9: how many were asked, in the order of both passes
    ("first", np.int8),
    ("turn", np.int8),  # whose turn it is, or was last
    ("stage", np.int8),
    ("take_that", np.int8),
    ("open_hoards", np.int8),
    ("players", np.int8),
    ("actor", np.int8),
)


# --- setup ------------------------------------------------------------------------------------------------------------


@rule
def chance(s, rng):
    """A3: shuffle and deal, and draw the first player. A8: shuffle the discard pile into a new deck."""
    if s.stage == Stage.DEAL:
        shuffle_deck(s, rng, lay_out(s.deck, BOX))
        s.first = below(rng, s.players)
        deal(s)
    else:
        gather_discards(s)
        shuffle_deck(s, rng, s.there[DECK])
        go_on_after_renewal(s)


@rule
def shuffle_deck(s, rng, left):
    shuffle(rng, s.deck, 0, left)
    turn_over(s.deck, left)


@rule
def deal(s):
    """A3: into the Display Cases, from the deck as it lies, the first player's cards first."""
    s.where[:] = DECK
    s.there[DECK] = ITEMS
    blank(s.discard_pile)
    blank(s.drawn)
    for place in range(s.players):
        p = (s.first + place) % s.players
        for _ in range(cards_dealt(s, place)):
            put(s, take_top(s.deck, s.there[DECK]), CASE + p)
    begin_turn(s, s.first)


@rule
def cards_dealt(s, place):
    """A3: one to the first player, two to the second, three to every other; A11: one fewer each."""
    return min(place + 1, DISPLAYED) - s.take_that


@rule
def put(s, i, place):
    s.there[s.where[i]] -= 1
    s.where[i] = place
    s.there[place] += 1


# --- a turn -----------------------------------------------------------------------------------------------------------


@rule
def begin_turn(s, p):
    """A4; A4a: a player whose Display Case is empty begins with the second step."""
    s.turn = p
    s.actor = p
    s.stolen = NONE
    s.stage = Stage.HOARD
    if s.there[CASE + p] == 0:
        begin_stealing(s, p)


@rule
def in_case(s, p, i):
    return s.where[i] == CASE + p


@rule
def may_be_hoarded(s, p, i):
    """A9: not what the player stole in the last turn. In an ordinary turn, hoarding comes before stealing."""
    return (i != s.stolen) | (p != s.turn)


@rule
def can_hoard(s, p, i):
    return in_case(s, p, i) & may_be_hoarded(s, p, i)


@rule
def hoard(s, p, i):
    """A4: from the Display Case, face down onto the Hoard."""
    put(s, i, HOARD + p)
    note_hoarded(s, p, i)


@rule
def note_hoarded(s, p, i):
    """Keep count of a Hoard's items for each bonus, and of its value (A10)."""
    s.worth[p] += s.value[i]
    for k in range(3):
        s.tally[p, s.counts_for[i, k]] += 1


@rule
def begin_stealing(s, p):
    """A5; A5.3: a player who can neither steal nor salvage goes on to draw."""
    s.stage = Stage.STEAL
    if not can_salvage(s) and cases_to_rob(s, p) == 0:
        draw(s)


@rule
def may_be_robbed(s, q):
    """A5.1: a player's only item cannot be stolen. A11: in the variant it can."""
    return (s.there[CASE + q] > 1) | (s.take_that == 1)


@rule
def cases_to_rob(s, p):
    """A5: the Display Cases that a player may steal from, as a set of bits. Found once instead of for every item."""
    cases = 0
    for q in range(s.players):
        cases |= int((q != p) & (s.there[CASE + q] > 0) & may_be_robbed(s, q)) << (CASE + q)
    return cases


@rule
def is_in_one_of(s, i, places):
    return (places >> s.where[i]) & 1


@rule
def steal(s, p, i):
    """A5."""
    put(s, i, CASE + p)
    s.stolen = i
    draw(s)


@rule
def can_salvage(s):
    """A5.2: not from an empty discard pile."""
    return s.there[DISCARD] > 0


@rule
def salvage(s, p):
    """A5: the top card of the discard pile."""
    put(s, take_top(s.discard_pile, s.there[DISCARD]), CASE + p)
    draw(s)


@rule
def top_of_discards(s):
    return s.discard_pile[s.there[DISCARD] - 1]


@rule
def draw(s):
    """A6: two cards. A8.1: if there is only one, the discard pile is shuffled before the second."""
    s.stage = Stage.KEEP
    draw_one(s)
    if s.there[DECK] > 0:
        draw_one(s)
    else:
        s.straddles = 1
        s.actor = CHANCE


@rule
def draw_one(s):
    i = take_top(s.deck, s.there[DECK])
    s.drawn[s.there[DRAWN]] = i
    put(s, i, DRAWN)


@rule
def is_drawn(s, i):
    return s.where[i] == DRAWN


@rule
def keep(s, p, i):
    """A6: one into the Display Case, the other face up onto the discard pile."""
    other = s.drawn[1] if s.drawn[0] == i else s.drawn[0]
    put(s, i, CASE + p)
    s.discard_pile[s.there[DISCARD]] = other
    put(s, other, DISCARD)
    end_turn(s, p)


@rule
def end_turn(s, p):
    """A8.2: an empty deck is renewed at once."""
    blank(s.drawn)
    s.straddles = 0
    s.turns[p] += 1
    if s.there[DECK] == 0 and can_renew(s):
        s.actor = CHANCE
    else:
        go_on_after_turn(s, p)


@rule
def go_on_after_turn(s, p):
    """The next player, or the end."""
    if game_ends(s):
        begin_final_hoarding(s)
    else:
        begin_turn(s, left_of(s, p))


# --- the end ----------------------------------------------------------------------------------------------------------


@rule
def can_renew(s):
    """A8: with five or six players, once."""
    return (s.players >= RENEWAL_FROM) & (s.renewed == 0)


@rule
def gather_discards(s):
    """A8: the discard pile becomes the deck, for chance to shuffle."""
    s.renewed = 1
    n = s.there[DISCARD]
    for k in range(n):
        i = s.discard_pile[k]
        s.discard_pile[k] = NONE
        s.deck[k] = i
        put(s, i, DECK)


@rule
def go_on_after_renewal(s):
    """A8.1: with the second card. A8.4: if there is none, the only card drawn goes into the Display Case.
    A8.2: if the turn was over, with the next one; A8.3: unless this is the end."""
    p = s.turn
    if s.there[DRAWN] == 0:
        go_on_after_turn(s, p)
    elif s.there[DECK] > 0:
        draw_one(s)
        s.actor = p
    else:
        put(s, s.drawn[0], CASE + p)
        end_turn(s, p)


@rule
def game_ends(s):
    """A7, A8.3: at the end of a turn after which the deck has fewer than two cards and will not be renewed."""
    return s.there[DECK] < DRAWN_AT_ONCE and not can_renew(s)


@rule
def begin_final_hoarding(s):
    """A9."""
    s.stage = Stage.FINAL
    s.asked = 0
    ask_next(s)


@rule
def ask_next(s):
    """A9: everyone, starting to the left of the last player; then, in the same order, those who had a turn fewer.
    Players with nothing to hoard are passed over."""
    s.actor = NOBODY
    while s.actor == NOBODY and s.asked < 2 * s.players:
        p = (s.turn + 1 + s.asked) % s.players
        second_pass = s.asked >= s.players
        s.asked += 1
        if has_something_to_hoard(s, p) and (not second_pass or had_a_turn_fewer(s, p)):
            s.actor = p


@rule
def is_second_pass(s):
    """A9: those are asked who had a turn fewer."""
    return s.asked > s.players


@rule
def had_a_turn_fewer(s, p):
    return s.turns[p] < s.turns[s.turn]


@rule
def has_something_to_hoard(s, p):
    barred = int((p == s.turn) & (s.stolen != NONE))
    return s.there[CASE + p] > barred


# --- scoring ----------------------------------------------------------------------------------------------------------


@rule
def winner(s, bonus):
    """A10: who takes a bonus card. A10.1: NOBODY if nobody has such an item, or if nothing breaks the tie."""
    best, shared = NOBODY, False
    for p in range(s.players):
        if s.tally[p, bonus] > 0:
            lead = 1 if best == NOBODY else compare(s, p, best, bonus)
            if lead > 0:
                best = p
            shared = (shared and lead < 0) or lead == 0
    return NOBODY if shared else best


@rule
def compare(s, p, q, bonus):
    """A10: positive if p is ahead of q for a bonus, negative if behind, 0 if nothing breaks the tie."""
    lead = int(s.tally[p, bonus]) - int(s.tally[q, bonus])
    return lead if lead != 0 else older(s, p, q, bonus)


@rule
def older(s, p, q, bonus):
    """A10, A10.3: whose oldest item is older, then whose second oldest, and so on; A10.4: then whose Hoard is longer.

    That is: who has more items of the earliest year in which their numbers differ.
    """
    lead = 0
    where, year = s.where, s.year  # looked up once: in plain Python, lookups are most of the work
    for i in range(ITEMS):
        if lead != 0 and year[i] != year[i - 1]:
            break
        side = int(where[i] == HOARD + p) - int(where[i] == HOARD + q)
        if side != 0 and counts(s, i, bonus):
            lead += side
    return lead


@rule
def counts(s, i, bonus):
    """A2: whether an item counts for a bonus."""
    of = s.counts_for[i]
    return (bonus == ALL) | (of[0] == bonus) | (of[1] == bonus) | (of[2] == bonus)


@rule
def in_hoard(s, p, i):
    return s.where[i] == HOARD + p


@rule
def result(s, scores, ranks):
    """A10.2: items and bonus cards. A10.3, A10.4: most points, then the oldest items."""
    for p in range(s.players):
        scores[p] = s.worth[p]
    for bonus in range(BONUSES):
        p = winner(s, bonus)
        if p != NOBODY:
            scores[p] += POINTS[bonus]
    rank(scores, ranks, s.players)
    for p in range(s.players):
        for q in range(s.players):
            ranks[p] += int(scores[q] == scores[p] and older(s, q, p, ALL) > 0)


# --- the fixed list of actions ----------------------------------------------------------------------------------------


@rule
def legal(s, actions):
    """Write the legal actions into the buffer, in ascending order; return how many there are."""
    p = s.actor
    n = 0
    if s.stage == Stage.HOARD:
        for i in range(ITEMS):
            n = offer(actions, n, Action.HOARD + i, in_case(s, p, i))
    elif s.stage == Stage.STEAL:
        cases = cases_to_rob(s, p)
        for i in range(ITEMS):
            n = offer(actions, n, Action.STEAL + i, is_in_one_of(s, i, cases))
        n = offer(actions, n, Action.SALVAGE, can_salvage(s))
    elif s.stage == Stage.KEEP:
        n = offer(actions, n, Action.KEEP + min(s.drawn[0], s.drawn[1]), True)
        n = offer(actions, n, Action.KEEP + max(s.drawn[0], s.drawn[1]), True)
    else:
        for i in range(ITEMS):
            n = offer(actions, n, Action.HOARD + i, can_hoard(s, p, i))
        n = offer(actions, n, Action.PASS, True)
    return n


@rule
def apply(s, action):
    """Carry out a legal action of the actor."""
    p = s.actor
    if s.stage == Stage.FINAL:
        if action != Action.PASS:
            hoard(s, p, action - Action.HOARD)
        ask_next(s)
    elif action < Action.STEAL:
        hoard(s, p, action - Action.HOARD)
        begin_stealing(s, p)
    elif action < Action.KEEP:
        steal(s, p, action - Action.STEAL)
    elif action < Action.SALVAGE:
        keep(s, p, action - Action.KEEP)
    else:
        salvage(s, p)


# --- what is in the box -----------------------------------------------------------------------------------------------


@rule
def census(s, counts):
    """A1: how often each item is in the game, wherever it lies."""
    for i in range(ITEMS):
        counts[i] = int(s.where[i] < DISCARD)
    for k in range(ITEMS):
        note_found(s.deck[k], counts)
        note_found(s.discard_pile[k], counts)
    for k in range(DRAWN_AT_ONCE):
        note_found(s.drawn[k], counts)


@rule
def note_found(i, counts):
    if i != NONE:
        counts[i] += 1
