"""Where the rules have been compiled (`brocante compile`, as `make test` does), tests run on them: most of the time
that whole games take is the bots'. Elsewhere everything is played as plain Python, as on the first day."""

from collections.abc import Iterator

import pytest

import brocante
from brocante.backends.numba import NotCompiled, Numba
from brocante.engine.backend import PYTHON, Running

#: The files with the longest tests, the longest first.
LONG = (
    "test_docs.py",
    "test_remote.py",
    "test_whole_games.py",
    "test_first_minute.py",
    "test_port_table.py",
    "test_nothing_lost.py",
    "test_laws.py",
    "test_broken_games.py",
    "test_antiques_table.py",
    "test_fuzz.py",
    "test_compiling.py",
    "test_layout.py",
    "test_scoring.py",
    "test_never_wait.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests, so that no worker of a parallel run is left with one in the end."""
    items.sort(key=lambda item: LONG.index(item.path.name) if item.path.name in LONG else len(LONG))


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
