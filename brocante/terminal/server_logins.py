"""Names and tokens by server, kept so that a person finds their seats again."""

from pathlib import Path

import msgspec

from brocante.files import data_folder, write_at_once
from brocante.terminal.game_log import refusing

#: Tokens by server and name, the last used at the end.
Logins = dict[str, dict[str, str]]


def logins_file() -> Path:
    return data_folder() / "guests.json"


def saved_login(server: str, name: str | None) -> tuple[str, str] | None:
    """The name and token used under that name, or last; None if there are none."""
    tokens = read_logins().get(server, {})
    name = name or next(reversed(tokens), "")
    return (name, tokens[name]) if name in tokens else None


def save_login(server: str, name: str, token: str) -> None:
    """Remember a token, in a file that only its owner can read."""
    kept = read_logins()
    kept[server] = {**{other: known for other, known in kept.get(server, {}).items() if other != name}, name: token}
    file = logins_file()
    with refusing(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_at_once(file, msgspec.json.format(msgspec.json.encode(kept)))


def read_logins() -> Logins:
    try:
        return msgspec.json.decode(logins_file().read_bytes(), type=Logins)
    except (OSError, msgspec.DecodeError):
        return {}
