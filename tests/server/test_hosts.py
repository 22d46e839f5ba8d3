"""A server at a loopback address believes nobody who comes by the name of another site; behind a web server with TLS it
is told its name, and pages come by the scheme that their readers see."""

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from brocante.server.hosts import hosts_at, name_in
from brocante.server.identity import COOKIE
from tests.server.asking import check_refusal, check_refused, house
from tests.server.processes import processes
from tests.server.serving import served

#: What a browser shows as the site when a page of it has its own name lead to this machine.
REBOUND = ("evil.test", "evil.test:8000", "127.0.0.1.evil.test", "localhost.evil.test", "evil.test:80:80", "")
OWN = ("localhost", "localhost:8000", "LOCALHOST.", "127.0.0.1:1", "127.8.9.1", "[::1]:8000", "[::1]")
#: As a web server with TLS in front passes a request on, and a page of it.
BEHIND_TLS = {"host": "brocante.example", "x-forwarded-proto": "https"}
ITS_PAGE = {"origin": "https://brocante.example"}


@pytest.fixture(scope="module")
def at_loopback(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("loopback"), hosts=hosts_at("127.0.0.1", "")) as url:
        yield url


@pytest.fixture(scope="module")
def behind_tls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("tls"), hosts=hosts_at("127.0.0.1", "other.example, Brocante.Example")) as url:
        yield url


def handshake(url: str, headers: dict[str, str]) -> tuple[int, dict[str, Any]]:
    """The status of a handshake and, if it is refused, the refusal."""

    async def shake() -> tuple[int, dict[str, Any]]:
        # The last Host header would be a second one: the client sends its own by the address.
        others = {name: value for name, value in headers.items() if name != "host"}
        address = url.replace("http", "ws") + "/api/tables/AAAAAAAAAAAAAAAA/socket"
        host, _, port = url.removeprefix("http://").partition(":")
        named = address.replace(f"{host}:{port}", headers["host"])
        try:
            async with connect(named, host=host, port=int(port), additional_headers=others):
                return 101, {}
        except InvalidStatus as error:
            return error.response.status_code, msgspec.json.decode(error.response.body or b"{}")

    return asyncio.run(shake())


@pytest.mark.parametrize("host", REBOUND)
@pytest.mark.parametrize("path", ["/", "/api/games", "/metrics", "/healthz", "/web/x/main.js", "/nowhere"])
def test_a_page_whose_name_was_made_to_lead_here_is_told_nothing(at_loopback: str, host: str, path: str) -> None:
    check_refused(httpx.get(at_loopback + path, headers={"host": host}), 421, "host")


def test_it_becomes_no_guest_opens_no_socket_and_is_told_what_to_set(at_loopback: str) -> None:
    evil = {"host": "evil.test", "origin": "http://evil.test"}
    refused = httpx.post(f"{at_loopback}/api/guests", headers=evil, json={"name": "Eve"})
    check_refused(refused, 421, "host")
    assert '"evil.test"' in refused.json()["says"]
    assert "BROCANTE_HOSTS" in refused.json()["says"]
    french = httpx.get(f"{at_loopback}/", headers={**evil, "accept-language": "fr"})
    assert french.json()["says"].startswith("Ce serveur ne répond pas au nom")
    status, refusal = handshake(at_loopback, evil)
    assert status == 421
    check_refusal(refusal, "host")


def test_whoever_forgot_the_name_reads_of_it_in_the_log(at_loopback: str, caplog: pytest.LogCaptureFixture) -> None:
    """A web server in front passes it on: nobody gets in, and only the log can say why."""
    caplog.set_level("INFO", logger="brocante.server")
    forgotten = {"host": "brocante.example", "x-forwarded-for": "198.51.100.1"}
    for _ in range(50):
        httpx.get(at_loopback, headers=forgotten)
    handshake(at_loopback, {**forgotten, "x-forwarded-for": "198.51.100.2"})
    lines = [vars(record) for record in caplog.records if record.getMessage() == "refused"]
    assert 1 <= len(lines) <= 7, "and not one for each"
    for line in lines:
        assert (line["status"], line["code"]) == (421, "host")
        assert "brocante.example" in line["problem"]
        assert "BROCANTE_HOSTS" in line["problem"]
    assert [lines[0]["address"], lines[-1]["address"]] == ["198.51.100.1", "198.51.100.2"]


@pytest.mark.parametrize("hosts", ["Host: localhost\r\nHost: evil.test\r\n", ""])
def test_two_names_are_none_and_so_is_no_name(at_loopback: str, hosts: str) -> None:
    host, _, port = at_loopback.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(f"GET /metrics HTTP/1.0\r\n{hosts}\r\n".encode())
        assert connection.recv(4096).startswith(b"HTTP/1.1 421")


@pytest.mark.parametrize("host", OWN)
def test_loopback_is_asked_by_any_of_its_own_names(at_loopback: str, host: str) -> None:
    headers = {"host": host, "origin": f"http://{host}"}
    assert httpx.get(at_loopback, headers=headers).status_code == 200
    assert httpx.post(f"{at_loopback}/api/guests", headers=headers, json={"name": "Ana"}).status_code == 201
    assert handshake(at_loopback, {"host": "localhost"})[0] == 404, "there is no such table, but it was asked"


def test_a_server_behind_tls_goes_by_the_name_that_it_was_given(behind_tls: str) -> None:
    page = httpx.get(behind_tls, headers=BEHIND_TLS)
    assert page.status_code == 200
    assert page.headers["strict-transport-security"] == "max-age=31536000"
    guest = httpx.post(f"{behind_tls}/api/guests", headers={**BEHIND_TLS, **ITS_PAGE}, json={"name": "Ana"})
    assert guest.status_code == 201
    assert "secure" in guest.headers["set-cookie"].lower()
    assert "strict-transport-security" in guest.headers
    cookie = {"cookie": f"{COOKIE}={guest.cookies[COOKIE]}"}
    assert handshake(behind_tls, {**BEHIND_TLS, **ITS_PAGE, **cookie})[0] == 404
    assert httpx.get(f"{behind_tls}/healthz").status_code == 200, "this machine may always ask"
    check_refused(httpx.get(behind_tls, headers={**BEHIND_TLS, "host": "evil.example"}), 421, "host")


def test_a_page_asks_by_the_scheme_by_which_it_was_loaded(behind_tls: str) -> None:
    plain = {"host": "brocante.example"}
    for headers, origin in ((plain, "https://brocante.example"), (BEHIND_TLS, "http://brocante.example")):
        refused = httpx.post(f"{behind_tls}/api/guests", headers={**headers, "origin": origin}, json={"name": "Eve"})
        check_refused(refused, 403, "scheme")
        assert "X-Forwarded-Proto" in refused.json()["says"]
        status, refusal = handshake(behind_tls, {**headers, "origin": origin})
        assert status == 403
        check_refusal(refusal, "scheme")


def test_without_tls_browsers_are_not_told_to_insist_on_it(at_loopback: str) -> None:
    assert "strict-transport-security" not in httpx.get(at_loopback).headers


async def test_a_server_that_was_just_started_answers_to_loopback_alone(tmp_path: Path) -> None:
    with processes(str(tmp_path / "tables.db"), tmp_path) as [server]:
        await server.start()
        check_refused(httpx.get(server.url, headers={"host": "evil.test"}), 421, "host")
        assert httpx.get(server.url.replace("127.0.0.1", "localhost")).status_code == 200


def test_elsewhere_people_use_whatever_name_they_know_the_machine_by() -> None:
    assert hosts_at("0.0.0.0", "") == hosts_at("192.0.2.7", "") == hosts_at("::", "") == "*"
    assert hosts_at("127.0.0.1", "") == hosts_at("::1", "") == "localhost"
    assert hosts_at("0.0.0.0", "club.test") == "club.test"


async def test_an_operator_can_pin_the_name_anywhere_or_let_any_be_used(tmp_path: Path) -> None:
    async with house(tmp_path, hosts="club.test") as found:
        check_refused(await found.ask("GET", "/", headers={"host": "evil.test"}), 421, "host")
        assert (await found.ask("GET", "/", headers={"host": "club.test:8000"})).status_code == 200
    async with house(tmp_path, hosts="*") as found:
        assert (await found.ask("GET", "/")).status_code == 200


@pytest.mark.parametrize("host", ["a b", "a@b", "[::1", "::1", "a/b", "[::1]x", "[evil.test]"])
def test_what_is_no_host_names_none(host: str) -> None:
    assert name_in(host) == ""
