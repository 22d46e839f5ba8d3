"""Lost connections: everything is told exactly once, and everything is done exactly once."""

import asyncio
import random
from pathlib import Path

import pytest

from brocante.client import Client, Garbled, Lost, ServerAway, TableClient, Uncertain
from brocante.client import table as client_table
from brocante.client.pending_request import PendingRequest
from brocante.table import commands as c
from brocante.wire.events import Event
from brocante.wire.socket_codec import Request, You
from tests.client.test_client import begun, played
from tests.client.wire import Wire, wire_to
from tests.server.serving import served

#: Seconds after which a test gives up.
PATIENCE = 30.0


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that is gone is looked for at once."""
    monkeypatch.setattr(client_table, "SOON", 0.01)
    monkeypatch.setattr(client_table, "LATER", 0.05)


async def events(table: TableClient, heard: list[Event]) -> None:
    """Note everything that is told."""
    async for message in table.follow():
        if not isinstance(message, Lost):
            heard += message.events or ()


def own_moves(table: TableClient, heard: list[Event]) -> int:
    return sum(event.event == "moved" and event.seat == table.you.seat and not event.by for event in heard)


async def heard_to_the_end(table: TableClient, listening: asyncio.Task[None], last: int = 0) -> None:
    """Close a table once its event of that number has arrived, and wait until all that arrived is noted."""
    async with asyncio.timeout(PATIENCE):
        while table.n < last:
            await asyncio.sleep(0.001)
    await table.close()
    await listening


async def swallowed(wire: Wire) -> None:
    """Wait until something was lost on the line."""
    async with asyncio.timeout(PATIENCE):
        await wire.swallowed.wait()


async def test_a_line_that_is_cut_again_and_again_leaves_no_gap_and_repeats_nothing(url: str) -> None:
    chance = random.Random("cuts")
    async with wire_to(url) as wire, Client(wire.url, "Ana") as client, Client(url, token=client.token) as steady:
        table = await begun(client, players=3)
        other = await steady.table(table.id)  # the same seat, over a line that is never cut
        assert table.stream == other.stream
        heard: list[Event] = []
        told: list[Event] = []
        listening = [asyncio.create_task(events(table, heard)), asyncio.create_task(events(other, told))]
        await asyncio.sleep(0)
        moves = 0
        async for turn in table.turns():
            if chance.random() < 0.4:
                asyncio.get_running_loop().call_later(chance.random() / 50, wire.cut)
            assert await turn.play(chance.choice(turn.legal))
            moves += 1
        await heard_to_the_end(table, listening[0])
        await heard_to_the_end(other, listening[1], last=table.n)
        assert [event.n for event in heard] == list(range(heard[0].n, heard[0].n + len(heard)))
        last = {event.n: event for event in told}
        assert all(last.get(event.n, event) == event for event in heard)
        assert heard[-1] == told[-1]
        assert own_moves(table, heard) == moves


async def at_my_turn(wire: Wire, client: Client) -> TableClient:
    table = await begun(client, players=2)
    async for _ in table.turns():
        break
    return table


async def test_a_move_whose_answer_was_lost_is_known_to_be_made(url: str) -> None:
    async with wire_to(url) as wire, Client(wire.url, "Ana") as client, Client(url) as watcher:
        table = await at_my_turn(wire, client)
        watching = await watcher.table(table.id)
        step, wire.deaf = table.now.step, True
        assert table.legal
        playing = asyncio.create_task(table.play(table.legal[0]))
        while watching.now.step <= step:
            await asyncio.sleep(0.01)
        assert not playing.done()
        wire.cut()
        assert await playing
        assert table.now.step == watching.now.step == step + 1


async def test_a_move_that_was_lost_on_its_way_is_made_after_all_and_once(url: str) -> None:
    async with wire_to(url) as wire, Client(wire.url, "Ana") as client:
        table = await at_my_turn(wire, client)
        step, wire.mute = table.now.step, True
        assert table.legal
        playing = asyncio.create_task(table.play(table.legal[0]))
        await swallowed(wire)
        assert not playing.done()
        wire.cut()
        assert await playing
        assert table.now.step == step + 1


async def test_a_move_that_a_bot_made_meanwhile_is_known_not_to_be_made(tmp_path: Path) -> None:
    with served(tmp_path, grace=0.05) as url:
        async with wire_to(url) as wire, Client(wire.url, "Ana") as ana, Client(url, "Ben") as ben:
            table = await ana.open("collection", players=2)
            await table.sit()
            his = await ben.sit(table.id)
            await table.start()
            other = asyncio.create_task(played(his))
            async for turn in table.turns():
                wire.mute = True
                playing = asyncio.create_task(turn.play(turn.legal[0]))
                await swallowed(wire)
                wire.down = True
                wire.cut()
                while his.now.step <= turn.step:  # he may not have heard of this turn yet
                    await asyncio.sleep(0.01)
                wire.down = False
                break
            assert not await playing
            other.cancel()


@pytest.mark.parametrize(
    ("told", "in_window", "happened"), [("moved", True, False), ("decided", True, True), ("moved", False, True)]
)
async def test_one_who_was_taken_to_pass_has_not_made_the_move_that_was_lost(
    told: str, in_window: bool, happened: bool
) -> None:
    pending = PendingRequest(Request(1, c.PlayMove("toss 1")), in_window)
    pending.events.append(Event(1, 0.0, told, "play", seat=2))
    assert pending.has_happened(You(2, host=False)) == happened


@pytest.mark.parametrize("lost", ["deaf", "mute"])
async def test_other_commands_are_carried_out_once_too(url: str, lost: str) -> None:
    async with wire_to(url) as wire, Client(wire.url, "Ana") as client:
        table = await client.open("collection", players=3)
        heard: list[Event] = []
        listening = asyncio.create_task(events(table, heard))
        await asyncio.sleep(0)
        for command in (table.sit(), table.start(fill=True), table.chat("Hello")):
            setattr(wire, lost, True)
            doing = asyncio.create_task(command)
            await swallowed(wire)
            assert not doing.done()
            wire.cut()
            await doing
        assert table.you.seat == 0
        await heard_to_the_end(table, listening)
        kinds = [event.event for event in heard]
        assert (kinds.count("started"), kinds.count("said")) == (1, 1)
        assert (await client.tables("playing"))[0].seats[0]["name"] == "Ana"


async def test_a_server_that_is_started_anew_finds_everyone_where_they_were(tmp_path: Path) -> None:
    serving = served(tmp_path)
    url = serving.__enter__()
    try:
        async with Client(url, "Ana") as client:
            table = await begun(client, players=4)
            heard: list[Event] = []
            listening = asyncio.create_task(events(table, heard))
            await asyncio.sleep(0)
            first, moves = table.n + 1, 0
            async for turn in table.turns():
                moves += 1
                if moves == 4:
                    await asyncio.to_thread(serving.__exit__, None, None, None)
                    serving = served(tmp_path, port=int(url.rpartition(":")[2]))
                    restarting = asyncio.create_task(asyncio.to_thread(serving.__enter__))
                assert await turn.play(turn.legal[0])
            await restarting
            await table.verify()
            await heard_to_the_end(table, listening)
            assert [event.n for event in heard] == list(range(first, first + len(heard)))
            assert own_moves(table, heard) == moves
    finally:
        serving.__exit__(None, None, None)


async def test_a_server_that_stays_away_is_given_up(url: str) -> None:
    async with wire_to(url) as wire, Client(wire.url, "Ana", patience=0.1) as client:
        table = await at_my_turn(wire, client)
        wire.down = True
        wire.cut()
        with pytest.raises(ServerAway):
            await table.chat("Is anybody there?")
        with pytest.raises(ServerAway):
            async for _ in table.turns():
                pass


async def test_an_event_that_is_missing_is_not_passed_over(url: str) -> None:
    async with Client(url, "Ana") as client:
        table = await begun(client, players=2)
        table.n -= 1
        with pytest.raises(Garbled):
            await table.chat("What did I miss?")


async def test_what_nobody_can_tell_any_more_is_said_to_be_uncertain(url: str) -> None:
    async with wire_to(url) as wire, Client(wire.url, "Ana") as client:
        table = await begun(client, players=2)
        wire.mute = True
        saying = asyncio.create_task(table.chat("Hello"))
        await swallowed(wire)
        table.n += 1000  # events that the server, with an older database, knows nothing of
        wire.cut()
        with pytest.raises(Uncertain):
            await saying


async def test_another_language_is_a_fresh_start_with_the_log(url: str) -> None:
    async with Client(url, "Ana") as client:
        table = await begun(client, players=2)
        told = table.follow()
        await table.speak("fr")
        async for _ in told:
            if table.log:  # news of the old connection may still come before the welcome of the new one
                break
        assert table.log[0].startswith("On distribue la manche 1.")


def test_whoever_is_to_move_looks_for_the_server_sooner_than_others() -> None:
    def pauses(legal: list[dict[str, object]]) -> list[float]:
        table = object.__new__(TableClient)
        table._retry, table.legal, table.view = None, legal, None
        return [table._pause(3) for _ in range(50)]

    asked, waiting = pauses([{"move": "pass"}]), pauses([])
    assert max(asked) <= min(waiting)
    assert len({*asked}) > 1 < len({*waiting}), "nobody waits exactly as long as others"
