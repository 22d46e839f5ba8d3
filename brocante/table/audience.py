"""Who is told what: the events of a table as each viewer may know them, and what each is shown. Nothing else is sent.

A viewer is a seat, or NOBODY for those who watch. Every viewer has a stream of events of their own, numbered from 1
without a gap, so that nobody notices what they may not know (`Fact.is_for` decides).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from brocante.engine.box import Box
from brocante.engine.game import Game
from brocante.engine.moves import Move
from brocante.engine.perspective import Perspective
from brocante.engine.state import NOBODY
from brocante.engine.step import Step
from brocante.engine.text import Language, Player, Text, Words
from brocante.engine.view import Card, Gesture, View, as_plain, remembered
from brocante.table import facts as f
from brocante.table.facts import Fact
from brocante.table.fair import commitment
from brocante.table.live_table import LiveTable
from brocante.table.table_fields import Happening
from brocante.table.taking_back import undo_state
from brocante.wire.events import Event, Now, SeatInfo, TableInfo, UndoState

#: Steps whose lines of the log a newcomer is told.
RECENT = 200


# --- what happened ----------------------------------------------------------------------------------------------------


def events(
    table: LiveTable, viewer: int, since: int, language: Language, *, pictured: bool = True
) -> list[Event] | None:
    """The events that a viewer has not been told yet; None if the history does not go back that far. `pictured`: with
    the cards that the log names."""
    before = table.forgotten_counts.get(viewer, 0)
    if not before <= since <= table.event_counts.get(viewer, 0):
        return None
    own = [happening for happening in table.history if happening.fact.is_for(viewer)]
    missed = enumerate(own[since - before :], since + 1)
    return [event(table, happening, number, viewer, language, pictured) for number, happening in missed]


def latest(table: LiveTable, facts: int, viewer: int, language: Language, *, pictured: bool = True) -> list[Event]:
    """The events that the last so many facts are to a viewer."""
    own = [happening for happening in table.history[len(table.history) - facts :] if happening.fact.is_for(viewer)]
    first = table.event_counts[viewer] - len(own) + 1
    return [event(table, happening, number, viewer, language, pictured) for number, happening in enumerate(own, first)]


def event(
    table: LiveTable, happening: Happening, number: int, viewer: int, language: Language, pictured: bool
) -> Event:
    fact, box, player = happening.fact, table.box, witness(viewer, len(happening.names))
    texts, later = log_now_and_later(box, happening, player)
    at, kind, category = round(happening.at, 3), fact.kind(), fact.category
    said = tuple([language.say(text, happening.names) for text in texts])
    fades = happening.fading and box.forgets and later != texts
    faded = tuple([language.say(text, happening.names) for text in later]) if fades else ()
    shown = pictures(box, texts, language, happening.names) if pictured else {}
    seen = tuple(moments(box, happening.steps, player, language, happening.names)) if box.has_moments else ()
    made = tuple(gestures(box, happening.steps)) if box.has_moments else ()
    if isinstance(fact, f.Moved):
        by = "" if fact.by == "player" else fact.by
        die = rolled(happening)
        aside = None if happening.turn == fact.seat else happening.turn
        return Event(number, at, kind, category, fact.seat, aside, said, shown, seen, die, made, by=by, later=faded)
    heard = message_for(table, fact, number, viewer)
    return Event(
        number,
        at,
        kind,
        category,
        seat=getattr(fact, "seat", None),
        said=said,
        pictures=shown,
        moments=seen,
        gestures=made,
        name=getattr(fact, "name", ""),
        text=heard.text if heard else "",
        reaction=(heard.reaction or "") if heard else "",
        allies=bool(getattr(fact, "to", ())),
        by="clock" if isinstance(fact, f.Decided) and fact.by == "clock" else "",
        move=fact.move if isinstance(fact, f.Decided) else None,
        later=faded,
        moves=fact.moves if isinstance(fact, f.Undone) else 0,
    )


def log_now_and_later(box: Box, happening: Happening, viewer: int) -> tuple[list[Text], list[Text]]:
    """What the log says of a fact while it is news, and what it says afterwards."""
    now = [*log_lines(happening.fact)]
    later = [*now]
    for step in happening.steps:
        as_news, afterwards = step.log_now_and_later(box, viewer)
        now += as_news
        later += afterwards
    return now, later


def witness(viewer: int, players: int) -> int:
    """The viewer of a game that had fewer seats: whoever had none has watched it."""
    return viewer if viewer < players else NOBODY


def message_for(table: LiveTable, fact: Fact, number: int, viewer: int) -> f.Said | None:
    """What a player said, unless it was said in confidence to somebody who sat at the seat before."""
    if not isinstance(fact, f.Said):
        return None
    theirs = not fact.to or (viewer < len(table.seats) and number >= table.seats[viewer].sat)
    return fact if theirs else None


def moments(box: Box, steps: Sequence[Step], viewer: int, language: Language, names: tuple[str, ...]) -> Iterator[Any]:
    for step in steps:
        if moment := step.moment(box, viewer):
            yield as_plain(moment, language, names)


def gestures(box: Box, steps: Sequence[Step]) -> Iterator[Gesture]:
    for step in steps:
        if gesture := step.gesture(box):
            yield gesture


def rolled(happening: Happening) -> int:
    """What a die showed (docs/record.md), which everyone sees fall; 0 where none was rolled."""
    lines = [step.other_line for step in happening.steps if step.other_line]
    return next((int(line["value"]) for line in reversed(lines) if line.get("chance") == "die"), 0)


def pictures(box: Box, texts: Iterable[Text], language: Language, names: tuple[str, ...] = ()) -> dict[str, Any]:
    """The cards that texts name, as plain data, by the phrases that name them in the language."""
    return {
        language.say(words, names): drawn(card, language, names)
        for text in texts
        for words, card in cards_named(box, text)
    }


@remembered
def cards_named(box: Box, text: Text) -> tuple[tuple[Words, Card], ...]:
    """The cards that a text names, with the words that do."""
    return tuple([(words, card) for words in blanks_of(text) if (card := box.picture(words))])


@remembered
def drawn(card: Card, language: Language, names: tuple[str, ...]) -> Any:
    """A card as plain data, which nobody changes."""
    return as_plain(card, language, names)


def blanks_of(text: Text) -> Iterator[Words]:
    """Everything that fills the blanks of a text, and their blanks in turn."""
    waiting = [*text.args.values()]
    while waiting:
        value = waiting.pop(0)
        if isinstance(value, tuple | list):
            waiting += value
        elif isinstance(value, Words):
            yield value
            waiting += value.args.values() if isinstance(value, Text) else ()


def log_lines(fact: Fact) -> Iterator[Text]:
    """What the log says of a fact. The lines of a move come from the game."""
    if fact.line_key:
        yield Text(f"table.told.{fact.line_key}", player=Player(getattr(fact, "seat", NOBODY)))
    elif isinstance(fact, f.Moved) and fact.by == "clock":
        yield Text("table.told.late", player=Player(fact.seat))
    elif isinstance(fact, f.Ended):
        yield Text("table.told.ended_by_operator" if fact.by else "table.told.ended")
    elif isinstance(fact, f.Closed):
        yield why_closed(fact)


def why_closed(closed: f.Closed) -> Text:
    """Which rules are gone: another edition, or another version of the same one."""
    key = "closed" if closed.edition == closed.ours else "closed_edition"
    return Text(f"table.told.{key}", edition=closed.edition, ours=closed.ours)


def log(table: LiveTable, viewer: int, language: Language) -> list[str]:
    """What a newcomer may read of the game so far."""
    return [language.say(text, table.dealt_to) for text in recent(table, viewer)]


def recent(table: LiveTable, viewer: int) -> list[Text]:
    """The same before it is put into a language."""
    if table.closed:
        return [why_closed(table.closed)]
    if table.game is None:
        return []
    viewer = witness(viewer, table.game.players)
    steps = len(table.game.steps)
    numbers = range(max(0, steps - RECENT), steps)
    if table.fading:
        return [text for number in numbers for text in table.game.log_of(viewer, number)]
    return [text for step in table.game.steps[numbers.start :] for text in step.log(table.box, viewer)]


def fading(table: LiveTable, viewer: int) -> list[Text]:
    """The last of these, as they read when they are no longer news."""
    if table.closed or table.game is None or not table.fading:
        return []
    return table.game.fading(witness(viewer, table.game.players), len(table.game.steps) - RECENT)


# --- how things stand -------------------------------------------------------------------------------------------------


def info(table: LiveTable) -> TableInfo:
    return TableInfo(
        game=table.box.slug,
        options=table.options,
        private=table.private,
        phase=table.phase,
        paused=table.paused,
        pace=table.pace,
        skipping=table.skipping,
        clock=table.clock,
        fading=table.fading,
        host=table.seat_of(table.host),
        seats=tuple(
            SeatInfo(
                kind="person" if seat.who else "bot" if seat.bot else "empty",
                name=seat.name,
                bot=seat.bot,
                away=seat.away,
                resigned=seat.resigned,
                nonce=seat.nonce,
            )
            for seat in table.seats
        ),
        undo=table.undo_asked,
        agreed=tuple(sorted(table.agreed)),
        removal=table.removal_asked,
        removal_agreed=tuple(sorted(table.removal_agreed)),
        again=tuple(sorted(table.again)),
        games=len(table.finished),
        taken_back=tuple(table.taken_back_by_seat),
        winners=table.winners,
        commitment=commitment(table.seed),
        closed=table.closed is not None,
        ended_by=table.gave_up if table.ended and not table.closed and not table.ended_by_operator else None,
        ended_by_operator=table.ended_by_operator,
    )


def now(table: LiveTable, at: float) -> Now:
    if table.game is None:
        return Now()
    clocks = [table.seconds_left(seat, at) for seat in range(len(table.seats))] if table.clock.kind != "none" else []
    return Now(
        step=len(table.game.steps),
        asked=table.deciding,
        turn=table.box.turn(table.game.state),
        otherwise=table.otherwise.name() if table.otherwise else "",
        left=tuple(map(rounded, clocks)),
        window=rounded(table.window_left(at)),
        game=rounded(table.game_left(at)),
    )


def rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)


def view(table: LiveTable, viewer: int, begun: Sequence[int] = ()) -> View | None:
    """What a viewer is shown of the game."""
    found = perspective(table, viewer, begun)
    return found.whole() if found else None


def perspective(table: LiveTable, viewer: int, begun: Sequence[int] = ()) -> Perspective | None:
    """The same, taken apart into what lies there and what may be touched."""
    game = table.game
    if game is None:
        return None
    if may_decide(table, viewer):
        return game_for(table, game, viewer).perspective(viewer, begun)
    viewer = witness(viewer, game.players)
    if prompt := waiting_prompt(table, game, viewer):
        found = game_for(table, game, viewer) if table.decided(viewer) else game
        return Perspective(msgspec.structs.replace(found.idle_view(viewer, prompt), actor=game.actor))
    return game.perspective(viewer, begun)


def may_decide(table: LiveTable, viewer: int) -> bool:
    return viewer in table.undecided and not table.seats[viewer].resigned


def game_for(table: LiveTable, game: Game, seat: int) -> Game:
    """The game as it looks to a seat that is to decide."""
    return game.deciding_as(seat, table.decided(seat)) if table.together else game


def waiting_prompt(table: LiveTable, game: Game, viewer: int) -> Text | None:
    """The prompt of a viewer who has nothing to decide, where the game's own would mislead; else None."""
    if table.phase == "over":
        return None if game.is_over else Text("prompt.over")
    if table.together:
        return Text("table.prompt.together")
    return Text("prompt.wait", player=Player(viewer)) if game.actor == viewer else None


def undo_for(table: LiveTable, viewer: int) -> UndoState | None:
    """What would become of a viewer's last move if they asked to take it back; None for those who watch."""
    plays = witness(viewer, len(table.dealt_to)) != NOBODY and table.seats[viewer].who
    return undo_state(table, viewer) if plays else None


def legal(table: LiveTable, viewer: int) -> list[dict[str, Any]] | None:
    """The moves that a viewer may make now, as lines of a record; None if they have nothing to decide."""
    moves = moves_of_viewer(table, viewer)
    return None if moves is None else [move.line() for move in moves]


def moves_of_viewer(table: LiveTable, viewer: int) -> list[Move] | None:
    """The same as moves."""
    if table.game is None or not may_decide(table, viewer):
        return None
    return game_for(table, table.game, viewer).legal_moves
