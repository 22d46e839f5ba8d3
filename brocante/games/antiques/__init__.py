"""Vintage, the antiques market, by Bruno Faidutti (Matagot)."""

from brocante.engine.box import Box
from brocante.engine.options import Option
from brocante.games.antiques.deck_file import Deck

BOX = Box(
    "antiques",
    __name__,
    edition=1,
    version=1,
    authors=("Bruno Faidutti",),
    publisher="Matagot",
    minutes=20,
    ink="tomato",
    options=(
        Option(name="players", default=4, least=3, most=6),
        Option(name="take_that", default=False),
        Option(name="open_hoards", default=False),
        Option(name="deck", default="reconstructed", bring=Deck),
    ),
)
