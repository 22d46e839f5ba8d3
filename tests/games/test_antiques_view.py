"""What the antiques market shows and tells a person, and what it does not."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brocante
from brocante import NOBODY, Game, Replay
from brocante.engine.text import Name, Text, language
from brocante.games.antiques import rules
from brocante.games.antiques.deck_file import Deck, Item, deck_of
from brocante.games.antiques.moves import Hoard
from brocante.testing.positions import played_on

say = language("en").say


def items_named(lines: list[Text]) -> set[Name]:
    """The items that these lines of a log name; in the blanks too, for a client may say them in another language."""
    return {value for line in lines for value in line.args.values() if isinstance(value, Name)}


# --- the log: what one has just seen, and what one must remember ---


@given(st.integers(3, 6), st.booleans(), st.integers(0, 10**6), st.integers(5, 130))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_the_log_names_items_only_while_they_are_news(players: int, take_that: bool, seed: int, moves: int) -> None:
    """Otherwise one could look up in it what is in every Hoard: who kept or stole something that is on show no more."""
    game = played_on(brocante.deal("antiques", players=players, take_that=take_that, seed=seed), moves)
    for seat in (*range(players), NOBODY):
        for number, step in enumerate(game.steps):
            named = items_named(game.log_of(seat, number))
            own = isinstance(step.move, Hoard) and step.move.seat == seat
            if not game.is_news(seat, number) and not own:
                assert not named
            elif step.move and step.move.name() != "pass":
                assert named


@given(st.integers(3, 6), st.booleans(), st.integers(0, 10**6), st.integers(5, 130))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_news_is_at_most_one_item_of_each_hoard(players: int, take_that: bool, seed: int, moves: int) -> None:
    """Until the end of one's next turn one is told what one has just seen; in final hoarding people are asked twice."""
    game = played_on(brocante.deal("antiques", players=players, take_that=take_that, seed=seed), moves)
    final = game.state.stage == rules.Stage.FINAL
    for seat in (*range(players), NOBODY):
        hoarded = [
            step.move.seat
            for number, step in enumerate(game.steps)
            if isinstance(step.move, Hoard) and step.move.seat != seat and game.is_news(seat, number)
        ]
        if not game.is_over:
            assert all(hoarded.count(p) <= 1 + final + (seat == NOBODY) for p in range(players))


def test_when_the_game_is_over_the_log_tells_everything() -> None:
    game = played_on(brocante.deal("antiques", players=3, seed=1), 1000)
    assert game.is_over
    assert all(
        items_named(game.log_of(0, number)) for number, step in enumerate(game.steps) if isinstance(step.move, Hoard)
    )


def test_with_open_hoards_the_log_always_names_items() -> None:
    game = played_on(brocante.deal("antiques", players=3, open_hoards=True, seed=1), 40)
    assert all(items_named(game.log_of(0, number)) for number, step in enumerate(game.steps) if step.move)


def test_a_spectator_is_told_no_more_while_the_game_waits_for_chance() -> None:
    """A8.1, A8.2: a record that is being followed may stop before the line of the renewal."""
    whole = played_on(brocante.deal("antiques", players=5, seed=3), 1000)
    replay = Replay(brocante.box)
    for line in brocante.write_record(whole).splitlines(keepends=True):
        if b'"chance"' in line:
            break
        replay.feed(line)
    game = replay.game
    assert game.actor == brocante.CHANCE
    named = [
        n for n, step in enumerate(game.steps) if isinstance(step.move, Hoard) and items_named(game.log_of(NOBODY, n))
    ]
    assert len(named) <= game.players + 1


# --- the table ---


def hoard_zone(game: Game, viewer: int, seat: int) -> Any:
    places = game.view(viewer).table.places
    return next(zone for zone in places[seat].zones if zone.key == "hoard")


def test_one_sees_ones_own_hoard_and_how_thick_the_others_are() -> None:
    game = played_on(brocante.deal("antiques", players=4, seed=5), 40)
    for seat in range(4):
        n = int(game.state.there[rules.HOARD + seat])
        assert sum(stack.count for stack in hoard_zone(game, seat, seat).stacks) == n
        assert all(stack.card for stack in hoard_zone(game, seat, seat).stacks)
        assert [(stack.card, stack.count) for stack in hoard_zone(game, (seat + 1) % 4, seat).stacks] == [(None, n)]
        assert game.view((seat + 1) % 4).table.places[seat].score is None


@pytest.mark.parametrize("reason", ["open", "over"])
def test_open_hoards_and_those_at_the_end_are_seen_by_all(reason: str) -> None:
    game = brocante.deal("antiques", players=4, open_hoards=reason == "open", seed=5)
    played_on(game, 40 if reason == "open" else 1000)
    for viewer in (0, NOBODY):
        for seat in range(4):
            assert all(stack.card for stack in hoard_zone(game, viewer, seat).stacks)
            assert game.view(viewer).table.places[seat].score == game.scores[seat]


def test_the_races_count_every_item_once() -> None:
    game = played_on(brocante.deal("antiques", players=5, seed=5), 60)
    for viewer in (*range(5), NOBODY):
        for bonus, race in enumerate(game.view(viewer).table.races):
            known = sum(n for n in race.counts if n is not None)
            assert known + race.open + race.left == (21 if bonus < 3 else 9)
            shown = [seat for seat, n in enumerate(race.counts) if n is not None]
            assert shown == ([viewer] if viewer != NOBODY else [])


def test_the_awards_add_up_to_the_scores() -> None:
    for seed in range(30):
        game = played_on(brocante.deal("antiques", players=3 + seed % 4, seed=seed), 1000)
        awards = game.view(0).awards
        assert [sum(award.points[p] for award in awards) for p in range(game.players)] == game.scores
        assert len(awards) >= 1 + rules.BONUSES
        assert all(language(code).say(award.why) for award in awards for code in ("en", "fr"))


def test_a_word_for_a_colour_and_a_category_has_two_signs() -> None:
    """A deck may use one word for both; the card shows the sign of each, as the races do."""
    items = [
        Item(
            item.id, item.category.replace("music", "other"), item.colour.replace("red", "other"), item.year, item.value
        )
        for item in Deck.built_in().items
    ]
    game = brocante.deal("antiques", deck=Deck(tuple(items)), seed=1)
    marks = [race.mark for race in game.view(0).table.races]
    others = [mark for mark in marks if say(mark.name) == "other"]
    assert len({mark.sign for mark in marks}) == len(marks)
    assert len(others) == 2
    cards = [stack.card for place in game.view(0).table.places for zone in place.zones for stack in zone.stacks]
    assert all(set(card.marks) <= set(marks) and len(set(card.marks)) == 2 for card in cards if card)


def test_before_a_deck_is_given_there_is_nothing_to_see() -> None:
    replay = Replay(brocante.box)
    replay.feed(
        b'{"record": 1, "game": "antiques", "options": {"players": 3, "deck": "given"}, "seats": ["", "", ""]}\n'
    )
    assert "Display Case: –" in replay.game.text(0)
    assert replay.game.view(0).result is None


def test_the_last_names_that_somebody_brought_are_the_ones_that_are_shown() -> None:
    """A deck with other names for the same items is the same deck: a game, its record and its state know no names."""
    items = tuple(
        Item(item.id, item.category, item.colour, item.year, item.value, (f"my {item.id}", f"mon {item.id}"))
        for item in Deck.built_in().items
    )
    before = brocante.deal("antiques", seed=1)
    built_in = deck_of(before.state)
    try:
        game = brocante.deal("antiques", deck=Deck(items), seed=1)
        assert game == before
        assert game.options["deck"] == "reconstructed"
        assert "my " in game.text(0)
        assert "mon " in game.text(0, "fr")
    finally:
        Deck.opened[built_in.key] = built_in
