"""Zones and stacks as coloured text: what a table looks like in a terminal."""

from collections.abc import Iterable

from rich.text import Text as Styled

from brocante.engine.text import Text
from brocante.engine.view import Card, Mark, Place, Stack, Zone
from brocante.terminal.pen import Pen, clickable

FULL, EMPTY, BACK, ACTING, CHOSEN = "▮", "▯", "▒", "▶", "●"
SLOT, SLOTS_IN_A_LINE = 6, 5  # columns that a numbered place takes
MANY = 12  # a pile of more cards than this is drawn as thick as this


def draw_heading(place: Place, name: str, acting: bool, pen: Pen) -> Styled:
    """The name of a player, and their points if those are public."""
    line = Styled.assemble((f"{ACTING} " if acting else "  ", pen.inks["tomato"]))
    if place.mark:
        line.append_text(draw_mark(place.mark, pen)).append(" ")
    line.append(name, style=f"bold {pen.inks['ink']}")
    if place.score is not None:
        line.append(f"  {pen.say(place.in_words or Text('points', n=place.score))}", style=pen.inks["faint"])
    return line


def draw_zone(zone: Zone, pen: Pen) -> Styled:
    """A zone as one or more lines."""
    if zone.layout == "row" and zone.stacks:
        return Styled("\n").join(draw_item(stack, pen) for stack in zone.stacks)
    return LAYOUTS.get(zone.layout, draw_piles)(zone, pen)


def draw_list(zone: Zone, pen: Pen) -> Styled:
    """Things in a line, each with its sign, its marks or name, and its note."""
    return draw_line(zone, [draw_thing(stack, pen) for stack in zone.stacks], pen)


def draw_thing(stack: Stack, pen: Pen) -> Styled:
    assert stack.card
    card = stack.card
    line = draw_key(stack, pen)
    line.append(card.sign, style=f"bold {pen.inks[card.ink]}").append(" " if card.sign else "")
    if card.marks:
        line.append_text(draw_marks(card, pen))
    else:
        line.append(pen.say(card.name), style=pen.inks[card.ink] if stack.count else pen.inks["faint"])
    if stack.note:
        line.append(f" {pen.say(stack.note)}", style=pen.inks["ink"])
    return clickable(line, stack)


def draw_bars(zone: Zone, pen: Pen, feet: bool = False) -> Styled:
    """Sets side by side, each with its sign and a mark for each card; with `feet`, also its corner and its foot."""
    return Styled("  " if feet else " ").join(draw_bar(stack, pen, feet) for stack in zone.stacks)


def draw_bar(stack: Stack, pen: Pen, feet: bool) -> Styled:
    assert stack.card
    ink = pen.inks[stack.card.ink]
    line = draw_key(stack, pen).append(stack.card.sign, style=ink)
    if feet and stack.card.corner:
        line.append(f" {stack.card.corner} ", style=pen.inks["faint"])
    line.append_text(draw_progress(stack, ink, pen))
    return clickable(line.append(stack.card.foot, style=pen.inks["faint"]) if feet else line, stack)


def draw_progress(stack: Stack, ink: str, pen: Pen) -> Styled:
    """A mark for each card of a set, and one for each that it lacks."""
    line = Styled.assemble((FULL * stack.count, f"bold {ink}"))
    return line.append(EMPTY * (stack.goal - stack.count), style=pen.inks["faint"])


def draw_key(stack: Stack, pen: Pen) -> Styled:
    """The key that touches a stack, where there is one."""
    key = pen.key(stack)
    return Styled.assemble((f"{key}▸" if key else "", f"bold {pen.inks['tomato']}"))


def draw_slots(zone: Zone, pen: Pen) -> Styled:
    """Numbered places, a few in a line: the numbers, and below them the cards with their keys."""
    lines: list[Styled] = []
    for start in range(0, len(zone.stacks), SLOTS_IN_A_LINE):
        part = zone.stacks[start : start + SLOTS_IN_A_LINE]
        numbers = "".join(f"  {n:<{SLOT - 2}}" for n in range(start + 1, start + 1 + len(part)))
        cards = Styled().join(draw_slot(stack, pen) for stack in part)
        lines += [Styled(numbers, style=pen.inks["faint"]), cards]
    if zone.note:
        lines.append(Styled(pen.say(zone.note), style=f"italic {pen.inks['tomato']}"))
    return Styled("\n").join(lines) if lines else draw_piles(zone, pen)


def draw_small_slots(zone: Zone, pen: Pen) -> Styled:
    """Numbered places in one line, each with its key or, if it has none, its number."""
    line = Styled()
    for n, stack in enumerate(zone.stacks, 1):
        key = key_or_sign(stack, pen)
        cell = Styled.assemble((f"{key}▸", f"bold {pen.inks['tomato']}") if key else (f"{n}\u00a0", pen.inks["faint"]))
        card = draw_small_card(stack, pen)
        line.append_text(clickable(cell.append_text(card), stack)).append(" " * (SLOT - 2 - card.cell_len))
    return line.append(pen.say(zone.note), style=f"italic {pen.inks['tomato']}") if zone.note else line


def draw_slot(stack: Stack, pen: Pen) -> Styled:
    """What lies in a slot, and the key that takes it."""
    key = key_or_sign(stack, pen)
    line = Styled.assemble((f"{key}▸" if key else "  ", f"bold {pen.inks['tomato']}"))
    line.append_text(draw_small_card(stack, pen)).append(" " * max(1, SLOT - line.cell_len))
    return clickable(line, stack)


def key_or_sign(stack: Stack, pen: Pen) -> str:
    """The key of a card, or a sign if it was chosen first."""
    return CHOSEN if stack.chosen else pen.key(stack)


def draw_small_card(stack: Stack, pen: Pen) -> Styled:
    """A card in at most three columns: rank and suit, its back, or dots for an empty place."""
    if stack.card:
        return Styled(f"{stack.card.corner}{stack.card.sign}", style=f"bold {pen.inks[stack.card.ink]}")
    return Styled(BACK * 2, style=pen.inks["river"]) if stack.count else Styled("··", style=pen.inks["faint"])


def draw_centre(zone: Zone, pen: Pen) -> Styled:
    """A zone in the middle of the table, in one line."""
    if zone.layout == "row" and zone.stacks:
        title = Styled(f"{pen.say(zone.title)} ", style=pen.inks["faint"])
        return title.append_text(Styled("  ").join(draw_item(stack, pen) for stack in zone.stacks))
    return draw_piles(zone, pen)


def draw_piles(zone: Zone, pen: Pen) -> Styled:
    """A zone in one line: its title and its piles."""
    piles = [draw_pile(stack, pen) for stack in zone.stacks]
    return draw_line(zone, piles or [Styled("–", style=pen.inks["faint"])], pen)


def draw_line(zone: Zone, parts: Iterable[Styled], pen: Pen) -> Styled:
    """The title of a zone, what lies there, and its note."""
    line = Styled.assemble((f"{pen.say(zone.title)}  ", pen.inks["faint"])).append_text(Styled("  ").join(parts))
    return line.append(f"  {pen.say(zone.note)}", style=f"italic {pen.inks['faint']}") if zone.note else line


def draw_item(stack: Stack, pen: Pen) -> Styled:
    """A single card in one line: the key that takes it, its value, its signs, its year, its name."""
    assert stack.card
    card = stack.card
    if card.marks:
        line = Styled.assemble((pen.key(stack).ljust(2), f"bold {pen.inks['tomato']}"))
        line.append(f"{card.corner} ", style=f"bold {pen.inks['ink']}")
        line.append_text(draw_marks(card, pen))
        line.append(f" {card.foot} {pen.say(card.name)}", style=pen.inks["ink"] if stack.moves else pen.inks["faint"])
    else:
        line = draw_key(stack, pen).append(pen.say(card.name), style=f"bold {pen.inks[card.ink]}")
    if stack.count > 1:
        line.append(f" ({stack.count})", style=pen.inks["faint"])
    if stack.note:
        line.append(f" {pen.say(stack.note)}", style=f"italic {pen.inks['faint']}")
    return clickable(line, stack)


def draw_sets(zone: Zone, pen: Pen) -> Styled:
    width = max((len(pen.say(stack.card.name)) for stack in zone.stacks if stack.card), default=0)
    lines = [draw_set(stack, width, pen) for stack in zone.stacks]
    if zone.note:
        lines.append(Styled(f"  {pen.say(zone.note)}", style=f"italic {pen.inks['faint']}"))
    return Styled("\n").join(lines)


def draw_set(stack: Stack, width: int, pen: Pen) -> Styled:
    """A set that grows: its sign and name, a bar with a mark for each card, and the count."""
    assert stack.card
    ink = pen.inks[stack.card.ink]
    line = Styled.assemble((f"{stack.card.sign} {pen.say(stack.card.name).ljust(width)} ", ink))
    line.append_text(draw_progress(stack, ink, pen)).append(f" {stack.count}/{stack.goal}", style=pen.inks["ink"])
    if stack.note:
        line.append(f" {pen.say(stack.note)}", style=f"italic {pen.inks['tomato']}")
    return line


def draw_pile(stack: Stack, pen: Pen) -> Styled:
    """A pile: face down as a thick line, face up by its sign."""
    if stack.card is None:
        line = Styled.assemble((BACK * min(stack.count, MANY), pen.inks["river"]))
        return line.append(f" {stack.count}", style=pen.inks["ink"])
    if stack.card.marks:
        return draw_signs(stack.card, pen)
    return Styled(f"{stack.card.sign}{stack.count}", style=pen.inks[stack.card.ink])


def draw_signs(card: Card, pen: Pen) -> Styled:
    """A card by its value, marks and year alone: 5☼★58."""
    line = Styled(card.corner, style=f"bold {pen.inks['ink']}")
    line.append_text(draw_marks(card, pen))
    return line.append(card.foot[-2:], style=f"not bold {pen.inks['faint']}")


def draw_compact(zones: Iterable[Zone], pen: Pen) -> Styled:
    """A place in one line, for a narrow terminal: sets as 3/7, piles by number, items by their signs and keys."""
    parts: list[Styled] = []
    for zone in zones:
        if zone.layout == "sets":
            parts += [draw_fraction(stack, pen) for stack in zone.stacks]
        elif zone.layout == "slots":
            parts.append(draw_small_slots(zone, pen))
        elif zone.layout == "list":
            parts += [draw_thing(s, pen) for s in zone.stacks if s.count or (s.card and s.card.marks)]
        elif zone.layout == "bars":
            parts += [draw_fraction(stack, pen) for stack in zone.stacks if stack.count]
        elif any(stack.card and stack.card.marks for stack in zone.stacks):
            parts += [Styled("│", style=pen.inks["faint"])] if parts else []
            parts += [draw_small_item(stack, pen) for stack in zone.stacks]
        else:
            parts += [draw_pile(stack, pen) for stack in zone.stacks if stack.card is None and stack.count]
    return Styled("  ").join([Styled(" "), *parts])


def draw_fraction(stack: Stack, pen: Pen) -> Styled:
    assert stack.card
    return Styled(f"{stack.card.sign}{stack.count}/{stack.goal}", style=pen.inks[stack.card.ink])


def draw_small_item(stack: Stack, pen: Pen) -> Styled:
    assert stack.card
    key = f"{pen.key(stack)} " if stack.moves else ""
    line = Styled.assemble((key, f"bold {pen.inks['tomato']}")).append_text(draw_signs(stack.card, pen))
    return clickable(line, stack)


def draw_marks(card: Card, pen: Pen) -> Styled:
    return Styled().join(draw_mark(mark, pen) for mark in card.marks)


def draw_mark(mark: Mark, pen: Pen) -> Styled:
    return Styled(mark.sign, style=f"bold {pen.inks[mark.ink]}")


LAYOUTS = {"sets": draw_sets, "slots": draw_slots, "list": draw_list, "bars": draw_bars}
