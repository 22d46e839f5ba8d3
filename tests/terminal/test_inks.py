"""Every ink can be read on its paper."""

import pytest

from brocante.terminal.inks import INKS


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", INKS)
def test_inks_have_a_contrast_of_at_least_4_5_to_1(theme: str) -> None:
    paper = luminance(INKS[theme]["paper"])
    for name, colour in INKS[theme].items():
        if name != "paper":
            low, high = sorted((paper, luminance(colour)))
            assert (high + 0.05) / (low + 0.05) >= 4.5, name


def test_both_themes_have_the_same_inks() -> None:
    assert set(INKS["paper"]) == set(INKS["lamplight"])
