"""A view on the wire: written straight away, it is to the byte what its plain data would be."""

from collections.abc import Iterator

import msgspec
import pytest

import brocante
from brocante import NOBODY, Game
from brocante.bots import Bot
from brocante.engine.moves import Move, Part
from brocante.engine.text import LANGUAGES, language
from brocante.engine.view import Stack, Table, View, Zone, as_plain

NAMES = ("Odette", "Émile", "Ada", "Yves", "Zoé", "Bo")  # French elides "de" before some of them
GAMES = {"antiques": 3, "collection": 2, "port": 2, "vinto": 4}


@pytest.fixture(params=GAMES)
def positions(request: pytest.FixtureRequest) -> Iterator[Game]:
    """A game at some of its moments, the end included."""
    game = brocante.deal(request.param, players=GAMES[request.param], seed="wire")
    bot = Bot(game.box, "greedy", "wire")

    def played() -> Iterator[Game]:
        while not game.is_over:
            if len(game.steps) % 25 < 2:
                yield game
            game.play(bot.choose(game))
        yield game

    return played()


def views(game: Game) -> Iterator[View]:
    """Everything that seats and spectators are shown, the choices of the actor's first unfinished move included."""
    for viewer in (*range(game.players), NOBODY):
        yield game.view(viewer)
    begun = [actions for choice, actions in game.choices() if isinstance(choice, Part)]
    yield from (game.view(game.actor, actions) for actions in begun[:1])


def test_a_view_is_written_as_its_plain_data_would_be(positions: Iterator[Game]) -> None:
    for game in positions:
        for view in views(game):
            for code in LANGUAGES:
                for names in ((), NAMES):
                    plain = as_plain(view, language(code), names)
                    assert view.encoded(language(code), names) == msgspec.json.encode(plain)


def test_what_is_no_data_is_refused_when_it_is_written() -> None:
    game = brocante.deal("collection", players=2, seed=1)
    view = msgspec.structs.replace(game.view(0), viewer=object())
    with pytest.raises(TypeError, match="a view cannot hold"):
        view.encoded(language("en"))


def test_only_stacks_with_moves_are_made_anew() -> None:
    table = brocante.deal("collection", players=2, seed=1).view(0).table
    bare = table.with_moves(lambda moves: ())
    assert not any(stack.moves for stack in stacks(bare))
    assert [stack.card for stack in stacks(bare)] == [stack.card for stack in stacks(table)]
    assert bare.centre[0] is table.centre[0]


def stacks(table: Table) -> list[Stack]:
    zones: list[Zone] = [*table.centre, *table.board, *(zone for place in table.places for zone in place.zones)]
    return [stack for zone in zones for stack in zone.stacks]


def test_the_moves_of_a_view_are_spelled_as_in_a_record() -> None:
    game = brocante.deal("collection", players=2, seed=1)
    data = msgspec.json.decode(game.view(game.actor).encoded(language("en")))
    moves: list[Move] = game.legal_moves
    assert [offer["move"] for offer in data["offers"]] == [move.line() for move in moves]
