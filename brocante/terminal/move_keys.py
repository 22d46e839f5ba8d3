"""Which key makes which move, in the order in which the moves are listed."""

from collections.abc import Sequence

from brocante.engine.moves import Move
from brocante.engine.view import Offer, Place, Stack, View

ITEM_KEYS = "123456789acefghijkmostvwxyzACEFGHIJKMOSTVWXYZ"  # for what has no key of its own
NUMBERED = 9  # of your cards in slots have their numbers for keys


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
