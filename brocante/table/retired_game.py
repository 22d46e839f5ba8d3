"""A game that was played by rules that are gone. Its record is what the log says of it.

A log has every move and, since it names the edition of its game, everything that chance did. Older logs have the moves
alone; there the present rules supply the rest for as long as they agree.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from brocante.engine.box import Box
from brocante.engine.contract import Line
from brocante.engine.errors import BrocanteError
from brocante.engine.game import Game
from brocante.engine.history import History
from brocante.engine.step import EVENT
from brocante.table.facts import Announced, Fact, Moved, Started


class RetiredGame:
    """The lines of such a game after the header."""

    def __init__(self, edition: int) -> None:
        self.edition = edition
        self._turns: History[list[Line]] = History()  # the deal, then each move, with all that followed from it
        self._tells_chance = True

    @classmethod
    def parted(cls, game: Game, steps: int) -> "RetiredGame":
        """A game that the present rules agree with for so many steps."""
        turns: list[list[Line]] = [[]]
        for step in game.steps[:steps]:
            if step.move:
                turns.append([])
            turns[-1].append(step.line)
        retired = cls(game.box.edition)
        retired._turns = History(turns)
        return retired

    def copy(self) -> "RetiredGame":
        other = object.__new__(RetiredGame)
        other.__dict__.update(self.__dict__)
        other._turns = self._turns.copy()
        return other

    def add(self, fact: Fact) -> None:
        match fact:
            case Started(_, _, fell):
                self._turns.append([*fell])
                self._tells_chance = bool(fell)
            case Moved(seat, move, _, fell):
                self._turns.append([{"seat": seat, **move}, *fell])
            case Announced(line):
                last = self._turns[-1]
                self.undo(1)
                self._turns.append([*last, line])

    def undo(self, moves: int) -> None:
        self._turns.cut(len(self._turns) - moves)

    def lines(self, box: Box, options: Mapping[str, Any], seed: str) -> Iterator[Line]:
        """Everything that the log has of it."""
        told = [line for turn in self._turns for line in turn]
        return iter(told) if self._tells_chance else with_chance(box, options, seed, told)


def with_chance(box: Box, options: Mapping[str, Any], seed: str, told: Sequence[Line]) -> Iterator[Line]:
    """Moves with what chance did by the present rules, for as long as these agree; from there on the moves alone."""
    game = Game(box, options, seed)
    yield from (step.line for step in game.steps)
    for number, line in enumerate(told):
        steps = len(game.steps)
        try:
            game.announce(line) if EVENT in line else game.play(line)
        except BrocanteError:  # here the rules differ
            yield from told[number:]
            return
        yield line
        yield from (step.line for step in game.steps[steps + 1 :])
    if game.is_over:
        yield {"result": game.result_line()}
