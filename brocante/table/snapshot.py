"""A table as bytes, so that a long game need not be added up from its first fact.

A snapshot holds everything that a table is, but for what was told to whom: that is in the facts; a game that was not
played by our rules is in the facts alone, too. It can be read only by
the same rules that it was made with (`snapshot_version` tells); whoever has other ones adds up the facts.
"""

import hashlib
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from brocante.engine.game import Game, Step
from brocante.engine.history import History
from brocante.engine.moves import read_move
from brocante.games import box as find_box
from brocante.table.facts import Clock, Closed
from brocante.table.live_table import Decision, Finished, LiveTable, Seat

#: The parts of Brocante that what a table is depends on.
MADE_BY = ("engine", "games", "bots", "table")


@cache
def snapshot_version() -> str:
    """A snapshot is for the very program that made it: its rules, and what a table is to it."""
    package = Path(__file__).parents[1]
    digest = hashlib.blake2b(np.__version__.encode(), digest_size=16)
    files = (file for part in MADE_BY for file in (package / part).rglob("*") if file.suffix in (".py", ".toml"))
    for source in sorted(file for file in files if file.parent.name != "locale"):
        digest.update(source.read_bytes())
    return digest.hexdigest()


class KeptStep(msgspec.Struct, frozen=True, array_like=True):
    """A step, without the move: that is read from the line."""

    before: bytes
    actions: tuple[int, ...]
    line: dict[str, Any]
    fallen: int


class KeptGame(msgspec.Struct, frozen=True):
    seed: str | None
    state: bytes
    steps: list[KeptStep]


class KeptTable(msgspec.Struct, frozen=True):
    """Everything that a table is, by the names that a LiveTable has for it."""

    box: str
    game: KeptGame | None
    opened: float
    options: dict[str, Any]
    host: str
    private: bool
    home: bool
    clock: Clock
    seats: list[Seat]
    seed: str
    committed: bool
    dealt_to: tuple[str, ...]
    ended: bool
    paused: bool
    since: float
    used: float
    thought: tuple[float, ...]
    played: float
    decisions: dict[int, tuple[Decision, ...]]
    undo_asked: int | None
    agreed: frozenset[int]
    again: frozenset[int]
    finished: list[Finished]
    recorded: bool
    closed: Closed | None
    minutes: int | None
    facts: int
    event_counts: dict[int, int]


#: What is kept as it is.
PLAIN = [name for name in KeptTable.__struct_fields__ if name not in ("box", "game")]

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(KeptTable)


def take_snapshot(table: LiveTable) -> bytes:
    """A table as bytes."""
    plain = {name: getattr(table, name) for name in PLAIN} | {"thought": tuple(table.thought)}
    snapshot = KeptTable(box=table.box.slug, game=kept_game(table.game) if table.game else None, **plain)
    return zlib.compress(_encoder.encode(snapshot))


def kept_game(game: Game) -> KeptGame:
    steps = [KeptStep(step.before, step.actions, step.line, step.fallen) for step in game.steps]
    return KeptGame(game.seed, game.state.tobytes(), steps)


def restore(data: bytes, pace: float) -> LiveTable:
    """The table that these bytes were made of, with no history: `told_before` says how far what was told goes back."""
    snapshot = _decoder.decode(zlib.decompress(data))
    table = LiveTable(pace)
    for name in PLAIN:
        setattr(table, name, getattr(snapshot, name))
    table.box = find_box(snapshot.box)
    table.game = restored_game(table, snapshot.game) if snapshot.game else None
    table.thought = History(snapshot.thought)
    table.forgotten_counts = dict(table.event_counts)
    table.refresh()
    return table


def restored_game(table: LiveTable, snapshot: KeptGame) -> Game:
    game = Game.__new__(Game)
    steps = History(restored_step(table, step) for step in snapshot.steps)
    game.__setstate__({"box": table.box, "seed": snapshot.seed, "state": snapshot.state, "steps": steps})
    return game


def restored_step(table: LiveTable, step: KeptStep) -> Step:
    move = read_move(table.box.moves.MOVES, step.line) if "seat" in step.line else None
    return Step(step.before, move, step.actions, move.line() if move else step.line, step.fallen)
