"""What is there to read and to look at besides the tables: rules, replays, guided first games."""

import pytest
from playwright.async_api import expect

import brocante
from tests.web.browsing import Visitor
from tests.web.conftest import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize("game", brocante.GAMES)
async def test_a_guided_first_game_is_taken_to_its_end(visit: Visit, game: str) -> None:
    """Doing what it says, in French on a phone for two of them."""
    how = {"lang": "fr", "viewport": "phone"} if game in ("port", "vinto") else {}
    visitor = await visit(**how)
    await visitor.go(f"/learn/{game}")
    done = visitor.button("home.play")
    onwards = visitor.button("lesson.onwards")
    await expect(visitor.find("#guide p")).to_be_visible()
    while not await done.count():
        before = await visitor.find("body").inner_text()
        if await visitor.find("#guide").get_attribute("data-points-at"):
            assert await visitor.find(".pointed-at").count() == 1, "what is spoken of is pointed at"
        if await onwards.count():
            await onwards.click()
        else:
            await visitor.touch_something("touch" if how else "mouse")
        await visitor.page.wait_for_function("before => document.body.innerText !== before", arg=before)
    await done.click()
    await visitor.in_phase("playing")


async def test_a_lesson_has_a_way_back_and_its_address_names_the_step(visit: Visit) -> None:
    visitor = await visit(viewport="phone")
    await visitor.go("/learn/port?step=7")
    guide = visitor.find("#guide p")
    await expect(guide).to_contain_text("Baixo Corgo")
    await expect(visitor.find(".pointed-at")).to_have_attribute("data-pile", "board.baixo")
    touchable = visitor.find("#play [data-moves][aria-disabled=false]").first
    await expect(touchable).to_be_in_viewport()
    seventh = await guide.inner_text()
    await visitor.press("lesson.back")
    await visitor.until_at("/learn/port?step=6")
    await expect(guide).not_to_have_text(seventh)
    await visitor.page.go_back()
    await expect(guide).to_have_text(seventh)
    await visitor.page.reload()
    await expect(guide).to_have_text(seventh)


@pytest.mark.parametrize("game", brocante.GAMES)
async def test_the_rules_are_there_and_over_the_table_too(visit: Visit, game: str) -> None:
    visitor = await visit(lang="fr")
    await visitor.go(f"/rules/{game}")
    headings = visitor.page.get_by_role("heading")
    await expect(headings.nth(3)).to_be_visible()
    assert await visitor.page.get_by_role("heading", level=1).count() == 1
    title = await headings.nth(2).inner_text()
    await visitor.sit_with_bots(game)
    await visitor.press("nav.rules")
    await expect(visitor.page.get_by_role("dialog").get_by_role("heading", name=title)).to_be_visible()
    await visitor.page.keyboard.press("Escape")
    await expect(visitor.page.get_by_role("dialog")).to_have_count(0)


async def finished_game(visitor: Visitor) -> None:
    await visitor.sit_with_bots("collection", players=4)
    await visitor.play_on()


async def test_a_replay_goes_on_and_back_and_shows_it_from_any_eyes(visit: Visit) -> None:
    ana, friend = await visit(), await visit(lang="fr", viewport="phone")
    await finished_game(ana)
    await ana.page.get_by_role("link", name=ana.say("scoring.replay")).click()
    await friend.page.goto(await ana.until_at("/games/1"))
    for visitor in (ana, friend):
        scrubber = visitor.page.get_by_role("slider", name=visitor.say("replay.step"))
        last = int(await scrubber.get_attribute("max") or 0)
        await expect(scrubber).to_have_value("1")
        await visitor.press("replay.forward")
        await expect(scrubber).to_have_value("2")
        await visitor.press("replay.last")
        await expect(scrubber).to_have_value(str(last))
        await expect(visitor.find("table.points")).to_be_attached()
        await visitor.press("replay.first")
        await expect(scrubber).to_have_value("0")
        for step in (last // 3, last // 2):
            await scrubber.fill(str(step))
            await expect(visitor.find("#table")).to_be_visible()
        hidden = visitor.find("#play .back")
        assert not await hidden.and_(visitor.find("[data-pile$='.hand'] *")).count(), "all cards are open"
        await visitor.page.get_by_role("combobox", name=visitor.say("replay.eyes")).select_option("0")
        await expect(hidden.first).to_be_attached()


async def test_a_replay_is_walked_through_by_keys_and_by_its_log(visit: Visit) -> None:
    visitor = await visit()
    await finished_game(visitor)
    fetched: list[str] = []
    visitor.page.on("request", lambda request: fetched.append(request.url))
    await visitor.page.get_by_role("link", name=visitor.say("scoring.replay")).click()
    scrubber = visitor.page.get_by_role("slider", name=visitor.say("replay.step"))
    last = await scrubber.get_attribute("max") or ""
    for key, step in {"ArrowRight": "2", "ArrowLeft": "1", "End": last, "Home": "0"}.items():
        await visitor.page.keyboard.press(key)
        await expect(scrubber).to_have_value(step)
    line = visitor.find("#log li").nth(9)
    await line.click()
    await expect(line).to_have_attribute("aria-current", "step")
    step = await scrubber.input_value()
    await visitor.until_at(f"?step={step}")
    await visitor.page.keyboard.press("ArrowDown")  # the log has the focus
    await expect(scrubber).to_have_value(str(int(step) + 1))
    assert len([url for url in fetched if "/games/1?eyes=" in url]) == 1, "written again, the log would lose the focus"
    await visitor.go(f"/tables/{visitor.table}/games/1?step={last}")
    await expect(visitor.find("#scoring .total").first).to_be_visible()


async def test_the_record_of_a_game_can_be_downloaded(visit: Visit) -> None:
    visitor = await visit()
    await finished_game(visitor)
    async with visitor.page.expect_download() as downloading:
        await visitor.page.get_by_role("link", name=visitor.say("scoring.record")).click()
    path = await (await downloading.value).path()
    assert '"record"' in path.read_text().splitlines()[0]
