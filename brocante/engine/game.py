"""One game being played: the Python API.

>>> import brocante
>>> game = brocante.deal("collection", players=3, seed=42)
>>> game.actor
1
>>> for move in game.legal_moves:
...     print(move)
place banknotes
place watches
place stamps
place books
>>> game.play("place books")
>>> game.undo()
Place(seat=1, kind='books')
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from brocante.engine.box import Box
from brocante.engine.errors import IllegalMove, UsageError, quoted
from brocante.engine.history import History
from brocante.engine.moves import Move, Together, parse_move, printable, read_move
from brocante.engine.options import Value, options_to_write
from brocante.engine.perspective import Perspective, live_perspective, past_view, still_view
from brocante.engine.plain_text import draw
from brocante.engine.random import generator, next32
from brocante.engine.spelling import Spelled, legal_moves, next_choices, spelling_of
from brocante.engine.state import CHANCE, NOBODY, copied
from brocante.engine.step import EVENT, Step
from brocante.engine.text import Text, language
from brocante.engine.undo import reveals
from brocante.engine.view import Moment, View

#: The version of the record (docs/record.md).
RECORD_VERSION = 1
#: A refusal lists no more legal moves than this.
MOST_LISTED = 60


class Game:
    """One game of any kind, from the deal to the result.

    With a seed, chance makes its moves by itself, and the same seed gives the same game everywhere. Without one (when a
    record is replayed) the game waits, with `actor` CHANCE, for `chance()` to be told what came up.
    """

    #: The legal moves of a state with the actions that spell them, cached: whoever asks for them soon makes one.
    _known: tuple[bytes, dict[Move, tuple[int, ...]]] | None = None

    def __init__(self, box: Box, options: Mapping[str, object], seed: object = None) -> None:
        self.box = box
        self.seed = None if seed is None else str(seed)
        self.state: Any = box.fresh(box.complete(options))
        self.steps: History[Step] = History()
        self._let_chance_move()

    # --- whose decision, what may be done ---

    @property
    def options(self) -> dict[str, Value]:
        """What was chosen before the deal."""
        return self.box.options_of(self.state)

    @property
    def players(self) -> int:
        return int(self.state.players)

    @property
    def actor(self) -> int:
        """The seat whose decision it is; CHANCE (−1) if `chance` must be called; NOBODY (−2) when the game is over."""
        return int(self.state.actor)

    @property
    def is_over(self) -> bool:
        return self.actor == NOBODY

    @property
    def legal_moves(self) -> list[Move]:
        """Every move the actor may make now, in a fixed order. There is always one until the game is over."""
        now = self.state.tobytes()
        if not (self._known and self._known[0] == now):
            self._known = now, dict(legal_moves(self.box, self.state))
        return [*self._known[1]]

    def is_legal(self, move: Move | str) -> bool:
        """Whether the actor may make this move now."""
        if isinstance(move, str):
            move = self.parse(move)
        return self._spelling_of(move) is not None

    def parse(self, text: str, seat: int | None = None) -> Move:
        """The move that a text names, of the seat whose turn it is unless another is given. It need not be legal.

        >>> import brocante
        >>> brocante.deal("collection", players=2, seed=1).parse("place tarots", seat=0)
        Place(seat=0, kind='tarots')
        """
        if not text.split():
            moves = tuple(kind.name() for kind in self.box.moves)
            raise IllegalMove(Text("error.move.empty", moves=moves))
        return parse_move(self.box.moves, self.actor if seat is None else seat, text)

    # --- playing ---

    def play(self, move: Move | str | Mapping[str, Any]) -> None:
        """Make a move: an object out of `legal_moves`, its text, or its line in a record.

        An illegal move raises IllegalMove, which says why and what would be legal, and changes nothing.
        """
        if not isinstance(move, Move):
            move = self._read(move)
        if type(move) not in self.box.moves:
            raise IllegalMove(Text("error.move.not_whole", move=printable(move), game=self.box.slug))
        self._check_seat(move)
        spelled = self._spelling_of(move)
        if spelled is None:
            why = self.box.why_not(self.state, move)
            raise IllegalMove(Text("error.move.illegal", move=printable(move), why=why, legal=self.legal_in_words()))
        self._carry_out(move, spelled)

    def _read(self, move: str | Mapping[str, Any]) -> Move:
        if isinstance(move, str):
            return self.parse(move)
        if isinstance(move, Mapping):
            return read_move(self.box.moves, move)
        raise TypeError(f"a move is an object out of legal_moves, a text or a line of a record, not {move!r}")

    def play_actions(self, actions: Iterable[int]) -> None:
        """Make the moves that these actions of the rules spell, as when a simulated game becomes a record."""
        spelled: tuple[int, ...] = ()
        for action in actions:
            spelled = (*spelled, action)
            move = self.box.move_of(self.state, spelled)
            if move is not None:
                self._carry_out(move, spelled)
                spelled = ()

    def chance(self, line: Mapping[str, Any]) -> None:
        """Make chance's move as a line of a record says. A wrong line raises IllegalMove and changes nothing."""
        if self.actor != CHANCE:
            raise IllegalMove(Text("error.chance.not_now", whose=self.whose_decision()))
        after = copied(self.state)
        self.box.chance_from_line(after, line)
        self._take_step(after, dict(line))

    @property
    def events(self) -> tuple[dict[str, Any], ...]:
        """What the table may announce now, as lines of a record: in some games, that time is up."""
        return self.box.events(self.state)

    def announce(self, line: Mapping[str, Any]) -> None:
        """Let something happen that no player decides, such as the end of the time, and record it. What cannot be
        announced now raises IllegalMove and changes nothing."""
        after = copied(self.state)
        self.box.event_from_line(after, line)
        self._take_step(after, dict(line))

    def go_on_with(self, seed: object) -> None:
        """Let chance move by itself from here on, as if the game had been dealt with this seed."""
        self.seed = str(seed)
        self._let_chance_move()

    def undo(self) -> Move:
        """Take back the last move, and what chance did and the table announced after it."""
        for number in range(len(self.steps) - 1, -1, -1):
            step = self.steps[number]
            if step.move is not None:
                self.state = self.box.state_from(step.before)
                self.steps.cut(number)
                return step.move
        raise IllegalMove(Text("error.undo.nothing"))

    def can_undo(self, seat: int) -> bool:
        """Whether a player may take back their last move: neither anyone nor chance has acted since, and it showed them
        nothing new."""
        if not self.steps or self.actor != seat:
            return False
        last = self.steps[-1]
        return last.move is not None and last.move.seat == seat and not reveals(self.box, last, seat)

    # --- the result ---

    @property
    def scores(self) -> list[int]:
        """Points by seat, as they stand."""
        return self.box.result(self.state)[0]

    @property
    def ranks(self) -> list[int]:
        """Places by seat: 1 + the number of players who do better."""
        return self.box.result(self.state)[1]

    @property
    def winners(self) -> list[int]:
        """The seats that have won (several share a victory); empty before the game is over."""
        return [seat for seat, rank in enumerate(self.ranks) if rank == 1] if self.is_over else []

    # --- what a seat knows ---

    def seen(self, seat: int) -> Any:
        """The state as a seat with a perfect memory, such as a bot, knows it (NOBODY: a spectator): everything else is
        blanked."""
        self._check_viewer(seat)
        return self.box.seen(self.state, seat)

    def view(self, seat: int, begun: Sequence[int] = ()) -> View:
        """All that a person at a seat is shown.

        A move that takes several choices is offered one choice at a time: `begun` are the actions chosen so far.
        """
        return self.perspective(seat, begun).whole()

    def perspective(self, seat: int, begun: Sequence[int] = ()) -> Perspective:
        """The same, taken apart into what lies there and what may be touched."""
        self._check_viewer(seat)
        if begun and self.actor != seat:
            raise IllegalMove(Text("error.choice", action=quoted(begun[0])))
        return live_perspective(self.box, self.state, seat, begun)

    def idle_view(self, seat: int, prompt: Text) -> View:
        """What a person at a seat is shown while they have nothing to decide, with a prompt that says what the table
        waits for."""
        self._check_viewer(seat)
        return still_view(self.box, self.box.shown(self.state, seat), seat, prompt)

    def past_view(self, number: int, eyes: int | None) -> View:
        """How the table looked after so many steps of a game that is over: to a seat, to a spectator (NOBODY), or with
        everything open (None)."""
        state = self.box.state_from(self._step(number - 1).after if number else self._step(0).before)
        return past_view(self.box, state, eyes, is_last=number == len(self.steps))

    def choices(self, begun: Sequence[int] = ()) -> list[Spelled]:
        """What the actor may choose next after the actions `begun`: moves that this choice completes, and Parts of
        moves that it does not, each with all its actions so far."""
        return next_choices(self.box, self.state, begun)

    @property
    def together(self) -> Together | None:
        """Who may decide at the same time as the actor, if several may. At a live table they all do."""
        return self.box.together(self.state)

    def deciding_as(self, seat: int, decided: Iterable[Mapping[str, Any]] = ()) -> "Game":
        """The game as it will be when another seat decides that may do so together with the actor (see `together`) and
        has decided on these moves so far."""
        if self.together is None or seat not in self.together.seats:
            raise UsageError(Text("error.not_asked", seat=quoted(seat)))
        other = self.copy()
        other.state.actor = seat
        for line in decided:
            self.box.set_aside(other.state, read_move(self.box.moves, {**line, "seat": seat}))
        return other

    def moment(self, seat: int, number: int) -> Moment | None:
        """What a person at a seat sees only while a step of `steps` happens: a card that they look at."""
        self._check_viewer(seat)
        return self._step(number).moment(self.box, seat)

    def _step(self, number: int) -> Step:
        if not _is_number(number) or number not in range(len(self.steps)):
            raise UsageError(Text("error.step", number=quoted(number), steps=len(self.steps)))
        return self.steps[number]

    def observation(self, seat: int) -> Any:
        """What a seat knows, as named numbers; `brocante.engine.observation.flat` puts them in a row."""
        self._check_viewer(seat)
        if seat == NOBODY:
            raise UsageError(Text("error.seat", seat=quoted(seat), last=self.players - 1))
        return self.box.observation(self.state, seat)

    def redeal(self, seat: int, rng: Any, *, from_shown: bool = False) -> "Game":
        """A copy in which everything that the seat does not know is dealt again: to that seat it looks the same.
        `from_shown`: also what it might remember, but is not shown.

        Its future chance moves are unknown too, and follow from the generator (`brocante.generator(seed)`), not from
        the seed of this game. It has no history: the past of a redealt game never happened, and its record begins here.
        """
        self._check_viewer(seat)
        if not isinstance(rng, np.ndarray):
            raise TypeError(f"a redeal needs a generator, such as brocante.generator('search'), not {rng!r}")
        other = self.copy()
        other.seed = f"redealt {next32(rng)} {next32(rng)}"
        other.steps = History()
        other.state = self.box.redealt(self.state, seat, rng, from_shown=from_shown)
        return other

    def log(self, seat: int) -> list[Text]:
        """What happened, as a person at a seat reads it now."""
        self._check_viewer(seat)
        return [text for number in range(len(self.steps)) for text in self.log_of(seat, number)]

    def log_of(self, seat: int, number: int) -> list[Text]:
        """What a person at a seat is told of one step of `steps`."""
        self._check_viewer(seat)
        return self._step(number).log(self.box, seat, self.is_news(seat, number))

    def fading(self, seat: int, since: int = 0) -> list[Text]:
        """The lines that are news to a person at a seat, as they will read later; of the steps from `since` on."""
        self._check_viewer(seat)
        if self.is_over or not self.box.forgets:
            return []
        numbers = range(max(since, self.news_begin(seat)), len(self.steps))
        return [text for number in numbers for text in self.steps[number].log(self.box, seat, news=False)]

    def is_news(self, seat: int, number: int) -> bool:
        """Whether a person at the seat has just witnessed a step: it came after their last turn. When the game is over,
        nobody needs to remember anything, and every step is news."""
        return self.is_over or number >= self.news_begin(seat)

    def news_begin(self, seat: int) -> int:
        """The number of the first step after the last turn of a seat (for a spectator: of the player whose turn it is).
        A turn that is still going on does not count, and neither does what they did in somebody else's."""
        if seat == NOBODY:
            turn = self.box.turn(self.state)
            seat = self._last_mover() if turn is None else turn
        number, was_others_turn = len(self.steps), False
        while number > 0:
            turn = self.steps[number - 1].turn(self.box)
            was_others_turn |= turn is not None and turn != seat
            if was_others_turn and turn == seat:
                break
            number -= 1
        return number

    def _last_mover(self) -> int:
        return next((step.move.seat for step in reversed(self.steps) if step.move), NOBODY)

    def text(self, seat: int | None = None, lang: str = "en", names: Sequence[str] = ()) -> str:
        """The table as plain text, as a seat sees it (NOBODY: a spectator; None: with everything open)."""
        table = self.box.table(copied(self.state), None) if seat is None else self.view(seat).table
        return draw(self.box, table, self.actor, language(lang), names)

    def __str__(self) -> str:
        return self.text()

    # --- the record ---

    def header(self, names: Sequence[str] = ()) -> dict[str, Any]:
        """The first line of the game's record."""
        seats = [names[p] if p < len(names) else f"Seat {p}" for p in range(self.players)]
        options = options_to_write(self.box.options, self.options)
        return header_of(self.box.slug, self.box.edition, options, seats, self.seed or "")

    def lines(self, names: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
        """The record of the game so far, line by line."""
        yield self.header(names)
        yield from (step.line for step in self.steps)
        if self.is_over:
            yield {"result": self.result_line()}

    def result_line(self) -> dict[str, Any]:
        """The content of the last line of the record."""
        line = {"scores": self.scores, "ranks": self.ranks, "winners": self.winners}
        states = (self.box.state_from(step.before) for step in self.steps)
        return {**line, **self.box.result_besides(chain(states, [self.state]))}

    # --- values ---

    def copy(self) -> "Game":
        """An independent copy, history included."""
        other = object.__new__(Game)
        other.__dict__ = self.__dict__.copy()
        other.state = copied(self.state)
        other.steps = self.steps.copy()
        return other

    def __eq__(self, other: object) -> bool:
        """Games are equal if they are of the same kind and their states are equal, however they came about."""
        return (
            isinstance(other, Game)
            and self.box.slug == other.box.slug
            and bool(self.state.tobytes() == other.state.tobytes())
        )

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        """Keep what players brought along (`options`), too: a state has only its key."""
        return {**self.__dict__, "state": self.state.tobytes(), "options": self.options, "_known": None}

    def __setstate__(self, data: dict[str, Any]) -> None:
        self.__dict__.update({name: value for name, value in data.items() if name != "options"})
        self.state = self.box.state_from(data["state"])

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return f"<Game of {self.box.slug}: {options}, seed={self.seed!r}, {len(self.steps)} steps>"

    # --- inside ---

    def _spelling_of(self, move: Move) -> tuple[int, ...] | None:
        """The actions that spell a move; None if it is not legal."""
        if self._known and self._known[0] == self.state.tobytes():
            return self._known[1].get(move)
        return spelling_of(self.box, self.state, move)

    def _carry_out(self, move: Move, spelled: tuple[int, ...]) -> None:
        before = self._now()
        for action in spelled:
            self.box.running.apply(self.state, action)
        self.steps.append(Step(before, self.state.tobytes(), move, spelled, None, self._fallen()))
        self._let_chance_move()

    def _now(self) -> bytes:
        """The state as bytes. If the last step holds the same bytes, this is that object, to save memory."""
        now: bytes = self.state.tobytes()
        return self.steps[-1].after if self.steps and self.steps[-1].after == now else now

    def _check_viewer(self, seat: int) -> None:
        if not _is_number(seat) or (seat != NOBODY and not 0 <= seat < self.players):
            raise UsageError(Text("error.seat", seat=quoted(seat), last=self.players - 1))

    def _check_seat(self, move: Move) -> None:
        """Do not tell somebody who moves out of turn what the others may do: it would show their hands."""
        if self.actor < 0 or self.actor != move.seat:
            raise IllegalMove(Text("error.move.not_yours", move=printable(move), why=self.whose_decision()))

    def whose_decision(self) -> Text:
        """Who is to decide, in words."""
        if self.actor == NOBODY:
            return Text("error.turn.over")
        if self.actor == CHANCE:
            return Text("error.turn.chance")
        return Text("error.turn.seat", seat=self.actor)

    def legal_in_words(self) -> Text:
        """What the actor may do, for an error that only they (or the reader of a record) will see."""
        legal = [str(move) for move in self.legal_moves]
        moves = "; ".join(legal[:MOST_LISTED])
        if len(legal) > MOST_LISTED:
            return Text("error.move.legal_some", seat=self.actor, moves=moves, n=len(legal) - MOST_LISTED)
        return Text("error.move.legal", seat=self.actor, moves=moves)

    def _let_chance_move(self) -> None:
        """Each move of chance has its own generator, so that stopping, undoing or storing a game changes nothing."""
        while self.actor == CHANCE and self.seed is not None:
            self.box.check_nothing_is_wanting(self.options)
            after = copied(self.state)
            self.box.running.chance(after, generator(self.seed, self._fallen()))
            self._take_step(after, self.box.chance_line(self.state, after))

    def _take_step(self, after: Any, line: dict[str, Any]) -> None:
        fallen = self._fallen() + int(EVENT not in line)
        self.steps.append(Step(self._now(), after.tobytes(), None, (), line, fallen))
        self.state = after

    def _fallen(self) -> int:
        """How many moves chance has made."""
        return self.steps[-1].fallen if self.steps else 0


def header_of(game: str, edition: int, options: Mapping[str, Value], seats: Sequence[str], seed: str) -> dict[str, Any]:
    """The first line of a record. The first edition of the rules is not named."""
    named = {"edition": edition} if edition > 1 else {}
    header = {"record": RECORD_VERSION, "game": game, **named, "options": dict(options)}
    return {**header, "seats": list(seats), "seed": seed}


def _is_number(value: object) -> bool:
    """Whether it is a whole number, Python's or NumPy's."""
    return type(value) is int or (isinstance(value, int | np.integer) and not isinstance(value, bool))
