"""Games that are over, to be looked at again step by step: with everything open, or as they were shown to a seat."""

import asyncio
from functools import lru_cache
from typing import Any

import msgspec

from brocante.engine.errors import RecordError
from brocante.engine.game import Game
from brocante.engine.records import Replay
from brocante.engine.replay import told_at, view_at
from brocante.engine.state import NOBODY
from brocante.engine.text import Language
from brocante.engine.view import as_plain
from brocante.games import box as find_box
from brocante.server.http import Asked, endpoint, finished_game, whole
from brocante.server.refusals import HttpRefused
from brocante.table import audience
from brocante.table.table_fields import Finished

#: Lines of a record from which on there is something to see: the header and the deal.
DRAWABLE = 2
#: Games that are kept at hand, for those who step through them.
AT_HAND = 32


class Replayed(msgspec.Struct, frozen=True):
    """A game that is over, and what was told of each of its steps, in the order in which they happened.

    A game that was played by other rules is shown as far as it follows ours; `stopped` says where, and why.
    """

    game: str
    options: dict[str, Any]
    names: tuple[str, ...]
    seats: int
    steps: int
    winners: tuple[int, ...]
    log: list[list[str]]  # by step
    pictures: dict[str, Any]  # the cards that the log names, by the phrases that name them
    stopped: str = ""


@endpoint("GET", "/api/tables/{id}/games/{number}", Replayed, query=("eyes",))
async def replay(asked: Asked) -> Replayed:
    """A game that is over (the first is number 1), and its log as `eyes` were told it: `open` (all there is to
    tell, unless you say otherwise), `watching`, or those of a seat."""
    finished, reading = await reading_of(asked)
    eyes = eyes_of(asked, reading.game)
    return await asyncio.to_thread(replayed, finished, eyes, asked.language)


@lru_cache(AT_HAND)
def replayed(finished: Finished, eyes: int | None, language: Language) -> Replayed:
    reading, stopped = read(finished.record)
    game, names = reading.game, reading.names
    told = [told_at(game, step, eyes) for step in range(len(game.steps))]
    return Replayed(
        game=game.box.slug,
        options=game.header()["options"],
        names=names,
        seats=game.players,
        steps=len(game.steps),
        winners=finished.winners,
        log=[[language.say(text, names) for text in texts] for texts in told],
        pictures=audience.pictures(game.box, [text for texts in told for text in texts], language, names),
        stopped=stopped.say(language.code) if stopped else "",
    )


@endpoint("GET", "/api/tables/{id}/games/{number}/views/{step}", dict[str, Any], query=("eyes",))
async def replay_view(asked: Asked) -> dict[str, Any]:
    """What `eyes` saw of such a game after so many steps, with the `moments` of the last of them."""
    _, reading = await reading_of(asked)
    game = reading.game
    eyes, step = eyes_of(asked, game), whole(asked.request.path_params["step"])
    if not 0 <= step <= len(game.steps):
        raise HttpRefused(404, "no_step", last=len(game.steps))
    return await asyncio.to_thread(viewed, reading, step, eyes, asked.language)


def viewed(reading: Replay, step: int, eyes: int | None, language: Language) -> dict[str, Any]:
    game, names = reading.game, reading.names
    moment = game.moment(eyes, step - 1) if eyes is not None and step else None
    moments = [as_plain(moment, language, names)] if moment else []
    return {**view_at(game, step, eyes).plain(language, names), "moments": moments}


async def reading_of(asked: Asked) -> tuple[Finished, Replay]:
    """The game that is asked for, read from its record."""
    table = (await asked.room()).table
    finished = finished_game(table, asked.request.path_params["number"])
    asked.server.rooms.workshop.want(table.box.slug)
    return finished, (await asyncio.to_thread(read, finished.record))[0]


@lru_cache(AT_HAND)
def read(record: bytes) -> tuple[Replay, RecordError | None]:
    """The game of a record, and why it goes no further, if it was played by other rules. It takes a while, so it is
    done in a thread, and once for all steps."""
    reading = Replay(find_box)
    try:
        for line in record.splitlines(keepends=True):
            reading.feed(line)
    except RecordError as error:
        if reading.line < DRAWABLE:
            raise HttpRefused(409, "not_replayable", problem=error.problem) from None
        return reading, error
    return reading, None


def eyes_of(asked: Asked, game: Game) -> int | None:
    """With whose eyes somebody wants to look: a seat's, NOBODY's for one who watches, None for open ones."""
    eyes = asked.request.query_params.get("eyes", "open")
    if eyes in ("open", "watching"):
        return None if eyes == "open" else NOBODY
    if whole(eyes) not in range(game.players):
        raise HttpRefused(400, "eyes", last=game.players - 1)
    return whole(eyes)
