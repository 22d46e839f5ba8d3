"""What is not needed any more is let go of at once: looking for cycles among all that a server holds takes long."""

import asyncio
import gc
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from brocante.server import garbage
from brocante.server.socket import Socket
from brocante.table import LiveTable
from tests.server.asking import House, house


@pytest.fixture
async def open_house(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path) as found:
        yield found


@pytest.fixture
def without_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def how_many(kind: type) -> int:
    return sum(type(thing) is kind for thing in gc.get_objects())


async def test_a_connection_that_is_over_is_let_go_of(open_house: House, without_collection: None) -> None:
    table, (ana, *_) = await open_house.game()
    before = how_many(Socket)
    for _ in range(5):
        ear = await open_house.ear(table, ana)
        await ear.hang_up()
    open_house.ears.clear()
    del ear
    await asyncio.sleep(0)
    assert how_many(Socket) == before


async def test_what_was_refused_is_let_go_of(open_house: House, without_collection: None) -> None:
    table, (ana, *_) = await open_house.game()
    ear = await open_house.ear(table, ana)
    before = how_many(LiveTable)
    for _ in range(5):
        assert (await ear.do("move", move="place nothing"))["type"] == "refused"
    assert how_many(LiveTable) <= before + 1  # the one that was tried last, while its task ends


async def test_all_is_collected_while_nothing_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    looked, collected = [1, 2, 3, 3, 4], []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(list(looked)))
    monkeypatch.setattr(garbage, "LOOK_EVERY", 0.0)
    monkeypatch.setattr(garbage, "AT_MOST", -1.0)
    with pytest.raises(IndexError):
        await garbage.collect_when_quiet(lambda: looked.pop(0))
    assert collected == [[4]]
