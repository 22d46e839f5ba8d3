"""A view that has travelled is the view that was sent, in the reader's words."""

import json

import pytest

import brocante
from brocante.bots import Bot
from brocante.client.views import read_moment, read_view
from brocante.engine.text import language
from brocante.engine.view import as_plain

NAMES = ("Ana", "Ben", "Cleo", "Dan")


@pytest.mark.parametrize("slug", brocante.GAMES)
def test_views_and_moments_come_back_as_they_were_sent(slug: str) -> None:
    game = brocante.deal(slug, players=4, seed="views")
    bot, french = Bot(game.box, "random"), language("fr")
    for number in range(60):
        seat = game.actor if number % 2 else 1
        seen = game.view(seat)
        plain = json.loads(seen.encoded(french, NAMES))
        view = read_view(game.box, plain)
        assert json.loads(view.encoded(french, NAMES)) == plain
        assert [offer.move for offer in view.offers] == [offer.move for offer in seen.offers]
        if game.steps and (moment := game.moment(seat, len(game.steps) - 1)):
            plain = as_plain(moment, french, NAMES)
            assert as_plain(read_moment(game.box, plain), french, NAMES) == plain
        if game.is_over:
            break
        game.play(bot.choose(game))
