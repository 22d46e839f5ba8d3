"""`brocante admin`, by doing it: beside a server that runs, on both databases, and where none runs."""

import asyncio
import json
import sqlite3
import subprocess
import sys
import time
import zlib
from collections.abc import AsyncIterator
from contextlib import closing, nullcontext, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from brocante.cli import main
from brocante.client import Client, ServerRefused
from brocante.client.table import Update
from brocante.server import heeding, operator
from brocante.server.acts import Act
from brocante.server.bans import Bans, network_of
from brocante.server.operator import user_name
from brocante.server.personal_data import Deletion
from brocante.server.storage import BanRow, Storage, sqlite
from brocante.table import facts as f
from brocante.table.fair import verify
from tests.server.asking import NOON, PATIENCE, Ear, House, Person, check_refused, house, listening
from tests.server.commands import brocante
from tests.server.log import entries, facts_of


@pytest.fixture
async def open_house(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """A server that hears of everything at once."""
    monkeypatch.setattr(heeding, "LOOK_EVERY", 0.02)
    monkeypatch.setattr(operator, "HEARD_WITHIN", 0.2)
    async with house(tmp_path, database=database_url) as found:
        found.time.now = time.time()  # that of the operator's machine
        yield found


class Said(NamedTuple):
    """What a command said, and how it ended."""

    out: str
    err: str
    status: int


def run(database: str, *arguments: str) -> Said:
    out, err, status = StringIO(), StringIO(), 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main(["admin", *arguments, "--database", database, "--lang", "en"])
        except SystemExit as end:
            status = int(end.code or 0)
    return Said(out.getvalue(), err.getvalue(), status)


async def admin(found: House, *arguments: str) -> str:
    """What the command says; whatever it does, the server has done its part then."""
    said = await asyncio.to_thread(run, found.server.config.database, *arguments)
    assert (said.err, said.status) == ("", 0)
    while found.server.heeding.seen < await found.server.storage.last_act():
        await asyncio.sleep(0.01)
    return said.out


async def refused(found: House, *arguments: str) -> str:
    """What the command says where it refuses: one sentence."""
    said = await asyncio.to_thread(run, found.server.config.database, *arguments)
    assert (said.out, said.status) == ("", 2)
    assert said.err.startswith("brocante: ")
    assert said.err.count("\n") == 1
    return said.err


async def acts(found: House) -> list[dict[str, Any]]:
    """What was done, the first act first."""
    listed: list[dict[str, Any]] = json.loads(await admin(found, "log", "--json"))
    return listed[::-1]


async def gone(ear: Ear, *reasons: str) -> None:
    """They are told why, and hung up on."""
    bye = await ear.until(lambda heard: heard["type"] == "bye")
    assert bye["reason"] in reasons
    await ear.over()


async def test_tables_are_listed_with_who_sits_there_and_guests_to_the_operator_alone(open_house: House) -> None:
    table, (ana, ben, *_) = await open_house.game("collection", 2)
    private = await open_house.table(ben, private=True)
    listed = {one["table"]: one for one in json.loads(await admin(open_house, "list", "--json"))}
    assert set(listed) == {table, private}
    assert [seat["name"] for seat in listed[table]["seats"]][:2] == ["Person0", "Person1"]
    assert listed[table]["guests"] == {"0": ana.id, "1": ben.id}
    assert listed[private]["private"]
    assert [one["table"] for one in json.loads(await admin(open_house, "list", "--phase", "playing", "--json"))] == [
        table
    ]
    told = await admin(open_house, "list")
    assert table in told
    assert ana.id not in told
    assert "no table" in await refused(open_house, "close", "no-such-table-id")
    assert "no table" in await refused(open_house, "close", "-no-such-table-id")
    assert "the games are antiques, collection" in await refused(open_house, "list", "--game", "chess")


@pytest.mark.parametrize("is_terminal", [True, False])
async def test_ids_are_never_cut_off(is_terminal: bool, open_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are what the next command needs. Where it is no terminal that reads it, a table is one line."""
    table, people = await open_house.game("collection", 3)
    await admin(open_house, "ban", "--guest", people[0].id, "--why", "Insults, again and again")
    monkeypatch.setenv("COLUMNS", "60")
    if is_terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
    listed = await admin(open_house, "list", "--guests")
    assert all(word in listed for word in (table, *(person.id for person in people)))
    assert people[0].id in await admin(open_house, "bans")
    assert people[0].id in await admin(open_house, "log")
    assert (len(listed.splitlines()) > 2) == is_terminal


async def test_the_servers_say_who_is_connected(open_house: House) -> None:
    table, (_, ben, *_) = await open_house.game("collection")
    await open_house.game("collection")
    for person in (ben, None, None):
        await open_house.ear(table, person)
    (listed,) = json.loads(await admin(open_house, "list", "--connected", "--json"))
    assert (listed["table"], listed["connected"]) == (table, {"seats": [1], "watching": 2})
    assert json.loads(await admin(open_house, "list", "--connected", "--phase", "over", "--json")) == []


async def test_a_game_is_closed_and_players_read_why_and_may_begin_another(open_house: House) -> None:
    table, (ana, ben, cleo) = await open_house.game("collection")
    ear = await open_house.ear(table, ana, lang="en")
    game = open_house.room(table).table.game
    assert game
    first = (ana, ben, cleo)[game.actor]
    await open_house.done("do", table, first, json={"do": "move", "move": game.legal_moves[0].line()})
    told = await admin(open_house, "close", f"http://brocante.test/tables/{table}?lang=fr#log")
    assert table in told
    news = await ear.until(lambda heard: any(event["event"] == "ended" for event in heard.get("events", [])))
    assert "operator" in next(event for event in news["events"] if event["event"] == "ended")["said"][0]
    assert news["table"]["phase"] == "over"
    assert news["table"]["ended_by_operator"]
    assert news["table"]["winners"] == []
    record = await open_house.ask("GET", f"/api/tables/{table}/record")
    assert '"move"' in record.text, "what was played can be read"
    assert f"At table {table} no game is under way" in await refused(open_house, "close", table)
    for person in (ana, ben, cleo):
        await open_house.done("do", table, person, json={"do": "again"})
    stands = (await open_house.ask("GET", f"/api/tables/{table}")).json()["table"]
    assert (stands["phase"], stands["ended_by_operator"]) == ("playing", False)
    assert [(act["act"], act["done"], "problem" in act) for act in await acts(open_house)] == [("close", True, False)]
    assert open_house.errors == 0


async def test_a_table_is_removed_with_everything_of_it(open_house: House) -> None:
    table, (ana, *_) = await open_house.game("collection")
    ear = await open_house.ear(table, ana)
    assert "--yes" in await refused(open_house, "remove", table)
    await admin(open_house, "remove", table, "--yes")
    await gone(ear, "gone")
    check_refused(await open_house.ask("GET", f"/api/tables/{table}"), 404, "no_table")
    assert await entries(open_house.server.config.database, table) == []
    assert open_house.errors == 0


async def test_what_is_asked_of_a_table_just_as_it_is_removed_is_refused(open_house: House) -> None:
    table, (ana, *_) = await open_house.game("collection")
    ear = await open_house.ear(table, ana)
    await open_house.server.storage.remove(table)
    check_refused(await open_house.ask("POST", f"/api/tables/{table}/do", ana, json={"do": "pause"}), 404, "no_table")
    await gone(ear, "gone")
    assert await entries(open_house.server.config.database, table) == []


# --- bans -------------------------------------------------------------------------------------------------------------


async def test_a_banned_guest_is_hung_up_on_and_refused_until_let_in_again(open_house: House) -> None:
    table, (ana, ben, *_) = await open_house.game("collection")
    ears = [await open_house.ear(table, ana), await open_house.ear(table, ben)]
    await admin(open_house, "ban", "--table", table, "--seat", "0", "--why", "Insults", "--for", "7d")
    await gone(ears[0], "banned")
    assert ears[1].is_open
    answer = await open_house.ask("GET", "/api/me", ana)
    check_refused(answer, 403, "banned")
    assert "Insults" in answer.json()["says"]
    cookie = {"cookie": f"brocante={ana.token}", "origin": "http://brocante.test"}
    check_refused(await open_house.ask("GET", "/api/me", headers=cookie), 403, "banned")
    again = await open_house.ear(table, ana)
    assert again.status == 403
    (ban,) = json.loads(await admin(open_house, "bans", "--json"))
    assert (ban["who"], ban["why"]) == (ana.id, "Insults")
    await admin(open_house, "unban", "--guest", ana.id)
    assert (await open_house.ask("GET", "/api/me", ana)).status_code == 200
    assert "not kept out" in await refused(open_house, "unban", "--guest", ana.id)


async def test_a_ban_of_addresses_holds_for_all_who_come_from_there_and_ends_in_time(open_house: House) -> None:
    table, (ana, *_) = await open_house.game("collection")
    ear = await open_house.ear(table, ana)  # from 192.0.2.1
    await admin(open_house, "ban", "192.0.2.77/24", "--for", "2h")
    await gone(ear, "banned")
    assert (await open_house.ear(table, ana)).status == 403
    assert (await open_house.ear(table)).status == 403
    assert (await open_house.ask("GET", "/api/me", ana)).status_code == 200, "over HTTP she comes from elsewhere"
    (ban,) = await open_house.server.storage.bans()
    assert ban.until
    open_house.time.now = ban.until + 1
    assert (await open_house.ear(table, ana)).is_open


async def test_the_machine_itself_cannot_be_locked_out(open_house: House) -> None:
    for address in ("127.0.0.1", "::1", "0.0.0.0/0", "127.0.0.0/30"):
        assert "keep you out too" in await refused(open_house, "ban", address)
    assert "neither an address" in await refused(open_house, "ban", "somewhere")
    assert "not the id of a guest" in await refused(open_house, "ban", "--guest", "some/body")
    assert await open_house.server.storage.bans() == []
    assert await acts(open_house) == []


def test_an_address_is_the_same_however_it_is_written() -> None:
    bans = Bans()
    bans.renew([BanRow(network_of("203.0.113.9"), 0.0, None, ""), BanRow(network_of("2001:db8::/48"), 0.0, None, "")])
    for address in ("203.0.113.9", "::ffff:203.0.113.9", "2001:db8:0:1::5"):
        assert bans.ban_on(address, "", NOON)
    for address in ("203.0.113.10", "2001:db9::1", "", "testclient"):
        assert not bans.ban_on(address, "", NOON)
    assert network_of("2001:db8:0:1:a::1") == "2001:db8:0:1::/64"
    assert network_of("2001:db8:0:1:a::1/128") == "2001:db8:0:1:a::1/128"
    assert network_of("::ffff:203.0.113.9") == "203.0.113.9/32"


@pytest.mark.parametrize(
    ("address", "neighbour", "stranger"),
    [
        ("2001:db8:0:1:a::1", "2001:db8:0:1:b::2", "2001:db8:0:2:a::1"),
        ("198.51.100.1", "::ffff:198.51.100.1", "198.51.100.2"),
    ],
)
async def test_the_address_in_the_log_is_the_one_to_ban(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    address: str,
    neighbour: str,
    stranger: str,
) -> None:
    """Over HTTP and over sockets, wherever in their network they come from."""
    monkeypatch.setattr(heeding, "LOOK_EVERY", 0.02)
    caplog.set_level("INFO", logger="brocante.server")
    with listening(tmp_path) as (url, server):

        async def statuses(address: str) -> tuple[int, int]:
            """Of a request, and of a handshake for a table that is not there."""
            headers = {"x-forwarded-for": address}
            with pytest.raises(InvalidStatus) as refused:
                await connect(
                    f"{url.replace('http', 'ws')}/api/tables/x/socket", additional_headers=headers, proxy=None
                )
            async with httpx.AsyncClient(base_url=url, headers=headers) as client:
                return (await client.get("/api/games")).status_code, refused.value.response.status_code

        assert await statuses(address) == (200, 404)
        (line,) = [record for record in caplog.records if record.getMessage() == "refused"]
        said = await asyncio.to_thread(run, server.config.database, "ban", vars(line)["address"])
        assert said.status == 0, said.err
        async with asyncio.timeout(PATIENCE):
            while not server.heeding.seen:
                await asyncio.sleep(0.02)
        assert await statuses(address) == await statuses(neighbour) == (403, 403)
        assert await statuses(stranger) == (200, 404)


# --- announcements ----------------------------------------------------------------------------------------------------


async def test_an_announcement_is_told_to_everyone_and_to_whoever_comes_in_time(open_house: House) -> None:
    table, (ana, ben, *_) = await open_house.game("collection")
    ear = await open_house.ear(table, ana)
    await admin(open_house, "announce", "Back at\u202e noon.", "--for", "10m")
    assert (await ear.until(lambda heard: heard["type"] == "announcement"))["text"] == "Back at noon."
    late = await open_house.ear(table, ben)
    assert [json.loads(heard)["type"] for heard in await late.caught_up()] == ["welcome", "announcement", "seen"]
    assert (await open_house.ask("GET", "/api/server")).json()["announcement"] == "Back at noon."
    until = json.loads(await open_house.server.storage.announcement() or b"")["until"]
    assert until
    open_house.time.now = until + 1
    assert (await ear.until(lambda heard: heard["type"] == "announcement"))["text"] == ""
    await admin(open_house, "announce", "For ever")
    await ear.until(lambda heard: heard.get("text") == "For ever")
    await admin(open_house, "announce", "--clear")
    await ear.until(lambda heard: heard.get("text") == "")
    later = await (await open_house.ear(table, ben)).caught_up()
    assert [json.loads(heard)["type"] for heard in later] == ["welcome", "seen"]


async def until_the_end(told: AsyncIterator[Update]) -> None:
    async with asyncio.timeout(PATIENCE):
        async for _ in told:
            pass


async def test_the_python_client_hears_announcements_and_bans(tmp_path: Path) -> None:
    with listening(tmp_path) as (url, server):
        async with Client(url, name="Ana") as client:
            table = await client.open("collection", players=2)
            told, heard = table.follow(), list[str]()
            table.on_announcement = heard.append
            database = server.config.database
            assert (await asyncio.to_thread(run, database, "announce", "Back at noon")).status == 0
            async with asyncio.timeout(PATIENCE):
                while table.announcement != "Back at noon":
                    await asyncio.sleep(0.02)
            assert heard == ["Back at noon"]
            await table.sit()
            said = await asyncio.to_thread(run, database, "ban", "--table", table.id, "--seat", "0", "--why", "Enough")
            assert said.status == 0, said.err
            with pytest.raises(ServerRefused, match="Enough"):
                await until_the_end(told)


# --- what was done ----------------------------------------------------------------------------------------------------

#: How each act is done, after what must be done before it; and what is told of it.
DOING: dict[str, tuple[list[str], dict[str, str]]] = {
    "close": (["admin close {table}"], {"table": "{table}"}),
    "remove": (["admin remove {table} --yes"], {"table": "{table}"}),
    "ban": (["admin ban 203.0.113.9 --why Insults"], {"who": "203.0.113.9/32", "why": "Insults"}),
    "unban": (["admin ban --guest {guest}", "admin unban --guest {guest}"], {"who": "{guest}"}),
    "announce": (["admin announce Noon"], {"text": "Noon"}),
    "export": (["admin export {table}"], {"table": "{table}"}),
    "delete": (["admin delete --guest {guest} --yes"], {"guest": "{guest}"}),
    "backup": (["backup {file}"], {"file": "{file}"}),
    "restore": (["backup {file}", "restore {file}"], {"file": "{file}"}),
}


@pytest.mark.parametrize("kind", [act.kind() for act in Act.__subclasses__()])
async def test_every_act_is_noted_and_servers_write_it_to_their_logs(
    kind: str,
    open_house: House,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "300")  # a row to a line
    database = open_house.server.config.database
    table, (ana, *_) = await open_house.game("collection")
    blanks = {"table": table, "guest": ana.id, "file": str(tmp_path / "b.db")}
    commands, about = DOING[kind]
    for command in commands:
        if command.startswith("restore"):
            database = str(tmp_path / "restored.db")  # where no server is
        code, said = await asyncio.to_thread(brocante, *command.format(**blanks).split(), "--database", database)
        assert code == 0, said
    told = {what: value.format(**blanks) for what, value in about.items()}
    _, said = await asyncio.to_thread(brocante, "admin", "log", "--json", "--database", database)
    done = json.loads(said)[0]
    assert (done["act"], done["operator"], done["done"]) == (kind, user_name(), True)
    assert {what: done[what] for what in told} == told
    _, said = await asyncio.to_thread(brocante, "admin", "log", "--database", database)
    assert all(value in said for value in (kind, *told.values()))
    async with house(tmp_path, database=database) if kind == "restore" else nullcontext(open_house) as found:
        found.server.heeding.seen = 0  # although it was done before this server was there
        await found.server.heeding.look()
    line = [record for record in caplog.records if record.message == "operator"][-1]
    assert vars(line).items() >= {"act": kind, "by": user_name(), **told}.items()


async def test_a_backup_is_made_though_it_cannot_be_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with house(tmp_path) as found:
        await found.game("collection")
    database = found.server.config.database
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.1)
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")  # somebody else writes, and does not end
        code, said = await asyncio.to_thread(brocante, "backup", str(tmp_path / "backup.db"), "--database", database)
        connection.execute("UPDATE brocante SET value = CAST('2' AS BLOB) WHERE name = 'schema'")
        connection.execute("COMMIT")
    assert (code, "could not be noted" in said, "1 table and " in said) == (0, True, True), said
    before = Path(database).read_bytes()
    code, said = await asyncio.to_thread(brocante, "backup", str(tmp_path / "older.db"), "--database", database)
    assert (code, "could not be noted" in said) == (0, True), said
    assert Path(database).read_bytes() == before, "an older version goes on with it"


# --- what is kept of people -------------------------------------------------------------------------------------------


async def test_everything_of_a_table_and_of_a_person_can_be_handed_out(open_house: House) -> None:
    table, (ana, ben, *_) = await open_house.game("collection")
    await open_house.done("do", table, ana, json={"do": "chat", "text": "Ana was here"})
    await open_house.done("do", table, ben, json={"do": "chat", "text": "And Ben"})
    whole = json.loads(await admin(open_house, "export", table))
    written = [fact for entry in whole["entries"] for fact in entry["facts"]]
    assert written == [
        json.loads(f.encode([fact]))[0] for fact in await facts_of(open_house.server.config.database, table)
    ]
    person = json.loads(await admin(open_house, "export", "--guest", ana.id))
    assert person["names"] == ["Person0"]
    facts = [fact for one in person["tables"] for entry in one["entries"] for fact in entry["facts"]]
    assert [fact["text"] for fact in facts if fact["fact"] == "said"] == ["Ana was here"]
    assert json.loads(await admin(open_house, "export", table, "--seat", "0")) == person
    assert "No table knows" in await refused(open_house, "export", "--guest", "nobody")


async def test_a_persons_data_are_deleted_and_the_games_of_others_go_on(open_house: House) -> None:
    table, (ana, ben, cleo) = await open_house.game("collection")
    open_table = await open_house.table(ana)
    await open_house.done("join", open_table, ana, json={"name": "Ana at her own table"})
    await open_house.done("join", open_table, ben, json={})
    await open_house.done("do", table, ana, json={"do": "chat", "text": "a secret of mine"})
    await open_house.done("do", table, ben, json={"do": "chat", "text": "nothing of hers"})
    ears = {person: await open_house.ear(table, person) for person in (ana, ben)}
    assert "--yes" in await refused(open_house, "delete", "--guest", ana.id)
    await admin(open_house, "delete", "--guest", ana.id, "--yes")
    listing = await open_house.server.storage.listing(open_table)
    assert listing
    assert listing.opener == "", "nobody knows any more from where it was opened"
    await gone(ears[ana], "forgotten", "reload")  # a bot may have moved in her place before the server heard of it
    await gone(ears[ben], "reload")
    check_refused(await open_house.ask("GET", "/api/me", ana), 401, "token")
    await check_gone(open_house, ana, table, "Person0", "a secret of mine")
    await check_gone(open_house, ana, open_table, "Ana at her own table")
    ear = await open_house.ear(table, ben, lang="en")
    stands = (await open_house.ask("GET", f"/api/tables/{table}")).json()["table"]
    assert [(seat["kind"], seat["name"]) for seat in stands["seats"][:2]] == [("bot", "N. N."), ("person", "Person1")]
    assert (await open_house.ask("GET", f"/api/tables/{open_table}", ben)).json()["you"]["host"]
    await play_to_the_end(open_house, table, {1: ben, 2: cleo})
    replayed = await open_house.ask("GET", f"/api/tables/{table}/games/1")
    assert replayed.status_code == 200
    assert replayed.json()["names"][0] == "N. N."
    assert ear.is_open
    assert open_house.errors == 0


async def test_names_are_taken_out_of_records_and_the_records_still_hold(open_house: House, tmp_path: Path) -> None:
    table, (ana, ben, cleo) = await open_house.game("collection")
    await play_to_the_end(open_house, table, {0: ana, 1: ben, 2: cleo})
    before = (await open_house.ask("GET", f"/api/tables/{table}/record")).text
    await admin(open_house, "delete", "--guest", ana.id, "--yes")
    after = (await open_house.ask("GET", f"/api/tables/{table}/record")).text
    assert after == before.replace('"Person0"', '"N. N."')
    await check_gone(open_house, ana, table, "Person0")
    stands = (await open_house.ask("GET", f"/api/tables/{table}")).json()["table"]
    assert (stands["phase"], stands["closed"]) == ("over", False)
    (tmp_path / "record").write_text(after)
    verify(tmp_path / "record")


async def test_a_process_that_still_goes_by_what_was_taken_out_loses_nothing_and_sees_no_damage(
    open_house: House,
) -> None:
    table, (ana, ben, _) = await open_house.game("collection")
    ear = await open_house.ear(table, ben)
    storage = await Storage.open(open_house.server.config.database)  # of an operator of whom nobody has heard yet
    deletion = Deletion(ana.id)
    await storage.rewrite(table, deletion.rewrite, deletion.relist)
    await storage.rewrite(table, deletion.rewrite, deletion.relist)  # as often as one likes
    await storage.close()
    answer = await open_house.ask("POST", f"/api/tables/{table}/do", ben, json={"do": "pause"})
    check_refused(answer, 503, "busy")
    await gone(ear, "reload")
    await open_house.done("do", table, ben, json={"do": "pause"})
    assert open_house.room(table).table.seats[0].name == "N. N."
    assert not open_house.server.storage.damaged
    assert open_house.errors == 0


async def test_a_damaged_table_is_left_and_said_and_a_persons_data_are_deleted_at_all_others(open_house: House) -> None:
    ana = await open_house.guest("Ana")
    tables = sorted([await open_house.table(ana) for _ in range(4)])
    for table in tables:
        await open_house.done("join", table, ana, json={})
    damaged, puzzling, *whole = tables
    harm = "UPDATE entry SET at = 5 WHERE table_id = {} AND number = 2"
    await open_house.server.storage._execute(harm, damaged)
    number = open_house.room(puzzling).number
    assert await open_house.server.storage.append(puzzling, number + 1, 0.0, b'["no fact"]')
    said = await asyncio.to_thread(run, open_house.server.config.database, "delete", "--guest", ana.id, "--yes")
    assert (said.err, said.status) == ("", 1)
    first, second, rest = said.out.splitlines()
    assert f"{damaged} is damaged from entry 2 on" in first
    assert puzzling in second
    assert "2 tables" in rest
    check_refused(await open_house.ask("GET", "/api/me", ana), 401, "token")
    for table in whole:
        await check_gone(open_house, ana, table, "Ana")
    own = await open_house.server.storage.own(ana.id)
    assert {listing.table: seat for listing, seat in own} == {damaged: None, puzzling: None}, "she sits nowhere"
    (act, *_) = [act for act in await acts(open_house) if act["act"] == "delete"]
    assert (act["done"], act["tables"]) == (True, whole)
    assert act["problem"] == f"{first} {second}"


async def check_gone(found: House, person: Person, table: str, *words: str) -> None:
    """Nothing of a person is left at a table, wherever one looks."""
    exported = json.loads(await admin(found, "export", table))
    storage = await Storage.open(found.server.config.database)
    try:
        snapshots = await storage._rows("SELECT body FROM snapshot WHERE table_id = {}", table)
    finally:
        await storage.close()
    for word in (person.id, *words):
        assert word not in json.dumps(exported)
        assert not any(word.encode() in zlib.decompress(body) for (body,) in snapshots)


async def play_to_the_end(found: House, table: str, people: dict[int, Person]) -> None:
    """The people make the first move that they may, and the bots play."""
    ears = {seat: await found.ear(table, person, detail="moves") for seat, person in people.items()}
    for _ in range(2000):
        room = found.room(table)
        if room.table.phase == "over":
            return
        game = room.table.game
        assert game
        if game.actor in ears:
            await ears[game.actor].do("move", move=game.legal_moves[0].line())
        else:
            await ears[min(ears)].until(lambda heard: heard["type"] == "news")
    raise AssertionError("it never ends")


@pytest.mark.parametrize("mistyped", ["--clera", "--hepl", "-h"])
async def test_a_mistyped_option_is_not_announced(mistyped: str, open_house: House) -> None:
    assert mistyped in await refused(open_house, "announce", mistyped)
    assert await acts(open_house) == []


# --- where no server runs ---------------------------------------------------------------------------------------------


async def test_it_works_where_no_server_runs_and_is_refused_where_there_is_no_database(tmp_path: Path) -> None:
    async with house(tmp_path) as found:
        table, _ = await found.game("collection")
    wrong = await asyncio.to_thread(run, str(tmp_path / "nothing.db"), "list")
    assert "There is no database" in wrong.err
    assert not (tmp_path / "nothing.db").exists()
    command = [
        sys.executable,
        "-m",
        "brocante.cli",
        "admin",
        "close",
        table,
        "--database",
        found.server.config.database,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert table in done.stdout
    async with house(tmp_path) as found:
        assert (await found.ask("GET", f"/api/tables/{table}")).json()["table"]["ended_by_operator"]
        assert [(act["act"], act["table"]) for act in await acts(found)] == [("close", table)]
