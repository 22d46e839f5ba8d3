"""A sensible shipper: it makes the move after which it expects the most VP at the end of the game.

Its outlook has four parts: VP, the cards in hand, what the wine that is under way will sell for, and what the harvests
to come will bring. Scarce actions tie them together: only so many markers and cards are left, and shipping, ageing,
harvesting and planting all take their share. So an Estate is worth buying while enough actions are left to use it.

The bot tries out each move with all its choices, the die with all six faces, and the boat with every sensible trip. The
weights come from thousands of games between variants. What a barrel and a spare action are worth matters most; most of
the others can be half as large again without a measurable difference.
"""

from typing import Any, NamedTuple

import numpy as np

from brocante.engine import below, rule
from brocante.engine.deck import NONE
from brocante.games.port import rules
from brocante.games.port.rules import (
    ACTIONS,
    BARRELS_FOR_A_POINT,
    BOAT_ACTIONS,
    CATEGORIES,
    COLUMNS,
    ESTATES,
    GAIA,
    HARBOURS,
    MARKERS,
    MORE_BARRELS,
    PAID_BY_A_CARD,
    ROUNDS,
    RUBY,
    SIDES,
    SIDES_OF_A_DIE,
    SLOTS,
    SOLD_BY_COLHEITA,
    TAWNY,
    Act,
    Action,
    Extra,
    Kind,
    Stage,
)

#: The most choices a move can take: a free harvest asks for the action and for each Estate.
DEPTH = 3 + ESTATES
#: Scratch states: one after each choice of a move; then a boat on a trip, the same back home and back home again, a
#: harvest unloaded on trial, a die rolled, all wine in the cellar, and a cellar aged to see what comes of it.
TRIP, HOME, HOME_AGAIN, TRIED, ROLLED, STORED, AGED = range(DEPTH, DEPTH + 7)
SCRATCH = DEPTH + 7

QUALITIES = 32  # better wine counts as much as the best of these
FAR = 3 * HARBOURS  # more moves than any tried trip takes
#: The expected number of boat actions for a number of moves.
ROLLS = np.zeros(FAR + 1)
for _moves in range(1, FAR + 1):
    ROLLS[_moves] = 1 + sum(ROLLS[max(0, _moves - die)] for die in range(1, SIDES_OF_A_DIE + 1)) / SIDES_OF_A_DIE

# Points
SPARE = 0.7  # an action with nothing better to do than to draw cards
LUCK = 0.8  # a card that is not known yet, besides the action it saves
HELPFUL = 1.0  # what a card to age wine adds to the action
ANY = 1.6  # a free choice of the action of a card
SURE = 0.5  # to know how far the boat will go
BARGAIN = 0.8  # what a card for Estates adds, while more are to come
# Shares
IN_SIGHT = 0.6  # of what an Estate would bring that could be bought: it is not bought yet
CROWDED = 0.8  # of what a barrel would pay if it always found room in its category
UNSOLD = 0.7  # of its part of what a category pays: a barrel that waits for more
ASHORE = 0.97  # of what wine is worth, while some of it is not in the cellar yet
HELD = 0.4  # of what a card is good for: the chance to play it may not come
LATER = 0.8  # of what a harvest is worth: one that finds no room in the cellar
# Barrels
ROOM = 5.0  # on a side of the cellar: so many more halve its value
# Actions
DRAWN = 0.4  # that an unknown card saves
SLACK = 1.3  # that are wasted at the end
SHARED = 0.6  # of a trip, and of ageing: the part of a harvest, even if others share it


class Mind(NamedTuple):
    """What stays the same during a move."""

    seat: int
    worth: Any  # of a barrel on each side, by the quality of its harvest
    barrel: float  # what an ordinary barrel is worth
    bonus: float  # of a harvest to come, on average
    choices: Any  # room for the choices of a move


@rule
def choose(s, seat, actions, n, scratch, rng):
    """The action with the best outlook. Among equals chance decides."""
    if n == 1:
        return actions[0]
    mind = size_up(s, int(seat))
    choice, best, equals = actions[0], -np.inf, 0
    for action in actions[:n]:
        value = prospect(s, mind, action, scratch)
        if value > best:
            choice, best, equals = action, value, 1
        elif value == best:
            equals += 1
            choice = action if below(rng, equals) == 0 else choice
    return choice


@rule
def size_up(s, seat):
    worth = np.zeros((SIDES, QUALITIES))
    for quality in range(QUALITIES):
        worth[0, quality] = worth_on(s, 0, quality)
        worth[1, quality] = worth_on(s, 1, quality)
    bonus = bonus_to_come(s)
    usual = min(int(s.quality[: s.sites].mean() + bonus), QUALITIES - 1)
    return Mind(seat, worth, CROWDED * worth[:, usual].max(), bonus, np.zeros((DEPTH, ACTIONS), np.int64))


@rule
def worth_on(s, side, quality):
    """What a barrel pays on a side on average: its part of what its category will pay."""
    paid = 0.0
    for die in range(1, SIDES_OF_A_DIE + 1):
        c = rules.category(s, side, quality + die)
        paid += s.pays[c] / s.spaces[c]
    return paid / SIDES_OF_A_DIE


@rule
def bonus_to_come(s):
    """The mean of the chips still to come; in the last round, the one that is open."""
    total, n = 0, 0
    for i in range(ROUNDS):
        if rules.is_to_come(s, i):
            total += int(s.chips[i])
            n += 1
    return total / n if n > 0 else float(s.bonuses[s.round_number])


# --- moves ------------------------------------------------------------------------------------------------------------

FIRST = 1000.0  # loading is free, and comes first


@rule
def prospect(s, mind, action, scratch):
    """The outlook after an action, with the best continuation."""
    scratch[0] = s
    after = scratch[0]
    after.left = 0  # the deck is not known: a drawn card still counts as a card to come
    if action == Action.END or action == Action.PASS:
        return outlook_of_waiting(after, mind, action, scratch)
    if s.stage == Stage.BOAT and action >= Action.UP:
        return best_trip(after, mind, int(s.moves_left), action, scratch)
    rules.apply(after, action)
    if action >= Action.UNLOAD and action < Action.UP:
        unload_all(after, mind, scratch)
    value = best_of_choices(mind, scratch) if rules.is_choosing(after) else outcome(after, mind, scratch)
    if action >= Action.LOAD and action < Action.UNLOAD:
        return FIRST + value
    if action >= Action.PLAY and action < Action.LOAD:
        return prospect_of_card(s, mind, action, value, scratch)
    return value


@rule
def prospect_of_card(s, mind, action, value, scratch):
    """A card can wait, a marker cannot: play a card only if what it does is worth more than holding it."""
    if value <= outlook(s, mind, scratch):
        return -np.inf
    return 2 * FIRST + value if action == Action.PLAY + Kind.HARVEST else value  # P20: before it is loaded


@rule
def outlook_of_waiting(s, mind, action, scratch):
    """P9: the turn is over; P9.1: passing gives up the markers. After the last turn, only what is there counts."""
    p = mind.seat
    if action == Action.PASS:
        s.markers[p] = 0
    if s.markers[p] == 0 and s.round_number + 1 == ROUNDS:
        return float(s.vp[p] + rules.vp_for_barrels(s, p) + rules.vp_for_estates(s, p))
    return outlook(s, mind, scratch)


@rule
def best_of_choices(mind, scratch):
    """The best outcome of a move that has begun on the first scratch state."""
    counts = np.zeros(DEPTH, np.int64)
    counts[0] = rules.legal(scratch[0], mind.choices[0])
    best, depth = -np.inf, 0
    while depth >= 0:
        if counts[depth] == 0:  # all were tried: take back the last one
            depth -= 1
            continue
        counts[depth] -= 1
        scratch[depth + 1] = scratch[depth]
        after = scratch[depth + 1]
        rules.apply(after, mind.choices[depth, counts[depth]])
        if rules.is_choosing(after):
            depth += 1
            counts[depth] = rules.legal(after, mind.choices[depth])
        else:
            best = max(best, outcome(after, mind, scratch))
    return best


@rule
def outcome(s, mind, scratch):
    """The outlook once all choices of a move are made; chance may still have to move."""
    if s.stage == Stage.ROLL:
        return outcome_of_trip(s, mind, scratch) if s.doing == Act.BOAT else outcome_of_ageing(s, mind, scratch)
    if s.stage == Stage.BOAT:
        return best_trip(s, mind, int(s.moves_left), NONE, scratch)
    return outlook(s, mind, scratch)


@rule
def outcome_of_ageing(s, mind, scratch):
    total = 0.0
    for die in range(1, SIDES_OF_A_DIE + 1):
        scratch[ROLLED] = s
        rolled = scratch[ROLLED]
        rules.roll(rolled, die)
        total += best_addition(rolled, mind, scratch) if rolled.stage == Stage.ADD else outlook(rolled, mind, scratch)
    return total / SIDES_OF_A_DIE


@rule
def best_addition(s, mind, scratch):
    """P24: a barrel is due, if there is one."""
    best = outlook(s, mind, scratch) if s.supply == 0 else -np.inf
    for c in range(CATEGORIES):
        if rules.can_add(s, mind.seat, c):
            scratch[TRIED] = s
            rules.add_barrel(scratch[TRIED], mind.seat, c)
            best = max(best, outlook(scratch[TRIED], mind, scratch))
    return best


# --- trips ------------------------------------------------------------------------------------------------------------


@rule
def outcome_of_trip(s, mind, scratch):
    """P13: on average. What can be done with few moves can be done with more."""
    values = np.full((3, FAR + 1), -np.inf)
    try_trips(s, mind, SIDES_OF_A_DIE, values, scratch)
    best, total = values[:, 0].max(), 0.0
    for die in range(1, SIDES_OF_A_DIE + 1):
        best = max(best, values[:, die].max())
        total += best
    return total / SIDES_OF_A_DIE


@rule
def best_trip(s, mind, moves, step, scratch):
    """The outlook of the best trip, or of the best one that begins with this step."""
    values = np.full((3, FAR + 1), -np.inf)
    try_trips(s, mind, moves, values, scratch)
    return values.max() if step == NONE else values[step - Action.UP].max()


@rule
def try_trips(s, mind, moves, values, scratch):
    """Write down the outlook of every trip, by its first step and by the moves it takes: any distance up the river,
    then perhaps home, up again and home again. The boat loads what lies on the way."""
    p = mind.seat
    scratch[TRIP] = s
    trip = scratch[TRIP]
    trip.moves_left = FAR
    load_all(trip, mind)
    note(trip, mind, values[Action.STOP - Action.UP], scratch)
    try_going_home(mind, moves, values[Action.DOWN - Action.UP], scratch)
    for _ in range(min(moves, HARBOURS - 1 - int(s.at[p]))):
        rules.sail_up(trip, p)
        load_all(trip, mind)
        note(trip, mind, values[0], scratch)
        try_going_home(mind, moves, values[0], scratch)


@rule
def try_going_home(mind, moves, values, scratch):
    """From where the trip is; then up again and, if there is something to load, home again."""
    p = mind.seat
    scratch[HOME] = scratch[TRIP]
    home = scratch[HOME]
    if home.at[p] == GAIA:
        return
    go_home(home, mind, scratch)
    while FAR - home.moves_left <= moves:
        if load_all(home, mind) and FAR - home.moves_left < moves:
            scratch[HOME_AGAIN] = scratch[HOME]
            go_home(scratch[HOME_AGAIN], mind, scratch)
            note(scratch[HOME_AGAIN], mind, values, scratch)
        note(home, mind, values, scratch)
        if home.at[p] == HARBOURS - 1:
            return
        rules.sail_up(home, p)


@rule
def go_home(s, mind, scratch):
    """P13.3: in one go."""
    while s.at[mind.seat] > GAIA:
        rules.sail_down(s, mind.seat)
        load_all(s, mind)
    unload_all(s, mind, scratch)


@rule
def note(s, mind, values, scratch):
    """The outlook of a trip that ends here."""
    taken = FAR - s.moves_left
    values[taken] = max(values[taken], outlook(s, mind, scratch))


@rule
def load_all(s, mind):
    """P14: load everything, the best harvest first; return whether there was any."""
    p, loaded = mind.seat, False
    while True:
        best, most = NONE, 0.0
        for e in range(ESTATES):
            worth = worth_of(mind, s.crop[p, e], s.crop_quality[p, e])
            if worth > most and rules.can_load(s, p, e):
                best, most = e, worth
        if best == NONE:
            return loaded
        rules.load(s, p, best)
        loaded = True


@rule
def unload_all(s, mind, scratch):
    """P15: unload everything, the best harvest first, to the side where it adds more to the cellar."""
    p = mind.seat
    while rules.must_unload(s, p):
        best, most = 0, -1.0
        for slot in range(SLOTS):
            worth = worth_of(mind, s.cargo[p, slot], s.cargo_quality[p, slot])
            if s.cargo[p, slot] > 0 and worth > most:
                best, most = slot, worth
        rules.unload(s, p, best, best_column(s, mind, best, scratch))


@rule
def best_column(s, mind, slot, scratch):
    choice, best = 0, -np.inf
    for column in range(COLUMNS):
        twin = column % 2 == 1 and s.cellar[mind.seat, column - 1] == 0
        if rules.can_unload(s, mind.seat, slot, column) and not twin:
            scratch[TRIED] = s
            rules.unload(scratch[TRIED], mind.seat, slot, column)
            value = cellar_aged(scratch[TRIED], mind.seat, 1.0, scratch) + cards_for_cellar(scratch[TRIED], mind)
            if value > best:
                choice, best = column, value
    return choice


# --- the outlook ------------------------------------------------------------------------------------------------------


@rule
def outlook(s, mind, scratch):
    """The VP that a player will probably have at the end: the best of shipping and ageing everything, of ageing only
    what is in the cellar, and of neither."""
    p = mind.seat
    actions = actions_to_come(s, p)
    again = min(1.0, max(0.0, actions) / (MARKERS + 1))  # how sure it is that more wine will be aged later
    out = rules.barrels_under_way(s, p)
    in_cellar = rules.barrels_in_cellar(s, p)
    stock = warehouse_worth(s, p, again) + (out + in_cellar) / BARRELS_FOR_A_POINT
    best = stock + harvests_to_come(s, mind, actions, out == 0)
    if in_cellar > 0:
        surely = chance_to_finish(actions - 1)
        aged = cellar_aged(s, p, again, scratch) + out / BARRELS_FOR_A_POINT
        value = surely * aged + (1 - surely) * stock
        best = max(best, value + harvests_to_come(s, mind, actions - 1, out == 0))
    if out > 0:
        trips, needed, taken = actions_to_sell(s, p)
        surely = min(chance_to_finish(actions - needed), chance_to_finish(trips_to_come(s, p) - trips))
        aged = ASHORE * all_aged(s, mind, again, scratch)
        value = surely * aged + (1 - surely) * stock
        best = max(best, value + harvests_to_come(s, mind, actions - taken, False))
    return s.vp[p] + best + hand_worth(s, mind, min(1.0, 2 * again))


@rule
def actions_to_come(s, p):
    """Markers, and cards that replace one. P11: also the cubes of a planting card, while they have a place."""
    markers = int(s.markers[p]) + MARKERS * (ROUNDS - 1 - int(s.round_number))
    cards = int(s.hand[p, Kind.FREE]) + boat_cards(s, p)
    cards += int(s.hand[p, Kind.AGE_BARREL]) + int(s.hand[p, Kind.AGE_QUALITY]) + int(s.hand[p, Kind.ENOLOGIST])
    if s.hand[p, Kind.PLANTING] > 0:
        cards += int(rules.some_estate_lacks(s, p, s.vineyard)) + int(rules.some_estate_lacks(s, p, s.brandy))
    return markers + HELD * cards + (DRAWN if s.stage == Stage.RENEW else 0.0)


@rule
def trips_to_come(s, p):
    """P13.1: the limit on boat actions, whatever markers and cards are left."""
    return BOAT_ACTIONS * (ROUNDS - int(s.round_number)) - int(s.sailed[p])


@rule
def boat_cards(s, p):
    """Boat cards that can still be played."""
    return min(int(s.hand[p, Kind.BOAT]), trips_to_come(s, p))


@rule
def chance_to_finish(left):
    """How likely it is to finish with so many actions to spare, on average."""
    return max(0.0, min(1.0, 1.0 + left))


@rule
def worth_of(mind, barrels, quality):
    """What a harvest will sell for."""
    quality = min(int(quality), QUALITIES - 1)
    return CROWDED * barrels * max(mind.worth[0, quality], mind.worth[1, quality])


@rule
def actions_to_sell(s, p):
    """How many boat actions are needed to bring the wine home (P13: up to the farthest harvest, and down in one go);
    how many actions with ageing it; and how many of these are its part, if other harvests share them. What does not fit
    into the boat or the cellar takes another trip, or ageing twice."""
    at = int(s.at[p])
    top, harvests, columns = at, 0, 0
    for e in range(s.estates[p]):
        if s.crop[p, e] > 0:
            harvests += 1
            top = max(top, int(s.harbour[s.site[p, e]]))
    for slot in range(SLOTS):
        harvests += int(s.cargo[p, slot] > 0)
    for column in range(COLUMNS):
        columns += int(s.cellar[p, column] > 0)
    trips = ROLLS[top - at + int(top > GAIA)]
    if harvests > SLOTS:
        trips += ROLLS[top + 1]
    ageing = 1 + int(columns + harvests > COLUMNS)
    if s.round_number + 1 == ROUNDS:
        return trips, trips + ageing, trips + ageing
    part = trips * part_of(harvests, SLOTS) + ageing * part_of(columns + harvests, COLUMNS)
    return trips, trips + ageing, part


@rule
def part_of(harvests, room):
    """The share of an action that these harvests take, when it serves as many as there is room for."""
    return SHARED + (1 - SHARED) * min(1.0, harvests / room)


# --- cellar and warehouse ---------------------------------------------------------------------------------------------


@rule
def all_aged(s, mind, again, scratch):
    """What ageing will pay once the cellar holds all the wine it has room for."""
    p = mind.seat
    scratch[STORED] = s
    stored = scratch[STORED]
    waiting = 0.0
    for slot in range(SLOTS):
        waiting += store(stored, mind, s.cargo[p, slot], s.cargo_quality[p, slot])
    for e in range(ESTATES):
        waiting += store(stored, mind, s.crop[p, e], s.crop_quality[p, e])
    return cellar_aged(stored, p, again, scratch) + LATER * waiting


@rule
def store(s, mind, barrels, quality):
    """Imagine a harvest in the column that suits it; return what it is worth if there is none."""
    p = mind.seat
    if barrels == 0:
        return 0.0
    choice, best = NONE, -1.0
    for column in range(COLUMNS):
        side = rules.side_of(column)
        crowd = int(rules.barrels_on(s, p, side))
        value = mind.worth[side, min(int(quality), QUALITIES - 1)] / (ROOM + crowd)
        if s.cellar[p, column] == 0 and value > best:
            choice, best = column, value
    if choice == NONE:
        return worth_of(mind, barrels, quality)
    s.cellar[p, choice] = barrels
    s.cellar_quality[p, choice] = quality
    return 0.0


@rule
def cellar_aged(s, p, again, scratch):
    """What ageing will pay on average, and what will then be in the warehouse."""
    total = 0.0
    aged = scratch[AGED]
    for die in range(1, SIDES_OF_A_DIE + 1):
        scratch[AGED] = s
        aged.in_play = NONE
        rules.age(aged, p, die)
        total += aged.vp[p] - s.vp[p] + warehouse_worth(aged, p, again)
    return total / SIDES_OF_A_DIE


@rule
def warehouse_worth(s, p, again):
    """Barrels there are sold if wine is aged again; otherwise they count a little at the end."""
    value = 0.0
    for c in range(CATEGORIES):
        part = UNSOLD * s.pays[c] / s.spaces[c]
        value += s.warehouse[p, c] * (again * part + (1 - again) / BARRELS_FOR_A_POINT)
    return value


# --- harvests to come -------------------------------------------------------------------------------------------------


@rule
def harvests_to_come(s, mind, actions, is_idle):
    """What the remaining actions will bring, and the Estates at the end (P29). Estates that lack cubes are planted if
    that pays. An idle boat may already have gone upstream."""
    p = mind.seat
    harvests = ROUNDS - 1 - int(s.round_number) + int((s.harvested[p] == 0) & (s.markers[p] > 0))
    harvests = min(harvests, trips_to_come(s, p))
    planted, far, crop, prices = 0, 0, 0.0, 0.0
    for e in range(s.estates[p]):
        if rules.is_planted(s, p, e):
            planted += 1
            far = max(far, int(s.harbour[s.site[p, e]]))
            crop += harvest_worth(s, mind, s.site[p, e])
            prices += s.price[s.site[p, e]]
    if is_idle:
        actions += ROLLS[far + 1] - ROLLS[max(0, far - int(s.at[p])) + 1]
    best = income(crop, planted, far, harvests, actions) + prices
    for e in range(s.estates[p]):
        if not rules.is_planted(s, p, e):
            i = s.site[p, e]
            left = actions - 2 + int(s.vineyard[p, e]) + int(s.brandy[p, e])
            more = crop + harvest_worth(s, mind, i)
            farther = max(far, int(s.harbour[i]))
            surely = chance_to_finish(left)
            value = income(more, planted + 1, farther, harvests, left) + prices + surely * s.price[i]
            if value > best:
                best, actions, crop, far = value, left, more, farther
                planted += 1
                prices += surely * s.price[i]
    i = site_in_sight(s, mind)
    if i == NONE:
        return best
    left = actions - 3  # P10, P11: to buy it and to plant it
    more = crop + harvest_worth(s, mind, i)
    value = income(more, planted + 1, max(far, int(s.harbour[i])), harvests, left) + prices
    return best + IN_SIGHT * max(0.0, value - best)


@rule
def site_in_sight(s, mind):
    """The best site that the player could buy; its price comes back at the end (P29)."""
    p, choice, most = mind.seat, NONE, 0.0
    if s.estates[p] == ESTATES:
        return choice
    for i in range(s.sites):
        if rules.is_for_sale(s, p, i, Extra.NONE):
            worth = harvest_worth(s, mind, i)
            if worth > most:
                choice, most = i, worth
    return choice


@rule
def harvest_worth(s, mind, i):
    """What one harvest of an Estate at this site will sell for."""
    return worth_of(mind, s.barrels_of[s.harbour[i]], s.quality[i] + mind.bonus)


@rule
def income(crop, planted, far, harvests, actions):
    """What a number of actions will bring: a harvest takes one, and its part of trips and of ageing."""
    cost = 1 + ROLLS[far + 1] * part_of(planted, SLOTS) + part_of(planted, COLUMNS)
    actions = max(0.0, actions - SLACK)
    done = min(float(harvests), actions / cost)
    return done * max(crop, SPARE * cost) + SPARE * (actions - done * cost)


# --- cards ------------------------------------------------------------------------------------------------------------


@rule
def hand_worth(s, mind, chance):
    """What the cards add to the actions that they save, if there is a chance to play them."""
    p = mind.seat
    helpful = int(s.hand[p, Kind.AGE_BARREL]) + int(s.hand[p, Kind.AGE_QUALITY]) + int(s.hand[p, Kind.ENOLOGIST])
    value = HELPFUL * helpful + ANY * s.hand[p, Kind.FREE] + SURE * boat_cards(s, p)
    value += MORE_BARRELS * mind.barrel * s.hand[p, Kind.HARVEST]
    if s.estates[p] < ESTATES:
        value += BARGAIN * (int(s.hand[p, Kind.BUYING]) + int(s.hand[p, Kind.PLANTING]))
    if s.stage == Stage.RENEW:
        value += LUCK
    return HELD * chance * value + max(HELD * chance * cards_to_sell(s, mind), cards_for_cellar(s, mind))


@rule
def cards_to_sell(s, mind):
    """P22, P27: what they pay beyond what the barrels are worth."""
    p = mind.seat
    colheita = s.hand[p, Kind.COLHEITA] * (PAID_BY_A_CARD - SOLD_BY_COLHEITA * mind.barrel)
    return colheita + s.hand[p, Kind.VINTAGE] * (PAID_BY_A_CARD - mind.barrel)


@rule
def cards_for_cellar(s, mind):
    """The same for those that can be played at once."""
    p = mind.seat
    colheita = int(rules.barrels_on(s, p, TAWNY)) // SOLD_BY_COLHEITA
    vintage = int(rules.barrels_on(s, p, RUBY))
    value = min(colheita, int(s.hand[p, Kind.COLHEITA])) * (PAID_BY_A_CARD - SOLD_BY_COLHEITA * mind.barrel)
    return value + min(vintage, int(s.hand[p, Kind.VINTAGE])) * (PAID_BY_A_CARD - mind.barrel)
