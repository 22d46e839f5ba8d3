"""What is in the log of a table, read by somebody who is no server."""

from brocante.server.storage import Entry, Snapshot, Storage, StoredTable
from brocante.table import Fact
from brocante.table import facts as f


async def entries(database: str, table: str) -> list[Entry]:
    storage = await Storage.open(database)
    try:
        return await storage.entries(table)
    finally:
        await storage.close()


async def facts_of(database: str, table: str) -> list[Fact]:
    return [fact for entry in await entries(database, table) for fact in f.decode(entry.body)]


async def snapshot_of(storage: Storage, table: str, version: str) -> Snapshot | None:
    """The snapshot that a program of a version would find."""
    found = (await storage.stored([table], version)).get(table)
    return found.snapshot if isinstance(found, StoredTable) else None
