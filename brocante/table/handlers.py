"""The handlers of commands: which facts follow from one, or why it is refused. All rights are checked here."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from brocante.bots import STALLHOLDERS, best_bot, lineup
from brocante.engine.box import Box
from brocante.engine.errors import BrocanteError
from brocante.engine.game import Game
from brocante.engine.moves import Move, read_move
from brocante.engine.options import options_to_write
from brocante.engine.text import Text
from brocante.engine.undo import REDEALS
from brocante.games import box as find_box
from brocante.table import commands as c
from brocante.table import facts as f
from brocante.table.clean_text import clean_text
from brocante.table.facts import LEAST_SECONDS, LEAST_WINDOW, MOST_SECONDS, MOST_WINDOW, Clock, Fact
from brocante.table.fair import new_seed
from brocante.table.live_table import CHAT_SECONDS, CHATTY, LiveTable
from brocante.table.lookalikes import look_alike
from brocante.table.removing import is_agreed, may_say
from brocante.table.taking_back import moves_since, others, undo_state
from brocante.table.thinking import Question, Thinking, Unanswered

LONGEST_NAME, LONGEST_SAID = 24, 300
#: Seconds overdue after which a clock counts as not watched.
UNWATCHED = 5.0

#: Seconds after which a bot that still thinks about its turn shows what it has done so far: the table must answer.
LONGEST_THOUGHT = 1.0

Seeds = Callable[[], str]


class Refused(BrocanteError):
    """Something that cannot be done at the table now, or not by whoever asks. Nothing was changed."""

    def __init__(self, why: str, **blanks: Any) -> None:
        super().__init__(Text(f"table.refused.{why}", **blanks))
        self.code = why


class Context:
    """What a handler works with: a copy of the table, to which facts are added one by one."""

    def __init__(
        self, table: LiveTable, who: str, now: float, told: float | None, seeds: Seeds, bots: Thinking
    ) -> None:
        self.table = table.copy()
        self.who = who
        self.now = now
        self.told = told
        self.seeds = seeds
        self.bots = bots
        self.facts: list[Fact] = []

    def happen(self, *facts: Fact) -> None:
        for fact in facts:
            self.facts.append(self.table.apply(fact, self.now, told=self.told))

    def play(self, move: Move, by: Literal["player", "bot", "clock"] = "player") -> None:
        """Make a move that was read already."""
        moved = f.Moved(move.seat, line_of(move), by)
        self.facts.append(self.table.apply(moved, self.now, told=self.told, move=move))

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
        """The seat of whoever asks."""
        seat = self.table.seat_of(self.who)
        if seat is None:
            raise Refused("no_seat")
        return seat

    @property
    def player(self) -> int:
        """The same, if they have not given up."""
        seat = self.seat
        if self.table.seats[seat].resigned:
            raise Refused("resigned")
        return seat

    def check_not_playing(self) -> None:
        if self.table.phase == "playing":
            raise Refused("playing")


def open_table(
    game: str, options: Mapping[str, Any], host: str, now: float, *, private: bool = False,
    clock: Clock | None = None, fading: bool = True, slowness: float = 1.0, seeds: Seeds = new_seed,
) -> tuple[LiveTable, list[Fact]]:  # fmt: skip
    """A new table, and the facts with which it begins."""
    box, clock = find_box(game), clock or Clock()
    check_clock(clock)
    table = LiveTable(slowness)
    opened = f.Opened(box.slug, chosen(box, options), host, private, clock, fading=fading)
    facts: list[Fact] = [opened, f.Committed(seeds())]
    for fact in facts:
        table.apply(fact, now)
    return table, facts


def handle(
    table: LiveTable, command: c.Command, who: str, now: float, seeds: Seeds = new_seed, *,
    told: float | None = None, bots: Thinking | None = None,
) -> tuple[LiveTable, list[Fact]]:  # fmt: skip
    """Handle a command: returns the table as it will be, and the facts; a BrocanteError if it cannot be done.

    `now` is the table's own time, `told` the time of day if that is another (see `LiveTable.apply`). `bots` says how
    bots think: right here, unless it says otherwise.
    """
    ctx = Context(table, who, max(now, table.since), told, seeds, bots or Thinking())
    if command.host_only and (not who or who != table.host):
        raise Refused("host_only")
    HANDLERS[type(command)](ctx, command)
    follow_up(ctx)
    return ctx.table, ctx.facts


def follow_up(ctx: Context) -> None:
    """What follows by itself: a window closes when all have decided, a move is taken back or somebody removed when
    everyone present has agreed, bots that were hurried have caught up, and after a game another is dealt when everyone
    present wants it."""
    table = ctx.table
    if table.together and not table.undecided and not table.paused:
        close_window(ctx)
    if table.undo_asked is not None and table.agreed and others(table, table.undo_asked) <= table.agreed:
        ctx.happen(f.Undone(table.undo_asked, moves_since(ctx.game, table.undo_asked)))
    if table.removal_asked is not None and is_agreed(table):
        ctx.happen(f.Stood(table.removal_asked))
    if table.skipping and not table.waits_for_bots:
        ctx.happen(f.CaughtUp())
    if table.phase == "over" and not table.recorded:
        ctx.happen(table.recording())
    if table.phase == "over" and not table.committed:
        ctx.happen(f.Committed(ctx.seeds()))
    if table.phase == "over":
        here = {number for number, seat in enumerate(table.seats) if seat.who and not seat.away}
        if here and here <= table.again:
            deal_cards(ctx, fill=True)


# --- before the deal --------------------------------------------------------------------------------------------------


def chosen(box: Box, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a game, checked, as plain data. Players cannot bring files to a live table."""
    complete = box.complete(options)
    box.check_nothing_is_wanting(complete)
    return dict(options_to_write(box.options, complete))


def check_clock(clock: Clock) -> None:
    if clock.kind != "none" and not LEAST_SECONDS <= clock.seconds <= MOST_SECONDS:
        raise Refused("clock", least=LEAST_SECONDS, most=MOST_SECONDS)
    if not LEAST_WINDOW <= clock.window <= MOST_WINDOW:
        raise Refused("window", least=LEAST_WINDOW, most=MOST_WINDOW)


def sit(ctx: Context, command: c.Sit) -> None:
    if not ctx.who:
        raise Refused("stranger")
    if (own := ctx.table.seat_of(ctx.who)) is not None:
        if command.nonce and ctx.table.phase != "playing":
            ctx.happen(f.Contributed(own, command.nonce))
        return back(ctx, command)
    ctx.check_not_playing()
    name = clean_text(command.name, LONGEST_NAME)
    if not name:
        raise Refused("name", most=LONGEST_NAME)
    if is_taken(ctx.table, name):
        raise Refused("name_taken", name=name)
    seat = free_seat(ctx.table, command.seat)
    ctx.happen(f.Sat(seat, ctx.who, name))
    if not ctx.table.host:  # the last one has left, and somebody must be able to begin
        ctx.happen(f.Hosted(ctx.who))
    if command.nonce:
        ctx.happen(f.Contributed(seat, command.nonce))
    return None


def is_taken(table: LiveTable, name: str) -> bool:
    """Whether somebody at the table has a name that looks like this one."""
    return any(look_alike(name, seat.name) for seat in table.seats if seat.name)


def free_seat(table: LiveTable, seat: int | None) -> int:
    """The seat that is asked for, or the first empty one."""
    if seat is None:
        seat = next((number for number, seat in enumerate(table.seats) if seat.is_empty), None)
        if seat is None:
            raise Refused("full")
    check_seat(table, seat)
    if not table.seats[seat].is_empty:
        raise Refused("taken", seat=seat)
    return seat


def check_seat(table: LiveTable, seat: int) -> None:
    if seat >= len(table.seats):
        raise Refused("seat", seat=seat, last=len(table.seats) - 1)


def stand(ctx: Context, _: c.Stand) -> None:
    seat = ctx.seat
    if ctx.table.phase == "playing":
        if not ctx.table.seats[seat].away:
            ctx.happen(f.Went(seat, left=True))
        return
    ctx.happen(f.Stood(seat))
    if ctx.who == ctx.table.host:
        find_host(ctx)


def find_host(ctx: Context) -> None:
    """The host has gone: somebody who is here takes over, or whoever sits down next."""
    left = [seat for seat in ctx.table.seats if seat.who]
    ctx.happen(f.Hosted(min(left, key=lambda seat: seat.away).who if left else ""))


def seat_bot(ctx: Context, command: c.AddBot) -> None:
    ctx.check_not_playing()
    put_bot(ctx, free_seat(ctx.table, command.seat), command.bot)


def put_bot(ctx: Context, seat: int, bot: str) -> None:
    (bot,) = lineup(ctx.table.box, [bot or best_bot(ctx.table.box)], 1)
    ctx.happen(f.BotSat(seat, bot, next(name for name in STALLHOLDERS if not is_taken(ctx.table, name))))


def remove(ctx: Context, command: c.Remove) -> None:
    check_seat(ctx.table, command.seat)
    seat = ctx.table.seats[command.seat]
    if seat.is_empty or (ctx.table.phase == "playing" and seat.bot):
        raise Refused("nobody_there", seat=command.seat)
    if ctx.table.phase == "playing" and seat.who != ctx.who:
        ask_to_remove(ctx, command.seat)
    else:
        ctx.happen(f.Stood(command.seat))


def ask_to_remove(ctx: Context, seat: int) -> None:
    """Ask the others who play. Where there is nobody to ask, only somebody who does not play can be removed."""
    if ctx.table.removal_asked is not None:
        raise Refused("removal_asked")
    if may_say(ctx.table, seat):
        ctx.happen(f.RemovalAsked(seat))
    elif ctx.table.seats[seat].plays:
        raise Refused("nobody_to_ask")
    else:
        ctx.happen(f.Stood(seat))


def change(ctx: Context, command: c.Change) -> None:
    ctx.check_not_playing()
    table = ctx.table
    named = {**table.options, **(command.options or {})}
    options = chosen(table.box, {name: value for name, value in named.items() if value is not None})
    if any(not seat.is_empty for seat in table.seats[options["players"] :]):
        raise Refused("too_many", players=options["players"])
    clock = command.clock or table.clock
    check_clock(clock)
    private = table.private if command.private is None else command.private
    fading = table.fading if command.fading is None else command.fading
    ctx.happen(f.Changed(options, private, clock, fading))


def contribute(ctx: Context, command: c.Contribute) -> None:
    ctx.check_not_playing()
    ctx.happen(f.Contributed(ctx.seat, command.nonce))


def start(ctx: Context, command: c.Start) -> None:
    ctx.check_not_playing()
    if ctx.table.phase == "over":
        raise Refused("over")
    deal_cards(ctx, fill=command.fill)


def deal_cards(ctx: Context, *, fill: bool) -> None:
    empty = [number for number, seat in enumerate(ctx.table.seats) if seat.is_empty]
    if empty and not fill:
        raise Refused("empty_seats", n=len(empty))
    for seat in empty:
        put_bot(ctx, seat, "")
    ctx.happen(f.Started(ctx.table.box.edition, ctx.table.box.version))


def again(ctx: Context, command: c.Again) -> None:
    """Ask for another game."""
    if ctx.table.phase != "over":
        raise Refused("not_over")
    seat = ctx.seat
    back(ctx, command)
    if command.nonce:
        ctx.happen(f.Contributed(seat, command.nonce))
    ctx.happen(f.AgainAsked(seat))


# --- moves ------------------------------------------------------------------------------------------------------------


def move(ctx: Context, command: c.PlayMove) -> None:
    game, seat = ctx.game, ctx.player
    if ctx.table.paused:
        raise Refused("paused")
    if command.step is not None and command.step != len(game.steps):
        raise Refused("stale", step=command.step, steps=len(game.steps))
    back(ctx, command)
    read = read_request(game, seat, command.move)
    if seat in ctx.table.deciding and ctx.table.together:
        decide(ctx, read)
    else:
        ctx.play(read)


def read_request(game: Game, seat: int, move: dict[str, Any] | str) -> Move:
    """The move that a player asks for, as text or as a line of a record; for their own seat and no other."""
    if isinstance(move, str):
        return game.parse(move, seat)
    if move.get("seat", seat) != seat or isinstance(move.get("seat"), bool):
        raise Refused("other_seat", seat=seat)
    return read_move(game.box.moves, {**move, "seat": seat})


def decide(ctx: Context, move: Move) -> None:
    """Note a decision while others still may decide. Where a seat may decide on several things, it is done when all
    it can still do is let the rest pass."""
    seat, otherwise = move.seat, ctx.table.otherwise
    if otherwise and ctx.table.has_decided(seat):
        raise Refused("decided")
    ctx.game.deciding_as(seat, ctx.table.decided(seat)).play(move)  # refuses what cannot be
    ctx.happen(f.Decided(seat, line_of(move)))
    if otherwise and not ctx.table.has_decided(seat):
        left = ctx.game.deciding_as(seat, ctx.table.decided(seat)).legal_moves
        if all(isinstance(move, otherwise) for move in left):
            ctx.happen(f.Decided(seat, {"move": otherwise.name()}))


def line_of(move: Move) -> dict[str, Any]:
    """A move as a fact has it: without the seat, and the same before and after it was stored."""
    return {"move": move.name(), **{key: plain(value) for key, value in move.values().items()}}


def plain(value: Any) -> Any:
    return [plain(item) for item in value] if isinstance(value, tuple) else value


def close_window(ctx: Context) -> None:
    """Carry out the decisions of all, in order. The rest of a seat's decisions lapse if it may not decide any more
    (V6.3: after a wrong toss)."""
    decided = [(seat, made_up(ctx, seat)) for seat in ctx.table.deciding]
    for seat, moves in decided:
        for move in moves:
            if ctx.table.together and ctx.game.actor == seat:
                ctx.happen(move)


def made_up(ctx: Context, seat: int) -> list[f.Moved]:
    """What a seat has decided. Players who have not finished pass; for those who are gone, a bot decides."""
    made = [f.Moved(seat, decision.move, decision.by) for decision in ctx.table.decisions.get(seat, ())]
    if ctx.table.has_decided(seat):
        return made
    otherwise = ctx.table.otherwise
    if otherwise and (made or ctx.table.seats[seat].plays):
        return [*made, f.Moved(seat, {"move": otherwise.name()})]
    return [f.Moved(seat, move, "bot") for move in bots_decisions(ctx, seat)]


def bots_decisions(ctx: Context, seat: int) -> list[dict[str, Any]]:
    """What a bot would do while all decide at the same time."""
    otherwise = ctx.table.otherwise
    made = [line_of(bots_choice(ctx, seat))]
    while otherwise and made[-1]["move"] != otherwise.name():
        made.append(line_of(bots_choice(ctx, seat, made)))
    return made


def bots_choice(ctx: Context, seat: int, decided: Sequence[dict[str, Any]] = ()) -> Move:
    """What a bot would do. A game asks the same question only once, so the seed needs no memory."""
    game = ctx.game.deciding_as(seat, decided) if ctx.table.together else ctx.game
    bot = ctx.table.seats[seat].bot or best_bot(ctx.table.box)
    seed = f"{game.seed}/{seat}/{len(game.steps) + len(decided)}"
    return ctx.bots.decide(Question(game.box.slug, bot, seed, game.state.tobytes()))


def tick(ctx: Context, _: c.Tick) -> None:
    """Do whatever is due."""
    due = sorted(appointment for appointment in ctx.table.appointments() if appointment.at <= ctx.now)
    if not due:
        return
    if any(appointment.what == "time" for appointment in due):  # bots that are due as well move after it
        ctx.happen(f.Announced(ctx.table.game_events[0]))
    elif due[0].what == "late" and ctx.table.together:
        ctx.happen(*[f.Decided(d.seat, line_of(bots_choice(ctx, d.seat)), "clock") for d in due if d.what == "late"])
    elif ctx.table.together:
        close_window(ctx)
    elif due[0].what == "late":
        ctx.play(bots_choice(ctx, ctx.game.actor), "clock")
    else:
        bots_turn(ctx)


def bots_turn(ctx: Context) -> None:
    """Make the moves of a bot until somebody else is to decide: a turn is one thing that happens."""
    seat = ctx.game.actor
    while ctx.table.deciding == (seat,) and not ctx.table.together:
        try:
            ctx.play(bots_choice(ctx, seat), "bot")
        except Unanswered as unanswered:
            if ctx.facts and unanswered.seconds > LONGEST_THOUGHT:
                return
            raise
        if ctx.bots.seconds > LONGEST_THOUGHT:
            return


def wake(ctx: Context, command: c.Wake) -> None:
    """Catch up after a while without a server: close a game whose rules are gone, write records that older logs lack,
    and let whoever was thinking begin anew."""
    table = ctx.table
    if table.retired and not table.recorded:
        ctx.happen(f.Closed(table.retired.edition, table.box.edition))
    for number, finished in enumerate(table.finished, 1):
        if not finished.recorded:
            ctx.happen(f.Recorded(number, finished.compressed, finished.winners))
    due = table.due()
    has_thought = table.used + table.seconds_since(ctx.now) > 0
    if has_thought and due is not None and due < ctx.now + command.away - UNWATCHED:
        ctx.happen(f.Stalled())


# --- the operator -----------------------------------------------------------------------------------------------------


def close_game(ctx: Context, _: c.CloseGame) -> None:
    ctx.check_playing()
    ctx.happen(f.Ended("operator"))


def dismiss(ctx: Context, command: c.Dismiss) -> None:
    seat = ctx.table.seat_of(command.identity)
    if seat is not None:
        ctx.happen(f.Stood(seat))
    if command.identity == ctx.table.host:
        find_host(ctx)


# --- what others must agree to ----------------------------------------------------------------------------------------


def undo(ctx: Context, _: c.Undo) -> None:
    game, seat = ctx.game, ctx.player
    if ctx.table.paused:
        raise Refused("paused")
    match undo_state(ctx.table, seat, REDEALS):
        case "free" | "bots":
            ctx.happen(f.Undone(seat, moves_since(game, seat)))
        case "shown":
            raise Refused("shown")
        case "ask" if ctx.table.undo_asked is None:
            ctx.happen(f.UndoAsked(seat))
        case "ask":
            raise Refused("undo_asked")
        case _:
            raise Refused("nothing_to_undo")


def agree(ctx: Context, command: c.Agree) -> None:
    ctx.check_playing()
    if command.to == "removal":
        check_may_say(ctx, asked_removal(ctx))
        return ctx.happen(f.RemovalAgreed(ctx.player))
    if ctx.player == asked_undo(ctx):
        raise Refused("own_undo")
    return ctx.happen(f.UndoAgreed(ctx.player))


def refuse(ctx: Context, command: c.Refuse) -> None:
    ctx.check_playing()
    if command.to == "undo":
        asked_undo(ctx)
        return ctx.happen(f.UndoRefused(ctx.player))
    asked = asked_removal(ctx)
    if ctx.who == ctx.table.host:
        return ctx.happen(f.RemovalWithdrawn(asked))
    check_may_say(ctx, asked)
    return ctx.happen(f.RemovalRefused(ctx.player))


def asked_undo(ctx: Context) -> int:
    if ctx.table.undo_asked is None:
        raise Refused("no_undo_asked")
    return ctx.table.undo_asked


def asked_removal(ctx: Context) -> int:
    if ctx.table.removal_asked is None:
        raise Refused("no_removal_asked")
    return ctx.table.removal_asked


def check_may_say(ctx: Context, asked: int) -> None:
    """The person who may be removed is not asked, nor is the host."""
    if ctx.player == asked or ctx.who == ctx.table.host:
        raise Refused("own_removal")


# --- coming and going -------------------------------------------------------------------------------------------------


def pause(ctx: Context, _: c.Pause) -> None:
    ctx.check_playing()
    if ctx.table.paused:
        raise Refused("paused")
    ctx.happen(f.Paused(ctx.player))


def resume(ctx: Context, _: c.Resume) -> None:
    ctx.check_playing()
    if not ctx.table.paused:
        raise Refused("not_paused")
    ctx.happen(f.Resumed(ctx.player))


def set_pace(ctx: Context, command: c.SetPace) -> None:
    check_alone(ctx)
    if command.pace != ctx.table.chosen_pace:
        ctx.happen(f.Paced(ctx.seat, command.pace))


def skip(ctx: Context, _: c.Skip) -> None:
    ctx.check_playing()
    check_alone(ctx)
    if ctx.table.paused:
        raise Refused("paused")
    if ctx.table.waits_for_bots and not ctx.table.skipping:
        ctx.happen(f.Skipped(ctx.seat))


def check_alone(ctx: Context) -> None:
    if not ctx.table.is_alone(ctx.seat):
        raise Refused("not_alone")


def back(ctx: Context, _: c.Command) -> None:
    """Take the seat back from the bot, if one plays."""
    seat = ctx.seat
    if ctx.table.seats[seat].away:
        ctx.happen(f.Returned(seat))


def lost(ctx: Context, command: c.ConnectionLost) -> None:
    """Mark a player as away. Not before the deal, when nobody is waited for; after a game it lets the next one begin
    without them."""
    check_seat(ctx.table, command.seat)
    seat = ctx.table.seats[command.seat]
    if ctx.table.phase != "open" and seat.who and not seat.away:
        ctx.happen(f.Went(command.seat))


def resign(ctx: Context, _: c.Resign) -> None:
    players = ctx.game.players
    ctx.happen(f.Resigned(ctx.player))
    if players == 2 or not ctx.table.has_players:
        ctx.happen(f.Ended())


def chat(ctx: Context, command: c.Chat) -> None:
    seat, text = ctx.seat, clean_text(command.text, LONGEST_SAID)
    if bool(text) == bool(command.reaction):
        raise Refused("one_reaction" if text else "silence")
    lately = [(speaker, there) for speaker, there, at in ctx.table.speakers if at > ctx.now - CHAT_SECONDS]
    if sum(speaker == ctx.who for speaker, _ in lately) >= CHATTY:
        raise Refused("chatty", messages=CHATTY, seconds=int(CHAT_SECONDS))
    if sum(there == seat for _, there in lately) >= CHATTY:
        raise Refused("noisy", messages=CHATTY, seconds=int(CHAT_SECONDS))
    to = ctx.game.box.allies(ctx.game.state) if command.allies else ()
    if command.allies and seat not in to:
        raise Refused("no_allies")
    ctx.happen(f.Said(seat, text, to, command.reaction))


HANDLERS: dict[type[c.Command], Callable[[Context, Any], None]] = {
    c.Sit: sit,
    c.Stand: stand,
    c.AddBot: seat_bot,
    c.Remove: remove,
    c.Change: change,
    c.Contribute: contribute,
    c.Start: start,
    c.PlayMove: move,
    c.Undo: undo,
    c.Agree: agree,
    c.Refuse: refuse,
    c.Pause: pause,
    c.Resume: resume,
    c.SetPace: set_pace,
    c.Skip: skip,
    c.Back: back,
    c.Resign: resign,
    c.Chat: chat,
    c.Again: again,
    c.Tick: tick,
    c.ConnectionLost: lost,
    c.CloseGame: close_game,
    c.Dismiss: dismiss,
    c.Wake: wake,
}
