"""The laws of every game, one function each."""

import pickle
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, zip_longest
from typing import Any

import msgspec
from hypothesis import HealthCheck, Verbosity, given, settings
from hypothesis import strategies as st

from brocante.backends import BACKENDS
from brocante.backends import backend as find_backend
from brocante.engine.backend import Backend
from brocante.engine.box import Box
from brocante.engine.contract import Requirements
from brocante.engine.errors import IllegalMove
from brocante.engine.game import Game
from brocante.engine.moves import Move, Part
from brocante.engine.random import generator
from brocante.engine.records import write_record
from brocante.engine.replay import Replay
from brocante.engine.spelling import after_choices, spelling_of
from brocante.engine.state import NOBODY
from brocante.engine.text import LANGUAGES, language
from brocante.engine.view import Moment
from brocante.testing.positions import any_moves, games, options, played_on
from brocante.testing.trace import trace

#: A game that is not over after this many random moves will never be.
ENDLESS = 100_000
#: Backends are compared for this many steps of a game.
MOST_STEPS = 1000
#: About this many lines of a log are read again, from all over the game.
STEPS_READ = 6
#: If there are more legal moves than this, only some of them are tried.
MANY = 40
#: This many moves that take several choices are begun.
BEGUN = 3

seeds = st.integers(0, 2**32).map(str)


def holds(check: Callable[..., None], examples: int, *given_: Any) -> None:
    """Let Hypothesis look for an example on which the check fails; any failure is an AssertionError."""
    looked_for: Callable[[], None] = given(*given_)(check)  # type: ignore[no-untyped-call]
    quiet = settings(
        max_examples=examples,
        deadline=None,
        database=None,
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    try:
        quiet(looked_for)()
    except AssertionError:
        raise
    except Exception as error:
        raise AssertionError(f"{type(error).__name__}: {error}") from error


# --- play -------------------------------------------------------------------------------------------------------------


def the_same_seed_gives_the_same_game(box: Box, examples: int = 30) -> None:
    def check(chosen: Mapping[str, Any], seed: str) -> None:
        once, again = (played_on(Game(box, chosen, seed), 60) for _ in range(2))
        assert once.state.tobytes() == again.state.tobytes(), f"seed {seed} gave two different games"
        assert [step.line for step in once.steps] == [step.line for step in again.steps]

    holds(check, examples, options(box), seeds)


def backends_play_the_same_game(box: Box, examples: int = 12, backends: Sequence[Backend] = ()) -> None:
    """Every pair of backends leaves the same bytes after every decision. All backends are compared unless some are
    named. Plain Python is one of them: it raises an error for every warning and for an index out of range, which
    compiled rules do not check."""
    boxes = [box.on(each) for each in backends or map(find_backend, BACKENDS)]

    def check(chosen: Mapping[str, Any], seed: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            traces = [trace(box, chosen, seed, MOST_STEPS) for box in boxes]
        for (box, here), (other, there) in combinations(zip(boxes, traces, strict=True), 2):
            differs = f"{other.backend.name} differs from {box.backend.name}"
            for step, (a, b) in enumerate(zip_longest(here, there)):
                assert a == b, f"{differs} at step {step} of seed {seed} with {chosen}"

    holds(check, examples, options(box), seeds)


def every_piece_is_in_exactly_one_place(box: Box, examples: int = 30) -> None:
    def check(chosen: Mapping[str, Any], seed: str) -> None:
        game = Game(box, chosen, seed)
        for _ in range(200):
            assert_nothing_lost(game)
            played_on(game, 1)

    holds(check, examples, options(box), seeds)


def assert_nothing_lost(game: Game) -> None:
    assert game.box.census(game.state) == game.box.rules.BOX.tolist(), (
        f"pieces lost or made after {len(game.steps)} steps"
    )


def every_game_ends_and_has_a_legal_move_until_then(box: Box, examples: int = 30) -> None:
    def check(chosen: Mapping[str, Any], seed: str) -> None:
        game = Game(box, chosen, seed)
        for _ in range(ENDLESS):
            if game.is_over:
                break
            legal = box.legal(game.state)
            assert legal, f"nothing is legal after {len(game.steps)} steps of seed {seed}"
            assert legal == sorted(set(legal)), "legal actions ascend, and none is listed twice"
            assert set(legal) <= set(range(box.rules.ACTIONS))
            played_on(game, 1)
        assert game.is_over, f"not over after {ENDLESS} moves"
        assert not game.legal_moves
        assert game.winners
        assert game.ranks == [1 + sum(better < rank for better in game.ranks) for rank in game.ranks]

    holds(check, examples, options(box), seeds)


# --- values -----------------------------------------------------------------------------------------------------------


def copies_are_independent(box: Box, examples: int = 60) -> None:
    def check(game: Game) -> None:
        before = game.state.tobytes(), len(game.steps)
        for other in (game.copy(), pickle.loads(pickle.dumps(game))):
            assert other == game
            played_on(other, 3)
            assert (game.state.tobytes(), len(game.steps)) == before
            assert game.is_over or other != game

    holds(check, examples, games(box))


def illegal_moves_change_nothing(box: Box, examples: int = 100) -> None:
    """A move can be played if and only if it is listed. Any other raises IllegalMove."""

    def check(game: Game, data: Any) -> None:
        for _ in range(10):
            move = data.draw(any_moves(game))
            before, steps, listed = game.state.tobytes(), len(game.steps), move in game.legal_moves
            assert game.is_legal(move) == listed
            assert (spelling_of(box, game.state, move) is not None) == listed
            assert plays(game.copy(), move) == listed
            if not listed:
                assert not plays(game, move)
                assert (game.state.tobytes(), len(game.steps)) == (before, steps)
        for move in some(game.legal_moves):
            after = game.copy()
            after.play(move)
            assert after != game, f"{move} changes nothing"
        for choice, actions in game.choices():
            assert isinstance(choice, Part) == is_begun(game, actions), "a whole move is made, not tried out"

    holds(check, examples, games(box), st.data())


def is_begun(game: Game, actions: tuple[int, ...]) -> bool:
    """Whether the view after these choices can be asked for without making the move."""
    try:
        game.view(game.actor, actions)
    except IllegalMove:
        return False
    return True


def some(moves: list[Move]) -> list[Move]:
    """All of them or, if there are very many, some from all over the list."""
    return moves[:: 1 + len(moves) // MANY]


def plays(game: Game, move: Move) -> bool:
    try:
        game.play(move)
    except IllegalMove as refusal:
        for code in LANGUAGES:
            assert refusal.say(code)
        return False
    return True


def a_move_is_legal_where_its_requirements_are_met(box: Box, examples: int = 60) -> None:
    """All requirements of a legal move are met. Every other move has one that is not met, and its player is told that
    one. This is checked for made-up moves and for everything that lies on the table."""

    def check(game: Game, data: Any) -> None:
        if game.actor < 0:
            return
        legal = game.legal_moves
        attempts = [move for move in (data.draw(any_moves(game)) for _ in range(12)) if move.seat == game.actor]
        for s in (game.state, box.shown(game.state, game.actor)):
            for move in [*some(legal), *attempts]:
                assert_refused_unless(box, s, move, move in legal)
        for begun in ((), *begun_moves(game, game.actor)):
            assert_touch_is_refused_unless_possible(game, begun)

    holds(check, examples, games(box), st.data())


def assert_refused_unless(box: Box, s: Any, move: Move, legal: bool) -> None:
    is_met = [bool(met) for met, _ in until_unmet(box.requirements(s, move))]
    assert is_met, f"nothing is required of {move}"
    assert is_met[-1] == legal, f"{move} is {'legal' if legal else 'illegal'}, its requirements say otherwise"


def until_unmet(requirements: Requirements) -> Requirements:
    """The requirements up to the first unmet one, which the player is told: those after it need not make sense."""
    for is_met, words in requirements:
        assert all(language(code).say(words) for code in LANGUAGES)
        yield is_met, words
        if not is_met:
            return


def assert_touch_is_refused_unless_possible(game: Game, begun: tuple[int, ...]) -> None:
    """Everything on the table can be touched, or one of its requirements is not met."""
    s = game.box.shown(after_choices(game.box, game.state, begun), game.actor)
    choices = game.choices(begun)
    possible = {choice for choice, _ in choices} | {Part(game.actor, actions[-1]) for _, actions in choices}

    def check(moves: tuple[Move, ...]) -> tuple[Move, ...]:
        for move in moves:
            assert_refused_unless(game.box, s, move, move in possible)
        return moves

    game.box.table(s, game.actor).with_moves(check)


def moves_are_read_as_they_are_written(box: Box, examples: int = 100) -> None:
    """As text, and as lines of a record."""

    def check(game: Game) -> None:
        for move in some(game.legal_moves):
            assert game.parse(str(move)) == move
            one, other = game.copy(), game.copy()
            one.play(move)
            other.play(move.line())
            assert one == other
            assert all(language(code).say(box.label(game.state, move)) for code in LANGUAGES)

    holds(check, examples, games(box))


def undo_takes_back_exactly_one_move(box: Box, examples: int = 60) -> None:
    def check(game: Game) -> None:
        before = game.state.tobytes(), [step.line for step in game.steps]
        for move in some(game.legal_moves):
            game.play(move)
            assert game.undo() == move
            assert (game.state.tobytes(), [step.line for step in game.steps]) == before

    holds(check, examples, games(box))


def records_replay_to_the_same_bytes(box: Box, examples: int = 40) -> None:
    """Records of games in progress and of finished ones."""

    def check(game: Game) -> None:
        data = write_record(game)
        replay = Replay(lambda slug: box).read(data.splitlines(keepends=True))
        assert replay.game == game, "the record replays to another game"
        assert replay.finished == game.is_over
        assert data.splitlines()[1:] == write_record(replay.game).splitlines()[1:]

    holds(check, examples, games(box))


# --- knowledge --------------------------------------------------------------------------------------------------------


def nothing_shown_changes_with_a_redeal(box: Box, examples: int = 40) -> None:
    """Deal again what a seat (or a spectator) cannot know: it sees the same view, text, observation, legal moves,
    refusals and log, to the byte. So does a person when what they might remember, but are not shown, is dealt again."""

    def check(game: Game, seed: str, data: Any) -> None:
        rng = generator(seed)
        attempts = [data.draw(any_moves(game)) for _ in range(4)]
        for _ in range(6):
            for seat in (*range(game.players), NOBODY):
                other = game.redeal(seat, rng)
                assert other.seed != game.seed, "what chance will do is not known either"
                assert known_to(other, seat) == known_to(game, seat), f"seat {seat} can tell"
                here = shown_to(game, seat, attempts)
                for redealt in (other, *forgotten(game, seat, rng)):
                    assert_nothing_lost(redealt)
                    assert shown_to(redealt, seat, attempts) == here, f"seat {seat} can tell"
                assert_log_tells_nothing(game, seat, rng)
            played_on(game, 2)

    holds(check, examples, games(box), seeds, st.data())


def known_to(game: Game, seat: int) -> list[Any]:
    """What a seat with a perfect memory knows."""
    return [game.seen(seat).tobytes(), game.observation(seat).tobytes() if seat >= 0 else b""]


def forgotten(game: Game, seat: int, rng: Any) -> Iterator[Game]:
    """The game in which what a person might remember is dealt again, if the table shows less than a seat knows."""
    if game.box.shown(game.state, seat).tobytes() != game.seen(seat).tobytes():
        yield game.redeal(seat, rng, from_shown=True)


def shown_to(game: Game, seat: int, attempts: list[Move]) -> list[Any]:
    """Everything that is ever shown or sent to a person at a seat about the game as it stands."""
    view = game.view(seat)
    return [
        *(view.encoded(language(code)) for code in LANGUAGES),
        game.text(seat),
        *(game.view(seat, begun).encoded(language("en")) for begun in begun_moves(game, seat)),
        game.legal_moves if game.actor == seat else [],
        *(refusal_words(game.copy(), move) for move in attempts if move.seat == seat),
    ]


def begun_moves(game: Game, seat: int) -> list[tuple[int, ...]]:
    """The first choices of some moves that take several."""
    choices = game.choices() if game.actor == seat else []
    return [actions for choice, actions in choices if isinstance(choice, Part)][:BEGUN]


def refusal_words(game: Game, move: Move) -> str:
    try:
        game.play(move)
    except IllegalMove as error:
        return str(error)
    return ""


def assert_log_tells_nothing(game: Game, seat: int, rng: Any) -> None:
    """The log of each step follows from what the seat was shown before and after it: redeal both, and it reads the
    same. What is seen for a moment follows from what the seat knew before and after it."""
    for number in range(len(game.steps) - 1, -1, -max(1, len(game.steps) // STEPS_READ)):
        step = game.steps[number]
        before, after = (game.box.shown(s, seat) for s in redealt_around(game, number, seat, rng, from_shown=True))
        told = game.box.tell(before, step.move, after, seat, game.is_news(seat, number))
        assert game.log_of(seat, number) == told, f"the log tells seat {seat} too much"
        before, after = redealt_around(game, number, seat, rng, from_shown=False)
        moment, other = game.moment(seat, number), game.box.moment(before, step.move, after, seat)
        assert untouched(moment) == untouched(other), f"seat {seat} sees too much for a moment"


def redealt_around(game: Game, number: int, seat: int, rng: Any, *, from_shown: bool) -> Iterator[Any]:
    """The states before and after a step, redealt for a seat. Before the first deal there is nothing to deal."""
    before, after = game.steps[number].states(game.box)
    dealt = any(step.is_chance for step in game.steps[:number])
    yield game.box.redealt(before, seat, rng, from_shown=from_shown) if dealt else before
    yield game.box.redealt(after, seat, rng, from_shown=from_shown)


def untouched(moment: Moment | None) -> Moment | None:
    """Everything that can be read in a moment, without the moves that touching something would make."""
    return moment and msgspec.structs.replace(moment, table=moment.table.with_moves(lambda moves: ()))
