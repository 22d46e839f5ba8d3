"""The list of what you can do, and the key of each move."""

from collections.abc import Sequence

from rich.text import Text as Styled
from textual.geometry import Size
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from brocante.engine.moves import Move
from brocante.engine.text import Text
from brocante.engine.view import Card, Offer, Place, Stack, View
from brocante.terminal.drawing import draw_signs
from brocante.terminal.pen import Pen

ITEM_KEYS = "123456789acefghijkmostvwxyzACEFGHIJKMOSTVWXYZ"  # for what has no key of its own
NUMBERED = 9  # of your cards in slots have their numbers for keys


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


def as_they_lie(view: View) -> list[Offer]:
    """The offers, those that touch cards in the order in which the cards lie: yours, then the others'."""
    touched = [move for stack in stacks_of(view.table.places) for move in stack.moves]
    order = {move: number for number, move in reversed([*enumerate(touched)])}
    lying = iter(sorted((o for o in view.offers if o.move in order), key=lambda offer: order[offer.move]))
    return [next(lying) if offer.move in order else offer for offer in view.offers]


def stacks_of(places: Sequence[Place], layout: str = "") -> list[Stack]:
    """The stacks before the players, yours first, in all zones or in those of one layout."""
    zones = [zone for place in places for zone in place.zones]  # the person sits at the first place
    return [stack for zone in zones if layout in ("", zone.layout) for stack in zone.stacks]


def keys_of(view: View, offers: Sequence[Offer]) -> dict[Move, str]:
    """A key for each move: its own, the one of the card's slot, or the next free one."""
    keys = {offer.move: offer.key for offer in offers if offer.key}
    in_slots = slot_keys(view, set(keys.values()))
    taken = {*keys.values(), *in_slots.values()}
    free = iter([key for key in ITEM_KEYS if key not in taken])
    return {offer.move: keys.get(offer.move) or in_slots.get(offer.move) or next(free, "") for offer in offers}


def slot_keys(view: View, taken: set[str]) -> dict[Move, str]:
    """The keys of cards in slots: numbers for your first nine, then the free keys in order. Cards that cannot be
    touched have keys too, so that none changes between the two choices of a move."""
    mine, others = (stacks_of(places, "slots") for places in (view.table.places[:1], view.table.places[1:]))
    if not any(stack.moves for stack in mine + others):
        return {}
    numbers = [str(n + 1) for n in range(min(len(mine), NUMBERED))]
    free = iter([key for key in ITEM_KEYS if key not in taken and key not in numbers])
    keyed = zip([*mine, *others], [*numbers, *(next(free, "") for _ in [*mine[NUMBERED:], *others])], strict=True)
    return {move: key for stack, key in reversed([*keyed]) for move in stack.moves}
