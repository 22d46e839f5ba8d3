"""`brocante admin`: what the operator of a server does, while it runs or while it does not."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from brocante.cli.errors import WRONG_RECORD
from brocante.cli.language import Lang, in_words, say
from brocante.cli.making import make_command, make_group
from brocante.cli.printing import Json, print_json, print_table
from brocante.engine.errors import UsageError
from brocante.engine.state import NOBODY
from brocante.engine.text import Text
from brocante.extras import needs
from brocante.games import box
from brocante.server.config import configured

if TYPE_CHECKING:
    from brocante.server.operator import Operator

Database = Annotated[str, typer.Option(envvar="BROCANTE_DATABASE", help="cli.serve.database")]
Table = Annotated[str, typer.Argument(metavar="TABLE", help="cli.argument.table")]
TableOption = Annotated[str | None, typer.Option("--table", metavar="TABLE", help="cli.option.table")]
Seat = Annotated[int | None, typer.Option(min=0, help="cli.option.seat")]
Guest = Annotated[str | None, typer.Option(metavar="ID", help="cli.option.guest")]
Address = Annotated[str | None, typer.Argument(metavar="ADDRESS", help="cli.argument.address")]
For = Annotated[str | None, typer.Option("--for", metavar="30m|12h|7d", help="cli.option.for")]
Yes = Annotated[bool, typer.Option("--yes", help="cli.option.yes")]

SPAN = re.compile(r"(\d{1,6})\s*([smhdw])", re.ASCII)
SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0}


class AdminCommands(TyperGroup):
    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        made = make_command(cmd_name, f"cli.admin.{cmd_name}", COMMANDS[cmd_name])
        made.ignore_unknown_options = takes_a_table(made)
        return made


def takes_a_table(command: Any) -> bool:
    """Whether an argument of a command is a table, whose id may begin with a dash as if it were an option."""
    return any(param.name == "table" and param.param_type_name == "argument" for param in command.params)


def command(name: str) -> Any:
    return make_group(name, "cli.admin.help", AdminCommands)


def at_work(database: str, work: "Callable[[Operator], Awaitable[Any]]") -> Any:
    """Have the operator do something at a database."""
    with needs("server"):
        from brocante.server.operator import Operator

    async def run() -> Any:
        async with Operator.at(configured({"database": database}).database) as operator:
            return await work(operator)

    logging.getLogger("brocante.server").addHandler(logging.NullHandler())  # what is wrong is said in sentences
    return asyncio.run(run())


# --- looking ----------------------------------------------------------------------------------------------------------


def list_tables(
    *,
    phase: Annotated[str | None, typer.Option(metavar="open|playing|over", help="cli.option.phase")] = None,
    game: Annotated[str | None, typer.Option(metavar="GAME", help="cli.option.game")] = None,
    guest: Guest = None,
    guests: Annotated[bool, typer.Option("--guests", help="cli.option.guests")] = False,
    connected: Annotated[bool, typer.Option("--connected", help="cli.option.connected")] = False,
    as_json: Json = False,
    database: Database = "",
    lang: Lang = None,
) -> None:
    from brocante.server.operator import described

    if phase not in (None, "open", "playing", "over"):
        raise UsageError(Text("admin.refused.phase", phase=phase))

    async def work(operator: "Operator") -> Any:
        return await operator.connected() if connected else {}, await operator.tables(), operator.damaged

    sockets, listings, damaged = at_work(database, work)
    if game is not None and game not in {listing.game for listing in listings}:
        box(game)  # or there is no such game
    found = [
        listing
        for listing in listings
        if phase in (None, listing.phase)
        and game in (None, listing.game)
        and (guest is None or guest == listing.host or guest in dict(listing.seated))
        and (not connected or listing.table in sockets)
    ]
    if as_json:
        return print_json(
            [
                {
                    **described(one),
                    "damaged": one.table in damaged,
                    "host": one.host,
                    "guests": by_seat(one),
                    **({"connected": in_seats(sockets[one.table])} if connected else {}),
                }
                for one in found
            ]
        )
    more = {"connected": connected, "guests": guests}
    rows = [
        [
            one.table,
            one.game,
            phase_of(one, is_damaged=one.table in damaged),
            moment(one.touched),
            ", ".join(f"{n} {seat['name']}" for n, seat in enumerate(described(one)["seats"]) if seat["name"]),
            *([counted(in_seats(sockets[one.table]))] if connected else []),
            *([", ".join(f"{seat}={who}" for seat, who in by_seat(one).items())] if guests else []),
        ]
        for one in found
    ]
    columns = ["table", "game", "phase", "touched", "seats", *(name for name, shown in more.items() if shown)]
    return print_table(columns, rows, ids=["table", "guests"])


def phase_of(listing: Any, *, is_damaged: bool) -> str:
    more = {"private": listing.private, "damaged": is_damaged}
    notes = ", ".join(say(f"cli.phase.{what}") for what, is_so in more.items() if is_so)
    return say(f"cli.phase.{listing.phase}") + (f" ({notes})" if notes else "")


def in_seats(sockets: dict[int, int]) -> dict[str, Any]:
    """Who is connected: in which seats, and how many watch."""
    return {"seats": sorted(viewer for viewer in sockets if viewer >= 0), "watching": sockets.get(NOBODY, 0)}


def counted(connected: dict[str, Any]) -> str:
    seats = ", ".join(map(str, connected["seats"]))
    watching = say("cli.acted.watching", n=connected["watching"]) if connected["watching"] else ""
    return "; ".join(part for part in (seats, watching) if part)


def by_seat(listing: Any) -> dict[int, str]:
    return {seat: who for who, seat in listing.seated}


def show_log(
    *,
    limit: Annotated[int, typer.Option(min=1, help="cli.option.limit")] = 50,
    as_json: Json = False,
    database: Database = "",
    lang: Lang = None,
) -> None:
    acts = at_work(database, lambda operator: operator.log(limit))
    if as_json:
        return print_json(acts)
    rows = [
        [
            str(act["number"]),
            moment(act["at"]),
            act["operator"],
            act["act"],
            " ".join(str(act[what]) for what in ("table", "guest", "who", "text", "why", "file") if act.get(what)),
            act.get("problem") or say("cli.acted.done" if act["done"] else "cli.acted.begun"),
        ]
        for act in acts
    ]
    return print_table(["number", "at", "operator", "act", "about", "outcome"], rows, ids=["about"])


def show_bans(*, as_json: Json = False, database: Database = "", lang: Lang = None) -> None:
    bans = at_work(database, lambda operator: operator.bans())
    if as_json:
        return print_json([{"who": ban.who, "at": ban.at, "until": ban.until, "why": ban.why} for ban in bans])
    rows = [[ban.who, moment(ban.at), until(ban), ban.why] for ban in bans]
    return print_table(["who", "at", "until", "why"], rows, ids=["who"])


# --- tables -----------------------------------------------------------------------------------------------------------


def close(table: Table, *, database: Database = "", lang: Lang = None) -> None:
    key = id_of(table)
    at_work(database, lambda operator: operator.close(key))
    typer.echo(say("cli.acted.closed", table=key))


def remove(table: Table, *, yes: Yes = False, database: Database = "", lang: Lang = None) -> None:
    key = id_of(table)
    check_meant(yes)
    at_work(database, lambda operator: operator.remove(key))
    typer.echo(say("cli.acted.removed", table=key))


# --- people -----------------------------------------------------------------------------------------------------------


def ban(
    address: Address = None,
    *,
    guest: Guest = None,
    table: TableOption = None,
    seat: Seat = None,
    lasting: For = None,
    why: Annotated[str, typer.Option(help="cli.option.why")] = "",
    database: Database = "",
    lang: Lang = None,
) -> None:
    seconds = seconds_in(lasting)

    async def work(operator: "Operator") -> Any:
        return await operator.ban(await whom(operator, address, guest, table, seat), seconds, why)

    row = at_work(database, work)
    done = "cli.acted.banned" if row.until is None else "cli.acted.banned_until"
    typer.echo(say(done, who=row.who, until=until(row)))


def unban(address: Address = None, *, guest: Guest = None, database: Database = "", lang: Lang = None) -> None:
    async def work(operator: "Operator") -> str:
        who = await whom(operator, address, guest, None, None)
        await operator.unban(who)
        return who

    typer.echo(say("cli.acted.unbanned", who=at_work(database, work)))


def delete(
    *,
    guest: Guest = None,
    table: TableOption = None,
    seat: Seat = None,
    yes: Yes = False,
    database: Database = "",
    lang: Lang = None,
) -> None:
    check_meant(yes)

    async def work(operator: "Operator") -> Any:
        return await operator.delete_person(await whom(operator, None, guest, table, seat))

    tables, problems = at_work(database, work)
    for problem in problems:
        typer.echo(in_words(problem))
    typer.echo(say("cli.acted.deleted", n=len(tables)))
    if problems:
        raise typer.Exit(WRONG_RECORD)


async def whom(
    operator: "Operator", address: str | None, guest: str | None, table: str | None, seat: int | None
) -> str:
    """The person or the addresses that flags name: in one way, and no more."""
    from brocante.server.bans import guest_of, network_of

    at_a_seat = table is not None or seat is not None
    if (address is not None) + (guest is not None) + at_a_seat != 1 or (table is None) != (seat is None):
        raise UsageError(Text("admin.refused.whom"))
    if table is not None and seat is not None:
        return await operator.guest_at(id_of(table), seat)
    return network_of(address) if address is not None else guest_of(str(guest))


# --- everyone ---------------------------------------------------------------------------------------------------------


def announce(
    text: Annotated[str | None, typer.Argument(metavar="TEXT", help="cli.argument.announcement")] = None,
    *,
    lasting: For = None,
    clear: Annotated[bool, typer.Option("--clear", help="cli.option.clear")] = False,
    database: Database = "",
    lang: Lang = None,
) -> None:
    said, seconds = (text or "").strip(), seconds_in(lasting)
    if bool(said) == clear:
        raise UsageError(Text("admin.refused.announcement"))
    at_work(database, lambda operator: operator.announce(said, seconds))
    typer.echo(say("cli.acted.cleared" if clear else "cli.acted.announced"))


def export(
    table: Annotated[str | None, typer.Argument(metavar="TABLE", help="cli.argument.table")] = None,
    *,
    guest: Guest = None,
    seat: Seat = None,
    database: Database = "",
    lang: Lang = None,
) -> None:
    if (table is None) == (guest is None) or (seat is not None and table is None):
        raise UsageError(Text("admin.refused.export"))

    async def work(operator: "Operator") -> Any:
        if table is None or seat is not None:
            return await operator.export_person(guest or await operator.guest_at(id_of(str(table)), int(seat or 0)))
        return await operator.export_table(id_of(table))

    print_json(at_work(database, work))


# --- how things are written -------------------------------------------------------------------------------------------


def id_of(table: str) -> str:
    """The id of a table, which may be given as its link, as a browser shows it.

    >>> id_of("-Qk3_aZ"), id_of("https://example.org/tables/Qk3_aZ/?lang=fr#top")
    ('-Qk3_aZ', 'Qk3_aZ')
    """
    return re.split("[?#]", table)[0].rstrip("/").rpartition("/")[2]


def check_meant(yes: bool) -> None:
    if not yes:
        raise UsageError(Text("admin.refused.sure"))


def seconds_in(span: str | None) -> float | None:
    """How long something is to last.

    >>> seconds_in("90m"), seconds_in("7d"), seconds_in(None)
    (5400.0, 604800.0, None)
    """
    if span is None:
        return None
    found = SPAN.fullmatch(span.strip())
    if found is None or not int(found[1]):
        raise UsageError(Text("admin.refused.span", span=span))
    return int(found[1]) * SECONDS[found[2]]


def moment(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M")


def until(ban: Any) -> str:
    return say("cli.acted.for_good") if ban.until is None else moment(ban.until)


COMMANDS: dict[str, Callable[..., None]] = {
    "list": list_tables,
    "close": close,
    "remove": remove,
    "ban": ban,
    "unban": unban,
    "bans": show_bans,
    "announce": announce,
    "export": export,
    "delete": delete,
    "log": show_log,
}
