"""Many games at once are the same games as one at a time."""

import numpy as np
import pytest

import brocante
from brocante.arena.simulate import played_again, simulate
from brocante.bots import Bot, bots_for
from brocante.engine.box import Box
from brocante.engine.errors import UsageError

COLLECTION, ANTIQUES = brocante.box("collection"), brocante.box("antiques")
TABLES = [
    pytest.param(box, {"players": players}, id=f"{box.slug}-{players}p")
    for box in map(brocante.box, brocante.GAMES)
    for players in box.players
]
VARIANTS = [
    *TABLES,
    *(pytest.param(ANTIQUES, {"players": n, "take_that": True}, id=f"take-that-{n}p") for n in range(3, 7)),
]
#: How often one greedy player must win against random ones, who spoil the market for everybody.
FAR_BETTER = {"collection": 0.9, "antiques": 0.8}


@pytest.mark.parametrize(("box", "options"), TABLES)
def test_a_simulated_game_is_the_game_that_its_seed_deals(box: Box, options: dict[str, int]) -> None:
    bots = ["greedy", *["random"] * (options["players"] - 1)]
    result = simulate(box, options, 5, seed="same", bots=bots)
    for number, game in enumerate(played_again(result)):
        assert game.is_over
        assert game.scores == result.scores[number].tolist()
        assert game.ranks == result.ranks[number].tolist()
        assert game.steps[0].line == brocante.deal(box, **options, seed=f"same:{number}").steps[0].line


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


@pytest.mark.parametrize(("box", "options"), VARIANTS)
def test_a_hundred_thousand_games_end_with_every_card_accounted_for(box: Box, options: dict[str, int]) -> None:
    """simulate counts the cards of every game at its end, and raises if one is missing."""
    result = simulate(box, options, 100_000, seed="count")
    assert (result.lengths > 0).all()
    assert 0 <= result.scores.min() <= result.scores.max() < 2 * 108


def test_no_seat_is_favoured_among_equals() -> None:
    result = simulate(COLLECTION, {"players": 4}, 40_000, seed="seats")
    for seat in result.summary()["seats"]:
        assert abs(seat["wins"] - 0.25) < 0.01


@pytest.mark.parametrize(("box", "options"), TABLES)
def test_greedy_is_far_better_than_random(box: Box, options: dict[str, int]) -> None:
    result = simulate(box, options, 500, seed="skill", bots=["greedy", *["random"] * (options["players"] - 1)])
    assert result.summary()["seats"][0]["wins"] > FAR_BETTER[box.slug]


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
