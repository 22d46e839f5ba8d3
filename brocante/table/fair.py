"""Fair dealing that can be checked.

Before a game the server fixes a secret seed and tells everyone its SHA-256, the *commitment*. Then each seat may give a
*nonce*. The deal, and everything that chance does later, follows from the seed and the nonces together: the server
cannot choose the deal, since it fixed its seed before it knew the nonces, and nobody else can, since they do not know
the seed. When the game is over the seed is told, and everyone can check all of it with the record alone.

There is one limit: whoever knows the seed *and* sits at the table, that is an operator who plays at their own server,
could look for a nonce of their own that suits them, if they give theirs last; and where no seat gives one, the server
alone decides. Clients give a random nonce when they sit down, and the record shows every one.

>>> commitment("secret")
'2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b'
>>> deal_seed("secret", ["a", "b"]) == deal_seed("secret", ["ab", ""])
False
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from itertools import tee
from pathlib import Path
from typing import Any

from brocante.engine.box import Box
from brocante.engine.errors import BrocanteError
from brocante.engine.game import Game
from brocante.engine.random import generator
from brocante.engine.records import lines_of, read_line, same_json
from brocante.engine.replay import Replay
from brocante.engine.step import Step
from brocante.engine.text import Text
from brocante.games import box as find_box


def new_seed() -> str:
    """A seed that nobody can guess."""
    return secrets.token_hex(32)


def commitment(seed: str) -> str:
    """What everyone may know of a seed before the game: enough to recognise it, and nothing else."""
    return hashlib.sha256(seed.encode()).hexdigest()


def deal_seed(seed: str, nonces: Sequence[str]) -> str:
    """What the game is dealt with: the SHA-256 of the seed and of every seat's nonce, written as a JSON list."""
    return hashlib.sha256(json.dumps([seed, *nonces]).encode()).hexdigest()


# --- checking a record ------------------------------------------------------------------------------------------------


class Unfair(BrocanteError):
    """A record whose deal does not follow from what was fixed before the game."""

    def __init__(self, why: str, **blanks: Any) -> None:
        super().__init__(Text(f"table.unfair.{why}", **blanks))


def verify(path: Path, told: str | None = None) -> Replay:
    """Check a record: the seed is the one that was committed to, the deal follows from it and everyone's nonces, and
    all that chance did follows from the deal. `told`: the commitment that the reader noted before the game.

    RecordError for a record that does not hold by itself, Unfair for one that was not dealt as promised.
    """
    with path.open("rb") as file:
        return verify_lines(lines_of(file), told)


def verify_lines(lines: Iterable[bytes], told: str | None = None) -> Replay:
    """The same of a record's lines."""
    first, lines = tee(lines)
    reading = Replay(find_box).read(lines)
    header = read_line(next(first))
    check_seed(header, told)
    check_chance(reading.game, header["seed"])
    return reading


def check_seed(header: Mapping[str, Any], told: str | None) -> None:
    """The seed is the one that was promised, and the deal follows from it."""
    fair = header.get("fair")
    if not isinstance(fair, dict):
        raise Unfair("nothing_promised")
    promised, seed, nonces = fair.get("commitment"), fair.get("seed"), fair.get("nonces")
    if not (isinstance(promised, str) and isinstance(seed, str) and isinstance(nonces, list) and is_texts(nonces)):
        raise Unfair("unreadable")
    if told is not None and not hmac.compare_digest(told.strip().lower(), promised.lower()):
        raise Unfair("other_commitment", told=told.strip(), promised=promised)
    if commitment(seed) != promised:
        raise Unfair("other_seed", promised=promised, found=commitment(seed))
    if deal_seed(seed, nonces) != header.get("seed"):
        raise Unfair("other_deal")


def taken_back(path: Path) -> list[int]:
    """How many moves each seat took back in the game of a record; empty where nobody did."""
    with path.open("rb") as file:
        fair = read_line(file.readline()).get("fair")
    counts = fair.get("taken_back") if isinstance(fair, dict) else None
    return counts if isinstance(counts, list) and all(type(count) is int for count in counts) else []


def is_texts(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def check_chance(game: Game, seed: str) -> None:
    """Chance did what follows from the seed. (Line 1 is the header.)"""
    for line, step in enumerate(game.steps, 2):
        if step.is_chance and not same_json(step.line, chance_line(game.box, step, seed)):
            raise Unfair("other_chance", line=line)


def chance_line(box: Box, step: Step, seed: str) -> dict[str, Any]:
    """What chance would have done with this seed in place of a step."""
    before, after = box.state_from(step.before), box.state_from(step.before)
    box.running.chance(after, generator(seed, step.fallen - 1))
    return box.chance_line(before, after)
