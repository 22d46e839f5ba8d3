"""The rules of Vintage, Port wine of the Douro, clause by clause (P1–P30, as in locale/rules.en.md).

The figures of the board – sites, prices, circles, the warehouse – are in the state, not in the code: players may bring
those of their own box (board.py). Estates are numbered for each player in the order in which they were bought.
"""

from enum import IntEnum

import numpy as np

from brocante.engine import CHANCE, NOBODY, below, record, rule, shuffle

# P1: the harbours, from the sea up
GAIA = 0
HARBOURS = 4
SITES = 16  # the most that a board may have
# P2
MOST_PLAYERS = 4
ESTATES = 3
SLOTS = 3  # of a boat
COLUMNS = 4  # of a cellar: two for Ruby, two for Tawny
MARKERS = 3
BARRELS = 80
# P3: of the eight categories, the first of each side takes any number of barrels
CATEGORIES = 8
SIDES = 2
ON_A_SIDE = CATEGORIES // SIDES
# P4, P5
ROUNDS = 6
KINDS = 10
CARDS = 36
HAND = 3
SIDES_OF_A_DIE = 6

BOAT_ACTIONS = 2  # P13.1: in a round
MORE_BARRELS = 2  # P20
SOLD_BY_COLHEITA = 2  # P22
PAID_BY_A_CARD = 4  # P22, P27
BOAT_CARD = 4  # P23
BARRELS_FOR_A_POINT = 4  # P29
FIRST_VP = 3  # P7

NONE = -1  # no card, no site; also what a hidden card or chip looks like
#: P2, P5: what is in the box: every card once, and the barrels.
BOX = np.array([1] * CARDS + [BARRELS], np.int16)


class Act(IntEnum):
    """P6: the action table."""

    BUY = 0
    VINEYARD = 1
    BRANDY = 2
    HARVEST = 3
    BOAT = 4
    AGE = 5
    DRAW = 6


ACTS = len(Act)


class Kind(IntEnum):
    """P5: the types of cards."""

    BUYING = 0
    PLANTING = 1
    HARVEST = 2
    FREE = 3
    COLHEITA = 4
    BOAT = 5
    AGE_BARREL = 6
    AGE_QUALITY = 7
    ENOLOGIST = 8
    VINTAGE = 9


class Extra(IntEnum):
    """P18: what comes with a `buying` card."""

    NONE = 0
    DISCOUNT = 1
    VINEYARD = 2
    BRANDY = 3


EXTRAS = len(Extra)


class Stage(IntEnum):
    DEAL = 0
    TURN = 1  # P9
    BOAT = 2  # P13: on the way
    ADD = 3  # P24: a barrel is due
    ROLL = 4  # a die is to be rolled
    RENEW = 5  # P17: the deck is to be renewed
    # the choices within a move
    SITE = 6  # P10: which one to buy
    EXTRA = 7  # P18
    VINEYARD = 8  # P11, P19: on which Estate
    BRANDY = 9
    HARVEST = 10  # P12: which Estate, or enough
    MORE = 11  # P20: on which Estate
    DISCARD = 12  # P17
    FREE = 13  # P21: which action
    COLHEITA = 14  # P22: which column the first barrel comes from
    COLHEITA_SECOND = 15
    VINTAGE = 16  # P27


STAGES = len(Stage)


class Action(IntEnum):
    MARK = 0  # .. 6: place a marker on this action of the table
    PLAY = 7  # .. 16: play a card of this kind
    LOAD = 17  # .. 19: the harvest of this Estate of one's own
    UNLOAD = 20  # .. 31: the harvest of this slot, into this column
    UP = 32
    DOWN = 33
    STOP = 34
    PASS = 35
    END = 36
    ADD = 37  # .. 44: to this category
    ADD_NONE = 45
    # the choices within a move
    SITE = 46  # .. 61
    EXTRA = 62  # .. 65
    ESTATE = 66  # .. 68
    ENOUGH = 69
    DISCARD = 70  # .. 79: a card of this kind
    FREE = 80  # .. 86: this action of the table
    COLUMN = 87  # .. 90


ACTIONS = 91

#: What one seat observes, all seats counted from itself clockwise. Its own hand. Of every seat: whether it is there,
#: its VP, markers, cards, the actions of this round that are limited (P9.3, P13.1: the boat's), first-player token,
#: whether it is its turn, where its boat lies, its markers on the table, its Estates, boat, cellar and warehouse. Of
#: every site: whether it is there and free, its quality and its price. Of every kind of card: the used ones, those
#: beside the table, the one in play, those that the deck was made of. The bonuses (known or not) and the round. The
#: circles left, the action, the stage, what was chosen, and a few numbers.
PER_ESTATE = 2 + HARBOURS + 6
PER_SEAT = 9 + HARBOURS + ACTS + ESTATES * PER_ESTATE + 2 * SLOTS + 2 * COLUMNS + CATEGORIES
PER_SITE = 4
NUMBERS = 7
MANY, GOOD, FINE, FINE_SCORE = 4, 5, 8, 20  # barrels or cards, quality of a site, of a harvest, VP: what counts as 1
OBSERVATION = (
    KINDS + MOST_PLAYERS * PER_SEAT + SITES * PER_SITE + ACTS + 4 * KINDS + ACTS + 3 * ROUNDS + STAGES + SITES + NUMBERS
)

STATE = record(
    ("board", np.int64),  # which board it is played on (board.py)
    ("sites", np.int8),
    ("quality", np.int8, SITES),
    ("price", np.int8, SITES),
    ("harbour", np.int8, SITES),
    ("barrels_of", np.int8, HARBOURS),  # P1: a harvest's, by sub-region
    ("circles", np.int8, ACTS),  # P6, with so many players
    ("least", np.int8, CATEGORIES),  # P3: the lowest quality that reaches a category
    ("spaces", np.int8, CATEGORIES),  # and how many barrels complete it
    ("pays", np.int8, CATEGORIES),
    ("chips", np.int8, ROUNDS),  # P4, ascending
    ("box", np.int8, KINDS),  # P5
    ("vp", np.int16, MOST_PLAYERS),
    ("markers", np.int8, MOST_PLAYERS),
    ("placed", np.int8, (MOST_PLAYERS, ACTS)),  # markers on the table
    ("taken", np.int8, ACTS),  # circles that are
    ("bought", np.int8, MOST_PLAYERS),  # P9.3: in this round
    ("harvested", np.int8, MOST_PLAYERS),
    ("sailed", np.int8, MOST_PLAYERS),  # P13.1: boat actions in this round
    ("owner", np.int8, SITES),  # of a site: 1 + a seat, 0 for nobody
    ("estates", np.int8, MOST_PLAYERS),  # how many a player has
    ("site", np.int8, (MOST_PLAYERS, ESTATES)),  # where they are
    ("vineyard", np.int8, (MOST_PLAYERS, ESTATES)),
    ("brandy", np.int8, (MOST_PLAYERS, ESTATES)),
    ("crop", np.int8, (MOST_PLAYERS, ESTATES)),  # barrels on an Estate
    ("crop_quality", np.int8, (MOST_PLAYERS, ESTATES)),
    ("at", np.int8, MOST_PLAYERS),  # the harbour of a boat
    ("cargo", np.int8, (MOST_PLAYERS, SLOTS)),
    ("cargo_quality", np.int8, (MOST_PLAYERS, SLOTS)),
    ("cellar", np.int8, (MOST_PLAYERS, COLUMNS)),
    ("cellar_quality", np.int8, (MOST_PLAYERS, COLUMNS)),
    ("warehouse", np.int8, (MOST_PLAYERS, CATEGORIES)),
    ("supply", np.int8),
    ("hand", np.int8, (MOST_PLAYERS, KINDS)),
    ("held", np.int8, MOST_PLAYERS),
    ("deck", np.int8, CARDS),  # the next card last
    ("left", np.int8),
    ("shuffled", np.int8, KINDS),  # the cards that the deck was made of when it was last shuffled
    ("drawn", np.int8, MOST_PLAYERS),  # how many cards a player has drawn since then
    ("used", np.int8, KINDS),
    ("aside", np.int8, KINDS),  # P28: beside the table until the round ends
    ("in_play", np.int8),  # the card whose action is being carried out
    ("bonuses", np.int8, ROUNDS),
    ("round_number", np.int8),  # from 0
    ("first", np.int8),
    ("turn", np.int8),
    ("marked", np.int8),  # whether a marker was placed in this turn
    ("doing", np.int8),  # the action of the table that is being carried out
    ("chosen", np.int8),  # what a move has chosen so far: a site (P18), a column (P22), how many Estates (P12)
    ("die", np.int8),  # as rolled last
    ("moves_left", np.int8),  # P13
    ("drifting", np.int8),  # P13.3: further downstream is free
    ("stage", np.int8),
    ("players", np.int8),
    ("actor", np.int8),
)


# --- setup ------------------------------------------------------------------------------------------------------------


@rule
def chance(s, rng):
    """P7: shuffle cards and chips, and draw the first player. P17: renew the deck. P13, P16: roll the die."""
    if s.stage == Stage.DEAL:
        lay_cards(s.box, s.deck)
        shuffle(rng, s.deck, 0, CARDS)
        same_again(s.bonuses, s.chips)
        shuffle(rng, s.bonuses, 0, ROUNDS)
        deal(s, below(rng, s.players))
    elif s.stage == Stage.RENEW:
        gather_used(s)
        shuffle(rng, s.deck, 0, s.left)
        go_on_after_renewal(s)
    else:
        roll(s, 1 + below(rng, SIDES_OF_A_DIE))


@rule
def lay_cards(counts, deck):
    """So many cards of each kind, one after the other; return how many."""
    n = 0
    for k in range(KINDS):
        for _ in range(counts[k]):
            deck[n] = k
            n += 1
    return n


@rule
def same_again(there, here):
    """Lay the same there as here, one by one: for an array as a whole, Numba compiles thirty functions more."""
    for k in range(len(here)):
        there[k] = here[k]


@rule
def deal(s, first):
    """P7, from the deck as it lies, the first seat's cards first."""
    s.left = CARDS
    same_again(s.shuffled, s.box)
    s.supply = BARRELS
    s.in_play = NONE
    s.doing = NONE
    s.chosen = NONE
    s.site[:] = NONE
    for p in range(s.players):
        s.vp[p] = FIRST_VP
        settle(s, p, p)
        s.vineyard[p, 0] = 1
        s.brandy[p, 0] = 1
        for _ in range(HAND):
            draw_card(s, p)
    s.first = first
    begin_round(s)


@rule
def begin_round(s):
    """P7: the bonus is turned up, the first player begins with all markers (P8: or not quite all)."""
    for p in range(s.players):
        s.markers[p] = MARKERS - int(lacks_a_marker(s, p))
    begin_turn(s, s.first)


@rule
def lacks_a_marker(s, p):
    """P8: in round I the first player does; with four players, the second one too."""
    place = (p - s.first) % s.players
    return (s.round_number == 0) & (place <= int(s.players == MOST_PLAYERS))


# --- a turn -----------------------------------------------------------------------------------------------------------


@rule
def begin_turn(s, p):
    s.turn = p
    s.actor = p
    s.marked = 0
    s.stage = Stage.TURN


@rule
def end_turn(s, p):
    """P9: clockwise; P9.1: a player without markers is skipped."""
    for step in range(1, s.players + 1):
        q = (p + step) % s.players
        if s.markers[q] > 0:
            begin_turn(s, q)
            return
    end_round(s)


@rule
def end_round(s):
    """P9, P28: markers and cards leave the table. P7: the first-player token passes to the left. P29: six rounds."""
    s.placed[:] = 0
    s.taken[:] = 0
    s.bought[:] = 0
    s.harvested[:] = 0
    s.sailed[:] = 0
    for k in range(KINDS):
        s.used[k] += s.aside[k]
        s.aside[k] = 0
    if s.round_number + 1 == ROUNDS:
        s.actor = NOBODY
    else:
        s.round_number += 1
        s.first = (s.first + 1) % s.players
        begin_round(s)


@rule
def pass_turn(s, p):
    """P9.1: the remaining markers of this round are given up."""
    s.markers[p] = 0
    end_turn(s, p)


@rule
def circle_is_free(s, p, act):
    """P6, P13: the circles of `boat` are every player's own."""
    return s.placed[p, act] < s.circles[act] if act == Act.BOAT else s.taken[act] < s.circles[act]


@rule
def mark(s, p, act):
    """P9: one marker on a free circle."""
    s.markers[p] -= 1
    s.placed[p, act] += 1
    s.taken[act] += 1
    s.marked = 1
    begin_action(s, p, act)


@rule
def begin_action(s, p, act):
    """Carry out an action of the table, by marker or by card; where there is something to choose, it is asked for."""
    s.doing = act
    if act == Act.BUY:
        s.stage = Stage.SITE
    elif act == Act.VINEYARD:
        s.stage = Stage.VINEYARD
    elif act == Act.BRANDY:
        s.stage = Stage.BRANDY
    elif act == Act.HARVEST:
        s.chosen = 0
        s.stage = Stage.HARVEST
    elif act == Act.DRAW:
        begin_drawing(s, p)
    else:
        s.sailed[p] += int(act == Act.BOAT)
        s.stage = Stage.ROLL
        s.actor = CHANCE


@rule
def finish(s, p):
    """An action is done; P28: its card goes to the used cards, or lies beside the table until the round ends."""
    if s.in_play != NONE:
        if (s.doing == Act.BUY) | (s.doing == Act.HARVEST):
            s.aside[s.in_play] += 1
        else:
            s.used[s.in_play] += 1
    s.in_play = NONE
    s.doing = NONE
    s.chosen = NONE
    s.stage = Stage.TURN
    s.actor = p


@rule
def possible_acts(s, p):
    """P9.2: the actions that can be carried out, as a set of bits. A card can always be drawn."""
    acts = 1 << Act.DRAW
    acts |= int(can_buy(s, p, Extra.NONE)) << Act.BUY
    acts |= int(lacks(s, p, s.vineyard)) << Act.VINEYARD
    acts |= int(lacks(s, p, s.brandy)) << Act.BRANDY
    acts |= int(can_harvest(s, p)) << Act.HARVEST
    acts |= int(can_set_out(s, p)) << Act.BOAT
    acts |= int(can_age(s, p)) << Act.AGE
    return acts


# --- Estates ----------------------------------------------------------------------------------------------------------


@rule
def price_of(s, i, extra):
    """P10; P18: the card may make it cheaper."""
    return s.price[i] - int(extra == Extra.DISCOUNT)


@rule
def can_afford(s, p, i, extra):
    """P10: VP never go below 0."""
    return price_of(s, i, extra) <= s.vp[p]


@rule
def is_for_sale(s, p, i, extra):
    """P10: a free site, at a price that one can pay."""
    return (i < s.sites) & (s.owner[i] == 0) & can_afford(s, p, i, extra)


@rule
def can_buy(s, p, extra):
    """P10: a tile is left; P9.3: none was bought in this round."""
    if (s.estates[p] == ESTATES) | (s.bought[p] == 1):
        return False
    found = False
    for i in range(SITES):
        found |= is_for_sale(s, p, i, extra)
    return found


@rule
def settle(s, p, i):
    """An Estate tile on a site."""
    s.owner[i] = p + 1
    s.site[p, s.estates[p]] = i
    s.estates[p] += 1


@rule
def buy(s, p, i, extra):
    """P10; P18: with what comes with the card."""
    s.vp[p] -= price_of(s, i, extra)
    s.vineyard[p, s.estates[p]] = int(extra == Extra.VINEYARD)
    s.brandy[p, s.estates[p]] = int(extra == Extra.BRANDY)
    settle(s, p, i)
    s.bought[p] = 1
    finish(s, p)


@rule
def choose_site(s, p, i):
    """P10; P18: the card asks for one thing more."""
    if s.in_play == Kind.BUYING:
        s.chosen = i
        s.stage = Stage.EXTRA
    else:
        buy(s, p, i, Extra.NONE)


@rule
def lacks(s, p, cubes):
    """P11: whether an Estate of a player has no such cube."""
    n = 0
    for e in range(s.estates[p]):
        n += cubes[p, e]
    return n < s.estates[p]


@rule
def plant_vineyard(s, p, e):
    """P11; P19: the card has brandy too."""
    s.vineyard[p, e] = 1
    if (s.in_play == Kind.PLANTING) and lacks(s, p, s.brandy):
        s.stage = Stage.BRANDY
    else:
        finish(s, p)


@rule
def store_brandy(s, p, e):
    """P11."""
    s.brandy[p, e] = 1
    finish(s, p)


@rule
def is_planted(s, p, e):
    """P11."""
    return (s.vineyard[p, e] == 1) & (s.brandy[p, e] == 1)


@rule
def is_ripe(s, p, e):
    """P12: planted and without barrels; P12.1: while there are barrels left."""
    return is_planted(s, p, e) & (s.crop[p, e] == 0) & (s.supply > 0)


@rule
def has_ripe(s, p):
    return is_ripe(s, p, 0) | is_ripe(s, p, 1) | is_ripe(s, p, 2)


@rule
def can_harvest(s, p):
    """P9.3, P12."""
    return (s.harvested[p] == 0) & has_ripe(s, p)


@rule
def harvest(s, p, e):
    """P12: the barrels of one Estate; then the next one, as long as there is any."""
    i = s.site[p, e]
    s.crop_quality[p, e] = s.quality[i] + s.bonuses[s.round_number]
    put_barrels(s, p, e, s.barrels_of[s.harbour[i]])
    s.chosen += 1
    if not has_ripe(s, p):
        end_harvest(s, p)


@rule
def put_barrels(s, p, e, n):
    """P12.1: as many as there are."""
    n = min(n, s.supply)
    s.crop[p, e] += n
    s.supply -= n


@rule
def end_harvest(s, p):
    s.harvested[p] = 1
    finish(s, p)


@rule
def can_get_more(s, p, e):
    """P20: an Estate that already has barrels."""
    return (s.crop[p, e] > 0) & (s.supply > 0)


@rule
def get_more(s, p, e):
    """P20."""
    put_barrels(s, p, e, MORE_BARRELS)
    finish(s, p)


# --- the boat ---------------------------------------------------------------------------------------------------------


@rule
def can_set_out(s, p):
    """P13.1: at most two boat actions a round, by marker or by card."""
    return s.sailed[p] < BOAT_ACTIONS


@rule
def begin_trip(s, p, moves):
    """P13."""
    s.moves_left = moves
    s.stage = Stage.BOAT
    s.actor = p


@rule
def can_sail_up(s, p):
    """P13.2."""
    return (s.moves_left > 0) & (s.at[p] < HARBOURS - 1)


@rule
def can_sail_down(s, p):
    """P13.3."""
    return ((s.moves_left > 0) | (s.drifting == 1)) & (s.at[p] > GAIA)


@rule
def sail_up(s, p):
    s.moves_left -= 1
    s.drifting = 0
    s.at[p] += 1


@rule
def sail_down(s, p):
    """P13.3: any distance in one go is one move."""
    s.moves_left -= int(s.drifting == 0)
    s.drifting = 1
    s.at[p] -= 1


@rule
def stop(s, p):
    """P13: unused moves are lost."""
    s.moves_left = 0
    s.drifting = 0
    finish(s, p)


@rule
def free_slot(s, p):
    """P2: the lowest empty one; SLOTS if the boat is full."""
    for slot in range(SLOTS):
        if s.cargo[p, slot] == 0:
            return slot
    return SLOTS


@rule
def can_load(s, p, e):
    """P14: where the boat lies, if it has room."""
    return (s.crop[p, e] > 0) and (s.harbour[s.site[p, e]] == s.at[p]) and (free_slot(s, p) < SLOTS)


@rule
def load(s, p, e):
    slot = free_slot(s, p)
    s.cargo[p, slot] = s.crop[p, e]
    s.cargo_quality[p, slot] = s.crop_quality[p, e]
    s.crop[p, e] = 0
    s.crop_quality[p, e] = 0


@rule
def must_unload(s, p):
    """P15: in Gaia with a harvest aboard and an empty column, there is nothing else to do."""
    if s.at[p] != GAIA:
        return False
    aboard = (s.cargo[p, 0] > 0) | (s.cargo[p, 1] > 0) | (s.cargo[p, 2] > 0)
    full = (s.cellar[p, 0] > 0) & (s.cellar[p, 1] > 0) & (s.cellar[p, 2] > 0) & (s.cellar[p, 3] > 0)
    return aboard & (not full)


@rule
def can_unload(s, p, slot, column):
    """P15: a harvest into an empty column."""
    return (s.cargo[p, slot] > 0) & (s.cellar[p, column] == 0)


@rule
def unload(s, p, slot, column):
    s.cellar[p, column] = s.cargo[p, slot]
    s.cellar_quality[p, column] = s.cargo_quality[p, slot]
    s.cargo[p, slot] = 0
    s.cargo_quality[p, slot] = 0


# --- ageing and selling -----------------------------------------------------------------------------------------------


@rule
def side_of(column):
    """P2: 0 for Ruby, 1 for Tawny."""
    return column >> 1


@rule
def bottom_of(side):
    """P3: the lowest category of a side, which takes any number of barrels."""
    return side * ON_A_SIDE


@rule
def barrels_on(s, p, side):
    """In the two columns of a side of the cellar."""
    return s.cellar[p, 2 * side] + s.cellar[p, 2 * side + 1]


@rule
def can_age(s, p):
    """P16: there must be barrels in the cellar."""
    return barrels_on(s, p, 0) + barrels_on(s, p, 1) > 0


@rule
def roll(s, die):
    """P13: the moves of a boat. P16: how well the wine has aged."""
    p = s.turn
    s.die = die
    if s.doing == Act.BOAT:
        begin_trip(s, p, die)
    else:
        age(s, p, die)


@rule
def age(s, p, die):
    """P16; P24: then a barrel may be due; P26: then the enologist comes. Last, everything complete is sold."""
    mature(s, p, die)
    if s.in_play == Kind.AGE_BARREL:
        s.stage = Stage.ADD
        s.actor = p
    else:
        if s.in_play == Kind.ENOLOGIST:
            improve(s, p)
        sell(s, p)


@rule
def mature(s, p, die):
    """P16: all harvests of the cellar go to the warehouse; P25: with the card, 1 is added to the die."""
    for column in range(COLUMNS):
        move_to_warehouse(s, p, column, die + int(s.in_play == Kind.AGE_QUALITY))


@rule
def category(s, side, quality):
    """P3, P16: the best one of a side that a quality reaches (never `vintage`)."""
    best = bottom_of(side)
    for c in range(best + 1, best + ON_A_SIDE):
        if quality >= s.least[c]:
            best = c
    return best


@rule
def move_to_warehouse(s, p, column, years):
    """P16: each barrel to a free space of its category, or else of the next lower one that has one."""
    n = s.cellar[p, column]
    side = side_of(column)
    c = category(s, side, s.cellar_quality[p, column] + years)
    while c > bottom_of(side):
        stored = min(n, s.spaces[c] - s.warehouse[p, c])
        s.warehouse[p, c] += stored
        n -= stored
        c -= 1
    s.warehouse[p, c] += n
    s.cellar[p, column] = 0
    s.cellar_quality[p, column] = 0


@rule
def sell(s, p):
    """P16: complete categories pay and are emptied; in the lowest ones, every full set."""
    for c in range(CATEGORIES):
        sets = int(s.warehouse[p, c] // s.spaces[c])
        s.vp[p] += sets * int(s.pays[c])
        s.warehouse[p, c] -= sets * s.spaces[c]
        s.supply += sets * s.spaces[c]
    finish(s, p)


@rule
def can_add(s, p, c):
    """P24: to a free space, not above the highest category that holds barrels on that side."""
    bottom = bottom_of(c // ON_A_SIDE)
    at_or_above = 0
    for higher in range(c, bottom + ON_A_SIDE):
        at_or_above += s.warehouse[p, higher]
    has_space = (c == bottom) | (s.warehouse[p, c] < s.spaces[c])
    return (s.supply > 0) & has_space & (at_or_above > 0)


@rule
def add_barrel(s, p, c):
    """P24."""
    s.warehouse[p, c] += 1
    s.supply -= 1
    sell(s, p)


@rule
def improve(s, p):
    """P26: from the highest category down, each barrel one up where there is a free space."""
    for side in range(SIDES):
        bottom = bottom_of(side)
        for c in range(bottom + ON_A_SIDE - 2, bottom - 1, -1):
            moved = min(s.warehouse[p, c], s.spaces[c + 1] - s.warehouse[p, c + 1])
            s.warehouse[p, c] -= moved
            s.warehouse[p, c + 1] += moved


# --- cards ------------------------------------------------------------------------------------------------------------


@rule
def draw_card(s, p):
    s.left -= 1
    s.hand[p, s.deck[s.left]] += 1
    s.held[p] += 1
    s.drawn[p] += 1
    s.deck[s.left] = NONE


@rule
def begin_drawing(s, p):
    """P17: with three in hand, one is discarded first."""
    if s.held[p] == HAND:
        s.stage = Stage.DISCARD
    else:
        draw(s, p)


@rule
def discard(s, p, k):
    take_from_hand(s, p, k)
    s.used[k] += 1
    draw(s, p)


@rule
def draw(s, p):
    """P17: an empty deck is renewed when a card is to be drawn."""
    if s.left == 0:
        s.stage = Stage.RENEW
        s.actor = CHANCE
    else:
        draw_card(s, p)
        finish(s, p)


@rule
def gather_used(s):
    """P17: the used cards become the deck, for chance to shuffle."""
    s.left = lay_cards(s.used, s.deck)
    same_again(s.shuffled, s.used)
    s.drawn[:] = 0
    s.used[:] = 0


@rule
def go_on_after_renewal(s):
    draw(s, s.turn)


@rule
def take_from_hand(s, p, k):
    s.hand[p, k] -= 1
    s.held[p] -= 1


@rule
def can_play(s, p, k, acts):
    """P18–P27: whether a card can be carried out now (P9.2), when `acts` are possible without one."""
    can = True  # P21: a card can always be drawn
    if k == Kind.BUYING:
        can = can_buy(s, p, Extra.DISCOUNT)
    elif k == Kind.PLANTING:
        can = (acts & ((1 << Act.VINEYARD) | (1 << Act.BRANDY))) > 0  # P19.1
    elif k == Kind.HARVEST:
        can = can_get_more(s, p, 0) | can_get_more(s, p, 1) | can_get_more(s, p, 2)
    elif k == Kind.COLHEITA:
        can = barrels_on(s, p, 1) >= SOLD_BY_COLHEITA
    elif k == Kind.BOAT:
        can = can_set_out(s, p)
    elif k == Kind.VINTAGE:
        can = barrels_on(s, p, 0) > 0
    elif (k == Kind.AGE_BARREL) | (k == Kind.AGE_QUALITY) | (k == Kind.ENOLOGIST):
        can = (acts & (1 << Act.AGE)) > 0
    return can


@rule
def play_card(s, p, k):
    """P28: it leaves the hand at once."""
    take_from_hand(s, p, k)
    s.in_play = k
    if k == Kind.BUYING:
        begin_action(s, p, Act.BUY)
    elif k == Kind.PLANTING:
        s.stage = Stage.VINEYARD if lacks(s, p, s.vineyard) else Stage.BRANDY
    elif k == Kind.HARVEST:
        s.stage = Stage.MORE
    elif k == Kind.FREE:
        s.stage = Stage.FREE
    elif k == Kind.COLHEITA:
        s.stage = Stage.COLHEITA
    elif k == Kind.BOAT:
        s.sailed[p] += 1
        begin_trip(s, p, BOAT_CARD)
    elif k == Kind.VINTAGE:
        s.stage = Stage.VINTAGE
    else:
        begin_action(s, p, Act.AGE)


@rule
def can_sell_from(s, p, column):
    """P22: the second barrel may come from the same column."""
    first = int((s.stage == Stage.COLHEITA_SECOND) & (s.chosen == column))
    return s.cellar[p, column] > first


@rule
def choose_column(s, p, column):
    """P22, P27."""
    if s.stage == Stage.VINTAGE:
        sell_barrel(s, p, column)
        get_paid(s, p)
    elif s.stage == Stage.COLHEITA:
        s.chosen = column
        s.stage = Stage.COLHEITA_SECOND
    else:
        sell_barrel(s, p, s.chosen)
        sell_barrel(s, p, column)
        get_paid(s, p)


@rule
def sell_barrel(s, p, column):
    s.cellar[p, column] -= 1
    s.supply += 1
    if s.cellar[p, column] == 0:
        s.cellar_quality[p, column] = 0


@rule
def get_paid(s, p):
    """P22, P27; P27.1: what lies in the warehouse stays there."""
    s.vp[p] += PAID_BY_A_CARD
    finish(s, p)


# --- the end ----------------------------------------------------------------------------------------------------------


@rule
def barrels_owned(s, p):
    """P29: on Estates, aboard, in the cellar and in the warehouse."""
    n = 0
    for e in range(ESTATES):
        n += s.crop[p, e] + s.cargo[p, e]
    for column in range(COLUMNS):
        n += s.cellar[p, column]
    for c in range(CATEGORIES):
        n += s.warehouse[p, c]
    return n


@rule
def vp_for_barrels(s, p):
    return barrels_owned(s, p) // BARRELS_FOR_A_POINT


@rule
def vp_for_estates(s, p):
    """P29: the price of every planted one."""
    n = 0
    for e in range(s.estates[p]):
        n += s.price[s.site[p, e]] * int(is_planted(s, p, e))
    return n


@rule
def sum_of_qualities(s, p):
    """P30."""
    n = 0
    for e in range(s.estates[p]):
        n += s.quality[s.site[p, e]]
    return n


@rule
def result(s, scores, ranks):
    """P29, P30: most VP, then most Estates, then the highest sum of their qualities. Until the game is over, VP as they
    stand. A rank is 1 + the number of players who did better."""
    for p in range(s.players):
        scores[p] = s.vp[p]
        if s.actor == NOBODY:
            scores[p] += vp_for_barrels(s, p) + vp_for_estates(s, p)
    for p in range(s.players):
        ranks[p] = 1
        for q in range(s.players):
            lead = scores[q] - scores[p]
            if lead == 0:
                lead = int(s.estates[q]) - int(s.estates[p])
            if lead == 0:
                lead = sum_of_qualities(s, q) - sum_of_qualities(s, p)
            ranks[p] += int(lead > 0)


# --- the fixed list of actions ----------------------------------------------------------------------------------------


@rule
def is_choosing(s):
    """Whether a move is not complete yet."""
    return s.stage >= Stage.SITE


@rule
def offer(actions, n, action, possible):
    """Write an action, and count it if it is possible."""
    actions[n] = action
    return n + int(possible)


@rule
def legal(s, actions):
    """Write the legal actions into the buffer, in ascending order; return how many there are."""
    p = s.actor
    if s.stage == Stage.TURN or s.stage == Stage.BOAT:
        if must_unload(s, p):
            return offer_unloading(s, p, actions)
        return offer_turn(s, p, actions) if s.stage == Stage.TURN else offer_trip(s, p, actions)
    return offer_choices(s, p, actions)


@rule
def offer_unloading(s, p, actions):
    """P15."""
    n = 0
    for slot in range(SLOTS):
        for column in range(COLUMNS):
            n = offer(actions, n, Action.UNLOAD + COLUMNS * slot + column, can_unload(s, p, slot, column))
    return n


@rule
def offer_turn(s, p, actions):
    """P9: a marker or pass, and when that is done the end of the turn; cards and loading at any time."""
    acts = possible_acts(s, p)
    n = 0
    for act in range(ACTS):
        possible = (s.marked == 0) & ((acts >> act) & 1 == 1)
        n = offer(actions, n, Action.MARK + act, possible & circle_is_free(s, p, act))
    for k in range(KINDS):
        if s.hand[p, k] > 0:
            n = offer(actions, n, Action.PLAY + k, can_play(s, p, k, acts))
    n = offer_loading(s, p, actions, n)
    n = offer(actions, n, Action.PASS, s.marked == 0)
    return offer(actions, n, Action.END, s.marked == 1)


@rule
def offer_loading(s, p, actions, n):
    """P14."""
    for e in range(ESTATES):
        n = offer(actions, n, Action.LOAD + e, can_load(s, p, e))
    return n


@rule
def offer_trip(s, p, actions):
    """P13."""
    n = offer_loading(s, p, actions, 0)
    n = offer(actions, n, Action.UP, can_sail_up(s, p))
    n = offer(actions, n, Action.DOWN, can_sail_down(s, p))
    return offer(actions, n, Action.STOP, True)


@rule
def offer_choices(s, p, actions):
    """What a move asks for besides its name; P24: the barrel that is due."""
    n = 0
    stage = s.stage
    if stage == Stage.ADD:
        for c in range(CATEGORIES):
            n = offer(actions, n, Action.ADD + c, can_add(s, p, c))
        n = offer(actions, n, Action.ADD_NONE, s.supply == 0)
    elif stage == Stage.SITE:
        cheapest = Extra.DISCOUNT if s.in_play == Kind.BUYING else Extra.NONE
        for i in range(SITES):
            n = offer(actions, n, Action.SITE + i, is_for_sale(s, p, i, cheapest))
    elif stage == Stage.EXTRA:
        for extra in range(EXTRAS):
            n = offer(actions, n, Action.EXTRA + extra, can_afford(s, p, s.chosen, extra))
    elif stage == Stage.DISCARD:
        for k in range(KINDS):
            n = offer(actions, n, Action.DISCARD + k, s.hand[p, k] > 0)
    elif stage == Stage.FREE:
        acts = possible_acts(s, p)
        for act in range(ACTS):
            n = offer(actions, n, Action.FREE + act, (acts >> act) & 1 == 1)
    elif stage >= Stage.COLHEITA:
        first = 0 if stage == Stage.VINTAGE else COLUMNS // SIDES
        for column in range(first, first + COLUMNS // SIDES):
            n = offer(actions, n, Action.COLUMN + column, can_sell_from(s, p, column))
    else:
        for e in range(s.estates[p]):
            n = offer(actions, n, Action.ESTATE + e, can_choose_estate(s, p, e))
        n = offer(actions, n, Action.ENOUGH, (stage == Stage.HARVEST) & (s.chosen > 0))
    return n


@rule
def can_choose_estate(s, p, e):
    """P11, P12, P20: whether what is being done can be done with this Estate."""
    if s.stage == Stage.VINEYARD:
        return s.vineyard[p, e] == 0
    if s.stage == Stage.BRANDY:
        return s.brandy[p, e] == 0
    if s.stage == Stage.HARVEST:
        return is_ripe(s, p, e)
    return can_get_more(s, p, e)


@rule
def choose_estate(s, p, e):
    if s.stage == Stage.VINEYARD:
        plant_vineyard(s, p, e)
    elif s.stage == Stage.BRANDY:
        store_brandy(s, p, e)
    elif s.stage == Stage.HARVEST:
        harvest(s, p, e)
    else:
        get_more(s, p, e)


@rule
def apply(s, action):
    """Carry out a legal action of the actor."""
    p = int(s.actor)
    if action >= Action.SITE:
        choose(s, p, action)
    elif action >= Action.ADD:
        if action == Action.ADD_NONE:
            sell(s, p)
        else:
            add_barrel(s, p, action - Action.ADD)
    elif action == Action.END:
        end_turn(s, p)
    elif action == Action.PASS:
        pass_turn(s, p)
    elif action >= Action.UP:
        travel(s, p, action)
    elif action >= Action.UNLOAD:
        unload(s, p, (action - Action.UNLOAD) // COLUMNS, (action - Action.UNLOAD) % COLUMNS)
    elif action >= Action.LOAD:
        load(s, p, action - Action.LOAD)
    elif action >= Action.PLAY:
        play_card(s, p, action - Action.PLAY)
    else:
        mark(s, p, action - Action.MARK)


@rule
def travel(s, p, action):
    if action == Action.UP:
        sail_up(s, p)
    elif action == Action.DOWN:
        sail_down(s, p)
    else:
        stop(s, p)


@rule
def choose(s, p, action):
    """The next choice of a move that takes several."""
    if action >= Action.COLUMN:
        choose_column(s, p, action - Action.COLUMN)
    elif action >= Action.FREE:
        begin_action(s, p, action - Action.FREE)
    elif action >= Action.DISCARD:
        discard(s, p, action - Action.DISCARD)
    elif action == Action.ENOUGH:
        end_harvest(s, p)
    elif action >= Action.ESTATE:
        choose_estate(s, p, action - Action.ESTATE)
    elif action >= Action.EXTRA:
        buy(s, p, s.chosen, action - Action.EXTRA)
    else:
        choose_site(s, p, action - Action.SITE)


# --- what a seat knows ------------------------------------------------------------------------------------------------


@rule
def hide(s, seat):
    """Blank the hands of the others, the deck and the chips of later rounds."""
    s.deck[:] = NONE
    for p in range(s.players):
        if p != seat:
            s.hand[p] = 0
    for r in range(s.round_number + 1, ROUNDS):
        s.bonuses[r] = NONE


@rule
def fill(s, seat, rng):
    """Deal what was blanked, every way equally likely: the unseen cards to deck and hands, the chips to the rounds.

    P17: everyone saw which cards went into a renewed deck. It is dealt only such, and so is a hand no more of them than
    its player has drawn since. (How likely each way is then also depends on what was played meanwhile, and is not
    weighed; with the built-in board a deck is hardly ever renewed.)
    """
    n = lay_unseen(s, 0, True)
    shuffle(rng, s.deck, 0, n)
    first_old = n
    n = lay_unseen(s, n, False)
    shuffle(rng, s.deck, first_old, n)
    for p in range(s.players):
        if p != seat:
            n = deal_unseen(s, p, n, s.held[p] - min(s.held[p], s.drawn[p]))
    shuffle(rng, s.deck, s.left, n)
    for p in range(s.players):
        if p != seat:
            n = deal_unseen(s, p, n, min(s.held[p], s.drawn[p]))
    fill_chips(s, rng)


@rule
def lay_unseen(s, n, renewed):
    """Lay unseen cards behind the first n of the deck: those that can be in it, or all others; return how many lie."""
    for k in range(KINDS):
        unseen = int(s.box[k]) - seen(s, k)
        can_be = min(unseen, int(s.shuffled[k]))
        for _ in range(can_be if renewed else unseen - can_be):
            s.deck[n] = k
            n += 1
    return n


@rule
def deal_unseen(s, p, n, cards):
    """So many cards from the end into a hand; return how many are left."""
    for _ in range(cards):
        n -= 1
        s.hand[p, s.deck[n]] += 1
        s.deck[n] = NONE
    return n


@rule
def seen(s, k):
    """Cards of a kind outside the deck and the hidden hands."""
    n = int(s.used[k]) + int(s.aside[k]) + int(s.in_play == k)
    for p in range(s.players):
        n += s.hand[p, k]
    return n


@rule
def fill_chips(s, rng):
    """P4: those that were not turned up yet."""
    later = s.round_number + 1
    n = later
    for i in range(ROUNDS):
        if is_to_come(s, i):
            s.bonuses[n] = s.chips[i]
            n += 1
    shuffle(rng, s.bonuses, later, ROUNDS)


@rule
def is_to_come(s, i):
    """P4, P7: whether a chip has not been turned up; of equal ones, the first have been."""
    equal_before, turned_up = 0, 0
    for j in range(i):
        equal_before += int(s.chips[j] == s.chips[i])
    for r in range(s.round_number + 1):
        turned_up += int(s.bonuses[r] == s.chips[i])
    return equal_before >= turned_up


@rule
def observe(s, seat, out):
    """What a seat knows, as numbers from 0 to about 1 (on the built-in board), in the order that OBSERVATION gives."""
    for k in range(KINDS):
        out[k] = s.hand[seat, k] / HAND
    at = KINDS
    for place in range(MOST_PLAYERS):  # an empty chair is all zeros
        if place < s.players:
            observe_seat(s, (seat + place) % s.players, out[at : at + PER_SEAT])
        at += PER_SEAT
    for i in range(SITES):
        observe_site(s, i, out[at : at + PER_SITE])
        at += PER_SITE
    observe_cards(s, out[at : at + 4 * KINDS])
    at += 4 * KINDS
    observe_round(s, out[at : at + 3 * ROUNDS])
    observe_turn(s, seat, out[at + 3 * ROUNDS :])


@rule
def observe_site(s, i, out):
    out[0] = int(i < s.sites)
    out[1] = int((i < s.sites) & (s.owner[i] == 0))
    out[2] = s.quality[i] / GOOD
    out[3] = s.price[i] / GOOD


@rule
def observe_cards(s, out):
    """The used ones, those beside the table, the one in play, those that the deck was made of."""
    for k in range(KINDS):
        out[k] = s.used[k] / MANY
        out[KINDS + k] = s.aside[k] / MANY
        out[2 * KINDS + k] = int(s.in_play == k)
        out[3 * KINDS + k] = s.shuffled[k] / MANY


@rule
def observe_round(s, out):
    """The chips as far as they are turned up, and which round it is."""
    for r in range(ROUNDS):
        turned_up = s.bonuses[r] != NONE
        out[r] = int(turned_up)
        out[ROUNDS + r] = s.bonuses[r] / GOOD if turned_up else 0.0
        out[2 * ROUNDS + r] = int(s.round_number == r)


@rule
def observe_turn(s, seat, out):
    """The circles left, the action and the stage, what was chosen, and a few numbers."""
    for act in range(ACTS):
        taken = s.placed[seat, act] if act == Act.BOAT else s.taken[act]
        out[act] = (s.circles[act] - taken) / MANY
        out[ACTS + act] = int(s.doing == act)
    at = 2 * ACTS
    out[at + int(s.stage)] = 1.0
    at += STAGES
    if s.chosen != NONE:
        out[at + int(s.chosen)] = 1.0
    at += SITES
    out[at] = s.marked
    out[at + 1] = s.moves_left / SIDES_OF_A_DIE
    out[at + 2] = s.drifting
    out[at + 3] = s.die / SIDES_OF_A_DIE
    out[at + 4] = s.supply / BARRELS
    out[at + 5] = s.left / CARDS
    out[at + 6] = int(s.actor == seat)


@rule
def observe_seat(s, p, out):
    out[0] = 1.0
    out[1] = s.vp[p] / FINE_SCORE
    out[2] = s.markers[p] / MARKERS
    out[3] = s.held[p] / HAND
    out[4] = s.bought[p]
    out[5] = s.harvested[p]
    out[6] = s.sailed[p] / BOAT_ACTIONS
    out[7] = int(s.first == p)
    out[8] = int(s.turn == p)
    out[9 + s.at[p]] = 1.0
    at = 9 + HARBOURS
    for act in range(ACTS):
        out[at + act] = s.placed[p, act] / MARKERS
    at += ACTS
    for e in range(ESTATES):
        if e < s.estates[p]:
            observe_estate(s, p, e, out[at : at + PER_ESTATE])
        at += PER_ESTATE
    for slot in range(SLOTS):
        out[at] = s.cargo[p, slot] / MANY
        out[at + 1] = s.cargo_quality[p, slot] / FINE
        at += 2
    for column in range(COLUMNS):
        out[at] = s.cellar[p, column] / MANY
        out[at + 1] = s.cellar_quality[p, column] / FINE
        at += 2
    for c in range(CATEGORIES):
        out[at + c] = s.warehouse[p, c] / s.spaces[c]


@rule
def observe_estate(s, p, e, out):
    i = s.site[p, e]
    out[0] = 1.0
    out[1] = i / SITES
    out[2 + s.harbour[i]] = 1.0
    at = 2 + HARBOURS
    out[at] = s.quality[i] / GOOD
    out[at + 1] = s.price[i] / GOOD
    out[at + 2] = s.vineyard[p, e]
    out[at + 3] = s.brandy[p, e]
    out[at + 4] = s.crop[p, e] / MANY
    out[at + 5] = s.crop_quality[p, e] / FINE


@rule
def census(s, counts):
    """P2, P5: every card, whatever its kind, and every barrel, wherever they are."""
    counts[:] = 0
    first = 0
    for k in range(KINDS):
        n = seen(s, k)
        for i in range(s.left):
            n += int(s.deck[i] == k)
        for i in range(n):
            counts[min(first + i, CARDS - 1)] += 1
        first += s.box[k]
    counts[CARDS] = s.supply
    for p in range(s.players):
        counts[CARDS] += barrels_owned(s, p)
