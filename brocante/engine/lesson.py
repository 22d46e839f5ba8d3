"""A guided first game: it is played as `lesson.toml` in the game's folder says, step by step.

In a step the others move first (`meanwhile`), then something is explained (`says`, a key of the game's catalogue), and
then the learner makes the one move that is asked for (`move`), if any. Everything else is refused, and says why.
"""

import tomllib
from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from brocante.engine.box import Box
from brocante.engine.errors import IllegalMove, quoted
from brocante.engine.game import Game
from brocante.engine.moves import Move
from brocante.engine.text import Text
from brocante.engine.view import Moment, Table, View

FILE = "lesson.toml"


class LessonStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    says: str
    meanwhile: tuple[str, ...] = ()  # moves of whoever is to decide, as `Game.parse` reads them
    move: str = ""  # the learner's
    show: str = ""  # where to look: the key of a zone, after "0." for one of seat 0, "board." for one of the board


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of the file."""

    seed: str
    seat: int  # the learner's
    others: tuple[str, ...]  # the names of the others
    options: dict[str, int | bool | str]
    step: tuple[LessonStep, ...]


class Lesson:
    """The lesson of a game, played through once so that every step is ready."""

    def __init__(self, box: Box) -> None:
        self.box = box
        script = msgspec.convert(tomllib.loads((box.folder / FILE).read_text("utf-8")), Script)
        self.seat, self.steps, self._others = script.seat, script.step, script.others
        self._games: list[Game] = []  # where each step explains and asks
        self._actions: list[tuple[int, ...]] = []  # the actions that spell its move; empty if it has none
        game = Game(box, script.options, script.seed)
        for step in script.step:
            for move in step.meanwhile:
                game.play(move)
            self._games.append(game.copy())
            self._actions.append(played(game, game.parse(step.move, self.seat)) if step.move else ())

    @property
    def title(self) -> Text:
        return Text(f"{self.box.slug}.lesson.title")

    def names(self, learner: str) -> tuple[str, ...]:
        """Everyone's name, by seat."""
        return (*self._others[: self.seat], learner, *self._others[self.seat :])

    def says(self, number: int) -> Text:
        return Text(f"{self.box.slug}.lesson.{self.steps[number].says}")

    def log(self, number: int) -> list[Text]:
        """What the learner is told of everything since the previous step, their own move included."""
        return [text for n in self._since(number) for text in self._games[number].steps[n].log(self.box, self.seat)]

    def moments(self, number: int) -> list[Moment]:
        """What they saw of it for a moment only."""
        seen = (self._games[number].moment(self.seat, n) for n in self._since(number))
        return [moment for moment in seen if moment]

    def _since(self, number: int) -> range:
        return range(len(self._games[number - 1].steps) if number else 0, len(self._games[number].steps))

    def view(self, number: int, begun: Sequence[int] = ()) -> View:
        """What the learner is shown in a step; `begun` are the actions of its move that they have chosen so far."""
        game, actions, chosen = self._games[number], self._actions[number], len(begun)
        if tuple(begun) != actions[:chosen] or (begun and chosen == len(actions)):
            raise IllegalMove(Text("error.choice", action=quoted(begun[-1])))
        if not actions:
            return game.idle_view(self.seat, Text("prompt.over" if game.is_over else "lesson.go_on"))
        view = game.view(self.seat, begun)
        leads_on = [spelled == actions[: chosen + 1] for _, spelled in game.choices(begun)]
        wanted = view.offers[leads_on.index(True)]
        table = only(view.table, wanted.move, Text("lesson.first", what=wanted.label))
        return msgspec.structs.replace(view, offers=(wanted,), table=table)


@cache
def lesson_of(box: Box) -> Lesson | None:
    """The lesson of a game; None for a game without one."""
    return Lesson(box) if (box.folder / FILE).is_file() else None


def played(game: Game, move: Move) -> tuple[int, ...]:
    """Make a move; the actions that spelled it."""
    number = len(game.steps)
    game.play(move)
    return game.steps[number].actions


def only(table: Table, move: Move, why: Text) -> Table:
    """The same table with only one move left. What the rules would allow besides says what comes first."""

    def change(moves: tuple[Move, ...]) -> dict[str, Any]:
        return {"moves": (move,)} if move in moves else {"moves": (), "why": why}

    return table.touched(change)
