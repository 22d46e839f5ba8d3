"""Nothing that was shown is lost: games in the terminal survive whatever ends the program."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import brocante
from brocante.engine.errors import UsageError
from brocante.terminal.seats import SeatedGame, new_game
from brocante.terminal.storage import Saved

BOX = brocante.box("collection")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROCANTE_DATA_DIR", str(tmp_path))


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
    again = Saved.latest(BOX).seated()
    assert again.game == table.game
    assert again.name == "Ana"
    assert again.opponents == table.opponents


def test_chance_goes_on_as_it_would_have() -> None:
    """The next round of a match is dealt from the same seed, whether the program was stopped in between or not."""
    table = begun(players=2, target=100)
    play_on(table, 30)
    again = Saved.latest(BOX).seated()
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
    with pytest.raises(UsageError, match="no unfinished game"):
        Saved.latest(BOX)


def test_a_last_line_that_was_cut_off_is_a_move_nobody_saw() -> None:
    table = begun(players=2)
    play_on(table, 12)
    assert table.saved
    with table.saved.path.open("ab") as file:
        file.write(b'{"seat": 0, "mo')
    assert Saved.latest(BOX).seated().game == table.game


def test_a_file_that_was_tampered_with_is_refused_in_words() -> None:
    table = begun(players=2)
    play_on(table, 12)
    assert table.saved
    lines = table.saved.path.read_bytes().splitlines(keepends=True)
    table.saved.path.write_bytes(b"".join([*lines[:4], lines[3].replace(b'"seat": ', b'"seat": 1'), *lines[4:]]))
    with pytest.raises(UsageError, match="line 5"):
        Saved.latest(BOX).seated()


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
    assert len(Saved.latest(BOX).seated().game.steps) >= steps
