"""How the antiques market looks: Display Cases, Hoards, the race for the bonus cards, and what happened in words."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from brocante.engine.moves import Move
from brocante.engine.state import NOBODY
from brocante.engine.text import Player, Text
from brocante.engine.view import Mark, Place, Race, Stack, Table, Zone
from brocante.games.antiques import rules
from brocante.games.antiques.awards import awards, scores
from brocante.games.antiques.faces import bonus_marks, faces, name_of
from brocante.games.antiques.moves import Hoard, Keep, Salvage, Steal
from brocante.games.antiques.rules import CASE, DECK, DISCARD, DRAWN, HOARD, NONE, Stage

__all__ = ["awards", "key", "label", "prompt", "table", "tell"]


def in_place(s: Any, place: int) -> list[int]:
    return [int(i) for i in np.flatnonzero(s.where == place)]


# --- the table --------------------------------------------------------------------------------------------------------


def table(s: Any, viewer: int | None) -> Table:
    shown_scores = scores(s) if viewer is None or s.open_hoards or s.actor == NOBODY else [None] * s.players
    return Table(
        status=Text("antiques.status.take_that", status=status(s)) if s.take_that else status(s),
        centre=(deck_zone(s), discard_zone(s, viewer)),
        places=tuple(Place(seat, shown_scores[seat], zones(s, seat, viewer)) for seat in range(s.players)),
        races=races(s),
    )


def status(s: Any) -> Text:
    """How much of the game is left."""
    if s.stage == Stage.FINAL:
        return Text("antiques.status.over" if s.actor == NOBODY else "antiques.status.final")
    if rules.can_renew(s):
        return Text("antiques.status.renewal")
    drawn = int(s.stage == Stage.KEEP)  # this turn's cards have left the deck already
    return Text("antiques.status.turns", n=int(s.there[DECK]) // rules.DRAWN_AT_ONCE + drawn)


def deck_zone(s: Any) -> Zone:
    note = Text("antiques.note.renewed") if s.renewed else None
    return Zone("deck", Text("antiques.zone.deck"), "piles", (Stack(None, int(s.there[DECK])),), note)


def discard_zone(s: Any, viewer: int | None) -> Zone:
    """The discard pile: its top card, and how many lie there."""
    n = int(s.there[DISCARD])
    seat = NOBODY if viewer is None else viewer
    top = (Stack(faces(s)[rules.top_of_discards(s)], n, moves=(Salvage(seat),)),) if n else ()
    return Zone("discard", Text("antiques.zone.discard"), "row", top)


def zones(s: Any, seat: int, viewer: int | None) -> tuple[Zone, ...]:
    own = seat == viewer
    before = (drawn_zone(s, seat, viewer),) if s.there[DRAWN] and s.turn == seat else ()
    return (*before, case_zone(s, seat, viewer, "cards" if own else "row"), hoard_zone(s, seat))


def case_zone(s: Any, seat: int, viewer: int | None, layout: Any) -> Zone:
    """A Display Case: your own items to hoard, those of the others to steal."""
    cards = faces(s)
    stacks = tuple(
        Stack(cards[i], 1, note=case_note(s, seat, i), moves=touching(seat, viewer, cards[i].kind))
        for i in in_place(s, CASE + seat)
    )
    return Zone("case", Text("antiques.zone.case"), layout, stacks)


def touching(seat: int, viewer: int | None, item: str) -> tuple[Move, ...]:
    if viewer is None or viewer == NOBODY:
        return ()
    return (Hoard(seat, item),) if seat == viewer else (Steal(viewer, item, seat),)


def case_note(s: Any, seat: int, i: int) -> Text | None:
    if s.stage == Stage.FINAL:
        return Text("antiques.note.just_stolen") if i == s.stolen and seat == s.turn else None
    return None if rules.may_be_robbed(s, seat) else Text("antiques.note.only_item")


def drawn_zone(s: Any, seat: int, viewer: int | None) -> Zone:
    cards = faces(s)
    drawn = [cards[i] for i in sorted(s.drawn) if i != NONE]
    stacks = tuple(Stack(card, 1, moves=(Keep(seat, card.kind),)) for card in drawn)
    if not stacks:
        return Zone("drawn", Text("antiques.zone.drawn"), "piles", (Stack(None, int(s.there[DRAWN])),))
    return Zone("drawn", Text("antiques.zone.drawn"), "cards" if seat == viewer else "row", stacks)


def hoard_zone(s: Any, seat: int) -> Zone:
    """A Hoard: yours, and what else may be seen, item by item; otherwise how thick the pile is."""
    n = int(s.there[HOARD + seat])
    items = in_place(s, HOARD + seat)
    title = Text("antiques.zone.hoard")
    if len(items) < n:
        return Zone("hoard", title, "piles", (Stack(None, n),))
    worth = Text("antiques.note.worth", points=Text("points", n=int(s.worth[seat])), n=n) if n else None
    return Zone("hoard", title, "piles", tuple(Stack(faces(s)[i], 1) for i in items), worth)


def races(s: Any) -> tuple[Race, ...]:
    shown = {p for p in range(s.players) if len(in_place(s, HOARD + p)) == s.there[HOARD + p]}
    open_ = on_show(s)
    return tuple(race(s, bonus, mark, shown, open_) for bonus, mark in enumerate(bonus_marks(s)))


def race(s: Any, bonus: int, mark: Mark, shown: set[int], open_: Any) -> Race:
    """How far everyone is with a bonus card, as far as one is shown Hoards and items."""
    of_it = (s.counts_for == bonus).any(axis=1)
    hoarded = tuple(int(s.tally[p, bonus]) if p in shown else None for p in range(s.players))
    seen = int((of_it & open_).sum())
    unseen = int(of_it.sum()) - seen - sum(n or 0 for n in hoarded)
    winner = int(rules.winner(s, bonus)) if s.actor == NOBODY else None
    return Race(mark, int(rules.POINTS[bonus]), hoarded, seen, unseen, winner)


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
    if s.stage == Stage.STEAL and not rules.can_salvage(s):
        return Text("antiques.prompt.only_steal")
    if s.stage == Stage.STEAL and not rules.cases_to_rob(s, viewer):
        return Text("antiques.prompt.only_salvage")
    return Text(f"antiques.prompt.{Stage(s.stage).name.lower()}")


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
    if before.stage == Stage.DEAL:
        yield told("deal", int(after.first), viewer)
        return
    yield Text("antiques.log.renew")
    p = int(before.turn)
    if before.there[DRAWN] and after.turns[p] > before.turns[p]:
        item = next(i for i in in_place(after, CASE + p) if before.where[i] != CASE + p)
        yield told("keep_only", p, viewer, item=name_of(after, item) if named else None)


def tell_what_follows(before: Any, after: Any, viewer: int) -> Iterator[Text]:
    """What happens by itself: steps that are skipped, the end."""
    new_turn = before.stage == Stage.DEAL or after.turn != before.turn
    if after.actor == NOBODY:
        yield Text("antiques.log.over")
    elif after.stage == Stage.FINAL and before.stage != Stage.FINAL:
        yield Text("antiques.log.final")
    if new_turn and after.stage in (Stage.STEAL, Stage.KEEP):
        yield told("nothing_to_hoard", int(after.turn), viewer)
    if after.stage == Stage.KEEP and (new_turn or before.stage == Stage.HOARD):
        yield told("nothing_to_take", int(after.turn), viewer)


def told(what: str, seat: int, viewer: int, **blanks: Any) -> Text:
    """A line about the reader or about somebody else. An item that is None is not named."""
    person = "you" if seat == viewer else "they"
    if blanks.get("item", "") is None:
        what, blanks = f"{what}_something", {name: value for name, value in blanks.items() if name != "item"}
    return Text(f"antiques.log.{what}.{person}", player=Player(seat), **blanks)
