"""How Collection looks: hands, the sets on the table and how far along they are, point cards, the deck."""

from collections.abc import Iterator, Sequence
from typing import Any

from brocante.engine.state import NOBODY
from brocante.engine.text import Text, Words
from brocante.engine.view import Card, Place, Stack, Table, Zone, remembered
from brocante.games.collection import moves, rules
from brocante.games.collection.faces import CLOSED, COMPLETED, FACES, Lying
from brocante.games.collection.moves import KINDS, Close, End

SIZES: list[int] = rules.SIZE.tolist()
SINGLE_ROUND = Text("collection.status.single")


def table(s: Any, viewer: int | None) -> Table:
    rows = s.table[: s.players].tolist()
    most = list(map(max, *rows))  # of each kind
    hands, held, scores = s.hand.tolist(), s.held.tolist(), s.score.tolist()
    completed, closed = s.completed.tolist(), s.closed.tolist()
    asked = int(s.actor) if viewer == s.actor else NOBODY  # who may touch what is theirs
    places = []
    for seat, row in enumerate(rows):
        touching = seat if seat == asked else NOBODY
        is_open = viewer is None or viewer == seat
        hand = hand_zone(tuple(hands[seat]), touching) if is_open else closed_hand(held[seat])
        points = points_zone(tuple(completed[seat]), tuple(closed[seat]))
        places.append(
            Place(seat, scores[seat], (table_zone(tuple(row), threatened(row, most), touching), hand, points))
        )
    discards = discard_zone(tuple(s.discarded.tolist()))
    return Table(status=status(s), centre=(pack_zone(int(s.left), asked), discards), places=tuple(places))


def status(s: Any) -> Text:
    if s.target:
        return Text("collection.status.match", n=int(s.rounds), target=int(s.target))
    return SINGLE_ROUND


@remembered
def pack_zone(n: int, asked: int) -> Zone:
    """The pack: drawing from it ends the turn."""
    touch = () if asked == NOBODY else (End(asked),)
    return Zone("pack", Text("collection.zone.pack"), "piles", (Stack(None, n, moves=touch),))


@remembered
def discard_zone(cards: tuple[int, ...]) -> Zone:
    stacks = tuple([Stack(face, n) for face, n in zip(FACES, cards, strict=True) if n])
    return Zone("discard", Text("collection.zone.discard"), "piles", stacks)


def threatened(row: Sequence[int], most: Sequence[int]) -> tuple[bool, ...]:
    """Of which kinds somebody has more on the table: if they close it, these cards go."""
    return tuple([0 < n < there for n, there in zip(row, most, strict=True)])


@remembered
def table_zone(cards: tuple[int, ...], under_threat: tuple[bool, ...], asked: int) -> Zone:
    """The collections before a player."""
    sets = tuple([set_of(k, n, under_threat[k], asked) for k, n in enumerate(cards) if n])
    free = rules.ROOM_ON_TABLE - len(sets)
    return Zone("table", Text("collection.zone.table"), "sets", sets, room_for(free) if free else None)


@remembered
def set_of(k: int, n: int, is_threatened: bool, asked: int) -> Stack:
    """A collection, with the move that closes it."""
    note = Text("collection.note.threatened") if is_threatened else None
    touch = () if asked == NOBODY else (Close(asked, KINDS[k]),)  # type: ignore[arg-type]
    return Stack(FACES[k], n, goal=SIZES[k], note=note, moves=touch)


@remembered
def room_for(n: int) -> Text:
    return Text("collection.note.room", n=n)


@remembered
def hand_zone(cards: tuple[int, ...], asked: int) -> Zone:
    stacks = tuple([held_cards(k, n, asked) for k, n in enumerate(cards) if n])
    return Zone("hand", Text("collection.zone.hand"), "cards", stacks)


@remembered
def held_cards(k: int, n: int, asked: int) -> Stack:
    """Cards of a kind, with the move that places one."""
    touch = () if asked == NOBODY else (moves.Place(asked, KINDS[k]),)  # type: ignore[arg-type]
    return Stack(FACES[k], n, moves=touch)


@remembered
def closed_hand(n: int) -> Zone:
    return Zone("hand", Text("collection.zone.hand"), "piles", (Stack(None, n),))


@remembered
def points_zone(completed: tuple[int, ...], closed: tuple[int, ...]) -> Zone:
    """Point cards, upright and sideways (C5, C6), with the points of each way if there are both."""
    cards = ((COMPLETED, completed), (CLOSED, closed))
    stacks = [stack for way, there in cards for stack in lying(way, there)]
    points = {way.key: points_of(way, there) for way, there in cards}
    note = Text("collection.note.points", **points) if all(points.values()) else None
    return Zone("points", Text("collection.zone.points"), "piles", tuple(stacks), note)


def lying(way: Lying, cards: tuple[int, ...]) -> Iterator[Stack]:
    note = Text(f"collection.points.{way.key}", points=points_of(way, cards))
    return (Stack(face, n, note=note) for face, n in zip(way.faces, cards, strict=True) if n)


def points_of(way: Lying, cards: tuple[int, ...]) -> int:
    return way.points * sum(cards)


#: The cards by what the log calls one or several of them.
PICTURES = {f"collection.kind.{face.kind}.cards": face for face in FACES}


def picture(words: Words) -> Card | None:
    return PICTURES.get(words.key) if isinstance(words, Text) else None
