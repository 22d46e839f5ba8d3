"""The page makes of changes the same view as the Python client: the one that the server has."""

from random import Random
from typing import Any

import msgspec
import pytest

import brocante
from brocante.bots import Bot
from brocante.engine.text import language
from brocante.wire.changes import encoded_changes
from tests.web.browsing import Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")
NAMES = ("Ana", "Ben", "Cleo", "Dan")
PLAYERS = {"antiques": 3, "collection": 3, "port": 2, "vinto": 4}
MOVES = 40


@pytest.mark.parametrize("slug", brocante.GAMES)
async def test_changes_add_up_to_the_view_on_the_page_too(workbench: Visitor, slug: str) -> None:
    game = brocante.deal(slug, players=PLAYERS[slug], seed="changes")
    bot, words, rng = Bot(game.box, "random", "changes"), language("fr"), Random(slug)
    before, view = game.perspective(0), as_sent(game, 0)
    for _ in range(MOVES):
        for _ in range(rng.randint(1, 4)):
            if not game.is_over:
                game.play(bot.choose(game))
        after = game.perspective(0)
        if changes := encoded_changes(before, after, 1, words, NAMES):
            view = await workbench.call("./base/changes.js", "changed", view, msgspec.json.decode(changes))
        assert view == as_sent(game, 0)
        before = after


def as_sent(game: Any, seat: int) -> Any:
    return msgspec.json.decode(game.view(seat).encoded(language("fr"), NAMES))
