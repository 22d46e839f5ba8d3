"""Morphing: what is on the page becomes like what was drawn anew, and what can be kept is kept."""

from typing import Any

import pytest

from tests.web.browsing import Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")
#: Puts HTML on the page, gives its elements numbers, and morphs them; what is there then, and which ones have stayed.
MORPH = """async ([oldHtml, freshHtml]) => {
    const main = document.querySelector("script[type=module]").src;
    const { morph } = await import(new URL("./base/dom.js", main));
    const element = (html) => new DOMParser().parseFromString(html, "text/html").body.firstElementChild;
    const [there, fresh] = [oldHtml, freshHtml].map((html) => document.importNode(element(html), true));
    document.body.append(there);
    const all = () => [there, ...there.querySelectorAll("*")];
    const before = all();
    PREPARE;
    const now = morph(there, fresh);
    const kept = all().filter((it) => before.includes(it)).map((it) => it.id || it.dataset.key || it.localName);
    const found = {
        html: now.outerHTML, kept, isSame: now === there, focused: document.activeElement?.id,
        values: [...now.querySelectorAll("input, select")].map((it) => it.type === "checkbox" ? it.checked : it.value),
            };
    now.remove();
    return found;
}"""


async def morphed(workbench: Visitor, old: str, fresh: str, prepare: str = "") -> dict[str, Any]:
    found: dict[str, Any] = await workbench.page.evaluate(MORPH.replace("PREPARE", prepare), [old, fresh])
    return found


@pytest.mark.parametrize(
    ("old", "fresh"),
    [
        ("<p>one</p>", "<p>two</p>"),
        ("<p>one</p>", "<p></p>"),
        ("<p></p>", "<p>one <b>two</b> three</p>"),
        ('<p class="a" title="t">x</p>', '<p class="b" lang="fr">x</p>'),
        ("<div><p>a</p><b>b</b></div>", "<div><b>b</b><p>a</p><i>c</i></div>"),
        ('<ul><li data-key="a">a</li><li data-key="b">b</li></ul>', '<ul><li data-key="b">B</li></ul>'),
        ("<div>a<i></i>b</div>", "<div><i></i>ab</div>"),
        ('<svg><circle r="1"></circle></svg>', '<svg><rect width="2"></rect><circle r="3"></circle></svg>'),
    ],
)
async def test_it_becomes_like_what_was_drawn(workbench: Visitor, old: str, fresh: str) -> None:
    found = await morphed(workbench, old, fresh)
    assert found["html"] == fresh
    assert found["isSame"]


async def test_what_is_something_else_is_replaced(workbench: Visitor) -> None:
    found = await morphed(workbench, '<p data-key="a">x</p>', '<p data-key="b">x</p>')
    assert (found["html"], found["isSame"]) == ('<p data-key="b">x</p>', False)
    assert not (await morphed(workbench, "<p>x</p>", "<b>x</b>"))["isSame"]


async def test_what_has_a_key_is_kept_wherever_it_goes(workbench: Visitor) -> None:
    items = '<li data-key="a">a</li>', '<li data-key="b"><b id="in-b">b</b></li>', '<li data-key="c">c</li>'
    fresh = f'<ul>{items[2]}<li data-key="d">d</li>{items[0]}{items[1]}</ul>'
    found = await morphed(workbench, f"<ul>{''.join(items)}</ul>", fresh)
    assert found["html"] == fresh
    assert found["kept"] == ["ul", "c", "a", "b", "in-b"]


async def test_what_follows_something_that_has_gone_is_not_moved(workbench: Visitor) -> None:
    """What is put into a page again is laid out again, and its animations begin again."""
    was, now = ("".join(f'<li data-key="{key}">{key}</li>' for key in keys) for keys in ("abc", "axc"))
    note = "(changes) => moved.push(...changes.flatMap((it) => [...it.addedNodes].map((added) => added.dataset.key)))"
    watch = f"window.moved = []; new MutationObserver({note}).observe(there, {{ childList: true }})"
    found = await morphed(workbench, f"<ul>{was}</ul>", f"<ul>{now}</ul>", watch)
    assert found["html"] == f"<ul>{now}</ul>"
    assert await workbench.page.evaluate("moved") == ["x"]


async def test_what_has_no_key_is_kept_where_it_stands(workbench: Visitor) -> None:
    found = await morphed(workbench, "<p><b>1</b><i>2</i></p>", "<p><b>3</b><i>4</i></p>")
    assert found["kept"] == ["p", "b", "i"]


async def test_focus_stays_on_what_moves(workbench: Visitor) -> None:
    one, two = (f'<button data-key="{key}" id="{key}">{key}</button>' for key in ("one", "two"))
    focus = "there.querySelector('#one').focus()"
    assert (await morphed(workbench, f"<div>{one}{two}</div>", f"<div>{two}{one}</div>", focus))["focused"] == "one"


async def test_a_text_keeps_what_is_being_typed_and_a_choice_is_what_was_chosen(workbench: Visitor) -> None:
    typed = "there.querySelector('input').value = 'typed'; there.querySelector('input').focus()"
    found = await morphed(workbench, '<p><input value="a"></p>', '<p class="x"><input value="a"></p>', typed)
    assert found["values"] == ["typed"]
    undone = "there.querySelector('input').checked = true"
    plain = '<p><input type="checkbox"></p>'
    assert (await morphed(workbench, plain, plain, undone))["values"] == [False]
    number = "there.querySelector('input').value = 5"
    plain = '<p><input type="number" value="3"></p>'
    assert (await morphed(workbench, plain, plain, number))["values"] == ["3"]
    select = '<p><select><option value="a"{}>a</option><option value="b"{}>b</option></select></p>'
    was, now = select.format(" selected", ""), select.format("", " selected")
    assert (await morphed(workbench, was, now))["values"] == ["b"]


async def test_what_is_folded_stays_folded_and_what_is_busy_stays_busy(workbench: Visitor) -> None:
    old = '<div><details><summary>s</summary></details><button aria-busy="true" data-waiting="">b</button></div>'
    fresh = '<div><details open><summary>S</summary></details><button class="x">b</button></div>'
    found = await morphed(workbench, old, fresh)
    assert "<details><summary>S</summary></details>" in found["html"]
    assert '<button aria-busy="true" data-waiting="" class="x">b</button>' in found["html"]


async def test_styles_follow_too(workbench: Visitor) -> None:
    """They are no attributes in a page with a strict Content-Security-Policy, but are set by the object model."""
    style = "there.style.setProperty('--n', '1'); fresh.style.setProperty('--n', '2')"
    assert 'style="--n: 2;"' in (await morphed(workbench, "<p>x</p>", "<p>x</p>", style))["html"]
