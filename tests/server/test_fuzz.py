"""Ten thousand messages that nobody should send: the table stays sound, and the other player notices nothing."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import msgspec
from hypothesis import HealthCheck, given, settings

from brocante.server.rooms import apply
from brocante.table import LiveTable, audience
from brocante.table.snapshot import take_snapshot
from tests.server.asking import OPTIONS, Ear, House, Person, house

GAMES = tuple(OPTIONS)
AT_ONCE = 25  # messages of an example
EXAMPLES = 10_000 // AT_ONCE

LEGAL = "a legal move"
COMMANDS: tuple[dict[str, Any], ...] = (
    {"do": "move", "move": LEGAL},
    {"do": "move", "move": LEGAL, "step": 3},
    {"do": "move", "move": "end"},
    {"do": "move", "move": {"move": "pass", "seat": 1}},
    {"do": "sit", "name": "Eve", "seat": 1, "nonce": "n"},
    {"do": "stand"},
    {"do": "bot", "seat": 2, "bot": "random"},
    {"do": "remove", "seat": 0},
    {"do": "change", "options": {"players": 3}, "private": True, "clock": {"kind": "bank", "seconds": 60, "window": 8}},
    {"do": "contribute", "nonce": "mine"},
    {"do": "start", "fill": True},
    {"do": "undo"},
    {"do": "agree"},
    {"do": "refuse"},
    {"do": "pause"},
    {"do": "resume"},
    {"do": "back"},
    {"do": "chat", "text": "hello", "allies": True},
    {"do": "again", "nonce": "again"},
)
NUMBERS = st.sampled_from([0, 1, -1, 2, 15, 16, 2**31, 2**53, 2**63, 2**64, -(2**63), 10**40, 0.5, 1e300, -0.0])
TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)
LEAVES = st.none() | st.booleans() | NUMBERS | TEXTS | st.sampled_from(["end", "pass", "draw", "\0", "{0}", "%s"])
VALUES = st.recursive(
    LEAVES, lambda inside: st.lists(inside, max_size=3) | st.dictionaries(TEXTS, inside, max_size=3), max_leaves=6
)


def damaged(request: dict[str, Any], where: int, value: Any, how: str) -> Any:
    """A request with something else in one of its places."""
    target, key = places(request)[where % len(places(request))]
    if how == "replace":
        target[key] = value
    elif how == "drop":
        del target[key]
    else:
        target[str(value)[:20]] = value
    return request


def places(value: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    found = [(value, key) for key in value]
    return found + [place for inside in value.values() if isinstance(inside, dict) for place in places(inside)]


REQUESTS = st.builds(
    lambda command, number: {"id": number, "command": msgspec.json.decode(msgspec.json.encode(command))},
    st.sampled_from(COMMANDS),
    st.integers(0, 9),
)
LOOKS = st.builds(lambda begun: {"id": 1, "look": {"begun": begun}}, st.lists(st.integers(0, 300), max_size=4))
DAMAGED = st.builds(
    damaged, REQUESTS | LOOKS, st.integers(0, 9), VALUES, st.sampled_from(["replace", "replace", "drop", "add"])
)
MESSAGES = st.one_of(REQUESTS, DAMAGED, DAMAGED, LOOKS, VALUES, st.text(max_size=40), st.binary(max_size=40))


class Siege:
    """A table for every game, at which Ana sits, who is the host, and two who send anything."""

    def __init__(self, found: House) -> None:
        self.house = found
        self.sent = 0
        self.tables: list[tuple[str, list[Person], list[Ear]]] = []

    async def lay(self) -> None:
        for game in GAMES:
            table, people = await self.house.game(game, 2)
            people.append(await self.house.guest("Eve"))
            self.tables.append((table, people, [await self.house.ear(table, person) for person in people]))

    async def send(self, number: int, messages: list[Any]) -> None:
        table, _, (ana, *besiegers) = self.tables[number % len(GAMES)]
        now = self.house.room(table).table
        for index, message in enumerate(messages):
            ear = besiegers[index % 2]
            if isinstance(message, bytes):
                ear.say_bytes(message)
            else:
                ear.say(written(message, now))
        self.sent += len(messages)
        for ear in besiegers:
            await ear.caught_up()
            assert not [one for one in ear.heard if b'"failed"' in one]
            ear.heard.clear()
            ear._read = 0
        await self.go_on(table, ana)
        assert self.house.errors == 0

    async def go_on(self, table: str, ana: Ear) -> None:
        """Ana goes on playing as if nothing were."""
        self.house.time.now += 1
        now = self.house.room(table).table
        if now.paused:
            assert "events" in await ana.do("resume")
        elif now.phase == "over":
            assert "events" in await ana.do("again")
        elif 0 in now.undecided:
            answer = await ana.do("move", move=(audience.legal(now, 0) or [{}])[0])
            assert "events" in answer or self.house.room(table).table is not now, "nothing happened in between"
        assert (await ana.ask(look={"begun": []}))["type"] == "seen"

    async def check_logs(self) -> None:
        """What is on the disk adds up to what is in memory."""
        for table, *_ in self.tables:
            await self.house.server.rooms.finish()
            added_up = LiveTable(self.house.server.config.pace)
            for entry in await self.house.server.storage.entries(table):
                apply(added_up, entry)
            assert take_snapshot(added_up) == self.house.state(table)


def written(message: Any, table: LiveTable) -> str:
    """What goes over the wire; where a legal move belongs, there is one now."""
    if isinstance(message, str):
        return message
    text = msgspec.json.encode(message).decode()
    legal = (audience.legal(table, 1) if table.phase == "playing" else None) or [{}]
    return text.replace(f'"{LEGAL}"', msgspec.json.encode(legal[len(text) % len(legal)]).decode())


def test_ten_thousand_messages_that_nobody_should_send(tmp_path: Path) -> None:
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        siege = Siege(runner.run(stack.enter_async_context(house(tmp_path))))
        runner.run(siege.lay())

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(st.integers(0, len(GAMES) - 1), st.lists(MESSAGES, min_size=AT_ONCE, max_size=AT_ONCE))
        def besiege(number: int, messages: list[Any]) -> None:
            runner.run(siege.send(number, messages))

        besiege()
        assert siege.sent >= 10_000
        assert siege.house.server.metrics.moves._value.get() > 100, "the games went on"
        runner.run(siege.check_logs())
        runner.run(stack.aclose())
