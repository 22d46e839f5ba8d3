"""How a process of a server hears what its operator has done, and does its part: whoever is connected to it is told, or
hung up on. Acts are read from the database: nothing has to be sent, and nothing can be missed."""

import asyncio
import logging
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from brocante.engine.errors import BrocanteError
from brocante.server import acts
from brocante.server.acts import Act, Outcome, decode_act, decode_outcome
from brocante.server.frames import UNWELCOME
from brocante.server.storage import DoneAct
from brocante.wire.socket_codec import Announcement, Bye

if TYPE_CHECKING:
    from brocante.server.app import Server

log = logging.getLogger("brocante.server")
#: Seconds between two looks. A look is two small queries: a fiftieth of a percent of a core.
LOOK_EVERY = 0.5


class Connected(msgspec.Struct, frozen=True):
    """What a process answers when it is asked who is connected: the viewers at each table, once for each socket."""

    question: int
    tables: dict[str, list[int]]


class Heeding:
    """What a process knows of the operator's acts."""

    def __init__(self, server: "Server") -> None:
        self._server = server
        self._rooms = server.rooms
        self._storage = server.storage
        self.seen = 0  # how many acts were done
        self._answered = 0  # the last question who is connected
        self._process = secrets.token_hex(8)
        self._announcement = acts.Announce("")

    async def begin(self) -> None:
        """Find out how things stand, before anybody comes."""
        self.seen = await self._storage.last_act()
        self._answered = await self._storage.question()
        await self._read_bans()
        await self._read_announcement()

    async def run(self) -> None:
        """Look for ever."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            with suppress(BrocanteError):  # the database is away, as others will say; nothing that is done is lost
                await self.look()

    async def look(self) -> None:
        """Do one's part in what has been done since the last look."""
        for done in await self._storage.acts(self.seen):
            try:
                await self._heed(done)
            except BrocanteError:
                raise  # there will be another time
            except Exception as error:  # one act must not stop the others
                self._server.metrics.failed("heeding", error)
            self.seen = done.done or self.seen
        self._end_announcement()
        await self._answer()

    async def _heed(self, done: DoneAct) -> None:
        try:
            act, outcome = decode_act(done.what), decode_outcome(done.outcome or b"{}")
        except msgspec.DecodeError:  # of a newer version, while one is replaced by the other
            log.warning("operator: unknown act", extra={"number": done.number})
            return
        about = {**act.about, **({"problem": outcome.problem} if outcome.problem else {})}
        log.warning("operator", extra={"act": act.kind(), "by": done.operator, **about})
        await self._follow(act, outcome)

    async def _follow(self, act: Act, outcome: Outcome) -> None:
        match act:
            case acts.CloseTable(table):
                await self._rooms.look_again(table)
            case acts.RemoveTable(table) if room := self._rooms.in_memory(table):
                self._rooms.forget(room, "gone")
            case acts.KeepOut() | acts.LetIn():
                await self._read_bans()
                self._hang_up_on_banned()
            case acts.Announce():
                await self._read_announcement()
                self._tell(self._rooms.announcement)
            case acts.DeletePerson(guest):
                self._rooms.presence.disconnect(guest)
                for room in filter(None, map(self._rooms.in_memory, outcome.tables)):
                    self._rooms.forget(room)  # it is read anew, from what is written now

    async def _answer(self) -> None:
        """Say who is connected to this process, if the operator asks."""
        asked = await self._storage.question()
        if asked != self._answered:
            self._answered = asked
            rooms = [room for room in self._rooms if room.sessions]
            connected = {room.id: [session.viewer for session in room.sessions] for room in rooms}
            await self._storage.answer(self._process, msgspec.json.encode(Connected(asked, connected)))

    # --- bans ---

    async def _read_bans(self) -> None:
        self._server.bans.renew(await self._storage.bans())

    def _hang_up_on_banned(self) -> None:
        now = self._server.clock()
        for socket in [*self._server.sockets]:
            if self._server.bans.ban_on(socket.address, socket.session.who, now):
                socket.session.say(Bye("banned", 0.0))
                socket.close(UNWELCOME)

    # --- announcements ---

    async def _read_announcement(self) -> None:
        if written := await self._storage.announcement():
            try:
                self._announcement = msgspec.json.decode(written, type=acts.Announce)
            except (msgspec.DecodeError, UnicodeError) as error:
                log.error("the announcement is damaged", extra={"problem": str(error)})
        self._rooms.announcement = "" if self._is_over else self._announcement.text

    @property
    def _is_over(self) -> bool:
        until = self._announcement.until
        return until is not None and self._server.clock() > until

    def _end_announcement(self) -> None:
        if self._rooms.announcement and self._is_over:
            self._rooms.announcement = ""
            self._tell("")

    def _tell(self, text: str) -> None:
        for room in self._rooms:
            for session in [*room.sessions]:
                session.say(Announcement(text))
