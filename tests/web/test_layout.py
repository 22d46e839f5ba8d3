"""Everything has room on the stage, at every size from a small phone to a large screen, also when the table is crowded.

Nobody plays until the table is crowded: a game is played here by chance, and the page is shown its fullest position.
"""

import json
from random import Random
from typing import Any

import pytest
from playwright.async_api import Route, WebSocketRoute

import brocante
from brocante.engine.text import language
from tests.web.browsing import Visitor
from tests.web.conftest import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

SIZES = [
    (360, 640), (390, 844), (844, 390), (768, 1024), (1024, 768), (1280, 800), (1440, 900), (1920, 1080), (2560, 1440),
]  # fmt: skip
GAMES = [
    pytest.param("collection", 4),
    pytest.param("antiques", 6),
    pytest.param("port", 4),
    pytest.param("vinto", 5),
]
#: Chance tosses in whatever it holds, and is punished: after these steps rows get longer than people’s ever are.
STEPS = {"vinto": 14}
NAMES = ("Ana", "Odette", "Marcel", "Lucienne", "Gaston", "Simone")
#: What is wrong with the stage as it is laid out.
FAULTS = """() => {
    const table = document.querySelector("#table");
    const box = (it) => it.getBoundingClientRect();
    const shown = (selector) => [...document.querySelectorAll(selector)]
        .filter((it) => it.checkVisibility() && box(it).width > 0);
    const named = (it) => it.dataset.key ?? it.id ?? it.className;
    const faults = [];

    // What can be touched is as large as a finger, or takes touches around it.
    const FINGER = 44, CLOSE = 0.5;
    const takes = (it, x, y) => it.contains(document.elementFromPoint(x, y));
    const isFingerWide = (it) => {
        const { left, top, width, height } = box(it);
        if (width >= FINGER - CLOSE && height >= FINGER - CLOSE) return true;
        const [x, y, reach] = [left + width / 2, top + height / 2, FINGER / 2 - 1];
        return [[-reach, 0], [reach, 0], [0, -reach], [0, reach]].every(([dx, dy]) => takes(it, x + dx, y + dy));
    };
    for (const it of shown("#play button")) {
        const { width, height } = box(it);
        if (!isFingerWide(it)) faults.push(`${named(it)} is ${width.toFixed()} × ${height.toFixed()}`);
    }

    // Nothing covers anything else, but for what lies in the same pile, or on one another.
    const pieces = shown("#play .piece, #play .nameplate, #bar button, #prompt");
    const together = (a, b) => a.contains(b) || b.contains(a) || (a.dataset.pile && a.dataset.pile === b.dataset.pile);
    const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
    pieces.forEach((a, n) => pieces.slice(n + 1).forEach((b) => {
        if (overlap(box(a), box(b)) && !together(a, b)) faults.push(`${named(a)} and ${named(b)} overlap`);
    }));

    // Nothing scrolls, and nothing is cut off.
    for (const it of [table, document.querySelector("#hand"), document.documentElement, ...shown("#play .nameplate")]) {
        const [wide, high] = [it.scrollWidth - it.clientWidth, it.scrollHeight - it.clientHeight];
        if (wide > 1 || high > 1) faults.push(`${named(it)} overflows by ${wide} × ${high}`);
    }
    const within = (a, b) =>
        a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
    for (const it of pieces) {
        const part = it.closest("#table, #hand, #bar");
        if (!within(box(it), box(part))) faults.push(`${named(it)} is not within ${named(part)}`);
    }

    // The stage is used.
    const laid = shown("#table .piece, #table .nameplate, #table .bonus, #table .unfolder").map(box);
    const extent = (least, most) => Math.max(...laid.map((it) => it[most])) - Math.min(...laid.map((it) => it[least]));
    const used = (extent("left", "right") * extent("top", "bottom")) / (box(table).width * box(table).height);
    if (used < 0.8) faults.push(`${(100 * used).toFixed()} % of the table are used`);

    // Words can be read; those printed on a card are in its tip too.
    const texts = document.createTreeWalker(document.querySelector("#play"), NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const it = texts.currentNode.parentElement;
        const size = parseFloat(getComputedStyle(it).fontSize);
        if (size < 11 && texts.currentNode.data.trim() && it.checkVisibility() && !it.closest(".face, .for-ears"))
            faults.push(`“${texts.currentNode.data}” is ${size} px high`);
    }
    return faults;
}"""


class Crowded:
    """The fullest position of a game that is played by chance, as the one who is asked sees it, and with open cards."""

    def __init__(self, game: str, players: int) -> None:
        playing = brocante.deal(game, seed="crowded", players=players)
        random = Random("crowded")
        most = -1
        while not playing.is_over and len(playing.steps) < STEPS.get(game, 10_000):
            view = playing.view(playing.actor)
            if view.offers and (stacks := stacks_in(shown := view.plain(language("en"), NAMES))) > most:
                most, self.live, step = stacks, shown, len(playing.steps)
            playing.play(random.choice(playing.legal_moves))
        self.replayed = playing.past_view(step, None).plain(language("en"), NAMES)


def stacks_in(view: dict[str, Any]) -> int:
    table = view["table"]
    zones = [*table["centre"], *table["board"], *(zone for place in table["places"] for zone in place["zones"])]
    return sum(len(zone["stacks"]) for zone in zones)


async def at_crowded_table(visitor: Visitor, game: str, players: int, view: dict[str, Any]) -> None:
    """Sit at a table that looks like this."""

    def relay(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def told(message: str | bytes) -> None:
            said = json.loads(message)
            if said.get("view") or said.pop("changes", None):
                said["view"] = view
            socket.send(json.dumps(said))

        server.on_message(told)

    await visitor.page.route_web_socket("**/*", relay)
    await visitor.sit_with_bots(game, players=players)


async def at_crowded_replay(visitor: Visitor, game: str, view: dict[str, Any]) -> None:
    """Read the replay of a game that looks like this."""
    names = list(NAMES[: len(view["table"]["places"])])
    replayed = {"game": game, "names": names, "steps": 1, "log": [["…"]], "pictures": {}, "stopped": ""}

    async def answer(route: Route) -> None:
        await route.fulfill(json={**view, "moments": []} if "/views/" in route.request.url else replayed)

    await visitor.page.route("**/games/1*/**", answer)
    await visitor.page.route("**/games/1?*", answer)
    await visitor.go("/tables/aaaaaaaa/games/1")
    await visitor.find("#table .piece").first.wait_for()


async def faults(visitor: Visitor, where: str) -> list[str]:
    found = []
    for width, height in SIZES:
        await visitor.page.set_viewport_size({"width": width, "height": height})
        await visitor.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
        found += [f"{where} {width}×{height}: {fault}" for fault in await visitor.page.evaluate(FAULTS)]
    return found


@pytest.mark.parametrize(("game", "players"), GAMES)
async def test_a_crowded_table_has_room_at_every_size(visit: Visit, game: str, players: int) -> None:
    crowded = Crowded(game, players)
    visitor = await visit()
    await at_crowded_table(visitor, game, players, crowded.live)
    found = await faults(visitor, "table")
    await at_crowded_replay(visitor, game, crowded.replayed)
    found += await faults(visitor, "replay")
    assert not found, "\n".join(found)
