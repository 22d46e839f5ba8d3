"""The operator at work on a database, whether or not servers run on it. Whatever is done to a table is a command or an
entry of its log, as if another process of the server had done it; the processes hear of it (see `heeding.py`)."""

import asyncio
import getpass
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from typing import Any

import msgspec

from brocante.engine.errors import BrocanteError, UsageError
from brocante.engine.text import Text
from brocante.server import acts
from brocante.server.acts import Act, Outcome, decode_act, decode_outcome
from brocante.server.config import Config
from brocante.server.heeding import LOOK_EVERY, Connected
from brocante.server.listings import summary_of
from brocante.server.metrics import Metrics
from brocante.server.personal_data import Deletion, facts_about, names_in
from brocante.server.rooms import Rooms
from brocante.server.storage import BanRow, Damaged, Entry, Listing, Storage, StorageError, database_at, schema
from brocante.server.storage.database import Database
from brocante.server.storage.sqlite import SQLite
from brocante.table import commands as c
from brocante.table.clean_text import clean_text
from brocante.table.commands import MOST_TEXT

#: Seconds after which every process of a server has heard of an act, and done its part.
HEARD_WITHIN = 4 * LOOK_EVERY


decode_connected = msgspec.json.Decoder(Connected).decode


class Operator:
    """Carries out what the operator asks for, and notes it."""

    def __init__(self, rooms: Rooms, name: str, clock: Callable[[], float] = time.time) -> None:
        self._rooms = rooms
        self._storage = rooms.storage
        self._name = name
        self._clock = clock

    @staticmethod
    @asynccontextmanager
    async def at(database: str) -> AsyncIterator["Operator"]:
        """At a database that is there."""
        found = database_at(database)
        if isinstance(found, SQLite) and not found.path.is_file():
            raise UsageError(Text("admin.refused.no_database", database=found.name))
        storage = await Storage.open(database, tidying=False)
        try:
            rooms = Rooms(storage, Config(database=database, compile=False), Metrics())
            await rooms.service.keep()
            yield Operator(rooms, user_name())
        finally:
            await storage.close()

    # --- looking ---

    async def tables(self) -> list[Listing]:
        return await self._storage.all_listings()

    @property
    def damaged(self) -> set[str]:
        """The tables of which it is known that they are, without going over all logs."""
        return self._storage.damaged

    async def connected(self) -> dict[str, Counter[int]]:
        """How many sockets each viewer of a table has, as every process says that answers in time."""
        question, found = await self._storage.ask(), dict[str, Counter[int]]()
        await asyncio.sleep(HEARD_WITHIN)
        for answer in map(decode_connected, await self._storage.answers()):
            for table, viewers in answer.tables.items() if answer.question == question else ():
                found.setdefault(table, Counter()).update(viewers)
        return found

    async def log(self, limit: int) -> list[dict[str, Any]]:
        """What was done, the last act first."""
        return [
            {
                "number": done.number,
                "at": done.at,
                "operator": done.operator,
                **msgspec.to_builtins(decode_act(done.what)),
                "done": done.done is not None,
                **msgspec.to_builtins(decode_outcome(done.outcome or b"{}")),
            }
            for done in await self._storage.latest_acts(limit)
        ]

    async def bans(self) -> list[BanRow]:
        return await self._storage.bans()

    async def guest_at(self, key: str, seat: int) -> str:
        """The identity of the person at a seat."""
        listing = await self._listing(key)
        found = next((who for who, number in listing.seated if number == seat), None)
        if found is None:
            raise UsageError(Text("admin.refused.nobody_there", seat=seat, table=key))
        return found

    # --- acts ---

    async def close(self, key: str) -> None:
        """End the game under way at a table."""

        async def close() -> Outcome:
            await self._command(key, c.CloseGame())
            return Outcome(tables=[key])

        if (await self._listing(key)).phase != "playing":
            raise UsageError(Text("admin.refused.no_game", table=key))
        await self._carry_out(acts.CloseTable(key), close)

    async def remove(self, key: str) -> None:
        async def remove() -> Outcome:
            await self._storage.remove(key)
            return Outcome(tables=[key])

        if not await self._storage.has(key):  # a damaged one may not even be listed
            raise UsageError(Text("admin.refused.no_table", table=key))
        await self._carry_out(acts.RemoveTable(key), remove)

    async def ban(self, who: str, seconds: float | None, why: str) -> BanRow:
        """Keep out a guest, or a network of addresses, for so many seconds or for good."""
        now = self._clock()
        row = BanRow(who, now, None if seconds is None else now + seconds, clean_text(why, MOST_TEXT))

        async def ban() -> Outcome:
            await self._storage.ban(row)
            return Outcome()

        await self._carry_out(acts.KeepOut(row.who, row.until, row.why), ban)
        return row

    async def unban(self, who: str) -> None:
        if who not in [ban.who for ban in await self._storage.bans()]:
            raise UsageError(Text("admin.refused.not_banned", who=who))

        async def unban() -> Outcome:
            await self._storage.unban(who)
            return Outcome()

        await self._carry_out(acts.LetIn(who), unban)

    async def announce(self, text: str, seconds: float | None) -> None:
        """Say something to everyone who is connected, and to whoever comes within so many seconds, or until something
        else is said; nothing takes back what was said last."""
        act = acts.Announce(clean_text(text, MOST_TEXT), None if seconds is None else self._clock() + seconds)

        async def announce() -> Outcome:
            await self._storage.announce(msgspec.json.encode(act))
            return Outcome()

        await self._carry_out(act, announce)

    async def export_table(self, key: str) -> dict[str, Any]:
        """Everything that is kept of a table."""
        listing = await self._listing(key)
        entries = await self._whole(key)
        await self.note(acts.Export(table=key))
        return {
            **described(listing),
            "host": listing.host,
            "seated": dict(listing.seated),
            "entries": [
                {"number": entry.number, "at": entry.at, "facts": msgspec.json.decode(entry.body)} for entry in entries
            ],
        }

    async def export_person(self, guest: str) -> dict[str, Any]:
        """Everything that is kept of a person."""
        tables, names = [], set()
        for key in await self._tables_of(guest):
            found = facts_about(guest, await self._whole(key))
            names |= {*names_in(found, guest)}
            listing = await self._storage.listing(key)
            tables.append({**(described(listing) if listing else {"table": key}), "entries": found})
        await self.note(acts.Export(guest=guest))
        return {
            "guest": guest,
            "names": sorted(names),
            "forgotten": await self._storage.is_forgotten(guest),
            "bans": [msgspec.to_builtins(ban) for ban in await self._storage.bans() if ban.who == guest],
            "tables": tables,
        }

    async def delete_person(self, guest: str) -> tuple[list[str], list[Text]]:
        """Forget an identity, and take its name and what it said out of every table; returns out of which, and why not
        out of the others.

        Where they play a bot goes on for them. A process that has one of the tables in memory might note the name once
        more before it hears of this, so it is taken out a second time when all have heard.
        """
        deletions = {key: Deletion(guest) for key in await self._tables_of(guest)}
        problems: dict[str, Text] = {}

        async def delete() -> Outcome:
            await self._storage.forget_identity(guest)
            problems.update(await at_each(deletions, self._dismiss_and_take_out))
            await self._storage.unseat(guest)
            return Outcome(" ".join(map(str, problems.values())), done())

        def done() -> list[str]:
            return [key for key in deletions if key not in problems]

        await self._carry_out(acts.DeletePerson(guest), delete)
        await asyncio.sleep(HEARD_WITHIN)
        problems.update(await at_each(deletions, self._take_out))
        await self._storage.unseat(guest)
        return done(), [*problems.values()]

    async def note(self, act: Act) -> None:
        """Note an act that changes nothing here."""
        await self._carry_out(act, done_already)

    # --- how ---

    async def _carry_out(self, act: Act, do: Callable[[], Awaitable[Outcome]]) -> None:
        """Note an act, do it, and note what has come of it."""
        number = await self._storage.begin_act(self._clock(), self._name, msgspec.json.encode(act))
        try:
            outcome = await do()
        except BrocanteError as error:
            await self._storage.finish_act(number, msgspec.json.encode(Outcome(problem=error.say("en"))))
            raise
        await self._storage.finish_act(number, msgspec.json.encode(outcome))

    async def _command(self, key: str, command: c.Command) -> None:
        """Have a table carry out a command, as a process of the server would; it does nothing else here."""
        room = await self._rooms.find(key)
        try:
            await self._rooms.do(room, command, "")
        finally:
            self._rooms.forget(room)

    async def _dismiss_and_take_out(self, key: str, deletion: Deletion) -> None:
        try:
            if await self._storage.listing(key):
                await self._command(key, c.Dismiss(deletion.identity))
        finally:  # at a table that cannot be played on, too
            await self._take_out(key, deletion)

    async def _take_out(self, key: str, deletion: Deletion) -> None:
        await self._storage.rewrite(key, deletion.rewrite, deletion.relist)

    async def _whole(self, key: str) -> list[Entry]:
        """The log of a table; of a damaged one, what comes before the damage."""
        try:
            return await self._storage.entries(key)
        except Damaged as damage:
            return damage.whole

    async def _listing(self, key: str) -> Listing:
        listing = await self._storage.listing(key)
        if listing is None:
            raise UsageError(Text("admin.refused.no_table", table=key))
        return msgspec.structs.replace(listing, seated=await self._storage.seated_at(key))

    async def _tables_of(self, guest: str) -> list[str]:
        tables = await self._storage.tables_with(guest)
        if not tables and not await self._storage.is_forgotten(guest):
            raise UsageError(Text("admin.refused.no_guest", guest=guest))
        return tables


async def done_already() -> Outcome:
    return Outcome()


async def at_each(deletions: dict[str, Deletion], do: Callable[[str, Deletion], Awaitable[None]]) -> dict[str, Text]:
    """Do something at each table; why it could not be done at some, which must not keep it from the others."""
    problems = {}
    for key, deletion in deletions.items():
        try:
            await do(key, deletion)
        except Exception as error:  # damage can be of any kind
            problems[key] = problem_at(key, error)
    return problems


def problem_at(key: str, error: Exception) -> Text:
    match error:
        case Damaged():
            return Text("admin.problem.damaged", table=key, entry=error.entry)
        case StorageError():
            return Text("admin.problem.failed", table=key, problem=f"{error.problem}.")
        case BrocanteError():
            return Text("admin.problem.failed", table=key, problem=error.text)
    return Text("admin.problem.failed", table=key, problem=f"{type(error).__name__}: {error}.")


def is_of_this_version(database: Database) -> bool:
    """Whether one can work on a database without upgrading it."""
    with closing(database.connect_to_read()) as connection:
        return database.version(connection) == len(schema.VERSIONS)


def described(listing: Listing) -> dict[str, Any]:
    """A table as it is listed."""
    summary = summary_of(listing)
    return {
        "table": listing.table,
        "game": listing.game,
        "phase": listing.phase,
        "private": listing.private,
        "opened": listing.opened,
        "touched": listing.touched,
        "options": summary.options,
        "seats": summary.seats,
        "games": summary.games,
    }


def user_name() -> str:
    """Who works at this machine."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container may run as a number without a name
        return "?"
