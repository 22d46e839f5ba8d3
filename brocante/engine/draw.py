"""Any table as plain text, for the interpreter, for logs and for tests."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from brocante.engine.text import Language, Player, Say, Text
from brocante.engine.view import Stack, Table, Zone

if TYPE_CHECKING:
    from brocante.engine.box import Box

FULL, EMPTY, ACTING = "●", "○", "▶"


def draw(box: "Box", table: Table, actor: int, language: Language, names: Sequence[str] = ()) -> str:
    """The table, one zone a line, with an arrow at whoever is to decide."""

    def say(text: Text | Player | str) -> str:
        return language.say(text, names)

    lines = [f"{say(box.title)} · {say(table.status)}"]
    lines += [f"  {zone_line(zone, say)}" for zone in table.centre]
    for place in table.places:
        arrow = ACTING if place.seat == actor else " "
        who, points = say(Player(place.seat)), say(Text("points", n=place.score))
        lines.append(f"{arrow} {who} · {points}")
        lines += [f"    {zone_line(zone, say)}" for zone in place.zones]
    return "\n".join(lines)


def zone_line(zone: Zone, say: Say) -> str:
    stacks = "   ".join(stack_text(stack, say) for stack in zone.stacks) or "–"
    return f"{say(zone.title)}: {stacks}"


def stack_text(stack: Stack, say: Say) -> str:
    name = say(stack.card.name) if stack.card else say(Text("draw.face_down"))
    if stack.goal:
        return f"{name} {progress(stack)}"
    return f"{stack.count} × {name}"


def progress(stack: Stack) -> str:
    """How far a set is, with a dot for each card: ●●●○○ 3/5."""
    return f"{FULL * stack.count}{EMPTY * (stack.goal - stack.count)} {stack.count}/{stack.goal}"
