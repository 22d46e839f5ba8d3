"""Vinto on the page: cards that somebody looks at, the actions to come between the piles, and its reference card."""

import asyncio
import re

import pytest
from playwright.async_api import Locator, expect

import brocante
from brocante.engine.text import LANGUAGES, Text, language
from brocante.games.vinto import rules
from brocante.games.vinto.moves import RANKS
from tests.web.browsing import Theme, Viewport, Visitor
from tests.web.conftest import Visit

in_a_browser = pytest.mark.asyncio(loop_scope="session")
TO_COME = "[data-zone=waiting]"
#: Whatever is said, the table has as much room.
SAME_ROOM = """() => {
    const style = new CSSStyleSheet();
    style.replaceSync("#guide { height: 8rem; overflow: hidden } #bar { height: 7rem; overflow: hidden }");
    document.adoptedStyleSheets = [style];
}"""
#: How wide a card is in the hand, and how high the field of the piles.
MEASURES = """() => {
    const [stage, field] = ["#play", ".piles"].map((selector) => document.querySelector(selector));
    return [stage.style.getPropertyValue("--unit"), field.offsetHeight];
}"""


async def learn(visitor: Visitor) -> None:
    await visitor.go("/learn/vinto")
    await expect(visitor.find("#guide p")).to_be_visible()


async def go_on(visitor: Visitor) -> None:
    """Do what the lesson says."""
    before = await visitor.find("body").inner_text()
    onwards = visitor.button("lesson.onwards")
    await (onwards.click() if await onwards.count() else visitor.touch_something())
    await visitor.page.wait_for_function("before => document.body.innerText !== before", arg=before)


def reference_card(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("dialog", name=visitor.say("nav.reference"))


# --- looking at cards -------------------------------------------------------------------------------------------------


@in_a_browser
async def test_cards_that_one_looks_at_turn_over_where_they_lie_and_the_others_see_which(visit: Visit) -> None:
    ana, ben = await visit(), await visit(viewport="phone")
    await ben.join(await ana.open_table("vinto"))
    await ana.do("start", fill=True)
    for visitor in (ana, ben):
        await visitor.at_table()
        await visitor.find("#hand .slot").nth(0).click()
        await expect(visitor.find("#hand .slot.chosen")).to_have_count(1)
        await visitor.find("#hand .slot").nth(2).click()
    await asyncio.gather(sees_the_peeks(ana, other=1), sees_the_peeks(ben, other=0))
    for visitor in (ana, ben):
        await expect(visitor.find("#hand .glimpsed")).to_have_count(0)
        await expect(visitor.find("#hand .back")).to_have_count(5)


async def sees_the_peeks(visitor: Visitor, other: int) -> None:
    """One sees one's own two cards, and which ones another player looks at."""
    await expect(visitor.find("#hand .glimpsed .face:not(.back)")).to_have_count(2)
    assert await visitor.find(f"#table [data-pile='{other}.row'] .slot:has(.gesture.look) .back").count() == 2
    assert not await visitor.find("[data-do=onwards], .notice").count()


# --- the actions to come ----------------------------------------------------------------------------------------------


@in_a_browser
async def test_actions_to_come_stand_between_the_piles_in_their_order(visit: Visit) -> None:
    """V5: whose action is being carried out stands first, and is told from those that wait."""
    visitor = await visit()
    await learn(visitor)
    while not await visitor.find(TO_COME).count():
        await go_on(visitor)
    to_come = visitor.page.get_by_role("region", name="actions to come").get_by_role("listitem")
    await expect(to_come).to_have_text(["Camille, now", "Odette"])
    for item, card in zip(await to_come.all(), ("8♠", "8♦"), strict=True):
        await expect(item.get_by_role("img")).to_have_accessible_name(card)
    await expect(visitor.find(f"{TO_COME} .now")).to_have_count(1)
    await go_on(visitor)
    await expect(to_come).to_have_text(["Odette, now"])
    await go_on(visitor)
    await expect(to_come).to_have_count(0)


@in_a_browser
@pytest.mark.parametrize("viewport", ["desktop", "phone", "landscape"])
async def test_nothing_is_pushed_aside_when_actions_come_and_go(visit: Visit, viewport: Viewport) -> None:
    """The field of the piles is as high with them as with a card that was turned up, and with neither."""
    visitor = await visit(lang="fr", viewport=viewport)
    await learn(visitor)
    await visitor.page.evaluate(SAME_ROOM)
    heights: dict[str, set[int]] = {}
    seen = set()
    while not await visitor.page.get_by_role("link", name=visitor.say("lesson.done")).count():
        unit, height = await visitor.page.evaluate(MEASURES)
        if not await visitor.find(".all-open").count():  # the round is over, and phones need the room
            heights.setdefault(unit, set()).add(height)
        seen.add(await visitor.find(".piles > :nth-child(2)").get_attribute("data-key"))
        await go_on(visitor)
    assert seen == {"drawn", "centre.drawn", "waiting"}
    assert all(len(measured) == 1 for measured in heights.values()), heights


# --- the reference card -----------------------------------------------------------------------------------------------


async def show(visitor: Visitor, where: str) -> None:
    if where == "lesson":
        await learn(visitor)
        return
    await visitor.sit_with_bots("vinto")
    if where == "replay":
        await visitor.do("resign")
        await visitor.page.get_by_role("link", name=visitor.say("scoring.replay")).click()
        await expect(visitor.page.get_by_role("slider")).to_be_visible()


@in_a_browser
@pytest.mark.parametrize("where", ["table", "lesson", "replay"])
@pytest.mark.parametrize(("lang", "viewport", "theme"), [("en", "desktop", "dark"), ("fr", "phone", "light")])
async def test_the_reference_card_is_one_tap_away(
    visit: Visit, where: str, lang: str, viewport: Viewport, theme: Theme
) -> None:
    visitor = await visit(lang=lang, viewport=viewport, theme=theme)
    await show(visitor, where)
    button = visitor.button("nav.reference")
    await button.click()
    card = reference_card(visitor)
    await expect(card.get_by_role("row")).to_have_count(10)
    await expect(card.get_by_role("row").nth(6)).to_contain_text("King" if lang == "en" else "Roi")
    await expect(card.locator(".fan .rank").first).to_be_visible()
    await expect(card.get_by_role("button", name=visitor.say("nav.close"))).to_be_focused()
    await visitor.no_serious_violations()
    assert not await card.evaluate("it => it.scrollWidth > it.clientWidth")
    await visitor.page.keyboard.press("Escape")
    await expect(card).to_have_count(0)
    await expect(button).to_be_focused()
    await visitor.page.keyboard.press("r")
    await expect(card).to_be_visible()


@in_a_browser
async def test_the_reference_card_does_not_scroll_sideways_on_the_smallest_phone(visit: Visit) -> None:
    visitor = await visit(lang="fr", viewport="phone")
    await learn(visitor)
    await visitor.page.set_viewport_size({"width": 320, "height": 568})
    await visitor.press("nav.reference")
    assert not await reference_card(visitor).evaluate("it => it.scrollWidth > it.clientWidth")


@in_a_browser
async def test_a_game_without_a_reference_card_has_no_button_for_it(visit: Visit) -> None:
    visitor = await visit()
    await visitor.go("/learn/collection")
    await expect(visitor.button("nav.rules")).to_be_visible()
    await expect(visitor.button("nav.reference")).to_have_count(0)


@pytest.mark.parametrize("game", brocante.GAMES)
@pytest.mark.parametrize("code", LANGUAGES)
def test_what_is_named_as_a_reference_card_is_a_part_of_the_rules(game: str, code: str) -> None:
    box, said = brocante.box(game), language(code)
    if said.knows(f"{game}.reference"):
        assert f"\n## {said.say(Text(f'{game}.reference'))}\n" in box.rules_page(code)


@pytest.mark.parametrize(("code", "none"), [("en", "none"), ("fr", "aucune")])
def test_the_reference_card_says_what_the_rules_say(code: str, none: str) -> None:
    """V1: what every rank counts, and which ranks have an action."""
    part = brocante.box("vinto").rules_page(code).split("\n## ")[1]
    told: dict[str, tuple[int, bool]] = {}
    for ranks, values, action in re.findall(r"^\| ([^|]*) \| ([−\d][^|]*) \| ([^|]*) \|$", part, re.MULTILINE):
        named = re.findall(r"10|[2-9AJQK★]", ranks.partition("(")[0])
        counted = [int(n.replace("−", "-")) for n in re.findall(r"−?\d+", values)]
        if len(counted) < len(named):
            counted = [*range(counted[0], counted[-1] + 1)]
        told |= {rank: (n, action != none) for rank, n in zip(named, counted, strict=True)}
    assert told == {
        rank.replace("X", "★"): (int(rules.VALUE[n]), bool(rules.has_action(n))) for n, rank in enumerate(RANKS)
    }
