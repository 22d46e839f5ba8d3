"""The deal (A3) and the renewal of the deck (A8), as records write them."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from brocante.engine.chance_lines import check_each_once, check_first, read_as, read_renewal
from brocante.engine.errors import IllegalMove
from brocante.engine.text import Text
from brocante.games.antiques import rules
from brocante.games.antiques.deck_file import Deck, deck_of
from brocante.games.antiques.rules import CASE, DECK, DISCARD, DRAWN, ITEMS, Stage


class Setup(msgspec.Struct, forbid_unknown_fields=True):
    """A3: the items of each Display Case, the deck with the next card first, and who starts. A2b: the items themselves,
    unless the deck is the built-in one."""

    displays: list[list[str]]
    deck: list[str]
    first: int
    items: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


def chance_line(before: Any, after: Any) -> dict[str, Any]:
    deck = deck_of(after)
    ids = [deck.ids[i] for i in reversed(after.deck[: after.there[DECK]])]
    if before.stage != Stage.DEAL:
        second = [deck.ids[after.drawn[1]]] if after.there[DRAWN] > before.there[DRAWN] else []
        return {"chance": "renew", "deck": second + ids}
    displays = [[deck.ids[i] for i in range(ITEMS) if after.where[i] == CASE + p] for p in range(after.players)]
    setup = {"displays": displays, "deck": ids, "first": int(after.first)}
    return {"setup": setup if deck == Deck.built_in() else {**setup, "items": deck.for_record()}}


def chance_from_line(s: Any, line: Mapping[str, Any]) -> None:
    if s.stage == Stage.DEAL:
        deal_from_line(s, line)
    else:
        renew_from_line(s, line)


def deal_from_line(s: Any, line: Mapping[str, Any]) -> None:
    if set(line) != {"setup"}:
        raise IllegalMove(Text("antiques.setup.only"))
    setup = read_as(Setup, line["setup"], "antiques.setup.shape")
    Deck.take(s, setup.items, lacking="antiques.setup.items_wanted", other="antiques.setup.other_items")  # A2b
    check_displays(s, setup)
    in_turn = [setup.displays[(setup.first + place) % s.players] for place in range(s.players)]
    cards = [item for display in in_turn for item in display] + setup.deck
    check_each_once(cards, deck_of(s).ids, "antiques.setup.items")
    s.deck[:] = numbers(s, reversed(cards))
    s.first = setup.first
    rules.deal(s)


def check_displays(s: Any, setup: Setup) -> None:
    """A3 (A11): check that a game can begin like this."""
    players = int(s.players)
    check_first(setup.first, players, "A3")
    if len(setup.displays) != players:
        raise IllegalMove(Text("antiques.setup.displays", players=players, displays=len(setup.displays)))
    for place in range(players):
        seat = (setup.first + place) % players
        n, items = int(rules.cards_dealt(s, place)), len(setup.displays[seat])
        if items != n:
            raise IllegalMove(Text("antiques.setup.display", seat=seat, items=items, n=n))


def renew_from_line(s: Any, line: Mapping[str, Any]) -> None:
    deck = read_renewal(line, "antiques.renewal")
    pile = [deck_of(s).ids[i] for i in s.discard_pile[: s.there[DISCARD]]]
    check_each_once(deck, pile, "antiques.renewal.items")
    rules.gather_discards(s)
    s.deck[: len(pile)] = numbers(s, reversed(deck))
    rules.go_on_after_renewal(s)


def numbers(s: Any, ids: Iterable[str]) -> list[int]:
    number = deck_of(s).number
    return [number[item] for item in ids]
