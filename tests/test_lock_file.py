"""What a release is installed with: deploy/requirements.lock, made by `make lock`, is whole, fits pyproject.toml, and
can be checked wherever it is read."""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from itertools import product
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "deploy" / "requirements.lock"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
#: What the image and the unit install.
EXTRAS = ("server", "postgres")
#: Pythons and processors that a release runs on.
MACHINES = [
    {"python_version": python, "python_full_version": f"{python}.1", "platform_machine": machine}
    for python, machine in product(("3.11", "3.12", "3.13", "3.14"), ("x86_64", "aarch64"))
]


def pinned() -> list[tuple[Requirement, list[str]]]:
    """Every line of the lock file, with its hashes."""
    text = "".join(line for line in LOCK.read_text().splitlines(keepends=True) if not line.startswith("#"))
    lines = [line.split(" --hash=") for line in re.sub(r"\s*\\\n\s*", " ", text).splitlines()]
    return [(Requirement(line), hashes) for line, *hashes in lines]


def locked(environment: dict[str, str]) -> dict[str, Version]:
    """What is installed in an environment."""
    applying = [pin for pin, _ in pinned() if pin.marker is None or pin.marker.evaluate(environment)]
    versions = {str(canonicalize_name(pin.name)): Version(str(pin.specifier).removeprefix("==")) for pin in applying}
    assert len(versions) == len(applying), "one is locked twice"
    return versions


def wanted(environment: dict[str, str]) -> Iterator[Requirement]:
    """What pyproject.toml asks for, and what that asks for: as far as the very version that is locked is installed here
    and can be looked at."""
    versions, extras = locked(environment), PROJECT["project"]["optional-dependencies"]
    listed = [*PROJECT["build-system"]["requires"], *PROJECT["project"]["dependencies"]]
    to_do, seen = [*listed, *(line for extra in EXTRAS for line in extras[extra])], set()
    while to_do:
        line = to_do.pop()
        one = Requirement(line)
        if line in seen or (one.marker and not one.marker.evaluate({"extra": "", **environment})):
            continue
        seen.add(line)
        if one.name == "brocante":
            to_do += [line for extra in one.extras for line in extras[extra]]
        else:
            yield one
            to_do += asked_for_by(one, versions.get(canonicalize_name(one.name)))


def asked_for_by(one: Requirement, version: Version | None) -> list[str]:
    try:
        found = distribution(one.name)
    except PackageNotFoundError:
        return []
    lines = found.requires or [] if Version(found.version) == version else []
    for extra in one.extras:  # an extra that is asked for is no condition any more
        lines = [re.sub(rf"extra == [\"']{extra}[\"']", "python_version > '3'", line) for line in lines]
    return lines


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: " ".join(machine.values()))
def test_what_is_needed_is_locked(machine: dict[str, str]) -> None:
    environment = {
        **{name: str(value) for name, value in default_environment().items()},
        "sys_platform": "linux",
        **machine,
    }
    versions, asked_for = locked(environment), list(wanted(environment))
    assert {"numba", "uvicorn", "psycopg", "h11", "setuptools"} <= {one.name for one in asked_for}
    for one in asked_for:
        version = versions.get(canonicalize_name(one.name))
        assert version is not None, f"{one} is not locked: make lock"
        assert one.specifier.contains(version, prereleases=True), f"{one}, and {version} is locked: make lock"


def test_what_is_locked_has_hashes_and_says_not_where_it_is_from() -> None:
    for pin, hashes in pinned():
        assert re.fullmatch(r"==[\w.]+", str(pin.specifier)), pin
        assert hashes, pin
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", found) for found in hashes), pin
    assert not re.search(r"://|^-|/", LOCK.read_text(), re.MULTILINE)


def test_the_image_and_the_unit_install_what_is_locked() -> None:
    for file in ("deploy/Dockerfile", "docs/running-a-server.md"):
        commands = re.findall(r"pip install (.*)", (ROOT / file).read_text())
        installing = [command for command in commands if "requirements.lock" in command or command.endswith(" .")]
        assert len(installing) == 2, file
        assert "--require-hashes -r deploy/requirements.lock" in installing[0]
        assert "--no-deps --no-build-isolation" in installing[1], "nothing else comes along"
