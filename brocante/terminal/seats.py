"""Where a person sits: what the screen of a table needs to know of it; and one person at a table with bots, with the
file in which every move is kept. No screen here."""

import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from brocante.bots import STALLHOLDERS, Bot, lineup
from brocante.engine.box import Box
from brocante.engine.errors import UsageError
from brocante.engine.game import Game
from brocante.engine.moves import Move
from brocante.engine.text import Text, Words
from brocante.engine.view import Moment, View
from brocante.terminal.storage import Saved

PERSON = 0  # the seat of a person who plays against bots


class Seat(ABC):
    """What a person at a table is shown, wherever the table stands: everything that the screen of a table needs."""

    box: Box
    seat: int
    players: int

    @abstractmethod
    def names(self, nameless: str) -> tuple[str, ...]:
        """What the seats are called, and what the person is if they gave no name."""

    @abstractmethod
    def view(self, begun: tuple[int, ...]) -> View:
        """What the person sees, their own place first, when these choices of a move have been made."""

    # --- what has happened: numbered from 0 ---

    @property
    @abstractmethod
    def happened(self) -> int:
        """How much."""

    @abstractmethod
    def told(self, number: int) -> Sequence[Words]:
        """What the log says of it."""

    @abstractmethod
    def is_own(self, number: int) -> bool:
        """Whether it is the person's own doing."""

    @abstractmethod
    def moment(self, number: int) -> Moment | None:
        """What one sees of it only while it happens."""

    @property
    @abstractmethod
    def first_moment(self) -> int:
        """From where on moments are to be seen by one who comes to the table now."""

    # --- how things stand ---

    @property
    @abstractmethod
    def persons_turn(self) -> bool: ...

    @property
    @abstractmethod
    def is_over(self) -> bool: ...

    @property
    @abstractmethod
    def can_undo(self) -> bool: ...

    @property
    @abstractmethod
    def seconds_left(self) -> int | None:
        """What the clock says; None where there is none."""

    @property
    @abstractmethod
    def epilogue(self) -> Text | None:
        """What there is to know when the game is over, such as where its record is."""

    @abstractmethod
    def farewell(self, program: str) -> Text | None:
        """How to go on with a game that one leaves in the middle."""


class SeatedGame(Seat):
    """A game, who sits where, and what the person may do. Every step is on disk before it is shown."""

    seat = PERSON

    def __init__(self, game: Game, opponents: Sequence[str], name: str | None, saved: Saved | None = None) -> None:
        self.game = game
        self.box = game.box
        self.players = game.players
        self.opponents = tuple(opponents)
        self.name = name
        self.bots = {PERSON + 1 + i: Bot(game.box, bot, f"{game.seed}/{i}") for i, bot in enumerate(opponents)}
        self.saved = saved
        self._minutes = game.box.clock(game.options)
        self._began = time.monotonic() - (saved.seconds_played if saved else 0)

    def names(self, nameless: str) -> tuple[str, ...]:
        return (self.name or nameless, *STALLHOLDERS[: len(self.opponents)])

    def keep(self) -> None:
        """Write down what happened since the last time."""
        if self.saved is None:
            header = self.game.header(self.names(f"Seat {PERSON}"))
            ours = {"person": self.name, "bots": list(self.opponents), "files": self.box.texts(self.game.state)}
            self.saved = Saved.create({**header, **ours, "version": self.box.version})
        self.saved.keep_up(self.game)
        if self._minutes is not None:
            self.saved.note_seconds(time.monotonic() - self._began)

    def view(self, begun: tuple[int, ...]) -> View:
        return self.game.view(PERSON, begun if self.persons_turn else ())

    @property
    def happened(self) -> int:
        return len(self.game.steps)

    def told(self, number: int) -> Sequence[Words]:
        return self.game.told(PERSON, number)

    def is_own(self, number: int) -> bool:
        move = self.game.steps[number].move
        return move is not None and move.seat == PERSON

    def moment(self, number: int) -> Moment | None:
        return self.game.moment(PERSON, number)

    @property
    def first_moment(self) -> int:
        """What one saw with the last move may be seen again when a game is gone on with."""
        return max((number for number, step in enumerate(self.game.steps) if step.move), default=0)

    @property
    def persons_turn(self) -> bool:
        return self.game.actor == PERSON

    @property
    def is_over(self) -> bool:
        return self.game.is_over

    @property
    def bots_turn(self) -> bool:
        return self.game.actor in self.bots

    def play(self, move: Move) -> None:
        """The person's move."""
        self.game.play(move)
        self.keep()

    def let_bot_move(self) -> None:
        """One move of the bot whose turn it is."""
        self.game.play(self.bots[self.game.actor].choose(self.game))
        self.keep()

    @property
    def seconds_left(self) -> int | None:
        """What is left of the time that the game lasts."""
        if self._minutes is None:
            return None
        return max(0, round(60 * self._minutes + self._began - time.monotonic()))

    def watch_the_clock(self) -> None:
        """Announce that time is up, when it is."""
        if self.seconds_left == 0 and self.game.events:
            self.game.announce(self.game.events[0])
            self.keep()

    @property
    def can_undo(self) -> bool:
        return self.game.can_undo(PERSON)

    def undo(self) -> None:
        self.game.undo()
        self.keep()

    @property
    def epilogue(self) -> Text | None:
        return Text("terminal.record", file=str(self.saved and self.saved.path))

    def farewell(self, program: str) -> Text | None:
        return None if self.is_over else Text("terminal.kept", program=program, game=self.box.slug)

    def again(self) -> "SeatedGame":
        """The same table, a new game."""
        return new_game(self.game.box, self.game.options, self.opponents, name=self.name)


def new_game(
    box: Box, options: Mapping[str, object], opponents: Sequence[str], seed: str | None = None, name: str | None = None
) -> SeatedGame:
    """A game of one person against bots, from a seed that nobody knows unless one is given."""
    return SeatedGame(Game(box, options, secrets.token_hex(8) if seed is None else seed), opponents, name)


def resumed_game(box: Box) -> SeatedGame:
    """The game that was left last, of those whose files hold and whose rules are ours."""
    closed = Saved.close_outdated(box)
    problem = UsageError(closed or Text("error.nothing_to_resume", game=box.slug))
    for saved in Saved.unfinished(box):
        try:
            game = saved.replayed()
            opponents = lineup(box, saved.header["bots"], game.players - 1)
        except UsageError as error:
            problem = error
        else:
            return SeatedGame(game, opponents, saved.header.get("person"), saved)
    raise problem
