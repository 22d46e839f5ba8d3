"""Moments: what is shown only for a while, one after another, before the table is shown as it is."""

import msgspec

from brocante.engine.state import NOBODY
from brocante.engine.view import Moment, View
from brocante.terminal.table_model import TableModel


class Moments:
    """The moment that is shown, and those that wait."""

    def __init__(self, model: TableModel) -> None:
        self._model = model
        self._seen_to = model.first_moment  # the first step that has not been searched for moments
        self._waiting: list[tuple[int, Moment]] = []  # each with its step

    def __bool__(self) -> bool:
        return bool(self._waiting)

    @property
    def now(self) -> Moment | None:
        return self._waiting[0][1] if self._waiting else None

    @property
    def step(self) -> int | None:
        """The step to which the present moment belongs."""
        return self._waiting[0][0] if self._waiting else None

    def collect(self) -> None:
        """Add the moments of the steps since the last time."""
        steps = range(self._seen_to, self._model.happened)
        found = ((number, self._model.moment(number)) for number in steps)
        self._waiting += [(number, moment) for number, moment in found if moment]
        self._seen_to = self._model.happened

    def drop(self, step: int) -> bool:
        """End the moment of a step; False if it had ended already."""
        if self.step != step:
            return False
        del self._waiting[0]
        return True

    def clear(self) -> None:
        """Drop all that wait."""
        self._waiting = []

    def skip(self) -> None:
        """Show nothing of the steps so far."""
        self._waiting, self._seen_to = [], self._model.happened


def at_that_moment(view: View, moment: Moment) -> View:
    """The view during a moment: nothing can be done until it ends."""
    return View(view.game, view.viewer, NOBODY, moment.table, moment.text, offers=(), result=None)


def without_the_outcome(view: View) -> View:
    """The view before anything is counted."""
    places = tuple(msgspec.structs.replace(place, score=None) for place in view.table.places)
    races = tuple(msgspec.structs.replace(race, winner=None) for race in view.table.races)
    return msgspec.structs.replace(view, table=msgspec.structs.replace(view.table, places=places, races=races))
