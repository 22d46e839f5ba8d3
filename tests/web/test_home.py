"""The home page: four boxes, one click to a game, a table with a link for friends."""

import re

import pytest
from playwright.async_api import expect

import brocante
from brocante.engine.text import language
from tests.web.conftest import Visit
from tests.web.weight import bytes_until_playing, until_repacked

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: Bytes over the wire for the first game on the screen, everything included.
LIMIT = 145_000


@pytest.mark.parametrize("game", brocante.GAMES)
async def test_one_click_leads_to_a_game_and_it_weighs_little(visit: Visit, game: str) -> None:
    await until_repacked(await visit())
    visitor = await visit()
    assert await bytes_until_playing(visitor, game) < LIMIT
    await visitor.wait_for_turn()


async def test_every_box_says_what_is_in_it_in_the_readers_language(visit: Visit) -> None:
    for lang in ("en", "fr"):
        visitor = await visit(lang=lang)
        await visitor.go("/")
        assert await visitor.page.get_attribute("html", "lang") == lang
        assert await visitor.page.evaluate("document.fonts.load('1em Jost').then((fonts) => fonts.length)") == 1
        for game in brocante.GAMES:
            box = brocante.box(game)
            lid = visitor.find(f"article[data-game='{game}']")
            for author in box.authors:
                await expect(lid).to_contain_text(author)
            await expect(lid.get_by_role("link", name=visitor.say("nav.rules"))).to_be_visible()


async def test_friends_come_by_the_link_and_the_host_deals(visit: Visit) -> None:
    ana, ben = await visit(), await visit(lang="fr", viewport="phone")
    await ana.go("/")
    await ana.find("article[data-game='collection'] [data-do='friends']").click()
    await ana.in_phase("open")
    link = await ana.page.get_by_role("textbox", name=ana.say("waiting.link")).input_value()
    assert re.fullmatch(rf"{ana.url}/tables/[\w-]+", link)
    await expect(ana.page.get_by_role("img", name=ana.say("waiting.qr"))).to_be_visible()
    await ben.page.goto(link)
    await ben.page.get_by_role("textbox", name=ben.say("home.your_name")).fill("Benoît")
    await ben.press("waiting.sit")
    await expect(ana.find(".seats")).to_contain_text("Benoît")
    await expect(ben.find(".seats")).to_contain_text(ben.say("player.you"))
    await ana.find("[data-do='start']").click()
    for visitor in (ana, ben):
        await visitor.in_phase("playing")


async def test_a_game_in_progress_is_found_again_on_the_home_page(visit: Visit) -> None:
    visitor = await visit()
    await visitor.go("/")
    await visitor.find("article[data-game='collection'] [data-do='play']").click()
    await visitor.in_phase("playing")
    await visitor.page.get_by_role("link", name=visitor.say("nav.home")).first.click()
    await visitor.find("#own").get_by_role("link", name=language("en").say(brocante.box("collection").title)).click()
    await visitor.in_phase("playing")
    await visitor.wait_for_turn()


async def test_a_newcomer_sees_all_at_once_and_is_led_to_the_lessons(visit: Visit) -> None:
    for lang in ("en", "fr"):
        visitor = await visit(lang=lang)
        await visitor.page.route("**/api/tables?phase=open*", lambda route: route.fulfill(json=[]))
        await visitor.go("/")
        await expect(visitor.find(".empty")).to_have_count(2)
        bottoms = "all => all.map((it) => it.getBoundingClientRect().bottom)"
        assert max(await visitor.find("article.box, .empty p").evaluate_all(bottoms)) <= 800
        await expect(visitor.find("article.box a.lead")).to_have_count(len(brocante.GAMES))


async def test_play_now_plays_with_what_was_chosen_last(visit: Visit) -> None:
    visitor = await visit()
    await visitor.go("/")
    box = visitor.find("article[data-game='collection']")
    await box.locator("[data-do=choose]").click()
    sheet = visitor.page.get_by_role("dialog")
    for number, chosen in enumerate(("4", "random", "instant")):
        await sheet.get_by_role("combobox").nth(number).select_option(chosen)
    await sheet.get_by_role("button", name=visitor.say("home.play")).click()
    for _ in range(2):
        await visitor.in_phase("playing")
        answer = await visitor.context.request.get(visitor.page.url.replace("/tables", "/api/tables"))
        table = (await answer.json())["table"]
        assert (len(table["seats"]), table["seats"][1]["bot"]) == (4, "random")
        await visitor.go("/")
        await expect(box.locator("a.lead")).to_have_count(0)  # no newcomer any more
        await box.locator("[data-do=play]").click()


async def test_another_language_is_chosen_and_kept(visit: Visit) -> None:
    visitor = await visit()
    await visitor.go("/")
    await visitor.press("nav.settings")
    await visitor.page.get_by_role("radio", name=visitor.say("settings.fr")).click()
    await expect(visitor.find("html")).to_have_attribute("lang", "fr")
    visitor.lang = "fr"
    await expect(visitor.page.get_by_role("button", name=visitor.say("home.play")).first).to_be_visible()
    await visitor.page.reload()
    await expect(visitor.page.get_by_role("button", name=visitor.say("home.play")).first).to_be_visible()


async def test_an_address_that_leads_nowhere_says_so(visit: Visit) -> None:
    visitor = await visit()
    with visitor.cut_off():  # a browser reports every 404
        for path in ("/nowhere", "/tables/nothing", "/rules/chess", "/learn/chess", "/tables/nothing/games/1"):
            await visitor.go(path)
            await expect(visitor.page.get_by_role("heading", name=visitor.say("error.cleared"))).to_be_visible()
        await visitor.page.get_by_role("link", name=visitor.say("error.market")).click()
        await expect(visitor.find("article.box").first).to_be_visible()
