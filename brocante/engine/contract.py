"""The contract of a game: the files in its folder, and what each of them defines.

Each class here is one file of the same name. A function with a body is optional: its body is what happens in a game
that does not define it. docs/adding-a-game.md builds a game from nothing.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from types import FunctionType, MethodType, ModuleType
from typing import Any, Protocol, TypeVar, cast

import numpy as np

from brocante.engine.errors import IllegalMove
from brocante.engine.moves import Move, Together
from brocante.engine.text import Text, Words
from brocante.engine.view import Award, Card, Gesture, Moment, Table

#: A line of a record.
Line = dict[str, Any]
#: What a move needs: whether a predicate of the rules holds, and the words for the case that it does not.
Requirements = Iterator[tuple[bool, Text]]


class RulesFile(Hashable, Protocol):
    """`rules.py`: how the game is played. Everything here is a `@rule`."""

    STATE: np.dtype[Any]
    ACTIONS: int  # the length of the fixed list of actions
    BOX: Any  # how many pieces of each kind there are

    @abstractmethod
    def legal(self, s: Any, actions: Any) -> int:
        """Write the actor's legal actions, ascending; return how many there are."""

    @abstractmethod
    def apply(self, s: Any, action: int) -> None:
        """Carry out a legal action."""

    @abstractmethod
    def chance(self, s: Any, rng: Any) -> None:
        """Make chance's move."""

    @abstractmethod
    def result(self, s: Any, scores: Any, ranks: Any) -> None:
        """Write everyone's points and places."""

    @abstractmethod
    def census(self, s: Any, counts: Any) -> None:
        """Count the pieces of each kind, wherever they are."""


class KnowledgeFile(Hashable, Protocol):
    """`knowledge.py`: what a seat knows (NOBODY: a spectator). Everything here is a `@rule`."""

    @abstractmethod
    def hide(self, s: Any, seat: int) -> None:
        """Blank what the seat does not know."""

    @abstractmethod
    def fill(self, s: Any, seat: int, rng: Any) -> None:
        """Deal what was blanked, every way equally likely."""

    def forget(self, s: Any, seat: int) -> None:
        """Blank what the seat may know but the table does not show: bots and observations keep it, people must
        remember it."""


class ObservationFile(Protocol):
    """`observation.py`: what a seat knows, as named numbers. Everything here is a `@rule`."""

    OBSERVATION: np.dtype[Any]

    @abstractmethod
    def observe(self, s: Any, seat: int, out: Any) -> None:
        """Write what the seat knows into an observation of zeros, from a hidden state."""


class MovesFile(Protocol):
    """`moves.py`: the moves by the names that records and people use."""

    MOVES: tuple[type[Move], ...]

    @abstractmethod
    def move_of(self, s: Any, actions: tuple[int, ...]) -> Move | None:
        """The move that these actions spell from here; None while it is unfinished."""

    def may_choose(self, s: Any, action: int, move: Move) -> bool:
        """Whether an action, in this state, can be one of those that spell a move. It need not be: this only says where
        not to look."""
        return True

    def turn(self, s: Any) -> int:
        """Whose turn it is, from what everyone knows, where others may decide in the course of it."""
        return int(s.actor)

    def together(self, s: Any) -> Together | None:
        """Who may decide at the same time as the actor, from what everyone knows."""
        return None

    def set_aside(self, s: Any, move: Move) -> None:
        """Turn the state into what the mover finds after deciding on this move, while others are still deciding.
        Needed where a player may decide on several things (`Together.otherwise`)."""
        raise NotImplementedError

    def allies(self, s: Any) -> Sequence[int]:
        """The seats that play together now and may talk among themselves."""
        return ()


class RefusalsFile(Protocol):
    """`refusals.py`: why a move is refused."""

    @abstractmethod
    def requirements(self, s: Any, move: Move) -> Requirements:
        """What a move of the actor needs, in the order in which a player would ask: whether a predicate of the rules
        holds, and what to say if it does not. A move is legal exactly where all hold. This must work with a hidden
        state, and for every Part that lies on the table."""


class ChanceLinesFile(Protocol):
    """`chance_lines.py`: the lines of a record that no player decides."""

    @abstractmethod
    def chance_line(self, before: Any, after: Any) -> Line:
        """The line for chance's move."""

    @abstractmethod
    def chance_from_line(self, s: Any, line: Mapping[str, Any]) -> None:
        """Carry out the chance move of a line, or raise IllegalMove."""

    def events(self, s: Any) -> Iterable[Line]:
        """The lines that the table may announce now, such as `{"event": "time"}`."""
        return ()

    def event_from_line(self, s: Any, line: Mapping[str, Any]) -> None:
        """Carry out an announced line, or raise IllegalMove."""
        raise IllegalMove(Text("error.event.none"))

    def result_besides(self, states: Iterable[Any]) -> Line:
        """What the result line says besides scores, ranks and winners, from all states of the game."""
        return {}


class ViewFile(Protocol):
    """`view.py`: what lies where."""

    @abstractmethod
    def table(self, s: Any, viewer: int | None) -> Table:
        """The table, from a state already hidden (None: everything is open)."""

    def moment(self, before: Any, move: Move | None, after: Any, viewer: int) -> Moment | None:
        """What the viewer sees only while a step happens, from states that hide what they do not know but still show
        what they will have to remember."""
        return None

    def gesture(self, before: Any, move: Move | None, after: Any) -> Gesture | None:
        """What everyone sees a player do with cards that lie face down."""
        return None

    def picture(self, words: Words) -> Card | None:
        """The card that a blank of the log names."""
        return None


class PromptsFile(Protocol):
    """`prompts.py`: what is asked, what each choice is called, and the key that makes it."""

    @abstractmethod
    def prompt(self, s: Any, viewer: int, moves: Sequence[Move]) -> Text:
        """What is being asked; `moves` are those (or Parts) that the viewer may make, none while others decide."""

    @abstractmethod
    def label(self, s: Any, move: Move) -> Text:
        """The move (or Part) for a button of its player, from a hidden state."""

    @abstractmethod
    def key(self, move: Move) -> str:
        """The key that makes the move, always the same one; "" for none. While the move is possible, the key does
        nothing else. `u`, `?`, `r` and `z` are taken (undo, rules, reference card, big view)."""

    def is_risky(self, move: Move) -> bool:
        """Whether the move gives up what could still be done: nobody should make it by accident."""
        return False


class LogFile(Protocol):
    """`log.py`: what happened, in words."""

    @abstractmethod
    def tell(self, before: Any, move: Move | None, after: Any, viewer: int, news: bool) -> Iterable[Text]:
        """The lines of the log for a step, from hidden states; `news`: the viewer has just witnessed it."""


class AwardsFile(Protocol):
    """`awards.py`, an optional file: how the final score comes about."""

    def awards(self, s: Any) -> Iterable[Award]:
        """The steps of the final scoring."""
        return ()


Contract = TypeVar("Contract")


def fulfil(contract: Callable[..., Contract], module: ModuleType) -> Contract:
    """The file of a game, with the contract's defaults for what it leaves out.

    >>> from types import ModuleType
    >>> fulfil(LogFile, ModuleType("log"))
    Traceback (most recent call last):
    ...
    TypeError: log.py of a game lacks tell
    """
    required: frozenset[str] = contract.__abstractmethods__  # type: ignore[attr-defined]
    missing = [name for name in (*contract.__annotations__, *sorted(required)) if not hasattr(module, name)]
    if missing:
        file = module.__name__.rpartition(".")[2]
        raise TypeError(f"{file}.py of a game lacks {', '.join(missing)}")
    defaults = {name: default for name, default in vars(contract).items() if isinstance(default, FunctionType)}
    if all(hasattr(module, name) for name in defaults if not name.startswith("_")):
        return cast("Contract", module)
    filled = ModuleType(module.__name__)
    vars(filled).update({name: MethodType(default, filled) for name, default in defaults.items()})
    vars(filled).update(vars(module))
    return cast("Contract", filled)
