"""What somebody can do to a server who wants nobody to play there: each attack runs for some seconds in a process of
its own, from an address of its own, as hard as it can.

    python -m tests.server.attacks ATTACK PORT ADDRESS SECONDS TABLE

prints what became of it as JSON: how often it was `refused`, `dropped` (or hung up on), and what it `sent`.
"""

import asyncio
import base64
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

#: Frames of a client, with a mask of zeros.
PING, EMPTY_PART, BEGINNING, BINARY = b"\x89\x80\0\0\0\0", b"\x00\x80\0\0\0\0", b"\x01\x80\0\0\0\0", b"\x82\x80\0\0\0\0"
#: The head of a request whose body comes in pieces.
CHUNKED = b"POST /api/guests HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
#: Seconds that some need before they can begin.
PREPARING = 4.0
AT_ONCE = 200  # frames, so that the attack costs less than the defence


def text_frame(message: dict[str, Any]) -> bytes:
    text = json.dumps(message).encode()
    length = bytes((0x80 | len(text),)) if len(text) < 126 else b"\xfe" + len(text).to_bytes(2, "big")
    return b"\x81" + length + bytes(4) + text


class Attacker:
    """Somebody at an address, for so long."""

    def __init__(self, port: int, address: str, seconds: float, table: str) -> None:
        self.port, self.address, self.table = port, address, table
        self.seconds, self.until = seconds, time.monotonic() + seconds
        self.count: Counter[str] = Counter()
        self.codes: Counter[int] = Counter()  # of close frames and refusals

    @property
    def goes_on(self) -> bool:
        return time.monotonic() < self.until

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        self.count["connections"] += 1
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.address, 0))

    async def socket(
        self, token: str = "", table: str = "", detail: str = "view"
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A socket at a table; ConnectionError if it is refused."""
        reader, writer = await self.connect()
        key = base64.b64encode(os.urandom(16)).decode()
        who = f"Authorization: Bearer {token}\r\n" if token else ""
        writer.write(
            f"GET /api/tables/{table or self.table}/socket?detail={detail} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n{who}\r\n".encode()
        )
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            self.count["dropped"] += 1
            raise ConnectionError from None
        if b" 101 " not in head:
            self.codes[int(head.split()[1])] += 1
            self.count["refused"] += 1
            writer.close()
            raise ConnectionError
        return reader, writer

    async def flood(self, frames: bytes, first: bytes = b"") -> None:
        """The same frames over and over, from another socket whenever one is lost."""
        while self.goes_on:
            with suppress(ConnectionError):
                reader, writer = await self.socket()
                reading = asyncio.ensure_future(self.read(reader))
                writer.write(first)
                while self.goes_on and not reading.done():
                    writer.write(frames)
                    self.count["sent"] += AT_ONCE
                    await writer.drain()
                    await asyncio.sleep(0)
                await self.end(reading, writer)

    async def read(self, reader: asyncio.StreamReader) -> None:
        """Until the server hangs up."""
        last = b""
        with suppress(ConnectionError):
            while data := await reader.read(65_536):
                last = (last + data)[-4:]
        if last[:2] == b"\x88\x02":
            self.codes[int.from_bytes(last[2:], "big")] += 1
        self.count["dropped"] += 1

    async def end(self, reading: "asyncio.Future[None]", writer: asyncio.StreamWriter) -> None:
        if not reading.done():
            reading.cancel()
            self.count["left"] += 1
        writer.transport.abort()
        with suppress(asyncio.CancelledError):
            await reading

    async def all(self, number: int, attack: Callable[[], Awaitable[None]]) -> None:
        await asyncio.gather(*(attack() for _ in range(number)))

    # --- over sockets ---

    async def pings(self) -> None:
        await self.all(5, lambda: self.flood(PING * AT_ONCE))

    async def empty_parts(self) -> None:
        await self.all(5, lambda: self.flood(EMPTY_PART * AT_ONCE, BEGINNING))

    async def nonsense(self) -> None:
        await self.all(5, lambda: self.flood(b"\x81\x82\0\0\0\0{}" * AT_ONCE))

    async def binary(self) -> None:
        await self.all(5, lambda: self.flood(BINARY * AT_ONCE))

    async def single_bytes(self) -> None:
        """A long message, a byte at a time."""

        async def drip() -> None:
            while self.goes_on:
                with suppress(ConnectionError):
                    reader, writer = await self.socket()
                    reading = asyncio.ensure_future(self.read(reader))
                    writer.write(b"\x81\xfe\x3f\xff\0\0\0\0")
                    while self.goes_on and not reading.done():
                        writer.write(b"x")
                        self.count["sent"] += 1
                        await asyncio.sleep(0)
                    await self.end(reading, writer)

        await self.all(5, drip)

    async def looks(self) -> None:
        """Five guests with thirty sockets each, who look as often as they may."""
        tokens = [await self.guest() for _ in range(5)]
        frame = text_frame({"id": 1, "look": {"begun": []}})

        async def stare(token: str) -> None:
            while self.goes_on:
                with suppress(ConnectionError):
                    reader, writer = await self.socket(token)
                    reading = asyncio.ensure_future(self.read(reader))
                    while self.goes_on and not reading.done():
                        writer.write(frame)
                        self.count["sent"] += 1
                        await asyncio.sleep(1 / 40)
                    await self.end(reading, writer)
                await asyncio.sleep(0.1)

        await asyncio.gather(*(stare(token) for token in tokens for _ in range(30)))

    async def deaf(self) -> None:
        """Look, and do not read the answers."""
        tokens = [await self.guest() for _ in range(5)]
        frame = text_frame({"id": 1, "look": {"begun": []}})

        async def ask(token: str) -> None:
            while self.goes_on:
                with suppress(ConnectionError):
                    _, writer = await self.socket(token)
                    while self.goes_on and not writer.is_closing():
                        writer.write(frame)
                        self.count["sent"] += 1
                        await asyncio.sleep(1 / 40)
                    writer.transport.abort()
                await asyncio.sleep(0.1)

        await asyncio.gather(*(ask(token) for token in tokens for _ in range(20)))

    async def deaf_watchers(self) -> None:
        """Ten guests who watch a busy table over nineteen sockets each, and do not read what they see."""
        tokens = [await self.guest() for _ in range(10)]
        table, players = await self.pair()

        async def watch(token: str) -> None:
            while self.goes_on:
                with suppress(ConnectionError):
                    _, writer = await self.socket(token, table)
                    while self.goes_on and not writer.is_closing():
                        await asyncio.sleep(0.1)
                    writer.transport.abort()
                await asyncio.sleep(0.1)

        playing = (self.play_on(token, table) for token in players)
        await asyncio.gather(*playing, *(watch(token) for token in tokens for _ in range(19)))

    async def handshakes(self) -> None:
        async def knock() -> None:
            while self.goes_on:
                with suppress(OSError):
                    _, writer = await self.socket("no-token-of-ours")
                    writer.transport.abort()

        await self.all(10, knock)

    # --- at tables of their own ---

    async def play(self) -> None:
        """Thirty guests who play the costliest game in pairs, as fast as each may, and have its views sent to another
        socket, where nobody looks at them."""
        pairs = await asyncio.gather(*(self.pair() for _ in range(15)))
        self.until = time.monotonic() + self.seconds
        await asyncio.gather(*(self.play_on(token, table) for table, tokens in pairs for token in tokens))

    async def pair(self) -> tuple[str, list[str]]:
        tokens = [await self.guest() for _ in range(2)]
        table = (await self.post("/api/tables", tokens[0], game="port", options={"players": 2}))["id"]
        for name, token in zip(("Eve", "Mallory"), tokens, strict=True):
            await self.post(f"/api/tables/{table}/join", token, name=name)
        await self.post(f"/api/tables/{table}/do", tokens[0], do="start")
        return table, tokens

    async def play_on(self, token: str, table: str) -> None:
        while self.goes_on:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                ignored, other = await self.socket(token, table)
                ignoring = asyncio.ensure_future(self.read(ignored))
                reader, writer = await self.socket(token, table, "moves")
                seat, command = -1, {}
                while self.goes_on:
                    told = await self.message(reader)
                    if told["type"] == "welcome":
                        seat = int(told["stream"].partition("-")[0])
                    if told["type"] in ("welcome", "news"):
                        command = self.next_command(told, seat)
                    if command:
                        await asyncio.sleep(1 / 40)
                        writer.write(text_frame({"id": 1, "command": command}))
                        self.count["sent"] += 1
                writer.transport.abort()
                await self.end(ignoring, other)

    def next_command(self, told: dict[str, Any], seat: int) -> dict[str, Any]:
        """What to do as things stand: nothing where others are asked."""
        if told.get("table", {}).get("phase") == "over":
            return {"do": "again"}
        if seat not in told["now"]["asked"]:
            return {}
        return {"do": "move", "move": random.choice(told["legal"]), "step": told["now"]["step"]}

    async def message(self, reader: asyncio.StreamReader) -> dict[str, Any]:
        """The next one; ConnectionError where the server hangs up."""
        kind, length = await reader.readexactly(2)
        if length > 125:
            length = int.from_bytes(await reader.readexactly(2 if length == 126 else 8), "big")
        payload = await reader.readexactly(length)
        if kind == 0x88:
            self.codes[int.from_bytes(payload[:2], "big")] += 1
            raise ConnectionError
        told: dict[str, Any] = json.loads(payload) if kind == 0x81 else {"type": "ping"}
        self.count[told["type"]] += 1
        return told

    async def sit_and_stand(self) -> None:
        """Ten guests who do both as often as they may: all of it is kept."""
        tokens = [await self.guest() for _ in range(10)]
        tables = [(await self.post("/api/tables", token, game="port"))["id"] for token in tokens]
        commands: tuple[dict[str, Any], ...] = ({"do": "sit", "name": "Eve"}, {"do": "stand"})
        both = b"".join(text_frame({"id": 1, "command": command}) for command in commands)

        async def fidget(token: str, table: str) -> None:
            while self.goes_on:
                with suppress(ConnectionError):
                    reader, writer = await self.socket(token, table, "moves")
                    reading = asyncio.ensure_future(self.read(reader))
                    while self.goes_on and not reading.done():
                        writer.write(both)
                        self.count["sent"] += 2
                        await asyncio.sleep(1 / 20)
                    await self.end(reading, writer)
                await asyncio.sleep(0.1)

        await asyncio.gather(*map(fidget, tokens, tables))

    # --- over HTTP ---

    async def guest(self) -> str:
        return str((await self.post("/api/guests", name="Eve", token=True))["token"])

    async def post(self, path: str, who: str = "", /, **what: Any) -> dict[str, Any]:
        """Ask for something until it is done."""
        body = json.dumps(what).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
        head += f"Authorization: Bearer {who}\r\n" if who else ""
        while True:
            reader, writer = await self.connect()
            writer.write(head.encode() + b"\r\n" + body)
            status, _, answer = (await reader.read()).partition(b"\r\n\r\n")
            writer.close()
            if status.startswith(b"HTTP/1.1 2"):
                return dict(json.loads(answer))
            await asyncio.sleep(0.1)

    async def said(self, *parts: bytes, pause: float = 0.0) -> None:
        """A connection over which this is said, the last part of it again and again, until it is lost."""
        while self.goes_on:
            with suppress(OSError):
                reader, writer = await self.connect()
                reading = asyncio.ensure_future(self.read_answers(reader))
                for part in parts:
                    writer.write(part)
                while self.goes_on and not reading.done():
                    if parts and not pause:
                        writer.write(parts[-1])
                        self.count["sent"] += len(parts[-1])
                        await writer.drain()
                    await asyncio.sleep(pause)
                await self.end(reading, writer)

    async def read_answers(self, reader: asyncio.StreamReader) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65_536):
                for line in data.split(b"HTTP/1.1 ")[1:]:
                    if line[:3].isdigit():
                        self.codes[int(line[:3])] += 1
        self.count["dropped"] += 1

    async def long_heads(self) -> None:
        """Sixty megabytes of one header."""
        await self.all(10, lambda: self.said(b"GET / HTTP/1.1\r\nX: ", b"x" * 100_000))

    async def many_headers(self) -> None:
        await self.all(10, lambda: self.said(b"GET / HTTP/1.1\r\n", b"a: b\r\n" * 10_000))

    async def half_open(self) -> None:
        await self.all(1_100, lambda: self.said(pause=0.2))

    async def half_heads(self) -> None:
        await self.all(300, lambda: self.said(b"GET / HTTP/1.1\r\nHost: x\r\n", pause=0.2))

    async def half_bodies(self) -> None:
        await self.all(
            300,
            lambda: self.said(
                b"POST /api/guests HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n\r\n{", pause=0.2
            ),
        )

    async def endless_bodies(self) -> None:
        await self.all(10, lambda: self.said(CHUNKED, b"1\r\nx\r\n" * 10_000))

    async def trailers(self) -> None:
        """A request that is complete but for what comes after its body."""
        await self.all(10, lambda: self.said(CHUNKED + b"0\r\nX: ", b"x" * 100_000))

    async def chunk_extensions(self) -> None:
        await self.all(10, lambda: self.said(CHUNKED + b"1;", b"x" * 100_000))

    async def blank_lines(self) -> None:
        await self.all(10, lambda: self.said(b"\r\n" * 50_000))

    async def pipelines(self) -> None:
        await self.all(5, lambda: self.said(b"GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 1_000))

    async def requests(self) -> None:
        await self.all(10, lambda: self.asked(lambda: "/api/games"))

    async def guesses(self) -> None:
        """Thirty guests who ask for tables that might be there."""
        tokens = [await self.guest() for _ in range(30)]
        await asyncio.gather(*(self.asked(lambda: f"/api/tables/{os.urandom(8).hex()}", token) for token in tokens))

    async def asked(self, path: Callable[[], str], token: str = "") -> None:
        """One request after the other, over a connection that is kept."""
        who = f"Authorization: Bearer {token}\r\n" if token else ""
        while self.goes_on:
            with suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await self.connect()
                while self.goes_on:
                    writer.write(f"GET {path()} HTTP/1.1\r\nHost: 127.0.0.1\r\n{who}\r\n".encode())
                    head = await reader.readuntil(b"\r\n\r\n")
                    self.codes[int(head.split()[1])] += 1
                    length = int(head.lower().partition(b"content-length: ")[2].split()[0])
                    await reader.readexactly(length)
                writer.close()


#: All of them, by name, with the code that each is told if it is told any.
ATTACKS: dict[str, tuple[Callable[[Attacker], Awaitable[None]], int | None]] = {
    "pings": (Attacker.pings, 1008),
    "empty parts of messages": (Attacker.empty_parts, 1008),
    "{}": (Attacker.nonsense, 1008),
    "binary frames": (Attacker.binary, 1008),
    "messages in single bytes": (Attacker.single_bytes, None),
    "looks by 5 guests with 30 sockets each": (Attacker.looks, None),
    "looks by some who do not read": (Attacker.deaf, None),
    "190 sockets of some who watch and do not read": (Attacker.deaf_watchers, None),
    "10 guests who sit down and get up": (Attacker.sit_and_stand, None),
    "30 guests who play as fast as they may": (Attacker.play, None),
    "handshakes": (Attacker.handshakes, None),
    "heads without an end": (Attacker.long_heads, 431),
    "many headers": (Attacker.many_headers, 431),
    "1,100 connections that say nothing": (Attacker.half_open, None),
    "half heads": (Attacker.half_heads, None),
    "half bodies": (Attacker.half_bodies, None),
    "bodies without an end": (Attacker.endless_bodies, None),
    "trailers without an end": (Attacker.trailers, 431),
    "chunk extensions without an end": (Attacker.chunk_extensions, 431),
    "blank lines without an end": (Attacker.blank_lines, 431),
    "requests at once": (Attacker.pipelines, None),
    "requests one after the other": (Attacker.requests, None),
    "30 guests who ask for tables that are not there": (Attacker.guesses, None),
}


def main() -> None:
    os.nice(10)  # they are on another machine: what they do themselves should delay nobody
    name, port, address, seconds, table = sys.argv[1:]
    attacker = Attacker(int(port), address, float(seconds), table)

    async def attack() -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(float(seconds) + PREPARING):
                await ATTACKS[name][0](attacker)

    asyncio.run(attack())
    sys.stdout.write(json.dumps({**attacker.count, "codes": attacker.codes}))


if __name__ == "__main__":
    main()
