"""Which card flies from where to where, derived from two views: by hand, and from moves of real games."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import brocante
from brocante.engine.game import Game
from brocante.engine.moves import Move
from brocante.engine.text import language
from tests.web.browsing import Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")
NAMES = ("Ana", "Ben", "Cleo", "Dan")


def stack(kind: str | None, count: int = 1) -> dict[str, Any]:
    return {"card": kind and {"kind": kind}, "count": count}


def table(layout: str = "cards", **zones: list[dict[str, Any]]) -> dict[str, Any]:
    """A table with these zones: `a_…` before the first player, `b_…` before the second, others in the centre."""
    found = [(key, {"key": key.split("_")[-1], "layout": layout, "stacks": stacks}) for key, stacks in zones.items()]
    places = [
        {"seat": seat, "zones": [zone for key, zone in found if key.startswith(f"{letter}_")]}
        for seat, letter in enumerate("ab")
    ]
    return {"centre": [zone for key, zone in found if "_" not in key], "places": places, "board": []}


Flights = list[tuple[str, str, str]]


@pytest.mark.parametrize(
    ("before", "after", "flights"),
    [
        pytest.param(table(a_hand=[stack("cup")]), table(a_hand=[stack("cup")]), [], id="nothing"),
        pytest.param(
            table(a_hand=[stack("cup", 2)], a_sets=[stack("cup")]),
            table(a_hand=[stack("cup")], a_sets=[stack("cup", 2)]),
            [("0.hand", "0.sets", "cup")],
            id="a card is played",
        ),
        pytest.param(
            table(pack=[stack(None, 9)], a_hand=[]),
            table(pack=[stack(None, 8)], a_hand=[stack("cup")]),
            [("centre.pack", "0.hand", "cup")],
            id="a card is drawn, and turns out to be a cup",
        ),
        pytest.param(
            table(a_hand=[stack(None, 3)], b_sets=[]),
            table(a_hand=[stack(None, 2)], b_sets=[stack("cup")]),
            [("0.hand", "1.sets", "cup")],
            id="a hidden card is shown",
        ),
        pytest.param(
            table(a_hand=[stack("cup")], discard=[]),
            table(a_hand=[], discard=[stack(None)]),
            [("0.hand", "centre.discard", "cup")],
            id="a card is put away face down",
        ),
        pytest.param(
            table(a_hand=[stack("cup"), stack("jug")], b_hand=[stack("jug")]),
            table(a_hand=[stack("jug", 2)], b_hand=[stack("cup")]),
            [("0.hand", "1.hand", "cup"), ("1.hand", "0.hand", "jug")],
            id="two are exchanged",
        ),
        pytest.param(
            table("row", discard=[stack("cup")], a_hand=[stack("jug")]),
            table("row", discard=[stack("jug", 2)], a_hand=[]),
            [("0.hand", "centre.discard", "jug")],
            id="a card covers another",
        ),
        pytest.param(
            table(a_hand=[stack("cup")]), table(a_hand=[stack("jug")]), [], id="what appears comes from nowhere"
        ),
        pytest.param(
            table(pack=[stack(None, 40)], a_hand=[]),
            table(pack=[], a_hand=[stack(None, 40)]),
            [("centre.pack", "0.hand", "?")] * 14,
            id="not more than can be followed",
        ),
    ],
)
async def test_what_a_pile_has_less_and_another_more_flies(
    workbench: Visitor, before: dict[str, Any], after: dict[str, Any], flights: Flights
) -> None:
    found = await workbench.call("./table/moved_pieces.js", "flightsBetween", before, after)
    assert Counter((it["from"], it["to"], it["kind"]) for it in found) == Counter(flights)


def played_until(game: Game, wanted: Callable[[Game], Move | None]) -> tuple[dict[str, Any], dict[str, Any], Move]:
    """The views of the one who makes a move of a kind, before and after it; the first legal move until then."""
    while True:
        move = wanted(game)
        before = game.view(game.actor)
        game.play(move or game.legal_moves[0])
        if move:
            views = (view.plain(language("en"), NAMES) for view in (before, game.view(move.seat)))
            return next(views), next(views), move


def named(name: str) -> Callable[[Game], Move | None]:
    return lambda game: next((move for move in game.legal_moves if move.name() == name), None)


async def flown(visitor: Visitor, game: str, before: Any, after: Any) -> set[tuple[str, str]]:
    found = await visitor.call(f"./games/{game}/flights.js", "flights", before, after)
    return {(it["from"], it["to"]) for it in found}


@pytest.mark.parametrize(
    ("game", "move", "flights"),
    [
        ("collection", "place", {("{seat}.hand", "{seat}.table")}),
        ("port", "mark", {("{seat}.markers", "marks.")}),
        ("port", "load", {("crop.", "{seat}.boat.")}),
        ("vinto", "draw", {("centre.draw", "centre.drawn")}),
        ("vinto", "play", {("centre.drawn", "centre.discard")}),
        ("vinto", "swap", {("{seat}.row", "centre.discard"), ("centre.drawn", "{seat}.row")}),
    ],
)
async def test_a_move_of_a_game_flies_where_it_goes(
    workbench: Visitor, game: str, move: str, flights: set[tuple[str, str]]
) -> None:
    before, after, made = played_until(brocante.deal(game, seed="flights"), named(move))
    found = await flown(workbench, game, before, after)
    for wanted in flights:
        start, end = (pile.format(seat=made.seat) for pile in wanted)
        assert any(one.startswith(start) and other.startswith(end) for one, other in found), (wanted, found)
