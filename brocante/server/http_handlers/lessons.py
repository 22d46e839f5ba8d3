"""Guided first games. The server keeps no state for them: the learner says at which step they are."""

from brocante.engine.lesson import Lesson, lesson_of
from brocante.engine.text import Language, Text
from brocante.engine.view import as_plain
from brocante.games import box as find_box
from brocante.server.http import Exchange, number_in
from brocante.server.http_errors import HttpRefused
from brocante.server.http_handlers.games import check_game
from brocante.table import audience
from brocante.wire.http import LessonInfo, LessonReply


async def lesson(exchange: Exchange) -> LessonInfo:
    """The guided first game of a game: how many steps it has, and who sits where."""
    found, language = await lesson_for(exchange), exchange.language
    return LessonInfo(language.say(found.title), len(found.steps), found.seat, names_in(found, language))


async def lesson_step(exchange: Exchange) -> LessonReply:
    """A step of it, counted from 0. Of a move that takes several choices, `begun` are those that were made, as in
    `17,4`."""
    found, language = await lesson_for(exchange), exchange.language
    number, last = number_in(exchange.path("step")), len(found.steps) - 1
    if not 0 <= number <= last:
        raise HttpRefused(404, "no_step", last=last)
    step, names, log = found.steps[number], names_in(found, language), found.log(number)
    return LessonReply(
        says=language.say(found.says(number), names),
        points_at=step.show,
        view=found.view(number, begun_of(exchange)).plain(language, names),
        yours=bool(step.move),
        last=number == last,
        log=[language.say(text, names) for text in log],
        pictures=audience.pictures(found.box, log, language, names),
        moments=[as_plain(moment, language, names) for moment in found.moments(number)],
    )


async def lesson_for(exchange: Exchange) -> Lesson:
    game = exchange.path("game")
    check_game(game)
    exchange.server.rooms.compile_queue.want(game)
    found = await exchange.in_thread(lesson_of, find_box(game))
    if found is None:
        raise HttpRefused(404, "no_lesson")
    return found


def names_in(found: Lesson, language: Language) -> tuple[str, ...]:
    return found.names(language.say(Text("lesson.learner")))


def begun_of(exchange: Exchange) -> tuple[int, ...]:
    text = exchange.request.query_params.get("begun", "")
    begun = tuple(number_in(action) for action in text.split(",")) if text else ()
    if -1 in begun:
        raise HttpRefused(400, "begun")
    return begun
