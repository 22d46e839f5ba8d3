"""Boards of one's own (P1–P6, docs/boards.md): how they are refused, kept in records, and that any can be played on."""

import json
import pickle
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brocante
from brocante import Replay, UsageError
from brocante.engine.state import new
from brocante.engine.text import language
from brocante.games.port.board import BOUNDS, IDS, MARKS, THREE, Board, board_of, figures_of
from brocante.games.port.names import REGION_IDS
from brocante.games.port.rules import STATE
from tests.games.playing import played_to_the_end

brocante.box("port")  # brings its words along
Damage = Callable[[dict[str, Any]], object]


def entry(tables: dict[str, Any], table: str, id_: str) -> dict[str, Any]:
    found: dict[str, Any] = next(row for row in tables[table] if row["id"] == id_)
    return found


def change(table: str, id_: str, **figures: Any) -> Damage:
    return lambda tables: entry(tables, table, id_).update(figures)


def without(table: str, id_: str) -> Damage:
    return lambda tables: tables[table].remove(entry(tables, table, id_))


def begin(id_: str, least: int) -> Damage:
    return change("category", id_, **{"from": least})


def site(id_: str) -> dict[str, Any]:
    return {"id": id_, "quality": 1, "price": 1}


def more_sites(*ids: str) -> Damage:
    return lambda tables: tables["site"].extend(site(id_) for id_ in ids)


def changed(*damages: Damage) -> Board:
    tables = Board.built_in().for_record()
    for damage in damages:
        damage(tables)
    return Board.from_record(tables)


def laid_out(board: Board, players: int) -> Any:
    s = new(STATE)
    s.players = players
    board.lay_out(s)
    return s


# --- the built-in board -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_rules_find_the_board_in_the_state(players: int) -> None:
    """P1–P6: every figure of the rules of record."""
    s = laid_out(Board.built_in(), players)
    assert s.sites == 12
    assert list(s.quality) == [2, 2, 2, 2, 4, 4, 4, 5, 4, 4, 5, 5, 0, 0, 0, 0]
    assert list(s.price) == [2, 2, 2, 2, 3, 4, 4, 5, 5, 5, 6, 6, 0, 0, 0, 0]
    assert list(s.harbour) == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 0, 0, 0, 0]
    assert list(s.barrels_of) == [0, 2, 3, 4]
    assert list(s.least) == [0, 6, 10, 127, 0, 5, 8, 11]
    assert list(s.spaces) == [4, 3, 2, 1, 5, 4, 3, 2]
    assert list(s.pays) == [1, 2, 3, 4, 1, 2, 3, 4]
    circles = {2: [1, 1, 1, 2, 2, 2, 2], 3: [2, 2, 2, 3, 2, 3, 3], 4: [3, 2, 2, 3, 2, 3, 4]}
    assert list(s.circles) == circles[players]
    assert list(s.chips) == [1, 1, 2, 2, 3, 3]
    assert list(s.box) == [4, 4, 4, 4, 3, 4, 3, 3, 3, 4]
    assert board_of(s) == Board.built_in()


def test_every_figure_of_the_built_in_board_is_printed_inferred_or_reconstructed() -> None:
    """P1, P3, P6: what the rulebook prints and what follows from its examples and cards; P1a, P4, P5 and the rest are
    reconstructed."""
    sources = Board.built_in().sources()
    assert len(sources) == 3 + 2 * 12 + 8 * 3 - 1 + 7 + 1 + 10
    assert set(sources.values()) == {"printed", "inferred", "reconstructed"}
    assert {figure for figure, source in sources.items() if source == "printed"} == {
        *("region.cima.barrels", "region.superior.barrels"),
        *("category.ruby.set", "category.ruby.vp", "category.tawny.set", "category.tawny.vp"),
        *("category.reserva.from", "category.lbv.from"),
    }
    of_examples = ("reserva", "lbv", "vintage", "aged", "colheita")
    assert {figure for figure, source in sources.items() if source == "inferred"} == {
        "region.baixo.barrels",
        *(f"category.{category}.{figure}" for category in of_examples for figure in ("spaces", "vp")),
        "action.boat.circles",
    }


def test_every_entry_of_the_built_in_file_is_marked() -> None:
    tables = tomllib.loads(Board.template())
    rows = [row for table in tables.values() for row in (table if isinstance(table, list) else [table])]
    assert all("printed" in row for row in rows)


def test_the_order_of_the_file_does_not_matter() -> None:
    tables = Board.built_in().for_record()
    turned = {table: rows[::-1] if isinstance(rows, list) else rows for table, rows in tables.items()}
    assert Board.from_record(turned) == Board.built_in()


def test_sites_are_counted_from_the_sea_up() -> None:
    board = changed(more_sites("superior-5", "baixo-5"))
    assert board.ids[3:6] == ("baixo-4", "baixo-5", "cima-1")
    assert board.ids[-1] == "superior-5"
    assert list(laid_out(board, 2).harbour) == [1] * 5 + [2] * 4 + [3] * 5 + [0] * 2


def test_marks_make_no_other_board() -> None:
    unmarked = Board.parse(Board.template().replace('printed = ["set", "vp"]', "printed = []"), "my-board.toml")
    assert unmarked == Board.built_in()
    assert unmarked.sources()["category.ruby.vp"] == "reconstructed"
    assert Board.from_record(Board.built_in().for_record()) == Board.built_in()


def test_a_board_travels() -> None:
    board = changed(change("site", "cima-1", price=7))
    assert pickle.loads(pickle.dumps(board)) == board != Board.built_in()


# --- what is wrong is named -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("damage", "english", "french"),
    [
        pytest.param(lambda t: t.update(sites=[]), 'there is no "sites"', "il n’y a pas de", id="an unknown table"),
        pytest.param(lambda t: t.pop("card"), '"card" is missing', '"card" manque', id="no table"),
        pytest.param(lambda t: t.update(card=36), "[[card]], with two brackets", "à deux crochets", id="no tables"),
        pytest.param(lambda t: t.update(bonus=[1]), "[bonus]: this must be a table", "[bonus]", id="a list of chips"),
        pytest.param(
            lambda t: t["card"].append(3), "card 11 (–): this must be a table", "carte 11", id="an entry of no kind"
        ),
        pytest.param(
            change("site", "cima-1", size=3),
            'site 5 ("cima-1"): there is no "size"; the keys are id, quality and price',
            'site 5 ("cima-1")',
            id="an unknown key",
        ),
        pytest.param(
            change("site", "cima-1", price=None),
            'site 5 ("cima-1"): "price" is missing',
            "manque",
            id="no price",
        ),
        pytest.param(
            change("region", "cima", id=None),
            'region 2 (–): "id" is missing',
            "région 2",
            id="an entry without an id",
        ),
        pytest.param(
            change("region", "cima", id="dao"),
            'region 2 ("dao"): "id" must be one of baixo, cima and superior',
            'région 2 ("dao")',
            id="an unknown region",
        ),
        pytest.param(without("card", "boat"), '[[card]]: there is none with the id "boat"', "[[card]]", id="no card"),
        pytest.param(
            lambda t: t["card"].append({"id": "boat", "count": 0}),
            '[[card]]: the id "boat" appears 2 times',
            "figure 2 fois",
            id="a card twice",
        ),
        pytest.param(change("site", "cima-1", id="cima"), 'site 5 ("cima"): "id" must be', "site 5", id="no number"),
        pytest.param(change("site", "cima-1", id="cima-01"), 'site 5 ("cima-01"): "id"', "site 5", id="another number"),
        pytest.param(change("site", "cima-1", id=["cima-1"]), "site 5", "site 5", id="a list for an id"),
        pytest.param(more_sites("cima-4"), '[[site]]: the id "cima-4" appears 2 times', "2 fois", id="a site twice"),
        pytest.param(without("site", "cima-2"), 'there is no "cima-2"', "sans trou", id="a gap"),
        pytest.param(without("site", "baixo-4"), "baixo needs 4 sites or more", "au moins 4", id="three in Baixo"),
        pytest.param(more_sites(*(f"cima-{n}" for n in range(5, 10))), "16 sites at most", "16 sites", id="17 sites"),
        pytest.param(
            change("category", "ruby", spaces=3),
            'category 1 ("ruby"): there is no "spaces"',
            "catégorie 1",
            id="spaces",
        ),
        pytest.param(
            begin("vintage", 12), 'category 4 ("vintage"): there is no "from"', "catégorie 4", id="vintage by quality"
        ),
        pytest.param(begin("tawny", 1), 'category 5 ("tawny"): the lowest', "la plus basse", id="a gap at the bottom"),
        pytest.param(
            begin("lbv", 6),
            'category 3 ("lbv"): it must begin above "reserva", which begins at quality 6',
            "au-dessus",
            id="not ascending",
        ),
        pytest.param(begin("aged", 11), 'category 8 ("colheita"): it must', "au-dessus", id="not ascending in Tawny"),
        pytest.param(
            change("action", "boat", circles=[2, 2, 0]),
            'action 5 ("boat"): "circles" must be three whole numbers from 1 to 9 in a list, not [2, 2, 0]',
            'action 5 ("boat")',
            id="no boat",
        ),
        pytest.param(
            change("action", "buy", circles=[1, 2]),
            'action 1 ("buy"): "circles"',
            "trois",
            id="circles for two numbers",
        ),
        pytest.param(change("action", "buy", circles=3), 'action 1 ("buy"): "circles"', "trois", id="one number"),
        pytest.param(lambda t: t["bonus"].update(values=[1, 2, 10]), '[bonus]: "values"', "trois", id="a large bonus"),
        pytest.param(
            lambda t: t["bonus"].update(values=[1, 2, 1]), "must be different", "différentes", id="a bonus twice"
        ),
        pytest.param(lambda t: t["bonus"].update(id="b"), '[bonus]: there is no "id"', "[bonus]", id="a named bonus"),
        pytest.param(
            change("card", "boat", count=5),
            "[[card]]: there must be 36 cards in all, and there are 37",
            "37",
            id="37 cards",
        ),
        pytest.param(change("card", "boat", printed=[]), 'there is no "printed"', "carte 6", id="marks in a record"),
        pytest.param(change("card", "boat", inferred=[]), 'there is no "inferred"', "carte 6", id="other marks"),
    ],
)
def test_what_is_wrong_is_named_with_its_entry(damage: Damage, english: str, french: str) -> None:
    with pytest.raises(UsageError) as refusal:
        changed(damage)
    assert english in refusal.value.say("en")
    assert french in refusal.value.say("fr")


WHOLE = [(table, IDS[table][0], name) for table in IDS for name in figures_of(table, IDS[table][0])]


@pytest.mark.parametrize(
    ("table", "id_", "name"), [*WHOLE, ("category", "aged", "spaces"), ("category", "aged", "from")]
)
@pytest.mark.parametrize("wrong", [-1, 41, 2.0, True, "3", [1], {}])
def test_a_figure_is_a_whole_number_within_bounds(table: str, id_: str, name: str, wrong: Any) -> None:
    tables = Board.built_in().for_record()
    row = tables["bonus"] if table == "bonus" else entry(tables, table, id_)
    row[name] = [wrong, 1, 2] if isinstance(row[name], list) else wrong
    with pytest.raises(UsageError, match=f'"{name}" must be') as refusal:
        Board.from_record(tables)
    least, most = BOUNDS[name]
    assert f"from {least} to {most}" in str(refusal.value)


def marked(marks: str) -> Board:
    """The built-in board, with other marks on its first card."""
    return Board.parse(Board.template().replace("count = 4\nprinted = []", f"count = 4\n{marks}", 1), "my-board.toml")


@pytest.mark.parametrize("mark", ["printed", "inferred"])
@pytest.mark.parametrize("figures", ['["price"]', '"count"', "[1]", "true"])
def test_marks_are_figures_of_their_entry(mark: str, figures: str) -> None:
    with pytest.raises(UsageError, match=rf'card 1 \("buying"\): "{mark}" must list figures of this entry \(count\)'):
        marked(f"{mark} = {figures}")


@pytest.mark.parametrize("mark", ["printed", "inferred"])
def test_a_mark_says_where_a_figure_comes_from(mark: str) -> None:
    assert marked(f'{mark} = ["count"]').sources()["card.buying.count"] == mark


def test_a_figure_has_one_mark_at_most() -> None:
    with pytest.raises(UsageError) as refusal:
        marked('printed = ["count"]\ninferred = ["count"]')
    assert 'card 1 ("buying"): "count" has two marks, printed and inferred' in refusal.value.say("en")
    assert "porte deux marques" in refusal.value.say("fr")


def test_marks_may_be_left_out(tmp_path: Path) -> None:
    file = tmp_path / "my-board.toml"
    lines = Board.template().splitlines(keepends=True)
    file.write_text("".join(line for line in lines if not line.startswith(MARKS)), "utf-8")
    assert Board.read(file) == Board.built_in()


def test_many_problems_are_told_at_once_but_not_all(tmp_path: Path) -> None:
    file = tmp_path / "my-board.toml"
    file.write_text(Board.template().replace("price = ", "price = 2"), "utf-8")
    with pytest.raises(UsageError, match="and 2 more problems") as refusal:
        Board.read(file)
    assert str(refusal.value).count("\n  site ") == 10
    assert str(file) in str(refusal.value)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        pytest.param(None, r"The board .* cannot be read: .*`brocante board port > my-board.toml`", id="no file"),
        pytest.param(b"", '"region" is missing', id="nothing"),
        pytest.param(b"[[site]", "is not TOML", id="no TOML"),
        pytest.param(b"a = " + b"[" * 100_000, "is not TOML", id="too deep"),
        pytest.param(b"# fine\n# \xff", "not UTF-8 text: line 2", id="no text"),
        pytest.param(b"#" * (1 << 20) + b"\n", "more than 1048576 bytes", id="too large"),
    ],
)
def test_a_file_that_is_no_board_is_refused(tmp_path: Path, data: bytes | None, problem: str) -> None:
    file = tmp_path / "my-board.toml"
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(UsageError, match=problem) as refusal:
        Board.read(file)
    assert str(file) in str(refusal.value)


@pytest.mark.parametrize("name", ["", "with\0nothing"])
def test_a_folder_and_an_impossible_name_are_no_board(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        Board.read(tmp_path / name)


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "my-board.toml"
    file.write_text(Board.template(), "utf-8-sig")
    assert Board.read(file) == Board.built_in()


# --- any board can be played on ---------------------------------------------------------------------------------------


def figure(id_: str, name: str) -> st.SearchStrategy[Any]:
    least, most = BOUNDS[name]
    number = st.integers(1 if (id_, name) == ("boat", "circles") else least, most)
    return st.lists(number, min_size=3, max_size=3, unique=name == "values") if name in THREE else number


@st.composite
def boards(draw: st.DrawFn) -> Board:
    ids = dict(IDS)
    in_region = [draw(st.integers(4, 6)), draw(st.integers(0, 5)), draw(st.integers(0, 5))]
    ids["site"] = tuple(f"{region}-{k + 1}" for region, n in zip(REGION_IDS, in_region, strict=True) for k in range(n))
    tables: dict[str, Any] = {
        table: [{"id": id_, **{name: draw(figure(id_, name)) for name in figures_of(table, id_)}} for id_ in ids[table]]
        for table in IDS
    }
    tables["bonus"] = {"values": tables["bonus"][0]["values"]}
    ascending = st.lists(st.integers(1, 40), min_size=3, max_size=3, unique=True).map(sorted)
    for side in (("ruby", "reserva", "lbv"), ("tawny", "tawny-reserva", "aged", "colheita")):
        for id_, least in zip(side, [0, *draw(ascending)], strict=False):
            entry(tables, "category", id_)["from"] = least
    cuts = sorted([0, *draw(st.lists(st.integers(0, 36), min_size=9, max_size=9)), 36])
    for row, count in zip(tables["card"], np.diff(cuts).tolist(), strict=True):
        row["count"] = count
    return Board.from_record(tables)


@given(boards(), st.integers(2, 4), st.integers(0, 10**6))
@settings(max_examples=12, deadline=None, derandomize=True)
def test_a_game_on_any_board_is_played_shown_written_and_read_again(board: Board, players: int, seed: int) -> None:
    game = played_to_the_end(brocante.deal("port", players=players, board=board, seed=seed), seed)
    for seat in range(players):
        assert game.view(seat).plain(language("fr"))
        assert all(language("en").say(text) for text in game.log(seat))
    replay = read_again(game)
    assert replay.game == game
    assert replay.game.options["board"] == board


def read_again(game: brocante.Game) -> Replay:
    replay = Replay(brocante.box)
    for line in brocante.write_record(game).splitlines(keepends=True):
        replay.feed(line)
    return replay


def test_a_record_of_another_board_carries_it() -> None:
    board = changed(change("site", "cima-1", price=7))
    game = brocante.deal("port", players=3, board=board, seed=1)
    header, setup = (json.loads(line) for line in brocante.write_record(game).splitlines()[:2])
    assert header["options"] == {"players": 3, "board": "given"}
    assert setup["setup"]["board"] == board.for_record()
    assert read_again(game).game == game
    assert "board" not in json.loads(brocante.write_record(brocante.deal("port", seed=1)).splitlines()[1])["setup"]


def test_the_template_is_the_built_in_board(tmp_path: Path) -> None:
    file = tmp_path / "my-board.toml"
    file.write_text(Board.template(), "utf-8")
    game = brocante.deal("port", board=file, seed=1)
    assert game.options["board"] == "reconstructed"
    assert game == brocante.deal("port", seed=1)


def test_given_is_a_word_for_records_alone() -> None:
    with pytest.raises(UsageError, match="only for records"):
        brocante.deal("port", board="given")
