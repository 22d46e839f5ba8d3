"""The law of replay: whatever is asked for, by whom and when, facts alone make the table."""

from random import Random

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import brocante
from brocante.engine.errors import BrocanteError
from brocante.engine.state import NOBODY
from brocante.engine.step import Step
from brocante.table import Command, Fact, LiveTable, audience, handle, table_fields
from brocante.table import commands as c
from brocante.table import facts as f
from brocante.table.snapshot import Snapshot, StepSnapshot, restore, take_snapshot
from brocante.wire.events import Event
from tests.table.anything import act, any_request, any_sitting
from tests.table.tables import ENGLISH, FRENCH, Sitting, replayed, shown, viewers

few = settings(max_examples=4, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
randoms = st.integers(0, 2**32).map(Random)
#: Requests in one example: enough for a game and the beginning of the next.
REQUESTS = 250


def assert_same(table: LiveTable, other: LiveTable, at: float) -> None:
    """That two tables are the same, to everyone and inside."""
    assert take_snapshot(other) == take_snapshot(table)
    assert (other.due(), other.event_counts) == (table.due(), table.event_counts)
    assert (other.phase, other.seats) == (table.phase, table.seats)
    assert other.finished == table.finished
    for viewer in viewers(table):
        assert shown(other, viewer, at) == shown(table, viewer, at)


@pytest.mark.parametrize("game", brocante.GAMES)
@few
@given(randoms)
def test_facts_add_up_to_the_table_that_was_answered(game: str, rng: Random) -> None:
    sitting = any_sitting(rng, game)
    for _ in range(REQUESTS):
        before, untouched = sitting.table, take_snapshot(sitting.table)
        facts, refused = act(rng, sitting)
        assert take_snapshot(before) == untouched, "a table is never changed by what follows from a command"
        assert not refused or (sitting.table is before and all(refused.say(code) for code in ("en", "fr")))
        assert f.decode(f.encode(facts)) == facts
    assert_same(sitting.table, replayed(sitting.entries), sitting.now)


@pytest.mark.parametrize("game", brocante.GAMES)
@few
@given(randoms)
def test_every_viewer_is_told_everything_once_and_in_order(
    game: str, monkeypatch: pytest.MonkeyPatch, rng: Random
) -> None:
    sitting = any_sitting(rng, game)
    monkeypatch.setattr(table_fields, "LONGEST_HISTORY", 10 * REQUESTS)
    everyone = sitting.table.box.viewers
    heard = {viewer: sitting.told(viewer) for viewer in everyone}
    for _ in range(REQUESTS):
        facts, _ = act(rng, sitting)
        for viewer in everyone:
            heard[viewer] += audience.latest(sitting.table, len(facts), viewer, ENGLISH)
    for viewer in everyone:
        assert [event.n for event in heard[viewer]] == list(range(1, sitting.table.event_counts[viewer] + 1))
        since = rng.randint(0, len(heard[viewer]))
        whole, tail = (audience.events(sitting.table, viewer, n, ENGLISH) for n in (0, since))
        assert whole is not None
        assert tail == whole[since:]
        assert in_confidence_left_out(heard[viewer]) == in_confidence_left_out(whole)
        assert audience.events(sitting.table, viewer, len(whole) + 1, FRENCH) is None


def in_confidence_left_out(events: list[Event]) -> list[Event]:
    """What was said to some seats only is told again to those who still sit there, and to nobody else."""
    return [msgspec.structs.replace(event, text="") if event.allies else event for event in events]


@pytest.mark.parametrize("game", brocante.GAMES)
@few
@given(randoms)
def test_a_snapshot_goes_on_like_the_table_it_was_made_of(game: str, rng: Random) -> None:
    sitting = any_sitting(rng, game)
    for _ in range(rng.randrange(REQUESTS)):
        act(rng, sitting)
    data = take_snapshot(sitting.table)
    other = restore(data, sitting.pace)
    assert other.history == []
    assert other.forgotten_counts == other.event_counts == sitting.table.event_counts
    assert_same(sitting.table, other, sitting.now)
    for _ in range(60):
        command, who = any_request(rng, sitting)
        told = dict(sitting.table.event_counts)
        sitting.table, facts, refused = tried(sitting.table, command, who, sitting.now)
        other, *same = tried(other, command, who, sitting.now)
        assert same == [facts, refused]
        for viewer in other.box.viewers:
            since = told[viewer]
            news = audience.events(sitting.table, viewer, since, ENGLISH)
            assert audience.events(other, viewer, since, ENGLISH) == news
    assert_same(sitting.table, other, sitting.now)
    assert take_snapshot(restore(data, 1.0)) == data


def tried(table: LiveTable, command: Command, who: str, now: float) -> tuple[LiveTable, list[Fact], str]:
    """What follows from a command, and why if nothing does."""
    try:
        return (*handle(table, command, who, now, lambda: f"secret {table.facts}"), "")
    except BrocanteError as refused:
        return table, [], str(refused)


@pytest.mark.parametrize("game", brocante.GAMES)
@few
@given(randoms)
def test_a_game_can_always_be_gone_on_with(game: str, rng: Random) -> None:
    """However odd the moment: as long as somebody is there, a command or the clock leads on to the end."""
    sitting = any_sitting(rng, game).start()
    for _ in range(rng.randrange(REQUESTS)):
        act(rng, sitting)
    if sitting.table.phase == "open":
        sitting.start()
    for seat in sitting.table.seats:
        if seat.who:
            sitting.do(c.Back(), seat.who)
    if sitting.table.paused and sitting.table.people:
        sitting.do(c.Resume(), sitting.table.seats[sitting.table.people[0]].who)
    sitting.play_to_the_end()
    assert sitting.table.finished
    assert audience.info(sitting.table).winners or sitting.table.ended, "only where all have given up, nobody wins"
    view = audience.view(sitting.table, NOBODY)
    assert view is not None
    assert not view.offers


def test_a_snapshot_holds_everything_that_a_table_is() -> None:
    told, follows, in_facts = (
        {"history", "forgotten_counts"},
        {"phase", "together", "deciding", "guessed_shown"},
        {"retired"},
    )
    assert {*Snapshot.__struct_fields__} == {*vars(LiveTable()), "box"} - {"slowness"} - told - follows - in_facts
    follows = {"after"}  # from the step that follows
    assert {*StepSnapshot.__struct_fields__} == {*Step.__struct_fields__} - follows


def test_a_table_is_rebuilt_whatever_the_pace_of_its_bots() -> None:
    sitting = Sitting("vinto", 2).start().play_to_the_end()
    assert_same(sitting.table, replayed(sitting.entries, pace=9.0), sitting.now)
