"""What a storage keeps for the operator: what they did, whom they keep out, and what they say to everyone."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from brocante.server.storage import chain, schema
from brocante.server.storage.database import Connection, Database
from brocante.server.storage.installation import ANNOUNCEMENT, QUESTION, is_number
from brocante.server.storage.schema import Entry, Listing

Rewrite = Callable[[list[Entry]], list[Entry]]
Relist = Callable[[Listing], Listing]


class DoneAct(msgspec.Struct, frozen=True):
    """An act of the operator, as JSON. `done` numbers the acts in the order in which they were done; None: it was begun
    and never done."""

    number: int
    at: float
    operator: str
    what: bytes
    outcome: bytes | None
    done: int | None


class BanRow(msgspec.Struct, frozen=True):
    """Whom the operator keeps out: an identity, or a network of addresses, which has a slash in it."""

    who: str
    at: float
    until: float | None  # None: for good
    why: str


class Operating(ABC):
    """The part of a storage that is for the operator."""

    _database: Database

    @abstractmethod
    async def _rows(self, template: str, *values: Any) -> list[Any]: ...
    @abstractmethod
    async def _execute(self, template: str, *values: Any) -> None: ...
    @abstractmethod
    async def _write(self, job: Callable[[Connection], Any]) -> Any: ...
    @abstractmethod
    async def _noted(self, name: str) -> bytes: ...
    @abstractmethod
    async def entries(self, table: str, after: int = 0, link: bytes = b"") -> list[Entry]: ...

    # --- acts ---

    async def begin_act(self, at: float, operator: str, what: bytes) -> int:
        """Note what the operator is about to do; its number."""
        return int(await self._write(partial(self._numbered, schema.BEGIN_ACT, (at, operator, what))))

    async def finish_act(self, number: int, outcome: bytes) -> None:
        """Note what has come of it. From then on, servers hear of it."""
        await self._write(partial(self._numbered, schema.FINISH_ACT, (outcome, number)))

    def _numbered(self, template: str, values: tuple[Any, ...], connection: Connection) -> int:
        self._database.keep_others_out(connection)  # two operators at once must not take the same number
        return int(connection.execute(self._database.statement(template), values).fetchall()[0][0])

    async def acts(self, after: int) -> list[DoneAct]:
        """The acts that were done after so many."""
        return [DoneAct(*row) for row in await self._rows(schema.ACTS_DONE, after)]

    async def last_act(self) -> int:
        """How many acts were done."""
        return int((await self._rows(schema.LAST_ACT))[0][0])

    async def latest_acts(self, limit: int) -> list[DoneAct]:
        """The latest acts, the last one begun first, done or not."""
        return [DoneAct(*row) for row in await self._rows(schema.LATEST_ACTS, limit)]

    # --- bans ---

    async def ban(self, ban: BanRow) -> None:
        await self._execute(schema.BAN, ban.who, ban.at, ban.until, ban.why)

    async def unban(self, who: str) -> None:
        await self._execute(schema.UNBAN, who)

    async def bans(self) -> list[BanRow]:
        """All bans, those that are over too, the latest first."""
        return [BanRow(*row) for row in await self._rows(schema.BANS)]

    # --- announcements ---

    async def announce(self, announcement: bytes) -> None:
        await self._execute(schema.TELL_INSTALLATION_ANEW, ANNOUNCEMENT, announcement)

    async def announcement(self) -> bytes:
        """What the operator has announced last; nothing if they never have."""
        return await self._noted(ANNOUNCEMENT)

    # --- who is connected, which only servers know ---

    async def question(self) -> int:
        """The number of the last question who is connected."""
        number = await self._noted(QUESTION)
        return int(number) if is_number(number) else 0

    async def ask(self) -> int:
        """Ask every process who is connected; the number of the question."""
        number = await self.question() + 1
        await self._execute(schema.DROP_ANSWERS)
        await self._execute(schema.TELL_INSTALLATION_ANEW, QUESTION, str(number).encode())
        return number

    async def answer(self, process: str, answer: bytes) -> None:
        await self._execute(schema.TELL_INSTALLATION_ANEW, f"connected {process}", answer)

    async def answers(self) -> list[bytes]:
        """What the processes have answered so far."""
        return [bytes(answer) for (answer,) in await self._rows(schema.ANSWERS)]

    # --- tables, and people ---

    async def all_listings(self) -> list[Listing]:
        """Every table, private or not, the one touched last first, with who sits there."""
        seated: dict[str, list[tuple[str, int]]] = {}
        for who, table, seat in await self._rows(schema.ALL_SEATED):
            seated.setdefault(table, []).append((who, seat))
        found = map(schema.listing_from_row, await self._rows(schema.ALL_LISTINGS))
        return [msgspec.structs.replace(one, seated=tuple(seated.get(one.table, ()))) for one in found]

    async def seated_at(self, table: str) -> tuple[tuple[str, int], ...]:
        """Who sits at a table, and where."""
        return tuple([(who, seat) for who, seat in await self._rows(schema.SEATED_AT, table)])

    async def remove(self, table: str) -> None:
        """Delete a table, and everything of it."""
        await self._write(partial(self._remove, table))

    def _remove(self, table: str, connection: Connection) -> None:
        self._database.keep_others_out(connection)  # or an entry that comes meanwhile would be left over
        self._database.forget([table])
        for template in schema.DELETE:
            connection.execute(self._database.statement(template), (table,))

    async def tables_with(self, identity: str) -> list[str]:
        """The tables in whose log somebody is. This reads everything that there is."""
        return [table for (table,) in await self._rows(schema.TABLES_WITH, identity.encode())]

    async def rewrite(self, table: str, rewrite: Rewrite, relist: Relist) -> None:
        """Change what was written of a table: what is in its entries, and how it is listed. Snapshots, which say the
        same, are dropped. Damaged, if it is not as it was written: nothing must hide that."""
        await self.entries(table)
        await self._write(partial(self._rewrite, table, rewrite, relist))

    def _rewrite(self, table: str, rewrite: Rewrite, relist: Relist, connection: Connection) -> None:
        statement = self._database.statement
        self._database.keep_others_out(connection)
        rows = connection.execute(statement(schema.ENTRIES), (table, 0)).fetchall()
        entries = chain.checked(table, rows, 0, chain.beginning(table))
        if (anew := rewrite(entries)) != entries:
            self._database.forget([table])
            last = msgspec.structs.replace(entries[-1], number=len(entries) + 1, body=chain.REWRITTEN)
            for entry in chain.chained(table, [*anew, last]):
                connection.execute(statement(schema.REWRITE), (table, *msgspec.structs.astuple(entry)))
        connection.execute(statement(schema.DROP_SNAPSHOTS), (table,))
        for row in connection.execute(statement(schema.LISTING), (table,)).fetchall():
            listing = relist(schema.listing_from_row(row))
            connection.execute(statement(schema.RELIST), (listing.host, listing.summary, table))

    async def unseat(self, identity: str) -> None:
        """Somebody sits nowhere any more, as far as lists know."""
        await self._execute(schema.UNSEAT, identity)
