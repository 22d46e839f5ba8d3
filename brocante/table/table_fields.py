"""Everything that a live table is, listed once, and what can be read off it. Nothing here changes a table."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self, get_args, get_origin, get_type_hints

import msgspec

from brocante.engine.box import Box
from brocante.engine.game import Game
from brocante.engine.history import History
from brocante.engine.moves import Move, Together
from brocante.engine.state import NOBODY
from brocante.engine.step import Step
from brocante.table.facts import Clock, Closed, Fact, Pace
from brocante.table.fair import deal_seed
from brocante.table.retired_game import RetiredGame

Phase = Literal["open", "playing", "over"]
#: Happenings kept in memory, for clients that come back soon.
LONGEST_HISTORY = 150
#: Marks a field that a snapshot leaves out.
NO_SNAPSHOT: Mapping[str, bool] = {"snapshot": False}


class Seat(msgspec.Struct, frozen=True, gc=False):
    """A seat: empty, a person's or a bot's."""

    who: str = ""  # the secret identity of the person, which no client is ever sent
    name: str = ""
    bot: str = ""  # which bot plays, where it is not a person's
    sat: int = 0  # the number of the event, in the stream of the seat, with which they sat down
    nonce: str = ""  # their share of the next deal
    away: bool = False
    left: bool = False  # they said so: an open connection does not bring them back
    resigned: bool = False
    bank: float = 0.0  # seconds left of their bank

    @property
    def is_empty(self) -> bool:
        return not self.who and not self.bot

    @property
    def plays(self) -> bool:
        """Whether a person decides here, and not a bot in their place."""
        return bool(self.who) and not self.away and not self.resigned


class Decision(msgspec.Struct, frozen=True):
    """What a seat has decided while others still may, and how many seconds it took."""

    move: dict[str, Any]
    by: Literal["player", "clock"]
    used: float


class Happening(msgspec.Struct, frozen=True, gc=False):
    """A fact, the time of day that is told of it, and the steps of the game that it made, each with the state after."""

    fact: Fact
    at: float
    names: tuple[str, ...]
    steps: tuple[Step, ...] = ()
    turn: int | None = None  # in whose turn a move was made (see `Step.turn`)
    fading: bool = True  # whether the log forgot, when it happened, what players are to remember


class Finished(msgspec.Struct, frozen=True):
    """A game that is over: its record (compressed), who won, and whether the log itself has the record."""

    compressed: bytes
    winners: tuple[int, ...]
    recorded: bool = True

    @property
    def record(self) -> bytes:
        return zlib.decompress(self.compressed)


@dataclass(eq=False)
class TableFields:
    """The fields of a live table, what follows from them, and how it is copied."""

    slowness: float = field(default=1.0, metadata=NO_SNAPSHOT)  # of bots: their pace is multiplied by it
    box: Box = field(init=False)
    opened: float = 0.0  # when
    options: dict[str, Any] = field(default_factory=dict)
    host: str = ""
    private: bool = False
    home: bool = False  # one person against bots (see `Opened`)
    clock: Clock = field(default_factory=Clock)
    fading: bool = True  # whether the log forgets what players are to remember
    seats: list[Seat] = field(default_factory=list)
    seed: str = ""  # of the next deal or of this one
    committed: bool = False  # whether the seed is that of the next deal
    game: Game | None = None
    retired: RetiredGame | None = field(default=None, metadata=NO_SNAPSHOT)  # instead of a game by our rules
    dealt_to: tuple[str, ...] = ()  # the names of those who play the game
    ended: bool = False  # before the rules ended it
    ended_by_operator: bool = False
    gave_up: int | None = None  # the last seat that did
    paused: bool = False
    chosen_pace: Pace = "quick"  # of bots, by whoever plays alone against them
    skipping: bool = False  # bots move at once until a person must decide
    since: float = 0.0  # when time was last counted, by the table's own time
    told: float = 0.0  # the latest time of day of what has happened
    used: float = 0.0  # seconds that the present decision had taken by then
    thought: History[float] = field(default_factory=History)  # seconds that each move of the game took
    played: float = 0.0  # seconds that the game had taken by then
    decisions: dict[int, tuple[Decision, ...]] = field(default_factory=dict)  # made while others still may
    undo_asked: int | None = None
    agreed: frozenset[int] = frozenset()  # to the undo
    removal_asked: int | None = None  # the seat of the person whom the host would remove from the game
    removal_agreed: frozenset[int] = frozenset()
    taken_back: dict[int, int] = field(default_factory=dict)  # how many moves of this game, by seat
    #: By seat, whether its last move or what came after it has shown it something: the number of that step, the steps
    #: looked at so far, and what was found (see `taking_back.py`).
    guessed_shown: dict[int, tuple[int, int, bool]] = field(default_factory=dict, metadata=NO_SNAPSHOT)
    speakers: tuple[tuple[str, int, float], ...] = ()  # who said something lately, from which seat, and when
    again: frozenset[int] = frozenset()  # who would play another game
    finished: list[Finished] = field(default_factory=list)  # games that are over, this one too once it is recorded
    recorded: bool = False  # whether this game is
    closed: Closed | None = None  # why it was not played to its end
    minutes: int | None = None  # after which the table's clock ends the game
    facts: int = 0  # how many there were
    event_counts: dict[int, int] = field(default_factory=dict)  # events so far, by viewer
    history: History[Happening] = field(default_factory=History, metadata=NO_SNAPSHOT)
    #: Events that came before those in the history, by viewer.
    forgotten_counts: dict[int, int] = field(default_factory=dict, metadata=NO_SNAPSHOT)

    def __post_init__(self) -> None:
        self.refresh()

    def refresh(self) -> None:
        """Work out what is read all the time: the `phase`, who decides `together`, and which seats are `deciding`.

        `deciding` has everyone who is to decide, whether they have made up their minds or not: all may know it.
        """
        actor = NOBODY if self.game is None else self.game.actor
        self.phase: Phase = "over" if self.ended or actor == NOBODY else "playing"
        if self.game is None and self.retired is None:
            self.phase = "open"
        self.together: Together | None = None
        self.deciding: tuple[int, ...] = ()
        if self.game and self.phase == "playing":
            self.together = self.game.together
            self.deciding = self.together.seats if self.together else (actor,)

    def copy(self) -> Self:
        """An independent copy, to which facts can be added."""
        other = object.__new__(type(self))
        fields = self.__dict__.copy()  # several times as fast as filling an empty one
        for name in COPIED:
            if (value := fields[name]) is not None:
                fields[name] = value.copy()
        other.__dict__ = fields
        if len(other.history) > LONGEST_HISTORY:
            other._forget(LONGEST_HISTORY // 2)
        return other

    def _forget(self, happenings: int) -> None:
        """Leave the first happenings to the log."""
        counts = dict(self.forgotten_counts)
        for happening in self.history[:happenings]:
            for viewer in filter(happening.fact.is_for, self.box.viewers):
                counts[viewer] = counts.get(viewer, 0) + 1
        self.forgotten_counts = counts
        self.history = History(self.history[happenings:])

    # --- people ---

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.name or f"Seat {number}" for number, seat in enumerate(self.seats))

    def seat_of(self, who: str) -> int | None:
        """Where somebody sits."""
        for number, seat in enumerate(self.seats):
            if who and seat.who == who:
                return number
        return None

    def viewer_of(self, who: str) -> int:
        """Through whose eyes somebody sees the table: their seat, or NOBODY for a spectator."""
        seat = self.seat_of(who)
        return NOBODY if seat is None else seat

    @property
    def people(self) -> list[int]:
        """The seats at which a person decides."""
        return [number for number, seat in enumerate(self.seats) if seat.plays]

    @property
    def pace(self) -> Pace:
        """How fast bots move. Where several people play, as fast as people do."""
        return self.chosen_pace if len(self.people) <= 1 else "people"

    def is_alone(self, seat: int) -> bool:
        """Whether nobody but bots plays against the person at a seat, who may also have given up and watch."""
        return bool(self.seats[seat].who) and not self.seats[seat].away and not {*self.people} - {seat}

    @property
    def has_players(self) -> bool:
        """Whether people play, even if they are away."""
        return any(seat.who and not seat.resigned for seat in self.seats)

    @property
    def is_deserted(self) -> bool:
        """Whether everyone has gone. Bots then wait, so that people can come back to the game."""
        return not any(seat.plays for seat in self.seats) and self.has_players

    # --- decisions ---

    @property
    def undecided(self) -> list[int]:
        return [seat for seat in self.deciding if not self.has_decided(seat)]

    def has_decided(self, seat: int) -> bool:
        """Whether a seat has made up its mind while others still may. Where it may decide on several things, it has
        once it lets the rest pass."""
        made = self.decisions.get(seat, ())
        return len(self.decided(seat)) < len(made) if self.otherwise else bool(made)

    def decided(self, seat: int) -> list[dict[str, Any]]:
        """What a seat has decided on so far, where it may decide on several things."""
        if self.otherwise is None:
            return []
        moves = [decision.move for decision in self.decisions.get(seat, ())]
        return [move for move in moves if move["move"] != self.otherwise.name()]

    @property
    def waits_for_bots(self) -> bool:
        """Whether nobody but bots is to decide, and at most one person plays against them."""
        return self.phase == "playing" and len(self.people) <= 1 and not {*self.people} & {*self.undecided}

    @property
    def otherwise(self) -> type[Move] | None:
        """While all decide at the same time on as much as they like: the move that says that a seat is done."""
        return self.together.otherwise if self.together else None

    # --- the deal and the result ---

    @property
    def deal(self) -> str:
        """What the game is dealt with: the seed at home, elsewhere what follows from it and everyone's nonces."""
        return self.seed if self.home else deal_seed(self.seed, [seat.nonce for seat in self.seats])

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won the game that is over."""
        return self.finished[-1].winners if self.phase == "over" and self.recorded else ()

    @property
    def taken_back_by_seat(self) -> list[int]:
        """How many moves each seat has taken back in this game."""
        return [self.taken_back.get(seat, 0) for seat in range(len(self.seats))]

    @property
    def is_outdated(self) -> bool:
        """Whether a game is under way by rules that are gone, or over and recorded nowhere."""
        return (self.retired is not None and not self.recorded) or not all(game.recorded for game in self.finished)

    def record(self) -> bytes:
        """The record of the last game that is over, with what is needed to check the deal."""
        return self.finished[-1].record


def can_be_copied(hint: Any) -> bool:
    """Whether values of a type change in place, so that a table must not share them with its copy. All others, lists
    and dictionaries too, are replaced by new ones: most commands change few of them."""
    kinds = [get_origin(kind) or kind for kind in (hint, *get_args(hint))]
    return any(kind in (History, Game, RetiredGame) for kind in kinds)


COPIED = [name for name, hint in get_type_hints(TableFields).items() if can_be_copied(hint)]
