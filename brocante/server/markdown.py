"""Our rules, which are written in Markdown, as a piece of a page."""

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from brocante.games import box


@cache
def rules_as_html(game: str, code: str) -> str:
    """The rules of a game in a language. The page has a heading of its own: theirs are a step smaller, and each can be
    linked to by its words."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(box(game).rules_page(code))
    taken: set[str] = set()
    for token, inside in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + 1, 6)}"
        if token.type == "heading_open" and inside:
            token.attrSet("id", anchor(inside, taken))
        if "style" in token.attrs:  # how a column is aligned; the page allows no style that stands in the text
            token.attrSet("align", str(token.attrs.pop("style")).removeprefix("text-align:"))
    return str(markdown.renderer.render(tokens, markdown.options, {}))


def anchor(heading: Token, taken: set[str]) -> str:
    """The words of a heading as an id, which no other one has."""
    words = "".join(part.content for part in heading.children or []).lower()
    name = "-".join(re.findall(r"\w+", words))
    while name in taken:
        name += "-again"
    taken.add(name)
    return name
