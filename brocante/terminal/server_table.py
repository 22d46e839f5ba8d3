"""A seat at a table of a server, as far as the screen of a table needs to know. No screen here."""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import msgspec

from brocante.client import Lost, TableClient
from brocante.client.table import Update
from brocante.client.views import clean, read_moment, read_view
from brocante.engine.text import Player, Text, Words
from brocante.engine.view import Moment, Table, View
from brocante.files import data_folder
from brocante.games import box as find_box
from brocante.terminal.table_model import TableModel
from brocante.wire.events import Event
from brocante.wire.socket_messages import Welcome

Seen = TypeVar("Seen", View, Moment)


class Happened(msgspec.Struct, frozen=True):
    """Something that was told: its lines in the log, and what one sees of it only for a moment."""

    said: tuple[Words, ...]
    own: bool = False
    moment: Moment | None = None


class ServerTable(TableModel):
    """A seat at a table of a server. Everything in it comes from what the client was told."""

    def __init__(self, table: TableClient) -> None:
        self.table = table
        self.box = find_box(table.info.game)
        self.on_news: Callable[[Update], None] = lambda message: None
        self._happened: list[Happened] = []
        self._view: View | None = None
        self._looks: dict[tuple[int, ...], View] = {}  # what one would see after the first choices of a move
        self._step = -1  # of which they are
        self._epilogue: Text | None = None
        self._told = table.follow()
        self._stand()
        self._retell(table.log)

    async def follow(self) -> None:
        """Take in what is told, as long as there is anything; `on_news` is called each time."""
        async for message in self._told:
            self.take(message)
            self.on_news(message)

    def take(self, message: Update) -> None:
        if isinstance(message, Lost):
            return
        if isinstance(message, Welcome) and message.log is not None:
            self._retell(message.log)
        for event in message.events or ():
            self._happened += self._told_by(event)
        self._stand()

    def _stand(self) -> None:
        """How things stand now."""
        table = self.table
        self.seat, self.players = table.you.seat or 0, len(table.info.seats)
        if table.view is not None:
            self.players = len(table.view["table"]["places"])  # the next game may be for more, or for fewer
            self._view = self._seen(table.view)
        if table.now.step != self._step:
            self._step, self._looks = table.now.step, {}

    def _retell(self, log: Sequence[str]) -> None:
        self._happened = [Happened((clean(line),)) for line in log]

    def _told_by(self, event: Event) -> Iterable[Happened]:
        said: tuple[Words, ...] = tuple(map(clean, event.said))
        if event.text:
            name = self.names("")[event.seat or 0]
            said = (Text("terminal.remote.says", player=name, text=clean(event.text)),)
        moments = [self._as_one_sits(read_moment(self.box, moment)) for moment in event.moments]
        yield Happened(said, event.seat == self.seat, moments[0] if moments else None)
        yield from (Happened((), moment=moment) for moment in moments[1:])

    def _seen(self, plain: dict[str, Any]) -> View:
        return self._as_one_sits(read_view(self.box, plain))

    def _as_one_sits(self, seen: Seen) -> Seen:
        """A view or a moment with one's own place first, then the others clockwise."""
        table: Table = seen.table
        places = (*table.places[self.seat :], *table.places[: self.seat])
        return msgspec.structs.replace(seen, table=msgspec.structs.replace(table, places=places))

    async def look(self, begun: tuple[int, ...]) -> None:
        """See what could be chosen next."""
        if begun and begun not in self._looks:
            self._looks[begun] = self._seen(await self.table.look(list(begun)))

    async def keep_record(self) -> None:
        """Write the record of the game that is over into a file, and say how it can be checked."""
        number = self.table.info.games
        record = await self.table.record()
        file = data_folder() / "records" / f"{self.box.slug}-{self.table.id}-{number}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(record, "utf-8")
        told = self.table.commitments.get(number, "")
        self._epilogue = Text("terminal.remote.record", file=str(file), commitment=told)

    # --- what a table's screen needs ---

    def names(self, nameless: str) -> tuple[str, ...]:
        names = dict(enumerate(clean(seat.name) for seat in self.table.info.seats))
        numbers = range(max(self.players, len(names)))
        return tuple(names.get(number) or str(Text("seat", number=number)) for number in numbers)

    def view(self, begun: tuple[int, ...]) -> View:
        assert self._view, "a game has begun"
        if waiting := self.waiting:
            table = self._view.table.with_moves(lambda moves: ())
            return msgspec.structs.replace(self._view, table=table, prompt=waiting, offers=())
        return self._looks.get(begun, self._view)

    @property
    def waiting(self) -> Text | None:
        """Why nothing can be done, if it cannot."""
        if not self.table.connected:
            return Text("terminal.remote.lost")
        if self.table.info.paused:
            return Text("terminal.remote.paused")
        if self.table.info.closed:
            return Text("terminal.remote.closed")
        if self.is_over and self._view and self._view.result is None:
            winners = tuple(Player(seat) for seat in self.table.info.winners)
            return Text("terminal.remote.ended", winners=winners)
        return None

    @property
    def remarks(self) -> list[Text]:
        """What there is to know besides: who is away, who would take back a move, who would play again."""
        info = self.table.info
        away = [Player(number) for number, seat in enumerate(info.seats) if seat.away]
        remarks = [Text("terminal.remote.away", player=player) for player in away]
        if info.undo is not None:
            asked = "answer" if self.is_asked_to_agree else "asked"
            remarks.append(Text(f"terminal.remote.undo.{asked}", player=Player(info.undo)))
        if self.is_over and info.again:
            remarks.append(Text("terminal.remote.again", players=tuple(map(Player, info.again))))
        return remarks

    @property
    def is_asked_to_agree(self) -> bool:
        info = self.table.info
        return info.undo is not None and info.undo != self.seat and self.seat not in info.agreed

    @property
    def has_begun(self) -> bool:
        return self._view is not None

    @property
    def happened(self) -> int:
        return len(self._happened)

    def told(self, number: int) -> Sequence[Words]:
        return self._happened[number].said

    def is_own(self, number: int) -> bool:
        return self._happened[number].own

    def moment(self, number: int) -> Moment | None:
        return self._happened[number].moment

    @property
    def first_moment(self) -> int:
        """Nothing is seen again that has been told before; but what came with the deal is still to be seen."""
        return next((number for number, one in enumerate(self._happened) if one.moment), self.happened)

    @property
    def persons_turn(self) -> bool:
        return self._view is not None and self._view.actor == self.seat and bool(self._view.offers)

    @property
    def is_over(self) -> bool:
        return self.table.info.phase == "over"

    @property
    def can_undo(self) -> bool:
        """The server knows, or asks the others."""
        return self.table.info.phase == "playing"

    @property
    def seconds_left(self) -> int | None:
        """Of the window in which all decide, of one's own clock when it runs, of the game."""
        now = self.table.now
        own = now.left[self.seat] if now.left and self.seat in now.asked else None
        left = next((left for left in (now.window, own, now.game) if left is not None), None)
        if left is None:
            return None
        passed = 0.0 if self.table.info.paused else time.monotonic() - self.table.told_at
        return max(0, round(left - passed))

    @property
    def epilogue(self) -> Text | None:
        return self._epilogue

    def farewell(self, program: str) -> Text | None:
        if self.table.info.phase == "over":
            return None
        return Text("terminal.remote.kept", program=program, link=self.table.link, name=self.table.client.name)
