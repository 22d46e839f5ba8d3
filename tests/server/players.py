"""People who play whole games over real sockets, come back when the connection is lost, and keep all they are told."""

import asyncio
import math
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

#: Seconds for anything at all to happen.
PATIENCE = 60.0


class Gone(Exception):
    """The connection was lost."""


class Message(msgspec.Struct):
    """Whatever the server may say; events are kept as the very bytes that came."""

    type: str
    done: int | None = None
    id: int | None = None
    code: str = ""
    says: str = ""
    stream: str = ""
    n: int = 0
    now: dict[str, Any] = {}
    table: dict[str, Any] | None = None
    legal: list[dict[str, Any]] | None = None
    events: list[msgspec.Raw] | None = None
    reason: str = ""
    retry: float = 0.0


read_message = msgspec.json.Decoder(Message).decode


class Player:
    """Somebody at a seat. With several addresses, they go to the next one when the connection is lost."""

    def __init__(self, name: str, token: str, table: str, addresses: Sequence[str], seed: object = 0) -> None:
        self.name, self.token, self.table = name, token, table
        self.addresses = list(addresses)
        self.rng = random.Random(f"{name} {seed}")
        self.seat = -1
        self.stream = ""
        self.told: list[bytes] = []  # every event, from the first
        self.now: dict[str, Any] = {}
        self.legal: list[dict[str, Any]] = []
        self.info: dict[str, Any] = {}
        self.made: list[dict[str, Any]] = []  # moves that were acknowledged, or found out to have been made
        self.unanswered: tuple[int, dict[str, Any], int] | None = None  # a move, with the step and the events before it
        self.in_doubt = 0  # moves that were not answered
        self.found_out = 0  # and of which the events told that they were made
        self.moment: Callable[[], None] = lambda: None  # called whenever something is sent or heard
        self.byes: list[Message] = []
        self.close_code: int | None = None
        self._socket: ClientConnection | None = None
        self._reading: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._asked: dict[int, asyncio.Future[Message | None]] = {}
        self._ids = 0

    # --- the connection ---

    async def connect(self) -> None:
        """Listen from where one was, at the first address."""
        where = f"{self.addresses[0].replace('http', 'ws', 1)}/api/tables/{self.table}/socket?detail=moves"
        since = f"&since={len(self.told)}&stream={self.stream}" if self.stream else ""
        self._socket = await connect(
            where + since,
            additional_headers={"Authorization": f"Bearer {self.token}"},
            compression=None,
            proxy=None,
            ping_interval=None,
            open_timeout=PATIENCE,
            close_timeout=1,
        )
        welcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._reading = asyncio.create_task(self._read(self._socket, welcome))
        await welcome
        if not since and self.told_before:  # what happened before one came is told to those who know the stream
            await self.hang_up()
            await self.connect()

    async def come_back(self) -> None:
        """Connect, as often as it takes."""
        await self.hang_up()
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    return await self.connect()
                except (OSError, WebSocketException, Gone):
                    self.addresses.append(self.addresses.pop(0))
                    await asyncio.sleep(0.03)

    async def hang_up(self) -> None:
        if self._socket and self._reading:
            await self._socket.close()
            await self._reading

    @property
    def is_connected(self) -> bool:
        return self._reading is not None and not self._reading.done()

    async def _read(self, socket: ClientConnection, welcome: asyncio.Future[None]) -> None:
        try:
            async for data in socket:
                self._hear(read_message(data))
                if not welcome.done():
                    welcome.set_result(None)
                self._changed.set()
                self.moment()
        except ConnectionClosed:
            pass
        finally:
            self.close_code = socket.close_code
            if not welcome.done():
                welcome.set_exception(Gone())
            for answered in self._asked.values():
                answered.set_result(None)
            self._asked.clear()
            self._changed.set()

    def _hear(self, message: Message) -> None:
        if message.type == "bye":
            self.byes.append(message)
        if message.type == "welcome":
            assert self.stream in ("", message.stream)
            assert message.events is not None or not self.stream, "what was missed was not told"
            self.stream, self.told_before = message.stream, 0 if self.stream else message.n
            self.seat = int(message.stream.partition("-")[0])
        if message.type in ("welcome", "news"):
            self.now, self.legal = message.now, message.legal or []
            self.info = message.table or self.info
            if not self.told_before:  # otherwise one comes back at once, for everything
                self._keep(message.events or [])
            if message.type == "welcome" and not self.told_before:
                assert len(self.told) == message.n
        answers = message.done if message.done is not None else message.id
        if answers is not None and (future := self._asked.pop(answers, None)):
            future.set_result(message)

    def _keep(self, events: list[msgspec.Raw]) -> None:
        """No event is wanting, and none is told twice."""
        for event in events:
            number = msgspec.json.decode(event)["n"]
            assert number == len(self.told) + 1, f"{self.name} was told event {number} after {len(self.told)}"
            self.told.append(bytes(event))

    # --- what one does ---

    async def ask(self, do: str, **what: Any) -> Message:
        """The answer to a command; Gone if there was none before the connection was lost."""
        if not self.is_connected or self._socket is None:
            raise Gone
        self._ids += 1
        answered = self._asked[self._ids] = asyncio.get_running_loop().create_future()
        message = msgspec.json.encode({"id": self._ids, "command": {"do": do, **what}}).decode()
        with suppress(ConnectionClosed):  # which whoever reads is told as well
            await self._socket.send(message)
        self.moment()
        answer: Message | None = await answered
        if answer is None:
            raise Gone
        return answer

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait for something to be so."""
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self._changed.clear()
                if not self.is_connected:
                    if self._reading:
                        await self._reading  # says what was wrong with what was heard
                    raise Gone
                await self._changed.wait()

    @property
    def is_over(self) -> bool:
        return self.info.get("phase") == "over"

    @property
    def events(self) -> list[dict[str, Any]]:
        return [msgspec.json.decode(event) for event in self.told]

    async def play(self, events: float = math.inf) -> None:
        """Play to the end of the game, or until so many events were told, whatever happens to the connection."""
        while True:
            await self.come_back()
            try:
                await self._find_out()
                while not self._has_played(events):
                    await self.until(lambda: self.legal or self._has_played(events))
                    if not self._has_played(events):
                        await self.make(self.some_move())
            except Gone:
                continue
            return

    def _has_played(self, events: float) -> bool:
        return self.is_over or len(self.told) >= events

    async def make(self, move: dict[str, Any]) -> None:
        """Make a move. Whether it was made although nobody said so is found out in the events by whoever comes back."""
        self.unanswered = (self.now["step"], move, len(self.told))
        answer = await self.ask("move", move=move, step=self.now["step"])
        if answer.code == "storage":  # it may have been kept or not
            raise Gone
        self.unanswered = None
        if answer.done is not None:
            self.made.append(move)
        else:
            assert answer.code in ("stale", "busy", "closing"), answer

    def some_move(self) -> dict[str, Any]:
        return self.rng.choice(self.legal)

    async def _find_out(self) -> None:
        """Whether the last move was made. If so, it is not made again."""
        if self.unanswered is None:
            return
        (step, move, before), self.unanswered = self.unanswered, None
        self.in_doubt += 1
        if any(self._is_own_move(event) for event in self.events[before:]):
            self.made.append(move)
            self.found_out += 1
            await self._check_stale(move, step)

    async def _check_stale(self, move: dict[str, Any], step: int) -> None:
        """What has happened is not done again. (One may change one's mind while others still decide.)"""
        if self.now["step"] > step:
            again = await self.ask("move", move=move, step=step)
            assert again.code in ("stale", "over"), again

    def _is_own_move(self, event: dict[str, Any]) -> bool:
        return event["event"] in ("moved", "decided") and event["seat"] == self.seat and not event.get("by")


async def told_anew(player: Player) -> list[bytes]:
    """All events of a player's stream, as somebody is told them who has the same seat and has heard nothing yet."""
    other = Player(player.name, player.token, player.table, player.addresses)
    other.stream = player.stream
    await other.connect()
    await other.hang_up()
    return other.told


async def guest(client: httpx.AsyncClient, address: str, name: str) -> str:
    """The token of a newcomer."""
    return str((await post(client, f"{address}/api/guests", name=name, token=True))["token"])


async def post(client: httpx.AsyncClient, url: str, who: str = "", /, **body: Any) -> Any:
    answer = await client.post(url, json=body, headers={"Authorization": f"Bearer {who}"} if who else {})
    assert answer.is_success, answer.text
    return answer.json()


async def dealt(
    addresses: Sequence[str], game: str, names: Sequence[str], *, seed: object = 0, start: bool = True, **options: Any
) -> list[Player]:
    """A new table with people at it, and a bot in every other seat. Each person goes to another address first."""
    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        tokens = [await guest(client, addresses[0], name) for name in names]
        opened = await post(client, f"{addresses[0]}/api/tables", tokens[0], game=game, options=options)
        at = f"{addresses[0]}/api/tables/{opened['id']}"
        for token in tokens:
            await post(client, f"{at}/join", token, nonce=token[-8:])
        if start:
            await post(client, f"{at}/do", tokens[0], do="start", fill=True)
    return [
        Player(name, token, opened["id"], [*addresses[n % len(addresses) :], *addresses[: n % len(addresses)]], seed)
        for n, (name, token) in enumerate(zip(names, tokens, strict=True))
    ]
