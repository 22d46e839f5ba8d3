"""A live table: what its facts add up to."""

import zlib
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from brocante.bots import best_bot
from brocante.engine.errors import BrocanteError
from brocante.engine.game import Game, header_of
from brocante.engine.history import History
from brocante.engine.moves import Move
from brocante.engine.options import GIVEN
from brocante.engine.records import written as line_written
from brocante.games import box as find_box
from brocante.table import facts as f
from brocante.table.clocks import TableClocks
from brocante.table.facts import Clock, Fact
from brocante.table.fair import commitment
from brocante.table.retired_game import RetiredGame
from brocante.table.table_fields import Decision, Finished, Happening, Seat

#: The rate limit of the chat: so many messages of one person in CHAT_SECONDS, whichever seats they take meanwhile, and
#: so many from one seat, whoever takes it. So nobody can use up what others may say, and no more need be remembered.
CHATTY, CHAT_SECONDS = 5, 10.0


class LiveTable(TableClocks):
    """One table. `apply` adds a fact; nothing else changes it."""

    def apply(
        self, fact: Fact, at: float, *, told: float | None = None, logged: bool = False, move: Move | None = None
    ) -> Fact:
        """Add a fact; returns it as the log is to have it.

        It happens `at` the table's own time, by which clocks count. `told` is the time of day that viewers are told,
        if that is another: the clock on a wall may be set back or forward.

        A fact that cannot be (an illegal move) raises, and leaves the table unusable. A fact that was `logged` has
        been: if our rules do not allow it, the game was played by others (see `retired_game.py`). `move` is the move
        of a Moved, where the caller has read it already.
        """
        if not isinstance(fact, f.Stalled):
            self._pass_time(at)
        self.since = max(at, self.since)
        names = self.names if isinstance(fact, f.Stood) else ()
        steps = len(self.game.steps) if self.game and not isinstance(fact, f.Started) else 0
        if logged and isinstance(fact, f.Started | f.Moved | f.Announced):
            self._add_logged(fact, steps)
        elif logged and isinstance(fact, f.Recorded):
            self._add_logged_record(fact)
        else:
            self._add(fact, move)
        self.refresh()
        self._note(fact, at if told is None else told, steps, names)
        return fact if logged else self._as_logged(fact, steps)

    def _add_logged(self, fact: f.Started | f.Moved | f.Announced, steps: int) -> None:
        """Add what happened in a game; from where the present rules disagree, as the log has it."""
        if self.retired is None or isinstance(fact, f.Started):
            if self._can_be(fact, steps):
                return
            self._retire_game(fact, steps)
        assert self.retired
        self.retired.add(fact)

    def _can_be(self, fact: f.Started | f.Moved | f.Announced, steps: int) -> bool:
        """Add a fact if the present rules allow it, and lead to what the log says followed from it."""
        if isinstance(fact, f.Started) and (fact.edition, fact.version) != (self.box.edition, self.box.version):
            return False
        try:
            self._add(fact)
        except BrocanteError:
            return False
        return isinstance(fact, f.Announced) or not fact.standing or fact == self._as_logged(fact, steps)

    def _retire_game(self, fact: Fact, steps: int) -> None:
        """The game was played by other rules, from this fact on or from the beginning."""
        if isinstance(fact, f.Started):
            self._reset_game()
            self.retired = RetiredGame(fact.edition)
        elif self.game:
            self.retired = RetiredGame.parted(self.game, steps)
        self.game = None
        self._next_decision()

    def _as_logged(self, fact: Fact, steps: int) -> Fact:
        """A fact that was just added, with what followed from it; the game had so many steps before."""
        if self.game is None or not isinstance(fact, f.Started | f.Moved):
            return fact
        fell = tuple([step.line for step in self.game.steps[steps:] if step.is_chance])
        return msgspec.structs.replace(fact, fell=fell, standing=(self.game.actor, *self.game.scores))

    def time_told(self, told: float) -> float:
        """The table's own time of something of which only the time of day is known, as in older logs."""
        return self.since + max(0.0, told - self.told)

    def _pass_time(self, at: float) -> None:
        passed = self.seconds_since(at)
        self.used += passed
        self.played += passed

    def _add(self, fact: Fact, read: Move | None = None) -> None:
        match fact:
            case f.Opened(game, options, host, private, clock, home, fading):
                self.box, self.host, self.opened, self.home = find_box(game), host, self.since, home
                self.fading = fading
                self._choose(options, private, clock)
            case f.Changed(options, private, clock, fading):
                self.fading = fading
                self._choose(options, private, clock)
            case f.Committed(seed):
                self._finish_unrecorded()
                self.seed, self.committed = seed, True
                self.again = frozenset()
                self.seats = [msgspec.structs.replace(seat, nonce="") for seat in self.seats]
            case f.Sat(seat, who, name):
                self._put(seat, Seat(who=who, name=name, sat=self.event_counts.get(seat, 0) + 1))
            case f.BotSat(seat, bot, name):
                self._put(seat, Seat(bot=bot, name=name))
            case f.Stood(seat):
                self._get_up(seat)
            case f.Hosted(who):
                self.host = who
            case f.Contributed(seat, nonce):
                self._seat(seat, nonce=nonce)
            case f.Started(_, _, fell):
                self._start(fell)
            case f.Moved(seat, move):
                self._play(read or {"seat": seat, **move})
            case f.Decided(seat, move, by):
                before = self.decisions.get(seat, ()) if self.otherwise else ()
                self.decisions = {**self.decisions, seat: (*before, Decision(move, by, self.used))}
            case f.Announced(line):
                assert self.game
                self.game.announce(line)
            case f.UndoAsked(seat):
                self.undo_asked, self.agreed = seat, frozenset()
            case f.UndoAgreed(seat):
                self.agreed |= {seat}
            case f.UndoRefused():
                self._drop_undo()
            case f.RemovalAsked(seat):
                self.removal_asked, self.removal_agreed = seat, frozenset()
            case f.RemovalAgreed(seat):
                self.removal_agreed |= {seat}
            case f.RemovalRefused() | f.RemovalWithdrawn():
                self._drop_removal()
            case f.Undone(seat, moves):
                self._undo(seat, moves)
            case f.Paused():
                self.paused = True
            case f.Resumed():
                self.paused = False
            case f.Paced(_, pace):
                self.chosen_pace = pace
            case f.Skipped():
                self.skipping = True
            case f.CaughtUp():
                self.skipping = False
            case f.Stalled():
                self.used = 0.0
            case f.Went(seat, left):
                self._seat(seat, away=True, left=left)
                self._drop_undo(seat)
                if left:
                    self._drop_removal(seat)
            case f.Returned(seat):
                self._seat(seat, away=False, left=False)
            case f.Resigned(seat):
                self._seat(seat, resigned=True)
                self.gave_up = seat
                self._drop_undo(seat)
                self._drop_removal(seat)
            case f.Ended(by):
                self._end()
                self.ended_by_operator = by == "operator"
            case f.Closed():
                self._end()
                self.closed = fact
            case f.Recorded():
                self._finish(fact)
            case f.Said(seat):
                speaker = self.seats[seat].who, seat, self.since
                self.speakers = (*self.speakers, speaker)[-CHATTY * len(self.seats) :]
            case f.AgainAsked(seat):
                self.again |= {seat}

    def _choose(self, options: Mapping[str, Any], private: bool, clock: Clock) -> None:
        self.options, self.private, self.clock, self.again = dict(options), private, clock, frozenset()
        players = int(options["players"])
        self.seats = [*self.seats[:players], *[Seat()] * (players - len(self.seats))]

    def _seat(self, seat: int, **changes: Any) -> None:
        self._put(seat, msgspec.structs.replace(self.seats[seat], **changes))

    def _put(self, number: int, seat: Seat) -> None:
        seats = self.seats.copy()
        seats[number] = seat  # which there must be: a log may have been tampered with
        self.seats = seats

    def _get_up(self, seat: int) -> None:
        self.again -= {seat}
        self._drop_undo(seat)
        self._drop_removal(seat)
        if self.phase == "playing":  # a bot plays on
            self._seat(seat, who="", bot=best_bot(self.box), away=False)
            self.paused = self.paused and self.has_players  # or nobody could go on
        else:
            self._put(seat, Seat())

    def _drop_undo(self, seat: int | None = None) -> None:
        """Drop the question whether to take a move back, if this seat asked it or none is named."""
        if seat in (None, self.undo_asked):
            self.undo_asked, self.agreed = None, frozenset()

    def _drop_removal(self, seat: int | None = None) -> None:
        """Drop the question whether to remove somebody, if it is the person at this seat or none is named."""
        if seat in (None, self.removal_asked):
            self.removal_asked, self.removal_agreed = None, frozenset()

    def _start(self, fell: tuple[dict[str, Any], ...]) -> None:
        """Deal. A file of one's own is known only from the deal, so that is taken as it fell."""
        if GIVEN in self.options.values():
            self.game = Game(self.box, self.options)
            for line in fell:
                self.game.chance(line)
            self.game.go_on_with(self.deal)
        else:
            self.game = Game(self.box, self.options, self.deal)
        self._reset_game()
        self.minutes = self.box.clock(self.game.options)

    def _reset_game(self) -> None:
        """Reset what belongs to one game."""
        self.dealt_to, self.retired, self.recorded, self.closed = self.names, None, False, None
        self.gave_up, self.taken_back, self.guessed_shown = None, {}, {}
        self.ended, self.paused, self.committed, self.played, self.again = False, False, False, 0.0, frozenset()
        self.ended_by_operator = False
        bank = float(self.clock.seconds) if self.clock.kind == "bank" else 0.0
        self.seats = [msgspec.structs.replace(seat, bank=bank, resigned=False) for seat in self.seats]
        self.thought = History()
        self._drop_removal()
        self._next_decision()

    def _end(self) -> None:
        """End the game before its rules do."""
        self.ended, self.paused = True, False
        self._drop_undo()

    def _add_logged_record(self, fact: f.Recorded) -> None:
        """Keep a record of the log. If the present rules disagree with it, other rules were played."""
        if fact.game > len(self.finished):
            if self.game and self.phase != "over":  # by our rules it would go on
                self._retire_game(fact, len(self.game.steps))
                self.refresh()
            self._finish_unrecorded()
        is_on_table = self.phase == "over" and fact.game == len(self.finished)
        if is_on_table and self.game and moves_of(self.finished[-1].record) != moves_of(zlib.decompress(fact.record)):
            self._retire_game(fact, len(self.game.steps))
        self._finish(fact)

    def _finish(self, fact: f.Recorded) -> None:
        """Keep the record of a game that is over."""
        if self.phase == "over" and fact.game > len(self.finished):
            self.recorded = True
            self._drop_removal()
        kept = Finished(fact.record, fact.winners)
        self.finished = [*self.finished[: fact.game - 1], kept, *self.finished[fact.game :]]

    def _finish_unrecorded(self) -> None:
        """Keep a game that is over without a record in the log. In older logs, the next seed says that it is."""
        if self.phase == "over" and not self.recorded:
            self.finished = [*self.finished, Finished(zlib.compress(self._record()), self._winners(), recorded=False)]
            self.recorded = True
            self._drop_removal()

    def _play(self, move: Move | Mapping[str, Any]) -> None:
        assert self.game
        self.game.play(move)
        self._charge()
        self.thought.append(self.used)
        self._next_decision()

    def _charge(self) -> None:
        """Take the time of a decision off the banks of those who decided."""
        if self.clock.kind != "bank":
            return
        for seat in filter(self.is_timed, self.deciding):
            used = self.decisions[seat][-1].used if seat in self.decisions else self.used
            self._seat(seat, bank=max(0.0, self.seats[seat].bank - used))

    def _undo(self, seat: int, moves: int) -> None:
        """Take moves back, but not the time: a player who needed nobody's consent goes on where they left off."""
        self.taken_back = {**self.taken_back, seat: self.taken_back.get(seat, 0) + 1}
        self.guessed_shown = {}
        if self.retired:
            self.retired.undo(moves)
        if self.game is None:
            return
        self._charge()
        used, agreed = self.used, self.undo_asked == seat
        for _ in range(moves):
            used += self.thought[-1] if self.game.undo().seat == seat else 0.0
            self.thought.cut(len(self.thought) - 1)
        self._next_decision()
        if self.clock.kind == "move" and not agreed:
            self.used = used

    def _next_decision(self) -> None:
        """Begin the next decision."""
        self.used, self.decisions = 0.0, {}
        self._drop_undo()

    # --- the record ---

    def recording(self) -> f.Recorded:
        """The fact that keeps the record of the game that is over."""
        return f.Recorded(len(self.finished) + 1, zlib.compress(self._record()), self._winners())

    def _winners(self) -> tuple[int, ...]:
        """Who has won. If the game ended before its time, those who have not given up; of a game by retired rules
        nobody knows, and nobody has won one that the operator has closed."""
        if self.ended_by_operator:
            return ()
        if self.ended and not self.closed:
            return tuple(number for number, seat in enumerate(self.seats) if not seat.resigned)
        return tuple(self.game.winners) if self.game else ()

    def _record(self) -> bytes:
        header, *lines = self._lines()
        if not self.home:
            nonces = [seat.nonce for seat in self.seats]
            header["fair"] = {"commitment": commitment(self.seed), "seed": self.seed, "nonces": nonces}
            if self.taken_back:
                header["fair"]["taken_back"] = self.taken_back_by_seat
        return b"".join(map(line_written, [header, *lines]))

    def _lines(self) -> Iterator[dict[str, Any]]:
        if self.game:
            yield from self.game.lines(self.dealt_to)
        elif self.retired:
            yield header_of(self.box.slug, self.retired.edition, self.options, self.dealt_to, self.deal)
            yield from self.retired.lines(self.box, self.options, self.deal)

    # --- history ---

    def _note(self, fact: Fact, told: float, steps: int, names: tuple[str, ...]) -> None:
        """Remember what happened, for those who are told later."""
        self.facts += 1
        self.told = max(told, self.told)
        made = tuple(self.game.steps[steps:]) if self.game else ()
        turn = made[0].turn(self.box) if made and isinstance(fact, f.Moved) else getattr(fact, "seat", None)
        names = self.dealt_to if made else names or self.names
        happening = Happening(fact, told, names, made, turn, self.fading)
        self.history.append(happening)
        counts, is_for = self.event_counts, fact.is_for
        self.event_counts = {viewer: counts.get(viewer, 0) + is_for(viewer) for viewer in self.box.viewers}


def moves_of(record: bytes) -> bytes:
    """A record without its header, which has said more and more over time."""
    return record.partition(b"\n")[2]
