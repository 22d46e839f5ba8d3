"""What happened lately, in words."""

from collections.abc import Iterator

from rich.text import Text as Styled
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from brocante.engine.text import Text
from brocante.terminal.pen import Pen
from brocante.terminal.table_model import TableModel

LATELY = 300  # steps that the log goes back


class LogPanel(VerticalScroll, can_focus=False):
    def compose(self) -> ComposeResult:
        yield Static(id="told")

    def show(self, model: TableModel, until: int, pen: Pen) -> None:
        """What happened before step `until`."""
        self.border_title = pen.say(Text("terminal.log"))
        self.query_one("#told", Static).update(Styled("\n").join(draw_sentences(model, until, pen)))
        self.scroll_end(animate=False)


def draw_sentences(model: TableModel, until: int, pen: Pen) -> Iterator[Styled]:
    """Your own moves in ink, those of others faint."""
    for number in range(max(0, until - LATELY), until):
        style = pen.inks["ink" if model.is_own(number) else "faint"]
        for text in model.sentences(number):
            yield Styled(pen.say(text), style=style)
