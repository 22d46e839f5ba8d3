"""Many games at once are the same games as one at a time."""

import numpy as np
import pytest

import brocante
from brocante.arena.simulate import played_again, simulate
from brocante.bots import Bot, bots_for
from brocante.engine.errors import UsageError

COLLECTION = brocante.box("collection")


@pytest.mark.parametrize("players", COLLECTION.players)
def test_a_simulated_game_is_the_game_that_its_seed_deals(players: int) -> None:
    result = simulate(COLLECTION, {"players": players}, 5, seed="same", bots=["greedy", *["random"] * (players - 1)])
    for number, game in enumerate(played_again(result)):
        assert game.is_over
        assert game.scores == result.scores[number].tolist()
        assert game.ranks == result.ranks[number].tolist()
        assert game.steps[0].line == brocante.deal(COLLECTION, players=players, seed=f"same:{number}").steps[0].line


def test_the_number_of_threads_changes_nothing() -> None:
    one, four = (simulate(COLLECTION, {"players": 3}, 5000, seed=9, threads=threads) for threads in (1, 4))
    assert np.array_equal(one.scores, four.scores)
    assert np.array_equal(one.lengths, four.lengths)


def test_the_deal_does_not_depend_on_who_plays() -> None:
    """Bots draw from a stream of their own, so that two line-ups can be compared on the same deals."""
    deals = [
        [game.steps[0].line for game in played_again(simulate(COLLECTION, {"players": 2}, 3, seed=4, bots=bots))]
        for bots in (["random"], ["greedy"])
    ]
    assert deals[0] == deals[1]


@pytest.mark.parametrize("players", COLLECTION.players)
def test_a_hundred_thousand_games_end_with_every_card_accounted_for(players: int) -> None:
    """simulate counts the cards of every game at its end, and raises if one is missing."""
    result = simulate(COLLECTION, {"players": players}, 100_000, seed="count")
    assert (result.lengths > 0).all()
    assert result.scores.max() < 2 * 108


def test_no_seat_is_favoured_among_equals() -> None:
    result = simulate(COLLECTION, {"players": 4}, 40_000, seed="seats")
    for seat in result.summary()["seats"]:
        assert abs(seat["wins"] - 0.25) < 0.01


@pytest.mark.parametrize("players", COLLECTION.players)
def test_greedy_is_far_better_than_random(players: int) -> None:
    result = simulate(COLLECTION, {"players": players}, 300, seed="skill", bots=["greedy", *["random"] * (players - 1)])
    assert result.summary()["seats"][0]["wins"] > 0.9


def test_a_progress_report_adds_up() -> None:
    reports: list[int] = []
    simulate(COLLECTION, {"players": 2}, 2500, progress=reports.append)
    assert sum(reports) == 2500


def test_impossible_requests_are_refused() -> None:
    for games, bots in ((0, ["random"]), (1, ["clever"]), (1, ["random", "random"])):
        with pytest.raises(UsageError):
            simulate(COLLECTION, {"players": 3}, games, bots=bots)


@pytest.mark.parametrize("name", bots_for(COLLECTION))
def test_a_bot_plays_a_whole_game_by_what_it_knows(name: str) -> None:
    """The same move is chosen when what it cannot know is dealt anew, and the game itself stays as it is."""
    from brocante.engine.random import generator

    rng = generator("elsewhere")
    game = brocante.deal(COLLECTION, players=3, seed="bot")
    for turn in range(60):
        before = game.state.tobytes()
        move = Bot(COLLECTION, name, seed=turn).choose(game)
        assert Bot(COLLECTION, name, seed=turn).choose(game.redeal(game.actor, rng)) == move
        assert game.state.tobytes() == before
        game.play(move)
