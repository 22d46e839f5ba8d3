"""Every game on the shelf obeys every law, and a game broken on purpose does not."""

from collections.abc import Callable

import pytest

import brocante
from brocante.engine.box import Box
from brocante.engine.options import Option
from brocante.games.antiques.deck import Deck, Item
from brocante.testing import (
    LAWS,
    compiled_play_stays_in_bounds,
    every_piece_is_in_exactly_one_place,
    interpreted_and_compiled_play_are_the_same,
    nothing_shown_changes_with_a_redeal,
    records_replay_to_the_same_bytes,
)


@pytest.mark.parametrize("slug", brocante.GAMES)
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_every_game_obeys_the_law(law: Callable[[Box], None], slug: str) -> None:
    law(brocante.box(slug))


#: Eight categories and six colours, one word for both, all from two years, worth a fortune or nothing.
ODD_DECK = Deck(
    tuple(
        Item(
            f"thing-{n}",
            f"kind-{n % 7}" if n % 8 else "other",
            f"hue-{n % 5}" if n % 6 else "other",
            1959 + n % 2,
            value,
        )
        for n, value in enumerate([0, 1_000_000, 7] * 21)
    )
)


@pytest.mark.parametrize(
    ("law", "examples"),
    [
        (interpreted_and_compiled_play_are_the_same, 3),
        (compiled_play_stays_in_bounds, 6),
        (every_piece_is_in_exactly_one_place, 10),
        (records_replay_to_the_same_bytes, 10),
        (nothing_shown_changes_with_a_redeal, 4),
    ],
    ids=lambda law: getattr(law, "__name__", ""),
)
def test_the_law_holds_with_a_deck_that_somebody_brings(law: Callable[..., None], examples: int) -> None:
    box = brocante.box("antiques")
    deck = Option(name="deck", default="reconstructed", bring=Deck, usual=(ODD_DECK, ODD_DECK, ODD_DECK))
    options = (*(option for option in box.options if option.name != "deck"), deck)
    brought = Box(
        box.slug,
        version=box.version,
        authors=box.authors,
        publisher=box.publisher,
        minutes=box.minutes,
        ink=box.ink,
        options=options,
        rules=box.rules,
        moves=box.moves,
        view=box.view,
        greedy=box.greedy,
    )
    law(brought, examples)
