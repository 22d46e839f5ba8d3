"""What takes its time says so where one pressed, can be left, and never looks dead; what fails says so there too.

The network is in the hands of these tests: they hold requests, answer them badly, or let nobody answer.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from playwright.async_api import Error, Locator, Route, WebSocketRoute, expect

from tests.web.browsing import Theme, Viewport, Visitor
from tests.web.conftest import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

PLAY = "[data-game=collection] [data-do=play]"
RULES = "[data-game=collection] a[href='/rules/collection']"
NEW_TABLE = re.compile(r"/api/tables\?lang=")
TEXT_OF_RULES = re.compile(r"/api/games/\w+/rules\?")
STEP_OF_LESSON = re.compile(r"/api/games/\w+/lesson/[1-9]")
STEP_OF_REPLAY = re.compile(r"/games/1/views/")
#: Milliseconds after which nobody waits any longer.
TOO_LATE = 21_000


@asynccontextmanager
async def held(visitor: Visitor, *what: re.Pattern[str]) -> AsyncIterator[None]:
    """While nobody answers such requests; in the end they are let through."""
    released = asyncio.Event()

    async def wait(route: Route) -> None:
        await released.wait()
        with suppress(Error):  # nobody waits for it any longer
            await route.continue_()

    for pattern in what:
        await visitor.page.route(pattern, wait)
    yield
    released.set()
    for pattern in what:
        await visitor.page.unroute(pattern, wait)


@asynccontextmanager
async def failing(visitor: Visitor, what: re.Pattern[str], how: str) -> AsyncIterator[str]:
    """While such requests fail; with what is said about it."""
    refusal = {"code": "tables", "says": "You have opened 30 tables."}

    async def fail(route: Route) -> None:
        match how:
            case "away":
                await route.abort()
            case "refused":
                await route.fulfill(status=429, json=refusal)
            case "broken":
                await route.fulfill(status=502, body="<h1>Bad Gateway</h1>", content_type="text/html")
            case "late":
                pass  # nobody ever answers

    await visitor.page.route(what, fail)
    said = {"refused": refusal["says"], "broken": visitor.say("error.failed")}
    with visitor.cut_off():
        yield said.get(how, visitor.say("error.away"))
    await visitor.page.unroute(what, fail)


class Socket:
    """The sockets of a page, which can be held."""

    def __init__(self) -> None:
        self.is_held = False
        self.asked = 0  # the id of the page's last request
        self._kept: list[Callable[[], None]] = []
        self._page: WebSocketRoute | None = None

    @classmethod
    async def of(cls, visitor: Visitor) -> "Socket":
        it = cls()
        await visitor.page.route_web_socket(re.compile("/socket"), it._opened)
        return it

    def _opened(self, page: WebSocketRoute) -> None:
        server, self._page = page.connect_to_server(), page

        def asked(said: str | bytes) -> None:
            self.asked = json.loads(said)["id"]
            if self.is_held:
                self._kept.append(lambda: server.send(said))
            else:
                server.send(said)

        page.on_message(asked)

    def release(self) -> None:
        for send in self._kept:
            send()
        self.drop()

    def drop(self) -> None:
        """What was held never arrives; what comes after it does."""
        self.is_held = False
        self._kept = []

    def answer(self, **said: Any) -> None:
        """Say something in the server's place."""
        assert self._page
        self._page.send(json.dumps(said))


def beneath(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("alert").and_(visitor.find(".beneath"))


async def is_right_beneath(line: Locator, button: Locator) -> bool:
    """Whether a line stands close to what it is about, and can be seen without scrolling."""
    below, above = await line.bounding_box(), await button.bounding_box()
    assert below
    assert above
    assert line.page.viewport_size
    in_sight = 0 <= below["y"] <= line.page.viewport_size["height"] - below["height"]
    gap = max(below["y"] - above["y"] - above["height"], above["y"] - below["y"] - below["height"])
    across = below["x"] < above["x"] + above["width"] and above["x"] < below["x"] + below["width"]
    return in_sight and across and gap < 24


async def shows_that_it_waits(thing: Locator) -> None:
    await expect(thing).to_have_attribute("data-waiting", "")
    await expect(thing).to_have_attribute("aria-busy", "true")


async def hop(visitor: Visitor, path: str) -> None:
    """Go to another page without waiting for it, as one does who goes back and forth."""
    await visitor.page.evaluate("path => { history.pushState(null, '', path) }", path)
    await visitor.page.evaluate("dispatchEvent(new PopStateEvent('popstate')) && undefined")


async def waits_no_longer(thing: Locator) -> None:
    await expect(thing).not_to_have_attribute("data-waiting", "")
    await expect(thing).not_to_have_attribute("aria-busy", "true")


# --- the button that was pressed --------------------------------------------------------------------------------------


async def test_a_sign_comes_after_half_a_second_and_not_before(visit: Visit) -> None:
    visitor = await visit()
    await visitor.page.clock.install(time=0)
    await visitor.go("/")
    play = visitor.find(PLAY)
    await expect(play).to_be_visible()
    await visitor.page.clock.pause_at(60_000)
    async with held(visitor, NEW_TABLE):
        await play.click()
        await expect(play).to_have_attribute("aria-busy", "true")
        await visitor.page.clock.run_for(490)
        await expect(play).not_to_have_attribute("data-waiting", "")
        await visitor.page.clock.run_for(20)
        await shows_that_it_waits(play)
        await visitor.page.clock.resume()
    await visitor.in_phase("playing")


@pytest.mark.parametrize(("viewport", "theme", "lang"), [("phone", "dark", "fr"), ("desktop", "light", "en")])
async def test_it_shows_on_the_button_itself_which_does_not_change_its_size(
    visit: Visit, viewport: Viewport, theme: Theme, lang: str
) -> None:
    visitor = await visit(viewport=viewport, theme=theme, lang=lang)
    await visitor.go("/")
    play = visitor.find(PLAY)
    await play.scroll_into_view_if_needed()
    before = await play.bounding_box()
    async with held(visitor, NEW_TABLE):
        await play.click()
        await shows_that_it_waits(play)
        assert await play.bounding_box() == before
        assert await play.evaluate("it => getComputedStyle(it, '::after').clipPath") != "none"
        await expect(visitor.find("#waiting")).to_have_text(visitor.say("busy.wait"))
        await visitor.no_serious_violations()
        long = visitor.page.get_by_text(f"{visitor.say('busy.long')} {visitor.say('busy.stop')}")
        await expect(long).to_be_visible()
        assert await is_right_beneath(long, play)
        assert not await visitor.scrolls_sideways()
    await visitor.in_phase("playing")
    await expect(visitor.find("#waiting")).to_have_text("")


async def test_the_hourglass_turns_only_for_those_who_want_movement(visit: Visit) -> None:
    running = "it => it.getAnimations({ subtree: true }).filter((one) => one.playState === 'running').length"
    for speed, turns in (("quick", 1), ("instant", 0)):
        visitor = await visit(speed=speed)
        await visitor.go("/")
        async with held(visitor, NEW_TABLE):
            await visitor.find(PLAY).click()
            await shows_that_it_waits(visitor.find(PLAY))
            assert await visitor.find(PLAY).evaluate(running) == turns


async def test_a_double_click_opens_one_table(visit: Visit) -> None:
    visitor = await visit()
    opened: list[str] = []
    visitor.page.on("request", lambda it: opened.append(it.url) if NEW_TABLE.search(it.url) else None)
    await visitor.go("/")
    await visitor.find(PLAY).dblclick()
    await visitor.in_phase("playing")
    assert len(opened) == 1


@pytest.mark.parametrize("how", ["pressing again", "Escape"])
async def test_one_who_has_waited_long_enough_lets_it_be(visit: Visit, how: str) -> None:
    visitor = await visit()
    await visitor.go("/")
    play = visitor.find(PLAY)
    async with held(visitor, NEW_TABLE):
        await play.click()
        await shows_that_it_waits(play)
        await (visitor.page.keyboard.press("Escape") if how == "Escape" else play.click())
        await waits_no_longer(play)
        await expect(beneath(visitor)).to_have_count(0)
    await visitor.page.wait_for_timeout(300)
    assert visitor.page.url == f"{visitor.url}/"
    await play.click()
    await visitor.in_phase("playing")


@pytest.mark.parametrize(
    ("viewport", "how"), [("phone", "away"), ("desktop", "refused"), ("phone", "broken"), ("desktop", "late")]
)
async def test_what_failed_is_said_beneath_the_button_which_can_be_pressed_again(
    visit: Visit, viewport: Viewport, how: str
) -> None:
    visitor = await visit(viewport=viewport, lang="fr", theme="dark" if viewport == "phone" else "light")
    await visitor.page.clock.install()
    await visitor.go("/")
    play = visitor.find(PLAY)
    async with failing(visitor, NEW_TABLE, how) as words:
        await play.click()
        if how == "late":
            await shows_that_it_waits(play)
            await visitor.page.clock.fast_forward(TOO_LATE)
        await expect(beneath(visitor)).to_have_text(words)
        await waits_no_longer(play)
        assert await is_right_beneath(beneath(visitor), play)
        await visitor.no_serious_violations()
    await play.click()
    await visitor.in_phase("playing")
    await expect(beneath(visitor)).to_have_count(0)


# --- going elsewhere meanwhile ----------------------------------------------------------------------------------------


async def test_an_answer_does_not_pull_one_back_who_has_gone_elsewhere(visit: Visit) -> None:
    visitor = await visit()
    await visitor.go("/")
    async with held(visitor, NEW_TABLE):
        await visitor.find(PLAY).click()
        await visitor.find(RULES).click()
        await expect(visitor.find("article.rules")).to_be_visible()
    await visitor.page.wait_for_timeout(500)
    assert visitor.page.url.endswith("/rules/collection")
    await expect(visitor.find("article.rules")).to_be_visible()


async def test_of_two_buttons_the_last_one_counts(visit: Visit) -> None:
    visitor = await visit()
    await visitor.go("/")
    async with held(visitor, NEW_TABLE):
        await visitor.find(PLAY).click()
        await visitor.find("[data-game=vinto] [data-do=friends]").click()
    await visitor.in_phase("open")
    await expect(visitor.page).to_have_title("Vinto – Brocante")
    await visitor.page.wait_for_timeout(300)
    await visitor.in_phase("open")


async def test_a_page_that_comes_late_leaves_no_trace_on_the_one_that_was_gone_to(visit: Visit) -> None:
    visitor = await visit()
    await visitor.open_table("collection")
    await visitor.do("start", fill=True)
    await visitor.go("/")
    drawings = re.compile(r"games/collection/art\.svg")
    async with held(visitor, drawings, re.compile(r"/lesson/0"), TEXT_OF_RULES):
        await hop(visitor, f"/tables/{visitor.table}")
        await expect(visitor.page.get_by_text(visitor.say("busy.coming"))).to_be_visible()
        for path in ("/learn/vinto", "/rules/vinto", "/"):
            await hop(visitor, path)
        await expect(visitor.find(PLAY)).to_be_visible()
    await visitor.page.wait_for_timeout(500)
    await expect(visitor.find(PLAY)).to_be_visible()
    assert await visitor.page.title() == "Brocante"
    assert await visitor.page.evaluate("({ ...document.body.dataset })") == {}
    assert await visitor.page.get_attribute("body", "class") == ""


# --- a page that is on its way ----------------------------------------------------------------------------------------


#: Notes whether one sees that a page is coming as soon as it is. Asked from outside, half a second may have passed.
NOTE_COMING = """() => {
    new MutationObserver((_, watching) => {
        const coming = document.querySelector(".coming p");
        if (!coming) return;
        window.isSeenAtOnce = coming.checkVisibility({ visibilityProperty: true, opacityProperty: true });
        watching.disconnect();
    }).observe(document.body, { childList: true, subtree: true });
}"""


async def test_a_page_that_takes_its_time_says_that_it_is_coming_and_can_be_left(visit: Visit) -> None:
    visitor = await visit(viewport="phone", theme="dark")
    await visitor.go("/")
    coming = visitor.page.get_by_text(visitor.say("busy.coming"))
    await visitor.page.evaluate(NOTE_COMING)
    async with held(visitor, TEXT_OF_RULES):
        await visitor.find(RULES).click()
        await expect(coming).to_be_visible()
        assert await visitor.page.evaluate("window.isSeenAtOnce") is False
        await visitor.no_serious_violations()
        await visitor.page.get_by_role("link", name=visitor.say("nav.home")).click()
        await expect(visitor.find(PLAY)).to_be_visible()
        await visitor.page.go_back()
        await expect(coming).to_be_visible()
    await expect(visitor.find("article.rules")).to_be_visible()
    await expect(coming).to_have_count(0)


@pytest.mark.parametrize(
    ("path", "what", "how"),
    [
        ("/", r"/api/games\?", "away"),
        ("/rules/port", r"/rules\?", "broken"),
        ("/learn/port", r"/lesson/0", "away"),
        ("/learn/collection", r"games/collection/table\.css", "away"),
        ("/learn/vinto", r"games/vinto/table\.js", "broken"),
        ("/learn/antiques", r"games/antiques/art\.svg", "broken"),
    ],
)
async def test_a_page_that_does_not_come_says_so_and_can_be_tried_again(
    visit: Visit, path: str, what: str, how: str
) -> None:
    visitor = await visit(viewport="phone", lang="fr")
    async with failing(visitor, re.compile(what), how):
        await visitor.go(path)
        await expect(visitor.page.get_by_role("alert")).to_contain_text(visitor.say("error.title"))
        await visitor.no_serious_violations()
        await visitor.press("nav.retry")
        await expect(visitor.page.get_by_role("alert")).to_be_visible()
    if how == "away":
        await visitor.page.evaluate("dispatchEvent(new Event('online')) && undefined")  # then it need not be pressed
    else:
        await visitor.press("nav.retry")
    await expect(visitor.find(".market, .rules, #table").first).to_be_visible()
    await expect(visitor.page.get_by_role("alert")).to_have_count(0)


async def test_a_table_that_cannot_be_reached_says_so_and_can_be_tried_again(visit: Visit) -> None:
    visitor = await visit()
    await visitor.open_table("collection")
    is_away = True

    async def refuse(page: WebSocketRoute) -> None:
        if is_away:
            await page.close()
        else:
            page.connect_to_server()

    await visitor.page.route_web_socket(re.compile("/socket"), refuse)
    await visitor.go(f"/tables/{visitor.table}")
    await expect(visitor.page.get_by_role("alert")).to_contain_text(visitor.say("error.away"))
    is_away = False
    await visitor.press("nav.retry")
    await visitor.in_phase("open")


async def test_before_there_are_words_there_is_a_sign(visit: Visit) -> None:
    visitor = await visit()
    words = re.compile(r"/words/en\.json")
    async with held(visitor, words):
        await visitor.page.goto(visitor.url, wait_until="commit")
        await expect(visitor.find(".coming p")).to_be_visible()
    await expect(visitor.find(PLAY)).to_be_visible()
    async with failing(visitor, words, "broken"):
        await visitor.page.reload()
        await expect(visitor.find(".coming p")).to_be_visible()
    await expect(visitor.find(PLAY)).to_be_visible()


async def test_another_language_that_takes_its_time_shows_where_it_was_chosen(visit: Visit) -> None:
    visitor = await visit()
    await visitor.go("/")
    await visitor.press("nav.settings")
    french = visitor.find("dialog label").filter(has_text=visitor.say("settings.fr"))
    async with held(visitor, re.compile(r"/words/fr\.json")):
        await french.click()
        await shows_that_it_waits(french)
    await expect(visitor.find("html")).to_have_attribute("lang", "fr")
    await expect(visitor.find("dialog")).to_have_count(0)


# --- at the table -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["antiques", "collection", "port", "vinto"])
async def test_a_move_that_takes_its_time_shows_where_one_touched(visit: Visit, game: str) -> None:
    visitor = await visit(viewport="phone")
    socket = await Socket.of(visitor)
    await visitor.sit_with_bots(game)
    await visitor.wait_for_turn()
    thing = visitor.find("#play [data-moves][aria-disabled='false']:visible, #choices button:visible").first
    key = await thing.get_attribute("data-key")
    socket.is_held = True
    await thing.click()
    if await visitor.find("dialog.which[open] button").count():
        await visitor.find("dialog.which[open] button").first.click()
    busy = visitor.find("[data-waiting]")
    await expect(busy).to_have_attribute("data-key", str(key))
    await shows_that_it_waits(busy)
    socket.release()
    await expect(busy).to_have_count(0)
    await visitor.wait_for_turn()


async def test_a_move_made_by_its_key_shows_on_what_makes_it(visit: Visit) -> None:
    visitor = await visit()
    socket = await Socket.of(visitor)
    await visitor.sit_with_bots("collection", players=2)
    await visitor.wait_for_turn()
    socket.is_held = True
    await visitor.page.keyboard.press(await visitor.find("#legal kbd").first.text_content() or "")
    await expect(visitor.find("#play [data-moves][data-waiting]")).to_be_visible()
    socket.release()
    await expect(visitor.find("[data-waiting]")).to_have_count(0)


async def test_what_others_say_leaves_the_sign_where_it_is(visit: Visit) -> None:
    ana, ben = await visit(), await visit()
    socket = await Socket.of(ana)
    await ben.join(await ana.open_table("collection", players=2))
    await ana.do("start")
    await ana.at_table()
    socket.is_held = True
    await ana.button("table.pause").click()
    await shows_that_it_waits(ana.button("table.pause"))
    await ben.do("chat", text="Are you there?")
    await expect(ana.find("#chat-lines")).to_contain_text("Are you there?")
    await shows_that_it_waits(ana.button("table.pause"))
    socket.release()
    await expect(ana.find("body.paused")).to_be_attached()


@pytest.mark.parametrize("viewport", ["phone", "desktop"])
async def test_a_refused_move_says_why_at_the_thing_that_was_touched(visit: Visit, viewport: Viewport) -> None:
    visitor = await visit(viewport=viewport)
    socket = await Socket.of(visitor)
    await visitor.sit_with_bots("collection", players=2)
    await visitor.wait_for_turn()
    socket.is_held = True
    thing = visitor.find("#hand [data-moves][aria-disabled='false']").first
    await thing.click()
    await shows_that_it_waits(thing)
    socket.drop()
    socket.answer(type="refused", id=1, code="illegal_move", says="Not now.")
    await expect(beneath(visitor)).to_have_text("Not now.")
    assert await is_right_beneath(beneath(visitor), thing)
    await visitor.no_serious_violations()
    await thing.click()
    await expect(beneath(visitor)).to_have_count(0)


async def press(visitor: Visitor, what: str) -> Locator:
    """Ask for something at a table; where it was asked for."""
    place = visitor.find(what)
    await (place.locator("input") if what.startswith("label") else place).click()
    return place


async def waiting_room(visitor: Visitor) -> None:
    await visitor.open_table("vinto")
    await visitor.go(f"/tables/{visitor.table}")
    await visitor.in_phase("open")


async def in_a_game(visitor: Visitor) -> None:
    await visitor.sit_with_bots("vinto")
    await visitor.wait_for_turn()
    await visitor.press("chat.label")
    await visitor.page.get_by_role("textbox", name=visitor.say("chat.field")).fill("Good evening.")


async def after_a_move(visitor: Visitor) -> None:
    """With something that can be taken back."""
    await visitor.sit_with_bots("collection", players=2)
    while not await visitor.find("#controls [data-do=undo][aria-disabled=false]").count():
        await visitor.wait_for_turn()
        await visitor.touch_something()


async def after_a_game(visitor: Visitor) -> None:
    await visitor.sit_with_bots("collection", players=2)
    await visitor.do("resign")
    await visitor.in_phase("over")


@pytest.mark.parametrize(
    ("where", "what"),
    [
        (waiting_room, "[data-do=start]"),
        (waiting_room, "li:nth-child(2) [data-key=robot]"),
        (waiting_room, "li [data-key=away]"),
        (waiting_room, "label[data-key=public]"),
        (after_a_move, "#controls [data-do=undo]"),
        (in_a_game, "#controls [data-key=pause]"),
        (in_a_game, ".chat-form [type=submit]"),
        (after_a_game, "[data-do=again]"),
    ],
)
async def test_whatever_is_asked_for_at_a_table_shows_where_and_its_refusal_too(
    visit: Visit, where: Callable[[Visitor], Awaitable[None]], what: str
) -> None:
    visitor = await visit()
    socket = await Socket.of(visitor)
    await where(visitor)
    socket.is_held = True
    place = await press(visitor, what)
    await shows_that_it_waits(place)
    socket.answer(type="refused", id=socket.asked, code="not_now", says="Not now.")
    await expect(beneath(visitor)).to_have_text("Not now.")
    assert await is_right_beneath(beneath(visitor), place)
    await waits_no_longer(place)
    await visitor.page.mouse.click(1, 1)
    await expect(beneath(visitor)).to_have_count(0)


async def test_sitting_down_shows_on_the_button_until_one_sits(visit: Visit) -> None:
    ana, ben = await visit(), await visit(viewport="phone")
    await ben.go(f"/tables/{await ana.open_table('collection')}")
    sit = ben.button("waiting.sit")
    async with held(ben, re.compile(r"/join\?")):
        await sit.click()
        await shows_that_it_waits(sit)
    await expect(ben.find(".seats .you")).to_be_visible()
    await expect(sit).to_have_count(0)


async def test_a_network_that_went_without_a_word_is_noticed(visit: Visit) -> None:
    """A socket that nobody answers is no connection: that is said, and the move goes by another one."""
    visitor = await visit()
    socket = await Socket.of(visitor)
    await visitor.page.clock.install()
    await visitor.sit_with_bots("collection", players=2)
    await visitor.wait_for_turn()
    before = await visitor.find("#log").inner_text()
    socket.is_held = True
    await visitor.find("#hand [data-moves][aria-disabled='false']").first.click()
    await expect(visitor.find("[aria-busy]")).to_have_count(1)
    await visitor.page.clock.fast_forward(TOO_LATE)
    await expect(visitor.page.get_by_text(visitor.say("table.lost"))).to_be_visible()
    socket.drop()
    await expect(visitor.find("body.disconnected")).to_have_count(0)
    await expect(visitor.find("#log")).not_to_have_text(before)
    await expect(visitor.find("[aria-busy]")).to_have_count(0)


# --- what is looked at ------------------------------------------------------------------------------------------------


async def test_rules_over_the_table_show_on_their_button_and_can_be_let_be(visit: Visit) -> None:
    visitor = await visit(viewport="phone")
    await visitor.sit_with_bots("vinto")
    await visitor.wait_for_turn()
    for what, key in (("nav.rules", "?"), ("nav.reference", "r")):
        button = visitor.button(what)
        async with held(visitor, TEXT_OF_RULES):
            await visitor.page.keyboard.press(key)
            await shows_that_it_waits(button)
            await button.click()
            await waits_no_longer(button)
        await expect(visitor.page.get_by_role("dialog")).to_have_count(0)
        async with failing(visitor, TEXT_OF_RULES, "away") as words:
            await button.click()
            await expect(beneath(visitor)).to_have_text(words)
            assert await is_right_beneath(beneath(visitor), button)
        await button.click()
        await expect(visitor.page.get_by_role("dialog")).to_be_visible()
        await visitor.page.keyboard.press("Escape")


async def test_a_step_of_a_lesson_shows_where_one_pressed_and_says_there_what_failed(visit: Visit) -> None:
    visitor = await visit(viewport="phone")
    await visitor.go("/learn/collection")
    onwards = visitor.button("lesson.onwards")
    told = await visitor.find("#guide p").inner_text()
    async with failing(visitor, STEP_OF_LESSON, "away") as words:
        await onwards.click()
        await expect(beneath(visitor)).to_have_text(words)
        assert await is_right_beneath(beneath(visitor), onwards)
    async with held(visitor, STEP_OF_LESSON):
        await onwards.click()
        await shows_that_it_waits(onwards)
        assert await visitor.find("#guide p").inner_text() == told
    await expect(visitor.find("#guide p")).not_to_have_text(told)
    await expect(visitor.find("[data-waiting]")).to_have_count(0)
    while await onwards.count():
        before = await visitor.find("#guide p").inner_text()
        await onwards.click()
        await expect(visitor.find("#guide p")).not_to_have_text(before)
    async with held(visitor, STEP_OF_LESSON):
        thing = visitor.find("#play [data-moves][aria-disabled='false']").first
        await thing.click()
        await shows_that_it_waits(thing)
    await expect(visitor.find("[data-waiting]")).to_have_count(0)


async def test_a_replay_shows_what_it_waits_for_and_stays_with_what_it_has(visit: Visit) -> None:
    visitor = await visit()
    await visitor.sit_with_bots("collection", players=2)
    await visitor.play_on(moves=4)
    await visitor.do("resign")
    await visitor.in_phase("over")
    await visitor.go(f"/tables/{visitor.table}/games/1")
    scrubber = visitor.page.get_by_role("slider", name=visitor.say("replay.step"))
    forward, count = visitor.button("replay.forward"), visitor.find("#remote output")
    await expect(scrubber).to_have_value("1")
    async with held(visitor, STEP_OF_REPLAY):
        for _ in range(2):
            await forward.click()
        await shows_that_it_waits(forward)
        await expect(scrubber).to_have_value("3")
        await scrubber.fill("2")
        await shows_that_it_waits(count)
    await expect(visitor.find("[data-waiting]")).to_have_count(0)
    await expect(scrubber).to_have_value("2")
    async with failing(visitor, STEP_OF_REPLAY, "away") as words:
        await forward.click()
        await expect(beneath(visitor)).to_have_text(words)
        assert await is_right_beneath(beneath(visitor), forward)
        await expect(scrubber).to_have_value("2")
        eyes = visitor.page.get_by_role("combobox", name=visitor.say("replay.eyes"))
        await eyes.select_option("0")
        await expect(eyes).to_have_value("open")
    await forward.click()
    await expect(scrubber).to_have_value("3")
    await expect(visitor.find("[aria-busy]")).to_have_count(0)
