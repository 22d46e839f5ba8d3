"""Collection, by Luisa Cagnetti, Francesco Cagnetti and Leo Colovini."""

from brocante.engine.box import Box
from brocante.engine.options import Option

BOX = Box(
    "collection",
    __name__,
    edition=1,
    version=1,
    authors=("Luisa Cagnetti", "Francesco Cagnetti", "Leo Colovini"),
    publisher=None,
    minutes=20,
    ink="teal",
    options=(
        Option(name="players", default=3, least=2, most=4),
        Option(name="target", default=None, least=1, most=10_000, usual=(60, 100)),
    ),
)
