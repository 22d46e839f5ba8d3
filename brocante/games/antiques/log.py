"""What happened on the antiques market, in words.

An item is named only while the reader has just seen it go. After that they must remember it: a log with all the names
would give every Hoard away.
"""

from collections.abc import Iterator
from typing import Any

from brocante.engine.moves import Move
from brocante.engine.state import NOBODY
from brocante.engine.text import Player, Text
from brocante.games.antiques import rules
from brocante.games.antiques.faces import name_of
from brocante.games.antiques.moves import Hoard, Keep, Salvage, Steal
from brocante.games.antiques.rules import DRAWN, ITEMS, Stage


def tell(before: Any, move: Move | None, after: Any, viewer: int, news: bool) -> Iterator[Text]:
    """The lines of the log for one step."""
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
            return about("hoard", seat, viewer, item=name_of(before, item) if named else None)
        case Steal(_, item, victim) if victim == viewer:
            return about("rob", seat, viewer, item=name_of(before, item) if named else None)
        case Steal(_, item, victim):
            item_or_none = name_of(before, item) if named else None
            return about("steal", seat, viewer, item=item_or_none, victim=Player(victim))
        case Salvage():
            return about(
                "salvage", seat, viewer, item=name_of(before, rules.top_of_discards(before)) if named else None
            )
        case Keep(_, item) if named:
            other = name_of(after, rules.top_of_discards(after))
            return about("keep", seat, viewer, item=name_of(before, item), other=other)
        case Keep():
            return about("keep", seat, viewer, item=None)
    return about("pass", seat, viewer)


def tell_chance(before: Any, after: Any, viewer: int, named: bool) -> Iterator[Text]:
    if int(before.stage) == Stage.DEAL:
        yield about("deal", int(after.first), viewer)
        return
    yield Text("antiques.log.renew")
    p = int(before.turn)
    if before.there[DRAWN] and after.turns[p] > before.turns[p]:
        item = next(i for i in range(ITEMS) if rules.in_case(after, p, i) and not rules.in_case(before, p, i))
        yield about("keep_only", p, viewer, item=name_of(after, item) if named else None)


def tell_what_follows(before: Any, after: Any, viewer: int) -> Iterator[Text]:
    """What happens by itself: steps that are skipped, the end."""
    was, stage = Stage(before.stage), Stage(after.stage)
    new_turn = was == Stage.DEAL or after.turn != before.turn
    if after.actor == NOBODY:
        yield Text("antiques.log.over")
    elif stage == Stage.FINAL and was != Stage.FINAL:
        yield Text("antiques.log.final")
    if new_turn and stage in (Stage.STEAL, Stage.KEEP):
        yield about("nothing_to_hoard", int(after.turn), viewer)
    if stage == Stage.KEEP and (new_turn or was == Stage.HOARD):
        yield about("nothing_to_take", int(after.turn), viewer)


def about(what: str, seat: int, viewer: int, **blanks: Any) -> Text:
    """A line about the reader, or about somebody else. An item that is None is not named."""
    person = "you" if seat == viewer else "they"
    if blanks.get("item", "") is None:
        what, blanks = f"{what}_something", {name: value for name, value in blanks.items() if name != "item"}
    return Text(f"antiques.log.{what}.{person}", player=Player(seat), **blanks)
