'''Positions of Collection, drawn as text.

    position("""
        pack: 40   next: watches stamps
        > seat 0   hand: banknotes 2, books    table: banknotes 2, watches 3   points: 4
          seat 1   hand: stamps                table: banknotes 3
    """)

is a game in which it is seat 0's turn (the mark >), with two banknotes and a book in hand, and so on. Cards are named
one by one (`books books`), or with their number (`books 2`); `–` is none.

    pack: 40          so many cards in the pack; what is left over lies on the discard pile.
                      Not drawn: all that is left over is in the pack.
    next: …           the next cards of the pack, first card first; after them the kinds follow in turn.
    discard: …        the discard pile
    placed: …         what was placed this turn so far
    completed: …      a player's point cards that lie upright, at 2 points each
    closed: …         those that lie sideways, at 1 point each
    points: 4         a player's points
    target: 60        a match to 60 points
    first: 1          who started this round (seat 0 if it is not drawn)
    round: 2          which round it is (the first if it is not drawn)

All 108 cards are always there. Hands may be drawn shorter than the five cards a player really holds, to see only what
matters.
'''

from collections import Counter
from collections.abc import Iterator
from itertools import cycle

import numpy as np

import brocante
from brocante import NOBODY, Game
from brocante.engine.deck import NONE
from brocante.games.collection import rules
from brocante.games.collection.moves import KINDS
from tests.games.drawings import Facts, assert_as_drawn, listed, players_in, read_facts

OF_A_SEAT = ("hand", "table", "completed", "closed", "points")
OF_ALL = ("pack", "next", "discard", "placed", "target", "first", "round")


def position(drawing: str) -> Game:
    """A game that stands exactly as drawn; later rounds, if it has any, are dealt from a fixed seed."""
    facts = read_drawing(drawing)
    players = players_in(facts)
    target = int(facts["target"]) if "target" in facts else None
    game = brocante.deal("collection", players=players, target=target, seed="market day")
    game.steps.cut(0)
    s = game.state
    s.hand[:], s.table[:], s.completed[:], s.closed[:], s.discarded[:] = 0, 0, 0, 0, 0
    s.actor = int(facts.get("turn", NOBODY))
    s.first, s.rounds = int(facts.get("first", 0)), int(facts.get("round", 1))
    s.placed[:] = numbers(facts.get("placed", "–"))
    for seat in range(players):
        s.hand[seat] = numbers(facts.get(f"seat {seat} hand", "–"))
        s.table[seat] = numbers(facts.get(f"seat {seat} table", "–"))
        s.completed[seat] = numbers(facts.get(f"seat {seat} completed", "–"))
        s.closed[seat] = numbers(facts.get(f"seat {seat} closed", "–"))
        s.score[seat] = int(facts.get(f"seat {seat} points", 0))
    s.held[:] = s.hand.sum(axis=1)
    lay_the_rest(game, cards(facts.get("next", "–")), int(facts["pack"]) if "pack" in facts else None)
    check_all_cards(game)
    assert_position(game, drawing)
    return game


def assert_position(game: Game, drawing: str) -> None:
    """That everything in the drawing is so; what is not drawn may be anything."""
    assert_as_drawn(read_drawing(drawing), facts_of(game), is_so)


def play(game: Game, *moves: str) -> Game:
    """The same game after these moves: `play(game, "place books", "end")`."""
    for move in moves:
        game.play(move)
    return game


def legal(game: Game) -> list[str]:
    """What may be done now, as text."""
    return [str(move) for move in game.legal_moves]


def pack_of(game: Game) -> list[str]:
    """The cards of the pack, next card first."""
    return [KINDS[k] for k in reversed(game.state.deck[: game.state.left])]


# --- reading a drawing ------------------------------------------------------------------------------------------------


def read_drawing(drawing: str) -> Facts:
    """What is drawn, spelled as `facts_of` spells it."""
    facts = read_facts(drawing, OF_ALL, OF_A_SEAT)
    spelled = {"turn", *(what for what, value in facts.items() if what.endswith("sits") or value.isdecimal())}
    return {what: value if what in spelled else in_order(what, value) for what, value in facts.items()}


def is_so(real: str, should: str, what: str) -> bool:
    """Whether what is really there was drawn."""
    return cards(real)[: len(cards(should))] == cards(should) if what == "next" else real == should


def cards(text: str) -> list[str]:
    """`books 2, tarots` as a list of cards."""
    found: list[str] = []
    for word in text.replace(",", " ").split():
        if word.isdecimal():
            found += [found[-1]] * (int(word) - 1)
        elif word != "–":
            found.append(KINDS[KINDS.index(word)])
    return found


def numbers(text: str) -> list[int]:
    """How many of each kind."""
    counted = Counter(cards(text))
    return [counted[kind] for kind in KINDS]


def in_order(key: str, text: str) -> str:
    return listed(cards(text)) if key == "next" else summed(numbers(text))


def summed(counts: "np.ndarray[tuple[int], np.dtype[np.int8]] | list[int]") -> str:
    return ", ".join(f"{kind} {n}" for kind, n in zip(KINDS, counts, strict=True) if n) or "–"


# --- where every card is ----------------------------------------------------------------------------------------------


def facts_of(game: Game) -> Facts:
    s = game.state
    facts = {
        "turn": str(s.actor),
        "pack": str(s.left),
        "next": listed(pack_of(game)),
        "discard": summed(s.discarded),
        "placed": summed(s.placed),
        "target": str(s.target),
        "first": str(s.first),
        "round": str(s.rounds),
    }
    for seat in range(game.players):
        facts |= {
            f"seat {seat} sits": "yes",
            f"seat {seat} hand": summed(s.hand[seat]),
            f"seat {seat} table": summed(s.table[seat]),
            f"seat {seat} completed": summed(s.completed[seat]),
            f"seat {seat} closed": summed(s.closed[seat]),
            f"seat {seat} points": str(s.score[seat]),
        }
    return facts


def lay_the_rest(game: Game, coming: list[str], pack: int | None) -> None:
    """What is not drawn: the pack, which begins with the coming cards, and the discard pile."""
    s = game.state
    rest = Counter(dict(zip(KINDS, rules.BOX.tolist(), strict=True)))
    rest.subtract(dict(zip(KINDS, (s.hand + s.table + s.completed + s.closed).sum(axis=0).tolist(), strict=True)))
    rest.subtract(coming)
    if min(rest.values()) < 0:
        raise ValueError(f"more cards are drawn than there are: {rest}")
    size = len(coming) + rest.total() if pack is None else pack
    order = [KINDS.index(card) for card in (coming + list(in_turn(rest)))]
    if not len(coming) <= size <= len(order):
        raise ValueError(f"the pack can have {len(coming)} to {len(order)} cards here, not {size}")
    s.left = size
    s.deck[:] = NONE
    s.deck[:size] = order[:size][::-1]
    s.discarded[:] = np.bincount(order[size:], minlength=rules.KINDS)


def in_turn(rest: Counter[str]) -> Iterator[str]:
    """One of each kind, again and again, as long as there are any."""
    left = Counter(rest)
    for kind in cycle(KINDS):
        if not left.total():
            return
        if left[kind]:
            left[kind] -= 1
            yield kind


def check_all_cards(game: Game) -> None:
    counts = np.zeros(rules.KINDS, np.int64)
    game.box.rules.census(game.state, counts)
    assert counts.tolist() == rules.BOX.tolist(), "a card is missing from this drawing"
