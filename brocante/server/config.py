"""The settings of a server: each is a flag of `brocante serve` and an environment variable, with a default."""

from collections.abc import Mapping
from typing import Any

import msgspec

from brocante.engine.errors import UsageError
from brocante.engine.text import Text
from brocante.files import data_folder

DAY = 86_400.0


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of one server process."""

    database: str = ""  # a file or a URL; "": in the user's data directory
    hosts: str = ""  # names that the server goes by, separated by commas; *: any; "": see `hosts_at`
    origins: str = ""  # other sites whose pages may use this server, separated by commas
    pace: float = 1.0  # what the time that bots take is multiplied by; 0: they move at once
    grace: float = 20.0  # seconds that somebody may be disconnected before a bot plays for them
    metrics_from: str = "127.0.0.1,::1"  # addresses that may read /metrics, separated by commas; *: all
    token_days: int = 180  # of service after which a guest who has not come back is forgotten
    compile: bool = True  # the rules, in a process of its own, while games are played as plain Python

    # limits
    message_bytes: int = 16_384  # of one message on a socket
    body_bytes: int = 65_536  # of one request
    rate: float = 40.0  # rate limit: requests a second of each client, in the long run
    burst: float = 80.0  # and at once
    guests_rate: float = 1.0  # new guests a second for each address, in the long run
    tables: int = 30  # that one identity may have opened and not finished
    connections: int = 25_000  # sockets of this process
    connections_each: int = 30  # of one identity
    connections_address: int = 200  # of one address
    backlog: int = 1_000_000  # bytes that may wait for a client that does not read

    # old tables, in days of service
    keep_open: float = 2.0  # at which nothing was dealt
    keep_playing: float = 60.0  # that were left in the middle
    keep_over: float = 180.0  # with their records
    idle: float = 60.0  # seconds after which a table that nobody looks at leaves the memory

    def may_read_metrics(self, address: str) -> bool:
        allowed = [part.strip() for part in self.metrics_from.split(",")]
        return address in allowed or "*" in allowed

    @property
    def allowed_origins(self) -> tuple[str, ...]:
        return tuple(origin.strip().rstrip("/") for origin in self.origins.split(",") if origin.strip())


#: The settings by name, with their defaults.
SETTINGS: dict[str, Any] = {field.name: field.default for field in msgspec.structs.fields(Config)}


def configured(given: Mapping[str, Any]) -> Config:
    """The settings that were given, and the defaults of the others."""
    config = Config(**given)
    for name, value in given.items():
        if isinstance(value, int | float) and not value >= 0:  # nor "nan"
            raise UsageError(Text("error.serve.setting", setting=name.replace("_", "-"), value=value))
    return config if config.database else msgspec.structs.replace(config, database=str(data_folder() / "tables.db"))
