"""Decks: cards in a row, face down, next card last.

A deck is an array with `left` cards in it. The next card is `deck[left - 1]`; every place without a card holds NONE.
"""

from brocante.engine.rule import rule

#: No card: it was drawn, or the seat does not know it.
NONE = -1


@rule
def take_top(deck, left):
    """Take the next card of a deck with `left` cards; the caller counts."""
    card = deck[left - 1]
    deck[left - 1] = NONE
    return card


@rule
def lay_out(deck, counts):
    """Put so many cards of each kind into the deck, kind by kind; return how many there are."""
    n = 0
    for kind in range(len(counts)):
        for _ in range(counts[kind]):
            deck[n] = kind
            n += 1
    return n


@rule
def turn_over(deck, left):
    """The bottom card becomes the next one."""
    for i in range(left // 2):
        card = deck[i]
        deck[i] = deck[left - 1 - i]
        deck[left - 1 - i] = card


@rule
def blank(deck):
    """Hide the order of a deck."""
    for i in range(len(deck)):
        deck[i] = NONE
