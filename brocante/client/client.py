"""A guest of a server, and the games and tables that it offers."""

import re
from types import TracebackType
from typing import Any, Literal, TypeVar

import httpx
import msgspec

from brocante.client.errors import Garbled, ServerAway, refusal
from brocante.client.table import TableClient, or_hung_up
from brocante.engine.errors import UsageError
from brocante.engine.text import Text
from brocante.table import Clock
from brocante.wire.http import GameInfo, Guest, Listed, Me, NewTable, TableReply

TIMEOUT = httpx.Timeout(15)
LINK = re.compile(r"(?P<server>https?://[^/?#]+(?:/[^?#]*)?)/tables/(?P<table>[\w-]+)/?")

Found = TypeVar("Found")


def read_link(link: str) -> tuple[str, str]:
    """The server and the table of a link; no table in the address of a server.

    >>> read_link("https://example.org/tables/Qk3_aZ")
    ('https://example.org', 'Qk3_aZ')
    >>> read_link("http://127.0.0.1:8000/")
    ('http://127.0.0.1:8000', '')
    """
    if found := LINK.fullmatch(link):
        return found["server"], found["table"]
    if not re.fullmatch(r"https?://[^/?#]+(/[^?#]*)?", link):
        raise UsageError(Text("client.link", link=link))
    return link.rstrip("/"), ""


class Client:
    """A guest of a server, as an asynchronous context manager.

    A name makes a new guest, whose token is then in `token`. A token goes on as the same guest, at the same seats.
    Without either, a client can look at what everyone may see.
    """

    def __init__(
        self,
        url: str,
        name: str = "",
        *,
        token: str = "",
        lang: str = "en",
        detail: Literal["moves", "view"] = "moves",
        patience: float = 300.0,
    ) -> None:
        """`detail`: what tables send unasked, the legal moves or the view; `patience`: for how many seconds the client
        looks for a server that is gone."""
        self.url, table = read_link(url)
        if table:
            raise UsageError(Text("client.no_server", link=url, server=self.url))
        self.name = name
        self.token = token
        self.lang = lang
        self.detail = detail
        self.patience = patience
        self._http = httpx.AsyncClient(timeout=TIMEOUT)
        self._tables: list[TableClient] = []

    async def __aenter__(self) -> "Client":
        try:
            if self.name and not self.token:
                me = await self._ask("POST", "/api/guests", Me, Guest(self.name, token=True))
                self.name, self.token = me.name, me.token
            elif self.token:
                self.name = (await self._ask("GET", "/api/me", Me)).name
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Hang up everywhere. Seats are kept; during a game a bot soon plays for an absent player."""
        for table in list(self._tables):
            await table.close()
        await self._http.aclose()

    @property
    def headers(self) -> dict[str, str]:
        """Who the client is, and which language it prefers."""
        token = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {"Accept-Language": self.lang, **token}

    # --- games and tables ---

    async def games(self) -> list[GameInfo]:
        """The games of the server, with their options."""
        return await self._ask("GET", "/api/games", list[GameInfo])

    async def tables(self, phase: str = "open") -> list[Listed]:
        """The tables that all may see: those that are open, playing or over."""
        return await self._ask("GET", f"/api/tables?phase={phase}", list[Listed])

    # --- one table ---

    async def open(
        self, game: str, *, private: bool = False, clock: Clock | None = None, fading: bool = True, **options: Any
    ) -> TableClient:
        """Open a table for a game, and listen to it; sit down next. `players` and the like are options of the game."""
        wanted = NewTable(game, options, private, clock or Clock(), fading)
        reply = await self._ask("POST", "/api/tables", TableReply, wanted)
        return await self.table(reply.id)

    async def table(self, link: str) -> TableClient:
        """Listen to a table, given its link or its id: at the guest's seat, if there is one, or as a watcher."""
        table = TableClient(self, self._id(link))
        self._tables.append(table)
        async with or_hung_up(table):
            await table.connect()
        return table

    async def sit(self, link: str, seat: int | None = None) -> TableClient:
        """Sit down at a table, or come back to the guest's seat there."""
        table = await self.table(link)
        async with or_hung_up(table):
            await table.sit(seat)
        return table

    def forget(self, table: TableClient) -> None:
        """Drop a table that was closed."""
        if table in self._tables:
            self._tables.remove(table)

    def _id(self, link: str) -> str:
        if "/" not in link:
            return link
        server, table = read_link(link)
        if server != self.url or not table:
            raise UsageError(Text("client.elsewhere", link=link, server=self.url))
        return table

    # --- requests ---

    async def record(self, table: str, game: int | None = None) -> bytes:
        """The record of a game that is over: of the last one, or of the one of that number, counted from 1."""
        query = "" if game is None else f"?game={game}"
        return await self._request("GET", f"/api/tables/{table}/record{query}")

    async def _ask(self, method: str, path: str, kind: type[Found], body: msgspec.Struct | None = None) -> Found:
        answer = await self._request(method, path, None if body is None else msgspec.json.encode(body))
        try:
            return msgspec.json.decode(answer, type=kind)
        except msgspec.DecodeError as error:
            raise Garbled(self.url, error) from None

    async def _request(self, method: str, path: str, body: bytes | None = None) -> bytes:
        try:
            answer = await self._http.request(method, self.url + path, content=body, headers=self.headers)
        except (httpx.TransportError, httpx.InvalidURL) as error:
            raise ServerAway(self.url, error) from None
        if not answer.is_success:
            raise refusal(self.url, answer.content)
        return answer.content
