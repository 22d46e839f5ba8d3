"""The races for bonuses: who is ahead in what."""

from collections.abc import Sequence

from rich.table import Table as Grid
from rich.text import Text as Styled

from brocante.engine.state import NOBODY
from brocante.engine.text import Player, Text
from brocante.engine.view import Race
from brocante.terminal.drawing import FULL
from brocante.terminal.pen import Pen

UNKNOWN = "?"
BLOCK, BLOCK_WITH_NAMES = 46, 54  # columns that one block of the table takes


def draw_races(races: Sequence[Race], width: int, seat: int, pen: Pen) -> Grid:
    """All races as seen from a seat, in as many blocks side by side as fit."""
    names = any(None not in race.counts for race in races)
    blocks = max(1, min(3, width // (BLOCK_WITH_NAMES if names else BLOCK)))
    height = -(-len(races) // blocks)
    grid = Grid.grid(padding=(0, 3, 0, 0))
    parts = [races[i * height : (i + 1) * height] for i in range(blocks)]
    grid.add_row(*(block(part, seat, pen) for part in parts if part))
    return grid


def block(races: Sequence[Race], seat: int, pen: Pen) -> Grid:
    grid = Grid(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style=pen.inks["faint"])
    grid.add_column(pen.say(Text("terminal.race.bonus")), no_wrap=True)
    best = "best" if races[0].winner is None else "winner"
    for column in ("points", "you", best, "open", "left"):
        grid.add_column(pen.say(Text(f"terminal.race.{column}")), justify="right", no_wrap=True)
    for race in races:
        grid.add_row(*row(race, seat, pen))
    return grid


def row(race: Race, seat: int, pen: Pen) -> list[Styled]:
    """The bonus, its points, your count, the best of the others, how many are open and how many are left."""
    mark = Styled(f"{race.mark.sign:2} ", style=f"bold {pen.inks[race.mark.ink]}")
    mark.append(pen.say(race.mark.name), style=f"not bold {pen.inks['ink']}")
    mine = race.counts[seat] or 0
    yours = Styled(f"{FULL * min(mine, 5)} {mine}", style=f"bold {pen.inks['tomato']}" if mine else pen.inks["faint"])
    points, on_show, left = (Styled(str(n), style=pen.inks["faint"]) for n in (race.points, race.open, race.left))
    return [mark, points, yours, best_of_the_others(race, seat, pen), on_show, left]


def best_of_the_others(race: Race, seat: int, pen: Pen) -> Styled:
    """The leader among the others, if that is public; at the end, the winner."""
    if race.winner is not None and race.winner != NOBODY:
        return Styled(f"→ {pen.say(Player(race.winner))}", style=f"bold {pen.inks['tomato']}")
    others = {other: n for other, n in enumerate(race.counts) if other != seat}
    shown = {other: n for other, n in others.items() if n is not None}
    if len(shown) < len(others):
        return Styled(UNKNOWN, style=pen.inks["faint"])
    first = max(shown, key=lambda other: shown[other])
    return Styled(f"{pen.say(Player(first))} {shown[first]}" if shown[first] else "0", style=pen.inks["faint"])
