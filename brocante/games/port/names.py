"""What boards, moves and records call things, in the order in which the rules count them."""

from typing import Literal, get_args

ActionId = Literal["buy", "vineyard", "brandy", "harvest", "boat", "age", "draw"]
CardId = Literal[
    "buying",
    "planting",
    "harvest",
    "free",
    "colheita",
    "boat",
    "age-barrel",
    "age-quality",
    "enologist",
    "vintage",
]
CategoryId = Literal["ruby", "reserva", "lbv", "vintage", "tawny", "tawny-reserva", "aged", "colheita"]
AddedId = Literal[CategoryId, "none"]  # P24
ColumnId = Literal["ruby-1", "ruby-2", "tawny-1", "tawny-2"]
HarbourId = Literal["gaia", "baixo", "cima", "superior"]
ExtraId = Literal["none", "discount", "vineyard", "brandy"]

ACTION_IDS: tuple[ActionId, ...] = get_args(ActionId)
CARD_IDS: tuple[CardId, ...] = get_args(CardId)
CATEGORY_IDS: tuple[CategoryId, ...] = get_args(CategoryId)
COLUMN_IDS: tuple[ColumnId, ...] = get_args(ColumnId)
HARBOUR_IDS: tuple[HarbourId, ...] = get_args(HarbourId)
EXTRA_IDS: tuple[ExtraId, ...] = get_args(ExtraId)
REGION_IDS = HARBOUR_IDS[1:]  # P1: those that hold sites
