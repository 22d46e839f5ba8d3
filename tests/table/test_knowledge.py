"""The law of knowledge: nothing that is sent to a viewer depends on what they cannot know, nor on what others have
decided while all still may."""

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import brocante
from brocante.engine.errors import BrocanteError
from brocante.engine.game import Game
from brocante.engine.random import generator
from brocante.engine.state import NOBODY, copied
from brocante.engine.step import Step
from brocante.engine.undo import reveals
from brocante.table import Clock, LiveTable, audience, handle
from brocante.table import commands as c
from brocante.testing.positions import games
from tests.table.anything import NONSENSE, act, any_sitting
from tests.table.tables import ENGLISH, FRENCH, Sitting, shown, viewers

few = settings(max_examples=4, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
randoms = st.integers(0, 2**32).map(Random)
REQUESTS = 200
ATTEMPTS: tuple[c.Command, ...] = (
    *map(c.PlayMove, NONSENSE),
    c.Chat("psst", allies=True),
    c.PlayMove("pass", step=0),
    c.Agree(),
)


def redealt(table: LiveTable, viewer: int, rng: Random, *, from_shown: bool) -> LiveTable:
    """The same table, with other cards where the viewer does not see them."""
    assert table.game
    other = table.copy()
    assert other.game
    dice = generator(rng.random())
    other.game.state = table.box.redealt(table.game.state, viewer, dice, from_shown=from_shown)
    other.guessed_shown = {}
    other.refresh()
    return other


def refusals(table: LiveTable, viewer: int, at: float, attempts: tuple[c.Command, ...]) -> list[str]:
    who = table.seats[viewer].who if viewer >= 0 else "id-stranger"
    return [refusal(table, attempt, who, at) for attempt in attempts]


def refusal(table: LiveTable, command: c.Command, who: str, at: float) -> str:
    try:
        handle(table, command, who, at)
    except BrocanteError as refused:
        return refused.say("en") + refused.say("fr")
    return ""


@pytest.mark.parametrize("game", brocante.GAMES)
@few
@given(randoms)
def test_nothing_sent_to_a_viewer_changes_with_a_redeal(game: str, rng: Random) -> None:
    sitting = any_sitting(rng, game).start()
    for _ in range(6):
        for _ in range(rng.randrange(REQUESTS // 6)):
            act(rng, sitting)
        table = sitting.table
        for viewer in viewers(table) if table.phase == "playing" else ():
            other, forgotten = (redealt(table, viewer, rng, from_shown=flag) for flag in (False, True))
            assert shown(other, viewer, sitting.now) == shown(table, viewer, sitting.now)
            assert shown(forgotten, viewer, sitting.now) == shown(table, viewer, sitting.now)
            here = refusals(table, viewer, sitting.now, ATTEMPTS)
            assert refusals(forgotten, viewer, sitting.now, ATTEMPTS) == here
            assert refusals(other, viewer, sitting.now, ATTEMPTS) == here
            undo = (c.Undo(),)
            assert refusals(other, viewer, sitting.now, undo) == refusals(table, viewer, sitting.now, undo)
            assert_same_news(table, other, viewer, rng, sitting.now)


def assert_same_news(table: LiveTable, other: LiveTable, viewer: int, rng: Random, at: float) -> None:
    """What follows from a move that can be made in both, and shows the viewer the same, is told in the same bytes."""
    decides = table.undecided
    if table.paused or not decides or not table.seats[decides[0]].plays:
        return
    moves = audience.legal(table, decides[0]) or []
    move = rng.choice([move for move in moves if move in (audience.legal(other, decides[0]) or [])] or [{}])
    who = table.seats[decides[0]].who
    if not move or refusal(other, c.PlayMove(move), who, at):
        return
    (after, facts), (after_too, facts_too) = (handle(t, c.PlayMove(move), who, at) for t in (table, other))
    assert after.game
    assert after_too.game
    seen, seen_too = (t.box.seen(t.game.state, viewer).tobytes() for t in (after, after_too) if t.game)
    if seen == seen_too:
        for language in (ENGLISH, FRENCH):
            news = audience.latest(after, len(facts), viewer, language)
            news_too = audience.latest(after_too, len(facts_too), viewer, language)
            assert msgspec.json.encode(news_too) == msgspec.json.encode(news)


@pytest.mark.parametrize("game", brocante.GAMES)
@few
@given(randoms)
def test_whether_a_move_can_be_taken_back_depends_only_on_what_one_was_shown(game: str, rng: Random) -> None:
    """The same moves after another deal that looked the same: what one is told of them is the same."""
    sitting = any_sitting(rng, game).start()
    for _ in range(REQUESTS // 4):
        act(rng, sitting)
    box, dice = sitting.table.box, generator(rng.random())
    made = [step for step in sitting.table.game.steps if step.move] if sitting.table.game else []
    for step in rng.sample(made, min(12, len(made))):
        for viewer in range(len(sitting.table.seats)):
            before = box.redealt(step.states(box)[0], viewer, dice, from_shown=True)
            after = copied(before)
            if all(action in box.legal(after) and box.running.apply(after, action) is None for action in step.actions):
                other = Step(before.tobytes(), after.tobytes(), step.move, step.actions, step.other_line, step.fallen)
                seen, seen_too = (box.shown(s, viewer).tobytes() for s in (after, step.states(box)[1]))
                if seen == seen_too and other.moment(box, viewer) == step.moment(box, viewer):
                    assert reveals(box, other, viewer, 4) == reveals(box, step, viewer, 4)


# --- while all decide at the same time --------------------------------------------------------------------------------


def is_peek(table: LiveTable) -> bool:
    return table.together is not None and table.together.otherwise is None


def is_window(table: LiveTable) -> bool:
    return table.together is not None and table.together.otherwise is not None and len(table.deciding) > 1


@pytest.mark.parametrize("clock", [Clock(), Clock("move", 30), Clock("bank", 300)], ids=lambda clock: clock.kind)
@pytest.mark.parametrize("is_there", [is_peek, is_window])
def test_nobody_can_tell_whether_others_have_decided(is_there: Callable[[LiveTable], bool], clock: Clock) -> None:
    sitting = Sitting("vinto", 4, clock).start().play_until(is_there)
    waiting = sitting.table
    asked = list(waiting.undecided)
    for viewer in viewers(waiting):
        sitting.table = waiting
        for seat in asked:
            if seat == viewer or len(sitting.table.undecided) == 1:
                continue
            sitting.now += 0.7
            facts = sitting.move(waiting.seats[seat].who, (audience.legal(sitting.table, seat) or [])[-1])
            assert audience.latest(sitting.table, len(facts), viewer, ENGLISH) == []
        assert sitting.table.decisions
        assert sitting.table.event_counts[viewer] == waiting.event_counts[viewer]
        for later in (0.0, 1.3):
            at = sitting.now + later
            assert shown(sitting.table, viewer, at) == shown(waiting, viewer, at)
        assert refusals(sitting.table, viewer, sitting.now, ATTEMPTS) == refusals(
            waiting, viewer, sitting.now, ATTEMPTS
        )


# --- what is said of a game at a live table ---------------------------------------------------------------------------


@pytest.mark.parametrize("slug", brocante.GAMES)
def test_who_decides_together_and_who_plays_together_is_public(slug: str) -> None:
    @few
    @given(games(brocante.box(slug)), st.integers(0, 2**32))
    def check(game: Game, seed: int) -> None:
        box, rng = game.box, generator(seed)
        for from_shown in (False, True):
            other = box.redealt(game.state, NOBODY, rng, from_shown=from_shown)
            assert box.together(other) == box.together(game.state)
            assert box.allies(other) == box.allies(game.state)

    check()


@pytest.mark.parametrize("slug", brocante.GAMES)
def test_whoever_decides_together_finds_what_they_were_asked(slug: str) -> None:
    """The contract of `together`: seats in the order in which they are asked, the actor first; each is asked then
    exactly what it is asked now, and one who lets it pass may."""

    @few
    @given(games(brocante.box(slug)))
    def check(game: Game) -> None:
        for _ in range(20):
            assert_asked_in_order(game)
            if not game.is_over:
                game.play(game.legal_moves[0])

    check()


def assert_asked_in_order(game: Game) -> None:
    together = game.together
    if together is None:
        return
    assert together.seats[0] == game.actor
    assert len(set(together.seats)) == len(together.seats)
    after: Any = game.copy()
    for seat in together.seats:
        assert after.actor == seat
        assert after.legal_moves == game.deciding_as(seat).legal_moves
        after.play({"seat": seat, "move": together.otherwise.name()} if together.otherwise else after.legal_moves[0])
    assert after.together is None or set(after.together.seats).isdisjoint(together.seats)
