"""What is seen of a game: by a seat, by a spectator (NOBODY), or with everything open (None)."""

from collections.abc import Mapping, Sequence
from typing import Any

from brocante.engine.box import Box
from brocante.engine.moves import Move, Part
from brocante.engine.spelling import after_choices, next_choices
from brocante.engine.state import NOBODY
from brocante.engine.text import Text
from brocante.engine.view import Offer, Result, Table, View


def live_view(box: Box, state: Any, seat: int, begun: Sequence[int] = ()) -> View:
    """What a seat is shown now; `begun` are the actions it has chosen of a move that takes several."""
    s = box.blanked(after_choices(box, state, begun), seat)  # a copy already
    if state.actor != seat or seat == NOBODY:
        return still_view(box, s, seat, prompt(box, s, seat))
    choices = next_choices(box, state, begun)
    offers = tuple([offered(box, s, choice, is_only=len(choices) == 1) for choice, _ in choices])
    legal = {choice: choice for choice, _ in choices}
    legal |= {Part(seat, actions[-1]): choice for choice, actions in choices}
    return View(box.slug, seat, seat, touchable(box, box.table(s, seat), s, legal), prompt(box, s, seat), offers, None)


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


def prompt(box: Box, s: Any, seat: int) -> Text:
    """What is being asked."""
    if s.actor < 0:
        return Text("prompt.over" if s.actor == NOBODY else "prompt.chance")
    return box.prompt(s, seat)


def touchable(box: Box, table: Table, s: Any, legal: Mapping[Move, Move]) -> Table:
    """The table with only the moves that may be made now. What cannot be touched now says why. A Part stands for
    whatever its action does, even a whole move."""

    def change(moves: tuple[Move, ...]) -> dict[str, Any]:
        now = tuple([legal[move] for move in moves if move in legal])
        return {"moves": now} if now else {"moves": (), "why": box.why_not(s, moves[0])}

    return table.touched(change)


def result_of_state(box: Box, s: Any) -> Result | None:
    if s.actor != NOBODY:
        return None
    scores, ranks = box.result(s)
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
    return Result(tuple(scores), tuple(ranks), winners)
