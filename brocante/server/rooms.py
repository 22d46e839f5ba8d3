"""The tables of a process: in memory, in step with the log, and changed by commands alone.

Nothing is told before it is on the disk. A command is handled on a copy of the table; once the facts are in the log,
the copy replaces the table and the news is broadcast. If another process was faster, the log refuses the number; then
what it wrote is read, and the command is handled again.
"""

import asyncio
import logging
import random
import re
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

from brocante.compiling.queue import CompileQueue
from brocante.engine.backend import PYTHON
from brocante.engine.errors import BrocanteError
from brocante.server.background import Background
from brocante.server.bot_workers import BotWorkers
from brocante.server.broadcast import broadcast, changes_info, welcome
from brocante.server.config import DAY, Config
from brocante.server.http_errors import HttpRefused
from brocante.server.listings import listing_of
from brocante.server.loading import Loading
from brocante.server.metrics import Metrics
from brocante.server.presence import Presence
from brocante.server.room import Room
from brocante.server.service_clock import ServiceClock
from brocante.server.session import Session
from brocante.server.snapshots import Snapshots
from brocante.server.storage import (
    Damaged,
    Entry,
    Rewritten,
    Snapshot,
    Stamp,
    Storage,
    StorageError,
    StoredTable,
    chain,
)
from brocante.server.ticks import schedule_tick
from brocante.server.watch import Watch
from brocante.table import Clock, Command, Fact, LiveTable, audience, handle, open_table
from brocante.table import commands as c
from brocante.table import facts as f
from brocante.table.snapshot import restore, snapshot_version
from brocante.table.thinking import ThinkingElsewhere, Unanswered
from brocante.wire.events import Event
from brocante.wire.socket_codec import Announcement, Done

log = logging.getLogger("brocante.server")
#: How the id of a table looks; whatever looks different is none.
TABLE_ID = re.compile(r"[\w-]{16}", re.ASCII)
#: Events that a client that comes back is told one by one; one that missed more is told how things stand.
MOST_MISSED = 2000
#: How often a command is handled again before the server gives up.
ATTEMPTS = 8
#: Tables that act by themselves at the same time: those at which people move are not to wait for all of them.
TICKING = 16
#: Clients that can come back in a second, and the share of the time within which those come who are to move.
BACK_IN_A_SECOND, SOONER = 400, 0.2
#: Seconds that snapshots may take when the server stops.
LAST_SNAPSHOTS = 2.0
#: How many guests' share of unfinished tables can be opened from one address in a day.
GUESTS_OF_ADDRESS = 5
#: And how many times as many tables in all: whoever only opens and resigns fills the disk.
TABLES_TO_UNFINISHED = 4
#: Seconds after which the listing of a table notes again when it was last touched.
TOUCH_EVERY = 600.0
#: Facts with which a game may end.
ENDING = {f.Moved, f.Announced, f.Ended}


class Rooms:
    """All tables of a process."""

    def __init__(
        self,
        storage: Storage,
        config: Config,
        metrics: Metrics,
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self.storage = storage
        self.config = config
        self.metrics = metrics
        self.clock = clock  # on the wall: it may step, so it only says when something happened
        self.steady = steady
        self.service = ServiceClock(storage, steady)
        self.compile_queue = CompileQueue(closed=not config.compile, in_a_hurry=True)
        self.background = Background(metrics)
        self.presence = Presence(self)
        self.watch = Watch(self)
        self._bots = BotWorkers()
        self._ticking = asyncio.Semaphore(TICKING)
        self.announcement = ""  # what the operator says to everyone now
        self._snapshots = Snapshots(storage, self.background)
        self._rooms: dict[str, Room] = {}
        self._loading = Loading(self._read, self._build, self._wake)
        self._opening: Counter[str] = Counter()  # tables that are being opened, by host and by opener
        self._closing = False

    async def listen(self) -> None:
        """Hear what other processes do from now on."""
        await self.storage.listen(self._heard, self._missed, self._called)

    def stamp(self) -> Stamp:
        """Now, by both clocks."""
        return Stamp(self.clock(), self.service())

    # --- tables in memory ---

    def __iter__(self) -> Iterator[Room]:
        return iter(self._rooms.values())

    def in_memory(self, key: str) -> Room | None:
        return self._rooms.get(key)

    def awake(self, key: str) -> Room | None:
        """A table that is in memory, and is not only being read."""
        return None if key in self._loading else self._rooms.get(key)

    def is_current(self, room: Room) -> bool:
        """Whether a room is the one that stands for its table, and may act."""
        return self._rooms.get(room.id) is room and not self._closing

    def _keep(self, room: Room) -> None:
        self._rooms[room.id] = room
        self.metrics.tables.set(len(self._rooms))

    def forget(self, room: Room, reason: str = "reload") -> None:
        """Leave a table to the log; its clients must come back, if only to find that it is gone."""
        if self._rooms.get(room.id) is room:
            del self._rooms[room.id]
        room.cancel_timers()
        self._snapshots.forget(room)
        for session in list(room.sessions):
            session.hang_up(reason, 0.1)
        self.metrics.tables.set(len(self._rooms))

    # --- opening and loading ---

    async def open(
        self,
        game: str,
        options: Mapping[str, Any],
        host: str,
        *,
        private: bool = False,
        clock: Clock | None = None,
        fading: bool = True,
        opener: str = "",
    ) -> Room:
        """A new table. Its id cannot be guessed: to know it is to be invited."""
        self.compile_queue.want(game)
        openers = [host, opener] if opener else [host]
        self._opening.update(openers)
        try:
            now = self.stamp()
            await self._check_share(host, opener, now)
            slowness = self.config.pace
            table, facts = open_table(
                game, options, host, now.at, private=private, clock=clock, fading=fading, slowness=slowness
            )
            key, body = secrets.token_urlsafe(12), f.encode(facts)
            room = Room(key, table, 1, chain.link(chain.beginning(key), 1, now.at, body), self.steady)
            if not await self.storage.append(key, 1, now.at, body, listing_of(key, table, now, opener), room.link):
                raise StorageError
        finally:
            self._opening -= Counter(openers)
        room.listed = now.served
        self._keep(room)
        log.info("table opened", extra={"table": room.id[:6], "game": game})
        return room

    async def _check_share(self, host: str, opener: str, now: Stamp) -> None:
        """Whether one more table can be opened by somebody, and from where they are."""
        if await self.storage.of_host(host) + self._opening[host] > self.config.tables:
            raise HttpRefused(429, "tables", most=self.config.tables)
        if opener:
            await self._check_share_of_address(opener, now.earlier(DAY))

    async def _check_share_of_address(self, opener: str, since: Stamp) -> None:
        opened, unfinished = await self.storage.of_opener(opener, since)
        most_unfinished = self.config.tables * GUESTS_OF_ADDRESS
        most = most_unfinished * TABLES_TO_UNFINISHED
        if unfinished + self._opening[opener] > most_unfinished:
            raise HttpRefused(429, "tables_here", most=most_unfinished)
        if opened + self._opening[opener] > most:
            raise HttpRefused(429, "tables_today", most=most)

    async def find(self, key: str, who: str = "") -> Room:
        """A table by its id, from memory or from the log."""
        if not TABLE_ID.fullmatch(key):
            raise HttpRefused(404, "no_table")
        room = self._rooms.get(key)
        if room is None or key in self._loading:  # nobody plays before it is awake
            room = await self._loading.find(key, who)
        room.looked_at = time.monotonic()
        return room

    async def _build(self, key: str, stored: StoredTable) -> Room:
        room = await self._added_up(key, stored)
        room.ours = False
        self._keep(room)
        self._snapshots.note(room)
        return room

    async def _wake(self, room: Room, has_changed: bool) -> None:
        if has_changed:
            await self._follow(room)
        is_watched = await self.watch.goes_on_elsewhere(room)
        await self.do(room, c.Wake(away=0.0 if is_watched else abs(self.clock() - room.table.told)), "")
        schedule_tick(self, room)
        for seat in room.table.people:  # who may have been here when the last process that knew them was killed
            self.presence.departed(room, seat)

    async def _read(self, keys: Sequence[str]) -> Mapping[str, StoredTable | Exception]:
        try:
            found = await self.storage.stored(keys, snapshot_version())
        except StorageError:
            self.metrics.unreadable.inc(len(keys))
            raise
        self.metrics.unreadable.inc(sum(isinstance(each, Damaged) for each in found.values()))
        return found

    async def _whole(self, key: str, until: int | None = None) -> Room:
        """A table with all its history, as it was after an entry."""
        stored = (await self.storage.stored([key])).get(key, HttpRefused(404, "no_table"))
        if isinstance(stored, Exception):
            raise stored
        return await self._added_up(key, stored._replace(entries=stored.entries[:until]))

    async def _added_up(self, key: str, stored: StoredTable) -> Room:
        """A table as it was stored."""
        if stored.listing:
            self.compile_queue.want(stored.listing.game)
        if stored.snapshot is None:
            room = self._empty(key)
        elif restored := self._restored(key, stored.snapshot):
            room = restored
        else:
            return await self._whole(key)
        try:
            add(room, stored.entries)
        except Exception as error:
            if stored.snapshot:
                return await self._whole(key)
            self.metrics.unreadable.inc()
            if self.storage.is_shared:  # a newer version may have written it, whose processes understand it
                raise
            raise self.storage.found(Damaged(key, stored.entries[: room.number], room.number + 1)) from error
        return room

    def _empty(self, key: str) -> Room:
        return Room(key, LiveTable(self.config.pace), 0, chain.beginning(key), self.steady)

    def _restored(self, key: str, snapshot: Snapshot) -> Room | None:
        """A table as a snapshot has it; None for one that cannot be read, without which the log is read from its
        beginning."""
        try:
            table = restore(snapshot.body, self.config.pace)
        except Exception as error:
            self.metrics.failed("snapshot", error)
            return None
        room = Room(key, table, snapshot.number, snapshot.hash, self.steady)
        room.kept = snapshot.number
        return room

    async def finished(self, key: str) -> LiveTable:
        """A table with the games that were played there to their end; with a damaged log, those before the damage."""
        try:
            return (await self.find(key)).table
        except Damaged as damage:
            room = self._empty(key)
            add(room, damage.whole)
            if not room.table.finished:
                raise
            return room.table

    async def wake_if_outdated(self, key: str) -> None:
        """Load a table whose log the present rules do not add up: waking it closes the game."""
        if (await self._whole(key)).table.is_outdated:
            await self.find(key)

    # --- commands ---

    async def do(
        self, room: Room, command: Command, who: str, by: Session | None = None, request: int | None = None
    ) -> None:
        """Carry out a command: when this returns, what followed from it is on the disk and was broadcast.

        While a bot thinks about it, others may act; then the command is handled as if it had just come.
        """
        bots = ThinkingElsewhere()
        while True:
            try:
                await self._do(room, command, who, bots, by, request)
            except Unanswered as unanswered:
                with self.metrics.bots_waiting.track_inprogress():
                    bots.learn(unanswered.question, await self._bots.think(unanswered.question))
            else:
                return

    async def _do(
        self,
        room: Room,
        command: Command,
        who: str,
        bots: ThinkingElsewhere,
        by: Session | None,
        request: int | None,
    ) -> None:
        async with self._ticking if isinstance(command, c.Tick) else nullcontext(), room.lock:
            for _ in range(ATTEMPTS):
                self._check_current(room)
                try:
                    at = self.clock()
                    table, facts = handle(
                        room.table,
                        command,
                        who,
                        room.now,
                        told=at,
                        bots=bots if room.table.box.backend is PYTHON else None,
                    )
                except BrocanteError:
                    if await self._catch_up(room):
                        continue  # another process has done something, which may change the answer
                    raise
                if not facts:
                    break
                if await self._append(room, table, facts, at):
                    self._replace(room, table, facts, ours=True, by=by, request=request)
                    return
                if not await self._catch_up(room) and not await self.storage.entries(room.id):
                    self.forget(room, "gone")  # it was deleted, and nobody has said so yet
                    raise HttpRefused(404, "no_table")
            else:
                raise HttpRefused(503, "busy")
        if by is not None and request is not None:
            by.say(Done(request))

    def _check_current(self, room: Room) -> None:
        """A room that was left to the log must not write any more: another may have taken its place."""
        if self._closing:
            raise HttpRefused(503, "closing")
        if not self.is_current(room):
            raise HttpRefused(503, "busy")

    async def _append(self, room: Room, table: LiveTable, facts: list[Fact], at: float) -> bool:
        relist = changes_info(table, facts) or self.service() > room.listed + TOUCH_EVERY
        touched = Stamp(at, self.service())
        listing = listing_of(room.id, table, touched) if relist else None
        number, body = room.number + 1, f.encode(facts)
        link = chain.link(room.link, number, at, body, table.since)
        try:
            appended = await self.storage.append(room.id, number, at, body, listing, link, table.since)
        except StorageError:
            self.forget(room)  # the log may have it or not: whoever comes next reads what it says
            raise
        if appended:
            room.number, room.link = number, link
            room.listed = touched.served if listing else room.listed
        return appended

    def _replace(
        self,
        room: Room,
        table: LiveTable,
        facts: list[Fact],
        *,
        ours: bool,
        by: Session | None = None,
        request: int | None = None,
    ) -> None:
        """The table is as it is on the disk now: tell everyone."""
        room.table, room.ours = table, ours
        if not ours:
            room.go_on_from(table.since)
        try:
            if ours:
                self._note(room, facts)
            kinds = [type(fact) for fact in facts]
            self.metrics.moves.inc(kinds.count(f.Moved))
            broadcast(room, facts, room.now, by, request)
            schedule_tick(self, room)
            if f.Started in kinds:
                for seat in table.people:  # somebody may have left while nothing was being played
                    self.presence.departed(room, seat)
        except Exception:
            self.forget(room)  # it is on the disk: whoever was not told must come back for it
            raise

    def _note(self, room: Room, facts: list[Fact]) -> None:
        """See to it that there will be a snapshot, and tell the operator when a game begins and ends."""
        table = room.table
        self._snapshots.note(room)
        game = {"table": room.id[:6], "game": table.box.slug}
        kinds = {type(fact) for fact in facts}
        if f.Started in kinds:
            log.info("game started", extra=game)
        if f.Closed in kinds:
            log.warning("game closed: its rules are gone", extra=game)
        elif table.phase == "over" and kinds & ENDING:
            log.info("game over", extra=game)

    # --- sessions ---

    async def join(self, room: Room, session: Session, since: int | None, stream: str) -> None:
        """A client listens from now on: first it is told how things stand, and what it missed."""
        if since is not None and session.is_ahead_of(room.table, since, stream):
            await self._follow(room)
        seat = room.table.seat_of(session.who)
        if seat is not None:
            self.presence.arrived(room, seat)
            if room.table.seats[seat].away:
                await self.do(room, c.Back(), session.who)
        async with room.lock:
            self._check_current(room)
            session.take_seat(room.table)
            events = None
            if since is not None and stream == session.stream:
                events = await self.missed(room, session, since)
                self._check_current(room)  # it may have been swept meanwhile
            room.sessions.add(session)
            session.send(welcome(room.table, session, room.now, events))
            if self.announcement:
                session.say(Announcement(self.announcement))

    async def missed(self, room: Room, session: Session, since: int) -> list[Event] | None:
        """The events that a client has not been told yet, however old; None if they are too many."""
        viewer = session.viewer
        count = room.table.event_counts.get(viewer, 0)
        if count - since > MOST_MISSED:
            return None
        pictured = session.sees
        found = audience.events(room.table, viewer, since, session.language, pictured=pictured)
        if found is None and since <= count:
            room.table = (await self._whole(room.id, room.number)).table
            found = audience.events(room.table, viewer, since, session.language, pictured=pictured)
        return found

    def part(self, room: Room, session: Session) -> None:
        """A client listens no more; a player who does not come back soon is away."""
        room.sessions.discard(session)
        room.looked_at = time.monotonic()
        if session.viewer >= 0:
            self.presence.departed(room, session.viewer)

    # --- other processes ---

    def _heard(self, key: str, number: int) -> None:
        self._loading.changed(key)
        room = self._rooms.get(key)
        if room and number > room.number:
            self.background.start(self._follow(room))

    async def look_again(self, key: str) -> None:
        """Something was written of a table, by somebody whom this process does not hear."""
        if room := self._rooms.get(key):
            await self._follow(room)

    def _called(self, words: str) -> None:
        key, number, word = words.split()
        self.presence.called(key, int(number), word)
        self.watch.called(key, int(number), word)

    def _missed(self) -> None:
        self._loading.changed()
        for room in self._rooms.values():
            self.background.start(self._follow(room))

    async def _follow(self, room: Room) -> None:
        async with room.lock:
            await self._catch_up(room)

    async def _catch_up(self, room: Room) -> bool:
        """Read what the log has that this process has not seen, and broadcast it; whether there was anything."""
        try:
            entries = await self.storage.entries(room.id, room.number, room.link)
        except (StorageError, Damaged):
            self.forget(room)  # otherwise its clients would never be told
            raise
        except Rewritten:
            self.forget(room)
            raise HttpRefused(503, "busy") from None
        for entry in entries:
            table = room.table.copy()
            facts = apply(table, entry)
            room.number, room.link = entry.number, entry.hash
            self._replace(room, table, facts, ours=False)
            for number, seat in enumerate(table.seats):
                if seat.away and not seat.left and room.is_present(number):
                    self.background.start(self.do(room, c.Back(), seat.who))
        return bool(entries)

    # --- the end ---

    def close(self, retry: float) -> None:
        """Begin nothing new, and tell all clients to come back later."""
        self._closing = True
        self.compile_queue.close()
        self._bots.close()
        spread = min(sum(len(room.sessions) for room in self) / BACK_IN_A_SECOND, self.config.grace / 2)
        for room in list(self._rooms.values()):
            self.background.start(self._close(room, retry, spread))

    async def _close(self, room: Room, retry: float, spread: float) -> None:
        """Tell those at a table to come back within some seconds, one after another; first those who are to move."""
        async with room.lock:  # after the answer to what is under way
            for session in list(room.sessions):
                within = spread * (SOONER if session.viewer in room.table.undecided else 1.0)
                session.hang_up("restart", round(retry + random.uniform(0.0, within), 2))

    async def finish(self) -> None:
        """Wait for what is under way, and for what that starts."""
        while work := [*self._loading.tasks, *self.background.tasks]:
            await asyncio.gather(*work, return_exceptions=True)
        self._bots.close()

    async def keep_snapshots(self) -> None:
        """Before the process ends: the next one may begin where this one stood."""
        await self._snapshots.keep_all([*self], LAST_SNAPSHOTS)


def add(room: Room, entries: list[Entry]) -> None:
    """Bring a table that nobody is at yet up to the last of these entries."""
    for entry in entries:
        apply(room.table, entry)
        room.number, room.link = entry.number, entry.hash
    room.go_on_from(room.table.since)


def apply(table: LiveTable, entry: Entry) -> list[Fact]:
    """Add the facts of an entry of the log; returns them."""
    facts = f.decode(entry.body)
    at = table.time_told(entry.at) if entry.table_time is None else entry.table_time
    for fact in facts:
        table.apply(fact, at, told=entry.at, logged=True)
    return facts
