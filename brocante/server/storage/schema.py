"""What a database holds, in SQL that SQLite and PostgreSQL both understand.

A statement is written with `{}` for every value; each database puts its own placeholders there. The columns of an
`Entry` and of a `Listing` stand in the order of their fields.
"""

import re
from collections.abc import Iterable
from itertools import chain
from typing import Any, NamedTuple

import msgspec


class Stamp(NamedTuple):
    """A time by two clocks: the one on the wall, which may step, and the service clock (see `service_clock.py`)."""

    at: float
    served: float

    def earlier(self, seconds: float) -> "Stamp":
        return Stamp(self.at - seconds, self.served - seconds)


class Entry(msgspec.Struct, frozen=True):
    """One acknowledged command of a table: what happened, as JSON. Numbers count from 1.

    Two times: what the clock on the wall said, which viewers are told, and the table's own time, by which its clocks
    count. An entry of an older server has only the first.
    """

    number: int
    at: float
    body: bytes
    hash: bytes  # chained to the one before (see `chain`)
    table_time: float | None = None


class Snapshot(msgspec.Struct, frozen=True):
    """A table after one of its entries."""

    number: int  # of the entry
    hash: bytes  # of the entry
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
    served: float = 0.0  # when it was last touched, by the service clock
    opener: str = ""  # a mark of the address from which it was opened (see `openers`); later listings need not have it
    seated: tuple[tuple[str, int], ...] = ()  # the identities that hold a seat, each with its number


class StoredTable(NamedTuple):
    """All that there is of a table: its latest snapshot, and the entries after that."""

    listing: Listing | None  # without one, a table is in no list; it can be played all the same
    snapshot: Snapshot | None
    entries: list[Entry]


#: Created first: it says which version of the schema the rest has.
CREATE_INSTALLATION = "CREATE TABLE IF NOT EXISTS brocante (name TEXT PRIMARY KEY, value <bytes> NOT NULL)<strict>"

#: The tables and indexes of the first version of the schema, and what each version has added since. A database of an
#: older version gets the rest when it is opened; one of a newer version is not touched.
VERSIONS = (
    (
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
        # Not by `touched`, which changes all the time: moves must not have to update an index.
        "CREATE INDEX listing_by_opened ON listing (phase, opened) WHERE NOT private",
        "CREATE INDEX listing_by_host ON listing (host)",
    ),
    (
        # Older tables enter it when they are listed the next time.
        """CREATE TABLE seated (
        identity TEXT NOT NULL, table_id TEXT NOT NULL, seat <integer> NOT NULL,
        PRIMARY KEY (identity, table_id)
    )<strict>""",
        "CREATE INDEX seated_by_table ON seated (table_id)",
    ),
    (
        # Entries and snapshots of older versions have none of these.
        "ALTER TABLE entry ADD COLUMN hash <bytes>",
        "ALTER TABLE entry ADD COLUMN table_time <real>",
        "ALTER TABLE snapshot ADD COLUMN hash <bytes>",
        # The service clock begins with it: older tables were touched when it began.
        "ALTER TABLE listing ADD COLUMN served <real> NOT NULL DEFAULT 0",
        # Nobody knows from where older tables were opened.
        "ALTER TABLE listing ADD COLUMN opener TEXT NOT NULL DEFAULT ''",
        "CREATE INDEX listing_by_opener ON listing (opener, opened)",
        # What the operator did, and whom they keep out.
        """CREATE TABLE act (
        number <integer> NOT NULL PRIMARY KEY, at <real> NOT NULL, operator TEXT NOT NULL, what <bytes> NOT NULL,
        outcome <bytes>, done <integer> UNIQUE
    )<strict>""",
        "CREATE TABLE ban (who TEXT NOT NULL PRIMARY KEY, at <real> NOT NULL, until <real>, why TEXT NOT NULL)<strict>",
    ),
)

#: The names of all tables, and of the columns that hold booleans.
INSTALLATION = "brocante"
TABLES = (INSTALLATION, *re.findall(r"CREATE TABLE (\w+)", "".join(chain.from_iterable(VERSIONS))))
BOOLEANS = re.findall(r"(\w+) <boolean>", "".join(chain.from_iterable(VERSIONS)))
#: The first version in which entries are chained.
CHAINED = 3

ASK_INSTALLATION = "SELECT value FROM brocante WHERE name = {}"
TELL_INSTALLATION = "INSERT INTO brocante (name, value) VALUES ({}, {}) ON CONFLICT DO NOTHING"
TELL_INSTALLATION_ANEW = """INSERT INTO brocante (name, value) VALUES ({}, {})
ON CONFLICT (name) DO UPDATE SET value = excluded.value"""
#: Only more than what it was; numbers are written with as many digits.
TELL_INSTALLATION_MORE = f"{TELL_INSTALLATION_ANEW} WHERE excluded.value > brocante.value"
ALL_NOTED = "SELECT name, value FROM brocante"

#: Takes only the next number of a table: none that is there already, and none that leaves a gap.
APPEND = """INSERT INTO entry (table_id, number, at, body, hash, table_time)
SELECT * FROM (VALUES <rows>) AS new
WHERE column2 = 1 + COALESCE((SELECT MAX(number) FROM entry WHERE table_id = column1), 0)
ON CONFLICT DO NOTHING RETURNING table_id"""
ENTRY_ROW = "({}, {}, {}, {}, {}, {})"

LIST = """INSERT INTO listing (table_id, game, phase, private, host, opened, touched, summary, served, opener)
VALUES <rows>
ON CONFLICT (table_id) DO UPDATE SET game = excluded.game, phase = excluded.phase, private = excluded.private,
host = excluded.host, opened = excluded.opened, touched = excluded.touched, summary = excluded.summary,
served = excluded.served"""
LISTING_ROW = "({}, {}, {}, {}, {}, {}, {}, {}, {}, {})"
TOUCH = "UPDATE listing SET touched = {}, served = {} WHERE table_id = {}"
#: When a table was last touched, by the service clock, if that can be.
LAST_SERVED = "SELECT COALESCE(MAX(served), 0) FROM listing WHERE served < {}"

GET_UP = "DELETE FROM seated WHERE table_id IN (<rows>)"
GET_UP_ROW = "{}"
SIT = "INSERT INTO seated (identity, table_id, seat) VALUES <rows> ON CONFLICT DO NOTHING"
SIT_ROW = "({}, {}, {})"

ENTRIES = "SELECT number, at, body, hash, table_time FROM entry WHERE table_id = {} AND number > {} ORDER BY number"

HASH = "SELECT hash FROM entry WHERE table_id = {} AND number = {}"

#: Of what the log does not have, because it was swept or rewritten meanwhile, there is to be no snapshot.
KEEP_SNAPSHOT = """INSERT INTO snapshot (table_id, version, number, hash, body)
SELECT * FROM (VALUES ({}, {}, {}, {}, {})) AS new
WHERE EXISTS (SELECT 1 FROM entry WHERE table_id = column1 AND number = column3 AND hash = column4)
ON CONFLICT (table_id, version) DO UPDATE SET number = excluded.number, hash = excluded.hash, body = excluded.body
WHERE excluded.number > snapshot.number"""
#: A snapshot that the log does not know is of no use.
SNAPSHOT = """SELECT snapshot.number, snapshot.hash, snapshot.body FROM snapshot JOIN entry
ON entry.table_id = snapshot.table_id AND entry.number = snapshot.number AND entry.hash = snapshot.hash
WHERE snapshot.table_id = {} AND snapshot.version = {}"""
#: How far a table's log went when any snapshot was taken, for whatever program.
REACHED = "SELECT CAST(COALESCE(MAX(number), 0) AS <integer>) FROM snapshot WHERE table_id = {}"

LISTING = "SELECT * FROM listing WHERE table_id = {}"
SEATED = "SELECT identity, seat FROM seated WHERE table_id = {} ORDER BY seat"
#: Of the latest tables, the first of every address, then the second and so on; of an address, the first of every host,
#: then the second and so on. Tables from before addresses counted go by their host.
FAIRLY = """SELECT listing.* FROM listing JOIN (
    SELECT id, ROW_NUMBER() OVER (
        PARTITION BY COALESCE(NULLIF(opener, ''), NULLIF(host, ''), id) ORDER BY of_host, opened DESC, id
    ) AS turn FROM (
        SELECT table_id AS id, opener, host, opened, ROW_NUMBER() OVER (
            PARTITION BY COALESCE(NULLIF(host, ''), table_id) ORDER BY opened DESC, table_id
        ) AS of_host FROM (
            SELECT table_id, opener, host, opened FROM listing WHERE <which> ORDER BY opened DESC LIMIT 1000
        ) AS latest
    ) AS of_hosts
) AS fair ON listing.table_id = id ORDER BY turn, opened DESC LIMIT {}"""
PUBLIC = "NOT private AND (phase <> 'open' OR (touched >= {} AND served >= {}))"
LISTINGS = FAIRLY.replace("<which>", PUBLIC)
LISTINGS_OF_PHASE = FAIRLY.replace("<which>", f"{PUBLIC} AND phase = {{}}")
ALL_TABLES = "SELECT table_id FROM entry UNION SELECT table_id FROM listing ORDER BY table_id"
HAS_TABLE = "SELECT 1 FROM entry WHERE table_id = {} UNION SELECT 1 FROM listing WHERE table_id = {}"
BEGUN = "SELECT table_id FROM listing WHERE phase <> 'open' ORDER BY table_id"
#: The tables of an identity, with its seat, or none if it opened the table and does not sit there.
OWN = """SELECT listing.*, seated.seat FROM listing
LEFT JOIN seated ON seated.table_id = listing.table_id AND seated.identity = {}
WHERE listing.table_id IN (
    SELECT table_id FROM seated WHERE identity = {} UNION SELECT table_id FROM listing WHERE host = {}
) ORDER BY served DESC, touched DESC, opened DESC LIMIT {}"""
OF_OPENER = """SELECT COUNT(*), COUNT(*) FILTER (WHERE phase <> 'over') FROM listing
WHERE opener = {} AND opened >= {} AND served >= {}"""
OF_HOST = "SELECT COUNT(*) FROM listing WHERE host = {} AND phase <> 'over'"

FORGET = "INSERT INTO forgotten (identity) VALUES ({}) ON CONFLICT DO NOTHING"
FORGOTTEN = "SELECT 1 FROM forgotten WHERE identity = {}"

#: Both clocks must say so: the one on the wall may be months ahead.
UNTOUCHED = """SELECT table_id FROM listing WHERE phase = {} AND touched < {} AND served < {}
ORDER BY table_id LIMIT {}"""
DELETE = tuple(f"DELETE FROM {kind} WHERE table_id = {{}}" for kind in ("seated", "listing", "snapshot", "entry"))

BEGIN_ACT = """INSERT INTO act (number, at, operator, what)
VALUES (1 + COALESCE((SELECT MAX(number) FROM act), 0), {}, {}, {}) RETURNING number"""
FINISH_ACT = """UPDATE act SET outcome = {}, done = 1 + COALESCE((SELECT MAX(done) FROM act), 0)
WHERE number = {} RETURNING done"""
ACTS_DONE = "SELECT * FROM act WHERE done > {} ORDER BY done"
LAST_ACT = "SELECT COALESCE(MAX(done), 0) FROM act"
ALL_ACTS = "SELECT * FROM act ORDER BY number"
LATEST_ACTS = "SELECT * FROM act ORDER BY number DESC LIMIT {}"

BAN = """INSERT INTO ban (who, at, until, why) VALUES ({}, {}, {}, {})
ON CONFLICT (who) DO UPDATE SET at = excluded.at, until = excluded.until, why = excluded.why"""
UNBAN = "DELETE FROM ban WHERE who = {}"
BANS = "SELECT who, at, until, why FROM ban ORDER BY at DESC, who"

ALL_LISTINGS = "SELECT * FROM listing ORDER BY served DESC, touched DESC, table_id"
DROP_ANSWERS = "DELETE FROM brocante WHERE name LIKE 'connected %'"
ANSWERS = "SELECT value FROM brocante WHERE name LIKE 'connected %' ORDER BY name"

SEATED_AT = "SELECT identity, seat FROM seated WHERE table_id = {} ORDER BY seat"
ALL_SEATED = "SELECT identity, table_id, seat FROM seated ORDER BY table_id, seat"
TABLES_WITH = "SELECT DISTINCT table_id FROM entry WHERE <body has> ORDER BY table_id"
REWRITE = """INSERT INTO entry (table_id, number, at, body, hash, table_time) VALUES ({}, {}, {}, {}, {}, {})
ON CONFLICT (table_id, number) DO UPDATE SET body = excluded.body, hash = excluded.hash"""
DROP_SNAPSHOTS = "DELETE FROM snapshot WHERE table_id = {}"
#: From where the table was opened may be about whoever is deleted, too.
RELIST = "UPDATE listing SET host = {}, summary = {}, opener = '' WHERE table_id = {}"
UNSEAT = "DELETE FROM seated WHERE identity = {}"


def listing_from_row(row: tuple[Any, ...], seated: Iterable[tuple[str, int]] = ()) -> Listing:
    table, game, phase, private, *rest = row
    listing = Listing(table, game, phase, bool(private), *rest)  # SQLite has no booleans
    return msgspec.structs.replace(listing, seated=tuple(seated))
