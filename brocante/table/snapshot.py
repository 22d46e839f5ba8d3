"""A table as bytes, so that a long game need not be rebuilt from its first fact.

A snapshot has every field of a table but those marked NO_SNAPSHOT. Only the program that made a snapshot reads it
(`snapshot_version` tells them apart); any other rebuilds the table from its facts.
"""

import hashlib
import zlib
from dataclasses import fields
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import numpy as np

from brocante.engine.box import Box
from brocante.engine.game import Game
from brocante.engine.history import History
from brocante.engine.moves import MOST_ENCODED, Move, read_move
from brocante.engine.step import Step
from brocante.games import GAMES
from brocante.games import box as find_box
from brocante.table.live_table import LiveTable
from brocante.table.table_fields import TableFields

#: The parts of Brocante on which the meaning of a snapshot depends, besides the games.
MADE_BY = ("engine", "bots", "table")
#: How hard to compress: with more, a snapshot would be a fifth smaller and take three times as long.
QUICKLY = 1


@cache
def snapshot_version() -> str:
    """What tells programs apart: all code that decides what a table is."""
    package = Path(__file__).parents[1]
    digest = hashlib.blake2b(np.__version__.encode(), digest_size=16)
    folders = (*(package / part for part in MADE_BY), *(find_box(game).folder for game in GAMES))
    files = (file for folder in folders for file in folder.rglob("*") if file.suffix in (".py", ".toml"))
    for source in sorted(file for file in files if file.parent.name != "locale"):
        digest.update(source.read_bytes())
    return digest.hexdigest()


class StepSnapshot(msgspec.Struct, frozen=True, array_like=True):
    """A step; its move, if it is one, as JSON."""

    before: bytes
    move: bytes
    actions: tuple[int, ...]
    other_line: dict[str, Any] | None
    fallen: int


class GameSnapshot(msgspec.Struct, frozen=True):
    box: str
    seed: str | None
    state: bytes
    steps: list[StepSnapshot]


def saved(value: Any) -> Any:
    """A value that msgspec does not know, as one that it does."""
    match value:
        case Box():
            return value.slug
        case Game():
            return GameSnapshot(value.box.slug, value.seed, value.state.tobytes(), [*map(saved_step, value.steps)])
        case History():
            return list(value)
    raise NotImplementedError(type(value))


def saved_step(step: Step) -> StepSnapshot:
    move = bytes(step.move.encoded()) if step.move else b""
    return StepSnapshot(step.before, move, step.actions, step.other_line, step.fallen)


def loaded(kind: Any, value: Any) -> Any:
    """What `saved` made of a value, turned back."""
    if kind is Box:
        return find_box(value)
    if kind is Game:
        return loaded_game(msgspec.convert(value, GameSnapshot))
    return History(value)


def loaded_game(saved: GameSnapshot) -> Game:
    box, game = find_box(saved.box), Game.__new__(Game)
    afters = [*(step.before for step in saved.steps[1:]), saved.state]
    steps = History(loaded_step(box, *both) for both in zip(saved.steps, afters, strict=False))
    game.__setstate__({"box": box, "seed": saved.seed, "state": saved.state, "steps": steps})
    return game


def loaded_step(box: Box, step: StepSnapshot, after: bytes) -> Step:
    move = loaded_move(box, step.move) if step.move else None
    return Step(step.before, after, move, step.actions, step.other_line, step.fallen)


@lru_cache(MOST_ENCODED)
def loaded_move(box: Box, line: bytes) -> Move:
    return read_move(box.moves, msgspec.json.decode(line))


_types = get_type_hints(TableFields)
_kept = [field.name for field in fields(TableFields) if field.metadata.get("snapshot", True)]
Snapshot = msgspec.defstruct("Snapshot", [(name, _types[name]) for name in _kept])
_encoder = msgspec.msgpack.Encoder(enc_hook=saved)
_decoder = msgspec.msgpack.Decoder(Snapshot, dec_hook=loaded)


def take_snapshot(table: LiveTable) -> bytes:
    """A table as bytes."""
    return zlib.compress(_encoder.encode(Snapshot(**{name: getattr(table, name) for name in _kept})), QUICKLY)


def restore(data: bytes, slowness: float) -> LiveTable:
    """The table that a snapshot was taken of, without its history."""
    table = LiveTable(slowness)
    vars(table).update(msgspec.structs.asdict(_decoder.decode(zlib.decompress(data))))
    table.forgotten_counts = dict(table.event_counts)
    table.refresh()
    return table
