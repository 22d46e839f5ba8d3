"""The contract a game meets: what is in the box.

A game is a folder with the same few files; `Box` ties them together. The functions named here are all that the rest of
Brocante knows of a game; docs/adding-a-game.md walks through them.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import numpy as np

from brocante.engine.backend import PYTHON, Backend, Running, entry_points
from brocante.engine.errors import UsageError
from brocante.engine.moves import Move, Together
from brocante.engine.options import GIVEN, Option, Value, complete_options
from brocante.engine.rule import Rule
from brocante.engine.state import CHANCE, NOBODY, copied, new
from brocante.engine.text import Text, Words, add_catalogue
from brocante.engine.view import Award, Card, Moment

#: What each file of a game must define.
RULES = (
    "STATE",  # the type of a state
    "ACTIONS",  # how many actions the fixed list has
    "OBSERVATION",  # how many numbers a seat observes
    "BOX",  # how many pieces of each kind there are
    "legal",  # (s, actions) -> n: write the legal actions of the actor, ascending
    "apply",  # (s, action): carry out a legal one
    "chance",  # (s, rng): make chance's move
    "result",  # (s, scores, ranks): who has how many points, and which place
    "hide",  # (s, seat): blank what the seat does not know (NOBODY: what a spectator does not)
    "fill",  # (s, seat, rng): deal what was blanked, every way equally likely
    "observe",  # (s, seat, out): what the seat knows, as numbers
    "census",  # (s, counts): how many pieces of each kind there are, wherever they are
)
#: What the rules may define besides: (s, seat): blank what the table does not show a person at the seat although they
#: might remember it. Bots and observations keep it: they have a perfect memory.
FORGET = "forget"
MOVES = (
    "MOVES",  # the classes of the moves
    "move_of",  # (s, actions) -> the move these actions spell from here, None while it is unfinished
    "why_not",  # (s, move) -> a Text: why it (or a Part on the table) is illegal here, with the clause; a state that
    # was hidden must do
    "chance_line",  # (before, after) -> the line of the record for chance's move
    "chance_from_line",  # (s, line): carry out the chance move of a record, or raise IllegalMove
)
#: What the moves may define besides, for a game that a clock can end and for one that is played in rounds.
EVENTS = "events"  # (s) -> the lines of the record that the table may write now, such as {"event": "time"}
EVENT_FROM_LINE = "event_from_line"  # (s, line): carry it out, or raise IllegalMove
RESULT_BESIDES = "result_besides"  # (states) -> what a record's result says besides, from all states of the game
#: And for one in which several players decide at the same time, or some of them play together for a while.
TOGETHER = "together"  # (s) -> Together or None: who may decide at the same time as the actor, from what everyone knows
# Where one may decide on several things then (`Together.otherwise`), there is `set_aside`, too: (s, move): let a state
# be what its mover finds who has decided on this move
ALLIES = "allies"  # (s) -> the seats that play together now, and may talk among themselves
VIEW = (
    "table",  # (s, viewer) -> Table: what lies where, from a state already hidden (viewer None: all is open)
    "prompt",  # (s, viewer) -> Text: what is being asked
    "label",  # (s, move) -> Text: the move (or Part) for a button of its player, from a state already hidden
    "key",  # (move) -> str: the key that makes it, always the same one; "" for none. While it can be made, the key does
    # nothing else; u, ? and r are kept for taking back, for the rules and for the reference card
    "tell",  # (before, move, after, viewer, news) -> lines of the log, from states already hidden; news: just witnessed
)
#: What the view may define besides: (s) -> Award after Award: how the final score comes about, when the game is over.
AWARDS = "awards"
#: (before, move, after, viewer) -> Moment or None: what one sees only while it happens, from states in which what the
#: viewer does not know is blanked, but not what they will have to remember.
MOMENT = "moment"
#: (words) -> Card or None: the card that a blank of the log names, for those who want to see it.
PICTURE = "picture"


class Box:
    """One game: its rules, moves, view and words, and what to print on the lid."""

    def __init__(
        self,
        slug: str,
        *,
        edition: int,
        version: int,
        authors: tuple[str, ...],
        publisher: str | None,
        minutes: int,
        ink: str,
        options: tuple[Option, ...],
        rules: ModuleType,
        moves: ModuleType,
        view: ModuleType,
        greedy: ModuleType | None = None,
    ) -> None:
        self.slug = slug
        self.edition = edition  # of the rules of record; a record names it, and only the same edition can replay it
        self.version = version  # changes whenever the game's behaviour does, be it only how a deal follows from a seed
        self.authors = authors
        self.publisher = publisher
        self.minutes = minutes
        self.ink = ink  # the leading ink of everything that shows the game
        self.options = options
        self.rules = rules
        self.moves = moves
        self.view = view
        self.greedy = greedy
        for module, names in ((rules, RULES), (moves, MOVES), (view, VIEW)):
            missing = [name for name in names if not hasattr(module, name)]
            if missing:
                raise TypeError(f"{module.__name__} lacks {', '.join(missing)}")
        for kind in moves.MOVES:
            clash = {field.name for field in msgspec.structs.fields(kind)} & set(dir(Move)) - {"seat"}
            if clash:
                raise TypeError(f"{kind.__name__}: an argument cannot be called {', '.join(clash)}; use msgspec.field")
        add_catalogue(slug, self.folder / "locale")
        self.entry_points = entry_points(rules, greedy)
        self.running = Running(self.entry_points, PYTHON)

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

    def go_over(self, running: Running) -> None:
        """Have everything that is played with this very box run another way from now on, also in the middle of a
        game."""
        self.running = running

    @property
    def package(self) -> str:
        """The name under which the game is imported."""
        return self.rules.__name__.rpartition(".")[0]

    @cached_property
    def folder(self) -> Path:
        assert self.rules.__file__
        return Path(self.rules.__file__).parent

    @property
    def title(self) -> Text:
        return Text(f"{self.slug}.title")

    @property
    def reference(self) -> Text:
        """The heading of that part of the rules page which players keep beside them; the catalogues of a game that has
        no reference card do not know it."""
        return Text(f"{self.slug}.reference")

    @cached_property
    def players(self) -> range:
        players = next(option for option in self.options if option.name == "players")
        return range(players.least, players.most + 1)

    @cached_property
    def viewers(self) -> tuple[int, ...]:
        """Who may see a game: all seats that there can be, and those who watch."""
        return (*range(self.players[-1]), NOBODY)

    def complete(self, given: Mapping[str, object]) -> dict[str, Value]:
        """All options of the game, checked."""
        return complete_options(self.slug, self.options, given)

    def fresh(self, chosen: Mapping[str, Value]) -> Any:
        """The state before anything was dealt: only the options are in it, and chance is to move."""
        s = new(self.rules.STATE)
        for option in self.options:
            s[option.name] = option.number(chosen[option.name])
            if brought := option.brought(chosen[option.name]):
                brought.lay_out(s)
        s.actor = CHANCE
        return s

    def options_of(self, s: Any) -> dict[str, Value]:
        """The options that a state is played with."""
        return {option.name: option.value(int(s[option.name])) for option in self.options}

    def clock(self, chosen: Mapping[str, Value]) -> int | None:
        """After how many minutes the table's clock ends the game, where it does."""
        minutes = [chosen[option.name] for option in self.options if option.clock]
        return next((value for value in minutes if isinstance(value, int)), None)

    def check_nothing_is_wanting(self, chosen: Mapping[str, Value]) -> None:
        """Something that a setup line was to give (a deck) must be there before anything is dealt."""
        for option in self.options:
            if option.bring and chosen[option.name] == GIVEN:
                raise UsageError(Text("error.option.given", option=option.name, given=GIVEN))

    def texts(self, s: Any) -> dict[str, str]:
        """The texts of the files that players brought along, by option: a record keeps what the rules need of them, but
        not what people read, such as names."""
        texts = {option.name: option.text(int(s[option.name])) for option in self.options}
        return {name: text for name, text in texts.items() if text}

    def open_texts(self, texts: Mapping[str, Any], where: str) -> None:
        """Have at hand what `texts` kept."""
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
        """A copy of a state with everything blanked that the seat does not know."""
        blanked = copied(s)
        self.running.hide(blanked, seat)
        return blanked

    def shown(self, s: Any, seat: int) -> Any:
        """A copy of a state with only that left which the table shows a person at the seat."""
        return self.blanked(copied(s), seat)

    def blanked(self, s: Any, seat: int) -> Any:
        """The state itself, with only that left which the table shows a person at the seat."""
        self.running.hide(s, seat)
        if self.forgets:
            self.running.forget(s, seat)
        return s

    @cached_property
    def forgets(self) -> bool:
        """Whether the table shows people less than they could remember."""
        return hasattr(self.rules, FORGET)

    @cached_property
    def has_moments(self) -> bool:
        """Whether there is anything in the game that one sees only while it happens."""
        return hasattr(self.view, MOMENT)

    def redealt(self, s: Any, seat: int, rng: Any, *, from_shown: bool = False) -> Any:
        """A copy of a state in which what the seat does not know (or is not shown) was dealt anew."""
        other = self.shown(s, seat) if from_shown else self.seen(s, seat)
        self.running.fill(other, seat, rng)
        return other

    def observation(self, s: Any, seat: int) -> Any:
        """What the seat knows, as numbers."""
        out = np.zeros(self.rules.OBSERVATION, np.float32)
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

    def awards(self, s: Any) -> tuple[Award, ...]:
        """How the final score comes about, step by step; nothing where a game has no more to say than the score."""
        return tuple(self.view.awards(s)) if hasattr(self.view, AWARDS) else ()

    def moment(self, before: Any, move: Move | None, after: Any, viewer: int) -> Moment | None:
        """What a seat sees only while a step happens."""
        if not self.has_moments:
            return None
        moment: Moment | None = self.view.moment(self.seen(before, viewer), move, self.seen(after, viewer), viewer)
        return moment

    def picture(self, words: Words) -> Card | None:
        """The card that these words name; None where they name none, or the game shows no pictures."""
        card: Card | None = self.view.picture(words) if hasattr(self.view, PICTURE) else None
        return card

    def events(self, s: Any) -> tuple[dict[str, Any], ...]:
        """What the table may announce now, as lines of a record."""
        return tuple(self.moves.events(s)) if hasattr(self.moves, EVENTS) else ()

    def together(self, s: Any) -> Together | None:
        """Who may decide at the same time as the actor; None where one decides after the other."""
        found: Together | None = self.moves.together(s) if s.actor >= 0 and hasattr(self.moves, TOGETHER) else None
        return found

    def set_aside(self, s: Any, move: Move) -> None:
        """Let a state be what somebody finds who has decided on this move while others still may, and may decide on
        more (see `Together.otherwise`)."""
        self.moves.set_aside(s, move)

    def allies(self, s: Any) -> tuple[int, ...]:
        """The seats that play together now; none where everyone plays for themselves."""
        return tuple(self.moves.allies(s)) if hasattr(self.moves, ALLIES) else ()

    def rules_page(self, code: str) -> str:
        """The rules in our own words, as Markdown."""
        return (self.folder / "locale" / f"rules.{code}.md").read_text("utf-8")


def result_of(result: Rule, s: Any) -> tuple[list[int], list[int]]:
    """Scores and ranks by seat, as the rules of a game have them."""
    scores, ranks = np.zeros((2, int(s.players)), np.int64)
    result(s, scores, ranks)
    return scores.tolist(), ranks.tolist()


def equal_scores(scores: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """The scores that several seats have, the best first, with those seats."""
    for score in sorted(set(scores), reverse=True):
        tied = [seat for seat, other in enumerate(scores) if other == score]
        if len(tied) > 1:
            yield score, tied


def _unpacked(package: str) -> Box:
    """A box pickles as the name of its package: rules are code, not data, and whoever reads it has their own way to run
    them."""
    import importlib

    box: Box = importlib.import_module(package).BOX
    return box
