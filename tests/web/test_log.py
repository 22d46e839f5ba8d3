"""The log on the page: it fades as the game says, and is never fetched anew."""

import asyncio
from random import Random

import pytest
from playwright.async_api import expect

import brocante
from brocante.engine.state import NOBODY
from tests.web.browsing import Visitor
from tests.web.conftest import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def lines(visitor: Visitor) -> list[str]:
    """What the log says of the game itself, not of the table."""
    found = await visitor.find("#log li:not(.noted)").all_text_contents()
    return [line for line in found if line not in ("The game begins.", "Ana takes back a move.")]


async def told_anew(visitor: Visitor) -> list[str]:
    answer = await visitor.context.request.get(f"{visitor.url}/api/tables/{visitor.table}/log")
    found: list[str] = await answer.json()
    return found


@pytest.mark.parametrize("name", ["antiques", "vinto"])
async def test_what_is_no_longer_news_is_what_the_engine_says(workbench: Visitor, name: str) -> None:
    """`countOld` beside `Game.is_news`, at every step of a game."""
    random, game = Random(3), brocante.deal(name, players=3 if name == "antiques" else 4, seed="log")
    while not game.is_over and len(game.steps) < 60:
        game.play(random.choice(game.legal_moves))
        if game.is_over:
            break
        movers = [step.turn(game.box) for step in game.steps]
        for seat in range(game.players):
            old = await workbench.call("./table/log.js", "countOld", movers, seat)
            assert old == sum(not game.is_news(seat, number) for number in range(len(movers)))
    assert await workbench.call("./table/log.js", "countOld", [], NOBODY) == 0


async def reads_what_would_be_told_anew(visitor: Visitor) -> None:
    """Soon: bots may still be moving."""
    for _ in range(100):
        if await lines(visitor) == await told_anew(visitor):
            return
        await asyncio.sleep(0.05)
    assert await lines(visitor) == await told_anew(visitor)


async def test_the_log_fades_by_itself(visit: Visit) -> None:
    """After every move, the log on each page equals a log fetched from the server, and the pages fetch none."""
    ana, ben = await visit(), await visit()
    fetched: list[str] = []
    for visitor in (ana, ben):
        visitor.page.on("request", lambda request: fetched.append(request.url))
    await ben.join(await ana.open_table("antiques", players=3))
    await ana.do("start", fill=True)
    await ana.at_table()
    await ben.at_table()
    for _ in range(6):
        for visitor in (ana, ben):
            if await visitor.is_asked():
                await visitor.touch_something()
        for visitor in (ana, ben):
            await reads_what_would_be_told_anew(visitor)
    assert any("an item" in line for line in await lines(ana)), "something has faded"
    assert await ana.find("#log li[data-fades=has]").count(), "and is marked"
    assert await ana.find("#log li[data-fades=will]").count(), "as is what will fade"
    await expect(ana.find("#log .noted")).to_have_text(ana.say("log.why"))
    await ana.page.reload()
    await ana.in_phase("playing")
    await reads_what_would_be_told_anew(ana)
    assert not [url for url in fetched if url.endswith("/log")]


async def test_what_was_taken_back_is_not_in_the_log(visit: Visit) -> None:
    ana = await visit()
    await ana.sit_with_bots("collection", players=2)
    await ana.wait_for_turn()
    before = await lines(ana)
    await ana.touch_something()
    await ana.page.wait_for_function("isAnswered()")
    if await lines(ana) == before or not await ana.is_asked():
        pytest.skip("the deal leaves nothing to take back")
    await ana.find("#controls [data-do=undo]").click()
    await expect(ana.find("#log li").last).to_have_text("Ana takes back a move.")
    assert await lines(ana) == before == await told_anew(ana)


async def test_a_table_may_have_a_log_that_forgets_nothing(visit: Visit) -> None:
    ana = await visit()
    await ana.go(f"/tables/{await ana.open_table('antiques', players=3)}")
    await ana.find("[data-key=fading] input").uncheck()
    await expect(ana.find("[data-key=fading] input")).not_to_be_checked()
    await ana.find("[data-do=start]").click()
    await ana.in_phase("playing")
    await ana.play_on(moves=4)
    assert not await ana.find("#log [data-fades], #log .noted").count()
    await ana.go(f"/tables/{await ana.open_table('collection')}")
    await ana.in_phase("open")
    await expect(ana.find("[data-key=fading]")).to_have_count(0)
