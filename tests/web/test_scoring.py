"""The final scoring: winner, totals and the way on are in sight at every size; awards come one after the other."""

import pytest
from playwright.async_api import expect

from tests.web.conftest import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

SIZES = [(360, 640), (390, 844), (844, 390), (1280, 800), (2560, 1440)]
#: What is not whole on the screen, or lies under something else.
OUT_OF_SIGHT = """selector => [...document.querySelectorAll(selector)].filter((it) => {
    const { left, right, top, bottom } = it.getBoundingClientRect();
    const whole = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    return !whole || !it.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}).map((it) => it.textContent)"""


async def test_winner_totals_and_buttons_are_in_sight_at_every_size(visit: Visit) -> None:
    visitor = await visit()
    await visitor.sit_with_bots("antiques", players=6)
    await visitor.play_on()
    totals = visitor.find("#scoring thead .total")
    await expect(totals).to_have_count(6)
    for width, height in SIZES:
        await visitor.page.set_viewport_size({"width": width, "height": height})
        await visitor.find(".scoring-scroll").evaluate("it => it.scrollTop = 200")
        for part in ("#scoring h2", "#scoring thead .total", "#scoring thead .player-name", ".what-next button"):
            assert await visitor.page.evaluate(OUT_OF_SIGHT, part) == [], (part, width, height)
        assert not await visitor.scrolls_sideways()
    points = [int((await total.inner_text()).replace("−", "-")) for total in await totals.all()]
    assert points == sorted(points, reverse=True), "the winner comes first"
    await expect(visitor.page.get_by_label(visitor.say("scoring.share"))).to_have_value(f"{visitor.page.url}/games/1")


async def test_awards_come_one_after_the_other_and_who_would_play_again_has_a_mark(visit: Visit) -> None:
    ana, ben = await visit(), await visit(viewport="phone")
    await ben.join(await ana.open_table("collection", players=3))
    await ana.do("start", fill=True)
    await ana.at_table()
    await ben.at_table()
    await ana.do("resign")
    await ben.play_on()
    await expect(ben.find("#scoring")).to_be_visible()
    awards = ben.find("#scoring tbody tr")
    number = await awards.count()
    await ben.press("scoring.step_by_step")
    await expect(awards.filter(visible=True)).to_have_count(1)
    await ana.press("scoring.again")
    wants_again = ben.find("#scoring th", has_text="Ana").get_by_role("img", name=ben.say("scoring.wants_again"))
    await expect(wants_again).to_be_visible()
    await expect(awards.filter(visible=True)).to_have_count(1)
    await ben.press("scoring.all")
    await expect(awards.filter(visible=True)).to_have_count(number)
