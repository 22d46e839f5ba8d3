"""What follows from a command: the facts, or a refusal in words. Every right is checked here and nowhere else."""

import unicodedata
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from brocante.bots import STALLHOLDERS, Bot, best_bot, lineup
from brocante.engine.box import Box
from brocante.engine.game import Game
from brocante.engine.moves import Move, read_move
from brocante.engine.options import options_to_write
from brocante.games import box as find_box
from brocante.table import commands as c
from brocante.table import facts as f
from brocante.table.facts import LEAST_SECONDS, LEAST_WINDOW, MOST_SECONDS, MOST_WINDOW, Clock, Fact
from brocante.table.fair import new_seed
from brocante.table.state import Refused, Table

LONGEST_NAME, LONGEST_SAID = 24, 300
#: So many messages in so many seconds, and no more.
CHATTY, CHAT_SECONDS = 5, 10.0
#: A clock that nobody has minded for so long was not watched.
UNWATCHED = 5.0

Seeds = Callable[[], str]


class Answer:
    """The facts that follow from a command, added up one by one on a copy of the table."""

    def __init__(self, table: Table, who: str, now: float, seeds: Seeds) -> None:
        self.table = table.copy()
        self.who = who
        self.now = now
        self.seeds = seeds
        self.facts: list[Fact] = []

    def happen(self, *facts: Fact) -> None:
        for fact in facts:
            self.facts.append(self.table.apply(fact, self.now))

    @property
    def game(self) -> Game:
        """The game that is being played."""
        self.check_playing()
        assert self.table.game
        return self.table.game

    def check_playing(self) -> None:
        if self.table.phase != "playing":
            raise Refused("over" if self.table.phase == "over" else "not_started")

    @property
    def seat(self) -> int:
        """Where the one who asks sits."""
        seat = self.table.seat_of(self.who)
        if seat is None:
            raise Refused("no_seat")
        return seat

    @property
    def player(self) -> int:
        """The seat of one who has not given up."""
        seat = self.seat
        if self.table.seats[seat].resigned:
            raise Refused("resigned")
        return seat

    def check_host(self) -> None:
        if not self.who or self.who != self.table.host:
            raise Refused("host_only")

    def check_not_playing(self) -> None:
        if self.table.phase == "playing":
            raise Refused("playing")


def opened(
    game: str, options: Mapping[str, Any], host: str, now: float, *, private: bool = False,
    clock: Clock | None = None, pace: float = 1.0, seeds: Seeds = new_seed,
) -> tuple[Table, list[Fact]]:  # fmt: skip
    """A new table, and the facts with which it begins."""
    box, clock = find_box(game), clock or Clock()
    check_clock(clock)
    table = Table(pace)
    facts: list[Fact] = [f.Opened(box.slug, chosen(box, options), host, private, clock), f.Committed(seeds())]
    for fact in facts:
        table.apply(fact, now)
    return table, facts


def answered(
    table: Table, command: c.Command, who: str, now: float, seeds: Seeds = new_seed
) -> tuple[Table, list[Fact]]:
    """What follows from a command: the table as it will be, and the facts; a BrocanteError if it cannot be done."""
    answer = Answer(table, who, max(now, table.since), seeds)
    ANSWERS[type(command)](answer, command)
    settle(answer)
    return answer.table, answer.facts


def settle(a: Answer) -> None:
    """What follows by itself: when all have decided, nobody is waited for; when all who are here have agreed, it is
    done; after a game, another can be dealt, and is when all who are here want it."""
    table = a.table
    if table.together and not table.undecided and not table.paused:
        close_window(a)
    if table.undo_asked is not None and table.agreed and others(table, table.undo_asked) <= table.agreed:
        a.happen(f.Undone(table.undo_asked, moves_since(a.game, table.undo_asked)))
    if table.phase == "over" and not table.recorded:
        a.happen(table.recording())
    if table.phase == "over" and not table.committed:
        a.happen(f.Committed(a.seeds()))
    if table.phase == "over":
        here = {number for number, seat in enumerate(table.seats) if seat.who and not seat.away}
        if here and here <= table.again:
            deal(a, fill=True)


# --- before the deal --------------------------------------------------------------------------------------------------


def chosen(box: Box, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a game, checked, as plain data; files of one's own cannot be brought to a live table."""
    complete = box.complete(options)
    box.check_nothing_is_wanting(complete)
    return dict(options_to_write(box.options, complete))


def check_clock(clock: Clock) -> None:
    if clock.kind != "none" and not LEAST_SECONDS <= clock.seconds <= MOST_SECONDS:
        raise Refused("clock", least=LEAST_SECONDS, most=MOST_SECONDS)
    if not LEAST_WINDOW <= clock.window <= MOST_WINDOW:
        raise Refused("window", least=LEAST_WINDOW, most=MOST_WINDOW)


def readable(text: str, longest: int) -> str:
    """Plain text: no control characters, nothing that turns the writing round, in one line."""
    kept = "".join(" " if mark.isspace() else mark for mark in unicodedata.normalize("NFC", text))
    kept = "".join(mark for mark in kept if unicodedata.category(mark) not in ("Cc", "Cf", "Cs", "Co", "Cn"))
    return " ".join(kept.split())[:longest].strip()


def sit(a: Answer, asked: c.Sit) -> None:
    if not a.who:
        raise Refused("stranger")
    if (own := a.table.seat_of(a.who)) is not None:
        if asked.nonce and a.table.phase != "playing":
            a.happen(f.Contributed(own, asked.nonce))
        return come_back(a)
    a.check_not_playing()
    name = readable(asked.name, LONGEST_NAME)
    if not name:
        raise Refused("name", most=LONGEST_NAME)
    if name.casefold() in [seat.name.casefold() for seat in a.table.seats]:
        raise Refused("name_taken", name=name)
    seat = free_seat(a.table, asked.seat)
    a.happen(f.Sat(seat, a.who, name))
    if not a.table.host:  # the last one has left, and somebody must be able to begin
        a.happen(f.Hosted(a.who))
    if asked.nonce:
        a.happen(f.Contributed(seat, asked.nonce))
    return None


def free_seat(table: Table, seat: int | None) -> int:
    """The seat that is asked for, or the first empty one."""
    if seat is None:
        seat = next((number for number, seat in enumerate(table.seats) if seat.is_empty), None)
        if seat is None:
            raise Refused("full")
    check_seat(table, seat)
    if not table.seats[seat].is_empty:
        raise Refused("taken", seat=seat)
    return seat


def check_seat(table: Table, seat: int) -> None:
    if seat >= len(table.seats):
        raise Refused("seat", seat=seat, last=len(table.seats) - 1)


def stand(a: Answer, _: c.Stand) -> None:
    seat = a.seat
    if a.table.phase == "playing":
        if not a.table.seats[seat].away:
            a.happen(f.Went(seat, left=True))
        return
    a.happen(f.Stood(seat))
    if a.who == a.table.host:
        left = [seat for seat in a.table.seats if seat.who]
        a.happen(f.Hosted(min(left, key=lambda seat: seat.away).who if left else ""))


def seat_bot(a: Answer, asked: c.Bot) -> None:
    a.check_host()
    a.check_not_playing()
    put_bot(a, free_seat(a.table, asked.seat), asked.bot)


def put_bot(a: Answer, seat: int, bot: str) -> None:
    (bot,) = lineup(a.table.box, [bot or best_bot(a.table.box)], 1)
    taken = [seat.name.casefold() for seat in a.table.seats]
    a.happen(f.BotSat(seat, bot, next(name for name in STALLHOLDERS if name.casefold() not in taken)))


def remove(a: Answer, asked: c.Remove) -> None:
    a.check_host()
    check_seat(a.table, asked.seat)
    seat = a.table.seats[asked.seat]
    if seat.is_empty or (a.table.phase == "playing" and seat.bot):
        raise Refused("nobody_there", seat=asked.seat)
    a.happen(f.Stood(asked.seat))


def change(a: Answer, asked: c.Change) -> None:
    a.check_host()
    a.check_not_playing()
    table = a.table
    named = {**table.options, **(asked.options or {})}
    options = chosen(table.box, {name: value for name, value in named.items() if value is not None})
    if any(not seat.is_empty for seat in table.seats[options["players"] :]):
        raise Refused("too_many", players=options["players"])
    clock = asked.clock or table.clock
    check_clock(clock)
    a.happen(f.Changed(options, table.private if asked.private is None else asked.private, clock))


def contribute(a: Answer, asked: c.Contribute) -> None:
    a.check_not_playing()
    a.happen(f.Contributed(a.seat, asked.nonce))


def start(a: Answer, asked: c.Start) -> None:
    a.check_host()
    a.check_not_playing()
    if a.table.phase == "over":
        raise Refused("over")
    deal(a, fill=asked.fill)


def deal(a: Answer, *, fill: bool) -> None:
    empty = [number for number, seat in enumerate(a.table.seats) if seat.is_empty]
    if empty and not fill:
        raise Refused("empty_seats", n=len(empty))
    for seat in empty:
        put_bot(a, seat, "")
    a.happen(f.Started(a.table.box.edition, a.table.box.version))


def again(a: Answer, asked: c.Again) -> None:
    """Another game, when everybody who is here wants it."""
    if a.table.phase != "over":
        raise Refused("not_over")
    seat = a.seat
    if a.table.seats[seat].away:
        a.happen(f.Returned(seat))
    if asked.nonce:
        a.happen(f.Contributed(seat, asked.nonce))
    a.happen(f.AgainAsked(seat))


# --- moves ------------------------------------------------------------------------------------------------------------


def move(a: Answer, asked: c.Move) -> None:
    game, seat = a.game, a.player
    if a.table.paused:
        raise Refused("paused")
    if asked.step is not None and asked.step != len(game.steps):
        raise Refused("stale", step=asked.step, steps=len(game.steps))
    if a.table.seats[seat].away:
        a.happen(f.Returned(seat))
    line = game.parse(asked.move, seat).line() if isinstance(asked.move, str) else asked.move
    if line.get("seat", seat) != seat or isinstance(line.get("seat"), bool):
        raise Refused("other_seat", seat=seat)
    line = without_seat(read_move(game.box.moves.MOVES, {**line, "seat": seat}))
    if seat in a.table.asked and a.table.together:
        decide(a, seat, line)
    else:
        a.happen(f.Moved(seat, line))


def decide(a: Answer, seat: int, line: dict[str, Any]) -> None:
    """Make up one's mind while others still may. Who may decide on several things has done so when nothing is left but
    to let the rest pass."""
    otherwise = a.table.otherwise
    if otherwise and a.table.has_decided(seat):
        raise Refused("decided")
    a.game.asked(seat, a.table.decided(seat)).play({"seat": seat, **line})  # refuses what cannot be
    a.happen(f.Decided(seat, line))
    if otherwise and not a.table.has_decided(seat):
        left = a.game.asked(seat, a.table.decided(seat)).legal_moves
        if all(isinstance(move, otherwise) for move in left):
            a.happen(f.Decided(seat, {"move": otherwise.name()}))


def without_seat(move: Move) -> dict[str, Any]:
    """A move as a fact has it: plain data, the same before and after it was stored."""
    line = {key: value for key, value in move.line().items() if key != "seat"}
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(line))
    return plain


def close_window(a: Answer) -> None:
    """Take the decisions of all in order. What somebody has decided on besides, who is asked no more (V6.3: after a
    wrong toss), is not done."""
    decided = [(seat, made_up(a, seat)) for seat in a.table.asked]
    for seat, moves in decided:
        for move in moves:
            if a.table.together and a.game.actor == seat:
                a.happen(move)


def made_up(a: Answer, seat: int) -> list[f.Moved]:
    """What a seat has decided. Who has not finished lets the rest pass; for who is gone, a bot decides."""
    made = [f.Moved(seat, decision.move, decision.by) for decision in a.table.decisions.get(seat, ())]
    if a.table.has_decided(seat):
        return made
    otherwise = a.table.otherwise
    if otherwise and (made or a.table.seats[seat].plays):
        return [*made, f.Moved(seat, {"move": otherwise.name()})]
    return [f.Moved(seat, move, "bot") for move in bots_decisions(a, seat)]


def bots_decisions(a: Answer, seat: int) -> list[dict[str, Any]]:
    """What a bot would do while all decide at the same time."""
    otherwise = a.table.otherwise
    made = [bots_choice(a, seat)]
    while otherwise and made[-1]["move"] != otherwise.name():
        made.append(bots_choice(a, seat, made))
    return made


def bots_choice(a: Answer, seat: int, decided: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    """What a bot would do. The same game asks the same question only once, so nothing needs to be remembered."""
    game = a.game.asked(seat, decided) if a.table.together else a.game
    bot = a.table.seats[seat].bot or best_bot(a.table.box)
    seed = f"{game.seed}/{seat}/{len(game.steps) + len(decided)}"
    return without_seat(Bot(a.table.box, bot, seed).choose(game))


def tick(a: Answer, _: c.Tick) -> None:
    """Whatever is due."""
    due = sorted(appointment for appointment in a.table.appointments() if appointment.at <= a.now)
    if not due:
        return
    if any(appointment.what == "time" for appointment in due):  # bots that are due as well move after it
        a.happen(f.Announced(a.table.game_events[0]))
    elif due[0].what == "late" and a.table.together:
        a.happen(*[f.Decided(d.seat, bots_choice(a, d.seat), "clock") for d in due if d.what == "late"])
    elif a.table.together:
        close_window(a)
    else:
        seat = a.game.actor
        a.happen(f.Moved(seat, bots_choice(a, seat), "clock" if due[0].what == "late" else "bot"))


def wake(a: Answer, _: c.Wake) -> None:
    """What was not minded while nobody was: a game whose rules are gone is closed, and what older logs do not have of
    games that are over is recorded."""
    table = a.table
    if table.earlier and not table.recorded:
        a.happen(f.Closed(table.earlier.edition, table.box.edition))
    for number, finished in enumerate(table.finished, 1):
        if not finished.recorded:
            a.happen(f.Recorded(number, zlib.compress(finished.record), finished.winners))
    due = a.table.due()
    if due is not None and due < a.now - UNWATCHED:
        a.happen(f.Stalled())


# --- taking back ------------------------------------------------------------------------------------------------------


def undo(a: Answer, _: c.Undo) -> None:
    game, seat = a.game, a.player
    if a.table.paused:
        raise Refused("paused")
    if is_free(game, seat):
        a.happen(f.Undone(seat, 1))
        return
    if not moves_since(game, seat):
        raise Refused("nothing_to_undo")
    if a.table.undo_asked is not None:
        raise Refused("undo_asked")
    if not others(a.table, seat):
        raise Refused("nobody_to_ask")
    a.happen(f.UndoAsked(seat))


def is_free(game: Game, seat: int) -> bool:
    """Whether a player may take back their last move without asking. What all decided at the same time is no longer
    theirs alone."""
    if game.together or not game.can_undo(seat):
        return False
    before, _ = game.around(len(game.steps) - 1)
    return game.box.together(before) is None


def others(table: Table, seat: int) -> set[int]:
    """The other people who play: those who must agree."""
    return set(table.people) - {seat}


def moves_since(game: Game, seat: int) -> int:
    """How many moves must be taken back for the last one of a seat to be; 0 if it has made none."""
    movers = [step.move.seat for step in reversed(game.steps) if step.move]
    return movers.index(seat) + 1 if seat in movers else 0


def agree(a: Answer, _: c.Agree) -> None:
    a.check_playing()
    if a.player == asked_undo(a):
        raise Refused("own_undo")
    a.happen(f.UndoAgreed(a.player))


def refuse(a: Answer, _: c.Refuse) -> None:
    a.check_playing()
    asked_undo(a)
    a.happen(f.UndoRefused(a.player))


def asked_undo(a: Answer) -> int:
    if a.table.undo_asked is None:
        raise Refused("no_undo_asked")
    return a.table.undo_asked


# --- coming and going -------------------------------------------------------------------------------------------------


def pause(a: Answer, _: c.Pause) -> None:
    a.check_playing()
    if a.table.paused:
        raise Refused("paused")
    a.happen(f.Paused(a.player))


def resume(a: Answer, _: c.Resume) -> None:
    a.check_playing()
    if not a.table.paused:
        raise Refused("not_paused")
    a.happen(f.Resumed(a.player))


def back(a: Answer, _: c.Back) -> None:
    come_back(a)


def come_back(a: Answer) -> None:
    """Nothing is changed for one who has been there all the time."""
    if a.table.seats[a.seat].away:
        a.happen(f.Returned(a.seat))


def lost(a: Answer, asked: c.Lost) -> None:
    """Before the deal there is nothing to be late for; after a game, another one does not wait for who is gone."""
    check_seat(a.table, asked.seat)
    seat = a.table.seats[asked.seat]
    if a.table.phase != "open" and seat.who and not seat.away:
        a.happen(f.Went(asked.seat))


def resign(a: Answer, _: c.Resign) -> None:
    players = len(a.game.scores)
    a.happen(f.Resigned(a.player))
    left = [seat for seat in a.table.seats if seat.who and not seat.resigned]
    if players == 2 or not left:
        a.happen(f.Ended())


def chat(a: Answer, asked: c.Chat) -> None:
    seat, text = a.seat, readable(asked.text, LONGEST_SAID)
    if not text:
        raise Refused("silence")
    lately = [at for at in a.table.seats[seat].spoken if at > a.now - CHAT_SECONDS]
    if len(lately) >= CHATTY:
        raise Refused("chatty", messages=CHATTY, seconds=int(CHAT_SECONDS))
    a.happen(f.Said(seat, text, allies_of(a, seat) if asked.allies else ()))


def allies_of(a: Answer, seat: int) -> tuple[int, ...]:
    allies = a.game.box.allies(a.game.state)
    if seat not in allies:
        raise Refused("no_allies")
    return allies


ANSWERS: dict[type[c.Command], Callable[[Answer, Any], None]] = {
    c.Sit: sit,
    c.Stand: stand,
    c.Bot: seat_bot,
    c.Remove: remove,
    c.Change: change,
    c.Contribute: contribute,
    c.Start: start,
    c.Move: move,
    c.Undo: undo,
    c.Agree: agree,
    c.Refuse: refuse,
    c.Pause: pause,
    c.Resume: resume,
    c.Back: back,
    c.Resign: resign,
    c.Chat: chat,
    c.Again: again,
    c.Tick: tick,
    c.Lost: lost,
    c.Wake: wake,
}
