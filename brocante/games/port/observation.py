"""What a seat of Port observes, as numbers from 0 to about 1 on the built-in board. Seats count clockwise
from the seat itself."""

from brocante.engine import rule
from brocante.engine.deck import NONE
from brocante.engine.observation import observation
from brocante.games.port.rules import (
    ACTS,
    BARRELS,
    BOAT_ACTIONS,
    CARDS,
    CATEGORIES,
    COLUMNS,
    ESTATES,
    HAND,
    HARBOURS,
    KINDS,
    MARKERS,
    MOST_PLAYERS,
    ROUNDS,
    SIDES_OF_A_DIE,
    SITES,
    SLOTS,
    STAGES,
    circles_left,
    is_free,
)

# What counts as 1
MANY = 4  # barrels, cards or circles
GOOD = 5  # quality or price of a site, bonus
FINE = 8  # quality of a harvest
HIGH = 20  # VP

OBSERVATION = observation(
    hand=KINDS,
    # every seat
    present=MOST_PLAYERS,  # 0 for an empty chair, for which everything else is 0 too
    vp=MOST_PLAYERS,
    markers=MOST_PLAYERS,
    held=MOST_PLAYERS,  # cards in hand
    bought=MOST_PLAYERS,  # this field and the next two: in this round
    harvested=MOST_PLAYERS,
    sailed=MOST_PLAYERS,
    first=MOST_PLAYERS,  # who has the first-player token
    turn=MOST_PLAYERS,
    at=(MOST_PLAYERS, HARBOURS),  # where the boat lies
    placed=(MOST_PLAYERS, ACTS),  # markers on the table
    estate=(MOST_PLAYERS, ESTATES),  # whether there is one; the fields up to crop_quality are about it
    site=(MOST_PLAYERS, ESTATES),
    harbour=(MOST_PLAYERS, ESTATES, HARBOURS),
    quality=(MOST_PLAYERS, ESTATES),
    price=(MOST_PLAYERS, ESTATES),
    vineyard=(MOST_PLAYERS, ESTATES),
    brandy=(MOST_PLAYERS, ESTATES),
    crop=(MOST_PLAYERS, ESTATES),
    crop_quality=(MOST_PLAYERS, ESTATES),
    cargo=(MOST_PLAYERS, SLOTS),
    cargo_quality=(MOST_PLAYERS, SLOTS),
    cellar=(MOST_PLAYERS, COLUMNS),
    cellar_quality=(MOST_PLAYERS, COLUMNS),
    warehouse=(MOST_PLAYERS, CATEGORIES),  # 1: complete
    # every site of the board
    site_exists=SITES,
    site_free=SITES,
    site_quality=SITES,
    site_price=SITES,
    # every kind of card
    used=KINDS,
    aside=KINDS,
    in_play=KINDS,
    shuffled=KINDS,  # the cards that the deck was made of
    # every round
    bonus_known=ROUNDS,
    bonus=ROUNDS,
    now=ROUNDS,
    # what is being done
    circles_left=ACTS,
    doing=ACTS,
    stage=STAGES,
    chosen=SITES,  # a site, a column, or how many Estates were harvested
    marked=(),
    moves_left=(),
    drifting=(),
    die=(),
    supply=(),
    left=(),  # cards in the deck
    my_turn=(),
)


@rule
def observe(s, seat, out):
    for place in range(s.players):
        p = (seat + place) % s.players
        observe_seat(s, p, place, out)
        observe_estates(s, p, place, out)
        observe_wine(s, p, place, out)
    observe_sites(s, out)
    observe_cards(s, seat, out)
    observe_rounds(s, out)
    observe_turn(s, seat, out)


@rule
def observe_seat(s, p, place, out):
    out.present[place] = 1
    out.vp[place] = s.vp[p] / HIGH
    out.markers[place] = s.markers[p] / MARKERS
    out.held[place] = s.held[p] / HAND
    out.bought[place] = s.bought[p]
    out.harvested[place] = s.harvested[p]
    out.sailed[place] = s.sailed[p] / BOAT_ACTIONS
    out.first[place] = int(s.first == p)
    out.turn[place] = int(s.turn == p)
    out.at[place, s.at[p]] = 1
    for act in range(ACTS):
        out.placed[place, act] = s.placed[p, act] / MARKERS


@rule
def observe_estates(s, p, place, out):
    for e in range(s.estates[p]):
        i = s.site[p, e]
        out.estate[place, e] = 1
        out.site[place, e] = i / SITES
        out.harbour[place, e, s.harbour[i]] = 1
        out.quality[place, e] = s.quality[i] / GOOD
        out.price[place, e] = s.price[i] / GOOD
        out.vineyard[place, e] = s.vineyard[p, e]
        out.brandy[place, e] = s.brandy[p, e]
        out.crop[place, e] = s.crop[p, e] / MANY
        out.crop_quality[place, e] = s.crop_quality[p, e] / FINE


@rule
def observe_wine(s, p, place, out):
    for slot in range(SLOTS):
        out.cargo[place, slot] = s.cargo[p, slot] / MANY
        out.cargo_quality[place, slot] = s.cargo_quality[p, slot] / FINE
    for column in range(COLUMNS):
        out.cellar[place, column] = s.cellar[p, column] / MANY
        out.cellar_quality[place, column] = s.cellar_quality[p, column] / FINE
    for c in range(CATEGORIES):
        out.warehouse[place, c] = s.warehouse[p, c] / s.spaces[c]


@rule
def observe_sites(s, out):
    for i in range(s.sites):
        out.site_exists[i] = 1
        out.site_free[i] = int(is_free(s, i))
        out.site_quality[i] = s.quality[i] / GOOD
        out.site_price[i] = s.price[i] / GOOD


@rule
def observe_cards(s, seat, out):
    for k in range(KINDS):
        out.hand[k] = s.hand[seat, k] / HAND
        out.used[k] = s.used[k] / MANY
        out.aside[k] = s.aside[k] / MANY
        out.in_play[k] = int(s.in_play == k)
        out.shuffled[k] = s.shuffled[k] / MANY
    out.left = s.left / CARDS


@rule
def observe_rounds(s, out):
    out.now[s.round_number] = 1
    for r in range(ROUNDS):
        if s.bonuses[r] != NONE:
            out.bonus_known[r] = 1
            out.bonus[r] = s.bonuses[r] / GOOD


@rule
def observe_turn(s, seat, out):
    for act in range(ACTS):
        out.circles_left[act] = circles_left(s, seat, act) / MANY
        out.doing[act] = int(s.doing == act)
    out.stage[s.stage] = 1
    if s.chosen != NONE:
        out.chosen[s.chosen] = 1
    out.marked = s.marked
    out.moves_left = s.moves_left / SIDES_OF_A_DIE
    out.drifting = s.drifting
    out.die = s.die / SIDES_OF_A_DIE
    out.supply = s.supply / BARRELS
    out.my_turn = int(s.actor == seat)
