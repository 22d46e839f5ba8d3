"""Vintage, Port wine of the Douro, by Gil d’Orey (MESAboardgames), simple version."""

from brocante.engine.box import Box
from brocante.engine.options import Option
from brocante.games.port.board import Board

BOX = Box(
    "port",
    __name__,
    edition=2,
    version=2,
    authors=("Gil d’Orey",),
    publisher="MESAboardgames",
    minutes=60,
    ink="wine",
    options=(
        Option(name="players", default=3, least=2, most=4),
        Option(name="board", default="reconstructed", bring=Board),
    ),
)
