"""A visitor of the page: a browser of their own, and hands that know no rule of any game."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from random import Random
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.async_api import Browser, BrowserContext, Locator, Page, async_playwright, expect
from playwright.async_api import TimeoutError as TooLate

import brocante
from brocante.engine.text import read_catalogue
from tests.web import chromium

Viewport = Literal["desktop", "phone", "landscape"]
Theme = Literal["light", "dark"]
Hands = Literal["mouse", "touch", "keyboard"]
Point = dict[Literal["x", "y"], float]

VIEWPORTS: dict[Viewport, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "landscape": {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True},
}
LOCALES = {"en": "en-GB", "fr": "fr-FR"}
PATIENCE = 30_000  # milliseconds for the page to do what it should, on a machine that is busy
DOUBLE = 400  # milliseconds: what is touched sooner in the same spot is a double click to the page
FINGER = 44  # pixels
LOOK_AGAIN = 20  # milliseconds; Playwright would look at every frame, and so have every frame drawn
#: What it takes to look at the page through its own eyes.
LOOKING = """
    const all = (selector) => [...document.querySelectorAll(selector)];
    const { phase, asked } = document.body.dataset;
    // Whatever can be done now: things that glow, offers that have no place on the table, and what a thing asks back.
    const askedBack = all("dialog.which[open] button");
    const glowing = all("[data-moves]:not([aria-disabled='true']), #choices button:enabled");
    const touchable = (askedBack.length ? askedBack : glowing).filter((it) => it.checkVisibility());
    const called = (it) => (it.ariaLabel ?? it.textContent).replace(/\\s+/g, " ").trim();
    // Where the game stands, as far as the one at the page can tell.
    const standing = () => JSON.stringify([
        phase, asked, all("#prompt, #choices, #legal, #log, dialog[open]").map((it) => it.textContent),
        all("[data-moves]").map((it) => it.dataset.moves + it.ariaDisabled),
    ]);
    // Where something can be touched: in the middle, or where nothing else lies on it.
    const freePoint = (it) => {
        it.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
        const { left, top, width, height } = it.getBoundingClientRect();
        const parts = [0.5, 0.1, 0.3, 0.7, 0.9];
        const points = parts.flatMap((y) => parts.map((x) => ({ x: left + x * width, y: top + y * height })));
        return points.find(({ x, y }) => it.contains(document.elementFromPoint(x, y)));
    };
"""
#: Keeps count of what was asked for at the table and is not answered yet: a log may change for other reasons.
COUNT_REQUESTS = """
    const [unanswered, heard] = [new Set(), new WeakSet()];
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (text) {
        unanswered.add(JSON.parse(text).id);
        if (!heard.has(this)) {
            heard.add(this);
            this.addEventListener("message", ({ data }) => {
                const { done, id } = JSON.parse(data);
                unanswered.delete(done ?? id);
            });
            this.addEventListener("close", () => unanswered.clear());
        }
        return send.call(this, text);
    };
    window.isAnswered = () => unanswered.size === 0;
"""
IS_THEIR_TURN = f"""() => {{ {LOOKING}
    return phase === "over" || (asked === "true" && touchable.length > 0);
}}"""
STANDING = f"() => {{ {LOOKING} return standing(); }}"
HAS_CHANGED = f"before => {{ {LOOKING} return isAnswered() && standing() !== before; }}"
#: One of the things that can be done, by a number between 0 and 1, and where to touch it.
POINTED_AT = f"""number => {{ {LOOKING}
    const thing = touchable[Math.floor(number * touchable.length)];
    return thing && {{ name: called(thing), point: freePoint(thing) }};
}}"""
#: What of this the keyboard would take now.
FOCUSED = f"() => {{ {LOOKING} return touchable.includes(document.activeElement) && called(document.activeElement); }}"
#: The keys on the offers.
LETTERS = f"() => {{ {LOOKING} return askedBack.length ? [] : all('#legal kbd').map((it) => it.textContent); }}"
ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]
ASKED_BACK = "dialog.which[open] button"
#: Calls a function of a module, which has the version of the page in its address.
CALL = """async ([module, name, given]) => {
    const main = document.querySelector("script[type=module]").src;
    return (await import(new URL(module, main)))[name](...given);
}"""
#: What a browser says when there is nobody at the other end.
CUT_OFF = ("Failed to load resource", "WebSocket connection to", "net::ERR_")
WORDS = Path(brocante.__file__).parent / "web/words"
expect.set_options(timeout=PATIENCE)
AXE = Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"


class Visitor:
    """A page in a browser of its own, and a list of everything that went wrong there."""

    def __init__(self, context: BrowserContext, page: Page, url: str, lang: str) -> None:
        self.context = context
        self.page = page
        self.url = url
        self.lang = lang
        self.troubles: list[str] = []
        self.table = ""  # at which they sit
        self._cut_off = False
        self._has_tabbed = False
        self._touched: Point = {"x": 0.0, "y": 0.0}
        self._random = Random("the same every time")
        self.watch(page)

    def watch(self, page: Page) -> None:
        """Note every error, violations of the Content-Security-Policy too, and every request to another origin."""
        page.set_default_timeout(PATIENCE)
        page.on(
            "console",
            lambda said: self._trouble(f"{said.text} {said.location['url']}") if said.type == "error" else None,
        )
        page.on("pageerror", lambda error: self._trouble(f"{error.message}\n{error.stack}"))
        page.on("request", lambda request: self._stays_here(request.url))
        page.on("websocket", lambda socket: self._stays_here(socket.url))
        page.on("requestfailed", lambda request: self._trouble(f"{request.failure} {request.url}"))

    def _stays_here(self, url: str) -> None:
        if urlsplit(url).scheme not in ("data", "blob") and urlsplit(url).netloc != urlsplit(self.url).netloc:
            self._trouble(f"a foreign origin: {url}")

    def _trouble(self, what: str) -> None:
        left_behind = "net::ERR_ABORTED" in what  # asked for by a page that has been left
        if not left_behind and not (self._cut_off and any(sign in what for sign in CUT_OFF)):
            self.troubles.append(what)

    @contextmanager
    def cut_off(self) -> Iterator[None]:
        """While the server cannot be reached, the browser's errors about that do not count."""
        self._cut_off = True
        yield
        self._cut_off = False

    async def another_tab(self) -> "Visitor":
        """The same person, in another tab of the same browser."""
        other = Visitor(self.context, await self.context.new_page(), self.url, self.lang)
        other.troubles, other.table = self.troubles, self.table
        return other

    # Getting there

    async def go(self, path: str) -> None:
        await self.page.goto(self.url + path)

    async def ask(self, path: str, body: dict[str, Any]) -> Any:
        """Send a request as the page does, with the same cookie."""
        answer = await self.context.request.post(
            self.url + path, data=body, headers={"origin": self.url}, timeout=4 * PATIENCE
        )
        assert answer.ok, await answer.text()
        return await answer.json()

    async def open_table(self, game: str, name: str = "Ana", **options: Any) -> str:
        """Open a table and sit down."""
        await self.ask("/api/guests", {"name": name})
        self.table = (await self.ask("/api/tables", {"game": game, "options": options}))["id"]
        await self.ask(f"/api/tables/{self.table}/join", {})
        return self.table

    async def join(self, table: str, name: str = "Ben") -> None:
        await self.ask("/api/guests", {"name": name})
        self.table = table
        await self.ask(f"/api/tables/{table}/join", {})

    async def do(self, do: str, **more: Any) -> None:
        await self.ask(f"/api/tables/{self.table}/do", {"do": do, **more})

    async def sit_with_bots(self, game: str, **options: Any) -> None:
        """Start a game with bots in the other seats."""
        await self.open_table(game, **options)
        await self.do("start", fill=True)
        await self.at_table()

    async def at_table(self) -> None:
        await self.go(f"/tables/{self.table}")
        await self.in_phase("playing")

    async def in_phase(self, phase: str) -> None:
        await expect(self.page.locator("body")).to_have_attribute("data-phase", phase)

    async def is_over(self) -> bool:
        return await self.page.get_attribute("body", "data-phase") == "over"

    async def is_asked(self) -> bool:
        return await self.page.get_attribute("body", "data-asked") == "true"

    async def until_at(self, end: str) -> str:
        """Wait for an address that ends like this."""
        await self.page.wait_for_url(f"**{end}")
        return self.page.url

    # Finding one's way

    def find(self, selector: str, **more: Any) -> Locator:
        return self.page.locator(selector, **more)

    def say(self, key: str, **blanks: Any) -> str:
        """A message of the page in the visitor's language."""
        said = read_catalogue(WORDS / f"{self.lang}.toml", "")[key]
        assert isinstance(said, str)
        return said.format(**blanks)

    def button(self, key: str) -> Locator:
        """The button with a message of the page."""
        return self.page.get_by_role("button", name=self.say(key), exact=True)

    async def press(self, key: str) -> None:
        await self.button(key).click()

    async def call(self, module: str, function: str, *arguments: Any) -> Any:
        """Call a function of one of the page's modules; some page must be open."""
        return await self.page.evaluate(CALL, [module, function, arguments])

    # Playing

    async def play_on(self, hands: Hands = "mouse", moves: int = 2_000) -> int:
        """Do whatever can be done until the game is over, or so many times; returns how often."""
        for done in range(moves):
            await self.wait_for_turn()
            if await self.is_over():
                await self.look_at_the_last_cards()
                return done
            await self.touch_something(hands)
        return moves

    async def wait_for_turn(self) -> None:
        """Wait until the visitor is to decide, or the game is over."""
        await self.page.wait_for_function(IS_THEIR_TURN, timeout=2 * PATIENCE, polling=LOOK_AGAIN)

    async def look_at_the_last_cards(self) -> None:
        """Pass the moments that a game may end with, before the scoring."""
        while await self.find("#choices button:visible").count():
            await self.find("#choices button:visible").first.click()

    async def touch_something(self, hands: Hands = "mouse") -> None:
        """Do something at random that can be done; the page must change."""
        before = await self.page.evaluate(STANDING)
        touched = await (self._reach_something() if hands == "keyboard" else self._point_at_something(hands))
        try:
            await self.page.wait_for_function(HAS_CHANGED, arg=before, polling=LOOK_AGAIN)
        except TooLate as error:
            raise AssertionError(f"nothing came of touching {touched}") from error

    async def _point_at_something(self, hands: Hands) -> str:
        found = await self.page.evaluate(POINTED_AT, self._random.random())
        if found is None:
            return "what glowed a moment ago"  # time was up, and the table has changed
        name, point = str(found["name"]), found.get("point")
        assert point, f"{name} is covered by other things"
        if hands == "touch":
            await self._tap(point)
        else:
            await self.page.mouse.click(**point)
        return name

    async def _tap(self, point: Point) -> None:
        """Tap, not so soon after another tap in the same spot that both are one."""
        if abs(point["x"] - self._touched["x"]) + abs(point["y"] - self._touched["y"]) < FINGER:
            await self.page.wait_for_timeout(DOUBLE)
        self._touched = point
        await self.page.touchscreen.tap(**point)

    async def _reach_something(self) -> str:
        """Press the key of an offer, or go to something that glows and press Enter.

        One goes there with Tab at first, and where something is asked back; later with the arrows.
        """
        letters = await self.page.evaluate(LETTERS)
        if self._has_tabbed and letters and self._random.random() < 0.6:
            await self.page.keyboard.press(letter := self._random.choice(letters))
            return str(letter)
        keys = ["Tab"] if not self._has_tabbed or await self.find(ASKED_BACK).count() else ARROWS
        self._has_tabbed = True
        passing = self._random.randrange(2)
        for presses in range(200):
            await self.page.keyboard.press(self._random.choice(keys if presses < 40 else ["Tab"]))
            focused = await self.page.evaluate(FOCUSED)
            if focused and not passing:
                await self.page.keyboard.press("Enter")
                return str(focused)
            passing = max(0, passing - 1)
        raise AssertionError(f"nothing that glows can be reached with {keys}")

    # Looking

    async def no_serious_violations(self) -> None:
        """Check the page with axe."""
        await self.page.evaluate(AXE.read_text())
        found = await self.page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        serious = [
            f"{violation['impact']}: {violation['help']}: {[node['html'][:160] for node in violation['nodes'][:3]]}"
            for violation in found["violations"]
            if violation["impact"] in ("serious", "critical")
        ]
        assert not serious, "\n".join(serious)

    async def scrolls_sideways(self) -> bool:
        return bool(await self.page.evaluate("document.documentElement.scrollWidth > innerWidth"))


@asynccontextmanager
async def running_browser() -> AsyncIterator[Browser]:
    path = chromium.executable()
    assert path, chromium.MISSING + chromium.ADVICE
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=chromium.flags())
        yield browser
        await browser.close()


async def visiting(
    browser: Browser,
    url: str,
    *,
    lang: str = "en",
    viewport: Viewport = "desktop",
    theme: Theme = "light",
    speed: str = "instant",
    **more: Any,
) -> Visitor:
    """A visitor with a new browser, and nothing open in it yet.

    Whoever wants things to be instant has told the browser too: what glows costs a machine that draws without a GPU.
    """
    motion = "reduce" if speed == "instant" else "no-preference"
    chosen = {"locale": LOCALES[lang], "color_scheme": theme, "reduced_motion": motion}
    context = await browser.new_context(**{**chosen, **VIEWPORTS[viewport], **more})
    kept = f"localStorage.brocante ??= JSON.stringify({{ speed: '{speed}' }})"
    await context.add_init_script(f'if (origin !== "null") {kept}')  # an empty page has no storage
    await context.add_init_script(f"{{ {COUNT_REQUESTS} }}")
    return Visitor(context, await context.new_page(), url, lang)
