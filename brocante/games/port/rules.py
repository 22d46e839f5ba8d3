"""The rules of Vintage, Port wine of the Douro, clause by clause (P1–P30, as in locale/rules.en.md).

The figures of the board – sites, prices, circles, the warehouse – are in the state, not in the code: players may bring
those of their own box (board.py). Each player's Estates are numbered in the order in which they were bought.

Predicates that are evaluated for every action are joined with `&` and `|` rather than `and` and `or`. Without branches,
which a processor cannot predict, listing the legal actions is faster.
"""

from enum import IntEnum

import numpy as np

from brocante.engine import CHANCE, NOBODY, below, offer, rank, record, rule, shuffle
from brocante.engine.deck import NONE, lay_out, take_top

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
RUBY, TAWNY = 0, 1
SIDES = 2
ON_A_SIDE = CATEGORIES // SIDES
COLUMNS_ON_A_SIDE = COLUMNS // SIDES
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

#: P2, P5: every card is in the box once, and so many barrels.
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
    """P18: what a `buying` card brings besides."""

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
    LOAD = 17  # .. 19: the harvest of this Estate
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

STATE = record(
    ("board", np.int64),  # which board it is played on (board.py)
    ("sites", np.int8),
    ("quality", np.int8, SITES),
    ("price", np.int8, SITES),
    ("harbour", np.int8, SITES),
    ("barrels_of", np.int8, HARBOURS),  # P1: in a harvest, by sub-region
    ("circles", np.int8, ACTS),  # P6: for this number of players
    ("least", np.int8, CATEGORIES),  # P3: the lowest quality that reaches a category
    ("spaces", np.int8, CATEGORIES),  # and how many barrels complete it
    ("pays", np.int8, CATEGORIES),
    ("chips", np.int8, ROUNDS),  # P4, ascending
    ("box", np.int8, KINDS),  # P5
    ("vp", np.int16, MOST_PLAYERS),
    ("markers", np.int8, MOST_PLAYERS),
    ("placed", np.int8, (MOST_PLAYERS, ACTS)),  # markers on the table
    ("taken", np.int8, ACTS),  # circles with a marker
    ("bought", np.int8, MOST_PLAYERS),  # P9.3: in this round
    ("harvested", np.int8, MOST_PLAYERS),
    ("sailed", np.int8, MOST_PLAYERS),  # P13.1: boat actions in this round
    ("owner", np.int8, SITES),  # 1 + the seat whose Estate is there; 0: free
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
    ("deck", np.int8, CARDS),
    ("left", np.int8),  # cards in the deck
    ("shuffled", np.int8, KINDS),  # the cards in the deck when it was last shuffled
    ("drawn", np.int8, MOST_PLAYERS),  # cards that a player has drawn since then
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
    ("die", np.int8),  # the last roll
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
        lay_out(s.deck, s.box)
        shuffle(rng, s.deck, 0, CARDS)
        copy_each(s.chips, s.bonuses)
        shuffle(rng, s.bonuses, 0, ROUNDS)
        deal(s, below(rng, s.players))
    elif s.stage == Stage.RENEW:
        gather_used(s)
        shuffle(rng, s.deck, 0, s.left)
        go_on_after_renewal(s)
    else:
        roll(s, 1 + below(rng, SIDES_OF_A_DIE))


@rule
def copy_each(these, there):
    """One by one: for an array as a whole, Numba compiles thirty more functions."""
    for i in range(len(these)):
        there[i] = these[i]


@rule
def deal(s, first):
    """P7, from the deck as it lies, seat by seat."""
    s.left = CARDS
    copy_each(s.box, s.shuffled)
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
    """P7: the next bonus is turned up, everyone takes their markers (P8: or one fewer), the first player begins."""
    for p in range(s.players):
        s.markers[p] = MARKERS - int(lacks_a_marker(s, p))
    begin_turn(s, s.first)


@rule
def lacks_a_marker(s, p):
    """P8: in round I the first player has one fewer; with four players, so does the second."""
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
    """P9: play goes clockwise; P9.1: a player without markers is skipped."""
    for step in range(1, s.players + 1):
        q = (p + step) % s.players
        if s.markers[q] > 0:
            begin_turn(s, q)
            return
    end_round(s)


@rule
def end_round(s):
    """P9, P28: clear the table. P7: pass the first-player token to the left. P29: the game has six rounds."""
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
    """P9.1: give up the remaining markers of this round."""
    s.markers[p] = 0
    end_turn(s, p)


@rule
def has_marked(s):
    """P9: after its one marker, a turn ends; without one, only by passing."""
    return s.marked == 1


@rule
def circles_left(s, p, act):
    """P6, P13: for `boat`, every player has circles of their own."""
    return s.circles[act] - (s.placed[p, act] if act == Act.BOAT else s.taken[act])


@rule
def circle_is_free(s, p, act):
    return circles_left(s, p, act) > 0


@rule
def mark(s, p, act):
    """P9: place one marker on a free circle."""
    s.markers[p] -= 1
    s.placed[p, act] += 1
    s.taken[act] += 1
    s.marked = 1
    begin_action(s, p, act)


@rule
def begin_action(s, p, act):
    """Begin an action of the table, by marker or by card: ask for what there is to choose, or carry it out."""
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
    """End an action. P28: its card joins the used ones, or lies beside the table until the round ends."""
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
def can_do(s, p, act):
    """P9.2: whether an action of the table can be carried out. A card can always be drawn."""
    can = True
    if act == Act.BUY:
        can = can_buy(s, p, Extra.NONE)
    elif act == Act.VINEYARD:
        can = some_estate_lacks(s, p, s.vineyard)
    elif act == Act.BRANDY:
        can = some_estate_lacks(s, p, s.brandy)
    elif act == Act.HARVEST:
        can = can_harvest(s, p)
    elif act == Act.BOAT:
        can = can_set_out(s, p)
    elif act == Act.AGE:
        can = can_age(s, p)
    return can


# --- Estates ----------------------------------------------------------------------------------------------------------


@rule
def is_free(s, i):
    """P10: a site without an Estate."""
    return s.owner[i] == 0


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
    return (i < s.sites) & is_free(s, i) & can_afford(s, p, i, extra)


@rule
def some_site_is_for_sale(s, p, extra):
    found = False
    for i in range(SITES):
        found |= is_for_sale(s, p, i, extra)
    return found


@rule
def has_tile(s, p):
    """P10."""
    return s.estates[p] < ESTATES


@rule
def has_bought(s, p):
    """P9.3."""
    return s.bought[p] == 1


@rule
def can_buy(s, p, extra):
    return has_tile(s, p) and not has_bought(s, p) and some_site_is_for_sale(s, p, extra)


@rule
def settle(s, p, i):
    """Place an Estate tile on a site."""
    s.owner[i] = p + 1
    s.site[p, s.estates[p]] = i
    s.estates[p] += 1


@rule
def buy(s, p, i, extra):
    """P10; P18: with what the card brings."""
    s.vp[p] -= price_of(s, i, extra)
    s.vineyard[p, s.estates[p]] = int(extra == Extra.VINEYARD)
    s.brandy[p, s.estates[p]] = int(extra == Extra.BRANDY)
    settle(s, p, i)
    s.bought[p] = 1
    finish(s, p)


@rule
def cheapest_extra(s):
    """P18: the extra with which a site costs least: with the card, the discount."""
    return Extra.DISCOUNT if s.in_play == Kind.BUYING else Extra.NONE


@rule
def choose_site(s, p, i):
    """P10; P18: with the card, the extra is still to choose."""
    if s.in_play == Kind.BUYING:
        s.chosen = i
        s.stage = Stage.EXTRA
    else:
        buy(s, p, i, Extra.NONE)


@rule
def estate_lacks(cubes, p, e):
    """P11: whether there is no such cube yet."""
    return cubes[p, e] == 0


@rule
def some_estate_lacks(s, p, cubes):
    n = 0
    for e in range(s.estates[p]):
        n += cubes[p, e]
    return n < s.estates[p]


@rule
def can_plant(s, p):
    """P19.1: one cube or both."""
    return some_estate_lacks(s, p, s.vineyard) | some_estate_lacks(s, p, s.brandy)


@rule
def plant_vineyard(s, p, e):
    """P11; P19: the card brings brandy, too."""
    s.vineyard[p, e] = 1
    if (s.in_play == Kind.PLANTING) and some_estate_lacks(s, p, s.brandy):
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
def has_crop(s, p, e):
    """P12: whether there are barrels on an Estate."""
    return s.crop[p, e] > 0


@rule
def supply_lasts(s):
    """P12.1."""
    return s.supply > 0


@rule
def is_ripe(s, p, e):
    """P12: planted and without barrels; P12.1: while there are barrels left."""
    return is_planted(s, p, e) & (not has_crop(s, p, e)) & supply_lasts(s)


@rule
def has_ripe(s, p):
    found = False
    for e in range(ESTATES):
        found |= is_ripe(s, p, e)
    return found


@rule
def has_harvested(s, p):
    """P9.3."""
    return s.harvested[p] == 1


@rule
def can_harvest(s, p):
    return (not has_harvested(s, p)) & has_ripe(s, p)


@rule
def harvest(s, p, e):
    """P12: put barrels on one Estate. The harvest goes on while another is ripe."""
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
    return has_crop(s, p, e) & supply_lasts(s)


@rule
def some_can_get_more(s, p):
    found = False
    for e in range(ESTATES):
        found |= can_get_more(s, p, e)
    return found


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
def is_on_the_way(s):
    """P13."""
    return s.stage == Stage.BOAT


@rule
def is_in_gaia(s, p):
    return s.at[p] == GAIA


@rule
def is_at_the_top(s, p):
    """P1: nobody sails farther than Douro Superior."""
    return s.at[p] == HARBOURS - 1


@rule
def has_move_up(s):
    """P13.2."""
    return s.moves_left > 0


@rule
def has_move_down(s):
    """P13.3: further downstream is free."""
    return (s.moves_left > 0) | (s.drifting == 1)


@rule
def can_sail_up(s, p):
    return has_move_up(s) & (not is_at_the_top(s, p))


@rule
def can_sail_down(s, p):
    return has_move_down(s) & (not is_in_gaia(s, p))


@rule
def sail_up(s, p):
    s.moves_left -= 1
    s.drifting = 0
    s.at[p] += 1


@rule
def sail_down(s, p):
    """P13.3: any distance in one go is a single move."""
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
    """P2: the first empty one; SLOTS if the boat is full."""
    for slot in range(SLOTS):
        if s.cargo[p, slot] == 0:
            return slot
    return SLOTS


@rule
def has_room(s, p):
    """P2: whether a slot of the boat is empty."""
    return free_slot(s, p) < SLOTS


@rule
def boat_is_at(s, p, e):
    """P14: in the harbour of an Estate."""
    return s.harbour[s.site[p, e]] == s.at[p]


@rule
def can_load(s, p, e):
    return has_crop(s, p, e) and boat_is_at(s, p, e) and has_room(s, p)


@rule
def load(s, p, e):
    slot = free_slot(s, p)
    s.cargo[p, slot] = s.crop[p, e]
    s.cargo_quality[p, slot] = s.crop_quality[p, e]
    s.crop[p, e] = 0
    s.crop_quality[p, e] = 0


@rule
def is_loaded(s, p, slot):
    return s.cargo[p, slot] > 0


@rule
def has_cargo(s, p):
    found = False
    for slot in range(SLOTS):
        found |= is_loaded(s, p, slot)
    return found


@rule
def is_empty(s, p, column):
    return s.cellar[p, column] == 0


@rule
def has_empty_column(s, p):
    found = False
    for column in range(COLUMNS):
        found |= is_empty(s, p, column)
    return found


@rule
def must_unload(s, p):
    """P15: in Gaia with a harvest aboard and an empty column, there is nothing else to do."""
    return is_in_gaia(s, p) and (has_cargo(s, p) & has_empty_column(s, p))


@rule
def can_unload(s, p, slot, column):
    """P15: a harvest into an empty column."""
    return is_loaded(s, p, slot) & is_empty(s, p, column)


@rule
def unload(s, p, slot, column):
    s.cellar[p, column] = s.cargo[p, slot]
    s.cellar_quality[p, column] = s.cargo_quality[p, slot]
    s.cargo[p, slot] = 0
    s.cargo_quality[p, slot] = 0


# --- ageing and selling -----------------------------------------------------------------------------------------------


@rule
def side_of(column):
    """P2."""
    return column // COLUMNS_ON_A_SIDE


@rule
def bottom_of(side):
    """P3: the lowest category of a side, which takes any number of barrels."""
    return side * ON_A_SIDE


@rule
def barrels_on(s, p, side):
    """In the columns of a side of the cellar."""
    n = 0
    for column in range(side * COLUMNS_ON_A_SIDE, (side + 1) * COLUMNS_ON_A_SIDE):
        n += s.cellar[p, column]
    return n


@rule
def barrels_in_cellar(s, p):
    n = 0
    for side in range(SIDES):
        n += barrels_on(s, p, side)
    return n


@rule
def can_age(s, p):
    """P16: there must be barrels in the cellar."""
    return barrels_in_cellar(s, p) > 0


@rule
def roll(s, die):
    """P13: how far the boat goes. P16: how well the wine ages."""
    p = s.turn
    s.die = die
    if s.doing == Act.BOAT:
        begin_trip(s, p, die)
    else:
        age(s, p, die)


@rule
def age(s, p, die):
    """P16. P24: then a barrel may be due. P26: then the enologist comes. Last, sell what is complete."""
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
    """P16: move all harvests from the cellar to the warehouse. P25: the card adds 1 to the die."""
    for column in range(COLUMNS):
        move_to_warehouse(s, p, column, die + int(s.in_play == Kind.AGE_QUALITY))


@rule
def category(s, side, quality):
    """P3, P16: the best category of a side that a quality reaches (never `vintage`)."""
    best = bottom_of(side)
    for c in range(best + 1, best + ON_A_SIDE):
        if quality >= s.least[c]:
            best = c
    return best


@rule
def move_to_warehouse(s, p, column, years):
    """P16: each barrel takes a free space of its category, or else of the next lower one with a free space."""
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
def barrel_is_due(s):
    """P24."""
    return s.stage == Stage.ADD


@rule
def takes_a_barrel(s, p, c):
    """P24: a category with a free space, not above the highest one that holds barrels on that side."""
    bottom = bottom_of(c // ON_A_SIDE)
    at_or_above = 0
    for higher in range(c, bottom + ON_A_SIDE):
        at_or_above += s.warehouse[p, higher]
    has_space = (c == bottom) | (s.warehouse[p, c] < s.spaces[c])
    return has_space & (at_or_above > 0)


@rule
def can_add(s, p, c):
    return supply_lasts(s) & takes_a_barrel(s, p, c)


@rule
def add_barrel(s, p, c):
    """P24."""
    s.warehouse[p, c] += 1
    s.supply -= 1
    sell(s, p)


@rule
def improve(s, p):
    """P26: from the highest category down, move each barrel one up where there is a free space."""
    for side in range(SIDES):
        bottom = bottom_of(side)
        for c in range(bottom + ON_A_SIDE - 2, bottom - 1, -1):
            moved = min(s.warehouse[p, c], s.spaces[c + 1] - s.warehouse[p, c + 1])
            s.warehouse[p, c] -= moved
            s.warehouse[p, c + 1] += moved


# --- cards ------------------------------------------------------------------------------------------------------------


@rule
def holds(s, p, k):
    return s.hand[p, k] > 0


@rule
def draw_card(s, p):
    s.hand[p, take_top(s.deck, s.left)] += 1
    s.left -= 1
    s.held[p] += 1
    s.drawn[p] += 1


@rule
def must_discard(s, p):
    """P17: with a full hand, a card is discarded first."""
    return s.held[p] == HAND


@rule
def begin_drawing(s, p):
    if must_discard(s, p):
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
    """P17: make the used cards the deck, for chance to shuffle."""
    s.left = lay_out(s.deck, s.used)
    copy_each(s.used, s.shuffled)
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
def can_play(s, p, k):
    """P9.2, P18–P27: whether a card can be carried out now."""
    can = True  # P21: a card can always be drawn
    if k == Kind.BUYING:
        can = can_buy(s, p, Extra.DISCOUNT)
    elif k == Kind.PLANTING:
        can = can_plant(s, p)
    elif k == Kind.HARVEST:
        can = some_can_get_more(s, p)
    elif k == Kind.COLHEITA:
        can = has_two_tawny(s, p)
    elif k == Kind.BOAT:
        can = can_set_out(s, p)
    elif k == Kind.VINTAGE:
        can = has_ruby(s, p)
    elif (k == Kind.AGE_BARREL) | (k == Kind.AGE_QUALITY) | (k == Kind.ENOLOGIST):
        can = can_age(s, p)
    return can


@rule
def play_card(s, p, k):
    """P28: a card leaves the hand at once."""
    take_from_hand(s, p, k)
    s.in_play = k
    if k == Kind.BUYING:
        begin_action(s, p, Act.BUY)
    elif k == Kind.PLANTING:
        s.stage = Stage.VINEYARD if some_estate_lacks(s, p, s.vineyard) else Stage.BRANDY
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
def has_two_tawny(s, p):
    """P22."""
    return barrels_on(s, p, TAWNY) >= SOLD_BY_COLHEITA


@rule
def has_ruby(s, p):
    """P27."""
    return barrels_on(s, p, RUBY) > 0


@rule
def can_sell_from(s, p, column):
    """P22: Tawny barrels; the second may come from the same column. P27: a Ruby barrel."""
    side = RUBY if s.stage == Stage.VINTAGE else TAWNY
    first = int((s.stage == Stage.COLHEITA_SECOND) & (s.chosen == column))
    return (side_of(column) == side) & (s.cellar[p, column] > first)


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
def barrels_under_way(s, p):
    """On Estates and aboard."""
    n = 0
    for e in range(ESTATES):
        n += s.crop[p, e]
    for slot in range(SLOTS):
        n += s.cargo[p, slot]
    return n


@rule
def barrels_owned(s, p):
    """P29: on Estates, aboard, in the cellar and in the warehouse."""
    n = barrels_under_way(s, p) + barrels_in_cellar(s, p)
    for c in range(CATEGORIES):
        n += s.warehouse[p, c]
    return n


@rule
def vp_for_barrels(s, p):
    return barrels_owned(s, p) // BARRELS_FOR_A_POINT


@rule
def vp_for_estates(s, p):
    """P29: the prices of the planted ones."""
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
def wins_tie(s, p, q):
    """P30: most Estates, then the highest sum of their qualities."""
    if s.estates[p] != s.estates[q]:
        return s.estates[p] > s.estates[q]
    return sum_of_qualities(s, p) > sum_of_qualities(s, q)


@rule
def result(s, scores, ranks):
    """P29: the most VP win; until the game is over, they count as they stand. P30: ties."""
    for p in range(s.players):
        scores[p] = s.vp[p]
        if s.actor == NOBODY:
            scores[p] += vp_for_barrels(s, p) + vp_for_estates(s, p)
    rank(scores, ranks, s.players)
    for p in range(s.players):
        for q in range(s.players):
            ranks[p] += int((scores[q] == scores[p]) and wins_tie(s, q, p))


# --- the fixed list of actions ----------------------------------------------------------------------------------------


@rule
def is_choosing(s):
    """Whether a move is not complete yet."""
    return s.stage >= Stage.SITE


@rule
def legal(s, actions):
    """Write the legal actions into the buffer, in ascending order; return how many there are."""
    p = s.actor
    if s.stage == Stage.TURN or is_on_the_way(s):
        if must_unload(s, p):
            return offer_unloading(s, p, actions)
        return offer_trip(s, p, actions) if is_on_the_way(s) else offer_turn(s, p, actions)
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
    """P9: place a marker or pass, then end the turn; play cards and load at any time."""
    marked = has_marked(s)
    n = 0
    if not marked:
        for act in range(ACTS):
            n = offer(actions, n, Action.MARK + act, can_do(s, p, act) & circle_is_free(s, p, act))
    for k in range(KINDS):
        if holds(s, p, k):
            n = offer(actions, n, Action.PLAY + k, can_play(s, p, k))
    n = offer_loading(s, p, actions, n)
    n = offer(actions, n, Action.PASS, not marked)
    return offer(actions, n, Action.END, marked)


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
    """What a move asks for once it has begun. P24: where the barrel goes that is due."""
    n = 0
    stage = s.stage
    if stage == Stage.ADD:
        for c in range(CATEGORIES):
            n = offer(actions, n, Action.ADD + c, can_add(s, p, c))
        n = offer(actions, n, Action.ADD_NONE, not supply_lasts(s))
    elif stage == Stage.SITE:
        cheapest = cheapest_extra(s)
        for i in range(SITES):
            n = offer(actions, n, Action.SITE + i, is_for_sale(s, p, i, cheapest))
    elif stage == Stage.EXTRA:
        for extra in range(EXTRAS):
            n = offer(actions, n, Action.EXTRA + extra, can_afford(s, p, s.chosen, extra))
    elif stage == Stage.DISCARD:
        for k in range(KINDS):
            n = offer(actions, n, Action.DISCARD + k, holds(s, p, k))
    elif stage == Stage.FREE:
        for act in range(ACTS):
            n = offer(actions, n, Action.FREE + act, can_do(s, p, act))
    elif stage >= Stage.COLHEITA:
        for column in range(COLUMNS):
            n = offer(actions, n, Action.COLUMN + column, can_sell_from(s, p, column))
    else:
        for e in range(s.estates[p]):
            n = offer(actions, n, Action.ESTATE + e, can_choose_estate(s, p, e))
        n = offer(actions, n, Action.ENOUGH, (stage == Stage.HARVEST) & (s.chosen > 0))
    return n


@rule
def can_choose_estate(s, p, e):
    """P11, P12, P20: whether the move can be made with this Estate."""
    if s.stage == Stage.VINEYARD:
        return estate_lacks(s.vineyard, p, e)
    if s.stage == Stage.BRANDY:
        return estate_lacks(s.brandy, p, e)
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


# --- what is in the box -----------------------------------------------------------------------------------------------


@rule
def census(s, counts):
    """P2, P5: every card, whatever its kind, and every barrel, wherever they are."""
    counts[:] = 0
    first = 0
    for k in range(KINDS):
        n = cards_seen(s, k)
        for i in range(s.left):
            n += int(s.deck[i] == k)
        for i in range(n):
            counts[min(first + i, CARDS - 1)] += 1
        first += s.box[k]
    counts[CARDS] = s.supply
    for p in range(s.players):
        counts[CARDS] += barrels_owned(s, p)


@rule
def cards_seen(s, k):
    """Cards of a kind outside the deck and the hidden hands."""
    n = int(s.used[k]) + int(s.aside[k]) + int(s.in_play == k)
    for p in range(s.players):
        n += s.hand[p, k]
    return n


@rule
def is_to_come(s, i):
    """P4, P7: whether a chip has not been turned up yet; of equal chips, the first come first."""
    equal_before, turned_up = 0, 0
    for j in range(i):
        equal_before += int(s.chips[j] == s.chips[i])
    for r in range(s.round_number + 1):
        turned_up += int(s.bonuses[r] == s.chips[i])
    return equal_before >= turned_up
