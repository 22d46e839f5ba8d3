"""Records of every game: those that hold replay to their result, and the broken ones are refused at the right line.

A selection is kept here in records/; where ../shared lies beside the repository, all of its records are read as well. A
broken record names what was done to it and the line that no longer holds: `3p-swap-line-59-10.jsonl`. Those of the
antiques market were played with a deck of their own, and bring it along.
"""

import json
import re
from functools import cache
from pathlib import Path

import pytest

import brocante
from brocante import Game, RecordError, Replay

HERE = Path(__file__).parent / "records"
SHARED = Path(__file__).parents[2].parent / "shared" / "records"
DAMAGE = {"argument", "drop", "extra", "result", "seat", "setup", "swap", "twice"}


def records(pattern: str) -> list[object]:
    """All records that match, ours and (where there are any) those of ../shared."""
    found: list[object] = []
    for game in brocante.GAMES:
        ours = [pytest.param(path, id=f"{game}/here/{path.stem}") for path in sorted((HERE / game).glob(pattern))]
        shared = [pytest.param(path, id=f"{game}/shared/{path.stem}") for path in sorted((SHARED / game).glob(pattern))]
        none = [pytest.param(None, id=f"{game}/shared", marks=pytest.mark.skip("../shared is not here"))]
        found += [*ours, *(shared or none)]
    return found


@cache
def read(path: Path) -> Replay:
    """A record, replayed once for all tests."""
    return brocante.read(path)


def damage_and_line(path: Path) -> tuple[str, int]:
    """What the name of a broken record says."""
    found = re.fullmatch(r".*-(\w+)-line-(\d+)-\d+", path.stem)
    assert found
    return found[1], int(found[2])


@pytest.mark.parametrize("path", records("*.jsonl"))
def test_a_record_replays_to_its_result(path: Path) -> None:
    replay = read(path)
    last = json.loads(path.read_bytes().splitlines()[-1])
    assert replay.finished
    assert replay.game.is_over
    assert replay.game.result_line() == last["result"]
    assert replay.line == len(path.read_bytes().splitlines())


@pytest.mark.parametrize("path", records("*.jsonl"))
def test_a_record_is_written_again_byte_by_byte(path: Path) -> None:
    """After the header, which need not spell its options and its seed the same way."""
    replay = read(path)
    again = brocante.write_record(replay.game, replay.names)
    header, _, rest = path.read_bytes().partition(b"\n")
    header_again, _, rest_again = again.partition(b"\n")
    assert rest_again == rest
    assert json.loads(header_again) | {"seed": ""} == json.loads(header) | {"seed": ""}


@pytest.mark.parametrize("path", records("broken/*.jsonl"))
def test_a_broken_record_is_refused_at_its_line(path: Path) -> None:
    _, line = damage_and_line(path)
    with pytest.raises(RecordError) as refused:
        brocante.read(path)
    assert refused.value.line == line
    assert str(refused.value).startswith(f"line {line}: ")


@pytest.mark.parametrize("path", sorted(HERE.glob("*/broken/*.jsonl")), ids=lambda path: path.stem)
def test_a_broken_record_replays_as_far_as_it_holds(path: Path) -> None:
    """Everything before the bad line is played, and the bad line changes nothing."""
    _, line = damage_and_line(path)
    lines = path.read_bytes().splitlines(keepends=True)
    replay = Replay(brocante.box)
    for data in lines[: line - 1]:
        replay.feed(data)
    before, written = replay.game.copy(), brocante.write_record(replay.game)
    with pytest.raises(RecordError):
        replay.feed(lines[line - 1])
    assert replay.game == before
    assert brocante.write_record(replay.game) == written
    assert replay.line == line - 1
    assert not replay.finished


# --- what is in the selection ---


def selection(game: str) -> list[Game]:
    return [read(path).game for path in (HERE / game).glob("*.jsonl")]


@pytest.mark.parametrize(("game", "option"), [("antiques", "take_that"), ("collection", "target")])
def test_the_selection_has_every_number_of_players_with_and_without(game: str, option: str) -> None:
    values = {"take_that": (False, True), "target": (None, 60)}[option]
    there = {(game.players, game.options[option]) for game in selection(game)}
    assert there == {(players, value) for players in brocante.box(game).players for value in values}


@pytest.mark.parametrize("game", brocante.GAMES)
def test_the_selection_has_every_kind_of_damage(game: str) -> None:
    chance = {"chance"} if game != "collection" else set()  # only there does chance do no more than deal
    assert {damage_and_line(path)[0] for path in (HERE / game).glob("broken/*.jsonl")} == DAMAGE | chance


def test_the_selection_of_antiques_has_ties_and_both_kinds_of_renewal() -> None:
    """A10.3: equal scores with ranks of their own; A8.1 and A8.2: a second card drawn from the new deck, and none."""
    games = selection("antiques")
    assert any(len(set(game.scores)) < game.players == len(set(game.ranks)) for game in games)
    renewals = [[step.line for step in game.steps] for game in games if game.players >= 5]
    before = {lines[next(n for n, line in enumerate(lines) if "chance" in line) - 1]["move"] for lines in renewals}
    assert "keep" in before
    assert before & {"steal", "salvage"}
