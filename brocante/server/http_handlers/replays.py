"""Replays of games that are over, step by step: with everything open, or as a seat saw them."""

from functools import lru_cache
from typing import Any

from brocante.engine.errors import RecordError
from brocante.engine.game import Game
from brocante.engine.replay import Replay
from brocante.engine.state import NOBODY
from brocante.engine.text import Language
from brocante.engine.view import as_plain
from brocante.games import box as find_box
from brocante.server.http import Exchange, number_in
from brocante.server.http_errors import HttpRefused
from brocante.server.http_handlers.tables import finished_game
from brocante.table import audience
from brocante.table.table_fields import Finished
from brocante.wire.http import Replayed

#: Lines of a record after which there is something to see: the header and the deal.
DRAWABLE = 2
#: Games that are cached, for those who step through them.
AT_HAND = 32


async def replay(exchange: Exchange) -> Replayed:
    """A game that is over (the first is number 1), and its log as `eyes` were told it: `open` (all there is to
    tell, unless you say otherwise), `watching`, or those of a seat."""
    finished, reading = await reading_of(exchange)
    eyes = eyes_of(exchange, reading.game)
    return await exchange.in_thread(replay_reply, finished, eyes, exchange.language)


@lru_cache(AT_HAND)
def replay_reply(finished: Finished, eyes: int | None, language: Language) -> Replayed:
    reading, stopped = read_record(finished.record)
    game, names = reading.game, reading.names
    told = [step.log(game.box, eyes) for step in game.steps]
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


async def replay_view(exchange: Exchange) -> dict[str, Any]:
    """What `eyes` saw of such a game after so many steps, with the `moments` of the last of them."""
    _, reading = await reading_of(exchange)
    game = reading.game
    eyes, step = eyes_of(exchange, game), number_in(exchange.path("step"))
    if not 0 <= step <= len(game.steps):
        raise HttpRefused(404, "no_step", last=len(game.steps))
    return await exchange.in_thread(viewed, reading, step, eyes, exchange.language)


def viewed(reading: Replay, step: int, eyes: int | None, language: Language) -> dict[str, Any]:
    game, names = reading.game, reading.names
    moment = game.moment(eyes, step - 1) if eyes is not None and step else None
    moments = [as_plain(moment, language, names)] if moment else []
    return {**game.past_view(step, eyes).plain(language, names), "moments": moments}


async def reading_of(exchange: Exchange) -> tuple[Finished, Replay]:
    """The game that a request names, read from its record."""
    table = await exchange.server.rooms.finished(exchange.path("id"))
    finished = finished_game(table, exchange.path("number"))
    exchange.server.rooms.compile_queue.want(table.box.slug)
    return finished, (await exchange.in_thread(read_record, finished.record))[0]


@lru_cache(AT_HAND)
def read_record(record: bytes) -> tuple[Replay, RecordError | None]:
    """The game of a record and, if it was played by other rules, why it goes no further. This is slow: call it in a
    thread."""
    reading = Replay(find_box)
    try:
        reading.read(record.splitlines(keepends=True))
    except RecordError as error:
        if reading.line < DRAWABLE:
            raise HttpRefused(409, "not_replayable", problem=error.problem) from None
        return reading, error
    return reading, None


def eyes_of(exchange: Exchange, game: Game) -> int | None:
    """Whose eyes a request names: a seat's, NOBODY's for a spectator's, None for open ones."""
    eyes = exchange.request.query_params.get("eyes", "open")
    if eyes in ("open", "watching"):
        return None if eyes == "open" else NOBODY
    if number_in(eyes) not in range(game.players):
        raise HttpRefused(400, "eyes", last=game.players - 1)
    return number_in(eyes)
