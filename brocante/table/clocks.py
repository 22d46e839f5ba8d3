"""Time at a table: what is left to whom, and when the table must act by itself."""

import hashlib
from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from brocante.engine.state import NOBODY
from brocante.table.table_fields import TableFields

#: Seconds that a bot takes for a turn at the quick pace; at that of people it takes up to one more.
QUICK = 0.6


class Appointment(msgspec.Struct, frozen=True, order=True):
    """Something that the table must do by itself at a time: let bots decide, close a window, decide for a seat that is
    late, say that the time of the game is up."""

    at: float
    what: Literal["bots", "window", "late", "time"]
    seat: int = NOBODY


class TableClocks(TableFields):
    """A table's fields, and its clocks."""

    @property
    def is_running(self) -> bool:
        """Whether time counts."""
        return self.phase == "playing" and not self.paused and not self.is_deserted

    def seconds_since(self, now: float) -> float:
        """Seconds that count since time was last counted."""
        return max(0.0, now - self.since) if self.is_running else 0.0

    def seconds_left(self, seat: int, now: float) -> float | None:
        """What is left to a seat that is to decide, or of its bank; None if it has no clock.

        Everyone may know it: a clock does not stop when its seat decides while others still may.
        """
        if self.clock.kind == "none" or not self.seats[seat].plays:
            return None
        limit = self.clock.seconds if self.clock.kind == "move" else self.seats[seat].bank
        return max(0.0, limit - self.used - self.seconds_since(now)) if self.is_timed(seat) else limit

    def is_timed(self, seat: int) -> bool:
        """Whether a decision takes time off a seat's clock. In a window that closes by itself it does not."""
        return seat in self.deciding and not self.otherwise

    def window_left(self, now: float) -> float | None:
        """How long the window stays open in which all decide at the same time; None if there is none."""
        if self.otherwise is None or self.home:
            return None
        return max(0.0, self.clock.window - self.used - self.seconds_since(now))

    def game_left(self, now: float) -> float | None:
        """What is left until the table's clock ends the game; None if it never does."""
        if self.minutes is None or self.phase != "playing":
            return None
        return max(0.0, 60 * self.minutes - self.played - self.seconds_since(now))

    def due(self) -> float | None:
        """When the table must act by itself: for a bot, for a clock, to close a window. None: it waits for somebody."""
        return min((appointment.at for appointment in self.appointments()), default=None)

    def appointments(self) -> Iterator[Appointment]:
        """All that the table must do by itself if nobody does anything before."""
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
            for seat in thinking:
                yield Appointment(self.since + (self.seconds_left(seat, self.since) or 0.0), "late", seat)

    @property
    def game_events(self) -> tuple[dict[str, Any], ...]:
        """What the table's clock could announce now."""
        return self.game.events if self.game else ()

    @property
    def is_bots_turn_under_way(self) -> bool:
        """Whether a bot has made the last move, and is to go on."""
        last = self.game.steps[-1].move if self.game and self.game.steps else None
        return last is not None and self.deciding == (last.seat,) and not self.seats[last.seat].plays

    @property
    def bots_pace(self) -> float:
        """How long a bot takes for a turn: at the pace of people as long as one might, and not always the same."""
        assert self.game
        if self.skipping or self.pace == "instant" or self.is_bots_turn_under_way:
            return 0.0
        if all(self.seats[seat].plays for seat in self.deciding):
            return 0.0
        if self.pace == "quick":
            return self.slowness * QUICK
        drawn = hashlib.blake2b(f"{self.game.seed}/{len(self.game.steps)}".encode(), digest_size=1).digest()[0] / 256
        return self.slowness * (QUICK + drawn)
