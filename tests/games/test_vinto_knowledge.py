"""Who knows which card in Vinto: nobody knows their own cards, but as they have looked at them.

Positions are drawn as vinto_positions.py tells: in brackets after a card stands who has seen it.
"""

from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import pytest

import brocante
from brocante import NOBODY, Game
from brocante.engine.deck import NONE
from brocante.engine.observation import flat
from brocante.engine.random import generator
from brocante.engine.text import language
from brocante.games.vinto import rules
from brocante.games.vinto.chance_lines import CARD_NAMES
from brocante.games.vinto.knowledge import SPECTATOR, UNSEEN
from brocante.games.vinto.moves import Toss, Vinto
from brocante.games.vinto.observation import SLOTS_SEEN
from brocante.games.vinto.rules import GAP
from tests.games.vinto_positions import PLAYED, assert_position, check_state, deck, known_by, play, position, row

VIEWERS = [0, 1, 2, 3, NOBODY]


def seen(game: Game, viewer: int) -> list[str]:
    """The rows as one sees them who forgets nothing: `["2C ? --", …]`."""
    return rows(game.seen(viewer))


def shown(game: Game, viewer: int) -> list[str]:
    """The rows as the table shows them to a person."""
    return rows(game.box.shown(game.state, viewer))


def rows(s: Any) -> list[str]:
    return [" ".join(row(s, seat)) for seat in range(s.players)]


def all_hidden(game: Game) -> list[str]:
    """The rows with every card face down."""
    return [" ".join("--" if card == "--" else "?" for card in row(game.state, seat)) for seat in range(game.players)]


# --- what one comes to know -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [4, 5])
def test_after_the_deal_nobody_has_seen_anything_and_then_each_sees_two_cards(players: int) -> None:
    """V2: each player looks at two of their own cards, and nobody sees what the others look at."""
    game = brocante.deal("vinto", players=players, seed=1)
    assert all(known_by(game, seat, slot) == "" for seat in range(players) for slot in range(5))
    for _ in range(players):
        play(game, "peek 3,1")
    for seat in range(players):
        assert [known_by(game, seat, slot) for slot in range(5)] == ["", str(seat), "", str(seat), ""]


@pytest.mark.parametrize("card", ["7H", "8H"])
def test_a_look_at_ones_own_card(card: str) -> None:
    """V1: a 7 or an 8; only who looks sees it."""
    game = position(f"""
        pile: {card} …
        > seat 0   2C 3C(1)
          seat 1   2D
          seat 2   2H
          seat 3   2S
    """)
    play(game, *PLAYED, "look 0,1")
    assert_position(game, "> seat 0   2C() 3C(01)\nseat 1   2D()\nseat 2   2H()\nseat 3   2S()")


@pytest.mark.parametrize("card", ["9H", "10H"])
def test_a_look_at_a_card_of_another(card: str) -> None:
    """V1: a 9 or a 10; its owner does not come to know it."""
    game = position(f"""
        pile: {card} …
        > seat 0   2C
          seat 1   2D
          seat 2   2H 3H
          seat 3   2S
    """)
    play(game, *PLAYED, "look 2,1")
    assert_position(game, "> seat 0   2C()\nseat 1   2D()\nseat 2   2H() 3H(0)\nseat 3   2S()")


@pytest.mark.parametrize("move", ["swap 0", "swap 0 declare=2", "swap 0 declare=9"])
def test_everyone_knows_a_card_that_was_swapped_in(move: str) -> None:
    """V3: it was turned up for all to see; who knew the card that came out knows nothing more of that slot."""
    game = position("""
        pile: 5C 6C …
        > seat 0   2C(023) 3C(0)
          seat 1   3D
          seat 2   3H
          seat 3   3S
    """)
    play(game, "draw", move)
    assert_position(game, f"> seat 0   5C(all) 3C(0) {'6C()' if '9' in move else ''}")


def test_what_is_known_of_two_cards_goes_with_them_when_they_are_exchanged() -> None:
    """V1: a Jack exchanges them unseen, but everyone sees which two."""
    game = position("""
        pile: JH …
        > seat 0   2C(0)
          seat 1   2D(1) 3D
          seat 2   2H(03) 3H
          seat 3   2S(all)
    """)
    play(game, *PLAYED, "exchange a=1,0 b=2,0")
    assert_position(game, "> seat 0   2C(0)\nseat 1   2H(03) 3D()\nseat 2   2D(1) 3H()\nseat 3   2S(all)")


def test_one_who_knew_neither_card_of_a_jack_knows_neither_afterwards() -> None:
    """V1: unseen, even by the player of the Jack."""
    game = position("""
        pile: JH …
        > seat 0   2C(0)
          seat 1   2D
          seat 2   2H
          seat 3   2S(all)
    """)
    assert_position(play(game.copy(), *PLAYED, "exchange a=1,0 b=2,0"), "seat 1   2H()\nseat 2   2D()")
    assert_position(play(game, *PLAYED, "exchange a=0,0 b=3,0"), "> seat 0   2S(all)\nseat 3   2C(0)")


@pytest.mark.parametrize("move", ["exchange", "leave"])
def test_a_queen_looks_at_two_cards_and_knows_them_wherever_they_go(move: str) -> None:
    """V1: and what others know of them goes with them, too."""
    game = position("""
        pile: QH …
        > seat 0   2C
          seat 1   2D(1) 3D
          seat 2   2H 3H
          seat 3   2S(3)
    """)
    play(game, *PLAYED, "look2 1,0 2,1")
    assert_position(game, "> seat 0   2C()\nseat 1   2D(01) 3D()\nseat 2   2H() 3H(0)\nseat 3   2S(3)")
    play(game, move)
    after = {
        "exchange": "seat 1   3H(0) 3D()\nseat 2   2H() 2D(01)",
        "leave": "seat 1   2D(01) 3D()\nseat 2   2H() 3H(0)",
    }
    assert_position(game, f"{after[move]}\nseat 3   2S(3)")


def test_everyone_has_seen_a_card_that_was_tossed_in_wrong() -> None:
    """V6: and nobody the penalty card."""
    game = position("""
        pile: 5H 6C …
        > seat 0   2C
          seat 1   2D(2) 3D(1)
          seat 2   2H
          seat 3   2S
    """)
    assert_position(play(game, "draw", "play", "1: toss 0"), "seat 1   2D(all) 3D(1) 6C()")


@pytest.mark.parametrize("of", [0, 1])
def test_everyone_has_seen_a_card_that_a_king_declared_wrong(of: int) -> None:
    """V8: and nobody the penalty card."""
    game = position("""
        pile: KH 6C …
        > seat 0   2C
          seat 1   2D
          seat 2   2H
          seat 3   2S
    """)
    play(game, *PLAYED, f"declare {of},0 9")
    known = ["()", "()"]
    known[of] = "(all)"
    assert_position(game, f"> seat 0   2C{known[0]} 6C()\nseat 1   2D{known[1]}")


def test_nobody_has_seen_a_card_that_an_ace_gave() -> None:
    """V1: unseen."""
    game = position("""
        pile: AH 6C …
        > seat 0   2C
          seat 1   2D
          seat 2   2H
          seat 3   2S
    """)
    assert_position(play(game, *PLAYED, "give 2"), "seat 2   2H() 6C()")


def test_what_was_known_of_a_slot_is_gone_with_its_card() -> None:
    """V2.1: a card that joins the row takes the gap, and nobody has seen it."""
    game = position("""
        pile: AH 6C 6D …
        > seat 0   2C
          seat 1   AD(all) 2D(1)
          seat 2   2H(2) AC(12)
          seat 3   2S
    """)
    play(game, "draw", "play", "1: toss 0", "1: pass", "2: toss 1")
    assert_position(game, "seat 2   2H(2) --")
    assert game.state.known[2, 1] == 0
    play(game, "all pass", "0: give 0", "1: give 1")
    assert_position(game, "seat 1   6D() 2D(1)")


def test_what_was_known_of_a_card_is_gone_when_a_king_declared_it() -> None:
    """V8: the slot is a gap, until another card takes it."""
    game = position("""
        pile: KH 6C …
        > seat 0   2C
          seat 1   AD(013) 2D(1)
          seat 2   2H
          seat 3   2S
    """)
    assert_position(play(game, *PLAYED, "declare 1,0 A", "all pass", "give 1"), "seat 1   6C() 2D(1)")


def test_a_known_card_that_comes_back_from_a_renewed_pile_is_not_known_any_more() -> None:
    """V8.1: 6D was known to seat 1; now it is one of the cards that were shuffled."""
    game = position("""
        pile: 5C AC   discards: 6C 6H
        > seat 0   6S
          seat 1   6D(13) 2D
          seat 2   2H
          seat 3   …
    """)
    play(game, "draw", "swap 0", "1: toss 0", "all pass", "end")
    play(game, *PLAYED, "give 2", "renew 6D …")
    assert_position(game, "discards: AC\nseat 2   2H() 6D()")


# --- the final round --------------------------------------------------------------------------------------------------

BEFORE_VINTO = """
    pile: 5C 9H 6C QH 6D …
    > seat 0   2C(0) 3C(2)
      seat 1   2D(1) 3D
      seat 2   2H(0) 3H(03) 4H(all)
      seat 3   2S(3) 3S(12) 4S(13)
"""


def test_in_the_final_round_the_coalition_knows_what_any_of_them_knows() -> None:
    """V9.2: their knowledge is pooled: of all rows, the caller's included; the caller's is not, nor is it widened."""
    game = play(position(BEFORE_VINTO), *PLAYED, "vinto")
    assert_position(
        game,
        """
          seat 0 (vinto)   2C(0) 3C(123)
        > seat 1           2D(123) 3D()
          seat 2           2H(0) 3H(0123) 4H(all)
          seat 3           2S(123) 3S(123) 4S(123)
        """,
    )


def test_what_one_looks_at_in_the_final_round_all_of_the_coalition_know() -> None:
    """V9.2: each is shown what the others know; the caller is not. Those who watch see no more than before."""
    game = play(position(BEFORE_VINTO), *PLAYED, "vinto", *PLAYED, "1: look 2,0")
    assert_position(game, "seat 2   2H(0123) 3H(0123) 4H(all)")
    play(game, "end", *PLAYED, "2: end", *PLAYED, "3: look2 1,1 2,0")
    assert_position(game, "seat 1   2D(123) 3D(123)\nseat 2   2H(0123) 3H(0123) 4H(all)")


def test_a_seven_in_the_final_round() -> None:
    """V9.2: what one sees of one's own cards all of the coalition know."""
    game = position("""
        pile: 7C …
        > seat 0           2C 3C
          seat 1           2D
          seat 2           2H
          seat 3 (vinto)   2S(3)
    """)
    assert_position(play(game, *PLAYED, "look 0,1"), "> seat 0   2C() 3C(012)\nseat 3 (vinto)   2S(3)")


def test_in_the_final_round_a_wrong_toss_is_seen_by_everyone_and_a_penalty_card_by_nobody() -> None:
    """V9.2, V6: what lies open for a moment the caller sees as well."""
    game = position("""
        pile: 5C 6C …
        > seat 0           2C
          seat 1           2D
          seat 2           2H
          seat 3 (vinto)   2S(3)
    """)
    assert_position(play(game, "draw", "play", "1: toss 0"), "seat 1   2D(all) 6C()")


def test_when_the_round_is_scored_everyone_knows_every_card() -> None:
    """V10: all cards are turned up."""
    game = position(
        """
        pile: 5C …
        > seat 0           2C -- 3C
          seat 1 (vinto)   2D
          seat 2           –
          seat 3           2S(3)
        """,
        rounds=1,
    )
    play(game, *PLAYED, "end")
    assert_position(game, "> seat 0   2C(all) -- 3C(all)\nseat 1 (vinto)   2D(all)\nseat 2   –\nseat 3   2S(all)")
    for viewer in VIEWERS:
        assert seen(game, viewer) == shown(game, viewer) == ["2C -- 3C", "2D", "", "2S"]


def test_in_the_next_round_nobody_knows_anything() -> None:
    """V2: all is dealt anew, face down."""
    game = position(
        """
        pile: 5C …
        > seat 0           2C(0) 3C(all)
          seat 1 (vinto)   2D
          seat 2           –
          seat 3           2S(3)
        """,
        rounds=2,
    )
    play(game, *PLAYED, "end")
    game.go_on_with("next round")
    for viewer in VIEWERS:
        assert seen(game, viewer) == ["? ? ? ? ?"] * 4


# --- what a seat sees -------------------------------------------------------------------------------------------------

SECRETS = """
    pile: 5C …   discards: 6C 6D*
    > seat 0   2C(0) 3C
      seat 1   2D(1) -- 3D(01)
      seat 2   2H 3H(all)
      seat 3   2S(012)
"""


@pytest.mark.parametrize(
    ("viewer", "what"),
    [
        (0, ["2C ?", "? -- 3D", "? 3H", "2S"]),
        (1, ["? ?", "2D -- 3D", "? 3H", "2S"]),
        (2, ["? ?", "? -- ?", "? 3H", "2S"]),
        (3, ["? ?", "? -- ?", "? 3H", "?"]),
        (NOBODY, ["? ?", "? -- ?", "? 3H", "?"]),
    ],
)
def test_a_seat_sees_what_it_knows_and_nothing_else(viewer: int, what: list[str]) -> None:
    """Hidden: face-down cards, even from their owner, except as looked at; that there is a card is not hidden."""
    assert seen(position(SECRETS), viewer) == what


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_draw_pile_is_hidden_and_what_lies_face_up_is_not(viewer: int) -> None:
    """Hidden: the draw pile; how many cards it has, the discard pile and the card that was turned up are public."""
    game = play(position(SECRETS), "draw")
    for s in (game.seen(viewer), game.box.shown(game.state, viewer)):
        assert (s.deck == NONE).all()
        assert s.left == game.state.left == 54 - 3 - 7
        assert [CARD_NAMES[card] for card in s.discard_pile[: s.discards]] == ["6C", "6D"]
        assert CARD_NAMES[s.drawn] == "5C"


OTHER_SECRETS = """
    pile: 7C 8C …   discards: 6C 6D*
    > seat 0   2C(0) KC
      seat 1   AD(1) -- 3D(01)
      seat 2   QH 3H(all)
      seat 3   2S(012)
"""


def test_positions_that_differ_in_unseen_cards_alone_are_the_same_to_a_seat() -> None:
    """Hidden: by any means. Seat 1 knows one of the cards that differ."""
    one, two = position(SECRETS), position(OTHER_SECRETS)
    assert one != two
    for viewer in (0, 2, 3, NOBODY):
        assert one.seen(viewer).tobytes() == two.seen(viewer).tobytes()
    for viewer in (0, 2, 3):
        assert one.observation(viewer).tobytes() == two.observation(viewer).tobytes()
    assert one.seen(1).tobytes() != two.seen(1).tobytes()
    assert one.observation(1).tobytes() != two.observation(1).tobytes()


@pytest.mark.parametrize(("players", "king"), [(4, "declare"), (5, "wild")])
def test_all_through_a_game_a_seat_sees_the_cards_it_has_seen(players: int, king: str) -> None:
    """Hidden: of every row exactly the cards that it came to know; gaps and the width of a row are public."""
    game = brocante.deal("vinto", players=players, king=king, rounds=2, seed="secrets")
    choices = Random("secrets")
    while not game.is_over:
        s = game.state
        for viewer, bit in [*((seat, seat) for seat in range(players)), (NOBODY, SPECTATOR)]:
            known = (s.known >> bit & 1).astype(bool)
            now = game.seen(viewer)
            assert (now.row[known] == s.row[known]).all()
            assert (now.row[~known & (s.row != GAP)] <= UNSEEN).all()
            assert (now.row[s.row == GAP] == GAP).all()
        game.play(choices.choice(game.legal_moves))


# --- redeals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "king", "memory_aid"), [(4, "declare", False), (5, "wild", True)])
def test_nobody_ever_sees_what_is_hidden(players: int, king: str, memory_aid: bool) -> None:
    """Hidden: all through a game, it looks the same to a seat when all that it does not know is dealt anew: to one who
    remembers everything, and to one who knows what the table shows."""
    game = brocante.deal("vinto", players=players, king=king, memory_aid=memory_aid, rounds=2, seed="redeal")
    choices, rng = Random("redeal"), generator("redeal")
    while not game.is_over:
        viewer = choices.randrange(players)
        other = game.redeal(viewer, rng)
        check_state(other)
        assert game.seen(viewer).tobytes() == other.seen(viewer).tobytes()
        assert game.observation(viewer).tobytes() == other.observation(viewer).tobytes()
        from_shown = game.redeal(viewer, rng, from_shown=True)
        check_state(from_shown)
        assert shown(game, viewer) == shown(from_shown, viewer)
        assert game.box.shown(game.state, viewer).tobytes() == game.box.shown(from_shown.state, viewer).tobytes()
        game.play(choices.choice(game.legal_moves))


def test_a_redeal_keeps_what_is_known() -> None:
    """Hidden: what one has seen stays where it is."""
    game, rng = position(SECRETS), generator("keep")
    for _ in range(50):
        other = game.redeal(1, rng)
        assert row(other.state, 1) == ["2D", "--", "3D"]
        assert row(other.state, 2)[1] == "3H"
        assert row(other.state, 3) == ["2S"]
        assert other.state.known.tolist() == game.state.known.tolist()


def test_what_is_hidden_may_be_any_of_what_was_not_seen() -> None:
    """Hidden: dealt anew, the first card of seat 0 is any of the 48 that seat 1 has not seen, each about as often."""
    game, rng = position(SECRETS), generator("unseen")
    unseen = {*deck(game), "2C", "3C", "2H"}
    assert len(unseen) == 54 - 2 - 4
    found = Counter(row(game.redeal(1, rng).state, 0)[0] for _ in range(1920))
    assert {*found} == unseen
    assert all(15 < n < 75 for n in found.values())


def test_all_ways_of_dealing_what_is_hidden_are_equally_likely() -> None:
    """Hidden: two cards of a row and two of the draw pile, in all 24 orders."""
    game = position("""
        pile: 5C 5D   discards: … 6C
        > seat 0   5H 2C(1)
          seat 1   5S 2D(all)
          seat 2   –
          seat 3   –
    """)
    rng, found = generator("orders"), Counter[tuple[str, ...]]()
    for _ in range(2400):
        other = game.redeal(1, rng)
        found[(row(other.state, 0)[0], row(other.state, 1)[0], *deck(other))] += 1
    assert {*found} == {*permutations(["5C", "5D", "5H", "5S"])}
    assert all(60 < n < 145 for n in found.values())


# --- redeals and renewals ---------------------------------------------------------------------------------------------

#: After it three cards are shuffled into a new draw pile, one of which seat 0 takes for a penalty.
TO_BE_RENEWED = """
    pile: 5C   discards: 6C 6D 6H
    > seat 0   2C 3C
      seat 1   2D JC
      seat 2   2H 3H
      seat 3   2S …
"""


def renewed() -> Game:
    game = play(position(TO_BE_RENEWED), "draw", "swap 0 declare=9", "renew 6D 6H 6C")
    assert_position(game, "renewals: 1   pile: 6H 6C   discards: 2C*\n> seat 0   5C(all) 3C() 6D()")
    return game


def test_of_an_unseen_card_one_knows_which_pile_it_came_from() -> None:
    """V8.1: everyone saw which cards were shuffled, and who took one of them."""
    game = renewed()
    for viewer in VIEWERS:
        s = game.seen(viewer)
        assert s.row[0, 1] == s.row[1, 0] == s.row[3, 5] == UNSEEN
        assert s.row[0, 2] == UNSEEN - 1


@pytest.mark.parametrize("viewer", [0, 1, 3])
def test_a_card_taken_from_a_renewed_pile_is_always_one_of_those_that_were_shuffled(viewer: int) -> None:
    """V8.1: each as often; and what lay in a row before the renewal is none of them."""
    game, rng = renewed(), generator("renewed")
    shuffled = {"6C", "6D", "6H"}
    taken: Counter[str] = Counter()
    for _ in range(300):
        other = game.redeal(viewer, rng)
        check_state(other)
        taken[row(other.state, 0)[2]] += 1
        assert {row(other.state, 0)[2], *deck(other)} == shuffled
        others = [row(other.state, 0)[1], *(card for seat in (1, 2, 3) for card in row(other.state, seat))]
        assert not shuffled & {*others}
    assert {*taken} == shuffled
    assert all(65 < n < 135 for n in taken.values())


def test_cards_that_lay_in_rows_before_a_renewal_are_dealt_among_those_rows() -> None:
    """V8.1: each of them as often."""
    game, rng = renewed(), generator("rows")
    before = {"3C", *(card for seat in (1, 2, 3) for card in row(game.state, seat))}
    found = Counter(row(game.redeal(1, rng).state, 0)[1] for _ in range(40 * len(before)))
    assert {*found} == before
    assert all(15 < n < 75 for n in found.values())


def test_when_such_a_card_is_exchanged_one_still_knows_which_pile_it_came_from() -> None:
    """V8.1, V1: everyone sees which two cards change places."""
    game, rng = play(renewed(), "all pass", "end"), generator("exchanged")
    play(game, "draw", "swap 1 declare=J", "all pass", "exchange a=0,2 b=2,0")
    assert_position(game, "pile: 6C   discards: 2C JC\nseat 0   5C 3C 2H()\nseat 2   6D() 3H()")
    for _ in range(100):
        other = game.redeal(3, rng)
        assert {row(other.state, 2)[0], *deck(other)} == {"6D", "6C"}
        assert row(other.state, 0)[2] not in ("6D", "6C")


def test_after_a_second_renewal_three_generations_are_kept_apart() -> None:
    """V8.1: what was dealt, what came from the first new pile, what comes from the second."""
    game = play(renewed(), "all pass", "end")
    assert_position(game, "pile: 6H 6C   discards: 2C*")
    play(game, "draw", "swap 0", "all pass", "end")
    assert_position(game, "pile: 6C   discards: 2C 2D*\nseat 1   6H(all) JC()")
    play(game, "draw", "swap 0 declare=9", "renew 2D 2C")
    assert_position(game, "renewals: 2   pile: 2C   discards: 2H*\n> seat 2   6C(all) 3H() 2D()\nseat 0   5C 3C 6D()")
    rng = generator("generations")
    found: Counter[str] = Counter()
    for _ in range(200):
        other = game.redeal(3, rng)
        check_state(other)
        assert row(other.state, 0)[2] == "6D", "the last one of the first new pile that nobody has seen"
        assert {row(other.state, 2)[2], *deck(other)} == {"2C", "2D"}
        found[row(other.state, 2)[2]] += 1
        assert {row(other.state, 1)[1], row(other.state, 2)[1]} & {"2C", "2D", "6D"} == set()
    assert 65 < found["2D"] < 135


# --- what a seat observes ---------------------------------------------------------------------------------------------


def test_an_observation_has_a_few_hundred_numbers() -> None:
    """Not one for every slot that a row could have."""
    assert len(flat(brocante.deal("vinto", players=5, seed=1).observation(0))) < 700


def test_a_seat_observes_the_cards_that_it_knows_and_who_else_knows_them() -> None:
    """Hidden: the rows from its own on, clockwise; a gap and an unknown card have no rank."""
    observed = position(SECRETS).observation(1)
    assert observed.card.sum(axis=1).tolist() == [2, 2, 1, 2, 0]
    assert observed.card[0, :4].tolist() == [1, 0, 1, 0]
    ranks = [[round(14 * rank) for rank in row[:3]] for row in observed.rank.tolist()]
    assert ranks == [[2, 0, 3], [0, 3, 0], [2, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert observed.known_by[0, 2].tolist() == [1, 0, 0, 1, 0], "seats 1 and 0"
    assert observed.known_by[1, 1].tolist() == [1, 1, 1, 1, 0], "everyone, but not the empty chair"
    assert observed.known_by[3, 1].tolist() == [0, 0, 0, 0, 0]
    assert observed.known_cards.sum(axis=1).tolist() == [0.5, 0.25, 0.25, 0, 0]
    assert observed.known_cards[0, 1:3].tolist() == [0.25, 0.25]


def test_a_seat_observes_which_unseen_cards_were_shuffled_lately() -> None:
    """V8.1: of the sixes one is in a row, one knows which, and two are in the renewed deck."""
    observed = renewed().observation(1)
    six = 5
    assert observed.lately_shuffled[3, :3].tolist() == [0, 0, 1]
    assert observed.unseen_lately_shuffled[six] == 0.75
    assert observed.unseen_shuffled_before[six] == 0.25
    assert observed.unseen_lately_shuffled.sum() == 0.75


#: Seat 1 has more cards than there are slots observed; those beyond are the two queens.
LONG_ROW = """
    pile: JC 5C …
    > seat 0   2C 3C
      seat 1   4C 4D 4H 4S 6C 6D 6H 6S QC(01) QD
      seat 2   2H
      seat 3   2S
"""


def test_beyond_the_slots_that_are_observed_a_seat_observes_counts() -> None:
    """How many cards there are, those that it knows by rank, and how many their owner knows."""
    one, two = position(LONG_ROW), position(LONG_ROW.replace("QC(01) QD", "KC(01) QD"))
    queen, king = 11, 12
    assert one.observation(0).card[1].sum() == SLOTS_SEEN == 8
    assert one.observation(0).cards[1] == 1
    assert one.observation(0).known_cards[1, queen] == two.observation(0).known_cards[1, king] == 0.25
    assert one.observation(0).known_to_owner[1] == pytest.approx(0.1)
    assert one.observation(0).tobytes() != two.observation(0).tobytes()
    assert one.observation(2).tobytes() == two.observation(2).tobytes(), "seat 2 does not know the card"


@pytest.mark.parametrize(("slot", "observed_at"), [(0, 0), (7, 7), (8, 8), (9, 8)])
def test_a_seat_observes_which_card_was_pointed_at(slot: int, observed_at: int) -> None:
    """V7: for the first half of a move; the cards beyond share a number."""
    game = play(position(LONG_ROW), *PLAYED)
    rules.apply(game.state, rules.Action.AT + rules.SLOTS + slot)
    for viewer, place in ((0, 1), (1, 0), (2, 3)):
        observed = game.observation(viewer).pointed_at
        assert observed.sum() == observed[place, observed_at] == 1


def test_both_cards_of_a_queen_are_pointed_at() -> None:
    """V1: until they are exchanged or left."""
    game = play(position(LONG_ROW.replace("JC", "QH")), *PLAYED, "look2 0,1 1,3")
    observed = game.observation(0).pointed_at
    assert observed.sum() == 2
    assert observed[0, 1] == observed[1, 3] == 1
    assert play(game, "leave").observation(0).pointed_at.sum() == 0


def test_a_seat_observes_the_next_actions_and_how_many_wait_after_them() -> None:
    """V5: the next four with their ranks."""
    game = position("""
        pile: 5C …   acting: 7C   waits: 7D:1 8C:2 9C:3 AC:1 AD:3 8D:3
        > seat 0   2C
          seat 1   2D
          seat 2   2H
          seat 3   2S
    """)
    observed = game.observation(2)
    assert [round(14 * rank) for rank in observed.waiting_rank.tolist()] == [7, 8, 9, 1]
    assert observed.waiting_for.argmax(axis=1).tolist() == [3, 0, 1, 3]
    assert observed.waiting_later.tolist() == pytest.approx([0, 0.2, 0, 0, 0])


# --- what waits -------------------------------------------------------------------------------------------------------

#: Everyone has a 7, which they have not seen, but for seat 3.
SEVENS = """
    pile: 7H 6C 6D …
    > seat 0   2C 3C
      seat 1   7C 2D
      seat 2   7D 2H 3H
      seat 3   7S(3) 2S
"""


def facts(s: Any) -> list[Any]:
    """What is carried out, what waits and for whom, as a state has it."""
    return [int(s.acting), s.waiting.tolist(), s.waiting_for.tolist(), int(s.waits)]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_everyone_sees_what_waits_and_for_whom(viewer: int) -> None:
    """V5: the cards were placed face up, one after the other."""
    game = play(position(SEVENS), "draw", "play", "1: toss 0", "1: pass", "2: toss 0")
    assert_position(game, "waits: 7H:0 7C:1 7D:2")
    for _ in range(2):
        assert facts(game.seen(viewer)) == facts(game.box.shown(game.state, viewer)) == facts(game.state)
        if game.actor == 2:
            play(game, "all pass")
    assert_position(game, "acting: 7H   waits: 7C:1 7D:2")


@pytest.mark.parametrize(("players", "king"), [(4, "declare"), (5, "wild")])
def test_what_waits_tells_nobody_what_is_hidden(players: int, king: str) -> None:
    """V5, hidden: in games in which whoever can toss in a card that matches does, it looks the same to everyone when
    all that they do not know is dealt anew, and the same actions wait."""
    game = brocante.deal("vinto", players=players, king=king, rounds=3, max_turns=60, seed="waiting")
    choices, rng = Random("waiting"), generator("waiting")
    most = 0
    while not game.is_over:
        most = max(most, int(game.state.waits))
        if game.state.waits:
            for viewer in range(players):
                for look, from_shown in ((game.box.seen, False), (game.box.shown, True)):
                    other = game.redeal(viewer, rng, from_shown=from_shown)
                    check_state(other)
                    assert facts(other.state) == facts(game.state)
                    assert look(other.state, viewer).tobytes() == look(game.state, viewer).tobytes()
        tosses = [move for move in game.legal_moves if isinstance(move, Toss) and matches(game, move)]
        game.play(choices.choice(tosses or [move for move in game.legal_moves if not isinstance(move, Vinto)]))
    assert most > 2


def matches(game: Game, toss: Toss) -> bool:
    s = game.state
    return bool(rules.rank_of(s.row[toss.seat, toss.slot]) == rules.rank_of(rules.top_of_pile(s)))


def test_a_card_that_waits_may_lie_anywhere_once_it_was_shuffled() -> None:
    """V8.1: of the second ace, which still waits, nobody knows whether seat 0 took it from the new pile."""
    game = position("""
        pile: AC   discards: 6C
        > seat 0   2C
          seat 1   AD 2D
          seat 2   AH 2H
          seat 3   …
    """)
    play(game, "draw", "play", "1: toss 0", "1: pass", "2: toss 0", "all pass", "0: give 0", "renew AD AC 6C")
    assert_position(game, "acting: AD   waits: AH:2   pile: AC 6C\n> seat 0   2C AD()")
    rng, taken = generator("shuffled"), Counter[str]()
    for _ in range(300):
        other = game.redeal(1, rng)
        check_state(other)
        assert facts(other.state) == facts(game.state)
        taken[row(other.state, 0)[1]] += 1
    assert {*taken} == {"AC", "AD", "6C"}
    assert all(65 < n < 135 for n in taken.values())


# --- at a live table, where all decide at the same time ---------------------------------------------------------------


def set_aside(game: Game, seat: int, *slots: int) -> Game:
    """The game as a seat finds it that has decided to toss in these cards."""
    return game.deciding_as(seat, [{"move": "toss", "slot": slot} for slot in slots])


def test_a_card_that_was_set_aside_has_left_the_row_and_others_may_follow() -> None:
    """V6.2: each tosses as many cards as they like; the game itself goes on only when all have decided."""
    game = play(position(SEVENS), "draw", "play")
    before = game.copy()
    other = set_aside(game, 2, 1)
    assert row(other.state, 2) == ["7D", "--", "3H"]
    assert [str(move) for move in other.legal_moves] == ["pass", "toss 0", "toss 2"]
    assert [str(move) for move in set_aside(game, 2, 1, 0, 2).legal_moves] == ["pass"]
    assert game == before


@pytest.mark.parametrize("seat", [1, 2, 3])
@pytest.mark.parametrize("memory_aid", [False, True])
def test_whether_a_toss_is_right_nobody_knows_before_all_have_decided(seat: int, memory_aid: bool) -> None:
    """V6.2, hidden: with other cards in all places that one is not shown, of which some would be right and some wrong,
    it looks the same when a card was set aside, and the same moves are possible."""
    drawing = SEVENS.replace("7S(3)", "7S")
    game, rng = play(position(drawing, memory_aid=memory_aid), "draw", "play"), generator("aside")
    looks, right = set(), set()
    for slots in ((0,), (0, 1)):
        for from_shown in (False, True):
            for number in range(60):
                other = game.redeal(seat, rng, from_shown=from_shown) if number else game
                right.add(matches(other, Toss(seat, 0)))
                after = set_aside(other, seat, *slots)
                seen_and_shown = after.seen(seat).tobytes(), after.box.shown(after.state, seat).tobytes()
                view = after.view(seat).encoded(language("en"))
                looks.add((*seen_and_shown, after.observation(seat).tobytes(), view))
    assert right == {False, True}
    assert len(looks) == 2, "one for each number of cards that were set aside"


def test_what_a_person_is_shown_of_a_card_set_aside_tells_nothing_even_if_they_had_seen_it() -> None:
    """V6.2, hidden: they must remember it."""
    right, wrong = (
        play(position(drawing), "draw", "play") for drawing in (SEVENS, SEVENS.replace("7S(3) 2S", "4S(3) 2S"))
    )
    assert set_aside(right, 3, 0).view(3) == set_aside(wrong, 3, 0).view(3)


# --- what a person is shown -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_person_must_remember_what_they_have_seen(viewer: int) -> None:
    """Hidden: a person is shown a card when they look, and must remember it, even one that everyone saw."""
    game = position(SECRETS)
    assert shown(game, viewer) == all_hidden(game) == ["? ?", "? -- ?", "? ?", "?"]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_with_the_memory_aid_they_are_shown_what_they_know(viewer: int) -> None:
    """Hidden: option `memory_aid` keeps showing what they know."""
    game = position(SECRETS, memory_aid=True)
    assert shown(game, viewer) == seen(game, viewer) != all_hidden(game)
    assert game.box.shown(game.state, viewer).tobytes() == game.seen(viewer).tobytes()


def test_the_memory_aid_is_off_unless_one_chooses_otherwise() -> None:
    """Hidden: option `memory_aid`, default off."""
    assert brocante.deal("vinto", seed=1).options["memory_aid"] is False


@pytest.mark.parametrize("viewer", [0, 1, 2, 3])
def test_bots_may_remember_everything_they_saw(viewer: int) -> None:
    """Hidden: with the memory aid or without."""
    with_it, without = position(SECRETS, memory_aid=True), position(SECRETS)
    assert seen(with_it, viewer) == seen(without, viewer)
    assert with_it.observation(viewer).tobytes() == without.observation(viewer).tobytes()


@pytest.mark.parametrize("viewer", VIEWERS)
def test_after_a_look_it_is_to_be_remembered(viewer: int) -> None:
    """Hidden: at the peeks and with a 7 the card lies face down again at once."""
    game = brocante.deal("vinto", seed=1)
    play(game, "peek 0,1")
    assert shown(game, viewer) == ["? ? ? ? ?"] * 4
    game = position(SECRETS.replace("pile: 5C", "pile: 7C"))
    play(game, *PLAYED, "look 0,1")
    assert shown(game, viewer) == all_hidden(game)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_while_a_queen_decides_its_player_is_shown_the_two_cards(viewer: int) -> None:
    """V1: look at any two cards, then exchange them if you want; they lie open before that player until then."""
    game = position(SECRETS.replace("pile: 5C", "pile: QC"))
    play(game, *PLAYED)
    assert shown(game, viewer) == all_hidden(game)
    play(game, "look2 1,2 2,0")
    assert shown(game, viewer) == (["? ?", "? -- 3D", "2H ?", "?"] if viewer == 0 else all_hidden(game))
    for move in ("exchange", "leave"):
        assert shown(play(game.copy(), move), viewer) == all_hidden(game)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_in_the_final_round_the_coalition_is_shown_what_they_know_together_and_nobody_else(viewer: int) -> None:
    """V9.2: each is shown what the others know about face-down cards; not so the caller, nor those who watch."""
    game = play(position(BEFORE_VINTO), *PLAYED, "vinto")
    pool = ["? 3C", "2D ?", "? 3H 4H", "2S 3S 4S"]
    assert shown(game, viewer) == (pool if viewer in (1, 2, 3) else all_hidden(game))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_in_the_final_round_the_caller_sees_what_they_knew_with_the_memory_aid(viewer: int) -> None:
    """V9.2, option `memory_aid`: and no more."""
    game = play(position(BEFORE_VINTO, memory_aid=True), *PLAYED, "vinto")
    assert shown(game, viewer) == seen(game, viewer)
    assert seen(game, 0) == ["2C ?", "? ?", "2H 3H 4H", "? ? ?"]
    assert seen(game, NOBODY) == ["? ?", "? ?", "? ? 4H", "? ? ?"]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_queen_in_the_final_round_is_seen_by_the_coalition(viewer: int) -> None:
    """V9.2: the caller is shown nothing."""
    game = position("""
        pile: QC …
        > seat 0           2C 3C
          seat 1           2D
          seat 2           2H
          seat 3 (vinto)   2S(3)
    """)
    play(game, *PLAYED, "look2 0,1 1,0")
    assert shown(game, viewer) == (["? 3C", "2D", "?", "?"] if viewer in (0, 1, 2) else all_hidden(game))


def test_what_a_person_is_shown_tells_nothing_of_what_they_have_seen() -> None:
    """Hidden: with other cards in the places that they must remember the table looks the same."""
    other = SECRETS.replace("2C(0)", "9C(0)").replace("3D(01)", "KD(01)").replace("3H(all)", "AH(all)")
    one, two = position(SECRETS), position(other)
    for viewer in VIEWERS:
        assert one.box.shown(one.state, viewer).tobytes() == two.box.shown(two.state, viewer).tobytes()
        assert one.seen(viewer).tobytes() != two.seen(viewer).tobytes()
