"""Everyone opens a table at once, with bots: `python -m benchmarks.opening URL TABLES`. Written as JSON is how many
seconds it took until all were open, and until all bots had had their first turns.

Each person has a connection of their own, as a page has, and a socket by which they are told what has changed. They
move as soon as they are asked, until the bots at their table have moved. live_tables.py runs this while people play at
other tables of the server.
"""

import asyncio
import gc
import re
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec
import uvloop

from benchmarks.live_tables import Player, Run, read, write
from benchmarks.load import Stopwatch, until_over

GAMES = ("collection", "antiques", "port")
#: At each table; the first is the person's.
SEATS = 3
#: Tables that are being opened at the same time: where more than two hundred requests wait, a server refuses the next.
AT_ONCE = 100


class Person(Player):
    """Somebody who plays with bots."""

    def __init__(self, url: str, token: str, table: str) -> None:
        address = f"{url.replace('http', 'ws')}/api/tables/{table}/socket"
        super().__init__(address, token, table, 0, Stopwatch(), Run("", 1, detail="changes"))
        self._waits_for = {*range(1, SEATS)}
        self.have_moved: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def on_message(self, message: bytes) -> None:
        told = read(message)
        if told.type == "refused":
            raise RuntimeError(message.decode())
        self._waits_for -= {event.seat for event in told.events if event.event == "moved"}
        self._look(told)
        if self._waits_for:
            self._play_if_asked()
        elif not self.have_moved.done():
            self.have_moved.set_result(None)


class Page:
    """The connection of a page to its server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.headers: Mapping[str, str] = {}

    async def post(self, path: str, body: Any) -> Any:
        """As cheaply as can be: the load must cost less than the server."""
        text = write(body)
        headers = {"Host": "127.0.0.1", "Content-Length": str(len(text)), **self.headers}
        lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
        self._writer.write("\r\n".join(lines).encode() + text)
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"^content-length: (\d+)", head, re.MULTILINE | re.IGNORECASE)
        answer = await self._reader.readexactly(int(length[1]) if length else 0)
        if not re.match(r"HTTP/1.1 20[01] ", head):
            raise RuntimeError(f"{path}: {head.splitlines()[0]} {answer.decode()}")
        return msgspec.json.decode(answer)

    def close(self) -> None:
        self._writer.close()


async def opened(url: str, game: str, failure: asyncio.Future[None]) -> Person:
    """A table at which a game with bots has begun."""
    where = urlsplit(url)
    page = Page(*await asyncio.open_connection(where.hostname, where.port))
    token = (await page.post("/api/guests", {"name": "Ada", "token": True}))["token"]
    page.headers = {"Authorization": f"Bearer {token}"}
    table = (await page.post("/api/tables", {"game": game, "options": {"players": SEATS}}))["id"]
    await page.post(f"/api/tables/{table}/join", {})
    person = Person(url, token, table)
    await person.connect(failure)
    await page.post(f"/api/tables/{table}/do", {"do": "start", "fill": True})
    page.close()
    return person


async def open_all(url: str, tables: int) -> dict[str, float]:
    failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    turns = asyncio.Semaphore(AT_ONCE)

    async def open_one(number: int) -> Person:
        async with turns:
            return await opened(url, GAMES[number % len(GAMES)], failure)

    began = time.perf_counter()
    people = await asyncio.gather(*map(open_one, range(tables)))
    all_open = time.perf_counter() - began
    await until_over(bots_at(people), failure)
    all_moved = time.perf_counter() - began
    failure.cancel()
    await asyncio.gather(*(person.close() for person in people))
    return {"opened": all_open, "turned": all_moved}


async def bots_at(people: Sequence[Person]) -> None:
    """Until all have moved."""
    for person in people:
        await person.have_moved


def main() -> None:
    url, tables = sys.argv[1:]
    gc.disable()
    sys.stdout.buffer.write(write(uvloop.run(open_all(url, int(tables)))))


if __name__ == "__main__":
    main()
