"""Play many games between bots. Everything follows from the seed, on any number of threads."""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import numpy as np

from brocante.arena.playout import RANDOM, play_takes, player_of
from brocante.backends import compiler
from brocante.bots import bots_for, lineup, random
from brocante.engine.backend import PYTHON, Backend, EntryPoint, Progress
from brocante.engine.box import Box
from brocante.engine.errors import UsageError
from brocante.engine.game import Game
from brocante.engine.random import seed_key
from brocante.engine.records import write_record
from brocante.engine.text import Text

#: Compiled games one thread plays before it reports.
CHUNK = 1000
#: Seconds of plain Python after which the time for the rest can be estimated.
TRIAL = 0.5
MOST_GAMES = 50_000_000  # what fits into memory


class Simulation(msgspec.Struct, frozen=True):
    """The results: a row for each game, a column for each seat."""

    box: Box
    options: dict[str, Any]
    bots: tuple[str, ...]
    seed: str
    backend: Backend  # of the last game, at least
    scores: Any
    ranks: Any
    lengths: Any  # decisions in each game; a move that takes several choices is as many decisions
    seconds: float

    @property
    def decisions_per_second(self) -> float:
        return float(self.lengths.sum() / self.seconds)

    def summary(self) -> dict[str, Any]:
        """The results in figures, as plain data. A victory shared by k seats counts 1/k for each."""
        won = self.ranks == 1
        wins = (won / won.sum(axis=1, keepdims=True)).sum(axis=0)
        games = len(self.lengths)
        return {
            "game": self.box.slug,
            "options": {o.name: o.written(self.options[o.name]) for o in self.box.options},
            "bots": list(self.bots),
            "seed": self.seed,
            "backend": self.backend.name,
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
    """The playout loop on a backend, with the buffers of one thread."""

    def __init__(self, box: Box, options: Mapping[str, Any], bots: Sequence[str], seed: str, backend: Backend) -> None:
        rules, bot = box.rules, second_bot(box, bots)
        self._play = backend.run(loop_of(box, bots))
        self._fresh = np.zeros(1, rules.STATE)
        self._fresh[0] = box.fresh(options)
        self._key = seed_key(seed)
        self._bots = np.array([RANDOM if name == "random" else 1 for name in bots], np.int8)
        self._buffers = (
            np.zeros(2, rules.STATE),
            np.zeros(bot.SCRATCH, rules.STATE),
            np.zeros(rules.ACTIONS, np.int64),
            np.zeros(len(rules.BOX), np.int64),
            np.zeros((2, 4), np.int64),
            np.zeros((2, len(bots)), np.int64),
        )

    def play(self, first: int, scores: Any, ranks: Any, lengths: Any, trace: Any) -> None:
        """Fill these arrays with games from number `first` on, and `trace` with the actions of the last."""
        lost = self._play(self._fresh, self._bots, self._key, first, *self._buffers, scores, ranks, lengths, trace)
        if lost:
            raise AssertionError(f"{lost} games from number {first} on ended with a piece missing or one too many")


def second_bot(box: Box, bots: Sequence[str]) -> ModuleType:
    """The bot that plays beside `random`, or `random` itself."""
    return next((bots_for(box)[name] for name in bots if name != "random"), random)


def loop_of(box: Box, bots: Sequence[str]) -> EntryPoint:
    """The playout loop for these bots."""
    player = player_of(box.rules, box.knowledge, second_bot(box, bots))
    return EntryPoint(player, play_takes(box.rules), takes_long=True)


def loops_of(box: Box) -> list[EntryPoint]:
    """The playout loops for each bot of a game."""
    return [loop_of(box, [name]) for name in bots_for(box)]


class Work:
    """Games to be played, with the results of those that have been."""

    def __init__(self, box: Box, options: Mapping[str, Any], bots: Sequence[str], seed: str, games: int) -> None:
        self.loop = loop_of(box, bots)
        self._setup = (box, options, bots, seed)
        self.scores = np.zeros((games, len(bots)), np.int32)
        self.ranks = np.zeros((games, len(bots)), np.int8)
        self.lengths = np.zeros(games, np.int32)
        self.played = 0
        self.seconds = 0.0

    @property
    def left(self) -> int:
        return len(self.lengths) - self.played

    def play_on(self, backend: Backend, games: int, threads: int, progress: Callable[[int], object]) -> None:
        """Play the next so many games."""

        def play(chunk: slice) -> int:
            loop = Loop(*self._setup, backend)
            loop.play(chunk.start, self.scores[chunk], self.ranks[chunk], self.lengths[chunk], no_trace())
            return len(self.lengths[chunk])

        size = 1 if backend is PYTHON else CHUNK
        until = self.played + games
        chunks = [slice(i, min(i + size, until)) for i in range(self.played, until, size)]
        began = time.perf_counter()
        with ThreadPoolExecutor(threads) as pool:
            for played in pool.map(play, chunks):
                progress(played)
        self.played = until
        self.seconds += time.perf_counter() - began


def simulate(
    box: Box,
    options: Mapping[str, object],
    games: int,
    *,
    seed: object = 0,
    bots: Sequence[str] = ("random",),
    threads: int | None = None,
    backend: Backend | None = None,
    progress: Callable[[int], object] = lambda played: None,
    compiling: Progress = lambda rules, of: None,
) -> Simulation:
    """Play `games` games. Calls `progress` with the number of games played since the last call, and `compiling` with
    the number of rules compiled so far and in all.

    Without a backend, the faster one is chosen: a few games are over before they could be compiled. The results are the
    same.

    >>> import brocante
    >>> result = simulate(brocante.box("collection"), {"players": 2}, 3, seed=1)
    >>> result.scores.shape
    (3, 2)
    """
    fresh = box.fresh(box.complete(options))
    chosen, players = box.options_of(fresh), int(fresh.players)
    box.check_nothing_is_wanting(chosen)
    if box.clock(chosen) is not None:
        raise UsageError(Text("error.no_clock", game=box.slug))
    seats = lineup(box, bots, players)
    if not 1 <= games <= MOST_GAMES:
        raise UsageError(Text("error.games", games=games, most=MOST_GAMES))
    work = Work(box, chosen, seats, str(seed), games)
    backend = backend or faster_backend(work, progress, compiling)
    backend.run(work.loop)  # before several threads need it at once
    work.play_on(backend, work.left, threads or os.cpu_count() or 1, progress)
    return Simulation(box, dict(chosen), seats, str(seed), backend, work.scores, work.ranks, work.lengths, work.seconds)


def faster_backend(work: Work, progress: Callable[[int], object], compiling: Progress) -> Backend:
    """The backend that finishes first. If the loop is not compiled, a few games in plain Python show whether compiling
    is worth it."""
    compiled = compiler()
    if compiled.is_kept(work.loop):
        return compiled
    while work.left and work.seconds < TRIAL:
        work.play_on(PYTHON, 1, 1, progress)
    if work.left * work.seconds / work.played < compiled.seconds_to_compile([work.loop]):
        return PYTHON
    compiled.compile([work.loop], compiling)
    return compiled


def no_trace() -> Any:
    return np.zeros(0, np.int64)


def played_again(simulation: Simulation) -> Iterator[Game]:
    """The games of a simulation move by move: the same seed plays the same game, this time into a trace."""
    loop = Loop(simulation.box, simulation.options, simulation.bots, simulation.seed, simulation.backend)
    scores, ranks = np.zeros((1, len(simulation.bots)), np.int32), np.zeros((1, len(simulation.bots)), np.int8)
    for number, length in enumerate(simulation.lengths):
        trace = np.zeros(length, np.int64)
        loop.play(number, scores, ranks, np.zeros(1, np.int32), trace)
        game = Game(simulation.box, simulation.options, f"{simulation.seed}:{number}")
        game.play_actions(int(action) for action in trace)
        yield game


def check_folder(folder: Path) -> None:
    """Refuse a folder with records: those of two simulations could not be told apart."""
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
