"""How Collection looks: hands, the sets on the table and how far along they are, point cards, the deck."""

from collections.abc import Iterator, Sequence
from typing import Any

from brocante.engine.state import NOBODY
from brocante.engine.text import Text, Words
from brocante.engine.view import Card, Place, Stack, Table, Zone
from brocante.games.collection import moves, rules
from brocante.games.collection.faces import CLOSED, COMPLETED, FACES, Lying, point_cards
from brocante.games.collection.moves import Close, End

SIZES: list[int] = rules.SIZE.tolist()


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
    """The collections before a player, with the move that closes each."""
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
    """Whether somebody has more of the kind on the table than these n: if they close it, these cards go."""
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
    """Point cards, upright and sideways (C5, C6), with the points of each way if there are both."""
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


#: The cards by what the log calls one or several of them.
PICTURES = {f"collection.kind.{face.kind}.cards": face for face in FACES}


def picture(words: Words) -> Card | None:
    return PICTURES.get(words.key) if isinstance(words, Text) else None
