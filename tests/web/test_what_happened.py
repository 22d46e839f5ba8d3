"""What happened since one's last turn: the strip says it, marks show it, the log keeps it."""

import pytest
from playwright.async_api import expect

from tests.web.browsing import Visitor
from tests.web.conftest import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize(
    ("lines", "subject", "told"),
    [
        (["Ana places a cup.", "Ana draws a card."], "Ana", "Ana places a cup · draws a card."),
        (["You place a cup.", "You draw a jug."], "You", "You place a cup · draw a jug."),
        (["Ana passes.", "Anabel passes."], "Ana", "Ana passes · Anabel passes."),
        (["Ana places a cup.", "3 points."], "Ana", "Ana places a cup · 3 points."),
        (["Round 1 is over.", "Round 2 is dealt."], "", "Round 1 is over · Round 2 is dealt."),
        ([], "", ""),
    ],
)
async def test_lines_of_a_turn_name_the_player_once(
    workbench: Visitor, lines: list[str], subject: str, told: str
) -> None:
    assert await workbench.call("./table/strip.js", "inOneLine", lines, subject) == told


async def after_a_round(visitor: Visitor, game: str, **options: object) -> None:
    """Play until others have moved since the visitor's own turn, and it is the visitor's again."""
    await visitor.sit_with_bots(game, **options)
    await visitor.wait_for_turn()
    await visitor.touch_something()
    while not await visitor.find("#play [data-fresh]").count():
        await visitor.wait_for_turn()
        await visitor.touch_something()
    await visitor.wait_for_turn()


async def test_the_strip_says_the_last_turn_with_its_cards_and_what_moved_is_marked(visit: Visit) -> None:
    ana = await visit(viewport="phone")
    await after_a_round(ana, "collection", players=2)
    last = await ana.find("#log li").last.text_content() or ""
    words = ana.find("#strip .words")
    await expect(words).to_contain_text(last.split(" ", 1)[1])
    assert await ana.find("#strip .stamp").count(), "cards that were placed are pictured"
    assert await ana.find("#play [data-fresh]").count(), "what moved is marked"
    height = await ana.find("#strip").evaluate("it => it.offsetHeight")
    await ana.touch_something()
    await expect(ana.find("#play [data-fresh]")).to_have_count(0)
    assert await ana.find("#strip").evaluate("it => it.offsetHeight") == height, "the table does not jump"
    await ana.find("#strip .happened").click()
    await expect(ana.find("#log")).to_be_visible()
    hidden = "it => it.lastChild.getBoundingClientRect().bottom - it.getBoundingClientRect().bottom"
    assert await ana.find("#log").evaluate(hidden) <= 1, "the newest line is visible in full"


async def test_the_cards_of_port_which_have_no_corner_are_pictured_too(visit: Visit) -> None:
    ana = await visit()
    await ana.sit_with_bots("port", players=2)
    stamps = ana.find("#strip .stamp")
    while not await stamps.count():
        await ana.wait_for_turn()
        await ana.touch_something()
    assert await stamps.evaluate_all("all => all.every((it) => it.querySelector('svg').checkVisibility())")


async def test_a_recap_shows_the_turns_of_the_others_one_after_another(visit: Visit) -> None:
    ana = await visit()
    await after_a_round(ana, "collection", players=4)
    asked, table = await ana.find("#prompt").text_content() or "", await ana.find("#table").inner_text()
    told = await ana.find("#strip .words").text_content() or ""
    await ana.page.keyboard.press("l")
    shown = ana.find(".strip.recap .words")
    await expect(ana.find(".strip.recap .step")).to_contain_text(ana.say("lesson.step", n=1, steps=3))
    await expect(ana.find("#play [data-moves], #play [data-fresh]")).to_have_count(0)
    await expect(ana.find("#prompt")).to_have_text(asked)
    await ana.press("recap.forward")
    await ana.page.keyboard.press("ArrowRight")
    await expect(shown).to_have_text(told)
    await expect(ana.button("recap.forward")).to_be_disabled()
    await ana.no_serious_violations()
    await ana.page.keyboard.press("Escape")
    await expect(ana.find(".strip.recap")).to_have_count(0)
    assert await ana.find("#table").inner_text() == table
    assert await ana.find("#play [data-fresh]").count(), "what moved is marked again"
    await ana.touch_something()
