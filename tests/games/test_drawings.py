"""The reader of drawn positions."""

import pytest

from tests.games.drawings import players_in, read_facts


def test_lines_that_are_indented_further_go_on_with_the_seat_above() -> None:
    facts = read_facts(
        """
        pile: 3   next: 7H:1 …
        > seat 0 (out)   vase --   points: 4
                         table:
          seat 1
        turns: 2
        """,
        of_all=("pile", "next", "turns"),
        of_a_seat=("mark", "row", "points", "table"),
        unnamed="row",
    )
    assert facts == {
        "pile": "3",
        "next": "7H:1 …",
        "turns": "2",
        "turn": "0",
        "seat 0 sits": "yes",
        "seat 0 mark": "out",
        "seat 0 row": "vase --",
        "seat 0 points": "4",
        "seat 0 table": "",
        "seat 1 sits": "yes",
        "seat 1 mark": "–",
    }
    assert players_in(facts) == 2


@pytest.mark.parametrize("wrong", ["hand: 2", "> seat 0   pile: 2", "> seat 0   vase", "vase"])
def test_what_nobody_knows_how_to_draw_is_told_with_its_line(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"line 2: nobody knows how to draw '(hand|pile|vase)' here: "):
        read_facts(f"\n{wrong}", of_all=("pile",), of_a_seat=("hand",))
