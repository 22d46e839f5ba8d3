"""The line at the top: which game, how it stands, the clock, and what lies in the middle of the table."""

from rich.text import Text as Styled

from brocante.engine.view import View
from brocante.terminal.drawing import draw_centre
from brocante.terminal.pen import Pen
from brocante.terminal.table_model import TableModel
from brocante.terminal.touchable import Touchable


class StatusLine(Touchable):
    def show(self, model: TableModel, view: View, pen: Pen) -> None:
        line = Styled.assemble((f" {pen.say(model.box.title)} ", f"bold reverse {pen.inks[model.box.ink]}"))
        line.append(f"  {pen.say(view.table.status)}")
        if model.seconds_left is not None and not model.is_over:
            minutes, seconds = divmod(model.seconds_left, 60)
            line.append(f"  ◷ {minutes}:{seconds:02}", style=pen.inks["faint"])
        for zone in view.table.centre:
            line.append("    ").append_text(draw_centre(zone, pen))
        self.update(line)
