"""The page as a browser asks for it: what there is, in which language, for how long it keeps; and nothing else."""

import asyncio
import gzip
import json
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import brotli
import pytest

from brocante.games import GAMES
from brocante.server import pages
from brocante.server.pages import PRECAUTIONS, Page, page
from tests.server.asking import House, check_refused, house
from tests.web.javascript import literals

PATHS = ["/", "/tables/abcdefghijklmnop", "/tables/abcdefghijklmnop/games/1", "/learn/vinto", "/rules/port"]
SCRIPTS = [*sorted(pages.WEB.rglob("*.js")), *sorted(pages.BROCANTE.glob("games/*/web/*.js"))]
BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
SVG = "{http://www.w3.org/2000/svg}"
LAMP = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 4" fill="none">\n  <path d="M0 0"/>\n</svg>'


@pytest.fixture
async def open_house(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path) as found:
        yield found


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A page of a few files, with a game."""
    files = {
        "web/index.html": '<html lang="{lang}">{modules}</html>',
        "web/manifest.webmanifest": '{"icons": [{"src": "/web/{version}/icon.png"}]}',
        "web/main.js": 'import { h } from "./parts/dom.js";\nimport("./parts/later.js");',
        "web/parts/dom.js": "export const h = 1;",
        "web/parts/later.js": "export {};",
        "web/notes.txt": "for nobody",
        "web/art/lamp.svg": LAMP,
        "web/words/fr.toml": 'new = "Nouveau !"\n[cards]\nmany = { one = "{n} carte", other = "{n} cartes" }',
        "games/vinto/web/table.js": "export {};",
        "games/vinto/rules.py": "secret = 1",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def read(folder: Path) -> Page:
    return Page(folder / "web", {game: folder / "games" / game for game in GAMES})


def text(page: Page, path: str) -> str:
    return page.pieces[path].body.decode()


# --- the page ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PATHS)
async def test_the_page_is_at_every_address_that_people_are_given(open_house: House, path: str) -> None:
    answer = await open_house.ask("GET", path, headers=BROWSER)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert f"/web/{page().version}/main.js" in answer.text
    head = await open_house.ask("HEAD", path)
    assert (head.status_code, head.content) == (200, b"")
    check_refused(await open_house.ask("POST", path), 405, "no_method")


@pytest.mark.parametrize(
    ("asked", "header", "code"),
    [("", "fr-CA,en;q=0.5", "fr"), ("?lang=fr", "en", "fr"), ("?lang=en", "fr", "en"), ("?lang=xx", "de", "en")],
)
async def test_the_page_is_in_the_language_of_who_asks(open_house: House, asked: str, header: str, code: str) -> None:
    answer = await open_house.ask("GET", f"/{asked}", headers={"accept-language": header})
    assert f'<html lang="{code}"' in answer.text
    assert "accept-language" in answer.headers["vary"]


async def test_the_page_is_asked_for_every_time_and_sent_only_when_it_has_changed(open_house: House) -> None:
    first = await open_house.ask("GET", "/")
    assert first.headers["cache-control"] == "no-cache"
    again = await open_house.ask("GET", "/", headers={"if-none-match": f'"other", {first.headers["etag"]}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    french = await open_house.ask("GET", "/?lang=fr", headers={"if-none-match": first.headers["etag"]})
    assert french.status_code == 200


async def test_everything_that_the_page_names_is_there(open_house: House) -> None:
    shell = (await open_house.ask("GET", "/")).text
    manifest = await open_house.ask("GET", "/manifest.webmanifest")
    assert manifest.headers["content-type"] == "application/manifest+json"
    icons = [icon["src"] for icon in manifest.json()["icons"]]
    for path in [*re.findall(r'(?:href|src)="(/[^"]+)"', shell), *icons]:
        answer = await open_house.ask("GET", path)
        assert answer.status_code == 200, path
    assert (await open_house.ask("GET", "/favicon.svg")).headers["content-type"] == "image/svg+xml"


async def test_a_browser_is_kept_to_what_we_send_it(open_house: House) -> None:
    for path in ["/", "/tables/x", "/favicon.svg", "/api/games/vinto/rules?as=html"]:
        headers = (await open_house.ask("GET", path, headers=BROWSER)).headers
        assert {name: headers[name] for name in PRECAUTIONS} == PRECAUTIONS
    for path in [f"/web/{page().version}/main.js", "/nothing", "/api/games", "/api/nothing"]:
        assert (await open_house.ask("GET", path)).headers["x-content-type-options"] == "nosniff"
    for path in ["/", "/tables/x", "/rules/port", "/nothing"]:
        headers = (await open_house.ask("GET", path, headers=BROWSER)).headers
        assert "camera=(), clipboard-read=()," in headers["permissions-policy"]
    policy = PRECAUTIONS["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert "unsafe" not in policy
    for code in ("en", "fr"):
        shell = page().shell(code).body.decode()
        assert not re.search(r"<style|style=|\son\w+=|<script(?![^>]*\ssrc=)|https?://", shell), "nothing stands inline"


async def test_a_person_who_is_lost_gets_the_page_and_a_program_a_sentence(open_house: House) -> None:
    for path in ("/nothing", "/tables/", "/tables/x/y", "/web/old/main.js", "/%00"):
        person = await open_house.ask("GET", path, headers=BROWSER)
        assert (person.status_code, person.headers["content-type"]) == (404, "text/html; charset=utf-8")
        assert person.content == (await open_house.ask("GET", "/")).content
        check_refused(await open_house.ask("GET", path), 404, "no_path")
    check_refused(await open_house.ask("POST", "/nothing", headers=BROWSER), 404, "no_path")


# --- its pieces -------------------------------------------------------------------------------------------------------


async def test_pieces_are_kept_for_ever_and_sent_packed_to_those_who_can_unpack_them(open_house: House) -> None:
    kinds = {
        "main.js": "text/javascript",
        "art.svg": "image/svg+xml",
        "words/fr.json": "application/json",
        "games/antiques/art.svg": "image/svg+xml",
    }
    for name, kind in kinds.items():
        path = f"/web/{page().version}/{name}"
        plain = await open_house.ask("GET", path, headers={"accept-encoding": "identity"})
        assert (plain.status_code, plain.headers["content-type"]) == (200, kind)
        assert plain.headers["cache-control"] == "max-age=31536000, immutable"
        assert plain.headers["vary"] == "accept-encoding", "it is the same for every language"
        assert "content-encoding" not in plain.headers
        packed = await open_house.ask("GET", path, headers={"accept-encoding": "deflate, gzip"})
        assert (packed.headers["content-encoding"], packed.content) == ("gzip", plain.content)
        assert int(packed.headers["content-length"]) < len(plain.content)
        assert gzip.decompress(page().pieces[name].packed) == plain.content
        head = await open_house.ask("HEAD", path, headers={"accept-encoding": "identity"})
        assert (head.content, head.headers["content-length"]) == (b"", str(len(plain.content)))


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_scripts_are_sent_without_comments_and_say_the_same(file: Path) -> None:
    sent = pages.without_comments(file).decode()
    assert literals(sent) == literals(file.read_text()), "also on the same lines"
    assert not re.search(r"^\s*(/\*\*$|//)", sent, re.MULTILINE)


def test_a_file_is_sent_as_gzip_makes_it_until_brotli_has_made_less_of_it() -> None:
    piece = pages.Piece(b"export const words = 'a market of words';\n" * 40, "text/javascript")
    assert piece.encoded("gzip, br") == (piece.packed, "gzip")
    piece.repack()
    smaller, encoding = piece.encoded("gzip, br")
    assert (encoding, brotli.decompress(smaller)) == ("br", piece.body)
    assert len(smaller) < len(piece.packed)
    assert piece.encoded("gzip, br;q=0") == (piece.packed, "gzip")
    assert piece.encoded("identity") == (piece.body, "")


def test_what_is_packed_already_stays_as_it_is() -> None:
    picture = pages.Piece(b"a picture", pages.PNG)
    picture.repack()
    assert picture.encoded("gzip, br") == (b"a picture", "")


async def test_whoever_comes_has_files_packed_that_are_not_yet_as_small_as_can_be(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after the page was read again, as happens to those who work on it."""
    monkeypatch.setattr(pages, "REPACK_AFTER", 0.0)
    visited = asyncio.Event()
    packing = asyncio.create_task(pages.repack(visited))
    for _ in range(2):
        fresh = read(small)
        monkeypatch.setattr(pages, "page", lambda fresh=fresh: fresh)
        visited.set()
        async with asyncio.timeout(60):
            while not all(piece.is_repacked for piece in fresh.pieces.values()):
                await asyncio.sleep(0.01)
    packing.cancel()


async def test_the_typeface_is_sent_as_it_is_and_may_be_used(open_house: House) -> None:
    font = await open_house.ask("GET", f"/web/{page().version}/fonts/jost-bold.woff2")
    assert (font.content[:4], font.headers["content-type"]) == (b"wOF2", "font/woff2")
    assert "content-encoding" not in font.headers, "it is packed already"
    assert "immutable" in font.headers["cache-control"]
    assert "font-src 'self'" in (await open_house.ask("GET", "/")).headers["content-security-policy"]


@pytest.mark.parametrize(
    ("accepted", "can"),
    [("gzip", True), ("br, GZIP;q=0.5", True), ("gzip; q=1.0", True), ("gzip;q=0", False), ("gzip;q=0.0", False),
     ("", False), ("deflate", False), ("notgzip", False)],
)  # fmt: skip
def test_what_is_accepted_is_read_as_it_is_meant(accepted: str, can: bool) -> None:
    assert pages.can_unpack(accepted) == can


@pytest.mark.parametrize(
    "path",
    ["../server/config.py", "../../pyproject.toml", "..%2fserver%2fconfig.py", "%2e%2e/server/config.py", "index.html",
     "..%5cserver%5cconfig.py", "/etc/passwd", "%2fetc%2fpasswd", "main.js%00", "main.js/", "words/fr.toml", "words/",
     "games/vinto/rules.py", "games/vinto/../port/table.js", "games/vinto/web/table.js", "games/nothing/art.svg", ""],
)  # fmt: skip
async def test_no_path_leads_anywhere_else(open_house: House, path: str) -> None:
    answer = await asked_as_it_stands(open_house, f"/web/{page().version}/{path}")
    assert answer == 404


async def asked_as_it_stands(open_house: House, path: str) -> int:
    """The status of an answer to a request for a path that no client has tidied up."""
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": unquote(path), "raw_path": path.encode(), "query_string": b"",
             "headers": [], "root_path": "", "scheme": "http", "client": ("192.0.2.1", 5000)}  # fmt: skip
    await open_house.app(scope, receive, send)
    return int(sent[0]["status"])


async def test_another_version_is_not_there(open_house: House) -> None:
    for version in ("old", page().version[:-1], page().version.upper() + "x"):
        check_refused(await open_house.ask("GET", f"/web/{version}/main.js"), 404, "no_path")


def test_a_link_among_the_files_leads_nowhere(small: Path) -> None:
    (small / "secret.js").write_text("secret")
    (small / "secrets").mkdir()
    (small / "secrets" / "more.js").write_text("secret")
    (small / "web" / "stolen.js").symlink_to(small / "secret.js")
    (small / "web" / "folder").symlink_to(small / "secrets", target_is_directory=True)
    assert not [path for path, piece in read(small).pieces.items() if b"secret" in piece.body]


def test_the_files_of_the_page_and_of_its_games_are_pieces_and_no_others(small: Path) -> None:
    sprites = {f"games/{game}/art.svg" for game in GAMES}
    assert set(read(small).pieces) == sprites | {
        "main.js", "parts/dom.js", "parts/later.js", "art.svg", "art/lamp.svg", "words/fr.json", "games/vinto/table.js"
    }  # fmt: skip


def test_the_page_names_the_modules_with_which_people_begin_before_they_are_asked_for(small: Path) -> None:
    small_page = read(small)
    named = re.findall(r'<link rel="modulepreload" href="/web/(\w+)/([^"]+)">', small_page.shell("fr").body.decode())
    assert named == [(small_page.version, "main.js"), (small_page.version, "parts/dom.js")]
    assert json.loads(small_page.manifest("en").body)["icons"][0]["src"] == f"/web/{small_page.version}/icon.png"


@pytest.mark.parametrize(
    "name",
    ["web/main.js", "web/index.html", "web/manifest.webmanifest", "web/words/en.toml", "games/port/web/table.css"],
)
def test_the_version_changes_with_every_file_and_with_nothing_else(small: Path, name: str) -> None:
    before = read(small).version
    assert read(small).version == before
    (small / name).parent.mkdir(parents=True, exist_ok=True)
    (small / name).write_text("")
    assert read(small).version != before


def test_all_drawings_of_a_folder_are_symbols_of_one(small: Path) -> None:
    (symbol,) = ElementTree.fromstring(text(read(small), "art.svg"))
    assert (symbol.tag, symbol.attrib) == (f"{SVG}symbol", {"id": "lamp", "viewBox": "0 0 8 4", "fill": "none"})
    assert [part.tag for part in symbol] == [f"{SVG}path"]


@pytest.mark.parametrize("game", GAMES)
def test_every_drawing_of_a_game_is_in_its_sprite(game: str) -> None:
    drawn = {file.stem for file in (pages.BROCANTE / "games" / game / "art").glob("*.svg")}
    sprite = ElementTree.fromstring(text(page(), f"games/{game}/art.svg"))
    assert {symbol.get("id") for symbol in sprite} == drawn
    assert all(symbol.get("viewBox") for symbol in sprite)


def test_words_are_told_by_their_keys_with_their_forms(small: Path) -> None:
    assert json.loads(text(read(small), "words/fr.json")) == {
        "new": "Nouveau\u00a0!",
        "cards.many": {"one": "{n} carte", "other": "{n} cartes"},
    }


def test_who_works_on_the_page_sees_what_they_have_written(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "WEB", small / "web")
    monkeypatch.setattr(pages, "Page", lambda web, games: read(small))
    monkeypatch.setenv("BROCANTE_WEB_LIVE", "1")
    before = page()
    assert page() is before
    (small / "web" / "main.js").write_text("export const other = 1;")
    os.utime(small / "web" / "main.js", ns=(0, 2**62))
    assert text(page(), "main.js") == "export const other = 1;"
    pages.read_page.cache_clear()
