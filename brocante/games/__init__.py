"""The games: one folder each, and one line here."""

import importlib
from functools import cache

from brocante.backends import backend as find_backend
from brocante.engine.box import Box
from brocante.engine.errors import UsageError, shown
from brocante.engine.text import Text

GAMES = ("antiques", "collection", "port", "vinto")


def box(slug: str, backend: str | None = None) -> Box:
    """A game by its slug. Everyone is given the same box, whose rules run as plain Python until compiled ones are at
    hand; with a backend (`"python"`, `"numba"`), it is another one that runs on nothing else.

    >>> box("collection")
    <Box collection>
    >>> box("chess")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    brocante.engine.errors.UsageError: There is no game called "chess"; the games are ...
    """
    if slug not in GAMES:
        raise UsageError(Text("error.game", game=shown(slug), games=GAMES))
    found: Box = importlib.import_module(f"brocante.games.{slug}").BOX
    return found if backend is None else box_on(found, backend)


@cache
def box_on(found: Box, backend: str) -> Box:
    return found.on(find_backend(backend))
