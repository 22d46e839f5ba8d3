"""A game's version changes with its behaviour: what a log or a kept game was played by is told from it.

What a game does is written down as a hash of games played with it (behaviour.toml). Where it does something else, be it
only that a deal follows from a seed in another way, its version must be another one; and where the rules of record are
others, its edition.
"""

import tomllib
from hashlib import blake2b
from pathlib import Path

import pytest

import brocante
from brocante import Game

BEHAVIOUR = Path(__file__).parent / "behaviour.toml"
#: Games that are played with each number of players.
GAMES_EACH = 4
#: Whatever makes games short.
OPTIONS: dict[str, dict[str, int]] = {"vinto": {"rounds": 1, "max_turns": 40}}


def played(slug: str, players: int, seed: int) -> bytes:
    """The record of a game in which every move is one of the legal ones, in whatever order these are listed."""
    game = brocante.deal(slug, players=players, seed=seed, **OPTIONS.get(slug, {}))
    while not game.is_over:
        game.play(drawn(game, seed))
    return brocante.write_record(game)


def drawn(game: Game, seed: int) -> str:
    legal = sorted(map(str, game.legal_moves))
    digest = blake2b(f"{seed}/{len(game.steps)}".encode(), digest_size=8).digest()
    return legal[int.from_bytes(digest) % len(legal)]


def behaviour(slug: str) -> str:
    digest = blake2b(digest_size=16)
    for players in brocante.box(slug).players:
        for seed in range(GAMES_EACH):
            digest.update(played(slug, players, seed))
    return digest.hexdigest()


@pytest.mark.parametrize("slug", brocante.GAMES)
def test_a_game_that_behaves_otherwise_has_another_version(slug: str) -> None:
    box, written = brocante.box(slug), tomllib.loads(BEHAVIOUR.read_text("utf-8"))[slug]
    assert (box.edition, box.version) == (written["edition"], written["version"])
    message = f"{slug} behaves otherwise than its version {box.version} did: give it another, and write it down"
    assert behaviour(slug) == written["games"], message


def write() -> None:
    """Write down what the games do: only where a game has another version."""
    lines = ["# What each game does, for test_versions.py; `python -m tests.games.test_versions` writes it."]
    for slug in brocante.GAMES:
        box = brocante.box(slug)
        lines += ["", f"[{slug}]", f"edition = {box.edition}", f"version = {box.version}"]
        lines += [f'games = "{behaviour(slug)}"']
    BEHAVIOUR.write_text("\n".join([*lines, ""]), "utf-8")


if __name__ == "__main__":
    write()
