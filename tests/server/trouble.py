"""What can happen to a database that servers use."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from tests.server.postgres import Postgres

CONNECTIONS = "SELECT pid FROM pg_stat_activity WHERE datname = %s AND application_name = 'brocante'"
EARS = f"{CONNECTIONS} AND query LIKE 'LISTEN%%'"


@contextmanager
def cut(postgres: Postgres, database: str, which: str = CONNECTIONS) -> Iterator[None]:
    """These connections are ended, and no new ones can be made for a while."""
    name = conninfo_to_dict(database)["dbname"]
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
        try:
            ended = connection.execute(
                f"SELECT pg_terminate_backend(pid, 5000) FROM ({which}) AS found".encode(), (name,)
            )
            assert {done for (done,) in ended.fetchall()} == {True}
            yield
        finally:
            connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())


def cut_some(postgres: Postgres, database: str, rng: random.Random) -> None:
    """One or several connections are ended; new ones can be made at once."""
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        found = connection.execute(CONNECTIONS.encode(), (conninfo_to_dict(database)["dbname"],)).fetchall()
        for (pid,) in rng.sample(found, rng.randint(1, len(found))) if found else []:
            connection.execute("SELECT pg_terminate_backend(%s)", (pid,))


def connections(postgres: Postgres, database: str) -> int:
    """How many connections servers have."""
    with psycopg.connect(postgres.url()) as connection:
        rows: list[Any] = connection.execute(CONNECTIONS.encode(), (conninfo_to_dict(database)["dbname"],)).fetchall()
    return len(rows)
