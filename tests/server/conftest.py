"""Databases for the tests of the server, a fresh one for each."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.postgres import Postgres, running_postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """Started when the first test needs it; each worker of a parallel run has its own."""
    with running_postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a test keeps its tables: every test that asks for it runs on both databases."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/games.db"
    server: Postgres = request.getfixturevalue("postgres")
    return server.new_database()
