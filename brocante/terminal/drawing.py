"""Zones and stacks as coloured text: what a table looks like in a terminal."""

from collections.abc import Callable, Iterable, Mapping
from textwrap import wrap

from rich.style import Style
from rich.text import Text as Styled

from brocante.engine.moves import Move
from brocante.engine.text import Say, Text
from brocante.engine.view import Card, Mark, Place, Stack, Zone

Inks = Mapping[str, str]
KeyOf = Callable[[Move], str]  # the key that makes a move

TOUCH = "touch"  # under which a piece of text keeps the move that clicking it makes
FULL, EMPTY, BACK, ACTING, CHOSEN = "▮", "▯", "▒", "▶", "●"
ROOMY_CARD, SMALL_CARD, MARKED_CARD, SLOT_CARD = 9, 8, 18, 6  # columns inside a card
SLOT, SLOTS_IN_A_LINE = 6, 5  # columns that a numbered place takes
MANY = 12  # a pile of more cards than this is drawn as thick as this


def heading(place: Place, name: str, acting: bool, say: Say, inks: Inks) -> Styled:
    """The name of a player and, where they are shown, their points."""
    line = Styled.assemble((f"{ACTING} " if acting else "  ", inks["tomato"]))
    if place.mark:
        line.append_text(sign(place.mark, inks)).append(" ")
    line.append(name, style=f"bold {inks['ink']}")
    if place.score is not None:
        line.append(f"  {say(place.in_words or Text('points', n=place.score))}", style=inks["faint"])
    return line


def zone_text(zone: Zone, say: Say, inks: Inks, key_of: KeyOf) -> Styled:
    """A zone as one or more lines."""
    if zone.layout == "sets":
        return sets_text(zone, say, inks)
    if zone.layout == "row" and zone.stacks:
        return Styled("\n").join(item_text(stack, say, inks, key_of) for stack in zone.stacks)
    if zone.layout == "slots":
        return slots_text(zone, say, inks, key_of)
    if zone.layout == "list":
        return list_text(zone, say, inks, key_of)
    if zone.layout == "bars":
        return bars_text(zone, inks, key_of)
    return piles_text(zone, say, inks)


def list_text(zone: Zone, say: Say, inks: Inks, key_of: KeyOf) -> Styled:
    """Things in a line: each by its sign and its marks, or by its sign and its name, and what is noted about it."""
    line = Styled(f"{say(zone.title)}  ", style=inks["faint"])
    line.append_text(Styled("  ").join(thing_text(stack, say, inks, key_of) for stack in zone.stacks))
    return line.append(f"  {say(zone.note)}", style=f"italic {inks['faint']}") if zone.note else line


def thing_text(stack: Stack, say: Say, inks: Inks, key_of: KeyOf) -> Styled:
    assert stack.card
    card = stack.card
    line = key_text(stack, inks, key_of)
    line.append(card.sign, style=f"bold {inks[card.ink]}").append(" " if card.sign else "")
    if card.marks:
        line.append_text(Styled().join(sign(mark, inks) for mark in card.marks))
    else:
        line.append(say(card.name), style=inks[card.ink] if stack.count else inks["faint"])
    if stack.note:
        line.append(f" {say(stack.note)}", style=inks["ink"])
    return touchable(line, stack)


def bars_text(zone: Zone, inks: Inks, key_of: KeyOf, feet: bool = False) -> Styled:
    """Sets side by side, each by its sign and a mark for each card; with what stands in their corners and at their feet
    if there is room."""
    return Styled("  " if feet else " ").join(bar_text(stack, inks, key_of, feet) for stack in zone.stacks)


def bar_text(stack: Stack, inks: Inks, key_of: KeyOf, feet: bool) -> Styled:
    assert stack.card
    ink = inks[stack.card.ink]
    line = key_text(stack, inks, key_of).append(stack.card.sign, style=ink)
    if feet and stack.card.corner:
        line.append(f" {stack.card.corner} ", style=inks["faint"])
    line.append(FULL * stack.count, style=f"bold {ink}")
    line.append(EMPTY * (stack.goal - stack.count), style=inks["faint"])
    return touchable(line.append(stack.card.foot, style=inks["faint"]) if feet else line, stack)


def key_text(stack: Stack, inks: Inks, key_of: KeyOf) -> Styled:
    """The key that touches a stack, where there is one."""
    key = key_of(stack.moves[0]) if stack.moves else ""
    return Styled.assemble((f"{key}▸" if key else "", f"bold {inks['tomato']}"))


def slots_text(zone: Zone, say: Say, inks: Inks, key_of: KeyOf) -> Styled:
    """Numbered places, a few in a line: the numbers, and below them the cards with the keys that take them."""
    lines: list[Styled] = []
    for start in range(0, len(zone.stacks), SLOTS_IN_A_LINE):
        part = zone.stacks[start : start + SLOTS_IN_A_LINE]
        numbers = "".join(f"  {n:<{SLOT - 2}}" for n in range(start + 1, start + 1 + len(part)))
        cards = Styled().join(slot_text(stack, inks, key_of) for stack in part)
        lines += [Styled(numbers, style=inks["faint"]), cards]
    if zone.note:
        lines.append(Styled(say(zone.note), style=f"italic {inks['tomato']}"))
    return Styled("\n").join(lines) if lines else piles_text(zone, say, inks)


def small_slots_text(zone: Zone, say: Say, inks: Inks, key_of: KeyOf) -> Styled:
    """Numbered places in one line: each by its number, or by the key that takes it."""
    line = Styled()
    for n, stack in enumerate(zone.stacks, 1):
        key = key_or_sign(stack, key_of)
        cell = Styled.assemble((f"{key}▸", f"bold {inks['tomato']}") if key else (f"{n}\u00a0", inks["faint"]))
        card = small_card_text(stack, inks)
        line.append_text(touchable(cell.append_text(card), stack)).append(" " * (SLOT - 2 - card.cell_len))
    return line.append(say(zone.note), style=f"italic {inks['tomato']}") if zone.note else line


def slot_text(stack: Stack, inks: Inks, key_of: KeyOf) -> Styled:
    """What lies in a slot, and the key that takes it."""
    key = key_or_sign(stack, key_of)
    line = Styled.assemble((f"{key}▸" if key else "  ", f"bold {inks['tomato']}"))
    line.append_text(small_card_text(stack, inks)).append(" " * max(1, SLOT - line.cell_len))
    return touchable(line, stack)


def key_or_sign(stack: Stack, key_of: KeyOf) -> str:
    """The key that takes a card; a sign on the one that was chosen first."""
    if stack.chosen:
        return CHOSEN
    return key_of(stack.moves[0]) if stack.moves else ""


def small_card_text(stack: Stack, inks: Inks) -> Styled:
    """A card in three columns at most: rank and suit, its back, or dots where there is none."""
    if stack.card:
        return Styled(f"{stack.card.corner}{stack.card.sign}", style=f"bold {inks[stack.card.ink]}")
    return Styled(BACK * 2, style=inks["river"]) if stack.count else Styled("··", style=inks["faint"])


def centre_text(zone: Zone, say: Say, inks: Inks, key_of: KeyOf) -> Styled:
    """A zone in the middle of the table, in one line."""
    if zone.layout == "row" and zone.stacks:
        title = Styled(f"{say(zone.title)} ", style=inks["faint"])
        return title.append_text(Styled("  ").join(item_text(stack, say, inks, key_of) for stack in zone.stacks))
    return piles_text(zone, say, inks)


def piles_text(zone: Zone, say: Say, inks: Inks) -> Styled:
    """A zone in one line: its title and its piles."""
    line = Styled.assemble((f"{say(zone.title)}  ", inks["faint"]))
    parts = [pile_text(stack, inks) for stack in zone.stacks]
    line.append_text(Styled("  ").join(parts) if parts else Styled("–", style=inks["faint"]))
    if zone.note:
        line.append(f"  {say(zone.note)}", style=f"italic {inks['faint']}")
    return line


def item_text(stack: Stack, say: Say, inks: Inks, key_of: KeyOf) -> Styled:
    """A single card in one line: the key that takes it, its value, its signs, its year, its name."""
    assert stack.card
    card = stack.card
    key = key_of(stack.moves[0]) if stack.moves else ""
    line = Styled.assemble((key.ljust(2), f"bold {inks['tomato']}"))
    if card.marks:
        line.append(f"{card.corner} ", style=f"bold {inks['ink']}")
        line.append_text(Styled().join(sign(mark, inks) for mark in card.marks))
        line.append(f" {card.foot} {say(card.name)}", style=inks["ink"] if stack.moves else inks["faint"])
    else:
        line = Styled.assemble((f"{key}▸" if key else "", f"bold {inks['tomato']}"))
        line.append(say(card.name), style=f"bold {inks[card.ink]}")
    if stack.count > 1:
        line.append(f" ({stack.count})", style=inks["faint"])
    if stack.note:
        line.append(f" {say(stack.note)}", style=f"italic {inks['faint']}")
    return touchable(line, stack)


def sets_text(zone: Zone, say: Say, inks: Inks) -> Styled:
    width = max((len(say(stack.card.name)) for stack in zone.stacks if stack.card), default=0)
    lines = [set_text(stack, width, say, inks) for stack in zone.stacks]
    if zone.note:
        lines.append(Styled(f"  {say(zone.note)}", style=f"italic {inks['faint']}"))
    return Styled("\n").join(lines)


def set_text(stack: Stack, width: int, say: Say, inks: Inks) -> Styled:
    """A set that grows: its sign and name, a bar with a mark for each card, how many of how many."""
    assert stack.card
    ink = inks[stack.card.ink]
    line = Styled.assemble((f"{stack.card.sign} {say(stack.card.name).ljust(width)} ", ink))
    line.append(FULL * stack.count, style=f"bold {ink}")
    line.append(EMPTY * (stack.goal - stack.count), style=inks["faint"])
    line.append(f" {stack.count}/{stack.goal}", style=inks["ink"])
    if stack.note:
        line.append(f" {say(stack.note)}", style=f"italic {inks['tomato']}")
    return line


def pile_text(stack: Stack, inks: Inks) -> Styled:
    """A pile to count: face down as thick as it is, face up by its sign."""
    if stack.card is None:
        line = Styled.assemble((BACK * min(stack.count, MANY), inks["river"]))
        return line.append(f" {stack.count}", style=inks["ink"])
    if stack.card.marks:
        return signs(stack.card, inks)
    return Styled(f"{stack.card.sign}{stack.count}", style=inks[stack.card.ink])


def signs(card: Card, inks: Inks) -> Styled:
    """A card by its signs alone: its value, its marks and its year, 5☼★58."""
    line = Styled(card.corner, style=f"bold {inks['ink']}")
    line.append_text(Styled().join(sign(mark, inks) for mark in card.marks))
    return line.append(card.foot[-2:], style=f"not bold {inks['faint']}")


def compact_text(zones: Iterable[Zone], say: Say, inks: Inks, key_of: KeyOf) -> Styled:
    """What lies before a player in one line, for a narrow terminal: sets as 3/7, piles by their numbers, items by their
    signs and the key that takes them."""
    parts: list[Styled] = []
    for zone in zones:
        if zone.layout == "sets":
            parts += [Styled(f"{s.card.sign}{s.count}/{s.goal}", inks[s.card.ink]) for s in zone.stacks if s.card]
        elif zone.layout == "slots":
            parts.append(small_slots_text(zone, say, inks, key_of))
        elif zone.layout == "list":
            parts += [thing_text(s, say, inks, key_of) for s in zone.stacks if s.count or (s.card and s.card.marks)]
        elif zone.layout == "bars":
            parts += [small_bar_text(s, inks) for s in zone.stacks if s.count]
        elif any(stack.card and stack.card.marks for stack in zone.stacks):
            parts += [Styled("│", style=inks["faint"])] if parts else []
            parts += [small_item_text(stack, inks, key_of) for stack in zone.stacks]
        else:
            parts += [pile_text(stack, inks) for stack in zone.stacks if stack.card is None and stack.count]
    return Styled("  ").join([Styled(" "), *parts])


def small_bar_text(stack: Stack, inks: Inks) -> Styled:
    assert stack.card
    return Styled(f"{stack.card.sign}{stack.count}/{stack.goal}", style=inks[stack.card.ink])


def small_item_text(stack: Stack, inks: Inks, key_of: KeyOf) -> Styled:
    assert stack.card
    key = f"{key_of(stack.moves[0])} " if stack.moves else ""
    line = Styled.assemble((key, f"bold {inks['tomato']}")).append_text(signs(stack.card, inks))
    return touchable(line, stack)


def touchable(line: Styled, stack: Stack) -> Styled:
    """A text that makes the stack's move when it is clicked, if there is one."""
    if stack.moves:
        line.stylize(Style.from_meta({TOUCH: str(stack.moves[0])}))
    return line


def card_text(stack: Stack, roomy: bool, say: Say, inks: Inks) -> Styled:
    """A card to pick up: how many make a set in the corner, its sign, how many one holds, its name."""
    assert stack.card
    if stack.card.marks:
        return marked_card_text(stack.card, roomy, say, inks)
    ink = inks[stack.card.ink]
    inside = ROOMY_CARD if roomy else SMALL_CARD
    count = f"×{stack.count}" if stack.count > 1 else ""
    name = Styled(say(stack.card.name)[:inside].center(inside), style=ink)
    sign = Styled(stack.card.sign.center(inside), style=f"bold {ink}")
    if roomy:
        return Styled("\n").join([Styled(stack.card.corner.ljust(inside - len(count)) + count, ink), sign, name])
    top = f"{stack.card.corner} {stack.card.sign}"
    return Styled("\n").join([Styled(top.ljust(inside - len(count)) + count, style=f"bold {ink}"), name])


def worded_card_text(card: Card, say: Say, inks: Inks) -> Styled:
    """A card that says what it does."""
    assert card.does
    name = [Styled(line, style=f"bold {inks[card.ink]}") for line in wrap(say(card.name), MARKED_CARD)]
    does = [Styled(line, style=inks["ink"]) for line in wrap(say(card.does), MARKED_CARD)]
    return Styled("\n").join([*name, *does])


def worded_line(stack: Stack, say: Say, inks: Inks, key_of: KeyOf) -> Styled:
    """The same in a line, for a narrow terminal."""
    assert stack.card
    assert stack.card.does
    line = key_text(stack, inks, key_of)
    line.append(say(stack.card.name), style=f"bold {inks[stack.card.ink]}")
    line.append(f" ×{stack.count}" if stack.count > 1 else "")
    return touchable(line.append(f"  {say(stack.card.does)}", style=inks["ink"]), stack)


def slot_card_text(stack: Stack, roomy: bool, inks: Inks) -> Styled:
    """A card in a numbered place, as large as there is room: its face or its back."""
    face = small_card_text(stack, inks)
    if stack.card:
        face = Styled(" " * ((SLOT_CARD - face.cell_len) // 2)).append_text(face)
        return Styled("\n").join([Styled(), face]) if roomy else face
    if not stack.count:
        return Styled()
    back = Styled(BACK * SLOT_CARD, style=inks["river"])
    return Styled("\n").join([back] * 3) if roomy else back


def marked_card_text(card: Card, roomy: bool, say: Say, inks: Inks) -> Styled:
    """A card that is like no other: its value and year, its name and, where there is room, its signs in words."""
    top = Styled(f"{card.corner} ", style=f"bold {inks['ink']}")
    if not roomy:
        top.append_text(Styled(" ").join(sign(mark, inks) for mark in card.marks))
    top.append(card.foot.rjust(MARKED_CARD - len(top)), style=f"not bold {inks['faint']}")
    name = wrap(say(card.name), MARKED_CARD, max_lines=2 if roomy else 1, placeholder="…")
    lines = [top, *(Styled(line, style=inks["ink"]) for line in name)]
    if roomy:
        lines += [Styled()] * (3 - len(lines))
        words = (sign(mark, inks).append(say(mark.name), style=f"not bold {inks['ink']}") for mark in card.marks)
        lines.append(Styled(" ").join(words))
    return Styled("\n").join(lines)


def sign(mark: Mark, inks: Inks) -> Styled:
    return Styled(mark.sign, style=f"bold {inks[mark.ink]}")
