"""Zones and stacks as coloured text: what a table looks like in a terminal."""

from collections.abc import Mapping

from rich.text import Text as Styled

from brocante.engine.text import Say, Text
from brocante.engine.view import Place, Stack, Zone

Inks = Mapping[str, str]

FULL, EMPTY, BACK, ACTING = "▮", "▯", "▒", "▶"
ROOMY_CARD, SMALL_CARD = 9, 8  # columns inside a card
MANY = 12  # a pile of more cards than this is drawn as thick as this


def heading(place: Place, name: str, acting: bool, say: Say, inks: Inks) -> Styled:
    """The name of a player and their points."""
    line = Styled.assemble((f"{ACTING} " if acting else "  ", inks["tomato"]))
    line.append(name, style=f"bold {inks['ink']}")
    line.append(f"  {say(Text('points', n=place.score))}", style=inks["faint"])
    return line


def zone_text(zone: Zone, say: Say, inks: Inks) -> Styled:
    """A zone as one or more lines."""
    if zone.layout == "sets":
        return sets_text(zone, say, inks)
    line = Styled.assemble((f"{say(zone.title)}  ", inks["faint"]))
    parts = [pile_text(stack, inks) for stack in zone.stacks]
    line.append_text(Styled("  ").join(parts) if parts else Styled("–", style=inks["faint"]))
    return line


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
    return Styled(f"{stack.card.sign}{stack.count}", style=inks[stack.card.ink])


def compact_text(zones: tuple[Zone, ...], inks: Inks) -> Styled:
    """What lies before a player in one line, for a narrow terminal: sets as 3/7, piles by their numbers."""
    parts = []
    for zone in zones:
        if zone.layout == "sets":
            parts += [Styled(f"{s.card.sign}{s.count}/{s.goal}", inks[s.card.ink]) for s in zone.stacks if s.card]
        else:
            parts += [pile_text(stack, inks) for stack in zone.stacks if stack.card is None]
    return Styled("  ").join([Styled(" "), *parts])


def card_text(stack: Stack, roomy: bool, say: Say, inks: Inks) -> Styled:
    """A card to pick up: how many make a set in the corner, its sign, how many one holds, its name."""
    assert stack.card
    ink = inks[stack.card.ink]
    inside = ROOMY_CARD if roomy else SMALL_CARD
    count = f"×{stack.count}" if stack.count > 1 else ""
    name = Styled(say(stack.card.name)[:inside].center(inside), style=ink)
    sign = Styled(stack.card.sign.center(inside), style=f"bold {ink}")
    if roomy:
        return Styled("\n").join([Styled(stack.card.corner.ljust(inside - len(count)) + count, ink), sign, name])
    top = f"{stack.card.corner} {stack.card.sign}"
    return Styled("\n").join([Styled(top.ljust(inside - len(count)) + count, style=f"bold {ink}"), name])
