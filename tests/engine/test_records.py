"""Records: a good one is read line by line; of a bad one the first line that does not hold is named, and why.

The record that is spoilt here is of a game for two in which everybody places one card and ends their turn:

    line 1   the header                     line 4    seat 1 ends
    line 2   the setup                      line 5    seat 0 places banknotes
    line 3   seat 1 places banknotes        line 217  the result
"""

import json
from collections.abc import Callable
from functools import cache
from io import BytesIO
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brocante
from brocante import Game, RecordError, Replay
from brocante.engine.records import LONGEST_LINE
from brocante.engine.text import LANGUAGES


def one_card_a_turn(**options: Any) -> Game:
    game = brocante.deal("collection", seed="records", **options)
    while not game.is_over:
        moves = game.legal_moves
        game.play(moves[-1] if str(moves[-1]) == "end" else moves[0])
    return game


def as_line(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


GAME = one_card_a_turn(players=2)
GOOD = brocante.write_record(GAME, ("Ana", "Ben")).splitlines(keepends=True)
LAST = len(GOOD)
HEADER, SETUP, MOVE, RESULT = (json.loads(GOOD[number - 1]) for number in (1, 2, 3, LAST))
# A match of two rounds: its second setup is the line where a single round has its result.
MATCH = brocante.write_record(one_card_a_turn(players=2, target=100)).splitlines(keepends=True)
SECOND_SETUP = LAST


# --- ways to spoil a record -------------------------------------------------------------------------------------------


def replaced(number: int, *lines: bytes, record: list[bytes] = GOOD) -> bytes:
    """The record with other lines instead of this one."""
    return b"".join([*record[: number - 1], *lines, *record[number:]])


def inserted(number: int, line: bytes) -> bytes:
    """The record with one more line at this number."""
    return b"".join([*GOOD[: number - 1], line, *GOOD[number - 1 :]])


def header(**changes: object) -> bytes:
    return replaced(1, as_line({**HEADER, **changes}))


def options(**changes: object) -> bytes:
    return header(options={"players": 2, **changes})


def without(line: dict[str, Any], key: str) -> bytes:
    return as_line({name: value for name, value in line.items() if name != key})


def setup(**changes: object) -> bytes:
    return replaced(2, as_line({"setup": {**SETUP["setup"], **changes}}))


def move(**changes: object) -> bytes:
    return replaced(3, as_line({**MOVE, **changes}))


def result(**changes: object) -> bytes:
    return replaced(LAST, as_line({"result": {**RESULT["result"], **changes}}))


HANDS, PACK = SETUP["setup"]["hands"], SETUP["setup"]["pack"]
LEGAL = "legal for seat 1: place banknotes; place watches; place tarots"
KINDS = "banknotes, watches, stamps, books and tarots"
LINES = "after the header a line has one of setup, seat, chance, event and result"

#: What is wrong; the record; the line that must be named; words that the message must have.
BAD: dict[str, tuple[bytes, int, tuple[str, ...]]] = {
    # the header
    "an empty file": (b"", 1, ("nothing here", '{"record": 1, "game": "collection", …}')),
    "no header": (b"".join(GOOD[1:]), 1, ("begins with a header", '"record"', 'this line is {"setup"')),
    "a header of something else": (replaced(1, without(HEADER, "record")), 1, ('holds "record"', '"game"', '"seats"')),
    "a version to come": (header(record=2), 1, ("version 2, newer than this program", "version 1", "update")),
    "a version as text": (header(record="1"), 1, ('must be 1, not "1"',)),
    "a version as true": (header(record=True), 1, ("must be 1, not true",)),
    "a version with a point": (header(record=1.0), 1, ("must be 1, not 1.0",)),
    "version 0": (header(record=0), 1, ("must be 1, not 0",)),
    "no version": (header(record=None), 1, ("must be 1, not null",)),
    "no game": (replaced(1, without(HEADER, "game")), 1, ('needs "game": the name of a game',)),
    "a game that is a number": (header(game=7), 1, ('needs "game": the name of a game',)),
    "an unknown game": (header(game="chess"), 1, ('no game called "chess"', "collection")),
    "no options": (replaced(1, without(HEADER, "options")), 1, ('needs "options"', '{"players": 3}')),
    "options in a list": (header(options=[2]), 1, ('needs "options"', '{"players": 3}')),
    "an unknown option": (options(colour="red"), 1, ('no option "colour"', "players and target")),
    "no players": (header(options={"target": 60}), 1, ('how many "players"',)),
    "too many players": (options(players=5), 1, ("players 5", "from 2 to 4")),
    "too few players": (options(players=1), 1, ("players 1", "from 2 to 4")),
    "players as true": (options(players=True), 1, ("players", "from 2 to 4")),
    "players as text": (options(players="2"), 1, ("players", "from 2 to 4")),
    "players with a point": (options(players=2.0), 1, ("players 2.0", "from 2 to 4")),
    "players as null": (options(players=None), 1, ("players", "from 2 to 4")),
    "a target of nothing": (options(target=0), 1, ("target 0", "from 1 to 10000")),
    "a target too high": (options(target=10_001), 1, ("target 10001", "from 1 to 10000")),
    "a target in words": (options(target="sixty"), 1, ("target", "sixty", "from 1 to 10000")),
    "no seats": (replaced(1, without(HEADER, "seats")), 1, ('needs "seats"', "list of strings")),
    "seats as text": (header(seats="Ana, Ben"), 1, ('needs "seats"', "list of strings")),
    "too few seats": (header(seats=["Ana"]), 1, ("its 2 seats", 'not ["Ana"]')),
    "too many seats": (header(seats=["Ana", "Ben", "Cleo"]), 1, ("its 2 seats", 'not ["Ana", "Ben", "Cleo"]')),
    "a seat that is a number": (header(seats=["Ana", 1]), 1, ("its 2 seats", "a list of that many strings")),
    "a second header": (inserted(2, GOOD[0]), 2, ('"record"', "not a line of a record", LINES)),
    # lines that are none
    "a blank line in the middle": (inserted(9, b"\n"), 9, ("a blank line", "JSON object")),
    "a line of spaces": (inserted(9, b" \t \n"), 9, ("a blank line", "JSON object")),
    "a blank line first": (inserted(1, b"\n"), 1, ("a blank line", "JSON object")),
    "a blank line last": (inserted(LAST + 1, b"\n"), LAST + 1, ("a blank line", "JSON object")),
    "not UTF-8": (replaced(3, GOOD[2].replace(b"seat", b"se\xe4t")), 3, ("byte 5 is not UTF-8", "UTF-8 text")),
    "UTF-16": (b"".join(GOOD).decode().encode("utf-16"), 1, ("byte 1 is not UTF-8", "UTF-8 text")),
    "bytes that are noise": (replaced(3, b"\x00\x01\x02\n"), 3, ("not a line of a record", "JSON object")),
    "cut off in a line": (b"".join(GOOD[:5]) + GOOD[5][:12], 6, ("not complete", "cut off here")),
    "cut off in the header": (GOOD[0][:40], 1, ("not complete", "cut off here")),
    "cut off in the result": (b"".join(GOOD)[:-2], LAST, ("not complete", "cut off here")),
    "half a line in the middle": (replaced(6, GOOD[5][:12] + b"\n"), 6, ("not a line of a record", "JSON object")),
    "two lines in one": (replaced(3, GOOD[2][:-1], b" ", GOOD[3]), 3, ("not a line of a record", "one JSON object")),
    "a list": (replaced(3, b'["place"]\n'), 3, ("not a line of a record", "one JSON object")),
    "a bare text": (replaced(3, b'"place"\n'), 3, ("not a line of a record", "one JSON object")),
    "null": (replaced(3, b"null\n"), 3, ("not a line of a record", "one JSON object")),
    "not a number": (replaced(3, b'{"seat": NaN, "move": "end"}\n'), 3, ("not a line of a record",)),
    "infinity": (replaced(3, b'{"seat": -Infinity, "move": "end"}\n'), 3, ("not a line of a record",)),
    "deeply nested lists": (replaced(3, b"[" * 100_000 + b"\n"), 3, ("not a line of a record",)),
    "deeply nested objects": (replaced(3, b'{"seat": ' * 50_000 + b"\n"), 3, ("not a line of a record",)),
    "a line of 2 MiB": (replaced(3, b'{"seat": "' + b"x" * (2 << 20) + b'"}\n'), 3, ("longer than 1048576 bytes",)),
    "2 MiB without a line": (b"x" * (2 << 20), 1, ("longer than 1048576 bytes",)),
    "a number of 5000 digits": (
        replaced(3, b'{"seat": ' + b"1" * 5000 + b', "move": "end"}\n'),
        3,
        ("not a line of a record",),
    ),
    # keys
    "a key twice in the header": (
        replaced(1, b'{"record": 1, ' + GOOD[0][1:]),
        1,
        ('the key "record" appears twice',),
    ),
    "a key twice in a move": (replaced(3, b'{"seat": 0, ' + GOOD[2][1:]), 3, ('the key "seat" appears twice',)),
    "a key twice inside the setup": (
        replaced(2, GOOD[1].replace(b'"first"', b'"first": 0, "first"')),
        2,
        ('the key "first" appears twice',),
    ),
    "an unknown key in a move": (move(colour="red"), 3, ('the move "place" has no "colour"', LEGAL)),
    "an unknown key in an end": (
        replaced(4, as_line({"seat": 1, "move": "end", "kind": "books"})),
        4,
        ('the move "end" has no "kind"', "legal for seat 1"),
    ),
    "an unknown key beside the setup": (
        replaced(2, as_line({**SETUP, "by": "Ana"})),
        2,
        ('holds "setup" and nothing else',),
    ),
    "an unknown key in the setup": (setup(deck=[]), 2, ('"hands"', '"pack"', '"first"', "`deck`")),
    "an unknown key beside the result": (
        replaced(LAST, as_line({**RESULT, "by": "Ana"})),
        LAST,
        ('holds "result" alone', '"by"'),
    ),
    "an unknown key in the result": (result(best=0), LAST, ("does not follow", '"scores": [72, 44]')),
    "an unknown line": (
        inserted(3, b'{"comment": "a good start"}\n'),
        3,
        ('"comment"', "not a line of a record", LINES),
    ),
    "an empty object": (inserted(3, b"{}\n"), 3, ("not a line of a record", LINES)),
    "an event": (inserted(3, b'{"event": "time"}\n'), 3, ('no line with "event"',)),
    # the setup
    "no setup": (replaced(2), 2, ("before seat 1 can move, chance must", '"setup"')),
    "a result before the setup": (replaced(2, GOOD[-1]), 2, ("not over yet", "chance")),
    "a chance that is not of this game": (
        inserted(2, b'{"chance": "die", "value": 3}\n'),
        2,
        ('holds "setup" and nothing else',),
    ),
    "a chance in the middle of a round": (
        inserted(5, b'{"chance": "die", "value": 3}\n'),
        5,
        ("chance has no move to make here", "decision of seat 0"),
    ),
    "a setup in the middle of a round": (
        inserted(5, GOOD[1]),
        5,
        ("chance has no move to make here", "decision of seat 0"),
    ),
    "a setup that is a list": (replaced(2, b'{"setup": []}\n'), 2, ('must hold "hands"', "array")),
    "a setup without a pack": (
        replaced(2, as_line({"setup": {"hands": HANDS, "first": 1}})),
        2,
        ('must hold "hands"', "`pack`"),
    ),
    "too few hands": (setup(hands=HANDS[:1]), 2, ("2 players need 2 hands, and there are 1",)),
    "a short hand": (setup(hands=[HANDS[0][:4], HANDS[1]]), 2, ("dealt 5 cards, and seat 0 has 4",)),
    "a card too few": (setup(pack=PACK[1:]), 2, ("20 books", "has 19")),
    "a card of another kind": (setup(pack=["tarots", *PACK[1:]]), 2, ("20 books", "has 19")),
    "a card too many": (setup(pack=["tarots", *PACK]), 2, ("16 tarots", "has 17")),
    "a card that does not exist": (setup(pack=["coins", *PACK[1:]]), 2, (KINDS, "'coins'")),
    "nobody starts": (setup(first=None), 2, ('"first" (a seat)', "null")),
    "somebody else starts": (setup(first=2), 2, ('"first" must be a seat from 0 to 1, not 2',)),
    "a start before the first seat": (setup(first=-1), 2, ('"first" must be a seat from 0 to 1, not -1',)),
    "a start with a point": (setup(first=1.0), 2, ('"first" (a seat)', "float")),
    "a second round that is not dealt": (
        replaced(SECOND_SETUP, record=MATCH),
        SECOND_SETUP,
        ("chance must", '"setup"'),
    ),
    "a second round with the wrong start": (
        replaced(SECOND_SETUP, MATCH[1], record=MATCH),
        SECOND_SETUP,
        ("the start passes to the left, so seat 0 starts this round, not seat 1",),
    ),
    "a result between two rounds": (
        replaced(SECOND_SETUP, GOOD[-1], record=MATCH),
        SECOND_SETUP,
        ("not over yet", "chance"),
    ),
    # moves
    "lines in another order": (
        b"".join([*GOOD[:3], GOOD[4], GOOD[3], *GOOD[5:]]),
        4,
        ('"place banknotes" is not possible', "decision of seat 1", "legal for seat 1:"),
    ),
    "a move of somebody else": (move(seat=0), 3, ('"place banknotes" is not possible', "decision of seat 1", LEGAL)),
    "a move of nobody": (move(seat=-2), 3, ("decision of seat 1", LEGAL)),
    "a seat as true": (move(seat=True), 3, ('true for "seat"', "a whole number", LEGAL)),
    "a seat as text": (move(seat="1"), 3, ('"1" for "seat"', "a whole number", LEGAL)),
    "a seat with a point": (move(seat=1.0), 3, ('1.0 for "seat"', "a whole number", LEGAL)),
    "a seat as a huge number": (move(seat=10**40), 3, ("decision of seat 1", LEGAL)),
    "no seat": (replaced(3, without(MOVE, "seat")), 3, ('{"move": "place", "kind"', "not a line of a record", LINES)),
    "a card that is not held": (move(kind="books"), 3, ("no books in the hand (C3)", LEGAL)),
    "a kind that does not exist": (move(kind="coins"), 3, ('"coins" for "kind"', f"one of {KINDS}", LEGAL)),
    "a kind as a list": (move(kind=["books"]), 3, ('["books"] for "kind"', f"one of {KINDS}", LEGAL)),
    "no kind": (replaced(3, without(MOVE, "kind")), 3, ('needs "kind"', f"one of {KINDS}", LEGAL)),
    "an unknown move": (move(move="steal"), 3, ('no move "steal"', "place, close and end", LEGAL)),
    "a move in capitals": (move(move="Place"), 3, ('no move "Place"', "place, close and end", LEGAL)),
    "no move": (replaced(3, without(MOVE, "move")), 3, ("no move null", "place, close and end", LEGAL)),
    "a move that is a huge number": (move(move=10**40), 3, ("no move 1000", "place, close and end", LEGAL)),
    "an end too early": (replaced(3), 3, ('"end" is not possible', "(C9)", LEGAL)),
    "a close too early": (move(move="close"), 3, ('"close banknotes" is not possible', "3 cards or more", LEGAL)),
    "a move after the end": (inserted(LAST, GOOD[-3]), LAST, ("is not possible", "the game is over")),
    # the result
    "a result before the end": (inserted(5, GOOD[-1]), 5, ("not over yet", "decision of seat 0")),
    "other scores": (result(scores=[72, 45]), LAST, ("[72, 45]", "does not follow", '"scores": [72, 44]')),
    "other ranks": (result(ranks=[1, 1]), LAST, ("does not follow", '"ranks": [1, 2]')),
    "other winners": (result(winners=[1]), LAST, ("does not follow", '"winners": [0]')),
    "scores with a point": (result(scores=[72.0, 44.0]), LAST, ("does not follow", '"scores": [72, 44]')),
    "ranks as true": (result(ranks=[True, 2]), LAST, ("does not follow", '"ranks": [1, 2]')),
    "a result without winners": (
        replaced(LAST, as_line({"result": {"scores": [72, 44], "ranks": [1, 2]}})),
        LAST,
        ("does not follow", '"winners": [0]'),
    ),
    "a result that is null": (replaced(LAST, b'{"result": null}\n'), LAST, ("null", "does not follow")),
    "a result twice": (inserted(LAST, GOOD[-1]), LAST + 1, ("nothing comes after the result",)),
    "a move after the result": (b"".join([*GOOD, GOOD[2]]), LAST + 1, ("nothing comes after the result",)),
    "another record after the result": (b"".join(GOOD + GOOD), LAST + 1, ("nothing comes after the result",)),
}


# --- bad records ------------------------------------------------------------------------------------------------------


def refusal(replay: Replay, data: bytes) -> RecordError:
    with pytest.raises(RecordError) as refused:
        replay.feed(data)
    return refused.value


def fed(lines: list[bytes]) -> Replay:
    """A replay that has read these lines."""
    replay = Replay(brocante.box)
    for line in lines:
        replay.feed(line)
    return replay


def standing(replay: Replay) -> tuple[object, ...]:
    """All that can be seen of a replay."""
    try:
        game = replay.game
    except RecordError:
        return replay.line, replay.names, replay.finished, None
    return replay.line, replay.names, replay.finished, game.state.tobytes(), brocante.write_record(game)


Read = Callable[[bytes], Replay]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Reads a file with these bytes in it."""

    def read(data: bytes) -> Replay:
        path = tmp_path / "game.jsonl"
        path.write_bytes(data)
        return brocante.read(path)

    return read


@pytest.mark.parametrize(("data", "line", "words"), BAD.values(), ids=BAD)
def test_a_bad_record_is_refused_at_its_line_with_the_reason(
    data: bytes, line: int, words: tuple[str, ...], read: Read
) -> None:
    with pytest.raises(RecordError) as refused:
        read(data)
    message = str(refused.value)
    assert refused.value.line == line
    assert message.startswith(f"line {line}: ")
    for word in words:
        assert word in message
    assert refused.value.say("fr").startswith(f"ligne {line}\u00a0: ")


@pytest.mark.parametrize("name", [name for name, (data, _, _) in BAD.items() if data])
def test_a_bad_line_leaves_everything_as_it_was(name: str) -> None:
    data, number, _ = BAD[name]
    lines = BytesIO(data).readlines()
    replay = fed(lines[: number - 1])
    before = standing(replay)
    refusal(replay, lines[number - 1])
    assert standing(replay) == before


@pytest.mark.parametrize("number", [1, 2, 3, 4, LAST])
def test_after_a_bad_line_the_right_one_is_still_taken(number: int) -> None:
    replay = fed(GOOD[: number - 1])
    assert refusal(replay, b"?\n").line == number
    replay.feed(GOOD[number - 1])
    assert replay.line == number


def test_a_header_without_seats_does_not_begin_a_game() -> None:
    replay = Replay(brocante.box)
    refusal(replay, without(HEADER, "seats"))
    with pytest.raises(RecordError):
        replay.game  # noqa: B018
    replay.feed(GOOD[0])
    assert replay.names == ("Ana", "Ben")


def test_a_line_may_be_as_long_as_a_line_can_be() -> None:
    padding = LONGEST_LINE - len(GOOD[2])
    fed(GOOD[:2]).feed(GOOD[2][:-1] + b" " * padding + b"\n")
    assert "longer than" in str(refusal(fed(GOOD[:2]), GOOD[2][:-1] + b" " * (padding + 1) + b"\n"))


#: Half of a UTF-16 pair: JSON can spell it, but it is no character, and cannot be written or shown.
HALF = "\ud800"


@pytest.mark.parametrize(
    ("data", "line"),
    [
        pytest.param(header(seats=["Ana", HALF]), 1, id="name"),
        pytest.param(header(game=HALF), 1, id="game"),
        pytest.param(options(**{HALF: 1}), 1, id="option"),
        pytest.param(setup(pack=[HALF, *PACK[1:]]), 2, id="card"),
        pytest.param(move(move=HALF), 3, id="move"),
        pytest.param(move(kind=HALF), 3, id="kind"),
        pytest.param(move(**{HALF: 1}), 3, id="key"),
        pytest.param(result(scores=[HALF]), LAST, id="result"),
    ],
)
def test_half_a_character_is_refused_with_a_message_that_can_be_shown(data: bytes, line: int, read: Read) -> None:
    with pytest.raises(RecordError) as refused:
        read(data)
    assert refused.value.line == line
    str(refused.value).encode()


def test_a_line_with_very_many_keys_is_refused_in_a_moment() -> None:
    line = as_line({f"{number}": 0 for number in range(30_000)})
    replay, start = fed(GOOD[:2]), monotonic()
    error = refusal(replay, line)
    assert error.line == 3
    assert monotonic() - start < 5
    assert len(str(error)) < 2000


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(b"[" * 900 + b"]" * 900, id="nested"),
        pytest.param(b"7" * 4000, id="number"),
        pytest.param(b'"' + b"x" * 100_000 + b'"', id="text"),
    ],
)
@pytest.mark.parametrize(
    ("number", "line"),
    [
        pytest.param(1, b'{"record": VALUE}\n', id="version"),
        pytest.param(1, b'{"record": 1, "game": "collection", "options": {"players": VALUE}}\n', id="players"),
        pytest.param(3, b'{"seat": 1, "move": "place", "kind": VALUE}\n', id="kind"),
        pytest.param(3, b'{"seat": 1, "move": VALUE}\n', id="move"),
        pytest.param(LAST, b'{"result": VALUE}\n', id="result"),
    ],
)
def test_a_huge_value_is_cut_short_in_the_message(number: int, line: bytes, value: bytes) -> None:
    error = refusal(fed(GOOD[: number - 1]), line.replace(b"VALUE", value))
    assert error.line == number
    assert len(str(error)) < 600


# --- good records -----------------------------------------------------------------------------------------------------


def test_a_record_replays_to_its_result(read: Read) -> None:
    replay = read(b"".join(GOOD))
    assert replay.finished
    assert replay.line == LAST
    assert replay.names == ("Ana", "Ben")
    assert replay.game == GAME
    assert replay.game.scores == [72, 44]


def test_a_record_is_written_as_it_was_read(read: Read) -> None:
    replay = read(b"".join(GOOD))
    again = brocante.write_record(replay.game, replay.names).splitlines(keepends=True)
    assert again[1:] == GOOD[1:]
    assert json.loads(again[0]) == {**HEADER, "seed": ""}


@pytest.mark.parametrize("lines", [1, 2, 3, 4, 50, LAST - 1])
def test_an_unfinished_record_replays_as_far_as_it_goes(lines: int, read: Read) -> None:
    replay = read(b"".join(GOOD[:lines]))
    assert not replay.finished
    assert replay.line == lines
    assert len(replay.game.steps) == lines - 1
    assert brocante.write_record(replay.game).splitlines()[1:lines] == b"".join(GOOD[1:lines]).splitlines()


def test_an_unfinished_record_can_be_played_on() -> None:
    game = fed(GOOD[:3]).game
    assert [str(move) for move in game.legal_moves] == ["place watches", "place tarots", "end"]
    game.play("end")
    assert game.actor == 0


def test_a_record_is_read_line_by_line_while_the_game_goes_on() -> None:
    replay = Replay(brocante.box)
    states = []
    for number, line in enumerate(GOOD, start=1):
        replay.feed(line)
        assert replay.line == number
        assert replay.finished is (number == LAST)
        states.append(replay.game.state.tobytes())
    told = [step.before for step in GAME.steps] + [GAME.state.tobytes()] * 2
    assert states == told


def test_a_record_replays_without_random_numbers() -> None:
    game = fed(GOOD[:1]).game
    assert game.seed is None
    assert game.actor == brocante.CHANCE


def test_a_match_has_a_setup_for_each_round(read: Read) -> None:
    replay = read(b"".join(MATCH))
    assert replay.finished
    assert b"setup" in MATCH[SECOND_SETUP - 1]
    assert replay.game.options == {"players": 2, "target": 100}
    assert max(replay.game.scores) >= 100


def test_an_option_at_its_default_may_be_written(read: Read) -> None:
    replay = read(options(target=None))
    assert replay.finished
    (first, *_) = replay.game.lines()
    assert first["options"] == {"players": 2}


def test_the_header_may_hold_more(read: Read) -> None:
    assert read(header(place="the market", date=[2024, 5, 1])).finished


def test_the_first_edition_need_not_be_named(read: Read) -> None:
    assert read(header(edition=1)).finished
    assert "edition" not in json.loads(GOOD[0])


@pytest.mark.parametrize("game", ["vinto", "port"])
def test_a_later_edition_is_named_after_the_game(game: str) -> None:
    (first, *_) = brocante.deal(game, seed=1).lines()
    assert list(first)[:4] == ["record", "game", "edition", "options"]
    assert first["edition"] == 2


@pytest.mark.parametrize(("game", "edition", "ours"), [("collection", 2, 1), ("vinto", 1, 2), ("port", None, 2)])
def test_a_record_of_another_edition_is_refused_in_a_sentence_that_names_both(
    game: str, edition: int | None, ours: int
) -> None:
    (first, *_) = brocante.deal(game, seed=1).lines()
    line = {**first, "edition": edition} if edition else {key: first[key] for key in first if key != "edition"}
    error = refusal(Replay(brocante.box), as_line(line))
    assert error.line == 1
    assert f"edition {edition or 1} of the rules; this program plays edition {ours}" in str(error)
    assert f"édition {edition or 1} des règles\N{NO-BREAK SPACE}; ce programme joue l’édition {ours}" in error.say("fr")


@pytest.mark.parametrize("edition", [0, -1, 1.0, "1", True, None, [1]])
def test_an_edition_is_a_whole_number(edition: object) -> None:
    error = refusal(Replay(brocante.box), as_line({**HEADER, "edition": edition}))
    assert "whole number from 1" in str(error)


def test_the_seed_is_information_only(read: Read) -> None:
    assert read(header(seed="another")).game == GAME
    assert read(replaced(1, without(HEADER, "seed"))).game == GAME


def test_players_are_always_written_and_other_options_where_they_differ() -> None:
    assert json.loads(GOOD[0])["options"] == {"players": 2}
    assert json.loads(MATCH[0])["options"] == {"players": 2, "target": 100}
    header = brocante.deal("collection", players=3).header()
    assert header["options"] == {"players": 3}


@pytest.mark.parametrize("ending", [b"\r\n", b"  \n", b""], ids=["CRLF", "spaces", "no newline"])
def test_lines_may_end_otherwise(ending: bytes) -> None:
    assert fed([line.rstrip() + ending for line in GOOD]).finished


def test_a_file_may_end_without_a_newline(read: Read) -> None:
    assert read(b"".join(GOOD).rstrip()).finished


def test_names_may_be_of_any_language(read: Read) -> None:
    names = ("Zoë", "李雷 🎴")
    data = brocante.write_record(GAME, names)
    assert "李雷 🎴".encode() in data
    assert read(data).names == names


# --- any damage at all ------------------------------------------------------------------------------------------------

START = b"".join(GOOD[:12])


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """The beginning of a good record with bytes changed, lost, doubled, moved or cut off."""
    data = START
    for _ in range(draw(st.integers(1, 4))):
        a, b = sorted(draw(st.tuples(*[st.integers(0, len(data))] * 2)))
        some = draw(st.one_of(st.binary(max_size=4), st.sampled_from([*GOOD[:5], b"\n", b'"', b"{", b"}", b"1", b" "])))
        data = draw(
            st.sampled_from(
                [
                    data[:a] + some + data[a + len(some) :],  # changed
                    data[:a] + some + data[a:],  # inserted
                    data[:a] + data[b:],  # lost
                    data[:b] + data[a:],  # doubled
                    data[a:b] + data[:a] + data[b:],  # moved
                    data[:b],  # cut off
                ]
            )
        )
    return data


def fed_or_refused(replay: Replay, line: bytes) -> RecordError | None:
    try:
        replay.feed(line)
    except RecordError as error:
        return error
    return None


def check_refusal(error: RecordError, number: int) -> None:
    """It names the line, and can be shown in every language."""
    assert error.line == number
    for code in LANGUAGES:
        assert error.say(code).encode()


@settings(max_examples=300, deadline=None)
@given(damaged())
def test_no_damage_to_the_bytes_is_more_than_a_record_error(data: bytes) -> None:
    replay = Replay(brocante.box)
    for number, line in enumerate(BytesIO(data).readlines(), start=1):
        error = fed_or_refused(replay, line)
        if error:
            check_refusal(error, number)
            break
        assert replay.line == number


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(-(10**50), 10**50) | st.floats() | st.text(max_size=20),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=8), inside, max_size=4),
    max_leaves=8,
)


@cache
def values_in(number: int) -> list[tuple[str | int, ...]]:
    """The paths to every value of a line, but not to every card of the pack."""
    paths: list[tuple[str | int, ...]] = []

    def collect(value: object, path: tuple[str | int, ...]) -> None:
        paths.append(path)
        inside = value.items() if isinstance(value, dict) else enumerate(value[:3]) if isinstance(value, list) else ()
        for key, part in inside:
            collect(part, (*path, key))

    collect(json.loads(GOOD[number - 1]), ())
    return paths


@st.composite
def lines_with_anything(draw: st.DrawFn) -> tuple[int, bytes]:
    """A line of the record in which one value was replaced by any other, lost, or joined by a new key."""
    number = draw(st.sampled_from([1, 2, 3, 4, LAST]))
    root = {"line": json.loads(GOOD[number - 1])}
    path = ("line", *draw(st.sampled_from(values_in(number))))
    parent: Any = root
    for key in path[:-1]:
        parent = parent[key]
    what = draw(st.sampled_from(["replace", "remove", "add"]))
    if what == "remove" and len(path) > 1:
        del parent[path[-1]]
    elif what == "add" and isinstance(parent[path[-1]], dict):
        parent[path[-1]][draw(st.text(max_size=8))] = draw(anything)
    else:
        parent[path[-1]] = draw(anything)
    return number, as_line(root["line"])


@settings(max_examples=300, deadline=None)
@given(lines_with_anything())
def test_no_value_at_all_is_more_than_a_record_error(spoilt: tuple[int, bytes]) -> None:
    number, line = spoilt
    replay = fed(GOOD[: number - 1])
    before = standing(replay)
    error = fed_or_refused(replay, line)
    if error:
        check_refusal(error, number)
        assert standing(replay) == before
    else:
        assert brocante.write_record(replay.game, replay.names)
