"""The tables that people sit at now: in memory, in step with the log, and everyone told what happens.

Nothing is told before it is on the disk. A command is answered on a copy of the table; when the facts have been
appended to the log, the copy takes the table's place and everyone is told. Where another process was faster, the log
refuses the number; then what it wrote is read, and the command is answered anew.
"""

import asyncio
import logging
import re
import secrets
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from brocante.compiling import Workshop
from brocante.engine.backend import PYTHON
from brocante.engine.errors import BrocanteError
from brocante.games import GAMES
from brocante.games import box as find_box
from brocante.server.config import DAY, Config
from brocante.server.listener import Listener, news, welcome
from brocante.server.metrics import Metrics
from brocante.server.refusals import HttpRefused
from brocante.server.storage import Entry, Listing, Storage, StorageError
from brocante.table import Clock, Command, Fact, LiveTable, audience, handle, open_table
from brocante.table import commands as c
from brocante.table import facts as f
from brocante.table.snapshot import restore, snapshot_version, take_snapshot
from brocante.wire.events import Event

log = logging.getLogger("brocante.server")
#: How the id of a table looks; whatever looks different is none.
TABLE_ID = re.compile(r"[\w-]{16}", re.ASCII)
#: Events that somebody who comes back is told one by one; who has missed more is told how things stand.
MOST_MISSED = 2000
#: How often a command is answered anew before one gives up.
ATTEMPTS = 8
#: Seconds by which a process waits longer that did not make the last entry: usually the one that did acts first.
AFTER_YOU = 0.7
#: What processes say to each other of a player, and the seconds in which one says so.
WHERE, HERE, ANSWERS_WITHIN = "where", "here", 0.5
#: Another thing that processes tell each other: somebody is nobody any more.
FORGOTTEN = "forgotten"
#: Entries after which a snapshot is kept, so that a long game is not replayed from its beginning.
SNAPSHOT_EVERY = 200
#: Seconds after which the listing of a table says anew when it was last touched.
TOUCH_EVERY = 600.0
#: The same for a table at which people wait for others; and seconds after which, if nobody does, they do not find it.
WAIT_EVERY, DESERTED_AFTER = 300.0, 900.0
#: Seconds between two tables that are gone over after the rules have changed: those who play come first.
NO_HURRY = 0.05
#: Facts after which not everything that one may know of a table needs to be told again.
MINOR = (f.Moved, f.Decided, f.Said, f.Announced)
#: Facts after which somebody may be somebody else to the table.
SEATING = (f.Sat, f.Stood, f.Changed)


class Summary(msgspec.Struct, frozen=True):
    """What is told of a table that need not be found by it, as everyone may know it."""

    options: dict[str, Any]
    seats: list[dict[str, str]]
    asked: list[int] = []  # who was to decide when it was last listed
    games: int = 0  # how many were played to their end


def summary_of(listing: Listing) -> Summary:
    return msgspec.json.decode(listing.summary, type=Summary)


class Room:
    """One table in memory, and those who listen to it."""

    def __init__(self, key: str, table: LiveTable, number: int) -> None:
        self.id = key  # which nobody can guess
        self.table = table
        self.number = number  # of the last entry
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.ours = True  # whether the last entry is from this process
        self.listed = 0.0  # when the listing was last written
        self.looked_at = time.monotonic()
        self.timer: asyncio.TimerHandle | None = None
        self.leaving: dict[int, asyncio.TimerHandle] = {}  # seats whose connection is gone

    def is_here(self, seat: int) -> bool:
        return any(listener.viewer == seat for listener in self.listeners)


class Rooms:
    """All tables of a process."""

    def __init__(
        self, storage: Storage, config: Config, metrics: Metrics, clock: Callable[[], float] = time.time
    ) -> None:
        self.storage = storage
        self.config = config
        self.metrics = metrics
        self.clock = clock
        self.workshop = Workshop(shut=not config.compile)
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Future[Room]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._opening: Counter[str] = Counter()  # tables that are being opened, by host
        self._closing = False

    async def listen(self) -> None:
        """Hear what other processes do from now on."""
        await self.storage.listen(self._heard, self._missed, self._called)

    # --- finding tables ---

    async def open(
        self, game: str, options: Mapping[str, Any], host: str, *, private: bool = False, clock: Clock | None = None
    ) -> Room:
        """A new table. Its id cannot be guessed: to know it is to have been given the link."""
        self.workshop.want(game)
        self._opening[host] += 1
        try:
            if await self.storage.of_host(host) + self._opening[host] > self.config.tables:
                raise HttpRefused(429, "tables", most=self.config.tables)
            return await self._open(game, options, host, private, clock)
        finally:
            self._opening -= Counter([host])

    async def _open(self, game: str, options: Mapping[str, Any], host: str, private: bool, clock: Clock | None) -> Room:
        at = self.clock()
        table, facts = open_table(game, options, host, at, private=private, clock=clock, pace=self.config.pace)
        room = Room(secrets.token_urlsafe(12), table, 0)
        listing = self._listing(room, table, at)
        if not await self.storage.append(room.id, 1, at, f.encode(facts), listing):
            raise StorageError
        room.number, room.listed = 1, at
        self._rooms[room.id] = room
        self.metrics.tables.set(len(self._rooms))
        log.info("table opened", extra={"table": room.id[:6], "game": game})
        return room

    async def find(self, key: str) -> Room:
        """A table by its key, from memory or from the log."""
        if not TABLE_ID.fullmatch(key):
            raise HttpRefused(404, "no_table")
        room, loading = self._rooms.get(key), self._loading.get(key)
        if room is None or loading is not None:  # until it has been woken, nobody plays
            if loading is None:
                loading = self._loading[key] = asyncio.ensure_future(self._load(key))
                loading.add_done_callback(lambda _: self._loading.pop(key, None))
            room = await asyncio.shield(loading)
        room.looked_at = time.monotonic()
        return room

    async def _load(self, key: str) -> Room:
        table, number = await self._read(key)
        room = Room(key, table, number)
        room.ours = False
        self._rooms[key] = room
        self.metrics.tables.set(len(self._rooms))
        await self._follow(room)  # of what another process wrote until now, nothing was heard
        await self.do(room, c.Wake(), "")
        self._set_timer(room)
        for seat in room.table.people:  # who may have been here when the last process that knew them was killed
            self._miss(room, seat)
        return room

    async def _read(self, key: str, whole_until: int | None = None) -> tuple[LiveTable, int]:
        """A table as the log has it, with the number of its last entry; or as it was after an entry, with all its
        history."""
        snapshot = await self.storage.snapshot(key, snapshot_version()) if whole_until is None else None
        entries = (await self.storage.entries(key, snapshot[0] if snapshot else 0))[:whole_until]
        found = await self.storage.listing(key)
        if found is None:
            raise HttpRefused(404, "no_table")
        self.workshop.want(found.game)
        number, table = 0, LiveTable(self.config.pace)
        if snapshot:
            number, table = snapshot[0], restore(snapshot[1], self.config.pace)
        for entry in entries:
            apply(table, entry)
        return table, entries[-1].number if entries else number

    async def missed(self, room: Room, listener: Listener, since: int) -> list[Event] | None:
        """What somebody has not been told yet, however long ago it was; None if that is too much to be told again."""
        viewer = listener.viewer
        told = room.table.event_counts.get(viewer, 0)
        if told - since > MOST_MISSED:
            return None
        pictured = listener.detail == "view"
        found = audience.events(room.table, viewer, since, listener.language, pictured=pictured)
        if found is None and since <= told:
            room.table, _ = await self._read(room.id, whole_until=room.number)
            found = audience.events(room.table, viewer, since, listener.language, pictured=pictured)
        return found

    def asked(self, key: str) -> tuple[int, ...] | None:
        """Who is to decide at a table now; None if it is not in memory."""
        room = self._rooms.get(key)
        return room.table.deciding if room else None

    # --- what people do ---

    async def do(
        self, room: Room, command: Command, who: str, by: Listener | None = None, answers: int | None = None
    ) -> None:
        """Carry out a command: when this returns, what followed from it is on the disk and everyone was told."""
        async with room.lock:
            for _ in range(ATTEMPTS):
                self._check_current(room)
                try:
                    table, facts = await self._answered(room.table, command, who)
                except BrocanteError:
                    if await self._catch_up(room):
                        continue  # another process has done something: that may change the answer
                    raise
                if not facts:
                    break
                if await self._append(room, table, facts, table.since):
                    self._take_over(room, table, facts, ours=True, by=by, answers=answers)
                    return
                await self._catch_up(room)
            else:
                raise HttpRefused(503, "busy")
        if by is not None and answers is not None:
            by.push_done(answers)

    async def _answered(self, table: LiveTable, command: Command, who: str) -> tuple[LiveTable, list[Fact]]:
        """A bot that thinks in plain Python takes long enough for others to notice: it does so in a thread."""
        if isinstance(command, c.Tick) and table.box.backend is PYTHON:
            return await asyncio.to_thread(handle, table, command, who, self.clock())
        return handle(table, command, who, self.clock())

    def _check_current(self, room: Room) -> None:
        """A room that was left to the log must not write any more: another one may be in its place, and would not hear
        of it."""
        if self._closing:
            raise HttpRefused(503, "closing")
        if self._rooms.get(room.id) is not room:
            raise HttpRefused(503, "busy")

    async def _append(self, room: Room, table: LiveTable, facts: list[Fact], at: float) -> bool:
        listing = self._listing(room, table, at) if is_major(table, facts) or at > room.listed + TOUCH_EVERY else None
        try:
            appended = await self.storage.append(room.id, room.number + 1, at, f.encode(facts), listing)
        except StorageError:
            self.forget(room)  # the log may have it or not: whoever comes next reads what it says
            raise
        if appended and listing:
            room.listed = at
        return appended

    def _take_over(
        self,
        room: Room,
        table: LiveTable,
        facts: list[Fact],
        *,
        ours: bool,
        by: Listener | None = None,
        answers: int | None = None,
    ) -> None:
        """The table is as it is on the disk now: tell everyone."""
        room.table, room.ours = table, ours
        room.number += 1
        try:
            self._let_know(room, facts, by, answers)
        except Exception:
            self.forget(room)  # it is on the disk: whoever was not told must come back for it
            raise

    def _let_know(self, room: Room, facts: list[Fact], by: Listener | None, answers: int | None) -> None:
        table, ours = room.table, room.ours
        if ours and room.number % SNAPSHOT_EVERY == 0 and table.retired is None:
            self._start(self.storage.keep_snapshot(room.id, room.number, snapshot_version(), take_snapshot(table)))
        self.metrics.moves.inc(sum(isinstance(fact, f.Moved) for fact in facts))
        if ours:
            note(room, facts)
        self._tell(room, facts, by, answers)
        self._set_timer(room)
        if any(isinstance(fact, f.Started) for fact in facts):
            for seat in table.people:  # somebody may have left while nothing was being played
                self._miss(room, seat)

    def _tell(self, room: Room, facts: list[Fact], by: Listener | None, answers: int | None) -> None:
        """Everyone who listens is sent the news; whoever is somebody else to the table now, how it looks to them."""
        seated = any(isinstance(fact, SEATING) for fact in facts)
        whole = is_major(room.table, facts)
        made: dict[Any, bytes] = {}
        at = self.clock()
        for listener in list(room.listeners):
            own = answers if listener is by else None
            if seated and listener.stream != listener.stream_at(room.table):
                listener.sit(room.table)
                listener.push(welcome(room.table, listener, at, None), own)
                continue
            key = (listener.kind, listener.who == room.table.host) if whole else listener.kind
            if key not in made:
                made[key] = news(room.table, listener, len(facts), at, whole=whole)
            if made[key] or own is not None:
                listener.push(made[key], own)

    # --- listening ---

    async def join(self, room: Room, listener: Listener, since: int | None, stream: str) -> None:
        """Somebody listens from now on: first they are told how things stand, and what they have missed."""
        if since is not None and listener.knows_more(room.table, since, stream):
            await self._follow(room)
        seat = room.table.seat_of(listener.who)
        if seat is not None:
            self._is_back(room, seat)
            if room.table.seats[seat].away:
                await self.do(room, c.Back(), listener.who)
        async with room.lock:
            self._check_current(room)
            listener.sit(room.table)
            events = None
            if since is not None and stream == listener.stream:
                events = await self.missed(room, listener, since)
                self._check_current(room)  # it may have been swept meanwhile
            room.listeners.add(listener)
            listener.push(welcome(room.table, listener, self.clock(), events))

    def part(self, room: Room, listener: Listener) -> None:
        """Somebody does not listen any more; a player who does not come back soon is away."""
        room.listeners.discard(listener)
        room.looked_at = time.monotonic()
        if listener.viewer >= 0:
            self._miss(room, listener.viewer)

    def _miss(self, room: Room, seat: int) -> None:
        """A player may not be here: if they do not come soon, they are looked for."""
        if not room.is_here(seat) and room.table.phase != "open":
            self._is_back(room, seat)
            loop = asyncio.get_running_loop()
            room.leaving[seat] = loop.call_later(self.config.grace, self._look_for, room, seat)

    def _look_for(self, room: Room, seat: int) -> None:
        """They may be at another process: it is asked before they are declared away."""
        loop = asyncio.get_running_loop()
        room.leaving[seat] = loop.call_later(ANSWERS_WITHIN, self._is_gone, room, seat)
        self._start(self.storage.call(f"{room.id} {seat} {WHERE}"))

    def _called(self, words: str) -> None:
        """Another process looks for somebody, has somebody whom this one looks for, or has forgotten somebody."""
        key, number, word = words.split()
        if word == FORGOTTEN:
            self._hang_up_on(key)
            return
        room, seat = self._rooms.get(key), int(number)
        if room and word == WHERE and room.is_here(seat):
            self._start(self.storage.call(f"{key} {seat} {HERE}"))
        elif room and word == HERE and seat in room.leaving:
            self._is_back(room, seat)
            if room.listeners:  # who would wait for them, if that process were killed
                self._miss(room, seat)

    def _is_back(self, room: Room, seat: int) -> None:
        if timer := room.leaving.pop(seat, None):
            timer.cancel()

    def _is_gone(self, room: Room, seat: int) -> None:
        room.leaving.pop(seat, None)
        if not room.is_here(seat):
            self._start(self.do(room, c.ConnectionLost(seat), ""))

    # --- time ---

    def _set_timer(self, room: Room) -> None:
        """Act when the table must act by itself."""
        if room.timer:
            room.timer.cancel()
            room.timer = None
        due = room.table.due()
        if due is not None:
            wait = max(0.0, due - self.clock()) + (0.0 if room.ours else AFTER_YOU)
            room.timer = asyncio.get_running_loop().call_later(wait, self._ring, room)

    def _ring(self, room: Room) -> None:
        room.timer = None
        if self._rooms.get(room.id) is room and not self._closing:
            self._start(self._tick(room))

    async def _tick(self, room: Room) -> None:
        await self.do(room, c.Tick(), "")
        if room.timer is None:
            self._set_timer(room)

    # --- other processes ---

    def _heard(self, key: str, number: int) -> None:
        room = self._rooms.get(key)
        if room and number > room.number:
            self._start(self._follow(room))

    def _missed(self) -> None:
        for room in self._rooms.values():
            self._start(self._follow(room))

    async def _follow(self, room: Room) -> None:
        async with room.lock:
            await self._catch_up(room)

    async def _catch_up(self, room: Room) -> bool:
        """Read what the log has that this process has not seen, and tell those who listen here; whether there was
        anything."""
        try:
            entries = await self.storage.entries(room.id, room.number)
        except StorageError:
            self.forget(room)  # nobody would tell those who listen what they have missed
            raise
        for entry in entries:
            table = room.table.copy()
            facts = apply(table, entry)
            self._take_over(room, table, facts, ours=False)
            for number, seat in enumerate(table.seats):
                if seat.away and not seat.left and room.is_here(number):
                    self._start(self.do(room, c.Back(), seat.who))
        return bool(entries)

    # --- keeping house ---

    def forget(self, room: Room) -> None:
        """Leave a table to the log; those who listen must come back."""
        if self._rooms.get(room.id) is room:
            del self._rooms[room.id]
        for timer in [room.timer, *room.leaving.values()]:
            if timer:
                timer.cancel()
        room.timer, room.leaving = None, {}
        for listener in list(room.listeners):
            listener.hang_up("reload", 0.1)
        self.metrics.tables.set(len(self._rooms))

    def forget_idle(self) -> None:
        """Tables that nobody looks at, and that have nothing to do, need no memory."""
        since = time.monotonic() - self.config.idle
        for room in list(self._rooms.values()):
            idle = not room.listeners and room.looked_at < since and not room.lock.locked()
            if idle and room.table.due() is None:
                self.forget(room)

    def stay_listed(self) -> None:
        """Where people wait for others, the listing says from time to time that they still do."""
        now = self.clock()
        for room in self._rooms.values():
            waited_at = room.table.phase == "open" and any(listener.viewer >= 0 for listener in room.listeners)
            if waited_at and now > room.listed + WAIT_EVERY:
                room.listed = now
                self._start(self.storage.touch(room.id, now))

    async def sweep(self) -> int:
        """Delete old tables; how many."""
        now, config = self.clock(), self.config
        keep = (("open", config.keep_open), ("playing", config.keep_playing), ("over", config.keep_over))
        swept = await self.storage.sweep(*((phase, now - days * DAY) for phase, days in keep))
        for room in [self._rooms[key] for key in swept if key in self._rooms]:
            self.forget(room)
        return len(swept)

    async def go_over(self) -> None:
        """When the rules have changed since the last time: whatever was played by other ones is recorded, and closed
        where it was under way, also at tables where nobody comes by."""
        rules = rules_of_all_games()
        if await self.storage.rules() == rules:
            return
        for key in await self.storage.begun():
            try:
                if (await self._read(key))[0].is_outdated:
                    await self.find(key)
            except Exception as error:  # one table must not keep the others from it
                self.metrics.failed("going over", error)
            await asyncio.sleep(NO_HURRY)
        await self.storage.note_rules(rules)

    def farewell(self, retry: float) -> None:
        """Nothing is begun any more. Tell everyone that the server goes, and to come back."""
        self._closing = True
        self.workshop.close()
        for room in list(self._rooms.values()):
            self._start(self._take_leave(room, retry))

    async def _take_leave(self, room: Room, retry: float) -> None:
        async with room.lock:  # whatever is under way is answered first
            for listener in list(room.listeners):
                listener.hang_up("restart", retry)

    async def forget_somebody(self, who: str) -> None:
        """Somebody is nobody any more, at whichever process they are."""
        self._hang_up_on(who)
        await self.storage.call(f"{who} 0 {FORGOTTEN}")

    def _hang_up_on(self, who: str) -> None:
        for room in self._rooms.values():
            for listener in [listener for listener in room.listeners if listener.who == who]:
                listener.hang_up("forgotten", 0.0)

    async def finish(self) -> None:
        """Wait for what is under way."""
        while under_way := [*self._tasks, *self._loading.values()]:
            await asyncio.gather(*under_way, return_exceptions=True)

    def _start(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) and not isinstance(error, BrocanteError):
            self.metrics.failed("task", error)

    def _listing(self, room: Room, table: LiveTable, at: float) -> Listing:
        seats = [{"kind": seat.kind, "name": seat.name} for seat in audience.info(table).seats]
        summary = Summary(table.options, seats, list(table.deciding), len(table.finished))
        seated = tuple((seat.who, number) for number, seat in enumerate(table.seats) if seat.who)
        return Listing(
            table=room.id,
            game=table.box.slug,
            phase=table.phase,
            private=table.private,
            host=table.host,
            opened=table.opened,
            touched=at,
            summary=msgspec.json.encode(summary),
            seated=seated,
        )


def note(room: Room, facts: list[Fact]) -> None:
    """Tell the operator when a game begins and when it is over."""
    game = {"table": room.id[:6], "game": room.table.box.slug}
    if any(isinstance(fact, f.Started) for fact in facts):
        log.info("game started", extra=game)
    if any(isinstance(fact, f.Closed) for fact in facts):
        log.warning("game closed: its rules are gone", extra=game)
    elif room.table.phase == "over" and any(isinstance(fact, f.Moved | f.Announced | f.Ended) for fact in facts):
        log.info("game over", extra=game)


def rules_of_all_games() -> bytes:
    """The edition and the version of every game, as the installation notes them."""
    boxes = map(find_box, GAMES)
    return msgspec.json.encode({box.slug: [box.edition, box.version] for box in boxes})


def is_major(table: LiveTable, facts: list[Fact]) -> bool:
    """Whether everything that one may know of a table is told again, and listed anew."""
    return table.phase == "over" or not all(isinstance(fact, MINOR) for fact in facts)


def apply(table: LiveTable, entry: Entry) -> list[Fact]:
    """Add what stands in an entry of the log; what it is."""
    facts = f.decode(entry.body)
    for fact in facts:
        table.apply(fact, entry.at, logged=True)
    return facts
