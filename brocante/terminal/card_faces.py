"""The faces of your own cards."""

from textwrap import wrap

from rich.text import Text as Styled

from brocante.engine.view import Card, Stack
from brocante.terminal.drawing import BACK, draw_key, draw_mark, draw_small_card
from brocante.terminal.pen import Pen, clickable

ROOMY_FACE, SMALL_FACE, MARKED_FACE, SLOT_FACE = 9, 8, 18, 6  # columns inside the border


def draw_card(stack: Stack, roomy: bool, pen: Pen) -> Styled:
    """A card: its corner, its sign, how many you hold, its name."""
    assert stack.card
    if stack.card.marks:
        return draw_marked_card(stack.card, roomy, pen)
    ink = pen.inks[stack.card.ink]
    inside = ROOMY_FACE if roomy else SMALL_FACE
    count = f"×{stack.count}" if stack.count > 1 else ""
    name = Styled(pen.say(stack.card.name)[:inside].center(inside), style=ink)
    sign = Styled(stack.card.sign.center(inside), style=f"bold {ink}")
    if roomy:
        return Styled("\n").join([Styled(stack.card.corner.ljust(inside - len(count)) + count, ink), sign, name])
    top = f"{stack.card.corner} {stack.card.sign}"
    return Styled("\n").join([Styled(top.ljust(inside - len(count)) + count, style=f"bold {ink}"), name])


def draw_worded_card(card: Card, pen: Pen) -> Styled:
    """A card that says what it does."""
    assert card.does
    name = [Styled(line, style=f"bold {pen.inks[card.ink]}") for line in wrap(pen.say(card.name), MARKED_FACE)]
    does = [Styled(line, style=pen.inks["ink"]) for line in wrap(pen.say(card.does), MARKED_FACE)]
    return Styled("\n").join([*name, *does])


def draw_worded_line(stack: Stack, pen: Pen) -> Styled:
    """The same in one line, for a narrow terminal."""
    assert stack.card
    assert stack.card.does
    line = draw_key(stack, pen)
    line.append(pen.say(stack.card.name), style=f"bold {pen.inks[stack.card.ink]}")
    line.append(f" ×{stack.count}" if stack.count > 1 else "")
    return clickable(line.append(f"  {pen.say(stack.card.does)}", style=pen.inks["ink"]), stack)


def draw_slot_card(stack: Stack, roomy: bool, pen: Pen) -> Styled:
    """A card in a numbered place, face or back, as large as there is room."""
    face = draw_small_card(stack, pen)
    if stack.card:
        face = Styled(" " * ((SLOT_FACE - face.cell_len) // 2)).append_text(face)
        return Styled("\n").join([Styled(), face]) if roomy else face
    if not stack.count:
        return Styled()
    back = Styled(BACK * SLOT_FACE, style=pen.inks["river"])
    return Styled("\n").join([back] * 3) if roomy else back


def draw_marked_card(card: Card, roomy: bool, pen: Pen) -> Styled:
    """A unique card: its value and year, its name and, if there is room, its signs in words."""
    top = Styled(f"{card.corner} ", style=f"bold {pen.inks['ink']}")
    if not roomy:
        top.append_text(Styled(" ").join(draw_mark(mark, pen) for mark in card.marks))
    top.append(card.foot.rjust(MARKED_FACE - len(top)), style=f"not bold {pen.inks['faint']}")
    name = wrap(pen.say(card.name), MARKED_FACE, max_lines=2 if roomy else 1, placeholder="…")
    lines = [top, *(Styled(line, style=pen.inks["ink"]) for line in name)]
    if roomy:
        lines += [Styled()] * (3 - len(lines))
        ink = f"not bold {pen.inks['ink']}"
        words = (draw_mark(mark, pen).append(pen.say(mark.name), style=ink) for mark in card.marks)
        lines.append(Styled(" ").join(words))
    return Styled("\n").join(lines)
