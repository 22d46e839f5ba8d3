"""Turns the rules of the games from Markdown into HTML."""

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from brocante.games import box


@cache
def rules_as_html(game: str, code: str) -> str:
    """The rules of a game in a language. Headings are a step smaller, below that of the page, and can be linked to."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(box(game).rules_page(code))
    taken: set[str] = set()
    for token, inside in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + 1, 6)}"
        if token.type == "heading_open" and inside:
            token.attrSet("id", anchor(inside, taken))
        if "style" in token.attrs:  # a column's alignment; the Content-Security-Policy forbids inline styles
            token.attrSet("align", str(token.attrs.pop("style")).removeprefix("text-align:"))
    return str(markdown.renderer.render(tokens, markdown.options, {}))


def anchor(heading: Token, taken: set[str]) -> str:
    """A unique id for a heading, made from its words."""
    words = "".join(part.content for part in heading.children or []).lower()
    name = "-".join(re.findall(r"\w+", words))
    while name in taken:
        name += "-again"
    taken.add(name)
    return name
