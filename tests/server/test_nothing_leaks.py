"""Nothing that the server sends says what its reader may not know.

The law is that of the engine, held to every byte that leaves the server: after what a viewer cannot know was dealt
anew, and as long as nothing of it is shown by the rules, all that they are sent stays the same. A room is shown to its
viewers twice, with its table and with a twin of it; both are asked the same things at the same time.
"""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from zlib import crc32

import msgspec
import pytest

from brocante.engine.game import Game
from brocante.engine.random import generator
from brocante.engine.state import NOBODY
from brocante.server.broadcast import Reporter
from brocante.server.listings import listing_of
from brocante.server.room import Room
from brocante.server.session import Session
from brocante.server.storage.chain import link
from brocante.table import LiveTable, audience, fair
from brocante.wire.events import Now
from tests.server.asking import OPTIONS, Ear, House, Person, check_refused, house

POSITIONS = 6  # of each game
STRIDE = {"antiques": 7, "collection": 9, "port": 9, "vinto": 6}  # moves between them, at most


@pytest.fixture
async def open_house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """The same games are dealt every time."""
    numbers = Random("seeds")
    monkeypatch.setattr(fair, "secrets", SimpleNamespace(token_hex=lambda n: numbers.randbytes(n).hex()))
    async with house(tmp_path) as found:
        yield found


class Watched:
    """A game under way, with somebody at every seat."""

    def __init__(self, house: House, table: str, people: list[Person]) -> None:
        self.house, self.id, self.people = house, table, people
        self.players: list[Ear] = []  # who stay connected

    @property
    def room(self) -> Room:
        return self.house.room(self.id)

    @property
    def table(self) -> LiveTable:
        return self.room.table

    @property
    def game(self) -> Game:
        assert self.table.game
        return self.table.game

    async def play(self, rng: Random, moves: int) -> None:
        """Go on with any moves."""
        for _ in range(moves):
            if self.table.phase == "playing":
                seat = self.table.undecided[0]
                await self.make(seat, rng.choice(audience.legal(self.table, seat) or [{}]))

    async def make(self, seat: int, move: dict[str, Any]) -> dict[str, Any]:
        return await self.players[seat].do("move", move=move)


async def watched(house: House, game: str) -> Watched:
    table, people = await house.game(game)
    found = Watched(house, table, people)
    found.players = [await house.ear(table, person) for person in people]
    return found


def twin(table: LiveTable, viewer: int, seed: object, *, from_shown: bool) -> LiveTable:
    """The same table, but for what a viewer may not know. What they were told before they were told: it stays."""
    other = table.copy()
    assert other.game
    rng = generator(f"twin {seed}")
    other.game.state = table.box.redealt(other.game.state, viewer, rng, from_shown=from_shown)
    return other


class Answers:
    """All that a viewer was sent, before somebody moved and after."""

    def __init__(self) -> None:
        self.before: list[bytes] = []
        self.after: list[bytes] = []
        self.shown: list[Any] = []  # what the rules have shown them meanwhile


async def shown_to(watched: Watched, viewer: int, move: dict[str, Any] | None, *, undo: bool) -> Answers:
    """Ask for all that there is, let somebody move, and ask again."""
    house, answers = watched.house, Answers()
    person = None if viewer == NOBODY else watched.people[viewer]
    ears = [
        await house.ear(watched.id, person, lang="fr"),
        await house.ear(watched.id, person, detail="moves"),
        await resumed(watched, person, viewer),
    ]
    await pester(watched, ears[0], undo=undo)
    await look_around(watched, person, answers.before)
    answers.before += [one for ear in ears for one in await ear.caught_up()]
    heard = [len(ear.heard) for ear in ears]
    steps = len(watched.game.steps)
    if move is not None:
        await watched.make(watched.table.undecided[0], move)
        answers.shown = list(shown_since(watched.game, steps, viewer))
        await pester(watched, ears[0], undo=True)
        await look_around(watched, person, answers.after)
        answers.after += [
            one for ear, first in zip(ears, heard, strict=True) for one in (await ear.caught_up())[first:]
        ]
    for ear in ears:
        await ear.hang_up()
    return answers


async def resumed(watched: Watched, person: Person | None, viewer: int) -> Ear:
    """Somebody who comes back, and is told what they have missed, and then what changes."""
    stream = "watching" if viewer == NOBODY else f"{viewer}-{watched.table.seats[viewer].sat}"
    since = max(0, watched.table.event_counts[viewer] - 3)
    return await watched.house.ear(watched.id, person, since=since, stream=stream, detail="changes")


async def pester(watched: Watched, ear: Ear, *, undo: bool) -> None:
    """Try what one should not."""
    for move in ({"move": "nonsense"}, {"move": "end", "seat": 0}, "end", "nonsense 1 2", "pass", *every_kind(watched)):
        await ear.do("move", move=move, step=0)
        if viewer_of(watched, ear) not in watched.table.deciding:  # who is might close a window
            await ear.do("move", move=move)
    for begun in ([0], [1, 2], [10**6]):
        await ear.ask(look={"begun": begun})
    await ear.do("agree")
    await ear.do("chat", text="what do you have?", allies=True)
    if undo:
        await ear.do("undo")


def every_kind(watched: Watched) -> list[str]:
    return [kind.name() for kind in watched.game.box.moves]


def viewer_of(watched: Watched, ear: Ear) -> int:
    seat = msgspec.json.decode(ear.heard[0])["you"]["seat"]
    return NOBODY if seat is None else seat


async def look_around(watched: Watched, person: Person | None, into: list[bytes]) -> None:
    for path in ("", "/view", "/log", "/record", "/view?lang=fr", "/log?lang=fr"):
        into.append((await watched.house.ask("GET", f"/api/tables/{watched.id}{path}", person)).content)
    into.append((await watched.house.ask("GET", "/api/tables", person)).content)


def shown_since(game: Game, steps: int, viewer: int) -> Iterator[Any]:
    """What the rules show a viewer of every step since: all that they may learn from it."""
    for number in range(steps, len(game.steps)):
        yield from (game.box.shown(state, viewer).tobytes() for state in game.steps[number].states(game.box))
        yield game.moment(viewer, number)


def moves_of_both(table: LiveTable, other: LiveTable) -> list[dict[str, Any]]:
    """What whoever is to decide may do at a table and at its twin."""
    seat = table.undecided[0]
    elsewhere = audience.legal(other, seat) or []
    return [move for move in audience.legal(table, seat) or [] if move in elsewhere]


async def check_law(house: House, slug: str, positions: int) -> None:
    """Hold the law at some positions of a game, for those who watch, for somebody, and for who is to decide."""
    rng, held, moved = Random(slug), 0, 0
    table = await watched(house, slug)
    for number in range(positions):
        await table.play(rng, rng.randint(1, STRIDE[slug]))
        if table.table.phase != "playing":
            table = await watched(house, slug)
        for viewer in (NOBODY, rng.randrange(len(table.people)), table.game.actor):
            for from_shown in (False, True):
                true, other, move = await compared(house, table, viewer, rng, from_shown=from_shown)
                assert true.before == other.before, (number, viewer, from_shown)
                moved += move is not None
                if move is not None and true.shown == other.shown:
                    assert true.after == other.after, (number, viewer, from_shown, move)
                    held += 1
    assert held > moved / 3, "the law was hardly ever asked for"


async def compared(
    house: House, table: Watched, viewer: int, rng: Random, *, from_shown: bool
) -> tuple[Answers, Answers, dict[str, Any] | None]:
    """What a viewer is sent of a table and of its twin, when the same things are done at both."""
    room, now = table.room, house.time.now
    true, other = room.table, twin(room.table, viewer, rng.random(), from_shown=from_shown)
    moves = moves_of_both(true, other)
    move = rng.choice(moves) if moves else None
    answers = []
    for one in (true, other):
        room.table, house.time.now = one, now
        await listed_anew(house, room)
        answers.append(await shown_to(table, viewer, move, undo=not from_shown))
    room.table = true
    return answers[0], answers[1], move


async def listed_anew(house: House, room: Room) -> None:
    """The listing is of the table that is there now, not of the last one that was."""
    listing = listing_of(room.id, room.table, house.server.rooms.stamp())
    room.number += 1
    room.link = link(room.link, room.number, house.time.now, b"[]")
    assert await house.server.storage.append(room.id, room.number, house.time.now, b"[]", listing, room.link)


@pytest.mark.parametrize("slug", OPTIONS)
async def test_all_that_is_sent_is_the_same_after_a_redeal(open_house: House, slug: str) -> None:
    await check_law(open_house, slug, POSITIONS)
    assert open_house.errors == 0


class Hint:
    """What a legal move would be that depends on what lies face down."""

    def __init__(self, digest: int) -> None:
        self._digest = digest

    def encoded(self) -> msgspec.Raw:
        return msgspec.Raw(b"%d" % self._digest)


@pytest.mark.parametrize("where", ["now", "moves_of_viewer", "log"])
async def test_the_law_finds_what_leaks(open_house: House, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of these could give away what lies face down; it is noticed."""

    def digest(table: LiveTable) -> int:
        return crc32(table.game.state.tobytes()) if table.game else 0

    moves = audience.moves_of_viewer
    leaks: dict[str, Any] = {
        "now": lambda table, at: Now(step=digest(table)),
        "moves_of_viewer": lambda table, seat: [Hint(digest(table))] if seat == NOBODY else moves(table, seat),
        "log": lambda table, viewer, language: [str(digest(table))],
    }
    monkeypatch.setattr(audience, where, leaks[where])
    with pytest.raises(AssertionError, match="False"):
        await check_law(open_house, "collection", 1)


async def test_the_law_finds_what_leaks_in_changes(open_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole views are as they should be: only what is told of their changes is not."""
    sight = Reporter._sight

    def leaking(self: Reporter, session: Session, since: int) -> tuple[Any, Any]:
        view, changes = sight(self, session, since)
        assert self.table.game
        return view, changes and {"since": since, "parts": {"prompt": str(crc32(self.table.game.state.tobytes()))}}

    monkeypatch.setattr(Reporter, "_sight", leaking)
    with pytest.raises(AssertionError, match="prompt"):
        await check_law(open_house, "collection", POSITIONS)


# --- decisions that nobody may know of --------------------------------------------------------------------------------


async def at_a_window(house: House, **more: Any) -> Watched:
    """Vinto, when some may toss in."""
    found = await watched(house, "vinto") if not more else await with_clock(house, more)
    rng = Random("window")
    while not (found.table.together and found.table.together.otherwise and len(found.table.deciding) > 1):
        await found.play(rng, 1)
    return found


async def with_clock(house: House, clock: dict[str, Any]) -> Watched:
    table, people = await house.game("vinto", clock=clock)
    found = Watched(house, table, people)
    found.players = [await house.ear(table, person) for person in people]
    return found


async def seen_by_others(watched: Watched, seat: int) -> list[bytes]:
    """All that anyone but the one at a seat can get to know now."""
    found: list[bytes] = []
    for person in [None, *watched.people]:
        if person != watched.people[seat]:
            await look_around(watched, person, found)
            ear = await resumed(watched, person, NOBODY if person is None else watched.people.index(person))
            found += ear.heard
            await ear.hang_up()
    return found


@pytest.mark.parametrize("kind", ["none", "move", "bank"])
async def test_a_decision_in_a_window_is_no_message_and_no_number_to_others(open_house: House, kind: str) -> None:
    clock = {"kind": kind, "seconds": 0 if kind == "none" else 300, "window": 20}
    table = await at_a_window(open_house, **clock)
    undecided, now = table.table, open_house.time.now
    seat = table.table.undecided[-1]
    spectator = await open_house.ear(table.id)
    others = [ear for number, ear in enumerate(table.players) if number != seat] + [spectator]
    for ear in others:
        await ear.caught_up()
    heard = [len(ear.heard) for ear in others]
    open_house.time.now = now + 3
    told = await table.make(seat, {"move": "pass"})
    assert [event["event"] for event in told["events"]] == ["decided"], "the one who has decided is told so"
    assert [len(ear.heard) for ear in others] == heard
    decided = table.table
    for later in (3, 5.5):
        open_house.time.now = now + later
        seen = []
        for one in (undecided, decided):
            table.room.table = one
            seen.append(await seen_by_others(table, seat))
        assert seen[0] == seen[1], "nor can anyone find out by asking"


async def test_when_a_window_closes_all_are_told_of_all_decisions_at_once(open_house: House) -> None:
    table = await at_a_window(open_house)
    spectator, asked = await open_house.ear(table.id), table.table.deciding
    for seat in asked:
        await table.make(seat, {"move": "pass"})
    heard = [msgspec.json.decode(one) for one in await spectator.caught_up()]
    news = [one for one in heard if one["type"] == "news"]
    assert len(news) == 1
    assert [event["seat"] for event in news[0]["events"]] == list(asked)
    assert "decided" not in [event["event"] for event in news[0]["events"]]


async def test_what_a_coalition_says_never_reaches_the_caller_or_those_who_watch(open_house: House) -> None:
    table = await watched(open_house, "vinto")
    rng, secret = Random("coalition"), "the seven is mine"
    while not table.game.box.allies(table.game.state):
        seat = table.table.undecided[0]
        legal = audience.legal(table.table, seat) or []
        calls = [move for move in legal if move["move"] == "vinto"]
        await table.make(seat, calls[0] if calls else rng.choice(legal))
    allies = table.game.box.allies(table.game.state)
    (caller,) = set(range(len(table.people))) - set(allies)
    spectator = await open_house.ear(table.id)
    outsiders = [table.players[caller], spectator]
    numbers = [table.table.event_counts[viewer] for viewer in (caller, NOBODY)]
    assert (await table.players[allies[0]].do("chat", text=secret, allies=True))["events"][0]["text"] == secret
    refused = await table.players[caller].do("chat", text="and mine?", allies=True)
    assert refused["code"] == "no_allies"
    for ally in allies[1:]:
        assert secret.encode() in b"".join(await table.players[ally].caught_up())
    assert [table.table.event_counts[viewer] for viewer in (caller, NOBODY)] == numbers, "not even a number is missing"
    found: list[bytes] = []
    for person, viewer in ((table.people[caller], caller), (None, NOBODY)):
        await look_around(table, person, found)
        found += (await resumed(table, person, viewer)).heard
    assert secret.encode() not in b"".join([*found, *[one for ear in outsiders for one in await ear.caught_up()]])


# --- secrets ----------------------------------------------------------------------------------------------------------


async def test_no_identity_token_or_seed_is_sent_to_anyone(open_house: House) -> None:
    table = await watched(open_house, "vinto")
    eve = await open_house.guest("Eve")
    seeds = {table.table.seed, table.table.deal}
    spectator, rng = await open_house.ear(table.id, eve), Random("secrets")
    while table.table.phase == "playing":
        await table.play(rng, 1)
        await pester(table, spectator, undo=True)
    for person in (None, eve, *table.people):
        await look_around(table, person, [])
    await open_house.ask("GET", "/metrics")
    await open_house.ask("GET", "/api/me", eve)
    key = await open_house.server.storage.secret()
    before_the_end = open_house.sent[: first_with(open_house.sent, b'"phase":"over"')]
    secrets = [person.id for person in open_house.people] + [person.token for person in open_house.people]
    for secret in [*secrets, key.hex(), table.table.seed]:
        assert first_with(open_house.sent, secret.encode()) == len(open_house.sent), "a secret was sent"
    for seed in seeds:
        assert first_with(before_the_end, seed.encode()) == len(before_the_end)
        assert first_with(open_house.sent, seed.encode()) < len(open_house.sent), "in the record, afterwards"


def first_with(sent: list[bytes], what: bytes) -> int:
    return next((number for number, one in enumerate(sent) if what in one), len(sent))


async def test_the_record_of_a_game_that_is_not_over_is_refused_to_all(open_house: House) -> None:
    table, people = await open_house.game("collection")
    for person in (None, *people):
        for query in ("", "?game=1", "?game=0"):
            answer = await open_house.ask("GET", f"/api/tables/{table}/record{query}", person)
            check_refused(answer, 409, "not_finished")


async def test_one_who_is_asked_to_get_up_is_shown_no_more_than_those_who_watch(open_house: House) -> None:
    table = await watched(open_house, "collection")
    await table.players[0].do("remove", seat=1)
    await table.players[2].do("agree", to="removal")
    await table.players[1].caught_up()
    heard = msgspec.json.decode(next(one for one in table.players[1].heard[1:] if b'"welcome"' in one))
    assert heard["you"] == {"seat": None, "host": False}
    assert heard["view"]["viewer"] == NOBODY
    assert (await table.players[1].do("move", move="end"))["code"] == "no_seat"
