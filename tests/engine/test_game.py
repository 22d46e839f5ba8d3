"""The Python API: what one can ask of a game, and what it answers."""

import pickle
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import brocante
from brocante import CHANCE, NOBODY, Game, IllegalMove, UsageError
from brocante.bots import Bot
from brocante.engine.moves import Part
from brocante.engine.observation import flat
from brocante.engine.state import record
from brocante.games.collection.moves import Close, End, Place
from tests.broken import broken


def dealt(**options: object) -> Game:
    return brocante.deal("collection", **{"players": 3, "seed": 42, **options})


def finished(game: Game) -> Game:
    while not game.is_over:
        game.play(game.legal_moves[0])
    return game


def test_options_that_are_not_given_have_their_defaults() -> None:
    assert brocante.deal("collection").options == {"players": 3, "target": None}


@pytest.mark.parametrize(
    ("options", "right"),
    [
        ({"players": 5}, "from 2 to 4"),
        ({"players": "3"}, "from 2 to 4"),
        ({"players": None}, "from 2 to 4"),
        ({"target": True}, "from 1 to 10000"),
        ({"colour": "red"}, "its options are players and target"),
    ],
)
def test_a_wrong_option_is_refused_with_what_would_be_right(options: dict[str, object], right: str) -> None:
    with pytest.raises(UsageError, match=right):
        brocante.deal("collection", **options)


def test_a_move_is_played_as_an_object_as_text_or_as_a_line_of_a_record() -> None:
    games = [dealt() for _ in range(3)]
    games[0].play(Place(1, "books"))
    games[1].play("place books")
    games[2].play({"seat": 1, "move": "place", "kind": "books"})
    assert games[0] == games[1] == games[2] != dealt()


@pytest.mark.parametrize("text", ["", "  ", "steal", "place", "place coins", "place books 3", "end now", "\ud800"])
def test_text_that_is_no_move_is_refused(text: str) -> None:
    game = dealt()
    with pytest.raises(IllegalMove) as refused:
        game.play(text)
    assert str(refused.value).encode()
    assert game == dealt()


def test_moves_compare_by_value_and_can_be_keys() -> None:
    assert {Place(1, "books"): "yes"}[Place(1, "books")] == "yes"
    assert len({Place(1, "books"), Place(1, "books"), Close(1, "books")}) == 2
    assert str(End(0)) == "end"


def test_somebody_who_moves_out_of_turn_is_not_told_what_the_others_may_do() -> None:
    game = dealt()
    with pytest.raises(IllegalMove) as refused:
        game.play(Place(0, "books"))
    assert str(refused.value) == '"place books" is not possible: it is the decision of seat 1'


def test_nor_is_somebody_who_says_nothing() -> None:
    with pytest.raises(IllegalMove) as refused:
        dealt().parse(" ", seat=0)
    assert str(refused.value) == "a move was expected; the moves are place, close and end"


def test_undo_goes_back_to_the_deal_and_no_further() -> None:
    game = dealt()
    with pytest.raises(IllegalMove, match="no move to take back"):
        game.undo()
    assert game == dealt()
    game.play("place books")
    assert game.undo() == Place(1, "books")
    assert game == dealt()


def test_undo_takes_back_the_next_round_that_chance_dealt() -> None:
    game = dealt(players=2, target=60)
    while game.state.rounds == 1:
        before = game.state.tobytes()
        game.play(game.legal_moves[0])
    after = game.state.tobytes()
    last = game.undo()
    assert game.state.tobytes() == before
    game.play(last)
    assert game.state.tobytes() == after, "chance deals the same round again"


def test_a_player_may_take_back_what_nobody_has_answered() -> None:
    game = dealt()
    assert not game.can_undo(1), "nothing was done yet"
    game.play("place books")
    assert game.can_undo(1)
    assert not game.can_undo(0)
    game.play("end")
    assert not game.can_undo(1), "the turn is over, and cards were drawn"


def test_a_player_may_not_take_back_a_move_that_showed_them_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a game like Collection in which a card is drawn with every card placed."""
    monkeypatch.setenv("BROCANTE_CACHE_DIR", str(tmp_path / "cache"))
    box = broken(
        tmp_path, "drawing", {"rules.py": [("    s.placed[k] += 1\n", "    s.placed[k] += 1\n    draw(s, p, 1)\n")]}
    )
    game = brocante.deal(box, players=2, seed=1)
    game.play(game.legal_moves[0])
    assert game.steps[-1].move
    assert game.actor == game.steps[-1].move.seat
    assert not game.can_undo(game.actor)


def test_what_chance_will_do_in_a_redealt_game_is_not_what_it_will_do_in_the_true_one() -> None:
    """Searches that share the future of the table, or one another's, would know what nobody can."""

    def next_round(game: Game) -> object:
        while game.state.rounds == 1:
            game.play(game.legal_moves[0])
        return game.steps[-1].line

    game = dealt(players=2, target=200)
    rng = brocante.generator("search")
    futures = [next_round(game.redeal(0, rng)) for _ in range(4)]
    futures.append(next_round(game))
    assert all(futures.count(future) == 1 for future in futures)


def test_a_seat_that_does_not_exist_sees_nothing() -> None:
    for seat in (3, -1, 7):
        for ask in (dealt().view, dealt().text, dealt().observation, dealt().seen):
            with pytest.raises(UsageError, match="from 0 to 2"):
                ask(seat)


def test_a_game_that_waits_for_chance_can_be_looked_at() -> None:
    game = Game(brocante.box("collection"), {"players": 3})
    for seat in (0, NOBODY):
        assert str(game.view(seat).prompt) == "Chance moves next."
        assert game.text(seat)


def test_what_is_no_move_at_all_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="not None"):
        dealt().play(None)  # type: ignore[arg-type]


def test_a_move_may_be_asked_about_as_text() -> None:
    assert dealt().is_legal("place books")
    assert not dealt().is_legal("end")


def test_nobody_has_won_before_the_game_is_over() -> None:
    game = dealt()
    assert game.winners == []
    finished(game)
    assert game.actor == NOBODY
    assert game.winners == [seat for seat in range(3) if game.scores[seat] == max(game.scores)]
    assert game.legal_moves == []
    with pytest.raises(IllegalMove, match="the game is over"):
        game.play(End(0))


def test_without_a_seed_the_game_waits_to_be_told_what_chance_did() -> None:
    game = Game(brocante.box("collection"), {"players": 3})
    assert game.actor == CHANCE
    assert game.legal_moves == []
    with pytest.raises(IllegalMove, match="chance moves now"):
        game.play(Place(0, "books"))
    game.chance(dealt().steps[0].line)
    assert game == dealt()
    with pytest.raises(IllegalMove, match="chance has no move to make here"):
        game.chance(dealt().steps[0].line)


def test_copies_and_pickles_are_equal_and_independent() -> None:
    game = dealt()
    for other in (game.copy(), pickle.loads(pickle.dumps(game))):
        assert other == game
        other.play(other.legal_moves[0])
        assert other != game
        assert len(game.steps) == 1


def test_an_observation_is_a_row_of_moderate_numbers_from_the_seats_own_side() -> None:
    game = finished(dealt(players=2))
    for seat in range(2):
        numbers = flat(game.observation(seat))
        assert numbers.dtype == np.float32
        assert ((numbers >= 0) & (numbers <= 2)).all()
    assert not np.array_equal(*(flat(game.observation(seat)) for seat in range(2)))


def test_a_state_needs_to_say_who_acts() -> None:
    with pytest.raises(ValueError, match="needs a field 'actor'"):
        record(("players", np.int8))


# --- moves that take several choices, and what the table announces ----------------------------------------------------


def by_the_clock() -> Game:
    return brocante.deal("vinto", players=4, minutes=30, seed="choices")


def test_a_move_is_chosen_one_choice_after_another() -> None:
    game = by_the_clock()
    first, begun = game.choices()[1]
    assert isinstance(first, Part)
    second, actions = game.choices(begun)[0]
    assert second in game.legal_moves
    assert len(actions) == 2
    assert game.view(game.actor, begun).prompt != game.view(game.actor).prompt


def test_a_part_of_a_move_cannot_be_played() -> None:
    game = by_the_clock()
    before = game.state.tobytes()
    for part in (game.choices()[0][0], brocante.deal("collection", players=2, seed=1).legal_moves[0]):
        with pytest.raises(IllegalMove, match="not a move of vinto, or is only the first choice of one"):
            game.play(part)
    assert game.state.tobytes() == before


def test_nobody_sees_what_comes_after_a_move_that_is_not_made() -> None:
    """Else one could look at the next card by asking what comes after drawing it."""
    game = by_the_clock()
    while game.is_legal("peek 0,1"):
        game.play("peek 0,1")
    draw = game.choices()[0][1]
    for ask in (lambda: game.view(game.actor, draw), lambda: game.choices(draw), lambda: game.choices([-1])):
        with pytest.raises(IllegalMove, match="cannot be made here"):
            ask()


def test_undo_takes_back_what_was_announced_after_a_move_or_nothing_at_all() -> None:
    game = by_the_clock()
    game.announce({"event": "time"})
    before = game.state.tobytes(), game.steps.copy()
    with pytest.raises(IllegalMove, match="no move to take back"):
        game.undo()
    assert (game.state.tobytes(), game.steps) == before
    game = by_the_clock()
    before = game.state.tobytes(), game.steps.copy()
    game.play("peek 0,1")
    game.announce(game.events[0])
    game.undo()
    assert (game.state.tobytes(), game.steps) == before


def test_an_event_does_not_change_what_chance_does_later() -> None:
    games = [by_the_clock(), by_the_clock()]
    games[1].announce({"event": "time"})
    for game in games:
        bot = Bot(game.box, "random", 1)
        while game.state.renewals == 0:
            move = bot.choose(game)
            game.play("end" if str(move) == "vinto" else move)  # the round goes on until the draw pile is empty
    lines = [[step.line for step in game.steps if step.is_chance] for game in games]
    assert lines[0] == lines[1]
    assert any("chance" in line for line in lines[0])


def test_what_cannot_be_announced_is_refused() -> None:
    with pytest.raises(IllegalMove, match="nothing is announced in this game"):
        brocante.deal("collection", players=2, seed=1).announce({"event": "time"})
    with pytest.raises(IllegalMove, match="nothing is known of the event"):
        by_the_clock().announce({"event": "rain"})


@pytest.mark.parametrize("seat", [99, -3, "0", 1.0, None, True])
def test_a_seat_that_does_not_exist_is_refused_whatever_is_asked_of_it(seat: Any) -> None:
    game, rng = by_the_clock(), brocante.generator("any")
    for ask in (
        game.view,
        game.seen,
        game.log,
        game.observation,
        lambda s: game.log_of(s, 0),
        lambda s: game.moment(s, 0),
    ):
        with pytest.raises(UsageError, match="seats are numbered from 0 to 3"):
            ask(seat)
    with pytest.raises(UsageError, match="seats are numbered from 0 to 3"):
        game.redeal(seat, rng)


def test_seats_and_steps_may_be_numbers_of_numpy() -> None:
    game = by_the_clock()
    zero, one = cast("list[int]", list(np.arange(2)))
    assert game.log(one) == game.log(1)
    assert game.view(one) == game.view(1)
    assert game.log_of(one, zero) == game.log_of(1, 0)


@pytest.mark.parametrize("number", [-1, 1, 10**6, "0", 0.0])
def test_a_step_that_was_not_taken_cannot_be_told(number: Any) -> None:
    game = by_the_clock()
    for ask in (game.log_of, game.moment):
        with pytest.raises(UsageError, match="There is no step"):
            ask(0, number)
