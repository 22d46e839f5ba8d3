"""The drawings of the antiques market: one for each object, in three inks, in colours that everyone can tell apart."""

import re
import tomllib
import xml.etree.ElementTree as ET
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from brocante.games import antiques
from brocante.games.antiques.deck_file import Deck

ART = Path(antiques.__file__).parent / "art"
INKS = tomllib.loads((ART / "inks.toml").read_text())
OBJECTS = {item.id: item for item in Deck.built_in().items}
DRAWINGS = sorted(ART.glob("*.svg"))
ROOT = {"viewBox": "0 0 64 64", "fill": "none", "stroke-linejoin": "round", "stroke-linecap": "round"}
PAPER = f"var(--paper, {INKS['light']['paper']})"

#: What people with each kind of colour blindness see of red, green and blue light (Machado, Oliveira, Fernandes 2009).
SIGHT = {
    "full": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "without red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "without green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "without blue": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
JUST_ABOUT_THE_SAME = 2.3  # a difference in CIELAB that an eye barely notices


def test_every_object_colour_category_and_decade_has_a_drawing_and_there_are_no_others() -> None:
    deck = Deck.built_in()
    signs = [f"colour-{c}" for c in deck.colours] + [f"category-{c}" for c in deck.categories]
    decades = [f"decade-{year}" for year in (1950, 1960, 1970)]
    assert {path.stem for path in DRAWINGS} == {*deck.ids, *signs, *decades, "back"}


@pytest.mark.parametrize("path", DRAWINGS, ids=lambda path: path.stem)
def test_a_drawing_is_printed_in_three_inks_that_a_theme_can_change(path: Path) -> None:
    root = ET.fromstring(path.read_text())
    assert {key: value for key, value in root.attrib.items() if key != "xmlns"} == ROOT
    colours = {element.get(key) for element in root.iter() for key in ("fill", "stroke")} - {None, "none"}
    others = {colour for colour in colours if colour not in ("currentColor", PAPER)}
    assert len(others) <= 1
    assert all(re.fullmatch(r"var\(--colour, #[0-9A-F]{6}\)", str(colour)) for colour in others)
    for element in root.iter():
        assert element.tag.removeprefix("{http://www.w3.org/2000/svg}") in {
            "svg", "g", "path", "circle", "ellipse", "rect", "line", "polyline", "polygon",
        }  # fmt: skip
        assert not {"id", "class", "style", "href"} & set(element.attrib)


@pytest.mark.parametrize("id_", OBJECTS)
def test_an_object_is_drawn_in_its_own_colour(id_: str) -> None:
    colour = INKS["light"][OBJECTS[id_].colour]
    assert f"var(--colour, {colour})" in (ART / f"{id_}.svg").read_text()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("sight", SIGHT)
def test_the_seven_colours_stay_apart_for_every_eye(sight: str, theme: str) -> None:
    seen = {c: lab(np.array(SIGHT[sight]) @ light(INKS[theme][c])) for c in Deck.built_in().colours}
    nearest = min((float(np.linalg.norm(seen[a] - seen[b])), a, b) for a, b in combinations(seen, 2))
    assert nearest[0] > 8 * JUST_ABOUT_THE_SAME, nearest


def light(colour: str) -> Any:
    """A colour as amounts of red, green and blue light (sRGB)."""
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(rgb: Any) -> Any:
    """CIELAB, in which distances are about as large as they look."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = to_xyz @ np.clip(rgb, 0, 1) / np.array([0.9505, 1, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])
