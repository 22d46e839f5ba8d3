"""What is seen for a moment only, one thing after another, before the table is seen as it is."""

import msgspec

from brocante.engine.state import NOBODY
from brocante.engine.view import Moment, View
from brocante.terminal.table_model import TableModel


class Moments:
    """What is being seen, and what will be."""

    def __init__(self, model: TableModel) -> None:
        self._model = model
        self._seen_to = model.first_moment  # the first step that was not looked at yet
        self._waiting: list[tuple[int, Moment]] = []  # each with its step

    def __bool__(self) -> bool:
        return bool(self._waiting)

    @property
    def now(self) -> Moment | None:
        return self._waiting[0][1] if self._waiting else None

    @property
    def step(self) -> int | None:
        """Of which step one sees something."""
        return self._waiting[0][0] if self._waiting else None

    def collect(self) -> None:
        """Note what there is to be seen of what has happened since the last time."""
        steps = range(self._seen_to, self._model.happened)
        found = ((number, self._model.moment(number)) for number in steps)
        self._waiting += [(number, moment) for number, moment in found if moment]
        self._seen_to = self._model.happened

    def drop(self, step: int) -> bool:
        """Let that of a step pass; whether it had not passed already."""
        if self.step != step:
            return False
        del self._waiting[0]
        return True

    def clear(self) -> None:
        """Let everything pass that waits."""
        self._waiting = []

    def skip(self) -> None:
        """See nothing of what has happened so far."""
        self._waiting, self._seen_to = [], self._model.happened


def at_that_moment(view: View, moment: Moment) -> View:
    """What one sees for a moment, with nothing to be done until it has passed."""
    return View(view.game, view.viewer, NOBODY, moment.table, moment.text, offers=(), result=None)


def without_the_outcome(view: View) -> View:
    """The table as it is before anything is counted."""
    places = tuple(msgspec.structs.replace(place, score=None) for place in view.table.places)
    races = tuple(msgspec.structs.replace(race, winner=None) for race in view.table.races)
    return msgspec.structs.replace(view, table=msgspec.structs.replace(view.table, places=places, races=races))
