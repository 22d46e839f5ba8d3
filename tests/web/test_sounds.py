"""A short sound calls the player, unless they want none; in between nothing is played, not even silence."""

import pytest

from tests.web.browsing import Visitor
from tests.web.conftest import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: Counts the notes that were begun and those that have sounded to their end, and notes what plays them.
LISTEN = """
window.notes = 0;
window.heard = 0;
const { start } = AudioScheduledSourceNode.prototype;
AudioScheduledSourceNode.prototype.start = function (...when) {
  window.notes += 1;
  window.player = this.context;
  this.addEventListener("ended", () => (window.heard += 1));
  return start.apply(this, when);
};
"""


async def has_next_turn(visitor: Visitor) -> None:
    await visitor.wait_for_turn()
    while await visitor.is_asked():
        await visitor.touch_something()
    await visitor.wait_for_turn()


async def test_a_sound_calls_the_player_and_then_the_machine_rests(visit: Visit) -> None:
    ana = await visit()
    await ana.context.add_init_script(LISTEN)
    await ana.sit_with_bots("collection", players=2)
    await has_next_turn(ana)
    await ana.page.wait_for_function("() => window.heard > 0")
    await ana.page.wait_for_function("() => window.player.state === 'suspended'")
    before = await ana.page.evaluate("window.heard")
    await has_next_turn(ana)
    await ana.page.wait_for_function("before => window.heard > before", arg=before)
    await ana.page.wait_for_function("() => window.player.state === 'suspended'")


async def test_nothing_sounds_for_one_who_wants_no_sounds(visit: Visit) -> None:
    ana = await visit()
    await ana.context.add_init_script(LISTEN)
    await ana.sit_with_bots("collection", players=2)
    await ana.press("nav.settings")
    await ana.page.get_by_role("radio", name=ana.say("settings.sound_off"), exact=True).check()
    await ana.page.keyboard.press("Escape")
    heard = await ana.page.evaluate("window.notes")  # a game may begin with one's turn
    await has_next_turn(ana)
    assert await ana.page.evaluate("window.notes") == heard
