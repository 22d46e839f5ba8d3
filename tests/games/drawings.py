"""Positions drawn as text: what the drawings of all games share.

    pile: lamp vase …
    > seat 0   hand: vase 2   points: 4
               table: –
      seat 1   hand: lamp

A line has fields, each with a name. What stands in a line that names a seat is that player's; so is what stands in the
lines below it that are indented further. The mark > says whose turn it is. `–` is none, and `…` whatever is not drawn
elsewhere.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping

DOTS, NOTHING = "…", "–"
SEAT = re.compile(r"(?P<turn>>?) *seat (?P<seat>\d)(?: \((?P<mark>\w+)\))?(?= |$)")
NAME = re.compile(r"(\w+):(?= |$)")
Facts = dict[str, str]  # "seat 0 hand" -> "vase 2"


def read_facts(drawing: str, of_all: Collection[str], of_a_seat: Collection[str], unnamed: str = "") -> Facts:
    """What is drawn, by these names. `unnamed` is what stands right after a seat. A seat may have a `mark`: `seat 0
    (mark)`; where a game knows none, it is a name, and for the reader alone."""
    facts: Facts = {}
    whose, indent = "", 0
    for number, line in enumerate(drawing.splitlines(), 1):
        text = line.strip()
        seat = SEAT.match(text)
        if seat:
            whose, indent = f"seat {seat['seat']} ", line.index("seat")
            text = text[seat.end() :]
            facts[f"{whose}sits"] = "yes"
        elif len(line) - len(line.lstrip()) <= indent:
            whose = ""
        if seat and seat["turn"]:
            facts["turn"] = seat["seat"]
        if seat and "mark" in of_a_seat:
            facts[f"{whose}mark"] = seat["mark"] or NOTHING
        for name, value in fields(text, unnamed if seat else ""):
            if name not in (of_a_seat if whose else of_all):
                raise ValueError(f"line {number}: nobody knows how to draw {name or value!r} here: {line.strip()}")
            facts[whose + name] = value
    return facts


def fields(text: str, unnamed: str) -> Iterator[tuple[str, str]]:
    first, *rest = map(str.strip, NAME.split(text))
    if first:
        yield unnamed, first
    yield from zip(rest[::2], rest[1::2], strict=True)


def players_in(facts: Facts) -> int:
    return sum(what.endswith(" sits") for what in facts)


def words(text: str, dots: bool = False) -> list[str]:
    """What is listed; words with dots only on demand."""
    return [word for word in text.split() if word != NOTHING and (dots or DOTS not in word)]


def listed(some: list[str]) -> str:
    return " ".join(some) or NOTHING


def assert_as_drawn(drawn: Mapping[str, str], real: Mapping[str, str], is_so: Callable[[str, str, str], bool]) -> None:
    """That everything in a drawing is so; what is not drawn may be anything."""
    wrong = [
        f"{what}: {real[what]}, not {should}" for what, should in drawn.items() if not is_so(real[what], should, what)
    ]
    assert not wrong, "\n".join([*wrong, "", *(f"{what}: {value}" for what, value in real.items())])
