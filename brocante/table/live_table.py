"""A table: what its facts add up to."""

import hashlib
import zlib
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec

from brocante.bots import best_bot
from brocante.engine.box import Box
from brocante.engine.errors import BrocanteError
from brocante.engine.game import Game, Step, header_of
from brocante.engine.history import History
from brocante.engine.moves import Move, Together
from brocante.engine.options import GIVEN
from brocante.engine.records import written as line_written
from brocante.engine.state import NOBODY
from brocante.engine.text import Text
from brocante.games import box as find_box
from brocante.table import facts as f
from brocante.table.facts import Clock, Fact
from brocante.table.fair import commitment, deal_seed
from brocante.table.retired_game import RetiredGame

Phase = Literal["open", "playing", "over"]
#: A bot takes between this and twice as much again of the table's pace for a decision.
QUICKEST = 0.6
#: Happenings that are kept in memory, for those who come back soon.
LONGEST_HISTORY = 600
#: Times of messages that are kept of each seat, to see whether one talks too much.
REMEMBERED = 8


class Refused(BrocanteError):
    """Something that cannot be done at the table now, or not by whoever asks. Nothing was changed."""

    def __init__(self, why: str, **blanks: Any) -> None:
        super().__init__(Text(f"table.refused.{why}", **blanks))
        self.code = why


class Seat(msgspec.Struct, frozen=True, gc=False):
    """A seat: empty, a person's or a bot's."""

    who: str = ""  # the secret identity of the person, which no client is ever sent
    name: str = ""
    bot: str = ""  # which bot plays, where it is not a person's
    sat: int = 0  # the number of the event, in the stream of the seat, with which they sat down
    nonce: str = ""  # their share of the next deal
    away: bool = False
    left: bool = False  # they said so, so that a connection that is still open does not bring them back
    resigned: bool = False
    bank: float = 0.0  # seconds that are left of the bank
    spoken: tuple[float, ...] = ()  # when they said something lately

    @property
    def is_empty(self) -> bool:
        return not self.who and not self.bot

    @property
    def plays(self) -> bool:
        """Whether a person decides here, and not a bot, be it in their place."""
        return bool(self.who) and not self.away and not self.resigned


class Decision(msgspec.Struct, frozen=True):
    """What a seat has decided while others still may, and how many seconds it has thought."""

    move: dict[str, Any]
    by: Literal["player", "clock"]
    used: float


class Appointment(msgspec.Struct, frozen=True, order=True):
    """Something that the table must do by itself at a time: let bots decide, close a window, decide for a seat that is
    late, say that the time of the game is up."""

    at: float
    what: Literal["bots", "window", "late", "time"]
    seat: int = NOBODY


class Happening(msgspec.Struct, frozen=True, gc=False):
    """A fact at its time, and the steps of the game that it made, each with the state after it."""

    fact: Fact
    at: float
    names: tuple[str, ...]
    steps: tuple[tuple[Step, bytes], ...] = ()


class Finished(msgspec.Struct, frozen=True):
    """A game that is over: its record, who won, and whether the log itself has the record."""

    record: bytes
    winners: tuple[int, ...]
    recorded: bool = True


class LiveTable:
    """One table. `apply` adds a fact; nothing else changes it."""

    def __init__(self, pace: float = 1.0) -> None:
        """`pace`: about how many seconds a bot takes for a decision."""
        self.pace = pace
        self.box: Box
        self.opened = 0.0  # when
        self.options: dict[str, Any] = {}
        self.host = ""
        self.private = False
        self.home = False  # one person against bots (see `Opened`)
        self.clock = Clock()
        self.seats: list[Seat] = []
        self.seed = ""  # of the next deal or of this one
        self.committed = False  # whether it is that of the next one
        self.game: Game | None = None
        self.retired: RetiredGame | None = None  # instead of a game that was not played by our rules
        self.dealt_to: tuple[str, ...] = ()  # the names of those who play it
        self.ended = False  # without the rules having come to an end
        self.paused = False
        self.since = 0.0  # when time was last counted
        self.used = 0.0  # seconds that the present decision has taken until then
        self.thought: History[float] = History()  # seconds that each move of the game has taken
        self.played = 0.0  # seconds that the game has taken until then
        self.decisions: dict[int, tuple[Decision, ...]] = {}  # made while others still may
        self.undo_asked: int | None = None
        self.agreed: frozenset[int] = frozenset()  # to the undo
        self.again: frozenset[int] = frozenset()  # who would play another game
        self.finished: list[Finished] = []  # the games that are over, this one among them once it is recorded
        self.recorded = False  # whether it is
        self.closed: f.Closed | None = None  # why it was not played to its end
        self.facts = 0  # how many there were
        self.history: History[Happening] = History()
        self.event_counts: dict[int, int] = {}  # of how many facts each viewer was told
        self.forgotten_counts: dict[int, int] = {}  # of how many before those in the history
        self.minutes: int | None = None  # after which the table's clock ends the game
        self.refresh()

    def copy(self) -> "LiveTable":
        """An independent copy, to which facts can be added."""
        other = object.__new__(LiveTable)
        other.__dict__.update(self.__dict__)
        other.seats = list(self.seats)
        other.game = self.game and self.game.copy()
        other.retired = self.retired and self.retired.copy()
        other.thought = self.thought.copy()
        other.decisions = dict(self.decisions)
        other.finished = list(self.finished)
        other.history = self.history.copy()
        other.event_counts, other.forgotten_counts = dict(self.event_counts), dict(self.forgotten_counts)
        if len(other.history) > LONGEST_HISTORY:
            other._forget(LONGEST_HISTORY // 2)
        return other

    def _forget(self, happenings: int) -> None:
        """Leave the first happenings to the log."""
        for happening in self.history[:happenings]:
            for viewer in filter(happening.fact.is_for, self.box.viewers):
                self.forgotten_counts[viewer] = self.forgotten_counts.get(viewer, 0) + 1
        self.history = History(self.history[happenings:])

    # --- how things stand ---

    def refresh(self) -> None:
        """What follows from the game as it stands, and is asked for all the time.

        `phase`; `together`: who decides at the same time now; `deciding`: who is to decide, whether they have made up
        their minds or not, which is what everyone may know.
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

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.name or f"Seat {number}" for number, seat in enumerate(self.seats))

    @property
    def commitment(self) -> str:
        return commitment(self.seed)

    @property
    def deal(self) -> str:
        """What the game is dealt with: the seed at home, elsewhere what follows from it and everyone's nonces."""
        return self.seed if self.home else deal_seed(self.seed, [seat.nonce for seat in self.seats])

    def seat_of(self, who: str) -> int | None:
        """Where somebody sits."""
        for number, seat in enumerate(self.seats):
            if who and seat.who == who:
                return number
        return None

    @property
    def people(self) -> list[int]:
        """The seats at which a person decides."""
        return [number for number, seat in enumerate(self.seats) if seat.plays]

    @property
    def undecided(self) -> list[int]:
        return [seat for seat in self.deciding if not self.has_decided(seat)]

    def has_decided(self, seat: int) -> bool:
        """Whether a seat has made up its mind while others still may: where one may decide on several things, until one
        lets the rest pass."""
        made = self.decisions.get(seat, ())
        return len(self.decided(seat)) < len(made) if self.otherwise else bool(made)

    def decided(self, seat: int) -> list[dict[str, Any]]:
        """What a seat has decided on so far, where it may decide on several things."""
        if self.otherwise is None:
            return []
        moves = [decision.move for decision in self.decisions.get(seat, ())]
        return [move for move in moves if move["move"] != self.otherwise.name()]

    @property
    def otherwise(self) -> type[Move] | None:
        """While all decide at the same time on as much as they like: the move that says that one is done."""
        return self.together.otherwise if self.together else None

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won the game that is over."""
        return self.finished[-1].winners if self.phase == "over" and self.recorded else ()

    # --- the record ---

    @property
    def is_outdated(self) -> bool:
        """Whether a game is under way by rules that are gone, or over and recorded nowhere."""
        return (self.retired is not None and not self.recorded) or not all(game.recorded for game in self.finished)

    def record(self) -> bytes:
        """The record of the last game that is over, with what is needed to check the deal."""
        return self.finished[-1].record

    def recording(self) -> f.Recorded:
        """What is kept of the game that is over."""
        return f.Recorded(len(self.finished) + 1, zlib.compress(self._record()), self._winners())

    def _winners(self) -> tuple[int, ...]:
        """Where the game ended before its time, those have won who have not given up; of a game that was not played by
        our rules we do not know."""
        if self.ended and not self.closed:
            return tuple(number for number, seat in enumerate(self.seats) if not seat.resigned)
        return tuple(self.game.winners) if self.game else ()

    def _record(self) -> bytes:
        header, *lines = self._lines()
        if not self.home:
            nonces = [seat.nonce for seat in self.seats]
            header["fair"] = {"commitment": self.commitment, "seed": self.seed, "nonces": nonces}
        return b"".join(map(line_written, [header, *lines]))

    def _lines(self) -> Iterator[dict[str, Any]]:
        if self.game:
            yield from self.game.lines(self.dealt_to)
        elif self.retired:
            yield header_of(self.box.slug, self.retired.edition, self.options, self.dealt_to, self.deal)
            yield from self.retired.lines(self.box, self.options, self.deal)

    # --- time ---

    @property
    def is_running(self) -> bool:
        """Whether time counts."""
        return self.phase == "playing" and not self.paused and not self.is_deserted

    def _passed(self, now: float) -> float:
        """Seconds that count since time was last counted."""
        return max(0.0, now - self.since) if self.is_running else 0.0

    def seconds_left(self, seat: int, now: float) -> float | None:
        """What is left to a seat that is to decide, or of its bank; None where there is no clock for it. It is what
        everyone may know: the clock of one who has decided while others still may does not stop for all to see."""
        if self.clock.kind == "none" or not self.seats[seat].plays:
            return None
        limit = self.clock.seconds if self.clock.kind == "move" else self.seats[seat].bank
        return max(0.0, limit - self.used - self._passed(now)) if self.is_timed(seat) else limit

    def is_timed(self, seat: int) -> bool:
        """Whether a decision takes time off a seat's clock: in a window that closes by itself it does not."""
        return seat in self.deciding and not self.otherwise

    def window_left(self, now: float) -> float | None:
        """How long the window is still open in which all decide at the same time; None where there is none."""
        if self.otherwise is None or self.home:
            return None
        return max(0.0, self.clock.window - self.used - self._passed(now))

    def game_left(self, now: float) -> float | None:
        """What is left of the time after which the table's clock ends the game; None where it does not."""
        if self.minutes is None or self.phase != "playing":
            return None
        return max(0.0, 60 * self.minutes - self.played - self._passed(now))

    def due(self) -> float | None:
        """When the table must act by itself: for a bot, for a clock, to close a window. None: it waits for somebody."""
        return min((appointment.at for appointment in self.appointments()), default=None)

    def appointments(self) -> Iterator[Appointment]:
        """All that the table must do by itself, if nobody does anything before."""
        if not self.is_running:
            return
        start = self.since - self.used  # when the decision began, pauses left out
        game_left = self.game_left(self.since)
        if game_left is not None and self.game_events:
            yield Appointment(self.since + game_left, "time")
        thinking = [seat for seat in self.undecided if self.seats[seat].plays]
        if not thinking:
            yield Appointment(start + self.bots_pace, "bots")
        elif self.otherwise:
            if not self.home:
                yield Appointment(start + self.clock.window, "window")
        elif self.clock.kind != "none":
            yield from (
                Appointment(self.since + (self.seconds_left(p, self.since) or 0.0), "late", p) for p in thinking
            )

    @property
    def game_events(self) -> tuple[dict[str, Any], ...]:
        """What the table's clock could announce now."""
        return self.game.events if self.game else ()

    @property
    def is_deserted(self) -> bool:
        """Whether everyone has gone: bots do not play on by themselves, so that one can come back to the game."""
        return not any(seat.plays for seat in self.seats) and self._has_players

    @property
    def _has_players(self) -> bool:
        """Whether there are people who play, be it that they are away."""
        return any(seat.who and not seat.resigned for seat in self.seats)

    @property
    def bots_pace(self) -> float:
        """How long a bot takes for this decision: a while, as a person would, and not always the same."""
        assert self.game
        if all(self.seats[seat].plays for seat in self.deciding):
            return 0.0
        drawn = hashlib.blake2b(f"{self.game.seed}/{len(self.game.steps)}".encode(), digest_size=1).digest()[0] / 256
        return self.pace * (QUICKEST + drawn)

    # --- what happens ---

    def apply(self, fact: Fact, at: float, *, logged: bool = False) -> Fact:
        """Add a fact; it is returned as the log is to have it. One that cannot be (an illegal move) raises, and the
        table is not to be used any more. One that was `logged` has been: if it cannot be by our rules, the game was
        played by others (see `earlier`)."""
        if not isinstance(fact, f.Stalled):
            self._pass_time(at)
        self.since = max(at, self.since)
        names = self.names if isinstance(fact, f.Stood) else ()
        steps = len(self.game.steps) if self.game and not isinstance(fact, f.Started) else 0
        if logged and isinstance(fact, f.Started | f.Moved | f.Announced):
            self._add_logged(fact, steps)
        else:
            self._add(fact)
        self.refresh()
        self._note(fact, at, steps, names or self.names)
        return fact if logged else self._as_logged(fact, steps)

    def _add_logged(self, fact: f.Started | f.Moved | f.Announced, steps: int) -> None:
        """Add what happened in a game; from where our rules do not agree, what the log says of it."""
        if self.retired is None or isinstance(fact, f.Started):
            if self._can_be(fact, steps):
                return
            self._leave_to_log(fact, steps)
        assert self.retired
        self.retired.add(fact)

    def _can_be(self, fact: f.Started | f.Moved | f.Announced, steps: int) -> bool:
        """Add a fact if it is one by our rules, with all that is said to have followed from it."""
        if isinstance(fact, f.Started) and (fact.edition, fact.version) != (self.box.edition, self.box.version):
            return False
        try:
            self._add(fact)
        except BrocanteError:
            return False
        return isinstance(fact, f.Announced) or not fact.standing or fact == self._as_logged(fact, steps)

    def _leave_to_log(self, fact: Fact, steps: int) -> None:
        """The game was played by other rules than ours, from this fact on or all of it."""
        if isinstance(fact, f.Started):
            self._begin_anew()
            self.retired = RetiredGame(fact.edition)
        elif self.game:
            self.retired = RetiredGame.parted(self.game, steps)
        self.game = None
        self._ask_anew()

    def _as_logged(self, fact: Fact, steps: int) -> Fact:
        """A fact that was just added, with what followed from it; the game had so many steps before."""
        if self.game is None or not isinstance(fact, f.Started | f.Moved):
            return fact
        fell = tuple(step.line for step in self.game.steps[steps:] if step.is_chance)
        return msgspec.structs.replace(fact, fell=fell, standing=(self.game.actor, *self.game.scores))

    def _pass_time(self, at: float) -> None:
        passed = self._passed(at)
        self.used += passed
        self.played += passed

    def _add(self, fact: Fact) -> None:
        match fact:
            case f.Opened(game, options, host, private, clock, home):
                self.box, self.host, self.opened, self.home = find_box(game), host, self.since, home
                self._choose(options, private, clock)
            case f.Changed(options, private, clock):
                self._choose(options, private, clock)
            case f.Committed(seed):
                self._finish_unrecorded()
                self.seed, self.committed = seed, True
                self.again = frozenset()
                self.seats = [msgspec.structs.replace(seat, nonce="") for seat in self.seats]
            case f.Sat(seat, who, name):
                self.seats[seat] = Seat(who=who, name=name, sat=self.event_counts.get(seat, 0) + 1)
            case f.BotSat(seat, bot, name):
                self.seats[seat] = Seat(bot=bot, name=name)
            case f.Stood(seat):
                self._get_up(seat)
            case f.Hosted(who):
                self.host = who
            case f.Contributed(seat, nonce):
                self._seat(seat, nonce=nonce)
            case f.Started(_, _, fell):
                self._start(fell)
            case f.Moved(seat, move):
                self._move(seat, move)
            case f.Decided(seat, move, by):
                before = self.decisions.get(seat, ()) if self.otherwise else ()
                self.decisions[seat] = (*before, Decision(move, by, self.used))
            case f.Announced(line):
                assert self.game
                self.game.announce(line)
            case f.UndoAsked(seat):
                self.undo_asked, self.agreed = seat, frozenset()
            case f.UndoAgreed(seat):
                self.agreed |= {seat}
            case f.UndoRefused():
                self._let_be()
            case f.Undone(seat, moves):
                self._undo(seat, moves)
            case f.Paused():
                self.paused = True
            case f.Resumed():
                self.paused = False
            case f.Stalled():
                self.used = 0.0
            case f.Went(seat, left):
                self._seat(seat, away=True, left=left)
                self._let_be(seat)
            case f.Returned(seat):
                self._seat(seat, away=False, left=False)
            case f.Resigned(seat):
                self._seat(seat, resigned=True)
                self._let_be(seat)
            case f.Ended():
                self._end()
            case f.Closed():
                self._end()
                self.closed = fact
            case f.Recorded():
                self._finish(fact)
            case f.Said(seat):
                self._seat(seat, spoken=(*self.seats[seat].spoken, self.since)[-REMEMBERED:])
            case f.AgainAsked(seat):
                self.again |= {seat}

    def _choose(self, options: Mapping[str, Any], private: bool, clock: Clock) -> None:
        self.options, self.private, self.clock, self.again = dict(options), private, clock, frozenset()
        players = int(options["players"])
        self.seats = [*self.seats[:players], *[Seat()] * (players - len(self.seats))]

    def _seat(self, seat: int, **changes: Any) -> None:
        self.seats[seat] = msgspec.structs.replace(self.seats[seat], **changes)

    def _get_up(self, seat: int) -> None:
        self.again -= {seat}
        self._let_be(seat)
        if self.phase == "playing":  # a bot plays on
            self._seat(seat, who="", bot=best_bot(self.box), away=False)
            self.paused = self.paused and self._has_players  # or nobody could go on
        else:
            self.seats[seat] = Seat()

    def _let_be(self, seat: int | None = None) -> None:
        """Nothing is to be taken back any more, if it was for this seat: one who is gone waits for no answer."""
        if seat in (None, self.undo_asked):
            self.undo_asked, self.agreed = None, frozenset()

    def _start(self, fell: tuple[dict[str, Any], ...]) -> None:
        """Deal. A file of one's own is known only from the deal, so that is taken as it fell."""
        if GIVEN in self.options.values():
            self.game = Game(self.box, self.options)
            for line in fell:
                self.game.chance(line)
            self.game.go_on_with(self.deal)
        else:
            self.game = Game(self.box, self.options, self.deal)
        self._begin_anew()
        self.minutes = self.box.clock(self.game.options)

    def _begin_anew(self) -> None:
        """Another game begins."""
        self.dealt_to, self.retired, self.recorded, self.closed = self.names, None, False, None
        self.ended, self.paused, self.committed, self.played, self.again = False, False, False, 0.0, frozenset()
        bank = float(self.clock.seconds) if self.clock.kind == "bank" else 0.0
        self.seats = [msgspec.structs.replace(seat, bank=bank, resigned=False) for seat in self.seats]
        self.thought = History()
        self._ask_anew()

    def _end(self) -> None:
        """The game is over before its time."""
        self.ended, self.paused = True, False
        self._let_be()

    def _finish(self, fact: f.Recorded) -> None:
        """A game that is over is what its record says. If our rules make something else of it, it was played by
        others."""
        if fact.game > len(self.finished):
            if self.game and self.phase != "over":  # by our rules it would go on
                self._leave_to_log(fact, len(self.game.steps))
                self.refresh()
            self._finish_unrecorded()
        kept = Finished(zlib.decompress(fact.record), fact.winners)
        is_on_table = self.phase == "over" and fact.game == len(self.finished)
        if is_on_table and self.game and self.finished[-1].record != kept.record:
            self._leave_to_log(fact, len(self.game.steps))
        self.finished[fact.game - 1] = kept

    def _finish_unrecorded(self) -> None:
        """The game is over, as our rules have it. Logs that are older than records in them have no more to say of it:
        then comes the seed of another one."""
        if self.phase == "over" and not self.recorded:
            self.finished.append(Finished(self._record(), self._winners(), recorded=False))
            self.recorded = True

    def _move(self, seat: int, move: Mapping[str, Any]) -> None:
        assert self.game
        self.game.play({"seat": seat, **move})
        self._charge()
        self.thought.append(self.used)
        self._ask_anew()

    def _charge(self) -> None:
        """Take the time of a decision off the banks of those who were asked."""
        if self.clock.kind != "bank":
            return
        for seat in filter(self.is_timed, self.deciding):
            used = self.decisions[seat][-1].used if seat in self.decisions else self.used
            self._seat(seat, bank=max(0.0, self.seats[seat].bank - used))

    def _undo(self, seat: int, moves: int) -> None:
        """Take moves back, but not the time: one who has asked nobody goes on thinking where they left off."""
        if self.retired:
            self.retired.undo(moves)
        if self.game is None:
            return
        self._charge()
        used, agreed = self.used, self.undo_asked == seat
        for _ in range(moves):
            self.game.undo()
            used += self.thought[-1]
            self.thought.cut(len(self.thought) - 1)
        self._ask_anew()
        if self.clock.kind == "move" and not agreed:
            self.used = used

    def _ask_anew(self) -> None:
        """Another decision is to be made."""
        self.used, self.decisions = 0.0, {}
        self._let_be()

    def _note(self, fact: Fact, at: float, steps: int, names: tuple[str, ...]) -> None:
        """Remember what happened, for those who are told of it later."""
        self.facts += 1
        made = tuple(self._steps_since(steps))
        happening = Happening(fact, at, self.dealt_to if made else names, made)
        self.history.append(happening)
        for viewer in self.box.viewers:
            if fact.is_for(viewer):
                self.event_counts[viewer] = self.event_counts.get(viewer, 0) + 1

    def _steps_since(self, number: int) -> Iterator[tuple[Step, bytes]]:
        if self.game is None:
            return
        steps = self.game.steps[number:]
        afters = [step.before for step in steps[1:]] + [self.game.state.tobytes()]
        yield from zip(steps, afters, strict=False)
