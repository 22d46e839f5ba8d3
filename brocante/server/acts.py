"""What the operator of a server can do (`brocante admin`). Each act is noted in the database before it is done, with
what came of it afterwards, and every process of the server hears of it there. (A backup is a copy of what was there
before, and a restored database is another one: both are noted afterwards.)"""

from collections.abc import Callable
from typing import Any

import msgspec


class Act(msgspec.Struct, frozen=True, tag_field="act", tag=str.lower, omit_defaults=True):
    """Something that the operator does."""

    @classmethod
    def kind(cls) -> str:
        """How the log calls it, and the command line."""
        return str(cls.__struct_config__.tag)

    @property
    def about(self) -> dict[str, Any]:
        """What it is done to, and how."""
        return {name: value for name, value in msgspec.structs.asdict(self).items() if value not in ("", None)}


class CloseTable(Act, frozen=True, tag="close"):
    """The game under way at a table ends."""

    table: str


class RemoveTable(Act, frozen=True, tag="remove"):
    """A table is deleted, with everything of it."""

    table: str


class KeepOut(Act, frozen=True, tag="ban"):
    """A guest, or whoever comes from a network of addresses, is kept out."""

    who: str
    until: float | None = None
    why: str = ""


class LetIn(Act, frozen=True, tag="unban"):
    who: str


class Announce(Act, frozen=True):
    """A line is shown to everyone; an empty one takes back the last."""

    text: str
    until: float | None = None


class Export(Act, frozen=True):
    """Everything that is kept of a table, or of a person, is written out."""

    table: str = ""
    guest: str = ""


class DeletePerson(Act, frozen=True, tag="delete"):
    """An identity is forgotten, and its name and what it said are taken out of every log."""

    guest: str


class Backup(Act, frozen=True):
    """All that a server keeps is copied into a file, with the key of all tokens."""

    file: str


class Restore(Act, frozen=True):
    """What a backup holds takes the place of all that the database held."""

    file: str


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of an act: what went wrong, if anything did, and the tables that it changed."""

    problem: str = ""
    tables: list[str] = []


decode_act: Callable[[bytes], Act] = msgspec.json.Decoder(
    CloseTable | RemoveTable | KeepOut | LetIn | Announce | Export | DeletePerson | Backup | Restore
).decode
decode_outcome = msgspec.json.Decoder(Outcome).decode
