"""Guided first games: each can be played as it is written, speaks both languages, and offers one thing at a time."""

from pathlib import Path

import pytest

import brocante
from brocante.engine.box import Box
from brocante.engine.errors import IllegalMove
from brocante.engine.lesson import Lesson, lesson_of
from brocante.engine.moves import Part
from brocante.engine.text import LANGUAGES, Text, catalogue_folders, read_catalogue
from brocante.engine.view import Stack, Table, Zone

every_game = pytest.mark.parametrize("slug", brocante.GAMES)


def lesson(slug: str) -> Lesson:
    found = lesson_of(brocante.box(slug))
    assert found
    return found


def zones_by_name(table: Table) -> dict[str, Zone]:
    """Every part of a table by what `show` calls it."""
    centre = {zone.key: zone for zone in table.centre}
    board = {f"board.{zone.key}": zone for zone in table.board}
    places = {f"{place.seat}.{zone.key}": zone for place in table.places for zone in place.zones}
    return centre | board | places


def things(table: Table) -> list[Zone | Stack]:
    """Everything that one can touch."""
    zones = zones_by_name(table).values()
    return [*zones, *(stack for zone in zones for stack in zone.stacks)]


@every_game
def test_a_lesson_is_short_and_lets_one_play(slug: str) -> None:
    steps = lesson(slug).steps
    assert 8 <= len(steps) <= 18
    assert sum(bool(step.move) for step in steps) >= 4


@every_game
def test_a_lesson_says_all_that_is_written_for_it_and_nothing_twice(slug: str) -> None:
    said = [step.says for step in lesson(slug).steps]
    assert len(set(said)) == len(said)
    for code in LANGUAGES:
        written = read_catalogue(catalogue_folders()[slug] / f"{code}.toml", slug)
        own = {key for key in written if key.startswith(f"{slug}.lesson.")}
        assert own == {f"{slug}.lesson.{says}" for says in (*said, "title")}


@every_game
def test_what_a_lesson_points_at_is_there(slug: str) -> None:
    found = lesson(slug)
    for number, step in enumerate(found.steps):
        table = found.view(number).table
        there = {"", *zones_by_name(table)} | ({"races"} if table.races else set())
        assert step.show in there, step.says


@every_game
def test_one_thing_can_be_done_at_a_time_and_all_else_says_why_not(slug: str) -> None:
    found = lesson(slug)
    refused = 0
    for number, step in enumerate(found.steps):
        begun: tuple[int, ...] = ()
        while True:
            view = found.view(number, begun)
            touched = things(view.table)
            moves = {move for thing in touched for move in thing.moves}
            if not step.move:
                assert not view.offers
                assert not moves
                assert not any(thing.why for thing in touched)
                break
            (offer,) = view.offers
            assert moves <= {offer.move}
            first = Text("lesson.first", what=offer.label)
            refused += sum(thing.why == first for thing in touched)
            assert not any(thing.why and thing.moves for thing in touched)
            if not isinstance(offer.move, Part):
                assert str(offer.move) == step.move
                break
            begun = (*begun, offer.move.action)
    assert refused > 4


def test_a_choice_that_does_not_lead_on_is_refused() -> None:
    found = lesson("port")
    asked = next(number for number, step in enumerate(found.steps) if step.move.startswith("mark harvest"))
    (offer,) = found.view(asked).offers
    assert isinstance(offer.move, Part)
    (last,) = found.view(asked, [offer.move.action]).offers
    assert str(last.move) == found.steps[asked].move
    for begun in ([offer.move.action + 1], [offer.move.action, 0], [-5]):
        with pytest.raises(IllegalMove):
            found.view(asked, begun)
    with pytest.raises(IllegalMove):
        found.view(0, [offer.move.action])


def test_what_one_looked_at_is_shown_in_the_step_after() -> None:
    found = lesson("vinto")
    peek = next(number for number, step in enumerate(found.steps) if step.move.startswith("peek"))
    assert not found.moments(peek)
    (moment,) = found.moments(peek + 1)
    row = moment.table.places[found.seat].zones[0]
    assert sum(stack.card is not None for stack in row.stacks) == 2
    hidden = found.view(peek + 1).table.places[found.seat].zones[0]
    assert not any(stack.card for stack in hidden.stacks), "and then it is theirs to remember"


def test_a_game_needs_no_lesson(tmp_path: Path) -> None:
    bare = Box.__new__(Box)
    bare.__dict__.update(brocante.box("collection").__dict__, folder=tmp_path)
    assert lesson_of(bare) is None
