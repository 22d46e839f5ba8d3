"""Play many games between bots; everything follows from the seed, on any number of threads."""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import numpy as np

from brocante.arena.playout import RANDOM, player_of
from brocante.bots import bots_for, lineup, random
from brocante.engine.box import Box
from brocante.engine.errors import UsageError
from brocante.engine.game import Game
from brocante.engine.random import key_of
from brocante.engine.records import write_record
from brocante.engine.text import Text

#: Games one thread plays before it reports.
CHUNK = 1000
MOST_GAMES = 50_000_000  # what fits into memory


class Simulation(msgspec.Struct, frozen=True):
    """What came out: a row for each game, a column for each seat."""

    box: Box
    options: dict[str, Any]
    bots: tuple[str, ...]
    seed: str
    scores: Any
    ranks: Any
    lengths: Any  # decisions in each game; a move that takes several choices is as many decisions
    seconds: float

    @property
    def decisions_per_second(self) -> float:
        return float(self.lengths.sum() / self.seconds)

    def summary(self) -> dict[str, Any]:
        """The figures people ask for, as plain data. A victory shared by k seats counts 1/k for each."""
        won = self.ranks == 1
        wins = (won / won.sum(axis=1, keepdims=True)).sum(axis=0)
        games = len(self.lengths)
        return {
            "game": self.box.slug,
            "options": {o.name: o.written(self.options[o.name]) for o in self.box.options},
            "bots": list(self.bots),
            "seed": self.seed,
            "games": games,
            "seats": [
                {
                    "seat": seat,
                    "bot": bot,
                    "wins": round(float(wins[seat] / games), 6),
                    "score": spread(self.scores[:, seat]),
                }
                for seat, bot in enumerate(self.bots)
            ],
            "shared_victories": int((won.sum(axis=1) > 1).sum()),
            "decisions": int(self.lengths.sum()),
            "length": spread(self.lengths),
            "seconds": round(self.seconds, 3),
            "decisions_per_second": round(self.decisions_per_second),
        }


def spread(values: Any) -> dict[str, float]:
    return {
        "mean": round(float(values.mean()), 3),
        "sd": round(float(values.std()), 3),
        "least": int(values.min()),
        "most": int(values.max()),
    }


class Loop:
    """What one thread needs to play games: the compiled loop and its buffers."""

    def __init__(self, box: Box, options: Mapping[str, Any], bots: Sequence[str], seed: str) -> None:
        bot = self._second_bot(box, bots)
        rules = box.rules
        self._play = player_of(rules, bot)
        self._fresh = np.zeros(1, rules.STATE)
        self._fresh[0] = box.fresh(options)
        self._key = key_of(seed)
        self._bots = np.array([RANDOM if name == "random" else 1 for name in bots], np.int8)
        self._buffers = (
            np.zeros(2, rules.STATE),
            np.zeros(bot.SCRATCH, rules.STATE),
            np.zeros(rules.ACTIONS, np.int64),
            np.zeros(len(rules.BOX), np.int64),
            np.zeros((2, 4), np.int64),
        )

    @staticmethod
    def _second_bot(box: Box, bots: Sequence[str]) -> ModuleType:
        return next((bots_for(box)[name] for name in bots if name != "random"), random)

    def play(self, first: int, scores: Any, ranks: Any, lengths: Any, trace: Any) -> None:
        """Play games from number `first` on into these arrays, and the last one's actions into `trace`."""
        lost = self._play(self._fresh, self._bots, self._key, first, *self._buffers, scores, ranks, lengths, trace)
        if lost:
            raise AssertionError(f"{lost} games from number {first} on ended with a piece missing or one too many")


def simulate(
    box: Box,
    options: Mapping[str, object],
    games: int,
    *,
    seed: object = 0,
    bots: Sequence[str] = ("random",),
    threads: int | None = None,
    progress: Callable[[int], object] = lambda played: None,
) -> Simulation:
    """Play `games` games; `progress` is told how many have been played since it was last called.

    >>> import brocante
    >>> result = simulate(brocante.box("collection"), {"players": 2}, 100, seed=1)
    >>> result.scores.shape
    (100, 2)
    """
    fresh = box.fresh(box.complete(options))
    chosen, players = box.options_of(fresh), int(fresh.players)
    box.check_nothing_is_wanting(chosen)
    if box.clock(chosen) is not None:
        raise UsageError(Text("error.no_clock", game=box.slug))
    seats = lineup(box, bots, players)
    if not 1 <= games <= MOST_GAMES:
        raise UsageError(Text("error.games", games=games, most=MOST_GAMES))
    scores = np.zeros((games, players), np.int32)
    ranks = np.zeros((games, players), np.int8)
    lengths = np.zeros(games, np.int32)
    chunks = [slice(i, min(i + CHUNK, games)) for i in range(0, games, CHUNK)]
    Loop(box, chosen, seats, str(seed)).play(0, scores[:1], ranks[:1], lengths[:1], _no_trace())  # compile first

    def play(chunk: slice) -> int:
        loop = Loop(box, chosen, seats, str(seed))
        loop.play(chunk.start, scores[chunk], ranks[chunk], lengths[chunk], _no_trace())
        return len(lengths[chunk])

    began = time.perf_counter()
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for played in pool.map(play, chunks):
            progress(played)
    seconds = time.perf_counter() - began
    return Simulation(box, dict(chosen), seats, str(seed), scores, ranks, lengths, seconds)


def _no_trace() -> Any:
    return np.zeros(0, np.int64)


def played_again(simulation: Simulation) -> Iterator[Game]:
    """Every game of a simulation, move by move: the same seed plays the same game, this time into a trace."""
    loop = Loop(simulation.box, simulation.options, simulation.bots, simulation.seed)
    scores, ranks = np.zeros((2, 1, len(simulation.bots)), np.int32)
    for number, length in enumerate(simulation.lengths):
        trace = np.zeros(length, np.int64)
        loop.play(number, scores, ranks, np.zeros(1, np.int32), trace)
        game = Game(simulation.box, simulation.options, f"{simulation.seed}:{number}")
        game.play_actions(int(action) for action in trace)
        yield game


def check_folder(folder: Path) -> None:
    """Records of two simulations in one folder could not be told apart."""
    if any(folder.glob("*.jsonl")):
        raise UsageError(Text("error.records_there", folder=str(folder)))


def write_records(simulation: Simulation, folder: Path, progress: Callable[[int], object] = lambda n: None) -> None:
    """One record a game, named by its number."""
    names = [f"{bot} {seat}" for seat, bot in enumerate(simulation.bots)]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number, game in enumerate(played_again(simulation)):
            (folder / f"{number}.jsonl").write_bytes(write_record(game, names))
            progress(1)
    except OSError as error:
        raise UsageError(Text("error.file", file=str(error.filename or folder), problem=error.strerror)) from None
