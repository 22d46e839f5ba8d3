"""A table at home: one person against bots. No screen here, no network and no server."""

import secrets
import time
from collections.abc import Mapping, Sequence

from brocante.bots import STALLHOLDERS
from brocante.engine.box import Box
from brocante.engine.game import Game
from brocante.engine.moves import Move
from brocante.engine.options import options_to_write
from brocante.engine.text import Text, Words
from brocante.engine.view import Moment, View
from brocante.table import Command, LiveTable, audience, handle
from brocante.table.commands import PlayMove, Tick, Undo
from brocante.table.facts import BotSat, Committed, Opened, Sat, Started
from brocante.table.lookalikes import look_alike
from brocante.table.taking_back import undo_state
from brocante.terminal.game_log import GameLog, LogLine
from brocante.terminal.table_model import TableModel
from brocante.wire.events import UndoState

PERSON = 0  # the seat of a person who plays against bots
WHO = "person"  # who they are to the table


class HomeTable(TableModel):
    """A live table, its log, and what the person may do. Every fact is in the log before it is shown."""

    seat = PERSON

    def __init__(self, table: LiveTable, log: GameLog) -> None:
        self.table, self.log = table, log
        self.box, self.players = table.box, len(table.seats)
        self.epilogue = Text("terminal.record", file=str(log.record))
        self._since = time.monotonic() - table.since  # no time passes while the program is closed

    @property
    def game(self) -> Game:
        assert self.table.game
        return self.table.game

    def names(self, nameless: str) -> tuple[str, ...]:
        return (self.table.seats[PERSON].name or nameless, *self.table.names[1:])

    # --- what happens ---

    def play(self, move: Move) -> None:
        """Make the person's move. Bots that decide at the same time do so at once."""
        at_once = bool(self.table.together)
        self._handle(PlayMove(move.line()))
        if at_once and self.bots_turn:
            self.let_bots_move()

    def let_bots_move(self) -> None:
        """Let the bot whose turn it is take it, or all bots decide that do so at the same time."""
        self._handle(Tick())

    def watch_the_clock(self) -> None:
        """Announce that time is up, when it is."""
        if self.table.game_left(self._now) == 0 and self.table.game_events:
            self._handle(Tick())

    def undo(self) -> None:
        self._handle(Undo())

    def _handle(self, command: Command) -> None:
        table, facts = handle(self.table, command, WHO, self._now)
        if table.phase == "over":
            self.log.finish(table.record())
        else:
            self.log.append(LogLine.of(table.since, facts))
        self.table = table

    @property
    def _now(self) -> float:
        return time.monotonic() - self._since

    # --- what the person is shown ---

    def view(self, begun: tuple[int, ...]) -> View:
        view = audience.view(self.table, PERSON, begun if self.persons_turn else ())
        assert view
        return view

    @property
    def happened(self) -> int:
        return len(self.game.steps)

    def sentences(self, number: int) -> Sequence[Words]:
        return self.game.log_of(PERSON, number)

    def is_own(self, number: int) -> bool:
        move = self.game.steps[number].move
        return move is not None and move.seat == PERSON

    def moment(self, number: int) -> Moment | None:
        return self.game.moment(PERSON, number)

    @property
    def first_moment(self) -> int:
        """A resumed game shows again what was seen with the last move."""
        return max((number for number, step in enumerate(self.game.steps) if step.move), default=0)

    @property
    def persons_turn(self) -> bool:
        return PERSON in self.table.undecided

    @property
    def bots_turn(self) -> bool:
        return bool(self.table.undecided) and not self.persons_turn

    @property
    def is_over(self) -> bool:
        return self.table.phase == "over"

    @property
    def seconds_left(self) -> int | None:
        """What is left of the game's time."""
        left = self.table.game_left(self._now)
        return None if left is None else round(left)

    @property
    def undo_state(self) -> UndoState:
        return undo_state(self.table, PERSON)

    @property
    def can_skip(self) -> bool:
        return self.bots_turn

    def farewell(self, program: str) -> Text | None:
        return None if self.is_over else Text("terminal.kept", program=program, game=self.box.slug)

    def again(self) -> "HomeTable":
        """Another game with the same bots and options."""
        person, *others = self.table.seats
        return new_game(self.box, self.game.options, [seat.bot for seat in others], name=person.name)


def new_game(
    box: Box, options: Mapping[str, object], opponents: Sequence[str], seed: str | None = None, name: str | None = None
) -> HomeTable:
    """A game of one person against bots, from a seed that nobody knows unless one is given."""
    table, first = deal_at_home(box, options, secrets.token_hex(8) if seed is None else seed, name, opponents)
    return HomeTable(table, GameLog.create(box, first))


def deal_at_home(
    box: Box, options: Mapping[str, object], seed: str, name: str | None, opponents: Sequence[str]
) -> tuple[LiveTable, LogLine]:
    """A table with a game that begins, and the first line of its log."""
    game = Game(box, options, seed)
    fell = tuple(step.line for step in game.steps)
    others = [other for other in STALLHOLDERS if not look_alike(other, name or "")]
    facts = [
        Opened(box.slug, options_to_write(box.options, game.options), WHO, private=True, home=True),
        Committed(seed),
        Sat(PERSON, WHO, name or ""),
        *(BotSat(PERSON + 1 + i, bot, others[i]) for i, bot in enumerate(opponents)),
        Started(box.edition, box.version, fell),
    ]
    table = LiveTable(slowness=0.0)  # the screen says when bots move
    return table, LogLine.of(0.0, [table.apply(fact, 0.0) for fact in facts], box.texts(game.state))
