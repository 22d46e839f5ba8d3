"""Decks of one's own (A2b, docs/decks.md): how they are refused, kept in records, and that any can be played with."""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brocante
from brocante import Replay, UsageError
from brocante.bots import Bot
from brocante.engine.text import language
from brocante.games.antiques.deck_file import Deck, Item
from brocante.games.antiques.rules import ITEMS
from brocante.testing.positions import played_on


def test_many_problems_are_told_at_once_but_not_all(tmp_path: Path) -> None:
    file = tmp_path / "my-deck.toml"
    file.write_text(Deck.template().replace("year = 19", "year = 20"), "utf-8")
    with pytest.raises(UsageError, match="and 53 more problems") as refusal:
        brocante.deal("antiques", deck=file)
    assert str(refusal.value).count("\n  item ") == 10
    assert 'objet 1 ("paper-lantern")' in refusal.value.say("fr")


def test_a_folder_is_no_deck(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        brocante.deal("antiques", deck=tmp_path)


def test_given_is_a_word_for_records_alone() -> None:
    with pytest.raises(UsageError, match="only for records"):
        brocante.deal("antiques", deck="given")


def test_a_record_that_names_a_file_opens_none(tmp_path: Path) -> None:
    file = tmp_path / "my-deck.toml"
    file.write_text(Deck.template(), "utf-8")
    header = (
        f'{{"record": 1, "game": "antiques", "options": {{"players": 3, "deck": "{file}"}}, "seats": ["", "", ""]}}\n'
    )
    with pytest.raises(brocante.RecordError, match=r'it can be "reconstructed".* "given"'):
        Replay(brocante.box).feed(header.encode())


# --- any deck can be played with --------------------------------------------------------------------------------------

slugs = st.from_regex(r"[a-z][a-z0-9]{0,5}(-[a-z0-9]{1,5})?", fullmatch=True)
names = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=12)


@st.composite
def decks(draw: st.DrawFn) -> Deck:
    colours = draw(st.lists(slugs, min_size=1, max_size=13, unique=True))
    categories = draw(st.lists(slugs, min_size=14 - len(colours), max_size=14 - len(colours), unique=True))
    ids = draw(st.lists(slugs, min_size=ITEMS, max_size=ITEMS, unique=True))
    rows = [
        (
            categories[i] if i < len(categories) else draw(st.sampled_from(categories)),
            colours[i] if i < len(colours) else draw(st.sampled_from(colours)),
            draw(st.integers(1950, 1979)),
            draw(st.integers(0, 1_000_000)),
        )
        for i in range(ITEMS)
    ]
    called = [(draw(names), draw(names)) for _ in range(ITEMS)]
    return Deck(tuple(Item(id_, *row, name) for id_, row, name in zip(ids, rows, called, strict=True)))


@given(decks(), st.integers(3, 6), st.booleans(), st.integers(0, 10**6))
@settings(max_examples=12, deadline=None, derandomize=True)
def test_a_game_with_any_deck_is_played_shown_written_and_read_again(
    deck: Deck, players: int, take_that: bool, seed: int
) -> None:
    game = brocante.deal("antiques", players=players, take_that=take_that, deck=deck, seed=seed)
    bot = Bot(game.box, "greedy")
    for _ in range(10):
        game.play(bot.choose(game))
    played_on(game, 1000)
    assert game.is_over
    for seat in range(players):
        assert game.view(seat).plain(language("fr"))
        assert all(language("en").say(text) for text in game.log(seat))
    assert sum(game.scores) >= sum(int(n) for n in game.state.worth)
    replay = Replay(brocante.box)
    for line in brocante.write_record(game).splitlines(keepends=True):
        replay.feed(line)
    assert replay.game == game
    assert replay.game.options["deck"] == deck
    assert (
        brocante.write_record(replay.game, replay.names).split(b"\n", 1)[1]
        == brocante.write_record(game).split(b"\n", 1)[1]
    )


def test_a_deck_travels_with_its_game_to_another_process(tmp_path: Path) -> None:
    items = [Item("crown", "lighting", "white", 1951, 9, ("crown", "couronne")), *Deck.built_in().items[1:]]
    game = brocante.deal("antiques", players=3, deck=Deck(tuple(items)), seed=2)
    file = tmp_path / "game.pickle"
    file.write_bytes(pickle.dumps(game))
    code = f"import pickle, pathlib; game = pickle.loads(pathlib.Path({str(file)!r}).read_bytes()); print(game)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.rstrip("\n") == str(game)


def test_a_game_resumed_from_a_record_has_the_names_of_the_deck_that_is_at_hand() -> None:
    """A record has no names; a deck with the same items that was read from a file has."""
    items = [Item("sceptre", "lighting", "white", 1950, 9, ("sceptre", "sceptre doré")), *Deck.built_in().items[1:]]
    bare = Deck(tuple(Item(item.id, item.category, item.colour, item.year, item.value) for item in items))
    assert language("fr").say(Deck.opened[bare.key].items[0].title) == "sceptre"
    named = Deck(tuple(items))
    assert named == bare
    titles = {language("fr").say(item.title) for item in Deck.opened[bare.key].items}
    assert "sceptre doré" in titles
