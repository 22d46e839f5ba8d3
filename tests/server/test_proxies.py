"""Two processes behind TLS, as deploy/ has it for nginx and for Caddy: people play through it while a process is
started anew."""

import asyncio
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from websockets.asyncio.client import connect

from tests.server.players import dealt, told_anew
from tests.server.postgres import Postgres
from tests.server.processes import ServerProcess, processes
from tests.server.proxies import PROXIES, Proxy, certificate, nginx_command, program

#: Seconds in which a server that is told to stop has stopped.
SOON = 10.0


class Site(NamedTuple):
    proxy: Proxy
    servers: list[ServerProcess]

    @property
    def url(self) -> str:
        return self.proxy.url


@pytest.fixture(params=PROXIES, scope="module")
def running_site(
    request: pytest.FixtureRequest, postgres: Postgres, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    program(request.param)
    folder = tmp_path_factory.mktemp(request.param)
    with processes(postgres.new_database(), folder, number=2) as servers:
        for server in servers:
            asyncio.run(server.start())
        with PROXIES[request.param](folder, [server.port for server in servers]) as proxy:
            yield Site(proxy, servers)


@pytest.fixture
def site(running_site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    """The site, trusted by its certificate."""
    monkeypatch.setenv("SSL_CERT_FILE", str(running_site.proxy.authority))
    return running_site


def tables_at(server: ServerProcess) -> set[str]:
    """The tables to which somebody was connected at a process."""
    lines = [line for line in server.log.read_text().splitlines() if " connected " in line]
    return {part for line in lines for part in line.split() if part.startswith("table=")}


async def test_people_play_through_a_proxy_while_a_process_is_started_anew(site: Site) -> None:
    tables = [await dealt([site.url], "collection", ["Ana", "Ben"], seed=n, players=2) for n in range(4)]
    people = [player for table in tables for player in table]
    await asyncio.gather(*(player.play(events=20) for player in people))
    first, second = site.servers
    assert not tables_at(first) & tables_at(second), "all who are at a table are at the same process"
    first.ask_to_stop()
    assert await first.ended(within=SOON) == 0
    await asyncio.gather(*(player.play(events=30) for player in people))
    await first.start()
    await asyncio.gather(*(player.play() for player in people))
    for player in people:
        assert await told_anew(player) == player.told
        await player.hang_up()
    assert first.complaints() == second.complaints() == []


async def test_behind_tls_a_cookie_is_for_tls_alone_and_a_browser_gets_in_with_it(site: Site) -> None:
    async with httpx.AsyncClient(base_url=site.url) as client:
        answer = await client.post("/api/guests", json={"name": "Ana"}, headers={"origin": site.url})
        kept = {part.strip().lower() for part in answer.headers["set-cookie"].split(";")}
        assert {"secure", "httponly", "samesite=lax"} <= kept
        assert "max-age" in answer.headers["strict-transport-security"]
        elsewhere = {"origin": site.url.replace("https", "http")}
        assert (await client.post("/api/tables", json={"game": "collection"}, headers=elsewhere)).status_code == 403
        opened = await client.post("/api/tables", json={"game": "collection"}, headers={"origin": site.url})
        assert opened.status_code == 201
        cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    socket = f"{site.url.replace('https', 'wss')}/api/tables/{opened.json()['id']}/socket"
    async with connect(socket, origin=site.url, additional_headers={"cookie": cookie}, proxy=None) as connection:  # type: ignore[arg-type]
        assert '"host":true' in str(await connection.recv(decode=True)).replace(" ", "")


async def test_the_figures_are_not_for_those_who_come_through_a_proxy(site: Site) -> None:
    async with httpx.AsyncClient(base_url=site.url) as client:
        answer = await client.get("/metrics")
    assert answer.status_code == 403
    assert "brocante_" not in answer.text


async def test_the_site_is_nowhere_without_tls(site: Site) -> None:
    async with httpx.AsyncClient() as client:
        answer = await client.get(f"{site.proxy.unencrypted}/rules/port?lang=fr", headers={"host": "localhost"})
    assert answer.status_code in (301, 308)
    assert answer.headers["location"].startswith("https://localhost")
    assert answer.headers["location"].endswith("/rules/port?lang=fr")


def test_nginx_takes_its_configuration(tmp_path: Path) -> None:
    certificate(tmp_path)
    checked = subprocess.run(
        [*nginx_command(tmp_path, (443, 80), [8000, 8001]), "-t"], cwd=tmp_path, capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stderr
    assert "[warn]" not in checked.stderr


def test_caddy_takes_its_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE", "brocante.example")
    file = Path(__file__).parents[2] / "deploy" / "Caddyfile"
    checked = subprocess.run(
        [program("caddy"), "validate", "--adapter", "caddyfile", "--config", file], capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stderr
    formatted = subprocess.run([program("caddy"), "fmt", file], capture_output=True, text=True, check=True)
    assert formatted.stdout == file.read_text()
