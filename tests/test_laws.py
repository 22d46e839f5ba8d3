"""Every game on the shelf obeys every law, and a game broken on purpose does not."""

from collections.abc import Callable

import pytest

import brocante
from brocante.engine.box import Box
from brocante.testing import LAWS


@pytest.mark.parametrize("slug", brocante.GAMES)
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_every_game_obeys_the_law(law: Callable[[Box], None], slug: str) -> None:
    law(brocante.box(slug))
