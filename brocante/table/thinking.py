"""How the bots of a table think: while the table waits for them, or elsewhere while it goes on."""

import time

import msgspec

from brocante.bots import Bot
from brocante.engine.moves import Move
from brocante.games import box as find_box


class Question(msgspec.Struct, frozen=True):
    """What a bot is to decide, with everything that its choice depends on: the same question has the same answer."""

    game: str
    bot: str
    seed: str
    state: bytes  # of the game, in which it is the bot's decision

    def answer(self) -> Move:
        """The bot's move."""
        box = find_box(self.game)
        return Bot(box, self.bot, self.seed).choose_in(box, box.state_from(self.state))


class Unanswered(Exception):
    """A command cannot be handled before a bot has decided."""

    def __init__(self, question: Question, seconds: float) -> None:
        super().__init__(question)
        self.question = question
        self.seconds = seconds  # that the bots have had for the command so far


class Thinking:
    """The bots think right here."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    @property
    def seconds(self) -> float:
        """How long a table has waited for them."""
        return time.monotonic() - self._began

    def decide(self, question: Question) -> Move:
        return question.answer()


class ThinkingElsewhere(Thinking):
    """What bots have decided elsewhere, where no table waits for them. With a question that has no answer yet, handling
    a command breaks off; it begins anew once there is one."""

    def __init__(self) -> None:
        super().__init__()
        self._moves: dict[Question, Move] = {}

    @property
    def seconds(self) -> float:
        return 0.0

    def decide(self, question: Question) -> Move:
        move = self._moves.get(question)
        if move is None:
            raise Unanswered(question, super().seconds)
        return move

    def learn(self, question: Question, move: Move) -> None:
        self._moves[question] = move
