"""The rules of Port, clause by clause.

Each test plays a few moves from a position drawn as text; port_positions.py tells how to read the drawings. Who knows
what is for test_port_knowledge.py, and the figures of the board are for test_port_board.py.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

import brocante
from brocante import CHANCE, Game, IllegalMove, Move, Replay, UsageError
from brocante.engine.text import Text, read_catalogue
from brocante.games.port import rules
from brocante.games.port.moves import Card, Mark
from brocante.games.port.names import ACTION_IDS, CARD_IDS, CATEGORY_IDS, COLUMN_IDS, EXTRA_IDS
from tests.games.playing import assert_refused, played_to_the_end, spoken
from tests.games.port_positions import assert_position, check_state, deck_cards, facts_of, legal, play, position

#: Why something is refused: by the name of the reason in the catalogue, what is said, or the clause that is named.
REASONS = {
    "why.add_first": "(P24)",
    "why.add_none": "(P24)",
    "why.add_where": "(P24)",
    "why.unload_first": "(P15)",
    "why.slot": "(P2, P15)",
    "why.column_full": "(P2, P15)",
    "why.not_yours": "you have no Estate at",  # (P11), or the clause of what was to be done there
    "why.no_barrels": "(P14, P20)",
    "why.boat_elsewhere": "(P14)",
    "why.boat_full": "(P2, P14)",
    "why.on_the_way": "(P13)",
    "why.no_moves": "(P13)",
    "why.end_of_river": "(P1)",
    "why.sea": "(P1)",
    "why.end_instead": "(P9)",
    "why.no_end": "(P9)",
    "why.marked": "(P9)",
    "why.no_circle": "(P6)",
    "why.not_held": "(P9, P17)",
    "why.no_trip": "(P13)",
    "why.not_due": "(P24)",
    "why.not_in_gaia": "(P15)",
    "why.nothing_aboard": "(P15)",
    "why.cellar_full": "(P15)",
    "why.add_something": "(P24)",
    "why.missing": "needs",
    "why.surplus": "here",
    "why.cellar_empty": "(P16)",
    "why.discard_first": "(P17)",
    "why.no_discard": "(P17)",
    "why.no_tile": "(P2, P10)",
    "why.bought": "(P9.3)",
    "why.no_such_site": "(P1a)",
    "why.taken": "(P10)",
    "why.too_dear": "(P10)",
    "why.has_vineyard": "(P11)",
    "why.has_brandy": "(P11)",
    "why.harvested": "(P9.3)",
    "why.sailed": "(P13.1)",
    "why.not_planted": "(P11, P12)",
    "why.has_barrels": "(P12)",
    "why.twice": "(P12)",
    "why.supply": "(P12.1)",
    "why.no_sites": "(P12)",
    "why.tawny_barrels": "(P22)",
    "why.ruby_barrel": "(P27)",
    "why.cube_must": "(P19.1)",
    "why.cube_lost": "(P19.1)",
    "why.nothing_to_plant": "(P19.1)",
    "setup.only": "(P7)",
    "setup.shape": "(P7)",
    "setup.board_wanted": '"given"',
    "setup.other_board": "built-in board",
    "setup.bonuses": "(P4)",
    "setup.hands": "(P7)",
    "setup.hand": "(P7)",
    "setup.cards.surplus": "(P5)",
    "setup.cards.lacking": "(P5)",
    "renewal.shape": "(P17)",
    "renewal.chance": "(P17)",
    "renewal.cards.surplus": "(P17)",
    "renewal.cards.lacking": "(P17)",
    "die.shape": "(P13, P16)",
    "die.wrong": "(P13, P16)",
}
#: P5: the cards of the box.
COUNTS = {
    "buying": 4,
    "planting": 4,
    "harvest": 4,
    "free": 4,
    "colheita": 3,
    "boat": 4,
    "age-barrel": 3,
    "age-quality": 3,
    "enologist": 3,
    "vintage": 4,
}
#: P1a: what each site costs, and the quality of its wine.
PRICES = dict.fromkeys(("baixo-1", "baixo-2", "baixo-3", "baixo-4"), 2)
PRICES |= {"cima-1": 3, "cima-2": 4, "cima-3": 4, "cima-4": 5}
PRICES |= {"superior-1": 5, "superior-2": 5, "superior-3": 6, "superior-4": 6}
QUALITIES = {site: 2 if site.startswith("baixo") else 4 for site in PRICES}
QUALITIES |= {"cima-4": 5, "superior-3": 5, "superior-4": 5}
#: P1: barrels of a harvest.
YIELDS = {"baixo": 2, "cima": 3, "superior": 4}
#: P6: circles with 2, 3 and 4 players.
CIRCLES = {
    "buy": (1, 2, 3),
    "vineyard": (1, 2, 2),
    "brandy": (1, 2, 2),
    "harvest": (2, 3, 3),
    "age": (2, 3, 3),
    "draw": (2, 3, 4),
}
#: A player who can carry out every action of the table, and how each is said.
ABLE = "vp: 9   estates: baixo-1(vb) cima-1()   cellar: 1@5"
SAID = {
    "buy": "buy site=cima-2",
    "vineyard": "vineyard site=cima-1",
    "brandy": "brandy site=cima-1",
    "harvest": "harvest sites=baixo-1",
    "boat": "boat",
    "age": "age",
    "draw": "draw",
}


def turn(mine: str = "", table: str = "", other: str = "") -> Game:
    """It is seat 0's turn among three players, of whom the others have what they have after the deal, but no cards."""
    return position(f"{table}\n> seat 0   {mine}\n  seat 1   {other}\n  seat 2")


def on_the_way(moves: int, mine: str = "") -> Game:
    """Seat 0 has rolled so many moves for its boat."""
    return play(turn(mine), "mark boat", f"die {moves}")


def refused(game: Game, move: str | dict[str, Any], why: str) -> None:
    """That a move is refused for this reason, and leaves the game as it was."""
    is_refused(game, lambda: game.play(spoken(game, move) if isinstance(move, str) else move), f"why.{why}")


def rejected(game: Game, line: dict[str, Any], why: str) -> None:
    """That a line of chance's is refused for this reason, and changes nothing."""
    is_refused(game, lambda: game.chance(line), why)


def is_refused(game: Game, attempt: Callable[[], None], reason: str) -> None:
    assert_refused(game, attempt, f"port.{reason}", REASONS[reason])


def can(game: Game, beginning: str) -> bool:
    """Whether there is a legal move that begins so."""
    return any(move.startswith(beginning) for move in legal(game))


def setup_of(game: Game) -> dict[str, Any]:
    """A copy of what the setup line of the game's record holds."""
    found: dict[str, Any] = json.loads(json.dumps(game.steps[0].line["setup"]))
    return found


def undealt(players: int = 3, **options: Any) -> Game:
    return Game(brocante.box("port"), {"players": players, **options})


def dealt(players: int, first: int) -> Game:
    """A game that this seat begins."""
    games = (brocante.deal("port", players=players, seed=seed) for seed in range(1000))
    return next(game for game in games if game.state.first == first)


def all_pass(game: Game) -> Game:
    """The game when this round is over."""
    before = game.state.round_number
    while not game.is_over and game.state.round_number == before:
        play(game, "pass")
    return game


def test_these_are_all_reasons_there_are() -> None:
    """Whatever the catalogue can say in a refusal is tested below."""
    messages = read_catalogue(brocante.box("port").folder / "locale" / "en.toml", "port")
    reasons = [key.removeprefix("port.") for key in messages]
    assert sorted(key for key in reasons if key.split(".")[0] in ("why", "setup", "renewal", "die")) == sorted(REASONS)


# --- P1, P2, P4, P5: what is there ------------------------------------------------------------------------------------


def test_there_are_36_cards_of_ten_types() -> None:
    """P5: so many of each."""
    setup = setup_of(brocante.deal("port", players=4, seed=1))
    assert Counter(sum(setup["hands"], setup["deck"])) == COUNTS
    assert sum(COUNTS.values()) == 36


def test_there_are_two_chips_of_each_value() -> None:
    """P4: 1, 2 and 3."""
    assert sorted(setup_of(brocante.deal("port", seed=1))["bonuses"]) == [1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_card_and_no_barrel_is_ever_lost(players: int) -> None:
    """P2, P5: all through a game there are 80 barrels and 36 cards."""
    game, choices = brocante.deal("port", players=players, seed="lost"), Random("lost")
    while not game.is_over:
        check_state(game)
        game.play(choices.choice(game.legal_moves))
    check_state(game)


@pytest.mark.parametrize("site", PRICES)
def test_each_site_has_its_region_quality_and_price(site: str) -> None:
    """P1, P1a: bought, planted and harvested, it gives the barrels of its sub-region with its quality + the bonus."""
    homes = [home for home in PRICES if home != site]
    drawn = f"> seat 0   vp: 10   estates: {homes[0]}(vb)   hand: planting free\n  seat 1   estates: {homes[1]}(vb)"
    game = position(f"bonus: 2\n{drawn}")
    play(game, f"mark buy site={site}", f"card planting vineyard={site} brandy={site}")
    play(game, f"card free action=harvest sites={site}")
    made = f"{site}(vb)={YIELDS[site.split('-')[0]]}@{QUALITIES[site] + 2}"
    assert_position(game, f"> seat 0   vp: {10 - PRICES[site]}   estates: {homes[0]}(vb) {made}")


# --- P7, P8: setup ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_player_starts_with_3_vp_a_planted_estate_a_boat_in_gaia_and_3_cards(players: int) -> None:
    """P7: seat i on baixo-(i+1); all barrels are in the supply, the rest of the cards is the deck."""
    game = brocante.deal("port", players=players, seed="setup")
    setup = setup_of(game)
    assert_position(game, f"step: turn   round: 1   supply: 80   used: –   aside: –   bonus: {setup['bonuses'][0]}")
    for seat, hand in enumerate(setup["hands"]):
        assert len(hand) == 3
        assert_position(game, f"seat {seat}   vp: 3   estates: baixo-{seat + 1}(vb)   hand: {' '.join(hand)}")
        assert_position(game, f"seat {seat}   boat: gaia   cellar: –   warehouse: –   placed: –   done: –")
    assert deck_cards(game) == setup["deck"]
    assert len(setup["deck"]) == 36 - 3 * players
    assert game.actor == game.state.first == setup["first"]


@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_can_play(players: int) -> None:
    """The game is for 2 to 4 players."""
    with pytest.raises(UsageError, match="from 2 to 4"):
        brocante.deal("port", players=players)


def test_cards_and_chips_are_shuffled() -> None:
    """P7: another seed gives another order, the same seed the same."""
    first, again, other = (setup_of(brocante.deal("port", seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert first["deck"] != other["deck"]
    chips = {tuple(setup_of(brocante.deal("port", seed=seed))["bonuses"]) for seed in range(60)}
    assert len(chips) > 30
    assert {order[0] for order in chips} == {order[-1] for order in chips} == {1, 2, 3}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_first_player_is_drawn_at_random(players: int) -> None:
    """P7: each equally likely."""
    games = 240
    starts = Counter(brocante.deal("port", players=players, seed=seed).actor for seed in range(games))
    assert sorted(starts) == list(range(players))
    assert all(0.6 < n * players / games < 1.4 for n in starts.values())


@pytest.mark.parametrize(
    ("first", "markers"),
    [
        *((first, "23") for first in range(2)),
        *((first, "233") for first in range(3)),
        *((first, "2233") for first in range(4)),
    ],
)
def test_in_round_1_who_begins_has_a_marker_less_and_then_all_have_three(first: int, markers: str) -> None:
    """P8: the first player; with 4 players the first and the second. From round II all have 3."""
    players = len(markers)
    game = dealt(players, first)
    for place, n in enumerate(markers):
        assert_position(game, f"first: {first}\n  seat {(first + place) % players}   markers: {n}")
    all_pass(game)
    for seat in range(players):
        assert_position(game, f"round: 2\n  seat {seat}   markers: 3")


@pytest.mark.parametrize(("players", "first"), [(p, first) for p in (2, 3, 4) for first in range(p)])
def test_six_rounds_are_played_and_the_token_passes_to_the_left(players: int, first: int) -> None:
    """P7: the chip of a round is turned up when it starts, and the token passes to the left; P29: after six it ends."""
    game = dealt(players, first)
    bonuses = setup_of(game)["bonuses"]
    for number in range(6):
        begins = (first + number) % players
        assert_position(game, f"round: {number + 1}   first: {begins}   decides: {begins}   bonus: {bonuses[number]}")
        all_pass(game)
    assert_position(game, "round: 6   step: over   decides: nobody")
    assert game.is_over


# --- P6: the circles --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("action", CIRCLES)
def test_an_action_has_so_many_circles(players: int, action: str) -> None:
    """P6: when all are taken, by whomever, no marker can be placed there; other actions have their own."""
    circles = CIRCLES[action][players - 2]
    assert others_on(action, circles - 1, players).is_legal(f"mark {SAID[action]}")
    game = others_on(action, circles, players)
    refused(game, f"mark {SAID[action]}", "no_circle")
    assert [other for other in SAID if not can(game, f"mark {other}")] == [action]


def others_on(action: str, taken: int, players: int) -> Game:
    """Seat 0 could carry out everything, and the others have so many markers on an action, one each in turn."""
    markers = {seat: [action] * len(range(seat, taken + 1, players - 1)) for seat in range(1, players)}
    others = [f"  seat {seat}   placed: {' '.join(some)}" for seat, some in markers.items()]
    return position("\n".join([f"bonus: 2\n> seat 0   {ABLE}   hand: free", *others]))


def test_ones_own_markers_take_circles_too() -> None:
    """P6: one circle holds one marker, whosever it is."""
    refused(turn(f"{ABLE}   placed: buy", other="placed: buy"), "mark buy site=cima-2", "no_circle")
    refused(turn("placed: draw draw", other="placed: draw"), "mark draw", "no_circle")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_player_has_two_boat_circles_of_their_own(players: int) -> None:
    """P6, P13: two for each player, and nobody else's."""
    others = "\n".join(f"  seat {p}   placed: boat boat" for p in range(1, players))
    for mine, possible in (("–", True), ("boat", True), ("boat boat", False)):
        game = position(f"> seat 0   placed: {mine}\n{others}")
        assert game.is_legal("mark boat") is possible
    refused(game, "mark boat", "no_circle")


def test_the_circles_are_free_again_in_the_next_round() -> None:
    """P6, P9: markers go back to their players."""
    game = position("  seat 0   placed: boat boat   markers: 0\n> seat 1   placed: buy   markers: 1")
    play(game, "1: pass")
    assert_position(game, "round: 2\n> seat 1   placed: –   markers: 3\n  seat 0   placed: –   markers: 3")


# --- P9: turns --------------------------------------------------------------------------------------------------------


def test_players_take_turns_clockwise_until_all_markers_are_placed() -> None:
    """P9: one marker a turn; the round ends when everyone has placed all of theirs."""
    game = position("first: 1\n  seat 0   markers: 1\n> seat 1   markers: 2\n  seat 2   markers: 1")
    for seat in (1, 2, 0, 1):
        assert_position(game, f"round: 1   decides: {seat}   marked: no")
        play(game, f"{seat}: mark boat", "die 1", "stop", f"{seat}: end")
    assert_position(game, "round: 2   first: 2   decides: 2")


def test_one_marker_is_placed_in_a_turn() -> None:
    """P9: ONE marker."""
    game = play(turn("markers: 3"), "mark harvest sites=baixo-1")
    assert_position(game, "marked: yes   decides: 0\n> seat 0   markers: 2   placed: harvest")
    refused(game, "mark boat", "marked")
    assert not can(game, "mark")


def test_before_and_after_the_marker_any_number_of_cards_may_be_played() -> None:
    """P9: without a marker, and a card never ends the turn."""
    game = turn("hand: boat harvest vintage   cellar: 1@5   estates: baixo-1(vb)=2@5")
    play(game, "card boat", "stop", "card harvest site=baixo-1", "mark draw", "card vintage column=ruby-1")
    assert_position(game, "decides: 0   step: turn   marked: yes\n> seat 0   vp: 7   placed: draw   markers: 2")


def test_a_turn_ends_when_its_player_says_so() -> None:
    """P9: `end` after the marker, `pass` without one."""
    game = turn("hand: boat")
    refused(game, "end", "no_end")
    play(game, "card boat", "stop")
    refused(game, "end", "no_end")
    play(game, "mark boat", "die 1", "stop")
    refused(game, "pass", "end_instead")
    assert_position(play(game, "end"), "decides: 1\n> seat 1\n  seat 0   markers: 2")


def test_a_turn_begins_without_a_marker_placed_in_it() -> None:
    """P9: that the player before has placed one does not matter."""
    game = play(turn(), "mark boat", "die 1", "stop", "end")
    assert_position(game, "marked: no   decides: 1")
    assert can(game, "mark")


def test_nobody_moves_in_the_turn_of_another() -> None:
    """P9: and the one who tries is not told what the other may do."""
    game = turn("hand: boat")
    with pytest.raises(IllegalMove) as refusal:
        game.play(spoken(game, "1: pass"))
    assert refusal.value.text.key == "error.move.not_yours"
    assert "card boat" not in str(refusal.value)


def test_passing_gives_up_the_remaining_markers_of_the_round() -> None:
    """P9.1: they come back in the next one."""
    game = play(turn(), "pass")
    assert_position(game, "decides: 1\n> seat 1\n  seat 0   markers: 0")
    play(game, "1: mark boat", "die 1", "stop", "end", "2: pass")
    assert_position(game, "decides: 1\n  seat 0   markers: 0")
    play(game, "1: pass")
    assert_position(game, "round: 2\n  seat 0   markers: 3")


def test_cards_may_be_played_before_passing() -> None:
    """P9.1."""
    game = play(turn("hand: vintage   cellar: 1@5"), "card vintage column=ruby-1", "pass")
    assert_position(game, "decides: 1\n  seat 0   vp: 7   markers: 0")


def test_a_player_without_markers_is_skipped() -> None:
    """P9.1: nor can they play cards until the next round."""
    game = position("> seat 0\n  seat 1   markers: 0   hand: boat\n  seat 2")
    play(game, "mark boat", "die 1", "stop", "end")
    assert_position(game, "decides: 2")


def test_the_last_one_with_markers_takes_one_turn_after_another() -> None:
    """P9, P9.1."""
    game = position("> seat 0   markers: 2\n  seat 1   markers: 0\n  seat 2   markers: 0")
    play(game, "mark boat", "die 1", "stop", "end")
    assert_position(game, "round: 1   decides: 0   marked: no")
    play(game, "mark boat", "die 1", "stop")
    assert_position(game, "round: 1   decides: 0")
    assert_position(play(game, "end"), "round: 2   decides: 1")


@pytest.mark.parametrize(
    ("mine", "impossible"),
    [
        pytest.param(ABLE, [], id="able"),
        pytest.param("", ["vineyard", "brandy", "age"], id="as after the deal"),
        pytest.param("vp: 1", ["buy", "vineyard", "brandy", "age"], id="poor"),
        pytest.param("estates: baixo-1(v) cima-1()", ["harvest", "age"], id="nothing planted"),
        pytest.param("estates: baixo-1(vb)=2@3 cima-1(b)", ["brandy", "harvest", "age"], id="barrels on the vines"),
        pytest.param("estates: baixo-1(vb) cima-1(v)", ["vineyard", "age"], id="no place for green"),
        pytest.param("estates: baixo-1(vb) cima-1(b)", ["brandy", "age"], id="no place for yellow"),
        pytest.param("estates: baixo-1(vb) cima-1(vb) cima-2(vb)", ["buy", "vineyard", "brandy", "age"], id="no tile"),
        pytest.param("cellar: – – | – 1@4", ["vineyard", "brandy"], id="one barrel in the cellar"),
        pytest.param("warehouse: ruby=3", ["vineyard", "brandy", "age"], id="barrels only in the warehouse"),
        pytest.param("done: sailed sailed", ["vineyard", "brandy", "boat", "age"], id="two boat actions"),
    ],
)
def test_an_action_can_be_chosen_only_if_it_can_be_carried_out(mine: str, impossible: list[str]) -> None:
    """P9.2: by marker or by card."""
    game = turn(f"{mine}   hand: free")
    assert [action for action in SAID if not can(game, f"mark {action}")] == impossible
    assert [action for action in SAID if not can(game, f"card free action={action}")] == impossible


@pytest.mark.parametrize(
    ("by", "mine"),
    [
        ("mark buy site=cima-1", "card buying site=cima-2 extra=none"),
        ("mark buy site=cima-1", "card free action=buy site=cima-2"),
        ("card buying site=cima-1 extra=none", "card free action=buy site=cima-2"),
        ("card buying site=cima-1 extra=none", "mark buy site=cima-2"),
        ("card free action=buy site=cima-1", "card buying site=cima-2 extra=discount"),
        ("card free action=buy site=cima-1", "mark buy site=cima-2"),
    ],
)
def test_one_estate_is_bought_in_a_round(by: str, mine: str) -> None:
    """P9.3: whether by marker or card; in the next round there may be another."""
    game = turn("vp: 20   hand: buying free")
    play(game, by)
    assert_position(game, "> seat 0   done: bought")
    refused(game, mine, "bought")
    assert not any(can(game, move) for move in ("mark buy", "card buying", "card free action=buy"))
    play(game, *([] if by.startswith("mark") else ["mark boat", "die 1", "stop"]), "end")
    refused(play(game, "1: pass", "2: pass"), "mark buy site=cima-2", "bought")
    all_pass(game)
    assert_position(game, "round: 2\n  seat 0   done: –")
    assert play(game, "1: pass", "2: pass").is_legal(mine)


@pytest.mark.parametrize(
    ("by", "again"),
    [
        ("mark harvest sites=baixo-1", "card free action=harvest sites=cima-1"),
        ("card free action=harvest sites=baixo-1", "mark harvest sites=cima-1"),
        ("card free action=harvest sites=baixo-1", "card free action=harvest sites=cima-1"),
    ],
)
def test_there_is_one_harvest_in_a_round(by: str, again: str) -> None:
    """P9.3: whether by marker or card, even if an Estate was left out."""
    game = turn("estates: baixo-1(vb) cima-1(vb)   hand: free free")
    play(game, by)
    assert_position(game, "> seat 0   done: harvested")
    refused(game, again, "harvested")
    assert not any(can(game, move) for move in ("mark harvest", "card free action=harvest"))
    play(game, *([] if by.startswith("mark") else ["mark boat", "die 1", "stop"]), "end", "1: pass", "2: pass", "pass")
    assert_position(game, "round: 2\n  seat 0   done: –")
    assert play(game, "1: pass", "2: pass").is_legal(again)


def test_there_is_no_second_harvest_even_when_another_estate_is_bought_and_planted() -> None:
    """P9.3, P12: the rulebook says so."""
    game = turn("hand: buying planting free")
    play(game, "mark harvest sites=baixo-1", "card buying site=cima-1 extra=none")
    play(game, "card planting vineyard=cima-1 brandy=cima-1")
    refused(game, "card free action=harvest sites=cima-1", "harvested")


def test_what_others_buy_and_harvest_does_not_count() -> None:
    """P9.3: per player."""
    game = turn("vp: 9", other="done: bought harvested")
    assert can(game, "mark buy")
    assert can(game, "mark harvest")


# --- P10: buying ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("site", "price"), PRICES.items())
def test_an_estate_is_paid_with_vp_which_never_go_below_0(site: str, price: int) -> None:
    """P10: with exactly its price, and not with 1 VP less."""
    home, other = [home for home in PRICES if home != site][:2]
    rich, poor = (
        position(f"> seat 0   vp: {vp}   estates: {home}()\n  seat 1   estates: {other}()") for vp in (price, price - 1)
    )
    refused(poor, f"mark buy site={site}", "too_dear")
    play(rich, f"mark buy site={site}")
    assert_position(rich, f"> seat 0   vp: 0   estates: {home}() {site}()   placed: buy")


def test_a_bought_estate_has_no_cubes_and_no_barrels() -> None:
    """P10: by marker."""
    game = play(turn(), "mark buy site=cima-1")
    assert_position(game, "> seat 0   vp: 0   estates: baixo-1(vb) cima-1()   done: bought")


def test_a_site_can_be_taken_only_once() -> None:
    """P10: by nobody else, nor by oneself."""
    game = turn("vp: 9   hand: buying", other="estates: cima-1()")
    refused(game, "mark buy site=cima-1", "taken")
    refused(game, "mark buy site=baixo-1", "taken")
    refused(game, "card buying site=cima-1 extra=discount", "taken")


def test_a_player_has_three_tiles() -> None:
    """P2, P10: three Estates are the most."""
    game = turn("vp: 9   estates: baixo-1(vb) cima-1()   hand: buying")
    play(game, "mark buy site=cima-2", "end", "1: pass", "2: pass", "pass", "1: pass", "2: pass")
    assert_position(game, "round: 2   decides: 0\n> seat 0   vp: 5   estates: baixo-1(vb) cima-1() cima-2()")
    refused(game, "mark buy site=baixo-4", "no_tile")
    refused(game, "card buying site=baixo-4 extra=none", "no_tile")


@pytest.mark.parametrize("site", ["gaia", "cima-5", "baixo-0", "", "cima"])
def test_there_are_no_other_sites(site: str) -> None:
    """P1a."""
    refused(turn("vp: 9"), {"seat": 0, "move": "mark", "action": "buy", "site": site}, "no_such_site")


# --- P11: vineyard and brandy -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("cube", ["vineyard", "brandy"])
def test_a_cube_goes_on_an_estate_that_lacks_it(cube: str) -> None:
    """P11: and stays there; an Estate with both is planted."""
    before, after = {"vineyard": ("b", "vb"), "brandy": ("v", "vb")}[cube]
    game = turn(f"estates: baixo-1(vb) cima-1() cima-2({before})")
    refused(game, f"mark {cube} site=baixo-1", f"has_{cube}")
    refused(game, f"mark {cube} site=baixo-2", "not_yours")
    refused(game, f"mark {cube} site=baixo-4", "not_yours")
    refused(game, f"mark {cube} site=nowhere", "not_yours")
    other = play(game.copy(), f"mark {cube} site=cima-1")
    assert_position(other, f"> seat 0   estates: baixo-1(vb) cima-1({cube[0]}) cima-2({before})   placed: {cube}")
    play(game, f"mark {cube} site=cima-2")
    assert_position(game, f"> seat 0   vp: 3   estates: baixo-1(vb) cima-1() cima-2({after})   done: –")
    assert game.is_legal("end")


def test_vineyard_and_brandy_are_two_actions() -> None:
    """P11: with a marker each; the rulebook: a player cannot do both in the same turn."""
    game = play(turn("estates: baixo-1(vb) cima-1()"), "mark vineyard site=cima-1")
    refused(game, "mark brandy site=cima-1", "marked")


# --- P12: harvest -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sites", "after"),
    [
        ("baixo-1", "baixo-1(vb)=2@5 cima-4(vb) superior-1(vb)"),
        ("superior-1,cima-4", "baixo-1(vb) cima-4(vb)=3@8 superior-1(vb)=4@7"),
        ("baixo-1,cima-4,superior-1", "baixo-1(vb)=2@5 cima-4(vb)=3@8 superior-1(vb)=4@7"),
    ],
)
def test_the_player_chooses_which_estates_are_harvested(sites: str, after: str) -> None:
    """P12: at least one; 2, 3 or 4 barrels (P1), harvest quality = Estate quality + this round's bonus."""
    game = turn("estates: baixo-1(vb) cima-4(vb) superior-1(vb)", "round: 3   bonus: 3")
    play(game, f"mark harvest sites={sites}")
    assert_position(game, f"marked: yes\n> seat 0   estates: {after}   placed: harvest   done: harvested")


def test_the_estates_may_be_named_in_any_order() -> None:
    """P12: all subsets in all orders."""
    game = turn("estates: baixo-1(vb) cima-4(vb) superior-1(vb)")
    assert sum(move.startswith("mark harvest") for move in legal(game)) == 3 + 6 + 6


@pytest.mark.parametrize("bonus", [1, 2, 3])
def test_the_bonus_of_the_round_makes_a_harvest_better(bonus: int) -> None:
    """P4, P12: this round's, not that of another."""
    game = turn(table=f"round: 4   bonus: {bonus}")
    assert_position(play(game, "mark harvest sites=baixo-1"), f"> seat 0   estates: baixo-1(vb)=2@{2 + bonus}")


def test_an_estate_with_barrels_is_not_harvested() -> None:
    """P12: nor mixed with another harvest."""
    game = turn("estates: baixo-1(vb)=1@4 cima-1(vb)")
    refused(game, "mark harvest sites=baixo-1", "has_barrels")
    refused(game, "mark harvest sites=cima-1,baixo-1", "has_barrels")
    assert_position(play(game, "mark harvest sites=cima-1"), "> seat 0   estates: baixo-1(vb)=1@4 cima-1(vb)=3@5")


@pytest.mark.parametrize("cubes", ["", "v", "b"])
def test_only_planted_estates_are_harvested(cubes: str) -> None:
    """P11, P12: vineyard and brandy."""
    game = turn(f"estates: baixo-1(vb) cima-1({cubes})")
    refused(game, "mark harvest sites=cima-1", "not_planted")
    refused(game, "mark harvest sites=baixo-1,cima-1", "not_planted")


def test_ones_own_estates_are_harvested_at_least_one_and_each_once() -> None:
    """P12."""
    game = turn()
    refused(game, "mark harvest sites=baixo-2", "not_yours")
    refused(game, "mark harvest sites=baixo-1,baixo-1", "twice")
    refused(game, {"seat": 0, "move": "mark", "action": "harvest", "sites": []}, "no_sites")


@pytest.mark.parametrize(
    ("supply", "sites", "after"),
    [
        (6, "cima-1,superior-1", "cima-1(vb)=3@5 superior-1(vb)=3@5"),
        (4, "cima-1,superior-1", "cima-1(vb)=3@5 superior-1(vb)=1@5"),
        (6, "superior-1,cima-1", "cima-1(vb)=2@5 superior-1(vb)=4@5"),
        (5, "superior-1,cima-1", "cima-1(vb)=1@5 superior-1(vb)=4@5"),
        (2, "superior-1", "cima-1(vb) superior-1(vb)=2@5"),
        (1, "cima-1", "cima-1(vb)=1@5 superior-1(vb)"),
    ],
)
def test_a_supply_that_runs_short_fills_the_estates_in_the_order_listed(supply: int, sites: str, after: str) -> None:
    """P12, P12.1: a harvest gets what is left."""
    game = turn("estates: cima-1(vb) superior-1(vb)", f"supply: {supply}", other="warehouse: ruby=…")
    play(game, f"mark harvest sites={sites}")
    assert_position(game, f"> seat 0   estates: {after}   done: harvested")


def test_each_harvest_must_get_at_least_one_barrel() -> None:
    """P12, P12.1: with none left, an Estate cannot be harvested."""
    game = turn("estates: cima-1(vb) superior-1(vb)", "supply: 3", other="warehouse: ruby=…")
    refused(game, "mark harvest sites=cima-1,superior-1", "supply")
    refused(game, "mark harvest sites=superior-1,cima-1", "supply")
    game = turn("hand: free", "supply: 0", other="warehouse: ruby=…")
    refused(game, "mark harvest sites=baixo-1", "supply")
    refused(game, "card free action=harvest sites=baixo-1", "supply")
    assert not can(game, "mark harvest")


# --- P13: the boat ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("die", range(1, 7))
def test_the_die_gives_the_moves(die: int) -> None:
    """P13: roll the die; that many moves may be made."""
    game = play(turn(), "mark boat")
    assert_position(game, "step: roll   decides: chance\n> seat 0   placed: boat   markers: 2")
    play(game, f"die {die}")
    assert_position(game, f"step: boat   decides: 0   moves: {die}")
    for n in range(die):
        play(game, "sail up" if n in (0, 1, 2, 4) else "sail down")
        assert_position(game, f"moves: {die - n - 1}")
    refused(game, "sail up", "no_moves")


def test_any_boat_action_rolls_each_number() -> None:
    """P13: a die has six sides."""
    rolled: Counter[int] = Counter()
    for seed in range(120):
        game = brocante.deal("port", players=2, seed=seed)
        game.play("mark boat")
        rolled[int(game.state.die)] += 1
    assert sorted(rolled) == [1, 2, 3, 4, 5, 6]
    assert all(n > 8 for n in rolled.values())


def test_a_boat_action_ends_with_stop_and_unused_moves_are_lost() -> None:
    """P13, P13.3."""
    game = play(on_the_way(5, "hand: boat"), "sail up", "stop")
    assert_position(game, "step: turn   moves: 0   marked: yes\n> seat 0   boat: baixo")
    assert_position(play(game, "card boat"), "step: boat   moves: 4")


def test_stop_is_possible_without_moving() -> None:
    """P13: that many moves may be made, none must be."""
    assert_position(play(on_the_way(2), "stop"), "step: turn\n> seat 0   boat: gaia")


@pytest.mark.parametrize(
    ("move", "why"),
    [
        *((move, "on_the_way") for move in ("mark draw", "card boat", "card free action=draw", "pass", "end")),
        ("add ruby", "not_due"),
        ("unload 0 ruby-1", "not_in_gaia"),
    ],
)
def test_until_then_only_sail_load_unload_and_stop_are_possible(move: str, why: str) -> None:
    """P13."""
    game = on_the_way(2, "hand: boat free   boat: baixo 1@4   estates: baixo-1(vb)=2@5")
    refused(game, move, why)
    assert legal(game) == ["load baixo-1", "sail up", "sail down", "stop"]


@pytest.mark.parametrize(
    ("move", "why"),
    [
        *((move, "no_trip") for move in ("sail up", "sail down", "stop")),
        ("unload 0 ruby-1", "not_in_gaia"),
        *((move, "not_due") for move in ("add ruby", "add none")),
    ],
)
def test_without_a_boat_action_a_boat_does_not_move(move: str, why: str) -> None:
    """P13: nor is there anything to unload (P15) or to add (P24)."""
    refused(turn("boat: baixo 2@5"), move, why)


def test_what_cannot_be_unloaded_is_refused_with_the_reason() -> None:
    """P15: nothing aboard, or no empty column."""
    refused(turn(), "unload 0 ruby-1", "nothing_aboard")
    refused(turn("boat: gaia 2@5   cellar: 1@4 1@4 | 1@4 1@4"), "unload 0 ruby-1", "cellar_full")


#: P13.1: whatever moves the boat, from its choice to the end of the trip.
BY_MARKER = ("mark boat", "die 1", "stop")
BY_BOAT_CARD = ("card boat", "stop")
BY_FREE_CARD = ("card free action=boat", "die 1", "stop")


def no_boat_action_is_left(game: Game) -> bool:
    return not any(can(game, move) for move in ("mark boat", "card boat", "card free action=boat"))


@pytest.mark.parametrize("card", ["card boat", "card free action=boat"])
def test_after_two_boat_actions_by_marker_no_card_can_be_played_for_a_third(card: str) -> None:
    """P13.1: at most two a player and round, by marker or by card."""
    game = turn("placed: boat   hand: boat free")
    play(game, *BY_MARKER)
    assert_position(game, "> seat 0   placed: boat boat")
    refused(game, card, "sailed")
    assert no_boat_action_is_left(game)


@pytest.mark.parametrize("card", [BY_BOAT_CARD, BY_FREE_CARD], ids=["boat", "free"])
def test_after_a_marker_and_a_card_neither_can_be_used_for_a_third(card: tuple[str, ...]) -> None:
    """P13.1: although a circle is free; in either order."""
    for first, second in ((BY_MARKER, card), (card, BY_MARKER)):
        game = turn("hand: boat boat free")
        play(game, *first, *second)
        refused(game, "card boat", "sailed")
        play(game, "end", "1: pass", "2: pass")
        refused(game, "mark boat", "sailed")
        assert no_boat_action_is_left(game)


@pytest.mark.parametrize(
    "two", [(BY_BOAT_CARD, BY_BOAT_CARD), (BY_BOAT_CARD, BY_FREE_CARD), (BY_FREE_CARD, BY_FREE_CARD)]
)
def test_two_cards_are_two_boat_actions_and_take_no_circle(two: tuple[tuple[str, ...], ...]) -> None:
    """P13.1."""
    first, second = two
    game = play(turn("hand: boat boat free free"), *first, *second)
    assert_position(game, "> seat 0   placed: –   done: sailed sailed   markers: 3")
    refused(game, "mark boat", "sailed")
    assert no_boat_action_is_left(game)


def test_a_boat_action_counts_although_the_boat_stays_where_it_is() -> None:
    """P13.1: the actions are counted, not the moves."""
    game = play(turn("boat: cima   hand: boat boat"), "card boat", "stop", "mark boat", "die 6", "stop")
    assert_position(game, "> seat 0   boat: cima")
    refused(game, "card boat", "sailed")


def test_a_free_card_is_still_good_for_another_action() -> None:
    """P13.1, P21: only for the boat it cannot be played."""
    game = turn("placed: boat boat   hand: free")
    assert play(game, "card free action=harvest sites=baixo-1").state.harvested[0]


@pytest.mark.parametrize("action", [("mark boat", "die 2"), ("card boat",), ("card free action=boat", "die 2")])
def test_in_the_next_round_the_boat_sails_again(action: tuple[str, ...]) -> None:
    """P13.1: in a round."""
    game = turn("placed: boat   markers: 1   done: sailed   hand: boat free")
    assert no_boat_action_is_left(game)
    assert_position(all_pass(game), "round: 2\n  seat 0   done: –")
    play(game, "1: pass", "2: pass", *action)
    assert_position(game, "step: boat\n> seat 0   hand: …")


@pytest.mark.parametrize("mine", [BY_MARKER, BY_BOAT_CARD, BY_FREE_CARD], ids=["marker", "boat", "free"])
def test_the_boat_actions_of_others_do_not_count(mine: tuple[str, ...]) -> None:
    """P13.1: a player."""
    game = turn("hand: boat free", other="placed: boat   done: sailed")
    play(game, *mine)
    assert not no_boat_action_is_left(game)


def test_what_would_be_a_third_boat_action_says_why_it_cannot_be_touched() -> None:
    """P13.1: the action on the table, the card in the hand, and the action that a free card is asked for."""
    game = turn("done: sailed sailed   hand: boat free")
    free = (rules.Action.PLAY + rules.Kind.FREE,)
    for view, where in ((game.view(0), "actions"), (game.view(0), "hand"), (game.view(0, free), "actions")):
        zone = next(zone for zone in (*view.table.board, *view.table.places[0].zones) if zone.key == where)
        boat = next(stack for stack in zone.stacks if stack.card and stack.card.kind == "boat")
        assert not boat.moves
        assert boat.why == Text("port.why.sailed")


def test_upstream_each_harbour_is_a_move() -> None:
    """P13.2, P1: gaia, baixo, cima, superior."""
    game = on_the_way(4)
    for moves, harbour in ((3, "baixo"), (2, "cima"), (1, "superior")):
        assert_position(play(game, "sail up"), f"moves: {moves}\n> seat 0   boat: {harbour}")
    refused(game, "sail up", "end_of_river")


def test_downstream_any_distance_in_one_go_is_one_move() -> None:
    """P13.3: `sail down` costs a move, and further ones straight after it are free."""
    game = on_the_way(1, "boat: superior")
    for harbour in ("cima", "baixo", "gaia"):
        assert_position(play(game, "sail down"), f"moves: 0\n> seat 0   boat: {harbour}")
    refused(game, "sail down", "sea")
    refused(game, "sail up", "no_moves")


def test_downstream_the_boat_may_load_at_each_harbour_it_passes() -> None:
    """P13.3: only loading in between; and not further than it wants."""
    game = on_the_way(1, "boat: superior   estates: baixo-1(vb)=2@4 cima-1(vb)=3@5 superior-1(vb)=4@6")
    play(game, "load superior-1", "sail down", "load cima-1", "sail down", "load baixo-1")
    assert_position(
        game, "moves: 0\n> seat 0   boat: baixo 4@6 3@5 2@4   estates: baixo-1(vb) cima-1(vb) superior-1(vb)"
    )
    assert legal(game) == ["sail down", "stop"]
    assert_position(play(game, "stop"), "step: turn\n> seat 0   boat: baixo 4@6 3@5 2@4")


def test_sailing_up_ends_the_way_down() -> None:
    """P13.3: straight after it. Then going down costs a move again."""
    game = play(on_the_way(2, "boat: cima"), "sail down", "sail up")
    assert_position(game, "moves: 0")
    refused(game, "sail down", "no_moves")
    game = play(on_the_way(3, "boat: cima"), "sail down", "sail up", "sail down", "sail down")
    assert_position(game, "moves: 0\n> seat 0   boat: gaia")


def test_stopping_ends_the_way_down() -> None:
    """P13.3: the next boat action begins anew."""
    game = play(on_the_way(3, "boat: superior   hand: boat"), "sail down", "stop", "card boat", "sail down")
    assert_position(game, "moves: 3\n> seat 0   boat: baixo")


def test_going_up_after_the_way_down_costs_a_move_each() -> None:
    """P13.2, P13.3."""
    game = play(on_the_way(4, "boat: cima"), "sail down", "sail down", "sail up", "sail up", "sail up")
    assert_position(game, "moves: 0\n> seat 0   boat: superior")


def test_a_boat_in_gaia_cannot_go_down() -> None:
    """P1: nor are moves spent on it."""
    refused(on_the_way(2), "sail down", "sea")


def test_several_boats_lie_in_one_harbour() -> None:
    """P13: the rulebook: each harbour can hold multiple boats."""
    game = position("> seat 0   boat: baixo\n  seat 1   boat: cima\n  seat 2   boat: cima")
    assert_position(play(game, "mark boat", "die 1", "sail up"), "> seat 0   boat: cima\n  seat 1   boat: cima")


# --- P14: loading -----------------------------------------------------------------------------------------------------

LOADED = "> seat 0   boat: baixo 2@5   estates: baixo-1(vb)"


def test_loading_is_free_at_any_time_in_ones_own_turn() -> None:
    """P14: before the marker, after it and during a boat action; it takes neither marker nor moves."""
    mine = "boat: baixo   estates: baixo-1(vb)=2@5"
    assert_position(play(turn(mine), "load baixo-1"), f"marked: no   step: turn\n{LOADED}   markers: 3")
    assert_position(play(turn(mine), "mark draw", "load baixo-1"), f"marked: yes   step: turn\n{LOADED}   markers: 2")
    assert_position(play(on_the_way(2, mine), "load baixo-1"), f"moves: 2   step: boat\n{LOADED}")
    after = play(on_the_way(1, mine.replace("baixo ", "gaia ", 1)), "sail up", "load baixo-1")
    assert_position(after, f"moves: 0   step: boat\n{LOADED}")


def test_a_harvest_can_be_loaded_at_once() -> None:
    """P14: the rulebook: a boat does not have to move to load; and then the Estate is free for the next harvest."""
    game = play(turn("boat: baixo"), "mark harvest sites=baixo-1", "load baixo-1")
    assert_position(game, "> seat 0   boat: baixo 2@3   estates: baixo-1(vb)   done: harvested")


def test_loading_is_for_the_own_turn() -> None:
    """P14."""
    game = position("> seat 0\n  seat 1   boat: baixo   estates: baixo-2(vb)=2@5")
    with pytest.raises(IllegalMove, match="decision of seat 0"):
        play(game, "1: load baixo-2")


@pytest.mark.parametrize("harbour", ["gaia", "cima", "superior"])
def test_the_boat_must_lie_in_the_sub_region_of_the_estate(harbour: str) -> None:
    """P14."""
    mine = f"boat: {harbour}   estates: baixo-1(vb)=2@5"
    refused(turn(mine), "load baixo-1", "boat_elsewhere")
    refused(on_the_way(1, mine), "load baixo-1", "boat_elsewhere")


def test_only_harvests_of_ones_own_estates_are_loaded() -> None:
    """P14."""
    game = turn("boat: baixo", other="estates: baixo-2(vb)=2@5")
    refused(game, "load baixo-2", "not_yours")
    refused(game, "load nowhere", "not_yours")
    refused(game, "load baixo-1", "no_barrels")
    refused(on_the_way(1, "boat: baixo"), "load baixo-1", "no_barrels")


def test_a_full_boat_loads_nothing() -> None:
    """P2, P14: three harvests, however small."""
    refused(turn("boat: baixo 1@3 1@3 1@3   estates: baixo-1(vb)=2@5"), "load baixo-1", "boat_full")


@pytest.mark.parametrize(
    ("before", "after"),
    [("– – –", "2@5 – –"), ("– 1@3 –", "2@5 1@3 –"), ("1@3 – 1@4", "1@3 2@5 1@4"), ("1@3 1@4 –", "1@3 1@4 2@5")],
)
def test_loading_takes_the_lowest_empty_slot(before: str, after: str) -> None:
    """P2: slots are stable."""
    game = play(turn(f"boat: baixo {before}   estates: baixo-1(vb)=2@5"), "load baixo-1")
    assert_position(game, f"> seat 0   boat: baixo {after}   estates: baixo-1(vb)")


def test_harvests_of_one_sub_region_are_loaded_one_by_one_and_not_mixed() -> None:
    """P12, P14: not even with the same quality."""
    game = turn("boat: cima   estates: cima-1(vb)=3@5 cima-2(vb)=3@5")
    assert {"load cima-1", "load cima-2"} <= set(legal(game))
    play(game, "load cima-2")
    assert_position(game, "> seat 0   boat: cima 3@5   estates: cima-1(vb)=3@5 cima-2(vb)")
    assert_position(play(game, "load cima-1"), "> seat 0   boat: cima 3@5 3@5")


def test_loading_is_never_forced() -> None:
    """P14: one may pass, sail on or stop."""
    mine = "boat: baixo   estates: baixo-1(vb)=2@5"
    assert turn(mine).is_legal("pass")
    assert {"sail up", "sail down", "stop"} <= set(legal(on_the_way(1, mine)))


# --- P15: unloading ---------------------------------------------------------------------------------------------------


def test_on_arrival_unload_is_the_only_move() -> None:
    """P15: which harvest, into which empty column."""
    game = play(on_the_way(2, "boat: baixo 2@5 – 3@6   cellar: 1@4 – | – –"), "sail down")
    assert legal(game) == [f"unload {slot} {column}" for slot in (0, 2) for column in COLUMN_IDS[1:]]
    for move in ("stop", "sail up", "load baixo-1", "pass", "mark draw", "card boat"):
        refused(game, move, "unload_first")
    play(game, "unload 2 tawny-1")
    assert_position(game, "step: boat   moves: 1\n> seat 0   boat: gaia 2@5   cellar: 1@4 – | 3@6 –")
    play(game, "unload 0 ruby-2")
    assert_position(game, "step: boat   moves: 1\n> seat 0   boat: gaia   cellar: 1@4 2@5 | 3@6 –")
    assert legal(game) == ["sail up", "stop"]


def test_a_harvest_goes_from_its_slot_into_an_empty_column() -> None:
    """P2, P15."""
    game = play(on_the_way(1, "boat: baixo 2@5   cellar: 1@4 – | – –"), "sail down")
    refused(game, "unload 0 ruby-1", "column_full")
    for slot in (1, 2, 3, -1):
        refused(game, f"unload {slot} ruby-2", "slot")


def test_what_finds_no_column_stays_aboard() -> None:
    """P15: and then the boat may go on."""
    game = play(on_the_way(1, "boat: baixo 2@5 3@6   cellar: 1@4 1@4 | – 1@4"), "sail down", "unload 1 tawny-1")
    assert_position(game, "step: boat\n> seat 0   boat: gaia 2@5   cellar: 1@4 1@4 | 3@6 1@4")
    assert legal(game) == ["stop"]
    assert_position(play(game, "stop", "end"), "decides: 1\n  seat 0   boat: gaia 2@5")
    game = play(on_the_way(2, "boat: baixo 2@5   cellar: 1@4 1@4 | 1@4 1@4"), "sail down")
    assert legal(game) == ["sail up", "stop"]


def test_passing_gaia_and_going_up_again_harvests_unload_first() -> None:
    """P15: arriving is enough, whatever moves are left."""
    game = play(on_the_way(6, "boat: cima 2@5"), "sail down", "sail down")
    assert legal(game) == [f"unload 0 {column}" for column in COLUMN_IDS]


FULL_CELLAR = "boat: gaia 2@5 – 3@6   cellar: 1@2 1@2 | 1@2 2@2"


def test_a_boat_that_waits_in_gaia_unloads_when_the_cellar_was_aged() -> None:
    """P15: whenever a column becomes empty; P16."""
    game = play(turn(FULL_CELLAR), "mark age", "die 1")
    assert legal(game) == [f"unload {slot} {column}" for slot in (0, 2) for column in COLUMN_IDS]
    refused(game, "end", "unload_first")
    assert_position(play(game, "unload 2 ruby-1", "unload 0 ruby-2", "end"), "decides: 1\n  seat 0   cellar: 3@6 2@5")


def test_a_boat_that_waits_in_gaia_unloads_when_a_card_empties_a_column() -> None:
    """P15: whenever a column becomes empty; P22, P27. Only that one, and only then."""
    game = turn(f"{FULL_CELLAR}   hand: colheita vintage")
    assert not can(game, "unload")
    vintage = play(game.copy(), "card vintage column=ruby-2")
    assert legal(vintage) == ["unload 0 ruby-2", "unload 2 ruby-2"]
    colheita = play(game.copy(), "card colheita columns=tawny-2")
    assert legal(colheita) == ["unload 0 tawny-2", "unload 2 tawny-2"]
    play(game, "card colheita columns=tawny-1,tawny-2")
    assert legal(game) == ["unload 0 tawny-1", "unload 2 tawny-1"]


def test_while_a_barrel_is_due_the_boat_waits() -> None:
    """P15, P24: that barrel is added first."""
    game = play(turn(f"{FULL_CELLAR}   hand: age-barrel"), "card age-barrel", "die 1")
    assert all(move.startswith("add") for move in legal(game))
    refused(game, "unload 0 ruby-1", "add_first")
    play(game, "add ruby")
    assert all(move.startswith("unload") for move in legal(game))


def test_a_boat_elsewhere_does_not_unload() -> None:
    """P15: only in Gaia."""
    game = play(turn("boat: baixo 2@5   cellar: 1@2"), "mark age", "die 1")
    assert not can(game, "unload")


# --- P16: ageing and selling ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "quality", "die", "category"),
    [
        ("ruby", 1, 1, "ruby"),
        ("ruby", 3, 2, "ruby"),
        ("ruby", 4, 1, "ruby"),
        ("ruby", 5, 1, "reserva"),
        ("ruby", 3, 3, "reserva"),
        ("ruby", 8, 1, "reserva"),
        ("ruby", 3, 6, "reserva"),
        ("ruby", 8, 2, "lbv"),
        ("ruby", 4, 6, "lbv"),
        ("ruby", 8, 6, "lbv"),
        ("tawny", 1, 1, "tawny"),
        ("tawny", 3, 1, "tawny"),
        ("tawny", 2, 2, "tawny"),
        ("tawny", 4, 1, "tawny-reserva"),
        ("tawny", 3, 2, "tawny-reserva"),
        ("tawny", 6, 1, "tawny-reserva"),
        ("tawny", 3, 4, "tawny-reserva"),
        ("tawny", 7, 1, "aged"),
        ("tawny", 3, 5, "aged"),
        ("tawny", 8, 2, "aged"),
        ("tawny", 4, 6, "aged"),
        ("tawny", 8, 3, "colheita"),
        ("tawny", 5, 6, "colheita"),
        ("tawny", 8, 6, "colheita"),
    ],
)
@pytest.mark.parametrize("column", [0, 1])
def test_quality_and_die_give_the_category_on_the_side_of_the_column(
    side: str, quality: int, die: int, category: str, column: int
) -> None:
    """P3, P16: every bound on both sides; `vintage` is never reached, on the Ruby side the best is `lbv`."""
    columns = ["–"] * 4
    columns[column + 2 * (side == "tawny")] = f"1@{quality}"
    game = play(turn(f"cellar: {' '.join(columns)}"), "mark age", f"die {die}")
    assert_position(game, f"step: turn\n> seat 0   vp: 3   cellar: –   warehouse: {category}=1   placed: age")


@pytest.mark.parametrize(
    ("category", "barrels", "vp", "cellar"),
    [
        ("reserva", 3, 2, "1@6 –"),
        ("lbv", 2, 3, "1@9 –"),
        ("tawny-reserva", 4, 2, "– – 1@6"),
        ("aged", 3, 3, "– – 1@7"),
        ("colheita", 2, 4, "– – 1@10"),
    ],
)
def test_a_complete_category_pays_and_goes_back_to_the_supply(
    category: str, barrels: int, vp: int, cellar: str
) -> None:
    """P3, P16: with one barrel less it pays nothing, and stays."""
    stored = [f"{category}={n}" if n else "–" for n in range(barrels)]
    short, whole = (
        play(turn(f"cellar: {cellar}   warehouse: {before}"), "mark age", "die 1") for before in stored[-2:]
    )
    assert_position(short, f"supply: {81 - barrels}\n> seat 0   vp: 3   warehouse: {stored[-1]}")
    assert_position(whole, f"supply: 80\n> seat 0   vp: {3 + vp}   warehouse: –   cellar: –")


def test_the_worked_example_of_the_rulebook() -> None:
    """P16: a die of 3; 2 + 3 + 3 = 8 VP. The barrel in `tawny-reserva` stays for later."""
    game = turn("vp: 0   cellar: 3@7 2@4 | 4@6 –")
    play(game, "mark age", "die 3")
    assert_position(game, "supply: 79\n> seat 0   vp: 8   cellar: –   warehouse: tawny-reserva=1")


@pytest.mark.parametrize(
    ("mine", "die", "vp", "warehouse"),
    [
        pytest.param("cellar: 4@9   warehouse: lbv=1 reserva=2", 1, 5, "ruby=2", id="two categories down in Ruby"),
        pytest.param("cellar: 6@9", 1, 5, "ruby=1", id="from an empty warehouse"),
        pytest.param("cellar: 3@6   warehouse: reserva=1 lbv=1", 1, 2, "ruby=1 lbv=1", id="never to a higher one"),
        pytest.param(
            "cellar: – – 6@8   warehouse: colheita=1 aged=2 tawny-reserva=3", 3, 9, "tawny=3", id="all the way in Tawny"
        ),
        pytest.param("cellar: – – 6@8   warehouse: colheita=1", 3, 7, "tawny-reserva=2", id="two down in Tawny"),
        pytest.param("cellar: 2@9 2@9", 1, 3, "reserva=2", id="sold only when all have moved"),
        pytest.param("cellar: 2@5 4@9", 1, 5, "ruby=1", id="two Ruby columns together"),
        pytest.param("cellar: 4@9 2@5", 1, 5, "ruby=1", id="in either order"),
        pytest.param("cellar: – – 2@9 2@10", 1, 4, "aged=2", id="two Tawny columns together"),
        pytest.param("cellar: 2@9 3@6 | 2@10 3@7", 1, 3 + 2 + 4 + 3, "–", id="four categories at once"),
        pytest.param("cellar: 1@2 1@5 | 1@2 1@5", 1, 0, "ruby=1 reserva=1 tawny=1 tawny-reserva=1", id="none at all"),
    ],
)
def test_barrels_go_to_the_next_lower_category_with_a_free_space(mine: str, die: int, vp: int, warehouse: str) -> None:
    """P16: each barrel; when all have moved, every complete category pays, and the others stay for later."""
    game = play(turn(f"vp: 0   {mine}"), "mark age", f"die {die}")
    assert_position(game, f"> seat 0   vp: {vp}   cellar: –   warehouse: {warehouse}")


@pytest.mark.parametrize(
    ("category", "before", "more", "vp", "after"),
    [
        ("ruby", 0, 3, 0, 3),
        ("ruby", 0, 4, 1, 0),
        ("ruby", 3, 1, 1, 0),
        ("ruby", 3, 2, 1, 1),
        ("ruby", 3, 6, 2, 1),
        ("ruby", 2, 6, 2, 0),
        ("tawny", 0, 4, 0, 4),
        ("tawny", 0, 5, 1, 0),
        ("tawny", 4, 1, 1, 0),
        ("tawny", 4, 3, 1, 2),
        ("tawny", 4, 6, 2, 0),
    ],
)
def test_the_bottom_categories_pay_for_each_full_set(
    category: str, before: int, more: int, vp: int, after: int
) -> None:
    """P3, P16: 1 VP for each 4 ruby or 5 tawny, several at once; the rest stays."""
    cellar = f"{more}@1" if category == "ruby" else f"– – {more}@1"
    stored = f"{category}={before}" if before else "–"
    game = play(turn(f"vp: 0   cellar: {cellar}   warehouse: {stored}"), "mark age", "die 1")
    assert_position(
        game, f"supply: {80 - after}\n> seat 0   vp: {vp}   warehouse: {f'{category}={after}' if after else '–'}"
    )


def test_only_a_player_with_barrels_in_the_cellar_can_age() -> None:
    """P16: those aboard, on Estates and in the warehouse do not count."""
    game = turn("boat: baixo 2@5   estates: baixo-1(vb)=2@5   warehouse: ruby=2   hand: free age-quality")
    refused(game, "mark age", "cellar_empty")
    refused(game, "card free action=age", "cellar_empty")
    refused(game, "card age-quality", "cellar_empty")


def test_ageing_leaves_the_others_alone() -> None:
    """P16: in your cellar."""
    game = play(turn("cellar: 1@2", other="cellar: 2@5   warehouse: ruby=3"), "mark age", "die 6")
    assert_position(game, "  seat 1   vp: 3   cellar: 2@5   warehouse: ruby=3")


# --- P17: drawing -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hand", ["–", "boat", "boat free"])
def test_with_less_than_three_cards_one_takes_the_next_of_the_deck(hand: str) -> None:
    """P17: and discards none."""
    game = turn(f"hand: {hand}", "deck: vintage enologist …")
    refused(game, "mark draw discard=boat", "no_discard")
    play(game, "mark draw")
    assert_position(game, f"deck: enologist …   used: –   marked: yes\n> seat 0   hand: {hand} vintage   placed: draw")


def test_with_three_cards_one_is_discarded_first() -> None:
    """P17."""
    game = turn("hand: boat boat free", "deck: vintage enologist …")
    refused(game, "mark draw", "discard_first")
    refused(game, "mark draw discard=planting", "not_held")
    assert [move for move in legal(game) if "draw discard" in move] == [
        "mark draw discard=free",
        "mark draw discard=boat",
    ]
    play(game, "mark draw discard=boat")
    assert_position(game, "deck: enologist …   used: boat\n> seat 0   hand: boat free vintage")


def test_a_drawn_card_may_be_played_at_once() -> None:
    """P17."""
    game = play(turn(table="deck: boat …"), "mark draw", "card boat")
    assert_position(game, "step: boat   moves: 4\n> seat 0   hand: –")


def test_an_empty_deck_is_renewed_only_when_a_card_is_to_be_drawn() -> None:
    """P17: the last card is drawn without."""
    game = turn(table="deck: boat   used: …")
    play(game, "mark draw", "end")
    assert_position(game, "deck: –   decides: 1\n  seat 0   hand: boat")
    play(game, "1: mark draw")
    assert_position(game, "step: renew   decides: chance\n  seat 1   hand: –")
    play(game, "renew free vintage …")
    assert_position(game, "step: turn   decides: 1   deck: vintage …   used: –\n  seat 1   hand: free")
    assert len(deck_cards(game)) == 34


def test_the_card_just_discarded_is_shuffled_in() -> None:
    """P17: the used cards, with the one just discarded."""
    game = position("deck: –   used: boat buying\n> seat 0   hand: free free vintage\n  seat 1   hand: …")
    play(game, "mark draw discard=vintage")
    rejected(game, {"chance": "renew", "deck": ["boat", "buying"]}, "renewal.cards.lacking")
    play(game, "renew vintage boat buying")
    assert_position(game, "deck: boat buying   used: –\n> seat 0   hand: free free vintage")


def test_a_renewed_deck_is_shuffled() -> None:
    """P17: another seed gives another order."""
    orders = set()
    for seed in range(8):
        game = turn(table="deck: –   used: …")
        game.play("mark draw")
        game.go_on_with(seed)
        check_state(game)
        assert Counter(deck_cards(game)) + Counter(facts_of(game)["seat 0 hand"].split()) == COUNTS
        orders.add(tuple(deck_cards(game)))
    assert len(orders) == 8


# --- P18: buying ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("extra", "vp", "cubes"), [("none", 6, ""), ("discount", 7, ""), ("vineyard", 6, "v"), ("brandy", 6, "b")]
)
def test_a_buying_card_comes_with_at_most_one_extra(extra: str, vp: int, cubes: str) -> None:
    """P18: 1 VP cheaper, or a green cube, or a yellow one on the new Estate."""
    game = turn("vp: 10   hand: buying")
    play(game, f"card buying site=cima-2 extra={extra}")
    assert_position(game, f"marked: no\n> seat 0   vp: {vp}   estates: baixo-1(vb) cima-2({cubes})   done: bought")
    assert_position(game, "> seat 0   markers: 3   placed: –   hand: –")


def test_the_discount_makes_an_estate_affordable() -> None:
    """P10, P18: the other extras do not."""
    game = turn("vp: 3   hand: buying")
    for extra in ("none", "vineyard", "brandy"):
        refused(game, f"card buying site=cima-2 extra={extra}", "too_dear")
    refused(game, "mark buy site=cima-2", "too_dear")
    refused(game, "card buying site=cima-4 extra=discount", "too_dear")
    play(game, "card buying site=cima-2 extra=discount")
    assert_position(game, "> seat 0   vp: 0   estates: baixo-1(vb) cima-2()")


def test_with_1_vp_only_the_discount_buys_anything() -> None:
    """P9.2, P18: the card can be played although the action of the table cannot; with 0 VP neither can."""
    game = turn("vp: 1   hand: buying free")
    assert not can(game, "mark buy")
    assert not can(game, "card free action=buy")
    assert [move for move in legal(game) if "buying" in move] == ["card buying site=baixo-4 extra=discount"]
    assert not can(turn("vp: 0   hand: buying"), "card buying")


def test_an_extra_must_be_named() -> None:
    """P18: `none` is one, too."""
    refused(turn("vp: 10   hand: buying"), "card buying site=cima-2", "missing")
    refused(turn("vp: 10   hand: buying"), "card buying extra=none", "missing")


# --- P19: planting ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "move", "after"),
    [
        pytest.param("cima-1()", "vineyard=cima-1 brandy=cima-1", "cima-1(vb)", id="both on one"),
        pytest.param("cima-1() cima-2()", "vineyard=cima-1 brandy=cima-2", "cima-1(v) cima-2(b)", id="on two"),
        pytest.param("cima-1() cima-2()", "vineyard=cima-2 brandy=cima-2", "cima-1() cima-2(vb)", id="on the second"),
        pytest.param("cima-1(b) cima-2(v)", "vineyard=cima-1 brandy=cima-2", "cima-1(vb) cima-2(vb)", id="two halves"),
        pytest.param("cima-1(v)", "brandy=cima-1", "cima-1(vb)", id="only yellow has a place"),
        pytest.param("cima-1(b)", "vineyard=cima-1", "cima-1(vb)", id="only green has a place"),
    ],
)
def test_a_planting_card_gives_a_cube_of_each_colour(before: str, move: str, after: str) -> None:
    """P19: at once, on one or two Estates; P19.1: one that has no place is lost."""
    game = play(turn(f"estates: baixo-1(vb) {before}   hand: planting"), f"card planting {move}")
    assert_position(
        game, f"used: planting   marked: no\n> seat 0   estates: baixo-1(vb) {after}   hand: –   markers: 3"
    )


def test_a_cube_that_has_a_place_must_be_placed_and_one_that_has_none_cannot() -> None:
    """P19.1."""
    game = turn("estates: baixo-1(vb) cima-1()   hand: planting")
    refused(game, "card planting vineyard=cima-1", "cube_must")
    refused(game, "card planting brandy=cima-1", "cube_must")
    refused(game, "card planting", "cube_must")
    game = turn("estates: baixo-1(vb) cima-1(v)   hand: planting")
    refused(game, "card planting vineyard=cima-1 brandy=cima-1", "cube_lost")
    refused(game, "card planting", "cube_must")
    game = turn("estates: baixo-1(vb) cima-1(b)   hand: planting")
    refused(game, "card planting vineyard=cima-1 brandy=cima-1", "cube_lost")


def test_a_planting_card_needs_a_place_for_one_cube_at_least() -> None:
    """P19.1: at least one must have a place."""
    game = turn("estates: baixo-1(vb) cima-1(vb)   hand: planting")
    assert not can(game, "card planting")
    refused(game, "card planting", "nothing_to_plant")
    refused(game, "card planting vineyard=cima-1", "cube_lost")


def test_planting_is_for_ones_own_estates_that_lack_the_cube() -> None:
    """P11, P19."""
    game = turn("estates: baixo-1(vb) cima-1()   hand: planting", other="estates: baixo-2()")
    refused(game, "card planting vineyard=baixo-2 brandy=cima-1", "not_yours")
    refused(game, "card planting vineyard=cima-1 brandy=baixo-2", "not_yours")
    refused(game, "card planting vineyard=baixo-1 brandy=cima-1", "has_vineyard")
    refused(game, "card planting vineyard=cima-1 brandy=baixo-1", "has_brandy")


# --- P20: two barrels more --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("supply", "barrels"), [(77, 5), (2, 5), (1, 4)])
def test_a_harvest_card_puts_two_barrels_more_on_an_estate_with_barrels(supply: int, barrels: int) -> None:
    """P20, P12.1: or what is left; the quality stays, and it is no harvest (P9.3)."""
    other = "warehouse: ruby=…" if supply < 77 else ""
    game = turn("estates: baixo-1(vb) cima-1(vb)=3@6   hand: harvest", f"supply: {supply}", other)
    refused(game, "card harvest site=baixo-1", "no_barrels")
    refused(game, "card harvest site=baixo-2", "not_yours")
    play(game, "card harvest site=cima-1")
    assert_position(game, f"used: harvest\n> seat 0   estates: baixo-1(vb) cima-1(vb)={barrels}@6   done: –   hand: –")


def test_a_harvest_card_needs_barrels_in_the_supply() -> None:
    """P12.1, P20."""
    game = turn("estates: baixo-1(vb)=2@5   hand: harvest", "supply: 0", other="warehouse: ruby=…")
    refused(game, "card harvest site=baixo-1", "supply")
    assert not can(game, "card harvest")


def test_a_harvest_card_is_for_one_estate() -> None:
    """P20: ONE."""
    game = turn("estates: baixo-1(vb)=2@5 cima-1(vb)=3@5   hand: harvest")
    assert [move for move in legal(game) if "harvest" in move] == [
        "card harvest site=baixo-1",
        "card harvest site=cima-1",
    ]
    refused(game, "card harvest", "missing")
    refused(game, "card harvest sites=baixo-1,cima-1", "missing")


def test_a_harvest_card_may_follow_the_harvest_of_the_round_and_be_played_twice() -> None:
    """P9.3, P20: it adds to a harvest."""
    game = turn("hand: harvest harvest")
    play(game, "mark harvest sites=baixo-1", "card harvest site=baixo-1", "card harvest site=baixo-1")
    assert_position(game, "> seat 0   estates: baixo-1(vb)=6@3")


# --- P21: the free action ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", CIRCLES)
def test_a_free_card_carries_out_an_action_without_a_circle(action: str) -> None:
    """P21: although all circles are taken, and without a marker; what it does is what the action does."""
    game, by_marker = others_on(action, CIRCLES[action][1], 3), others_on(action, 0, 3)
    refused(game, f"mark {SAID[action]}", "no_circle")
    die = ["die 3"] if action == "age" else []
    play(by_marker, f"mark {SAID[action]}", *die)
    play(game, f"card free action={SAID[action]}", *die)
    assert_position(game, "marked: no\n> seat 0   placed: –")
    for what in ("vp", "estates", "boat", "cellar", "warehouse", "done"):
        assert facts_of(game)[f"seat 0 {what}"] == facts_of(by_marker)[f"seat 0 {what}"]


def test_a_free_card_moves_the_boat_by_the_die() -> None:
    """P21, P13: like a marker, but it takes none; it is one of the two boat actions of the round (P13.1)."""
    game = play(turn("hand: free"), "card free action=boat", "die 3")
    assert_position(game, "step: boat   moves: 3   marked: no\n> seat 0   placed: –   markers: 3   done: sailed")


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("buy site=superior-3", "too_dear"),
        ("buy site=baixo-2", "taken"),
        ("vineyard site=baixo-1", "has_vineyard"),
        ("brandy site=baixo-1", "has_brandy"),
        ("harvest sites=cima-1", "not_planted"),
        ("age", "cellar_empty"),
        ("draw discard=free", "no_discard"),
        ("buy", "missing"),
        ("harvest site=baixo-1", "missing"),
        ("boat site=baixo-1", "surplus"),
    ],
)
def test_a_free_card_is_under_the_rules_of_its_action(action: str, why: str) -> None:
    """P21."""
    game = turn("vp: 5   estates: baixo-1(vb) cima-1()   hand: free free boat")
    refused(game, f"card free action={action}", why)


def test_a_free_card_used_to_draw_needs_no_discard() -> None:
    """P28: it has left the hand."""
    game = turn("hand: free boat boat", "deck: vintage …")
    refused(game, "card free action=draw discard=boat", "no_discard")
    play(game, "card free action=draw")
    assert_position(game, "used: free\n> seat 0   hand: boat boat vintage")


def test_a_free_card_is_not_in_the_deck_it_renews() -> None:
    """P28: it goes to the used pile when its action is done."""
    game = turn("hand: free", "deck: –   used: …")
    play(game, "card free action=draw")
    assert_position(game, "step: renew   playing: free")
    rejected(
        game,
        {"chance": "renew", "deck": [card for card in COUNTS for _ in range(COUNTS[card])]},
        "renewal.cards.surplus",
    )
    play(game, "renew boat …")
    assert_position(game, "used: free   deck: …\n> seat 0   hand: boat")
    assert deck_cards(game).count("free") == 3


def test_a_free_card_needs_an_action() -> None:
    """P21."""
    refused(turn("hand: free"), "card free", "missing")


# --- P22, P27: selling from the cellar --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("columns", "after"),
    [
        ("tawny-1", "3@7 – | 1@6 2@5"),
        ("tawny-2", "3@7 – | 3@6 –"),
        ("tawny-1,tawny-2", "3@7 – | 2@6 1@5"),
        ("tawny-2,tawny-1", "3@7 – | 2@6 1@5"),
    ],
)
def test_a_colheita_card_sells_two_tawny_barrels_for_4_vp(columns: str, after: str) -> None:
    """P22: from columns of one's choice, in either order; the barrels go to the supply."""
    game = turn("cellar: 3@7 – | 3@6 2@5   hand: colheita")
    play(game, f"card colheita columns={columns}")
    assert_position(game, f"supply: 74   used: colheita   marked: no\n> seat 0   vp: 7   cellar: {after}   hand: –")


@pytest.mark.parametrize(
    ("cellar", "columns"),
    [
        ("3@7 – | 1@6 –", "tawny-1"),
        ("3@7 – | 1@6 –", "tawny-1,tawny-2"),
        ("3@7 – | 1@6 1@5", "tawny-2"),
        ("3@7 2@4 | 2@6 –", "ruby-1"),
        ("3@7 2@4 | 2@6 –", "ruby-1,tawny-1"),
        ("– – | 2@6 2@5", "tawny-1,tawny-1"),
        ("– – | 2@6 –", "tawny-2"),
        ("3@7 – | – –", "tawny-1"),
    ],
)
def test_a_colheita_card_takes_two_barrels_of_the_tawny_side(cellar: str, columns: str) -> None:
    """P22: two from one column, or one from each of two."""
    game = turn(f"cellar: {cellar}   hand: colheita")
    refused(game, f"card colheita columns={columns}", "tawny_barrels")


@pytest.mark.parametrize(
    ("cellar", "possible"), [("– – | 1@6 –", False), ("– – | 1@6 1@5", True), ("– – | 2@6 –", True)]
)
def test_a_colheita_card_needs_two_tawny_barrels(cellar: str, possible: bool) -> None:
    """P22: one barrel alone is not enough; one in each column is."""
    game = turn(f"cellar: {cellar}   hand: colheita")
    assert can(game, "card colheita") is possible
    refused(game, {"seat": 0, "move": "card", "card": "colheita", "columns": []}, "tawny_barrels")


@pytest.mark.parametrize(("column", "after"), [("ruby-1", "2@7 1@4 | 2@6 –"), ("ruby-2", "3@7 – | 2@6 –")])
def test_a_vintage_card_sells_one_ruby_barrel_for_4_vp(column: str, after: str) -> None:
    """P27: ONE, of whatever quality; the barrel goes to the supply."""
    game = turn("cellar: 3@7 1@4 | 2@6 –   hand: vintage")
    play(game, f"card vintage column={column}")
    assert_position(game, f"supply: 75   used: vintage   marked: no\n> seat 0   vp: 7   cellar: {after}   hand: –")


def test_a_vintage_card_needs_a_ruby_barrel() -> None:
    """P27: in that column."""
    game = turn("cellar: – 1@4 | 2@6 –   hand: vintage")
    refused(game, "card vintage column=ruby-1", "ruby_barrel")
    refused(game, "card vintage column=tawny-1", "ruby_barrel")
    assert not can(turn("cellar: – – | 2@6 –   hand: vintage"), "card vintage")


def test_these_cards_leave_the_warehouse_as_it_is() -> None:
    """P27.1: they pay whatever already lies in that category; an `lbv` is no `vintage`."""
    game = turn("cellar: 1@4 – | 2@6 –   hand: vintage colheita   warehouse: lbv=1 colheita=1")
    play(game, "card vintage column=ruby-1", "card colheita columns=tawny-1")
    assert_position(game, "> seat 0   vp: 11   cellar: –   warehouse: lbv=1 colheita=1")


# --- P23: the boat card -----------------------------------------------------------------------------------------------


def test_a_boat_card_is_a_boat_action_as_if_the_die_showed_4() -> None:
    """P23: no die is rolled."""
    game = play(turn("hand: boat"), "card boat")
    assert_position(
        game, "step: boat   decides: 0   moves: 4   playing: boat   used: –\n> seat 0   hand: –   markers: 3"
    )
    play(game, "sail up", "sail up", "sail up", "sail down", "sail down", "sail down", "stop")
    assert_position(game, "step: turn   marked: no   used: boat\n> seat 0   boat: gaia")


# --- P24: a barrel more -----------------------------------------------------------------------------------------------


def adding(mine: str, die: int = 1, table: str = "", other: str = "") -> Game:
    """Seat 0 has aged with an age-barrel card, and a barrel is due."""
    game = play(turn(f"vp: 0   hand: age-barrel boat   {mine}", table, other), "card age-barrel", f"die {die}")
    assert_position(game, "step: add   decides: 0   playing: age-barrel\n> seat 0   vp: 0   cellar: –")
    return game


@pytest.mark.parametrize(
    ("mine", "categories"),
    [
        pytest.param("cellar: 1@2", "ruby", id="the lowest Ruby"),
        pytest.param("cellar: 1@6", "ruby reserva", id="and below it"),
        pytest.param("cellar: 1@9", "ruby reserva lbv", id="never vintage"),
        pytest.param("cellar: – – 1@2", "tawny", id="the lowest Tawny"),
        pytest.param("cellar: – – 1@10", "tawny tawny-reserva aged colheita", id="all Tawny"),
        pytest.param("cellar: 1@6 – | 1@7 –", "ruby reserva tawny tawny-reserva aged", id="both sides"),
        pytest.param(
            "cellar: 1@2   warehouse: lbv=1 aged=1", "ruby reserva lbv tawny tawny-reserva aged", id="earlier"
        ),
        pytest.param("cellar: 2@9", "ruby reserva", id="a full category"),
        pytest.param("cellar: 1@9   warehouse: reserva=2 lbv=1", "ruby reserva", id="full on top"),
        pytest.param("cellar: 3@6   warehouse: lbv=1", "ruby lbv", id="full in between"),
        pytest.param("cellar: 6@9   warehouse: ruby=3", "ruby", id="the lowest is never full"),
        pytest.param("cellar: – – 4@1   warehouse: tawny=4", "tawny", id="however many lie there"),
    ],
)
def test_a_barrel_is_added_not_above_the_highest_category_that_holds_barrels(mine: str, categories: str) -> None:
    """P24: to a free space; a side without barrels takes none. `add` is the only move."""
    game = adding(mine)
    assert legal(game) == [f"add {category}" for category in categories.split()]
    for category in {*CATEGORY_IDS} - {*categories.split()}:
        refused(game, f"add {category}", "add_where")
    refused(game, "add none", "add_something")


@pytest.mark.parametrize(
    ("mine", "add", "vp", "warehouse"),
    [
        ("cellar: 1@2", "ruby", 0, "ruby=2"),
        ("cellar: 2@6", "reserva", 2, "–"),
        ("cellar: 1@9", "lbv", 3, "–"),
        ("cellar: 1@9", "reserva", 0, "reserva=1 lbv=1"),
        ("cellar: 3@2", "ruby", 1, "–"),
        ("cellar: 1@6   warehouse: ruby=3", "ruby", 1, "reserva=1"),
        ("cellar: – – 2@7", "aged", 3, "–"),
        ("cellar: – – 4@2", "tawny", 1, "–"),
        ("cellar: 2@9 – | 1@2 –", "ruby", 3, "ruby=1 tawny=1"),
    ],
)
def test_the_barrel_is_added_before_selling(mine: str, add: str, vp: int, warehouse: str) -> None:
    """P24: it may complete a category; it comes from the supply, and what is sold goes back there."""
    game = adding(mine)
    play(game, f"add {add}")
    assert_position(game, f"step: turn   decides: 0   used: age-barrel\n> seat 0   vp: {vp}   warehouse: {warehouse}")
    check_state(game)


def test_while_a_barrel_is_due_add_is_the_only_move() -> None:
    """P24: nor may one load meanwhile (P14)."""
    game = adding("cellar: 1@6   boat: baixo   estates: baixo-1(vb)=2@5")
    for move in ("pass", "end", "load baixo-1", "card boat", "mark draw", "stop", "sail up", "unload 0 ruby-1"):
        refused(game, move, "add_first")
    refused(game, "add none", "add_something")


def test_only_with_an_empty_supply_none_is_added() -> None:
    """P24: `none`; then everything complete is sold all the same."""
    game = adding("cellar: 2@9 1@2", table="supply: 0", other="warehouse: ruby=…")
    assert legal(game) == ["add none"]
    refused(game, "add ruby", "add_none")
    refused(game, "pass", "add_first")
    play(game, "add none")
    assert_position(game, "step: turn   supply: 2\n> seat 0   vp: 3   warehouse: ruby=1")


def test_the_last_barrel_of_the_supply_is_added() -> None:
    """P24."""
    game = adding("cellar: 1@2", table="supply: 1", other="warehouse: ruby=…")
    refused(game, "add none", "add_something")
    assert_position(play(game, "add ruby"), "supply: 0\n> seat 0   warehouse: ruby=2")


# --- P25, P26: more quality, and the enologist ------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["age-barrel", "age-quality", "enologist"])
def test_ageing_cards_are_age_actions(card: str) -> None:
    """P24–P26: with barrels in the cellar only (P16), with a die, without circle or marker."""
    refused(turn(f"hand: {card}   warehouse: ruby=1"), f"card {card}", "cellar_empty")
    game = turn(f"hand: {card}   cellar: 1@5", other="placed: age age age")
    play(game, f"card {card}")
    assert_position(
        game, f"step: roll   decides: chance   playing: {card}\n> seat 0   hand: –   placed: –   markers: 3"
    )


@pytest.mark.parametrize(
    ("cellar", "die", "category"),
    [
        ("1@4 –", 1, "reserva"),
        ("1@3 –", 1, "ruby"),
        ("– – 1@4", 6, "colheita"),
        ("– – 1@3", 6, "aged"),
        ("1@8 –", 1, "lbv"),
        ("1@7 –", 1, "reserva"),
    ],
)
def test_age_quality_adds_1_to_the_die(cellar: str, die: int, category: str) -> None:
    """P25: a 6 is a 7; it does not go on to the next ageing."""
    game = play(turn(f"hand: age-quality   cellar: {cellar}"), "card age-quality", f"die {die}")
    assert_position(game, f"used: age-quality\n> seat 0   warehouse: {category}=1")


def test_age_quality_counts_for_all_harvests_and_once() -> None:
    """P25: the next ageing is as usual."""
    game = turn("hand: age-quality boat   cellar: 1@4 – | 1@3 –   boat: baixo 1@4")
    play(game, "card age-quality", "die 1")
    assert_position(game, "> seat 0   warehouse: reserva=1 tawny-reserva=1")
    play(game, "card boat", "sail down", "unload 0 ruby-1", "stop", "mark age", "die 1")
    assert_position(game, "> seat 0   warehouse: ruby=1 reserva=1 tawny-reserva=1")


@pytest.mark.parametrize(
    ("mine", "vp", "warehouse"),
    [
        pytest.param("cellar: 1@4", 0, "reserva=1", id="ruby to reserva"),
        pytest.param("cellar: 1@6", 0, "lbv=1", id="reserva to lbv"),
        pytest.param("cellar: 1@9", 4, "–", id="lbv to vintage"),
        pytest.param("cellar: 2@9", 4, "lbv=1", id="vintage has one space"),
        pytest.param("cellar: – – 1@2", 0, "tawny-reserva=1", id="tawny to tawny-reserva"),
        pytest.param("cellar: – – 1@4", 0, "aged=1", id="tawny-reserva to aged"),
        pytest.param("cellar: – – 1@7", 0, "colheita=1", id="aged to colheita"),
        pytest.param("cellar: – – 1@10", 0, "colheita=1", id="colheita is the highest"),
        pytest.param("cellar: 1@4   warehouse: reserva=1 lbv=1", 4, "reserva=1 lbv=1", id="from the highest down"),
        pytest.param(
            "cellar: 1@9 1@5   warehouse: ruby=3 reserva=2 lbv=1", 9, "ruby=2", id="as many as there are spaces"
        ),
        pytest.param("cellar: 6@4", 2, "ruby=3", id="three of six ruby"),
        pytest.param(
            "cellar: – – 1@10   warehouse: tawny-reserva=3 aged=2 colheita=1",
            7,
            "tawny-reserva=2",
            id="blocked by a full one",
        ),
        pytest.param("cellar: – – 1@2   warehouse: aged=2 colheita=1", 4, "tawny-reserva=1 aged=1", id="Tawny"),
        pytest.param("cellar: – – 5@2   warehouse: aged=2", 6, "tawny=1", id="nothing moves twice"),
        pytest.param("cellar: 4@2 – | 5@2 –", 2 + 2, "ruby=1 tawny=1", id="both sides, before any set is sold"),
    ],
)
def test_the_enologist_moves_each_barrel_one_category_up(mine: str, vp: int, warehouse: str) -> None:
    """P26: before selling, from the highest category down, where there is a free space; also `lbv` to `vintage`."""
    game = play(turn(f"vp: 0   hand: enologist   {mine}"), "card enologist", "die 1")
    assert_position(game, f"step: turn   used: enologist\n> seat 0   vp: {vp}   cellar: –   warehouse: {warehouse}")


def test_without_the_enologist_nothing_moves_up() -> None:
    """P16, P26."""
    game = play(turn("vp: 0   hand: enologist   cellar: 1@4   warehouse: lbv=1"), "mark age", "die 1")
    assert_position(game, "> seat 0   vp: 0   warehouse: ruby=1 lbv=1")


# --- P28: where cards go ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "move"),
    [
        ("buying", "card buying site=cima-2 extra=none"),
        ("free", "card free action=buy site=cima-2"),
        ("free", "card free action=harvest sites=baixo-1"),
    ],
)
def test_cards_that_used_up_a_once_per_round_action_lie_beside_the_table(card: str, move: str) -> None:
    """P28: until the round ends, then they go to the used pile."""
    game = turn(f"vp: 9   hand: {card}   markers: 1")
    play(game, move)
    assert_position(game, f"used: –   aside: {card}\n> seat 0   hand: –")
    all_pass(game)
    assert_position(game, f"round: 2   used: {card}   aside: –")


@pytest.mark.parametrize(
    ("card", "moves"),
    [
        ("planting", ["card planting vineyard=cima-1 brandy=cima-1"]),
        ("harvest", ["card harvest site=superior-1"]),
        ("free", ["card free action=vineyard site=cima-1"]),
        ("free", ["card free action=brandy site=cima-1"]),
        ("free", ["card free action=boat", "die 2", "stop"]),
        ("free", ["card free action=age", "die 2"]),
        ("free", ["card free action=draw"]),
        ("colheita", ["card colheita columns=tawny-1"]),
        ("boat", ["card boat", "stop"]),
        ("age-barrel", ["card age-barrel", "die 2", "add ruby"]),
        ("age-quality", ["card age-quality", "die 2"]),
        ("enologist", ["card enologist", "die 2"]),
        ("vintage", ["card vintage column=ruby-1"]),
    ],
)
def test_a_played_card_goes_to_the_used_pile_when_its_action_is_done(card: str, moves: list[str]) -> None:
    """P28: it leaves the hand at once."""
    estates = "baixo-1(vb) cima-1() superior-1(vb)=4@5"
    game = turn(f"estates: {estates}   cellar: 2@4 – | 2@4 –   hand: {card} {card}")
    for move in moves:
        assert_position(game, "used: –   aside: –")
        play(game, move)
        assert facts_of(game)["seat 0 hand"].split().count(card) == 1
    assert_position(game, f"used: {card}   aside: –   playing: –   step: turn   marked: no")


def test_cards_beside_the_table_are_not_in_a_deck_renewed_meanwhile() -> None:
    """P28."""
    game = turn("vp: 9   hand: buying", "deck: –   used: …")
    play(game, "card buying site=cima-2 extra=none", "mark draw", "renew boat …")
    assert_position(game, "aside: buying   used: –\n> seat 0   hand: boat")
    assert deck_cards(game).count("buying") == 3


def test_a_card_that_is_not_held_cannot_be_played() -> None:
    """P18: cards are played from the hand."""
    game = turn("hand: boat", other="hand: vintage")
    refused(game, "card vintage column=ruby-1", "not_held")
    refused(game, "card free action=draw", "not_held")
    refused(play(game, "card boat", "stop"), "card boat", "not_held")


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("mark buy", "missing"),
        ("mark vineyard", "missing"),
        ("mark harvest site=baixo-1", "missing"),
        ("mark boat site=baixo-1", "surplus"),
        ("mark age site=baixo-1", "surplus"),
        ("mark buy site=baixo-4 discard=boat", "surplus"),
        ("card boat action=boat", "surplus"),
        ("card vintage columns=ruby-1", "missing"),
        ("card vintage column=ruby-1 site=baixo-1", "surplus"),
    ],
)
def test_a_move_says_what_it_must_and_nothing_else(move: str, why: str) -> None:
    """Moves: as the list of them says."""
    refused(turn("cellar: 1@5   hand: boat vintage"), move, why)


def test_every_move_is_written_as_the_rules_of_record_list_it() -> None:
    """Moves: `mark`, `card`, `sail`, `stop`, `load`, `unload`, `add`, `pass` and `end` with these arguments."""
    game = turn("vp: 9   estates: baixo-1(vb)=2@5 cima-1(vb)   boat: baixo   hand: buying age-barrel   cellar: 1@5")
    moves = [
        "card buying site=cima-2 extra=vineyard",
        "load baixo-1",
        "mark harvest sites=cima-1,baixo-1",
        "card age-barrel",
        "die 1",
        "add ruby",
        "end",
        "1: pass",
        "2: pass",
        "mark boat",
        "die 1",
        "sail down",
        "unload 0 tawny-2",
        "stop",
    ]
    play(game, *moves)
    assert [line for line in (step.line for step in game.steps) if "chance" not in line] == [
        {"seat": 0, "move": "card", "card": "buying", "site": "cima-2", "extra": "vineyard"},
        {"seat": 0, "move": "load", "site": "baixo-1"},
        {"seat": 0, "move": "mark", "action": "harvest", "sites": ("cima-1", "baixo-1")},
        {"seat": 0, "move": "card", "card": "age-barrel"},
        {"seat": 0, "move": "add", "category": "ruby"},
        {"seat": 0, "move": "end"},
        {"seat": 1, "move": "pass"},
        {"seat": 2, "move": "pass"},
        {"seat": 0, "move": "mark", "action": "boat"},
        {"seat": 0, "move": "sail", "to": "down"},
        {"seat": 0, "move": "unload", "slot": 0, "column": "tawny-2"},
        {"seat": 0, "move": "stop"},
    ]


# --- P29, P30: the end ------------------------------------------------------------------------------------------------


def ended(*seats: str) -> Game:
    """The game is over, and the players have this."""
    drawn = [f"  seat {p}   markers: 0   {seat}" for p, seat in enumerate(seats)]
    drawn[0] = f"> seat 0   markers: 1   {seats[0]}"
    game = position("\n".join(["round: 6", *drawn]))
    assert game.scores == game.state.vp[: len(seats)].tolist(), "until the game is over, VP as they stand"
    assert game.winners == []
    return play(game, "pass")


@pytest.mark.parametrize(
    ("mine", "score"),
    [
        pytest.param("vp: 0   estates: baixo-1()", 0, id="nothing"),
        pytest.param("vp: 7   estates: baixo-1()", 7, id="VP"),
        pytest.param("vp: 0   estates: baixo-1()   boat: cima 3@5", 0, id="three barrels"),
        pytest.param("vp: 0   estates: baixo-1()   boat: cima 1@5 1@5 2@5", 1, id="four aboard"),
        pytest.param("vp: 0   estates: baixo-1()   cellar: 1@5 1@5 | 1@5 1@5", 1, id="four in the cellar"),
        pytest.param(
            "vp: 0   estates: baixo-1()   warehouse: ruby=3 reserva=2 lbv=1 tawny=4 tawny-reserva=3 aged=2 colheita=1",
            4,
            id="16 in the warehouse",
        ),
        pytest.param("vp: 0   estates: baixo-1(v)=2@5 cima-1(b)=1@5 cima-2()=1@5", 1, id="four on Estates"),
        pytest.param(
            "vp: 0   estates: baixo-1()=1@5   boat: cima 1@5   cellar: 1@5   warehouse: aged=1", 1, id="together"
        ),
        pytest.param("vp: 0   estates: baixo-1()=1@5   boat: cima 2@5   cellar: 4@5", 1, id="rounded down"),
        pytest.param("vp: 0   estates: baixo-1(vb)", 2, id="a planted Estate"),
        pytest.param("vp: 0   estates: baixo-1(v) cima-4(b) superior-3()", 0, id="none is planted"),
        pytest.param("vp: 0   estates: baixo-1(vb) cima-4(vb) superior-3(vb)", 2 + 5 + 6, id="three planted Estates"),
        pytest.param("vp: 9   estates: baixo-1(vb)=2@5 cima-4(v)   cellar: 3@5", 9 + 2 + 1, id="all of it"),
    ],
)
def test_after_round_6_barrels_and_planted_estates_count(mine: str, score: int) -> None:
    """P29: 1 VP for each 4 barrels owned, wherever they are, and the price of each planted Estate."""
    game = ended(mine, "vp: 5   estates: baixo-2()")
    assert game.scores == [score, 5]


def test_before_the_end_nobody_has_won() -> None:
    """P29: after round V another one begins."""
    game = position("round: 5\n> seat 0   markers: 1\n  seat 1   markers: 0")
    assert_position(play(game, "pass"), "round: 6   step: turn   decides: 1")
    assert game.winners == []
    assert game.scores == [3, 3]


def test_when_the_game_is_over_nothing_can_be_done() -> None:
    """P29: and the cards beside the table are used ones."""
    game = position("round: 6   aside: buying\n> seat 0   markers: 1\n  seat 1   markers: 0")
    play(game, "pass")
    assert_position(game, "step: over   decides: nobody   used: buying   aside: –")
    with pytest.raises(IllegalMove, match="over"):
        game.play(spoken(game, "0: pass"))


@pytest.mark.parametrize(
    ("seats", "scores", "ranks", "winners"),
    [
        pytest.param(
            ["vp: 4   estates: baixo-1()", "vp: 5   estates: baixo-2()", "vp: 3   estates: baixo-3()"],
            [4, 5, 3],
            [2, 1, 3],
            [1],
            id="most VP",
        ),
        pytest.param(
            ["vp: 5   estates: superior-3()", "vp: 5   estates: baixo-2() baixo-4()", "vp: 4"],
            [5, 5, 6],
            [3, 2, 1],
            [2],
            id="a tie for second goes to most Estates",
        ),
        pytest.param(
            ["vp: 5   estates: superior-3()", "vp: 5   estates: baixo-2() baixo-4()"],
            [5, 5],
            [2, 1],
            [1],
            id="most Estates, before their quality",
        ),
        pytest.param(
            ["vp: 5   estates: baixo-1() cima-4()", "vp: 5   estates: cima-1() cima-2()"],
            [5, 5],
            [2, 1],
            [1],
            id="the highest sum of qualities: 7 and 8",
        ),
        pytest.param(
            ["vp: 3   estates: baixo-1(vb)", "vp: 5   estates: baixo-2()", "vp: 5   estates: cima-1()"],
            [5, 5, 5],
            [2, 2, 1],
            [2],
            id="planted or not, an Estate is one",
        ),
        pytest.param(
            [
                "vp: 5   estates: cima-1() baixo-1()",
                "vp: 5   estates: baixo-2() cima-3()",
                "vp: 4   estates: baixo-3()",
            ],
            [5, 5, 4],
            [1, 1, 3],
            [0, 1],
            id="then it is shared",
        ),
        pytest.param(["", "", "", ""], [5, 5, 5, 5], [1, 1, 1, 1], [0, 1, 2, 3], id="by all"),
    ],
)
def test_most_vp_win_then_most_estates_then_the_highest_sum_of_qualities(
    seats: list[str], scores: list[int], ranks: list[int], winners: list[int]
) -> None:
    """P30: and then the victory is shared; a rank is 1 + the number of players who did better."""
    game = ended(*seats)
    assert game.scores == scores
    assert game.ranks == ranks
    assert game.winners == winners


# --- the record: setup, die and renewal -------------------------------------------------------------------------------


def change(**fields: Any) -> Callable[[dict[str, Any]], None]:
    return lambda setup: setup.update(fields)


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        pytest.param(change(first="0"), "shape", id="a seat in letters"),
        pytest.param(change(bonuses=[1, 1, 2, 2, 3]), "bonuses", id="a chip less"),
        pytest.param(change(bonuses=[1, 1, 2, 2, 3, 3, 3]), "bonuses", id="a chip more"),
        pytest.param(change(bonuses=[1, 1, 2, 2, 2, 3]), "bonuses", id="other chips"),
        pytest.param(change(bonuses=None), "shape", id="no chips"),
        pytest.param(lambda setup: setup["hands"].pop(), "hands", id="a hand less"),
        pytest.param(lambda setup: setup["hands"].append([]), "hands", id="a hand more"),
        pytest.param(lambda setup: setup["deck"].append(setup["hands"][1].pop()), "hand", id="two cards in a hand"),
        pytest.param(lambda setup: setup["hands"][1].append(setup["deck"].pop()), "hand", id="four cards in a hand"),
        pytest.param(lambda setup: setup["deck"].pop(), "cards.lacking", id="a card less"),
        pytest.param(lambda setup: setup["deck"].append("boat"), "cards.surplus", id="a card more"),
        pytest.param(lambda setup: setup["deck"].append("brandy"), "cards.surplus", id="no card"),
        pytest.param(lambda setup: setup.pop("deck"), "shape", id="no deck"),
        pytest.param(change(seed=1), "shape", id="something more"),
    ],
)
def test_a_setup_that_cannot_be_is_refused(damage: Callable[[dict[str, Any]], None], why: str) -> None:
    """P4, P5, P7: with what is wrong."""
    setup = setup_of(brocante.deal("port", players=3, seed=1))
    damage(setup)
    rejected(undealt(), {"setup": setup}, f"setup.{why}")


@pytest.mark.parametrize("first", [3, -1])
def test_the_first_player_sits_at_the_table(first: int) -> None:
    """P7."""
    setup = setup_of(brocante.deal("port", players=3, seed=1))
    change(first=first)(setup)
    game = undealt()
    assert_refused(game, lambda: game.chance({"setup": setup}), "error.chance.first", "(P7)")


@pytest.mark.parametrize("line", [{}, {"chance": "die", "value": 3}, {"setup": {}, "more": 1}])
def test_a_game_begins_with_its_setup(line: dict[str, Any]) -> None:
    """P7: and with nothing else."""
    rejected(undealt(), line, "setup.only")


def test_a_board_belongs_to_its_setup() -> None:
    """P1a: one of one's own must be there, the built-in one cannot be another."""
    setup = setup_of(brocante.deal("port", players=3, seed=1))
    given = Game(brocante.box("port"), {"players": 3, "board": "given"})
    rejected(given, {"setup": setup}, "setup.board_wanted")
    board = brocante.games.port.board.Board.built_in().for_record()
    board["site"][0]["price"] += 1
    rejected(undealt(), {"setup": {**setup, "board": board}}, "setup.other_board")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ({"chance": "die", "value": 0}, "wrong"),
        ({"chance": "die", "value": 7}, "wrong"),
        ({"chance": "renew", "value": 3}, "wrong"),
        ({"chance": "die"}, "shape"),
        ({"chance": "die", "value": "3"}, "shape"),
        ({"chance": "die", "value": 3, "more": 1}, "shape"),
        ({"chance": "renew", "deck": []}, "shape"),
        ({"setup": {}}, "shape"),
    ],
)
@pytest.mark.parametrize("move", ["mark boat", "mark age"])
def test_a_die_that_cannot_be_is_refused(move: str, line: dict[str, Any], why: str) -> None:
    """P13, P16: 1 to 6."""
    rejected(play(turn("cellar: 1@5"), move), line, f"die.{why}")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ({"chance": "renew", "deck": ["boat", "free", "free"]}, "cards.lacking"),
        ({"chance": "renew", "deck": ["boat", "boat", "free", "vintage"]}, "cards.surplus"),
        ({"chance": "renew", "deck": ["boat", "free", "free", "vintage", "vintage"]}, "cards.surplus"),
        ({"chance": "die", "deck": ["boat", "free", "free", "vintage"]}, "chance"),
        ({"chance": "renew"}, "shape"),
        ({"chance": "die", "value": 3}, "shape"),
        ({"chance": "renew", "deck": "boat"}, "shape"),
    ],
)
def test_a_renewal_that_cannot_be_is_refused(line: dict[str, Any], why: str) -> None:
    """P17: the used cards, each as often as it was used."""
    game = position("deck: –   used: boat free free vintage\n> seat 0   hand: boat boat\n  seat 1   hand: …")
    rejected(play(game, "mark draw"), line, f"renewal.{why}")


def test_chance_is_told_something_only_when_it_is_asked() -> None:
    """P13: no die without an action that needs one, and no move before the die."""
    with pytest.raises(IllegalMove, match="seat 0"):
        play(turn(), "die 3")
    game = play(turn(), "mark boat")
    assert game.actor == CHANCE
    with pytest.raises(IllegalMove):
        game.play(spoken(game, "0: sail up"))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_was_written_is_read_again(players: int) -> None:
    """Record: a whole game, with setup, dice and renewals."""
    game = played_to_the_end(brocante.deal("port", players=players, seed="again"), "again")
    replay = Replay(brocante.box)
    for line in brocante.write_record(game).splitlines(keepends=True):
        replay.feed(line)
    assert replay.finished
    assert replay.game == game


# --- whatever is played -----------------------------------------------------------------------------------------------


def moves_of(players: int, seed: str) -> Iterator[tuple[Any, Move, Any]]:
    """All moves of a random game, each with the state before it and the one after it and what chance did then."""
    game = played_to_the_end(brocante.deal("port", players=players, seed=seed), seed)
    moves = [(number, step.move) for number, step in enumerate(game.steps) if step.move is not None]
    ends = [number for number, _ in moves[1:]] + [len(game.steps)]
    for (number, move), end in zip(moves, ends, strict=True):
        yield game.steps[number].states(game.box)[0], move, game.steps[end - 1].states(game.box)[1]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("players", [2, 4])
def test_whatever_is_played_the_rules_hold(players: int, seed: int) -> None:
    """P9.3: nobody harvests or buys twice in a round; P13.1: nor has three boat actions; P10: VP never go below 0;
    P12–P15: a trip, loading and unloading change no player's number of barrels; P6: no more markers than circles;
    P17: never more than 3 cards in hand."""
    done: Counter[tuple[int, int, str]] = Counter()
    for before, move, after in moves_of(players, f"whatever {seed}"):
        line = move.line()
        said = {"buying": "buy", "boat": "boat"}.get(line.get("card", ""), line.get("action", ""))
        if said in ("buy", "harvest", "boat"):
            done[int(before.round_number), move.seat, said] += 1
        if line["move"] in ("sail", "stop", "load", "unload", "pass", "end") or said in ("boat", "buy", "draw"):
            for p in range(players):
                assert rules.barrels_owned(before, p) == rules.barrels_owned(after, p)
        assert (after.vp >= 0).all()
        assert (after.held <= 3).all()
        shared = [int(act) for act in rules.Act if act != rules.Act.BOAT]
        assert (after.taken[shared] <= after.circles[shared]).all()
        assert (after.placed[:, rules.Act.BOAT] <= 2).all()
        assert after.held.sum() + after.left + after.used.sum() + after.aside.sum() + (after.in_play >= 0) == 36
    most = {"buy": 1, "harvest": 1, "boat": 2}
    assert all(n <= most[said] for (_, _, said), n in done.items())


#: What may stand for each argument of a move, and some that may not.
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "action": ACTION_IDS,
    "card": CARD_IDS,
    "site": (*PRICES, "gaia", ""),
    "sites": (["baixo-1"], ["baixo-1", "baixo-1"], ["baixo-2", "cima-1"], ["nowhere"], []),
    "extra": EXTRA_IDS,
    "vineyard": (*PRICES, "gaia"),
    "brandy": (*PRICES, "gaia"),
    "columns": (["tawny-1"], ["tawny-2", "tawny-1"], ["ruby-1"], ["tawny-1", "tawny-1"], []),
    "column": COLUMN_IDS,
    "discard": CARD_IDS,
    "to": ("up", "down"),
    "slot": (-1, 0, 1, 2, 3),
    "category": (*CATEGORY_IDS, "none"),
}


def some_move(choices: Random, seat: int) -> dict[str, Any]:
    """A move in the right shape, with whatever arguments."""
    kinds: list[type[Move]] = [*brocante.box("port").moves, Mark, Card, Card]
    kind = choices.choice(kinds)
    names = [name for name, field in kind.arguments().items() if field.required or choices.random() < 0.3]
    return {"seat": seat, "move": kind.name(), **{name: choices.choice(ARGUMENTS[name]) for name in names}}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_whatever_is_tried_is_possible_or_refused_for_a_reason(players: int) -> None:
    """And what is refused changes nothing (P9.2)."""
    game, choices = brocante.deal("port", players=players, seed="tried"), Random("tried")
    while not game.is_over:
        before = game.copy()
        why = reason(game, some_move(choices, game.actor))
        if why:
            assert why in REASONS
            assert game == before
            game.play(choices.choice(game.legal_moves))


def reason(game: Game, move: dict[str, Any]) -> str:
    """Why a move is refused, by the name of the reason; nothing if it was made."""
    try:
        game.play(move)
    except IllegalMove as refusal:
        key: str = refusal.text.args["why"].key
        return key.removeprefix("port.")
    return ""
