"""The page comes back by itself: from a cut network, from a server that was killed, in a second tab."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
import pytest_asyncio
from playwright.async_api import WebSocketRoute, expect

from tests.server.processes import ServerProcess, processes
from tests.web.browsing import Visitor
from tests.web.conftest import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def server(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """A server that may be killed."""
    with processes(f"sqlite:///{tmp_path}/tables.db", tmp_path) as [process]:
        await process.start()
        yield process


async def remember(visitor: Visitor) -> None:
    """Leave a mark that only a reload can wipe out."""
    await visitor.page.evaluate("window.stillHere = true")


async def was_not_reloaded(visitor: Visitor) -> bool:
    return bool(await visitor.page.evaluate("window.stillHere === true"))


async def test_a_cut_network_is_said_and_mended_without_a_reload(visit: Visit) -> None:
    visitor = await visit()
    await visitor.sit_with_bots("collection", players=4)
    await visitor.play_on(moves=3)
    await remember(visitor)
    with visitor.cut_off():
        await visitor.context.set_offline(True)
        await expect(visitor.find("body.disconnected")).to_be_attached()
        await expect(visitor.page.get_by_text(visitor.say("table.lost"))).to_be_visible()
        await visitor.context.set_offline(False)
        await expect(visitor.find("body.disconnected")).to_have_count(0)
    await visitor.play_on()
    assert await was_not_reloaded(visitor)


async def test_a_killed_server_is_waited_for_and_the_game_goes_on(server: ServerProcess, visit: Visit) -> None:
    visitor = await visit(url=server.url, viewport="phone", lang="fr")
    await visitor.sit_with_bots("collection", players=4)
    await visitor.play_on("touch", moves=3)
    await remember(visitor)
    told = await visitor.find("#log").text_content()
    with visitor.cut_off():
        server.kill()
        await expect(visitor.find("body.disconnected")).to_be_attached()
        await expect(visitor.page.get_by_text(visitor.say("table.lost"))).to_be_visible()
        await server.start()
        await expect(visitor.find("body.disconnected")).to_have_count(0)
    assert await visitor.find("#log").text_content() == told, "nothing is lost, and nothing is told twice"
    await visitor.play_on("touch")
    assert await was_not_reloaded(visitor)


async def test_two_tabs_of_one_player_show_the_same_game(visit: Visit) -> None:
    one = await visit()
    await one.sit_with_bots("collection", players=2)
    other = await one.another_tab()
    await other.at_table()
    for tab, watching in ((one, other), (other, one)):
        await tab.play_on(moves=1)
        await expect(watching.find("#prompt")).to_have_text(await tab.find("#prompt").inner_text())


async def test_a_page_that_cannot_follow_what_has_changed_connects_again(visit: Visit) -> None:
    visitor = await visit()
    spoiled: list[str] = []

    def relay(socket: WebSocketRoute) -> None:
        def pass_on(message: str | bytes) -> None:
            told = msgspec.json.decode(message)
            if "changes" in told and not spoiled:
                told["changes"]["since"] += 1
                spoiled.append(told["type"])
            socket.send(msgspec.json.encode(told).decode())

        socket.connect_to_server().on_message(pass_on)

    await visitor.page.route_web_socket(re.compile("/socket"), relay)
    await visitor.sit_with_bots("collection", players=4)
    await visitor.play_on(moves=3)
    assert spoiled == ["news"]
    await expect(visitor.find("body.disconnected")).to_have_count(0)
