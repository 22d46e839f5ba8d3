"""The games: one folder each, and one line here."""

import importlib
from functools import cache

from brocante.engine.box import Box
from brocante.engine.errors import UsageError, shown
from brocante.engine.text import Text

GAMES = ("antiques", "collection", "port", "vinto")


@cache
def box(slug: str) -> Box:
    """A game by its slug.

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
    return found
