"""What an operator sees and sets: health, figures, logs, limits, old tables; and clients that behave badly."""

import asyncio
import json
import logging
import re
import socket
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from brocante.server import frames, websocket
from brocante.server.config import DAY
from brocante.server.metrics import SAMPLE_EVERY
from brocante.server.rate_limits import REMEMBERED, Buckets
from brocante.server.serve import JsonLines, PlainLines
from brocante.server.storage import Storage, StorageError
from brocante.server.storage.threads import Append, Writer
from tests.server.asking import PATIENCE, Ear, House, check_refusal, check_refused, house, listening


@pytest.fixture
async def open_house(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path) as found:
        yield found


def fail(*_: Any, **__: Any) -> Any:
    raise StorageError


# --- health and figures -----------------------------------------------------------------------------------------------


async def test_the_server_says_whether_it_is_well(open_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (await open_house.ask("GET", "/healthz")).json() == {"status": "ok"}
    monkeypatch.setattr(Storage, "_noted", fail)
    check_refused(await open_house.ask("GET", "/healthz"), 503, "storage")
    assert open_house.errors == 1


async def figures(house: House) -> dict[str, float]:
    lines = (await house.ask("GET", "/metrics")).text.splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


async def test_the_figures_are_those_of_what_happened(open_house: House) -> None:
    table, people = await open_house.game("collection")
    ears = [await open_house.ear(table, person) for person in people]
    await open_house.ear(table)
    for _ in range(5):
        game = open_house.room(table).table.game
        assert game
        await ears[game.actor].do("move", move=game.legal_moves[0].line())
    await ears[0].do("agree")
    ears[0].say("nonsense")
    await ears[0].until(lambda heard: heard["type"] == "refused" and heard["code"] == "unreadable")
    found = await figures(open_house)
    assert found["brocante_tables"] == 1
    assert found["brocante_connections"] == 4
    assert found["brocante_moves_total"] == 5
    assert found['brocante_commands_total{do="move",outcome="done"}'] == 5
    assert found['brocante_commands_total{do="agree",outcome="no_undo_asked"}'] == 1
    assert found['brocante_commands_total{do="unreadable",outcome="unreadable"}'] == 1
    assert found["brocante_command_seconds_count"] == 5
    assert found["brocante_entries_total"] == open_house.room(table).number
    assert 0 < found["brocante_commits_total"] <= found["brocante_entries_total"]
    assert found["brocante_append_seconds_count"] == found["brocante_entries_total"]
    assert found['brocante_requests_total{route="/api/guests",status="201"}'] == len(people)
    assert not [name for name in found if name.startswith("brocante_errors_total")]


async def test_the_figures_tell_how_the_machine_and_the_database_are(open_house: House) -> None:
    found = await figures(open_house)
    assert 0 < found["process_open_fds"] < found["process_max_fds"]
    assert found["process_resident_memory_bytes"] > 1e6
    assert found["brocante_database_bytes"] > 0
    assert {"brocante_wal_bytes", "brocante_free_bytes", "brocante_bots_waiting"} <= found.keys()
    assert found["brocante_oldest_append_seconds"] == found["brocante_unreadable_tables_total"] == 0
    assert found["brocante_damaged_tables"] == found["brocante_damaged_database"] == 0


async def test_how_large_the_database_is_is_told_of_both_kinds(database_url: str) -> None:
    storage = await Storage.open(database_url)
    try:
        assert (await storage.sizes()).database > 0
    finally:
        await storage.close()


async def test_there_are_figures_although_the_database_does_not_answer(
    open_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Storage, "_ask", fail)
    found = await figures(open_house)
    assert "brocante_tables" in found
    assert "brocante_free_bytes" not in found


async def test_an_entry_that_is_long_on_its_way_to_disk_is_told(
    open_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = threading.Event()
    write = Writer._write

    def held_up(self: Writer, batch: list[Append]) -> set[str]:
        goes_on.wait(PATIENCE)
        return write(self, batch)

    ana = await open_house.guest("Ana")
    monkeypatch.setattr(Writer, "_write", held_up)
    opening = asyncio.create_task(open_house.table(ana))
    async with asyncio.timeout(PATIENCE):
        while not (await figures(open_house))["brocante_oldest_append_seconds"]:
            await asyncio.sleep(0.01)
    goes_on.set()
    await opening
    assert (await figures(open_house))["brocante_oldest_append_seconds"] == 0


async def test_an_event_loop_that_is_held_up_is_noted_as_often_as_others_had_to_wait(open_house: House) -> None:
    async def late() -> float:
        """How many looks were due more than 100 ms before they were made."""
        found = await figures(open_house)
        return found["brocante_loop_lag_seconds_count"] - found['brocante_loop_lag_seconds_bucket{le="0.1"}']

    before = await late()
    await asyncio.sleep(0)
    time.sleep(4 * SAMPLE_EVERY)
    await asyncio.sleep(0.1)
    assert await late() >= before + 3


async def test_a_table_whose_log_holds_and_cannot_be_understood_is_damaged(
    open_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    table, (ana, *_) = await open_house.game("collection", options={"players": 2})
    await open_house.done("do", table, ana, json={"do": "resign"})
    room = open_house.room(table)
    assert await open_house.server.storage.append(table, room.number + 1, 0.0, b"no fact")
    open_house.server.rooms.forget(room)
    for _ in range(3):
        check_refused(await open_house.ask("GET", f"/api/tables/{table}"), 409, "damaged")
    check_refused(await open_house.ask("GET", "/healthz"), 503, "damaged")
    assert (await open_house.ask("GET", f"/api/tables/{table}/record")).status_code == 200
    found = await figures(open_house)
    assert (found["brocante_damaged_tables"], found["brocante_unreadable_tables_total"] >= 3) == (1, True)
    assert [record.message for record in caplog.records if record.levelno >= logging.ERROR] == ["damaged"]


async def test_the_figures_are_for_the_operator_alone(tmp_path: Path) -> None:
    async with house(tmp_path, metrics_from="10.0.0.1, 10.0.0.2") as found:
        check_refused(await found.ask("GET", "/metrics"), 403, "metrics")
    async with house(tmp_path, metrics_from="*") as found:
        assert (await found.ask("GET", "/metrics")).status_code == 200


async def test_names_of_figures_are_not_for_others_to_make_up(open_house: House) -> None:
    before = len(await figures(open_house))
    for number in range(30):
        await open_house.ask("GET", f"/api/nothing{number}")
        await open_house.ask("GET", f"/api/tables/{number}")
    assert len(await figures(open_house)) - before < 10


async def test_what_goes_wrong_inside_is_counted_and_nobody_is_told_what(
    open_house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table, (ana, *_) = await open_house.game("collection")
    ear = await open_house.ear(table, ana)

    def stumble(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("the secret of the inside")

    monkeypatch.setattr("brocante.server.rooms.handle", stumble)
    check_refusal(await ear.do("undo"), "failed")
    check_refused(await open_house.ask("POST", f"/api/tables/{table}/leave", ana), 500, "failed")
    monkeypatch.setattr("brocante.server.socket.since", stumble)
    refused = await open_house.ear(table, ana)
    assert refused.status == 500
    check_refusal(msgspec.json.decode(refused.heard[0]), "failed")
    monkeypatch.undo()
    assert open_house.errors == 3
    assert len([record for record in caplog.records if record.exc_info]) == 3
    assert b"secret of the inside" not in b"".join(open_house.sent)
    assert (await ear.do("pause"))["type"] == "news", "and everything goes on"


async def test_a_database_that_is_away_is_said_and_the_table_read_anew(
    open_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, (ana, *_) = await open_house.game("collection")
    ear = await open_house.ear(table, ana)
    before = open_house.state(table)
    monkeypatch.setattr(Storage, "append", fail)
    check_refusal(await ear.do("pause"), "storage")
    await ear.over()
    assert ear.code == frames.RESTARTING
    monkeypatch.undo()
    assert (await open_house.ear(table, ana)).is_open
    assert open_house.state(table) == before


async def test_one_who_cannot_be_shown_the_table_is_asked_to_come_back(
    open_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, (ana, *_) = await open_house.game("collection")
    monkeypatch.setattr("brocante.server.rooms.Rooms.missed", fail)
    ear = await open_house.ear(table, ana, since=0, stream=f"0-{open_house.room(table).table.seats[0].sat}")
    await ear.over()
    assert [msgspec.json.decode(one)["type"] for one in ear.heard] == ["bye"]
    assert (await figures(open_house))["brocante_connections"] == 0


# --- logs -------------------------------------------------------------------------------------------------------------


async def test_the_log_tells_what_happens_and_no_secrets(open_house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "brocante")
    table, (ana, ben) = await open_house.game("collection", options={"players": 2})
    ear = await open_house.ear(table, ana)
    await open_house.ear(table, headers={"authorization": "Bearer forged"})
    await ear.do("pause")
    await ear.do("resign")
    await ear.hang_up()
    lines = [json.loads(JsonLines().format(record)) for record in caplog.records if record.name == "brocante.server"]
    events = [line["event"] for line in lines]
    assert events == ["table opened", "game started", "connected", "refused", "game over", "left"]
    assert all({"at", "level"} <= line.keys() for line in lines)
    assert lines[1] | {"at": 0} == {
        "at": 0, "level": "info", "event": "game started", "table": table[:6], "game": "collection",
    }  # fmt: skip
    assert (lines[2]["seat"], lines[3]["code"]) == (0, "token")
    told = json.dumps(lines) + "".join(PlainLines().format(record) for record in caplog.records)
    for secret in (table, ana.id, ana.token, ben.id, ben.token, ana.name, "forged"):
        assert secret not in told


def test_a_line_of_the_log_is_one_object_whatever_is_in_it() -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError as error:
        record = logging.LogRecord("brocante", logging.ERROR, "", 1, "bad\n%s", ("thing",), (ValueError, error, None))
    record.where = "here"
    line = JsonLines().format(record)
    assert "\n" not in line
    found = json.loads(line)
    assert (found["event"], found["level"], found["where"]) == ("bad\nthing", "error", "here")
    assert "ValueError" in found["traceback"]


# --- limits -----------------------------------------------------------------------------------------------------------


async def test_whoever_asks_too_often_must_wait_and_others_need_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brocante.server.limits.REQUEST", 1e9)  # however slow this machine is
    async with house(tmp_path, rate=0.0, burst=12.0, guests_rate=0.0) as found:
        ana, ben = await found.guest("Ana"), await found.guest("Ben")
        table = await found.table(ana)
        ears = [await found.ear(table, person) for person in (ana, ben)]
        for _ in range(10):  # the table and the handshake counted too
            assert (await ears[0].ask(look={"begun": []}))["type"] == "seen"
        with found.unharmed(table):
            ears[0].say('{"id": 1, "command": {"do": "stand"}}')
            check_refusal(await ears[0].until(lambda _: True), "rate")
            assert (await ears[1].do("stand"))["code"] == "no_seat"
        check_refused(await found.ask("GET", "/api/me", ana), 429, "rate")
        assert (await found.ask("GET", "/api/me", ben)).status_code == 200


async def test_one_cannot_open_more_tables_by_asking_at_the_same_time(tmp_path: Path) -> None:
    async with house(tmp_path, tables=2) as found:
        ana = await found.guest("Ana")
        asked = [found.ask("POST", "/api/tables", ana, json={"game": "collection"}) for _ in range(8)]
        answers = await asyncio.gather(*asked)
        assert sorted(answer.status_code for answer in answers) == [201] * 2 + [429] * 6


async def test_strangers_of_one_address_have_so_many_sockets_and_no_more(tmp_path: Path) -> None:
    async with house(tmp_path, connections_each=2) as found:
        ana = await found.guest("Ana")
        table = await found.table(ana)
        ears = [await found.ear(table) for _ in range(3)]
        assert [ear.is_open for ear in ears] == [True, True, False]
        assert (await found.ear(table, ana)).is_open


async def test_one_long_message_is_no_backlog(tmp_path: Path) -> None:
    async with house(tmp_path, backlog=100) as found:
        table, (ana, *_) = await found.game("collection")
        ear = await found.ear(table, ana)
        assert len(ear.heard[0]) > 100
        assert ear.is_open


async def test_players_who_are_not_here_when_a_game_begins_are_missed(tmp_path: Path) -> None:
    async with house(tmp_path, grace=0.01) as found:
        table, _ = await found.game("collection", people=2)
        async with asyncio.timeout(20):
            while any(seat.who and not seat.away for seat in found.room(table).table.seats):
                await asyncio.sleep(0.01)


async def test_what_could_not_be_told_is_told_to_those_who_come_back(
    open_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, (ana, *_) = await open_house.game("collection")
    ear = await open_house.ear(table, ana)
    known = msgspec.json.decode(ear.heard[0])
    monkeypatch.setattr("brocante.server.broadcast.Reporter.news", fail)
    ear.say('{"id": 1, "command": {"do": "chat", "text": "hello"}}')
    await ear.over()
    monkeypatch.undo()
    again = await open_house.ear(table, ana, since=known["n"], stream=known["stream"])
    assert [event["text"] for event in msgspec.json.decode(again.heard[0])["events"]] == ["hello"]


async def test_an_address_gets_so_many_guests_and_no_more(tmp_path: Path) -> None:
    async with house(tmp_path, guests_rate=0.0) as found:
        for number in range(30):
            await found.guest(f"Guest {number}")
        refused = await found.ask("POST", "/api/guests", json={"name": "One more"})
        check_refused(refused, 429, "rate")


async def test_one_opens_so_many_tables_and_no_more(tmp_path: Path) -> None:
    async with house(tmp_path, tables=2) as found:
        ana, ben = await found.guest("Ana"), await found.guest("Ben")
        for _ in range(2):
            await found.table(ana)
        refused = await found.ask("POST", "/api/tables", ana, json={"game": "collection"})
        check_refused(refused, 429, "tables")
        await found.table(ben)


async def test_one_has_so_many_connections_and_all_together_so_many(tmp_path: Path) -> None:
    async with house(tmp_path, connections=4, connections_each=2) as found:
        ana, ben = await found.guest("Ana"), await found.guest("Ben")
        table = await found.table(ana)
        first = await found.ear(table, ana)
        await found.ear(table, ana)
        refused = await found.ear(table, ana)
        assert refused.status == 429
        check_refusal(msgspec.json.decode(refused.heard[0]), "connections")
        await first.hang_up()
        assert (await found.ear(table, ana)).is_open
        assert (await found.ear(table, ben)).is_open
        assert (await found.ear(table)).is_open
        full = await found.ear(table, ben)
        assert full.status == 503
        check_refusal(msgspec.json.decode(full.heard[0]), "full")
        found.server.announce_shutdown()
        closing = await found.ear(table, ben)
        assert (closing.status, json.loads(closing.heard[0])["code"]) == (503, "closing")


async def test_a_connection_that_is_lost_while_it_is_made_is_not_counted_for_ever(open_house: House) -> None:
    table = await open_house.table(await open_house.guest("Ana"))
    ear = Ear(open_house.app, f"/api/tables/{table}/socket", "", {}, [])
    ear.lost = True
    await ear.over()
    assert not open_house.room(table).sessions
    assert (await figures(open_house))["brocante_connections"] == 0


async def test_one_talks_so_much_and_no_more(open_house: House) -> None:
    table, (ana, *_) = await open_house.game("collection")
    ear = await open_house.ear(table, ana)
    for _ in range(5):
        assert (await ear.do("chat", text="hello"))["type"] == "news"
    check_refusal(await ear.do("chat", text="hello"), "chatty")
    open_house.time.now += 11
    assert (await ear.do("chat", text="hello"))["type"] == "news"


def test_only_so_many_addresses_are_remembered() -> None:
    buckets = Buckets(rate=0.0, burst=1.0, clock=lambda: 0.0)
    for number in range(REMEMBERED + 10):
        assert buckets.take(str(number))
    assert not buckets.take(str(REMEMBERED + 9))
    assert buckets.take("0"), "the one that was quiet the longest is forgotten"


# --- old and idle tables ----------------------------------------------------------------------------------------------


async def test_old_tables_are_swept_by_phase_and_age(open_house: House) -> None:
    ana = await open_house.guest("Ana")
    tables = {
        "open": await open_house.table(ana),
        "playing": (await open_house.game("collection"))[0],
        "over": (await ended(open_house)),
    }
    for days, left in ((1.9, {"open", "playing", "over"}), (2.1, {"playing", "over"}), (61, {"over"}), (181, set())):
        open_house.time.now = 1_800_000_000.0 + days * DAY
        await open_house.server.housekeeping.sweep()
        for phase, table in tables.items():
            answer = await open_house.ask("GET", f"/api/tables/{table}")
            assert (answer.status_code == 200) == (phase in left), (days, phase)


async def ended(house: House) -> str:
    table, (ana, _) = await house.game("collection", options={"players": 2})
    await house.done("do", table, ana, json={"do": "resign"})
    return table


async def test_those_who_are_at_a_table_that_is_swept_are_told_to_come_back(open_house: House) -> None:
    table = await open_house.table(await open_house.guest("Ana"))
    ear = await open_house.ear(table)
    open_house.time.now += 3 * DAY
    assert await open_house.server.housekeeping.sweep() == 1
    await ear.over()
    assert json.loads(ear.heard[-1])["type"] == "bye"
    assert (await open_house.ear(table)).status == 404


async def test_a_table_that_nobody_looks_at_leaves_the_memory_and_comes_back(tmp_path: Path) -> None:
    async with house(tmp_path, idle=-1.0) as found:
        quiet, (ana, *_) = await found.game("collection")
        busy, (ben, *_) = await found.game("collection")
        ear = await found.ear(busy, ben)
        before = found.state(quiet)
        found.server.housekeeping.forget_idle()
        assert (await figures(found))["brocante_tables"] == 1
        assert (await ear.ask(look={"begun": []}))["type"] == "seen"
        assert (await found.ear(quiet, ana)).is_open
        assert found.state(quiet) == before


# --- clients that behave badly, over a network ------------------------------------------------------------------------


async def test_one_who_does_not_read_is_hung_up_on_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "PATIENCE", 0.05)
    async with house(tmp_path, backlog=50_000) as found:
        table, (ana, ben, _) = await found.game("collection")
        slow, ear = await found.ear(table, ana), await found.ear(table, ben)
        slow.stalled = True
        for _ in range(40):
            await ear.do("pause")
            await ear.do("resume")
        await asyncio.wait_for(asyncio.shield(gone(slow.task)), 5)
        assert (await figures(found))["brocante_connections"] == 1
        assert len([one for one in await ear.caught_up() if b'"event":"paused"' in one]) == 40


async def test_what_is_on_the_disk_is_told_though_who_did_it_is_gone(
    open_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, (ana, ben, _) = await open_house.game("collection")
    ear, other = await open_house.ear(table, ana), await open_house.ear(table, ben)
    append, is_on_disk, may_go_on = Storage.append, asyncio.Event(), asyncio.Event()

    async def slowly(*what: Any) -> bool:
        done = await append(*what)
        is_on_disk.set()
        await may_go_on.wait()
        return done

    monkeypatch.setattr(Storage, "append", slowly)
    ear.say('{"id": 1, "command": {"do": "pause"}}')
    await is_on_disk.wait()
    ear.lost = True
    next(session for session in open_house.room(table).sessions if session.who == ana.id).send(b"{}")
    for _ in range(10):
        await asyncio.sleep(0)
    may_go_on.set()
    await ear.over()
    await other.until(lambda heard: heard["type"] == "news" and heard["events"][0]["event"] == "paused")


async def gone(task: "asyncio.Future[Any]") -> None:
    await asyncio.wait([task])


def guest_at_a_table(url: str) -> tuple[dict[str, str], str]:
    answer = httpx.post(f"{url}/api/guests", json={"name": "Ana", "token": True})
    headers = {"Authorization": f"Bearer {answer.json()['token']}"}
    table = httpx.post(f"{url}/api/tables", headers=headers, json={"game": "collection"}).json()["id"]
    return headers, f"{url.replace('http', 'ws')}/api/tables/{table}/socket"


async def test_a_real_server_survives_what_is_sent_to_it(tmp_path: Path) -> None:
    with listening(tmp_path) as (url, server):
        headers, address = await asyncio.to_thread(guest_at_a_table, url)
        async with connect(address, additional_headers=headers) as good:
            await good.recv()
            async with connect(address) as bad:
                await bad.recv()
                await bad.send('"' + "x" * 20_000 + '"')
                with pytest.raises(ConnectionClosed) as closed:
                    await bad.recv()
                assert closed.value.rcvd
                assert closed.value.rcvd.code == 1009, "too big"
            async with connect(address) as bad:
                await bad.recv()
                await bad.send(b"\x00\xff")
                assert json.loads(await bad.recv())["code"] == "binary"
            for refused_headers, status in (({"Origin": "http://["}, 403), ({"Authorization": "Bearer x"}, 401)):
                with pytest.raises(InvalidStatus) as refused:
                    await connect(address, additional_headers=refused_headers)
                assert refused.value.response.status_code == status
                assert set(json.loads(refused.value.response.body or b"")) == {"code", "says"}
            for junk in (
                b"\0\1\2\r\n\r\n",
                b"GET / HTTP/9.9\r\n\r\n",
                b"GET /x HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n",
            ):
                assert not re.search(rb"Traceback|\.py", await asyncio.to_thread(spoken, url, junk))
            await good.send('{"id": 7, "look": {"begun": []}}')
            assert json.loads(await good.recv())["id"] == 7
            assert (await asyncio.to_thread(httpx.get, f"{url}/healthz")).status_code == 200
        assert not [family for family in server.metrics.errors.collect() if family.samples]


def spoken(url: str, junk: bytes) -> bytes:
    """What a server says to bytes that are no request."""
    where = urlsplit(url)
    with socket.create_connection((where.hostname or "", where.port or 0), timeout=5) as connection:
        connection.sendall(junk)
        connection.shutdown(socket.SHUT_WR)
        said = b""
        while part := connection.recv(65_536):
            said += part
        return said


async def test_a_real_client_that_does_not_read_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "PATIENCE", 0.05)
    with listening(tmp_path, backlog=20_000) as (url, server):
        headers, address = await asyncio.to_thread(guest_at_a_table, url)
        async with connect(address, additional_headers=headers) as good:
            await good.recv()
            await good.send('{"id": 0, "command": {"do": "sit", "name": "Ana"}}')
            deaf = await asyncio.to_thread(deaf_listener, address)
            with deaf:
                for number in range(1, 4000):
                    private = "true" if number % 2 else "false"
                    await good.send(f'{{"id": {number}, "command": {{"do": "change", "private": {private}}}}}')
                    while json.loads(await good.recv()).get("done") != number:
                        pass
                    if server.metrics.connections._value.get() < 2:
                        break
                assert server.metrics.connections._value.get() == 1
            assert number > 10


def deaf_listener(address: str) -> socket.socket:
    """A client that has shaken hands, and then reads nothing."""
    where = urlsplit(address)
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect((where.hostname, where.port))
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13"
    upgrade = f"GET {where.path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{key}\r\n\r\n"
    connection.sendall(upgrade.encode())
    assert connection.recv(12).endswith(b"101")
    return connection
