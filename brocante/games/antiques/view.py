"""How the antiques market looks: Display Cases, Hoards, the deck, the discard pile, the race for the bonus cards."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from brocante.engine.deck import NONE
from brocante.engine.moves import Move
from brocante.engine.state import NOBODY
from brocante.engine.text import Text, Words
from brocante.engine.view import Card, Place, Race, Stack, Table, Zone, remembered
from brocante.games.antiques import rules
from brocante.games.antiques.awards import scores
from brocante.games.antiques.faces import Called, bonus_marks, faces
from brocante.games.antiques.moves import Hoard, Keep, Salvage, Steal
from brocante.games.antiques.rules import BONUSES, CASE, DECK, DISCARD, DRAWN, HOARD, PLACES, Stage

POINTS: list[int] = rules.POINTS.tolist()
JUST_STOLEN, ONLY_ITEM = Text("antiques.note.just_stolen"), Text("antiques.note.only_item")
Items = list[list[int]]  # by place, the oldest first


def items_by_place(s: Any) -> Items:
    items: Items = [[] for _ in range(PLACES)]
    for i, place in enumerate(s.where.tolist()):
        items[place].append(i)
    return items


def table(s: Any, viewer: int | None) -> Table:
    shown_scores = scores(s) if viewer is None or s.open_hoards or s.actor == NOBODY else [None] * s.players
    items, cards = items_by_place(s), faces(s)
    asked = int(s.actor) if viewer == s.actor else NOBODY  # who may touch anything
    return Table(
        status=Text("antiques.status.take_that", status=status(s)) if s.take_that else status(s),
        centre=(deck_zone(s, asked), discard_zone(s, cards, asked)),
        places=tuple(
            [Place(seat, score, zones(s, items, cards, seat, viewer, asked)) for seat, score in enumerate(shown_scores)]
        ),
        races=races(s, items),
    )


def status(s: Any) -> Text:
    """How much of the game is left."""
    stage = int(s.stage)
    if stage == Stage.FINAL:
        return Text("antiques.status.over" if s.actor == NOBODY else "antiques.status.final")
    if rules.can_renew(s):
        return Text("antiques.status.renewal")
    drawn = int(stage == Stage.KEEP)  # this turn's cards have already left the deck
    return Text("antiques.status.turns", n=int(s.there[DECK]) // rules.DRAWN_AT_ONCE + drawn)


def deck_zone(s: Any, asked: int) -> Zone:
    is_asked = asked != NOBODY and s.stage in (Stage.HOARD, Stage.STEAL)
    return deck(int(s.there[DECK]), bool(s.renewed), is_asked)


@remembered
def deck(n: int, renewed: bool, is_asked: bool) -> Zone:
    note = Text("antiques.note.renewed") if renewed else None
    why = Text("antiques.why.deck") if is_asked else None
    return Zone("deck", Text("antiques.zone.deck"), "piles", (Stack(None, n, why=why),), note)


def discard_zone(s: Any, cards: Sequence[Card], asked: int) -> Zone:
    """The discard pile: its top card, and how many lie there."""
    n = int(s.there[DISCARD])
    return discards(cards[rules.top_of_discards(s)] if n else None, n, asked)


@remembered
def discards(top: Card | None, n: int, asked: int) -> Zone:
    touch = () if asked == NOBODY else (Salvage(asked),)
    return Zone("discard", Text("antiques.zone.discard"), "row", (Stack(top, n, moves=touch),) if top else ())


def zones(s: Any, items: Items, cards: Sequence[Card], seat: int, viewer: int | None, asked: int) -> tuple[Zone, ...]:
    before = (drawn_zone(s, cards, seat, viewer),) if s.there[DRAWN] and s.turn == seat else ()
    return (*before, case_zone(s, items, cards, seat, viewer, asked), hoard_zone(s, items, cards, seat))


def case_zone(s: Any, items: Items, cards: Sequence[Card], seat: int, viewer: int | None, asked: int) -> Zone:
    """A Display Case: your own items to hoard, those of the others to steal."""
    note = case_note(s, seat)
    return case(tuple([item(cards[i], note(i), seat, asked) for i in items[CASE + seat]]), seat == viewer)


@remembered
def case(stacks: tuple[Stack, ...], is_own: bool) -> Zone:
    return Zone("case", Text("antiques.zone.case"), "cards" if is_own else "row", stacks)


@remembered
def item(card: Card, note: Text | None, seat: int, asked: int) -> Stack:
    return Stack(card, 1, note=note, moves=touching(seat, asked, card.kind))


def touching(seat: int, asked: int, item: str) -> tuple[Move, ...]:
    if asked == NOBODY:
        return ()
    return (Hoard(seat, item),) if seat == asked else (Steal(asked, item, seat),)


def case_note(s: Any, seat: int) -> Callable[[int], Text | None]:
    """A note about an item in a Display Case."""
    if int(s.stage) == Stage.FINAL:
        stolen = int(s.stolen) if seat == s.turn else NONE
        return lambda i: JUST_STOLEN if i == stolen else None
    note = None if rules.may_be_robbed(s, seat) else ONLY_ITEM
    return lambda i: note


def drawn_zone(s: Any, cards: Sequence[Card], seat: int, viewer: int | None) -> Zone:
    drawn = [cards[i] for i in sorted(s.drawn.tolist()) if i != NONE]
    stacks = tuple(Stack(card, 1, moves=(Keep(seat, card.kind),)) for card in drawn)
    if not stacks:
        return Zone("drawn", Text("antiques.zone.drawn"), "piles", (Stack(None, int(s.there[DRAWN])),))
    return Zone("drawn", Text("antiques.zone.drawn"), "cards" if seat == viewer else "row", stacks)


def hoard_zone(s: Any, items: Items, cards: Sequence[Card], seat: int) -> Zone:
    """A Hoard: item by item if the viewer may see it, otherwise how many there are."""
    n = int(s.there[HOARD + seat])
    hoarded = items[HOARD + seat]
    if len(hoarded) < n:
        return closed_hoard(n)
    return open_hoard(tuple([cards[i] for i in hoarded]), int(s.worth[seat]))


@remembered
def closed_hoard(n: int) -> Zone:
    return Zone("hoard", Text("antiques.zone.hoard"), "piles", (Stack(None, n),))


@remembered
def open_hoard(cards: tuple[Card, ...], worth: int) -> Zone:
    note = Text("antiques.note.worth", points=Text("points", n=worth), n=len(cards)) if cards else None
    return Zone("hoard", Text("antiques.zone.hoard"), "piles", tuple([Stack(card, 1) for card in cards]), note)


def races(s: Any, items: Items) -> tuple[Race, ...]:
    """How far everyone is with each bonus card, as far as Hoards and items are shown."""
    there = s.there.tolist()
    tallies = [
        tally if len(items[HOARD + p]) == there[HOARD + p] else [None] * BONUSES
        for p, tally in enumerate(s.tally[: s.players].tolist())
    ]
    of_it, seen = counted(s.counts_for.tobytes(), on_show(s).tobytes())
    over = s.actor == NOBODY
    found = []
    for bonus, mark in enumerate(bonus_marks(s)):
        hoarded = tuple([tally[bonus] for tally in tallies])
        unseen = of_it[bonus] - seen[bonus] - sum([n or 0 for n in hoarded])
        winner = int(rules.winner(s, bonus)) if over else None
        found.append(race(mark, POINTS[bonus], hoarded, seen[bonus], unseen, winner))
    return tuple(found)


race = remembered(Race)


@remembered
def counted(counts_for: bytes, open_: bytes) -> tuple[list[int], list[int]]:
    """How many items count for each bonus, and how many of them everyone can see."""
    bonuses = np.frombuffer(counts_for, np.int8).reshape(-1, 3, 1)
    counts = (bonuses == np.arange(BONUSES)).any(axis=1)  # which item for which bonus
    return counts.sum(axis=0).tolist(), counts[np.frombuffer(open_, np.bool_)].sum(axis=0).tolist()


def on_show(s: Any) -> Any:
    """Which items everyone can see: in Display Cases, on top of the discard pile, just drawn."""
    open_ = (s.where < HOARD) | (s.where == DRAWN)
    if s.there[DISCARD]:
        open_[rules.top_of_discards(s)] = True
    return open_


def picture(words: Words) -> Card | None:
    return words.card if isinstance(words, Called) else None
