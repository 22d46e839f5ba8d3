"""A whole game of Collection, told state by state, and compared with how it was told before.

Whatever changes in the rules, in the order of moves, in chance, in the drawing or in the log is seen here.
When the change is meant, write the playthrough anew from the root of the repository, and read what is different:

    python -m tests.games.test_collection_playthrough
    git diff tests/games/playthroughs
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import brocante
from brocante.engine.text import language

PLAYTHROUGH = Path(__file__).parent / "playthroughs" / "collection-3p.txt"
NAMES = ("Ana", "Ben", "Cleo")
READER = 1  # whose log is told
SEED = "market day 63"
EVENTS = (
    *("You complete", "completes", "You close", "closes", "You take your", "takes", "You lose", "loses"),
    *("You draw", "draws", "You can place no card", "discards everything", "the pack is empty.", "the game is over."),
)


def playthrough() -> str:
    return "\n".join(told()) + "\n"


def told() -> Iterator[str]:
    game = brocante.deal("collection", players=len(NAMES), seed=SEED)
    say, choices = language("en").say, Random(SEED)
    yield f"Collection for {len(NAMES)}, seed {SEED!r}, as {NAMES[READER]} is told it; the hands lie open."
    yield from log_of_last_steps(game, 0)
    while not game.is_over:
        moves, steps = game.legal_moves, len(game.steps)
        move = choices.choice(moves)
        yield f"\n# {steps}\n{game.text(names=NAMES)}"
        yield f"legal: {' · '.join(map(str, moves))}"
        yield f"> {NAMES[game.actor]}: {move}"
        game.play(move)
        yield from log_of_last_steps(game, steps)
    yield f"\n# the end\n{game.text(names=NAMES)}"
    yield say(game.view(READER).prompt, NAMES)
    yield f"scores {game.scores}, ranks {game.ranks}, winners {[NAMES[seat] for seat in game.winners]}"


def log_of_last_steps(game: brocante.Game, since: int) -> Iterator[str]:
    for number in range(since, len(game.steps)):
        for text in game.told(READER, number):
            yield f"  {language('en').say(text, NAMES)}"


def test_the_game_is_told_as_before() -> None:
    assert playthrough() == PLAYTHROUGH.read_text("utf-8")


def test_the_playthrough_shows_every_kind_of_event() -> None:
    """So that a change in any of them is seen."""
    text = PLAYTHROUGH.read_text("utf-8")
    for event in EVENTS:
        assert event in text, event


if __name__ == "__main__":
    PLAYTHROUGH.write_text(playthrough(), "utf-8")
