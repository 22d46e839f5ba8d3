"""What a seat knows of a game of Port: its own hand, how many cards the others hold, and the chips turned up so far."""

from brocante.engine import rule, shuffle
from brocante.engine.deck import NONE, blank, take_top
from brocante.games.port.rules import KINDS, ROUNDS, cards_seen, is_to_come


@rule
def hide(s, seat):
    """Blank the hands of the others, the order of the deck and the chips of later rounds."""
    blank(s.deck)
    for p in range(s.players):
        if p != seat:
            s.hand[p] = 0
    for r in range(s.round_number + 1, ROUNDS):
        s.bonuses[r] = NONE


@rule
def fill(s, seat, rng):
    """Deal what was blanked, every way equally likely: the unseen cards to deck and hands, the chips to the rounds.

    P17: everyone saw which cards went into a renewed deck. Only such cards are dealt to it, and no hand gets more of
    them than its player has drawn since. (How likely each way is then also depends on what was played in the meantime.
    That is not weighed: with the built-in board a deck is hardly ever renewed.)
    """
    n = lay_unseen(s, 0, True)
    shuffle(rng, s.deck, 0, n)
    first_old = n
    n = lay_unseen(s, n, False)
    shuffle(rng, s.deck, first_old, n)
    for p in range(s.players):
        if p != seat:
            n = deal_unseen(s, p, n, s.held[p] - min(s.held[p], s.drawn[p]))
    shuffle(rng, s.deck, s.left, n)
    for p in range(s.players):
        if p != seat:
            n = deal_unseen(s, p, n, min(s.held[p], s.drawn[p]))
    fill_chips(s, rng)


@rule
def lay_unseen(s, n, renewed):
    """Lay unseen cards on the n cards of the deck: those that can be in it, or all others; return how many are there
    then."""
    for k in range(KINDS):
        unseen = int(s.box[k]) - cards_seen(s, k)
        can_be = min(unseen, int(s.shuffled[k]))
        for _ in range(can_be if renewed else unseen - can_be):
            s.deck[n] = k
            n += 1
    return n


@rule
def deal_unseen(s, p, n, cards):
    """Deal so many of the n cards of the deck to a hand; return how many are left."""
    for _ in range(cards):
        s.hand[p, take_top(s.deck, n)] += 1
        n -= 1
    return n


@rule
def fill_chips(s, rng):
    """P4: shuffle the chips that were not turned up yet."""
    later = s.round_number + 1
    n = later
    for i in range(ROUNDS):
        if is_to_come(s, i):
            s.bonuses[n] = s.chips[i]
            n += 1
    shuffle(rng, s.bonuses, later, ROUNDS)
