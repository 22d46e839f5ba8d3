"""The rules of Vinto, clause by clause (V1–V11, as in locale/rules.en.md).

Cards are numbered by rank, four of each, the two jokers last. A player does not know their own cards: for every card
that lies in a row, `known` has a bit for each seat that has seen it, and follows the card wherever it goes.

A card that is placed on the discard pile opens the toss-in window at once. Its action, and those of the cards tossed
in, wait until the window closes (`waiting`), and are then carried out one after the other (V5).
"""

from enum import IntEnum

import numpy as np

from brocante.engine import CHANCE, NOBODY, below, record, rule, shuffle

# V1
CARDS = 54
RANKS = 14
ACE, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, JOKER = 0, 6, 7, 8, 9, 10, 11, 12, 13
VALUE = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 0, -1], np.int16)
BOX = np.ones(CARDS, np.int16)

MOST_PLAYERS = 5
DEALT = 5  # V2: cards to each player
SLOTS = 53  # in a row: one card is always on the discard pile or on its way there
PLACES = MOST_PLAYERS * SLOTS
TURNS_PER_PLAYER = 40  # V9.3
POINTS = np.array([5, 3, 2, 0, 0], np.int16)  # V11.1, by place
WAITING = 32  # actions that can wait; no turn comes near it, and where one would, nobody is asked to toss in (V6)

GAP = -1  # a slot without a card (V2.1)
UNSEEN = -2  # a card one does not know; one less for every time that the cards it came from had been shuffled (V8.1)
NONE = -1  # no card; also what a card of the draw pile looks like

SPECTATOR = 5  # the bit of `known` that stands for those who watch
EVERYONE = 63


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


STAGES = len(Stage)


class Action(IntEnum):
    DRAW = 0
    TAKE = 1
    PASS = 2
    PLAY = 3
    END = 4
    VINTO = 5
    EXCHANGE = 6  # after the look of a queen
    LEAVE = 7
    SLOT = 8  # .. 60: of one's own row
    SILENT = 61  # swap without declaring
    RANK = 62  # .. 75: declare or name it
    GIVE = 76  # .. 80: to this player
    AT = 81  # .. 345: the card in this slot of this player


ACTIONS = 81 + PLACES

#: What one seat observes, all seats counted from itself clockwise. For every slot of every row: whether a card lies
#: there, whether it came from the pile as it was last shuffled, who knows it, and its rank as far as one knows. Then of
#: every rank: how many are on the discard pile, how many are unseen and came from the last shuffle or lie in the draw
#: pile, how many are unseen otherwise, whether it is on top of the discard pile, whether it was drawn, whether its
#: action is being carried out. Then of every seat: whether it is there, whose turn it is, who called, who is asked in
#: the window, the points. Then of the first actions that wait, whose they are and of which rank. Then which cards were
#: pointed at, the stage, and a few numbers.
PER_SLOT = 2 + MOST_PLAYERS + RANKS
PER_RANK = 6
PER_SEAT = 5
WAITING_SEEN = 6
PER_WAITING = MOST_PLAYERS + RANKS
NUMBERS = 10
OBSERVATION = (
    PLACES * PER_SLOT
    + RANKS * PER_RANK
    + MOST_PLAYERS * PER_SEAT
    + WAITING_SEEN * PER_WAITING
    + 2 * PLACES
    + STAGES
    + NUMBERS
)

STATE = record(
    ("row", np.int16, (MOST_PLAYERS, SLOTS)),
    ("known", np.int8, (MOST_PLAYERS, SLOTS)),  # who has seen the card, one bit for each seat
    ("width", np.int8, MOST_PLAYERS),  # slots of a row that had a card so far
    ("cards", np.int8, MOST_PLAYERS),  # in a row
    ("draw_pile", np.int8, CARDS),  # the next card last
    ("discard_pile", np.int8, CARDS),  # the top card last
    ("shuffled", np.int16, CARDS),  # V8.1: how often there had been a renewal when a card was last shuffled
    ("renewals", np.int16),
    ("left", np.int8),  # cards in the draw pile
    ("discards", np.int8),
    ("unused", np.int8),  # V4.1: the action of the top card
    ("drawn", np.int8),
    ("picked", np.int16),  # the card pointed at first, as a place; where a swap goes
    ("other", np.int16),  # the second one
    ("taker", np.int8),  # who takes a card when the draw pile has been renewed; NOBODY: it is turned up
    ("placed", np.int8),  # V5: whether a card was placed whose window is still to open
    ("asked", np.int8),  # V6.2: who was asked last in the window
    ("acting", np.int8),  # V5: the card whose action is being carried out
    ("waiting", np.int8, WAITING),  # V5: the cards whose actions are still to be carried out, the next one first
    ("waiting_for", np.int8, WAITING),  # who will carry them out
    ("waits", np.int8),  # how many of them there are
    ("fresh", np.int8),  # how many of them came with the last card that was placed: the first ones
    ("turn", np.int8),
    ("turns", np.int16),  # taken in this round
    ("caller", np.int8),  # V9
    ("first", np.int8),
    ("rounds_played", np.int16),
    ("points", np.int16, MOST_PLAYERS),  # V10, of all rounds
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
    """V2: shuffle, draw the first player of the first round, and deal. V8.1: renew the draw pile."""
    if is_under_way(s):
        gather_discards(s)
        shuffle(rng, s.draw_pile, 0, s.left)
        go_on_after_renewal(s)
    else:
        for i in range(CARDS):
            s.draw_pile[i] = i
        shuffle(rng, s.draw_pile, 0, CARDS)
        deal(s, below(rng, s.players) if s.rounds_played == 0 else left_of(s, s.first))


@rule
def is_under_way(s):
    """Whether a round is; otherwise the next one is to be dealt, or the game is over."""
    return (s.stage != Stage.DEAL) & (s.stage != Stage.REVEAL)


@rule
def deal(s, first):
    """V2: five cards to each player, from the pack as it lies, the first player's first."""
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
    """Take the top card of the draw pile."""
    s.left -= 1
    card = s.draw_pile[s.left]
    s.draw_pile[s.left] = NONE
    return card


@rule
def rank_of(card):
    return card >> 2


@rule
def left_of(s, p):
    return (p + 1) % s.players


# --- rows -------------------------------------------------------------------------------------------------------------


@rule
def join(s, p, card, known):
    """V2.1: a card takes the leftmost gap of a row, or a new slot at its right end."""
    k = 0
    while s.row[p, k] != GAP:
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
    """Face up onto the discard pile."""
    s.discard_pile[s.discards] = card
    s.discards += 1
    s.unused = unused


@rule
def top_of_pile(s):
    return s.discard_pile[s.discards - 1]


@rule
def is_frozen(s, p):
    """V9.1: nobody touches or looks at the caller's cards, and the caller does not toss in."""
    return p == s.caller


@rule
def learn(s, p, at):
    """A player sees a card. V9.2: in the final round the coalition sees it with them."""
    s.known[at // SLOTS, at % SLOTS] |= 1 << p if s.caller == NOBODY else coalition(s)


@rule
def show_everyone(s, p, k):
    s.known[p, k] = EVERYONE


@rule
def coalition(s):
    """V9: everyone but the caller, one bit for each seat."""
    return ((1 << s.players) - 1) & ~(1 << s.caller)


# --- a turn -----------------------------------------------------------------------------------------------------------


@rule
def peek(s, p, first, second):
    """V2: at two of one's own cards; when all have, the first turn begins."""
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
    """V3; V8.1: from an empty pile too, if there are discards to renew it with."""
    return (s.left > 0) | can_renew(s)


@rule
def can_take(s):
    """V4."""
    return (s.unused == 1) & has_action(rank_of(top_of_pile(s)))


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
    """V3.2: everyone has seen the card that goes in. V4.1: without a right declaration the action of the one that comes
    out is unused."""
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
    """V4: the card stays where it is, used; V6.4: it is placed anew."""
    s.unused = 0
    place(s, p, top_of_pile(s))
    go_on(s)


@rule
def end_turn(s, p):
    """V9: the round ends before the caller's next turn; V9.3: or when it has lasted too long."""
    s.turns += 1
    q = left_of(s, p)
    too_long = (s.caller == NOBODY) & (s.turns >= most_turns(s))
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
    """V9; V9.2: what one of the coalition knows all of them know."""
    s.caller = p
    for q in range(s.players):
        for k in range(s.width[q]):
            if s.known[q, k] & coalition(s):
                s.known[q, k] |= coalition(s)
    end_turn(s, p)


# --- taking cards unseen, and renewing the draw pile ------------------------------------------------------------------


@rule
def take_card(s, p):
    """A penalty or an ace: one card, face down, unseen; V8.1: none if there is none."""
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
    """V8.1: all but the top of the discard pile become the draw pile, for chance to shuffle."""
    top = top_of_pile(s)
    n = s.discards - 1
    s.renewals += 1
    for k in range(n):
        s.draw_pile[k] = s.discard_pile[k]
        s.shuffled[s.discard_pile[k]] = s.renewals
        s.discard_pile[k] = NONE
    s.discard_pile[n] = NONE
    s.discard_pile[0] = top
    s.discards = 1
    s.left = n


@rule
def go_on_after_renewal(s):
    """With the card that was needed."""
    if s.taker == NOBODY:
        turn_up(s)
    else:
        finish_taking(s)


# --- the order of a turn ----------------------------------------------------------------------------------------------


@rule
def place(s, p, card):
    """V5: a card was placed: its window opens at once, and its action, if p is to carry it out, waits before all
    others."""
    s.placed = 1
    s.fresh = 0
    if p != NOBODY:
        let_wait(s, p, card)


@rule
def let_wait(s, p, card):
    """V5: after what came with the card that was placed last, before what waited already."""
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
    """V5: a card that was placed opens its window; in the window the next player is asked; when it is closed, what
    waits is carried out."""
    if s.placed:
        open_window(s)
    elif s.stage == Stage.WINDOW:
        ask_next(s)
    else:
        carry_out_next(s)


@rule
def carry_out_next(s):
    """V5: the next action that can be; when nothing waits, the player on turn may call Vinto or ends the turn."""
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
    """What waited first does not any more."""
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
    """V6: for the rank of the card that was just placed."""
    s.placed = 0
    s.acting = NONE
    s.asked = s.turn
    ask_next(s)


@rule
def ask_next(s):
    """V6.2: clockwise from the player on turn, each once; when all have been asked, the window closes."""
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
    """V6: right, and its action waits for the tosser, who may toss another; wrong, and everyone has seen it, and one is
    asked no more (V6.3)."""
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
    """At a live table, where all decide at the same time: p will toss this card in, and may choose another."""
    leave_gap(s, p, k)


# --- actions ----------------------------------------------------------------------------------------------------------


@rule
def carry_out(s, p, rank):
    """V1: the player is asked for what the action needs; V7: without a target, and then False, nothing happens."""
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
    """7 to 10."""
    learn(s, p, at)
    go_on(s)


@rule
def look_at_two(s, p):
    """Queen."""
    learn(s, p, s.picked)
    learn(s, p, s.other)
    s.stage = Stage.QUEEN_LOOKED


@rule
def exchange(s, a, b):
    """Jack, queen: two cards change places, and what everyone knows of them goes with them."""
    p, k, q, m = a // SLOTS, a % SLOTS, b // SLOTS, b % SLOTS
    card, known = s.row[p, k], s.known[p, k]
    lay(s, p, k, s.row[q, m], s.known[q, m])
    lay(s, q, m, card, known)
    go_on(s)


@rule
def declare(s, p, at, rank):
    """V8, King: right, and the card leaves its row for the pile and its action is the declarer's."""
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
            if s.row[p, k] != GAP:
                show_everyone(s, p, k)
    s.rounds_played += 1
    s.stage = Stage.REVEAL
    s.actor = NOBODY if was_last_round(s) else CHANCE


@rule
def total(s, p):
    n = 0
    for k in range(s.width[p]):
        if s.row[p, k] != GAP:
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
    """V10; V9.3: nothing without a caller."""
    if s.caller == NOBODY:
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
    """V11.1: places by the round points; a rank is 1 + the number of players who did better."""
    for p in range(s.players):
        ranks[p] = 1
        for q in range(s.players):
            ranks[p] += int(s.points[q] > s.points[p])
        scores[p] = POINTS[ranks[p] - 1]


# --- time -------------------------------------------------------------------------------------------------------------


@rule
def time_can_be_up(s):
    """V11: while a round is under way, in a game that lasts a time."""
    return (s.minutes > 0) & (s.time_up == 0) & is_under_way(s)


@rule
def end_time(s):
    """V11: this round is the last."""
    s.time_up = 1


# --- the fixed list of actions ----------------------------------------------------------------------------------------


@rule
def offer(actions, n, action, possible):
    """Write an action, and count it if it is possible."""
    actions[n] = action
    return n + int(possible)


@rule
def offer_slots(s, actions, n, p, but):
    """The cards of one's own row."""
    for k in range(s.width[p]):
        n = offer(actions, n, Action.SLOT + k, (s.row[p, k] != GAP) & (k != but))
    return n


@rule
def offer_cards(s, actions, n, p, but):
    """The cards of one player, unless they are frozen."""
    if not is_frozen(s, p):
        for k in range(s.width[p]):
            at = p * SLOTS + k
            n = offer(actions, n, Action.AT + at, (s.row[p, k] != GAP) & (at != but))
    return n


@rule
def offer_all_cards(s, actions, but):
    n = 0
    for p in range(s.players):
        n = offer_cards(s, actions, n, p, but)
    return n


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
        n = offer(actions, n, Action.VINTO, s.caller == NOBODY)
    elif s.stage == Stage.TURN:
        n = offer(actions, n, Action.DRAW, can_draw(s))
        n = offer(actions, n, Action.TAKE, can_take(s))
        n = offer(actions, n, Action.PASS, n == 0)
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
    elif s.stage == Stage.PEEK:
        n = offer_slots(s, actions, n, p, NONE)
    elif s.stage == Stage.PEEK_SECOND:
        n = offer_slots(s, actions, n, p, s.picked)
    elif s.stage == Stage.LOOK_OWN:
        n = offer_cards(s, actions, n, p, NONE)
    elif s.stage == Stage.LOOK_OTHER:
        for q in range(s.players):
            if q != p:
                n = offer_cards(s, actions, n, q, NONE)
    elif s.stage == Stage.QUEEN_LOOKED:
        n = offer(actions, n, Action.EXCHANGE, True)
        n = offer(actions, n, Action.LEAVE, True)
    elif s.stage == Stage.JACK_SECOND or s.stage == Stage.QUEEN_SECOND:
        n = offer_all_cards(s, actions, s.picked)
    else:
        n = offer_all_cards(s, actions, NONE)
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
    """A card on the table: to look, to exchange, to declare."""
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
    """The first half of a move; nothing has happened yet."""
    s.picked = at
    s.stage = stage


@rule
def pick_second(s, at):
    """Two cards have no order: whichever was picked first, it is the same move."""
    s.picked, s.other = min(s.picked, at), max(s.picked, at)


@rule
def pick_slot(s, k):
    """A card of one's own row: to peek, to swap, to toss in."""
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
    """Declared with a swap (−1: nothing is), of a King's card, or for a wild King."""
    p = int(s.actor)
    if s.stage == Stage.SWAP:
        swap(s, p, s.picked, rank)
    elif s.stage == Stage.KING_RANK:
        declare(s, p, s.picked, rank)
    elif not carry_out(s, p, rank):
        go_on(s)


@rule
def act(s, action):
    """What is said or done without a card."""
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


# --- what a seat knows ------------------------------------------------------------------------------------------------


@rule
def knows(s, seat, p, k):
    return (s.known[p, k] >> (SPECTATOR if seat == NOBODY else seat)) & 1


@rule
def hide(s, seat):
    """Blank the draw pile, and the cards in rows that a seat has not seen.

    What is left of an unseen card is when it was last shuffled: everyone saw which cards went into a renewed pile
    (V8.1), so everyone knows of a card taken from it that it is one of those.
    """
    s.draw_pile[:] = NONE
    for p in range(s.players):
        for k in range(s.width[p]):
            if not knows(s, seat, p, k):
                hide_card(s, p, k)


@rule
def forget(s, seat):
    """Blank what people must remember: every card in a row that lies face down before them now. Left are cards that a
    queen is showing them and, in the final round, what the coalition tells each other (V9.2)."""
    told = (s.caller != NOBODY) & (seat != NOBODY) & (seat != s.caller)
    if s.memory_aid or s.stage == Stage.REVEAL or told:
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
def fill(s, seat, rng):
    """Deal the unseen cards to wherever cards are hidden, every way equally likely that agrees with what was shuffled
    when."""
    seen = np.zeros(CARDS, np.int8)
    note_seen(s, seen)
    pack = np.zeros(CARDS, np.int8)
    unseen = 0
    for card in range(CARDS):
        pack[unseen] = card
        unseen += 1 - seen[card]
    shuffle(rng, pack, 0, unseen)
    for p in range(s.players):
        for k in range(s.width[p]):
            if s.row[p, k] <= UNSEEN:
                s.row[p, k] = first_of(s, pack, unseen, UNSEEN - s.row[p, k])
    left = 0
    for i in range(unseen):  # what is left over is the draw pile
        if pack[i] != NONE:
            s.draw_pile[left] = pack[i]
            left += 1


@rule
def note_seen(s, seen):
    """Which cards one sees, wherever they lie."""
    for p in range(s.players):
        for k in range(s.width[p]):
            if s.row[p, k] > GAP:
                seen[s.row[p, k]] = 1
    for k in range(s.discards):
        seen[s.discard_pile[k]] = 1
    if s.drawn != NONE:
        seen[s.drawn] = 1


@rule
def first_of(s, pack, n, shuffled):
    """Take the first card of a pack that was last shuffled then."""
    for i in range(n):
        card = pack[i]
        if card != NONE and s.shuffled[card] == shuffled:
            pack[i] = NONE
            return card
    return NONE


@rule
def observe(s, seat, out):
    """What a seat knows, as numbers from 0 to about 1, in the order that OBSERVATION gives."""
    observe_rows(s, seat, out)
    at = PLACES * PER_SLOT
    observe_ranks(s, out, at)
    at += RANKS * PER_RANK
    for place in range(s.players):  # an empty chair is all zeros
        p = (seat + place) % s.players
        of = at + place * PER_SEAT
        out[of] = 1.0
        out[of + 1] = 1.0 if p == s.turn else 0.0
        out[of + 2] = 1.0 if p == s.caller else 0.0
        out[of + 3] = 1.0 if s.stage == Stage.WINDOW and p == s.actor else 0.0
        out[of + 4] = s.points[p] / 10
    at += MOST_PLAYERS * PER_SEAT
    for k in range(min(int(s.waits), WAITING_SEEN)):
        of = at + k * PER_WAITING
        out[of + int((s.waiting_for[k] - seat) % s.players)] = 1.0
        out[of + MOST_PLAYERS + int(rank_of(s.waiting[k]))] = 1.0
    at += WAITING_SEEN * PER_WAITING
    observe_picked(s, seat, out, at)
    at += 2 * PLACES
    out[at + int(s.stage)] = 1.0
    at += STAGES
    out[at] = s.left / CARDS
    out[at + 1] = s.discards / CARDS
    out[at + 2] = s.unused
    out[at + 3] = s.turns / most_turns(s)
    out[at + 4] = s.rounds_played / 10
    out[at + 5] = s.rounds / 10 if s.minutes == 0 else 0.0
    out[at + 6] = s.time_up
    out[at + 7] = s.king
    out[at + 8] = 1.0 if s.actor == seat else 0.0
    out[at + 9] = s.waits / 10


@rule
def observe_rows(s, seat, out):
    for place in range(s.players):
        p = (seat + place) % s.players
        for k in range(s.width[p]):
            if s.row[p, k] == GAP:
                continue
            at = (place * SLOTS + k) * PER_SLOT
            out[at] = 1.0
            card = s.row[p, k]
            shuffled = UNSEEN - card if card <= UNSEEN else s.shuffled[card]
            out[at + 1] = 1.0 if shuffled == s.renewals else 0.0
            for other in range(s.players):
                out[at + 2 + other] = knows(s, (seat + other) % s.players, p, k)
            if card > GAP:
                out[at + 2 + MOST_PLAYERS + rank_of(card)] = 1.0


@rule
def observe_ranks(s, out, at):
    seen = np.zeros(CARDS, np.int8)
    note_seen(s, seen)
    for k in range(s.discards):
        out[at + PER_RANK * int(rank_of(s.discard_pile[k]))] += 0.25
    for card in range(CARDS):
        if not seen[card]:
            out[at + PER_RANK * int(rank_of(card)) + (1 if s.shuffled[card] == s.renewals else 2)] += 0.25
    if s.discards > 0:
        out[at + PER_RANK * int(rank_of(top_of_pile(s))) + 3] = 1.0
    if s.drawn != NONE:
        out[at + PER_RANK * int(rank_of(s.drawn)) + 4] = 1.0
    if s.acting != NONE:
        out[at + PER_RANK * int(rank_of(s.acting)) + 5] = 1.0


@rule
def observe_picked(s, seat, out, at):
    """The cards that were pointed at, while it matters."""
    picked = int(s.picked)
    if s.stage == Stage.SWAP or s.stage == Stage.PEEK_SECOND:
        picked += int(s.actor) * SLOTS
    second = s.stage == Stage.JACK_SECOND or s.stage == Stage.QUEEN_SECOND
    if second or s.stage == Stage.SWAP or s.stage == Stage.PEEK_SECOND or s.stage == Stage.KING_RANK:
        out[at + seen_from(s, seat, picked)] = 1.0
    if s.stage == Stage.QUEEN_LOOKED:
        out[at + seen_from(s, seat, picked)] = 1.0
        out[at + PLACES + seen_from(s, seat, int(s.other))] = 1.0


@rule
def seen_from(s, seat, at):
    """A place, counted from the seat clockwise."""
    return (at // SLOTS - seat) % int(s.players) * SLOTS + at % SLOTS


@rule
def census(s, counts):
    """V1: how often each card is in the game, wherever it lies."""
    counts[:] = 0
    for p in range(s.players):
        for k in range(s.width[p]):
            note_found(s.row[p, k], counts)
    for k in range(CARDS):
        note_found(s.draw_pile[k], counts)
        note_found(s.discard_pile[k], counts)
    note_found(s.drawn, counts)


@rule
def note_found(card, counts):
    if card > NONE:
        counts[card] += 1
