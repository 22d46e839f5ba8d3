"""Tables: the lists of them, and all that can be done at one without its socket."""

from io import BytesIO
from typing import Any

import msgspec
import segno

from brocante.server.broadcast import encoded_view
from brocante.server.http import Exchange, number_in
from brocante.server.http_errors import HttpRefused
from brocante.server.listings import summary_of
from brocante.server.rooms import Rooms
from brocante.server.storage import Listing
from brocante.table import LiveTable, audience
from brocante.table import commands as c
from brocante.table.table_fields import Finished
from brocante.wire.http import Join, Listed, NewTable, Own, TableReply

#: Seconds after which a table at which nobody waits is not listed any more.
DESERTED_AFTER = 900.0
#: Characters of a link that a telephone can still make out.
LONGEST_LINK = 500


# --- lists ------------------------------------------------------------------------------------------------------------


async def tables(exchange: Exchange) -> list[Listed]:
    """The tables that are open to all: everyone's latest before anyone's second; not those where nobody waits."""
    phase = exchange.request.query_params.get("phase")
    if phase not in (None, "open", "playing", "over"):
        raise HttpRefused(400, "phase")
    attended = exchange.server.rooms.stamp().earlier(DESERTED_AFTER)
    return [listed(found) for found in await exchange.server.storage.listings(phase=phase, attended=attended)]


def listed(found: Listing) -> Listed:
    summary = summary_of(found)
    return Listed(found.table, found.game, found.phase, found.opened, summary.options, summary.seats)


async def own_tables(exchange: Exchange) -> list[Own]:
    """The tables at which you sit, or which you have opened, private ones too; those of late first."""
    found = await exchange.server.storage.own(exchange.identity.id)
    return [own(exchange.server.rooms, listing, seat) for listing, seat in found]


def own(rooms: Rooms, found: Listing, seat: int | None) -> Own:
    summary, room = summary_of(found), rooms.in_memory(found.table)
    return Own(
        **msgspec.structs.asdict(listed(found)),
        private=found.private,
        seat=seat,
        your_turn=seat in (room.table.deciding if room else summary.asked),
        games=summary.games,
    )


# --- one table --------------------------------------------------------------------------------------------------------


async def open_table(exchange: Exchange) -> TableReply:
    """Open a table. You are its host; sit down next."""
    new: NewTable = exchange.body
    host, opener = exchange.identity.id, exchange.server.opener_of(exchange.request)
    room = await exchange.server.rooms.open(
        new.game, new.options, host, private=new.private, clock=new.clock, fading=new.fading, opener=opener
    )
    return exchange.reply(room)


async def table(exchange: Exchange) -> TableReply:
    """How a table stands."""
    return exchange.reply(await exchange.room())


async def join(exchange: Exchange) -> TableReply:
    """Sit down at a table, or come back to it."""
    body: Join = exchange.body
    return await exchange.do(c.Sit(body.name or exchange.identity.name, body.seat, body.nonce))


async def leave(exchange: Exchange) -> TableReply:
    """Get up; during a game a bot plays on for you until you come back."""
    return await exchange.do(c.Stand())


async def do(exchange: Exchange) -> TableReply:
    """Any command that the socket takes."""
    return await exchange.do(exchange.body)


async def view(exchange: Exchange) -> Any:
    """What you see of the game: your seat's view, or what everyone may see."""
    table = (await exchange.room()).table
    return encoded_view(table, table.viewer_of(exchange.who), exchange.language)


async def log(exchange: Exchange) -> list[str]:
    """What happened in the game, as you may know it."""
    table = (await exchange.room()).table
    return audience.log(table, table.viewer_of(exchange.who), exchange.language)


async def qr(exchange: Exchange) -> bytes:
    """The link of a table as a QR code, to be scanned with a telephone."""
    link = f"{exchange.request.base_url}tables/{(await exchange.room()).id}"
    if len(link) > LONGEST_LINK:
        raise HttpRefused(413, "too_long", most=LONGEST_LINK)
    return qr_code(link)


def qr_code(link: str) -> bytes:
    picture = BytesIO()
    # Black on white whatever the page looks like: not every telephone reads white on black.
    segno.make_qr(link).save(picture, kind="svg", light="white", xmldecl=False, omitsize=True, svgclass=None)
    return picture.getvalue()


async def record(exchange: Exchange) -> bytes:
    """The record of a game that is over: the last one, or the one of that number, counted from 1."""
    table = await exchange.server.rooms.finished(exchange.path("id"))
    return finished_game(table, exchange.request.query_params.get("game", str(len(table.finished)))).record


def finished_game(table: LiveTable, number: str) -> Finished:
    """The game of that number, counted from 1, if it is over."""
    if not table.finished:
        raise HttpRefused(409, "not_finished")
    if not 1 <= number_in(number) <= len(table.finished):
        raise HttpRefused(404, "no_record", games=len(table.finished))
    return table.finished[number_in(number) - 1]
