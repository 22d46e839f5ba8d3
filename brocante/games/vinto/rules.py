"""The rules of Vinto, clause by clause (V1–V11, as in locale/rules.en.md).

Cards are numbered by rank, four of each, the two jokers last. Players do not know their own cards. For every card in a
row, `known` has a bit for each seat that has seen it; the bits follow the card wherever it goes.

A card that is placed on the discard pile opens the toss-in window at once. Its action, and those of the cards tossed
in, wait until the window closes (`waiting`). Then they are carried out one after the other (V5).
"""

from enum import IntEnum

import numpy as np

from brocante.engine import CHANCE, NOBODY, below, common_rules, left_of, offer, record, rule, shuffle
from brocante.engine.deck import NONE, lay_out, take_top

# V1
CARDS = 54
RANKS = 14
ACE, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, JOKER = 0, 6, 7, 8, 9, 10, 11, 12, 13
VALUE = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 0, -1], np.int16)
BOX = np.ones(CARDS, np.int16)

MOST_PLAYERS = 5
DEALT = 5  # V2: cards to each player
SLOTS = 53  # of a row: one card is always on the discard pile or on its way there
PLACES = MOST_PLAYERS * SLOTS
TURNS_PER_PLAYER = 40  # V9.3
POINTS = np.array([5, 3, 2, 0, 0], np.int16)  # V11.1, by place
WAITING = 32  # actions that can wait; no turn comes near it, and beyond it nobody is asked to toss in (V6)

GAP = -1  # a slot without a card (V2.1)
EVERYONE = 63  # in `known`: every seat, and the spectators


class King(IntEnum):
    """V8."""

    DECLARE = 0
    WILD = 1


class Stage(IntEnum):
    DEAL = 0
    PEEK = 1  # V2: the first card
    PEEK_SECOND = 2
    TURN = 3  # draw or take (V3, V4)
    DRAWN = 4  # play or swap (V3.1, V3.2)
    SWAP = 5  # V3.2: which rank comes out
    LOOK_OWN = 6  # a 7 or an 8
    LOOK_OTHER = 7  # a 9 or a 10
    JACK = 8
    JACK_SECOND = 9
    QUEEN = 10
    QUEEN_SECOND = 11
    QUEEN_LOOKED = 12  # exchange or leave
    KING = 13  # V8: which card
    KING_RANK = 14
    KING_WILD = 15
    ACE = 16
    WINDOW = 17  # V6
    END = 18  # V5
    REVEAL = 19  # V10: all cards are turned up


#: The stages at which the actor picks a card of their own row by its slot.
OWN_ROW = (Stage.PEEK, Stage.PEEK_SECOND, Stage.DRAWN, Stage.WINDOW)


class Action(IntEnum):
    DRAW = 0
    TAKE = 1
    PASS = 2
    PLAY = 3
    END = 4
    VINTO = 5
    EXCHANGE = 6  # after the look of a queen
    LEAVE = 7
    SLOT = 8  # .. 60: of the actor's own row
    SILENT = 61  # swap without declaring
    RANK = 62  # .. 75: declare or name it
    GIVE = 76  # .. 80: to this player
    AT = 81  # .. 345: the card at this place, a slot of any player


ACTIONS = 81 + PLACES

STATE = record(
    ("row", np.int16, (MOST_PLAYERS, SLOTS)),
    ("known", np.int8, (MOST_PLAYERS, SLOTS)),  # who has seen the card, one bit for each seat
    ("width", np.int8, MOST_PLAYERS),  # slots of a row that have had a card
    ("cards", np.int8, MOST_PLAYERS),  # in a row
    ("deck", np.int8, CARDS),  # the draw pile
    ("discard_pile", np.int8, CARDS),  # the top card last
    ("shuffled", np.int16, CARDS),  # V8.1: how many renewals there had been when a card was last shuffled
    ("renewals", np.int16),
    ("left", np.int8),  # cards in the deck
    ("discards", np.int8),
    ("unused", np.int8),  # V4.1: the action of the top card
    ("drawn", np.int8),
    ("picked", np.int16),  # the card pointed at first: a place, or a slot of the own row (V2, V3.2)
    ("other", np.int16),  # the second one
    ("taker", np.int8),  # who takes a card when the deck has been renewed; NOBODY: it is turned up
    ("placed", np.int8),  # V5: whether a card was placed whose window has not opened yet
    ("asked", np.int8),  # V6.2: who was asked last in the window
    ("acting", np.int8),  # V5: the card whose action is being carried out
    ("waiting", np.int8, WAITING),  # V5: the cards whose actions wait to be carried out, the next one first
    ("waiting_for", np.int8, WAITING),  # who will carry them out
    ("waits", np.int8),  # how many of them there are
    ("fresh", np.int8),  # how many of the first ones came with the card that was placed last
    ("turn", np.int8),
    ("turns", np.int16),  # taken in this round
    ("caller", np.int8),  # V9
    ("first", np.int8),
    ("rounds_played", np.int16),
    ("points", np.int16, MOST_PLAYERS),  # V10: of all rounds
    ("time_up", np.int8),  # V11
    ("stage", np.int8),
    ("king", np.int8),
    ("rounds", np.int16),
    ("minutes", np.int16),
    ("max_turns", np.int16),
    ("memory_aid", np.int8),
    ("players", np.int8),
    ("actor", np.int8),
)


# --- setup ------------------------------------------------------------------------------------------------------------


@rule
def chance(s, rng):
    """V2: shuffle, draw the first player of the first round, and deal. V8.1: renew the deck."""
    if is_under_way(s):
        gather_discards(s)
        shuffle(rng, s.deck, 0, s.left)
        go_on_after_renewal(s)
    else:
        lay_out(s.deck, BOX)
        shuffle(rng, s.deck, 0, CARDS)
        deal(s, below(rng, s.players) if s.rounds_played == 0 else left_of(s, s.first))


@rule
def is_under_way(s):
    """Whether a round is being played. If not, the next one is to be dealt, or the game is over."""
    return (s.stage != Stage.DEAL) & (s.stage != Stage.REVEAL)


@rule
def deal(s, first):
    """V2: five cards to each player from the deck as it lies, to the first player first."""
    s.row[:] = GAP
    s.known[:] = 0
    s.width[:] = 0
    s.cards[:] = 0
    s.discard_pile[:] = NONE
    s.shuffled[:] = 0
    s.renewals = 0
    s.left = CARDS
    s.discards = 0
    s.unused = 0
    s.drawn = NONE
    s.placed = 0
    s.acting = NONE
    s.waiting[:] = NONE
    s.waiting_for[:] = NOBODY
    s.waits = 0
    s.fresh = 0
    s.turns = 0
    s.caller = NOBODY
    s.taker = NOBODY
    s.first = first
    for place in range(s.players):
        for _ in range(DEALT):
            join(s, (first + place) % s.players, next_card(s), 0)
    s.turn = first
    s.actor = first
    s.stage = Stage.PEEK


@rule
def next_card(s):
    card = take_top(s.deck, s.left)
    s.left -= 1
    return card


@rule
def rank_of(card):
    return card >> 2


# --- rows -------------------------------------------------------------------------------------------------------------


@rule
def has_card(s, p, k):
    """V2.1: a slot without a card is a gap."""
    return s.row[p, k] != GAP


@rule
def join(s, p, card, known):
    """V2.1: a card takes the leftmost gap of a row, or a new slot at its right end."""
    k = 0
    while has_card(s, p, k):
        k += 1
    lay(s, p, k, card, known)
    s.cards[p] += 1
    s.width[p] = max(s.width[p], k + 1)


@rule
def lay(s, p, k, card, known):
    s.row[p, k] = card
    s.known[p, k] = known


@rule
def leave_gap(s, p, k):
    """V2.1: take a card out of a row."""
    card = s.row[p, k]
    lay(s, p, k, GAP, 0)
    s.cards[p] -= 1
    return card


@rule
def put_on_pile(s, card, unused):
    """Put a card face up onto the discard pile."""
    s.discard_pile[s.discards] = card
    s.discards += 1
    s.unused = unused


@rule
def top_of_pile(s):
    return s.discard_pile[s.discards - 1]


@rule
def is_frozen(s, p):
    """V9.1: nobody touches or looks at the caller's cards, and the caller tosses nothing in."""
    return p == s.caller


@rule
def learn(s, p, at):
    """A player sees a card. V9.2: in the final round the coalition sees it with them."""
    s.known[at // SLOTS, at % SLOTS] |= coalition(s) if is_final_round(s) else 1 << p


@rule
def show_everyone(s, p, k):
    s.known[p, k] = EVERYONE


@rule
def is_final_round(s):
    """V9: somebody has called Vinto."""
    return s.caller != NOBODY


@rule
def coalition(s):
    """V9: everyone but the caller, one bit for each seat."""
    return ((1 << s.players) - 1) & ~(1 << s.caller)


# --- a turn -----------------------------------------------------------------------------------------------------------


@rule
def peek(s, p, first, second):
    """V2: look at two cards of the own row. When everyone has, the first turn begins."""
    learn(s, p, p * SLOTS + first)
    learn(s, p, p * SLOTS + second)
    s.actor = left_of(s, p)
    s.stage = Stage.PEEK
    if s.actor == s.first:
        begin_turn(s, s.first)


@rule
def begin_turn(s, p):
    s.turn = p
    s.actor = p
    s.stage = Stage.TURN


@rule
def can_draw(s):
    """V3. V8.1: an empty deck is renewed if there are discards to renew it with."""
    return (s.left > 0) | can_renew(s)


@rule
def can_take(s):
    """V4."""
    return (s.unused == 1) & has_action(rank_of(top_of_pile(s)))


@rule
def must_pass(s):
    """V8.1: there is nothing to draw and nothing to take."""
    return not (can_draw(s) | can_take(s))


@rule
def has_action(rank):
    """V1, V1.1."""
    return (rank == ACE) | ((rank >= SEVEN) & (rank <= KING))


@rule
def draw(s):
    """V3."""
    if s.left > 0:
        turn_up(s)
    else:
        s.taker = NOBODY
        s.actor = CHANCE


@rule
def turn_up(s):
    s.drawn = next_card(s)
    s.actor = s.turn
    s.stage = Stage.DRAWN


@rule
def play(s, p):
    """V3.1."""
    card = s.drawn
    s.drawn = NONE
    put_on_pile(s, card, 0)
    place(s, p, card)
    go_on(s)


@rule
def swap(s, p, k, declared):
    """V3.2: everyone has seen the card that goes in. V4.1: unless the card that comes out was declared rightly, its
    action is unused."""
    card = s.row[p, k]
    lay(s, p, k, s.drawn, EVERYONE)
    s.drawn = NONE
    right = declared == rank_of(card)
    put_on_pile(s, card, int(not right))
    place(s, p if right else NOBODY, card)
    if declared != NONE and not right:  # V5: before the window
        take_card(s, p)
    else:
        go_on(s)


@rule
def take(s, p):
    """V4: the card stays where it is, and its action is used. V6.4: it counts as placed again."""
    s.unused = 0
    place(s, p, top_of_pile(s))
    go_on(s)


@rule
def end_turn(s, p):
    """V9: the round ends before the caller's next turn. V9.3: it also ends when it has lasted too long."""
    s.turns += 1
    q = left_of(s, p)
    too_long = (not is_final_round(s)) & (s.turns >= most_turns(s))
    if too_long or q == s.caller:
        score(s)
    else:
        begin_turn(s, q)


@rule
def most_turns(s):
    """V9.3."""
    return s.max_turns if s.max_turns > 0 else TURNS_PER_PLAYER * int(s.players)


@rule
def call_vinto(s, p):
    """V9. V9.2: what one of the coalition knows, all of them know."""
    s.caller = p
    for q in range(s.players):
        for k in range(s.width[q]):
            if s.known[q, k] & coalition(s):
                s.known[q, k] |= coalition(s)
    end_turn(s, p)


# --- taking cards unseen, and renewing the deck -----------------------------------------------------------------------


@rule
def take_card(s, p):
    """A penalty or an ace: one card, face down and unseen. V8.1: nothing if there is none left."""
    s.taker = p
    if s.left > 0 or not can_renew(s):
        finish_taking(s)
    else:
        s.actor = CHANCE


@rule
def finish_taking(s):
    if s.left > 0:
        join(s, s.taker, next_card(s), 0)
    s.taker = NOBODY
    go_on(s)


@rule
def can_renew(s):
    """V8.1: the top of the discard pile stays."""
    return s.discards > 1


@rule
def gather_discards(s):
    """V8.1: all discards but the top one become the deck, for chance to shuffle."""
    top = top_of_pile(s)
    n = s.discards - 1
    s.renewals += 1
    for k in range(n):
        s.deck[k] = s.discard_pile[k]
        s.shuffled[s.discard_pile[k]] = s.renewals
        s.discard_pile[k] = NONE
    s.discard_pile[n] = NONE
    s.discard_pile[0] = top
    s.discards = 1
    s.left = n


@rule
def go_on_after_renewal(s):
    """Somebody gets the card that was needed."""
    if s.taker == NOBODY:
        turn_up(s)
    else:
        finish_taking(s)


# --- the order of a turn ----------------------------------------------------------------------------------------------


@rule
def place(s, p, card):
    """V5: a card was placed. Its window opens at once; its action, if p is to carry it out, waits before all others."""
    s.placed = 1
    s.fresh = 0
    if p != NOBODY:
        let_wait(s, p, card)


@rule
def let_wait(s, p, card):
    """V5: an action waits after those that came with the card placed last, and before those that waited already."""
    if has_action(rank_of(card)):
        for k in range(s.waits, s.fresh, -1):
            s.waiting[k] = s.waiting[k - 1]
            s.waiting_for[k] = s.waiting_for[k - 1]
        s.waiting[s.fresh] = card
        s.waiting_for[s.fresh] = p
        s.fresh += 1
        s.waits += 1


@rule
def go_on(s):
    """V5: open the window of a card that was placed, or ask the next player in the window, or carry out what waits."""
    if s.placed:
        open_window(s)
    elif s.stage == Stage.WINDOW:
        ask_next(s)
    else:
        carry_out_next(s)


@rule
def carry_out_next(s):
    """V5: carry out the next action that has a target. When none waits, the player on turn ends it or calls Vinto."""
    while s.waits > 0:
        p = int(s.waiting_for[0])
        s.acting = s.waiting[0]
        wait_no_more(s)
        if carry_out(s, p, rank_of(s.acting)):
            return
    s.acting = NONE
    s.actor = s.turn
    s.stage = Stage.END


@rule
def wait_no_more(s):
    """Drop the action that waited first."""
    s.waits -= 1
    s.fresh = max(0, s.fresh - 1)
    for k in range(s.waits):
        s.waiting[k] = s.waiting[k + 1]
        s.waiting_for[k] = s.waiting_for[k + 1]
    s.waiting[s.waits] = NONE
    s.waiting_for[s.waits] = NOBODY


# --- toss in ----------------------------------------------------------------------------------------------------------


@rule
def open_window(s):
    """V6: everyone may toss in cards of the rank that was just placed."""
    s.placed = 0
    s.acting = NONE
    s.asked = s.turn
    ask_next(s)


@rule
def ask_next(s):
    """V6.2: clockwise from the player on turn, everyone once. Then the window closes."""
    for step in range((s.asked - s.turn) % s.players + 1, s.players):
        q = (s.turn + step) % s.players
        if may_toss(s, q):
            s.asked = q
            s.actor = q
            s.stage = Stage.WINDOW
            return
    carry_out_next(s)


@rule
def may_toss(s, p):
    """V6.1, V6.2, V9.1."""
    return (p != s.turn) & (s.cards[p] > 0) & (not is_frozen(s, p)) & (s.waits < WAITING)


@rule
def toss(s, p, k):
    """V6: if it is right, its action waits for the tosser, who may toss another. V6.3: if it is wrong, everyone sees
    it, and the tosser takes a card and is asked no more."""
    if rank_of(s.row[p, k]) == rank_of(top_of_pile(s)):
        card = leave_gap(s, p, k)
        put_on_pile(s, card, 0)
        let_wait(s, p, card)
        if not may_toss(s, p):
            ask_next(s)
    else:
        show_everyone(s, p, k)
        take_card(s, p)


@rule
def set_aside(s, p, k):
    """At a live table all decide at the same time: p will toss this card in, and may choose another."""
    leave_gap(s, p, k)


# --- actions ----------------------------------------------------------------------------------------------------------


@rule
def carry_out(s, p, rank):
    """V1: ask the player for what the action needs. V7: without a target nothing happens, and this is False."""
    s.actor = p
    if rank in (SEVEN, EIGHT) and s.cards[p] > 0:
        s.stage = Stage.LOOK_OWN
    elif rank in (NINE, TEN) and cards_to_touch(s) > s.cards[p]:
        s.stage = Stage.LOOK_OTHER
    elif rank == JACK and cards_to_touch(s) > 1:
        s.stage = Stage.JACK
    elif rank == QUEEN and cards_to_touch(s) > 1:
        s.stage = Stage.QUEEN
    elif rank == KING and s.king == King.WILD:
        s.stage = Stage.KING_WILD
    elif rank == KING and cards_to_touch(s) > 0:
        s.stage = Stage.KING
    elif rank == ACE:
        s.stage = Stage.ACE
    else:
        return False
    return True


@rule
def cards_to_touch(s):
    """V9.1: all cards on the table but the caller's."""
    n = 0
    for p in range(s.players):
        n += 0 if is_frozen(s, p) else s.cards[p]
    return n


@rule
def look(s, p, at):
    """A 7, 8, 9 or 10."""
    learn(s, p, at)
    go_on(s)


@rule
def look_at_two(s, p):
    """A Queen."""
    learn(s, p, s.picked)
    learn(s, p, s.other)
    s.stage = Stage.QUEEN_LOOKED


@rule
def exchange(s, a, b):
    """Jack, Queen: two cards change places, and what everyone knows of them goes with them."""
    p, k, q, m = a // SLOTS, a % SLOTS, b // SLOTS, b % SLOTS
    card, known = s.row[p, k], s.known[p, k]
    lay(s, p, k, s.row[q, m], s.known[q, m])
    lay(s, q, m, card, known)
    go_on(s)


@rule
def declare(s, p, at, rank):
    """V8, King: if the rank is right, the card goes to the pile, and its action is the declarer's."""
    q, k = at // SLOTS, at % SLOTS
    if rank_of(s.row[q, k]) == rank:
        card = leave_gap(s, q, k)
        put_on_pile(s, card, 0)
        place(s, p, card)
        go_on(s)
    else:
        show_everyone(s, q, k)
        take_card(s, p)


@rule
def can_be_named(rank):
    """V8: with the option `wild`."""
    return has_action(rank) & (rank != KING)


# --- scoring ----------------------------------------------------------------------------------------------------------


@rule
def score(s):
    """V10, V11."""
    for p in range(s.players):
        s.points[p] += round_points(s, p)
        for k in range(s.width[p]):
            if has_card(s, p, k):
                show_everyone(s, p, k)
    s.rounds_played += 1
    s.stage = Stage.REVEAL
    s.actor = NOBODY if was_last_round(s) else CHANCE


@rule
def total(s, p):
    n = 0
    for k in range(s.width[p]):
        if has_card(s, p, k):
            n += VALUE[rank_of(s.row[p, k])]
    return n


@rule
def lowest_of_coalition(s):
    lowest = 1000
    for p in range(s.players):
        if p != s.caller:
            lowest = min(lowest, total(s, p))
    return lowest


@rule
def round_points(s, p):
    """V10. V9.3: nothing without a caller."""
    if not is_final_round(s):
        return 0
    lead = lowest_of_coalition(s) - total(s, s.caller)
    if p == s.caller:
        return 3 if lead >= 0 else -1
    if lead > 0:
        return -1
    return 0 if lead == 0 else 3


@rule
def was_last_round(s):
    """V11."""
    return s.time_up == 1 if s.minutes > 0 else s.rounds_played >= s.rounds


@rule
def result(s, scores, ranks):
    """V11.1: places by the points of all rounds."""
    common_rules.rank(s.points, ranks, s.players)
    for p in range(s.players):
        scores[p] = POINTS[ranks[p] - 1]


# --- time -------------------------------------------------------------------------------------------------------------


@rule
def time_can_be_up(s):
    """V11: while a round is being played, in a game against the clock."""
    return (s.minutes > 0) & (s.time_up == 0) & is_under_way(s)


@rule
def end_time(s):
    """V11: this round is the last."""
    s.time_up = 1


# --- the fixed list of actions ----------------------------------------------------------------------------------------


@rule
def offer_slots(s, actions, n, p, but):
    """The cards of the actor's own row."""
    for k in range(s.width[p]):
        n = offer(actions, n, Action.SLOT + k, has_card(s, p, k) & are_two(k, but))
    return n


@rule
def offer_cards(s, actions, n):
    """The cards that may be pointed at."""
    but = picked_before(s)
    for p in range(s.players):
        if can_point_at(s, p):
            for k in range(s.width[p]):
                at = p * SLOTS + k
                n = offer(actions, n, Action.AT + at, has_card(s, p, k) & are_two(at, but))
    return n


@rule
def can_point_at(s, p):
    """Whether the actor may point at this player's cards."""
    return is_own_row_for_seven(s, p) & is_other_row_for_nine(s, p) & (not is_frozen(s, p))


@rule
def is_own_row_for_seven(s, p):
    """V1: a 7 or an 8 looks at a card of the actor's own."""
    return (s.stage != Stage.LOOK_OWN) | (p == s.actor)


@rule
def is_other_row_for_nine(s, p):
    """V1: a 9 or a 10 looks at another player's card."""
    return (s.stage != Stage.LOOK_OTHER) | (p != s.actor)


@rule
def picked_before(s):
    """The card that was picked for the first half of a move with two cards; NONE if there is no such card."""
    if s.stage == Stage.PEEK_SECOND or s.stage == Stage.JACK_SECOND or s.stage == Stage.QUEEN_SECOND:
        return int(s.picked)
    return NONE


@rule
def are_two(a, b):
    """V2, V7: the two cards must differ."""
    return a != b


@rule
def legal(s, actions):
    """Write the legal actions into the buffer, in ascending order; return how many there are."""
    p = int(s.actor)
    n = 0
    if s.stage == Stage.WINDOW:
        n = offer(actions, n, Action.PASS, True)
        n = offer_slots(s, actions, n, p, NONE)
    elif s.stage == Stage.END:
        n = offer(actions, n, Action.END, True)
        n = offer(actions, n, Action.VINTO, not is_final_round(s))
    elif s.stage == Stage.TURN:
        n = offer(actions, n, Action.DRAW, can_draw(s))
        n = offer(actions, n, Action.TAKE, can_take(s))
        n = offer(actions, n, Action.PASS, must_pass(s))
    elif s.stage == Stage.DRAWN:
        n = offer(actions, n, Action.PLAY, True)
        n = offer_slots(s, actions, n, p, NONE)
    elif s.stage == Stage.SWAP:
        n = offer(actions, n, Action.SILENT, True)
        n = offer_ranks(actions, n)
    elif s.stage == Stage.KING_RANK:
        n = offer_ranks(actions, n)
    elif s.stage == Stage.KING_WILD:
        for rank in range(RANKS):
            n = offer(actions, n, Action.RANK + rank, can_be_named(rank))
    elif s.stage == Stage.ACE:
        for q in range(s.players):
            n = offer(actions, n, Action.GIVE + q, not is_frozen(s, q))
    elif s.stage == Stage.PEEK or s.stage == Stage.PEEK_SECOND:
        n = offer_slots(s, actions, n, p, picked_before(s))
    elif s.stage == Stage.QUEEN_LOOKED:
        n = offer(actions, n, Action.EXCHANGE, True)
        n = offer(actions, n, Action.LEAVE, True)
    else:
        n = offer_cards(s, actions, n)
    return n


@rule
def offer_ranks(actions, n):
    """V1: any rank may be declared."""
    for rank in range(RANKS):
        n = offer(actions, n, Action.RANK + rank, True)
    return n


@rule
def apply(s, action):
    """Carry out a legal action of the actor."""
    if action >= Action.AT:
        point_at(s, action - Action.AT)
    elif action >= Action.GIVE:
        take_card(s, action - Action.GIVE)
    elif action >= Action.SILENT:
        say_rank(s, action - Action.RANK)
    elif action >= Action.SLOT:
        pick_slot(s, action - Action.SLOT)
    else:
        act(s, action)


@rule
def point_at(s, at):
    """Point at a card on the table: to look, to exchange, to declare."""
    p = int(s.actor)
    if s.stage == Stage.JACK_SECOND:
        pick_second(s, at)
        exchange(s, s.picked, s.other)
    elif s.stage == Stage.QUEEN_SECOND:
        pick_second(s, at)
        look_at_two(s, p)
    elif s.stage == Stage.JACK:
        pick(s, at, Stage.JACK_SECOND)
    elif s.stage == Stage.QUEEN:
        pick(s, at, Stage.QUEEN_SECOND)
    elif s.stage == Stage.KING:
        pick(s, at, Stage.KING_RANK)
    else:
        look(s, p, at)


@rule
def pick(s, at, stage):
    """The first half of a move: nothing has happened yet."""
    s.picked = at
    s.stage = stage


@rule
def pick_second(s, at):
    """Two cards have no order: whichever was picked first, it is the same move."""
    s.picked, s.other = min(s.picked, at), max(s.picked, at)


@rule
def pick_slot(s, k):
    """Pick a card of the actor's own row: to peek, to swap, to toss in."""
    p = int(s.actor)
    if s.stage == Stage.WINDOW:
        toss(s, p, k)
    elif s.stage == Stage.DRAWN:
        pick(s, k, Stage.SWAP)
    elif s.stage == Stage.PEEK:
        pick(s, k, Stage.PEEK_SECOND)
    else:
        pick_second(s, k)
        peek(s, p, s.picked, s.other)


@rule
def say_rank(s, rank):
    """Declare a rank with a swap (NONE: declare nothing) or with a King, or name what a wild King stands for."""
    p = int(s.actor)
    if s.stage == Stage.SWAP:
        swap(s, p, s.picked, rank)
    elif s.stage == Stage.KING_RANK:
        declare(s, p, s.picked, rank)
    elif not carry_out(s, p, rank):
        go_on(s)


@rule
def act(s, action):
    """Whatever needs no card and no rank."""
    p = int(s.actor)
    if action == Action.PASS and s.stage == Stage.WINDOW:
        ask_next(s)
    elif action == Action.PASS:  # V8.1
        s.stage = Stage.END
    elif action == Action.DRAW:
        draw(s)
    elif action == Action.TAKE:
        take(s, p)
    elif action == Action.PLAY:
        play(s, p)
    elif action == Action.EXCHANGE:
        exchange(s, s.picked, s.other)
    elif action == Action.LEAVE:
        go_on(s)
    elif action == Action.VINTO:
        call_vinto(s, p)
    else:
        end_turn(s, p)


# --- the pieces -------------------------------------------------------------------------------------------------------


@rule
def census(s, counts):
    """V1: how often each card is in the game, wherever it lies."""
    counts[:] = 0
    for p in range(s.players):
        for k in range(s.width[p]):
            note_found(s.row[p, k], counts)
    for k in range(CARDS):
        note_found(s.deck[k], counts)
        note_found(s.discard_pile[k], counts)
    note_found(s.drawn, counts)


@rule
def note_found(card, counts):
    if card > NONE:
        counts[card] += 1
