"""Nothing that was shown is lost: games in the terminal survive whatever ends the program."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import brocante
from brocante.engine.errors import UsageError
from brocante.engine.records import written
from brocante.games.antiques.deck_file import Deck, Item
from brocante.terminal.game_log import GameLog, LogLine, games_folder, reopen
from brocante.terminal.home_table import HomeTable, new_game
from brocante.terminal.saved_games import resumed_game, unfinished
from tests.terminal.driving import legal_moves

BOX = brocante.box("collection")


def play_on(table: HomeTable, steps: int) -> None:
    for _ in range(steps):
        if table.bots_turn:
            table.let_bots_move()
        elif table.persons_turn:
            table.play(legal_moves(table)[0])


def begun(**options: object) -> HomeTable:
    players = options["players"]
    assert isinstance(players, int)
    return new_game(BOX, options, ["greedy"] * (players - 1), seed="kept", name="Ana")


def play_to_the_end(table: HomeTable) -> None:
    while not table.is_over:
        play_on(table, 1)


def lines_of(table: HomeTable) -> list[bytes]:
    return table.log.path.read_bytes().splitlines(keepends=True)


def record_of(table: HomeTable) -> list[dict[str, object]]:
    """What happened, line by line."""
    return [step.line for step in table.game.steps]


def test_a_game_goes_on_where_it_was_left() -> None:
    table = begun(players=3, target=60)
    play_on(table, 40)
    again = resumed_game(BOX)
    assert again.game == table.game
    assert record_of(again) == record_of(table)
    assert again.table.seats == table.table.seats
    assert again.names("") == ("Ana", "Odette", "Marcel")


def test_chance_goes_on_as_it_would_have() -> None:
    """The next round of a match is dealt from the same seed, whether the program was stopped in between or not."""
    table = begun(players=2, target=100)
    play_on(table, 30)
    again = resumed_game(BOX)
    for both in (table, again):
        while both.game.state.rounds == 1:
            both.game.play(both.game.legal_moves[0])
    assert again.game == table.game


def test_bots_decide_as_they_would_have() -> None:
    """What a bot draws lots for does not depend on whether the program was stopped in between."""
    port = brocante.box("port")
    whole = new_game(port, {"players": 2}, ["random"], seed="lots")
    halves = new_game(port, {"players": 2}, ["random"], seed="lots")
    play_on(whole, 40)
    for _ in range(40):
        play_on(halves, 1)
        halves = HomeTable(*reopen(port, halves.log.path))
    assert record_of(halves) == record_of(whole)


@pytest.mark.parametrize("game", brocante.GAMES)
def test_a_seed_deals_the_same_game_as_everywhere(game: str) -> None:
    box = brocante.box(game)
    players = box.players[0]
    table = new_game(box, {"players": players}, ["greedy"] * (players - 1), seed="kept")
    assert table.game == brocante.deal(box, players=players, seed="kept")
    assert table.game.seed == "kept"


def test_what_was_taken_back_stays_so() -> None:
    table = begun(players=2)
    while not table.persons_turn:
        table.let_bots_move()
    before = record_of(table)
    table.play(legal_moves(table)[0])
    table.undo()
    assert record_of(resumed_game(BOX)) == record_of(table) == before


def test_a_move_can_be_taken_back_after_one_has_come_back() -> None:
    table = begun(players=2)
    while not table.persons_turn:
        table.let_bots_move()
    before = table.game.copy()
    table.play(legal_moves(table)[0])
    again = resumed_game(BOX)
    assert again.can_undo
    again.undo()
    assert again.game == before
    assert resumed_game(BOX).game == before


def test_every_fact_is_on_the_disk_before_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """When a line is written, the table does not know yet what it says; when it does, whoever looks finds it there."""
    table = begun(players=2)
    append, seen = GameLog.append, []

    def appending(log: GameLog, entry: LogLine) -> None:
        seen.append(len(table.game.steps))
        append(log, entry)
        assert len(table.game.steps) == seen[-1]

    monkeypatch.setattr(GameLog, "append", appending)
    for moves in range(30):
        assert len(seen) == moves
        play_on(table, 1)
        assert record_of(HomeTable(*reopen(BOX, table.log.path))) == record_of(table)


def test_a_finished_game_is_a_whole_record_and_is_not_resumed() -> None:
    table = begun(players=2)
    play_to_the_end(table)
    replay = brocante.read(table.log.record)
    assert replay.finished
    assert replay.names == ("Ana", "Odette")
    assert replay.game == table.game
    assert str(table.log.record) in str(table.epilogue)
    assert [file.name for file in games_folder().iterdir()] == [table.log.record.name]
    with pytest.raises(UsageError, match="no unfinished game"):
        resumed_game(BOX)


def test_a_last_line_that_was_cut_off_is_a_move_nobody_saw() -> None:
    table = begun(players=2)
    play_on(table, 12)
    with table.log.path.open("ab") as file:
        file.write(b'{"at":1.5,"facts":[{"fact":"moved","seat":0,"mo')
    again = resumed_game(BOX)
    assert again.game == table.game
    play_on(again, 1)
    assert record_of(resumed_game(BOX)) == record_of(again)


def test_a_crash_while_a_game_ends_loses_nothing_that_was_shown() -> None:
    """The record is there already, and the log still: nobody has seen the last move, and it can be made again."""
    table = begun(players=2)
    while not table.is_over:
        log = table.log.path.read_bytes()
        play_on(table, 1)
    table.log.path.write_bytes(log)
    again = resumed_game(BOX)
    assert not again.is_over
    play_to_the_end(again)
    assert again.log.record == table.log.record
    assert brocante.read(again.log.record).finished
    assert not any(unfinished(BOX))


def test_a_file_that_was_tampered_with_is_refused_in_words() -> None:
    table = begun(players=2)
    play_on(table, 12)
    lines = lines_of(table)
    for wrong in (
        lines[3].replace(b'"seat":', b'"seat":1'),
        lines[3].replace(b'"standing":[', b'"standing":[1'),
        b'{"at":0,"facts":[{"fact":"sat","seat":9,"who":"x","name":"x"}]}\n',
        b'{"at":"late","facts":[]}\n',
        b"{}\n",
        b"\xff\n",
    ):
        table.log.path.write_bytes(b"".join([*lines[:4], wrong, *lines[4:]]))
        with pytest.raises(UsageError, match="line 5"):
            resumed_game(BOX)


def test_a_broken_file_does_not_stand_in_the_way_of_an_older_game() -> None:
    older, newer = begun(players=2), begun(players=2)
    play_on(older, 5)
    play_on(newer, 9)
    newer.log.path.write_bytes(newer.log.path.read_bytes().replace(b"place", b"plaice", 1))
    os.utime(older.log.path, (1, 1))
    assert resumed_game(BOX).game == older.game


def test_other_files_in_the_folder_are_passed_over() -> None:
    folder = begun(players=2).log.path.parent
    for suffix in ("jsonl", "log"):
        (folder / f"a-collection-folder.{suffix}").mkdir()
        (folder / f"a-collection-empty.{suffix}").touch()
        (folder / f"a-collection-binary.{suffix}").write_bytes(b"\xff\xfe\n")
        (folder / f"a-collection-record.{suffix}").write_bytes(brocante.write_record(brocante.deal(BOX, players=2)))
    assert len(list(unfinished(BOX))) == 1


def test_a_game_goes_on_from_every_point_at_which_it_may_have_been_cut_off() -> None:
    table = begun(players=2, target=100)
    log = b""
    while not table.is_over:
        log = table.log.path.read_bytes()
        play_on(table, 1)
    lines = log.splitlines(keepends=True)
    for cut in {1, 2, len(lines), *range(3, len(lines), 40)}:
        table.log.path.write_bytes(b"".join(lines[:cut]))
        again = resumed_game(BOX)
        assert again.persons_turn or again.bots_turn
        assert record_of(again) == record_of(table)[: again.happened], "chance does what it would have done"


def test_a_game_that_is_open_twice_is_not_mixed_up() -> None:
    table = begun(players=2)
    play_on(table, 5)
    again = resumed_game(BOX)
    play_on(table, 1)
    with pytest.raises(UsageError, match="two terminals"):
        play_on(again, 1)
    assert record_of(resumed_game(BOX)) == record_of(table)


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
    """The deal brings the deck along."""
    antiques = brocante.box("antiques")
    items = [Item("crown", "toys", "red", 1950, 9, ("crown", "couronne")), *Deck.built_in().items[1:]]
    table = new_game(antiques, {"players": 3, "deck": Deck(tuple(items))}, ["greedy"] * 2, seed="own")
    play_on(table, 20)
    lines = lines_of(table)
    for cut in range(1, len(lines) + 1):
        table.log.path.write_bytes(b"".join(lines[:cut]))
        again = resumed_game(antiques)
        assert again.game.options == table.game.options
        assert record_of(again) == record_of(table)[: again.happened]
    play_to_the_end(again)
    assert brocante.read(again.log.record).game.options == table.game.options


def test_the_names_of_a_deck_of_ones_own_are_kept_with_the_game(tmp_path: Path) -> None:
    mine = tmp_path / "my-deck.toml"
    mine.write_text(
        Deck.template().replace('id = "tandem"', 'id = "draisine"').replace('"tandem"', '"dandy horse"'), "utf-8"
    )
    antiques = brocante.box("antiques")
    new_game(antiques, antiques.load({"players": 3, "deck": str(mine)}), ["greedy"] * 2, seed="own")
    code = """
from brocante.terminal.saved_games import resumed_game
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
def test_an_old_game_of_the_same_rules_goes_on_as_a_log(of_old: Path, game: str) -> None:
    box = brocante.box(game)
    old = next(saved.path for saved in unfinished(box))
    header, *lines = map(json.loads, old.read_text("utf-8").splitlines())
    table = resumed_game(box)
    assert record_of(table)[: len(lines)] == lines
    assert table.game.seed == header["seed"]
    assert table.names("You") == (header["person"] or "You", *header["seats"][1:])
    assert [seat.bot for seat in table.table.seats[1:]] == header["bots"]
    assert not old.exists()
    play_on(table, 3)
    assert record_of(resumed_game(box)) == record_of(table)
    play_to_the_end(table)
    assert brocante.read(old).finished, "the record is where it would have been"


def test_an_old_game_that_is_over_stays_a_record(of_old: Path) -> None:
    over = [file for file in of_old.iterdir() if b'"result"' in file.read_bytes()]
    records = [file.read_bytes() for file in over]
    assert over
    play_to_the_end(resumed_game(BOX))
    assert [file.read_bytes() for file in over] == records


@pytest.mark.parametrize("game", brocante.GAMES)
def test_a_game_of_the_old_format_goes_on_from_every_point(game: str, tmp_path: Path) -> None:
    """As the program wrote it before there were logs."""
    box = brocante.box(game)
    players = box.players[0]
    table = new_game(box, {"players": players}, ["greedy"] * (players - 1), seed="old", name="Ana")
    play_on(table, 30)
    record = record_of(table)
    table.log.path.unlink()
    names = table.names("")
    header = {**table.game.header(names), "person": "Ana", "bots": ["greedy"] * (players - 1), "files": {}}
    lines = [written(line) for line in ({**header, "version": box.version}, *record)]
    old = table.log.record
    for cut in {1, 2, 3, 10, len(lines)}:
        old.write_bytes(b"".join(lines[:cut]) + b'{"seat": 0, "mo')
        again = resumed_game(box)
        assert record_of(again)[: cut - 1] == record[: cut - 1]
        assert again.names("") == names
        again.log.path.unlink()


def test_the_time_of_an_old_game_by_the_clock_is_kept() -> None:
    box = brocante.box("vinto")
    game = brocante.deal(box, players=4, minutes=10, seed="old")
    header = {**game.header(), "person": None, "bots": ["greedy"] * 3, "files": {}, "version": box.version}
    for kept, left in (("120.2", 480), (None, 600), ("", 600), ("noise", 600), ("-5", 600), ("inf", 600)):
        game.play(game.legal_moves[0])
        old = games_folder() / "2026-11-15-181824-vinto-512876.jsonl"
        old.parent.mkdir(exist_ok=True)
        old.write_bytes(b"".join(map(written, [header, *list(game.lines())[1:]])))
        if kept is not None:
            old.with_suffix(".clock").write_text(kept)
        table = resumed_game(box)
        assert table.seconds_left == left
        assert not old.with_suffix(".clock").exists()
        table.log.path.unlink()


def test_an_old_file_that_was_tampered_with_is_refused_in_words_and_left_alone(of_old: Path) -> None:
    for file in of_old.glob("*-collection-*"):
        lines = file.read_bytes().splitlines(keepends=True)
        tampered = b"".join([*lines[:4], lines[3].replace(b'"seat": ', b'"seat": 1'), *lines[4:]])
        file.write_bytes(tampered)
        with pytest.raises(UsageError, match="line 5"):
            resumed_game(BOX)
        assert file.read_bytes() == tampered


def test_an_old_game_whose_deal_does_not_follow_from_its_seed_is_refused_in_words(of_old: Path) -> None:
    for file in of_old.glob("*-collection-*"):
        file.write_bytes(file.read_bytes().replace(b'"seed": "', b'"seed": "0', 1))
        with pytest.raises(UsageError, match="line 2"):
            resumed_game(BOX)


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
    assert not any(unfinished(box))
    assert new_game(box, {}, ["greedy"] * (box.players[0] - 1)).game.legal_moves


def test_a_game_of_another_version_is_closed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A change of how a deal follows from a seed is one."""
    table = begun(players=2)
    play_on(table, 5)
    monkeypatch.setattr(BOX, "version", BOX.version + 1)
    with pytest.raises(UsageError, match="rules that have changed since") as closed:
        resumed_game(BOX)
    aside = games_folder() / "closed" / table.log.record.name
    assert str(aside) in str(closed.value)
    replay = brocante.read(aside)
    assert replay.game == table.game
    assert replay.names == ("Ana", "Odette")
    assert not any(unfinished(BOX))


def test_a_closed_game_whose_log_is_broken_is_closed_as_far_as_it_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    table = begun(players=2)
    play_on(table, 5)
    record = record_of(table)
    table.log.path.write_bytes(b"".join([*lines_of(table)[:4], b"noise\n"]))
    monkeypatch.setattr(BOX, "version", BOX.version + 1)
    with pytest.raises(UsageError, match="rules that have changed since"):
        resumed_game(BOX)
    told = [step.line for step in brocante.read(games_folder() / "closed" / table.log.record.name).game.steps]
    assert told == record[: len(told)]
    assert 4 <= len(told) < len(record), "a line of the log may be a bot's whole turn"


def test_a_game_of_another_edition_is_closed_with_its_record(monkeypatch: pytest.MonkeyPatch) -> None:
    table = begun(players=2)
    play_on(table, 5)
    monkeypatch.setattr(BOX, "edition", BOX.edition + 1)
    with pytest.raises(UsageError, match="edition 1 of its rules; Brocante now plays edition 2"):
        resumed_game(BOX)
    lines = (games_folder() / "closed" / table.log.record.name).read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines[1:]] == record_of(table)


def test_a_closed_game_does_not_stand_in_the_way_of_one_that_can_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    older = begun(players=2)
    play_on(older, 5)
    os.utime(older.log.path, (1, 1))
    with monkeypatch.context() as other:
        other.setattr(BOX, "version", 0)
        play_on(begun(players=2), 5)
    assert resumed_game(BOX).game == older.game


def test_games_that_cannot_be_put_aside_are_refused_in_words(of_old: Path) -> None:
    (of_old / "closed").write_text("in the way")
    with pytest.raises(UsageError, match="closed"):
        resumed_game(brocante.box("vinto"))
