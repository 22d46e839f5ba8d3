"""The games: one folder each, and one line here. Other packages can bring more (`installed.py`)."""

import importlib
from collections.abc import Sequence
from functools import cache
from typing import overload

from brocante.backends import backend as find_backend
from brocante.engine.box import Box
from brocante.engine.errors import UsageError, quoted
from brocante.engine.text import Text

OWN_GAMES = ("antiques", "collection", "port", "vinto")


class Games(Sequence[str]):
    """The slugs of all games, ours first. Looking for those of other packages takes a while, so it waits until somebody
    asks for more than ours."""

    def __contains__(self, slug: object) -> bool:
        return slug in OWN_GAMES or slug in self._all()

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[str, ...]: ...
    def __getitem__(self, at: int | slice) -> str | tuple[str, ...]:
        return self._all()[at]

    def __len__(self) -> int:
        return len(self._all())

    def __repr__(self) -> str:
        return repr(self._all())

    @staticmethod
    def _all() -> tuple[str, ...]:
        from brocante.games.installed import installed_games

        return (*OWN_GAMES, *installed_games().boxes)


GAMES = Games()


def box(slug: str, backend: str | None = None) -> Box:
    """A game by its slug. Every caller gets the same box, whose rules run as plain Python until they are compiled. With
    a backend (`"python"`, `"numba"`), it is another box that runs only on that.

    >>> box("collection")
    <Box collection>
    >>> box("chess")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    brocante.engine.errors.UsageError: There is no game called "chess"; the games are ...
    """
    own = slug in OWN_GAMES
    found: Box = importlib.import_module(f"brocante.games.{slug}").BOX if own else installed_box(slug)
    return found if backend is None else box_on(found, backend)


def installed_box(slug: str) -> Box:
    from brocante.games.installed import installed_games

    boxes, problems = installed_games()
    if slug in boxes:
        return boxes[slug]
    for problem in problems:
        if problem.text.args["game"] == slug:
            raise problem
    raise UsageError(Text("error.game", game=quoted(slug), games=tuple(GAMES)))


@cache
def box_on(found: Box, backend: str) -> Box:
    return found.on(find_backend(backend))
