"""What the page weighs, in bytes on the wire."""

import asyncio

import brocante
from tests.web.browsing import PATIENCE, Visitor


async def until_repacked(visitor: Visitor) -> None:
    """Wait until the server has packed all files of the page as small as it can."""
    await visitor.go("/")
    first = await visitor.page.get_attribute("script[type=module]", "src") or ""
    last = visitor.url + first.replace("main.js", f"games/{[*brocante.GAMES][-1]}/art.svg")
    async with asyncio.timeout(PATIENCE / 1000):
        while (await visitor.page.request.head(last)).headers.get("content-encoding") != "br":
            await asyncio.sleep(0.1)


async def bytes_until_playing(visitor: Visitor, game: str) -> int:
    """From an empty cache by way of the home page to the first game on the screen."""
    loaded: list[int] = []
    told: list[int] = []
    wire = await visitor.context.new_cdp_session(visitor.page)
    await wire.send("Network.enable")
    wire.on("Network.loadingFinished", lambda it: loaded.append(int(it["encodedDataLength"])))
    wire.on("Network.webSocketFrameReceived", lambda it: told.append(len(it["response"]["payloadData"].encode())))
    await visitor.go("/")
    await visitor.find(f"[data-game='{game}'] [data-do='play']").click()
    await visitor.in_phase("playing")
    await visitor.page.wait_for_load_state("networkidle")
    return sum(loaded) + told[0]  # the welcome; what bots do after it is another matter
