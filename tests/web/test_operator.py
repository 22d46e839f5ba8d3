"""What the operator of the server does, as people at a table see it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import expect

from brocante.server.operator import Operator
from tests.server.serving import served
from tests.web.conftest import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def place(tmp_path: Path) -> AsyncIterator[tuple[str, str]]:
    """A server of its own, and its database."""
    with served(tmp_path, grace=300.0) as url:
        yield url, str(tmp_path / "tables.db")


async def test_an_announcement_is_shown_over_the_page_and_can_be_put_away(place: tuple[str, str], visit: Visit) -> None:
    url, database = place
    visitor = await visit(url=url, viewport="phone")
    await visitor.sit_with_bots("collection", players=2)
    async with Operator.at(database) as operator:
        await operator.announce("We are back at noon.", None)
        bar = visitor.find("#announcement")
        await expect(bar.get_by_role("status")).to_have_text("We are back at noon.")
        await visitor.no_serious_violations()
        await bar.get_by_role("button").click()
        await expect(bar).to_have_count(0)
        await operator.announce("We are back at one.", None)
        await expect(bar).to_contain_text("We are back at one.")
        newcomer = await visit(url=url)
        await newcomer.go("/")
        await expect(newcomer.find("#announcement")).to_contain_text("We are back at one.")
        await operator.announce("", None)
        await expect(bar).to_have_count(0)


async def test_a_closed_game_says_so_and_a_removed_table_is_gone(place: tuple[str, str], visit: Visit) -> None:
    url, database = place
    visitor = await visit(url=url)
    await visitor.sit_with_bots("collection", players=2)
    table = visitor.page.url.rpartition("/")[2]
    async with Operator.at(database) as operator:
        await operator.close(table)
        await visitor.in_phase("over")
        await expect(visitor.find("#scoring")).to_contain_text(visitor.say("player.ended_by_operator"))
        with visitor.cut_off():
            await operator.remove(table)
            await expect(visitor.find("main")).to_contain_text("There is no such table")
