"""Having everything compiled that a table needs, so that nothing has to be waited for in the middle of a game."""

from brocante.bots import Bot, best_bot
from brocante.engine.box import Box
from brocante.engine.game import Game

#: Moves after which everything that a table needs has been asked for once.
ENOUGH = 12


def prepare(box: Box) -> None:
    """Play the beginning of a game, as a table would. The first time, this takes up to a minute."""
    game = Game(box, {}, "setting up")
    bot = Bot(box, best_bot(box))
    for _ in range(ENOUGH):
        if not game.is_over:
            decide_at_the_same_time(game)
            game.play(bot.choose(game))
            game.can_undo(game.actor)
            game.view(0)
            game.scores  # noqa: B018  which the log is told of every move


def decide_at_the_same_time(game: Game) -> None:
    """Decide on something, where one may decide on more."""
    together = game.together
    if together and together.otherwise:
        first = next((move for move in game.legal_moves if not isinstance(move, together.otherwise)), None)
        game.asked(game.actor, [first.line()] if first else [])
