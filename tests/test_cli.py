"""The command line, as people and programs use it."""

import io
import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

import brocante
from brocante.arena.simulate import MOST_GAMES
from brocante.backends import compiler
from brocante.cli import main
from brocante.terminal.home_table import new_game

RECORDS = Path(__file__).parent / "games" / "records" / "collection"


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROCANTE_LANG", "en")


def run(*args: str, code: int = 0) -> str:
    """What a command prints, if it ends with that exit code: a result, or one sentence on the error output."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(SystemExit) as ended, redirect_stdout(out), redirect_stderr(err):
        main(list(args))
    assert (ended.value.code or 0) == code, err.getvalue()
    if err.getvalue():
        assert err.getvalue().startswith("brocante: ")
        assert err.getvalue().count("\n") == 1
    return out.getvalue() or err.getvalue()


def brocante_process(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The installed program, with pipes for input and output."""
    program = Path(sys.executable).parent / "brocante"
    env = {**os.environ, "LANG": "en_GB.UTF-8", "LC_ALL": "", "BROCANTE_LANG": "", **environment}
    return subprocess.run([str(program), *args], capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL)


# --- games and rules ---


def test_games_lists_the_shelf_with_credit_to_authors_and_publishers() -> None:
    printed = run("games")
    assert "collection" in printed
    assert "Colovini" in printed
    assert "Matagot" in printed


def test_games_as_json_is_for_programs() -> None:
    shelf = json.loads(run("games", "--json"))
    assert [game["game"] for game in shelf] == list(brocante.GAMES)
    collection = next(game for game in shelf if game["game"] == "collection")
    assert collection["players"] == [2, 3, 4]
    assert collection["options"] == {"players": 3, "target": None}


@pytest.mark.parametrize(("lang", "word"), [("en", "banknotes"), ("fr", "billets")])
def test_rules_are_printed_in_both_languages(lang: str, word: str) -> None:
    assert word in run("rules", "collection", "--lang", lang)


# --- simulate ---


def test_simulate_tells_scores_winners_length_and_speed() -> None:
    printed = run("simulate", "collection", "--players", "4", "--games", "50")
    for word in ("50 games of Collection", "wins", "score", "Decisions in a game", "decisions a second"):
        assert word in printed


def test_simulate_plays_random_bots_unless_told_otherwise() -> None:
    summary = json.loads(run("simulate", "collection", "--games", "10", "--json"))
    assert summary["bots"] == ["random"] * 3
    named = json.loads(run("simulate", "collection", "--games", "10", "--bots", "greedy,random,random", "--json"))
    assert named["bots"] == ["greedy", "random", "random"]


def test_everything_a_simulation_does_follows_from_the_seed(tmp_path: Path) -> None:
    summaries = []
    for folder in ("once", "again"):
        args = ("--games", "4", "--seed", "market", "--target", "60", "--records", str(tmp_path / folder), "--json")
        summary = json.loads(run("simulate", "collection", *args))
        del summary["seconds"], summary["decisions_per_second"]
        summaries.append(summary)
    assert summaries[0] == summaries[1]
    assert sorted(file.name for file in (tmp_path / "once").iterdir()) == [f"{n}.jsonl" for n in range(4)]
    for file in (tmp_path / "once").iterdir():
        assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes()
        reading = brocante.read(file)
        assert reading.finished
        assert reading.game.options["target"] == 60


def test_a_game_of_a_simulation_can_be_dealt_again_by_its_number(tmp_path: Path) -> None:
    run("simulate", "collection", "--games", "3", "--seed", "7", "--records", str(tmp_path))
    simulated = brocante.read(tmp_path / "2.jsonl").game
    assert brocante.deal("collection", seed="7:2").steps[0].line == simulated.steps[0].line


def test_simulate_says_what_is_wrong_with_its_records_folder(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("not a folder")
    assert str(in_the_way) in run("simulate", "collection", "--games", "1", "--records", str(in_the_way), code=2)


# --- replay ---


def test_replay_says_ok_and_who_won() -> None:
    file = next(RECORDS.glob("*.jsonl"))
    printed = run("replay", str(file))
    assert printed.startswith(f"OK {file}")
    assert "won by" in printed


def test_replay_names_the_wrong_line_and_ends_with_exit_code_1() -> None:
    good, wrong = next(RECORDS.glob("*.jsonl")), next((RECORDS / "broken").glob("*-twice-*.jsonl"))
    line = wrong.stem.split("line-")[1].split("-")[0]
    printed = run("replay", str(good), str(wrong), code=1)
    assert f"OK {good}" in printed
    assert f"WRONG {wrong}: line {line}: " in printed
    as_json = json.loads(run("replay", str(good), str(wrong), "--json", code=1))
    assert [reply["status"] for reply in as_json] == ["ok", "wrong"]
    assert as_json[1]["line"] == int(line)


def test_replay_of_an_unfinished_record_says_so(tmp_path: Path) -> None:
    lines = next(RECORDS.glob("*.jsonl")).read_bytes().splitlines(keepends=True)
    unfinished = tmp_path / "unfinished.jsonl"
    unfinished.write_bytes(b"".join(lines[:20]))
    assert "unfinished" in run("replay", str(unfinished))


def test_replay_of_a_file_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    assert "UNREADABLE" in run("replay", str(tmp_path / "nothing.jsonl"), code=2)
    assert "UNREADABLE" in run("replay", str(tmp_path), code=2)
    wrong = next((RECORDS / "broken").glob("*-twice-*.jsonl"))
    assert "UNREADABLE" in run("replay", str(wrong), str(tmp_path), code=1), "a wrong record weighs more"


def test_records_of_two_simulations_are_not_mixed_in_one_folder(tmp_path: Path) -> None:
    run("simulate", "collection", "--games", "2", "--records", str(tmp_path))
    refused = run("simulate", "collection", "--games", "1", "--records", str(tmp_path), code=2)
    assert "already holds records" in refused
    assert len(list(tmp_path.glob("*.jsonl"))) == 2


# --- decks and boards ---


@pytest.mark.parametrize(
    ("game", "what", "was", "now"),
    [
        ("antiques", "deck", '"tandem"', '"penny-farthing"'),
        ("port", "board", "values = [1, 2, 3]", "values = [1, 2, 9]"),
    ],
)
def test_what_one_brings_along_is_printed_changed_and_played_with(
    tmp_path: Path, game: str, what: str, was: str, now: str
) -> None:
    mine, records = tmp_path / "mine.toml", tmp_path / "records"
    mine.write_text(run(what, game).replace(was, now), "utf-8")
    options = (f"--{what}", str(mine), "--games", "3", "--json", "--records", str(records))
    assert json.loads(run("simulate", game, *options))["options"][what] == "given"
    record = records / "2.jsonl"
    assert now.rpartition(" = ")[2] in record.read_text("utf-8")
    assert str(mine) not in record.read_text("utf-8")
    assert run("replay", str(record)).startswith("OK ")


def test_a_wrong_deck_is_refused_with_a_line_for_each_problem(tmp_path: Path) -> None:
    mine = tmp_path / "my-deck.toml"
    mine.write_text(run("deck", "antiques").replace("1961", "2061"), "utf-8")
    refused = brocante_process("simulate", "antiques", "--deck", str(mine), LANG="fr_FR.UTF-8")
    assert refused.returncode == 2
    first, *problems = refused.stderr.splitlines()
    assert first.startswith(f"brocante: On ne peut pas jouer avec les cartes de {mine} (A2b)")
    assert [problem.split("\u00a0: ")[0] for problem in problems] == [
        '  objet 13 ("tandem")',
        '  objet 58 ("hood-hairdryer")',
    ]


# --- bad input: one sentence with what would be right, exit code 2, no traceback ---


@pytest.mark.parametrize(
    ("args", "right"),
    [
        (("rules", "chess"), "the games are antiques, collection, port and vinto"),
        (("play", "chess"), "the games are antiques, collection, port and vinto"),
        (("simulate", "chess", "--games", "3"), "the games are antiques, collection, port and vinto"),
        (("bench", "chess"), "the games are antiques, collection, port and vinto"),
        (("rules", "collection", "--lang", "de"), "the languages are en and fr"),
        (("simulate", "collection", "--players", "5"), "a whole number from 2 to 4"),
        (("simulate", "collection", "--target", "0"), "a whole number from 1 to 10000"),
        (("simulate", "collection", "--bots", "clever"), "the bots are random and greedy"),
        (("simulate", "collection", "--bots", "greedy,random"), "one for each seat"),
        (("simulate", "collection", "--games", "0"), f"From 1 to {MOST_GAMES} games"),
        (("simulate", "collection", "--take-that"), "takes --players, --target, --games"),
        (("simulate", "collection", "--players", "many"), "--players"),
        (("play", "collection", "--players", "7"), "a whole number from 2 to 4"),
        (("play", "collection", "--bots", "clever"), "the bots are random and greedy"),
        (
            ("shuffle",),
            "`brocante` takes games, rules, replay, verify, bench, compile, serve, check, backup, restore, admin, "
            "deck, board, play and simulate",
        ),
        (("replay",), "takes"),
        (("simulate", "antiques", "--games"), "--games needs a value"),
        (("simulate", "antiques", "--players", "2"), "a whole number from 3 to 6"),
        (("simulate", "antiques", "--deck", "nowhere.toml"), "The deck nowhere.toml cannot be read"),
        (
            ("play", "antiques", "--deck", "nowhere.toml"),
            "`brocante deck antiques > my-deck.toml` writes one to start from",
        ),
        (("simulate", "antiques", "--deck", "given"), "name a file instead"),
        (("deck", "collection"), "there is one in antiques"),
        (("board", "vinto"), "there is one in port"),
        (("simulate", "port", "--board", "nowhere.toml"), "The board nowhere.toml cannot be read"),
        (
            ("play", "port", "--board", "nowhere.toml"),
            "`brocante board port > my-board.toml` writes one to start from",
        ),
        (("deck", "chess"), "the games are antiques, collection, port and vinto"),
        (("play", "collection", "--resume"), "no unfinished game"),
    ],
)
def test_bad_input_gets_one_sentence_with_what_would_be_right(args: tuple[str, ...], right: str) -> None:
    assert right in " ".join(run(*args, code=2).split())


def test_a_game_is_not_gone_on_with_in_another_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROCANTE_DATA_DIR", str(tmp_path))
    new_game(brocante.box("antiques"), {"players": 3, "take_that": True}, ["greedy"] * 2, seed="kept")
    refused = run("play", "antiques", "--players", "5", "--resume", code=2)
    assert "The unfinished game is played with players 3, not 5" in refused
    assert "needs a terminal" in run("play", "antiques", "--players", "3", "--take-that", "--resume", code=2)
    assert "needs a terminal" in run("play", "antiques", "--resume", code=2)


def test_the_program_prints_no_traceback_and_speaks_the_readers_language() -> None:
    english = brocante_process("simulate", "collection", "--players", "9")
    assert english.returncode == 2
    assert (
        english.stderr
        == "brocante: collection cannot be played with players 9; it can be a whole number from 2 to 4.\n"
    )
    french = brocante_process("simulate", "collection", "--players", "9", LANG="fr_FR.UTF-8")
    assert french.stderr.startswith("brocante: collection ne se joue pas avec players 9")


def test_help_is_in_the_language_that_is_asked_for() -> None:
    assert "Combien de parties jouer" in brocante_process("simulate", "collection", "--lang", "fr", "--help").stdout
    assert "How many games to play" in brocante_process("simulate", "collection", "--help").stdout


def test_without_a_terminal_play_says_so_and_stops(tmp_path: Path) -> None:
    for args in (("play", "collection"), ("play",)):
        piped = brocante_process(*args, BROCANTE_DATA_DIR=str(tmp_path))
        assert piped.returncode == 2
        assert piped.stderr.startswith("brocante: Playing needs a terminal")
        assert not piped.stdout
    assert not list(tmp_path.rglob("*.jsonl")), "no game was begun"


@pytest.mark.parametrize("seed", ["", "[/x]", "[red]", "\udcff", "é", "7:3", "{n}"])
def test_a_seed_may_be_any_text(seed: str) -> None:
    assert run("simulate", "collection", "--games", "2", "--seed", seed).startswith("2 games of Collection, seed ")


def test_output_that_cannot_be_written_gets_a_sentence() -> None:
    ascii_only = brocante_process("games", PYTHONIOENCODING="ascii")
    assert ascii_only.returncode == 0
    with Path("/dev/full").open("w") as full:
        program = Path(sys.executable).parent / "brocante"
        done = subprocess.run([program, "rules", "collection"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr


def test_version_and_help() -> None:
    assert run("--version") == f"brocante {brocante.__version__}\n"
    for args in ((), ("play", "collection"), ("simulate", "collection"), ("replay",)):
        assert "Usage" in run(*args, "--help")


def test_bench_measures_every_player_count_and_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    from brocante.arena import bench

    monkeypatch.setattr(bench, "GAMES", 50)
    monkeypatch.setattr(bench, "PEER_GAMES", 20)
    monkeypatch.setattr(bench, "REPEATS", 1)
    monkeypatch.setattr(bench, "PYTHON_GAMES", 1)
    found = json.loads(run("bench", "collection", "--json"))
    assert {"collection-2p", "collection-3p", "collection-4p", "collection-4p-python"} <= set(found["moves_per_second"])
    assert found["ratios"]["collection-4p / collection-4p-python"] > 1


@pytest.mark.parametrize("args", [["--help"], ["games"], ["rules", "port"], ["serve", "--help"], ["play", "--help"]])
def test_a_command_imports_no_more_than_it_needs(args: list[str]) -> None:
    heavy = {"numba", "textual", "starlette", "uvicorn", "httpx", "websockets", "psycopg", "rich.progress"}
    program = (
        "import sys\n"
        "from brocante.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        f"sys.exit(', '.join({heavy} & set(sys.modules)) or None)"
    )
    done = subprocess.run([sys.executable, "-c", program, *args], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BROCANTE_CACHE_DIR", str(tmp_path / "compiled"))
    compiler.cache_clear()
    return tmp_path / "compiled"


def test_compile_fills_the_cache_once(empty_cache: Path) -> None:
    assert re.fullmatch(r"Collection: \d\d rules, \d+\.\d s\.\n", run("compile", "collection"))
    kept = {file.name.split("-")[0] for file in empty_cache.iterdir()}
    assert {"collection.rules.apply", "collection.greedy.choose"} <= kept
    assert {name for name in kept if "play" in name} == {
        "bots.random.collection.rules.collection.knowledge.arena.playout.play",
        "collection.greedy.collection.rules.collection.knowledge.arena.playout.play",
    }
    assert run("compile", "collection") == "Collection: there already.\n"
    assert json.loads(run("simulate", "collection", "--games", "2", "--json"))["backend"] == "numba"


def test_compile_says_at_once_where_nothing_can_be_kept(empty_cache: Path) -> None:
    empty_cache.write_text("in the way")
    assert run("compile", "vinto", code=2) == f"brocante: {empty_cache}: File exists.\n"


def test_a_few_games_are_played_before_anything_could_be_compiled(empty_cache: Path) -> None:
    assert json.loads(run("simulate", "collection", "--games", "2", "--json"))["backend"] == "python"
    assert not empty_cache.exists()
