"""Games of rules that are gone, on the page: what became of them is said, and one plays on at once."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import expect

from brocante.server.identity import COOKIE
from tests.server.serving import served
from tests.server.test_upgrading import FOR_EVER, WRITTEN, unpack_sqlite
from tests.web.browsing import Visitor
from tests.web.conftest import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(scope="module")
def old_site(site: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server on a database that an earlier one wrote."""
    folder = tmp_path_factory.mktemp("old")
    unpack_sqlite(folder)
    with served(folder, grace=300.0, **FOR_EVER) as url:
        yield url


def old_table(game: str, phase: str, people: int) -> dict[str, Any]:
    return next(
        table
        for table in WRITTEN["sqlite"]
        if (table["game"], table["phase"], len(table["people"])) == (game, phase, people)
    )


async def come_back(visitor: Visitor, table: dict[str, Any], number: int = 0) -> None:
    """One who sat there opens the page again."""
    await visitor.context.add_cookies([{"name": COOKIE, "value": table["people"][number]["token"], "url": visitor.url}])
    await visitor.go(f"/tables/{table['id']}")
    await visitor.in_phase("over")


@pytest.mark.parametrize(("lang", "viewport"), [("en", "desktop"), ("fr", "phone")])
async def test_a_game_that_could_not_go_on_says_so_and_its_record_can_be_read(
    visit: Visit, old_site: str, lang: str, viewport: str
) -> None:
    table = old_table("vinto", "playing", 2)
    visitor = await visit(url=old_site, lang=lang, viewport=viewport)
    await come_back(visitor, table)
    await expect(visitor.find("#scoring")).to_contain_text(visitor.say("scoring.closed"))
    await expect(visitor.find("#scoring")).to_contain_text(visitor.say("scoring.earlier"))
    await expect(visitor.find("#side")).to_contain_text("1" if lang == "fr" else "edition 1 of its rules")
    async with visitor.page.expect_download() as download:
        await visitor.page.get_by_role("link", name=visitor.say("scoring.record")).click()
    assert (await (await download.value).path()).read_text("utf-8").count("\n") > table["step"] // 2
    await visitor.no_serious_violations()
    assert not await visitor.scrolls_sideways()


async def test_the_people_there_play_again_at_once(visit: Visit, old_site: str) -> None:
    table = old_table("port", "playing", 2)
    ana, ben = await visit(url=old_site), await visit(url=old_site)
    for number, visitor in enumerate((ana, ben)):
        await come_back(visitor, table, number)
    for visitor in (ana, ben):
        await visitor.find("[data-do=again]").click()
    for visitor in (ana, ben):
        await visitor.in_phase("playing")
        await expect(visitor.find("#table .port, #table > *").first).to_be_visible()


async def test_a_game_that_is_over_keeps_its_record_though_it_cannot_be_shown(visit: Visit, old_site: str) -> None:
    table = old_table("vinto", "over", 2)
    visitor = await visit(url=old_site)
    await come_back(visitor, table)
    await expect(visitor.find("#scoring")).to_contain_text(visitor.say("scoring.earlier"))
    await expect(visitor.find("#scoring")).not_to_contain_text(visitor.say("scoring.closed"))
