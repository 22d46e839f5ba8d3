"""How the antiques market looks: Display Cases, Hoards, the race for the bonus cards, and what happened in words."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from brocante.engine.moves import Move
from brocante.engine.state import NOBODY
from brocante.engine.text import Player, Text
from brocante.engine.view import Card, Place, Race, Stack, Table, Zone
from brocante.games.antiques import rules
from brocante.games.antiques.awards import awards, scores
from brocante.games.antiques.faces import bonus_marks, faces, name_of, picture
from brocante.games.antiques.moves import Hoard, Keep, Salvage, Steal
from brocante.games.antiques.rules import BONUSES, CASE, DECK, DISCARD, DRAWN, HOARD, NONE, PLACES, Stage

__all__ = ["awards", "key", "label", "picture", "prompt", "table", "tell"]


POINTS: list[int] = rules.POINTS.tolist()
Items = list[list[int]]  # by place, the oldest first


def items_by_place(s: Any) -> Items:
    items: Items = [[] for _ in range(PLACES)]
    for i, place in enumerate(s.where.tolist()):
        items[place].append(i)
    return items


# --- the table --------------------------------------------------------------------------------------------------------


def table(s: Any, viewer: int | None) -> Table:
    shown_scores = scores(s) if viewer is None or s.open_hoards or s.actor == NOBODY else [None] * s.players
    items, cards = items_by_place(s), faces(s)
    asked = int(s.actor) if viewer == s.actor else NOBODY  # who may touch anything
    return Table(
        status=Text("antiques.status.take_that", status=status(s)) if s.take_that else status(s),
        centre=(deck_zone(s), discard_zone(s, cards, asked)),
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
    drawn = int(stage == Stage.KEEP)  # this turn's cards have left the deck already
    return Text("antiques.status.turns", n=int(s.there[DECK]) // rules.DRAWN_AT_ONCE + drawn)


def deck_zone(s: Any) -> Zone:
    note = Text("antiques.note.renewed") if s.renewed else None
    return Zone("deck", Text("antiques.zone.deck"), "piles", (Stack(None, int(s.there[DECK])),), note)


def discard_zone(s: Any, cards: Sequence[Card], asked: int) -> Zone:
    """The discard pile: its top card, and how many lie there."""
    n = int(s.there[DISCARD])
    touch = () if asked == NOBODY else (Salvage(asked),)
    top = (Stack(cards[rules.top_of_discards(s)], n, moves=touch),) if n else ()
    return Zone("discard", Text("antiques.zone.discard"), "row", top)


def zones(s: Any, items: Items, cards: Sequence[Card], seat: int, viewer: int | None, asked: int) -> tuple[Zone, ...]:
    before = (drawn_zone(s, cards, seat, viewer),) if s.there[DRAWN] and s.turn == seat else ()
    return (*before, case_zone(s, items, cards, seat, viewer, asked), hoard_zone(s, items, cards, seat))


def case_zone(s: Any, items: Items, cards: Sequence[Card], seat: int, viewer: int | None, asked: int) -> Zone:
    """A Display Case: your own items to hoard, those of the others to steal."""
    note = case_note(s, seat)
    stacks = tuple(
        [Stack(cards[i], 1, note=note(i), moves=touching(seat, asked, cards[i].kind)) for i in items[CASE + seat]]
    )
    return Zone("case", Text("antiques.zone.case"), "cards" if seat == viewer else "row", stacks)


def touching(seat: int, asked: int, item: str) -> tuple[Move, ...]:
    if asked == NOBODY:
        return ()
    return (Hoard(seat, item),) if seat == asked else (Steal(asked, item, seat),)


def case_note(s: Any, seat: int) -> Callable[[int], Text | None]:
    """What is to be said about an item in a Display Case."""
    if int(s.stage) == Stage.FINAL:
        stolen = int(s.stolen) if seat == s.turn else NONE
        return lambda i: Text("antiques.note.just_stolen") if i == stolen else None
    note = None if rules.may_be_robbed(s, seat) else Text("antiques.note.only_item")
    return lambda i: note


def drawn_zone(s: Any, cards: Sequence[Card], seat: int, viewer: int | None) -> Zone:
    drawn = [cards[i] for i in sorted(s.drawn.tolist()) if i != NONE]
    stacks = tuple(Stack(card, 1, moves=(Keep(seat, card.kind),)) for card in drawn)
    if not stacks:
        return Zone("drawn", Text("antiques.zone.drawn"), "piles", (Stack(None, int(s.there[DRAWN])),))
    return Zone("drawn", Text("antiques.zone.drawn"), "cards" if seat == viewer else "row", stacks)


def hoard_zone(s: Any, items: Items, cards: Sequence[Card], seat: int) -> Zone:
    """A Hoard: yours, and what else may be seen, item by item; otherwise how thick the pile is."""
    n = int(s.there[HOARD + seat])
    hoarded = items[HOARD + seat]
    title = Text("antiques.zone.hoard")
    if len(hoarded) < n:
        return Zone("hoard", title, "piles", (Stack(None, n),))
    worth = Text("antiques.note.worth", points=Text("points", n=int(s.worth[seat])), n=n) if n else None
    return Zone("hoard", title, "piles", tuple([Stack(cards[i], 1) for i in hoarded]), worth)


def races(s: Any, items: Items) -> tuple[Race, ...]:
    """How far everyone is with each bonus card, as far as one is shown Hoards and items."""
    there = s.there.tolist()
    tallies = [
        tally if len(items[HOARD + p]) == there[HOARD + p] else [None] * BONUSES
        for p, tally in enumerate(s.tally[: s.players].tolist())
    ]
    counts = (s.counts_for[:, :, np.newaxis] == np.arange(BONUSES)).any(axis=1)  # which item for which bonus
    of_it, seen = counts.sum(axis=0).tolist(), counts[on_show(s)].sum(axis=0).tolist()
    over = s.actor == NOBODY
    found = []
    for bonus, mark in enumerate(bonus_marks(s)):
        hoarded = tuple([tally[bonus] for tally in tallies])
        unseen = of_it[bonus] - seen[bonus] - sum([n or 0 for n in hoarded])
        winner = int(rules.winner(s, bonus)) if over else None
        found.append(Race(mark, POINTS[bonus], hoarded, seen[bonus], unseen, winner))
    return tuple(found)


def on_show(s: Any) -> Any:
    """Which items one sees: in Display Cases, on top of the discard pile, just drawn."""
    open_ = (s.where < HOARD) | (s.where == DRAWN)
    if s.there[DISCARD]:
        open_[rules.top_of_discards(s)] = True
    return open_


# --- what is asked ----------------------------------------------------------------------------------------------------


def prompt(s: Any, viewer: int) -> Text:
    if s.actor != viewer:
        return Text("prompt.wait", player=Player(s.actor))
    stage = Stage(s.stage)
    if stage == Stage.STEAL and not rules.can_salvage(s):
        return Text("antiques.prompt.only_steal")
    if stage == Stage.STEAL and not rules.cases_to_rob(s, viewer):
        return Text("antiques.prompt.only_salvage")
    return Text(f"antiques.prompt.{stage.name.lower()}")


def label(s: Any, move: Move) -> Text:
    match move:
        case Steal(_, item, victim):
            return Text("antiques.move.steal", item=name_of(s, item), player=Player(victim))
        case Salvage():
            return Text("antiques.move.salvage", item=name_of(s, rules.top_of_discards(s)))
        case Hoard(_, item) | Keep(_, item):
            return Text(f"antiques.move.{move.name()}", item=name_of(s, item))
    return Text("antiques.move.pass")


def key(move: Move) -> str:
    """Items have no key of their own: there are too many."""
    return {"salvage": "s", "pass": "0"}.get(move.name(), "")


# --- what happened ----------------------------------------------------------------------------------------------------


def tell(before: Any, move: Move | None, after: Any, viewer: int, news: bool) -> Iterator[Text]:
    """The lines of the log for one step. What went where is told by name while one has just seen it; afterwards one
    must remember it, for otherwise the log would tell what is in every Hoard."""
    named = news or bool(before.open_hoards)
    if move is None:
        yield from tell_chance(before, after, viewer, named)
    else:
        yield tell_move(before, move, after, viewer, named)
    yield from tell_what_follows(before, after, viewer)


def tell_move(before: Any, move: Move, after: Any, viewer: int, named: bool) -> Text:
    seat = move.seat
    match move:
        case Hoard(_, item):
            named = named or seat == viewer
            return told("hoard", seat, viewer, item=name_of(before, item) if named else None)
        case Steal(_, item, victim) if victim == viewer:
            return told("rob", seat, viewer, item=name_of(before, item) if named else None)
        case Steal(_, item, victim):
            item_or_none = name_of(before, item) if named else None
            return told("steal", seat, viewer, item=item_or_none, victim=Player(victim))
        case Salvage():
            return told("salvage", seat, viewer, item=name_of(before, rules.top_of_discards(before)) if named else None)
        case Keep(_, item) if named:
            other = name_of(after, rules.top_of_discards(after))
            return told("keep", seat, viewer, item=name_of(before, item), other=other)
        case Keep():
            return told("keep", seat, viewer, item=None)
    return told("pass", seat, viewer)


def tell_chance(before: Any, after: Any, viewer: int, named: bool) -> Iterator[Text]:
    if int(before.stage) == Stage.DEAL:
        yield told("deal", int(after.first), viewer)
        return
    yield Text("antiques.log.renew")
    p = int(before.turn)
    if before.there[DRAWN] and after.turns[p] > before.turns[p]:
        item = next(i for i in items_by_place(after)[CASE + p] if before.where[i] != CASE + p)
        yield told("keep_only", p, viewer, item=name_of(after, item) if named else None)


def tell_what_follows(before: Any, after: Any, viewer: int) -> Iterator[Text]:
    """What happens by itself: steps that are skipped, the end."""
    was, stage = Stage(before.stage), Stage(after.stage)
    new_turn = was == Stage.DEAL or after.turn != before.turn
    if after.actor == NOBODY:
        yield Text("antiques.log.over")
    elif stage == Stage.FINAL and was != Stage.FINAL:
        yield Text("antiques.log.final")
    if new_turn and stage in (Stage.STEAL, Stage.KEEP):
        yield told("nothing_to_hoard", int(after.turn), viewer)
    if stage == Stage.KEEP and (new_turn or was == Stage.HOARD):
        yield told("nothing_to_take", int(after.turn), viewer)


def told(what: str, seat: int, viewer: int, **blanks: Any) -> Text:
    """A line about the reader or about somebody else. An item that is None is not named."""
    person = "you" if seat == viewer else "they"
    if blanks.get("item", "") is None:
        what, blanks = f"{what}_something", {name: value for name, value in blanks.items() if name != "item"}
    return Text(f"antiques.log.{what}.{person}", player=Player(seat), **blanks)
