"""How a game at home begins: one person and some bots sit down, and the cards are dealt."""

from collections.abc import Mapping, Sequence

from brocante.bots import STALLHOLDERS
from brocante.engine.box import Box
from brocante.engine.game import Game
from brocante.engine.options import options_to_write
from brocante.table import LiveTable
from brocante.table.facts import BotSat, Committed, Opened, Sat, Started
from brocante.terminal.game_log import LogLine

PERSON = 0  # the seat of a person who plays against bots
WHO = "person"  # who they are to the table


def deal_at_home(
    box: Box, options: Mapping[str, object], seed: str, name: str | None, opponents: Sequence[str]
) -> tuple[LiveTable, LogLine]:
    """A table with a game that begins, and the first line of its log."""
    game = Game(box, options, seed)
    fell = tuple(step.line for step in game.steps)
    others = [other for other in STALLHOLDERS if other.casefold() != (name or "").casefold()]
    facts = [
        Opened(box.slug, options_to_write(box.options, game.options), WHO, private=True, home=True),
        Committed(seed),
        Sat(PERSON, WHO, name or ""),
        *(BotSat(PERSON + 1 + i, bot, others[i]) for i, bot in enumerate(opponents)),
        Started(box.edition, box.version, fell),
    ]
    table = LiveTable(pace=0.0)  # the screen says when bots move
    return table, LogLine.of(0.0, [table.apply(fact, 0.0) for fact in facts], box.texts(game.state))
