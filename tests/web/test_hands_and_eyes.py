"""Hands and eyes at the table: tips, the keyboard's focus, the big view, moves that are asked about, talk."""

import re
from typing import Any

import pytest
from playwright.async_api import expect

import brocante
from tests.web.browsing import Viewport, Visitor
from tests.web.conftest import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: Whether the tip lies on what is asked, or on the piece that it is about.
COVERS = """piece => {
    const tip = document.querySelector("#tip:not([hidden])");
    const box = (it) => it.getBoundingClientRect();
    const share = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    return [...document.querySelectorAll("#bar"), piece].filter((it) => tip && share(box(tip), box(it))).length;
}"""
#: What has the keyboard's focus.
FOCUS = "document.activeElement.dataset.key ?? document.activeElement.id"
#: The words that are broken in the middle.
BROKEN = """() => {
    const found = [];
    const texts = document.createTreeWalker(document.querySelector("#play"), NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        if (!text.parentElement.checkVisibility() || text.parentElement.closest(".for-ears")) continue;
        for (const { 0: word, index } of text.nodeValue.matchAll(/[\\p{L}\\p{N}’]+/gu)) {
            const range = new Range();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            const lines = [...range.getClientRects()].filter(({ width }) => width).map(({ top }) => Math.round(top));
            if (new Set(lines).size > 1) found.push(word);
        }
    }
    return found;
}"""


async def seated(visitor: Visitor, game: str, **options: Any) -> None:
    await visitor.sit_with_bots(game, **options)
    await visitor.wait_for_turn()


@pytest.mark.parametrize("viewport", ["desktop", "phone"])
@pytest.mark.parametrize("game", brocante.GAMES)
async def test_a_tip_covers_neither_its_piece_nor_what_is_asked(visit: Visit, game: str, viewport: Viewport) -> None:
    visitor = await visit(viewport=viewport)
    await seated(visitor, game)
    await visitor.page.keyboard.press("ArrowLeft")
    things = await visitor.find("#play [data-moves]:visible").element_handles()
    shown = 0
    for thing in things[:: max(1, len(things) // 10)]:
        await thing.evaluate("it => (it.scrollIntoView({ block: 'center', behavior: 'instant' }), it.blur())")
        await thing.evaluate("it => it.focus({ preventScroll: true })")
        assert not await thing.evaluate(COVERS), await visitor.find("#tip").inner_text()
        shown += await visitor.find("#tip").is_visible()
    assert shown


@pytest.mark.parametrize("game", brocante.GAMES)
async def test_the_focus_is_never_lost_to_somebody_who_plays_with_keys(visit: Visit, game: str) -> None:
    visitor = await visit()
    await visitor.sit_with_bots(game)
    for _ in range(12):
        await visitor.wait_for_turn()
        if await visitor.is_over():
            break
        await visitor.touch_something("keyboard")
        assert await visitor.page.evaluate(FOCUS)
    await visitor.page.keyboard.press("?")
    await expect(visitor.find("dialog")).to_be_visible()
    await visitor.page.keyboard.press("Escape")
    await expect(visitor.find("dialog")).to_have_count(0)
    assert await visitor.page.evaluate(FOCUS)


async def test_a_tip_of_a_button_in_a_dialog_lies_above_the_dialog(visit: Visit) -> None:
    """Also in the next dialog, though the first one took the tip along when it was closed."""
    visitor = await visit()
    await visitor.go("/")
    for _ in range(2):
        await visitor.find("nav [data-tip]").last.click()
        await visitor.find("dialog .dialog-top button").hover()
        await expect(visitor.find("dialog #tip")).to_be_visible()
        await visitor.find("dialog .dialog-top button").click()
    await visitor.find("nav [data-tip]").last.hover()
    await expect(visitor.find("body > #tip")).to_be_visible()


async def test_a_clause_in_a_tip_opens_the_rules_over_the_table(visit: Visit) -> None:
    """With the keyboard: the link comes after the piece that the tip is about."""
    visitor = await visit()
    await seated(visitor, "antiques", players=3)
    await visitor.page.keyboard.press("ArrowLeft")
    refused = visitor.find("#play [data-moves][aria-disabled='true'][data-why$=')']:visible").first
    await refused.focus()
    await expect(visitor.find("#tip a")).to_have_attribute("href", re.compile(r"/rules/antiques#A\d"))
    await visitor.page.keyboard.press("Tab")
    await expect(visitor.find("#tip a")).to_be_focused()
    await visitor.page.keyboard.press("Enter")
    await expect(visitor.find("dialog article.rules")).to_be_visible()
    await visitor.page.keyboard.press("Escape")
    await expect(refused).to_be_focused()


async def test_passing_for_a_round_is_asked_about_and_nothing_else(visit: Visit) -> None:
    visitor = await visit()
    await seated(visitor, "port")
    asked = await visitor.find("#prompt").inner_text()
    await visitor.page.keyboard.press("ArrowLeft")
    await visitor.page.keyboard.press("x")
    await expect(visitor.find("[data-do=yes]")).to_be_focused()
    await visitor.page.keyboard.press("x")  # a second press means nothing
    await visitor.page.keyboard.press("Escape")
    await expect(visitor.find("#prompt")).to_have_text(asked)
    await visitor.find("#choices .quiet").click()
    await visitor.press("table.yes")
    await expect(visitor.find("#log")).to_contain_text("You pass")


async def test_whoever_wants_it_is_asked_before_every_move(visit: Visit) -> None:
    visitor = await visit()
    await visitor.context.add_init_script("localStorage.brocante = JSON.stringify({ speed: 'instant', ask: 'always' })")
    await seated(visitor, "collection", players=2)
    before = await visitor.find("#log").inner_text()
    await visitor.find("#hand [data-moves][aria-disabled='false']").first.click()
    await expect(visitor.button("table.yes")).to_be_visible()
    assert await visitor.find("#log").inner_text() == before
    await visitor.press("table.yes")
    await expect(visitor.find("#log")).not_to_have_text(before)


@pytest.mark.parametrize("key", ["Enter", "Space"])
async def test_a_key_that_is_held_down_makes_one_move(visit: Visit, key: str) -> None:
    visitor = await visit()
    await seated(visitor, "collection", players=2)
    await visitor.page.keyboard.press("ArrowRight")
    card = visitor.find("#hand [data-moves][aria-disabled='false']").first
    await card.focus()
    await visitor.page.keyboard.down(key)
    await expect(visitor.find("#log")).to_contain_text("You place")
    for _ in range(10):
        await visitor.page.keyboard.down(key)
        await visitor.page.wait_for_timeout(50)
    await visitor.page.keyboard.up(key)
    assert (await visitor.find("#log").inner_text()).count("You place") == 1


#: Notes when something was clicked.
NOTE_CLICKS = "window.clicks = []; addEventListener('click', (it) => clicks.push(it.timeStamp), true);"


async def test_the_second_half_of_a_double_click_is_not_meant_for_what_slid_under_it(visit: Visit) -> None:
    visitor = await visit()
    await visitor.context.add_init_script(NOTE_CLICKS)
    single = visitor.find("#hand [data-moves][aria-disabled='false']:not(:has(.count))")
    for _ in range(20):
        while not await single.count():  # a hand of pairs
            await seated(visitor, "collection", players=2)
        at = await single.first.bounding_box()
        assert at
        x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
        await visitor.page.mouse.click(x, y)
        await visitor.page.wait_for_function("() => isAnswered() && !document.querySelector('#hand [aria-busy]')")
        said = await visitor.find("#log").inner_text()
        await visitor.page.mouse.down(click_count=2)
        await visitor.page.mouse.up(click_count=2)
        await visitor.page.wait_for_timeout(100)
        first, second = await visitor.page.evaluate("clicks.slice(-2)")
        if second - first < 300:  # on a busy machine it may come too late to be one click with the first
            assert await visitor.find("#log").inner_text() == said
            return
        await seated(visitor, "collection", players=2)
    pytest.fail("this machine is too busy for a double click")


async def test_any_card_can_be_seen_large_and_a_long_press_is_no_move(visit: Visit) -> None:
    desk, phone = await visit(), await visit(viewport="phone", lang="fr", theme="dark")
    big = desk.find("dialog.big-view")
    await seated(desk, "collection", players=2)
    await desk.find("#hand [data-card]").first.click(button="right")
    first = await big.locator("h2").inner_text()
    await desk.page.keyboard.press("ArrowRight")
    await expect(big.locator("h2")).not_to_have_text(first)
    await desk.no_serious_violations()
    face = await big.locator(".face").bounding_box()
    assert face
    assert 0.75 * 800 < face["height"] < 0.85 * 800
    await desk.page.keyboard.press("Escape")
    await expect(big).to_have_count(0)
    await seated(phone, "port")
    asked, at = await phone.find("#prompt").inner_text(), await phone.find("#hand [data-card]").first.bounding_box()
    assert at
    fingers = await phone.context.new_cdp_session(phone.page)
    touching = [{"x": at["x"] + at["width"] / 2, "y": at["y"] + at["height"] / 2}]
    await fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": touching})
    await expect(phone.find("dialog.big-view")).to_be_visible()
    await fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    await phone.no_serious_violations()
    await phone.page.touchscreen.tap(195, 300)
    await expect(phone.find("dialog.big-view")).to_have_count(0)
    await expect(phone.find("#prompt")).to_have_text(asked)
    assert not await phone.find("kbd:visible").count(), "a touch screen has no keys"


async def test_people_react_are_muted_and_watched(visit: Visit) -> None:
    ana, ben, cleo = await visit(), await visit(lang="fr", viewport="phone"), await visit()
    await ben.join(await ana.open_table("collection", players=2))
    await ana.do("start")
    await ana.at_table()
    await ben.at_table()
    await cleo.go(f"/tables/{ana.table}")
    await expect(cleo.find("body")).to_have_attribute("data-phase", "playing")
    titles = {ana.say("title.your_turn", game="Collection"), ana.say("title.turn", who="Ben", game="Collection")}
    assert (await ana.page.title()).removeprefix("● ") in titles
    await expect(cleo.find("#side")).to_contain_text(cleo.say("chat.watching"))
    await expect(cleo.find(".chat-form")).to_be_hidden()
    await ana.press("chat.reactions")
    await ana.press("reaction.well_played")
    await expect(ben.find(".bubble")).to_have_text(ben.say("reaction.well_played"))
    await ben.do("chat", text="Merci !")
    await expect(ana.find("#chat-lines")).to_contain_text("Merci !")
    await ana.page.get_by_role("button", name=ana.say("chat.mute", who="Ben")).click()
    await ben.do("chat", text="Allô ?")
    await expect(cleo.find("#chat-lines")).to_contain_text("Allô ?")
    await expect(ana.find("#chat-lines [data-who=Ben]:visible")).to_have_count(0)
    await ana.press("chat.unmute")
    await expect(ana.find("#chat-lines")).to_contain_text("Allô ?")


async def test_the_chat_is_folded_away_from_somebody_who_plays_alone(visit: Visit) -> None:
    visitor = await visit()
    await seated(visitor, "vinto")
    await expect(visitor.find(".chat")).to_be_hidden()
    await visitor.press("chat.label")
    await expect(visitor.page.get_by_role("textbox", name=visitor.say("chat.field"))).to_be_visible()


@pytest.mark.parametrize("lang", ["en", "fr"])
async def test_no_word_is_broken(visit: Visit, lang: str) -> None:
    visitor = await visit(lang=lang)
    await seated(visitor, "collection", players=4)
    for width, height in ((1280, 800), (390, 844), (360, 640)):
        await visitor.page.set_viewport_size({"width": width, "height": height})
        assert await visitor.page.evaluate(BROKEN) == [], f"{width} by {height}"
