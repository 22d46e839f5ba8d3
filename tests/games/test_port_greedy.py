"""What the greedy bot of Port expects: nothing that the rules will not let it do.

Positions are drawn as port_positions.py tells.
"""

import numpy as np

from brocante.games.port import greedy
from brocante.games.port.rules import STATE
from tests.games.port_positions import position


def outlook(mine: str, number: int = 6) -> float:
    """The VP that the bot expects to have at the end, in seat 0 with two markers left in this round."""
    s = position(f"round: {number}\n> seat 0   markers: 2   {mine}\n  seat 1\n  seat 2").state
    return float(greedy.outlook(s, greedy.size_up(s, 0), np.recarray(greedy.SCRATCH, STATE)))


def test_a_boat_card_is_good_for_something_while_a_boat_action_is_left() -> None:
    """P13.1: in the last round there are no more to come."""
    assert outlook("done: sailed   hand: boat") > outlook("done: sailed")
    assert outlook("done: sailed sailed   hand: boat") == outlook("done: sailed sailed")
    assert outlook("done: sailed sailed   hand: boat", 5) > outlook("done: sailed sailed", 5)


def test_wine_upstream_is_worth_less_when_no_boat_will_fetch_it_any_more() -> None:
    """P13.1: in the last round; before it, the boat sails again."""
    upstream = "boat: cima 4@8"
    assert outlook(f"{upstream}   done: sailed sailed") < outlook(upstream)
    assert outlook(f"{upstream}   done: sailed sailed", 5) == outlook(upstream, 5)
