"""What a seat sees, described for any client: zones with stacks of cards, what is being asked, what may be done.

A game's `view.py` fills these in from a state in which everything that the seat does not know is blanked, so no view
can tell more than the seat knows. A client needs to know nothing else about the game.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import msgspec

from brocante.engine.moves import Move
from brocante.engine.text import Language, Name, Player, Text, Words

#: The name of an ink of the palette: teal, tomato, mustard, midnight, wine, river, olive, pink, ink, faint.
Ink = str
#: Anything a language turns into a string.
WORDS = (Text, Player, Name)
#: For what games make of a table: what looks the same is the same object then, which has to be made, compared and put
#: into words only once.
remembered = lru_cache(20_000)


class Mark(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A small sign that says what something is, with the word for it: a category, a colour."""

    sign: str
    ink: Ink
    name: Words


class Card(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """The face of a card: a name, and a sign and an ink to tell it by (never the ink alone)."""

    kind: str
    name: Words
    sign: str
    ink: Ink
    corner: str = ""
    marks: tuple[Mark, ...] = ()  # further signs, each in its own ink
    foot: str = ""  # what stands at the bottom, such as a year
    does: Text | None = None  # what it is for, where that is printed on it


class Stack(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """Cards that lie together: a pile, a set that grows towards its goal, equal cards of a hand."""

    card: Card | None  # None: face down
    count: int
    goal: int = 0  # a set is complete at this count
    note: Text | None = None
    #: What touching it does: moves, or Parts for whatever their action does. A view keeps only the possible ones.
    moves: tuple[Move, ...] = ()
    chosen: bool = False  # the first choice of a move that is not complete
    why: Text | None = None  # for the player who is asked: why touching it does nothing now


class Zone(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A part of the table with a name.

    Its layout says what its stacks are like: `cards` to pick up, `sets` that grow towards a goal, `bars` that do so
    side by side, `piles` to count, a `row` of single cards that all can read, a `list` of things in a line, `slots` in
    a fixed order, counted from 1, each with one card (face up or down) or none.
    """

    key: str
    title: Text
    layout: Literal["cards", "sets", "bars", "piles", "row", "list", "slots"]
    stacks: tuple[Stack, ...]
    note: Text | None = None
    moves: tuple[Move, ...] = ()  # what touching the place itself does: a harbour to sail to
    why: Text | None = None


class Place(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """What lies before one player."""

    seat: int
    score: int | None  # None: not shown to the viewer
    zones: tuple[Zone, ...]
    in_words: Text | None = None  # the score, where it is not simply points
    mark: Mark | None = None  # the sign of the player's pieces, if they have one


class Race(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """What can be won by being ahead, and how far everyone is, as far as the viewer is shown."""

    mark: Mark
    points: int
    counts: tuple[int | None, ...]  # by seat; None: not shown
    open: int  # how many more lie open on the table
    left: int  # how many are out of sight: they could still turn up, or a player does not show them
    winner: int | None = None  # when the game is over; NOBODY if nobody won it


class Table(msgspec.Struct, frozen=True, gc=False):
    """Everything that lies on the table, as one seat sees it."""

    status: Text  # one line: which round, how much is left
    centre: tuple[Zone, ...]
    places: tuple[Place, ...]
    races: tuple[Race, ...] = ()
    board: tuple[Zone, ...] = ()  # the parts of a board that all play on

    def bare(self) -> tuple["Table", list["Things"]]:
        """The same table with nothing to touch, and all that the game would have players touch on it, zone by zone."""
        things: list[Things] = []
        centre, board = bare_zones(self.centre, "centre", things), bare_zones(self.board, "board", things)
        places = []
        for number, place in enumerate(self.places):
            zones = bare_zones(place.zones, f"places.{number}.zones", things)
            places.append(Place(place.seat, place.score, zones, place.in_words, place.mark))
        return Table(self.status, centre, tuple(places), self.races, board), things

    def with_touches(self, touches: Mapping[str, "Touch"]) -> "Table":
        """The same table, with what may be touched on it, by place."""

        def touched(thing: Any, path: str) -> Any:
            touch = touches.get(path)
            return msgspec.structs.replace(thing, moves=touch.moves, why=touch.why) if touch else thing

        def zones_with(zones: tuple[Zone, ...], path: str) -> tuple[Zone, ...]:
            return tuple([zone_with(zone, f"{path}.{number}") for number, zone in enumerate(zones)])

        def zone_with(zone: Zone, path: str) -> Zone:
            stacks = tuple([touched(stack, f"{path}.stacks.{number}") for number, stack in enumerate(zone.stacks)])
            found: Zone = touched(msgspec.structs.replace(zone, stacks=stacks), path)
            return found

        places = tuple(
            [
                msgspec.structs.replace(place, zones=zones_with(place.zones, f"places.{number}.zones"))
                for number, place in enumerate(self.places)
            ]
        )
        centre, board = zones_with(self.centre, "centre"), zones_with(self.board, "board")
        return msgspec.structs.replace(self, centre=centre, places=places, board=board)

    def with_moves(self, put: Callable[[tuple[Move, ...]], tuple[Any, ...]]) -> "Table":
        """The same table, with what `put` makes of the moves on its stacks and zones."""
        return self.touched(lambda moves: {"moves": put(moves)})

    def untouchable(self) -> "Table":
        """The same table for a viewer who is not asked."""
        return self.bare()[0]

    def touched(self, change: Callable[[tuple[Move, ...]], Mapping[str, Any]]) -> "Table":
        """The same table, with `change` applied to everything that has moves."""
        return self._made_of(
            lambda thing: msgspec.structs.replace(thing, **change(thing.moves)) if thing.moves else thing
        )

    def _made_of(self, made: Callable[[Any], Any]) -> "Table":
        """The same table, with what is made of every stack and zone that can be touched or says why not."""

        def changed(thing: Any) -> Any:
            return made(thing) if thing.moves or thing.why else thing

        def zone_with(zone: Zone) -> Zone:
            stacks = [changed(stack) for stack in zone.stacks]
            if any(new is not old for new, old in zip(stacks, zone.stacks, strict=True)):  # most are reused
                zone = msgspec.structs.replace(zone, stacks=tuple(stacks))
            touched: Zone = changed(zone)
            return touched

        def zones_with(zones: tuple[Zone, ...]) -> tuple[Zone, ...]:
            return tuple([zone_with(zone) for zone in zones])

        places = tuple([msgspec.structs.replace(place, zones=zones_with(place.zones)) for place in self.places])
        return msgspec.structs.replace(
            self, centre=zones_with(self.centre), places=places, board=zones_with(self.board)
        )


class Thing(NamedTuple):
    """A stack or a zone that a game would have a player touch."""

    path: str  # where it lies in its zone: ".stacks.0", or "" for the zone itself
    moves: tuple[Move, ...]
    why: Text | None


class Things(NamedTuple):
    """What there is to touch in a zone."""

    path: str  # where the zone lies on the table: "board.1"
    things: tuple[Thing, ...]


class Touch(msgspec.Struct, frozen=True, gc=False):
    """What touching a stack or a zone does, or why it does nothing."""

    moves: tuple[Move, ...]
    why: Text | None = None


@remembered
def canonical(zone: Zone) -> Zone:
    """One object for all zones that look the same."""
    return zone


@remembered
def taken_apart(zone: Zone) -> tuple[Zone, tuple[Thing, ...]]:
    """A zone with nothing to touch, and what there is to touch in it. Bare zones that look the same are the same
    object, so that what has changed of a view is soon found."""
    stacks = [(f".stacks.{number}", stack) for number, stack in enumerate(zone.stacks)]
    parts: list[tuple[str, Zone | Stack]] = [("", zone), *stacks]
    things = tuple([Thing(path, part.moves, part.why) for path, part in parts if part.moves or part.why])
    if not things:
        return canonical(zone), things
    bare = tuple([untouchable(stack) for stack in zone.stacks])
    return canonical(msgspec.structs.replace(zone, stacks=bare, moves=(), why=None)), things


def bare_zones(zones: tuple[Zone, ...], path: str, things: list[Things]) -> tuple[Zone, ...]:
    """The same of zones that lie side by side; what there is to touch in them joins `things`. (How several zones look
    together is hardly ever seen again, so that is not remembered.)"""
    bare = []
    for number, zone in enumerate(zones):
        untouched, there = taken_apart(zone)
        bare.append(untouched)
        if there:
            things.append(Things(f"{path}.{number}", there))
    return tuple(bare)


@remembered
def untouchable(stack: Stack) -> Stack:
    return msgspec.structs.replace(stack, moves=(), why=None) if stack.moves or stack.why else stack


class Offer(msgspec.Struct, frozen=True, gc=False):
    """A move that may be made now, or the first choice of one (a Part), with its label and the key that makes it."""

    move: Move
    label: Text
    key: str
    risky: bool = False  # nobody should make it by accident: it gives up what could still be done


class Result(msgspec.Struct, frozen=True, gc=False):
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    winners: tuple[int, ...]


class Award(msgspec.Struct, frozen=True, gc=False):
    """One step of the final scoring: what for, why, and who gets how many points (nobody, one seat, or several)."""

    title: Text
    why: Text
    points: tuple[int, ...]  # by seat
    mark: Mark | None = None


class Moment(msgspec.Struct, frozen=True, gc=False):
    """Something that is seen only while it happens: a card that a player looks at, all cards turned up."""

    text: Text
    table: Table  # as it looks at that moment
    pause: bool  # the reader says when to go on; otherwise it passes by itself


class Gesture(msgspec.Struct, frozen=True, gc=False):
    """What everyone sees a player do with cards that lie face down: look at them, show them, or move them."""

    seat: int
    does: Literal["look", "show", "move"]
    at: tuple[str, ...]  # where the cards lie, or lay: "2.row.3" is the fourth of seat 2's row


class View(msgspec.Struct, frozen=True, gc=False):
    """All that a seat is shown: the table, whose decision it is, what is asked, what may be done, how it ended."""

    game: str
    viewer: int  # a seat, or NOBODY for a spectator
    actor: int
    table: Table
    prompt: Text
    offers: tuple[Offer, ...]
    result: Result | None
    awards: tuple[Award, ...] = ()

    def plain(self, language: Language, names: tuple[str, ...] = ()) -> Any:
        """The view as plain data in a language, for the wire; moves are spelled as in a record."""
        return as_plain(self, language, names)

    def encoded(self, language: Language, names: tuple[str, ...] = ()) -> bytes:
        """The same as JSON, to the byte, several times faster: only words and moves are converted."""
        table: Any = self.table.with_moves(lambda moves: tuple([move.encoded() for move in moves]))
        offers: Any = tuple([msgspec.structs.replace(offer, move=offer.move.encoded()) for offer in self.offers])
        return encoder(language, names).encode(msgspec.structs.replace(self, table=table, offers=offers))


@remembered
def encoder(language: Language, names: tuple[str, ...]) -> msgspec.json.Encoder:
    """What writes parts of a view, but for their moves, as JSON in a language."""

    def said(words: Any) -> str:
        if isinstance(words, WORDS):
            return language.say(words, names)
        raise TypeError(f"a view cannot hold {words!r}")

    return msgspec.json.Encoder(enc_hook=said)


def as_plain(value: Any, language: Language, names: tuple[str, ...] = ()) -> Any:
    """A view or a part of it as plain data in a language."""
    if isinstance(value, WORDS):
        return language.say(value, names)
    if isinstance(value, Move):
        return value.line()
    if isinstance(value, msgspec.Struct):
        return {name: as_plain(getattr(value, name), language, names) for name in value.__struct_fields__}
    return [as_plain(part, language, names) for part in value] if isinstance(value, tuple) else value
