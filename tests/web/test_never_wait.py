"""Nobody waits for bots: their pace is a setting, a key skips to one's own turn, passing can be left to the page."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.server.serving import served
from tests.web.browsing import PATIENCE, Visitor
from tests.web.conftest import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: Bots that are so slow that no test would wait for them.
SLOW = 60.0


async def end_turn(visitor: Visitor) -> None:
    while await visitor.is_asked():
        await visitor.page.keyboard.press(await visitor.find("#legal kbd").last.text_content() or "")
        await visitor.page.wait_for_function("() => isAnswered()")


async def test_one_who_plays_alone_skips_to_their_turn_or_has_bots_move_at_once(visit: Visit, tmp_path: Path) -> None:
    with served(tmp_path, pace=SLOW) as url:
        ana = await visit(url=url, viewport="phone")
        await ana.sit_with_bots("collection", players=4)
        skip = ana.find("#strip [data-do=skip]")
        if not await ana.is_asked():
            await ana.page.keyboard.press("Space")
        await ana.wait_for_turn()
        await expect(skip).to_have_count(0)
        await end_turn(ana)
        await skip.click()
        await ana.wait_for_turn()
        await end_turn(ana)
        await expect(skip).to_be_visible()
        await ana.press("nav.settings")
        await ana.page.get_by_role("radio", name=ana.say("settings.bots_instant"), exact=True).check()
        await ana.page.keyboard.press("Escape")
        await ana.wait_for_turn()
        await ana.context.close()


async def test_the_space_bar_skips_and_never_plays(visit: Visit, tmp_path: Path) -> None:
    """Not even if it is pressed once more when one's turn has come, and the focus has gone to a card."""
    with served(tmp_path, pace=SLOW) as url:
        ana = await visit(url=url)
        await ana.sit_with_bots("collection", players=3)
        if not await ana.is_asked():
            await ana.page.keyboard.press("Space")
        await ana.wait_for_turn()
        await ana.touch_something("keyboard")
        await end_turn(ana)
        await ana.page.keyboard.press("Space")
        await ana.wait_for_turn()
        await expect(ana.find("#play [data-moves]:focus")).to_have_count(1)
        standing = await ana.find("#log").inner_text()
        for _ in range(5):
            await ana.page.keyboard.press("Space")
            await ana.page.wait_for_timeout(100)
        assert await ana.find("#log").inner_text() == standing
        await ana.context.close()


async def test_nobody_hurries_the_bots_of_others(visit: Visit) -> None:
    ana, ben = await visit(), await visit()
    await ben.join(await ana.open_table("collection", players=3))
    await ana.do("start", fill=True)
    for visitor in (ana, ben):
        await visitor.at_table()
        await expect(visitor.find("[data-do=skip]")).to_have_count(0)


async def test_passing_is_left_to_the_page_until_a_card_is_touched(visit: Visit) -> None:
    ana = await visit()
    await ana.sit_with_bots("vinto", players=4)
    switch = ana.page.get_by_role("button", name=ana.say("table.auto_pass"))
    await ana.wait_for_turn()
    while not await switch.count():
        await ana.touch_something()
        await ana.wait_for_turn()
    await switch.press("Enter")
    await expect(ana.find("#window")).to_be_hidden(timeout=2 * PATIENCE)
    await expect(switch).to_have_attribute("aria-pressed", "true")
    own_turn = "() => document.querySelector('#window').hidden && document.body.dataset.asked === 'true'"
    await ana.page.wait_for_function(own_turn, timeout=2 * PATIENCE)
    if await ana.find("[data-do=onwards]").count():
        await ana.touch_something()  # a round is over, and the next one dealt
        await ana.page.wait_for_function(own_turn)
    await expect(switch).to_have_attribute("aria-pressed", "true")
    await ana.find("#hand .piece").first.click(force=True)  # it does not glow
    await expect(ana.find(".auto-pass[aria-pressed=true]")).to_have_count(0)


async def test_a_move_that_has_shown_something_cannot_be_taken_back_and_the_button_says_so(visit: Visit) -> None:
    ana = await visit(viewport="phone")
    await ana.sit_with_bots("collection", players=2)
    undo, shown = ana.find(".undo-above"), ana.say("table.undo_shown")
    while await undo.get_attribute("aria-description") != shown:  # until cards are drawn
        await ana.wait_for_turn()
        await ana.touch_something()
    await expect(undo).to_have_attribute("aria-disabled", "true")
    await undo.tap(force=True)  # it is grey
    await expect(ana.find("#tip")).to_have_text(shown)
