"""Somebody's own tables, and those where nobody waits any more."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from brocante.server.housekeeping import WAIT_EVERY
from brocante.server.http_handlers.tables import DESERTED_AFTER
from brocante.server.storage import Listing, Stamp, Storage, database_at, schema
from tests.server.asking import House, Person, check_refused, house


@pytest.fixture
async def open_house(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path) as found:
        yield found


async def own(open_house: House, person: Person) -> list[dict[str, Any]]:
    answer = await open_house.ask("GET", "/api/me/tables", person)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()
    return found


async def listed(open_house: House) -> list[str]:
    return [table["id"] for table in (await open_house.ask("GET", "/api/tables")).json()]


# --- one's own --------------------------------------------------------------------------------------------------------


async def test_one_finds_the_tables_at_which_one_sits_or_that_one_has_opened(open_house: House) -> None:
    ana, ben, cleo = [await open_house.guest(name) for name in ("Ana", "Ben", "Cleo")]
    opened = await open_house.table(ana, private=True)
    open_house.time.now += 1
    sat = await open_house.table(ben, private=True)
    await open_house.done("join", sat, ana, json={})
    assert [(table["id"], table["seat"], table["private"]) for table in await own(open_house, ana)] == [
        (sat, 0, True),
        (opened, None, True),
    ]
    assert [table["id"] for table in await own(open_house, ben)] == [sat]
    assert await own(open_house, cleo) == [], "a private table is found by nobody else"
    assert [seat["name"] for seat in (await own(open_house, ben))[0]["seats"]] == ["Ana", "", ""]


async def test_one_who_has_got_up_is_not_sent_there_again(open_house: House) -> None:
    ana, ben = await open_house.guest("Ana"), await open_house.guest("Ben")
    table = await open_house.table(ana)
    await open_house.done("join", table, ben, json={})
    await open_house.done("leave", table, ben)
    assert await own(open_house, ben) == []


async def test_it_says_whose_turn_it_is_also_when_the_table_has_left_the_memory(open_house: House) -> None:
    table, people = await open_house.game("collection", options={"players": 2})
    for _ in range(2):
        game = open_house.room(table).table.game
        assert game
        turns = [(await own(open_house, person))[0]["your_turn"] for person in people]
        assert turns == [game.actor == seat for seat in range(2)]
        mover = people[game.actor]
        await open_house.done("do", table, mover, json={"do": "move", "move": game.legal_moves[-1].line()})
    game = open_house.room(table).table.game
    assert game
    await open_house.done("do", table, people[0], json={"do": "pause"})  # which is listed
    open_house.server.rooms.forget(open_house.room(table))
    assert [(await own(open_house, person))[0]["your_turn"] for person in people] == [
        game.actor == seat for seat in range(2)
    ]


async def test_a_game_that_is_over_can_be_found_for_its_replay(open_house: House) -> None:
    table, (ana, ben) = await open_house.game("collection", options={"players": 2})
    await open_house.done("do", table, ana, json={"do": "resign"})
    for person in (ana, ben):
        (found,) = await own(open_house, person)
        assert (found["id"], found["phase"], found["games"], found["your_turn"]) == (table, "over", 1, False)


async def test_a_stranger_has_no_tables_and_nobody_is_told_an_identity(open_house: House) -> None:
    check_refused(await open_house.ask("GET", "/api/me/tables"), 401, "stranger")
    table, people = await open_house.game("collection", options={"players": 2})
    told = [await open_house.ask("GET", path, people[0]) for path in ("/api/me/tables", "/api/tables")]
    for answer in told:
        assert table in answer.text
        assert not any(person.id in answer.text for person in people)


# --- where nobody waits -----------------------------------------------------------------------------------------------


async def test_a_table_at_which_nobody_waits_is_not_found_any_more(open_house: House) -> None:
    ana = await open_house.guest("Ana")
    table = await open_house.table(ana)
    playing, _ = await open_house.game("collection", options={"players": 2})
    assert set(await listed(open_house)) == {table, playing}
    open_house.time.now += DESERTED_AFTER + 1
    assert await listed(open_house) == [playing]
    assert [found["id"] for found in await own(open_house, ana)] == [table]
    await open_house.done("join", table, ana, json={})
    assert set(await listed(open_house)) == {table, playing}


async def test_a_table_at_which_somebody_waits_is_found_however_long_it_takes(open_house: House) -> None:
    ana = await open_house.guest("Ana")
    table = await open_house.table(ana)
    await open_house.done("join", table, ana, json={})
    await open_house.ear(table, ana)
    for _ in range(5):
        open_house.time.now += WAIT_EVERY + 1
        open_house.server.housekeeping.stay_listed()
        await open_house.server.rooms.finish()
    assert await listed(open_house) == [table]


# --- where it is kept -------------------------------------------------------------------------------------------------


def listing(table: str, host: str = "ana", touched: float = 0, *seated: tuple[str, int]) -> Listing:
    return Listing(table, "vinto", "open", True, host, 0, touched, b"{}", touched, seated=seated)


def without_seats(found: Listing) -> Listing:
    return Listing(*(getattr(found, name) for name in Listing.__struct_fields__[:-1]))


async def test_who_sits_where_is_kept_with_the_listing_and_swept_with_the_table(database_url: str) -> None:
    storage = await Storage.open(database_url)
    try:
        first, second = listing("a", "ana", 1, ("ben", 0), ("cleo", 3)), listing("b", "ben", 2, ("ben", 1))
        await storage.append("a", 1, 0, b"[]", first)
        await storage.append("b", 1, 0, b"[]", second)
        assert await storage.own("ben") == [(without_seats(second), 1), (without_seats(first), 0)]
        assert await storage.own("ben", limit=1) == [(without_seats(second), 1)]
        assert await storage.own("ana") == [(without_seats(first), None)]
        await storage.append("a", 2, 0, b"[]")
        assert await storage.own("cleo") == [(without_seats(first), 3)], "an entry without a listing changes nothing"
        assert not await storage.append("a", 2, 0, b"[]", listing("a", "ana", 9, ("dora", 0)))
        assert await storage.own("dora") == []
        await storage.append("a", 3, 0, b"[]", listing("a", "ana", 9, ("cleo", 0)))
        assert [seat for _, seat in await storage.own("cleo")] == [0]
        assert await storage.own("ben") == [(without_seats(second), 1)]
        await storage.touch("b", Stamp(20, 20))
        assert await storage.sweep(("open", Stamp(10, 10))) == ["a"]
        assert await storage.own("cleo") == []
    finally:
        await storage.close()


async def test_a_database_of_the_first_version_goes_on(database_url: str) -> None:
    """Of the people at its tables it knows as soon as one of them is listed anew."""
    make_first_version(database_url)
    for _ in range(2):  # the second time there is nothing to add
        storage = await Storage.open(database_url)
        assert [entry.body for entry in await storage.entries("old")] == [b"[1]"]
        assert await storage.own("ana") == [(listing("old"), None)]
        assert await storage.own("ben") == []
        await storage.close()
    storage = await Storage.open(database_url)
    assert await storage.append("old", 2, 0, b"[]", listing("old", "ana", 0, ("ben", 2)))
    assert await storage.own("ben") == [(listing("old"), 2)]
    await storage.close()


def make_first_version(url: str) -> None:
    if url.startswith("sqlite:///"):
        Path(url.removeprefix("sqlite:///")).touch()
    database = database_at(url)
    connection = database.connect()
    for template in (schema.CREATE_INSTALLATION, *schema.VERSIONS[0]):
        connection.execute(database.statement(template))
    connection.execute(database.statement(schema.TELL_INSTALLATION), ("schema", b"1"))
    append = "INSERT INTO entry (table_id, number, at, body) VALUES ({}, {}, {}, {})"
    connection.execute(database.statement(append), ("old", 1, 0.0, b"[1]"))
    row = ("old", "vinto", "open", True, "ana", 0.0, 0.0, b"{}")
    columns = "table_id, game, phase, private, host, opened, touched, summary"
    listed = f"INSERT INTO listing ({columns}) VALUES ({{}}, {{}}, {{}}, {{}}, {{}}, {{}}, {{}}, {{}})"
    connection.execute(database.statement(listed), row)
    connection.close()
