"""The final scoring, one award after another with the scores as they grow, and who won."""

from collections.abc import Iterator, Sequence

from rich.text import Text as Styled
from textual.widgets import Static

from brocante.engine.text import Player, Text
from brocante.engine.view import Award, Result, View
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
            left = pen.say(Text("terminal.awards_left", n=len(view.awards) - awarded))
            lines.append(Styled(left, style=f"italic {pen.inks['faint']}"))
        self.update(Styled("\n").join(lines))


def draw_awards(awards: Sequence[Award], done: bool, pen: Pen) -> Iterator[Styled]:
    """The awards so far and the totals; until `done`, what the last award added."""
    for award in awards:
        sign, ink = (f"{award.mark.sign:2} ", award.mark.ink) if award.mark else ("   ", "ink")
        title, why = (f"{pen.say(award.title)}  ", f"bold {pen.inks['ink']}"), (pen.say(award.why), pen.inks["faint"])
        yield Styled.assemble((sign, f"bold {pen.inks[ink]}"), title, why)
    totals = [sum(award.points[seat] for award in awards) for seat in range(len(awards[0].points))]
    latest = awards[-1].points
    line = Styled("   ")
    for seat, total in enumerate(totals):
        gained = f" +{latest[seat]}" if latest[seat] and len(awards) > 1 and not done else ""
        style = f"bold {pen.inks['tomato']}" if gained else pen.inks["ink"]
        line.append(f"{pen.say(Player(seat))} {total}{gained}   ", style=style)
    yield Styled()
    yield line


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
