"""How fast the rules are: random play of whole games on one core, against what the field uses, in one run.

    python -m brocante.arena.bench collection 3 2000

prints the moves a second of one game with so many players, in whatever mode the environment asks for.
"""

import importlib.util
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from brocante.arena.simulate import played_again, simulate
from brocante.engine.box import Box
from brocante.games import box as find_box

#: OpenSpiel's C++ card games nearest to ours.
PEERS = ("go_fish", "hearts")
REPEATS = 5
GAMES = 20_000
PEER_GAMES = 2_000
INTERPRETED_GAMES = 4


def bench(boxes: list[Box], progress: Callable[[str], object] = lambda what: None) -> dict[str, Any]:
    """Moves a second on one core, each the best of several runs taken in turns, and the ratios between them."""
    contestants: dict[str, Callable[[], float]] = {}
    for box in boxes:
        contestants |= {f"{box.slug}-{players}p": _own(box, players) for players in box.players}
    if importlib.util.find_spec("pyspiel"):
        contestants |= {f"openspiel-{name}": _peer(name) for name in PEERS}
    rates = dict.fromkeys(contestants, 0.0)
    for _ in range(REPEATS):
        for name, run in contestants.items():
            progress(name)
            rates[name] = max(rates[name], run())
    for box in boxes:
        name = f"{box.slug}-{box.players[-1]}p"
        progress(f"{name}-interpreted")
        rates[f"{name}-interpreted"] = interpreted(box, box.players[-1])
    return {"moves_per_second": {name: round(rate) for name, rate in rates.items()}, "ratios": ratios(boxes, rates)}


def ratios(boxes: list[Box], rates: dict[str, float]) -> dict[str, float]:
    found: dict[str, float] = {}
    for box in boxes:
        for players in box.players:
            own = f"{box.slug}-{players}p"
            others = [f"{own}-interpreted", *(f"openspiel-{peer}" for peer in PEERS)]
            found |= {f"{own} / {other}": round(rates[own] / rates[other], 2) for other in others if other in rates}
    return found


def _own(box: Box, players: int, games: int = GAMES) -> Callable[[], float]:
    """Moves of players a second; the deals take their time but are not counted."""
    moves = moves_per_decision(box, players)

    def run() -> float:
        return moves * simulate(box, {"players": players}, games, seed="bench", threads=1).decisions_per_second

    return run


def moves_per_decision(box: Box, players: int, games: int = 20) -> float:
    """A move that takes several choices, such as a card and a place for it, is one move here."""
    simulation = simulate(box, {"players": players}, games, seed="bench", threads=1)
    moves = sum(step.move is not None for game in played_again(simulation) for step in game.steps)
    return float(moves / simulation.lengths.sum())


def interpreted(box: Box, players: int) -> float:
    """The same rules as plain Python, in a process of its own."""
    command = [sys.executable, "-m", __name__, box.slug, str(players), str(INTERPRETED_GAMES)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    return float(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)


def _peer(name: str) -> Callable[[], float]:
    """OpenSpiel's own C++ loop with its uniform random bots, deal included. Every action counts for it, also each card
    that its chance deals, of which there are about as many as decisions."""
    import pyspiel

    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(seat, 1) for seat in range(game.num_players())]
    actions = _mean_length(game)

    def run() -> float:
        began = time.perf_counter()
        for seed in range(PEER_GAMES):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return PEER_GAMES * actions / (time.perf_counter() - began)

    return run


def _mean_length(game: Any, games: int = 500) -> float:
    """Actions in a random game, chance's included: the C++ loop does not count them."""
    choices = random.Random(1)
    total = 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(choices.choices(outcomes, weights)[0])
            else:
                state.apply_action(choices.choice(state.legal_actions()))
            total += 1
    return total / games


if __name__ == "__main__":
    slug, players, games = sys.argv[1:]
    sys.stdout.write(f"{_own(find_box(slug), int(players), int(games))()}\n")
