"""The drawings of the page and of every game: plain shapes in few inks, which the themes can recolour."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import brocante

HOME = Path(brocante.__file__).parent
#: Those of the antiques market are looked at more closely in tests/games/test_antiques_art.py.
DRAWINGS = [*sorted(HOME.glob("games/[!a]*/art/*.svg")), *sorted(HOME.glob("web/art/*.svg"))]
SHAPES = {"svg", "g", "path", "circle", "ellipse", "rect"}
#: An ink of the theme, with what it is where no theme says so; or none.
INK = re.compile(r"(currentColor|none|var\(--(paper|colour|second|river|olive|wine), #[0-9A-Fa-f]{6}\))")
BY_HAND = ("style", "class", "id", "filter", "href")
MAPS = ("map", "map-tall")


def parts(drawing: Path) -> list[ElementTree.Element]:
    return list(ElementTree.parse(drawing).iter())


@pytest.mark.parametrize("drawing", DRAWINGS, ids=lambda file: f"{file.parent.parent.name}-{file.stem}")
def test_a_drawing_is_made_of_plain_shapes_in_a_few_inks_of_the_theme(drawing: Path) -> None:
    inks = set()
    for part in parts(drawing):
        assert part.tag.rpartition("}")[2] in SHAPES
        assert not [name for name in BY_HAND if name in part.attrib]
        assert not (part.text or "").strip()
        for paint in ("fill", "stroke"):
            ink = INK.fullmatch(part.get(paint, "none"))
            assert ink, part.get(paint)
            inks.add(ink[2])
    assert len(inks - {None}) <= (4 if drawing.stem in MAPS else 3)
    assert drawing.stat().st_size < (12_000 if drawing.stem in MAPS else 6_000)


@pytest.mark.parametrize("game", ["antiques", "collection", "port", "vinto"])
def test_every_game_has_a_lid_and_a_card_back(game: str) -> None:
    assert (HOME / "web" / "art" / f"box-{game}.svg").exists()
    assert (HOME / "games" / game / "art" / "back.svg").exists()
