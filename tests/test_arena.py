"""Many games at once are the same games as one at a time."""

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import brocante
from brocante.arena.simulate import played_again, simulate
from brocante.backends import BACKENDS, backend, compiler
from brocante.bots import Bot, bots_for
from brocante.engine.box import Box
from brocante.engine.errors import UsageError
from brocante.games.vinto.rules import WAITING
from tests.games import stubborn, watchful
from tests.games.watchful import MOST_WAITING

COLLECTION, ANTIQUES, VINTO = map(brocante.box, ("collection", "antiques", "vinto"))
TABLES = [
    pytest.param(box, {"players": players}, id=f"{box.slug}-{players}p")
    for box in map(brocante.box, brocante.GAMES)
    for players in box.players
]
VARIANTS = [
    *TABLES,
    *(pytest.param(ANTIQUES, {"players": n, "take_that": True}, id=f"take-that-{n}p") for n in range(3, 7)),
    *(pytest.param(VINTO, {"players": n, "king": "wild"}, id=f"wild-king-{n}p") for n in (4, 5)),
]
#: How often one greedy player must win against random ones, who spoil the market for everybody. In Vinto they call at
#: once, so that rounds are short and a matter of luck.
FAR_BETTER = {"collection": 0.9, "antiques": 0.8, "port": 0.95, "vinto": 0.45}


def with_bot(box: Box, bot: ModuleType) -> Box:
    """The same game with another bot in place of its greedy one."""
    other = object.__new__(Box)
    other.__dict__.update({**box.__dict__, "greedy": bot})
    return other


@pytest.mark.parametrize(("box", "options"), TABLES)
def test_a_simulated_game_is_the_game_that_its_seed_deals(box: Box, options: dict[str, int]) -> None:
    bots = ["greedy", *["random"] * (options["players"] - 1)]
    result = simulate(box, options, 5, seed="same", bots=bots)
    for number, game in enumerate(played_again(result)):
        assert game.is_over
        assert game.scores == result.scores[number].tolist()
        assert game.ranks == result.ranks[number].tolist()
        assert game.steps[0].line == brocante.deal(box, **options, seed=f"same:{number}").steps[0].line


@pytest.mark.parametrize("slug", brocante.GAMES)
def test_every_backend_plays_the_same_games(slug: str) -> None:
    box = brocante.box(slug)
    bots = ["random"] * (box.players[0] - 1) + ["greedy"]
    options = {"players": box.players[0]}
    one, *others = (simulate(box, options, 2, seed="both", bots=bots, backend=backend(name)) for name in BACKENDS)
    for other in others:
        assert np.array_equal(one.scores, other.scores)
        assert np.array_equal(one.ranks, other.ranks)
        assert np.array_equal(one.lengths, other.lengths)


def test_where_there_is_much_to_do_the_rest_is_played_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was played until then counts, and everything is told on the way."""
    monkeypatch.setenv("BROCANTE_CACHE_DIR", str(tmp_path))
    compiler.cache_clear()
    played: list[int] = []
    compiled: list[tuple[int, int]] = []
    result = simulate(
        COLLECTION, {}, 20_000, seed=5, progress=played.append, compiling=lambda *told: compiled.append(told)
    )
    assert result.backend.name == "numba"
    assert sum(played) == 20_000
    assert played[0] == 1, "the first as plain Python"
    assert compiled[-1][0] == compiled[-1][1] > 10
    few = simulate(COLLECTION, {}, 10, seed=5, backend=backend("python"))
    assert np.array_equal(few.scores, result.scores[:10])


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


def test_a_game_that_a_clock_must_end_is_not_simulated() -> None:
    with pytest.raises(UsageError, match="A simulation has no clock"):
        simulate(VINTO, {"minutes": 30}, 1)


@pytest.mark.parametrize("king", ["declare", "wild"])
@pytest.mark.parametrize("players", [4, 5])
def test_a_quarter_of_a_million_rounds_of_vinto_end_without_a_softlock(players: int, king: str) -> None:
    """With 54 cards accounted for at the end of every game; a million rounds together. Nothing waits for ever (V5), and
    one who watches finds far fewer actions waiting than there is room for."""
    assert MOST_WAITING < WAITING / 2
    bots = ["greedy", *["random"] * (players - 1)]
    box, options = with_bot(VINTO, watchful), {"players": players, "king": king, "rounds": 25}
    result = simulate(box, options, 10_000, seed="rounds", bots=bots)
    assert (result.lengths > 0).all()


@pytest.mark.parametrize("king", ["declare", "wild"])
@pytest.mark.parametrize("players", [4, 5])
def test_rounds_that_nobody_ends_are_ended_by_the_limit_of_turns(players: int, king: str) -> None:
    """V9.3, with draw piles that run empty again and again (V8.1), and few actions waiting (V5)."""
    box = with_bot(VINTO, stubborn)
    result = simulate(box, {"players": players, "king": king}, 2500, seed="stubborn", bots=["greedy"])
    assert (result.scores == 5).all(), "nobody has a point, and everyone shares the first place"
    assert result.lengths.min() > 4 * 40 * players


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
