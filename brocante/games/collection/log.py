"""What happened in a game of Collection, in words."""

from collections.abc import Iterator
from typing import Any

from brocante.engine.moves import Move
from brocante.engine.state import NOBODY
from brocante.engine.text import Player, Text
from brocante.games.collection import rules
from brocante.games.collection.faces import cards_named
from brocante.games.collection.moves import KINDS, Close, Place


def tell(before: Any, move: Move | None, after: Any, viewer: int, news: bool) -> Iterator[Text]:
    """The lines of the log for one step."""
    if move is None:
        yield about("deal", int(after.actor), viewer, n=int(after.rounds))
    elif isinstance(move, Place):
        k = KINDS.index(move.kind)
        yield about("place", move.seat, viewer, cards=cards_named(move.kind, 1))
        if after.table[move.seat, k] == 0:
            what = cards_named(move.kind, int(rules.SIZE[k]))
            yield about("complete", move.seat, viewer, cards=what, points=points(before, after, move.seat))
            yield from losses(before, after, k, move.seat, viewer)
    elif isinstance(move, Close):
        k = KINDS.index(move.kind)
        n = int(before.table[move.seat, k])
        yield about(
            "close", move.seat, viewer, cards=cards_named(move.kind, n), points=points(before, after, move.seat)
        )
        yield from losses(before, after, k, move.seat, viewer)
    else:
        yield from tell_end(before, move.seat, after, viewer)


def tell_end(before: Any, seat: int, after: Any, viewer: int) -> Iterator[Text]:
    n = int(after.held[seat] - before.held[seat])
    if seat == viewer and n:
        hands = zip(KINDS, before.hand[seat].tolist(), after.hand[seat].tolist(), strict=True)
        drawn = tuple([cards_named(kind, now - then) for kind, then, now in hands if now > then])
        yield Text("collection.log.draw.you", cards=drawn)
    else:
        yield about("draw_n" if n else "draw_none", seat, viewer, n=n)
    following = int(after.actor)
    if following < 0:
        yield Text("collection.log.round_over" if following != NOBODY else "collection.log.over")
    elif any(before.table[following].tolist()) and not any(after.table[following].tolist()):
        yield about("stuck", following, viewer)


def losses(before: Any, after: Any, k: int, seat: int, viewer: int) -> Iterator[Text]:
    """What the others score or discard when a kind is completed or closed."""
    for p in range(before.players):
        n = int(before.table[p, k])
        if p != seat and n:
            gained = after.score[p] > before.score[p]
            what = cards_named(KINDS[k], n)
            yield about("score_too" if gained else "lose", p, viewer, cards=what, points=points(before, after, p))


def points(before: Any, after: Any, seat: int) -> Text:
    return Text("points", n=int(after.score[seat] - before.score[seat]))


def about(what: str, seat: int, viewer: int, **blanks: Any) -> Text:
    """A line about the reader, or about somebody else."""
    person = "you" if seat == viewer else "they"
    return Text(f"collection.log.{what}.{person}", player=Player(seat), **blanks)
