"""Anything that anyone might ask for at a table, at any time; and now and then what leads on."""

from random import Random
from typing import Any

from brocante.engine.errors import BrocanteError
from brocante.table import Clock, Command, Fact, audience
from brocante.table import commands as c
from tests.table.tables import PEOPLE, STRANGER, Sitting, name_of

CLOCKS = (Clock(), Clock(), Clock("move", 5, 2), Clock("bank", 20, 3), Clock("bank", 300))
#: A move is made twice as often as anything else is asked for, so that games get somewhere.
OFTEN = 2
NONSENSE: tuple[Any, ...] = (
    "",
    "nonsense 1 2 3",
    "pass",
    "place books=\ud800",
    {},
    {"move": None},
    {"move": "toss", "slot": 99},
    {"move": "peek", "slots": [0]},
    {"move": "draw", "seat": 1},
    {"move": "draw", "seat": True},
    {"move": ["draw"]},
    {"move": "end", "more": {"and": "more"}},
)


def any_sitting(rng: Random, game: str, **options: Any) -> Sitting:
    """A table of a game with some people and some clock."""
    return Sitting(game, rng.randint(1, 3 if game != "port" else 2), rng.choice(CLOCKS), **options)


def act(rng: Random, sitting: Sitting) -> tuple[list[Fact], BrocanteError | None]:
    """Somebody asks for something, or time passes."""
    command, who = any_request(rng, sitting)
    try:
        return sitting.do(command, who), None
    except BrocanteError as refused:
        return [], refused


def any_request(rng: Random, sitting: Sitting) -> tuple[Command, str]:
    table = sitting.table
    if table.phase == "open" and rng.random() < 0.2:
        return c.Start(fill=True), table.host
    if rng.randrange(1 + OFTEN) and (asked := sitting.asked) and not table.paused:
        who = rng.choice(asked)
        return c.PlayMove(rng.choice(audience.legal(table, table.seat_of(who) or 0) or [{}])), who
    due = table.due()
    if rng.randrange(1 + OFTEN) and due is not None and not sitting.asked:
        sitting.now = max(sitting.now, due)
        return c.Tick(), ""
    sitting.now += rng.choice((0.0, 0.01, 0.5, 3.0, 40.0))
    return any_command(rng), rng.choice((*sitting.people, *sitting.people, STRANGER, ""))


def any_command(rng: Random) -> Command:
    seat = rng.choice((None, rng.randrange(7)))
    commands: tuple[Command, ...] = (
        c.Sit(rng.choice((*map(name_of, PEOPLE), "Odette", " \u202e ", "x" * 40)), seat, rng.choice(("", "nonce"))),
        c.Stand(),
        c.AddBot(seat, rng.choice(("", "random", "greedy", "genius"))),
        c.Remove(rng.randrange(7)),
        c.Change(
            any_options(rng),
            rng.choice((None, True)),
            rng.choice((None, *CLOCKS, Clock("move", 1))),
            rng.choice((None, True, False)),
        ),
        c.Contribute("share"),
        c.Start(rng.random() < 0.5),
        c.PlayMove(rng.choice(NONSENSE), rng.choice((None, None, 3))),
        c.Undo(),
        c.Undo(),
        c.Agree(),
        c.Agree(),
        c.Refuse(),
        c.Agree("removal"),
        c.Refuse("removal"),
        c.Pause(),
        c.Resume(),
        c.Resume(),
        c.SetPace(rng.choice(("people", "quick", "instant"))),
        c.Skip(),
        c.Back(),
        c.Back(),
        c.Resign(),
        c.Chat(rng.choice(("hello", "", "\x00", "a\nb", "é" * 400)), rng.random() < 0.5),
        c.Chat(reaction="ouch", allies=rng.random() < 0.2),
        c.Again(rng.choice(("", "again"))),
        c.Again(),
        c.Tick(),
        c.ConnectionLost(rng.randrange(7)),
        c.Wake(),
    )
    return rng.choice(commands)


def any_options(rng: Random) -> dict[str, Any] | None:
    some: tuple[dict[str, Any] | None, ...] = (
        None,
        {},
        {"players": rng.randrange(8)},
        {"players": "two"},
        {"wishes": 3},
        {"deck": "/file"},
        {"rounds": 2},
        {"minutes": 1},
    )
    return rng.choice(some)
