"""What lies before you: lines of text, and your cards to touch."""

from collections.abc import Iterator, Sequence

from rich.text import Text as Styled
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Static

from brocante.engine.view import Stack, View, Zone
from brocante.terminal.card_faces import draw_card, draw_slot_card, draw_worded_card, draw_worded_line
from brocante.terminal.drawing import draw_bars, draw_piles, draw_zone
from brocante.terminal.other_players import draw_name
from brocante.terminal.pen import Pen
from brocante.terminal.touchable import CardButton, Touchable

SMALL_CARD, CARD, MARKED_CARD, SLOT_CARD = 10, 14, 23, 9  # columns that a card takes, with its border


class OwnPlace(Touchable):
    """Your name, and everything that is not a card to touch."""

    def show(self, view: View, pen: Pen) -> None:
        mine = view.table.places[0]
        zones = (line for zone in mine.zones for line in self._lines(zone, view, pen))
        self.update(Styled("\n").join([draw_name(mine, view, pen), *zones]))

    def _lines(self, zone: Zone, view: View, pen: Pen) -> Iterator[Styled]:
        if zone.layout in ("sets", "list") or (zone.layout == "slots" and view.result):
            yield draw_zone(zone, pen)
        elif zone.layout == "slots":
            if zone.note:
                yield Styled(pen.say(zone.note), style=f"italic {pen.inks['tomato']}")
        elif zone.layout == "bars":
            yield draw_bars(zone, pen, feet=True)
        elif zone.layout != "cards":
            yield draw_piles(zone, pen)


class OwnCards(Vertical):
    """Your cards, in as many rows as they need."""

    async def show(self, view: View, roomy: bool, pen: Pen) -> None:
        """Large where there is room."""
        self.display = view.result is None
        await self.remove_children()
        for zone in view.table.places[0].zones:
            if zone.layout == "cards":
                await self.mount_all(self._hand(zone, roomy, pen))
            elif zone.layout == "slots":
                faces = [draw_slot_card(stack, roomy, pen) for stack in zone.stacks]
                slots = zip(zone.stacks, faces, range(1, len(faces) + 1), strict=True)
                cards = [CardButton(stack, pen.key(stack), face, slot) for stack, face, slot in slots]
                await self.mount_all(self._rows(cards, SLOT_CARD))

    def _hand(self, zone: Zone, roomy: bool, pen: Pen) -> Iterator[Widget]:
        """A hand; with a title where all cards are different."""
        cards = [stack.card for stack in zone.stacks if stack.card]
        if any(card.does for card in cards):
            yield from self._worded_cards(zone, roomy, pen)
            return
        marked = any(card.marks for card in cards)
        resting = not any(stack.moves for stack in zone.stacks)
        if not zone.stacks or (marked and resting and not roomy):
            yield Static(draw_piles(zone, pen), classes="zone-title")
            return
        if marked:
            yield Static(pen.say(zone.title), classes="zone-title")
        buttons = [CardButton(stack, pen.key(stack), draw_card(stack, roomy, pen)) for stack in zone.stacks]
        yield from self._rows(buttons, MARKED_CARD if marked else CARD if roomy else SMALL_CARD)

    def _worded_cards(self, zone: Zone, roomy: bool, pen: Pen) -> Iterator[Widget]:
        """Cards that say what they do; where there is little room, each in a line."""
        if roomy:
            each = [stack for stack in zone.stacks for _ in range(stack.count)]
            yield from self._rows([worded_card(stack, pen) for stack in each], MARKED_CARD)
        else:
            for stack in zone.stacks:
                yield Touchable(draw_worded_line(stack, pen), classes="worded-line")

    def _rows(self, cards: Sequence[CardButton], width: int) -> Iterator[Widget]:
        """So many columns each, side by side as far as there is room."""
        in_a_row = max(1, self.screen.query_one("#felt").size.width // width)
        for start in range(0, len(cards), in_a_row):
            yield Horizontal(*cards[start : start + in_a_row], classes="cards")


def worded_card(stack: Stack, pen: Pen) -> CardButton:
    assert stack.card
    face = draw_worded_card(stack.card, pen) if stack.card.does else draw_card(stack, roomy=True, pen=pen)
    return CardButton(stack, pen.key(stack), face)
