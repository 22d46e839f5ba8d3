"""What a seat of the antiques market observes, as numbers from 0 to about 1.

Seats count clockwise from the seat itself. Every item is in one of `case`, `hoard`, `discards`, `drawn` and `unseen`.
"""

from brocante.engine import rule
from brocante.engine.observation import observation
from brocante.games.antiques.rules import (
    CASE,
    DECK,
    DISCARD,
    DRAWN,
    HOARD,
    ITEMS,
    MOST_PLAYERS,
    Stage,
    can_salvage,
    top_of_discards,
)

OBSERVATION = observation(
    value=ITEMS,
    case=(MOST_PLAYERS, ITEMS),
    hoard=(MOST_PLAYERS, ITEMS),
    discards=ITEMS,
    top_discard=ITEMS,  # what may be salvaged
    drawn=ITEMS,
    unseen=ITEMS,
    present=MOST_PLAYERS,  # 0 for an empty chair, for which everything else is 0 too
    turns=MOST_PLAYERS,
    stage=len(Stage),
    left=(),
    renewed=(),
    take_that=(),
    my_turn=(),
)


@rule
def observe(s, seat, out):
    for i in range(ITEMS):
        out.value[i] = s.value[i] / 5
        observe_place(s, seat, i, out)
    if can_salvage(s):
        out.top_discard[top_of_discards(s)] = 1
    for place in range(s.players):
        out.present[place] = 1
        out.turns[place] = s.turns[(seat + place) % s.players] / 10
    out.stage[s.stage] = 1
    out.left = s.there[DECK] / ITEMS
    out.renewed = s.renewed
    out.take_that = s.take_that
    out.my_turn = int(s.actor == seat)


@rule
def observe_place(s, seat, i, out):
    where = s.where[i]
    if where < HOARD:
        out.case[(where - CASE - seat) % s.players, i] = 1
    elif where < DISCARD:
        out.hoard[(where - HOARD - seat) % s.players, i] = 1
    elif where == DISCARD:
        out.discards[i] = 1
    elif where == DRAWN:
        out.drawn[i] = 1
    else:
        out.unseen[i] = 1
