"""Whole games, told turn by turn, and compared with how they were told before.

Whatever changes in the rules, in the order of moves, in chance, in the drawing or in the log is seen here.
When the change is meant, write the playthroughs anew from the root of the repository, and read what is different:

    python -m tests.games.test_playthroughs
    git diff tests/games/playthroughs
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

import brocante
from brocante.engine.moves import Move, Part
from brocante.engine.text import language

FOLDER = Path(__file__).parent / "playthroughs"
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve")
READER = 1  # whose log is told
MANY = 70  # legal moves


class Playthrough(msgspec.Struct, frozen=True):
    game: str
    players: int
    seed: str
    events: tuple[str, ...]  # what must happen in it, so that a change in any of them is seen

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.game}-{self.players}p.txt"

    @property
    def names(self) -> tuple[str, ...]:
        return NAMES[: self.players]


COLLECTION = Playthrough(
    "collection",
    3,
    "market day 63",
    (
        *("You complete", "completes", "You close", "closes", "You take your", "takes", "You lose", "loses"),
        *("You draw", "draws", "You cannot place any card", "discards everything", "the pack is empty."),
        "the game is over.",
    ),
)
ANTIQUES = Playthrough(
    "antiques",
    5,
    "market day 7",
    (
        *("You hoard the", "hoards the", "You steal the", "steals the", "from you!", "You salvage the", "salvages the"),
        *(
            "You put the",
            "puts the",
            "The discard pile is shuffled into a new deck.",
            "Too few cards are left to draw",
        ),
        *("hoards nothing more", "The Hoards are turned over.", "the oldest is from", "the second oldest is from"),
    ),
)
VINTO = Playthrough(
    "vinto",
    4,
    "market day 55423",
    (
        *("You look at your cards", "looks at their own cards", "turns up", "You turn up", "plays", "discards"),
        *("Wrong:", "takes a penalty card", "You take a penalty card", "tosses in card", "but it is not"),
        *(
            "looks at your card",
            "exchanges",
            "leaves them",
            "Right:",
            "makes you take",
            "from the pile, to use its action",
        ),
        *("shuffled into a new draw pile", "calls VINTO", "called Vinto and has the least", "just as little"),
        *("First place", "Third place"),
    ),
)
PORT = Playthrough(
    "port",
    3,
    "market day 111",
    (
        *("You buy", "buys", "plants a vineyard", "stores brandy", "You harvest", "harvests", "more barrels for"),
        *("moves for the boat", "sails up to", "sails down to", "loads", "unloads", "aged:", "sells from"),
        *("adds a barrel", "enologist turns", "discards", "draws a card", "You draw", "passes for this round"),
        *("sells", "VP.", "Round VI", "The sixth round is over"),
    ),
)
PLAYTHROUGHS = (COLLECTION, ANTIQUES, PORT, VINTO)


def told(through: Playthrough) -> Iterator[str]:
    names = through.names
    game = brocante.deal(through.game, players=through.players, seed=through.seed)
    say, choices = language("en").say, Random(through.seed)
    title = say(game.box.title)
    yield f"{title} for {len(names)}, seed {through.seed!r}, as {names[READER]} is told it; what is hidden lies open."
    yield from log_of_last_steps(game, 0, names)
    acted = None
    while not game.is_over:
        moves, steps = game.legal_moves, len(game.steps)
        move = chosen(game, choices)
        if game.actor != acted:
            yield f"\n# {steps}\n{game.text(names=names)}"
        acted = game.actor
        yield f"legal: {listed(moves)}"
        yield f"> {names[game.actor]}: {move}"
        game.play(move)
        yield from log_of_last_steps(game, steps, names)
    yield f"\n# the end\n{game.text(names=names)}"
    view = game.view(READER)
    yield say(view.prompt, names)
    yield from (f"{say(award.title, names)} | {say(award.why, names)} {award.points}" for award in view.awards)
    yield f"scores {game.scores}, ranks {game.ranks}, winners {[names[seat] for seat in game.winners]}"


def chosen(game: brocante.Game, choices: Random) -> Move:
    """A random move, one choice after another."""
    move, begun = choices.choice(game.choices())
    while isinstance(move, Part):
        move, begun = choices.choice(game.choices(begun))
    return move


def listed(moves: list[Move]) -> str:
    """The legal moves; of very many the first and the last, and how many there are."""
    if len(moves) <= MANY:
        return " · ".join(map(str, moves))
    return f"{moves[0]} · {moves[1]} · … · {moves[-1]} ({len(moves)} moves)"


def log_of_last_steps(game: brocante.Game, since: int, names: tuple[str, ...]) -> Iterator[str]:
    for number in range(since, len(game.steps)):
        for text in game.log_of(READER, number):
            yield f"  {language('en').say(text, names)}"


def written(through: Playthrough) -> str:
    return "\n".join(told(through)) + "\n"


@pytest.mark.parametrize("through", PLAYTHROUGHS, ids=lambda through: through.game)
def test_the_game_is_told_as_before(through: Playthrough) -> None:
    assert written(through) == through.file.read_text("utf-8")


@pytest.mark.parametrize("through", PLAYTHROUGHS, ids=lambda through: through.game)
def test_the_playthrough_shows_every_kind_of_event(through: Playthrough) -> None:
    text = through.file.read_text("utf-8")
    for event in through.events:
        assert event in text, event


if __name__ == "__main__":
    for through in PLAYTHROUGHS:
        through.file.write_text(written(through), "utf-8")
