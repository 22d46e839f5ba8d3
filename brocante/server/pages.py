"""Serves the page. Its files are read once and served from memory.

Everything but the HTML itself has a version in its path, which is a hash of all files. Browsers can keep it for ever.
"""

import asyncio
import gzip
import hashlib
import os
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import brotli
import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from brocante.engine.text import LANGUAGES, language, read_catalogue
from brocante.games import GAMES
from brocante.games import box as find_box

if TYPE_CHECKING:
    from brocante.server.app import Server

BROCANTE = Path(__file__).parent.parent
WEB = BROCANTE / "web"
#: The paths of the page, which finds out by itself at which of them it is (web/base/router.js).
PATHS = ("/", "/tables/{id}", "/tables/{id}/games/{number}", "/learn/{game}", "/rules/{game}")
#: Paths without a version, for browsers that look for icons by themselves.
ICONS = {"/favicon.svg": "art/icon.svg", "/icon-192.png": "icon-192.png", "/icon-512.png": "icon-512.png"}
HTML, JSON, SVG, MANIFEST = "text/html; charset=utf-8", "application/json", "image/svg+xml", "application/manifest+json"
PNG, WOFF2 = PACKED_ALREADY = "image/png", "font/woff2"
KINDS = {
    ".js": "text/javascript",  # modules are always in UTF-8
    ".css": "text/css; charset=utf-8",
    ".svg": SVG,
    ".png": PNG,
    ".woff2": WOFF2,
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
#: A comment that has its lines to itself. No string in scripts or style sheets has a line that looks like one.
COMMENT = re.compile(rb"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*$|//[^\n]*)", re.MULTILINE | re.DOTALL)
#: No string or template has more than one line.
INDENTATION = re.compile(rb"^[ \t]+", re.MULTILINE)
#: The modules with which people begin. They and what they import are fetched at once; the rest when it is wanted.
FIRST = ("main.js", "pages/home.js", "pages/live_table.js")
IMPORTED = re.compile(rb'^(?:import|export) (?:[^;"]*? from )?"([^"]+)";', re.MULTILINE)
#: What no page of ours asks of the reader's machine. They copy and share links, which browsers let them by themselves.
UNUSED = (
    "accelerometer", "camera", "clipboard-read", "display-capture", "fullscreen", "geolocation",
    "gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer", "microphone", "midi", "payment",
    "picture-in-picture", "publickey-credentials-get", "screen-wake-lock", "serial", "usb", "window-management",
    "xr-spatial-tracking",
)  # fmt: skip
#: Headers that restrict browsers: for everything,
NOSNIFF = {"x-content-type-options": "nosniff"}
#: and for what can be opened as a page.
PRECAUTIONS = NOSNIFF | {
    "content-security-policy": POLICY,
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
#: For pages, which scripts belong to.
PAGE_ONLY = {"permissions-policy": ", ".join(f"{feature}=()" for feature in UNUSED)}
#: Behind TLS: for a year, browsers ask for nothing without it.
ONLY_TLS = {"strict-transport-security": "max-age=31536000"}
#: Seconds after the first visit before files are packed with Brotli. It saves a seventh of what gzip leaves, but takes
#: a second for all of them: until then whoever has just come has the processor, and is served what gzip makes.
REPACK_AFTER = 2.0
FOREVER, A_DAY, ASK_AGAIN = "max-age=31536000, immutable", "max-age=86400", "no-cache"


class Piece:
    """A file as it is served: plain, packed with gzip or, once there has been time for it, with Brotli."""

    def __init__(self, body: bytes, kind: str, vary: str = "accept-encoding") -> None:
        self.body = body
        self.kind = kind
        self._vary = vary  # the request headers on which it depends
        self._repacked: bytes | None = None

    @cached_property
    def packed(self) -> bytes:
        return gzip.compress(self.body, mtime=0)

    @property
    def is_repacked(self) -> bool:
        return self._repacked is not None or self.kind in PACKED_ALREADY

    def repack(self) -> None:
        if not self.is_repacked:
            self._repacked = brotli.compress(self.body)

    def encoded(self, accepted: str) -> tuple[bytes, str]:
        """The smallest form there is that an Accept-Encoding header allows, and its name; none for the plain one."""
        if self._repacked is not None and can_unpack(accepted, "br"):
            return self._repacked, "br"
        if self.kind not in PACKED_ALREADY and can_unpack(accepted):
            return self.packed, "gzip"
        return self.body, ""

    @cached_property
    def tag(self) -> str:
        return f'W/"{digest(self.body)}"'  # weak: the same whether packed or not

    def answer(self, request: Request, caching: str, status: int = 200) -> Response:
        headers = precautions(request, self.kind) | {
            "cache-control": caching,
            "vary": self._vary,
            "content-type": self.kind,
        }
        if caching != FOREVER:  # what never changes is never asked for again
            headers["etag"] = self.tag
        if status == 200 and self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        body, encoding = self.encoded(request.headers.get("accept-encoding", ""))
        return Response(body, status, headers | {"content-encoding": encoding} if encoding else headers)


def precautions(request: Request, kind: str) -> dict[str, str]:
    """The security headers of a response."""
    headers = PRECAUTIONS if kind in (HTML, SVG) else NOSNIFF
    headers = headers | PAGE_ONLY if kind == HTML else headers
    return headers | ONLY_TLS if request.scope["scheme"] == "https" else headers


def can_unpack(accepted: str, encoding: str = "gzip") -> bool:
    """Whether an Accept-Encoding header allows an encoding; a weight of 0 does not."""
    weights = dict(way.replace(" ", "").lower().partition(";q=")[::2] for way in accepted.split(","))
    return encoding in weights and (not weights[encoding] or bool(weights[encoding].strip("0.")))


def digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=10).hexdigest()


# --- the files --------------------------------------------------------------------------------------------------------


class Page:
    """All files of the page as they were when they were read."""

    def __init__(self, web: Path, games: Mapping[str, Path]) -> None:
        self.pieces = dict(pieces(web, games))
        everything = [(path, piece.body) for path, piece in sorted(self.pieces.items())]
        kept = [(web / name).read_bytes() for name in ("index.html", "manifest.webmanifest")]
        self.version = digest(msgspec.msgpack.encode([everything, kept]))
        preload = "\n    ".join(
            f'<link rel="modulepreload" href="/web/{self.version}/{path}">' for path in sorted(self.first_modules())
        )
        self._shells, self._manifests = (
            {code: self._filled(template, code, preload, kind) for code in LANGUAGES}
            for template, kind in zip(kept, (HTML, MANIFEST), strict=True)
        )

    def first_modules(self) -> set[str]:
        """The modules that are fetched at once: those with which people begin, and whatever these import."""
        found, waiting = set[str](), [path for path in FIRST if path in self.pieces]
        while waiting:
            found.add(path := waiting.pop())
            folder = posixpath.dirname(path)
            imports = (name.decode() for name in IMPORTED.findall(self.pieces[path].body))
            waiting += {posixpath.normpath(posixpath.join(folder, name)) for name in imports} - found
        return found

    def _filled(self, template: bytes, code: str, modules: str, kind: str) -> Piece:
        text = template.decode()
        for blank, value in {"version": self.version, "lang": code, "modules": modules}.items():
            text = text.replace(f"{{{blank}}}", value)
        return Piece(text.encode(), kind, "accept-encoding, accept-language")

    def shell(self, code: str) -> Piece:
        return self._shells[code]

    def manifest(self, code: str) -> Piece:
        return self._manifests[code]

    def piece(self, version: str, path: str) -> Piece | None:
        return self.pieces.get(path) if version == self.version else None


def pieces(web: Path, games: Mapping[str, Path]) -> Iterator[tuple[str, Piece]]:
    """What is served below the version, by its path there."""
    yield from files(web, "")
    yield "art.svg", sprite(drawings(web / "art") | lids(games))
    for file in sorted((web / "words").glob("*.toml")):
        yield f"words/{file.stem}.json", words(file)
    for game, folder in games.items():
        yield from files(folder / "web", f"games/{game}/")
        yield f"games/{game}/art.svg", sprite(drawings(folder / "art"))
        yield from files(folder / "art", f"games/{game}/art/")


def files(folder: Path, prefix: str) -> Iterator[tuple[str, Piece]]:
    """The files of a folder that are for browsers; symbolic links are left out."""
    for file in sorted(folder.rglob("*")):
        if file.suffix in KINDS and file.is_file() and not file.is_symlink():
            body = without_comments(file) if file.suffix in (".js", ".css") else file.read_bytes()
            yield prefix + file.relative_to(folder).as_posix(), Piece(body, KINDS[file.suffix])


def without_comments(file: Path) -> bytes:
    """A script or a style sheet without indentation and the comments that have lines of their own, a quarter of what
    would be sent. All lines keep their numbers."""
    return INDENTATION.sub(b"", COMMENT.sub(lambda found: b"\n" * found[0].count(b"\n"), file.read_bytes()))


def drawings(folder: Path) -> dict[str, Path]:
    return {file.stem: file for file in sorted(folder.glob("*.svg"))}


def lids(games: Mapping[str, Path]) -> dict[str, Path]:
    """The boxes on the home page that games bring along themselves."""
    return {f"box-{game}": lid for game, folder in games.items() if (lid := folder / "art" / "box.svg").exists()}


def sprite(art: Mapping[str, Path]) -> Piece:
    """Drawings in one file: `<use href="…/art.svg#NAME">` shows one of them."""
    sheet = ElementTree.Element("svg", xmlns="http://www.w3.org/2000/svg")
    sheet.extend(symbol(name, file) for name, file in art.items())
    return Piece(ElementTree.tostring(sheet), SVG)


def symbol(name: str, file: Path) -> ElementTree.Element:
    drawing = ElementTree.fromstring(file.read_bytes())
    for part in drawing.iter():
        part.tag = part.tag.rpartition("}")[2]
        part.text = part.tail = None  # drawings have no text, only indentation
    drawing.tag = "symbol"
    drawing.set("id", name)
    return drawing


def words(file: Path) -> Piece:
    """The messages of the page in a language, by key."""
    messages = {key: language(file.stem).typeset(message) for key, message in read_catalogue(file).items()}
    return Piece(msgspec.json.encode(messages), JSON)


async def repack(visited: asyncio.Event) -> None:
    """Whenever somebody has come to the page, pack the files of it that were not yet packed as small as can be."""
    while await visited.wait():
        await asyncio.sleep(REPACK_AFTER)
        visited.clear()
        for piece in page().pieces.values():
            if not piece.is_repacked:
                await asyncio.to_thread(piece.repack)


def page() -> Page:
    """The page: read once or, with `BROCANTE_WEB_LIVE=1`, again whenever a file has changed."""
    return read_page(latest_change() if os.environ.get("BROCANTE_WEB_LIVE") else 0)


@lru_cache(maxsize=1)
def read_page(as_of: int) -> Page:
    return Page(WEB, game_folders())


def game_folders() -> dict[str, Path]:
    return {game: find_box(game).folder for game in GAMES}


def latest_change() -> int:
    folders = (WEB, *(folder / part for folder in game_folders().values() for part in ("art", "web")))
    return max(path.stat().st_mtime_ns for folder in folders for path in (folder, *folder.rglob("*")) if path.exists())


# --- the routes -------------------------------------------------------------------------------------------------------


def routes(server: "Server") -> list[BaseRoute]:
    """The routes of the page and its pieces."""

    def route(path: str, find: Callable[[Request], tuple[Piece | None, str]]) -> Route:
        async def answer(request: Request) -> Response:
            piece, caching = find(request)
            if piece is None:
                raise HTTPException(404)
            response = piece.answer(request, caching)
            server.metrics.requests.labels(path, response.status_code).inc()
            return response

        return Route(path, answer)

    def shell(request: Request) -> tuple[Piece, str]:
        server.visited.set()
        return page().shell(server.language(request).code), ASK_AGAIN

    def manifest(request: Request) -> tuple[Piece, str]:
        return page().manifest(server.language(request).code), ASK_AGAIN

    def icon(request: Request) -> tuple[Piece | None, str]:
        return page().pieces.get(ICONS[request.url.path]), A_DAY

    def versioned(request: Request) -> tuple[Piece | None, str]:
        return page().piece(request.path_params["version"], request.path_params["path"]), FOREVER

    others = {"/manifest.webmanifest": manifest, "/web/{version}/{path:path}": versioned}
    found = {**dict.fromkeys(PATHS, shell), **dict.fromkeys(ICONS, icon), **others}
    return [route(path, find) for path, find in found.items()]


def not_found(server: "Server", request: Request) -> Response | None:
    """The page, for a person who followed a dead link; it says so. None for programs."""
    if request.method not in ("GET", "HEAD") or "text/html" not in request.headers.get("accept", ""):
        return None
    return page().shell(server.language(request).code).answer(request, ASK_AGAIN, status=404)
