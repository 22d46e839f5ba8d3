"""What lies before the other players: a panel each, in full where they fit, otherwise a line or two."""

from collections.abc import Sequence

from rich.text import Text as Styled
from textual.containers import Container

from brocante.engine.text import Player
from brocante.engine.view import Place, View
from brocante.terminal.drawing import draw_compact, draw_heading, draw_zone
from brocante.terminal.pen import Pen
from brocante.terminal.touchable import Touchable

LEAST_PANEL, MOST_PANEL = 30, 38  # columns that everything before one player takes
BELOW = 15  # lines that your own cards take below the others


class PlayerPanel(Touchable):
    """What lies before another player."""


class OtherPlayers(Container):
    async def seat(self, seats: Sequence[int]) -> None:
        """A panel for each of the others; a new game may be played with more people or fewer."""
        wanted = [f"seat-{seat}" for seat in seats]
        if [panel.id for panel in self.query(PlayerPanel)] != wanted:
            await self.remove_children()
            await self.mount_all(PlayerPanel(id=name) for name in wanted)

    def show(self, view: View, columns: int, pen: Pen) -> None:
        """In so many columns; in lines where that is 0."""
        self.styles.grid_size_columns = columns or 1
        for place in view.table.places[1:]:
            drawn = draw_panel(place, view, pen) if columns else draw_small_panel(place, view, pen)
            self.query_one(f"#seat-{place.seat}", PlayerPanel).update(drawn)


def columns_for(view: View, width: int, height: int, pen: Pen) -> int:
    """In how many columns the panels can be drawn in full, and still leave room for your own cards; 0 if in none. Where
    there is no board, your cards may be scrolled to if the panels are side by side."""
    panels = [draw_panel(place, view, pen).split("\n") for place in view.table.places[1:]]
    widest = max(line.cell_len for panel in panels for line in panel) + 5  # the border, and what is around it
    columns = min(len(panels), width // min(max(widest, LEAST_PANEL), MOST_PANEL))
    if not columns:
        return 0
    rows = -(-len(panels) // columns)
    fits = rows * (max(map(len, panels)) + 2) + BELOW <= height
    return columns if fits or (rows == 1 and not view.table.board) else 0


def draw_panel(place: Place, view: View, pen: Pen) -> Styled:
    return Styled("\n").join([draw_name(place, view, pen), *(draw_zone(zone, pen) for zone in place.zones)])


def draw_small_panel(place: Place, view: View, pen: Pen) -> Styled:
    return Styled("\n").join([draw_name(place, view, pen), draw_compact(place.zones, pen)])


def draw_name(place: Place, view: View, pen: Pen) -> Styled:
    return draw_heading(place, pen.say(Player(place.seat)), place.seat == view.actor, pen)
