"""A game that is over, looked at again: how the table looked after any of its steps, and what was told of each.

Eyes are those of a seat, of somebody who watched (NOBODY), or open ones (None), which see everything. A seat sees what
it was shown at the time, not what it may know by now.
"""

from typing import Any

from brocante.engine.game import Game, told_of
from brocante.engine.state import NOBODY
from brocante.engine.text import Text
from brocante.engine.view import Result, View


def view_at(game: Game, step: int, eyes: int | None) -> View:
    """The table after so many steps. Nothing is asked of anybody any more."""
    s = state_after(game, step)
    shown = s if eyes is None else game.box.shown(s, eyes)
    result = result_at(game, s)
    if step == len(game.steps):
        prompt = Text("prompt.over")
    else:
        prompt = Text("prompt.chance") if s.actor < 0 else game.box.prompt(shown, NOBODY)
    return View(
        game.box.slug,
        NOBODY if eyes is None else eyes,
        int(s.actor),
        game.box.table(shown, eyes).with_moves(lambda moves: ()),
        prompt,
        (),
        result,
        game.box.awards(shown) if result else (),
    )


def told_at(game: Game, step: int, eyes: int | None) -> list[Text]:
    """What was told of a step, counted from 0, when it was news."""
    before, after = game.around(step)
    if eyes is None:
        return game.box.tell(before, game.steps[step].move, after, NOBODY, True)
    return told_of(game.box, game.steps[step], after.tobytes(), eyes)


def state_after(game: Game, step: int) -> Any:
    """The state after so many steps; after none, nothing has been dealt."""
    return game.around(step - 1)[1] if step else game.around(0)[0]


def result_at(game: Game, s: Any) -> Result | None:
    if s.actor != NOBODY:
        return None
    scores, ranks = game.box.result(s)
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
    return Result(tuple(scores), tuple(ranks), winners)
