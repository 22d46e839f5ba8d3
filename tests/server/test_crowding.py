"""Whoever opens a hundred tables crowds nobody off the list, however many guests they are; and nobody learns from where
anyone has come."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from brocante.server.openers import Openers, neighbourhood
from brocante.server.storage import Listing, Stamp, Storage
from tests.server.asking import check_refused
from tests.server.serving import served

TABLE = {"game": "collection", "options": {"players": 2}}
LISTED = 100


class Address:
    """Somebody at an address, as a web server in front passes it on, with as many guests as they like."""

    def __init__(self, client: httpx.Client, address: str) -> None:
        self._client = client
        self._headers = {"x-forwarded-for": address}
        self.new_guest()

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        return self._client.request(method, path, json=body, headers=self._headers)

    def new_guest(self) -> None:
        token = self.ask("POST", "/api/guests", {"name": "Eve", "token": True}).json()["token"]
        self._headers["authorization"] = f"Bearer {token}"

    def open(self, **more: Any) -> str:
        answer = self.ask("POST", "/api/tables", TABLE | more)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def listed(self) -> list[str]:
        return [table["id"] for table in self.ask("GET", "/api/tables?phase=open").json()]


@contextmanager
def addresses(folder: Path, **settings: Any) -> Iterator[Callable[[str], Address]]:
    with served(folder, **settings) as url, httpx.Client(base_url=url) as client:
        yield partial(Address, client)


def test_everyones_first_table_is_listed_before_anyones_second_whoever_they_say_they_are(tmp_path: Path) -> None:
    with addresses(tmp_path) as at:
        honest = [at(f"203.0.113.{number}") for number in range(3)]
        tables = [one.open() for one in honest]
        second = honest[0].open()
        eve, neighbour = at("198.51.100.7"), at("198.51.100.7")
        beside = neighbour.open()
        for number in range(110):
            if number % 29 == 28:  # under the limit of each
                eve.new_guest()
            last = eve.open()
        listed = honest[1].listed()
        assert len(listed) == LISTED
        assert listed[0] == last, "the latest of everyone, the last opened first"
        assert {*listed[1:4]} == {second, tables[1], tables[2]}
        assert tables[0] in listed[4:6], "and then everyone's second"
        assert beside in listed[5:9], (
            "whoever shares an address with a crowd comes after the first table of each of them"
        )


def test_one_address_opens_so_many_tables_whoever_asks_from_there(tmp_path: Path) -> None:
    with addresses(tmp_path, tables=2) as at:
        eve, ana = at("198.51.100.7"), at("203.0.113.1")
        for number in range(10):
            if number % 2:
                eve.new_guest()
            eve.open(private=number % 3 == 0)
        eve.new_guest()
        check_refused(eve.ask("POST", "/api/tables", TABLE), 429, "tables_here")
        ana.open()
        ana.open()
        check_refused(ana.ask("POST", "/api/tables", TABLE), 429, "tables")


def test_one_address_opens_so_many_tables_a_day_though_it_finishes_them(tmp_path: Path) -> None:
    with addresses(tmp_path, tables=1) as at:
        eve, ana = at("198.51.100.7"), at("203.0.113.1")
        for _ in range(20):
            path = f"/api/tables/{eve.open()}"
            for what, body in (("join", {}), ("do", {"do": "start", "fill": True}), ("do", {"do": "resign"})):
                assert eve.ask("POST", f"{path}/{what}", body).status_code == 200
        check_refused(eve.ask("POST", "/api/tables", TABLE), 429, "tables_today")
        ana.open()


def test_nobody_learns_from_where_a_table_was_opened_and_it_is_forgotten_with_the_table(tmp_path: Path) -> None:
    with addresses(tmp_path) as at:
        ana = at("203.0.113.77")
        table = ana.open()
        answers = [ana.ask("GET", path) for path in ("/api/tables", f"/api/tables/{table}", "/api/me/tables")]
        assert not any("203.0.113.77" in answer.text or mark_in(tmp_path, table) in answer.text for answer in answers)
    assert b"203.0.113.77" not in b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())


def mark_in(folder: Path, table: str) -> str:
    connection = sqlite3.connect(folder / "tables.db")
    (found,) = connection.execute("SELECT opener FROM listing WHERE table_id = ?", (table,)).fetchall()
    connection.close()
    assert len(found[0]) == 24
    return str(found[0])


def test_a_mark_tells_addresses_apart_and_no_other_installation_makes_it() -> None:
    openers = Openers(b"key")
    assert openers.mark("192.0.2.1") == openers.mark("::ffff:192.0.2.1") != openers.mark("192.0.2.2")
    assert openers.mark("2001:db8:0:1::5") == openers.mark("2001:db8:0:1:6:7:8:9") != openers.mark("2001:db8:0:2::5")
    assert openers.mark("192.0.2.1") != Openers(b"other key").mark("192.0.2.1")
    assert openers.mark("") == ""
    assert neighbourhood("no address") == "no address"


async def test_lists_are_fair_on_both_databases(database_url: str) -> None:
    storage = await Storage.open(database_url)
    try:
        opened = 0
        for host, opener, number in (("ana", "there", 1), ("ben", "there", 1), ("eve", "here", 4), ("eve", "", 2)):
            for _ in range(number):
                opened += 1
                listing = Listing(f"{host}{opened}", "port", "open", False, host, opened, 9, b"{}", 9, opener)
                assert await storage.append(listing.table, 1, 0, b"{}", listing)
        opened += 1
        for table in ("old", "older"):  # the last one has left, and nobody is their host any more
            nobodys = Listing(table, "port", "open", False, "", opened, 9, b"{}", 9)
            assert await storage.append(table, 1, 0, b"{}", nobodys)
        for phase in (None, "open"):
            listed = [found.table for found in await storage.listings(phase=phase)]
            assert Counter(listed[:5]) == Counter(["old", "older", "eve8", "eve6", "ben2"]), listed
            assert Counter(listed[5:8]) == Counter(["eve7", "eve5", "ana1"]), listed
            assert listed[8:] == ["eve4", "eve3"]
        assert await storage.listings(phase="over") == []
        assert await storage.of_opener("here", Stamp(3, 9)) == (4, 4)
        assert await storage.of_opener("here", Stamp(5, 9)) == (2, 2)
        assert await storage.of_opener("here", Stamp(3, 10)) == (0, 0)
        found = await storage.listing("eve3")
        assert found
        assert found.opener == "here"
        assert await storage.append(
            "eve3", 2, 0, b"{}", Listing("eve3", "port", "over", False, "eve", 3, 10, b"{}", 10)
        )
        found = await storage.listing("eve3")
        assert found
        assert (found.opener, found.phase) == ("here", "over"), "it goes with the table"
        assert await storage.of_opener("here", Stamp(3, 9)) == (4, 3)
    finally:
        await storage.close()
