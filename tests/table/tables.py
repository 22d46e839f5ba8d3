"""How a test sits at a live table: with a clock of its own, and with everything kept that was told."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import msgspec
import pytest

from brocante.engine.errors import BrocanteError
from brocante.engine.game import Game
from brocante.engine.history import History
from brocante.engine.state import NOBODY
from brocante.engine.text import language
from brocante.table import Clock, Command, Fact, LiveTable, Refused, audience, handle, open_table
from brocante.table import commands as c
from brocante.table import facts as f
from brocante.table.snapshot import take_snapshot
from brocante.wire.events import Event

#: Those who sit down at a table, in the order of their seats: who they are is nobody's business but the server's.
PEOPLE = ("id-ana", "id-ben", "id-cleo", "id-dora", "id-eve", "id-finn")
STRANGER = "id-stranger"
#: When tests take place: times have a fraction, as those of a real clock do.
NOON = 1_800_000_000.123
ENGLISH, FRENCH = language("en"), language("fr")
#: What games are played with, so that they are short.
OPTIONS: dict[str, dict[str, Any]] = {
    "antiques": {"players": 3},
    "collection": {"players": 3},
    "port": {"players": 2},
    "vinto": {"players": 4, "rounds": 1},
}


def name_of(who: str) -> str:
    return who.removeprefix("id-").capitalize()


class Sitting:
    """A table with some people at it, the first of them its host."""

    def __init__(
        self, game: str = "collection", people: int = 2, clock: Clock | None = None, pace: float = 1.0, **options: Any
    ) -> None:
        self.now = NOON
        self.pace = pace
        self._seeds = (f"secret {number}" for number in count())
        options = {**OPTIONS[game], **options}
        self.table, facts = open_table(game, options, PEOPLE[0], self.now, clock=clock, slowness=pace, seeds=self.seeds)
        self.entries: list[tuple[float, list[Fact]]] = [(self.now, facts)]
        self.people = PEOPLE[:people]
        for who in self.people:
            self.do(c.Sit(name_of(who)), who)

    def seeds(self) -> str:
        return next(self._seeds)

    def answer(self, command: Command, who: str = "") -> tuple[LiveTable, list[Fact]]:
        return handle(self.table, command, who, self.now, self.seeds)

    def do(self, command: Command, who: str = "") -> list[Fact]:
        """Have a command carried out."""
        self.table, facts = self.answer(command, who)
        if facts:
            self.entries.append((self.table.since, facts))
        return facts

    def refusal(self, command: Command, who: str = "") -> str:
        """Why a command cannot be carried out; it must leave the table as it was."""
        before = take_snapshot(self.table)
        with pytest.raises(BrocanteError) as refused:
            self.answer(command, who)
        assert take_snapshot(self.table) == before
        assert all(refused.value.say(code) for code in ("en", "fr"))
        return refused.value.code if isinstance(refused.value, Refused) else refused.value.text.key

    def start(self) -> "Sitting":
        self.do(c.Start(fill=True), PEOPLE[0])
        return self

    def lay_out(self, game: Game) -> "Sitting":
        """Go on with another game: one that stands as a test has drawn it."""
        game.seed = "drawn"
        self.start()
        self.table.game = game
        self.table.refresh()
        self.table.thought = History(0.0 for step in game.steps if step.move)
        return self

    # --- time ---

    def wait(self, seconds: float) -> list[Fact]:
        """Let time pass; the table does whatever is due meanwhile, when it is due."""
        until, facts = self.now + seconds, list[Fact]()
        while (due := self.table.due()) is not None and due <= until:
            self.now = max(self.now, due)
            facts += self.do(c.Tick())
        self.now = until
        return facts

    def wait_for_due(self) -> list[Fact]:
        """Let time pass until the table does something by itself."""
        due = self.table.due()
        assert due is not None, "the table waits for somebody"
        self.now = max(self.now, due)
        facts = self.do(c.Tick())
        assert facts, "what was due was not done"
        return facts

    # --- play ---

    @property
    def asked(self) -> list[str]:
        """The people who are to decide."""
        return [self.table.seats[seat].who for seat in self.table.undecided if self.table.seats[seat].plays]

    def move(self, who: str, move: Any = None) -> list[Fact]:
        """Make a move: the first one that there is, unless told which."""
        return self.do(c.PlayMove(move or first_legal(self.table, who)), who)

    def go_on(self) -> None:
        """One decision further, whoever's it is."""
        asked = self.asked
        if asked:
            self.move(asked[0])
        else:
            self.wait_for_due()

    def play_until(self, is_there: Any) -> "Sitting":
        """Go on until something is so."""
        for _ in range(3000):
            if is_there(self.table):
                return self
            self.go_on()
        raise AssertionError("it never was so")

    def play_to_the_end(self) -> "Sitting":
        return self.play_until(lambda table: table.phase == "over")

    # --- what is told ---

    def told(self, viewer: int, code: str = "en") -> list[Event]:
        events = audience.events(self.table, viewer, self.table.forgotten_counts.get(viewer, 0), language(code))
        assert events is not None
        return events

    def log(self, viewer: int = NOBODY, code: str = "en") -> list[str]:
        return [line for event in self.told(viewer, code) for line in event.said]


def first_legal(table: LiveTable, who: str) -> dict[str, Any]:
    seat = table.seat_of(who)
    assert seat is not None
    legal = audience.legal(table, seat)
    assert legal, f"{who} has nothing to decide"
    return legal[0]


def viewers(table: LiveTable) -> Iterator[int]:
    """Everyone who sees the table: those at the seats, and those who watch."""
    yield from range(len(table.seats))
    yield NOBODY


def kinds(facts: list[Fact]) -> list[str]:
    return [type(fact).__name__ for fact in facts]


def replayed(entries: list[tuple[float, list[Fact]]], pace: float = 1.0) -> LiveTable:
    """The table that stored facts add up to."""
    table = LiveTable(pace)
    for at, facts in entries:
        for fact in f.decode(f.encode(facts)):
            table.apply(fact, at, logged=True)
    return table


def shown(table: LiveTable, viewer: int, at: float) -> list[bytes]:
    """Everything that is shown or sent to a viewer about the table as it stands."""
    view = audience.view(table, viewer)
    return [
        msgspec.json.encode(audience.info(table)),
        msgspec.json.encode(audience.now(table, at)),
        msgspec.json.encode(audience.legal(table, viewer)),
        msgspec.json.encode(audience.undo_for(table, viewer)),
        *(view.encoded(lang, table.names) if view else b"" for lang in (ENGLISH, FRENCH)),
        *(msgspec.json.encode(audience.log(table, viewer, lang)) for lang in (ENGLISH, FRENCH)),
    ]
