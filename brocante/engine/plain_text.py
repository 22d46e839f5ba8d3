"""Any table as plain text, for the interpreter, for logs and for tests."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from brocante.engine.text import Language, Player, Say, Text, Words
from brocante.engine.view import Card, Stack, Table, Zone

if TYPE_CHECKING:
    from brocante.engine.box import Box

FULL, EMPTY, ACTING, BACK, GAP = "●", "○", "▶", "▒▒", "··"


def draw(box: "Box", table: Table, actor: int, language: Language, names: Sequence[str] = ()) -> str:
    """The table, one zone per line, with an arrow at the player who is to decide."""

    def say(text: Words) -> str:
        return language.say(text, names)

    lines = [f"{say(box.title)} · {say(table.status)}"]
    lines += [f"  {zone_line(zone, say)}" for zone in (*table.centre, *table.board)]
    for place in table.places:
        arrow = ACTING if place.seat == actor else " "
        points = "" if place.score is None else f" · {say(place.in_words or Text('points', n=place.score))}"
        lines.append(f"{arrow} {say(Player(place.seat))}{points}")
        lines += [f"    {zone_line(zone, say)}" for zone in place.zones]
    return "\n".join(lines)


def zone_line(zone: Zone, say: Say) -> str:
    if zone.layout == "slots":
        stacks = "  ".join(f"{n} {slot_text(stack, say)}" for n, stack in enumerate(zone.stacks, 1))
    else:
        text_of = {"list": thing_text, "row": single_text}.get(zone.layout, stack_text)
        stacks = "   ".join(text_of(stack, say) for stack in zone.stacks)
    note = f"   ({say(zone.note)})" if zone.layout in ("slots", "list") and zone.note else ""
    return f"{say(zone.title)}: {stacks or '–'}{note}"


def slot_text(stack: Stack, say: Say) -> str:
    """The card in a slot, its back, or dots for an empty slot."""
    if stack.card:
        return say(stack.card.name)
    return BACK if stack.count else GAP


def thing_text(stack: Stack, say: Say) -> str:
    """Something in a list, by its sign and what is said about it."""
    assert stack.card
    sign = "" if stack.card.marks else stack.card.sign
    return " ".join(filter(None, (sign, face_text(stack.card, say), f"– {say(stack.note)}" if stack.note else "")))


def single_text(stack: Stack, say: Say) -> str:
    """A single card, or the top one of a pile."""
    assert stack.card
    words = [face_text(stack.card, say), *([f"({stack.count})"] if stack.count > 1 else [])]
    return " ".join([*words, *([f"– {say(stack.note)}"] if stack.note else [])])


def stack_text(stack: Stack, say: Say) -> str:
    if stack.card and stack.card.marks and stack.goal:
        return f"{say(stack.card.name)} {signs(stack.card)} {stack.count}/{stack.goal}"
    name = face_text(stack.card, say) if stack.card else say(Text("draw.face_down"))
    if stack.goal:
        return f"{name} {progress(stack)}"
    if stack.card and stack.card.marks:
        return single_text(stack, say)
    return f"{stack.count} × {name}"


def face_text(card: Card, say: Say) -> str:
    """What a card says; one with marks says it all: 5 ☼★ 1958 Sputnik chandelier."""
    if not card.marks:
        return say(card.name)
    return " ".join(filter(None, (card.corner, signs(card), card.foot, say(card.name))))


def signs(card: Card) -> str:
    return "".join(mark.sign for mark in card.marks)


def progress(stack: Stack) -> str:
    """How far a set is, with a dot for each card: ●●●○○ 3/5."""
    return f"{FULL * stack.count}{EMPTY * (stack.goal - stack.count)} {stack.count}/{stack.goal}"
