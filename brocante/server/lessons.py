"""Guided first games. Nothing is kept of them here: whoever learns says at which step they are."""

import asyncio
from typing import Any

import msgspec

from brocante.engine.lesson import Lesson, lesson_of
from brocante.engine.text import Language, Text
from brocante.engine.view import as_plain
from brocante.games import GAMES
from brocante.games import box as find_box
from brocante.server.http import Asked, endpoint, whole
from brocante.server.refusals import HttpRefused
from brocante.table import audience


class LessonInfo(msgspec.Struct, frozen=True):
    title: str
    steps: int
    seat: int  # the learner's
    names: tuple[str, ...]


class LessonReply(msgspec.Struct, frozen=True):
    """One step: what has happened since the one before, what is explained, and what the learner sees."""

    says: str
    points_at: str  # the part of the table to look at: `pack`, `0.hand` for a zone of seat 0, `board.actions`; or none
    view: dict[str, Any]  # it offers nothing but what leads on
    yours: bool  # the learner is to move; otherwise they go on when they have read it
    last: bool
    log: list[str]
    pictures: dict[str, Any]  # the cards that the log names, by the phrases that name them
    moments: list[Any]


@endpoint("GET", "/api/games/{game}/lesson", LessonInfo, for_anyone=True)
async def lesson(asked: Asked) -> LessonInfo:
    """The guided first game of a game: how many steps it has, and who sits where."""
    found, language = await lesson_for(asked), asked.language
    return LessonInfo(language.say(found.title), len(found.steps), found.seat, names_in(found, language))


@endpoint("GET", "/api/games/{game}/lesson/{step}", LessonReply, query=("begun",), for_anyone=True)
async def lesson_step(asked: Asked) -> LessonReply:
    """A step of it, counted from 0. Of a move that takes several choices, `begun` are those that were made, as in
    `17,4`."""
    found, language = await lesson_for(asked), asked.language
    number, last = whole(asked.request.path_params["step"]), len(found.steps) - 1
    if not 0 <= number <= last:
        raise HttpRefused(404, "no_step", last=last)
    step, names, log = found.steps[number], names_in(found, language), found.log(number)
    return LessonReply(
        says=language.say(found.says(number), names),
        points_at=step.show,
        view=found.view(number, begun_of(asked)).plain(language, names),
        yours=bool(step.move),
        last=number == last,
        log=[language.say(text, names) for text in log],
        pictures=audience.pictures(found.box, log, language, names),
        moments=[as_plain(moment, language, names) for moment in found.moments(number)],
    )


async def lesson_for(asked: Asked) -> Lesson:
    game = asked.request.path_params["game"]
    if game not in GAMES:
        raise HttpRefused(404, "no_game", games=tuple(GAMES))
    asked.server.rooms.workshop.want(game)
    found = await asyncio.to_thread(lesson_of, find_box(game))
    if found is None:
        raise HttpRefused(404, "no_lesson")
    return found


def names_in(found: Lesson, language: Language) -> tuple[str, ...]:
    return found.names(language.say(Text("lesson.learner")))


def begun_of(asked: Asked) -> tuple[int, ...]:
    text = asked.request.query_params.get("begun", "")
    begun = tuple(whole(action) for action in text.split(",")) if text else ()
    if -1 in begun:
        raise HttpRefused(400, "begun")
    return begun
