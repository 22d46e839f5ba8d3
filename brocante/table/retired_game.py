"""A game that our rules do not add up: it was played by others. What the log itself says of it is still its record.

A log tells every move and, since it names the edition of its game, everything that chance did. Logs that are older than
that tell the moves alone: of those, our rules give the rest for as long as they agree.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from brocante.engine.box import Box
from brocante.engine.errors import BrocanteError
from brocante.engine.game import EVENT, Game
from brocante.engine.history import History
from brocante.table.facts import Announced, Fact, Moved, Started

Line = dict[str, Any]


class RetiredGame:
    """The lines of such a game after the header, as they grow."""

    def __init__(self, edition: int) -> None:
        self.edition = edition
        self._turns: History[list[Line]] = History()  # the deal, then each move, with all that followed from it
        self._tells_chance = True

    @classmethod
    def parted(cls, game: Game, steps: int) -> "RetiredGame":
        """A game that our rules added up for so many steps, and then no more."""
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
        """Everything that the log tells of it."""
        told = [line for turn in self._turns for line in turn]
        return iter(told) if self._tells_chance else with_chance(box, options, seed, told)


def with_chance(box: Box, options: Mapping[str, Any], seed: str, told: Sequence[Line]) -> Iterator[Line]:
    """Moves with what chance did, as our rules have it, for as long as these are moves by our rules; from there on the
    moves alone."""
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
