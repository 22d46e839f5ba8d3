"""Vinto, official composite rules."""

from brocante.engine.box import Box
from brocante.engine.options import Option

BOX = Box(
    "vinto",
    __name__,
    edition=2,
    version=2,
    authors=(),
    publisher=None,
    minutes=30,
    ink="midnight",
    options=(
        Option(name="players", default=4, least=4, most=5),
        Option(name="king", default="declare", choices=("declare", "wild")),
        Option(name="rounds", default=4, least=1, most=100, usual=(1, 2, 8)),
        Option(
            name="minutes", default=None, least=1, most=600, usual=(15, 30, 45, 60), instead_of="rounds", clock=True
        ),
        Option(name="max_turns", default=None, least=1, most=1000, usual=(20,)),
        Option(name="memory_aid", default=False),
    ),
)
