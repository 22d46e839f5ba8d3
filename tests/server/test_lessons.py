"""Guided first games over HTTP: whoever does what is asked gets to the end, step by step, in both languages."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import brocante
from tests.server.asking import House, check_refused, house


@pytest.fixture
async def open_house(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path) as found:
        yield found


async def told(house: House, path: str, code: str) -> Any:
    answer = await house.ask("GET", path, headers={"accept-language": code})
    assert answer.status_code == 200, answer.text
    return answer.json()


def touchable(view: dict[str, Any]) -> list[dict[str, Any]]:
    """Everything on the table that one can touch."""
    table = view["table"]
    zones = [*table["centre"], *table["board"], *(zone for place in table["places"] for zone in place["zones"])]
    return [thing for zone in zones for thing in (zone, *zone["stacks"])]


@pytest.mark.parametrize("slug", brocante.GAMES)
@pytest.mark.parametrize("code", ["en", "fr"])
async def test_a_lesson_leads_to_its_end(open_house: House, slug: str, code: str) -> None:
    path = f"/api/games/{slug}/lesson"
    lesson = await told(open_house, path, code)
    assert lesson["title"]
    refused = 0
    for number in range(lesson["steps"]):
        step = await told(open_house, f"{path}/{number}", code)
        assert len(step["says"].split()) > 2
        assert step["last"] == (number == lesson["steps"] - 1)
        assert step["view"]["viewer"] == lesson["seat"]
        assert len(step["view"]["table"]["places"]) == len(lesson["names"])
        if step["yours"]:
            refused += await make_the_move(open_house, f"{path}/{number}", code, step["view"])
        else:
            assert not step["view"]["offers"]
    assert refused > 4


async def make_the_move(house: House, path: str, code: str, view: dict[str, Any]) -> int:
    """Choose what is offered until the move is whole; how many other things have said that this comes first."""
    begun: list[str] = []
    refused = 0
    while True:
        (offer,) = view["offers"]
        first = {"en": "In a moment. First: {}.", "fr": "Un instant. D’abord\u00a0: {}."}[code].format(offer["label"])
        things = touchable(view)
        assert all(thing["moves"] in ([], [offer["move"]]) for thing in things)
        assert all(thing["why"] is None for thing in things if thing["moves"])
        refused += len([thing for thing in things if thing["why"] == first])
        if offer["move"]["move"] != "part":
            return refused
        begun.append(str(offer["move"]["action"]))
        view = (await told(house, f"{path}?begun={','.join(begun)}", code))["view"]


async def test_what_happened_since_the_step_before_is_told_with_pictures_and_moments(open_house: House) -> None:
    steps = [await told(open_house, f"/api/games/vinto/lesson/{number}", "en") for number in range(3)]
    assert [len(step["moments"]) for step in steps] == [0, 0, 1]
    assert steps[2]["log"][0].startswith("You look at your cards")
    assert steps[2]["moments"][0]["text"].startswith("Remember: your card ")


async def test_what_a_lesson_does_not_have_is_refused(open_house: House) -> None:
    check_refused(await open_house.ask("GET", "/api/games/nothing/lesson"), 404, "no_game")
    for step in ("-1", "99", "x", "1.5", "99999999", "%00"):
        check_refused(await open_house.ask("GET", f"/api/games/collection/lesson/{step}"), 404, "no_step")
    for begun in ("x", "1,", ",", "-1", "1,,2", "%00"):
        check_refused(await open_house.ask("GET", f"/api/games/collection/lesson/2?begun={begun}"), 400, "begun")
    for begun in ("1", "0,0", "99999"):
        check_refused(await open_house.ask("GET", f"/api/games/collection/lesson/2?begun={begun}"), 409, "illegal_move")
