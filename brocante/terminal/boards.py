"""The board that all play on: its parts side by side where there is room, otherwise one below the other."""

from collections.abc import Iterator, Sequence

from rich.text import Text as Styled

from brocante.engine.text import Say
from brocante.engine.view import Card, Stack, Zone
from brocante.terminal.drawing import Inks, KeyOf, key_text, sign, touchable

GAP = 2  # columns between two things


def board_text(zones: Sequence[Zone], width: int, say: Say, inks: Inks, key_of: KeyOf) -> Styled:
    """Places first, then what is counted."""
    parts = [part(zone, say, inks, key_of) for zone in zones if zone.layout == "list"]
    tallies = [tally_text(stack, say, inks, key_of) for zone in zones if zone.layout == "sets" for stack in zone.stacks]
    if sum(max(line.cell_len for line in lines) + GAP for lines in parts) > width + GAP:
        return Styled("\n").join(line for things in (*parts, tallies) for line in flowing(things, width))
    return Styled("\n").join([*side_by_side(parts), Styled(), *in_columns(tallies, width)])


def part(zone: Zone, say: Say, inks: Inks, key_of: KeyOf) -> list[Styled]:
    """A part of the board: its name, the pieces that lie there, and its places."""
    title = Styled(say(zone.title), style=f"bold {inks['river']}")
    if zone.note:
        title.append(f" {say(zone.note)}", style=f"not bold {inks['faint']}")
    cards = [(stack, stack.card) for stack in zone.stacks if stack.card]
    pieces = [Styled(card.sign, style=f"bold {inks[card.ink]}") for _, card in cards if not card.marks]
    places = [place_text(stack, card, say, inks, key_of) for stack, card in cards if card.marks]
    return [title, Styled(" ").join(pieces), *places]


def place_text(stack: Stack, card: Card, say: Say, inks: Inks, key_of: KeyOf) -> Styled:
    """A place: the key that chooses it, its sign and value, whose it is and what is there."""
    line = key_text(stack, inks, key_of).append(f"{card.sign} ", style=f"bold {inks['ink']}")
    line.append(f"{card.corner} ", style=inks["faint"])
    line.append_text(Styled().join(sign(mark, inks) for mark in card.marks))
    if stack.note:
        line.append(f" {say(stack.note)}", style=f"bold {inks['wine']}" if stack.count else inks["faint"])
    return touchable(line, stack)


def tally_text(stack: Stack, say: Say, inks: Inks, key_of: KeyOf) -> Styled:
    """A thing to be counted, and the marks of those who had it."""
    assert stack.card
    line = key_text(stack, inks, key_of)
    line.append(say(stack.card.name), style=inks["ink"] if stack.moves else inks["faint"]).append(" ")
    line.append_text(Styled().join(sign(mark, inks) for mark in stack.card.marks))
    return touchable(line, stack)


def side_by_side(parts: Sequence[Sequence[Styled]]) -> Iterator[Styled]:
    """Every part a column."""
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
    """Things one after the other, none of them broken over two lines."""
    line = Styled()
    for thing in things:
        if line.cell_len and line.cell_len + GAP + thing.cell_len > width:
            yield line
            line = Styled()
        if thing.cell_len:
            line = line.append(" " * GAP if line.cell_len else "").append_text(thing)
    yield line
