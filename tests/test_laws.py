"""Every game on the shelf obeys every law, and a game broken on purpose does not."""

from collections.abc import Callable

import pytest

import brocante
from brocante.engine.box import Box
from brocante.engine.options import Option
from brocante.engine.player_files import Brought
from brocante.games.antiques.deck_file import Deck, Item
from brocante.games.port.board import Board
from brocante.testing import (
    LAWS,
    backends_play_the_same_game,
    every_piece_is_in_exactly_one_place,
    nothing_shown_changes_with_a_redeal,
    records_replay_to_the_same_bytes,
)


@pytest.mark.parametrize("slug", brocante.GAMES)
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_every_game_obeys_the_law(law: Callable[[Box], None], slug: str) -> None:
    law(brocante.box(slug, backend="numba"))


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


def odd_board() -> Board:
    """Sixteen sites, everything as large as it may be, sets of a single barrel, and three kinds of cards."""
    figures = Board.built_in().for_record()
    figures["region"] = [{**region, "barrels": 8} for region in figures["region"]]
    figures["site"] = [{"id": f"baixo-{n}", "quality": 20, "price": 1 + 19 * (n % 2)} for n in range(1, 17)]
    figures["category"] = [
        {name: {"set": 1, "vp": 20, "spaces": 8}.get(name, value) for name, value in category.items()}
        for category in figures["category"]
    ]
    figures["action"] = [{**action, "circles": [9, 9, 9]} for action in figures["action"]]
    figures["bonus"] = {"values": [0, 8, 9]}
    kept = ("free", "age-barrel", "enologist")
    figures["card"] = [{**card, "count": 12 if card["id"] in kept else 0} for card in figures["card"]]
    return Board.from_record(figures)


@pytest.mark.parametrize(("slug", "name", "odd"), [("antiques", "deck", ODD_DECK), ("port", "board", odd_board())])
@pytest.mark.parametrize(
    ("law", "examples"),
    [
        (backends_play_the_same_game, 6),
        (every_piece_is_in_exactly_one_place, 10),
        (records_replay_to_the_same_bytes, 10),
        (nothing_shown_changes_with_a_redeal, 4),
    ],
    ids=lambda law: getattr(law, "__name__", ""),
)
def test_the_law_holds_with_what_somebody_brings(
    law: Callable[..., None], examples: int, slug: str, name: str, odd: Brought
) -> None:
    box = brocante.box(slug)
    option = Option(name=name, default="reconstructed", bring=type(odd), usual=(odd, odd, odd))
    options = (*(other for other in box.options if other.name != name), option)
    brought = box.on(box.backend)
    brought.options = options
    law(brought, examples)
