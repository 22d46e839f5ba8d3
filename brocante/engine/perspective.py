"""What is seen of a game: by a seat, by a spectator (NOBODY), or with everything open (None)."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from brocante.engine.box import Box
from brocante.engine.moves import Move, Part
from brocante.engine.spelling import after_choices, next_choices
from brocante.engine.state import NOBODY
from brocante.engine.text import Text
from brocante.engine.view import Offer, Result, Thing, Touch, View


class Perspective(msgspec.Struct, frozen=True, gc=False):
    """A view taken apart: what lies there, and what touching it does."""

    view: View  # on which nothing can be touched
    touches: dict[str, Touch] = {}  # by the place on the table

    def whole(self) -> View:
        """The view with what may be touched on it."""
        if not self.touches:
            return self.view
        return msgspec.structs.replace(self.view, table=self.view.table.with_touches(self.touches))


def live_perspective(box: Box, state: Any, seat: int, begun: Sequence[int] = ()) -> Perspective:
    """What a seat is shown now; `begun` are the actions it has chosen of a move that takes several."""
    s = box.blanked(after_choices(box, state, begun), seat)  # a copy already
    if state.actor != seat or seat == NOBODY:
        return Perspective(still_view(box, s, seat, prompt(box, s, seat)))
    choices = next_choices(box, state, begun)
    moves = [choice for choice, _ in choices]
    offers = tuple([offered(box, s, move, is_only=len(moves) == 1) for move in moves])
    legal = {move: move for move in moves} | {Part(seat, actions[-1]): move for move, actions in choices}
    table, things = box.table(s, seat).bare()
    touches = {f"{path}{thing.path}": touch(box, s, thing, legal) for path, there in things for thing in there}
    return Perspective(View(box.slug, seat, seat, table, prompt(box, s, seat, moves), offers, None), touches)


def offered(box: Box, s: Any, move: Move, *, is_only: bool) -> Offer:
    """What has no alternative is no risk."""
    return Offer(move, box.label(s, move), box.key(move), not is_only and box.is_risky(move))


def still_view(box: Box, s: Any, eyes: int | None, words: Text) -> View:
    """A table on which nothing can be touched, from a state that needs no more hiding."""
    result = result_of_state(box, s)
    return View(
        box.slug,
        NOBODY if eyes is None else eyes,
        int(s.actor),
        box.table(s, eyes).untouchable(),
        words,
        (),
        result,
        box.awards(s) if result else (),
    )


def past_view(box: Box, state: Any, eyes: int | None, *, is_last: bool) -> View:
    """How the table looked at some point of a game that is over. A seat sees what it was shown then."""
    s = state if eyes is None else box.shown(state, eyes)
    words = Text("prompt.over") if is_last else prompt(box, s, NOBODY)
    return still_view(box, s, eyes, words)


def prompt(box: Box, s: Any, seat: int, moves: Sequence[Move] = ()) -> Text:
    """What is being asked."""
    if s.actor < 0:
        return Text("prompt.over" if s.actor == NOBODY else "prompt.chance")
    return box.prompt(s, seat, moves)


def touch(box: Box, s: Any, thing: Thing, legal: Mapping[Move, Move]) -> Touch:
    """Only the moves that may be made now; what cannot be touched now says why. A Part stands for whatever its action
    does, even a whole move."""
    moves = tuple([legal[move] for move in thing.moves if move in legal])
    if moves or not thing.moves:
        return Touch(moves, thing.why)
    return Touch((), box.why_not(s, thing.moves[0]))


def result_of_state(box: Box, s: Any) -> Result | None:
    if s.actor != NOBODY:
        return None
    scores, ranks = box.result(s)
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
    return Result(tuple(scores), tuple(ranks), winners)
