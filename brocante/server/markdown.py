"""Turns the rules of the games from Markdown into HTML, with anchors for their clauses and places for pictures."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from html import escape
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from brocante.engine.box import Box
from brocante.games import box

#: The number of a clause, as in "Harvest (P12)" or "(A5.1)".
CLAUSE = re.compile(r"\b[A-Z]\d{1,2}(?:\.\d+)?[a-z]?\b")
#: In a game's folder: which of its drawings belong to which clause.
PICTURES = "rules_art.toml"


@cache
def rules_as_html(game: str, code: str) -> str:
    """The rules of a game in a language. Headings are a step smaller, below that of the page; they and clauses can be
    linked to."""
    found = box(game)
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(found.rules_page(code))
    taken: set[str] = set()
    for token, inside in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + 1, 6)}"
        if token.type == "heading_open" and inside:
            token.attrSet("id", anchor(inside, taken))
        if "style" in token.attrs:  # a column's alignment; the Content-Security-Policy forbids inline styles
            token.attrSet("align", str(token.attrs.pop("style")).removeprefix("text-align:"))
    mark_clauses(tokens, pictures_of(found))
    return str(markdown.renderer.render(tokens, markdown.options, {}))


def anchor(heading: Token, taken: set[str]) -> str:
    """A unique id for a heading, made from its words."""
    words = "".join(part.content for part in heading.children or []).lower()
    name = "-".join(re.findall(r"\w+", words))
    while name in taken:
        name += "-again"
    taken.add(name)
    return name


def pictures_of(found: Box) -> dict[str, list[str]]:
    """The names of drawings by clause; a game may have none."""
    file = found.folder / PICTURES
    return tomllib.loads(file.read_text("utf-8")) if file.exists() else {}


# --- clauses ----------------------------------------------------------------------------------------------------------


class Passage(NamedTuple):
    """Where something is written."""

    paragraph: Token
    text: Token
    is_title: bool  # a heading, or bold


def mark_clauses(tokens: list[Token], pictures: dict[str, list[str]]) -> None:
    """Give every clause an anchor where it is laid down, and its pictures a place there."""
    places: dict[str, Passage] = {}
    for passage in passages(tokens):
        for clause in CLAUSE.findall(passage.text.content):
            if clause not in places or (passage.is_title and not places[clause].is_title):
                places[clause] = passage
    for clause, (paragraph, text, _) in places.items():
        if text.type == "text":
            text.type, text.content = "html_inline", escape(text.content, quote=False)
        here = re.compile(rf"(?<![\">]){re.escape(clause)}\b(?!\.\d)")
        text.content = here.sub(f'<span class="clause" id="{clause}">{clause}</span>', text.content, count=1)
        if clause in pictures and paragraph.children:
            shown = f'<span class="pictures" data-art="{" ".join(pictures[clause])}"></span>'
            paragraph.children.insert(0, Token("html_inline", "", 0, content=shown))


def passages(tokens: list[Token]) -> Iterator[Passage]:
    """What is written after the introduction."""
    is_introduction, is_heading = True, False
    for token in tokens:
        if token.type == "heading_open":
            is_heading, is_introduction = True, is_introduction and token.tag == "h2"
        is_heading = is_heading and token.type != "heading_close"
        bold = 0
        for part in token.children or ():
            bold += {"strong_open": 1, "strong_close": -1}.get(part.type, 0)
            if part.type == "text" and not is_introduction:
                yield Passage(token, part, is_heading or bold > 0)
