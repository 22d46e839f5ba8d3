"""Hypothesis strategies: options, games in the middle of play, and moves that need not be legal."""

from typing import Any

from hypothesis import strategies as st

from brocante.bots import Bot
from brocante.engine.box import Box
from brocante.engine.game import Game
from brocante.engine.moves import Move
from brocante.engine.options import Value
from brocante.engine.random import below, generator

#: No position is further into a game than this.
MOST_MOVES = 400
#: The table announces something that it may announce about once in this many moves.
SELDOM = 50


def options(box: Box) -> st.SearchStrategy[dict[str, Value]]:
    """The options of a game, each at one of the values people choose."""
    chosen = st.fixed_dictionaries({option.name: st.sampled_from(option.tried()) for option in box.options})
    return chosen.map(lambda values: _one_of_two(box, values))


def _one_of_two(box: Box, chosen: dict[str, Value]) -> dict[str, Value]:
    """Keep only one of two options that exclude each other."""
    defaults = {option.name: option.default for option in box.options}
    replaced = {o.instead_of for o in box.options if o.instead_of and chosen[o.name] != o.default}
    return {name: defaults[name] if name in replaced else value for name, value in chosen.items()}


@st.composite
def games(draw: st.DrawFn, box: Box) -> Game:
    """A game after some random moves, with its history: as often near the end as at the beginning."""
    game = played_on(Game(box, draw(options(box)), draw(st.integers(0, 2**32))), MOST_MOVES)
    moves = sum(step.move is not None for step in game.steps)
    for _ in range(moves - draw(st.integers(0, moves))):
        game.undo()
    return game


def played_on(game: Game, moves: int) -> Game:
    """The game after some more random moves (fewer if it ends first). Now and then the table announces something."""
    seed = f"{game.seed}/{len(game.steps)}"  # other random numbers than at the beginning
    bot, clock = Bot(game.box, "random", seed), generator(seed)
    for _ in range(moves):
        if game.is_over:
            break
        if game.events and below(clock, SELDOM) == 0:
            game.announce(game.events[0])
        game.play(bot.choose(game))
    return game


def any_moves(game: Game) -> st.SearchStrategy[Move]:
    """Well-formed moves of any seat, legal or not: some made up, some that the rules know but may not allow now. Where
    one action spells no move, a made-up move takes its place: filtering would discard the whole position."""
    seats = st.integers(-2, game.players)
    made_up = st.one_of([_moves_of(kind, seats) for kind in game.box.moves])
    known = st.integers(0, game.box.rules.ACTIONS - 1).map(lambda action: game.box.move_of(game.state, (action,)))
    return st.one_of(made_up, known.flatmap(lambda move: made_up if move is None else st.just(move)))


def _moves_of(kind: type[Move], seats: st.SearchStrategy[int]) -> st.SearchStrategy[Any]:
    arguments = {field.name: st.from_type(field.type) for field in kind.arguments().values()}
    return st.builds(kind, seat=seats, **arguments)
