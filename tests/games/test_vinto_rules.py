"""The rules of Vinto, clause by clause.

Each test plays a few moves from a position drawn as text; vinto_positions.py tells how to read the drawings. Who knows
which card is for test_vinto_knowledge.py.
"""

import json
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import Any

import pytest

import brocante
from brocante import CHANCE, NOBODY, Game, IllegalMove, Move, Replay, UsageError
from brocante.engine.text import read_catalogue
from brocante.games.vinto import rules
from brocante.games.vinto.chance_lines import CARD_NAMES, TIME
from brocante.games.vinto.moves import RANKS
from brocante.games.vinto.rules import Action
from tests.games.playing import assert_refused, played_to_the_end, spoken
from tests.games.vinto_positions import (
    PLAYED,
    asked,
    assert_position,
    check_state,
    deck,
    legal,
    play,
    position,
    row,
)

VALUES = {"A": 1, **{str(n): n for n in range(2, 11)}, "J": 10, "Q": 10, "K": 0, "X": -1}
#: What each rank makes the player do; the others have no action.
ACTIONS = {
    "7": "look own",
    "8": "look own",
    "9": "look other",
    "10": "look other",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "A": "ace",
}
#: Rows in which nothing has an action, and each seat has a 2, a 3 and a 4.
ROWS = """
    > seat 0   2C 3C 4C
      seat 1   2D 3D 4D
      seat 2   2H 3H 4H
      seat 3   2S 3S 4S
"""
#: Everyone but the player on turn, who will draw one, has a 7.
SEVENS = """
    pile: 7H 6C 6D …
    > seat 0   2C 3C
      seat 1   7C 2D
      seat 2   7D 2H 3H
      seat 3   7S 2S
"""
#: A turn in which a 5 or a 6, which have no action, is drawn and played, and nobody tosses in.
A_TURN = (*PLAYED, "end")


def table(centre: str, **options: Any) -> Game:
    """It is seat 0's turn; each of the four players has a 2, a 3 and a 4."""
    return position(f"{centre}\n{ROWS}", **options)


def a_card(rank: str) -> str:
    """The last card of a rank."""
    return [card for card in CARD_NAMES if card[:-1] == rank][-1]


#: Why something is refused: by the name of the reason in the catalogue, what is said, or the clause that is named.
REASONS = {
    "why.nothing_to_draw": "(V8.1)",
    "why.nothing_to_take": "(V4)",
    "why.no_pass": "(V8.1)",
    "why.called": "(V9)",
    "why.gap": "(V2.1)",
    "why.no_such_seat": "there is no seat",
    "why.caller": "(V9.1)",
    "why.two_cards": "(V2, V7)",
    "why.own_card": "(V1)",
    "why.others_card": "(V1)",
    "why.those_two": "(V7)",
    "why.which_two": "(V7)",
    "why.not_to_be_named": "A, 7, 8, 9, 10, J and Q (V8)",
    "why.step.peek": "(V2)",
    "why.step.turn": "(V3, V4)",
    "why.step.drawn": "(V3)",
    "why.step.look_own": "(V1)",
    "why.step.look_other": "(V1)",
    "why.step.jack": "(V1, V7)",
    "why.step.queen": "(V1, V7)",
    "why.step.queen_looked": "(V7)",
    "why.step.king": "(V8)",
    "why.step.king_wild": "(V8)",
    "why.step.ace": "(V1)",
    "why.step.window": "(V6)",
    "why.step.end": "(V5, V9)",
    "setup.only": "(V2)",
    "setup.shape": "(V2)",
    "setup.left": "(V2)",
    "setup.hands": "(V2)",
    "setup.hand": "(V2)",
    "setup.cards.surplus": "(V1)",
    "setup.cards.lacking": "(V1)",
    "renewal.only": "(V8.1)",
    "renewal.shape": "(V8.1)",
    "renewal.chance": "(V8.1)",
    "renewal.cards.surplus": "(V8.1)",
    "renewal.cards.lacking": "(V8.1)",
    "event.unknown": "(V11)",
    "event.no_minutes": "(V11)",
    "event.not_now": "(V11)",
}


def refused(game: Game, move: str, why: str) -> None:
    """That a move is refused for this reason, and leaves the game as it was."""
    is_refused(game, lambda: game.play(spoken(game, move)), f"why.{why}")


def rejected(game: Game, line: dict[str, Any], why: str) -> None:
    """That a line of chance's is refused for this reason, and changes nothing."""
    is_refused(game, lambda: game.chance(line), why)


def not_announced(game: Game, line: dict[str, Any], why: str) -> None:
    """That the table cannot write this line now, and that nothing changes."""
    is_refused(game, lambda: game.announce(line), f"event.{why}")


def is_refused(game: Game, attempt: Callable[[], None], reason: str) -> None:
    assert_refused(game, attempt, f"vinto.{reason}", REASONS[reason])


def setups(game: Game) -> list[dict[str, Any]]:
    """Copies of what the setup lines of the game's record hold, one a round."""
    found: list[dict[str, Any]] = json.loads(json.dumps([line["setup"] for line in game.lines() if "setup" in line]))
    return found


def after_peeks(game: Game) -> Game:
    """The game when everyone has looked at their first two cards."""
    while game.state.stage == rules.Stage.PEEK:
        play(game, "peek 0,1")
    return game


def after_actions(game: Game, *actions: int) -> Game:
    """The game when a move has been made one choice at a time."""
    other = game.copy()
    for action in actions:
        rules.apply(other.state, action)
    return other


def read_again(game: Game) -> Replay:
    """The game's record, written and read."""
    replay = Replay(brocante.box)
    for line in brocante.write_record(game).splitlines(keepends=True):
        replay.feed(line)
    return replay


def test_these_are_all_reasons_there_are() -> None:
    """Whatever the catalogue can say in a refusal is tested below."""
    reasons = [key for key in messages() if key.split(".")[0] in ("why", "setup", "renewal", "event")]
    assert sorted(reasons) == sorted(REASONS)


def messages() -> list[str]:
    """The keys of the catalogue, without the game's name."""
    folder = brocante.box("vinto").folder / "locale"
    return [key.removeprefix("vinto.") for key in read_catalogue(folder / "en.toml", "vinto")]


# --- V1: the cards ----------------------------------------------------------------------------------------------------


def test_there_are_52_cards_and_2_jokers() -> None:
    """V1: a 52-card deck and 2 jokers, written rank then suit."""
    (setup,) = setups(brocante.deal("vinto", seed=1))
    cards = sum(setup["hands"], setup["deck"])
    suited = {f"{rank}{suit}" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K") for suit in "CDHS"}
    assert len(cards) == 54
    assert {*cards} == suited | {"X1", "X2"}


@pytest.mark.parametrize(("players", "king"), [(4, "declare"), (5, "declare"), (4, "wild"), (5, "wild")])
def test_no_card_is_ever_lost(players: int, king: str) -> None:
    """V1: all through a game each card is in one place."""
    game = brocante.deal("vinto", players=players, king=king, rounds=1, seed="lost")
    choices = Random("lost")
    while not game.is_over:
        check_state(game)
        game.play(choices.choice(game.legal_moves))
    check_state(game)


@pytest.mark.parametrize("rank", RANKS)
def test_each_rank_has_its_value(rank: str) -> None:
    """V1: 2 to 10 count as written, J and Q 10, K 0, A 1, a joker −1."""
    game = position(f"""
        > seat 0   {a_card(rank)}
          seat 1   –
          seat 2   –
          seat 3   –
    """)
    assert rules.total(game.state, 0) == VALUES[rank]


def test_the_values_of_a_hand_add_up() -> None:
    """V1: a hand's total; a gap counts for nothing."""
    game = position("""
        > seat 0   10C -- X1 KD AH
          seat 1   –
          seat 2   QC JC
          seat 3   X2
    """)
    assert [int(rules.total(game.state, seat)) for seat in range(4)] == [10 - 1 + 0 + 1, 0, 20, -1]


@pytest.mark.parametrize("rank", RANKS)
def test_each_rank_has_its_action(rank: str) -> None:
    """V1: 7 and 8 look at one's own card, 9 and 10 at another's, J, Q, K and A have their own; V1.1: the ace, too. The
    others have none, and nothing but the end of the turn follows."""
    game = position(f"""
        pile: {a_card(rank)} …
        > seat 0   2C
          seat 1   2D
          seat 2   2H
          seat 3   3C
    """)
    play(game, *PLAYED)
    assert_position(game, f"step: {ACTIONS.get(rank, 'end')}   decides: 0")


@pytest.mark.parametrize("rank", RANKS)
def test_any_rank_may_be_declared(rank: str) -> None:
    """V1: A, 2 to 10, J, Q, K and X; with a swap and of a King's card."""
    game = play(table("pile: KD …"), "draw")
    assert game.is_legal(f"swap 0 declare={rank}")
    assert play(game, "play", "all pass").is_legal(f"declare 1,0 {rank}")


def test_no_other_rank_may_be_declared() -> None:
    """V1: there is no 1, no 11, and no suit in a declaration."""
    game = play(table("pile: KD …"), "draw")
    for rank in ("1", "11", "2C", "X1", "joker"):
        with pytest.raises(IllegalMove):
            game.play(f"swap 0 declare={rank}")


def test_an_ace_is_an_action_card_wherever_the_rulebook_says_7_to_king() -> None:
    """V1.1: so its action may be taken from the discard pile."""
    game = table("discards: AC*")
    assert_position(play(game, "take", "all pass"), "step: ace   decides: 0")


# --- V2: setup --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [4, 5])
def test_each_player_is_dealt_five_cards_and_the_rest_is_the_draw_pile(players: int) -> None:
    """V2: five cards face down to each player, in slots 0 to 4; the rest is the draw pile; no card is discarded yet."""
    game = brocante.deal("vinto", players=players, seed="setup")
    (setup,) = setups(game)
    assert [row(game.state, seat) for seat in range(players)] == setup["hands"]
    assert [len(hand) for hand in setup["hands"]] == [5] * players
    assert deck(game) == setup["deck"]
    assert len(setup["deck"]) == 54 - 5 * players
    assert_position(game, "discards: –   drawn: –   turns: 0   renewals: 0")


@pytest.mark.parametrize("players", [3, 6])
def test_four_or_five_can_play(players: int) -> None:
    """Vinto is for 4 or 5 players."""
    with pytest.raises(UsageError, match="from 4 to 5"):
        brocante.deal("vinto", players=players)


def test_the_cards_are_shuffled() -> None:
    """V2: another seed gives another order, the same seed the same."""
    first, again, other = (brocante.deal("vinto", seed=seed) for seed in (1, 1, 2))
    assert deck(first) == deck(again) != deck(other)
    assert deck(first) != sorted(deck(first), key=CARD_NAMES.index)


@pytest.mark.parametrize("players", [4, 5])
def test_the_first_player_of_the_first_round_is_drawn_at_random(players: int) -> None:
    """V2: each equally likely."""
    games = 240
    starts = Counter(brocante.deal("vinto", players=players, seed=seed).actor for seed in range(games))
    assert sorted(starts) == list(range(players))
    assert all(0.6 < n * players / games < 1.4 for n in starts.values())


@pytest.mark.parametrize(("players", "first"), [(p, first) for p in (4, 5) for first in range(p)])
def test_all_look_at_two_cards_clockwise_from_the_first_player_who_then_begins(players: int, first: int) -> None:
    """V2: all do, asked clockwise from the first player, before the first turn."""
    games = (brocante.deal("vinto", players=players, seed=seed) for seed in range(1000))
    game = next(game for game in games if game.actor == first)
    for step in range(players):
        assert_position(game, f"step: peek   decides: {(first + step) % players}   first: {first}")
        play(game, "peek 1,4")
    assert_position(game, f"step: turn   decides: {first}   discards: –")


def test_any_two_of_the_five_cards_may_be_looked_at() -> None:
    """V2: each player looks at two of their own cards."""
    game = brocante.deal("vinto", seed=1)
    assert legal(game) == [f"peek {a},{b}" for a in range(5) for b in range(a + 1, 5)]


def test_which_of_the_two_cards_is_named_first_makes_no_difference() -> None:
    """V2: two cards; whichever way they are written it is the same move."""
    game, other = (play(brocante.deal("vinto", seed=1), move) for move in ("peek 1,4", "peek 4,1"))
    assert game == other
    assert game.steps == other.steps
    assert str(other.steps[-1].move) == "peek 1,4"
    dealt = brocante.deal("vinto", seed=1)
    a, b = Action.SLOT + 1, Action.SLOT + 4
    assert after_actions(dealt, a, b) == after_actions(dealt, b, a)


def test_the_two_cards_are_two() -> None:
    """V2: two cards, not the same one twice."""
    refused(brocante.deal("vinto", seed=1), "peek 3,3", "two_cards")


@pytest.mark.parametrize("slots", ["0,5", "5,0", "-1,0", "0,53", "0,1000"])
def test_the_two_cards_must_be_there(slots: str) -> None:
    """V2: in a row, slots 0 to 4."""
    refused(brocante.deal("vinto", seed=1), f"peek {slots}", "gap")


def test_nobody_draws_before_all_have_looked() -> None:
    """V2: before the first turn."""
    game = brocante.deal("vinto", seed=1)
    for _ in range(4):
        refused(game, "draw", "step.peek")
        play(game, "peek 0,1")
    assert legal(game) == ["draw"]


def test_everyone_looks_once() -> None:
    """V2: once; later there is nothing to peek at."""
    refused(after_peeks(brocante.deal("vinto", seed=1)), "peek 2,3", "step.turn")


@pytest.mark.parametrize("players", [4, 5])
def test_the_start_passes_to_the_left(players: int) -> None:
    """V2: afterwards the start passes to the left."""
    game = played_to_the_end(brocante.deal("vinto", players=players, rounds=7, max_turns=1, seed=3))
    starts = [setup["first"] for setup in setups(game)]
    assert starts == [(starts[0] + n) % players for n in range(7)]


def test_each_round_is_dealt_anew() -> None:
    """V2: five cards to each, and nothing is left over from the round before."""
    game = position(
        """
        pile: –   discards: … 6C 6D   turns: 0   round: 1   first: 2
        > seat 0   2C -- 3C   points: 3
          seat 1   2D         points: 0
          seat 2   –          points: 0
          seat 3   2S 3S      points: -1
        """,
        max_turns=1,
    )
    play(game, "draw", "renew 7C …", "swap 0", "all pass", "end")
    assert_position(game, "discards: 6D 2C*   renewals: 1")
    game.go_on_with("market day")
    assert_position(game, "step: peek   decides: 3   first: 3   discards: –   turns: 0   round: 2   renewals: 0")
    assert [len(row(game.state, seat)) for seat in range(4)] == [5] * 4
    assert game.state.points[:4].tolist() == [3, 0, 0, -1]


# --- V2.1: slots and gaps ---------------------------------------------------------------------------------------------


def test_a_card_that_leaves_a_row_leaves_a_gap() -> None:
    """V2.1: slots are stable."""
    game = play(table("pile: 5C …"), "draw", "swap 1", "1: toss 1")
    assert_position(game, "discards: 3C 3D\nseat 1   2D -- 4D")


def test_a_card_that_joins_a_row_takes_its_leftmost_gap() -> None:
    """V2.1: here a penalty card."""
    game = position("""
        pile: 5C 6C …   discards: –
        > seat 0   2C -- 3C -- 4C
          seat 1   2D
          seat 2   2H
          seat 3   2S
    """)
    play(game, "draw", "swap 0 declare=9")
    assert_position(game, "seat 0   5C 6C 3C -- 4C")


def test_or_a_new_slot_at_the_right_end() -> None:
    """V2.1: where there is no gap."""
    game = play(table("pile: 5C 6C …"), "draw", "swap 0 declare=9")
    assert_position(game, "seat 0   5C 3C 4C 6C")


def test_a_row_without_cards_keeps_its_slots() -> None:
    """V2.1: the leftmost gap of a row of gaps is slot 0."""
    game = position("""
        pile: AC 6C …
        > seat 0   2C
          seat 1   -- -- --
          seat 2   2H
          seat 3   2S
    """)
    play(game, *PLAYED, "give 1")
    assert_position(game, "seat 1   6C -- --")


# --- V3: draw ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [0, 1, 2, 3, NOBODY])
def test_a_drawn_card_is_turned_up_for_all_to_see(viewer: int) -> None:
    """V3: the top card of the draw pile."""
    game = play(table("pile: 7H 5C …"), "draw")
    assert_position(game, "drawn: 7H   pile: 5C …   step: drawn   decides: 0")
    assert CARD_NAMES[game.seen(viewer).drawn] == "7H"
    assert CARD_NAMES[game.box.shown(game.state, viewer).drawn] == "7H"


def test_a_drawn_card_is_played_or_swapped() -> None:
    """V3: either play, or swap with one of one's own cards."""
    game = play(table("pile: 7H …"), "draw")
    ranks = ["", *(f" declare={rank}" for rank in RANKS)]
    assert legal(game) == ["play", *(f"swap {slot}{rank}" for slot in range(3) for rank in ranks)]
    refused(game, "draw", "step.drawn")
    refused(game, "end", "step.drawn")


def test_nothing_is_played_or_swapped_before_it_is_drawn() -> None:
    """V3: draw first."""
    game = table("pile: 7H …")
    for move in ("play", "swap 0", "toss 0", "vinto", "end", "look 0,0", "give 0", "leave", "name 7"):
        refused(game, move, "step.turn")


def test_a_card_that_is_played_goes_to_the_discard_pile_and_its_action_is_carried_out() -> None:
    """V3.1: when the window has closed (V5)."""
    game = play(table("pile: 7H …   discards: 6C"), *PLAYED)
    assert_position(game, "step: look own   decides: 0   discards: 6C 7H   drawn: –   acting: 7H")
    assert legal(game) == ["look 0,0", "look 0,1", "look 0,2"]


@pytest.mark.parametrize("card", ["5C", "6C", "X1"])
def test_a_card_without_action_is_simply_discarded(card: str) -> None:
    """V3.1."""
    game = play(table(f"pile: {card} …   discards: 7H"), "draw", "play")
    assert_position(game, f"step: window   decides: 1   discards: 7H {card}   drawn: –   waits: –")
    assert_position(play(game, "all pass"), f"step: end   decides: 0\n{ROWS}")


def test_a_swapped_card_goes_into_the_slot_and_the_one_there_to_the_discard_pile() -> None:
    """V3.2."""
    game = play(table("pile: 7H …   discards: 6C"), "draw", "swap 1")
    assert_position(
        game,
        """
        step: window   decides: 1   discards: 6C 3C*   drawn: –
        > seat 0   2C 7H 4C
        """,
    )


def test_the_action_of_the_card_that_goes_in_is_not_carried_out() -> None:
    """V3.2: nor that of the one that comes out, without a declaration."""
    game = position("""
        pile: KH …
        > seat 0   QC 3C
          seat 1   2D
          seat 2   2H
          seat 3   2S
    """)
    play(game, "draw", "swap 0")
    assert_position(game, "step: window   decides: 1   discards: QC*   waits: –")
    assert_position(play(game, "all pass"), "step: end   decides: 0")


@pytest.mark.parametrize(("rank", "step"), ACTIONS.items())
def test_with_the_right_declaration_the_action_is_carried_out(rank: str, step: str) -> None:
    """V3.2: right, and its action is carried out, when the window has closed (V5)."""
    game = position(f"""
        pile: 6C 6D …
        > seat 0   {a_card(rank)} 3C
          seat 1   2D
          seat 2   2H
          seat 3   2S
    """)
    play(game, "draw", f"swap 0 declare={rank}", "all pass")
    assert_position(
        game,
        f"""
        step: {step}   decides: 0   discards: {a_card(rank)}   pile: 6D …
        > seat 0   6C 3C
        """,
    )


@pytest.mark.parametrize(("card", "rank"), [("2C", "2"), ("6H", "6"), ("X2", "X")])
def test_a_right_declaration_of_a_card_without_action_changes_nothing_more(card: str, rank: str) -> None:
    """V3.2: its action is carried out if it has one."""
    game = position(f"""
        pile: 7C 7D …
        > seat 0   {card} 3C
          seat 1   2D
          seat 2   2H
          seat 3   2S
    """)
    play(game, "draw", f"swap 0 declare={rank}")
    assert_position(
        game,
        f"""
        step: window   decides: 1   discards: {card}   pile: 7D …   waits: –
        > seat 0   7C 3C
        """,
    )


@pytest.mark.parametrize("rank", ["8", "6", "K", "X"])
def test_with_a_wrong_declaration_the_player_takes_a_penalty_card(rank: str) -> None:
    """V3.2: wrong, and the player takes the top of the draw pile, before the window opens (V5); the action is not
    carried out."""
    game = position("""
        pile: 6C 6D …
        > seat 0   7H 3C
          seat 1   2D
          seat 2   2H
          seat 3   2S
    """)
    play(game, "draw", f"swap 0 declare={rank}")
    assert_position(
        game,
        """
        step: window   decides: 1   discards: 7H*   waits: –
        > seat 0   6C(all) 3C 6D()
        """,
    )
    assert_position(play(game, "all pass"), "step: end   decides: 0")


def test_a_rank_is_enough_the_suit_is_not_declared() -> None:
    """V3.2: declare the rank: either joker is an X."""
    for joker in ("X1", "X2"):
        game = position(f"""
            pile: 6C 6D …
            > seat 0   {joker}
              seat 1   2D
              seat 2   2H
              seat 3   2S
        """)
        assert_position(play(game, "draw", "swap 0 declare=X"), "pile: 6D …\n> seat 0   6C")


@pytest.mark.parametrize("slot", [1, 3, 52, 53, -1])
def test_a_card_cannot_be_swapped_into_a_gap(slot: int) -> None:
    """V3.2: not into a gap, nor beyond the end of the row."""
    game = position("""
        pile: 7H …
        > seat 0   2C -- 3C
          seat 1   2D
          seat 2   2H
          seat 3   2S
    """)
    play(game, "draw")
    refused(game, f"swap {slot}", "gap")
    refused(game, f"swap {slot} declare=2", "gap")


@pytest.mark.parametrize("cards", ["–", "-- --"])
def test_a_player_without_cards_can_only_play(cards: str) -> None:
    """V3.2."""
    game = position(f"""
        pile: 6H …
        > seat 0   {cards}
          seat 1   2D
          seat 2   2H
          seat 3   2S
    """)
    play(game, "draw")
    assert legal(game) == ["play"]
    refused(game, "swap 0", "gap")


def test_moves_out_of_turn_are_refused() -> None:
    """V3: it is one player's turn."""
    game = table("pile: 7H …")
    before = game.copy()
    with pytest.raises(IllegalMove, match="seat 0"):
        play(game, "1: draw")
    assert game == before


# --- V4: take ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rank", "step"), ACTIONS.items())
def test_an_unused_action_on_top_of_the_discard_pile_may_be_taken(rank: str, step: str) -> None:
    """V4: its action is carried out, and the card stays on the discard pile, used."""
    card = a_card(rank)
    game = table(f"discards: 6C {card}*")
    assert legal(game) == ["draw", "take"]
    play(game, "take", "all pass")
    assert_position(game, f"step: {step}   decides: 0   discards: 6C {card}   drawn: –")


def test_a_taken_card_cannot_be_swapped_into_the_hand() -> None:
    """V4."""
    game = play(table("discards: 7H*"), "take", "all pass")
    refused(game, "swap 0", "step.look_own")
    assert legal(game) == ["look 0,0", "look 0,1", "look 0,2"]


def test_a_taken_card_is_used_and_cannot_be_taken_again() -> None:
    """V4: the card stays on the discard pile, used."""
    game = play(table("discards: 7H*"), "take", "all pass", "look 0,0", "end")
    assert legal(game) == ["draw"]
    refused(game, "take", "nothing_to_take")


def test_at_first_there_is_nothing_to_take() -> None:
    """V4, V2: the discard pile starts empty."""
    game = table("discards: –")
    assert legal(game) == ["draw"]
    refused(game, "take", "nothing_to_take")


@pytest.mark.parametrize("card", ["5C", "6C", "X1"])
def test_a_card_without_action_cannot_be_taken(card: str) -> None:
    """V4: only an action card."""
    game = table(f"discards: 7H {card}*")
    assert legal(game) == ["draw"]
    refused(game, "take", "nothing_to_take")


def test_only_the_top_card_can_be_taken() -> None:
    """V4: an unused card that was covered is lost."""
    game = play(table("pile: 5C …   discards: 7H*"), *A_TURN)
    assert_position(game, "discards: 7H 5C   decides: 1")
    refused(game, "take", "nothing_to_take")


def test_a_card_swapped_out_in_silence_is_unused() -> None:
    """V4.1: it came to the pile by a swap without a right declaration."""
    game = position("""
        pile: 6C …
        > seat 0   7H
          seat 1   2D
          seat 2   2H
          seat 3   2S
    """)
    play(game, "draw", "swap 0", "all pass", "end")
    assert legal(game) == ["draw", "take"]
    assert_position(play(game, "take", "all pass"), "step: look own   decides: 1")


def test_a_card_swapped_out_with_a_wrong_declaration_is_unused() -> None:
    """V4.1."""
    game = position("""
        pile: 6C …
        > seat 0   7H
          seat 1   2D
          seat 2   2H
          seat 3   2S
    """)
    play(game, "draw", "swap 0 declare=8", "all pass", "end")
    assert legal(game) == ["draw", "take"]


def test_an_unused_card_stays_so_until_it_is_taken_or_covered() -> None:
    """V4: here until the card that was drawn is placed on it."""
    game = play(table("pile: 5C …   discards: 7H*"), "draw")
    assert_position(game, "discards: 7H*")
    assert_position(play(game, "play"), "discards: 7H 5C")


def test_a_card_swapped_out_with_the_right_declaration_is_used() -> None:
    """V4.1."""
    game = position("""
        pile: 6C …
        > seat 0   7H
          seat 1   2D
          seat 2   2H
          seat 3   2S
    """)
    play(game, "draw", "swap 0 declare=7", "all pass", "look 0,0", "end")
    refused(game, "take", "nothing_to_take")


def test_a_played_card_is_used() -> None:
    """V4.1."""
    game = play(table("pile: 7H …"), *PLAYED, "look 0,0", "end")
    refused(game, "take", "nothing_to_take")


def test_a_played_card_is_used_even_if_its_action_had_no_target() -> None:
    """V4.1, V7: it was played."""
    game = position("""
        pile: 7H …
        > seat 0   –
          seat 1   2D
          seat 2   2H
          seat 3   2S
    """)
    play(game, *PLAYED, "end")
    refused(game, "take", "nothing_to_take")


def test_a_tossed_card_is_used_and_covers_the_unused_one_below() -> None:
    """V4.1, V5: of two cards of one rank the later one is the top: neither is to be taken."""
    game = position("""
        pile: 6C …
        > seat 0   7H
          seat 1   7D 2D
          seat 2   2H
          seat 3   2S
    """)
    assert_position(play(game, "draw", "swap 0"), "discards: 7H*")
    play(game, "1: toss 0", "all pass", "1: look 1,1", "end")
    assert_position(game, "discards: 7H 7D")
    refused(game, "take", "nothing_to_take")


def test_a_king_declared_card_is_used() -> None:
    """V4.1."""
    game = position("""
        pile: KH …
        > seat 0   3C
          seat 1   7D 2D
          seat 2   2H
          seat 3   2S
    """)
    play(game, *PLAYED, "declare 1,0 7", "all pass", "look 0,0", "end")
    assert_position(game, "discards: KH 7D")
    refused(game, "take", "nothing_to_take")


# --- V5: the order of a turn ------------------------------------------------------------------------------------------


def test_the_window_comes_before_the_cards_action_and_then_the_turn_ends() -> None:
    """V5: a card that is placed opens the window at once; when it closes, its action is carried out; when nothing
    waits, Vinto may be called, or the turn ends."""
    game = play(table("pile: 8H …"), "draw", "play")
    assert_position(game, "step: window   decides: 1   discards: 8H   acting: –   waits: 8H:0")
    play(game, "1: pass", "2: pass", "3: pass")
    assert_position(game, "step: look own   decides: 0   acting: 8H   waits: –")
    play(game, "look 0,0")
    assert_position(game, "step: end   decides: 0   acting: –")
    assert legal(game) == ["end", "vinto"]
    assert_position(play(game, "end"), "step: turn   decides: 1   turns: 1")


#: Seat 0 can have a 7 placed in every way there is.
PLACED = """
    pile: {drawn} 6C 6D …   discards: {top}
    > seat 0   {own} 3C
      seat 1   7D 2D
      seat 2   2H
      seat 3   2S
"""


@pytest.mark.parametrize(
    ("drawing", "moves", "discards"),
    [
        pytest.param({"drawn": "7H"}, ["draw", "play"], "5C 7H", id="played"),
        pytest.param({"own": "7C"}, ["draw", "swap 0 declare=7"], "5C 7C", id="swapped out and declared"),
        pytest.param({"top": "7S*"}, ["take"], "7S", id="taken"),
        pytest.param({"drawn": "KH", "own": "7C"}, [*PLAYED, "declare 0,0 7"], "5C KH 7C", id="declared by a King"),
    ],
)
def test_a_card_opens_its_window_however_it_was_placed(
    drawing: dict[str, str], moves: list[str], discards: str
) -> None:
    """V5: played, swapped out, taken and played again, or put there by a King's right declaration; its action waits,
    and what is tossed in waits behind it."""
    game = play(position(PLACED.format(**{"drawn": "6H", "top": "5C", "own": "2C"} | drawing)), *moves)
    seven = discards.split()[-1]
    assert_position(game, f"step: window   decides: 1   discards: {discards}   waits: {seven}:0")
    play(game, "1: toss 0", "all pass")
    assert_position(game, f"step: look own   decides: 0   discards: {discards} 7D   acting: {seven}   waits: 7D:1")


@pytest.mark.parametrize("move", ["swap 0", "swap 0 declare=8"])
def test_a_card_swapped_out_without_a_right_declaration_opens_a_window_but_nothing_of_it_waits(move: str) -> None:
    """V5: it has no action waiting; what is tossed in upon it has."""
    game = play(position(PLACED.format(drawn="6H", top="5C", own="7C")), "draw", move)
    assert_position(game, "step: window   decides: 1   discards: 5C 7C*   waits: –")
    assert_position(play(game.copy(), "all pass"), "step: end   decides: 0   discards: 5C 7C*")
    play(game, "1: toss 0", "all pass")
    assert_position(game, "step: look own   decides: 1   discards: 5C 7C 7D   acting: 7D   waits: –")
    assert_position(play(game, "look 1,1"), "step: end   decides: 0")


def test_the_penalty_of_a_wrong_declaration_is_taken_before_the_window() -> None:
    """V5: a penalty that the placing cost; so the penalty of a toss is the card after it."""
    game = play(position(PLACED.format(drawn="6H", top="5C", own="7C")), "draw", "swap 0 declare=8")
    assert_position(game, "step: window   decides: 1   pile: 6D …\n> seat 0   6H 3C 6C()\nseat 1   7D 2D")
    assert_position(play(game, "1: toss 1"), "step: window   decides: 2\n> seat 0   6H 3C 6C\nseat 1   7D 2D 6D()")


@pytest.mark.parametrize(("card", "step"), [("AS", "ace"), ("7S", "look own"), ("KS", "king")])
def test_a_toss_opens_no_window_of_its_own(card: str, step: str) -> None:
    """V5: it belongs to the window it is made in."""
    game = position(f"""
        pile: {card[0]}H 6C …
        > seat 0   2C
          seat 1   {card} 2D
          seat 2   2H
          seat 3   2S
    """)
    play(game, "draw", "play", "1: toss 0", "1: pass", "2: pass", "3: pass")
    assert_position(game, f"step: {step}   decides: 0   waits: {card}:1")


def test_actions_are_carried_out_in_the_order_in_which_their_cards_were_placed() -> None:
    """V5: first that of the card that opened the window, then those of the cards tossed in."""
    game = play(
        position(SEVENS), "draw", "play", "1: toss 0", "1: pass", "2: toss 0", "2: pass", "3: toss 0", "3: pass"
    )
    assert_position(game, "step: look own   decides: 0   discards: 7H 7C 7D 7S   acting: 7H   waits: 7C:1 7D:2 7S:3")
    play(game, "look 0,0")
    assert_position(game, "step: look own   decides: 1   acting: 7C   waits: 7D:2 7S:3")
    play(game, "look 1,1")
    assert_position(game, "step: look own   decides: 2   acting: 7D   waits: 7S:3")
    play(game, "look 2,1")
    assert_position(game, "step: look own   decides: 3   acting: 7S   waits: –")
    assert_position(play(game, "look 3,1"), "step: end   decides: 0")


def test_two_cards_tossed_in_by_one_player_are_carried_out_in_their_order() -> None:
    """V5, V6.2: first the one that was tossed in first, whichever slot it came from."""
    game = position("""
        pile: 9H …
        > seat 0   2C
          seat 1   9C 2D 9D
          seat 2   9S 2H
          seat 3   2S
    """)
    play(game, "draw", "play", "1: toss 2", "1: toss 0", "1: pass", "2: toss 0", "all pass")
    assert_position(game, "step: look other   decides: 0   discards: 9H 9D 9C 9S   waits: 9D:1 9C:1 9S:2")
    assert_position(play(game, "look 1,1"), "step: look other   decides: 1   acting: 9D   waits: 9C:1 9S:2")
    assert_position(play(game, "look 0,0"), "step: look other   decides: 1   acting: 9C   waits: 9S:2")
    assert_position(play(game, "look 2,1"), "step: look other   decides: 2   acting: 9S   waits: –")


def test_a_jack_does_not_move_away_the_jack_that_another_is_about_to_toss_in() -> None:
    """V5: the toss comes first, then both exchanges, in order."""
    game = position("""
        pile: JH …
        > seat 0   2C 3C
          seat 1   JD 3D
          seat 2   2H
          seat 3   2S
    """)
    play(game, "draw", "play")
    with pytest.raises(IllegalMove, match="seat 1"):
        play(game, "0: exchange a=0,0 b=1,0")
    play(game, "1: toss 0")
    assert_position(game, "step: window   discards: JH JD   waits: JH:0 JD:1\nseat 1   -- 3D")
    play(game, "all pass")
    assert_position(game, "step: jack   decides: 0   acting: JH   waits: JD:1")
    play(game, "0: exchange a=0,0 b=1,1")
    assert_position(game, "step: jack   decides: 1   acting: JD   waits: –\n> seat 0   3D 3C\nseat 1   -- 2C")
    play(game, "1: exchange a=1,1 b=2,0")
    assert_position(game, "step: end   decides: 0\n> seat 0   3D 3C\nseat 1   -- 2H\nseat 2   2C")


def test_a_second_king_is_tossed_in_before_the_first_has_declared() -> None:
    """V5: the King was placed and is to be matched, whatever it will declare; the second one waits and declares in its
    turn."""
    game = position("""
        pile: KH 6C …
        > seat 0   2C
          seat 1   KD 2D
          seat 2   2H
          seat 3   5S 3S
    """)
    play(game, "draw", "play", "1: toss 0")
    assert_position(game, "step: window   decides: 1   discards: KH KD   waits: KH:0 KD:1   pile: 6C …\nseat 1   -- 2D")
    play(game, "all pass", "0: declare 3,0 5", "all pass")
    assert_position(game, "step: king   decides: 1   discards: KH KD 5S   acting: KD   waits: –")
    play(game, "1: declare 3,1 3", "all pass")
    assert_position(game, "step: end   decides: 0   discards: KH KD 5S 3S\nseat 3   -- --")


def test_a_king_is_tossed_in_upon_a_king_that_was_declared() -> None:
    """V5, V8: right, and it waits behind the King that was declared."""
    game = position("""
        pile: KH 6C …
        > seat 0   2C
          seat 1   KD 2D
          seat 2   KS 2H
          seat 3   5S 2S
    """)
    play(game, *PLAYED, "0: declare 1,0 K", "1: pass", "2: toss 0")
    assert_position(game, "step: window   decides: 2   discards: KH KD KS   waits: KD:0 KS:2   pile: 6C …")
    assert_position(game, "seat 1   -- 2D\nseat 2   -- 2H")
    play(game, "all pass")
    assert_position(game, "step: king   decides: 0   acting: KD   waits: KS:2")
    play(game, "0: declare 3,0 5", "all pass")
    assert_position(game, "step: king   decides: 2   acting: KS   waits: –")


#: Seat 0 carries out a King, while a 9 of seat 1 and an ace of seat 3 wait.
KING = """
    pile: 6C 6D …   discards: KH 9C AD   acting: KH   waits: 9C:1 AD:3
    > seat 0   2C 7C
      seat 1   2D 7D
      seat 2   2H QH
      seat 3   2S QS 7S
"""


def test_what_a_king_places_and_what_is_tossed_in_upon_it_comes_before_whatever_still_waits() -> None:
    """V5: that card's window, its own action and its tosses."""
    game = play(position(KING), "0: declare 0,1 7")
    assert_position(game, "step: window   decides: 1   discards: KH 9C AD 7C   waits: 7C:0 9C:1 AD:3")
    play(game, "1: toss 1")
    assert_position(game, "step: window   decides: 1   waits: 7C:0 7D:1 9C:1 AD:3")
    play(game, "1: pass", "2: pass", "3: toss 2")
    assert_position(game, "step: window   decides: 3   waits: 7C:0 7D:1 7S:3 9C:1 AD:3")
    play(game, "3: pass")
    assert_position(game, "step: look own   decides: 0   acting: 7C   waits: 7D:1 7S:3 9C:1 AD:3")
    play(game, "0: look 0,0", "1: look 1,0", "3: look 3,0")
    assert_position(game, "step: look other   decides: 1   acting: 9C   waits: AD:3")
    play(game, "1: look 2,0")
    assert_position(game, "step: ace   decides: 3   acting: AD   waits: –")
    assert_position(play(game, "3: give 2"), "step: end   decides: 0")


def test_a_king_among_what_is_tossed_in_places_its_card_before_the_other_tosses_are_carried_out() -> None:
    """V5: a King within the consequences of a King, each with its window."""
    game = position("""
        pile: 6C 6D …   discards: KH 9C   acting: KH   waits: 9C:1
        > seat 0   KC 3C
          seat 1   KD QD
          seat 2   KS 2H
          seat 3   2S QS
    """)
    play(game, "0: declare 0,0 K", "1: toss 0", "1: pass", "2: toss 0", "all pass")
    assert_position(game, "step: king   decides: 0   discards: KH 9C KC KD KS   acting: KC   waits: KD:1 KS:2 9C:1")
    play(game, "0: declare 3,1 9")
    assert_position(game, "step: king   decides: 1   acting: KD   waits: KS:2 9C:1\n> seat 0   6C 3C\nseat 3   2S QS")
    play(game, "1: declare 3,1 Q", "1: toss 1", "all pass")
    assert_position(game, "step: queen   decides: 1   acting: QS   waits: QD:1 KS:2 9C:1\nseat 1   -- --")
    play(game, "1: look2 0,0 0,1", "1: exchange", "1: look2 0,0 0,1", "1: leave")
    assert_position(game, "step: king   decides: 2   acting: KS   waits: 9C:1\n> seat 0   3C 6C")
    play(game, "2: declare 2,1 2", "all pass")
    assert_position(game, "step: look other   decides: 1   acting: 9C   waits: –")


def test_a_king_that_declares_wrong_places_no_card_and_what_waits_follows() -> None:
    """V5, V8: no window opens."""
    game = play(position(KING), "0: declare 0,1 9")
    assert_position(game, "step: look other   decides: 1   acting: 9C   waits: AD:3\n> seat 0   2C 7C(all) 6C()")


def test_an_action_without_target_is_skipped_and_the_next_one_follows() -> None:
    """V5, V7: seat 1 tossed in their last card, and has none to look at."""
    game = position("""
        pile: 7H …
        > seat 0   2C
          seat 1   7C
          seat 2   7D 2H
          seat 3   2S
    """)
    play(game, "draw", "play", "1: toss 0", "2: toss 0", "all pass")
    assert_position(game, "step: look own   decides: 0   acting: 7H   waits: 7C:1 7D:2")
    assert_position(play(game, "0: look 0,0"), "step: look own   decides: 2   acting: 7D   waits: –")


def test_a_card_that_opened_a_window_and_finds_no_target_is_skipped_too() -> None:
    """V5, V7: seat 0 has no card of their own."""
    game = position("""
        pile: 7H …
        > seat 0   –
          seat 1   7C 2D
          seat 2   2H
          seat 3   2S
    """)
    play(game, "draw", "play", "1: toss 0", "all pass")
    assert_position(game, "step: look own   decides: 1   acting: 7C   waits: –")
    assert_position(play(game, "1: look 1,1"), "step: end   decides: 0")


def test_a_turn_does_not_end_while_something_waits() -> None:
    """V5: when nothing waits, the player on turn may call Vinto or ends the turn."""
    game = play(position(SEVENS), "draw", "play", "1: toss 0")
    refused(game, "vinto", "step.window")
    refused(game, "end", "step.window")
    play(game, "all pass")
    refused(game, "vinto", "step.look_own")
    play(game, "0: look 0,0")
    refused(game, "vinto", "step.look_own")
    for move in ("0: vinto", "0: end"):
        with pytest.raises(IllegalMove, match="seat 1"):
            play(game, move)
    assert legal(play(game, "1: look 1,1")) == ["end", "vinto"]


def test_when_the_turn_is_to_end_nothing_else_can_be_done() -> None:
    """V5."""
    game = play(table("pile: 5C …"), *PLAYED)
    for move in ("draw", "take", "pass", "play", "toss 0"):
        refused(game, move, "step.end")


def test_of_two_cards_of_one_rank_on_the_pile_the_later_one_is_the_top() -> None:
    """V5: here the one that stays when the pile is renewed (V8.1)."""
    game = position("""
        pile: 5C   discards: 6C
        > seat 0   2C
          seat 1   5D 2D
          seat 2   5H 2H
          seat 3   …
    """)
    play(game, "draw", "play", "1: toss 0", "1: pass", "2: toss 0", "all pass", "end")
    assert_position(game, "discards: 6C 5C 5D 5H")
    assert_position(play(game, "1: draw", "renew 5D 5C 6C"), "discards: 5H   drawn: 5D   pile: 5C 6C")


@pytest.mark.parametrize("players", [4, 5])
def test_play_is_clockwise(players: int) -> None:
    """V5: the left neighbour, seat + 1, is next."""
    game = after_peeks(brocante.deal("vinto", players=players, seed=3))
    for turn in range(2 * players):
        assert_position(game, f"step: turn   turns: {turn}")
        seat = game.actor
        play(game, "draw", "swap 0", "all pass", "end")
        assert game.actor == (seat + 1) % players


# --- V6: toss in ------------------------------------------------------------------------------------------------------


def test_a_right_toss_goes_on_the_pile_and_its_action_waits_for_the_tosser() -> None:
    """V6: a card of the same rank; its action will be carried out by the tosser."""
    game = play(position(SEVENS), "draw", "play", "1: toss 0")
    assert_position(game, "step: window   discards: 7H 7C   waits: 7H:0 7C:1\n> seat 0   2C 3C\nseat 1   -- 2D")
    play(game, "all pass", "0: look 0,0")
    assert_position(game, "step: look own   decides: 1   acting: 7C")
    assert legal(game) == ["look 1,1"]


def test_a_card_without_action_can_be_tossed_in() -> None:
    """V6: right, and it goes on the pile; there is no action."""
    game = play(table("pile: 5C …"), "draw", "swap 1", "1: toss 1")
    assert_position(game, "step: window   decides: 1   discards: 3C 3D   waits: –")
    assert_position(play(game, "all pass"), "step: end   decides: 0")


def test_jokers_match_each_other() -> None:
    """V6: the same rank."""
    game = position("""
        pile: X1 …
        > seat 0   2C
          seat 1   X2 2D
          seat 2   2H
          seat 3   2S
    """)
    assert_position(play(game, "draw", "play", "1: toss 0"), "discards: X1 X2")


@pytest.mark.parametrize("card", ["JC", "QD", "KS"])
def test_the_same_value_is_not_the_same_rank(card: str) -> None:
    """V6: the same rank: a ten is none of these, though two of them count 10."""
    game = position(f"""
        pile: 10H 6C …
        > seat 0   2C
          seat 1   {card} 2D
          seat 2   2H
          seat 3   2S
    """)
    play(game, "draw", "play", "1: toss 0")
    assert_position(game, f"discards: 10H   waits: 10H:0\nseat 1   {card} 2D 6C")


def test_a_wrong_toss_goes_back_everyone_has_seen_it_and_the_tosser_takes_a_penalty_card_at_once() -> None:
    """V6: wrong; the window goes on."""
    game = play(position(SEVENS), "draw", "play", "1: toss 1")
    assert_position(
        game,
        """
        step: window   decides: 2   discards: 7H   pile: 6D …   waits: 7H:0
          seat 1   7C() 2D(all) 6C()
        """,
    )


def test_the_penalty_of_a_wrong_toss_takes_the_leftmost_gap() -> None:
    """V6, V2.1."""
    game = position("""
        pile: 5H 6C …
        > seat 0   2C
          seat 1   -- 2D -- 3D
          seat 2   2H
          seat 3   2S
    """)
    assert_position(play(game, "draw", "play", "1: toss 1"), "seat 1   6C 2D -- 3D")


def test_the_penalty_of_a_wrong_toss_may_take_the_gap_of_a_right_one() -> None:
    """V6, V2.1: a card that was tossed in has left its row."""
    game = play(position(SEVENS), "draw", "play", "1: toss 0", "1: toss 1")
    assert_position(game, "step: window   decides: 2   discards: 7H 7C   waits: 7H:0 7C:1\nseat 1   6C() 2D(all)")


@pytest.mark.parametrize("slot", [0, 3, 53, -1])
def test_a_gap_cannot_be_tossed_in(slot: int) -> None:
    """V6: a card of their own."""
    game = position("""
        pile: 5H 6C …
        > seat 0   2C
          seat 1   -- 2D 3D
          seat 2   2H
          seat 3   2S
    """)
    play(game, "draw", "play")
    assert legal(game) == ["pass", "toss 1", "toss 2"]
    refused(game, f"toss {slot}", "gap")


def test_the_player_whose_turn_it_is_cannot_toss_in() -> None:
    """V6.1: they are never asked."""
    game = position("""
        pile: 5H 6C …
        > seat 0   5C
          seat 1   5D 2D
          seat 2   2H
          seat 3   2S
    """)
    play(game, "draw", "play")
    assert asked(game) == [1, 2, 3]
    play(game, "1: toss 0")
    assert asked(game) == [1, 2, 3]


def test_a_kings_player_not_on_turn_may_toss_in_on_the_card_that_king_placed_and_the_player_on_turn_may_not() -> None:
    """V6.1: whoever placed the card; asking begins beside the player on turn all the same (V6.2)."""
    game = position("""
        pile: 6C …   discards: KH KD   acting: KD   decides: 2
        > seat 0   5C
          seat 1   2D
          seat 2   5H 2H
          seat 3   5S 2S
    """)
    play(game, "2: declare 3,0 5")
    assert asked(game) == [1, 2, 3]
    play(game, "1: pass", "2: toss 0", "all pass")
    assert_position(game, "step: end   decides: 0   discards: KH KD 5S 5H\n> seat 0   5C\nseat 2   -- 2H")


@pytest.mark.parametrize("turn", range(5))
def test_players_are_asked_clockwise_from_the_player_on_turn(turn: int) -> None:
    """V6.2: one after another."""
    seats = [f"{'>' if seat == turn else ' '} seat {seat}   2{'CDHS'[seat]}" for seat in range(4)]
    game = position("\n".join(["pile: 5C …", *seats, f"{'>' if turn == 4 else ' '} seat 4   3C"]))
    play(game, "draw", "play")
    assert asked(game) == [(turn + step) % 5 for step in (1, 2, 3, 4)]


def test_every_pass_is_recorded() -> None:
    """V6.2."""
    game = play(table("pile: 5C …"), *PLAYED)
    assert [step.line for step in game.steps[-3:]] == [{"seat": seat, "move": "pass"} for seat in (1, 2, 3)]


def test_every_right_toss_counts() -> None:
    """V6.2: and speed does not: all three sevens are tossed in, in the order of asking."""
    game = play(position(SEVENS), "draw", "play")
    play(game, "1: toss 0", "1: pass", "2: toss 0", "2: pass", "3: toss 0", "3: pass")
    assert_position(game, "discards: 7H 7C 7D 7S   acting: 7H   waits: 7C:1 7D:2 7S:3")


def test_a_player_tosses_in_as_many_cards_as_they_like_one_at_a_time_until_they_pass() -> None:
    """V6.2: and only then the next one is asked."""
    game = position("""
        pile: 5H …
        > seat 0   2C
          seat 1   5C 5D 2D
          seat 2   2H
          seat 3   2S
    """)
    assert_position(play(game, "draw", "play", "1: toss 1"), "step: window   decides: 1   discards: 5H 5D")
    assert_position(play(game, "1: toss 0"), "step: window   decides: 1   discards: 5H 5D 5C")
    assert_position(play(game, "1: pass"), "step: window   decides: 2")


def test_who_has_passed_is_asked_no_more_in_this_window() -> None:
    """V6.2: not even when somebody after them has tossed a card in."""
    game = play(position(SEVENS), "draw", "play", "1: pass", "2: toss 0")
    assert asked(game) == [2, 3]
    play(game, "2: pass", "3: toss 0")
    assert asked(game) == [3]
    assert_position(play(game, "3: pass"), "step: look own   decides: 0   waits: 7D:2 7S:3\nseat 1   7C 2D")


def test_each_window_asks_everyone_anew() -> None:
    """V6.2: who passed when the King was placed may toss in upon the card that it declares."""
    game = position("""
        pile: KH 6C …
        > seat 0   2C
          seat 1   5D KD
          seat 2   2H
          seat 3   5S 2S
    """)
    play(game, "draw", "play")
    assert asked(game) == [1, 2, 3]
    play(game, "all pass", "declare 3,0 5")
    assert asked(game) == [1, 2, 3]
    assert_position(play(game, "1: toss 0"), "discards: KH 5S 5D\nseat 1   -- KD")


def test_a_toss_must_match_the_card_that_opened_the_window() -> None:
    """V6: when the King has declared a five, a five matches, and a King no more."""
    game = position("""
        pile: KH 6C …
        > seat 0   2C
          seat 1   5C 2D
          seat 2   KD 2H
          seat 3   5S 2S
    """)
    play(game, *PLAYED, "declare 1,0 5", "1: pass", "2: toss 0")
    assert_position(game, "discards: KH 5C   waits: –\nseat 2   KD 2H 6C")
    play(game, "3: toss 0")
    assert_position(game, "discards: KH 5C 5S\nseat 3   -- 2S")


def test_players_without_cards_are_not_asked() -> None:
    """V6.3."""
    game = position("""
        pile: 5C …
        > seat 0   2C
          seat 1   –
          seat 2   2H
          seat 3   -- --
    """)
    assert asked(play(game, "draw", "play")) == [2]


def test_who_tossed_in_their_last_card_is_asked_no_more() -> None:
    """V6.3: nor asked again after tossing the last one; they need not pass."""
    game = position("""
        pile: 5C …
        > seat 0   2C
          seat 1   5D 5H
          seat 2   2H
          seat 3   2S
    """)
    play(game, "draw", "play", "1: toss 0")
    assert_position(game, "step: window   decides: 1")
    play(game, "1: toss 1")
    assert asked(game) == [2, 3]


def test_if_the_last_to_be_asked_tosses_in_their_last_card_the_window_closes() -> None:
    """V6.3, V5: and what waits is carried out."""
    game = position("""
        pile: AC …
        > seat 0   2C
          seat 1   –
          seat 2   –
          seat 3   AS
    """)
    assert_position(play(game, "draw", "play", "3: toss 0"), "step: ace   decides: 0   acting: AC   waits: AS:3")


@pytest.mark.parametrize(("card", "step"), [("5C", "end"), ("7C", "look own"), ("KC", "king")])
def test_where_nobody_is_to_be_asked_there_is_no_window(card: str, step: str) -> None:
    """V6.3, V5: the action follows at once, if there is one."""
    game = position(f"""
        pile: {card} …
        > seat 0   2C
          seat 1   –
          seat 2   --
          seat 3   –
    """)
    assert_position(play(game, "draw", "play"), f"step: {step}   decides: 0   discards: {card}")


def test_nor_is_there_one_for_what_a_king_places() -> None:
    """V6.3, V8: the card that was declared was the last one that could have been tossed in."""
    game = position("""
        pile: KC …
        > seat 0   2C 3C
          seat 1   7D
          seat 2   –
          seat 3   –
    """)
    play(game, *PLAYED, "declare 1,0 7")
    assert_position(game, "step: look own   decides: 0   discards: KC 7D   acting: 7D")


def test_who_is_given_a_card_is_asked_in_the_next_window() -> None:
    """V6.2, V6.3: seat 3 had no cards when the window for the aces was open, and has one when a King is right."""
    game = position("""
        pile: 6C …   discards: AC KD   acting: AC   waits: KD:1
        > seat 0   2C
          seat 1   2D
          seat 2   5H 2H
          seat 3   –
    """)
    play(game, "0: give 3", "1: declare 2,0 5")
    assert asked(game) == [1, 2, 3]


def test_after_a_wrong_toss_a_player_is_asked_no_more_in_this_window() -> None:
    """V6.3: even though their other card would be right."""
    game = play(position(SEVENS), "draw", "play", "1: toss 1", "2: toss 0")
    assert asked(game) == [2, 3]
    assert_position(play(game, "all pass"), "step: look own   decides: 0   waits: 7D:2\nseat 1   7C 2D 6C")


def test_a_right_toss_stays_right_when_a_wrong_one_follows() -> None:
    """V6, V6.3: what waits goes on waiting."""
    game = play(position(SEVENS), "draw", "play", "1: pass", "2: toss 0", "2: toss 2")
    assert_position(game, "step: window   decides: 3   discards: 7H 7D   waits: 7H:0 7D:2\nseat 2   6C 2H 3H(all)")


def test_a_wrong_toss_in_one_window_and_a_right_one_in_the_next_of_the_same_turn() -> None:
    """V6.3: in this window only."""
    game = position("""
        pile: KH 6C …
        > seat 0   2C
          seat 1   5D 2D
          seat 2   2H
          seat 3   5S 2S
    """)
    play(game, "draw", "play", "1: toss 0")
    assert_position(game, "step: window   decides: 2   discards: KH   waits: KH:0\nseat 1   5D(all) 2D 6C()")
    play(game, "all pass", "0: declare 3,0 5")
    assert_position(game, "step: window   decides: 1   discards: KH 5S")
    assert_position(play(game, "1: toss 0"), "step: window   decides: 1   discards: KH 5S 5D\nseat 1   -- 2D 6C")


def test_after_a_wrong_toss_one_is_asked_again_in_the_next_turn() -> None:
    """V6.3."""
    game = play(position(SEVENS), "draw", "play", "1: pass", "2: toss 1", "3: pass", "0: look 0,0", "end")
    play(game, "draw", "play")
    assert_position(game, "step: window   decides: 2\n> seat 1   7C 2D\nseat 2   7D 2H 3H 6C")
    assert asked(game) == [2, 3, 0]


def test_the_window_also_opens_after_a_take() -> None:
    """V6.4: the card is placed anew, and the window comes before its action (V5)."""
    game = position("""
        pile: 6C …   discards: 7H*
        > seat 0   2C
          seat 1   2D
          seat 2   7D 2H
          seat 3   2S
    """)
    play(game, "take")
    assert_position(game, "step: window   decides: 1   discards: 7H   waits: 7H:0")
    assert asked(game) == [1, 2, 3]
    play(game, "1: pass", "2: toss 0", "all pass")
    assert_position(game, "step: look own   decides: 0   discards: 7H 7D   acting: 7H   waits: 7D:2")


def test_a_target_that_has_left_its_row_is_no_target_any_more() -> None:
    """V6.5: who acts chooses among what lies there then: the ten was tossed in to look at seat 3's only card, which a
    King has declared meanwhile."""
    game = position("""
        pile: 6C …   discards: KH 10D   acting: KH   waits: 10D:1
        > seat 0   2C
          seat 1   2D
          seat 2   2H
          seat 3   5S
    """)
    play(game, "0: declare 3,0 5", "all pass")
    assert_position(game, "step: look other   decides: 1   acting: 10D\nseat 3   --")
    assert legal(game) == ["look 0,0", "look 2,0"]
    refused(game, "look 3,0", "gap")


def test_the_last_target_may_have_left_its_row() -> None:
    """V6.5, V7: then nothing happens."""
    game = position("""
        pile: 6C …   discards: KH 10D   acting: KH   waits: 10D:1
        > seat 0   –
          seat 1   2D
          seat 2   –
          seat 3   5S
    """)
    play(game, "0: declare 3,0 5", "all pass")
    assert_position(game, "step: end   decides: 0   discards: KH 10D 5S")


def test_a_card_that_has_joined_a_row_meanwhile_is_a_target() -> None:
    """V6.5: among what lies there then: the penalty card of a King, or a card that a Jack put there."""
    game = play(position(KING), "0: declare 0,1 9")
    assert "look 0,2" in legal(game)
    game = position("""
        pile: 6C …   discards: JH 7D   acting: JH   waits: 7D:1
        > seat 0   2C
          seat 1   2D
          seat 2   2H
          seat 3   2S
    """)
    play(game, "0: exchange a=0,0 b=1,0", "1: look 1,0")
    assert_position(game, "step: end   decides: 0\n> seat 0   2D()\nseat 1   2C(1)")


def test_outside_the_window_nobody_tosses_in() -> None:
    """V6: right after a card is placed on the discard pile."""
    refused(play(table("pile: 7H …"), *PLAYED), "toss 0", "step.look_own")


# --- V7: the actions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["7H", "8H"])
def test_a_7_or_an_8_looks_at_one_of_ones_own_cards(card: str) -> None:
    """V1, V7: of one's own cards only; it must be carried out."""
    game = position(f"""
        pile: {card} …
        > seat 0   2C -- 3C
          seat 1   2D
          seat 2   2H
          seat 3   2S
    """)
    play(game, *PLAYED)
    assert legal(game) == ["look 0,0", "look 0,2"]
    refused(game, "look 1,0", "own_card")
    refused(game, "look 0,1", "gap")
    refused(game, "look 0,3", "gap")
    refused(game, "end", "step.look_own")
    assert_position(play(game, "look 0,2"), "step: end   decides: 0\n> seat 0   2C() -- 3C(0)")


@pytest.mark.parametrize("card", ["9H", "10H"])
def test_a_9_or_a_10_looks_at_one_card_of_another_player(card: str) -> None:
    """V1, V7: of another player's only; it must be carried out."""
    game = position(f"""
        pile: {card} …
        > seat 0   2C 3C
          seat 1   -- 2D
          seat 2   –
          seat 3   2S 3S
    """)
    play(game, *PLAYED)
    assert legal(game) == ["look 1,1", "look 3,0", "look 3,1"]
    refused(game, "look 0,0", "others_card")
    refused(game, "look 1,0", "gap")
    refused(game, "look 4,0", "no_such_seat")
    refused(game, "look -1,0", "no_such_seat")
    refused(game, "pass", "step.look_other")
    assert_position(play(game, "look 3,1"), "step: end   decides: 0\nseat 3   2S() 3S(0)")


def test_a_7_without_a_card_of_ones_own_does_nothing() -> None:
    """V7: otherwise nothing happens."""
    game = position("""
        pile: 7H …
        > seat 0   –
          seat 1   2D
          seat 2   2H
          seat 3   2S
    """)
    assert_position(play(game, *PLAYED), "step: end   decides: 0   discards: 7H")


def test_a_7_that_was_ones_last_card_does_nothing() -> None:
    """V7: there is no target left."""
    game = position("""
        pile: 7H …
        > seat 0   2C
          seat 1   7D
          seat 2   2H
          seat 3   2S
    """)
    play(game, "draw", "play", "1: toss 0", "all pass", "look 0,0")
    assert_position(game, "step: end   decides: 0   discards: 7H 7D")


def test_a_9_without_a_card_of_anybody_else_does_nothing() -> None:
    """V7."""
    game = position("""
        pile: 9H …
        > seat 0   2C 3C
          seat 1   –
          seat 2   –
          seat 3   –
    """)
    assert_position(play(game, "draw", "play"), "step: end   decides: 0   discards: 9H")


@pytest.mark.parametrize("card", ["JH", "QH"])
@pytest.mark.parametrize("of", [0, 1])
def test_a_jack_or_a_queen_with_one_card_on_the_table_does_nothing(card: str, of: int) -> None:
    """V7: two cards are needed."""
    game = position(f"""
        pile: {card} …
        > seat 0   {"2C" if of == 0 else "–"}
          seat 1   {"2C" if of == 1 else "–"}
          seat 2   –
          seat 3   –
    """)
    play(game, "draw", "play", *(["all pass"] if of == 1 else []))
    assert_position(game, f"step: end   decides: 0   discards: {card}")


def test_a_jack_exchanges_any_two_cards_on_the_table() -> None:
    """V1, V7: of any owners; it must be carried out."""
    game = play(table("pile: JH …"), *PLAYED)
    places = [f"{seat},{slot}" for seat in range(4) for slot in range(3)]
    assert legal(game) == [f"exchange a={a} b={b}" for a, b in combinations(places, 2)]
    refused(game, "end", "step.jack")
    refused(game, "leave", "step.jack")
    play(game, "exchange a=1,2 b=3,0")
    assert_position(game, "step: end   decides: 0\nseat 1   2D 3D 2S\nseat 3   4D 3S 4S")


def test_a_jack_exchanges_two_cards_of_the_same_owner() -> None:
    """V7: the same one included; one's own as well as another's."""
    for seat, cards in ((0, "4C 3C 2C"), (2, "4H 3H 2H")):
        game = play(table("pile: JH …"), *PLAYED, f"exchange a={seat},0 b={seat},2")
        assert row(game.state, seat) == cards.split()


def test_a_jack_exchanges_the_only_two_cards_there_are() -> None:
    """V7: it must be carried out if a legal target exists."""
    game = position("""
        pile: JH …
        > seat 0   –
          seat 1   2D
          seat 2   –
          seat 3   -- 2S
    """)
    play(game, *PLAYED)
    assert legal(game) == ["exchange a=1,0 b=3,1"]
    assert_position(play(game, "exchange a=1,0 b=3,1"), "seat 1   2S\nseat 3   -- 2D")


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("exchange a=1,0 b=1,0", "two_cards"),
        ("exchange", "which_two"),
        ("exchange a=1,0", "which_two"),
        ("exchange b=1,0", "which_two"),
        ("exchange a=1,3 b=1,0", "gap"),
        ("exchange a=1,0 b=2,53", "gap"),
        ("exchange a=1,0 b=4,0", "no_such_seat"),
        ("look2 1,0 2,0", "step.jack"),
    ],
)
def test_a_jack_needs_two_cards_that_are_there(move: str, why: str) -> None:
    """V7: any two face-down cards on the table."""
    refused(play(table("pile: JH …"), *PLAYED), move, why)


def test_a_queen_looks_at_any_two_cards_then_exchanges_them() -> None:
    """V1, V7."""
    game = play(table("pile: QH …"), *PLAYED)
    places = [f"{seat},{slot}" for seat in range(4) for slot in range(3)]
    assert legal(game) == [f"look2 {a} {b}" for a, b in combinations(places, 2)]
    refused(game, "end", "step.queen")
    play(game, "look2 1,2 3,0")
    assert_position(game, "step: queen looked   decides: 0\nseat 1   2D 3D 4D(0)\nseat 3   2S(0) 3S 4S")
    assert legal(game) == ["exchange", "leave"]
    assert_position(play(game, "exchange"), "step: end   decides: 0\nseat 1   2D 3D 2S\nseat 3   4D 3S 4S")


def test_a_queen_may_leave_the_cards_where_they_are() -> None:
    """V7: the exchange of a queen is optional."""
    game = play(table("pile: QH …"), *PLAYED, "look2 1,2 3,0", "leave")
    assert_position(game, "step: end   decides: 0\nseat 1   2D 3D 4D\nseat 3   2S 3S 4S")


def test_a_queen_looks_at_the_only_two_cards_there_are() -> None:
    """V7: it must be carried out if a legal target exists."""
    game = position("""
        pile: QH …
        > seat 0   –
          seat 1   2D
          seat 2   –
          seat 3   -- 2S
    """)
    play(game, *PLAYED)
    assert legal(game) == ["look2 1,0 3,1"]
    assert_position(play(game, "look2 1,0 3,1", "exchange"), "seat 1   2S\nseat 3   -- 2D")


def test_a_queen_looks_at_two_cards_of_the_same_owner() -> None:
    """V7: of any owners, the same one included."""
    game = play(table("pile: QH …"), *PLAYED, "look2 0,0 0,1", "exchange")
    assert_position(game, "> seat 0   3C 2C 4C")


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("look2 1,0 1,0", "two_cards"),
        ("look2 1,3 1,0", "gap"),
        ("look2 1,0 7,0", "no_such_seat"),
        ("exchange a=1,0 b=2,0", "step.queen"),
        ("leave", "step.queen"),
    ],
)
def test_a_queen_needs_two_cards_that_are_there(move: str, why: str) -> None:
    """V7."""
    refused(play(table("pile: QH …"), *PLAYED), move, why)


def test_a_queen_exchanges_those_two_cards_and_no_others() -> None:
    """V1: look at any two cards, then exchange *them*."""
    game = play(table("pile: QH …"), *PLAYED, "look2 1,2 3,0")
    refused(game, "exchange a=0,0 b=1,0", "those_two")
    refused(game, "exchange a=1,2 b=3,0", "those_two")
    refused(game, "look2 1,2 3,0", "step.queen_looked")
    refused(game, "end", "step.queen_looked")


@pytest.mark.parametrize(
    ("card", "one", "other"),
    [
        ("JH", "exchange a=1,2 b=3,0", "exchange a=3,0 b=1,2"),
        ("JH", "exchange a=2,0 b=2,1", "exchange a=2,1 b=2,0"),
        ("QH", "look2 1,2 3,0", "look2 3,0 1,2"),
    ],
)
def test_which_of_two_cards_is_named_first_makes_no_difference(card: str, one: str, other: str) -> None:
    """V7: whichever way two cards are written it is the same move, and so it is recorded."""
    first, second = (play(table(f"pile: {card} …"), *PLAYED, move) for move in (one, other))
    assert first == second
    assert first.steps == second.steps
    assert str(second.steps[-1].move) == one


@pytest.mark.parametrize("card", ["JH", "QH"])
def test_nor_does_which_of_them_is_pointed_at_first(card: str) -> None:
    """V7: where a move is made one card at a time."""
    game = play(table(f"pile: {card} …"), *PLAYED)
    a, b = (Action.AT + seat * rules.SLOTS + slot for seat, slot in ((1, 2), (3, 0)))
    assert after_actions(game, a, b) == after_actions(game, b, a)


@pytest.mark.parametrize("to", range(4))
def test_an_ace_gives_any_player_a_card_from_the_deck(to: int) -> None:
    """V1: oneself included."""
    game = play(table("pile: AH 6C …"), *PLAYED)
    assert legal(game) == ["give 0", "give 1", "give 2", "give 3"]
    play(game, f"give {to}")
    assert_position(game, "step: end   decides: 0   pile: AC …")
    assert [len(row(game.state, seat)) for seat in range(4)] == [4 if seat == to else 3 for seat in range(4)]
    assert row(game.state, to)[3] == "6C"


@pytest.mark.parametrize("to", [4, -1, -2, 1000])
def test_an_ace_is_given_to_somebody(to: int) -> None:
    """V1: choose a player."""
    game = play(table("pile: AH 6C …"), *PLAYED)
    refused(game, f"give {to}", "no_such_seat")
    refused(game, "end", "step.ace")


# --- V8: the King -----------------------------------------------------------------------------------------------------


def test_a_king_points_at_any_face_down_card_and_declares_its_rank() -> None:
    """V8: on the table, one's own included; it must be carried out."""
    game = play(table("pile: KH …"), *PLAYED)
    places = [f"{seat},{slot}" for seat in range(4) for slot in range(3)]
    assert legal(game) == [f"declare {at} {rank}" for at in places for rank in RANKS]
    refused(game, "end", "step.king")
    refused(game, "name 7", "step.king")


@pytest.mark.parametrize("of", [0, 1])
@pytest.mark.parametrize(("rank", "step"), ACTIONS.items())
def test_right_and_the_card_goes_to_the_pile_and_its_action_is_the_kings_players(of: int, rank: str, step: str) -> None:
    """V8: right, whoever's card it is; when the window for it has closed (V5)."""
    card = a_card(rank).replace("KS", "KD")
    game = position(f"""
        pile: KH 6C …
        > seat 0   {card if of == 0 else "2C"} 3C
          seat 1   {card if of == 1 else "2C"} 3D
          seat 2   2H
          seat 3   2S
    """)
    play(game, *PLAYED, f"declare {of},0 {rank}", "all pass")
    assert_position(game, f"step: {step}   decides: 0   discards: KH {card}   pile: 6C …")
    assert row(game.state, of) == ["--", "3C" if of == 0 else "3D"]


@pytest.mark.parametrize(("card", "rank"), [("5C", "5"), ("X1", "X")])
def test_right_and_a_card_without_action_just_leaves_its_row(card: str, rank: str) -> None:
    """V8."""
    game = position(f"""
        pile: KH 6C …
        > seat 0   2C
          seat 1   2D {card}
          seat 2   2H
          seat 3   2S
    """)
    play(game, *PLAYED, f"declare 1,1 {rank}")
    assert_position(game, f"step: window   decides: 1   discards: KH {card}   pile: 6C …   waits: –\nseat 1   2D --")
    assert_position(play(game, "all pass"), "step: end   decides: 0")


@pytest.mark.parametrize("of", [0, 1])
def test_wrong_and_everyone_has_seen_it_it_stays_and_the_kings_player_takes_a_penalty_card(of: int) -> None:
    """V8: wrong, whoever's card it is; no card was placed, and no window opens."""
    game = play(table("pile: KH 6C …"), *PLAYED, f"declare {of},1 4")
    assert_position(game, "step: end   decides: 0   discards: KH\n> seat 0   2C 3C 4C 6C()")
    assert_position(game, f"{'>' if of == 0 else ''} seat {of}   2{'CD'[of]}() 3{'CD'[of]}(all) 4{'CD'[of]}() …")


def test_a_king_may_declare_a_king_which_declares_again() -> None:
    """V8: its action is carried out by the player of the King: a chain, with a window for every card (V5)."""
    game = position("""
        pile: KH 6C …
        > seat 0   KC 3C
          seat 1   KD 2D
          seat 2   7H
          seat 3   2S
    """)
    play(game, *PLAYED, "declare 1,0 K", "all pass")
    assert_position(game, "step: king   decides: 0   discards: KH KD\nseat 1   -- 2D")
    play(game, "declare 0,0 K", "all pass")
    assert_position(game, "step: king   decides: 0   discards: KH KD KC\n> seat 0   -- 3C")
    play(game, "declare 2,0 7", "all pass")
    assert_position(game, "step: look own   decides: 0   discards: KH KD KC 7H\nseat 2   --")


@pytest.mark.parametrize(
    ("move", "why"),
    [("declare 1,1 7", "gap"), ("declare 1,3 7", "gap"), ("declare 4,0 7", "no_such_seat"), ("look 1,0", "step.king")],
)
def test_a_king_needs_a_card_that_is_there(move: str, why: str) -> None:
    """V8: any face-down card on the table."""
    game = position("""
        pile: KH 6C …
        > seat 0   2C
          seat 1   2D -- 3D
          seat 2   2H
          seat 3   2S
    """)
    refused(play(game, *PLAYED), move, why)


def test_a_king_without_cards_on_the_table_does_nothing() -> None:
    """V7, V8: there is no target."""
    game = position("""
        pile: KH …
        > seat 0   –
          seat 1   –
          seat 2   –
          seat 3   –
    """)
    assert_position(play(game, "draw", "play"), "step: end   decides: 0   discards: KH")


def test_the_last_card_on_the_table_may_be_declared() -> None:
    """V8: and its action finds no target then (V7)."""
    game = position("""
        pile: KH …
        > seat 0   –
          seat 1   JD
          seat 2   –
          seat 3   –
    """)
    play(game, *PLAYED, "declare 1,0 J")
    assert_position(game, "step: end   decides: 0   discards: KH JD\nseat 1   --")


def test_the_king_declares_unless_one_chooses_otherwise() -> None:
    """V8: option `king`: `declare` (default) or `wild`."""
    assert brocante.deal("vinto", seed=1).options["king"] == "declare"
    with pytest.raises(UsageError):
        brocante.deal("vinto", king="tame")


def test_a_wild_king_names_any_rank_with_an_action_other_than_k() -> None:
    """V8, `wild`."""
    game = play(table("pile: KH …", king="wild"), *PLAYED)
    assert_position(game, "step: king wild   decides: 0   discards: KH")
    assert legal(game) == [f"name {rank}" for rank in ("A", "7", "8", "9", "10", "J", "Q")]


@pytest.mark.parametrize("rank", ["K", "2", "3", "4", "5", "6", "X"])
def test_a_wild_king_names_no_king_and_nothing_without_action(rank: str) -> None:
    """V8, `wild`."""
    refused(play(table("pile: KH …", king="wild"), *PLAYED), f"name {rank}", "not_to_be_named")


def test_a_wild_king_declares_nothing() -> None:
    """V8, `wild`."""
    game = play(table("pile: KH …", king="wild"), *PLAYED)
    refused(game, "declare 1,0 2", "step.king_wild")
    refused(game, "end", "step.king_wild")


@pytest.mark.parametrize(("rank", "step"), [(rank, step) for rank, step in ACTIONS.items() if rank != "K"])
def test_a_wild_king_carries_out_the_action_that_was_named(rank: str, step: str) -> None:
    """V8, `wild`: at once: no card is placed, so no window opens."""
    game = play(table("pile: KH …", king="wild"), *PLAYED, f"name {rank}")
    assert_position(game, f"step: {step}   decides: 0   discards: KH   acting: KH\n{ROWS}")


def test_a_wild_king_that_names_an_action_without_target_does_nothing() -> None:
    """V7, V8, `wild`."""
    game = position(
        """
        pile: KH …
        > seat 0   –
          seat 1   2D
          seat 2   –
          seat 3   –
        """,
        king="wild",
    )
    for rank in ("7", "J", "Q"):
        assert_position(play(game.copy(), *PLAYED, f"name {rank}"), "step: end   decides: 0")


def test_a_king_is_wild_however_it_came() -> None:
    """V8, `wild`: declared with a swap, or taken."""
    board = """
        pile: 6C …   discards: 5C KH*
        > seat 0   KC 2C
          seat 1   2D
          seat 2   2H
          seat 3   2S
    """
    for moves in (["take"], ["draw", "swap 0 declare=K"]):
        assert_position(play(position(board, king="wild"), *moves, "all pass"), "step: king wild   decides: 0")


def test_upon_a_wild_king_kings_are_tossed_in() -> None:
    """V6, V8, `wild`: the King was placed, whatever it will be; each is named for itself."""
    game = position(
        """
        pile: KH 6C …
        > seat 0   2C
          seat 1   7D 2D
          seat 2   KS 2H
          seat 3   2S
        """,
        king="wild",
    )
    play(game, "draw", "play", "1: toss 0", "2: toss 0")
    assert_position(game, "discards: KH KS   waits: KH:0 KS:2\nseat 1   7D 2D 6C")
    play(game, "all pass", "name 7", "look 0,0")
    assert_position(game, "step: king wild   decides: 2   acting: KS   waits: –")
    assert_position(play(game, "name 9", "look 0,0"), "step: end   decides: 0")


# --- V8.1: renewing the draw pile -------------------------------------------------------------------------------------


def test_if_the_draw_pile_is_empty_the_discards_but_the_top_one_become_a_new_one() -> None:
    """V8.1: when a card is drawn."""
    game = table("pile: –   discards: … 5C 5D 5H")
    gathered = game.state.discards - 1
    assert_position(play(game, "draw"), "decides: chance")
    play(game, "renew 5D …")
    assert_position(game, "step: drawn   decides: 0   drawn: 5D   discards: 5H   renewals: 1")
    assert game.state.left == gathered - 1


def test_one_card_below_the_top_one_is_enough_for_a_new_draw_pile() -> None:
    """V8.1."""
    game = position("""
        pile: –   discards: 6C 6D
        > seat 0   2C
          seat 1   2D
          seat 2   2H
          seat 3   …
    """)
    assert legal(game) == ["draw"]
    assert_position(play(game, "draw", "renew 6C"), "drawn: 6C   pile: –   discards: 6D")


def test_the_new_draw_pile_is_shuffled() -> None:
    """V8.1: the discard pile except its top card is shuffled."""
    game = play(table("pile: –   discards: … 5C 5D 5H"), "draw")
    renewed = []
    for seed in range(3):
        other = game.copy()
        other.go_on_with(seed)
        assert other.steps[-1].line["chance"] == "renew"
        assert [CARD_NAMES[other.state.drawn], *deck(other)] == other.steps[-1].line["deck"]
        renewed.append(other.steps[-1].line["deck"])
    assert sorted(renewed[0]) == sorted(renewed[1]) == sorted(renewed[2])
    assert len({*map(tuple, renewed)}) == 3


def test_the_draw_pile_is_not_renewed_before_a_card_is_needed() -> None:
    """V8.1: if it is empty *when a card is needed*."""
    game = position("""
        pile: 5C   discards: 6C 6D
        > seat 0   2C
          seat 1   2D
          seat 2   2H
          seat 3   …
    """)
    play(game, "draw")
    assert_position(game, "step: drawn   decides: 0   pile: –   discards: 6C 6D")
    play(game, "play", "all pass", "end")
    assert_position(game, "step: turn   decides: 1   pile: –   discards: 6C 6D 5C")


def test_it_is_renewed_for_the_penalty_of_a_swap() -> None:
    """V8.1: the swapped card is the top card, and stays; its action stays unused."""
    game = position("""
        pile: 5C   discards: 6C 6D
        > seat 0   7C
          seat 1   2D
          seat 2   2H
          seat 3   …
    """)
    assert_position(play(game, "draw", "swap 0 declare=8"), "decides: chance   discards: 6C 6D 7C*")
    play(game, "renew 6D 6C")
    assert_position(game, "step: window   decides: 1   pile: 6C   discards: 7C*   renewals: 1\n> seat 0   5C 6D()")
    play(game, "all pass", "end")
    assert legal(game) == ["draw", "take"]


def test_it_is_renewed_for_the_penalty_of_a_toss() -> None:
    """V8.1: and asking goes on after the tosser."""
    game = position("""
        pile: 5C   discards: 6C 6D
        > seat 0   2C
          seat 1   2D
          seat 2   2H
          seat 3   …
    """)
    assert_position(play(game, "draw", "play", "1: toss 0"), "decides: chance   discards: 6C 6D 5C")
    play(game, "renew 6C 6D")
    assert_position(game, "step: window   decides: 2   pile: 6D   discards: 5C\nseat 1   2D(all) 6C()")
    assert asked(game) == [2, 3]


def test_it_is_renewed_for_the_penalty_of_a_king() -> None:
    """V8.1: the King is the top card, and stays."""
    game = position("""
        pile: KC   discards: 6C 6D
        > seat 0   2C
          seat 1   2D
          seat 2   2H
          seat 3   …
    """)
    assert_position(play(game, *PLAYED, "declare 1,0 9"), "decides: chance   discards: 6C 6D KC")
    play(game, "renew 6C 6D")
    assert_position(game, "step: end   decides: 0   pile: 6D   discards: KC\n> seat 0   2C 6C()")


def test_it_is_renewed_for_an_ace() -> None:
    """V8.1: for the player whom the ace was given."""
    game = position("""
        pile: AC   discards: 6C 6D
        > seat 0   2C
          seat 1   2D
          seat 2   2H
          seat 3   …
    """)
    assert_position(play(game, *PLAYED, "give 2"), "decides: chance   discards: 6C 6D AC")
    play(game, "renew 6C 6D")
    assert_position(game, "step: end   decides: 0   pile: 6D   discards: AC\nseat 2   2H 6C()")


def test_an_action_that_waits_is_carried_out_even_if_its_card_was_shuffled_into_the_new_draw_pile() -> None:
    """V8.1: three aces wait; the first one needs a card, and the second one is it."""
    game = position("""
        pile: AC   discards: 6C
        > seat 0   2C
          seat 1   AD 2D
          seat 2   AH 2H
          seat 3   …
    """)
    play(game, "draw", "play", "1: toss 0", "1: pass", "2: toss 0", "all pass")
    assert_position(game, "step: ace   decides: 0   discards: 6C AC AD AH   acting: AC   waits: AD:1 AH:2")
    assert_position(play(game, "0: give 0"), "decides: chance   acting: AC   waits: AD:1 AH:2")
    play(game, "renew AD AC 6C")
    assert_position(game, "step: ace   decides: 1   pile: AC 6C   discards: AH   acting: AD   waits: AH:2")
    assert_position(game, "> seat 0   2C AD()")
    play(game, "1: give 1")
    assert_position(game, "step: ace   decides: 2   pile: 6C   acting: AH   waits: –\nseat 1   AC() 2D")
    assert_position(play(game, "2: give 2"), "step: end   decides: 0   pile: –   discards: AH\nseat 2   6C() 2H")


def test_the_pile_may_be_renewed_in_a_window_too_and_what_waits_goes_on_waiting() -> None:
    """V8.1: for the penalty of a toss; of the two sevens that wait the first one is shuffled."""
    game = position("""
        pile: 7C   discards: 6C
        > seat 0   2C
          seat 1   7D 2D
          seat 2   2H
          seat 3   …
    """)
    play(game, "draw", "play", "1: toss 0", "1: pass", "2: toss 0", "renew 7C 6C")
    assert_position(game, "step: window   decides: 3   discards: 7D   waits: 7C:0 7D:1\nseat 2   2H(all) 7C()")
    assert_position(play(game, "3: pass"), "step: look own   decides: 0   acting: 7C   waits: 7D:1")


def test_an_action_stays_unused_when_the_pile_below_it_is_renewed() -> None:
    """V8.1, V4: the top card stays what it was."""
    game = position("""
        pile: –   discards: 6C 6D 7H*
        > seat 0   2C
          seat 1   2D
          seat 2   2H
          seat 3   …
    """)
    assert legal(game) == ["draw", "take"]
    assert_position(play(game, "draw", "renew 6D 6C"), "drawn: 6D   discards: 7H*")


#: The draw pile is empty, one card lies on the discard pile, and seat 3 has all the others.
BARE = """
    pile: –   discards: {top}
    > seat 0   {own}
      seat 1   2D
      seat 2   2H
      seat 3   2S …
"""


def test_if_there_is_still_no_card_no_penalty_is_taken() -> None:
    """V8.1: for a toss, a King and a swap."""
    game = position(BARE.format(top="7C*", own="6C"))
    play(game, "take", "1: toss 0")
    assert_position(game, "step: window   decides: 2   pile: –   discards: 7C\nseat 1   2D(all)")
    game = position(BARE.format(top="KC*", own="6C"))
    play(game, "take", "all pass", "declare 1,0 9")
    assert_position(game, "step: end   decides: 0   pile: –   discards: KC\n> seat 0   6C")
    game = position(BARE.format(top="–", own="6C").replace("pile: –", "pile: 5C"))
    play(game, "draw", "swap 0 declare=9")
    assert_position(game, "step: window   decides: 1   pile: –   discards: 6C*\n> seat 0   5C")


def test_if_there_is_still_no_card_an_ace_gives_none() -> None:
    """V8.1: a player must be chosen all the same."""
    game = play(position(BARE.format(top="AC*", own="6C")), "take", "all pass")
    refused(game, "end", "step.ace")
    play(game, "give 1")
    assert_position(game, "step: end   decides: 0   pile: –   discards: AC\nseat 1   2D")


def test_who_can_take_but_not_draw_must_take() -> None:
    """V8.1."""
    game = position(BARE.format(top="7C*", own="6C"))
    assert legal(game) == ["take"]
    refused(game, "draw", "nothing_to_draw")
    refused(game, "pass", "no_pass")


@pytest.mark.parametrize("top", ["7C", "5C*", "5C", "–"])
def test_who_can_neither_draw_nor_take_passes_and_no_window_opens(top: str) -> None:
    """V8.1: `vinto` or `end` follows."""
    game = position(BARE.format(top=top, own="6C"))
    assert legal(game) == ["pass"]
    refused(game, "draw", "nothing_to_draw")
    refused(game, "take", "nothing_to_take")
    play(game, "pass")
    assert_position(game, "step: end   decides: 0")
    assert legal(game) == ["end", "vinto"]
    assert_position(play(game.copy(), "end"), "step: turn   decides: 1   turns: 1")
    assert_position(play(game.copy(), "vinto"), "step: turn   decides: 1\nseat 0 (vinto)   6C")


def test_who_can_draw_or_take_does_not_pass() -> None:
    """V8.1: only one who can neither."""
    refused(table("pile: 5C …"), "pass", "no_pass")
    refused(table("pile: –   discards: … 5C 5D"), "pass", "no_pass")


# --- V9: Vinto --------------------------------------------------------------------------------------------------------

#: Fives and sixes to draw, of which nobody has any.
FIVES = "pile: 5C 5D 5H 5S 6C 6D 6H 6S …"


def test_at_the_end_of_their_own_turn_a_player_may_call_vinto_and_every_other_has_one_more_turn_in_order() -> None:
    """V9: exactly one more turn."""
    game = play(table(FIVES, rounds=1), *A_TURN)
    play(game, "1: draw", "1: play", "2: pass", "3: pass", "0: pass", "1: vinto")
    for seat in (2, 3, 0):
        assert_position(game, f"step: turn   decides: {seat}\nseat 1 (vinto)   2D 3D 4D")
        play(game, *A_TURN)
    assert_position(game, "step: reveal   decides: nobody   turns: 5")


def test_in_the_final_round_nobody_else_can_call() -> None:
    """V9: there is one caller."""
    game = play(table(FIVES), *PLAYED, "vinto", *PLAYED)
    assert legal(game) == ["end"]
    refused(game, "vinto", "called")


def test_vinto_is_not_called_before_the_end_of_the_turn() -> None:
    """V9: at the end of their own turn."""
    game = table(FIVES)
    refused(game, "vinto", "step.turn")
    refused(play(game, "draw"), "vinto", "step.drawn")
    refused(play(game, "play"), "vinto", "step.window")


def test_vinto_is_not_called_while_an_action_of_another_waits() -> None:
    """V9, V5: one's own action has been carried out, and the window has closed, but the turn is not at its end."""
    game = position("""
        pile: 6C …   discards: 7H 7D   acting: 7H   waits: 7D:1
        > seat 0   2C
          seat 1   2D
          seat 2   2H
          seat 3   2S
    """)
    refused(game, "vinto", "step.look_own")
    play(game, "0: look 0,0")
    with pytest.raises(IllegalMove, match="seat 1"):
        play(game, "0: vinto")
    assert "vinto" in legal(play(game, "1: look 1,0"))


def test_nobody_calls_at_the_end_of_the_turn_of_another() -> None:
    """V9: their own turn."""
    game = play(table(FIVES), *PLAYED)
    with pytest.raises(IllegalMove, match="seat 0"):
        play(game, "1: vinto")


#: The final round: seat 3 called, seat 0 is the first of the coalition.
FINAL = """
    > seat 0           2C 3C
      seat 1           2D 3D
      seat 2           2H 3H
      seat 3 (vinto)   2S 3S
"""


def seats_touched(move: Move) -> list[int]:
    """Whose cards a move names, and whom it gives one."""
    named = [value for name, value in move.values().items() if name in ("at", "a", "b", "to")]
    return [value[0] if isinstance(value, tuple) else value for value in named]


@pytest.mark.parametrize(
    ("card", "moves"),
    [
        ("9H", ["look 3,0"]),
        ("10H", ["look 3,1"]),
        ("JH", ["exchange a=0,0 b=3,0", "exchange a=3,1 b=0,0", "exchange a=3,0 b=3,1"]),
        ("QH", ["look2 0,0 3,0", "look2 3,1 0,0", "look2 3,0 3,1"]),
        ("KH", ["declare 3,0 2", "declare 3,0 9"]),
        ("AH", ["give 3"]),
    ],
)
def test_no_player_may_touch_or_look_at_the_callers_cards(card: str, moves: list[str]) -> None:
    """V9.1: nor can an ace be given to the caller."""
    game = play(position(f"pile: {card} …\n{FINAL}"), *PLAYED)
    for move in moves:
        refused(game, move, "caller")
    assert {touched for move in game.legal_moves for touched in seats_touched(move)} >= {1, 2}
    assert all(3 not in seats_touched(move) for move in game.legal_moves)


def test_the_caller_does_not_toss_in() -> None:
    """V9.1."""
    game = position("""
        pile: 5C …
        > seat 0           2C
          seat 1           2D
          seat 2           2H
          seat 3 (vinto)   5S
    """)
    assert asked(play(game, "draw", "play")) == [1, 2]


@pytest.mark.parametrize(("card", "own"), [("9H", "2C 3C"), ("JH", "2C"), ("QH", "2C"), ("KH", "–")])
def test_the_callers_cards_are_no_targets(card: str, own: str) -> None:
    """V9.1, V7: with no other cards on the table an action does nothing."""
    game = position(f"""
        pile: {card} …
        > seat 0           {own}
          seat 1           –
          seat 2           –
          seat 3 (vinto)   2S 3S
    """)
    assert_position(play(game, "draw", "play"), f"step: end   decides: 0   discards: {card}")


@pytest.mark.parametrize(
    ("card", "moves"),
    [
        ("9D", ["look 3,0"]),
        ("JD", ["exchange a=0,0 b=3,0", "exchange a=3,0 b=3,1"]),
        ("QD", ["look2 0,0 3,0", "look2 3,0 3,1"]),
        ("KD", ["declare 3,0 2"]),
        ("AD", ["give 3"]),
    ],
)
def test_nor_may_one_whose_action_waited(card: str, moves: list[str]) -> None:
    """V9.1: the caller's cards are no targets, and the caller is no player to give an ace to."""
    game = position(f"pile: 6C …   discards: 10H {card}   acting: 10H   waits: {card}:1\n{FINAL}")
    refused(game, "look 3,0", "caller")
    play(game, "0: look 2,0")
    assert_position(game, f"decides: 1   acting: {card}")
    for move in moves:
        refused(game, move, "caller")
    assert all(3 not in seats_touched(move) for move in game.legal_moves)


def test_nor_is_the_caller_asked_about_a_card_that_a_king_placed() -> None:
    """V9.1, V6.1."""
    game = position("""
        pile: 6C …   discards: KH   acting: KH
        > seat 0           2C
          seat 1           5D
          seat 2           2H
          seat 3 (vinto)   5S
    """)
    assert asked(play(game, "0: declare 1,0 5")) == [2]


def test_before_vinto_nobody_is_frozen() -> None:
    """V9.1: only until the round is scored, and only the caller."""
    game = play(position(f"pile: 9H …\n{FINAL.replace('(vinto)', '       ')}"), *PLAYED)
    assert {"look 1,0", "look 2,1", "look 3,0", "look 3,1"} <= {*legal(game)}


@pytest.mark.parametrize("players", [4, 5])
def test_without_vinto_a_round_ends_after_40_turns_a_player(players: int) -> None:
    """V9.3: `max_turns`, default 40 × players; scored without a caller: 0 points for all."""
    game = position(
        f"""
        {FIVES}   turns: {40 * players - 2}
        > seat 0   2C 3C
          seat 1   2D 3D
          seat 2   2H 3H
          seat 3   2S 3S
          {"seat 4   4S" if players == 5 else ""}
        """,
        rounds=1,
    )
    assert_position(play(game, *A_TURN), f"step: turn   decides: 1   turns: {40 * players - 1}")
    assert_position(play(game, *A_TURN), f"step: reveal   decides: nobody   turns: {40 * players}")
    assert game.state.points.tolist() == [0] * 5


def test_or_after_as_many_turns_as_one_chooses() -> None:
    """V9.3: option `max_turns`: of all players together."""
    game = table(FIVES, rounds=1, max_turns=3)
    play(game, *A_TURN, *A_TURN)
    assert_position(game, "step: turn   decides: 2   turns: 2")
    assert_position(play(game, *A_TURN), "step: reveal   decides: nobody")
    assert game.result_line()["rounds"] == [[0, 0, 0, 0]]


def test_vinto_called_in_the_very_last_turn_still_has_its_final_round() -> None:
    """V9.3: a round in which nobody has called Vinto after `max_turns` turns; here somebody has."""
    game = table(FIVES, rounds=1, max_turns=2)
    play(game, *A_TURN, *PLAYED, "vinto")
    play(game, *A_TURN, *A_TURN)
    assert_position(game, "step: turn   decides: 0   turns: 4")
    assert_position(play(game, *A_TURN), "step: reveal   decides: nobody   turns: 5")


# --- V10: the score ---------------------------------------------------------------------------------------------------


def scored(*rows: str) -> Game:
    """After the last turn of a final round that seat 1 called."""
    marks = {0: "> seat 0", 1: "seat 1 (vinto)"}
    seats = [f"{marks.get(seat, f'seat {seat}')}   {cards}" for seat, cards in enumerate(rows)]
    return play(position("\n".join([FIVES, *seats]), rounds=1), *A_TURN)


@pytest.mark.parametrize(
    ("rows", "points"),
    [
        pytest.param(["3C", "2C", "4C", "4D"], [-1, 3, -1, -1], id="lower than everyone"),
        pytest.param(["3C", "3D", "4C", "4D"], [0, 3, 0, 0], id="as low as the lowest"),
        pytest.param(["2C", "3D", "4C", "4D"], [3, -1, 3, 3], id="higher than the lowest"),
        pytest.param(["QC", "KC X1 X2 AC", "KD", "QD"], [-1, 3, -1, -1], id="below zero"),
        pytest.param(["QC", "KC -- KD", "–", "QD"], [0, 3, 0, 0], id="nothing, as one without cards"),
        pytest.param(["QC", "AC", "X1 2C", "JC"], [0, 3, 0, 0], id="equal by a joker"),
        pytest.param(["QC", "AC", "X1 AD", "JC"], [3, -1, 3, 3], id="beaten by a joker"),
        pytest.param(["3C", "2C", "4C", "4D", "3S"], [-1, 3, -1, -1, -1], id="five: lower"),
        pytest.param(["3C", "3D", "4C", "4D", "3S"], [0, 3, 0, 0, 0], id="five: equal"),
        pytest.param(["3C", "3D", "4C", "4D", "2S"], [3, -1, 3, 3, 3], id="five: higher"),
    ],
)
def test_the_callers_total_is_compared_with_the_lowest_of_the_coalition(rows: list[str], points: list[int]) -> None:
    """V10: c < m: caller +3, each other −1; c = m: caller +3, the others 0; c > m: caller −1, each other +3."""
    game = scored(*rows)
    assert game.state.points[: len(rows)].tolist() == points
    assert game.result_line()["rounds"] == [points]


def test_all_cards_are_turned_up() -> None:
    """V10: for everyone to see; gaps stay gaps."""
    game = scored("3C QD", "2C -- 7H", "4C", "4D")
    assert_position(
        game,
        """
        > seat 0           3C(all) QD(all)
          seat 1 (vinto)   2C(all) -- 7H(all)
          seat 2           4C(all)
          seat 3           4D(all)
        """,
    )


def test_round_points_are_added_up() -> None:
    """V10, V11.1: the sum of their round points."""
    game = position(
        """
        pile: 5C …   round: 2
        > seat 0           3C   points: 3
          seat 1 (vinto)   2C   points: -1
          seat 2           4C   points: 3
          seat 3           4D   points: 3
        """,
        rounds=2,
    )
    play(game, *A_TURN)
    assert game.state.points[:4].tolist() == [3 - 1, -1 + 3, 3 - 1, 3 - 1]


# --- V11: the game ----------------------------------------------------------------------------------------------------


def test_a_game_lasts_four_rounds_unless_one_chooses_otherwise() -> None:
    """V11: option `rounds`, default 4."""
    game = played_to_the_end(brocante.deal("vinto", max_turns=1, seed=1))
    assert game.options["rounds"] == len(setups(game)) == len(game.result_line()["rounds"]) == 4


@pytest.mark.parametrize("rounds", [1, 2, 7])
def test_or_any_number_of_rounds(rounds: int) -> None:
    """V11: option `rounds`."""
    game = played_to_the_end(brocante.deal("vinto", rounds=rounds, max_turns=1, seed=1))
    assert len(setups(game)) == len(game.result_line()["rounds"]) == rounds


def test_a_game_with_minutes_goes_on_until_time_is_up_and_that_round_is_the_last() -> None:
    """V11: option `minutes`; the table writes the line {"event": "time"} while a round is under way."""
    game = brocante.deal("vinto", minutes=30, max_turns=1, seed=1)
    while len(setups(game)) < 9:
        game.play(game.legal_moves[0])
    play(after_peeks(game), "draw")
    assert game.events == ({"event": "time"},)
    play(game, "time")
    assert game.steps[-1].line == {"event": "time"}
    assert not game.is_over
    played_to_the_end(game)
    assert len(setups(game)) == len(game.result_line()["rounds"]) == 9


def test_time_may_be_up_at_any_moment_of_a_round() -> None:
    """V11: while a round is under way: at the peeks, in the window, when the draw pile is to be renewed."""
    moments = [
        brocante.deal("vinto", minutes=30, seed=1),
        play(table("pile: 5C …", minutes=30), "draw", "play"),
        play(table("pile: –   discards: … 5C", minutes=30), "draw"),
        play(position(f"pile: 5C …\n{FINAL}", minutes=30), *PLAYED),
    ]
    for game in moments:
        decides = game.actor
        assert list(game.events) == [TIME]
        assert play(game, "time").actor == decides
        assert not game.events


def test_without_minutes_time_is_never_up() -> None:
    """V11: a time or a number of rounds, never both."""
    game = table("pile: 5C …")
    assert not game.events
    not_announced(game, {"event": "time"}, "no_minutes")


def test_time_is_up_once() -> None:
    """V11."""
    not_announced(play(table("pile: 5C …", minutes=30), "time"), {"event": "time"}, "not_now")


def test_time_is_not_up_when_no_round_is_under_way() -> None:
    """V11: not before the deal, not between two rounds, not after the end."""
    not_announced(Game(brocante.box("vinto"), {"minutes": 30}), {"event": "time"}, "not_now")
    between = play(table(FIVES, minutes=30, max_turns=1), *A_TURN)
    assert between.actor == CHANCE
    not_announced(between, {"event": "time"}, "not_now")
    over = play(table(FIVES, minutes=30, max_turns=1), "time", *A_TURN)
    assert over.is_over
    not_announced(over, {"event": "time"}, "not_now")


@pytest.mark.parametrize("line", [{"event": "fire"}, {"event": "time", "seat": 0}, {"event": None}, {}])
def test_the_table_announces_nothing_but_the_time(line: dict[str, Any]) -> None:
    """V11: the line {"event": "time"}."""
    not_announced(table("pile: 5C …", minutes=30), line, "unknown")


def test_minutes_and_rounds_are_not_both_chosen() -> None:
    """V11: never both."""
    with pytest.raises(UsageError, match=r"minutes.*rounds|rounds.*minutes"):
        brocante.deal("vinto", minutes=30, rounds=2)
    assert brocante.deal("vinto", minutes=30).options["minutes"] == 30


@pytest.mark.parametrize(
    ("points", "scores", "ranks"),
    [
        ([9, 5, 3, 1], [5, 3, 2, 0], [1, 2, 3, 4]),
        ([1, 3, 5, 9], [0, 2, 3, 5], [4, 3, 2, 1]),
        ([5, 5, 3, 1], [5, 5, 2, 0], [1, 1, 3, 4]),
        ([1, 5, 3, 3], [0, 5, 3, 3], [4, 1, 2, 2]),
        ([1, 5, 1, 3], [2, 5, 2, 3], [3, 1, 3, 2]),
        ([5, 5, 5, -1], [5, 5, 5, 0], [1, 1, 1, 4]),
        ([-1, -1, -1, -1], [5, 5, 5, 5], [1, 1, 1, 1]),
        ([9, 5, 3, 1, -4], [5, 3, 2, 0, 0], [1, 2, 3, 4, 5]),
        ([1, 1, 1, 1, 3], [3, 3, 3, 3, 5], [2, 2, 2, 2, 1]),
        ([0, -1, 3, -1, 3], [2, 0, 5, 0, 5], [3, 4, 1, 4, 1]),
    ],
)
def test_players_are_ranked_by_their_round_points_highest_first(
    points: list[int], scores: list[int], ranks: list[int]
) -> None:
    """V11.1: 5, 3, 2 for first, second and third, 0 after; equal sums share the better place's points (1, 1, 3)."""
    drawn = ["2C", "2D", "2H", "2S", "3C"]
    seats = [f"seat {seat}   {drawn[seat]}   points: {n}" for seat, n in enumerate(points)]
    game = position("\n".join([FIVES, "round: 4", "> " + seats[0], *seats[1:]]), max_turns=1)
    play(game, *A_TURN)
    assert game.is_over
    assert (game.scores, game.ranks) == (scores, ranks)
    assert game.winners == [seat for seat, rank in enumerate(ranks) if rank == 1]


def test_a_result_tells_the_points_of_every_round() -> None:
    """V11.1: `scores` are the game points; `rounds` has the points of each round, and they add up."""
    game = played_to_the_end(brocante.deal("vinto", players=5, rounds=3, max_turns=6, seed="result"), "result")
    line = game.result_line()
    assert list(line) == ["scores", "ranks", "winners", "rounds"]
    assert len(line["rounds"]) == 3
    assert [sum(points) for points in zip(*line["rounds"], strict=True)] == game.state.points.tolist()


# --- the record -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options", [{}, {"players": 5}, {"king": "wild"}, {"max_turns": 12}, {"memory_aid": True, "rounds": 1}]
)
def test_a_whole_game_is_written_and_read(options: dict[str, Any]) -> None:
    """Record: setups, moves, renewals and result are written, and read they give the same game."""
    game = played_to_the_end(brocante.deal("vinto", **{"rounds": 2, **options}, seed=11))
    replay = read_again(game)
    assert replay.finished
    assert replay.game == game
    assert brocante.write_record(replay.game).partition(b"\n")[2] == brocante.write_record(game).partition(b"\n")[2]


def test_a_game_with_minutes_is_written_and_read() -> None:
    """Record: with the line {"event": "time"}."""
    game = play(brocante.deal("vinto", minutes=30, seed=11), "peek 0,1", "time")
    played_to_the_end(game)
    assert {"event": "time"} in game.lines()
    assert read_again(game).game == game


def test_moves_are_written_as_the_rules_of_record_name_them() -> None:
    """Moves: `peek {slots}`, `swap {slot, declare?}`, `look {at}`, `exchange {a, b}`, `look2 {a, b}`, …; of two cards
    always the first one first."""
    game = brocante.deal("vinto", seed=1)
    written: dict[str, dict[str, Any]] = {
        "peek 0,1": {"move": "peek", "slots": (0, 1)},
        "peek 4,2": {"move": "peek", "slots": (2, 4)},
        "draw": {"move": "draw"},
        "take": {"move": "take"},
        "play": {"move": "play"},
        "swap 3": {"move": "swap", "slot": 3},
        "swap 3 declare=10": {"move": "swap", "slot": 3, "declare": "10"},
        "look 1,2": {"move": "look", "at": (1, 2)},
        "exchange a=0,1 b=2,3": {"move": "exchange", "a": (0, 1), "b": (2, 3)},
        "exchange a=2,0 b=1,4": {"move": "exchange", "a": (1, 4), "b": (2, 0)},
        "exchange": {"move": "exchange"},
        "look2 0,1 2,3": {"move": "look2", "a": (0, 1), "b": (2, 3)},
        "look2 1,3 1,2": {"move": "look2", "a": (1, 2), "b": (1, 3)},
        "leave": {"move": "leave"},
        "declare 1,2 X": {"move": "declare", "at": (1, 2), "rank": "X"},
        "name Q": {"move": "name", "rank": "Q"},
        "give 3": {"move": "give", "to": 3},
        "toss 4": {"move": "toss", "slot": 4},
        "pass": {"move": "pass"},
        "vinto": {"move": "vinto"},
        "end": {"move": "end"},
    }
    for text, line in written.items():
        assert game.parse(text, 2).line() == {"seat": 2, **line}


def waiting(**options: Any) -> Game:
    """A game of four that waits for its setup line."""
    return Game(brocante.box("vinto"), options)


def test_the_setup_line_tells_what_was_dealt() -> None:
    """Record: `first`, `hands`, `deck` (next first); it is read back."""
    game = brocante.deal("vinto", seed=1)
    (setup,) = setups(game)
    assert list(setup) == ["first", "hands", "deck"]
    again = waiting()
    again.chance({"setup": setup})
    assert again == game
    after_peeks(again)
    assert_position(play(again, "draw"), f"drawn: {setup['deck'][0]}")


Damage = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        pytest.param(lambda setup: setup.pop("hands"), "shape", id="no hands"),
        pytest.param(lambda setup: setup.pop("deck"), "shape", id="no deck"),
        pytest.param(lambda setup: setup.pop("first"), "shape", id="no first player"),
        pytest.param(lambda setup: setup.update(pile=[]), "shape", id="something else"),
        pytest.param(lambda setup: setup.update(first="0"), "shape", id="a first player in words"),
        pytest.param(lambda setup: setup.update(first=True), "shape", id="a first player who is true"),
        pytest.param(lambda setup: setup.update(hands={}), "shape", id="hands that are no list"),
        pytest.param(lambda setup: setup["hands"][1].__setitem__(0, 7), "shape", id="a card that is a number"),
        pytest.param(lambda setup: setup["hands"].append([]), "hands", id="a hand too many"),
        pytest.param(lambda setup: setup["deck"].extend(setup["hands"].pop()), "hands", id="a hand too few"),
        pytest.param(lambda setup: setup["hands"][1].append(setup["deck"].pop()), "hand", id="a card too many"),
        pytest.param(lambda setup: setup["deck"].append(setup["hands"][1].pop()), "hand", id="a card too few"),
        pytest.param(lambda setup: setup["hands"][1].__setitem__(0, "11C"), "cards.surplus", id="an unknown card"),
        pytest.param(lambda setup: setup["deck"].__setitem__(0, "X"), "cards.surplus", id="a joker without number"),
        pytest.param(lambda setup: setup["deck"].__setitem__(0, setup["deck"][1]), "cards.surplus", id="a card twice"),
        pytest.param(lambda setup: setup["deck"].append("X3"), "cards.surplus", id="a third joker"),
        pytest.param(lambda setup: setup["deck"].pop(), "cards.lacking", id="a card missing"),
        pytest.param(lambda setup: setup.update(deck=[]), "cards.lacking", id="an empty deck"),
    ],
)
def test_a_setup_that_cannot_be_is_refused(damage: Damage, why: str) -> None:
    """V2, V1: a wrong setup line is refused, and nothing was dealt."""
    (setup,) = setups(brocante.deal("vinto", seed=1))
    damage(setup)
    rejected(waiting(), {"setup": setup}, f"setup.{why}")


@pytest.mark.parametrize("first", [4, -1])
def test_the_first_player_sits_at_the_table(first: int) -> None:
    """V2: a player begins."""
    (setup,) = setups(brocante.deal("vinto", seed=1))
    game = waiting()
    assert_refused(game, lambda: game.chance({"setup": setup | {"first": first}}), "error.chance.first", "(V2)")


@pytest.mark.parametrize("line", [{"chance": "renew", "deck": []}, {"setup": {}, "chance": "deal"}])
def test_a_round_begins_with_a_setup_and_nothing_else(line: dict[str, Any]) -> None:
    """V2: chance's line is the setup."""
    rejected(waiting(), line, "setup.only")


@pytest.mark.parametrize("first", [0, 2, 3])
def test_in_the_second_round_the_first_player_is_the_left_neighbour(first: int) -> None:
    """V2: the start passes to the left."""
    game = play(table(FIVES, max_turns=1), *A_TURN)
    (setup,) = setups(brocante.deal("vinto", seed=1))
    rejected(game, {"setup": setup | {"first": first}}, "setup.left")
    game.chance({"setup": setup | {"first": 1}})
    assert_position(game, "step: peek   decides: 1   first: 1   round: 2")


RENEWAL = """
    pile: –   discards: 6C 6D 6H 5C
    > seat 0   2C
      seat 1   2D
      seat 2   2H
      seat 3   …
"""


@pytest.mark.parametrize(
    ("line", "why"),
    [
        pytest.param({"setup": {}}, "only", id="a setup"),
        pytest.param({"chance": "renew"}, "shape", id="no deck"),
        pytest.param({"chance": "renew", "deck": "6C"}, "shape", id="no list"),
        pytest.param({"chance": "renew", "deck": [1, 2, 3]}, "shape", id="numbers"),
        pytest.param({"chance": 1, "deck": ["6C", "6D", "6H"]}, "shape", id="no word"),
        pytest.param({"chance": "renew", "deck": ["6C", "6D", "6H"], "first": 0}, "shape", id="something else"),
        pytest.param({"chance": "shuffle", "deck": ["6C", "6D", "6H"]}, "chance", id="another word"),
        pytest.param({"chance": "renew", "deck": []}, "cards.lacking", id="an empty deck"),
        pytest.param({"chance": "renew", "deck": ["6C", "6D"]}, "cards.lacking", id="a card missing"),
        pytest.param({"chance": "renew", "deck": ["6C", "6D", "6D"]}, "cards.surplus", id="a card for another"),
        pytest.param({"chance": "renew", "deck": ["6C", "6D", "6H", "6C"]}, "cards.surplus", id="a card twice"),
        pytest.param({"chance": "renew", "deck": ["6C", "6D", "6H", "5C"]}, "cards.surplus", id="the top card, too"),
        pytest.param({"chance": "renew", "deck": ["6C", "6D", "7H"]}, "cards.surplus", id="another card"),
    ],
)
def test_a_renewal_that_cannot_be_is_refused(line: dict[str, Any], why: str) -> None:
    """V8.1: the new draw pile is the discard pile except its top card, each card once, and nothing else."""
    game = play(position(RENEWAL), "draw")
    rejected(game, line, f"renewal.{why}")
    play(game, "renew 6H 6D 6C")
    assert_position(game, "drawn: 6H   pile: 6D 6C   discards: 5C")


def test_the_draw_pile_is_renewed_only_when_it_is_to_be() -> None:
    """V8.1: anywhere else it is somebody's decision."""
    game = position(RENEWAL)
    before = game.copy()
    with pytest.raises(IllegalMove, match="seat 0"):
        game.chance({"chance": "renew", "deck": ["6C", "6D", "6H"]})
    assert game == before


def test_nobody_moves_while_the_draw_pile_is_to_be_renewed() -> None:
    """V8.1."""
    game = play(position(RENEWAL), "draw")
    assert legal(game) == []
    with pytest.raises(IllegalMove):
        play(game, "0: draw")


@pytest.mark.parametrize("needed", ["draw", "a penalty", "an ace"])
def test_the_renewal_line_has_the_card_that_was_needed_first(needed: str) -> None:
    """Record: `{"chance": "renew", "deck": [...]}`; whatever chance does by itself is told and read back."""
    game = {
        "draw": lambda: play(position(RENEWAL), "draw"),
        "a penalty": lambda: play(position(RENEWAL.replace("pile: –", "pile: AC")), "draw", "swap 0 declare=9"),
        "an ace": lambda: play(position(RENEWAL.replace("pile: –", "pile: AC")), *PLAYED, "give 1"),
    }[needed]()
    told = game.copy()
    assert game.actor == CHANCE
    game.go_on_with("market day")
    line = game.steps[-1].line
    assert list(line) == ["chance", "deck"]
    told.chance(line)
    assert told == game
    assert line["deck"][1:] == deck(game)
