"""Games that are over, looked at again: as each seat was shown them at the time, or with everything open."""

import asyncio
import time
import zlib
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

import brocante
from brocante.bots import Bot, best_bot
from brocante.engine.game import Game
from brocante.engine.records import write_record
from brocante.engine.state import NOBODY
from brocante.engine.text import Text, language
from brocante.engine.view import as_plain
from brocante.server import limits
from brocante.server.http_handlers import replays
from brocante.server.http_handlers.replays import read_record
from brocante.table.table_fields import Finished
from tests.server.asking import OPTIONS, House, check_refused, house

EYES = {"0": 0, "1": 1, "watching": NOBODY}
#: Every so many steps are looked at.
STRIDE = 9


@pytest.fixture
async def open_house(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path) as found:
        yield found


class Played(NamedTuple):
    """A game that was played to its end, at a table, and what everyone was shown and told meanwhile."""

    game: Game
    names: tuple[str, ...]
    path: str
    shown: dict[tuple[int, str], Any]  # by number of steps, and eyes
    said: dict[str, list[list[Text]]]  # by eyes


async def played(house: House, slug: str) -> Played:
    game = brocante.deal(slug, seed="replayed", **OPTIONS[slug])
    names = tuple(f"Person{seat}" for seat in range(game.players))
    bot = Bot(game.box, best_bot(game.box))
    shown: dict[tuple[int, str], Any] = {}
    said: dict[str, list[list[Text]]] = {name: [] for name in EYES}
    told = 0
    while True:
        for name, viewer in EYES.items():
            said[name] += [game.log_of(viewer, number) for number in range(told, len(game.steps))]
            shown[len(game.steps), name] = game.idle_view(viewer, Text("prompt.over")).table
        told = len(game.steps)
        if game.is_over:
            break
        game.play(bot.choose(game))
    table = await house.table(await house.guest("Ana"), slug)
    record = write_record(game, names)
    house.room(table).table.finished.append(Finished(zlib.compress(record), tuple(game.winners)))
    return Played(game, names, f"/api/tables/{table}/games/1", shown, said)


async def answer(house: House, path: str) -> Any:
    found = await house.ask("GET", path)
    assert found.status_code == 200, found.text
    return found.json()


def plain(value: Any, names: tuple[str, ...]) -> Any:
    return msgspec.json.decode(msgspec.json.encode(as_plain(value, language("en"), names)))


@pytest.mark.parametrize("slug", brocante.GAMES)
async def test_everyone_sees_again_what_they_were_shown_and_told_then(open_house: House, slug: str) -> None:
    game, names, path, shown, said = await played(open_house, slug)
    for eyes in EYES:
        whole = await answer(open_house, f"{path}?eyes={eyes}")
        assert whole["log"] == [[language("en").say(text, names) for text in texts] for texts in said[eyes]]
        assert (whole["steps"], whole["winners"]) == (len(game.steps), game.winners)
        assert (whole["game"], whole["names"], whole["seats"]) == (slug, list(names), len(names))
        for step, name in [*shown][::STRIDE]:
            if name == eyes:
                view = await answer(open_house, f"{path}/views/{step}?eyes={eyes}")
                assert view["table"] == plain(shown[step, eyes], names)
                assert not view["offers"]


@pytest.mark.parametrize("slug", brocante.GAMES)
async def test_open_eyes_see_everything_and_the_end_how_it_came_about(open_house: House, slug: str) -> None:
    game, names, path, *_ = await played(open_house, slug)
    whole = await answer(open_house, path)
    assert len(whole["log"]) == whole["steps"]
    said = "".join(line for lines in whole["log"] for line in lines)
    assert all(phrase in said for phrase in whole["pictures"])
    for step in (0, 1, whole["steps"] // 2):
        view = await answer(open_house, f"{path}/views/{step}?eyes=open")
        before, after = game.steps[max(0, step - 1)].states(game.box)
        open_ = game.box.table(after if step else before, None).untouchable()
        assert view["table"] == plain(open_, names)
        assert (view["result"], view["awards"], view["moments"]) == (None, [], [])
    last = await answer(open_house, f"{path}/views/{whole['steps']}")
    assert last["result"] == {"scores": game.scores, "ranks": game.ranks, "winners": game.winners}
    assert len(last["awards"]) == len(game.view(0).awards)
    assert last["prompt"] == "The game is over."


async def test_what_one_saw_for_a_moment_comes_with_the_step_that_showed_it(open_house: House) -> None:
    game, _, path, *_ = await played(open_house, "vinto")
    peek = next(n for n, step in enumerate(game.steps, 1) if step.move and step.move.seat == 0)
    own, others = [await answer(open_house, f"{path}/views/{peek}?eyes={eyes}") for eyes in (0, 1)]
    assert own["moments"][0]["text"].startswith("Remember")
    assert not others["moments"]


async def test_a_record_is_read_once_for_all_its_steps(open_house: House) -> None:
    path = (await played(open_house, "collection")).path
    read_record.cache_clear()
    for step in range(5):
        await answer(open_house, f"{path}/views/{step}?eyes=1")
    assert (read_record.cache_info().misses, read_record.cache_info().hits) == (1, 4)


async def test_whoever_has_a_record_read_pays_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a thread, too: it takes the time of those who play."""
    monkeypatch.setattr(limits, "REQUEST", 1e-4)
    async with house(tmp_path, rate=0.0, burst=1_000.0) as found:
        path, eve = (await played(found, "port")).path, await found.guest("Eve")
        found.server.limits = limits.Limits(found.server.config)  # without what it took to get there
        read_record.cache_clear()
        assert (await found.ask("GET", path, eve)).is_success
        assert not found.server.limits._requests.of(eve.id).has(900.0)
        assert not found.server.limits._time.of("127.0.0.1").has(0.3 - 0.01), "of 0.3 seconds"
        found.server.limits.charge("", "127.0.0.1", 1.0)
        check_refused(await found.ask("GET", path, eve), 429, "rate")


async def test_records_are_read_one_at_a_time_until_the_time_of_an_address_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many ask at once: so much at a time is what others notice."""
    reading, most = Counter[str](), 0

    def read(record: bytes) -> Any:
        nonlocal most
        reading["now"] += 1
        most = max(most, reading["now"])
        reading["begun"] += 1
        until = time.thread_time() + 0.02
        while time.thread_time() < until:
            pass
        reading["now"] -= 1
        return read_record(record)

    async with house(tmp_path) as found:
        path, guests = (await played(found, "collection")).path, [await found.guest("Eve") for _ in range(30)]
        monkeypatch.setattr(replays, "read_record", read)
        found.server.limits = limits.Limits(msgspec.structs.replace(found.server.config, rate=1e-6, burst=20.0))
        answers = await asyncio.gather(*(found.ask("GET", path, guest) for guest in guests))
        assert {answer.status_code for answer in answers} == {429}
        assert most == 1
        assert 4 <= reading["begun"] <= 7, "of 0.12 seconds"


async def test_a_game_that_somebody_has_given_up_is_seen_as_far_as_it_went(open_house: House) -> None:
    table, (ana, ben) = await open_house.game("collection", options={"players": 2})
    check_refused(await open_house.ask("GET", f"/api/tables/{table}/games/1", ana), 409, "not_finished")
    check_refused(await open_house.ask("GET", f"/api/tables/{table}/games/1/views/1", ana), 409, "not_finished")
    await open_house.done("do", table, ben, json={"do": "resign"})
    whole = await answer(open_house, f"/api/tables/{table}/games/1")
    assert (whole["steps"], whole["winners"]) == (1, [0])
    last = await answer(open_house, f"/api/tables/{table}/games/1/views/1?eyes=0")
    assert (last["result"], last["prompt"]) == (None, "The game is over.")


async def test_what_a_replay_does_not_have_is_refused(open_house: House) -> None:
    path = (await played(open_house, "collection")).path
    for number in ("0", "2", "x", "-1", "%00", "99999999"):
        check_refused(await open_house.ask("GET", f"{path[:-1]}{number}"), 404, "no_record")
    for step in ("-1", "x", "99999", "99999999"):
        check_refused(await open_house.ask("GET", f"{path}/views/{step}"), 404, "no_step")
    for eyes in ("", "-2", "3", "9", "all", "%00"):
        check_refused(await open_house.ask("GET", f"{path}?eyes={eyes}"), 400, "eyes")
        check_refused(await open_house.ask("GET", f"{path}/views/1?eyes={eyes}"), 400, "eyes")
    check_refused(await open_house.ask("GET", "/api/tables/nothing/games/1"), 404, "no_table")
