"""What a seat of Collection observes, as numbers from 0 to about 1. Seats count clockwise from the seat itself."""

from brocante.engine import rule
from brocante.engine.observation import observation
from brocante.games.collection.rules import BOX, CARDS, HAND, KINDS, MOST_PLAYERS, SIZE, point_cards

OBSERVATION = observation(
    hand=KINDS,
    present=MOST_PLAYERS,  # 0 for an empty chair, for which everything else is 0 too
    table=(MOST_PLAYERS, KINDS),  # 1: complete
    point_cards=(MOST_PLAYERS, KINDS),
    held=MOST_PLAYERS,
    score=MOST_PLAYERS,
    placed=KINDS,
    discarded=KINDS,
    left=(),
    my_turn=(),
    target=(),
)


@rule
def observe(s, seat, out):
    for k in range(KINDS):
        out.hand[k] = s.hand[seat, k] / HAND
        out.placed[k] = s.placed[k] / HAND
        out.discarded[k] = s.discarded[k] / BOX[k]
    for place in range(s.players):
        observe_seat(s, (seat + place) % s.players, place, out)
    out.left = s.left / CARDS
    out.my_turn = int(s.actor == seat)
    out.target = s.target / 100


@rule
def observe_seat(s, p, place, out):
    out.present[place] = 1
    for k in range(KINDS):
        out.table[place, k] = s.table[p, k] / SIZE[k]
        out.point_cards[place, k] = point_cards(s, p, k) / BOX[k]
    out.held[place] = s.held[p] / HAND
    out.score[place] = s.score[p] / 100
