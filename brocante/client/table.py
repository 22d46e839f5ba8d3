"""One table of a server: its events, in order and without a gap, and the commands of a player.

A client listens over one WebSocket. When the connection is lost, it looks for the server and goes on after the last
event that it has. A command whose answer was lost with the connection is never done twice: the events that the client
missed show whether it was carried out, and if it was not, the client sends it again.
"""

import asyncio
import contextlib
import random
import secrets
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as websocket
from websockets.exceptions import InvalidStatus, WebSocketException

from brocante.client.errors import Garbled, HungUp, ServerAway, ServerRefused, Uncertain, refusal
from brocante.client.pending_request import PendingRequest
from brocante.engine.errors import BrocanteError
from brocante.engine.replay import Replay
from brocante.table import commands as c
from brocante.table.facts import Pace, Reaction
from brocante.table.fair import Unfair, verify
from brocante.wire.changes import changed
from brocante.wire.events import Event, Now, TableInfo, UndoState
from brocante.wire.socket_codec import (
    Announcement,
    Bye,
    Frame,
    Look,
    News,
    NotDone,
    Request,
    Welcome,
    You,
    decode_message,
    encode,
)

if TYPE_CHECKING:
    from brocante.client.client import Client

#: Seconds before the client looks for a server again: the first time, and at most.
SOON, LATER = 0.2, 15.0
#: Seconds before the client repeats a request that the server's rate limit refused.
TOO_FAST = 0.5
#: How often a request is sent before it is taken to be what ends the connection.
TRIES = 5
#: Statuses of a server that will let the client in later.
BUSY = (429, 500, 502, 503, 504)


class Lost(msgspec.Struct, frozen=True):
    """The connection is gone; the client is looking for the server."""


Update = Welcome | News | Lost


class TableClient:
    """A table that a client listens to. What it knows (`info`, `now`, `you`, `legal`, `view`) is always up to date."""

    def __init__(self, client: "Client", table: str) -> None:
        """Use `Client.open`, `Client.table` or `Client.sit`."""
        self.client = client
        self.id = table
        self.lang = client.lang
        self.stream = ""
        self.n = 0  # the number of the last event in the stream
        self.info: TableInfo
        self.now: Now
        self.told_at = 0.0  # when `now` came, by the monotonic clock
        self.you = You(None, host=False)
        self.legal: list[dict[str, Any]] | None = None  # with detail="moves", when it is this client's turn
        self.view: dict[str, Any] | None = None  # with detail="view", once a game has begun
        self.undo_state: UndoState | None = None  # with detail="view", of the client's last move (docs/api.md)
        self.log: list[str] = []  # of the game so far, when the client began to listen
        self.announcement = ""  # what the operator of the server says to everyone
        self.on_announcement: Callable[[str], None] = lambda text: None  # called when they say something else
        self.commitments: dict[int, str] = {}  # as the server first told them, by the number of the game
        self.nonces: dict[int, str] = {}  # the client's own, by the number of the game
        self.connected = False
        self._socket: ClientConnection | None = None
        self._one_at_a_time = asyncio.Lock()
        self._pending: PendingRequest | None = None
        self._numbers = 0
        self._fresh = True  # the next welcome tells everything from the beginning
        self._retry: float | None = None  # when to come back, as the server says
        self._since = time.monotonic()  # when the connection was lost
        self._changes = 0
        self._changed = asyncio.Event()
        self._followers: list[asyncio.Queue[Update | BrocanteError]] = []
        self._failure: BrocanteError | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def link(self) -> str:
        """What to give to friends."""
        return f"{self.client.url}/tables/{self.id}"

    # --- commands ---

    async def sit(self, seat: int | None = None, name: str = "") -> None:
        """Sit down, at this seat or at the first empty one, or come back to your seat; gives a nonce for the deal."""
        number, nonce, counts = self.info.games + 1, secrets.token_hex(16), self.info.phase != "playing"
        await self.do(c.Sit(name or self.client.name, seat, nonce))
        if counts:
            self.nonces[number] = nonce

    async def again(self) -> None:
        """Ask for another game; it is dealt when everybody who is here has."""
        number, nonce = self.info.games + 1, secrets.token_hex(16)
        await self.do(c.Again(nonce))
        self.nonces[number] = nonce

    async def stand(self) -> None:
        """Get up; during a game a bot plays on."""
        await self.do(c.Stand())

    async def start(self, *, fill: bool = False) -> None:
        """Host: deal. With `fill`, bots take the empty seats."""
        await self.do(c.Start(fill))

    async def chat(self, text: str, *, allies: bool = False) -> None:
        """Say something."""
        await self.do(c.Chat(text, allies))

    async def react(self, reaction: Reaction) -> None:
        """Say something with one touch; everyone reads it in their language."""
        await self.do(c.Chat(reaction=reaction))

    async def undo(self) -> None:
        """Take back the last move, or ask the others whether they agree."""
        await self.do(c.Undo())

    async def remove(self, seat: int) -> None:
        """Host: have somebody get up or, in the middle of a game, ask the others whether they agree to it."""
        await self.do(c.Remove(seat))

    async def answer(self, to: c.Question, *, agrees: bool) -> None:
        """Say whether this client agrees to what it is asked; whoever asked takes it back by not agreeing."""
        await self.do(c.Agree(to) if agrees else c.Refuse(to))

    async def set_pace(self, pace: Pace) -> None:
        """Alone against bots: how fast they move."""
        await self.do(c.SetPace(pace))

    async def skip(self) -> None:
        """Alone against bots: they move at once until this client must decide."""
        await self.do(c.Skip())

    async def play(self, move: Mapping[str, Any] | str, step: int | None = None) -> bool:
        """Make a move, as a line of a record or as text, if the game has had so many steps (by default: as many as the
        client knows of). False: it has had more, and the move was not made. ServerRefused: it cannot be made."""
        written = move if isinstance(move, str) else dict(move)
        try:
            await self.do(c.PlayMove(written, self.now.step if step is None else step))
        except ServerRefused as error:
            if error.code == "stale":
                return False
            raise
        return True

    async def look(self, begun: list[int] | None = None) -> dict[str, Any]:
        """The view now or, with the first choices of a move that takes several, after them; nothing happens."""
        seen = await self._request(look=Look(begun or []))
        found: dict[str, Any] = seen.view
        return found

    async def recap(self) -> list[Frame]:
        """What happened since this client's last turn, one frame for each turn."""
        recapped = await self._request(recap=True)
        frames: list[Frame] = recapped.frames
        return frames

    async def do(self, command: c.PlayerCommand) -> None:
        """Any command. When this returns, the events that followed from it have arrived."""
        await self._request(command=command)

    async def turns(self) -> AsyncIterator["Turn"]:
        """Every decision of this client (with detail="moves"), until the game is over or it has got up."""
        seen = -1
        while True:
            if self._failure:
                raise self._failure
            waits_for_another = self.info.phase == "over" and self.you.seat in self.info.again
            if self.you.seat is None or (self.info.phase == "over" and not waits_for_another):
                return
            if self.legal and not self.info.paused and self.connected and seen != self._changes:
                seen = self._changes
                yield Turn(self, self.legal, self.now.step)
            else:
                await self._changed.wait()

    def follow(self) -> AsyncIterator[Update]:
        """Everything that arrives from now on, in order: welcomes, news, and when the connection is lost."""
        updates: asyncio.Queue[Update | BrocanteError] = asyncio.Queue()
        self._followers.append(updates)
        if self._failure:
            updates.put_nowait(self._failure)

        async def following() -> AsyncIterator[Update]:
            try:
                while not isinstance(message := await updates.get(), BrocanteError):
                    yield message
                if not isinstance(message, HungUp):
                    raise message
            finally:
                self._followers.remove(updates)

        return following()

    # --- fair dealing ---

    async def record(self, game: int | None = None) -> str:
        """The record of a game that is over: the last one, or the one of that number, counted from 1."""
        return (await self.client.record(self.id, game)).decode()

    async def verify(self, game: int | None = None) -> Replay:
        """Check that a game was dealt as promised, with the commitment that came first and with the client's own nonce.
        Unfair if not."""
        number = game or self.info.games
        record = await self.client.record(self.id, number)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "record.jsonl"
            path.write_bytes(record)
            reading = await asyncio.to_thread(verify, path, self.commitments.get(number))
        nonces = msgspec.json.decode(record.partition(b"\n")[0])["fair"]["nonces"]
        if number in self.nonces and self.nonces[number] not in nonces:
            raise Unfair("other_nonce")
        return reading

    # --- requests ---

    async def _request(
        self, command: c.PlayerCommand | None = None, look: Look | None = None, *, recap: bool = False
    ) -> Any:
        """Make a request, and wait for the answer. A request that the rate limit refuses is made again later."""
        while True:
            try:
                async with self._one_at_a_time:
                    return await self._request_once(command, look, recap)
            except ServerRefused as error:
                if error.code != "rate":
                    raise
                await asyncio.sleep(TOO_FAST)

    async def _request_once(self, command: c.PlayerCommand | None, look: Look | None, recap: bool) -> Any:
        if self._failure:
            raise self._failure
        self._numbers += 1
        request = Request(self._numbers, command, look, recap)
        self._pending = PendingRequest(request, in_window=self.now.window is not None)
        try:
            if self.connected:
                await self._send(self._pending)
            return await self._pending.answer
        finally:
            self._pending = None

    async def _send(self, pending: PendingRequest) -> None:
        """Send a request. If the connection is lost just now, `_recover` takes care of it."""
        pending.sent += 1
        with contextlib.suppress(WebSocketException):
            assert self._socket
            await self._socket.send(encode(pending.request), text=True)

    async def _recover(self, pending: PendingRequest, knows_all: bool) -> None:
        """There is a connection again: find out what became of the pending request."""
        command = pending.request.command
        if pending.sent and pending.has_happened(self.you):
            pending.resolve(None)
        elif pending.sent > TRIES or (
            pending.sent and not knows_all and not isinstance(command, c.Sit | c.Stand | None)
        ):
            pending.resolve(Uncertain())
        else:
            await self._send(pending)

    # --- listening ---

    async def connect(self) -> None:
        """Begin to listen; returns after the first welcome."""
        self._task = asyncio.create_task(self._listen())
        while not self.connected and self._failure is None:
            await self._changed.wait()
        if self._failure:
            raise self._failure

    async def close(self) -> None:
        """Hang up. The seat is kept."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._fail(HungUp())
        self.client.forget(self)

    async def speak(self, lang: str) -> None:
        """Change the language: a fresh start, with the log in that language."""
        async with self._one_at_a_time:  # after the answer to the pending request
            self.lang, self._fresh, self._retry = lang, True, 0.0
            if self._socket:
                await self._socket.close()

    async def _listen(self) -> None:
        """Listen as long as there is a server; look for it when it is gone."""
        attempts = 0
        try:
            while True:
                problem = await self._listen_once()
                if self._lose():
                    attempts = 0
                patience = self.client.patience if self.stream or self._retry is not None else 0.0
                if time.monotonic() - self._since >= patience:
                    raise problem
                await asyncio.sleep(self._pause(attempts))
                attempts += 1
        except Exception as error:  # whatever it is, nobody must wait for what will never come
            self._fail(error if isinstance(error, BrocanteError) else Garbled(self.client.url, repr(error)))

    async def _listen_once(self) -> BrocanteError:
        """Over one connection, until it ends; returns why."""
        try:
            async with self._connection() as self._socket:
                async for frame in self._socket:
                    await self._take(frame)
        except InvalidStatus as error:
            problem = refusal(self.client.url, bytes(error.response.body or b""))
            if error.response.status_code in BUSY:
                return problem
            raise problem from None
        except (WebSocketException, OSError, TimeoutError) as error:
            return ServerAway(self.client.url, error)
        return ServerAway(self.client.url, "")

    def _connection(self) -> websocket:
        """After the last event of the stream that the client has, or from the beginning."""
        query = {"lang": self.lang, "detail": "changes" if self.client.detail == "view" else self.client.detail}
        if not self._fresh:
            query |= {"stream": self.stream, "since": str(self.n)}
        address = f"ws{self.client.url.removeprefix('http')}/api/tables/{self.id}/socket?{urlencode(query)}"
        return websocket(address, additional_headers=self.client.headers, compression=None, max_size=None)

    def _pause(self, attempts: int) -> float:
        """How long to wait for a server: as long as it says, or longer every time; never exactly as long as others, and
        less when it is this client's turn."""
        said, self._retry = self._retry, None
        wait = min(LATER, SOON * 2**attempts) if said is None else said
        is_asked = self.legal or (self.view or {}).get("offers")
        return wait * (random.uniform(0.5, 0.75) if is_asked else random.uniform(0.75, 1.0))

    async def _take(self, frame: str | bytes) -> None:
        """Take in a message."""
        try:
            message = decode_message(frame)
        except msgspec.DecodeError as error:
            raise Garbled(self.client.url, error) from None
        match message:
            case Welcome():
                await self._take_welcome(message)
            case News():
                message = await self._with_view(message)
                self._take_events(message.events)
                self._stand_at(message)
                self._notify(message)
            case NotDone():
                self._take_refusal(message)
            case Announcement(text):
                self.announcement = text
                self.on_announcement(text)
            case Bye():
                self._retry = message.retry
        if self._pending and self._pending.request.id == message.answers:
            self._pending.resolve(message)

    async def _with_view(self, message: News) -> News:
        """The same with the view, of which the server only says what has changed."""
        if message.view is not None or self.client.detail != "view":
            return message
        view, changes = self.view, message.changes
        if changes and (view is None or changes.since != self.n):  # it cannot be; the next welcome has all
            assert self._socket
            await self._socket.close()
        elif changes and view:
            view = changed(view, changes)
        return msgspec.structs.replace(message, view=view)

    async def _take_welcome(self, message: Welcome) -> None:
        """How things stand: at first, and when the client has sat down or got up."""
        if message.events is not None:
            self._take_events(message.events)
            if self.n != message.n:
                raise Garbled(self.client.url, f"{self.n} ≠ {message.n}")
        self.stream, self.n, self._fresh = message.stream, message.n, False
        self.log = self.log if message.log is None else message.log
        returned, self.connected = not self.connected, True
        self.announcement = "" if returned else self.announcement  # what is said now comes after it
        self._stand_at(message)
        self._notify(message)
        if returned and self._pending:
            await self._recover(self._pending, knows_all=message.events is not None)

    def _take_events(self, events: list[Event]) -> None:
        """Every event exactly once, and in order."""
        for event in events:
            if event.n != self.n + 1:
                raise Garbled(self.client.url, f"{event.n} ≠ {self.n} + 1")
            self.n = event.n
            if self._pending:
                self._pending.events.append(event)

    def _stand_at(self, message: Welcome | News) -> None:
        """How things stand now. `you` and `table` come only when they may have changed."""
        self.now, self.told_at = message.now, time.monotonic()
        self.view, self.legal, self.undo_state = message.view, message.legal, message.undo
        self.you = message.you or self.you
        if message.table:
            self.info = message.table
            self.commitments.setdefault(self.info.games + 1, self.info.commitment)
            if self.you.seat is None:
                self.nonces.pop(self.info.games + 1, None)

    def _take_refusal(self, message: NotDone) -> None:
        """A refusal without an id is of a request that could not be read, or came too fast."""
        pending = self._pending
        if pending and message.id in (None, pending.request.id):
            done_before = message.code == "stale" and pending.sent > 1 and pending.has_happened(self.you)
            pending.resolve(None if done_before else ServerRefused(message.code, message.says))
        self._notify(None)

    def _lose(self) -> bool:
        """There is no connection; whether there was one before."""
        was_connected, self.connected = self.connected, False
        if was_connected:
            self._since = time.monotonic()
            self._notify(Lost())
        return was_connected

    def _fail(self, error: BrocanteError) -> None:
        """There will be nothing more."""
        if self._failure is None:
            self._failure, self.connected = error, False
            if self._pending:
                self._pending.resolve(error)
            for follower in self._followers:
                follower.put_nowait(error)
            self._notify(None)

    def _notify(self, message: Update | None) -> None:
        """Wake everyone who waits for something."""
        if message:
            for follower in self._followers:
                follower.put_nowait(message)
        self._changes += 1
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


@contextlib.asynccontextmanager
async def or_hung_up(table: TableClient) -> AsyncIterator[None]:
    """Close a table whose client did not get what it came for."""
    try:
        yield
    except BaseException:
        await table.close()
        raise


class Turn:
    """A decision of this client."""

    def __init__(self, table: TableClient, legal: list[dict[str, Any]], step: int) -> None:
        self.table = table
        self.legal = legal  # the moves that can be made, as lines of a record
        self.step = step  # how many steps the game has had

    async def view(self) -> dict[str, Any]:
        """What the client's seat sees of the game."""
        return await self.table.look()

    async def play(self, move: Mapping[str, Any] | str) -> bool:
        """Make a move. False if the table has moved on (time was up, a move was taken back): it was not made."""
        return await self.table.play(move, self.step)
