"""What is written for those who run a server is true: every setting is explained, and every command line is one."""

import re
from pathlib import Path

import pytest

from brocante.cli.commands import serve
from brocante.engine.errors import UsageError
from brocante.server.config import SETTINGS, configured
from brocante.server.serve import lock_file

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "running-a-server.md").read_text()
DEPLOYED = [ROOT / "deploy" / name for name in ("brocante.service", "Dockerfile", "nginx.conf")]


def flags_of_serve() -> set[str]:
    return {flag for parameter in serve.command("serve").params for flag in parameter.opts}


def test_every_setting_is_explained() -> None:
    explained = set(re.findall(r"`(\w+)`", "\n".join(line for line in PAGE.splitlines() if line.startswith("|"))))
    assert {*SETTINGS, "host", "port", "workers", "json_logs"} <= explained


def test_every_setting_is_a_flag_and_a_variable() -> None:
    variables = {parameter.name: parameter.envvar for parameter in serve.command("serve").params}
    assert {name: variables[name] for name in SETTINGS} == {name: f"BROCANTE_{name.upper()}" for name in SETTINGS}


def test_what_is_deployed_sets_only_what_there_is() -> None:
    known = {f"BROCANTE_{name.upper()}" for name in (*SETTINGS, "host", "port", "workers", "json_logs")}
    known |= {"BROCANTE_DATA_DIR", "BROCANTE_CACHE_DIR", "BROCANTE_WEB_LIVE"}
    texts = [PAGE, *(file.read_text() for file in DEPLOYED)]
    assert {name for text in texts for name in re.findall(r"BROCANTE_[A-Z_]+", text)} <= known
    assert {flag for text in texts for flag in re.findall(r"serve (--[\w-]+)", text)} <= flags_of_serve()


def test_the_page_names_every_file_for_deploying() -> None:
    assert all(f"deploy/{file.name}" in PAGE for file in DEPLOYED)


def test_a_file_is_for_one_server(tmp_path: Path) -> None:
    lock_file(tmp_path / "new" / "tables.db")
    with pytest.raises(UsageError, match="Another server"):
        lock_file(tmp_path / "new" / "tables.db")


def test_a_setting_that_cannot_be_is_refused() -> None:
    with pytest.raises(UsageError, match="--keep-over cannot be less than 0"):
        configured({"keep_over": -1.0})
