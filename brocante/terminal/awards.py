"""The final scoring, one award after another, with the scores as they grow."""

from collections.abc import Iterator, Sequence

from rich.text import Text as Styled

from brocante.engine.text import Player, Text
from brocante.engine.view import Award
from brocante.terminal.pen import Pen


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


def how_many_left(awards: Sequence[Award], shown: int) -> Text:
    return Text("terminal.awards_left", n=len(awards) - shown)
