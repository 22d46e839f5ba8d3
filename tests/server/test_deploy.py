"""What is written for those who run a server is true: every setting is explained, every command line is one, and the
files of deploy/ are what they are meant to be, as far as the programs that read them are here."""

import re
import shutil
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path
from resource import RLIM_INFINITY
from typing import Any

import httpx
import pytest
import yaml

from brocante.cli.commands import admin, backup, check, restore, serve
from brocante.engine.errors import UsageError
from brocante.server.config import SETTINGS, Config, configured
from brocante.server.connections import most_files
from brocante.server.serve import lock_file, warn_of_few_connections
from tests.server.serving import served

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "running-a-server.md").read_text()
DEPLOY = ROOT / "deploy"
DEPLOYED = sorted(file for file in DEPLOY.iterdir() if not file.name.startswith("."))
UNIT, COMPOSE, ALERTS = DEPLOY / "brocante@.service", DEPLOY / "compose.yaml", DEPLOY / "alerts.yaml"
#: What ten thousand sockets need.
FILES = 12_000


def flags_of_serve() -> set[str]:
    return {flag for parameter in serve.command("serve").params for flag in parameter.opts}


def test_every_setting_is_explained() -> None:
    explained = set(re.findall(r"`(\w+)`", "\n".join(line for line in PAGE.splitlines() if line.startswith("|"))))
    assert {*SETTINGS, "host", "port", "workers", "json_logs"} <= explained


def test_every_setting_is_a_flag_and_a_variable() -> None:
    variables = {parameter.name: parameter.envvar for parameter in serve.command("serve").params}
    assert {name: variables[name] for name in SETTINGS} == {name: f"BROCANTE_{name.upper()}" for name in SETTINGS}


def test_every_command_finds_the_database_by_the_same_variable() -> None:
    at_work = [module.command(module.__name__) for module in (serve, check, backup, restore)]
    at_work += [admin.command("admin").get_command(None, name) for name in admin.COMMANDS]
    for command in at_work:
        variables = {parameter.name: parameter.envvar for parameter in command.params}
        assert variables["database"] == "BROCANTE_DATABASE", command.name


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
    with pytest.raises(UsageError, match="A server is using"):
        lock_file(tmp_path / "new" / "tables.db")


def test_no_server_runs_on_a_file_that_it_cannot_lock(tmp_path: Path) -> None:
    (tmp_path / "tables.db.lock").mkdir()
    with pytest.raises(UsageError, match=r"tables\.db\.lock cannot be taken: Is a directory\."):
        lock_file(tmp_path / "tables.db")
    with pytest.raises(UsageError, match="cannot be taken: Not a directory"):
        lock_file(Path(__file__) / "new" / "tables.db")


@pytest.mark.parametrize("value", [-1.0, float("nan")])
def test_a_setting_that_cannot_be_is_refused(value: float) -> None:
    with pytest.raises(UsageError, match="--keep-over must be 0 or more"):
        configured({"keep_over": value})


@pytest.mark.parametrize(
    ("allowed", "most", "expected"),
    [
        ((1024, 4096), 4096, 4096),
        ((256, RLIM_INFINITY), 10_240, 10_240),  # as on macOS, which says that there is no limit
        ((256, RLIM_INFINITY), 2**30, 2**20),
        ((20_000, RLIM_INFINITY), 20_000, 20_000),  # it does not become less
        ((256, 4096), 256, 256),
    ],
)
def test_a_process_has_as_many_files_as_the_system_really_allows(
    allowed: tuple[int, int], most: int, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def set_limit(_: int, asked: tuple[int, int]) -> None:
        if asked[0] > most:
            raise ValueError("current limit exceeds maximum limit")
        assert asked == (expected, allowed[1])

    monkeypatch.setattr("resource.getrlimit", lambda _: allowed)
    monkeypatch.setattr("resource.setrlimit", set_limit)
    assert most_files() == expected


@pytest.mark.parametrize(("files", "said"), [(128, [0]), (256, [128]), (1024, [])])
def test_a_server_says_when_it_starts_that_there_is_room_for_few(
    files: int, said: list[int], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda _: (files, files))
    warn_of_few_connections(Config())
    assert [vars(record)["connections"] for record in caplog.records] == said


# --- the unit of systemd ----------------------------------------------------------------------------------------------


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not installed here")
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text().replace("/opt/brocante/bin/brocante", sys.executable))
    checked = subprocess.run([program, "verify", "--man=no", unit], capture_output=True, text=True)
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")


def test_the_unit_may_do_what_the_server_does_and_no_more() -> None:
    unit = ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(UNIT.read_text())
    service = unit["Service"]
    assert int(service["LimitNOFILE"]) > FILES
    assert service["ProtectSystem"] == "strict"
    assert {service[name] for name in ("DynamicUser", "NoNewPrivileges", "ProtectHome", "PrivateUsers")} == {"yes"}
    assert service["CapabilityBoundingSet"] == ""
    assert "MemoryDenyWriteExecute" not in service, "rules are compiled"


# --- containers -------------------------------------------------------------------------------------------------------


def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(COMPOSE.read_text())["services"]
    return found


def test_every_container_starts_again_has_limits_and_may_write_nowhere_else() -> None:
    for name, service in services().items():
        assert service["restart"] == "unless-stopped", name
        assert service["read_only"], name
        assert service["cap_drop"] == ["ALL"], name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert service["ulimits"]["nofile"] > FILES, name
        assert {"mem_limit", "pids_limit"} <= service.keys(), name
        assert "healthcheck" in service or "build" in service, f"{name}: the image has one"
    check = (DEPLOY / "Dockerfile").read_text().partition("\nHEALTHCHECK ")[2]
    assert "/api/server'" in check, "a server that lacks one table is not to be taken out of service"
    assert "/healthz" not in check


def test_nobody_reaches_the_servers_and_the_database_but_through_the_proxy() -> None:
    whole = yaml.safe_load(COMPOSE.read_text())
    assert whole["networks"]["inside"]["internal"]
    for name, service in services().items():
        assert ("ports" in service) == (name == "proxy")
        assert name == "proxy" or service["networks"] == ["inside"]
    upstream = re.findall(r"([\w-]+):8000", (DEPLOY / "Caddyfile").read_text())
    assert set(upstream) == {name for name, service in services().items() if "build" in service}


def test_no_file_for_deploying_has_a_secret() -> None:
    for name, service in services().items():
        for variable, value in service.get("environment", {}).items():
            assert "PASSWORD" not in variable or value.startswith("${"), f"{variable} of {name}"
    ignored = (ROOT / ".gitignore").read_text().split()
    assert "deploy/.env" in ignored
    assert not [file for file in DEPLOYED if re.search(r"://[^\s/@]+:[^\s/@]+@", file.read_text())]


def test_the_image_runs_as_an_ordinary_user_and_gets_only_what_it_needs() -> None:
    lines = (DEPLOY / "Dockerfile").read_text().splitlines()
    assert lines.index("USER brocante") < lines.index('CMD ["brocante", "serve"]')
    *_, final = (line for line in lines if line.startswith("FROM"))
    copied = [line for line in lines[lines.index(final) :] if line.startswith("COPY")]
    assert copied == ["COPY --from=made /opt/brocante /opt/brocante"]
    needed = {part for line in lines if line.startswith("COPY") and "--from" not in line for part in line.split()[1:-1]}
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert ignored[0] == "*"
    assert needed == {line.removeprefix("!") for line in ignored if line.startswith("!")}
    assert all((ROOT / name).exists() for name in needed)


# --- alerts -----------------------------------------------------------------------------------------------------------


def alerts() -> list[dict[str, Any]]:
    return [rule for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]]


def test_prometheus_takes_the_alerts() -> None:
    program = shutil.which("promtool")
    if program is None:
        pytest.skip("promtool is not installed here")
    checked = subprocess.run([program, "check", "rules", ALERTS], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


#: A server that does badly in every way, minute by minute: as Prometheus' own tests of alerts write it.
BADLY = {
    "up": "0x150",
    "brocante_free_bytes": "4e9-2e7x150",
    'brocante_free_bytes{instance="full"}': "5e8x150",
    "brocante_damaged_tables": "1x150",
    "brocante_damaged_database": "1x150",
    "brocante_oldest_append_seconds": "9x150",
    "brocante_bots_waiting": "50x150",
    "brocante_wal_bytes": "5e8x150",
    "process_resident_memory_bytes": "5e9x150",
    "process_open_fds": "900x150",
    "process_max_fds": "1000x150",
    "brocante_errors_total": "0+1x150",
    'brocante_loop_lag_seconds_bucket{le="0.5"}': "0+20x150",
    'brocante_loop_lag_seconds_bucket{le="+Inf"}': "0+20x150",
    'brocante_append_seconds_bucket{le="1"}': "0+20x150",
    'brocante_append_seconds_bucket{le="+Inf"}': "0+20x150",
}
#: And one at which all is well.
WELL = dict.fromkeys(BADLY, "0x150") | {
    "up": "1x150",
    "process_max_fds": "1000x150",
    "brocante_free_bytes": "5e10x150",
    'brocante_free_bytes{instance="full"}': "5e10x150",
}


@pytest.mark.parametrize(("course", "given"), [(BADLY, True), (WELL, False)], ids=["badly", "well"])
def test_alerts_are_given_where_they_should_be(course: dict[str, str], given: bool, tmp_path: Path) -> None:
    program = shutil.which("promtool")
    if program is None:
        pytest.skip("promtool is not installed here")
    named = [(name, labels.rstrip("}")) for name, _, labels in (one.partition("{") for one in course)]
    series = [
        {"series": f'{name}{{job="brocante",{labels}}}', "values": values}
        for (name, labels), values in zip(named, course.values(), strict=True)
    ]
    expected = sorted(rule["alert"] for rule in alerts()) if given else []
    asked = {
        "expr": 'group by (alertname) (ALERTS{alertstate="firing"})',
        "eval_time": "2h",
        "exp_samples": [{"labels": f'{{alertname="{alert}"}}', "value": 1} for alert in expected],
    }
    test = {"interval": "1m", "input_series": series, "promql_expr_test": [asked]}
    file = tmp_path / "test.yaml"
    file.write_text(yaml.safe_dump({"rule_files": [str(ALERTS)], "tests": [test]}))
    checked = subprocess.run([program, "test", "rules", file], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_alerts_are_about_metrics_that_there_are(tmp_path: Path) -> None:
    with served(tmp_path) as url:
        told = httpx.get(f"{url}/metrics", trust_env=False).text
    kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)$", told, re.MULTILINE))
    known = {name for name, kind in kinds.items() if kind != "histogram"}
    known |= {f"{name}_bucket" for name, kind in kinds.items() if kind == "histogram"}
    for rule in alerts():
        named = set(re.findall(r"\b(?:brocante|process)_\w+", rule["expr"]))
        assert named <= known, rule["alert"]
        assert named or rule["expr"].startswith("up{")


def test_every_alert_is_explained() -> None:
    explained = re.findall(r"^### (Brocante\w+)$", PAGE, re.MULTILINE)
    assert explained == [rule["alert"] for rule in alerts()]
    assert {rule["labels"]["severity"] for rule in alerts()} == {"critical", "warning"}
    assert all(rule["annotations"]["summary"] for rule in alerts())
