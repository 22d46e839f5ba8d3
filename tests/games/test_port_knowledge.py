"""What a seat knows in Port: everything but the hands of the others, the deck's order and the chips of later rounds.

Positions are drawn as port_positions.py tells.
"""

from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import numpy as np
import pytest

import brocante
from brocante import NOBODY, Game, IllegalMove
from brocante.engine.deck import NONE
from brocante.engine.observation import flat
from brocante.engine.random import generator
from brocante.engine.text import language
from brocante.games.port.chance_lines import cards
from brocante.games.port.names import CARD_IDS
from brocante.games.port.observation import OBSERVATION
from brocante.games.port.rules import HAND, MOST_PLAYERS, STATE
from tests.games.playing import refusal, spoken
from tests.games.port_positions import check_state, deck_cards, facts_of, play, position

HIDDEN = ("hand", "deck", "bonuses")
VIEWERS = [0, 1, 2, NOBODY]
#: It is the turn of seat 0; of a middle round, with something everywhere.
TABLE = """
    round: 3   bonus: 2 1 3 3   used: boat boat   aside: buying   deck: vintage enologist …
    > seat 0   vp: 5   boat: cima 2@5   estates: baixo-1(vb)=2@4 cima-2(v)   hand: free harvest
               cellar: 3@7 2@4 | 4@6 –   warehouse: reserva=2 aged=1   placed: buy   done: bought
      seat 1   vp: 2   placed: harvest boat   done: harvested   hand: planting
      seat 2   hand: vintage colheita
"""
#: The same to seat 0, with other cards in the hands of seats 1 and 2 and on the deck, and other chips to come.
OTHER_SECRETS = TABLE.replace("hand: planting", "hand: free").replace("vintage colheita", "boat enologist")
OTHER_SECRETS = OTHER_SECRETS.replace("deck: vintage enologist", "deck: colheita planting").replace(
    "2 1 3 3", "2 3 1 3"
)


def hands(s: Any) -> list[list[str]]:
    return [cards(s.hand[seat]) for seat in range(s.players)]


# --- what a seat sees -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_seat_sees_its_own_hand_and_no_other(viewer: int) -> None:
    """Hidden: hands of cards; how many there are is public. Those who watch see none."""
    game = position(TABLE)
    s = game.seen(viewer)
    all_hands = [["harvest", "free"], ["planting"], ["colheita", "vintage"]]
    assert hands(game.state) == all_hands
    assert hands(s) == [hand if seat == viewer else [] for seat, hand in enumerate(all_hands)]
    assert s.held[:3].tolist() == [2, 1, 2]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_deck_is_hidden_and_how_many_cards_it_has_is_not(viewer: int) -> None:
    """Hidden: the deck's order."""
    s = position(TABLE).seen(viewer)
    assert (s.deck == NONE).all()
    assert s.left == 36 - 2 - 1 - 2 - 3


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("number", range(1, 7))
def test_the_chips_of_later_rounds_are_hidden(viewer: int, number: int) -> None:
    """Hidden: the chips of later rounds; those of this one and of earlier ones were turned up (P7)."""
    game = position(f"round: {number}\n> seat 0\n  seat 1\n  seat 2")
    s = game.seen(viewer)
    assert s.bonuses[:number].tolist() == game.state.bonuses[:number].tolist()
    assert (s.bonuses[number:] == NONE).all()


@pytest.mark.parametrize("viewer", VIEWERS)
def test_everything_else_is_open(viewer: int) -> None:
    """Hidden: nothing but that; all through a game, for players and those who watch."""
    game, choices = brocante.deal("port", players=3, seed="open"), Random("open")
    while not game.is_over:
        s = game.seen(viewer)
        for field in STATE.names or ():
            assert field in HIDDEN or (s[field] == game.state[field]).all()
        game.play(choices.choice(game.legal_moves))


def test_positions_that_differ_in_hidden_things_alone_are_the_same_to_a_seat() -> None:
    """Hidden: by any means: what is seen, observed, shown and said."""
    one, two = position(TABLE), position(OTHER_SECRETS)
    assert one != two
    for viewer in (0, NOBODY):
        assert one.seen(viewer).tobytes() == two.seen(viewer).tobytes()
        assert one.view(viewer).plain(language("en")) == two.view(viewer).plain(language("en"))
    assert one.observation(0) == two.observation(0)
    for viewer in (1, 2):
        assert one.seen(viewer).tobytes() != two.seen(viewer).tobytes()
        assert one.observation(viewer) != two.observation(viewer)
        assert one.view(viewer).plain(language("en")) != two.view(viewer).plain(language("en"))


@pytest.mark.parametrize("viewer", [1, 2, NOBODY])
def test_nobody_is_told_which_card_another_draws(viewer: int) -> None:
    """Hidden: hands; but a discarded card lies face up (P17)."""
    games = [position(TABLE), position(TABLE.replace("deck: vintage", "deck: boat"))]
    logs = [[language("en").say(text) for text in play(game, "mark draw").log(viewer)] for game in games]
    assert logs[0] == logs[1]
    assert games[0].seen(viewer).tobytes() == games[1].seen(viewer).tobytes()
    assert games[0].seen(0).tobytes() != games[1].seen(0).tobytes()
    full = TABLE.replace("free harvest", "free harvest boat")
    discarded = [play(position(full), f"mark draw discard={card}").log(viewer) for card in ("free", "boat")]
    assert discarded[0] != discarded[1]


# --- redeals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_redeal_looks_the_same_to_the_seat_all_through_a_game(players: int) -> None:
    """Hidden: dealt anew, every card and every chip is there once, and the seat sees no difference."""
    game = brocante.deal("port", players=players, seed="redeal")
    choices, rng = Random("redeal"), generator("redeal")
    while not game.is_over:
        viewer = choices.choice([*range(players), NOBODY])
        other = game.redeal(viewer, rng)
        check_state(other)
        assert sorted(other.state.bonuses) == [1, 1, 2, 2, 3, 3]
        assert game.seen(viewer).tobytes() == other.seen(viewer).tobytes()
        if viewer != NOBODY:
            assert game.observation(viewer) == other.observation(viewer)
            assert hands(other.state)[viewer] == hands(game.state)[viewer]
        game.play(choices.choice(game.legal_moves))


def test_in_the_middle_of_a_move_the_card_in_play_is_not_dealt_again() -> None:
    """Hidden: a card that is being carried out lies open (P28)."""
    game, rng = play(position(TABLE), "card free action=boat"), generator("in play")
    for viewer in VIEWERS:
        other = game.redeal(viewer, rng)
        check_state(other)
        assert facts_of(other)["playing"] == "free"


#: Unseen by seat 0: four cards in the hand of seat 1 and in the deck, and the chips of the last two rounds.
FEW_SECRETS = """
    round: 4   bonus: 2 1 3   deck: boat free   used: …
    > seat 0   hand: enologist
      seat 1   hand: vintage harvest
"""


def test_all_ways_of_dealing_what_is_hidden_are_equally_likely() -> None:
    """Hidden: the six hands of two cards, each with both orders of the deck and both orders of the chips."""
    game, rng = position(FEW_SECRETS), generator("ways")
    found: Counter[tuple[Any, ...]] = Counter()
    for _ in range(2400):
        other = game.redeal(0, rng)
        found[(*sorted(hands(other.state)[1]), *deck_cards(other), *other.state.bonuses[4:].tolist())] += 1
    ways = {
        (*sorted(order[:2]), *order[2:], *chips)
        for order in permutations(["boat", "free", "vintage", "harvest"])
        for chips in ((1, 3), (3, 1))
    }
    assert {*found} == ways
    assert len(ways) == 24
    assert all(60 < n < 145 for n in found.values())


def test_after_a_renewal_the_deck_is_dealt_only_cards_that_went_into_it() -> None:
    """P17: everyone saw the used cards, so what was in the hands then is in no deck."""
    game, rng = position("deck: –   used: …\n> seat 0\n  seat 1   hand: vintage vintage vintage"), generator("renewed")
    play(game, "mark draw", "renew vintage …")
    for viewer in (0, 1, NOBODY):
        decks = [deck_cards(game.redeal(viewer, rng)) for _ in range(100)]
        assert max(deck.count("vintage") for deck in decks) <= 1, "one went in, and was drawn at once"


def test_of_equal_cards_each_is_dealt_as_often() -> None:
    """Hidden: a kind of which two are unseen is twice as likely as one of which there is one."""
    game = position("deck: boat boat   used: …\n> seat 0\n  seat 1   hand: free")
    rng = generator("equal")
    found = Counter(hands(game.redeal(0, rng).state)[1][0] for _ in range(900))
    assert {*found} == {"boat", "free"}
    assert 540 < found["boat"] < 660


def test_those_who_watch_know_no_hand() -> None:
    """Hidden: dealt anew for a spectator, all hands are."""
    game, rng = position(FEW_SECRETS), generator("watch")
    found = Counter(hands(game.redeal(NOBODY, rng).state)[0][0] for _ in range(1000))
    assert {*found} == {"enologist", "vintage", "harvest", "boat", "free"}
    assert all(150 < n < 250 for n in found.values())


def test_what_was_seen_before_is_no_longer_among_the_unseen() -> None:
    """Hidden: used cards and those beside the table lie open, and are never dealt."""
    game, rng = position(TABLE), generator("seen")
    for _ in range(50):
        other = game.redeal(0, rng)
        s = other.state
        unseen = Counter(deck_cards(other) + hands(s)[1] + hands(s)[2])
        assert unseen == Counter(cards(s.box)) - Counter(["boat", "boat", "buying", "free", "harvest"])
        assert s.bonuses[:3].tolist() == game.state.bonuses[:3].tolist()


# --- taking back ------------------------------------------------------------------------------------------------------


def can_take_back(game: Game, *moves: str) -> bool:
    """Whether the last of these moves can be taken back; if so, the game is as before it."""
    play(game, *moves[:-1])
    before = game.copy()
    play(game, moves[-1])
    if not game.can_undo(before.actor):
        return False
    assert str(game.undo()) == moves[-1]
    assert game == before
    return True


@pytest.mark.parametrize(
    "moves",
    [
        ["load baixo-1"],
        ["mark vineyard site=cima-1"],
        ["mark brandy site=cima-1"],
        ["mark buy site=cima-2"],
        ["mark harvest sites=cima-4"],
        ["card planting vineyard=cima-1 brandy=cima-1"],
        ["card boat"],
        ["card boat", "sail down"],
        ["card boat", "stop"],
        ["card boat", "sail down", "unload 0 ruby-2"],
        ["card vintage column=ruby-1"],
    ],
)
def test_a_move_that_shows_nothing_new_can_be_taken_back(moves: list[str]) -> None:
    """P11–P15, P18–P20, P23, P27: planting, loading, buying and so on."""
    mine = "vp: 9   boat: baixo 2@5   estates: baixo-1(vb)=2@5 cima-1() cima-4(vb)   hand: planting boat vintage"
    if moves[0].startswith("mark buy"):
        mine = mine.replace(" cima-4(vb)", "")
    assert can_take_back(position(f"> seat 0   {mine}   cellar: 1@5\n  seat 1   hand: free\n  seat 2"), *moves)


@pytest.mark.parametrize(
    "moves",
    [
        ["mark draw"],
        ["card free action=draw"],
        ["mark boat"],
        ["card free action=boat"],
        ["mark age"],
        ["card age-quality"],
        ["mark harvest sites=baixo-1", "end"],
    ],
)
def test_a_draw_a_roll_and_the_end_of_a_turn_cannot_be_taken_back(moves: list[str]) -> None:
    """P13, P16, P17: a card was seen, or a die; and then another is to decide."""
    game = position("> seat 0   cellar: 1@5   hand: free age-quality\n  seat 1   hand: free\n  seat 2")
    game.go_on_with("dice")
    assert not can_take_back(game, *moves)


def test_a_discard_cannot_be_taken_back_when_a_card_was_drawn_for_it() -> None:
    """P17."""
    assert not can_take_back(position("> seat 0   hand: free boat boat\n  seat 1"), "mark draw discard=boat")


def test_after_a_roll_the_moves_of_the_boat_can_be_taken_back_but_not_the_roll() -> None:
    """P13: a trip that was begun stays begun."""
    game = play(position("> seat 0\n  seat 1"), "mark boat", "die 3", "sail up", "sail up")
    for _ in range(2):
        assert game.can_undo(0)
        game.undo()
    assert not game.can_undo(0)
    assert facts_of(game)["moves"] == "3"


def test_a_pass_that_turns_up_the_next_chip_cannot_be_taken_back() -> None:
    """P7: although the same player begins the next round."""
    game = position("  seat 0   markers: 0\n> seat 1")
    play(game, "1: pass")
    assert facts_of(game)["round"] == "2"
    assert game.actor == 1
    assert not game.can_undo(1)


def test_only_who_moved_last_can_take_back() -> None:
    """P9: nor anybody else for them."""
    game = play(position("> seat 0   boat: baixo   estates: baixo-1(vb)=2@5\n  seat 1"), "load baixo-1")
    assert game.can_undo(0)
    assert not game.can_undo(1)
    play(game, "pass")
    assert not any(game.can_undo(seat) for seat in (0, 1))


# --- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "move",
    [
        "mark buy site=cima-1",
        "mark buy site=baixo-2",
        "mark draw discard=planting",
        "card planting vineyard=cima-2 brandy=cima-2",
        "card colheita columns=tawny-1",
        "card vintage column=ruby-1",
        "card enologist",
        "card free action=draw discard=vintage",
        "end",
        "stop",
    ],
)
def test_refusals_do_not_tell_what_others_hold(move: str) -> None:
    """Hidden: whatever one tries, one is told the same whichever cards the others have."""
    assert refusal(position(TABLE), move) == refusal(position(OTHER_SECRETS), move)


@pytest.mark.parametrize("move", ["1: pass", "2: card vintage column=ruby-1", "1: mark draw", "2: card boat"])
def test_whoever_moves_out_of_turn_is_not_told_what_is_possible(move: str) -> None:
    """Hidden: that would show the hand of the one whose turn it is."""
    said = []
    for drawing in (TABLE, TABLE.replace("free harvest", "vintage boat")):
        game = position(drawing)
        with pytest.raises(IllegalMove) as refused:
            game.play(spoken(game, move))
        said.append(str(refused.value))
    assert said[0] == said[1]
    assert "mark" not in said[0].replace(move[3:], "")


# --- observations -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_observation_has_the_own_hand_and_finite_values_all_through_a_game(players: int) -> None:
    game, choices = brocante.deal("port", players=players, seed="observe"), Random("observe")
    while not game.is_over:
        for seat in range(players):
            observed = game.observation(seat)
            assert np.isfinite(flat(observed)).all()
            assert (flat(observed) >= 0).all()
            assert observed.hand.tolist() == pytest.approx([n / HAND for n in game.state.hand[seat]])
        game.play(choices.choice(game.legal_moves))


def test_an_observation_has_the_own_hand_and_no_other() -> None:
    """Hidden: hands, but for one's own."""
    game = position(TABLE)
    for seat, hand in enumerate(hands(game.state)):
        there = [card for card, n in zip(CARD_IDS, game.observation(seat).hand, strict=True) if n > 0]
        assert there == hand


@pytest.mark.parametrize(
    ("was", "now"),
    [
        pytest.param("round: 3   bonus: 2 1 3 3", "round: 4   bonus: 2 1 3", id="the round"),
        pytest.param("bonus: 2 1 3 3", "bonus: 3 1 3 2", id="the bonus"),
        pytest.param("used: boat boat", "used: boat", id="the used cards"),
        pytest.param("used: boat boat", "used: boat free", id="which cards were used"),
        pytest.param("aside: buying", "aside: free", id="the cards beside the table"),
        pytest.param("> seat 0   vp: 5", "> seat 0   vp: 6", id="VP"),
        pytest.param("vp: 2", "vp: 3", id="VP of another"),
        pytest.param("boat: cima 2@5", "boat: baixo 2@5", id="where a boat lies"),
        pytest.param("boat: cima 2@5", "boat: cima 3@5", id="barrels aboard"),
        pytest.param("boat: cima 2@5", "boat: cima 2@6", id="the quality aboard"),
        pytest.param("boat: cima 2@5", "boat: cima – 2@5", id="the slot"),
        pytest.param("=2@4", "=1@4", id="barrels on an Estate"),
        pytest.param("=2@4", "=2@5", id="the quality on an Estate"),
        pytest.param("cima-2(v)", "cima-2()", id="a vineyard"),
        pytest.param("cima-2(v)", "cima-2(vb)", id="brandy"),
        pytest.param("cima-2(v)", "cima-3(v)", id="another site"),
        pytest.param(" cima-2(v)", "", id="an Estate less"),
        pytest.param("2@4 | 4@6", "2@4 | 3@6", id="barrels in the cellar"),
        pytest.param("2@4 | 4@6", "2@5 | 4@6", id="the quality in the cellar"),
        pytest.param("4@6 –", "– 4@6", id="the column"),
        pytest.param("reserva=2", "reserva=1", id="the warehouse"),
        pytest.param("aged=1", "colheita=1", id="the category"),
        pytest.param("placed: buy   done", "placed: draw   done", id="circles"),
        pytest.param("placed: harvest boat", "placed: harvest boat boat", id="the boat circles"),
        pytest.param("placed: harvest boat", "placed: harvest boat   markers: 0", id="markers"),
        pytest.param("done: bought", "done: –", id="that an Estate was bought"),
        pytest.param("done: harvested", "done: –", id="that there was a harvest"),
        pytest.param("done: harvested", "done: harvested sailed", id="that a card moved the boat"),
        pytest.param("hand: planting", "hand: planting planting", id="how many cards another has"),
        pytest.param("round: 3", "round: 3   first: 1", id="the first player"),
        pytest.param("round: 3", "round: 3   marked: yes", id="that a marker was placed"),
    ],
)
def test_an_observation_changes_with_each_public_fact(was: str, now: str) -> None:
    """Hidden: all the rest is open, and every seat observes it."""
    assert was in TABLE
    one, two = position(TABLE), position(TABLE.replace(was, now))
    for seat in range(3):
        assert one.observation(seat) != two.observation(seat)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (["card free action=boat", "die 3"], ["card free action=boat", "die 4"]),
        (["card free action=boat"], ["card free action=age"]),
        (["card free action=boat"], ["mark boat"]),
        (["mark boat", "die 3"], ["mark boat", "die 3", "stop"]),
    ],
)
def test_an_observation_changes_with_what_is_being_done(one: list[str], two: list[str]) -> None:
    """P13, P16, P28: the card in play, the action, the die, the moves that are left and whether going down is free."""
    first, second = play(position(TABLE), *one), play(position(TABLE), *two)
    for seat in range(3):
        assert first.observation(seat) != second.observation(seat)


def test_a_boat_on_its_way_down_is_observed() -> None:
    """P13.3: going further down is free, although harbour, die and moves left are the same."""
    ways = (["sail down", "sail down", "sail up"], ["sail up", "sail down", "sail down"])
    one, two = (play(position("> seat 0   boat: cima\n  seat 1"), "mark boat", "die 5", *way) for way in ways)
    for what in ("moves", "seat 0 boat"):
        assert facts_of(one)[what] == facts_of(two)[what]
    for seat in (0, 1):
        assert (one.observation(seat).drifting, two.observation(seat).drifting) == (0, 1)
        assert (flat(one.observation(seat)) != flat(two.observation(seat))).sum() == 1


def test_every_seat_observes_itself_first() -> None:
    """All seats are counted clockwise from the one that observes: turned by one, the table looks the same."""
    one = position("""
        first: 1
        > seat 0   vp: 5   estates: baixo-1(vb)   boat: cima
          seat 1   vp: 6   estates: baixo-2(vb)
          seat 2   vp: 7   estates: baixo-3(vb)   placed: boat
    """)
    two = position("""
        first: 2
          seat 0   vp: 7   estates: baixo-3(vb)   placed: boat
        > seat 1   vp: 5   estates: baixo-1(vb)   boat: cima
          seat 2   vp: 6   estates: baixo-2(vb)
    """)
    for seat in range(3):
        assert one.observation(seat) == two.observation((seat + 1) % 3)
        assert one.observation(seat) != two.observation(seat)


def test_an_empty_chair_is_observed_as_nothing() -> None:
    observed = brocante.deal("port", players=2, seed=1).observation(0)
    of_all_seats = [name for name in OBSERVATION.names or () if OBSERVATION[name].shape[:1] == (MOST_PLAYERS,)]
    assert observed.present.tolist() == [1, 1, 0, 0]
    assert not any(observed[name][2:].any() for name in of_all_seats)
