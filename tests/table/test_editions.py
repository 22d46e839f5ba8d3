"""What was played stays as it was played: a log outlives the rules that its games were played by."""

import json
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

import brocante
from brocante.table import Fact, LiveTable, audience, handle
from brocante.table import commands as c
from brocante.table import facts as f
from tests.table.tables import ENGLISH, PEOPLE, Sitting, kinds, replayed, viewers

ANA, BEN = PEOPLE[:2]
Entries = list[tuple[float, list[Fact]]]


@pytest.fixture
def change_rules(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Have a game behave in another way from now on, as its version says."""

    def change(game: str, what: str = "version") -> None:
        box = brocante.box(game)
        monkeypatch.setattr(box, what, getattr(box, what) + 1)

    return change


def under_way(game: str, moves: int = 30) -> Sitting:
    return Sitting(game, 2).start().play_until(lambda table: len(table.game.steps) > moves)


def so_far(sitting: Sitting) -> list[Any]:
    """The lines of the record after the header, as our own rules tell them."""
    assert sitting.table.game
    return read_lines(brocante.write_record(sitting.table.game))[1:]


def read_lines(record: bytes) -> list[Any]:
    return [*map(json.loads, record.splitlines())]


def woken(sitting: Sitting, entries: Entries) -> tuple[LiveTable, list[Fact]]:
    """The table as another process finds it in the log, and what it does about it."""
    return handle(replayed(entries), c.Wake(), "", sitting.now, sitting.seeds)


def as_of_old(entries: Entries) -> Entries:
    """The same as a log had it that named no edition, told nothing of chance and kept no records."""

    def plain(fact: Fact) -> Fact:
        match fact:
            case f.Started():
                return f.Started()
            case f.Moved(seat, move, by):
                return f.Moved(seat, move, by)
        return fact

    return [(at, [plain(fact) for fact in facts if not isinstance(fact, f.Recorded)]) for at, facts in entries]


# --- what the log says ---


@pytest.mark.parametrize("game", brocante.GAMES)
def test_the_log_names_the_edition_and_the_version_of_its_game(game: str) -> None:
    box, (_, facts) = brocante.box(game), Sitting(game, 2).start().entries[-1]
    started = json.loads(f.encode(facts))[-1]
    assert (started["fact"], started["edition"], started["version"]) == ("started", box.edition, box.version)


def test_when_a_game_ends_its_record_is_kept() -> None:
    sitting = Sitting("collection").start().play_to_the_end()
    assert kinds(sitting.entries[-1][1])[-2:] == ["Recorded", "Committed"]
    recorded = sitting.entries[-1][1][-2]
    assert isinstance(recorded, f.Recorded)
    assert recorded.game == 1
    assert zlib.decompress(recorded.record) == sitting.table.record()
    for viewer in viewers(sitting.table):
        assert "recorded" not in [event.event for event in sitting.told(viewer)]


# --- games that are over ---


@pytest.mark.parametrize("what", ["version", "edition"])
@pytest.mark.parametrize("game", brocante.GAMES)
def test_a_game_that_is_over_keeps_its_record_whatever_the_rules_become(
    game: str, what: str, change_rules: Callable[..., None]
) -> None:
    sitting = Sitting(game, 2).start().play_to_the_end()
    change_rules(game, what)
    table, facts = woken(sitting, sitting.entries)
    assert facts == []
    assert (table.phase, table.finished, table.winners) == ("over", sitting.table.finished, sitting.table.winners)
    assert audience.view(table, 0) is None, "it can no longer be drawn"
    assert not audience.info(table).closed


def test_a_record_that_our_rules_would_make_otherwise_is_kept_as_it_is() -> None:
    """Though nobody has said that the rules changed."""
    sitting = Sitting("collection").start().play_to_the_end()
    at, (*facts, recorded, committed) = sitting.entries[-1]
    assert isinstance(recorded, f.Recorded)
    other = zlib.decompress(recorded.record).replace(b'"scores": [', b'"scores": [1')
    kept = msgspec.structs.replace(recorded, record=zlib.compress(other), winners=(1,))
    table = replayed([*sitting.entries[:-1], (at, [*facts, kept, committed])])
    assert table.record() == other
    assert table.winners == (1,)
    assert audience.view(table, 0) is None


def test_a_game_that_by_our_rules_would_not_be_over_is() -> None:
    sitting = under_way("collection")
    recorded = f.Recorded(1, zlib.compress(b"as it was"), (0,))
    table = replayed([*sitting.entries, (sitting.now, [recorded, f.Committed("next")])])
    assert (table.phase, table.record(), table.winners, table.is_outdated) == ("over", b"as it was", (0,), False)


def test_games_of_old_logs_are_recorded_when_they_are_found() -> None:
    sitting = Sitting("collection").start().play_to_the_end()
    for who in (ANA, BEN):
        sitting.do(c.Again(), who)
    sitting.play_to_the_end()
    old = as_of_old(sitting.entries)
    assert replayed(old).is_outdated
    table, facts = woken(sitting, old)
    assert kinds(facts) == ["Recorded", "Recorded"]
    assert table.finished == sitting.table.finished
    assert not table.is_outdated
    assert woken(sitting, [*old, (sitting.now, facts)])[1] == [], "once"


# --- games under way ---


@pytest.mark.parametrize("game", brocante.GAMES)
def test_a_game_under_way_whose_rules_are_gone_is_closed_with_a_word_to_everyone(
    game: str, change_rules: Callable[..., None]
) -> None:
    sitting = under_way(game)
    before = so_far(sitting)
    change_rules(game, "edition")
    table, facts = woken(sitting, sitting.entries)
    assert kinds(facts) == ["Closed", "Recorded", "Committed"]
    assert (table.phase, table.deciding, table.winners, table.due()) == ("over", (), (), None)
    assert audience.info(table).closed
    edition = brocante.box(game).edition
    for viewer in viewers(table):
        (said,) = [event.said for event in audience.latest(table, len(facts), viewer, ENGLISH) if event.said]
        assert f"edition {edition - 1} of its rules; Brocante now plays edition {edition}" in said[0]
        assert audience.log(table, viewer, ENGLISH) == list(said), "who comes later reads it, too"
        assert audience.view(table, viewer) is None
    header, *lines = read_lines(table.record())
    assert lines == before
    assert header.get("edition", 1) == edition - 1
    assert woken(sitting, [*sitting.entries, (sitting.now, facts)])[1] == [], "once"


def test_a_change_of_how_a_deal_follows_from_a_seed_counts_too(change_rules: Callable[..., None]) -> None:
    sitting = under_way("antiques")
    change_rules("antiques", "version")
    table, facts = woken(sitting, sitting.entries)
    assert kinds(facts) == ["Closed", "Recorded", "Committed"]
    assert "rules that have changed since" in audience.log(table, 0, ENGLISH)[0]


def test_those_who_sit_there_start_anew_at_once(change_rules: Callable[..., None]) -> None:
    sitting = under_way("vinto")
    change_rules("vinto")
    sitting.table, facts = woken(sitting, sitting.entries)
    sitting.entries.append((sitting.now, facts))
    assert sitting.refusal(c.PlayMove("pass"), ANA) == "over"
    sitting.do(c.Again(), ANA)
    assert kinds(sitting.do(c.Again(), BEN)) == ["AgainAsked", "Started"]
    sitting.play_to_the_end()
    assert len(sitting.table.finished) == 2
    assert replayed(sitting.entries).finished == sitting.table.finished


def test_what_was_taken_back_is_not_in_the_record_of_a_closed_game(change_rules: Callable[..., None]) -> None:
    sitting = under_way("collection")
    while sitting.table.undo_asked is None:
        sitting.go_on()
        if sitting.asked == [BEN]:
            sitting.do(c.Undo(), ANA)
    sitting.do(c.Agree(), BEN)
    before = so_far(sitting)
    change_rules("collection")
    assert read_lines(woken(sitting, sitting.entries)[0].record())[1:] == before


def damaged(fact: f.Moved) -> Iterator[f.Moved]:
    """What other rules could have made of a move."""
    yield msgspec.structs.replace(fact, standing=tuple(n + 1 for n in fact.standing))
    yield msgspec.structs.replace(fact, fell=({"chance": "die", "value": 7},))
    yield msgspec.structs.replace(fact, move={"move": "close", "kind": "yachts"})


@pytest.mark.parametrize("how", range(3))
def test_rules_that_changed_without_a_word_are_noticed(how: int) -> None:
    """The log says what each move came to: it is compared, not believed."""
    sitting = under_way("collection")
    entries = list(sitting.entries)
    number = next(n for n in range(len(entries) - 8, 0, -1) if kinds(entries[n][1]) == ["Moved"])
    at, (moved,) = entries[number]
    assert isinstance(moved, f.Moved)
    other = [*damaged(moved)][how]
    entries[number] = at, [other]
    table, facts = woken(sitting, entries)
    assert kinds(facts) == ["Closed", "Recorded", "Committed"]
    lines = read_lines(table.record())[1:]
    assert {"seat": other.seat, **other.move} in lines
    assert lines[-1] == so_far(sitting)[-1], "everything that was played is in it, up to the last move"


def test_an_old_log_of_rules_that_are_still_ours_is_played_on() -> None:
    sitting = under_way("collection")
    sitting.table = replayed(as_of_old(sitting.entries))
    sitting.play_to_the_end()
    assert len(sitting.table.finished) == 1


def test_an_old_log_of_other_rules_tells_its_moves_and_what_chance_did_as_far_as_we_know() -> None:
    """Vinto is at its second edition, and old logs say nothing of chance."""
    sitting = under_way("vinto", 60)
    old = as_of_old(sitting.entries)
    table, facts = woken(sitting, old)
    assert kinds(facts) == ["Closed", "Recorded", "Committed"]
    header, setup, *lines = read_lines(table.record())
    assert "edition" not in header
    assert setup == so_far(sitting)[0]
    moves = [line for line in lines if "move" in line]
    assert moves == [line for line in so_far(sitting) if "move" in line]
