"""What a database holds, in SQL that SQLite and PostgreSQL both understand.

A statement is written with `{}` for every value; each database puts its own placeholders there. The columns of an
`Entry` and of a `Listing` stand in the order of their fields.
"""

from typing import Any

import msgspec

#: Raised whenever the tables below change; a database with a higher number is not touched.
VERSION = 1


class Entry(msgspec.Struct, frozen=True):
    """One acknowledged command of a table: what happened, as JSON. Numbers count from 1."""

    number: int
    at: float
    body: bytes


class Listing(msgspec.Struct, frozen=True):
    """What the list of tables shows of one, and what is needed to find it."""

    table: str
    game: str
    phase: str  # "open", "playing" or "over"
    private: bool
    host: str  # the identity that opened it
    opened: float
    touched: float
    summary: bytes  # JSON


#: Made first, and alone: whether the rest must be made follows from what it says.
CREATE_INSTALLATION = "CREATE TABLE IF NOT EXISTS brocante (name TEXT PRIMARY KEY, value <bytes> NOT NULL)<strict>"

CREATE = (
    """CREATE TABLE entry (
        table_id TEXT NOT NULL, number <integer> NOT NULL, at <real> NOT NULL, body <bytes> NOT NULL,
        PRIMARY KEY (table_id, number)
    )<strict>""",
    """CREATE TABLE snapshot (
        table_id TEXT NOT NULL, version TEXT NOT NULL, number <integer> NOT NULL, body <bytes> NOT NULL,
        PRIMARY KEY (table_id, version)
    )<strict>""",
    """CREATE TABLE listing (
        table_id TEXT NOT NULL PRIMARY KEY, game TEXT NOT NULL, phase TEXT NOT NULL, private <boolean> NOT NULL,
        host TEXT NOT NULL, opened <real> NOT NULL, touched <real> NOT NULL, summary <bytes> NOT NULL
    )<strict>""",
    "CREATE TABLE forgotten (identity TEXT NOT NULL PRIMARY KEY)<strict>",
    # Not by `touched`, which changes all the time: an index that no move disturbs costs the moves nothing.
    "CREATE INDEX listing_by_opened ON listing (phase, opened) WHERE NOT private",
    "CREATE INDEX listing_by_host ON listing (host)",
)

ASK_INSTALLATION = "SELECT value FROM brocante WHERE name = {}"
TELL_INSTALLATION = "INSERT INTO brocante (name, value) VALUES ({}, {}) ON CONFLICT DO NOTHING"

#: Only the next number of a table is taken: not one that is there, and none that would leave a gap.
APPEND = """INSERT INTO entry (table_id, number, at, body)
SELECT * FROM (VALUES <rows>) AS new
WHERE column2 = 1 + COALESCE((SELECT MAX(number) FROM entry WHERE table_id = column1), 0)
ON CONFLICT DO NOTHING RETURNING table_id"""
ENTRY_ROW = "({}, {}, {}, {})"

LIST = """INSERT INTO listing (table_id, game, phase, private, host, opened, touched, summary) VALUES <rows>
ON CONFLICT (table_id) DO UPDATE SET game = excluded.game, phase = excluded.phase, private = excluded.private,
host = excluded.host, opened = excluded.opened, touched = excluded.touched, summary = excluded.summary"""
LISTING_ROW = "({}, {}, {}, {}, {}, {}, {}, {})"

ENTRIES = "SELECT number, at, body FROM entry WHERE table_id = {} AND number > {} ORDER BY number"

KEEP_SNAPSHOT = """INSERT INTO snapshot (table_id, version, number, body) VALUES ({}, {}, {}, {})
ON CONFLICT (table_id, version) DO UPDATE SET number = excluded.number, body = excluded.body
WHERE excluded.number > snapshot.number"""
SNAPSHOT = "SELECT number, body FROM snapshot WHERE table_id = {} AND version = {}"

LISTING = "SELECT * FROM listing WHERE table_id = {}"
LISTINGS = "SELECT * FROM listing WHERE NOT private ORDER BY opened DESC LIMIT {}"
LISTINGS_OF_PHASE = "SELECT * FROM listing WHERE NOT private AND phase = {} ORDER BY opened DESC LIMIT {}"
OF_HOST = "SELECT COUNT(*) FROM listing WHERE host = {} AND phase <> 'over'"

FORGET = "INSERT INTO forgotten (identity) VALUES ({}) ON CONFLICT DO NOTHING"
FORGOTTEN = "SELECT 1 FROM forgotten WHERE identity = {}"

UNTOUCHED = "SELECT table_id FROM listing WHERE phase = {} AND touched < {} ORDER BY table_id LIMIT {}"
DELETE = tuple(f"DELETE FROM {kind} WHERE table_id = {{}}" for kind in ("listing", "snapshot", "entry"))


def listing_of(row: tuple[Any, ...]) -> Listing:
    table, game, phase, private, *rest = row
    return Listing(table, game, phase, bool(private), *rest)  # SQLite has no booleans
