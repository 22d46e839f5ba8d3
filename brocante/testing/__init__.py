"""The laws that every game obeys, for the tests of any game, including your own.

    import pytest
    from brocante.testing import LAWS
    from my_game import BOX

    @pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
    def test_my_game_obeys_the_law(law):
        law(BOX)

A law is a function of a box (and of how many examples to try). It returns if no counterexample was found; otherwise it
raises AssertionError with the smallest one. Hypothesis looks for them: install `brocante[testing]`.
"""

from brocante.testing.fairness import redeals_are_fair
from brocante.testing.laws import (
    a_move_is_legal_where_its_requirements_are_met,
    backends_play_the_same_game,
    copies_are_independent,
    every_game_ends_and_has_a_legal_move_until_then,
    every_piece_is_in_exactly_one_place,
    illegal_moves_change_nothing,
    moves_are_read_as_they_are_written,
    nothing_shown_changes_with_a_redeal,
    records_replay_to_the_same_bytes,
    the_same_seed_gives_the_same_game,
    undo_takes_back_exactly_one_move,
)
from brocante.testing.positions import games, options

LAWS = (
    the_same_seed_gives_the_same_game,
    backends_play_the_same_game,
    every_piece_is_in_exactly_one_place,
    every_game_ends_and_has_a_legal_move_until_then,
    copies_are_independent,
    illegal_moves_change_nothing,
    a_move_is_legal_where_its_requirements_are_met,
    moves_are_read_as_they_are_written,
    undo_takes_back_exactly_one_move,
    records_replay_to_the_same_bytes,
    nothing_shown_changes_with_a_redeal,
    redeals_are_fair,
)

__all__ = [
    "LAWS",
    "a_move_is_legal_where_its_requirements_are_met",
    "backends_play_the_same_game",
    "copies_are_independent",
    "every_game_ends_and_has_a_legal_move_until_then",
    "every_piece_is_in_exactly_one_place",
    "games",
    "illegal_moves_change_nothing",
    "moves_are_read_as_they_are_written",
    "nothing_shown_changes_with_a_redeal",
    "options",
    "records_replay_to_the_same_bytes",
    "redeals_are_fair",
    "the_same_seed_gives_the_same_game",
    "undo_takes_back_exactly_one_move",
]
