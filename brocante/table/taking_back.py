"""Whether somebody may take back their last move: at once, if the others agree, or not at all.

Against bots alone nobody needs to be asked, but what has shown a player something cannot be taken back: they would know
it. What they are told here depends only on what they were shown, too.
"""

from itertools import islice

from brocante.engine.game import Game
from brocante.engine.undo import REDEALS, reveals
from brocante.table.live_table import LiveTable
from brocante.wire.events import UndoState

#: Redeals that are tried to tell players in advance. It is a guess, so that no move's answer waits for it: when they
#: ask for it, REDEALS decide.
GUESSES = 4


def undo_state(table: LiveTable, seat: int, redeals: int = GUESSES) -> UndoState:
    """What would become of a player's last move if they asked to take it back."""
    if table.phase == "over":
        return "over"
    game = table.game
    if game is None or table.seats[seat].resigned or not moves_since(game, seat):
        return ""
    if has_gone_on_alone(game, seat) and not has_shown(table, seat, redeals):
        return "free"
    if others(table, seat):
        return "ask"
    return "shown" if has_shown(table, seat, redeals) else "bots"


def others(table: LiveTable, seat: int) -> set[int]:
    """The other people who play, all of whom must agree."""
    return set(table.people) - {seat}


def moves_since(game: Game, seat: int) -> int:
    """How many moves were made since the last one of a seat, with that one; 0 if it has made none."""
    moves = 0
    for step in reversed(game.steps):
        if step.move:
            moves += 1
            if step.move.seat == seat:
                return moves
    return 0


def has_gone_on_alone(game: Game, seat: int) -> bool:
    """Whether a player has made the last step of a game and is to decide again. A decision that all made at the same
    time is not theirs alone."""
    if game.actor != seat or game.together or not game.steps:
        return False
    last = game.steps[-1]
    return last.move is not None and last.move.seat == seat and not game.box.together(last.states(game.box)[0])


def has_shown(table: LiveTable, seat: int, redeals: int = REDEALS) -> bool:
    """Whether the last move of a player, or anything that came after it, may have shown them something new. Chance
    always does: whoever took back a throw of the die would know the next one."""
    assert table.game
    steps = table.game.steps
    since = next(n for n, step in enumerate(reversed(steps), 1) if step.move and step.move.seat == seat)
    own = len(steps) - since
    guessed = table.guessed_shown.get(seat) if redeals == GUESSES else None
    looked, shown = guessed[1:] if guessed and guessed[0] == own else (own, False)
    for step in islice(steps, looked, None):
        shown = shown or step.move is None or reveals(table.box, step, seat, redeals)
    if redeals == GUESSES:
        table.guessed_shown[seat] = (own, len(steps), shown)
    return shown
