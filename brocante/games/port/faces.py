"""Names and signs of everything: players, sites, harvests, categories, cards."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from brocante.engine.text import Player, Text
from brocante.engine.view import Card, Mark
from brocante.games.port.board import BY_A_CARD, board_of
from brocante.games.port.names import ACTION_IDS, CARD_IDS, CATEGORY_IDS, COLUMN_IDS, HARBOUR_IDS
from brocante.games.port.rules import BOAT_CARD, MORE_BARRELS, ON_A_SIDE, PAID_BY_A_CARD

#: A sign and an ink for each player, for boats, markers and Estates.
SIGNS = "●▲■★"
FREE_SIGNS = "○△□☆"  # for circles that belong to one player
INKS = ("river", "tomato", "mustard", "olive")
MARKS = tuple(Mark(sign, ink, Player(seat)) for seat, (sign, ink) in enumerate(zip(SIGNS, INKS, strict=True)))

ROMAN = ("I", "II", "III", "IV", "V", "VI")  # rounds
NOBODYS = Mark("·", "faint", Text("port.nobody"))
VINEYARD = Mark("♣", "olive", Text("port.cube.vineyard"))
BRANDY = Mark("♦", "mustard", Text("port.cube.brandy"))
NO_CUBE = Mark("·", "faint", Text("port.cube.none"))
FREE_CIRCLE = Mark("○", "faint", Text("port.circle"))
OWN_CIRCLES = tuple(
    Mark(sign, ink, Text("port.circle_of", player=Player(seat)))
    for seat, (sign, ink) in enumerate(zip(FREE_SIGNS, INKS, strict=True))
)
BOARDS_AT_HAND = 64  # boards whose categories are cached

CATEGORY_INKS = ("wine", "mustard")  # Ruby and Tawny
CATEGORY_SIGNS = ("Rub", "Res", "LBV", "Vin", "Taw", "TRes", "Aged", "Col")


def harbour_name(harbour: int) -> Text:
    return Text(f"port.harbour.{HARBOUR_IDS[harbour]}")


def site_name(s: Any, i: int) -> Text:
    return named_site(board_of(s).ids[i])


@cache
def named_site(site: str) -> Text:
    region, _, n = site.partition("-")
    return Text("port.site", region=Text(f"port.harbour.{region}"), n=n)


@cache
def act_name(act: int) -> Text:
    return Text(f"port.action.{ACTION_IDS[act]}")


def card_name(k: int) -> Text:
    return Text(f"port.card.{CARD_IDS[k]}")


def column_name(column: int) -> Text:
    return Text(f"port.column.{COLUMN_IDS[column]}")


def category_name(c: int) -> Text:
    return Text(f"port.category.{CATEGORY_IDS[c]}")


def harvest_name(barrels: int, quality: int) -> Text:
    """Three barrels of quality 7."""
    return Text("port.harvest", n=int(barrels), quality=int(quality))


def harvest_sign(barrels: int, quality: int) -> str:
    """The same where there is little room: 3×Q7."""
    return f"{barrels}×Q{quality}"


CARD_FACES = tuple(
    Card(
        kind,
        card_name(k),
        "",
        "wine",
        does=Text(f"port.does.{kind}", moves=BOAT_CARD, barrels=MORE_BARRELS, vp=PAID_BY_A_CARD),
    )
    for k, kind in enumerate(CARD_IDS)
)
#: The cards by what the log calls them.
PICTURES = {card.name: card for card in CARD_FACES}


def category_faces(s: Any) -> tuple[Card, ...]:
    """The categories of the warehouse, with the qualities that reach each and what it pays when it is complete."""
    return faces_of(tuple(s.least.tolist()), tuple(s.pays.tolist()))


@lru_cache(maxsize=BOARDS_AT_HAND)
def faces_of(least: tuple[int, ...], pays: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple(
        Card(
            id_,
            category_name(c),
            CATEGORY_SIGNS[c],
            CATEGORY_INKS[c // ON_A_SIDE],
            corner=reached_by(least, c),
            foot=f"+{pays[c]}",
        )
        for c, id_ in enumerate(CATEGORY_IDS)
    )


def reached_by(least: Sequence[int], c: int) -> str:
    """The qualities that reach a category; nothing for the one that takes a card (P3)."""
    if least[c] == BY_A_CARD:
        return ""
    above = c + 1 if (c + 1) % ON_A_SIDE and least[c + 1] != BY_A_CARD else None
    return f"{least[c]}–{least[above] - 1}" if above else f"{least[c]}+"
