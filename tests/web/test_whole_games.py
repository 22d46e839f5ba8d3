"""Whole games of all four, played to the end by hands that know no rule: they do what glows."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import expect

import brocante
from tests.web.browsing import Visitor
from tests.web.conftest import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: With many at the table, so that nobody has many turns.
OPTIONS: dict[str, dict[str, Any]] = {
    "antiques": {"players": 6},
    "collection": {"players": 4},
    "port": {"players": 4},
    "vinto": {"players": 5, "rounds": 1},
}


async def has_its_scoring(visitor: Visitor) -> None:
    await visitor.in_phase("over")
    await expect(visitor.find("#scoring")).to_be_visible()
    await expect(visitor.find("[data-moves]:not([aria-disabled='true'])")).to_have_count(0)


@pytest.mark.parametrize("game", brocante.GAMES)
async def test_a_game_against_bots_is_played_to_its_end_with_the_keyboard(visit: Visit, game: str) -> None:
    visitor = await visit()
    await visitor.sit_with_bots(game, **OPTIONS[game])
    await visitor.play_on("keyboard")
    await has_its_scoring(visitor)


@pytest.mark.parametrize("game", brocante.GAMES)
async def test_two_people_play_against_each_other(visit: Visit, game: str) -> None:
    """With the mouse and with a finger, in two languages, on phones held both ways."""
    ana, ben = await visit(viewport="landscape"), await visit(lang="fr", viewport="phone")
    await ben.join(await ana.open_table(game, **OPTIONS[game]))
    await ana.do("start", fill=True)
    await asyncio.gather(ana.at_table(), ben.at_table())
    await asyncio.gather(ana.play_on("mouse"), ben.play_on("touch"))
    await asyncio.gather(has_its_scoring(ana), has_its_scoring(ben))
