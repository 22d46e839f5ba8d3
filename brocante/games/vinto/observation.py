"""What a seat of Vinto observes, as numbers from about -1 to 1. Seats count clockwise from the seat itself.

Rows are observed slot by slot up to SLOTS_SEEN, and beyond only in counts of the whole row. Rows of 8 slots are enough:
when sensible players play, one row in a hundred thousand is longer (one in seven when moves are random).
"""

import numpy as np

from brocante.engine import rule
from brocante.engine.deck import NONE
from brocante.engine.observation import observation
from brocante.games.vinto.knowledge import knows, note_seen, shuffled_at
from brocante.games.vinto.rules import (
    CARDS,
    GAP,
    MOST_PLAYERS,
    RANKS,
    SLOTS,
    Stage,
    has_card,
    most_turns,
    rank_of,
    top_of_pile,
)

SLOTS_SEEN = 8
WAITING_SEEN = 4

OBSERVATION = observation(
    # The rows, slot by slot
    card=(MOST_PLAYERS, SLOTS_SEEN),  # 0: a gap
    rank=(MOST_PLAYERS, SLOTS_SEEN),  # of a card that the seat knows: from 1/14 (an ace) to 1 (a joker)
    known_by=(MOST_PLAYERS, SLOTS_SEEN, MOST_PLAYERS),
    lately_shuffled=(MOST_PLAYERS, SLOTS_SEEN),  # the card is from the deck as it was shuffled last (V8.1)
    pointed_at=(MOST_PLAYERS, SLOTS_SEEN + 1),  # for the move that is being made; the last one: beyond the slots seen
    # The rows as a whole
    cards=MOST_PLAYERS,
    known_cards=(MOST_PLAYERS, RANKS),  # that the seat knows, by rank
    known_to_owner=MOST_PLAYERS,
    # The players
    present=MOST_PLAYERS,  # 0 for an empty chair, for which everything else is 0 too
    turn=MOST_PLAYERS,
    caller=MOST_PLAYERS,
    tossing=MOST_PLAYERS,  # is asked in the window
    points=MOST_PLAYERS,
    # The ranks
    discarded=RANKS,
    unseen_lately_shuffled=RANKS,  # in the deck, or from it
    unseen_shuffled_before=RANKS,  # in rows since before the last renewal
    top=RANKS,  # of the discard pile
    drawn=RANKS,
    acting=RANKS,  # whose action is being carried out
    # The actions that wait, the next one first, and how many more wait for whom
    waiting_rank=WAITING_SEEN,  # like `rank`
    waiting_for=(WAITING_SEEN, MOST_PLAYERS),
    waiting_later=MOST_PLAYERS,
    # The rest
    stage=len(Stage),
    my_decision=(),
    unused=(),  # the action of the top card (V4.1)
    left=(),
    discards=(),
    turns=(),  # 1: the round ends (V9.3)
    rounds_played=(),
    rounds=(),  # 0: the clock ends the game
    time_up=(),
    wild_king=(),
)


@rule
def observe(s, seat, out):
    for place in range(s.players):
        p = (seat + place) % s.players
        observe_player(s, p, place, out)
        observe_row(s, seat, p, place, out)
    observe_pointed_at(s, seat, out)
    observe_ranks(s, out)
    observe_waiting(s, seat, out)
    out.stage[int(s.stage)] = 1
    out.my_decision = int(s.actor == seat)
    out.unused = s.unused
    out.left = s.left / CARDS
    out.discards = s.discards / CARDS
    out.turns = s.turns / most_turns(s)
    out.rounds_played = s.rounds_played / 10
    out.rounds = s.rounds / 10 if s.minutes == 0 else 0
    out.time_up = s.time_up
    out.wild_king = s.king


@rule
def observe_player(s, p, place, out):
    out.present[place] = 1
    out.turn[place] = int(p == s.turn)
    out.caller[place] = int(p == s.caller)
    out.tossing[place] = int((s.stage == Stage.WINDOW) & (p == s.actor))
    out.points[place] = s.points[p] / 10


@rule
def observe_row(s, seat, p, place, out):
    out.cards[place] = s.cards[p] / 10
    for k in range(s.width[p]):
        if has_card(s, p, k):
            out.known_to_owner[place] += knows(s, p, p, k) / 10
            if s.row[p, k] > GAP:
                out.known_cards[place, rank_of(s.row[p, k])] += 0.25
            if k < SLOTS_SEEN:
                observe_card(s, seat, p, k, place, out)


@rule
def observe_card(s, seat, p, k, place, out):
    out.card[place, k] = 1
    if s.row[p, k] > GAP:
        out.rank[place, k] = (rank_of(s.row[p, k]) + 1) / RANKS
    for other in range(s.players):
        out.known_by[place, k, other] = knows(s, (seat + other) % s.players, p, k)
    out.lately_shuffled[place, k] = int(shuffled_at(s, p, k) == s.renewals)


@rule
def observe_pointed_at(s, seat, out):
    """The cards that were pointed at, while it matters."""
    if s.stage == Stage.SWAP or s.stage == Stage.PEEK_SECOND:
        point_at(s, seat, int(s.actor) * SLOTS + int(s.picked), out)
    elif s.stage == Stage.JACK_SECOND or s.stage == Stage.QUEEN_SECOND or s.stage == Stage.KING_RANK:
        point_at(s, seat, int(s.picked), out)
    elif s.stage == Stage.QUEEN_LOOKED:
        point_at(s, seat, int(s.picked), out)
        point_at(s, seat, int(s.other), out)


@rule
def point_at(s, seat, at, out):
    place = (at // SLOTS - seat) % int(s.players)
    out.pointed_at[place, min(at % SLOTS, SLOTS_SEEN)] = 1


@rule
def observe_ranks(s, out):
    seen = np.zeros(CARDS, np.int8)
    note_seen(s, seen)
    for k in range(s.discards):
        out.discarded[rank_of(s.discard_pile[k])] += 0.25
    for card in range(CARDS):
        if not seen[card]:
            unseen = out.unseen_lately_shuffled if s.shuffled[card] == s.renewals else out.unseen_shuffled_before
            unseen[rank_of(card)] += 0.25
    if s.discards > 0:
        out.top[rank_of(top_of_pile(s))] = 1
    if s.drawn != NONE:
        out.drawn[rank_of(s.drawn)] = 1
    if s.acting != NONE:
        out.acting[rank_of(s.acting)] = 1


@rule
def observe_waiting(s, seat, out):
    for k in range(s.waits):
        place = (s.waiting_for[k] - seat) % s.players
        if k < WAITING_SEEN:
            out.waiting_rank[k] = (rank_of(s.waiting[k]) + 1) / RANKS
            out.waiting_for[k, place] = 1
        else:
            out.waiting_later[place] += 0.1
