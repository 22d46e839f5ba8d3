"""The HTTP side: what is answered, in which language, with which headers; and that nothing else is."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest
from starlette.requests import Request
from starlette.types import Message, Scope
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

import brocante
from brocante.engine.text import read_catalogue
from brocante.server.http import handle_request
from brocante.server.http_handlers.tables import qr_code
from brocante.server.identity import COOKIE
from brocante.server.markdown import pictures_of, rules_as_html
from brocante.server.pages import page
from brocante.server.routes import ROUTES
from brocante.table import fair
from tests.server.asking import SITE, House, check_refused, house


@pytest.fixture
async def open_house(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path) as found:
        yield found


async def test_a_client_that_leaves_in_the_middle_of_a_request_is_no_error_of_ours(
    open_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    async def leave() -> Message:
        return {"type": "http.disconnect"}

    guests = next(endpoint for endpoint in ROUTES if endpoint.path == "/api/guests")
    scope: Scope = {"type": "http", "method": "POST", "path": guests.path, "headers": [], "query_string": b""}
    answer = await handle_request(open_house.server, guests, Request(scope, leave))
    assert answer.status_code == 400
    assert not caplog.records


# --- what is answered -------------------------------------------------------------------------------------------------


async def test_the_games_are_told_with_their_options_in_the_language_of_who_asks(open_house: House) -> None:
    english = (await open_house.ask("GET", "/api/games")).json()
    french = (await open_house.ask("GET", "/api/games", headers={"accept-language": "fr-CA,en;q=0.5"})).json()
    assert [game["slug"] for game in english] == list(brocante.GAMES)
    assert all(one["blurb"] != other["blurb"] for one, other in zip(english, french, strict=True))
    for game in english:
        names = [option["name"] for option in game["options"]]
        assert "players" in names
        assert not {"deck", "board"} & set(names), "files cannot be brought to a live table"
        assert "random" in game["bots"]


async def test_the_rules_can_be_read_in_both_languages(open_house: House) -> None:
    for code, word in (("en", "rules"), ("fr", "règles")):
        page = await open_house.ask("GET", f"/api/games/vinto/rules?lang={code}")
        assert page.headers["content-type"] == "text/plain; charset=utf-8"
        assert word in page.text.lower()
    for name in ("nothing", "VINTO", "vinto%00"):
        check_refused(await open_house.ask("GET", f"/api/games/{name}/rules"), 404, "no_game")


async def test_a_game_can_be_played_by_http_alone_and_its_record_checked(open_house: House, tmp_path: Path) -> None:
    table, (ana, ben) = await open_house.game("collection", options={"players": 2})
    check_refused(await open_house.ask("GET", f"/api/tables/{table}/record", ana), 409, "not_finished")
    while (game := open_house.room(table).table.game) and not game.is_over:
        actor, move = (ana, ben)[game.actor], game.legal_moves[-1].line()
        assert (await open_house.ask("GET", f"/api/tables/{table}/view", actor)).json()["offers"]
        await open_house.done("do", table, actor, json={"do": "move", "move": move, "step": len(game.steps)})
    record = await open_house.ask("GET", f"/api/tables/{table}/record")
    (tmp_path / "game.jsonl").write_bytes(record.content)
    assert fair.verify(tmp_path / "game.jsonl").game.is_over
    for number in ("0", "2", "99999999", "x", "-1"):
        asked = f"/api/tables/{table}/record?game={number}"
        check_refused(await open_house.ask("GET", asked), 404, "no_record")


async def test_answers_are_not_kept_by_anyone_on_the_way(open_house: House) -> None:
    for path in ("/healthz", "/api/games", "/api/nothing", "/api/tables", "/api/me"):
        headers = (await open_house.ask("GET", path)).headers
        assert (headers["cache-control"], headers["x-content-type-options"]) == ("no-store", "nosniff")


async def test_only_the_head_is_answered_where_only_that_is_asked_for(open_house: House) -> None:
    answer = await open_house.ask("HEAD", "/api/games")
    assert (answer.status_code, answer.content) == (200, b"")


# --- what there is not ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["en", "fr"])
@pytest.mark.parametrize(
    "path",
    ["/api", "/api/", "/api/tables/", "/healthz/", "/api/%2e%2e/healthz", "/api/tables/x/y", "/%00", "/a" * 4000],
)
async def test_there_is_nothing_at_other_addresses(open_house: House, path: str, code: str) -> None:
    answer = await open_house.ask("GET", path, headers={"accept-language": code})
    check_refused(answer, 404, "no_path")
    assert ("Il n’y a rien" in answer.text) == (code == "fr")


async def test_a_socket_is_no_page_and_a_page_no_socket(open_house: House) -> None:
    table = await open_house.table(await open_house.guest("Ana"))
    check_refused(await open_house.ask("GET", f"/api/tables/{table}/socket"), 404, "no_path")
    ear = await open_house.ear(f"{table}/nothing")
    assert not ear.is_open


@pytest.mark.parametrize("path", sorted({endpoint.path for endpoint in ROUTES}))
async def test_an_address_does_only_what_it_is_for(open_house: House, path: str) -> None:
    known = {endpoint.method for endpoint in ROUTES if endpoint.path == path}
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "NONSENSE"} - known:
        answer = await open_house.ask(method, path)
        check_refused(answer, 405, "no_method")
        assert set(answer.headers["allow"].replace(" ", "").split(",")) >= known


@pytest.mark.parametrize(
    "query", ["phase=none", "phase=", "phase=open%00", "phase=OPEN"], ids=lambda query: query.replace("%", "")
)
async def test_a_phase_that_is_none_is_refused(open_house: House, query: str) -> None:
    check_refused(await open_house.ask("GET", f"/api/tables?{query}"), 400, "phase")


@pytest.mark.parametrize(
    ("query", "code"), [({"since": "x"}, "since"), ({"since": "9" * 16}, "since"), ({"detail": "all"}, "detail")]
)
async def test_a_handshake_that_asks_for_what_there_is_not_is_refused(
    open_house: House, query: dict[str, Any], code: str
) -> None:
    table = await open_house.table(await open_house.guest("Ana"))
    ear = await open_house.ear(table, **query)
    assert (ear.status, ear.is_open) == (400, False)
    assert f'"code":"{code}"'.encode() in ear.heard[0]


async def test_a_socket_at_no_table_is_refused_as_a_page_would_be(open_house: House) -> None:
    for name in ("x" * 16, "x", "\0"):
        ear = await open_house.ear(name)
        assert ear.status == 404
        assert b'"code":"no_table"' in ear.heard[0]


# --- bodies -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/api/guests", "/api/tables", "/healthz"])
async def test_long_bodies_are_refused_whatever_they_say_of_their_length(open_house: House, path: str) -> None:
    ana = await open_house.guest("Ana")
    method = "GET" if path == "/healthz" else "POST"
    taken = 0

    async def parts() -> AsyncIterator[bytes]:
        nonlocal taken
        for _ in range(1000):
            taken += 1
            yield b" " * 1000

    check_refused(await open_house.ask(method, path, ana, content=b" " * 65_537), 413, "too_long")
    check_refused(await open_house.ask(method, path, ana, content=parts()), 413, "too_long")
    if path != "/healthz":
        check_refused(await open_house.ask(method, path, ana, content=b" " * 65_536), 400, "unreadable")


async def test_names_are_cleaned_and_empty_ones_refused(open_house: House) -> None:
    for name in ("", " ", "\0\u202e", "\ufffe"):
        check_refused(await open_house.ask("POST", "/api/guests", json={"name": name}), 400, "name")
    ana = await open_house.guest("A\u202en\0a\n B")
    assert (await open_house.ask("GET", "/api/me", ana)).json() == {"name": "Ana B"}


# --- cookies ----------------------------------------------------------------------------------------------------------


def parts_of(cookie: str) -> set[str]:
    return {part.strip().lower().partition("=")[0] for part in cookie.split(";")}


async def test_the_cookie_is_for_this_site_alone_and_not_for_scripts(open_house: House) -> None:
    answer = await open_house.ask("POST", "/api/guests", json={"name": "Ana"}, headers={"origin": SITE})
    assert answer.json() == {"name": "Ana"}, "a browser needs no token that a script can read"
    cookie = answer.headers["set-cookie"]
    assert {"httponly", "samesite", "max-age", "path"} <= parts_of(cookie)
    assert "samesite=lax" in cookie.lower()
    assert "secure" not in parts_of(cookie)
    token = cookie.partition("=")[2].partition(";")[0]
    kept = {"cookie": f"{COOKIE}={token}", "origin": SITE}
    renewed = await open_house.ask("GET", "/api/me", headers=kept)
    assert renewed.headers["set-cookie"].startswith(f"{COOKIE}=")
    gone = await open_house.ask("DELETE", "/api/me", headers=kept)
    assert "max-age=0" in gone.headers["set-cookie"].lower()


async def test_a_browser_that_is_somebody_stays_that_one_whatever_its_tabs_do(open_house: House) -> None:
    first = await open_house.ask("POST", "/api/guests", json={"name": "Ana"}, headers={"origin": SITE})
    kept = {"cookie": first.headers["set-cookie"].partition(";")[0], "origin": SITE}
    table = (await open_house.ask("POST", "/api/tables", json={"game": "collection"}, headers=kept)).json()["id"]
    await open_house.ask("POST", f"/api/tables/{table}/join", json={}, headers=kept)
    second = await open_house.ask("POST", "/api/guests", json={"name": "Ana B."}, headers=kept)
    again = {"cookie": second.headers["set-cookie"].partition(";")[0]}
    assert second.json() == {"name": "Ana B."}
    assert (await open_house.ask("GET", f"/api/tables/{table}", headers=again)).json()["you"]["seat"] == 0


@pytest.mark.parametrize(("proxy", "is_secure"), [("127.0.0.1", True), ("192.0.2.7", False)])
async def test_the_cookie_is_secure_behind_tls_if_a_proxy_that_is_trusted_says_so(
    open_house: House, proxy: str, is_secure: bool
) -> None:
    app = ProxyHeadersMiddleware(open_house.app, trusted_hosts="127.0.0.1")  # type: ignore[arg-type]
    transport = httpx.ASGITransport(app, client=(proxy, 1))  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url=SITE) as client:
        headers = {"x-forwarded-proto": "https", "origin": SITE.replace("http", "https" if is_secure else "http")}
        answer = await client.post("/api/guests", json={"name": "Ana"}, headers=headers)
    assert ("secure" in parts_of(answer.headers["set-cookie"])) == is_secure


# --- for the page -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["en", "fr"])
@pytest.mark.parametrize("game", brocante.GAMES)
async def test_the_rules_can_be_had_as_a_piece_of_a_page(open_house: House, game: str, code: str) -> None:
    answer = await open_house.ask("GET", f"/api/games/{game}/rules?as=html&lang={code}")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    rules = ElementTree.fromstring(f"<rules>{answer.text}</rules>")
    headings = [part for part in rules if re.fullmatch(r"h\d", part.tag)]
    anchors = [heading.get("id") for heading in headings]
    assert rules.find("h1") is None, "the page has its own"
    assert rules.find("h2") is headings[0]
    assert all(anchors)
    assert len(set(anchors)) == len(anchors)
    assert {part.tag for part in rules.iter()} & {"script", "style", "img", "iframe"} == set()
    assert not any("style" in part.attrib for part in rules.iter()), "which the page does not allow"
    check_refused(await open_house.ask("GET", f"/api/games/{game}/rules?as=pdf"), 400, "as")


@pytest.mark.parametrize("code", ["en", "fr"])
@pytest.mark.parametrize("game", brocante.GAMES)
def test_every_clause_has_an_anchor_and_its_pictures_are_drawn(game: str, code: str) -> None:
    box = brocante.box(game)
    rules = ElementTree.fromstring(f"<rules>{rules_as_html(game, code)}</rules>")
    clauses = [part.get("id", "") for part in rules.iter("span") if part.get("class") == "clause"]
    words = "".join(map(str, read_catalogue(box.folder / "locale" / f"{code}.toml").values()))
    named = set(re.findall(r"[(, ]([A-Z]\d+(?:\.\d+)?[a-z]?)(?=[,)])", words))
    assert named
    assert named <= set(clauses), "what a message names can be looked up"
    assert len(set(clauses)) == len(clauses)
    pictures = [part for part in rules.iter("span") if part.get("class") == "pictures"]
    assert len(pictures) == len(pictures_of(box)), "every clause with pictures is in the rules"
    names = {name for part in pictures for name in part.get("data-art", "").split()}
    assert names <= {file.stem for file in (box.folder / "art").glob("*.svg")}


async def test_the_link_of_a_table_can_be_had_as_a_picture(open_house: House) -> None:
    table = await open_house.table(await open_house.guest("Ana"))
    answer = await open_house.ask("GET", f"/api/tables/{table}/qr")
    assert answer.headers["content-type"] == "image/svg+xml"
    picture = ElementTree.fromstring(answer.text)
    assert picture.tag.endswith("svg")
    assert picture.get("viewBox") == "0 0 37 37", "29 modules for so long a link, and a margin of 4 on each side"
    elsewhere = await open_house.ask("GET", f"/api/tables/{table}/qr", headers={"host": "elsewhere.example"})
    assert elsewhere.text != answer.text
    long = await open_house.ask("GET", f"/api/tables/{table}/qr", headers={"host": "a" * 3000})
    check_refused(long, 413, "too_long")
    check_refused(await open_house.ask("GET", "/api/tables/nothing/qr"), 404, "no_table")


async def test_the_link_leads_to_where_the_browser_is_behind_a_proxy_with_tls(open_house: House) -> None:
    table, drawn = await open_house.table(await open_house.guest("Ana")), []
    app = ProxyHeadersMiddleware(open_house.app, trusted_hosts="*")  # type: ignore[arg-type]
    transport = httpx.ASGITransport(app)  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url=SITE) as client:
        for headers in ({}, {"x-forwarded-proto": "https"}):
            drawn.append((await client.get(f"/api/tables/{table}/qr", headers=headers)).content)
    for link, picture in zip((SITE, SITE.replace("http", "https")), drawn, strict=True):
        assert picture == qr_code(f"{link}/tables/{table}")


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("127.0.0.1:8000", True),
        ("localhost", True),
        ("[::1]:80", True),
        ("192.168.1.7", False),
        ("games.example", False),
    ],
)
async def test_the_server_says_whether_its_links_lead_to_this_machine_only(
    open_house: House, host: str, loopback: bool
) -> None:
    answer = await open_house.ask("GET", "/api/server", headers={"host": host})
    assert answer.json() == {
        "brocante": brocante.__version__,
        "page": page().version,
        "loopback": loopback,
        "announcement": "",
    }
