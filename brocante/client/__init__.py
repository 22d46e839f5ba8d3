"""The client of a game server, for bots and other programs (docs/api.md).

async with Client("http://127.0.0.1:8000", name="Ana") as client:
    table = await client.open("collection", players=2)
    await table.sit()
    await table.start(fill=True)
    async for turn in table.turns():
        await turn.play(turn.legal[0])
    await table.verify()
"""

from brocante.client.client import Client
from brocante.client.errors import Garbled, ServerAway, ServerRefused, Uncertain
from brocante.client.table import Lost, TableClient, Turn

__all__ = ["Client", "Garbled", "Lost", "ServerAway", "ServerRefused", "TableClient", "Turn", "Uncertain"]
