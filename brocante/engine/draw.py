"""Any table as plain text, for the interpreter, for logs and for tests."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from brocante.engine.text import Language, Player, Say, Text, Words
from brocante.engine.view import Card, Stack, Table, Zone

if TYPE_CHECKING:
    from brocante.engine.box import Box

FULL, EMPTY, ACTING = "●", "○", "▶"


def draw(box: "Box", table: Table, actor: int, language: Language, names: Sequence[str] = ()) -> str:
    """The table, one zone a line, with an arrow at whoever is to decide."""

    def say(text: Words) -> str:
        return language.say(text, names)

    lines = [f"{say(box.title)} · {say(table.status)}"]
    lines += [f"  {zone_line(zone, say)}" for zone in table.centre]
    for place in table.places:
        arrow = ACTING if place.seat == actor else " "
        points = "" if place.score is None else f" · {say(Text('points', n=place.score))}"
        lines.append(f"{arrow} {say(Player(place.seat))}{points}")
        lines += [f"    {zone_line(zone, say)}" for zone in place.zones]
    return "\n".join(lines)


def zone_line(zone: Zone, say: Say) -> str:
    stacks = "   ".join(stack_text(stack, say) for stack in zone.stacks) or "–"
    return f"{say(zone.title)}: {stacks}"


def stack_text(stack: Stack, say: Say) -> str:
    name = face_text(stack.card, say) if stack.card else say(Text("draw.face_down"))
    if stack.goal:
        return f"{name} {progress(stack)}"
    if stack.card and stack.card.marks:  # no two are alike: this is the top one of so many
        return name if stack.count == 1 else f"{name} ({stack.count})"
    return f"{stack.count} × {name}"


def face_text(card: Card, say: Say) -> str:
    """What a card says; one with marks says it all: 5 ☼★ 1958 Sputnik chandelier."""
    if not card.marks:
        return say(card.name)
    return f"{card.corner} {''.join(mark.sign for mark in card.marks)} {card.foot} {say(card.name)}"


def progress(stack: Stack) -> str:
    """How far a set is, with a dot for each card: ●●●○○ 3/5."""
    return f"{FULL * stack.count}{EMPTY * (stack.goal - stack.count)} {stack.count}/{stack.goal}"
