"""Takes the pictures of the page: `make pictures`, or `python -m docs.images.screens vinto` for those with that word.

A real server, a real browser, and somebody who does what glows; the deals are different every time.
"""

import asyncio
import io
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from playwright.async_api import Browser

from tests.server.serving import served
from tests.web.browsing import Theme, Viewport, Visitor, running_browser, visiting

HERE = Path(__file__).resolve().parent
MOST = 120_000  # bytes of a picture
#: Everything scrolled to its beginning, and nothing in the middle of a movement.
AT_REST = """async () => {
    for (const it of [document.documentElement, ...document.querySelectorAll("#play, #table")]) it.scrollTo(0, 0);
    const ending = document.getAnimations().filter((it) => it.effect.getComputedTiming().endTime < Infinity);
    await Promise.allSettled(ending.map((it) => it.finished));
}"""
PLAYERS = {"antiques": 4, "collection": 3, "port": 3, "vinto": 5}


class Picture(NamedTuple):
    name: str
    scene: Callable[[Visitor], Awaitable[None]]
    viewport: Viewport = "desktop"
    theme: Theme = "light"
    lang: str = "en"


def page(path: str) -> Callable[[Visitor], Awaitable[None]]:
    async def scene(visitor: Visitor) -> None:
        await visitor.go(path)

    return scene


def table(game: str, moves: int = 12) -> Callable[[Visitor], Awaitable[None]]:
    """In the middle of a game, when it is one's turn."""

    async def scene(visitor: Visitor) -> None:
        await visitor.sit_with_bots(game, players=PLAYERS[game])
        await visitor.play_on(moves=moves)
        await visitor.wait_for_turn()

    return scene


async def waiting(visitor: Visitor) -> None:
    """A table for friends, before they have come."""
    await visitor.open_table("antiques", players=4)
    await visitor.go(f"/tables/{visitor.table}")
    await visitor.in_phase("open")


def scoring(game: str) -> Callable[[Visitor], Awaitable[None]]:
    async def scene(visitor: Visitor) -> None:
        await visitor.sit_with_bots(game, players=PLAYERS[game], **({"rounds": 1} if game == "vinto" else {}))
        await visitor.play_on()

    return scene


def replay(game: str) -> Callable[[Visitor], Awaitable[None]]:
    async def scene(visitor: Visitor) -> None:
        await scoring(game)(visitor)
        await visitor.go(f"/tables/{visitor.table}/games/1")
        await visitor.find("input[type=range]").focus()
        for _ in range(24):
            await visitor.page.keyboard.press("ArrowRight")

    return scene


PICTURES = (
    Picture("home-desktop-light", page("/")),
    Picture("home-desktop-dark", page("/"), theme="dark"),
    Picture("home-phone-light", page("/"), "phone"),
    Picture("home-phone-dark-fr", page("/"), "phone", "dark", "fr"),
    Picture("waiting-desktop-light", waiting),
    *(Picture(f"{game}-desktop-light", table(game)) for game in PLAYERS),
    *(Picture(f"{game}-desktop-dark", table(game), theme="dark") for game in PLAYERS),
    *(Picture(f"{game}-phone-light", table(game), "phone") for game in PLAYERS),
    *(Picture(f"{game}-phone-dark-fr", table(game), "phone", "dark", "fr") for game in PLAYERS),
    Picture("vinto-landscape-dark", table("vinto"), "landscape", "dark"),
    Picture("antiques-scoring-desktop-light", scoring("antiques")),
    Picture("port-scoring-phone-dark-fr", scoring("port"), "phone", "dark", "fr"),
    Picture("port-replay-desktop-light", replay("port")),
    Picture("vinto-replay-desktop-dark-fr", replay("vinto"), "desktop", "dark", "fr"),
    Picture("collection-lesson-desktop-light", page("/learn/collection")),
    Picture("antiques-lesson-phone-dark-fr", page("/learn/antiques"), "phone", "dark", "fr"),
    Picture("port-rules-desktop-light", page("/rules/port")),
)


async def take(browser: Browser, url: str, picture: Picture) -> None:
    visitor = await visiting(browser, url, lang=picture.lang, viewport=picture.viewport, theme=picture.theme)
    await picture.scene(visitor)
    await visitor.page.wait_for_load_state("networkidle")
    await visitor.page.mouse.move(0, 0)
    await visitor.page.evaluate(AT_REST)
    taken = Image.open(io.BytesIO(await visitor.page.screenshot())).convert("RGB")
    await visitor.context.close()
    path = HERE / f"page-{picture.name}.webp"
    for quality in range(80, 40, -10):
        taken.save(path, quality=quality, method=6)
        if path.stat().st_size <= MOST:
            break
    sys.stdout.write(f"{path.name} {path.stat().st_size // 1000} kB\n")


async def main(wanted: str) -> None:
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as url:
        async with running_browser() as browser:
            for picture in PICTURES:
                if wanted in picture.name:
                    await take(browser, url, picture)


if __name__ == "__main__":
    asyncio.run(main("".join(sys.argv[1:])))
