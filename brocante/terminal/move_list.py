"""The list of what you can do."""

from collections.abc import Sequence

from rich.text import Text as Styled
from textual.geometry import Size
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from brocante.engine.moves import Move
from brocante.engine.text import Text
from brocante.engine.view import Card, Offer, View
from brocante.terminal.drawing import draw_signs
from brocante.terminal.pen import Pen


class MoveList(OptionList):
    """As high as it needs to be."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Lines are counted as they will be broken: beside the room that is kept for a scrollbar."""
        return super().get_content_height(container, viewport, width - self.styles.scrollbar_size_vertical)

    def show(self, offers: Sequence[Offer], view: View, pen: Pen) -> None:
        """Each move with its key and, where a single card is meant, its signs."""
        cards = marked_cards(view)
        self.clear_options()
        for offer in offers:
            line = Styled.assemble((f"{pen.keys.get(offer.move) or ' '}  ", f"bold {pen.inks['tomato']}"))
            if offer.move in cards:
                line.append_text(draw_signs(cards[offer.move], pen)).append(" ")
            line.append(pen.say(offer.label))
            self.add_option(Option(line, id=str(offer.move)))
        self.highlighted = 0 if offers else None
        self.display = bool(offers)
        if offers:
            self.focus()  # a list that was hidden has lost it
        self.border_title = pen.say(Text("terminal.moves"))


def marked_cards(view: View) -> dict[Move, Card]:
    """The single cards on the table that a move takes."""
    zones = [*(zone for place in view.table.places for zone in place.zones), *view.table.centre]
    stacks = [stack for zone in zones for stack in zone.stacks]
    return {move: stack.card for stack in stacks if stack.card and stack.card.marks for move in stack.moves}
