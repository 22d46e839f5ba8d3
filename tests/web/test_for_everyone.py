"""For everyone: what axe finds, zoom and narrow screens, light and dark, without movement, with the keyboard."""

import json
import re

import pytest
from playwright.async_api import expect

import brocante
from tests.web.browsing import Visitor
from tests.web.conftest import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

SCREENS = ("home", "waiting", "rules", "lesson", "scoring", "replay", *brocante.GAMES)


async def show(visitor: Visitor, screen: str) -> None:
    """Go where a screen can be seen."""
    match screen:
        case "home":
            await visitor.go("/")
            await expect(visitor.find("article[data-game]").last).to_be_visible()
        case "waiting":
            await visitor.open_table("vinto")
            await visitor.go(f"/tables/{visitor.table}")
            await expect(visitor.find("[data-do='start']")).to_be_visible()
        case "rules" | "lesson":
            await visitor.go("/rules/port" if screen == "rules" else "/learn/port")
            await expect(visitor.find("article.rules, #guide p").first).to_be_visible()
        case "scoring" | "replay":
            await visitor.sit_with_bots("collection", players=2)
            await visitor.do("resign")
            await expect(visitor.find("#scoring")).to_be_visible()
            if screen == "replay":
                await visitor.page.get_by_role("link", name=visitor.say("scoring.replay")).click()
                await expect(visitor.page.get_by_role("slider")).to_be_visible()
        case game:
            await visitor.sit_with_bots(game)
            await visitor.play_on(moves=3)
            await visitor.wait_for_turn()


@pytest.mark.parametrize("screen", SCREENS)
async def test_a_screen_is_for_everyone_on_a_desk(visit: Visit, screen: str) -> None:
    visitor = await visit()
    await show(visitor, screen)
    await visitor.no_serious_violations()


@pytest.mark.parametrize("screen", SCREENS)
async def test_a_screen_is_for_everyone_on_a_phone_in_the_dark(visit: Visit, screen: str) -> None:
    """Nothing scrolls sideways on a narrow screen or at twice the size. At a table, the table scrolls, not the page."""
    visitor = await visit(lang="fr", viewport="phone", theme="dark")
    await show(visitor, screen)
    await visitor.no_serious_violations()
    if screen in brocante.GAMES:
        assert await visitor.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for width, height in ((320, 568), (640, 400), (844, 390)):  # 640 by 400 is 1280 by 800 at 200 %
        await visitor.page.set_viewport_size({"width": width, "height": height})
        assert not await visitor.scrolls_sideways(), f"{width} by {height}"


async def count_movements(visitor: Visitor) -> None:
    await visitor.page.evaluate("""() => {
        window.movements = 0;
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (...how) {
            window.movements += 1;
            return animate.apply(this, how);
        };
    }""")


async def test_nothing_moves_for_those_who_do_not_want_it(visit: Visit) -> None:
    visitor = await visit(speed="calm", reduced_motion="reduce")
    await visitor.sit_with_bots("collection", players=2)
    await count_movements(visitor)
    await visitor.play_on(moves=4)
    assert await visitor.page.evaluate("window.movements") == 0
    running = await visitor.page.evaluate(
        "document.getAnimations().filter((it) => it.effect.getComputedTiming().duration > 20).length"
    )
    assert running == 0


async def test_things_move_and_nothing_waits_for_them(visit: Visit) -> None:
    visitor = await visit(speed="calm")
    await visitor.sit_with_bots("collection", players=4)
    await count_movements(visitor)
    await visitor.play_on(moves=6)
    assert await visitor.page.evaluate("window.movements") > 0


async def test_the_key_on_an_offer_makes_its_move(visit: Visit) -> None:
    visitor = await visit()
    await visitor.sit_with_bots("collection", players=2)
    for _ in range(3):
        await visitor.wait_for_turn()
        before = await visitor.find("#log").inner_text()
        key = await visitor.find("#legal kbd").first.text_content()
        assert key
        await visitor.page.keyboard.press(key)
        await expect(visitor.find("#log")).not_to_have_text(before)


async def test_a_card_can_be_dragged_to_where_it_goes(visit: Visit) -> None:
    visitor = await visit()
    await visitor.sit_with_bots("collection", players=2)
    await visitor.wait_for_turn()
    before = await visitor.find("#log").inner_text()
    card = visitor.find("#hand [data-moves*='place']").first
    await card.drag_to(visitor.find("[data-takes~='place']").first)
    await expect(visitor.find("#log")).not_to_have_text(before)


@pytest.mark.parametrize("game", brocante.GAMES)
async def test_what_cannot_be_done_says_why(visit: Visit, game: str) -> None:
    """Whatever could be touched at another time says why not now, to the ears as well as to the eyes."""
    visitor = await visit()
    await visitor.sit_with_bots(game)
    for _ in range(8):
        await visitor.wait_for_turn()
        refused = visitor.find("#play [data-moves][aria-disabled='true']:visible")
        if await refused.count():
            why = await refused.first.get_attribute("data-why")
            assert why
            await expect(refused.first).to_have_accessible_name(re.compile(re.escape(why)))
            await refused.first.focus()
            await expect(visitor.page.get_by_role("tooltip")).to_contain_text(why)
            return
        await visitor.touch_something()
    raise AssertionError("everything could be touched all the time")


async def test_the_log_is_read_out_as_it_is_written(visit: Visit) -> None:
    visitor = await visit()
    await visitor.sit_with_bots("collection", players=2)
    await visitor.play_on(moves=2)
    await visitor.wait_for_turn()
    read_out = await visitor.find("[aria-live] p").last.inner_text()
    await expect(visitor.find("#log")).to_contain_text(read_out)


async def test_every_legal_move_is_in_the_list_of_moves(visit: Visit) -> None:
    visitor = await visit()
    await visitor.sit_with_bots("antiques", players=3)
    await visitor.wait_for_turn()
    moves = await visitor.find("#play [data-moves]:not([aria-disabled='true'])").evaluate_all(
        "all => all.flatMap((it) => JSON.parse(it.dataset.moves))"
    )
    listed = await visitor.find("#legal [data-moves]").evaluate_all(
        "all => all.flatMap((it) => JSON.parse(it.dataset.moves))"
    )
    assert {json.dumps(move) for move in moves} == {json.dumps(move) for move in listed}
    await visitor.find("#moves summary").click()
    before = await visitor.find("#log").inner_text()
    await visitor.find("#legal button").first.click()
    await expect(visitor.find("#log")).not_to_have_text(before)


async def test_the_page_can_be_installed(visit: Visit) -> None:
    visitor = await visit()
    await visitor.go("/")
    path = await visitor.find("link[rel=manifest]").get_attribute("href")
    manifest = await (await visitor.context.request.get(visitor.url + str(path))).json()
    assert manifest["name"] == "Brocante"
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        found = await visitor.context.request.get(visitor.url + icon["src"])
        assert found.ok
        assert found.headers["content-type"] == icon["type"]
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
