"""The board that all play on: its parts side by side where there is room, otherwise one below the other."""

from collections.abc import Iterator, Sequence

from rich.text import Text as Styled

from brocante.engine.view import Card, Stack, Zone
from brocante.terminal.drawing import draw_key, draw_marks
from brocante.terminal.pen import Pen, clickable

GAP = 2  # columns between two things


def draw_board(zones: Sequence[Zone], width: int, pen: Pen) -> Styled:
    """Places first, then what is counted."""
    parts = [part(zone, pen) for zone in zones if zone.layout == "list"]
    tallies = [draw_tally(stack, pen) for zone in zones if zone.layout == "sets" for stack in zone.stacks]
    if sum(max(line.cell_len for line in lines) + GAP for lines in parts) > width + GAP:
        return Styled("\n").join(line for things in (*parts, tallies) for line in flowing(things, width))
    return Styled("\n").join([*side_by_side(parts), Styled(), *in_columns(tallies, width)])


def part(zone: Zone, pen: Pen) -> list[Styled]:
    """A part of the board: its name, the pieces that lie there, and its places."""
    title = Styled(pen.say(zone.title), style=f"bold {pen.inks['river']}")
    if zone.note:
        title.append(f" {pen.say(zone.note)}", style=f"not bold {pen.inks['faint']}")
    cards = [(stack, stack.card) for stack in zone.stacks if stack.card]
    pieces = [Styled(card.sign, style=f"bold {pen.inks[card.ink]}") for _, card in cards if not card.marks]
    places = [draw_place(stack, card, pen) for stack, card in cards if card.marks]
    return [title, Styled(" ").join(pieces), *places]


def draw_place(stack: Stack, card: Card, pen: Pen) -> Styled:
    """A place: the key that chooses it, its sign and value, whose it is and what is there."""
    line = draw_key(stack, pen).append(f"{card.sign} ", style=f"bold {pen.inks['ink']}")
    line.append(f"{card.corner} ", style=pen.inks["faint"])
    line.append_text(draw_marks(card, pen))
    if stack.note:
        line.append(f" {pen.say(stack.note)}", style=f"bold {pen.inks['wine']}" if stack.count else pen.inks["faint"])
    return clickable(line, stack)


def draw_tally(stack: Stack, pen: Pen) -> Styled:
    """Something that is counted, with the marks of those who had it."""
    assert stack.card
    line = draw_key(stack, pen)
    line.append(pen.say(stack.card.name), style=pen.inks["ink"] if stack.moves else pen.inks["faint"]).append(" ")
    line.append_text(draw_marks(stack.card, pen))
    return clickable(line, stack)


def side_by_side(parts: Sequence[Sequence[Styled]]) -> Iterator[Styled]:
    """One column for each part."""
    height, widths = max(map(len, parts)), [max(line.cell_len for line in part) for part in parts]
    for row in range(height):
        cells = [part[row] if row < len(part) else Styled() for part in parts]
        yield Styled(" " * GAP).join(padded(cell, width) for cell, width in zip(cells, widths, strict=True))


def in_columns(things: Sequence[Styled], width: int) -> Iterator[Styled]:
    """As many side by side as there is room for."""
    widest = max(thing.cell_len for thing in things)
    columns = max(1, (width + GAP) // (widest + GAP))
    for start in range(0, len(things), columns):
        yield Styled(" " * GAP).join(padded(thing, widest) for thing in things[start : start + columns])


def padded(line: Styled, width: int) -> Styled:
    return line.copy().append(" " * (width - line.cell_len))


def flowing(things: Sequence[Styled], width: int) -> Iterator[Styled]:
    """Things one after the other; none is broken over two lines."""
    line = Styled()
    for thing in things:
        if line.cell_len and line.cell_len + GAP + thing.cell_len > width:
            yield line
            line = Styled()
        if thing.cell_len:
            line = line.append(" " * GAP if line.cell_len else "").append_text(thing)
    yield line
