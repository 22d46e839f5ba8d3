"""The faces of the cards, and what cards, ranks and actions are called. Slots are counted from 1 for people, from 0 in
moves and records."""

from typing import Any

from brocante.engine.text import Player, Text, Words
from brocante.engine.view import Card
from brocante.games.vinto import rules
from brocante.games.vinto.moves import RANKS
from brocante.games.vinto.rules import CARDS, JOKER, KING, King

SIGNS = "♣♦♥♠"
INKS = ("ink", "tomato", "tomato", "ink")


def face(card: int) -> Card:
    if rules.rank_of(card) == JOKER:
        return Card("X", Text("vinto.joker"), "★", "mustard")
    suit = card % len(SIGNS)
    rank = RANKS[rules.rank_of(card)]
    return Card(rank, f"{rank}{SIGNS[suit]}", SIGNS[suit], INKS[suit], corner=rank)


FACES = tuple(face(card) for card in range(CARDS))


def name_of(card: int) -> Words:
    return FACES[card].name


def rank_name(rank: str) -> Words:
    return Text("vinto.joker") if rank == "X" else rank


def what_it_does(s: Any, rank: int) -> Text:
    """The action of a rank, in words."""
    return Text(f"vinto.action.{action_of(s, rank) if rules.has_action(rank) else 'none'}")


def action_of(s: Any, rank: int) -> str:
    """What the catalogues call it."""
    return "K_wild" if rank == KING and s.king == King.WILD else RANKS[rank]


def whose(at: tuple[int, int], mover: int, viewer: int) -> Text:
    """A card in words: your card 3, Odette's card 2, their own card 1."""
    seat, k = at
    if seat == viewer:
        return Text("vinto.card.yours", slot=k + 1)
    return Text("vinto.card.own" if seat == mover else "vinto.card.of", slot=k + 1, player=Player(seat))
