"""Nothing that was shown is lost: games in the terminal survive whatever ends the program."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import brocante
from brocante.engine.errors import UsageError
from brocante.games.antiques.deck_file import Deck, Item
from brocante.terminal.seats import SeatedGame, new_game, resumed_game
from brocante.terminal.storage import Saved, games_folder

BOX = brocante.box("collection")


def play_on(table: SeatedGame, steps: int) -> None:
    for _ in range(steps):
        if table.bots_turn:
            table.let_bot_move()
        elif table.persons_turn:
            table.play(table.game.legal_moves[0])


def begun(**options: object) -> SeatedGame:
    players = options["players"]
    assert isinstance(players, int)
    table = new_game(BOX, options, ["greedy"] * (players - 1), seed="kept", name="Ana")
    table.keep()
    return table


def test_a_game_goes_on_where_it_was_left() -> None:
    table = begun(players=3, target=60)
    play_on(table, 40)
    again = resumed_game(BOX)
    assert again.game == table.game
    assert again.name == "Ana"
    assert again.opponents == table.opponents


def test_chance_goes_on_as_it_would_have() -> None:
    """The next round of a match is dealt from the same seed, whether the program was stopped in between or not."""
    table = begun(players=2, target=100)
    play_on(table, 30)
    again = resumed_game(BOX)
    for both in (table, again):
        while both.game.state.rounds == 1:
            both.game.play(both.game.legal_moves[0])
    assert again.game == table.game


def test_what_was_taken_back_is_not_in_the_file() -> None:
    table = begun(players=2)
    while not table.persons_turn:
        table.let_bot_move()
    table.play(table.game.legal_moves[0])
    table.undo()
    assert table.saved
    assert brocante.read(table.saved.path).game == table.game


def test_a_finished_game_is_a_whole_record_and_is_not_resumed() -> None:
    table = begun(players=2)
    while not table.game.is_over:
        play_on(table, 1)
    assert table.saved
    assert brocante.read(table.saved.path).finished
    table.keep()
    assert brocante.read(table.saved.path).finished, "keeping it again changes nothing"
    with pytest.raises(UsageError, match="no unfinished game"):
        resumed_game(BOX)


def test_a_last_line_that_was_cut_off_is_a_move_nobody_saw() -> None:
    table = begun(players=2)
    play_on(table, 12)
    assert table.saved
    with table.saved.path.open("ab") as file:
        file.write(b'{"seat": 0, "mo')
    assert resumed_game(BOX).game == table.game


def test_a_file_that_was_tampered_with_is_refused_in_words() -> None:
    table = begun(players=2)
    play_on(table, 12)
    assert table.saved
    lines = table.saved.path.read_bytes().splitlines(keepends=True)
    table.saved.path.write_bytes(b"".join([*lines[:4], lines[3].replace(b'"seat": ', b'"seat": 1'), *lines[4:]]))
    with pytest.raises(UsageError, match="line 5"):
        resumed_game(BOX)


def test_a_broken_file_does_not_stand_in_the_way_of_an_older_game() -> None:
    older, newer = begun(players=2), begun(players=2)
    play_on(older, 5)
    play_on(newer, 9)
    assert older.saved
    assert newer.saved
    newer.saved.path.write_bytes(newer.saved.path.read_bytes().replace(b"place", b"plaice", 1))
    os.utime(older.saved.path, (1, 1))
    assert resumed_game(BOX).game == older.game


def test_other_files_in_the_folder_are_passed_over() -> None:
    folder = begun(players=2).saved.path.parent  # type: ignore[union-attr]
    (folder / "a-collection-folder.jsonl").mkdir()
    (folder / "a-collection-empty.jsonl").touch()
    (folder / "a-collection-binary.jsonl").write_bytes(b"\xff\xfe\n")
    (folder / "a-collection-record.jsonl").write_bytes(brocante.write_record(brocante.deal(BOX, players=2)))
    assert len(list(Saved.unfinished(BOX))) == 1


def test_a_game_goes_on_from_every_point_at_which_it_may_have_been_cut_off() -> None:
    """Also between a round and the next setup, and before the first."""
    table = begun(players=2, target=100)
    while not table.game.is_over:
        play_on(table, 1)
    assert table.saved
    lines = table.saved.path.read_bytes().splitlines(keepends=True)
    setups = [number for number, line in enumerate(lines) if b'"setup"' in line]
    assert len(setups) > 1
    for cut in {1, 2, *setups, *(n + 1 for n in setups), len(lines) - 1, *range(3, len(lines) - 1, 40)}:
        table.saved.path.write_bytes(b"".join(lines[:cut]))
        again = resumed_game(BOX)
        assert again.persons_turn or again.bots_turn or again.game.is_over
        again.keep()
        assert brocante.read(table.saved.path).game == again.game
        assert table.saved.path.read_bytes().startswith(b"".join(lines[:cut])), "chance does what it would have done"


def test_a_game_that_is_open_twice_is_not_mixed_up() -> None:
    table = begun(players=2)
    play_on(table, 5)
    again = resumed_game(BOX)
    play_on(table, 1)
    with pytest.raises(UsageError, match="two terminals"):
        play_on(again, 1)
    assert table.saved
    assert brocante.read(table.saved.path).game == table.game


def test_a_disk_that_cannot_be_written_is_said_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "games").touch()
    with pytest.raises(UsageError, match="File exists"):
        begun(players=2)


KILLED = """
import sys
from tests.terminal.test_storage import begun, play_on
table = begun(players=3)
while not table.game.is_over:
    play_on(table, 1)
    sys.stdout.write(f"{len(table.game.steps)}\\n")
    sys.stdout.flush()
"""


@pytest.mark.parametrize("shown", [1, 25, 60])
def test_a_move_that_was_shown_survives_kill_9(shown: int) -> None:
    root = Path(__file__).parents[2]
    process = subprocess.Popen([sys.executable, "-c", KILLED], stdout=subprocess.PIPE, text=True, cwd=root)
    assert process.stdout
    for _ in range(shown):
        steps = int(process.stdout.readline())
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert len(resumed_game(BOX).game.steps) >= steps


def test_a_game_with_a_deck_of_ones_own_goes_on_without_its_file() -> None:
    """The record brings the deck along; only before the deal it does not, and then nobody has seen anything yet."""
    antiques = brocante.box("antiques")
    items = [Item("crown", "toys", "red", 1950, 9, ("crown", "couronne")), *Deck.built_in().items[1:]]
    table = new_game(antiques, {"players": 3, "deck": Deck(tuple(items))}, ["greedy"] * 2, seed="own")
    table.keep()
    play_on(table, 20)
    assert table.saved
    lines = table.saved.path.read_bytes().splitlines(keepends=True)
    for cut in range(2, len(lines) + 1):
        table.saved.path.write_bytes(b"".join(lines[:cut]))
        again = resumed_game(antiques)
        assert again.game.options == table.game.options
        assert [step.line for step in again.game.steps] == [step.line for step in table.game.steps[: cut - 1]]
    table.saved.path.write_bytes(lines[0])
    with pytest.raises(UsageError, match="no unfinished game"):
        resumed_game(antiques)


def test_the_names_of_a_deck_of_ones_own_are_kept_with_the_game(tmp_path: Path) -> None:
    mine = tmp_path / "my-deck.toml"
    mine.write_text(
        Deck.template().replace('id = "tandem"', 'id = "draisine"').replace('"tandem"', '"dandy horse"'), "utf-8"
    )
    antiques = brocante.box("antiques")
    table = new_game(antiques, antiques.load({"players": 3, "deck": str(mine)}), ["greedy"] * 2, seed="own")
    table.keep()
    code = """
from brocante.terminal.seats import resumed_game
import brocante
game = resumed_game(brocante.box("antiques")).game
from brocante.games.antiques.deck_file import deck_of
print([str(item.title.by_language["en"]) for item in deck_of(game.state).items if item.id == "draisine"])
"""
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert told.stdout == "['dandy horse']\n"


# --- games that were begun by other rules ---

KEPT = Path(__file__).parent / "kept"


@pytest.fixture
def of_old() -> Path:
    """The folder of games as an earlier version of the program left it: one of every game, in the middle."""
    folder = games_folder()
    shutil.copytree(KEPT, folder)
    return folder


@pytest.mark.parametrize("game", ["antiques", "collection"])
def test_an_old_game_of_the_same_rules_goes_on(of_old: Path, game: str) -> None:
    table = resumed_game(brocante.box(game))
    assert table.game.steps
    play_on(table, 3)


@pytest.mark.parametrize("game", ["vinto", "port"])
def test_a_game_whose_edition_is_gone_is_closed_with_a_word_and_its_record_can_be_read(of_old: Path, game: str) -> None:
    box = brocante.box(game)
    (file,) = of_old.glob(f"*-{game}-*.jsonl")
    record = file.read_bytes()
    with pytest.raises(UsageError, match="edition 1 of its rules; Brocante now plays edition 2") as closed:
        resumed_game(box)
    aside = of_old / "closed" / file.name
    assert str(aside) in str(closed.value)
    assert aside.read_bytes() == record
    with pytest.raises(UsageError, match="no unfinished game"):  # it is said once
        resumed_game(box)
    assert not any(Saved.unfinished(box))
    assert new_game(box, {}, ["greedy"] * (box.players[0] - 1)).game.legal_moves


def test_a_game_of_another_version_is_closed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A change of how a deal follows from a seed is one."""
    table = begun(players=2)
    play_on(table, 5)
    assert table.saved
    assert table.saved.header["version"] == BOX.version
    monkeypatch.setattr(BOX, "version", BOX.version + 1)
    with pytest.raises(UsageError, match="rules that have changed since"):
        resumed_game(BOX)


def test_a_closed_game_does_not_stand_in_the_way_of_one_that_can_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    older = begun(players=2)
    play_on(older, 5)
    assert older.saved
    os.utime(older.saved.path, (1, 1))
    with monkeypatch.context() as other:
        other.setattr(BOX, "version", 0)
        play_on(begun(players=2), 5)
    assert resumed_game(BOX).game == older.game


def test_games_that_cannot_be_put_aside_are_refused_in_words(of_old: Path) -> None:
    (of_old / "closed").write_text("in the way")
    with pytest.raises(UsageError, match="closed"):
        resumed_game(brocante.box("vinto"))
