"""The seam between the rules and what runs them.

A backend is one method: `run(entry)` returns a rule, called from outside the rules, as the backend runs it. `python`,
here, runs rules as they are written; the others are in `brocante.backends`. All of them leave the same bytes in a state
after every decision (the law `backends_play_the_same_game`), so one can take over from another in the middle of a game.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from brocante.engine.rule import Rule, is_rule


class Argument(NamedTuple):
    """What an entry point takes: a number or a state (no dimensions), or an array of them."""

    dtype: np.dtype[Any]
    dimensions: int = 0


NUMBER = Argument(np.dtype(np.int64))
NUMBERS = Argument(np.dtype(np.int64), 1)


class EntryPoint(NamedTuple):
    """A rule that is called from outside the rules, and what it is called with."""

    rule: Rule
    takes: tuple[Argument, ...]
    takes_long: bool = False  # so long that other threads are to go on meanwhile


#: Called with how many rules have been compiled, and how many there are.
Progress = Callable[[int, int], object]


class Backend(Protocol):
    """A way to run rules."""

    @property
    def name(self) -> str: ...

    def run(self, entry: EntryPoint) -> Rule:
        """The same rule, run this way."""
        ...


class Compiler(Backend, Protocol):
    """A backend that has to compile a rule before it can run it, and keeps what it has made."""

    @property
    def not_kept(self) -> OSError | None:
        """Why the compiled rules could not be kept, if so."""
        ...

    def is_kept(self, entry: EntryPoint) -> bool:
        """Whether it has been compiled before."""
        ...

    def compile(self, entries: Sequence[EntryPoint], progress: Progress = ...) -> int:
        """Compile all of these that are not kept yet; return how many rules that took."""
        ...

    def seconds_to_compile(self, entries: Iterable[EntryPoint]) -> float:
        """About how long it would take to compile those that are not kept."""
        ...


class Python:
    """Rules as they are written: nothing to wait for, and quick enough for people."""

    name = "python"

    def run(self, entry: EntryPoint) -> Rule:
        return entry.rule


PYTHON = Python()


def entry_points(rules: Any, knowledge: Any, observation: Any, bot: Any | None) -> list[EntryPoint]:
    """Everything that a game is played by; `forget` and the bot only if the game has them."""
    state, states = Argument(rules.STATE), Argument(rules.STATE, 1)
    found = [
        EntryPoint(rules.legal, (state, NUMBERS)),
        EntryPoint(rules.apply, (state, NUMBER)),
        EntryPoint(rules.chance, (state, NUMBERS)),
        EntryPoint(rules.result, (state, NUMBERS, NUMBERS)),
        EntryPoint(rules.census, (state, NUMBERS)),
        EntryPoint(knowledge.hide, (state, NUMBER)),
        EntryPoint(knowledge.fill, (state, NUMBER, NUMBERS)),
        EntryPoint(observation.observe, (state, NUMBER, Argument(observation.OBSERVATION))),
    ]
    if is_rule(knowledge.forget):
        found.append(EntryPoint(knowledge.forget, (state, NUMBER)))
    if bot is not None:
        found.append(EntryPoint(bot.choose, (state, NUMBER, NUMBERS, NUMBER, states, NUMBERS)))
    return found


class Running:
    """The entry points of a game as a backend runs them, each an attribute of that name."""

    def __init__(self, entries: Iterable[EntryPoint], backend: Backend) -> None:
        self.backend = backend
        for entry in entries:
            setattr(self, entry.rule.__name__, backend.run(entry))

    def __getattr__(self, name: str) -> Rule:
        raise AttributeError(f"the game has no {name}")
