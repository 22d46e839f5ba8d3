"""A small scanner of JavaScript that finds strings and templates, and the call that each is an argument of."""

import re
from collections.abc import Iterator
from typing import NamedTuple

TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)
      | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
      | (?P<word>[\w$.?]*[\w$]|\#\w+)
      | (?P<operator>[=!]==?|=>|[<>]=?|\*\*|&&|\|\||\?\?|\?\.|\.\.\.|[-+*/%.,:;=!?&|^~@])
      | (?P<opening>[(\[{])
      | (?P<closing>[)\]}])""",
    re.VERBOSE | re.DOTALL,
)
GONE_THROUGH = re.compile(r"\[[^\[\]]*\]\s*\.")  # a list of which something is made: ["a", "b"].map(…)
REGEX = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*")
HOLE = "{}"  # what stands in a template where something is filled in


class Literal(NamedTuple):
    """A text in the source, with the holes of a template left open."""

    text: str
    line: int
    call: str  # the function that it is given to, in the innermost parentheses
    argument: int  # which of its arguments it is (part of)
    before: str  # what stands right before it


class Open(NamedTuple):
    bracket: str
    call: str
    arguments: list[int]  # how many are complete; the last one counts


def literals(source: str) -> list[Literal]:
    return list(_literals(source, 0, len(source), 1, []))


def _literals(source: str, at: int, end: int, line: int, stack: list[Open]) -> Iterator[Literal]:
    before, before_that = "", ""
    while at < end:
        line_here = line + source.count("\n", 0, at)
        if source[at] == "`":
            text, closed, holes = _template(source, at)
            yield _literal(text, line_here, stack, before)
            for start, stop in holes:
                yield from _literals(source[start:stop], 0, stop - start, line_here, list(stack))
            at, before_that, before = closed, before, "`"
            continue
        if source[at] == "/" and source[at + 1] not in "/*" and (not before or before[-1] in "(,=:[!&|?{};>"):
            found = REGEX.match(source, at)
            assert found, f"line {line_here}"
            at, before_that, before = found.end(), before, "regex"
            continue
        found = TOKEN.match(source, at)
        assert found, f"line {line_here}: {source[at : at + 20]!r}"
        at = found.end()
        token = found.group()
        match found.lastgroup:
            case "space":
                continue
            case "string":
                yield _literal(token[1:-1], line_here, stack, f"{before_that}{before}" if before == ":" else before)
            case "opening":
                kind = "{" if GONE_THROUGH.match(source, at - 1) else token
                stack.append(Open(kind, before if token == "(" else "", [0]))
            case "closing":
                stack.pop()
            case "operator" if token == "," and stack:
                stack[-1].arguments[0] += 1
        before_that, before = before, token


def _literal(text: str, line: int, stack: list[Open], before: str) -> Literal:
    around = [opened for opened in stack if opened.bracket == "(" or opened.bracket == "{"]
    innermost = around[-1] if around and around[-1].bracket == "(" else Open("", "", [0])
    return Literal(text, line, innermost.call, innermost.arguments[0], before)


def _template(source: str, at: int) -> tuple[str, int, list[tuple[int, int]]]:
    """What a template says, where it ends, and where its holes are."""
    text, holes = "", []
    at += 1
    while source[at] != "`":
        if source[at] == "\\":
            text += source[at + 1]
            at += 2
        elif source.startswith("${", at):
            start, depth = at + 2, 1
            at = start
            while depth:
                if source[at] == "`":
                    at = _template(source, at)[1]
                    continue
                depth += {"{": 1, "}": -1}.get(source[at], 0)
                at += 1
            holes.append((start, at - 1))
            text += HOLE
        else:
            text += source[at]
            at += 1
    return text, at + 1, holes
