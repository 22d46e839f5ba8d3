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
            game.play(bot.choose(game))
            game.can_undo(game.actor)
            game.view(0)
