"""Going over a whole database: what is not as it was written, where, and what is still whole. Nothing is changed."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec

from brocante.engine.errors import BrocanteError
from brocante.engine.text import Text
from brocante.server.acts import Announce, decode_act, decode_outcome
from brocante.server.listings import listing_of, summary_of
from brocante.server.rooms import apply
from brocante.server.storage import Damaged, Entry, Listing, Stamp, schema, stored_table
from brocante.server.storage.database import Connection, Database, said
from brocante.server.storage.installation import ANNOUNCEMENT, damaged
from brocante.server.storage.operating import DoneAct
from brocante.server.storage.witness import Tip
from brocante.table import LiveTable
from brocante.table.fair import verify_lines

#: What is called with how many tables were gone over, and how many there are.
Progress = Callable[[int, int], None]
#: Asks the database something.
Read = Callable[..., list[Any]]

#: What the listing of a table must say just as its log does.
LISTED = ("game", "phase", "private", "host", "opened", "seated")
SUMMED_UP = ("options", "seats", "games")


class Problem(msgspec.Struct, frozen=True):
    """Something that is wrong: with the database itself, a table's log, what its entries say, or a game's record."""

    says: Text
    table: str = ""
    entry: int = 0  # the first that does not hold
    games: int = 0  # that were finished before that, and can still be read


class Findings(msgspec.Struct):
    """What there is in a database, and what is wrong with it."""

    tables: int = 0
    entries: int = 0
    games: int = 0  # that were finished
    problems: list[Problem] = []


def check(
    database: Database, progress: Progress, *, replaying: bool = True, known_to: Database | None = None
) -> Findings:
    """Go over a database. Without replaying: only whether all is as it was written, and all is there that is known to
    have been acknowledged, perhaps to another database of which it is a copy."""
    known_to = known_to or database
    connection = database.connect_to_read()
    findings = Findings()
    try:
        for problem in database.problems(connection):
            findings.problems.append(Problem(Text("check.database", problem=problem)))
        try:
            tables = tables_in(known_to, connection)
        except Exception as error:  # drivers raise all kinds; what can be said of it was said
            if not findings.problems:
                findings.problems.append(Problem(Text("check.database", problem=str(error))))
            return findings
        findings.tables = len(tables)
        for number, table in enumerate(tables, 1):
            tip = known_to.acknowledged(table)
            read = partial(rows, database, connection)
            findings.problems += check_table(read, table, tip, findings, replaying=replaying)
            progress(number, len(tables))
        if replaying:
            findings.problems += check_operating(partial(rows, database, connection))
    finally:
        connection.close()
    return findings


def tables_in(database: Database, connection: Connection) -> list[str]:
    found = {table for (table,) in connection.execute(schema.ALL_TABLES).fetchall()}
    return sorted(found | {*database.missing(connection)})


def rows(database: Database, connection: Connection, template: str, *values: Any) -> list[Any]:
    return connection.execute(database.statement(template), values).fetchall()


def check_table(read: Read, table: str, tip: Tip | None, findings: Findings, *, replaying: bool) -> Iterator[Problem]:
    try:
        stored = stored_table(read, table, "", tip)
    except Exception as error:
        yield Problem(Text("check.unreadable", table=table, problem=str(error)), table)
        return
    if stored is None:
        return
    entries = stored.whole if isinstance(stored, Damaged) else stored.entries
    findings.entries += len(entries)
    live, problems = added_up(table, entries) if replaying else (LiveTable(), [])
    games = len(live.finished)
    findings.games += games
    if isinstance(stored, Damaged):
        says = Text("check.log", table=table, entry=stored.entry, n=games)
        yield Problem(says, table, stored.entry, games)
    elif replaying and stored.listing and not problems:
        yield from check_listing(stored.listing, live)
    yield from problems


def check_listing(listing: Listing, live: LiveTable) -> Iterator[Problem]:
    """Whether a table is listed as what its log adds up to. Who is to decide changes with every move, and need not be
    listed anew; who sits there was not listed by the first version, and a game whose rules are gone is played there
    until a server closes it."""
    due = listing_of(listing.table, live, Stamp(listing.touched, listing.served))
    wrong = [name for name in LISTED if getattr(listing, name) != getattr(due, name)]
    not_listed = {"seated": not listing.seated, "phase": bool(live.retired)}
    wrong = [name for name in wrong if not not_listed.get(name)]
    summary, summary_due = summary_of(listing), summary_of(due)
    wrong += [name for name in SUMMED_UP if getattr(summary, name) != getattr(summary_due, name)]
    if wrong:
        says = Text("check.listing", table=listing.table, what=", ".join(wrong))
        yield Problem(says, listing.table, games=len(live.finished))


def check_operating(read: Read) -> Iterator[Problem]:
    """Whether what the installation has noted, and what the operator has done and announced, can be understood: every
    server reads it."""
    try:
        acts, noted = [DoneAct(*row) for row in read(schema.ALL_ACTS)], dict(read(schema.ALL_NOTED))
    except Exception as error:  # drivers raise all kinds
        yield Problem(Text("check.database", problem=said(error)))
        return
    for act in acts:
        try:
            decode_act(act.what)
            decode_outcome(act.outcome or b"{}")
        except (msgspec.DecodeError, UnicodeError) as error:
            yield Problem(Text("check.act", number=act.number, problem=str(error)))
    if ANNOUNCEMENT in noted:
        try:
            msgspec.json.decode(noted[ANNOUNCEMENT], type=Announce)
        except (msgspec.DecodeError, UnicodeError, TypeError) as error:
            yield Problem(Text("check.announcement", problem=str(error)))
    for name in damaged(noted):
        yield Problem(Text("check.noted", name=name))


def added_up(table: str, entries: list[Entry]) -> tuple[LiveTable, list[Problem]]:
    """The table to which these entries add up, as far as they do, and what is wrong with them."""
    live, problems = LiveTable(), []
    for entry in entries:
        try:
            apply(live, entry)
        except Exception as error:  # whatever it is, the server would stumble over it too
            says = Text("check.facts", table=table, entry=entry.number, problem=f"{type(error).__name__}: {error}")
            problems.append(Problem(says, table, entry.number, len(live.finished)))
            break
    for number, finished in enumerate(live.finished, 1):
        try:
            lines = finished.record.splitlines(keepends=True)
            if msgspec.json.decode(lines[0]).get("edition", 1) == live.box.edition:  # or the rules are gone
                verify_lines(lines)
        except BrocanteError as error:
            says = Text("check.record", table=table, game=number, problem=error.text)
            problems.append(Problem(says, table, games=number - 1))
    return live, problems
