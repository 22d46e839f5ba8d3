"""How Collection looks: hands, the sets on the table and how far each is, point cards, the pack, and what happened in
words."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from brocante.engine.moves import Move
from brocante.engine.state import NOBODY
from brocante.engine.text import Player, Text, Words
from brocante.engine.view import Card, Place, Stack, Table, Zone
from brocante.games.collection import moves, rules
from brocante.games.collection.awards import awards
from brocante.games.collection.faces import CLOSED, COMPLETED, FACES, Lying, point_cards
from brocante.games.collection.moves import KINDS, Close, End, kind_name

__all__ = ["awards", "key", "label", "picture", "prompt", "table", "tell"]

SIZES: list[int] = rules.SIZE.tolist()


# --- the table --------------------------------------------------------------------------------------------------------


def table(s: Any, viewer: int | None) -> Table:
    tables = s.table[: s.players].tolist()
    asked = int(s.actor) if viewer == s.actor else NOBODY  # who may touch what is theirs
    places = [
        Place(seat, score, (table_zone(tables, seat, asked), hand_zone(s, seat, viewer, asked), points_zone(s, seat)))
        for seat, score in enumerate(s.score[: s.players].tolist())
    ]
    return Table(status=status(s), centre=(pack_zone(s, asked), discard_zone(s)), places=tuple(places))


def status(s: Any) -> Text:
    if s.target:
        return Text("collection.status.match", n=int(s.rounds), target=int(s.target))
    return Text("collection.status.single")


def pack_zone(s: Any, asked: int) -> Zone:
    """The pack: drawing from it ends the turn."""
    touch = () if asked == NOBODY else (End(asked),)
    return Zone("pack", Text("collection.zone.pack"), "piles", (Stack(None, int(s.left), moves=touch),))


def discard_zone(s: Any) -> Zone:
    return Zone("discard", Text("collection.zone.discard"), "piles", counted(s.discarded.tolist()))


def table_zone(tables: Sequence[Sequence[int]], seat: int, asked: int) -> Zone:
    """The collections before a player, with what closing each of them would be."""
    sets = tuple(
        Stack(
            face,
            n,
            goal=SIZES[k],
            note=Text("collection.note.threatened") if threatened(tables, n, k) else None,
            moves=(Close(seat, face.kind),) if seat == asked else (),  # type: ignore[arg-type]
        )
        for k, (face, n) in enumerate(zip(FACES, tables[seat], strict=True))
        if n
    )
    free = rules.ROOM_ON_TABLE - len(sets)
    room = Text("collection.note.room", n=free) if free else None
    return Zone("table", Text("collection.zone.table"), "sets", sets, room)


def threatened(tables: Sequence[Sequence[int]], n: int, k: int) -> bool:
    """Somebody has more of the kind on the table than these n: were they to close, these cards would go."""
    return max([cards[k] for cards in tables]) > n


def hand_zone(s: Any, seat: int, viewer: int | None, asked: int) -> Zone:
    title = Text("collection.zone.hand")
    if viewer is not None and viewer != seat:
        return Zone("hand", title, "piles", (Stack(None, int(s.held[seat])),))
    stacks = tuple(
        Stack(face, n, moves=(moves.Place(seat, face.kind),) if seat == asked else ())  # type: ignore[arg-type]
        for face, n in zip(FACES, s.hand[seat].tolist(), strict=True)
        if n
    )
    return Zone("hand", title, "cards", stacks)


def points_zone(s: Any, seat: int) -> Zone:
    """Point cards, upright and sideways (C5, C6), and how many points are which where they lie both ways."""
    stacks = [stack for way in (COMPLETED, CLOSED) for stack in lying(s, seat, way)]
    points = {way.key: points_of(s, seat, way) for way in (COMPLETED, CLOSED)}
    note = Text("collection.note.points", **points) if all(points.values()) else None
    return Zone("points", Text("collection.zone.points"), "piles", tuple(stacks), note)


def lying(s: Any, seat: int, way: Lying) -> Iterator[Stack]:
    note = Text(f"collection.points.{way.key}", points=points_of(s, seat, way))
    return (Stack(face, n, note=note) for face, n in zip(way.faces, point_cards(s, seat, way), strict=True) if n)


def points_of(s: Any, seat: int, way: Lying) -> int:
    return way.points * sum(point_cards(s, seat, way))


def counted(cards: Sequence[int]) -> tuple[Stack, ...]:
    return tuple([Stack(face, n) for face, n in zip(FACES, cards, strict=True) if n])


# --- what is asked ----------------------------------------------------------------------------------------------------


def prompt(s: Any, viewer: int) -> Text:
    if s.actor != viewer:
        return Text("prompt.wait", player=Player(s.actor))
    if not rules.can_end_turn(s):
        return Text("collection.prompt.begin")
    can_close = any(rules.can_close(s, viewer, k) for k in range(rules.KINDS))
    drawn = (
        Text("collection.prompt.draw", n=n) if (n := int(rules.cards_to_draw(s))) else Text("collection.prompt.no_draw")
    )
    if rules.can_place_any(s, viewer):
        return Text("collection.prompt.close_or_place" if can_close else "collection.prompt.place", drawn=drawn)
    return Text("collection.prompt.close" if can_close else "collection.prompt.end", drawn=drawn)


def label(s: Any, move: Move) -> Text:
    if isinstance(move, moves.Place | Close):
        return Text(f"collection.move.{move.name()}", card=one(move.kind), kind=kind_name(move.kind))
    return Text("collection.move.end")


def key(move: Move) -> str:
    """1 to 5 place a card of each kind, 6 to 0 close its collection, e ends the turn."""
    if isinstance(move, moves.Place | Close):
        number = KINDS.index(move.kind) + (6 if isinstance(move, Close) else 1)
        return str(number % 10)
    return "e"


def one(kind: str) -> Text:
    return cards(kind, 1)


@cache
def cards(kind: str, n: int) -> Text:
    return Text(f"collection.kind.{kind}.cards", n=n)


# --- what happened ----------------------------------------------------------------------------------------------------


def tell(before: Any, move: Move | None, after: Any, viewer: int, news: bool) -> Iterator[Text]:
    """The lines of the log for one step."""
    if move is None:
        yield told("deal", int(after.actor), viewer, n=int(after.rounds))
    elif isinstance(move, moves.Place):
        k = KINDS.index(move.kind)
        yield told("place", move.seat, viewer, cards=one(move.kind))
        if after.table[move.seat, k] == 0:
            what = cards(move.kind, SIZES[k])
            yield told("complete", move.seat, viewer, cards=what, points=points(before, after, move.seat))
            yield from losses(before, after, k, move.seat, viewer)
    elif isinstance(move, Close):
        k = KINDS.index(move.kind)
        n = int(before.table[move.seat, k])
        yield told("close", move.seat, viewer, cards=cards(move.kind, n), points=points(before, after, move.seat))
        yield from losses(before, after, k, move.seat, viewer)
    else:
        yield from tell_end(before, move.seat, after, viewer)


def tell_end(before: Any, seat: int, after: Any, viewer: int) -> Iterator[Text]:
    n = int(after.held[seat] - before.held[seat])
    gained = after.hand[seat] - before.hand[seat]
    if seat == viewer and n:
        drawn = tuple(cards(kind, int(gained[k])) for k, kind in enumerate(KINDS) if gained[k])
        yield Text("collection.log.draw.you", cards=drawn)
    else:
        yield told("draw_n" if n else "draw_none", seat, viewer, n=n)
    if after.actor < 0:
        yield Text("collection.log.round_over" if after.actor != NOBODY else "collection.log.over")
    elif before.table[after.actor].any() and not after.table[after.actor].any():
        yield told("stuck", int(after.actor), viewer)


def losses(before: Any, after: Any, k: int, seat: int, viewer: int) -> Iterator[Text]:
    """What the others score or discard when a kind is completed or closed."""
    for p in range(before.players):
        n = int(before.table[p, k])
        if p != seat and n:
            gained = after.score[p] > before.score[p]
            what = cards(KINDS[k], n)
            yield told("score_too" if gained else "lose", p, viewer, cards=what, points=points(before, after, p))


def points(before: Any, after: Any, seat: int) -> Text:
    return Text("points", n=int(after.score[seat] - before.score[seat]))


#: The card that is meant, by what the log calls one or several of its kind.
PICTURES = {f"collection.kind.{face.kind}.cards": face for face in FACES}


def picture(words: Words) -> Card | None:
    return PICTURES.get(words.key) if isinstance(words, Text) else None


def told(what: str, seat: int, viewer: int, **blanks: Any) -> Text:
    """A line about the reader, or about somebody else."""
    person = "you" if seat == viewer else "they"
    return Text(f"collection.log.{what}.{person}", player=Player(seat), **blanks)
