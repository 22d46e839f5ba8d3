"""A rolling restart: the version before and this one serve the same tables beside each other, for a while."""

import asyncio
import math
import os
import subprocess
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from brocante.server.operator import Operator
from brocante.server.storage import Storage
from brocante.table import facts as f
from tests.server.log import entries, facts_of
from tests.server.players import PATIENCE, Player, dealt, told_anew
from tests.server.postgres import Postgres
from tests.server.processes import ROOT, ServerProcess

#: The last commit with the schema before.
VERSION_BEFORE = "21b0ee849a3760b57d6280c0b9982c8e52af10d8"
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("collection", {"players": 2}),
    ("collection", {"players": 3}),
    ("antiques", {"players": 3}),
    ("port", {"players": 2}),
    ("vinto", {"players": 4, "rounds": 1}),
]
Pair = tuple[ServerProcess, ServerProcess, str]


@pytest.fixture(scope="module")
def version_before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The version before, from the history of the repository."""
    folder = tmp_path_factory.mktemp("before")
    archive = subprocess.run(
        ["git", "archive", "--format=tar", VERSION_BEFORE, "brocante", "tests"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if archive.returncode:
        problem = f"the history here does not go back to {VERSION_BEFORE[:7]}: {archive.stderr.decode().strip()}"
        if os.environ.get("CI"):
            pytest.fail(f"{problem}; tests that nobody watches need a full clone", pytrace=False)
        pytest.skip(problem)
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive.stdout, check=True)
    return folder


@pytest.fixture
async def pair(version_before: Path, postgres: Postgres, tmp_path: Path) -> AsyncIterator[Pair]:
    """A server of the version before, which is there first, and one of this version beside it; and their database."""
    database = postgres.new_database()
    old = ServerProcess(database, tmp_path / "old.log", root=version_before)
    new = ServerProcess(database, tmp_path / "new.log")
    try:
        await old.start()
        yield old, new, database
    finally:
        old.be_gone()
        new.be_gone()


class Halt:
    """The people of a table make so many moves, and then wait until they may go on."""

    def __init__(self, people: list[Player], moves: float) -> None:
        self._people = people
        self._most = moves
        for player in people:
            player.make = partial(self._make, player.make)  # type: ignore[method-assign]

    async def _make(self, make: Callable[[dict[str, Any]], Awaitable[None]], move: dict[str, Any]) -> None:
        while self.is_reached:
            await asyncio.sleep(0.02)
        await make(move)

    @property
    def is_reached(self) -> bool:
        return sum(len(player.made) for player in self._people) >= self._most

    def move(self, moves: float) -> None:
        """Let them make so many moves more."""
        self._most += moves


async def all_at(halts: list[Halt]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not all(halt.is_reached for halt in halts):
            await asyncio.sleep(0.02)


async def test_people_play_on_while_one_version_takes_the_place_of_the_other(pair: Pair) -> None:
    old, new, database = pair
    tables = [
        await dealt([old.url], game, ["Ana", "Ben"], seed=n, **options) for n, (game, options) in enumerate(GAMES)
    ]
    people = [player for table in tables for player in table]
    halts = [Halt(table, 6) for table in tables]
    playing = asyncio.gather(*(player.play() for player in people))
    await all_at(halts)
    await new.start()
    for ana, ben in tables:
        ana.addresses, ben.addresses = [old.url, new.url], [new.url, old.url]
        await ben.hang_up()  # and Ben comes back to the new one
    for halt in halts:
        halt.move(8)
    await all_at(halts)
    for player in people:
        player.addresses = [new.url]
    old.ask_to_stop()
    assert await old.ended(within=PATIENCE) == 0
    for halt in halts:
        halt.move(math.inf)
    await playing
    for (game, _), (ana, ben) in zip(GAMES, tables, strict=True):
        await check_the_log(database, ana.table)
        moved = Counter(fact.seat for fact in await facts_of(database, ana.table) if isinstance(fact, f.Moved))
        for player in (ana, ben):
            if game != "vinto":  # where what was decided may lapse
                assert moved[player.seat] == len(player.made), "every move was made once"
            player.addresses = [new.url]
            assert [*map(bare, await told_anew(player))] == [*map(bare, player.told)]
            await player.hang_up()
    assert new.complaints() == []
    assert [line for line in old.complaints() if "handshake" not in line] == []  # who comes while it stops is refused


def bare(event: bytes) -> Any:
    """What an event tells, whatever else one of the versions says of it."""
    told = msgspec.json.decode(event)
    return [told.get(key) for key in ("n", "at", "event", "seat", "by", "text", "said")]


async def check_the_log(database: str, table: str) -> None:
    """Both have written in it, and it holds: what the version before has written without a hash is vouched for."""
    storage = await Storage.open(database)
    try:
        rows = await storage._rows("SELECT hash IS NULL FROM entry WHERE table_id = {}", table)
        assert {bool(without) for (without,) in rows} == {True, False}
        assert len(await storage.entries(table)) == len(rows)
    finally:
        await storage.close()


async def test_both_are_told_what_the_operator_closes_and_the_old_one_starts_no_more(pair: Pair) -> None:
    old, new, database = pair
    ana, ben = await dealt([old.url], "collection", ["Ana", "Ben"], players=2)
    await new.start()
    ben.addresses = [new.url]
    await asyncio.gather(ana.come_back(), ben.come_back())
    async with Operator.at(database) as operator:
        await operator.close(ana.table)
    await ana.until(lambda: ana.is_over)
    await ben.until(lambda: ben.is_over)
    assert [event["event"] for event in ana.events][-3:] == [event["event"] for event in ben.events][-3:]
    assert len(await entries(database, ana.table)) > 0
    for player in (ana, ben):
        await player.hang_up()
    old.kill()
    with pytest.raises(AssertionError, match="newer"):
        await old.start()
