"""A server without a network, and those who speak to it: every byte that they are sent is kept."""

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Callable, Iterator, MutableMapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any, NamedTuple
from urllib.parse import urlencode

import httpx
import msgspec
import uvicorn

from brocante.server.app import Server, application
from brocante.server.config import Config
from brocante.server.frames import BINARY, TEXT
from brocante.server.room import Room
from brocante.server.serve import listen, uvicorn_settings
from brocante.server.websocket import EXTENSION, Listener
from brocante.table.snapshot import take_snapshot

NOON = 1_800_000_000.0
SITE = "http://brocante.test"
PATIENCE = 20.0  # seconds for an answer
#: Nobody is told to slow down, bots do not dawdle, and who hangs up is not soon given up.
EASY: dict[str, Any] = {"pace": 0.0, "rate": 1e6, "burst": 1e6, "guests_rate": 1e6, "grace": 1e6, "compile": False}
#: What no answer may hold.
INSIDE = re.compile(r"Traceback|File \"|site-packages|\.py\b|brocante\.|msgspec|sqlite|psycopg|object at 0x|Exception")
#: What games are played with, so that they are short.
OPTIONS: dict[str, dict[str, Any]] = {
    "antiques": {"players": 3},
    "collection": {"players": 3},
    "port": {"players": 3},
    "vinto": {"players": 4, "rounds": 1},
}


class FakeTime:
    """A clock that stands still until it is told otherwise."""

    def __init__(self, now: float = NOON) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


class Person(NamedTuple):
    """A guest, with the secrets that nobody else may see."""

    name: str
    token: str
    id: str

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"}


class Ear:
    """A socket as a client has it; when the handshake is refused, `status` and `heard` say how."""

    def __init__(self, app: Any, path: str, query: str, headers: dict[str, str], sent: list[bytes]) -> None:
        self.heard: list[bytes] = []
        self.status: int | None = None  # of a handshake that was refused
        self.code: int | None = None  # with which the server has closed
        self.is_open = False
        self.stalled = False  # whether they read nothing any more
        self.waiting = 0  # bytes that they have not read
        self.lost = False  # whether the connection is, though the server has not heard of it
        self._sent = sent  # to anyone
        self._read = 0
        self._id = 1_000_000  # far from what a test may say by itself
        self._changed = asyncio.Event()
        self._listener: Listener | None = None
        scope = {
            "type": "websocket",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()],
            "client": ("192.0.2.1", 5000),
            "server": ("brocante.test", 80),
            "scheme": "ws",
            "subprotocols": [],
            "extensions": {"websocket.http.response": {}, EXTENSION: self},
        }
        self.task = asyncio.ensure_future(self._connected(app, scope))
        self._gone = asyncio.Event()

    async def _connected(self, app: Any, scope: dict[str, Any]) -> None:
        """Until the connection is gone, or was refused."""
        await app(scope, None, self._hear_refusal)
        if self.status is None:
            await self._gone.wait()

    # --- the wire, as the server has it ---

    def accept(self, listener: Listener) -> None:
        self._listener, self.is_open = listener, True
        if self.lost:
            self._go()
        self._changed.set()

    def send(self, message: bytes) -> None:
        if self.lost:
            self._go()
        elif self.stalled:
            self.waiting += len(message)
        else:
            self._keep(message)
            self._changed.set()

    def close(self, code: int) -> None:
        self.code, self.is_open = code, False
        self._changed.set()
        self._go()

    def pause(self) -> None:
        """Whatever was said waits anyway."""

    resume = pause

    def look_after(self, now: float) -> None:
        """They are always there."""

    def _go(self) -> None:
        listener, self._listener = self._listener, None
        if listener:
            asyncio.get_running_loop().call_soon(listener.lost)
            self._gone.set()

    async def _hear_refusal(self, message: MutableMapping[str, Any]) -> None:
        match message["type"]:
            case "websocket.http.response.start":
                self.status = message["status"]
            case "websocket.http.response.body":
                self._keep(message["body"])
            case "websocket.close":  # there is no such socket
                self.status = self.code = 403
        self._changed.set()

    def _keep(self, data: bytes) -> None:
        self.heard.append(data)
        self._sent.append(data)

    # --- the client ---

    async def until(self, is_it: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next message for which something is so."""
        async with asyncio.timeout(PATIENCE):
            while True:
                while self._read < len(self.heard):
                    self._read += 1
                    found: dict[str, Any] = msgspec.json.decode(self.heard[self._read - 1])
                    if is_it(found):
                        return found
                assert not self.task.done(), self.heard[-1:]
                self._changed.clear()
                await self._changed.wait()

    async def opened(self) -> "Ear":
        """Wait for the welcome, or for the refusal."""
        while not self.heard and self.code is None:
            self._changed.clear()
            async with asyncio.timeout(PATIENCE):
                await self._changed.wait()
        self._read = len(self.heard)
        return self

    async def over(self) -> None:
        async with asyncio.timeout(PATIENCE):
            await self.task

    def say(self, text: str) -> None:
        if self._listener and self._listener.counted(TEXT):
            self._listener.received(text.encode(errors="surrogatepass"))

    def say_bytes(self, data: bytes) -> None:
        if self._listener and self._listener.counted(BINARY):
            self._listener.received(None)

    async def ask(self, **request: Any) -> dict[str, Any]:
        """Ask for something, and hear what becomes of it."""
        self._id += 1
        number = self._id
        self.say(msgspec.json.encode({"id": number, **request}).decode())
        return await self.until(lambda heard: number in (heard.get("id"), heard.get("done")))

    async def do(self, do: str, **more: Any) -> dict[str, Any]:
        return await self.ask(command={"do": do, **more})

    async def caught_up(self) -> list[bytes]:
        """Everything that was on its way has been heard; a look, answered after it, is the sign."""
        await self.ask(look={"begun": []})
        return self.heard

    async def hang_up(self) -> None:
        self._go()
        await self.over()


class House:
    """A server, and how to speak to it."""

    def __init__(self, server: Server, time: FakeTime) -> None:
        self.server = server
        self.time = time
        self.app = application(server)
        self.sent: list[bytes] = []  # to anyone, but for the tokens that people are given
        self.people: list[Person] = []
        self.ears: list[Ear] = []
        self._client = httpx.AsyncClient(transport=httpx.ASGITransport(self.app), base_url=SITE)

    async def ask(
        self, method: str, path: str, by: Person | None = None, headers: dict[str, str] | None = None, **more: Any
    ) -> httpx.Response:
        own = {**(by.headers if by else {}), **(headers or {})}
        encoded = [(name.encode(), value.encode("latin-1")) for name, value in own.items()]
        answer = await self._client.request(method, path, headers=encoded, **more)
        self._client.cookies.clear()
        if path.partition("?")[0] != "/api/guests":
            self.sent += [answer.content, repr(answer.headers).encode()]
        return answer

    async def guest(self, name: str) -> Person:
        answer = await self.ask("POST", "/api/guests", json={"name": name, "token": True})
        token = answer.json()["token"]
        person = Person(name, token, self.server.identities.read(token).id)
        self.people.append(person)
        return person

    async def table(self, host: Person, game: str = "collection", **more: Any) -> str:
        """A new table, at which nobody sits yet."""
        more = {"options": OPTIONS[game], **more}
        answer = await self.ask("POST", "/api/tables", host, json={"game": game, **more})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    async def game(self, game: str = "collection", people: int = 0, **more: Any) -> tuple[str, list[Person]]:
        """A table at which a game is under way; the first of the people is the host."""
        seats = more.get("options", OPTIONS[game])["players"]
        sitting = [await self.guest(f"Person{number}") for number in range(people or seats)]
        table = await self.table(sitting[0], game, **more)
        for person in sitting:
            await self.done("join", table, person, json={})
        await self.done("do", table, sitting[0], json={"do": "start", "fill": True})
        return table, sitting

    async def done(self, what: str, table: str, by: Person, **more: Any) -> None:
        answer = await self.ask("POST", f"/api/tables/{table}/{what}", by, **more)
        assert answer.status_code == 200, answer.text

    def room(self, table: str) -> Room:
        return self.server.rooms._rooms[table]

    def state(self, table: str) -> bytes:
        """Everything that a table is."""
        return take_snapshot(self.room(table).table)

    async def ear(
        self, table: str, by: Person | None = None, headers: dict[str, str] | None = None, **query: Any
    ) -> Ear:
        own = {"host": "brocante.test", **(by.headers if by else {}), **(headers or {})}
        ear = Ear(self.app, f"/api/tables/{table}/socket", urlencode(query), own, self.sent)
        self.ears.append(ear)
        return await ear.opened()

    @property
    def errors(self) -> float:
        """How often something went wrong in the server itself."""
        counted = self.server.metrics.errors.collect()
        return sum(sample.value for family in counted for sample in family.samples if sample.name.endswith("_total"))

    @contextmanager
    def unharmed(self, table: str) -> Any:
        """Whatever is tried, the table stays as it is, and nothing goes wrong inside."""
        before, errors = self.state(table), self.errors
        yield
        assert self.state(table) == before
        assert self.errors == errors


@asynccontextmanager
async def house(
    folder: Path, time: FakeTime | None = None, steady: FakeTime | None = None, **settings: Any
) -> AsyncIterator[House]:
    """A server by a clock on the wall and a steady one; they are the same unless both are given."""
    time = time or steady or FakeTime()
    server = Server(Config(**{"database": str(folder / "tables.db"), **EASY, **settings}), time, steady or time)
    async with server.running():
        found = House(server, time)
        try:
            yield found
        finally:
            for ear in found.ears:
                ear.stalled = False
                if not ear.task.done():
                    await ear.hang_up()


@contextmanager
def listening(folder: Path, **settings: Any) -> Iterator[tuple[str, Server]]:
    """A server on a port of this machine, in a thread of its own, and where it is."""
    server = Server(Config(**{"database": str(folder / "tables.db"), **EASY, **settings}))
    config = uvicorn.Config(application(server), timeout_graceful_shutdown=1, **uvicorn_settings(server.config))
    running = uvicorn.Server(config)
    with listen("127.0.0.1", 0) as port:
        port.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)  # who does not read is noticed soon
        thread = Thread(target=running.run, kwargs={"sockets": [port]})
        thread.start()
        try:
            while not running.started:
                assert thread.is_alive()
                sleep(0.01)
            yield f"http://127.0.0.1:{port.getsockname()[1]}", server
        finally:
            running.should_exit = True
            thread.join()


def check_refusal(answer: dict[str, Any], code: str) -> None:
    """A refusal has a code for programs, and a sentence for people that tells nothing of the inside."""
    assert answer["code"] == code, answer
    assert len(answer["says"].split()) > 2, answer
    assert not INSIDE.search(answer["says"]), answer


def check_refused(answer: httpx.Response, status: int, code: str) -> None:
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/json"), answer.text
    check_refusal(answer.json(), code)
