"""The deal of a round, the renewal of the deck and the end of the time, as records write them."""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

import msgspec

from brocante.engine import left_of
from brocante.engine.chance_lines import check_each_once, check_first, read_as, read_renewal
from brocante.engine.errors import IllegalMove, quoted
from brocante.engine.text import Text
from brocante.games.vinto import rules
from brocante.games.vinto.moves import RANKS
from brocante.games.vinto.rules import DEALT, GAP

SUITS = "CDHS"
#: V1: the cards by their numbers.
CARD_NAMES = (*(f"{rank}{suit}" for rank in RANKS[:-1] for suit in SUITS), "X1", "X2")
NUMBER = {name: card for card, name in enumerate(CARD_NAMES)}


class Setup(msgspec.Struct, forbid_unknown_fields=True):
    """V2: who begins, the rows, the deck with the next card first."""

    first: int
    hands: list[list[str]]
    deck: list[str]


def chance_line(before: Any, after: Any) -> dict[str, Any]:
    deck = [CARD_NAMES[card] for card in reversed(after.deck[: after.left])]
    if rules.is_under_way(before):
        return {"chance": "renew", "deck": [*card_needed(before, after), *deck]}
    hands = [[CARD_NAMES[card] for card in after.row[p, :DEALT]] for p in range(after.players)]
    return {"setup": {"first": int(after.first), "hands": hands, "deck": deck}}


def card_needed(before: Any, after: Any) -> list[str]:
    """The card that was taken from the renewed deck at once."""
    if before.taker < 0:
        return [CARD_NAMES[after.drawn]]
    rows = before.row[before.taker], after.row[before.taker]
    return [CARD_NAMES[now] for was, now in zip(*rows, strict=True) if was == GAP and now != GAP]


def chance_from_line(s: Any, line: Mapping[str, Any]) -> None:
    if rules.is_under_way(s):
        renew_from_line(s, line)
    else:
        deal_from_line(s, line)


def deal_from_line(s: Any, line: Mapping[str, Any]) -> None:
    """V2, with the cards that the line gives."""
    if set(line) != {"setup"}:
        raise IllegalMove(Text("vinto.setup.only"))
    setup = read_as(Setup, line["setup"], "vinto.setup.shape")
    check_first(setup.first, int(s.players), "V2")
    check_passes_left(s, setup.first)
    check_hands(s, setup.hands)
    in_turn = [setup.hands[(setup.first + step) % s.players] for step in range(s.players)]
    cards = [card for hand in in_turn for card in hand] + setup.deck
    check_each_once(cards, CARD_NAMES, "vinto.setup.cards")
    s.deck[:] = [NUMBER[card] for card in reversed(cards)]
    rules.deal(s, setup.first)


def check_passes_left(s: Any, first: int) -> None:
    """V2: after the first round the start passes to the left."""
    if s.rounds_played and first != left_of(s, s.first):
        raise IllegalMove(Text("vinto.setup.left", first=first, right=int(left_of(s, s.first))))


def check_hands(s: Any, hands: list[list[str]]) -> None:
    if len(hands) != s.players:
        raise IllegalMove(Text("vinto.setup.hands", hands=len(hands), n=int(s.players)))
    for seat, hand in enumerate(hands):
        if len(hand) != DEALT:
            raise IllegalMove(Text("vinto.setup.hand", seat=seat, cards=len(hand), n=DEALT))


def renew_from_line(s: Any, line: Mapping[str, Any]) -> None:
    """V8.1, with the cards in the order of the line."""
    if "chance" not in line:
        raise IllegalMove(Text("vinto.renewal.only"))
    deck = read_renewal(line, "vinto.renewal")
    below_the_top = [CARD_NAMES[card] for card in s.discard_pile[: s.discards - 1]]
    check_each_once(deck, below_the_top, "vinto.renewal.cards")
    rules.gather_discards(s)
    s.deck[: s.left] = [NUMBER[card] for card in reversed(deck)]
    rules.go_on_after_renewal(s)


# --- the clock, and what a result says besides ------------------------------------------------------------------------

TIME = {"event": "time"}


def events(s: Any) -> tuple[dict[str, str], ...]:
    """V11: what the table may announce now."""
    return (TIME,) if rules.time_can_be_up(s) else ()


def event_from_line(s: Any, line: Mapping[str, Any]) -> None:
    if line != TIME:
        raise IllegalMove(Text("vinto.event.unknown", line=quoted(line)))
    if not rules.time_can_be_up(s):
        raise IllegalMove(Text("vinto.event.no_minutes" if not s.minutes else "vinto.event.not_now"))
    rules.end_time(s)


def result_besides(states: Iterable[Any]) -> dict[str, Any]:
    """V10: the points of every round, from all states of the game."""
    rounds = [
        (after.points - before.points)[: after.players].tolist()
        for before, after in pairwise(states)
        if after.rounds_played > before.rounds_played
    ]
    return {"rounds": rounds}
