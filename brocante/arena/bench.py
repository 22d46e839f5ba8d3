"""How fast the rules are: random play of whole games on one core, beside OpenSpiel in the same run."""

import importlib.util
import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from brocante.arena.simulate import loop_of, played_again, simulate
from brocante.backends import compiler
from brocante.engine.backend import PYTHON, Backend
from brocante.engine.box import Box

#: OpenSpiel's C++ card games nearest to ours.
PEERS = ("go_fish", "hearts")
REPEATS = 5
GAMES = 20_000
PEER_GAMES = 2_000
PYTHON_GAMES = 4


def measure(
    boxes: list[Box],
    *,
    compiling: Callable[[Box, int, int], object] = lambda box, rules, of: None,
    measured: Callable[[int, int], object] = lambda runs, of: None,
) -> dict[str, Any]:
    """Moves a second on one core, each the best of several runs taken in turns, and the ratios between them. Calls
    `measured` with the number of runs done and in all, and `compiling` with the number of rules compiled of a game."""
    contestants: dict[str, Callable[[], float]] = {}
    for box in boxes:
        compiler().compile([loop_of(box, ["random"])], partial(compiling, box))
        contestants |= {f"{box.slug}-{players}p": _own(box, players, compiler(), GAMES) for players in box.players}
    if importlib.util.find_spec("pyspiel"):
        contestants |= {f"openspiel-{name}": _peer(name) for name in PEERS}
    runs = list(contestants.items()) * REPEATS
    for box in boxes:
        players = box.players[-1]
        runs.append((f"{box.slug}-{players}p-python", _own(box, players, PYTHON, PYTHON_GAMES)))
    rates = dict.fromkeys([name for name, _ in runs], 0.0)
    for done, (name, run) in enumerate(runs):
        measured(done, len(runs))
        rates[name] = max(rates[name], run())
    return {"moves_per_second": {name: round(rate) for name, rate in rates.items()}, "ratios": ratios(boxes, rates)}


def ratios(boxes: list[Box], rates: dict[str, float]) -> dict[str, float]:
    found: dict[str, float] = {}
    for box in boxes:
        for players in box.players:
            own = f"{box.slug}-{players}p"
            others = [f"{own}-python", *(f"openspiel-{peer}" for peer in PEERS)]
            found |= {f"{own} / {other}": round(rates[own] / rates[other], 2) for other in others if other in rates}
    return found


def _own(box: Box, players: int, backend: Backend, games: int) -> Callable[[], float]:
    """Players' moves a second. Deals take time but are not counted."""
    moves = moves_per_decision(box, players)

    def run() -> float:
        simulation = simulate(box, {"players": players}, games, seed="bench", threads=1, backend=backend)
        return moves * simulation.decisions_per_second

    return run


def moves_per_decision(box: Box, players: int, games: int = 20) -> float:
    """A move that takes several choices, such as a card and a place for it, is one move here."""
    simulation = simulate(box, {"players": players}, games, seed="bench", threads=1, backend=compiler())
    moves = sum(step.move is not None for game in played_again(simulation) for step in game.steps)
    return float(moves / simulation.lengths.sum())


def _peer(name: str) -> Callable[[], float]:
    """OpenSpiel's own C++ loop with its uniform random bots, deal included. All actions count, even each card that
    chance deals, and there are about as many of these as decisions."""
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
    """Actions in a random game, chance included: the C++ loop does not count them."""
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
