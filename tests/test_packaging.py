"""The package that people install: everything is in it, and it needs what it says and no more.

No network is needed: the wheel is built from a copy of the sources, and what it depends on is linked from this
environment into a virtual one that has nothing else."""

import json
import os
import pwd
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import Distribution, distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

import httpx
import msgspec
import pytest
from packaging.requirements import Requirement

from tests.server.processes import PATIENCE, free_port

ROOT = Path(__file__).parents[1]
SOURCES = ("pyproject.toml", "README.md", "LICENSE")
#: For those who work on the page.
NOT_SHIPPED = {".ts"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    shutil.copytree(ROOT / "brocante", source / "brocante", ignore=shutil.ignore_patterns("__pycache__"))
    for name in SOURCES:
        shutil.copy(ROOT / name, source)
    pip("wheel", "--no-build-isolation", "--no-deps", "--no-index", "--wheel-dir", str(folder), str(source))
    [found] = folder.glob("brocante-*.whl")
    return found


def pip(*args: str) -> None:
    quietly = ("--quiet", "--disable-pip-version-check")
    done = subprocess.run([sys.executable, "-m", "pip", *args, *quietly], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


class Environment:
    """A virtual environment."""

    def __init__(self, folder: Path, python: str = sys.executable) -> None:
        self.folder = folder
        subprocess.run([python, "-m", "venv", "--without-pip", "--symlinks", folder], check=True)
        [self.site] = folder.glob("lib/python*/site-packages")
        self.user: dict[str, Any] = {}  # who runs its programs, as Popen wants it

    def install(self, wheel: Path) -> None:
        with_python = ("--python", str(self.folder / "bin" / "python"))
        pip(*with_python, "install", "--no-deps", "--no-index", "--no-compile", str(wheel))

    def link_what_is_needed(self, *extras: str) -> None:
        """By the wheel that is installed here, and these of its extras."""
        [metadata] = self.site.glob("brocante-*.dist-info")
        for found in needed_by(Distribution.at(metadata), {"", *extras}, {}).values():
            for top in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
                if not (self.site / top).exists():
                    (self.site / top).symlink_to(Path(str(found.locate_file(top))))

    def start(self, *args: str, **environment: str) -> subprocess.Popen[str]:
        """A program of the environment, which knows nothing of the checkout."""
        own = {"LANG": "en_GB.UTF-8", "BROCANTE_CACHE_DIR": str(self.folder), "BROCANTE_DATA_DIR": str(self.folder)}
        passed = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "BROCANTE", "LC_"))}
        program, *rest = args
        return subprocess.Popen(
            [str(self.folder / "bin" / program), *rest],
            env=passed | own | environment,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **self.user,
        )

    def run(self, *args: str, code: int = 0, **environment: str) -> str:
        with self.start(*args, **environment) as process:
            printed, complaints = process.communicate(timeout=PATIENCE)
        assert process.returncode == code, printed + complaints
        return printed + complaints


def needed_by(one: Distribution, extras: set[str], found: dict[str, Distribution]) -> dict[str, Distribution]:
    """What must be installed for a distribution and these extras of it ("" for none), by name."""
    for requirement in map(Requirement, one.requires or ()):
        if requirement.marker and not any(requirement.marker.evaluate({"extra": extra}) for extra in extras):
            continue
        if requirement.name == one.name:  # an extra that builds on another
            needed_by(one, requirement.extras, found)
            continue
        key = f"{requirement.name.lower()}{sorted(requirement.extras)}"
        if key not in found:
            found[key] = distribution(requirement.name)
            needed_by(found[key], {"", *requirement.extras}, found)
    return found


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Environment:
    """`pip install brocante`, and nothing else."""
    made = Environment(tmp_path_factory.mktemp("plain"))
    made.install(wheel)
    made.link_what_is_needed()
    return made


def with_extra(extra: str, folder: Path, wheel: Path) -> Environment:
    """The wheel and one of its extras. Unpacking a wheel is quicker than installing it, but leaves no script behind."""
    made = Environment(folder)
    with ZipFile(wheel) as archive:
        archive.extractall(made.site)
    made.link_what_is_needed(extra)
    return made


CLI = ("python", "-m", "brocante.cli")


def test_everything_is_in_the_wheel_and_nothing_else(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        packed = {Path(name) for name in archive.namelist() if ".dist-info/" not in name}
    written = {file for file in (ROOT / "brocante").rglob("*") if file.is_file() and "__pycache__" not in file.parts}
    assert packed == {file.relative_to(ROOT) for file in written if file.suffix not in NOT_SHIPPED}


PLAY = """
import brocante
from brocante.bots import Bot
import brocante.backends.numba.callees  # imports Numba's compiler
assert "site-packages" in brocante.__file__
for slug in brocante.GAMES:
    game = brocante.deal(slug, seed=1)
    bot = Bot(game.box, "random")
    while not game.is_over:
        game.play(bot.choose(game))
    print(slug, game.winners)
"""


def test_without_extras_there_are_games_simulations_and_records(plain: Environment) -> None:
    assert plain.run("python", "-c", PLAY).count("\n") == len(json.loads(plain.run("brocante", "games", "--json")))
    assert "# " in plain.run("brocante", "rules", "port")
    records = ("--games", "3", "--records", "records")
    assert "3 games of Collection" in plain.run("brocante", "simulate", "collection", *records)
    files = sorted(map(str, (plain.folder / "records").iterdir()))
    assert plain.run("brocante", "replay", *files).count("OK ") == 3
    assert "not dealt as promised" in plain.run("brocante", "verify", files[0], code=1)


@pytest.mark.parametrize(
    ("command", "extra", "words"),
    [
        ("play", "terminal", "which is not installed"),
        ("play collection --lang fr", "terminal", "qui n’est pas installé"),
        ("play --at http://127.0.0.1:1", "terminal", "which is not installed"),
        ("serve", "server", "which is not installed"),
        ("serve --open --lang fr", "server", "qui n’est pas installé"),
    ],
)
def test_a_command_that_lacks_its_extra_says_which_to_install(
    plain: Environment, command: str, extra: str, words: str
) -> None:
    said = plain.run("brocante", *command.split(), code=2)
    assert re.fullmatch(rf"brocante: .* \w+, {words}.*`pip install 'brocante\[{extra}\]'`.*\n", said)


@pytest.mark.parametrize("command", ["--help", "play --help", "play collection --help", "serve --help"])
def test_help_needs_no_extra(plain: Environment, command: str) -> None:
    assert "Usage" in plain.run("brocante", *command.split())


@pytest.fixture(scope="module")
def with_server(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Environment:
    return with_extra("server", tmp_path_factory.mktemp("server"), wheel)


def test_the_extra_server_serves(with_server: Environment) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    with with_server.start(*CLI, "serve", "--port", url.rpartition(":")[2], BROCANTE_COMPILE="0") as server:
        try:
            assert server.stdout
            assert url in server.stdout.readline()
            assert httpx.get(f"{url}/healthz", trust_env=False, timeout=PATIENCE).is_success
            assert "<title>" in httpx.get(url, trust_env=False).text
        finally:
            server.terminate()


@pytest.fixture
def of_another_user(wheel: Path) -> Iterator[Environment]:
    """The server installed by root, if that is who we are, for somebody who owns the folders data and cache of it."""
    with TemporaryDirectory(prefix="brocante-", dir="/tmp") as name:  # other folders for tests are closed to others
        user = nobody() if os.geteuid() == 0 else {}
        made = Environment(Path(name), python_of(user) if user else sys.executable)
        made.install(wheel)
        made.link_what_is_needed("server")
        made.user = user
        made.folder.chmod(0o755)
        for folder in (made.folder / "data", made.folder / "cache"):
            folder.mkdir()
            if user:
                os.chown(folder, user["user"], user["group"])
        yield made


def nobody() -> dict[str, Any]:
    found = pwd.getpwnam("nobody")
    return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": [], "umask": 0o077}


def python_of(user: dict[str, Any]) -> str:
    """A Python like this one that somebody else may run, with the packages that are installed here."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for found in filter(None, (os.path.realpath(sys.executable), shutil.which(name, path="/usr/local/bin:/usr/bin"))):
        environment = {"PYTHONPATH": str(Path(msgspec.__file__).parents[1])}
        with suppress(PermissionError):
            if subprocess.run([found, "-c", "import msgspec"], env=environment, cwd="/", **user).returncode == 0:
                return found
    pytest.skip("nobody but root may run the Python that is here, or read its packages")


def files_of_the_installation(environment: Environment) -> set[Path]:
    own = {environment.folder / "data", environment.folder / "cache"}
    files = {file for file in environment.folder.rglob("*") if not own & {file, *file.parents}}
    return {file for file in files if "__pycache__" not in file.parts}


def test_a_server_needs_no_rights_and_writes_to_its_two_folders_alone(of_another_user: Environment) -> None:
    before, url = files_of_the_installation(of_another_user), f"http://127.0.0.1:{free_port()}"
    folders = {f"BROCANTE_{name}_DIR": str(of_another_user.folder / name.lower()) for name in ("DATA", "CACHE")}
    nowhere = {"HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1"}
    serve = ("brocante", "serve", "--port", url.rpartition(":")[2], "--pace", "0")
    with of_another_user.start(*serve, **folders, **nowhere) as server:
        try:
            assert server.stdout
            assert url in server.stdout.readline()
            with httpx.Client(base_url=url, trust_env=False, timeout=PATIENCE, headers={"origin": url}) as client:
                client.post("/api/guests", json={"name": "Ana"}).raise_for_status()
                table = client.post("/api/tables", json={"game": "collection"}).raise_for_status().json()["id"]
                client.post(f"/api/tables/{table}/do", json={"do": "start", "fill": True}).raise_for_status()
                until = time.monotonic() + PATIENCE
                while client.get(f"/api/tables/{table}").json()["table"]["phase"] != "over":  # bots play alone
                    assert time.monotonic() < until
                    time.sleep(0.1)
        finally:
            server.terminate()
        assert server.wait(PATIENCE) == 0
        assert server.stderr
        assert "Traceback" not in server.stderr.read()
    assert files_of_the_installation(of_another_user) == before
    database = (of_another_user.folder / "data" / "tables.db").stat()
    assert database.st_uid == of_another_user.user.get("user", os.geteuid())
    assert database.st_mode & 0o077 == 0, "others cannot read it"


def test_a_server_on_postgresql_needs_another_extra(with_server: Environment) -> None:
    said = with_server.run(*CLI, "serve", "--database", "postgresql://nowhere/tables", code=2)
    assert "`pip install 'brocante[postgres]'`" in said
    assert said.count("\n") == 1


def test_the_extra_terminal_opens_the_terminal(tmp_path: Path, wheel: Path) -> None:
    environment = with_extra("terminal", tmp_path, wheel)
    for args in ((), ("collection",), ("--at", "http://127.0.0.1:1")):
        assert "Playing needs a terminal" in environment.run(*CLI, "play", *args, code=2)


def test_the_extra_client_is_enough_for_a_bot(tmp_path: Path, wheel: Path) -> None:
    with_extra("client", tmp_path, wheel).run("python", "-c", "import brocante.client")
