"""What a seat knows of the antiques market: everything except the deck and the cards that others choose from (A6).

Everyone saw what went into each Hoard. People must remember it: the table shows the Hoards of others only as piles.
"""

from brocante.engine import NOBODY, rule, shuffle
from brocante.engine.deck import NONE, blank, take_top
from brocante.games.antiques.rules import DECK, DRAWN, DRAWN_AT_ONCE, HOARD, ITEMS, in_hoard, note_hoarded


@rule
def hide(s, seat):
    """Blank the order of the deck and the two cards that somebody else drew.

    The last card of the old deck stays (A8.1): it follows from where all the others are.
    """
    blank(s.deck)
    if seat != s.turn:
        for k in range(s.straddles, DRAWN_AT_ONCE):
            hide_drawn(s, k)


@rule
def forget(s, seat):
    """Blank all cards that somebody else drew, and the Hoards of the others until the game is over (unless they are
    open)."""
    if seat != s.turn:
        hide_drawn(s, 0)
    if s.open_hoards or s.actor == NOBODY:
        return
    for p in range(s.players):
        if p != seat:
            s.worth[p] = 0
            s.tally[p] = 0
            for i in range(ITEMS):
                if in_hoard(s, p, i):
                    s.where[i] = DECK


@rule
def hide_drawn(s, k):
    if s.drawn[k] != NONE:
        s.where[s.drawn[k]] = DECK
        s.drawn[k] = NONE


@rule
def fill(s, seat, rng):
    """Deal the items the seat has not seen to wherever cards are hidden, every way equally likely; the rest is the
    deck."""
    unseen = 0
    for i in range(ITEMS):
        if s.where[i] == DECK:
            s.deck[unseen] = i
            unseen += 1
    shuffle(rng, s.deck, 0, unseen)
    for k in range(s.there[DRAWN]):
        if s.drawn[k] == NONE:
            s.drawn[k] = take_top(s.deck, unseen)
            s.where[s.drawn[k]] = DRAWN
            unseen -= 1
    for p in range(s.players):
        for _ in range(s.there[HOARD + p] - items_at(s, HOARD + p)):
            i = take_top(s.deck, unseen)
            s.where[i] = HOARD + p
            note_hoarded(s, p, i)
            unseen -= 1


@rule
def items_at(s, place):
    n = 0
    for i in range(ITEMS):
        n += int(s.where[i] == place)
    return n
