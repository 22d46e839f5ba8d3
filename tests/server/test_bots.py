"""Bots think where they hold up nobody, and always decide as they would anywhere."""

import asyncio
import os
import signal
import subprocess
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import httpx
import pytest

from brocante.compiling.queue import CompileQueue
from brocante.engine.backend import PYTHON, Running
from brocante.engine.game import Game
from brocante.games import GAMES, box
from brocante.server import bot_workers
from brocante.server.bot_workers import BotWorkers
from brocante.server.rooms import Rooms
from brocante.table import commands as c
from brocante.table import handle, open_table
from brocante.table.thinking import Question, ThinkingElsewhere, Unanswered
from tests.server.processes import processes
from tests.server.rooms import Ear, running_rooms, table_of

#: Seconds until something that happens by itself must have happened.
SOON = 60.0


@pytest.fixture(autouse=True)
def plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled here, and what others have compiled is not used."""
    monkeypatch.setattr(CompileQueue, "want", lambda *_: None)
    for game in GAMES:
        monkeypatch.setattr(box(game), "running", Running(box(game).entry_points, PYTHON))


def questions(game: str, number: int) -> list[Question]:
    """What bots of a game are asked, one after another."""
    found: list[Question] = []
    asked = box(game)
    playing = Game(asked, asked.complete({}), "a game")
    while len(found) < number and not playing.is_over:
        question = Question(game, "greedy", f"{len(found)}", playing.state.tobytes())
        found.append(question)
        playing.play(question.answer())
    return found


async def until(condition: Any) -> None:
    async with asyncio.timeout(SOON):
        while not condition():
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("game", ["collection", "vinto"])
async def test_a_worker_decides_as_the_server_would(game: str) -> None:
    asked = questions(game, 12)
    workers = BotWorkers()
    try:
        assert await asyncio.gather(*map(workers.think, asked)) == [question.answer() for question in asked]
        assert len(workers._processes) == 1 or bot_workers.WORKERS > 1
    finally:
        workers.close()


async def test_a_move_is_made_although_the_worker_dies_over_it() -> None:
    asked = questions("collection", 4)
    workers = BotWorkers()
    try:
        await workers.think(asked[0])
        for question in asked[1:]:
            for process in [*workers._processes]:
                process.kill()
            assert await workers.think(question) == question.answer()
    finally:
        workers.close()


async def test_where_no_process_can_be_had_bots_think_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    started = Mock(side_effect=PermissionError)
    monkeypatch.setattr(subprocess, "Popen", started)
    asked = questions("collection", 8)
    workers = BotWorkers()
    try:
        assert await asyncio.gather(*map(workers.think, asked)) == [question.answer() for question in asked]
        assert 0 < started.call_count < len(asked), "it is not tried for ever"
    finally:
        workers.close()


async def test_workers_end_when_there_is_nothing_to_think_about(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_workers, "IDLE", 0.05)
    (question, another) = questions("collection", 2)
    workers = BotWorkers()
    try:
        await workers.think(question)
        await until(lambda: not workers._processes)
        assert await workers.think(another) == another.answer()
    finally:
        workers.close()


def seeds() -> str:
    return "a seed"


def test_a_command_that_needs_a_bot_is_handled_anew_once_it_has_decided() -> None:
    """The same facts as if the bot had thought at once, whatever has been asked meanwhile."""
    table, _ = open_table("collection", {"players": 2}, "Ana", 0.0, seeds=seeds)
    for command in (c.Sit("Ana"), c.Start(fill=True)):
        table, _ = handle(table, command, "Ana", 0.0, seeds)
    while table.deciding == (0,):
        assert table.game
        table, _ = handle(table, c.PlayMove(str(table.game.legal_moves[0])), "Ana", table.since, seeds)
    due = table.due()
    assert due is not None
    elsewhere, asked = ThinkingElsewhere(), 0
    while True:
        try:
            played, facts = handle(table, c.Tick(), "", due, seeds, bots=elsewhere)
            break
        except Unanswered as unanswered:
            asked += 1
            elsewhere.learn(unanswered.question, unanswered.question.answer())
    assert asked
    assert facts == handle(table, c.Tick(), "", due, seeds)[1]
    assert played.deciding == (0,)


async def begun(rooms: Rooms) -> Any:
    """A table at which it is a bot's turn."""
    room = await table_of(rooms, "Ana")
    await rooms.do(room, c.Start(fill=True), "Ana")
    return room


async def test_others_may_act_at_a_table_while_its_bot_thinks(tmp_path: Path) -> None:
    async with running_rooms(str(tmp_path / "tables.db")) as rooms:
        thought, think = asyncio.Event(), rooms._bots.think

        async def at_length(question: Question) -> Any:
            await thought.wait()
            return await think(question)

        rooms._bots.think = at_length  # type: ignore[method-assign]
        room = await begun(rooms)
        ear = Ear("Ana")
        await rooms.join(room, ear.session, None, "")
        while room.table.deciding == (0,):
            await rooms.do(room, c.PlayMove(str(room.table.game.legal_moves[0])), "Ana")
        assert room.table.deciding == (1,)
        await asyncio.sleep(0.05)
        await rooms.do(room, c.Chat("Take your time"), "Ana")
        assert room.table.deciding == (1,)
        thought.set()
        await until(lambda: room.table.deciding == (0,))


async def test_a_server_that_stops_waits_for_no_bot(tmp_path: Path) -> None:
    async with asyncio.timeout(SOON), running_rooms(str(tmp_path / "tables.db")) as rooms:
        asked = questions("collection", 1)[0]
        waiting = asyncio.gather(*(rooms._bots.think(asked) for _ in range(5_000)), return_exceptions=True)
        await asyncio.sleep(0.1)
    answers = await waiting
    assert any(isinstance(answer, Exception) for answer in answers)


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM])
async def test_no_worker_outlives_its_server(tmp_path: Path, ending: signal.Signals) -> None:
    with processes(str(tmp_path / "tables.db"), tmp_path) as (server,):
        await server.start()
        async with httpx.AsyncClient(base_url=server.url) as http:
            token = (await http.post("/api/guests", json={"name": "Ana", "token": True})).json()["token"]
            http.headers["Authorization"] = f"Bearer {token}"
            for _ in range(12):  # at one of which, at least, a bot begins
                table = (await http.post("/api/tables", json={"game": "port", "options": {"players": 4}})).json()["id"]
                await http.post(f"/api/tables/{table}/join", json={})
                await http.post(f"/api/tables/{table}/do", json={"do": "start", "fill": True})
        await until(lambda: children(server.pid))
        workers = children(server.pid)
        os.kill(server.pid, ending)
        await until(lambda: not any(map(runs, workers)))


def children(pid: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(stat.parent.name))
    return found


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
