"""What is kept of a person, found in a log and taken out of it.

A log is read here as plain data, so that facts of another version are kept as they are. Every fact stays where it is:
a table is played on, and replayed, as before.
"""

import base64
import secrets
import zlib
from collections.abc import Iterable
from typing import Any

import msgspec

from brocante.engine.records import written as line_written
from brocante.server.listings import summary_of
from brocante.server.storage import Entry, Listing

#: What somebody is called who has been deleted, and what they have said, in any language.
NAMELESS, UNSAID = "N. N.", "…"

FactData = dict[str, Any]


class Following:
    """Follows somebody through the log of a table: where they sit, and in which games they sat where."""

    def __init__(self, identity: str) -> None:
        self._identity = identity
        self._seat: int | None = None
        self._games: list[int | None] = []  # by game, where they sat when it was dealt

    def concerns(self, fact: FactData) -> bool:
        """Whether the next fact is about them."""
        sat_at, kind, seat = self._seat, fact["fact"], fact.get("seat")
        if kind in ("sat", "botsat"):
            if fact.get("who") == self._identity:
                self._seat = seat
            elif seat == self._seat:
                self._seat = None
        elif kind == "stood" and seat == self._seat:
            self._seat = None
        elif kind == "started":
            self._games.append(self._seat)
        elif kind == "recorded":
            return self.seat_in(fact["game"]) is not None
        names_them = self._identity in (fact.get("who"), fact.get("host"))
        return names_them or (kind not in ("sat", "botsat") and seat is not None and seat == sat_at)

    def seat_in(self, game: int) -> int | None:
        """Where they sat in a game, counted from 1."""
        return self._games[game - 1] if 0 < game <= len(self._games) else None


def facts_about(identity: str, entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Everything at a table that somebody has done or said, or that was done to them."""
    following = Following(identity)
    found = []
    for entry in entries:
        about = [fact for fact in msgspec.json.decode(entry.body) if following.concerns(fact)]
        if about:
            found.append({"number": entry.number, "at": entry.at, "facts": about})
    return found


def names_in(found: Iterable[dict[str, Any]], identity: str) -> list[str]:
    """What somebody called themselves in those."""
    facts = [fact for entry in found for fact in entry["facts"]]
    return sorted({fact["name"] for fact in facts if fact["fact"] == "sat" and fact["who"] == identity})


class Deletion:
    """Takes somebody out of the log of a table. Where they were, somebody without a name or an identity has been."""

    def __init__(self, identity: str) -> None:
        self.identity = identity
        self._nobody = f"deleted-{secrets.token_urlsafe(8)}"
        self._names: set[tuple[int, str]] = set()  # with the seats at which they bore them

    def rewrite(self, entries: list[Entry]) -> list[Entry]:
        following = Following(self.identity)
        return [self._rewritten(entry, following) for entry in entries]

    def relist(self, listing: Listing) -> Listing:
        """The same for how the table is listed."""
        summary = summary_of(listing)
        seats = [
            {**seat, "name": NAMELESS} if (number, seat["name"]) in self._names else seat
            for number, seat in enumerate(summary.seats)
        ]
        return msgspec.structs.replace(
            listing,
            host=self._nobody if listing.host == self.identity else listing.host,
            summary=msgspec.json.encode(msgspec.structs.replace(summary, seats=seats)),
        )

    def _rewritten(self, entry: Entry, following: Following) -> Entry:
        facts = msgspec.json.decode(entry.body)
        anew = [self._without_them(fact, following) if following.concerns(fact) else fact for fact in facts]
        return entry if anew == facts else msgspec.structs.replace(entry, body=msgspec.json.encode(anew))

    def _without_them(self, fact: FactData, following: Following) -> FactData:
        match fact:
            case {"fact": "sat", "seat": seat, "name": name}:
                self._names.add((seat, name))
                return {**fact, "who": self._nobody, "name": NAMELESS}
            case {"fact": "hosted"}:
                return {**fact, "who": self._nobody}
            case {"fact": "opened"}:
                return {**fact, "host": self._nobody}
            case {"fact": "said", "text": text} if text:
                return {**fact, "text": UNSAID}
            case {"fact": "recorded", "game": game, "record": record}:
                return {**fact, "record": without_name(record, following.seat_in(game))}
        return fact


def without_name(record: str, seat: int | None) -> str:
    """A record as a fact has it, without the name at a seat."""
    header, line, rest = zlib.decompress(base64.b64decode(record)).partition(b"\n")
    told = msgspec.json.decode(header)
    told["seats"] = [NAMELESS if number == seat else name for number, name in enumerate(told["seats"])]
    anew = zlib.compress(line_written(told).rstrip(b"\n") + line + rest)
    return base64.b64encode(anew).decode()
