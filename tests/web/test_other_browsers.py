"""The page in Firefox and WebKit, where Playwright has them here (`playwright install firefox webkit`)."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect

import brocante
from tests.web.browsing import visiting

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(scope="module", loop_scope="session", params=["firefox", "webkit"])
async def other_browser(request: pytest.FixtureRequest) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        kind = getattr(playwright, request.param)
        if not Path(kind.executable_path).exists():
            pytest.skip(f"Playwright has no {request.param} here")
        browser = await kind.launch()
        yield browser
        await browser.close()


@pytest.mark.parametrize("game", brocante.GAMES)
async def test_a_game_is_played_to_its_end_in_other_browsers(other_browser: Browser, site: str, game: str) -> None:
    visitor = await visiting(other_browser, site)
    await visitor.go("/")
    await visitor.find(f".box[data-game={game}] [data-do=play]").click()
    await visitor.in_phase("playing")
    await visitor.play_on()
    await visitor.in_phase("over")
    await expect(visitor.find("#scoring thead .total").first).to_be_visible()
    assert not await visitor.scrolls_sideways()
    await visitor.context.close()
    assert visitor.troubles == []
