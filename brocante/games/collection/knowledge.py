"""What a seat knows of a game of Collection: its own hand, and how many cards the others hold."""

from brocante.engine import rule, shuffle
from brocante.engine.deck import blank, take_top
from brocante.games.collection.rules import BOX, KINDS, cards_seen


@rule
def hide(s, seat):
    """Blank the hands of the others and the order of the deck; their numbers of cards are public."""
    blank(s.deck)
    for p in range(s.players):
        if p != seat:
            s.hand[p] = 0


@rule
def fill(s, seat, rng):
    """Deal the cards the seat has not seen to the hands of the others, every way equally likely; the rest is the
    deck."""
    unseen = 0
    for k in range(KINDS):
        for _ in range(BOX[k] - cards_seen(s, k)):
            s.deck[unseen] = k
            unseen += 1
    shuffle(rng, s.deck, 0, unseen)
    for p in range(s.players):
        if p != seat:
            for _ in range(s.held[p]):
                s.hand[p, take_top(s.deck, unseen)] += 1
                unseen -= 1
