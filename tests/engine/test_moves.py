"""Moves of every shape that the games have: words of Python's, optional arguments, lists."""

from typing import Literal

import msgspec
import pytest

from brocante import IllegalMove
from brocante.engine.moves import Move, parse_move, read_move


class Steal(Move, frozen=True):
    item: str
    giver: int = msgspec.field(name="from")


class Planting(Move, frozen=True):
    vineyard: str | None = None
    brandy: str | None = None


class Swap(Move, frozen=True):
    slot: int
    declare: Literal["A", "K"] | None = None


class Exchange(Move, frozen=True):
    a: tuple[int, int] | None = None
    b: tuple[int, int] | None = None


class Peek(Move, frozen=True):
    slots: tuple[int, int]


class Pass(Move, frozen=True):
    pass


KINDS = (Steal, Planting, Swap, Exchange, Peek, Pass)
MOVES = {
    "steal lamp 2": Steal(0, "lamp", 2),
    "planting brandy=baixo-1": Planting(1, brandy="baixo-1"),
    "planting vineyard=a brandy=b": Planting(1, "a", "b"),
    "planting": Planting(1),
    "swap 3": Swap(2, 3),
    "swap 3 declare=K": Swap(2, 3, "K"),
    "exchange a=0,1 b=2,3": Exchange(0, (0, 1), (2, 3)),
    "exchange": Exchange(0),
    "peek 0,4": Peek(3, (0, 4)),
    "pass": Pass(0),
}


@pytest.mark.parametrize("text", MOVES)
def test_a_move_is_written_and_read_as_text(text: str) -> None:
    assert str(MOVES[text]) == text
    assert parse_move(KINDS, MOVES[text].seat, text) == MOVES[text]


@pytest.mark.parametrize("move", MOVES.values(), ids=str)
def test_a_move_is_written_and_read_as_a_line_of_a_record(move: Move) -> None:
    assert read_move(KINDS, msgspec.json.decode(msgspec.json.encode(move.line()))) == move


def test_a_line_has_the_names_of_the_record_and_nothing_that_is_not_given() -> None:
    assert Steal(0, "lamp", 2).line() == {"seat": 0, "move": "steal", "item": "lamp", "from": 2}
    assert Swap(2, 3).line() == {"seat": 2, "move": "swap", "slot": 3}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ({"move": "steal", "seat": 0, "item": "lamp", "giver": 2}, 'has no "giver"'),
        ({"move": "steal", "seat": 0, "item": "lamp"}, 'needs "from", a whole number'),
        ({"move": "steal", "seat": 0, "item": "lamp", "from": "b"}, '"b" for "from"; it must be a whole number'),
        ({"move": "steal", "seat": 0, "item": 1, "from": 2}, '1 for "item"; it must be a string'),
        ({"move": "swap", "seat": 0, "slot": 1, "declare": "Z"}, '"Z" for "declare"; it must be one of A and K'),
        ({"move": "peek", "seat": 0, "slots": [1]}, '[1] for "slots"; it must be a list'),
        ({"move": "pass"}, 'needs "seat", a whole number'),
        ({"move": ["pass"], "seat": 0}, 'no move ["pass"]'),
    ],
)
def test_a_line_that_is_no_move_is_refused_with_what_would_be_right(line: dict[str, object], words: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        read_move(KINDS, line)
    assert words in str(refused.value)
