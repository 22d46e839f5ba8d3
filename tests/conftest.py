"""Where the rules have been compiled (`brocante compile`, as `make test` does), tests run on them: most of the time
that whole games take is the bots'. Elsewhere everything is played as plain Python, as on the first day."""

from collections.abc import Iterator

import pytest

import brocante
from brocante.backends.numba import NotCompiled, Numba
from brocante.engine.backend import PYTHON, Running


@pytest.fixture(scope="session", autouse=True)
def compiled_rules() -> None:
    numba = Numba(compiles=False)
    for box in map(brocante.box, brocante.GAMES):
        try:
            box.switch_to(Running(box.entry_points, numba))
        except NotCompiled:
            return


@pytest.fixture
def plain_python() -> Iterator[None]:
    """The games as they are when a program has just been started."""
    boxes = [brocante.box(slug) for slug in brocante.GAMES]
    running = [box.running for box in boxes]
    for box in boxes:
        box.switch_to(Running(box.entry_points, PYTHON))
    yield
    for box, before in zip(boxes, running, strict=True):
        box.switch_to(before)
