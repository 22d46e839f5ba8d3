"""A table of a server, as the client hears of it. No screen here."""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar, get_args

import msgspec

from brocante.client import Lost, TableClient
from brocante.client.table import Update
from brocante.client.views import clean, read_moment, read_view
from brocante.engine.text import Player, Text, Words
from brocante.engine.view import Moment, Table, View
from brocante.files import data_folder
from brocante.games import box as find_box
from brocante.table.commands import Question
from brocante.table.facts import Reaction
from brocante.terminal.table_model import TableModel
from brocante.wire.events import Event, SeatInfo, UndoState
from brocante.wire.socket_codec import Welcome

Seen = TypeVar("Seen", View, Moment)
REACTIONS: tuple[str, ...] = get_args(Reaction)


class Happened(msgspec.Struct, frozen=True):
    """Something that the server told: its lines in the log, and what is seen only for a moment."""

    said: tuple[Words, ...]
    own: bool = False
    moment: Moment | None = None


class ServerTable(TableModel):
    """Everything here comes from the messages of the server."""

    def __init__(self, table: TableClient) -> None:
        self.table = table
        self.box = find_box(table.info.game)
        self.on_news: Callable[[Update], None] = lambda message: None
        self._happened: list[Happened] = []
        self._view: View | None = None
        self._looks: dict[tuple[int, ...], View] = {}  # views after the first choices of a move
        self._step = -1  # to which the looks belong
        self._updates = table.follow()
        self._refresh()
        self._restart_log(table.log)

    async def follow(self) -> None:
        """Take in updates until the connection ends; call `on_news` after each."""
        async for message in self._updates:
            self.take(message)
            self.on_news(message)

    def take(self, message: Update) -> None:
        if isinstance(message, Lost):
            return
        if isinstance(message, Welcome) and message.log is not None:
            self._restart_log(message.log)
        for event in message.events or ():
            self._happened += self._happened_by(event)
        self._refresh()

    def _refresh(self) -> None:
        """Read the present state from the client."""
        table = self.table
        self.seat, self.players = table.you.seat or 0, len(table.info.seats)
        if table.view is not None:
            self.players = len(table.view["table"]["places"])  # another game may have more or fewer players
            self._view = self._seen(table.view)
        if table.now.step != self._step:
            self._step, self._looks = table.now.step, {}

    def _restart_log(self, log: Sequence[str]) -> None:
        self._happened = [Happened((clean(line),)) for line in log]

    def _happened_by(self, event: Event) -> Iterable[Happened]:
        said: tuple[Words, ...] = tuple(map(clean, event.said))
        if event.text or event.reaction:
            name = self.names("")[event.seat or 0]
            words = Text(f"table.reaction.{event.reaction}") if event.reaction in REACTIONS else clean(event.text)
            said = (Text("terminal.remote.says", player=name, text=words),)
        moments = [self._as_one_sits(read_moment(self.box, moment)) for moment in event.moments]
        yield Happened(said, event.seat == self.seat, moments[0] if moments else None)
        yield from (Happened((), moment=moment) for moment in moments[1:])

    def _seen(self, plain: dict[str, Any]) -> View:
        return self._as_one_sits(read_view(self.box, plain))

    def _as_one_sits(self, seen: Seen) -> Seen:
        """The same with the person's own place first, then the others clockwise."""
        table: Table = seen.table
        places = (*table.places[self.seat :], *table.places[: self.seat])
        return msgspec.structs.replace(seen, table=msgspec.structs.replace(table, places=places))

    async def look(self, begun: tuple[int, ...]) -> None:
        """Ask the server what can be chosen next. If the game has gone on by the time it answers, forget the answer."""
        if begun and begun not in self._looks:
            looks = self._looks
            looks[begun] = self._seen(await self.table.look(list(begun)))

    def has_looked(self, begun: tuple[int, ...]) -> bool:
        """Whether these choices can be shown; nobody has to ask what can be chosen first."""
        return not begun or begun in self._looks

    async def keep_record(self) -> None:
        """Save the record of the finished game, and note how to check its deal."""
        number = self.table.info.games
        record = await self.table.record()
        file = data_folder() / "records" / f"{self.box.slug}-{self.table.id}-{number}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(record, "utf-8")
        told = self.table.commitments.get(number, "")
        self.epilogue = Text("terminal.remote.record", file=str(file), commitment=told)

    # --- what the screen needs ---

    def names(self, nameless: str) -> tuple[str, ...]:
        names = dict(enumerate(clean(seat.name) for seat in self.table.info.seats))
        numbers = range(max(self.players, len(names)))
        return tuple(names.get(number) or str(Text("seat", number=number)) for number in numbers)

    def view(self, begun: tuple[int, ...]) -> View:
        assert self._view, "a game has begun"
        if waiting := self.waiting:
            table = self._view.table.untouchable()
            return msgspec.structs.replace(self._view, table=table, prompt=waiting, offers=())
        return self._looks.get(begun, self._view)

    @property
    def waiting(self) -> Text | None:
        """Why the person cannot do anything now; None if they can."""
        if not self.table.connected:
            return Text("terminal.remote.lost")
        if self.table.info.paused:
            return Text("terminal.remote.paused")
        if self.table.info.closed:
            return Text("terminal.remote.closed")
        if self.table.info.ended_by_operator:
            return Text("table.told.ended_by_operator")
        if self.is_over and self._view and self._view.result is None:
            winners = tuple(Player(seat) for seat in self.table.info.winners)
            given_up = self.table.info.ended_by
            if given_up is not None:
                return Text("terminal.remote.ended_by", player=Player(given_up), winners=winners)
            return Text("terminal.remote.ended", winners=winners)
        return None

    @property
    def remarks(self) -> list[Text]:
        """Who has given up or is away, who wants to take back a move or be rid of somebody, who wants to play again."""
        info, remarks = self.table.info, list[Text]()
        for number, seat in enumerate(info.seats):
            if seat.resigned and not self.is_over:
                remarks.append(Text("terminal.remote.resigned", player=Player(number)))
            elif seat.away:
                remarks.append(Text("terminal.remote.away", player=Player(number)))
        if info.undo is not None:
            asked = "answer" if self.question == "undo" else "asked"
            remarks.append(Text(f"terminal.remote.undo.{asked}", player=Player(info.undo)))
        if info.removal is not None:
            about = "about" if info.removal == self.seat else "answer" if self.question == "removal" else "asked"
            remarks.append(Text(f"terminal.remote.removal.{about}", player=Player(info.removal)))
        if self.is_over and info.again:
            remarks.append(Text("terminal.remote.again", players=tuple(map(Player, info.again))))
        return remarks

    @property
    def question(self) -> Question | None:
        """What the person is asked to agree to, if anything."""
        info, seat = self.table.info, self.seat
        if info.undo is not None and info.undo != seat and seat not in info.agreed:
            return "undo"
        is_asked = info.removal is not None and info.removal != seat and seat not in info.removal_agreed
        return "removal" if is_asked and not self.table.you.host else None

    def seat_called(self, name: str) -> int | None:
        """The seat of somebody, by their name or by its number as it is shown."""
        names = [each.casefold() for each in self.names("")]
        if name.isdecimal() and 1 <= int(name) <= len(names):
            return int(name) - 1
        return names.index(name.casefold()) if name.casefold() in names else None

    @property
    def has_begun(self) -> bool:
        return self._view is not None

    @property
    def happened(self) -> int:
        return len(self._happened)

    def sentences(self, number: int) -> Sequence[Words]:
        return self._happened[number].said

    def is_own(self, number: int) -> bool:
        return self._happened[number].own

    def moment(self, number: int) -> Moment | None:
        return self._happened[number].moment

    @property
    def first_moment(self) -> int:
        """What came with the deal is still shown; older moments are not."""
        return next((number for number, one in enumerate(self._happened) if one.moment), self.happened)

    @property
    def is_over(self) -> bool:
        return self.table.info.phase == "over"

    @property
    def undo_state(self) -> UndoState:
        return self.table.undo_state or ""

    @property
    def can_skip(self) -> bool:
        info, now = self.table.info, self.table.now
        here = {number for number, seat in enumerate(info.seats) if is_playing(seat)}
        waits = info.phase == "playing" and not info.paused and not info.skipping and self.seat not in now.asked
        return waits and self.table.you.seat is not None and here <= {self.seat}

    @property
    def seconds_left(self) -> int | None:
        """Of the window in which all decide, of the person's own clock while it runs, or of the game."""
        now = self.table.now
        own = now.left[self.seat] if now.left and self.seat in now.asked else None
        left = next((left for left in (now.window, own, now.game) if left is not None), None)
        if left is None:
            return None
        passed = 0.0 if self.table.info.paused else time.monotonic() - self.table.told_at
        return max(0, round(left - passed))

    def farewell(self, program: str) -> Text | None:
        if self.is_over:
            return None
        return Text("terminal.remote.kept", program=program, link=self.table.link, name=self.table.client.name)


def is_playing(seat: SeatInfo) -> bool:
    """Whether a person decides at a seat, and not a bot in their place."""
    return seat.kind == "person" and not seat.away and not seat.resigned
