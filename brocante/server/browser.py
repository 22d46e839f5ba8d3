"""`brocante serve --open`: opens the page in the browser of whoever started the server."""

import contextlib
import errno
import os
import sys
import threading
import webbrowser

import msgspec

from brocante.engine.errors import UsageError
from brocante.server.serve import USUAL_PORT, address, listen
from brocante.wire.http import ServerInfo

#: Ports that are tried, from the usual one on.
TRIED = 20
#: Seconds for a server to say who it is; and for ours to start.
SOON, READY = 2.0, 30.0
#: Without one of these there is no screen to open a browser on, and one that draws in the terminal is not wanted.
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")


def find_port(host: str) -> tuple[int, bool]:
    """The first port that is free or that a Brocante server has, and whether one has it."""
    for port in range(USUAL_PORT, USUAL_PORT + TRIED):
        try:
            with listen(host, port):
                return port, False
        except UsageError as error:
            if getattr(error.__context__, "errno", 0) != errno.EADDRINUSE:
                break
        if is_ours(address(host, port)):
            return port, True
    return USUAL_PORT, False  # the server will say in words why it cannot have it


def is_ours(url: str) -> bool:
    """Whether a Brocante with this page answers there."""
    import httpx

    try:
        answer = httpx.get(f"{url}/api/server", timeout=SOON, trust_env=False)
        msgspec.json.decode(answer.content, type=ServerInfo)
    except (httpx.HTTPError, httpx.InvalidURL, msgspec.MsgspecError, UnicodeError):
        return False
    return answer.is_success


def open_when_ready(url: str) -> threading.Thread:
    """Open the page as soon as it is there, if there is a browser."""

    def wait_and_open() -> None:
        import httpx  # here, in a thread, so that the server need not wait for it

        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(f"{url}/api/server", timeout=READY, trust_env=False).is_success:
                open_page(url)

    thread = threading.Thread(target=wait_and_open, name="brocante-page", daemon=True)
    thread.start()
    return thread


def open_page(url: str) -> None:
    if sys.platform != "linux" or any(os.environ.get(screen) for screen in SCREENS):
        with contextlib.suppress(webbrowser.Error, OSError):
            webbrowser.open(url)
