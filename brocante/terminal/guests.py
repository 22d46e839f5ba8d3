"""Who one is at a server, kept so that one finds one's seats again."""

from pathlib import Path

import msgspec

from brocante.engine.errors import UsageError
from brocante.engine.text import Text
from brocante.files import data_folder, write_at_once

#: Tokens by server and name, the one that was used last at the end.
Kept = dict[str, dict[str, str]]


def guests_file() -> Path:
    return data_folder() / "guests.json"


def kept_guest(server: str, name: str | None) -> tuple[str, str] | None:
    """The name and the token of the guest of that name, or of the last one; None if there was none."""
    guests = read().get(server, {})
    name = name or next(reversed(guests), "")
    return (name, guests[name]) if name in guests else None


def keep_guest(server: str, name: str, token: str) -> None:
    """Remember a guest; only the reader of the file can be them."""
    kept = read()
    kept[server] = {**{other: known for other, known in kept.get(server, {}).items() if other != name}, name: token}
    file = guests_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_at_once(file, msgspec.json.format(msgspec.json.encode(kept)))
    except OSError as error:
        raise UsageError(Text("error.file", file=str(file), problem=error.strerror)) from None


def read() -> Kept:
    try:
        return msgspec.json.decode(guests_file().read_bytes(), type=Kept)
    except (OSError, msgspec.DecodeError):
        return {}
