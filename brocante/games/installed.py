"""Games that other packages bring, by an entry point of the group `brocante.games`:

    [project.entry-points."brocante.games"]
    stall = "brocante_stall"

The name is the game's slug; the module defines `BOX`, as the games here do. A game that cannot be used is left out:
all others keep working, and the problem names the package.
"""

import importlib
import re
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import NamedTuple

from brocante.engine.box import Box
from brocante.engine.errors import UsageError
from brocante.engine.text import Text, catalogue_folders, read_catalogue

GROUP = "brocante.games"
#: Slugs are parts of file names, addresses, flags and keys of catalogues.
SLUG = re.compile(r"[a-z][a-z0-9-]*")


class Installed(NamedTuple):
    boxes: dict[str, Box]
    problems: tuple[UsageError, ...]


@cache
def installed_games() -> Installed:
    boxes: dict[str, Box] = {}
    problems: list[UsageError] = []
    for entry in entry_points(group=GROUP):
        problem = problem_with_name(entry.name, boxes)
        if problem is None:
            try:
                boxes[entry.name] = load(entry)
            except Exception as error:  # a broken package must not harm the other games
                problem = error.text if isinstance(error, UsageError) else f"{type(error).__name__}: {error}"
        if problem is not None:
            package = entry.dist.name if entry.dist else entry.value
            problems.append(UsageError(Text("error.installed.game", package=package, game=entry.name, problem=problem)))
    return Installed(boxes, tuple(problems))


def problem_with_name(slug: str, others: dict[str, Box]) -> Text | str | None:
    from brocante.games import OWN_GAMES

    if not SLUG.fullmatch(slug):
        return Text("error.installed.slug")
    if slug in OWN_GAMES or slug in others or slug in own_words():
        return Text("error.installed.taken")
    return None


def own_words() -> set[str]:
    """The first words of the keys in Brocante's own catalogue: a game with such a slug would hide them."""
    catalogue = read_catalogue(catalogue_folders()[""] / "en.toml")
    return {key.partition(".")[0] for key in catalogue}


def load(entry: EntryPoint) -> Box:
    box = getattr(importlib.import_module(entry.module), "BOX", None)
    if not isinstance(box, Box) or box.slug != entry.name:
        raise UsageError(Text("error.installed.box", module=entry.module))
    return box
