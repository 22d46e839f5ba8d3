"""The rules of Collection, clause by clause.

Each test plays a few moves from a position drawn as text; collection_positions.py tells how to read the drawings.
"""

from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import pytest

import brocante
from brocante import NOBODY, Game, IllegalMove
from brocante.engine.random import generator
from brocante.engine.state import from_bytes
from brocante.engine.text import Text, language
from brocante.engine.view import Zone
from brocante.games.collection.moves import KINDS
from tests.games.collection_positions import assert_position, legal, pack_of, play, position
from tests.games.playing import played_to_the_end, refusal

CARDS = {"banknotes": 28, "watches": 24, "stamps": 20, "books": 20, "tarots": 16}
SIZE = {"banknotes": 7, "watches": 6, "stamps": 5, "books": 5, "tarots": 4}
WORTH = {"banknotes": 14, "watches": 12, "stamps": 10, "books": 10, "tarots": 8}


def setups(game: Game) -> list[dict[str, Any]]:
    """The setup lines of the game's record, one a round."""
    return [line["setup"] for line in game.lines() if "setup" in line]


# --- C1: the cards ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_its_number_of_cards(kind: str) -> None:
    """C1: 28 banknotes, 24 watches, 20 stamps, 20 books and 16 tarots."""
    (setup,) = setups(brocante.deal("collection", players=3, seed=1))
    dealt = [card for cards in (*setup["hands"], setup["pack"]) for card in cards]
    assert dealt.count(kind) == CARDS[kind]


def test_there_are_108_cards_of_five_kinds() -> None:
    """C1: 108 cards of five kinds."""
    assert tuple(CARDS) == KINDS
    assert sum(CARDS.values()) == 108
    (setup,) = setups(brocante.deal("collection", players=4, seed=2))
    assert sum(map(len, setup["hands"])) + len(setup["pack"]) == 108


@pytest.mark.parametrize("kind", KINDS)
def test_a_collection_is_complete_at_its_size(kind: str) -> None:
    """C1: a collection of a kind is complete at its size, and not one card before."""
    game = position(f"""
        > seat 0   hand: {kind} 2   table: {kind} {SIZE[kind] - 2}
          seat 1   hand: {kind}
    """)
    play(game, f"place {kind}")
    assert_position(game, f"seat 0   hand: {kind}   table: {kind} {SIZE[kind] - 1}   completed: –   closed: –")
    play(game, f"place {kind}")
    assert_position(game, f"seat 0   hand: –   table: –   completed: {kind} {SIZE[kind]}")


@pytest.mark.parametrize("kind", KINDS)
def test_a_complete_collection_has_its_worth(kind: str) -> None:
    """C1: complete, banknotes are worth 14, watches 12, stamps and books 10, tarots 8."""
    game = position(f"""
        > seat 0   hand: {kind}   table: {kind} {SIZE[kind] - 1}
          seat 1   hand: {kind}
    """)
    assert play(game, f"place {kind}").scores == [WORTH[kind], 0]


# --- C2: setup --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_player_is_dealt_five_cards_and_the_rest_is_the_pack(players: int) -> None:
    """C2: 5 cards to each player; the rest is the pack, and nothing else lies on the table."""
    game = brocante.deal("collection", players=players, seed="setup")
    assert [len(hand) for hand in setups(game)[0]["hands"]] == [5] * players
    assert_position(game, f"pack: {108 - 5 * players}   discard: –   placed: –")
    for seat in range(players):
        assert_position(game, f"seat {seat}   table: –   completed: –   closed: –   points: 0")


@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_can_play(players: int) -> None:
    """C2: for 2 to 4 players."""
    with pytest.raises(brocante.UsageError, match="from 2 to 4"):
        brocante.deal("collection", players=players)


def test_the_cards_are_shuffled() -> None:
    """C2: shuffle; another seed gives another order, the same seed the same."""
    first, again, other = (brocante.deal("collection", players=2, seed=seed) for seed in (1, 1, 2))
    assert pack_of(first) == pack_of(again) != pack_of(other)
    assert pack_of(first) != sorted(pack_of(first), key=KINDS.index)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_starting_player_is_drawn_at_random(players: int) -> None:
    """C2: the starting player is drawn at random, each equally likely."""
    games = 240
    starts = Counter(brocante.deal("collection", players=players, seed=seed).actor for seed in range(games))
    assert sorted(starts) == list(range(players))
    assert all(0.7 < n * players / games < 1.3 for n in starts.values())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_play_is_clockwise(players: int) -> None:
    """C2: play is clockwise, so the left neighbour, seat + 1, is next."""
    game = brocante.deal("collection", players=players, seed=3)
    for _ in range(2 * players):
        seat = game.actor
        play(game, legal(game)[0], "end")
        assert game.actor == (seat + 1) % players


def test_point_cards_are_never_drawn_again() -> None:
    """C2: point cards are never drawn again, nor is the discard pile, when the pack runs out."""
    game = position("""
        pack: 0
        > seat 0   hand: books 2   completed: banknotes 7
          seat 1   hand: stamps    closed: tarots 3
    """)
    before = game.state.discarded.sum()
    play(game, "place books", "end")
    assert_position(
        game,
        """
        pack: 0
          seat 0   hand: books     completed: banknotes 7
        > seat 1   hand: stamps    closed: tarots 3
        """,
    )
    assert before > 0
    assert game.state.discarded.sum() == before


# --- C3: placing ------------------------------------------------------------------------------------------------------


def test_cards_are_placed_from_the_hand_grouped_by_kind() -> None:
    """C3: cards go from hand to the table, grouped by kind."""
    game = position("""
        > seat 0   hand: books 2, stamps   table: books 1
          seat 1   hand: books
    """)
    play(game, "place books", "place stamps", "place books")
    assert_position(
        game,
        """
        placed: books 2, stamps 1
        > seat 0   hand: –                 table: books 3, stamps 1
        """,
    )


def test_one_card_is_enough() -> None:
    """C3: the player places 1 to 5 cards; after one the turn may end."""
    game = position("""
        > seat 0   hand: books 5
          seat 1   hand: stamps 5
    """)
    assert play(game, "place books", "end").actor == 1


def test_five_cards_may_be_placed() -> None:
    """C3: the player places 1 to 5 cards; five are a whole hand."""
    game = position("""
        > seat 0   hand: books 2, stamps 2, tarots
          seat 1   hand: stamps 5
    """)
    play(game, "place books", "place stamps", "place tarots", "place stamps", "place books")
    assert_position(game, "> seat 0   hand: –   table: books 2, stamps 2, tarots")
    assert legal(game) == ["end"]


def test_nobody_ever_has_a_sixth_card_to_place() -> None:
    """C3: 1 to 5 cards a turn, and never more: nobody holds more than five."""
    game = brocante.deal("collection", players=2, seed=4)
    choices = Random("five")
    while not game.is_over:
        game.play(choices.choice(game.legal_moves))
        assert game.state.held.max() <= 5
        assert game.state.placed.sum() <= 5


def test_a_kind_that_is_not_held_cannot_be_placed() -> None:
    """C3: cards are placed from hand."""
    game = position("""
        > seat 0   hand: books     table: stamps 1
          seat 1   hand: stamps
    """)
    assert legal(game) == ["place books"]
    assert "there are no stamps in the hand (C3); legal for seat 0: place books" in refusal(game, "place stamps")


def test_a_third_collection_can_be_started() -> None:
    """C3: at most 3 collections on the table at a time."""
    game = position("""
        > seat 0   hand: books 2   table: stamps 1, tarots 2
          seat 1   hand: stamps
    """)
    assert_position(play(game, "place books"), "seat 0   table: stamps 1, books 1, tarots 2")


def test_a_fourth_collection_cannot_be_started() -> None:
    """C3: at most 3 collections on the table at a time."""
    game = position("""
        > seat 0   hand: watches, books   table: stamps 1, books 1, tarots 2
          seat 1   hand: stamps
    """)
    assert legal(game) == ["place books"]
    assert "3 collections are on the table already" in refusal(game, "place watches")


def test_the_collections_of_the_others_take_no_room() -> None:
    """C3: a player may have 3 collections, whatever the others have."""
    game = position("""
        > seat 0   hand: watches
          seat 1   hand: stamps     table: stamps 1, books 1, tarots 2
    """)
    assert legal(game) == ["place watches"]


def test_only_the_player_whose_turn_it_is_moves() -> None:
    """C3: a turn is of one player."""
    game = position("""
        > seat 0   hand: watches
          seat 1   hand: stamps
    """)
    with pytest.raises(IllegalMove, match="it is the decision of seat 0"):
        game.play({"seat": 1, "move": "place", "kind": "stamps"})


# --- C4: the forced discard -------------------------------------------------------------------------------------------


def test_a_player_who_can_place_no_card_discards_all_collections() -> None:
    """C4: three collections on the table, none of a kind held: all go to the discard pile, by themselves."""
    game = position("""
        placed: books
          seat 0   hand: banknotes 2, stamps 3   table: watches 5, books 2, tarots 3
        > seat 1   hand: tarots                  table: books 3
    """)
    play(game, "end")
    assert_position(
        game,
        """
        discard: watches 5, books 2, tarots 3    placed: –
        > seat 0   hand: banknotes 2, stamps 3   table: –   completed: –   closed: –   points: 0
          seat 1                                 table: books 3
        """,
    )


def test_after_the_forced_discard_the_turn_goes_on_and_a_card_must_be_placed() -> None:
    """C4: then the turn goes on, and at least one card must be placed."""
    game = position("""
        placed: books
          seat 0   hand: banknotes 2, stamps 3   table: watches 5, books 2, tarots 3
        > seat 1   hand: tarots                  table: books 3
    """)
    play(game, "end")
    assert legal(game) == ["place banknotes", "place stamps"]
    assert "(C9)" in refusal(game, "end")
    play(game, "place stamps")
    assert "end" in legal(game)


def test_nothing_is_discarded_when_one_card_fits() -> None:
    """C4: only a player who can place no card at all discards."""
    game = position("""
        placed: books
          seat 0   hand: banknotes 4, tarots   table: watches 5, books 2, tarots 3
        > seat 1   hand: tarots                table: books 3
    """)
    play(game, "end")
    assert_position(game, "> seat 0   table: watches 5, books 2, tarots 3")
    assert legal(game) == ["place tarots"]


def test_nothing_is_discarded_when_there_is_room() -> None:
    """C4: with two collections there is room for any card."""
    game = position("""
        placed: books
          seat 0   hand: banknotes 5   table: watches 5, books 2
        > seat 1   hand: tarots        table: books 3
    """)
    assert_position(play(game, "end"), "> seat 0   table: watches 5, books 2")


def test_a_player_stuck_after_placing_keeps_the_collections() -> None:
    """C4: it happens before anything is placed this turn, not after."""
    game = position("""
        > seat 0   hand: stamps, banknotes 2   table: watches 5, books 2
          seat 1   hand: tarots
    """)
    play(game, "place stamps")
    assert legal(game) == ["end"]
    assert_position(game, "> seat 0   hand: banknotes 2   table: watches 5, stamps 1, books 2")


def test_a_card_drawn_at_the_end_of_the_turn_prevents_the_forced_discard() -> None:
    """C4: what counts is the hand at the beginning of the player's turn."""
    drawing = """
        next: {card} banknotes
        placed: books
        > seat 0   hand: banknotes 4   table: watches 5, books 2, tarots 3
          seat 1   hand: stamps 5
    """
    kept, lost = (position(drawing.format(card=card)) for card in ("watches", "stamps"))
    assert_position(play(kept, "end", "place stamps", "end"), "> seat 0   table: watches 5, books 2, tarots 3")
    assert_position(play(lost, "end", "place stamps", "end"), "> seat 0   table: –")


# --- C5: completing ---------------------------------------------------------------------------------------------------


def test_completing_takes_the_collection_at_two_points_a_card() -> None:
    """C5: the moment a collection reaches its size the player takes it as point cards, at 2 points a card."""
    game = position("""
        > seat 0   hand: watches   table: watches 5, books 1   points: 3
          seat 1   hand: stamps
    """)
    play(game, "place watches")
    assert_position(game, "> seat 0   hand: –   table: books 1   completed: watches 6   points: 15")


def test_every_opponent_discards_that_kind_and_that_kind_only() -> None:
    """C5: every opponent discards what they have on the table of that kind, and scores nothing for it."""
    game = position("""
        > seat 0   hand: books    table: books 4
          seat 1   hand: stamps   table: books 4, watches 2
          seat 2   hand: stamps   table: tarots 3, stamps 1
          seat 3   hand: stamps   table: books 1
    """)
    play(game, "place books")
    assert_position(
        game,
        """
        discard: books 5
        > seat 0   table: –                    completed: books 5   points: 10
          seat 1   table: watches 2            completed: –         points: 0
          seat 2   table: tarots 3, stamps 1   completed: –         points: 0
          seat 3   table: –                    completed: –         points: 0
        """,
    )


def test_cards_in_hands_are_safe_when_a_kind_is_completed() -> None:
    """C5: opponents discard what they have on the table, not what they hold."""
    game = position("""
        > seat 0   hand: books      table: books 4
          seat 1   hand: books 3    table: books 1
    """)
    assert_position(play(game, "place books"), "seat 1   hand: books 3   table: –")


def test_completing_is_not_optional() -> None:
    """C5: it happens the moment the collection reaches its size; there is nothing to choose, and nothing to close."""
    game = position("""
        > seat 0   hand: tarots, books   table: tarots 3
          seat 1   hand: stamps
    """)
    play(game, "place tarots")
    assert_position(game, "> seat 0   table: –   completed: tarots 4   points: 8")
    assert legal(game) == ["place books", "end"]


def test_several_collections_may_be_completed_in_one_turn() -> None:
    """C5: each at the moment it reaches its size."""
    game = position("""
        > seat 0   hand: tarots, books 2   table: tarots 3, books 3
          seat 1   hand: stamps            table: tarots 3, books 3
    """)
    play(game, "place books", "place tarots", "place books")
    assert_position(
        game,
        """
        discard: tarots 3, books 3
        > seat 0   table: –   completed: tarots 4, books 5   points: 18
          seat 1   table: –   completed: –                   points: 0
        """,
    )


# --- C6: closing ------------------------------------------------------------------------------------------------------


def test_closing_takes_the_collection_at_one_point_a_card() -> None:
    """C6: a player with 3 or more of a kind may close it, and takes it at 1 point a card."""
    game = position("""
        > seat 0   hand: watches   table: watches 4, books 1   points: 3
          seat 1   hand: stamps
    """)
    play(game, "place watches", "close watches")
    assert_position(game, "> seat 0   table: books 1   closed: watches 5   points: 8")


@pytest.mark.parametrize(("on_table", "may_close"), [(1, False), (2, True), (3, True), (4, True)])
def test_a_collection_is_closed_with_three_cards_or_more(on_table: int, may_close: bool) -> None:
    """C6: with 3 or more of a kind on the table."""
    game = position(f"""
        > seat 0   hand: watches   table: watches {on_table}
          seat 1   hand: stamps
    """)
    play(game, "place watches")
    assert ("close watches" in legal(game)) is may_close
    if not may_close:
        assert "it takes 3 cards or more to close" in refusal(game, "close watches")


def test_a_collection_is_closed_only_after_one_of_that_kind_was_placed_this_turn() -> None:
    """C6: who has placed at least one card of that kind this turn; another kind does not do."""
    game = position("""
        > seat 0   hand: books, watches   table: watches 4
          seat 1   hand: stamps
    """)
    play(game, "place books")
    assert "close watches" not in legal(game)
    assert "no watches have been placed this turn (C6)" in refusal(game, "close watches")
    play(game, "place watches")
    assert "close watches" in legal(game)


def test_what_was_placed_in_an_earlier_turn_does_not_count() -> None:
    """C6: placed at least one card of that kind this turn."""
    game = position("""
        > seat 0   hand: books 2, watches   table: watches 4
          seat 1   hand: stamps 2
    """)
    play(game, "place watches", "end", "place stamps", "end", "place books")
    assert "close watches" not in legal(game)


def test_closing_is_a_choice() -> None:
    """C6: a player may close, and need not."""
    game = position("""
        > seat 0   hand: watches   table: watches 4
          seat 1   hand: stamps
    """)
    play(game, "place watches")
    assert legal(game) == ["close watches", "end"]
    assert_position(play(game, "end"), "seat 0   table: watches 5   points: 0")


def test_opponents_with_fewer_discard_and_those_with_as_many_or_more_take_theirs() -> None:
    """C6: fewer cards of that kind are discarded; as many or more are taken at 1 point a card."""
    game = position("""
        > seat 0   hand: banknotes   table: banknotes 3
          seat 1   hand: stamps      table: banknotes 3
          seat 2   hand: stamps      table: banknotes 4
          seat 3   hand: stamps      table: banknotes 5
    """)
    play(game, "place banknotes", "close banknotes")
    assert_position(
        game,
        """
        discard: banknotes 3
        > seat 0   table: –   closed: banknotes 4   points: 4
          seat 1   table: –   closed: –             points: 0
          seat 2   table: –   closed: banknotes 4   points: 4
          seat 3   table: –   closed: banknotes 5   points: 5
        """,
    )


def test_closing_touches_no_other_kind() -> None:
    """C6: only cards of that kind are discarded or taken."""
    game = position("""
        > seat 0   hand: books 2   table: books 2, tarots 3
          seat 1   hand: stamps    table: books 1, tarots 1, stamps 4
    """)
    play(game, "place books", "close books")
    assert_position(
        game,
        """
        discard: books 1
        > seat 0   table: tarots 3
          seat 1   table: tarots 1, stamps 4
        """,
    )


PETER_LEO_LOUISA_AND_HELEN = """
    > seat 0 (Peter)    hand: banknotes 2, books 3    table: banknotes 2
      seat 1 (Leo)      hand: stamps 5                table: banknotes 3
      seat 2 (Louisa)   hand: stamps 5                table: banknotes 6
      seat 3 (Helen)    hand: stamps 5                table: banknotes 2
"""


def test_the_example_of_the_rulebook() -> None:
    """C6: Peter plays 2 new banknotes and closes: 4 points; Leo and Helen discard, Louisa earns 6."""
    game = position(PETER_LEO_LOUISA_AND_HELEN)
    play(game, "place banknotes", "place banknotes", "close banknotes")
    assert_position(
        game,
        """
        discard: banknotes 5
        > seat 0 (Peter)    hand: books 3    table: –   closed: banknotes 4   points: 4
          seat 1 (Leo)      hand: stamps 5   table: –   closed: –             points: 0
          seat 2 (Louisa)   hand: stamps 5   table: –   closed: banknotes 6   points: 6
          seat 3 (Helen)    hand: stamps 5   table: –   closed: –             points: 0
        """,
    )


def test_the_example_of_the_rulebook_with_only_one_banknote() -> None:
    """C6: had Peter put down only one banknote, Leo too would have earned 3 points."""
    game = position(PETER_LEO_LOUISA_AND_HELEN)
    play(game, "place banknotes", "close banknotes")
    assert_position(
        game,
        """
        discard: banknotes 2
        > seat 0 (Peter)    hand: banknotes 1, books 3   table: –   closed: banknotes 3   points: 3
          seat 1 (Leo)      hand: stamps 5               table: –   closed: banknotes 3   points: 3
          seat 2 (Louisa)   hand: stamps 5               table: –   closed: banknotes 6   points: 6
          seat 3 (Helen)    hand: stamps 5               table: –   closed: –             points: 0
        """,
    )


# --- C5, C6: how point cards lie --------------------------------------------------------------------------------------


def points_zone(game: Game, viewer: int, seat: int) -> Zone:
    (found,) = (zone for zone in game.view(viewer).table.places[seat].zones if zone.key == "points")
    return found


def signs(game: Game, viewer: int, seat: int) -> list[tuple[str | None, int]]:
    """A seat's point cards, each by a sign that begins with how it lies."""
    stacks = points_zone(game, viewer, seat).stacks
    return [(stack.card.sign if stack.card else None, stack.count) for stack in stacks]


def test_completed_collections_lie_upright_and_closed_ones_sideways() -> None:
    """C5, C6: 2 points a card for what lies upright, 1 for what lies sideways: all see where points came from."""
    game = position("""
        > seat 0   hand: books, watches   table: books 4, watches 3
          seat 1   hand: stamps
    """)
    play(game, "place books", "place watches", "close watches")
    assert_position(game, "> seat 0   table: –   completed: books 5   closed: watches 4   points: 14")
    for viewer in (0, 1, NOBODY):
        assert signs(game, viewer, 0) == [("▮▤", 5), ("▬◷", 4)]


def test_those_who_take_theirs_when_somebody_closes_lay_it_sideways_too() -> None:
    """C6: each opponent with as many or more takes theirs at 1 point a card, one card short of complete or not."""
    game = position("""
        > seat 0   hand: tarots   table: tarots 2
          seat 1   hand: stamps   table: tarots 3
    """)
    play(game, "place tarots", "close tarots")
    assert_position(
        game,
        """
        > seat 0   completed: –   closed: tarots 3   points: 3
          seat 1   completed: –   closed: tarots 3   points: 3
        """,
    )


def test_the_same_kind_may_lie_both_ways() -> None:
    """C5, C6: a kind that was closed once and completed once is in both piles."""
    game = position("""
        > seat 0   hand: tarots 5   table: tarots 2
          seat 1   hand: stamps
    """)
    play(game, "place tarots", "close tarots", *["place tarots"] * 4)
    assert_position(game, "> seat 0   table: –   completed: tarots 4   closed: tarots 3   points: 11")
    assert signs(game, 0, 0) == [("▮✶", 4), ("▬✶", 3)]


BOTH_WAYS = """
    > seat 0   hand: books    completed: watches 6   closed: books 4, tarots 3   points: 19
      seat 1   hand: stamps   completed: tarots 4                                points: 8
      seat 2   hand: stamps                                                      points: 0
"""


DRAWN_IN_ENGLISH = """
    point cards: 6 × watches at 2 points each   4 × books at 1 point each   3 × tarots at 1 point each
    point cards: 4 × tarots at 2 points each
    point cards: –
"""
DRAWN_IN_FRENCH = """
    cartes gagnées: 6 × montres à 2 points pièce   4 × livres à 1 point pièce   3 × tarots à 1 point pièce
    cartes gagnées: 4 × tarots à 2 points pièce
    cartes gagnées: –
"""


@pytest.mark.parametrize(("code", "drawing"), [("en", DRAWN_IN_ENGLISH), ("fr", DRAWN_IN_FRENCH)])
def test_a_drawing_says_what_point_cards_count(code: str, drawing: str) -> None:
    """C5, C6: in words, for those who see no cards lie."""
    lines = drawing.strip("\n").splitlines()
    drawn = position(BOTH_WAYS).text(lang=code).splitlines()
    assert [line for line in drawn if line in lines] == lines


def test_points_are_summed_apart_where_cards_lie_both_ways() -> None:
    """C5, C6: so much for what was completed, and so much for what was closed."""
    ana, ben, cleo = (points_zone(position(BOTH_WAYS), 0, seat) for seat in range(3))
    assert [str(zone.note) if zone.note else None for zone in (ana, ben, cleo)] == ["12 + 7", None, None]
    assert [str(stack.note) for stack in ana.stacks] == ["complete: 12", "closed: 7", "closed: 7"]


# --- C7: room at once -------------------------------------------------------------------------------------------------


def test_completing_makes_room_at_once() -> None:
    """C7: the player may go on placing in the same turn."""
    game = position("""
        > seat 0   hand: tarots, stamps   table: banknotes 1, watches 1, tarots 3
          seat 1   hand: stamps
    """)
    assert legal(game) == ["place tarots"]
    play(game, "place tarots", "place stamps")
    assert_position(game, "> seat 0   table: banknotes 1, watches 1, stamps 1")


def test_closing_makes_room_at_once() -> None:
    """C7: the player may go on placing in the same turn."""
    game = position("""
        > seat 0   hand: books, stamps   table: banknotes 1, watches 1, books 2
          seat 1   hand: stamps
    """)
    play(game, "place books")
    assert "place stamps" not in legal(game)
    play(game, "close books", "place stamps")
    assert_position(game, "> seat 0   table: banknotes 1, watches 1, stamps 1")


def test_a_forced_discard_makes_room_for_three_collections() -> None:
    """C7: discarding makes room at once."""
    game = position("""
        placed: books
          seat 0   hand: banknotes 2, stamps 3   table: watches 5, books 2, tarots 3
        > seat 1   hand: tarots                  table: books 3
    """)
    play(game, "end", "place banknotes", "place stamps", "place stamps")
    assert_position(game, "> seat 0   table: banknotes 1, stamps 2")


def test_the_same_kind_may_be_started_again_after_completing_it() -> None:
    """C7: and may start the same kind again."""
    game = position("""
        > seat 0   hand: tarots 2   table: tarots 3
          seat 1   hand: stamps
    """)
    play(game, "place tarots", "place tarots")
    assert_position(game, "> seat 0   table: tarots 1   completed: tarots 4   points: 8")


def test_the_same_kind_may_be_closed_twice_in_a_turn() -> None:
    """C7: start the same kind again after closing it, and even close it again."""
    game = position("""
        > seat 0   hand: books 4   table: books 2
          seat 1   hand: stamps    table: books 1
    """)
    play(game, "place books", "close books", "place books", "place books")
    assert "it takes 3 cards or more to close" in refusal(game, "close books")
    play(game, "place books", "close books")
    assert_position(
        game,
        """
        discard: books 1
        > seat 0   table: –   closed: books 6   points: 6
          seat 1   table: –   closed: –         points: 0
        """,
    )


def test_what_the_others_lose_makes_room_for_them() -> None:
    """C7: completing and closing make room for the opponents who discard or take theirs, too."""
    game = position("""
        > seat 0   hand: books 2   table: books 3
          seat 1   hand: stamps    table: books 1, watches 1, tarots 1
    """)
    play(game, "place books", "place books", "end")
    assert legal(game) == ["place stamps"]
    assert_position(game, "> seat 1   table: watches 1, tarots 1")


# --- C8: drawing ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("placed", [1, 2, 3, 4, 5])
def test_a_player_draws_as_many_cards_as_they_placed(placed: int) -> None:
    """C8: when the player ends the turn they draw as many cards as they placed this turn."""
    game = position("""
        pack: 40   next: tarots watches tarots watches tarots
        > seat 0   hand: books 4, stamps
          seat 1   hand: banknotes 5
    """)
    play(game, *["place books", "place books", "place books", "place books", "place stamps"][:placed])
    assert_position(game, "pack: 40")
    play(game, "end")
    assert_position(game, f"pack: {40 - placed}")
    assert game.state.held.tolist() == [5, 5, 0, 0]


def test_the_next_cards_of_the_pack_are_drawn() -> None:
    """C8: the cards drawn are the next ones of the pack."""
    game = position("""
        next: watches tarots stamps
        > seat 0   hand: books 2
          seat 1   hand: banknotes 5
    """)
    play(game, "place books", "place books", "end")
    assert_position(
        game,
        """
        next: stamps
          seat 0   hand: watches, tarots
        > seat 1   hand: banknotes 5
        """,
    )


def test_completed_and_closed_cards_count_as_placed() -> None:
    """C8: as many as they placed this turn, wherever those cards are now; closing itself draws nothing."""
    game = position("""
        pack: 40
        > seat 0   hand: tarots, books   table: tarots 3, books 2
          seat 1   hand: banknotes 5
    """)
    play(game, "place tarots", "place books", "close books", "end")
    assert_position(game, "pack: 38")


def test_a_short_pack_gives_what_it_has() -> None:
    """C8: if the pack has fewer, as many as it has."""
    game = position("""
        pack: 2    next: watches tarots
        > seat 0   hand: books 4
          seat 1   hand: banknotes 5
    """)
    play(game, "place books", "place books", "place books", "end")
    assert_position(
        game,
        """
        pack: 0
          seat 0   hand: books, watches, tarots
        > seat 1   hand: banknotes 5
        """,
    )


def test_an_empty_pack_gives_nothing_and_play_goes_on() -> None:
    """C8: if the pack has fewer, as many as it has, which may be none."""
    game = position("""
        pack: 0
        > seat 0   hand: books 3
          seat 1   hand: banknotes 5
    """)
    play(game, "place books", "place books", "end")
    assert_position(
        game,
        """
        pack: 0
          seat 0   hand: books
        > seat 1   hand: banknotes 5
        """,
    )


# --- C9: the order of things ------------------------------------------------------------------------------------------


def test_placing_and_closing_may_be_mixed_in_any_order() -> None:
    """C9: place, close, place, close, place."""
    game = position("""
        > seat 0   hand: books, tarots, stamps   table: books 2, tarots 2
          seat 1   hand: banknotes 5
    """)
    play(game, "place books", "close books", "place tarots", "close tarots", "place stamps")
    assert_position(game, "> seat 0   hand: –   table: stamps 1   closed: books 3, tarots 3   points: 6")


def test_two_collections_may_be_closed_in_either_order() -> None:
    """C9: in any order."""
    drawing = """
        > seat 0   hand: books, tarots   table: books 2, tarots 2
          seat 1   hand: banknotes 5     table: books 3
    """
    one = play(position(drawing), "place books", "place tarots", "close books", "close tarots")
    other = play(position(drawing), "place tarots", "place books", "close tarots", "close books")
    assert one == other
    assert one.scores == [6, 3]


def test_a_turn_cannot_end_before_a_card_was_placed() -> None:
    """C9: only after at least one card was placed."""
    game = position("""
        > seat 0   hand: books    table: stamps 3
          seat 1   hand: stamps
    """)
    assert "end" not in legal(game)
    assert "only after at least one card has been placed (C9)" in refusal(game, "end")


def test_a_turn_does_not_end_by_itself() -> None:
    """C9: only by the player's choice, even with nothing else left to do."""
    game = position("""
        > seat 0   hand: books
          seat 1   hand: stamps
    """)
    play(game, "place books")
    assert_position(game, "> seat 0   hand: –")
    assert legal(game) == ["end"]


def test_a_new_turn_begins_with_nothing_placed() -> None:
    """C9: each turn asks for a card of its own."""
    game = position("""
        > seat 0   hand: books
          seat 1   hand: stamps
    """)
    play(game, "place books", "end")
    assert_position(game, "placed: –")
    assert legal(game) == ["place stamps"]


# --- C10: the end -----------------------------------------------------------------------------------------------------


def test_the_game_ends_when_the_pack_is_empty_and_a_player_has_no_cards() -> None:
    """C10: the pack is empty and a player has no cards left."""
    game = position("""
        pack: 0
        > seat 0   hand: books
          seat 1   hand: stamps 2
    """)
    play(game, "place books", "end")
    assert game.is_over
    assert game.actor == NOBODY
    assert legal(game) == []


def test_the_game_ends_only_at_the_end_of_the_turn() -> None:
    """C10: at the end of the turn in which that player ran out, who may still close."""
    game = position("""
        pack: 0
        > seat 0   hand: books      table: books 3
          seat 1   hand: stamps 2   table: books 4
    """)
    play(game, "place books")
    assert not game.is_over
    assert legal(game) == ["close books", "end"]
    play(game, "close books", "end")
    assert game.is_over
    assert game.scores == [4, 4]


@pytest.mark.parametrize("pack", [1, 2, 5])
def test_the_game_goes_on_while_the_pack_has_cards(pack: int) -> None:
    """C10: a player without cards who can still draw one goes on."""
    game = position(f"""
        pack: {pack}
        > seat 0   hand: books 2
          seat 1   hand: stamps 2
    """)
    play(game, "place books", "place books", "end")
    assert game.actor == 1


def test_the_game_goes_on_while_everybody_has_cards() -> None:
    """C10: an empty pack alone does not end it."""
    game = position("""
        pack: 1
        > seat 0   hand: books 2
          seat 1   hand: stamps 2
    """)
    play(game, "place books", "end")
    assert_position(game, "pack: 0")
    assert game.actor == 1


def test_what_is_left_on_the_table_and_in_hands_is_worth_nothing() -> None:
    """C10: collections still on the table and cards in hands are worth nothing."""
    game = position("""
        pack: 0
        > seat 0   hand: books                  table: banknotes 6, books 3       points: 5
          seat 1   hand: stamps 5               table: watches 5, stamps 4        points: 3
    """)
    play(game, "place books", "end")
    assert game.is_over
    assert game.scores == [5, 3]


def test_nothing_can_be_played_when_the_game_is_over() -> None:
    """C10: the game ends."""
    game = position("""
        pack: 0
        > seat 0   hand: books
          seat 1   hand: stamps
    """)
    play(game, "place books", "end")
    with pytest.raises(IllegalMove, match="the game is over"):
        game.play({"seat": 1, "move": "place", "kind": "stamps"})


# --- C11: who wins ----------------------------------------------------------------------------------------------------


def ended_with(*points: int) -> Game:
    """A game that ends with these points."""
    others = "\n".join(f"seat {seat}   hand: stamps   points: {n}" for seat, n in enumerate(points) if seat)
    game = position(f"pack: 0\n > seat 0   hand: books   points: {points[0]}\n {others}")
    return play(game, "place books", "end")


def test_most_points_wins() -> None:
    """C11: most points wins."""
    game = ended_with(7, 12, 10)
    assert game.winners == [1]
    assert game.ranks == [3, 1, 2]


def test_equal_totals_share_the_victory() -> None:
    """C11: equal totals share the victory."""
    game = ended_with(10, 7, 10, 3)
    assert game.winners == [0, 2]
    assert game.ranks == [1, 3, 1, 4]


def test_equal_losers_share_a_rank() -> None:
    """C11: a rank is 1 + the number of players who did better."""
    assert ended_with(20, 4, 4, 1).ranks == [1, 2, 2, 4]


def test_all_may_win_with_nothing() -> None:
    """C11: equal totals share, even of no points."""
    assert ended_with(0, 0, 0).winners == [0, 1, 2]


def test_nobody_has_won_before_the_end() -> None:
    """C11: who leads is no winner yet."""
    game = position("""
        > seat 0   hand: books    points: 50
          seat 1   hand: stamps
    """)
    assert game.winners == []


# --- C12: the match ---------------------------------------------------------------------------------------------------

LAST_TURN_OF_A_ROUND = """
    target: 60   round: 2   first: 2   pack: 0
      seat 0   hand: stamps    table: tarots 2   completed: tarots 4   points: 40
    > seat 1   hand: books     table: stamps 1   completed: books 5    points: 30
      seat 2   hand: stamps 2                                          points: 20
"""


def test_without_a_target_one_round_is_played() -> None:
    """C12: the default is a single round."""
    game = played_to_the_end(brocante.deal("collection", players=2, seed=5))
    assert game.options["target"] is None
    assert len(setups(game)) == 1


def test_a_new_round_is_dealt_when_nobody_has_reached_the_target() -> None:
    """C12: rounds are played and points add up; all 108 cards are dealt anew."""
    game = play(position(LAST_TURN_OF_A_ROUND), "place books", "end")
    assert not game.is_over
    assert_position(
        game,
        """
        target: 60   round: 3   first: 0   pack: 93   discard: –   placed: –
        > seat 0   table: –   completed: –   closed: –   points: 40
          seat 1   table: –   completed: –   closed: –   points: 30
          seat 2   table: –   completed: –   closed: –   points: 20
        """,
    )
    assert game.state.held.tolist() == [5, 5, 5, 0]


@pytest.mark.parametrize(("first", "then"), [(0, 1), (1, 2), (2, 0)])
def test_the_start_passes_to_the_left(first: int, then: int) -> None:
    """C12: the start passes to the left each round, whoever had the last turn."""
    game = position(LAST_TURN_OF_A_ROUND.replace("first: 2", f"first: {first}"))
    play(game, "place books", "end")
    assert game.actor == then
    assert_position(game, f"first: {then}")


def test_reaching_the_target_does_not_end_the_round() -> None:
    """C12: play stops after the round in which someone reaches the target, not in it."""
    game = position("""
        target: 60   pack: 40
        > seat 0   hand: tarots   table: tarots 3   points: 52
          seat 1   hand: stamps                     points: 3
    """)
    play(game, "place tarots")
    assert game.scores == [60, 3]
    assert game.winners == []
    play(game, "end")
    assert game.actor == 1


@pytest.mark.parametrize("points", [60, 61, 75])
def test_the_match_stops_after_the_round_in_which_the_target_is_reached(points: int) -> None:
    """C12: play stops after the round in which someone reaches the target; reaching it exactly is enough."""
    game = play(position(LAST_TURN_OF_A_ROUND.replace("40", str(points))), "place books", "end")
    assert game.is_over
    assert game.scores == [points, 30, 20]
    assert game.winners == [0]


def test_one_point_short_of_the_target_is_not_enough() -> None:
    """C12: someone must reach the target."""
    game = play(position(LAST_TURN_OF_A_ROUND.replace("40", "59")), "place books", "end")
    assert_position(game, "round: 3")
    assert not game.is_over


def test_points_of_the_last_turn_count_towards_the_target() -> None:
    """C12: totals are compared at the end of the round."""
    game = position("""
        target: 60   pack: 0
        > seat 0   hand: tarots   table: tarots 3   points: 52
          seat 1   hand: stamps                     points: 3
    """)
    play(game, "place tarots", "end")
    assert game.is_over
    assert game.scores == [60, 3]


def test_who_reaches_the_target_first_may_still_be_overtaken() -> None:
    """C12: totals are compared at the end of that round, most points wins."""
    game = position("""
        target: 60   pack: 0
          seat 0   hand: stamps                     points: 60
        > seat 1   hand: tarots   table: tarots 3   points: 58
    """)
    play(game, "place tarots", "end")
    assert game.scores == [60, 66]
    assert game.winners == [1]


def test_equal_totals_share_the_match() -> None:
    """C12: equal totals share."""
    game = position("""
        target: 60   pack: 0
          seat 0   hand: stamps                     points: 62
        > seat 1   hand: tarots   table: tarots 3   points: 54
          seat 2   hand: stamps                     points: 61
    """)
    play(game, "place tarots", "end")
    assert game.winners == [0, 1]
    assert game.ranks == [1, 1, 3]


@pytest.fixture(scope="module")
def match() -> Game:
    """A whole match of several rounds."""
    return played_to_the_end(brocante.deal("collection", players=3, target=60, seed="match"))


def test_in_the_record_each_round_has_its_setup_line(match: Game) -> None:
    """C12: in the record each round has its setup line, where the round begins."""
    kinds = [next(iter(line)) for line in match.lines()]
    assert len(setups(match)) == match.state.rounds > 1
    assert kinds[:2] == ["record", "setup"]
    assert kinds[-1] == "result"
    assert set(kinds[2:-1]) == {"seat", "setup"}


def test_in_a_whole_match_the_start_passes_to_the_left(match: Game) -> None:
    """C12: the start passes to the left each round."""
    starts = [setup["first"] for setup in setups(match)]
    assert starts == [(starts[0] + n) % 3 for n in range(len(starts))]


def test_the_scores_of_the_record_are_the_totals_of_the_match(match: Game) -> None:
    """C12: points add up, and `scores` are the match's totals; nobody had the target before the last round."""
    at_setups = [step.before for step in match.steps if step.move is None]
    totals = [match.box.result(from_bytes(match.box.rules.STATE, before))[0] for before in at_setups]
    assert totals[0] == [0, 0, 0]
    assert all(max(total) < 60 for total in totals)
    assert all(a <= b for earlier, later in pairwise(totals) for a, b in zip(earlier, later, strict=True))
    *_, last = match.lines()
    assert last["result"] == {"scores": match.scores, "ranks": match.ranks, "winners": match.winners}
    assert max(match.scores) >= 60


# --- where the points came from ---------------------------------------------------------------------------------------


def told_awards(game: Game) -> list[tuple[str, str, tuple[int, ...]]]:
    """The final scoring: what for, why, and how many points for whom."""
    names = ("Ana", "Ben", "Cleo")
    say = language("en").say
    return [(say(award.title, names), say(award.why, names), award.points) for award in game.view(0).awards]


LAST_CARD = """
    pack: 0
    > seat 0   hand: books    completed: watches 6   closed: books 4   points: 16
      seat 1   hand: stamps                          closed: tarots 3  points: 3
"""


def test_in_the_end_upright_cards_are_counted_first_then_those_that_lie_sideways() -> None:
    """C10, C11: where everyone's points came from."""
    game = play(position(LAST_CARD), "place books", "end")
    assert told_awards(game) == [
        ("Complete collections", "2 points a card: Ana 6.", (12, 0)),
        ("Closed collections", "1 point a card: Ana 4 and Ben 3.", (4, 3)),
    ]


def test_nobody_may_have_completed_anything() -> None:
    """C10: then there is nothing to count."""
    game = play(position(LAST_CARD.replace("completed: watches 6", "").replace("16", "4")), "place books", "end")
    assert told_awards(game)[0] == ("Complete collections", "Nobody has any.", (0, 0))


def test_nothing_is_counted_before_the_end() -> None:
    """C10: only at the end."""
    assert told_awards(position(LAST_CARD)) == []


def test_after_a_match_the_points_of_earlier_rounds_are_counted_too(match: Game) -> None:
    """C12: points add up: what was brought from earlier rounds, and how this one was won."""
    earlier, completed, closed = told_awards(match)
    assert match.state.rounds == 2
    assert earlier[:2] == ("Earlier rounds", "After 1 round.")
    assert [sum(points) for points in zip(earlier[2], completed[2], closed[2], strict=True)] == match.scores


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_awards_add_up_to_the_scores(players: int) -> None:
    """C11: whoever counts their cards finds their score."""
    game = played_to_the_end(brocante.deal("collection", players=players, seed="awards"))
    assert [sum(points) for points in zip(*(award.points for award in game.view(0).awards), strict=True)] == game.scores


# --- what is hidden ---------------------------------------------------------------------------------------------------

TAROTS_ARE_A_SECRET = """
    pack: 50   next: books tarots
    > seat 0   hand: tarots 4, books         table: stamps 2
      seat 1   hand: banknotes 3, watches 2  table: watches 1   completed: stamps 5   points: 10
      seat 2   hand: books 5                                    closed: books 3       points: 3
"""


def zone(game: Game, viewer: int, seat: int, key: str) -> list[tuple[str | None, int]]:
    """What a viewer sees of a zone before a seat: kinds (None: face down) and numbers of cards."""
    (found,) = (zone for zone in game.view(viewer).table.places[seat].zones if zone.key == key)
    return [(stack.card.kind if stack.card else None, stack.count) for stack in found.stacks]


def centre(game: Game, viewer: int, key: str) -> list[tuple[str | None, int]]:
    (found,) = (zone for zone in game.view(viewer).table.centre if zone.key == key)
    return [(stack.card.kind if stack.card else None, stack.count) for stack in found.stacks]


def in_english(texts: list[Text]) -> list[str]:
    return [language("en").say(text, ("Ana", "Ben", "Cleo")) for text in texts]


def test_a_player_sees_their_own_hand() -> None:
    """Hidden: hands are hidden from the other players, not from their own."""
    assert zone(position(TAROTS_ARE_A_SECRET), 0, 0, "hand") == [("books", 1), ("tarots", 4)]


@pytest.mark.parametrize("viewer", [1, 2, NOBODY])
def test_the_hands_of_others_are_hidden_but_their_number_of_cards_is_public(viewer: int) -> None:
    """Hidden: hands from the other players; their number of cards is public. A spectator sees no hand at all."""
    game = position(TAROTS_ARE_A_SECRET)
    assert zone(game, viewer, 0, "hand") == [(None, 5)]
    assert "hand: 5 × face down" in game.text(viewer)
    hand_lines = [line for line in game.text(viewer).splitlines() if "hand:" in line]
    assert not any("tarots" in line for line in hand_lines)


def test_only_the_player_whose_turn_it_is_is_offered_moves() -> None:
    """Hidden: what a player may place would show their hand."""
    game = position(TAROTS_ARE_A_SECRET)
    assert [str(offer.move) for offer in game.view(0).offers] == ["place books", "place tarots"]
    for viewer in (1, 2, NOBODY):
        assert game.view(viewer).offers == ()


def test_moving_out_of_turn_does_not_show_the_hand_of_another() -> None:
    """Hidden: a refusal tells whose turn it is, not what they could place."""
    game = position(TAROTS_ARE_A_SECRET)
    with pytest.raises(IllegalMove) as refused:
        game.play({"seat": 1, "move": "place", "kind": "watches"})
    assert "tarots" not in str(refused.value)


def test_the_pack_is_face_down_and_its_number_of_cards_public() -> None:
    """Hidden: the order of the pack."""
    game = position(TAROTS_ARE_A_SECRET)
    for viewer in (0, 1, 2, NOBODY):
        assert centre(game, viewer, "pack") == [(None, 50)]


SAME_TO_SEAT_1_WITH_OTHER_HANDS = """
    pack: 50   next: books tarots
    > seat 0   hand: books 5                 table: stamps 2
      seat 1   hand: banknotes 3, watches 2  table: watches 1   completed: stamps 5   points: 10
      seat 2   hand: tarots 4, books                            closed: books 3       points: 3
"""

SAME_TO_SEAT_1_WITH_ANOTHER_PACK = """
    pack: 50   next: tarots books
    > seat 0   hand: tarots 4, books         table: stamps 2
      seat 1   hand: banknotes 3, watches 2  table: watches 1   completed: stamps 5   points: 10
      seat 2   hand: books 5                                    closed: books 3       points: 3
"""


@pytest.mark.parametrize("other", [SAME_TO_SEAT_1_WITH_OTHER_HANDS, SAME_TO_SEAT_1_WITH_ANOTHER_PACK])
def test_positions_that_differ_only_in_what_is_hidden_look_the_same(other: str) -> None:
    """Hidden: seat 1 cannot tell what the others hold, nor how the pack lies, by any means."""
    one, two = position(TAROTS_ARE_A_SECRET), position(other)
    assert one != two
    assert one.seen(1).tobytes() == two.seen(1).tobytes()
    assert one.view(1) == two.view(1)
    assert one.text(1) == two.text(1)
    assert (one.observation(1) == two.observation(1)).all()


def test_nobody_ever_sees_what_is_hidden() -> None:
    """Hidden: all through a game, each seat's view stays the same when all that it does not know is dealt anew."""
    game = brocante.deal("collection", players=3, seed="secrets")
    choices, rng = Random("secrets"), generator("redeal")
    while not game.is_over:
        for viewer in range(3):
            other = game.redeal(viewer, rng)
            assert game.text(viewer) == other.text(viewer)
            assert game.view(viewer).table == other.view(viewer).table
            assert (game.observation(viewer) == other.observation(viewer)).all()
        game.play(choices.choice(game.legal_moves))


def test_what_a_player_draws_is_told_to_that_player_only() -> None:
    """Hidden: the log tells the others how many cards were drawn, not which."""
    game = play(position(TAROTS_ARE_A_SECRET), "place books", "place tarots", "end")
    assert in_english(game.log(0))[-1] == "You draw a book and a tarot."
    for viewer in (1, 2, NOBODY):
        assert in_english(game.log(viewer)) == ["Ana places a book.", "Ana places a tarot.", "Ana draws 2 cards."]


def test_point_cards_and_points_are_public() -> None:
    """Hidden: not the point cards, nor how they lie."""
    game = position(TAROTS_ARE_A_SECRET)
    for viewer in (0, 1, 2, NOBODY):
        assert zone(game, viewer, 1, "points") == [("stamps", 5)]
        assert signs(game, viewer, 2) == [("▬▤", 3)]
        assert [place.score for place in game.view(viewer).table.places] == [0, 10, 3]


def test_the_discard_pile_is_public() -> None:
    """Hidden: not the discard pile."""
    game = position("""
        > seat 0   hand: books 2   table: books 3
          seat 1   hand: stamps    table: books 2
    """)
    play(game, "place books", "place books")
    for viewer in (0, 1, NOBODY):
        assert centre(game, viewer, "discard") == [("books", 2)]


def test_the_collections_on_the_table_are_public() -> None:
    """Hidden: not what lies face up on the table."""
    game = position(TAROTS_ARE_A_SECRET)
    for viewer in (0, 1, 2, NOBODY):
        assert zone(game, viewer, 0, "table") == [("stamps", 2)]
