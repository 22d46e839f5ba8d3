"""How tables are listed: what the lobby, and the list of one's own tables, say of each."""

from typing import Any

import msgspec

from brocante.server.storage import Listing, Stamp
from brocante.table import LiveTable, audience


class Summary(msgspec.Struct, frozen=True):
    """What a listing tells of a table besides what it is found by. Everyone may know it."""

    options: dict[str, Any]
    seats: list[dict[str, str]]
    asked: list[int] = []  # who was to decide when it was last written
    games: int = 0  # how many were played to their end


def summary_of(listing: Listing) -> Summary:
    try:
        return msgspec.json.decode(listing.summary, type=Summary)
    except (msgspec.DecodeError, UnicodeError, TypeError):
        return Summary({}, [])  # it is damaged: the others are listed, and it is written anew one day


def listing_of(key: str, table: LiveTable, touched: Stamp, opener: str = "") -> Listing:
    seats = [{"kind": seat.kind, "name": seat.name} for seat in audience.info(table).seats]
    summary = Summary(table.options, seats, list(table.deciding), len(table.finished))
    return Listing(
        table=key,
        game=table.box.slug,
        phase=table.phase,
        private=table.private,
        host=table.host,
        opened=table.opened,
        touched=touched.at,
        summary=msgspec.json.encode(summary),
        served=touched.served,
        opener=opener,
        seated=tuple((seat.who, number) for number, seat in enumerate(table.seats) if seat.who),
    )
