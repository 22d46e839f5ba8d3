"""The moves of the antiques market and its chance, as the record names them: `hoard {item}` · `steal {item, from}` ·
`salvage` · `keep {item}` · `pass`."""

from collections.abc import Mapping
from typing import Any

import msgspec

from brocante.engine.chance_lines import check_each_once, read_as, read_renewal
from brocante.engine.errors import IllegalMove, shown
from brocante.engine.moves import Move
from brocante.engine.text import Player, Text
from brocante.games.antiques import rules
from brocante.games.antiques.deck import Deck, deck_of
from brocante.games.antiques.rules import CASE, DISCARD, DRAWN, ITEMS, NONE, Action, Stage


class Hoard(Move, frozen=True):
    item: str


class Steal(Move, frozen=True):
    item: str
    victim: int = msgspec.field(name="from")


class Salvage(Move, frozen=True):
    pass


class Keep(Move, frozen=True):
    item: str


class Pass(Move, frozen=True):
    pass


MOVES = (Hoard, Steal, Salvage, Keep, Pass)


def move_of(s: Any, actions: tuple[int, ...]) -> Move:
    """Every action is a move of its own."""
    seat, action, ids = int(s.actor), actions[0], deck_of(s).ids
    if action == Action.PASS:
        return Pass(seat)
    if action == Action.SALVAGE:
        return Salvage(seat)
    if action >= Action.KEEP:
        return Keep(seat, ids[action - Action.KEEP])
    if action >= Action.STEAL:
        item = action - Action.STEAL
        return Steal(seat, ids[item], int(s.where[item]) - CASE)
    return Hoard(seat, ids[action - Action.HOARD])


def why_not(s: Any, move: Move) -> Text:
    """The clause that stands in the way. It tells the player no more than they can see."""
    deck, stage = deck_of(s), Stage(s.stage)
    item = getattr(move, "item", None)
    if item is not None and item not in deck.number:
        return Text("antiques.why.no_such_item", item=shown(item))
    name = deck.items[deck.number[item]].title if item is not None else ""
    match move:
        case Hoard(seat, item) if stage in (Stage.HOARD, Stage.FINAL):
            if rules.in_case(s, seat, deck.number[item]):
                return Text("antiques.why.just_stolen", item=name)
            return Text("antiques.why.not_in_your_case", item=name)
        case Steal(seat, item, victim) if stage == Stage.STEAL:
            if victim == seat:
                return Text("antiques.why.yourself")
            if not 0 <= victim < s.players or not rules.in_case(s, victim, deck.number[item]):
                return Text("antiques.why.not_in_their_case", item=name, player=Player(victim))
            return Text("antiques.why.only_item", player=Player(victim))
        case Salvage() if stage == Stage.STEAL:
            return Text("antiques.why.nothing_to_salvage")
        case Keep() if stage == Stage.KEEP:
            return Text("antiques.why.not_drawn", item=name)
    return Text(f"antiques.why.step.{stage.name.lower()}")


# --- chance: the deal, and the renewal of the deck --------------------------------------------------------------------


class Setup(msgspec.Struct, forbid_unknown_fields=True):
    """A3: the items of each Display Case, the deck with the next card first, who starts; A2b: another deck's items."""

    displays: list[list[str]]
    deck: list[str]
    first: int
    items: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


def chance_line(before: Any, after: Any) -> dict[str, Any]:
    deck = deck_of(after)
    ids = [deck.ids[i] for i in after.draw_deck if i != NONE]
    if before.stage != Stage.DEAL:
        second = [deck.ids[after.drawn[1]]] if after.there[DRAWN] > before.there[DRAWN] else []
        return {"chance": "renew", "deck": second + ids}
    displays = [[deck.ids[i] for i in range(ITEMS) if after.where[i] == CASE + p] for p in range(after.players)]
    setup = {"displays": displays, "deck": ids, "first": int(after.first)}
    return {"setup": setup if deck == Deck.built_in() else {**setup, "items": deck.for_record()}}


def chance_from_line(s: Any, line: Mapping[str, Any]) -> None:
    if s.stage == Stage.DEAL:
        deal_as_told(s, line)
    else:
        renew_as_told(s, line)


def deal_as_told(s: Any, line: Mapping[str, Any]) -> None:
    """A3, with the items where they are."""
    if set(line) != {"setup"}:
        raise IllegalMove(Text("antiques.setup.only"))
    setup = read_as(Setup, line["setup"], "antiques.setup.shape")
    Deck.take(s, setup.items, lacking="antiques.setup.items_wanted", other="antiques.setup.other_items")  # A2b
    check_displays(s, setup)
    in_turn = [setup.displays[(setup.first + place) % s.players] for place in range(s.players)]
    cards = [item for display in in_turn for item in display] + setup.deck
    check_each_once(cards, deck_of(s).ids, "antiques.setup.items")
    s.draw_deck[:] = numbers(s, cards)
    s.first = setup.first
    rules.deal(s)


def check_displays(s: Any, setup: Setup) -> None:
    """A3 (A11): whether a game can begin like this."""
    players = int(s.players)
    if not 0 <= setup.first < players:
        raise IllegalMove(Text("antiques.setup.first", first=setup.first, last=players - 1))
    if len(setup.displays) != players:
        raise IllegalMove(Text("antiques.setup.displays", players=players, displays=len(setup.displays)))
    for place in range(players):
        seat = (setup.first + place) % players
        n, items = int(rules.cards_dealt(s, place)), len(setup.displays[seat])
        if items != n:
            raise IllegalMove(Text("antiques.setup.display", seat=seat, items=items, n=n))


def renew_as_told(s: Any, line: Mapping[str, Any]) -> None:
    """A8, with the cards in this order."""
    deck = read_renewal(line, "antiques.renewal")
    pile = [deck_of(s).ids[i] for i in s.discard_pile[: s.there[DISCARD]]]
    check_each_once(deck, pile, "antiques.renewal.items")
    rules.gather_discards(s)
    s.draw_deck[ITEMS - len(pile) :] = numbers(s, deck)
    rules.go_on_after_renewal(s)


def numbers(s: Any, ids: list[str]) -> list[int]:
    number = deck_of(s).number
    return [number[item] for item in ids]
