"""The final scoring and who won."""

from collections.abc import Iterator

from rich.text import Text as Styled
from textual.widgets import Static

from brocante.engine.text import Player, Text
from brocante.engine.view import Result, View
from brocante.terminal.awards import draw_awards, how_many_left
from brocante.terminal.pen import Pen
from brocante.terminal.table_model import TableModel


class ResultPanel(Static):
    def show(self, model: TableModel, view: View, awarded: int, pen: Pen) -> None:
        """So many awards of the final scoring and, when they are all told, who came where."""
        self.display = view.result is not None
        if view.result is None:
            return
        lines: list[Styled] = []
        done = awarded >= len(view.awards)
        if view.awards:
            lines += [*draw_awards(view.awards[:awarded], done, pen), Styled()]
        if done:
            lines += draw_result(model, view.result, pen)
        else:
            lines.append(Styled(pen.say(how_many_left(view.awards, awarded)), style=f"italic {pen.inks['faint']}"))
        self.update(Styled("\n").join(lines))


def draw_result(model: TableModel, result: Result, pen: Pen) -> Iterator[Styled]:
    """Who won, who came where, and where the record of the game is."""
    winners = tuple(Player(seat) for seat in result.winners)
    key = "terminal.win.shared" if len(winners) > 1 else "terminal.win.they"
    won = Text("terminal.win.you") if result.winners == (model.seat,) else Text(key, winners=winners)
    yield Styled(pen.say(won), style=f"bold {pen.inks['tomato']}")
    for seat in sorted(range(len(result.ranks)), key=lambda seat: result.ranks[seat]):
        points = pen.say(Text("points", n=result.scores[seat]))
        yield Styled(f"{result.ranks[seat]}.  {pen.say(Player(seat))}  {points}")
    if model.epilogue:
        yield Styled(pen.say(model.epilogue), style=pen.inks["faint"])
