"""`brocante serve --open`: the page opens by itself, wherever the server finds a place."""

import os
import signal
import subprocess
import sys
import threading
import time
import webbrowser
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from unittest.mock import Mock

import pytest

from brocante.cli import main
from brocante.server import browser
from brocante.server.serve import USUAL_PORT, address
from tests.server.asking import listening
from tests.server.processes import PATIENCE, ROOT, free_port


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a browser was told to open."""
    told: list[str] = []
    monkeypatch.setenv("DISPLAY", ":7")
    monkeypatch.setattr("webbrowser.open", told.append)
    return told


@pytest.fixture
def stranger() -> Iterator[int]:
    """The port of a server that is not ours, and does not know what it is asked."""
    other = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    thread = threading.Thread(target=other.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield other.server_port
    other.shutdown()
    other.server_close()
    thread.join()


def test_the_page_is_opened_when_it_is_there(tmp_path: Path, opened: list[str]) -> None:
    with listening(tmp_path) as (url, _):
        browser.open_when_ready(url).join()
        assert opened == [url]


def test_nothing_is_opened_where_nothing_answers_or_there_is_no_screen(
    opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    browser.open_when_ready(address("127.0.0.1", free_port())).join()
    for screen in browser.SCREENS:
        monkeypatch.delenv(screen, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    browser.open_page("http://127.0.0.1")
    assert opened == []


def test_a_browser_that_fails_harms_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    fail = Mock(side_effect=webbrowser.Error)
    monkeypatch.setenv("DISPLAY", ":7")
    monkeypatch.setattr("webbrowser.open", fail)
    browser.open_page("http://127.0.0.1")
    fail.assert_called_once_with("http://127.0.0.1")


def test_where_ours_is_open_already_that_one_is_shown(
    tmp_path: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with listening(tmp_path) as (url, _):
        monkeypatch.setattr(browser, "USUAL_PORT", int(url.rpartition(":")[2]))
        with pytest.raises(SystemExit) as end:
            main(["serve", "--open", "--lang", "en"])
    assert not end.value.code
    assert opened == [url]
    assert capsys.readouterr().out == f"Brocante is already open, at {url}.\n"


def test_where_the_port_is_taken_by_something_else_the_next_one_is(
    stranger: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browser, "USUAL_PORT", stranger)
    port, is_ours = browser.find_port("127.0.0.1")
    assert stranger < port < stranger + browser.TRIED
    assert not is_ours


def test_an_address_that_cannot_be_had_is_not_looked_for_further() -> None:
    assert browser.find_port("192.0.2.1") == (USUAL_PORT, False)


def test_a_server_everywhere_is_found_at_one_of_the_machines_own_addresses() -> None:
    for host in ("0.0.0.0", "::"):
        url = address(host, 8000)
        assert url.startswith("http://")
        assert f"//{host}" not in url
        assert "[::]" not in url
    assert (address("localhost", 80), address("::1", 80)) == ("http://localhost:80", "http://[::1]:80")


def test_serving_opens_the_page_and_says_first_where_it_is(tmp_path: Path) -> None:
    """The whole way, with a browser that notes what it was told."""
    note, log = tmp_path / "opened", tmp_path / "log"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > "{note}.part"\nmv "{note}.part" "{note}"\n')
    browser.chmod(0o700)
    own = {"BROWSER": f"{browser} %s", "BROCANTE_DATA_DIR": str(tmp_path), "BROCANTE_LANG": "en"}
    command = [sys.executable, "-m", "brocante.cli", "serve", "--open", "--port", "0"]
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **own}, stdout=output, stderr=output)
    try:
        until = time.monotonic() + PATIENCE
        while not note.exists():
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.05)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
    assert log.read_text().startswith(f"Brocante is open at {note.read_text()} (Ctrl+C stops it)")
