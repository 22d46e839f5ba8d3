"""A game in its box: the files of its folder, tied together.

The rest of Brocante asks only the box; `contract.py` lists what the files define.
"""

import importlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import msgspec
import numpy as np

from brocante.engine import contract
from brocante.engine.backend import PYTHON, Backend, Running, entry_points
from brocante.engine.contract import Line, fulfil
from brocante.engine.errors import UsageError
from brocante.engine.moves import Move, Together
from brocante.engine.options import GIVEN, Option, Value, complete_options
from brocante.engine.rule import Rule, is_rule
from brocante.engine.state import CHANCE, NOBODY, copied, from_bytes, new
from brocante.engine.text import Text, add_catalogue
from brocante.engine.view import Award, Gesture, Moment


class Box:
    """One game: its rules, moves, view and words, and what to print on the lid."""

    def __init__(
        self,
        slug: str,
        package: str,
        *,
        edition: int,
        version: int,
        authors: tuple[str, ...],
        publisher: str | None,
        minutes: int,
        ink: str,
        options: tuple[Option, ...],
    ) -> None:
        self.slug = slug
        self.package = package
        self.edition = edition  # of the rules of record; a record names it, and only the same edition can replay it
        self.version = version  # changes whenever the game's behaviour does, even if only in how a seed deals
        self.authors = authors
        self.publisher = publisher
        self.minutes = minutes
        self.ink = ink  # the leading ink of everything that shows the game
        self.options = options
        self.rules = fulfil(contract.RulesFile, self._file("rules"))
        self.knowledge = fulfil(contract.KnowledgeFile, self._file("knowledge"))
        self._observation = fulfil(contract.ObservationFile, self._file("observation"))
        self._moves = fulfil(contract.MovesFile, self._file("moves"))
        self._chance_lines = fulfil(contract.ChanceLinesFile, self._file("chance_lines"))
        self._view = fulfil(contract.ViewFile, self._file("view"))
        self._log = fulfil(contract.LogFile, self._file("log"))
        self._awards = fulfil(
            contract.AwardsFile, self._file("awards") if self._has("awards") else ModuleType("awards")
        )
        refusals = fulfil(contract.RefusalsFile, self._file("refusals"))
        prompts = fulfil(contract.PromptsFile, self._file("prompts"))
        # Passed on as the files define them.
        self.moves = self._moves.MOVES
        self.move_of = self._moves.move_of
        self.may_choose = self._moves.may_choose
        self.set_aside = self._moves.set_aside
        self.requirements = refusals.requirements
        self.chance_line = self._chance_lines.chance_line
        self.chance_from_line = self._chance_lines.chance_from_line
        self.event_from_line = self._chance_lines.event_from_line
        self.result_besides = self._chance_lines.result_besides
        self.table = self._view.table
        self.picture = self._view.picture
        self.prompt = prompts.prompt
        self.label = prompts.label
        self.key = prompts.key
        self.is_risky = prompts.is_risky
        self.greedy = self._file("greedy") if self._has("greedy") else None
        check_argument_names(self.moves)
        add_catalogue(slug, self.folder / "locale")
        self.entry_points = entry_points(self.rules, self.knowledge, self._observation, self.greedy)
        self.running = Running(self.entry_points, PYTHON)

    def _file(self, name: str) -> ModuleType:
        return importlib.import_module(f"{self.package}.{name}")

    def _has(self, name: str) -> bool:
        return (self.folder / f"{name}.py").exists()

    def __repr__(self) -> str:
        return f"<Box {self.slug}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpacked, (self.package,)

    @property
    def backend(self) -> Backend:
        """What runs the rules."""
        return self.running.backend

    def on(self, backend: Backend) -> "Box":
        """The same game on another backend; both can be played side by side."""
        other = object.__new__(Box)
        other.__dict__.update(self.__dict__)
        other.running = Running(self.entry_points, backend)
        return other

    def switch_to(self, running: Running) -> None:
        """Run all games of this box another way from now on, even those under way."""
        self.running = running

    @cached_property
    def folder(self) -> Path:
        file = importlib.import_module(self.package).__file__
        assert file
        return Path(file).parent

    @property
    def title(self) -> Text:
        return Text(f"{self.slug}.title")

    @property
    def reference(self) -> Text:
        """The heading of the part of the rules page that is the reference card; a game without one lacks the key."""
        return Text(f"{self.slug}.reference")

    @cached_property
    def players(self) -> range:
        players = next(option for option in self.options if option.name == "players")
        return range(players.least, players.most + 1)

    @cached_property
    def viewers(self) -> tuple[int, ...]:
        """Who may see a game: every possible seat, and the spectators."""
        return (*range(self.players[-1]), NOBODY)

    def complete(self, given: Mapping[str, object]) -> dict[str, Value]:
        """All options of the game, checked."""
        return complete_options(self.slug, self.options, given)

    def fresh(self, chosen: Mapping[str, Value]) -> Any:
        """The state before the deal: it holds only the options, and chance is to move."""
        s = new(self.rules.STATE)
        for option in self.options:
            s[option.field] = option.number(chosen[option.name])
            if brought := option.brought(chosen[option.name]):
                brought.lay_out(s)
        s.actor = CHANCE
        return s

    def state_from(self, data: bytes) -> Any:
        """The state that these bytes were made from."""
        return from_bytes(self.rules.STATE, data)

    def options_of(self, s: Any) -> dict[str, Value]:
        """The options that a state is played with."""
        return {option.name: option.value(int(s[option.field])) for option in self.options}

    def clock(self, chosen: Mapping[str, Value]) -> int | None:
        """After how many minutes the table's clock ends the game, if it does."""
        minutes = [chosen[option.name] for option in self.options if option.clock]
        return next((value for value in minutes if isinstance(value, int)), None)

    def check_nothing_is_wanting(self, chosen: Mapping[str, Value]) -> None:
        """Refuse to deal before a setup line has given what it must give, such as a deck."""
        for option in self.options:
            if option.bring and chosen[option.name] == GIVEN:
                raise UsageError(Text("error.option.given", option=option.name, given=GIVEN))

    def texts(self, s: Any) -> dict[str, str]:
        """The texts of the files that players brought along, by option. A record keeps what the rules need of them, but
        not what people read, such as names."""
        texts = {option.name: option.text(int(s[option.field])) for option in self.options}
        return {name: text for name, text in texts.items() if text}

    def open_texts(self, texts: Mapping[str, Any], where: str) -> None:
        """Open what `texts` kept."""
        for option in self.options:
            if option.bring and isinstance(texts.get(option.name), str):
                option.bring.parse(texts[option.name], where)

    def load(self, given: Mapping[str, object]) -> dict[str, object]:
        """Options as a person gave them, with the files they named read."""
        readers = {option.name: option.load for option in self.options}
        return {name: readers[name](value) if name in readers else value for name, value in given.items()}

    def legal(self, s: Any) -> list[int]:
        """The legal actions of whoever is to decide; none when it is chance's move or the game is over."""
        if s.actor < 0:
            return []
        actions = np.zeros(self.rules.ACTIONS, np.int64)
        legal: list[int] = actions[: self.running.legal(s, actions)].tolist()
        return legal

    def seen(self, s: Any, seat: int) -> Any:
        """A copy of a state in which everything that the seat does not know is blanked."""
        blanked = copied(s)
        self.running.hide(blanked, seat)
        return blanked

    def shown(self, s: Any, seat: int) -> Any:
        """A copy of a state with only what the table shows a person at the seat."""
        return self.blanked(copied(s), seat)

    def blanked(self, s: Any, seat: int) -> Any:
        """Blank everything in a state except what the table shows a person at the seat; return the state."""
        self.running.hide(s, seat)
        if self.forgets:
            self.running.forget(s, seat)
        return s

    @cached_property
    def forgets(self) -> bool:
        """Whether the table shows people less than they could remember."""
        return is_rule(self.knowledge.forget)

    def redealt(self, s: Any, seat: int, rng: Any, *, from_shown: bool = False) -> Any:
        """A copy of a state in which what the seat does not know (or is not shown) is dealt again."""
        other = self.shown(s, seat) if from_shown else self.seen(s, seat)
        self.running.fill(other, seat, rng)
        return other

    def observation(self, s: Any, seat: int) -> Any:
        """What the seat knows, as named numbers."""
        out = new(self._observation.OBSERVATION)
        self.running.observe(self.seen(s, seat), seat, out)
        return out

    def census(self, s: Any) -> list[int]:
        """How many pieces of each kind there are."""
        counts = np.zeros(len(self.rules.BOX), np.int64)
        self.running.census(s, counts)
        return counts.tolist()

    def result(self, s: Any) -> tuple[list[int], list[int]]:
        """Scores and ranks by seat."""
        return result_of(self.running.result, s)

    # --- moves and events ---

    def why_not(self, s: Any, move: Move) -> Text:
        """Why the actor cannot make this move (or Part) now: the words of the first requirement that is not met."""
        for is_met, words in self.requirements(s, move):
            if not is_met:
                return words
        raise AssertionError(f"{self.slug}: {move} is illegal although all its requirements are met")

    def turn(self, s: Any) -> int | None:
        """Whose turn it is, whoever decides just now; None if it is nobody's."""
        seat = self._moves.turn(s) if s.actor >= 0 else NOBODY
        return seat if seat >= 0 else None

    def together(self, s: Any) -> Together | None:
        """Who may decide at the same time as the actor; None if players decide one after the other."""
        return self._moves.together(s) if s.actor >= 0 else None

    def allies(self, s: Any) -> tuple[int, ...]:
        """The seats that play together now; none if everyone plays for themselves."""
        return tuple(self._moves.allies(s))

    def events(self, s: Any) -> tuple[Line, ...]:
        """What the table may announce now."""
        return tuple(self._chance_lines.events(s))

    # --- what people see and read ---

    @cached_property
    def has_moments(self) -> bool:
        """Whether the game has anything that players see only while it happens."""
        return isinstance(self._view.moment, FunctionType)

    def moment(self, before: Any, move: Move | None, after: Any, viewer: int) -> Moment | None:
        """What a seat sees only while a step happens."""
        if not self.has_moments:
            return None
        return self._view.moment(self.seen(before, viewer), move, self.seen(after, viewer), viewer)

    def gesture(self, before: Any, move: Move | None, after: Any) -> Gesture | None:
        """What everyone sees a player do with cards that lie face down."""
        return self._view.gesture(before, move, after)

    def tell(self, before: Any, move: Move | None, after: Any, viewer: int, news: bool) -> list[Text]:
        """The lines of the log for a step, from states already hidden."""
        return list(self._log.tell(before, move, after, viewer, news))

    def awards(self, s: Any) -> tuple[Award, ...]:
        """How the final score comes about, step by step; empty if a game has no more to say than the score."""
        return tuple(self._awards.awards(s))

    def rules_page(self, code: str) -> str:
        """The rules in our own words, as Markdown."""
        return (self.folder / "locale" / f"rules.{code}.md").read_text("utf-8")


def result_of(result: Rule, s: Any) -> tuple[list[int], list[int]]:
    """Scores and ranks by seat, as the rules of a game have them."""
    scores, ranks = np.zeros((2, int(s.players)), np.int64)
    result(s, scores, ranks)
    return scores.tolist(), ranks.tolist()


def equal_scores(scores: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """The scores that several seats share, the best first, with those seats."""
    for score in sorted(set(scores), reverse=True):
        tied = [seat for seat, other in enumerate(scores) if other == score]
        if len(tied) > 1:
            yield score, tied


def check_argument_names(moves: Iterable[type[Move]]) -> None:
    """An argument of a move must not hide a method."""
    for kind in moves:
        clash = {field.name for field in msgspec.structs.fields(kind)} & set(dir(Move)) - {"seat"}
        if clash:
            raise TypeError(f"{kind.__name__}: an argument cannot be called {', '.join(clash)}; use msgspec.field")


def _unpacked(package: str) -> Box:
    """A box pickles as the name of its package: rules are code, not data, and the reader may run them another way."""
    box: Box = importlib.import_module(package).BOX
    return box
