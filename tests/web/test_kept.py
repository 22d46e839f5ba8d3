"""What the page has fetched is kept."""

from typing import Any

import pytest

from tests.web.browsing import Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: Ask for keys one after another at a store of two; those with a question mark fail the first time.
ASK = """
async (keys) => {
  const main = document.querySelector("script[type=module]").src;
  const { Kept } = await import(new URL("./base/kept.js", main));
  const asked = [];
  const kept = new Kept(async (key) => {
    asked.push(key);
    if (key.endsWith("?") && asked.filter((one) => one === key).length === 1) throw new Error(key);
    return key.toUpperCase();
  }, 2);
  const found = [];
  for (const key of keys) found.push(await kept.get(key).catch(() => "failed"));
  return [asked, found];
}
"""


@pytest.mark.parametrize(
    ("keys", "asked", "found"),
    [
        pytest.param("a a a", "a", "A A A", id="it is fetched once"),
        pytest.param("a? a? a?", "a? a?", "failed A? A?", id="what failed is asked for again"),
        pytest.param("a b a c a b", "a b c b", "A B A C A B", id="what was not asked for the longest goes first"),
    ],
)
async def test_what_has_been_fetched_is_kept(workbench: Visitor, keys: str, asked: str, found: str) -> None:
    answer: list[Any] = await workbench.page.evaluate(ASK, keys.split())
    assert answer == [asked.split(), found.split()]
