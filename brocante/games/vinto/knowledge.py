"""What a seat knows of a game of Vinto: the cards that it has seen, whether its own or others'."""

import numpy as np

from brocante.engine import NOBODY, rule, shuffle
from brocante.engine.deck import NONE, blank
from brocante.games.vinto.rules import CARDS, GAP, SLOTS, Stage, is_final_round

SPECTATOR = 5  # the bit of `known` for spectators
#: A card in a row that the seat does not know. V8.1: everyone saw which cards went into a renewed deck, so everyone
#: knows when an unseen card was last shuffled: it is one less for every renewal until then.
UNSEEN = -2


@rule
def knows(s, seat, p, k):
    """Whether the seat has seen the card in slot k of player p."""
    return (s.known[p, k] >> (SPECTATOR if seat == NOBODY else seat)) & 1


@rule
def hide(s, seat):
    """Blank the deck, and the cards in rows that the seat has not seen."""
    blank(s.deck)
    for p in range(s.players):
        for k in range(s.width[p]):
            if not knows(s, seat, p, k):
                hide_card(s, p, k)


@rule
def forget(s, seat):
    """Blank every card that lies face down, except the two that a Queen is showing the seat and, in the final round,
    what the coalition tell each other (V9.2)."""
    in_coalition = is_final_round(s) & (seat != NOBODY) & (seat != s.caller)
    if s.memory_aid or s.stage == Stage.REVEAL or in_coalition:
        return
    queen = s.stage == Stage.QUEEN_LOOKED and s.actor == seat
    for p in range(s.players):
        for k in range(s.width[p]):
            at = p * SLOTS + k
            if not (queen and (at == s.picked or at == s.other)):
                hide_card(s, p, k)


@rule
def hide_card(s, p, k):
    if s.row[p, k] > GAP:
        s.row[p, k] = UNSEEN - s.shuffled[s.row[p, k]]


@rule
def shuffled_at(s, p, k):
    """After how many renewals the card in a slot was last shuffled."""
    card = s.row[p, k]
    return UNSEEN - card if card <= UNSEEN else s.shuffled[card]


@rule
def fill(s, seat, rng):
    """Deal the unseen cards to wherever cards are hidden; the rest is the deck. All ways that agree with when the cards
    were shuffled are equally likely."""
    unseen = collect_unseen(s)
    shuffle(rng, s.deck, 0, unseen)
    for p in range(s.players):
        for k in range(s.width[p]):
            if s.row[p, k] <= UNSEEN:
                s.row[p, k] = take_shuffled_at(s, unseen, shuffled_at(s, p, k))
    close_up(s.deck, unseen)


@rule
def collect_unseen(s):
    """Make a deck of the unseen cards; return how many there are."""
    seen = np.zeros(CARDS, np.int8)
    note_seen(s, seen)
    unseen = 0
    for card in range(CARDS):
        if not seen[card]:
            s.deck[unseen] = card
            unseen += 1
    return unseen


@rule
def note_seen(s, seen):
    """Mark the cards that a seat sees, wherever they lie."""
    for p in range(s.players):
        for k in range(s.width[p]):
            if s.row[p, k] > GAP:
                seen[s.row[p, k]] = 1
    for k in range(s.discards):
        seen[s.discard_pile[k]] = 1
    if s.drawn != NONE:
        seen[s.drawn] = 1


@rule
def take_shuffled_at(s, n, renewals):
    """Take the first of the deck's first n cards that was last shuffled after so many renewals."""
    for i in range(n):
        card = s.deck[i]
        if card != NONE and s.shuffled[card] == renewals:
            s.deck[i] = NONE
            return card
    return NONE


@rule
def close_up(deck, n):
    """Move the cards that are left of n down to the bottom of the deck."""
    left = 0
    for i in range(n):
        card = deck[i]
        if card != NONE:
            deck[i] = NONE
            deck[left] = card
            left += 1
