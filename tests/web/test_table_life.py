"""An evening at a table: coming in by the link, talking, taking back, pausing, giving up, playing again, watching."""

import asyncio

import pytest
from playwright.async_api import expect

from tests.web.browsing import Visitor
from tests.web.conftest import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def two_at_a_table(visit: Visit, **more: object) -> tuple[Visitor, Visitor]:
    """Ana and Ben, who have just begun a game of Collection."""
    ana, ben = await visit(**more), await visit(**more)
    await ben.join(await ana.open_table("collection", players=2))
    await ana.do("start")
    await asyncio.gather(ana.at_table(), ben.at_table())
    return ana, ben


async def asked_first(ana: Visitor, ben: Visitor) -> tuple[Visitor, Visitor]:
    """The two, the one whose turn it is first."""
    return (ana, ben) if await ana.is_asked() else (ben, ana)


async def say_in_chat(visitor: Visitor, text: str) -> None:
    await visitor.page.get_by_role("textbox", name=visitor.say("chat.field")).fill(text)
    await visitor.page.keyboard.press("Enter")


async def test_what_one_says_is_on_the_others_screen_as_it_was_written(visit: Visit) -> None:
    ana, ben = await two_at_a_table(visit)
    said = "<img src=x onerror=alert(1)> & <b>bold</b>"
    await say_in_chat(ana, said)
    await expect(ben.find("#chat-lines")).to_contain_text(said)
    assert not await ben.find("#chat-lines img, #chat-lines b b").count(), "what people write is never HTML"


async def test_a_name_is_never_html(visit: Visit) -> None:
    visitor = await visit()
    name = "<img src=x onerror=a()>"
    await visitor.open_table("collection", name=name, players=2)
    await visitor.go(f"/tables/{visitor.table}")
    await visitor.in_phase("open")
    await expect(visitor.find("body")).to_contain_text(name)
    await visitor.do("start", fill=True)
    await visitor.in_phase("playing")
    await expect(visitor.find("#play")).to_contain_text(name)
    assert not await visitor.find("img[src=x]").count()


async def test_a_move_that_told_nobody_anything_is_taken_back_at_once(visit: Visit) -> None:
    ana, ben = await asked_first(*await two_at_a_table(visit))
    await expect(ana.button("table.undo")).to_have_attribute("aria-description", ana.say("table.undo_nothing"))
    await expect(ana.button("table.undo")).to_be_disabled()
    before = await ana.find("#hand").text_content() or ""
    await ana.page.keyboard.press(await ana.find("#legal kbd").first.text_content() or "")
    await expect(ana.find("#hand")).not_to_have_text(before)
    await ana.press("table.undo")
    await expect(ana.find("#hand")).to_have_text(before)
    for visitor in (ana, ben):
        await expect(visitor.button("table.agree")).to_have_count(0)


async def test_a_move_that_told_something_is_taken_back_if_the_other_agrees(visit: Visit) -> None:
    ana, ben = await asked_first(*await two_at_a_table(visit))
    while await ana.is_asked():
        await ana.touch_something()  # until the turn is over: cards have been drawn
    await ana.press("table.undo_ask")
    await expect(ben.find(".notice-bar")).to_be_visible()
    await ben.press("table.refuse")
    await expect(ana.find(".notice-bar")).to_have_count(0)
    await ana.press("table.undo_ask")
    await ben.press("table.agree")
    await ana.wait_for_turn()
    assert await ana.is_asked()


async def test_a_pause_stops_the_game_for_everyone_until_somebody_goes_on(visit: Visit) -> None:
    ana, ben = await two_at_a_table(visit)
    await ana.press("table.pause")
    await expect(ben.find("body.paused")).to_be_attached()
    await expect(ben.find("#play [data-moves]:not([aria-disabled='true']):visible")).to_have_count(0)
    await ben.button("table.resume").first.click()
    await expect(ana.find("body.paused")).to_have_count(0)
    first, _ = await asked_first(ana, ben)
    await first.touch_something()


async def test_one_who_resigns_is_asked_first_whether_they_mean_it(visit: Visit) -> None:
    ana, ben = await two_at_a_table(visit)
    await ana.press("table.resign")
    await ana.find("dialog[open]").get_by_role("button", name=ana.say("nav.never_mind")).click()
    await expect(ana.find("dialog[open]")).to_have_count(0)
    await ana.press("table.resign")
    await ana.find("dialog[open]").get_by_role("button", name=ana.say("table.resign")).click()
    for visitor in (ana, ben):
        await visitor.in_phase("over")
        await expect(visitor.find("#scoring")).to_be_visible()


async def test_somebody_is_removed_from_a_game_if_the_others_agree(visit: Visit) -> None:
    """With the keyboard alone; Cleo reads French."""
    ana, ben, cleo = await visit(), await visit(), await visit(lang="fr")
    table = await ana.open_table("collection", players=3)
    await ben.join(table)
    await cleo.join(table, "Cleo")
    await ana.do("start")
    await asyncio.gather(*(visitor.at_table() for visitor in (ana, ben, cleo)))
    for visitor in (ben, cleo):
        await expect(visitor.button("removal.open")).to_have_count(0)
    for refuses in (True, False):
        await ana.button("removal.open").focus()
        await ana.page.keyboard.press("Enter")
        chosen = ana.find("dialog[open]").get_by_role("button", name=ana.say("removal.yes", who="Ben"))
        await expect(chosen).to_be_visible()
        await ana.no_serious_violations()
        await chosen.focus()
        await ana.page.keyboard.press("Enter")
        await expect(ana.find("dialog[open]")).to_have_count(0)
        asked = [(ana, "waiting"), (ben, "about_you"), (cleo, "asked")]
        for visitor, key in asked:
            notice = visitor.page.get_by_role("status").filter(has_text=visitor.say(f"removal.{key}", who="Ben"))
            await expect(notice).to_be_visible()
        await cleo.no_serious_violations()
        await expect(ben.find(".notice-bar button")).to_have_count(0)
        answer = cleo.say("removal.no" if refuses else "removal.yes", who="Ben")
        await cleo.page.get_by_role("button", name=answer, exact=True).focus()
        await cleo.page.keyboard.press("Enter")
        await expect(ana.find(".notice-bar")).to_have_count(0)
    await expect(ben.find("body.seated")).to_have_count(0)
    await expect(cleo.find("#play")).to_contain_text("Ben")
    await ana.press("removal.open")
    await ana.find("dialog[open]").get_by_role("button", name=ana.say("removal.yes", who="Cleo")).click()
    await expect(ana.find("body")).to_contain_text("Nobody else is playing who could agree to it")
    await ana.page.keyboard.press("Escape")
    await expect(ana.find("dialog[open]")).to_have_count(0)


async def test_another_game_begins_when_everybody_wants_it(visit: Visit) -> None:
    ana, ben = await two_at_a_table(visit)
    await ana.do("resign")
    for visitor in (ana, ben):
        await visitor.in_phase("over")
    await ana.press("scoring.again")
    await expect(ben.find("#scoring")).to_contain_text("Ana")
    await ben.press("scoring.again")
    for visitor in (ana, ben):
        await visitor.in_phase("playing")
        await expect(visitor.find("#scoring")).to_have_count(0)
    first, _ = await asked_first(ana, ben)
    await first.touch_something()


async def test_those_who_watch_see_the_table_and_can_touch_nothing(visit: Visit) -> None:
    ana, ben = await two_at_a_table(visit)
    watcher = await visit(lang="fr")
    watcher.table = ana.table
    await watcher.at_table()
    first, _ = await asked_first(ana, ben)
    told = await watcher.find("#log li").count()
    await first.touch_something()
    await expect(watcher.find("#log li")).not_to_have_count(told)
    assert not await watcher.find("[data-moves]").count()
    await expect(watcher.button("table.undo")).to_have_count(0)


async def test_what_others_say_does_not_disturb_one_who_is_choosing(visit: Visit) -> None:
    ana, ben = await visit(), await visit()
    await ben.join(await ana.open_table("port", players=2))
    await ana.do("start")
    await asyncio.gather(ana.at_table(), ben.at_table())
    ana, ben = await asked_first(ana, ben)
    await ana.page.keyboard.press("b")  # buy an Estate: which site?
    await expect(ana.button("nav.never_mind")).to_be_visible()
    await say_in_chat(ben, "Take your time.")
    await expect(ana.find("#chat-lines")).to_contain_text("Take your time.")
    await expect(ana.button("nav.never_mind")).to_be_visible()
    await ana.page.keyboard.press("Escape")
    await expect(ana.button("nav.never_mind")).to_have_count(0)


async def test_a_host_chooses_what_is_played_and_thinks_again(visit: Visit) -> None:
    ana = await visit()
    await ana.go(f"/tables/{await ana.open_table('vinto')}")
    rounds, minutes = ana.find("[data-key=rounds] input"), ana.find("[data-key=minutes] input")
    await minutes.fill("30")
    await minutes.press("Tab")
    await expect(ana.find("[data-key=minutes] input[value='30']")).to_be_visible()
    await rounds.fill("3")
    await rounds.press("Tab")
    await expect(minutes).to_have_value("")
    await expect(ana.find("[data-key=rounds] input[value='3']")).to_be_visible()


async def test_a_guest_chooses_a_chair(visit: Visit) -> None:
    ana, ben = await visit(), await visit()
    await ben.go(f"/tables/{await ana.open_table('collection', players=4)}")
    await ben.button("waiting.sit_here").nth(1).click()
    await expect(ben.find(".seats li").nth(2).locator(".you")).to_be_visible()


async def test_tabs_that_were_open_before_are_one_guest(visit: Visit) -> None:
    first = await visit()
    await first.go("/")
    second = await first.another_tab()
    await second.go("/")
    tables = []
    for tab in (first, second):
        await tab.find("article[data-game=collection] [data-do=friends]").click()
        await tab.in_phase("open")
        tables.append(tab.page.url)
    await first.page.reload()
    await expect(first.find(".seats .you")).to_be_visible()
    assert len({*tables}) == 2
