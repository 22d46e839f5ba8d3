"""The rules of the antiques market, clause by clause.

Each test plays a few moves from a position drawn as text; antiques_positions.py tells how to read the drawings.
"""

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

import brocante
from brocante import CHANCE, NOBODY, Game, IllegalMove, Replay, UsageError
from brocante.engine.deck import NONE
from brocante.engine.random import generator
from brocante.engine.text import LANGUAGES
from brocante.games.antiques import rules
from brocante.games.antiques.deck_file import Deck, Item
from brocante.games.antiques.rules import CASE, DECK, DISCARD, DRAWN, HOARD
from tests.games.antiques_positions import (
    assert_position,
    at,
    bonus_cards,
    bonuses,
    check_state,
    deck_cards,
    deck_with,
    ids,
    legal,
    play,
    position,
    taker,
)
from tests.games.playing import played_to_the_end, refusal

COLOURS = ("black", "blue", "green", "pink", "red", "white", "yellow")
CATEGORIES = ("bikes", "gadgets", "kitchen", "lighting", "music", "seats", "toys")
DECADES = (1950, 1960, 1970)
BUILT_IN = Deck.built_in()

#: What lies in the Display Cases where nothing depends on it.
STALLS = (
    "tin-robot jukebox",
    "skateboard bongos",
    "disco-ball beanbag",
    "arc-lamp lips-sofa",
    "tandem toaster",
    "moka-pot fondue-set",
)


def market(players: int, centre: str) -> Game:
    """It is seat 0's turn among so many players, each with two items on show; what is not drawn lies in the Hoards."""
    seats = [f"seat {seat}   case: {STALLS[seat]}   hoard: …" for seat in range(players)]
    return position("\n".join([centre, "> " + seats[0], *seats[1:]]))


def refused(game: Game, move: str | dict[str, Any], clause: str) -> str:
    """That a move is refused with this clause, and leaves the game as it was; what was said."""
    said = refusal(game, move)
    assert f"({clause})" in said
    return said


@cache
def dealt(players: int, first: int, take_that: bool = False) -> Game:
    """A game that this seat begins."""
    games = (brocante.deal("antiques", players=players, take_that=take_that, seed=seed) for seed in range(1000))
    return next(game for game in games if game.state.first == first)


def setup_of(game: Game) -> dict[str, Any]:
    """A copy of what the setup line of the game's record holds."""
    found: dict[str, Any] = json.loads(json.dumps(game.steps[0].line["setup"]))
    return found


def read_again(game: Game) -> Replay:
    """The game's record, written and read."""
    replay = Replay(brocante.box)
    for line in brocante.write_record(game).splitlines(keepends=True):
        replay.feed(line)
    return replay


def asked(game: Game) -> list[int]:
    """Who is asked until the end, if everyone passes."""
    seats = []
    while not game.is_over:
        seats.append(game.actor)
        play(game, "pass")
    return seats


# --- A1, A2: the items and the bonus cards ----------------------------------------------------------------------------


def test_there_are_63_items() -> None:
    """A1: 63 item cards, all of them in every game."""
    assert len(set(BUILT_IN.ids)) == 63
    setup = setup_of(brocante.deal("antiques", players=4, seed=1))
    assert sorted(sum(setup["displays"], setup["deck"])) == sorted(BUILT_IN.ids)


def test_no_item_is_ever_lost() -> None:
    """A1: all through a game each item is in one place."""
    game = brocante.deal("antiques", players=5, seed="lost")
    choices = Random("lost")
    while not game.is_over:
        check_state(game)
        game.play(choices.choice(game.legal_moves))
    check_state(game)


@pytest.mark.parametrize("item", BUILT_IN.items, ids=BUILT_IN.ids)
def test_an_item_has_a_category_a_decade_a_year_a_colour_and_a_value(item: Any) -> None:
    """A1: a category, a decade, a year in that decade, a colour and a point value; A2a: values 1 to 5."""
    assert item.category in CATEGORIES
    assert item.colour in COLOURS
    assert DECADES[item.decade] <= item.year < DECADES[item.decade] + 10
    assert 1 <= item.value <= 5


def test_there_are_17_bonus_cards() -> None:
    """A2: 17 bonus cards: 5, 8 and 10 points for the decades, 6 for each colour and each category."""
    assert rules.BONUSES == len(rules.POINTS) == 17
    assert rules.POINTS.tolist() == [5, 8, 10] + 14 * [6]


@pytest.mark.parametrize(("year", "bonus", "points"), [(1950, "50s", 5), (1969, "60s", 8), (1970, "70s", 10)])
def test_most_items_of_a_decade_are_worth_5_or_8_or_10(year: int, bonus: str, points: int) -> None:
    """A2: most items of the 50s = 5 points, of the 60s = 8, of the 70s = 10 (here with 6 each for red and for toys)."""
    game = position(f"""
        step: over
          seat 0   hoard: red-toys-{year}-0
          seat 1   hoard: –
          seat 2   hoard: –
    """)
    assert bonuses(game) == [f"{bonus} red toys", "–", "–"]
    assert game.scores == [points + 6 + 6, 0, 0]


@pytest.mark.parametrize("colour", COLOURS)
def test_most_items_of_a_colour_are_worth_6(colour: str) -> None:
    """A2: most items of each colour = 6 points each. The decade and the category are tied, and nobody's."""
    game = position(f"""
        step: over
          seat 0   hoard: {colour}-toys-1960-0
          seat 1   hoard: {colour}-toys-1960-0-b   {colour}-bikes-1970-0
          seat 2   hoard: {"red" if colour != "red" else "blue"}-toys-1960-0
    """)
    assert taker(game, colour) == 1
    assert game.scores == [0, 6 + 6 + 10, 6]


@pytest.mark.parametrize("category", CATEGORIES)
def test_most_items_of_a_category_are_worth_6(category: str) -> None:
    """A2: most items of each category = 6 points each. The decade and the colour are tied, and nobody's."""
    game = position(f"""
        step: over
          seat 0   hoard: red-{category}-1960-0
          seat 1   hoard: red-{category}-1960-0-b   blue-{category}-1970-0
          seat 2   hoard: red-{"toys" if category != "toys" else "bikes"}-1960-0
    """)
    assert taker(game, category) == 1
    assert game.scores == [0, 6 + 6 + 10, 6]


# --- A2a: the built-in deck -------------------------------------------------------------------------------------------


def test_there_are_seven_colours_and_seven_categories() -> None:
    """A2a: seven colours and seven categories; the categories include lighting, bikes and toys."""
    assert BUILT_IN.colours == COLOURS
    assert BUILT_IN.categories == CATEGORIES
    assert {"lighting", "bikes", "toys"} <= set(BUILT_IN.categories)


@pytest.mark.parametrize("trait", COLOURS + CATEGORIES)
def test_each_colour_and_each_category_has_nine_items_three_of_each_decade(trait: str) -> None:
    """A2a: nine items of each colour and of each category, three of them in each decade."""
    decades = Counter(item.decade for item in BUILT_IN.items if trait in (item.colour, item.category))
    assert decades == {0: 3, 1: 3, 2: 3}


def test_each_decade_has_21_items() -> None:
    """A2a: 21 items of each decade."""
    assert Counter(item.decade for item in BUILT_IN.items) == {0: 21, 1: 21, 2: 21}


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("decade", [0, 1, 2])
def test_the_three_items_of_a_category_in_a_decade_add_up_to_9(category: str, decade: int) -> None:
    """A2a: values 1 to 5; the three items of a category in a decade add up to 9."""
    values = [item.value for item in BUILT_IN.items if (item.category, item.decade) == (category, decade)]
    assert len(values) == 3
    assert sum(values) == 9


@pytest.mark.parametrize("trait", COLOURS + CATEGORIES)
def test_within_a_colour_and_within_a_category_all_years_differ(trait: str) -> None:
    """A2a: within a category, and within a colour, all years differ."""
    years = [item.year for item in BUILT_IN.items if trait in (item.colour, item.category)]
    assert len(set(years)) == 9


@pytest.mark.parametrize("language", range(len(LANGUAGES)), ids=LANGUAGES)
def test_every_item_has_a_name_of_its_own_in_each_language(language: int) -> None:
    """A2a: named in English and French."""
    names = {item.name[language] for item in BUILT_IN.items}
    assert len(names) == 63
    assert all(name.strip() == name != "" for name in names)


# --- A2b: a deck of one's own -----------------------------------------------------------------------------------------


def test_the_template_is_the_built_in_deck(tmp_path: Path) -> None:
    """A2b: a deck file is TOML, one [[item]] table a card; an unchanged copy is no other deck."""
    file = tmp_path / "my-deck.toml"
    file.write_text(Deck.template(), "utf-8")
    game = brocante.deal("antiques", deck=str(file), seed=1)
    assert game.options["deck"] == "reconstructed"
    assert game == brocante.deal("antiques", seed=1)


def test_an_owner_of_the_box_plays_with_their_own_file(tmp_path: Path) -> None:
    """A2b: an owner of the box passes their own file; its items are what the rules count with."""
    file = tmp_path / "my-deck.toml"
    file.write_text(Deck.template().replace('id = "tandem"', 'id = "penny-farthing"'), "utf-8")
    game = brocante.deal("antiques", players=3, deck=str(file), seed=1)
    setup = setup_of(game)
    assert "penny-farthing" in sum(setup["displays"], setup["deck"])
    assert setup["items"]["penny-farthing"] == {"category": "bikes", "colour": "green", "year": 1961, "value": 5}


TANDEM = """\
[[item]]
id = "tandem"
category = "bikes"
colour = "green"
year = 1961
value = 5
name.en = "tandem"
name.fr = "tandem"
"""


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        pytest.param(TANDEM, "", "it must have 63 items, but has 62", id="62 items"),
        pytest.param('"tandem"\nc', '"bongos"\nc', '"bongos" appears 2 times', id="an id twice"),
        pytest.param('"tandem"\nc', '"My Tandem"\nc', 'item 13 ("My Tandem")', id="an id that is no slug"),
        pytest.param('id = "tandem"\n', "", '"id" is missing', id="no id"),
        pytest.param("1961", "1949", 'item 13 ("tandem")', id="a year before 1950"),
        pytest.param("1961", "1980", 'item 13 ("tandem")', id="a year after 1979"),
        pytest.param("1961", '"1961"', 'item 13 ("tandem")', id="a year that is no number"),
        pytest.param("year = 1961\n", "", '"year" is missing', id="no year"),
        pytest.param("value = 5", "value = -1", 'item 13 ("tandem")', id="a value below 0"),
        pytest.param("value = 5", "value = 2.5", 'item 13 ("tandem")', id="a value with a fraction"),
        pytest.param("value = 5", "value = true", 'item 13 ("tandem")', id="a value that is no number"),
        pytest.param("value = 5\n", "", '"value" is missing', id="no value"),
        pytest.param("value = 5\n", "value = 5\nprice = 3\n", '"price"', id="an unknown key"),
        pytest.param('name.fr = "tandem"\n', "", 'item 13 ("tandem")', id="no French name"),
        pytest.param('name.fr = "tandem"', 'name.fr = " "', 'item 13 ("tandem")', id="an empty name"),
        pytest.param('"green"', '"teal"', "14 colours and categories together", id="an eighth colour"),
        pytest.param('"bikes"', '"trains"', "14 colours and categories together", id="an eighth category"),
    ],
)
def test_a_file_that_is_no_deck_is_refused(tmp_path: Path, old: str, new: str, problem: str) -> None:
    """A2b: refused with a message that says what is wrong and where."""
    file = tmp_path / "my-deck.toml"
    assert TANDEM in Deck.template()
    assert old in TANDEM
    file.write_text(Deck.template().replace(TANDEM, TANDEM.replace(old, new)), "utf-8")
    with pytest.raises(UsageError, match=r"\(A2b\)") as refusal:
        brocante.deal("antiques", deck=str(file))
    assert problem in str(refusal.value)
    assert str(file) in str(refusal.value)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        pytest.param(b"", r"\(A2b\)", id="nothing"),
        pytest.param(b"item = 63", r"\(A2b\)", id="no tables"),
        pytest.param(b"item = []", r"\(A2b\)", id="no items"),
        pytest.param(b"[[card]]", r"card.*\(A2b\)", id="other tables"),
        pytest.param(b"[[item]", "not TOML", id="no TOML"),
        pytest.param(b"\xff", "not UTF-8", id="no text"),
        pytest.param(None, "cannot be read", id="no file"),
    ],
)
def test_a_file_without_items_is_refused(tmp_path: Path, data: bytes | None, problem: str) -> None:
    """A2b: a deck file is TOML with [[item]] tables."""
    file = tmp_path / "my-deck.toml"
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(UsageError, match=problem) as refusal:
        brocante.deal("antiques", deck=str(file))
    assert str(file) in str(refusal.value)


@pytest.mark.parametrize(("colours", "categories"), [(13, 1), (1, 13), (10, 4)])
def test_there_may_be_more_of_the_one_and_fewer_of_the_other(colours: int, categories: int) -> None:
    """A2b: colours and categories are 14 together; A2: each has its bonus card."""
    items = [Item(f"i{n}", f"k{n % categories}", f"c{n % colours}", 1950 + n % 30, 1) for n in range(63)]
    game = brocante.deal("antiques", players=3, deck=Deck(tuple(items)), seed=1)
    assert len(bonus_cards(game)) == 17
    assert played_to_the_end(game).is_over
    assert read_again(game).game == game


# --- A3: setup --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "first"), [(players, first) for players in (3, 4, 5, 6) for first in range(players)]
)
def test_the_first_player_is_dealt_one_card_the_second_two_and_every_other_three(players: int, first: int) -> None:
    """A3: 1 card to the first player, 2 to the second, 3 to every other; the rest is the deck, and no more lies out."""
    game = dealt(players, first)
    in_turn = [(first + place) % players for place in range(players)]
    assert [int(game.state.there[CASE + seat]) for seat in in_turn] == [1, 2, 3, 3, 3, 3][:players]
    assert_position(game, f"deck: {63 - sum([1, 2, 3, 3, 3, 3][:players])}   discards: –   drawn: –   first: {first}")
    for seat in range(players):
        assert_position(game, f"seat {seat}   hoard: –   turns: 0")
    assert game.actor == first


@pytest.mark.parametrize("players", [2, 7])
def test_three_to_six_can_play(players: int) -> None:
    """A3: for 3 to 6 players."""
    with pytest.raises(UsageError, match="from 3 to 6"):
        brocante.deal("antiques", players=players)


def test_the_cards_are_shuffled() -> None:
    """A3: shuffle; another seed gives another order, the same seed the same."""
    first, again, other = (brocante.deal("antiques", players=3, seed=seed) for seed in (1, 1, 2))
    assert deck_cards(first) == deck_cards(again) != deck_cards(other)
    assert deck_cards(first) != sorted(deck_cards(first), key=BUILT_IN.number.__getitem__)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_first_player_is_drawn_at_random(players: int) -> None:
    """A3: the first player is drawn at random, each equally likely."""
    games = 120 * players
    starts = Counter(brocante.deal("antiques", players=players, seed=seed).actor for seed in range(games))
    assert sorted(starts) == list(range(players))
    assert all(0.7 < n * players / games < 1.3 for n in starts.values())


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_play_is_clockwise(players: int) -> None:
    """A3: play is clockwise, so the left neighbour, seat + 1, is next."""
    game = brocante.deal("antiques", players=players, seed=3)
    for _ in range(2 * players):
        seat = game.actor
        for _ in range(3):
            assert game.actor == seat
            play(game, legal(game)[0])
        assert game.actor == (seat + 1) % players


# --- A4: hoarding -----------------------------------------------------------------------------------------------------

A_TURN = """
    next: lava-lamp boombox   discards: moka-pot tandem
    > seat 0   case: tin-robot jukebox            hoard: –         turns: 1
      seat 1   case: skateboard bongos            hoard: toaster   turns: 0
      seat 2   case: disco-ball beanbag arc-lamp  hoard: –         turns: 0
"""


def test_a_turn_begins_with_hoarding_an_item_of_ones_own() -> None:
    """A4: choose one item of your own Display Case and put it face down on your Hoard."""
    game = position(A_TURN)
    assert legal(game) == ["hoard jukebox", "hoard tin-robot"]
    play(game, "hoard jukebox")
    assert_position(
        game,
        """
        step: steal   deck: 53   discards: moka-pot tandem
        > seat 0   case: tin-robot   hoard: jukebox   turns: 1
        """,
    )


def test_hoarding_adds_to_what_is_in_the_hoard() -> None:
    """A4: onto the Hoard."""
    game = position("""
        > seat 0   case: tin-robot jukebox   hoard: disco-ball
          seat 1   case: skateboard bongos
          seat 2   case: beanbag
    """)
    play(game, "hoard tin-robot")
    assert_position(game, "seat 0   case: jukebox   hoard: tin-robot disco-ball")


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_first_player_has_no_choice(players: int) -> None:
    """A4: the first player hoards the single card they were dealt."""
    game = dealt(players, 0).copy()
    (item,) = at(game.state, CASE)
    assert legal(game) == [f"hoard {item}"]


@pytest.mark.parametrize("move", ["pass", "salvage", "steal bongos 1", "keep lava-lamp"])
def test_hoarding_is_not_optional_and_comes_first(move: str) -> None:
    """A4: the first of three steps, in this order; it is not optional."""
    refused(position(A_TURN), move, "A4")


@pytest.mark.parametrize("item", ["bongos", "lava-lamp", "tandem", "toaster"])
def test_only_what_is_in_ones_own_display_case_can_be_hoarded(item: str) -> None:
    """A4: not what another has on show, nor a card of the deck, of the discard pile or of a Hoard."""
    refused(position(A_TURN), f"hoard {item}", "A4")


def test_a_player_with_an_empty_display_case_skips_hoarding() -> None:
    """A4a: the turn begins with the second step."""
    game = position("""
        variant: take-that   step: keep   drawn: lava-lamp boombox
        > seat 0   case: tin-robot
          seat 1   case: –            hoard: toaster
          seat 2   case: disco-ball
    """)
    play(game, "keep lava-lamp")
    assert_position(game, "> seat 1   case: –   hoard: toaster")
    assert_position(game, "step: steal")
    assert legal(game) == ["steal tin-robot 0", "steal lava-lamp 0", "steal disco-ball 2", "salvage"]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_only_in_the_variant_can_a_player_be_without_items(players: int) -> None:
    """A4a: an empty Display Case is possible only in the variant."""
    game = brocante.deal("antiques", players=players, seed="empty")
    choices = Random("empty")
    while not game.is_over:
        if game.state.stage == rules.Stage.HOARD:
            assert min(game.state.there[CASE : CASE + players]) > 0
        game.play(choices.choice(game.legal_moves))


# --- A5: stealing and salvaging ---------------------------------------------------------------------------------------

SECOND_STEP = """
    step: steal   next: lava-lamp boombox   discards: moka-pot tandem
    > seat 0   case: tin-robot                    hoard: jukebox
      seat 1   case: skateboard bongos            hoard: toaster
      seat 2   case: disco-ball beanbag arc-lamp  hoard: –
"""


def test_an_item_is_stolen_from_another_display_case() -> None:
    """A5: steal one item from another player's Display Case into your own."""
    game = play(position(SECOND_STEP), "steal beanbag 2")
    assert_position(
        game,
        """
        step: keep   stolen: beanbag   discards: moka-pot tandem
        > seat 0   case: tin-robot beanbag     hoard: jukebox
          seat 1   case: skateboard bongos     hoard: toaster
          seat 2   case: disco-ball arc-lamp   hoard: –
        """,
    )


def test_the_top_of_the_discard_pile_is_salvaged() -> None:
    """A5: salvage the top card of the discard pile into your own."""
    game = play(position(SECOND_STEP), "salvage")
    assert_position(
        game,
        """
        step: keep   stolen: –   discards: moka-pot
        > seat 0   case: tin-robot tandem   hoard: jukebox
        """,
    )


def test_every_item_of_the_others_can_be_stolen() -> None:
    """A5: any item of any other player, or the top card of the discard pile, and nothing else."""
    assert legal(position(SECOND_STEP)) == [
        "steal bongos 1",
        "steal arc-lamp 2",
        "steal beanbag 2",
        "steal skateboard 1",
        "steal disco-ball 2",
        "salvage",
    ]


@pytest.mark.parametrize("move", ["pass", "hoard tin-robot", "keep lava-lamp"])
def test_one_of_the_two_must_be_done(move: str) -> None:
    """A5: one of the two must be done."""
    refused(position(SECOND_STEP), move, "A5")


def test_nobody_steals_from_themselves() -> None:
    """A5: from another player's Display Case."""
    refused(position(SECOND_STEP), "steal tin-robot 0", "A5")


@pytest.mark.parametrize(
    "move",
    [
        pytest.param("steal bongos 2", id="it is another's"),
        pytest.param("steal tin-robot 1", id="it is one's own"),
        pytest.param("steal tandem 1", id="it is on the discard pile"),
        pytest.param("steal lava-lamp 1", id="it is in the deck"),
        pytest.param("steal toaster 1", id="it is in their Hoard"),
        pytest.param("steal bongos 3", id="nobody sits there"),
        pytest.param("steal bongos 6", id="no place at the table"),
        pytest.param("steal bongos -1", id="no seat at all"),
    ],
)
def test_what_is_stolen_must_be_in_that_display_case(move: str) -> None:
    """A5: from that player's Display Case; a Hoard is safe."""
    refused(position(SECOND_STEP), move, "A5")


def test_a_refusal_does_not_tell_where_an_item_is() -> None:
    """A5: whether a card is in the deck or in a Hoard is nothing to learn from a refusal."""
    game = position(SECOND_STEP)
    in_hoard, in_deck = refused(game, "steal toaster 1", "A5"), refused(game, "steal boombox 1", "A5")
    assert in_hoard.replace("pop-up toaster", "boombox").replace("toaster", "boombox") == in_deck


def test_an_only_item_cannot_be_stolen() -> None:
    """A5.1: a player's only item cannot be stolen."""
    game = position("""
        step: steal   discards: tandem
        > seat 0   case: tin-robot
          seat 1   case: skateboard
          seat 2   case: disco-ball beanbag
    """)
    assert legal(game) == ["steal beanbag 2", "steal disco-ball 2", "salvage"]
    refused(game, "steal skateboard 1", "A5.1")


def test_the_second_to_last_item_can_be_stolen_and_then_no_more() -> None:
    """A5.1: of two items one can be stolen; the one that is left is safe from the next player."""
    game = position("""
        step: steal   next: lava-lamp boombox
        > seat 0   case: tin-robot
          seat 1   case: skateboard jukebox toaster
          seat 2   case: disco-ball beanbag
    """)
    play(game, "steal beanbag 2", "keep lava-lamp", "hoard toaster")
    refused(game, "steal disco-ball 2", "A5.1")


def test_the_thief_may_have_nothing_on_show() -> None:
    """A5.1: it is the victim's items that count; who has just hoarded their only one may steal."""
    game = position("""
        > seat 0   case: tin-robot
          seat 1   case: skateboard bongos
          seat 2   case: disco-ball
    """)
    play(game, "hoard tin-robot")
    assert legal(game) == ["steal bongos 1", "steal skateboard 1"]


def test_an_empty_discard_pile_cannot_be_salvaged_from() -> None:
    """A5.2: an empty discard pile cannot be salvaged from."""
    game = position("""
        step: steal   discards: –
        > seat 0   case: tin-robot
          seat 1   case: skateboard bongos
          seat 2   case: disco-ball
    """)
    assert legal(game) == ["steal bongos 1", "steal skateboard 1"]
    refused(game, "salvage", "A5.2")


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_first_player_cannot_salvage_on_their_first_turn(players: int) -> None:
    """A5.2: nothing lies on the discard pile yet."""
    game = dealt(players, 0).copy()
    play(game, legal(game)[0])
    assert "salvage" not in legal(game)
    refused(game, "salvage", "A5.2")


def test_who_can_neither_steal_nor_salvage_goes_on_to_draw() -> None:
    """A5.3: if neither is possible, the step is skipped."""
    game = position("""
        next: lava-lamp boombox   discards: –
        > seat 0   case: tin-robot jukebox toaster
          seat 1   case: skateboard
          seat 2   case: disco-ball
    """)
    play(game, "hoard jukebox")
    assert_position(game, "step: keep   drawn: lava-lamp boombox   stolen: –")
    assert legal(game) == ["keep lava-lamp", "keep boombox"]


@pytest.mark.parametrize(("discards", "third"), [("tandem", "disco-ball"), ("–", "disco-ball beanbag")])
def test_the_step_is_not_skipped_while_either_is_possible(discards: str, third: str) -> None:
    """A5.3: only if neither is possible."""
    game = position(f"""
        discards: {discards}
        > seat 0   case: tin-robot jukebox
          seat 1   case: skateboard
          seat 2   case: {third}
    """)
    play(game, "hoard jukebox")
    assert_position(game, "step: steal   drawn: –")


# --- A6: drawing ------------------------------------------------------------------------------------------------------

THIRD_STEP = """
    step: keep   deck: 20   next: hula-hoop   discards: … moka-pot tandem   drawn: lava-lamp boombox
    > seat 0   case: tin-robot           hoard: jukebox   turns: 3
      seat 1   case: skateboard bongos   hoard: toaster   turns: 2
      seat 2   case: disco-ball          hoard: …         turns: 2
"""


@pytest.mark.parametrize("second_step", ["steal bongos 1", "salvage"])
def test_two_cards_are_drawn_from_the_deck(second_step: str) -> None:
    """A6: draw two from the deck, after stealing or salvaging."""
    game = play(position(SECOND_STEP), second_step)
    assert_position(game, "step: keep   drawn: lava-lamp boombox   deck: 51")
    assert legal(game) == ["keep lava-lamp", "keep boombox"]


@pytest.mark.parametrize(("kept", "other"), [("lava-lamp", "boombox"), ("boombox", "lava-lamp")])
def test_one_is_kept_and_the_other_goes_on_top_of_the_discard_pile(kept: str, other: str) -> None:
    """A6: put one into your Display Case and the other face up on the discard pile. That ends the turn."""
    game = play(position(THIRD_STEP), f"keep {kept}")
    assert_position(
        game,
        f"""
        step: hoard   deck: 20   next: hula-hoop   discards: … moka-pot tandem {other}   drawn: –
          seat 0   case: tin-robot {kept}   hoard: jukebox   turns: 4
        > seat 1   case: skateboard bongos  hoard: toaster   turns: 2
        """,
    )


def test_the_next_player_may_salvage_what_was_just_discarded() -> None:
    """A6: the other card lies on top of the discard pile, for the next player to salvage."""
    game = play(position(THIRD_STEP), "keep lava-lamp", "hoard bongos", "salvage")
    assert_position(game, "> seat 1   case: skateboard boombox")
    assert_position(game, "discards: … moka-pot tandem")


@pytest.mark.parametrize("item", ["hula-hoop", "tandem", "tin-robot", "bongos", "toaster"])
def test_only_one_of_the_two_can_be_kept(item: str) -> None:
    """A6: one of the two."""
    refused(position(THIRD_STEP), f"keep {item}", "A6")


@pytest.mark.parametrize("move", ["pass", "salvage", "steal bongos 1", "hoard tin-robot"])
def test_one_of_the_two_must_be_kept(move: str) -> None:
    """A6: the third step is not optional, and nothing is stolen, salvaged or hoarded any more."""
    refused(position(THIRD_STEP), move, "A6")


@pytest.mark.parametrize("viewer", [1, 2, NOBODY])
def test_only_the_player_sees_the_two_cards(viewer: int) -> None:
    """A6: only the player sees the two cards until one is placed and one discarded."""
    game = position(THIRD_STEP)
    own, theirs = game.seen(0), game.seen(viewer)
    assert ids(own, own.drawn) == ["lava-lamp", "boombox"]
    assert theirs.drawn.tolist() == [NONE, NONE]
    assert at(theirs, DRAWN) == []
    assert theirs.there[DRAWN] == 2
    assert {"lava-lamp", "boombox"} <= set(at(theirs, DECK))
    play(game, "keep boombox")
    seen = shown(game, viewer)
    assert at(seen, CASE) == ["tin-robot", "boombox"]
    assert ids(seen, seen.discard_pile[: seen.there[DISCARD]])[-1] == "lava-lamp"


# --- refusals at every step -------------------------------------------------------------------------------------------

LAST_STEP = """
    step: final   last: 2   discards: moka-pot tandem   stolen: beanbag
    > seat 0   case: tin-robot jukebox    hoard: –         turns: 9
      seat 1   case: skateboard bongos    hoard: toaster   turns: 9
      seat 2   case: disco-ball beanbag   hoard: –         turns: 9
"""
STEPS = {"hoard": A_TURN, "steal": SECOND_STEP, "keep": THIRD_STEP, "final": LAST_STEP}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("move", ["hoard", "steal", "keep"])
def test_an_item_that_does_not_exist_is_refused_at_every_step(step: str, move: str) -> None:
    """A2b: only the items of the deck can be named."""
    line = {"seat": 0, "move": move, "item": "time-machine", **({"from": 1} if move == "steal" else {})}
    assert '"time-machine"' in refused(position(STEPS[step]), line, "A2b")


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("move", ["hoard tin-robot", "steal bongos 1", "salvage", "keep lava-lamp", "pass"])
def test_nobody_moves_out_of_turn(step: str, move: str) -> None:
    """A3: play is clockwise, one player at a time; who moves out of turn is not told what the others may do."""
    game = position(STEPS[step])
    before = game.copy()
    with pytest.raises(IllegalMove, match="it is the decision of seat 0") as refusal:
        game.play(game.parse(move, seat=1))
    assert game == before
    assert "legal" not in str(refusal.value)
    assert "boombox" not in str(refusal.value)


@pytest.mark.parametrize("step", STEPS)
def test_whatever_is_not_legal_is_refused(step: str) -> None:
    """A4–A9: what is offered is all that can be played."""
    game = position(STEPS[step])
    moves = [f"hoard {item}" for item in BUILT_IN.ids] + [f"keep {item}" for item in BUILT_IN.ids]
    moves += [f"steal {item} {seat}" for item in BUILT_IN.ids for seat in range(4)] + ["salvage", "pass"]
    accepted = []
    for move in moves:
        after = game.copy()
        try:
            after.play(move)
        except IllegalMove:
            assert after == game
        else:
            accepted.append(move)
    assert sorted(accepted) == sorted(legal(game))


# --- A7: the end with three or four players ---------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("left", [0, 1])
def test_with_three_or_four_the_game_ends_when_fewer_than_two_cards_are_left(players: int, left: int) -> None:
    """A7: it ends at the end of a turn after which the deck has fewer than 2 cards."""
    game = market(players, f"step: keep   deck: {left}   discards: deck-chair   drawn: lava-lamp boombox")
    play(game, "keep lava-lamp")
    assert_position(game, f"step: final   deck: {left}   discards: deck-chair boombox   renewed: no   last: 0")
    assert_position(game, "> seat 1")


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("left", [2, 3])
def test_with_three_or_four_the_game_goes_on_while_two_cards_are_left(players: int, left: int) -> None:
    """A7: two cards are enough for another turn."""
    game = market(players, f"step: keep   deck: {left}   discards: deck-chair   drawn: lava-lamp boombox")
    play(game, "keep lava-lamp")
    assert_position(game, f"step: hoard   deck: {left}")
    assert_position(game, "> seat 1")


@pytest.mark.parametrize("players", [3, 4])
def test_the_game_does_not_end_within_a_turn(players: int) -> None:
    """A7: at the end of a turn; who draws the last two still keeps one."""
    game = market(players, "step: steal   deck: 2   next: lava-lamp boombox   discards: deck-chair")
    play(game, "salvage")
    assert_position(game, "step: keep   deck: 0   drawn: lava-lamp boombox")


@pytest.mark.parametrize(("players", "turns"), [(3, 28), (4, 27)])
def test_a_game_of_three_or_four_has_a_fixed_number_of_turns(players: int, turns: int) -> None:
    """A7: of 57 cards one is left after 28 turns, of 54 none after 27."""
    game = played_to_the_end(brocante.deal("antiques", players=players, seed=7))
    assert game.state.turns.sum() == turns
    assert all(step.line.get("chance") is None for step in game.steps)


# --- A8: the renewal with five or six players -------------------------------------------------------------------------


@pytest.mark.parametrize("players", [5, 6])
@pytest.mark.parametrize("left", [1, 2, 3])
def test_with_five_or_six_the_game_goes_on_while_a_card_is_left(players: int, left: int) -> None:
    """A8: it does not end before the renewal."""
    game = market(players, f"step: keep   deck: {left}   discards: deck-chair   drawn: lava-lamp boombox")
    play(game, "keep lava-lamp")
    assert_position(game, f"step: hoard   deck: {left}   discards: deck-chair boombox   renewed: no")
    assert_position(game, "> seat 1")


@pytest.mark.parametrize("players", [5, 6])
def test_the_last_card_is_drawn_and_the_second_comes_from_the_renewed_deck(players: int) -> None:
    """A8.1: they draw it, the discard pile is shuffled into a new deck, and they draw the second from that."""
    game = market(
        players, "step: steal   deck: 1   next: lava-lamp   discards: deck-chair boombox hula-hoop puzzle-cube"
    )
    play(game, "steal bongos 1")
    assert_position(game, "step: renew   deck: 0   drawn: lava-lamp   last: 0   renewed: no")
    assert_position(game, "discards: deck-chair boombox hula-hoop puzzle-cube")
    play(game, "renew hula-hoop puzzle-cube deck-chair boombox")
    assert_position(game, "step: keep   deck: 3   next: puzzle-cube deck-chair boombox   drawn: lava-lamp hula-hoop")
    assert_position(game, "discards: –   renewed: yes   stolen: bongos")
    assert_position(game, "> seat 0")
    assert legal(game) == ["keep hula-hoop", "keep lava-lamp"]
    play(game, "keep lava-lamp")
    assert_position(game, "step: hoard   deck: 3   discards: hula-hoop   drawn: –")
    assert_position(game, "> seat 1")


@pytest.mark.parametrize("players", [5, 6])
def test_the_deck_is_not_renewed_before_the_player_is_to_draw(players: int) -> None:
    """A8.1, ruling: seen at that step, so that they may still have salvaged before."""
    game = market(players, "deck: 1   next: lava-lamp   discards: boombox deck-chair hula-hoop puzzle-cube")
    play(game, "hoard jukebox")
    assert_position(game, "step: steal   deck: 1   discards: boombox deck-chair hula-hoop puzzle-cube")
    assert "salvage" in legal(game)
    play(game, "salvage")
    assert_position(game, "step: renew   drawn: lava-lamp   discards: boombox deck-chair hula-hoop")
    play(game, "renew deck-chair boombox hula-hoop")
    assert_position(game, "step: keep   deck: 2   next: boombox hula-hoop   drawn: lava-lamp deck-chair")
    assert_position(game, "seat 0   case: tin-robot puzzle-cube")


@pytest.mark.parametrize("players", [5, 6])
def test_the_deck_is_not_renewed_for_a_player_who_draws_two(players: int) -> None:
    """A8.1: only if the deck has exactly one card."""
    game = market(players, "step: steal   deck: 2   next: lava-lamp boombox   discards: deck-chair hula-hoop")
    play(game, "steal bongos 1")
    assert_position(
        game, "step: keep   deck: 0   drawn: lava-lamp boombox   discards: deck-chair hula-hoop   renewed: no"
    )


@pytest.mark.parametrize("players", [5, 6])
def test_a_deck_empty_at_the_end_of_a_turn_is_renewed_at_once(players: int) -> None:
    """A8.2: the discard pile, with the card just discarded, is shuffled into a new deck at once."""
    game = market(players, "step: keep   deck: 0   discards: deck-chair hula-hoop   drawn: lava-lamp boombox")
    play(game, "keep lava-lamp")
    assert_position(game, "step: renew   deck: 0   discards: deck-chair hula-hoop boombox   drawn: –   last: 0")
    play(game, "renew hula-hoop boombox deck-chair")
    assert_position(game, "step: hoard   deck: 3   next: hula-hoop boombox deck-chair   discards: –   renewed: yes")
    assert_position(game, "> seat 1   turns: 0")
    assert_position(game, "seat 0   turns: 1")


@pytest.mark.parametrize("players", [5, 6])
def test_the_next_player_finds_no_discard_pile(players: int) -> None:
    """A8.2, ruling: so the next player finds no discard pile."""
    game = market(players, "step: keep   deck: 0   discards: deck-chair hula-hoop   drawn: lava-lamp boombox")
    play(game, "keep lava-lamp", "renew hula-hoop boombox deck-chair", "hoard bongos")
    assert "salvage" not in legal(game)
    refused(game, "salvage", "A5.2")


@pytest.mark.parametrize("players", [5, 6])
@pytest.mark.parametrize("left", [0, 1])
def test_after_the_renewal_the_game_ends_when_fewer_than_two_cards_are_left(players: int, left: int) -> None:
    """A8.3: after the renewal, at the end of a turn after which the deck has fewer than 2 cards. A8: only once."""
    centre = f"step: keep   deck: {left}   discards: deck-chair   drawn: lava-lamp boombox   renewed: yes"
    game = play(market(players, centre), "keep lava-lamp")
    assert_position(game, f"step: final   deck: {left}   discards: deck-chair boombox   last: 0")


@pytest.mark.parametrize("players", [5, 6])
def test_after_the_renewal_the_game_goes_on_while_two_cards_are_left(players: int) -> None:
    """A8.3: two cards are enough for another turn."""
    game = market(players, "step: keep   deck: 2   discards: –   drawn: lava-lamp boombox   renewed: yes")
    assert_position(play(game, "keep lava-lamp"), "step: hoard   deck: 2")


@pytest.mark.parametrize("players", [5, 6])
@pytest.mark.parametrize("pile", ["hula-hoop", "deck-chair hula-hoop"])
def test_the_turn_that_drew_from_the_renewed_deck_may_be_the_last(players: int, pile: str) -> None:
    """A8.3: checked also at the end of the turn that caused the renewal, here by A8.1."""
    game = market(players, f"step: steal   deck: 1   next: lava-lamp   discards: {pile}")
    play(game, "steal bongos 1", f"renew {pile}")
    assert_position(game, "step: keep")
    play(game, "keep lava-lamp")
    assert_position(game, "step: final   last: 0   renewed: yes")


@pytest.mark.parametrize("players", [5, 6])
@pytest.mark.parametrize(("pile", "step"), [("–", "final"), ("hula-hoop", "hoard")])
def test_the_turn_that_emptied_the_deck_may_be_the_last(players: int, pile: str, step: str) -> None:
    """A8.3: checked also at the end of the turn that caused the renewal, here by A8.2."""
    game = market(players, f"step: keep   deck: 0   discards: {pile}   drawn: lava-lamp boombox")
    play(game, "keep lava-lamp", f"renew boombox {pile}")
    assert_position(game, f"step: {step}   discards: –   renewed: yes")
    assert_position(game, "> seat 1")


@pytest.mark.parametrize("players", [5, 6])
def test_an_empty_renewal_gives_nothing_and_the_only_card_is_put_on_show(players: int) -> None:
    """A8.4: the player takes what there is; a single card drawn goes into the Display Case, with no `keep` line."""
    game = market(players, "step: steal   deck: 1   next: lava-lamp   discards: boombox")
    play(game, "salvage", "renew –")
    assert_position(game, "step: final   deck: 0   discards: –   drawn: –   last: 0   renewed: yes")
    assert_position(game, "seat 0   case: jukebox tin-robot lava-lamp boombox   turns: 1")
    assert [step.line for step in game.steps] == [{"seat": 0, "move": "salvage"}, {"chance": "renew", "deck": []}]


@pytest.mark.parametrize("players", [5, 6])
def test_a_renewal_can_be_empty_after_stealing_too(players: int) -> None:
    """A8.4: where nothing lies on the discard pile; what was stolen in this last turn stays barred (A9)."""
    game = market(players, "step: steal   deck: 1   next: lava-lamp   discards: –")
    play(game, "steal bongos 1", "renew –")
    assert_position(game, "step: final   deck: 0   discards: –   stolen: bongos")
    assert_position(game, "seat 0   case: jukebox tin-robot lava-lamp bongos")


@pytest.mark.parametrize("players", [5, 6])
def test_an_empty_renewal_is_chances_move_as_well(players: int) -> None:
    """A8.4: an empty renewal is written `"deck": []`."""
    game = market(players, "step: steal   deck: 1   next: lava-lamp   discards: boombox")
    play(game, "salvage")
    game.go_on_with("nothing to shuffle")
    assert game.steps[-1].line == {"chance": "renew", "deck": []}
    assert_position(game, "step: final")


@pytest.mark.parametrize("players", [5, 6])
def test_a_renewal_of_one_card_is_drawn_and_one_of_two_kept(players: int) -> None:
    """A8.4: one card is as many as is to be drawn."""
    game = market(players, "step: steal   deck: 1   next: lava-lamp   discards: boombox")
    play(game, "steal bongos 1", "renew boombox")
    assert_position(game, "step: keep   deck: 0   drawn: lava-lamp boombox   discards: –")
    play(game, "keep boombox")
    assert_position(game, "step: final   deck: 0   discards: lava-lamp")


def test_chance_shuffles_the_discard_pile() -> None:
    """A8: shuffled, every order equally likely."""
    before = market(5, "step: keep   deck: 0   discards: deck-chair hula-hoop   drawn: lava-lamp boombox")
    play(before, "keep lava-lamp")
    orders: Counter[tuple[str, ...]] = Counter()
    for seed in range(600):
        game = before.copy()
        game.go_on_with(seed)
        orders[tuple(deck_cards(game))] += 1
    assert sorted(orders) == sorted(permutations(["deck-chair", "hula-hoop", "boombox"]))
    assert all(60 < n < 140 for n in orders.values())


@pytest.mark.parametrize(("players", "take_that"), [(5, False), (5, True), (6, False), (6, True)])
def test_in_a_whole_game_of_five_or_six_the_deck_is_renewed_once(players: int, take_that: bool) -> None:
    """A8: the deck is renewed once."""
    for seed in range(5):
        game = played_to_the_end(brocante.deal("antiques", players=players, take_that=take_that, seed=seed), seed)
        assert sum(step.line.get("chance") == "renew" for step in game.steps) == 1
        assert game.state.there[DECK] < 2


# --- A9: final hoarding -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("last", "order"), [(0, [1, 2, 3, 0]), (1, [2, 3, 0, 1]), (2, [3, 0, 1, 2]), (3, [0, 1, 2, 3])]
)
def test_everyone_is_asked_from_the_left_of_the_player_who_took_the_last_turn(last: int, order: list[int]) -> None:
    """A9: in turn order, starting at the left of the player who took the last turn."""
    game = position(f"""
        step: final   last: {last}
          seat 0   case: tin-robot jukebox
          seat 1   case: skateboard bongos
          seat 2   case: disco-ball beanbag
          seat 3   case: arc-lamp lips-sofa
    """)
    assert asked(game) == order


def test_each_player_may_move_one_item_to_the_hoard() -> None:
    """A9: each player may move one item from Display Case to Hoard."""
    game = position("""
        step: final   last: 2   discards: tandem
        > seat 0   case: tin-robot jukebox    hoard: toaster
          seat 1   case: skateboard bongos    hoard: –
          seat 2   case: disco-ball beanbag   hoard: –
    """)
    assert legal(game) == ["hoard jukebox", "hoard tin-robot", "pass"]
    play(game, "hoard jukebox")
    assert_position(game, "seat 0   case: tin-robot   hoard: toaster jukebox")
    assert_position(game, "> seat 1")
    play(game, "hoard bongos", "hoard beanbag")
    assert_position(
        game,
        """
        step: over   discards: tandem
          seat 0   case: tin-robot    hoard: toaster jukebox
          seat 1   case: skateboard   hoard: bongos
          seat 2   case: disco-ball   hoard: beanbag
        """,
    )


def test_nobody_has_to_move_an_item() -> None:
    """A9: each player may."""
    game = position("""
        step: final   last: 2
        > seat 0   case: tin-robot    hoard: –
          seat 1   case: skateboard   hoard: –
          seat 2   case: disco-ball   hoard: –
    """)
    play(game, "pass")
    assert_position(game, "seat 0   case: tin-robot   hoard: –")
    assert_position(game, "> seat 1")


@pytest.mark.parametrize("move", ["salvage", "steal bongos 1", "keep lava-lamp"])
def test_in_final_hoarding_nothing_else_can_be_done(move: str) -> None:
    """A9: an item is hoarded, or one passes."""
    refused(position(LAST_STEP), move, "A9")


@pytest.mark.parametrize("item", ["bongos", "toaster", "tandem", "lava-lamp"])
def test_in_final_hoarding_too_only_ones_own_items_can_be_hoarded(item: str) -> None:
    """A9: from one's own Display Case, as in A4."""
    refused(position(LAST_STEP), f"hoard {item}", "A4")


def test_the_item_stolen_in_the_last_turn_cannot_be_moved() -> None:
    """A9: the player who took the last turn cannot move the item they stole in that turn."""
    game = play(position(LAST_STEP), "pass", "pass")
    assert_position(game, "> seat 2   case: disco-ball beanbag")
    assert legal(game) == ["hoard disco-ball", "pass"]
    refused(game, "hoard beanbag", "A9")


def test_the_item_stolen_in_the_last_turn_is_barred_in_a_game_played_so() -> None:
    """A9: played from the theft on."""
    game = market(3, "step: steal   deck: 2   next: lava-lamp boombox   discards: deck-chair")
    play(game, "steal bongos 1", "keep lava-lamp", "pass", "pass")
    assert_position(game, "> seat 0   case: tin-robot jukebox bongos lava-lamp")
    assert legal(game) == ["hoard jukebox", "hoard tin-robot", "hoard lava-lamp", "pass"]
    refused(game, "hoard bongos", "A9")


def test_an_item_salvaged_in_the_last_turn_can_be_moved() -> None:
    """A9: a salvaged item they can."""
    game = market(3, "step: steal   deck: 2   next: lava-lamp boombox   discards: deck-chair")
    play(game, "salvage", "keep lava-lamp", "pass", "pass")
    assert "hoard deck-chair" in legal(game)
    play(game, "hoard deck-chair")
    assert "deck-chair" in at(game.state, HOARD)


def test_an_item_stolen_in_an_earlier_turn_can_be_moved() -> None:
    """A9: the item they stole in that turn, not before; nor is what another stole barred."""
    game = market(3, "step: steal   deck: 4   next: lava-lamp boombox hula-hoop puzzle-cube   discards: deck-chair")
    play(game, "steal bongos 1", "keep lava-lamp")
    play(game, "hoard skateboard", "salvage", "keep hula-hoop")
    assert_position(game, "step: final   last: 1   stolen: –")
    play(game, "pass")
    assert_position(game, "> seat 0   case: jukebox tin-robot bongos lava-lamp")
    assert "hoard bongos" in legal(game)


def test_the_victim_of_the_last_theft_may_move_what_is_left() -> None:
    """A9: only the thief is barred, and only from that item."""
    game = market(3, "step: steal   deck: 2   next: lava-lamp boombox   discards: deck-chair")
    play(game, "steal bongos 1", "keep lava-lamp")
    assert_position(game, "> seat 1   case: skateboard")
    assert legal(game) == ["hoard skateboard", "pass"]


def test_a_player_without_items_is_passed_over() -> None:
    """A9: a player with nothing they may move is passed over, with no `pass` line."""
    game = position("""
        step: final   last: 3
          seat 0   case: –
        > seat 1   case: skateboard
          seat 2   case: –
          seat 3   case: arc-lamp
    """)
    play(game, "hoard skateboard")
    assert_position(game, "> seat 3")
    play(game, "pass")
    assert game.is_over
    assert [step.line["seat"] for step in game.steps] == [1, 3]


def test_a_player_with_nothing_but_the_barred_item_is_passed_over() -> None:
    """A9: the only item in the Display Case was stolen in the last turn."""
    game = position("""
        step: final   last: 2   stolen: beanbag
        > seat 0   case: tin-robot
          seat 1   case: skateboard
          seat 2   case: beanbag
    """)
    assert asked(game) == [0, 1]
    assert_position(game, "seat 2   case: beanbag   hoard: –")


def test_the_only_item_of_the_last_player_can_be_moved_if_it_was_not_stolen() -> None:
    """A9: nothing is barred where nothing was stolen."""
    game = position("""
        step: final   last: 2   stolen: –
        > seat 0   case: tin-robot
          seat 1   case: skateboard
          seat 2   case: beanbag
    """)
    assert asked(game) == [0, 1, 2]


def test_who_took_a_turn_fewer_may_move_one_more_in_a_second_pass() -> None:
    """A9: then, in the same order, each player who has taken one turn fewer (ruling: as a second pass)."""
    game = position("""
        step: final   last: 1   first: 0
          seat 0   case: tin-robot jukebox    turns: 7
          seat 1   case: skateboard bongos    turns: 7
        > seat 2   case: disco-ball beanbag   turns: 6
          seat 3   case: arc-lamp lips-sofa   turns: 6
    """)
    play(game, "hoard beanbag", "hoard arc-lamp", "hoard jukebox", "hoard bongos")
    assert_position(game, "> seat 2   case: disco-ball   hoard: beanbag")
    assert game.view(2).prompt.key == "antiques.prompt.final_again"
    assert legal(game) == ["hoard disco-ball", "pass"]
    play(game, "hoard disco-ball")
    assert_position(game, "> seat 3   case: lips-sofa   hoard: arc-lamp")
    play(game, "hoard lips-sofa")
    assert_position(
        game,
        """
        step: over
          seat 0   case: tin-robot    hoard: jukebox
          seat 1   case: skateboard   hoard: bongos
          seat 2   case: –            hoard: beanbag disco-ball
          seat 3   case: –            hoard: arc-lamp lips-sofa
        """,
    )


@pytest.mark.parametrize(
    ("last", "turns", "order"),
    [
        (0, (7, 6, 6), [1, 2, 0, 1, 2]),
        (1, (7, 7, 6), [2, 0, 1, 2]),
        (2, (7, 7, 7), [0, 1, 2]),
        (2, (6, 6, 7), [0, 1, 2, 0, 1]),
        (0, (7, 6, 7), [1, 2, 0, 1]),
    ],
)
def test_the_second_pass_is_in_the_same_order_and_for_those_with_a_turn_fewer_only(
    last: int, turns: tuple[int, ...], order: list[int]
) -> None:
    """A9: nobody is asked again when all have taken the same number of turns."""
    game = position(f"""
        step: final   last: {last}
          seat 0   case: tin-robot jukebox    turns: {turns[0]}
          seat 1   case: skateboard bongos    turns: {turns[1]}
          seat 2   case: disco-ball beanbag   turns: {turns[2]}
    """)
    assert asked(game) == order


def test_passing_once_does_not_cost_the_second_item() -> None:
    """A9: each of the two passes asks anew."""
    game = position("""
        step: final   last: 0
          seat 0   case: –                    turns: 7
        > seat 1   case: skateboard bongos    turns: 6
          seat 2   case: disco-ball           turns: 6
    """)
    play(game, "pass", "pass")
    assert_position(game, "> seat 1")
    assert legal(game) == ["hoard bongos", "hoard skateboard", "pass"]


def test_who_has_nothing_left_is_passed_over_in_the_second_pass() -> None:
    """A9: a second one, if they have one."""
    game = position("""
        step: final   last: 0
          seat 0   case: –                    turns: 7
        > seat 1   case: skateboard           turns: 6
          seat 2   case: disco-ball beanbag   turns: 6
    """)
    play(game, "hoard skateboard", "hoard beanbag")
    assert_position(game, "> seat 2   case: disco-ball")
    play(game, "pass")
    assert game.is_over


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("take_that", [False, True])
def test_with_both_passes_everyone_could_hoard_the_same_number_of_items(players: int, take_that: bool) -> None:
    """A9: those with a turn fewer are asked twice, the others once."""
    game = brocante.deal("antiques", players=players, take_that=take_that, seed="passes")
    choices = Random("passes")
    while game.state.stage != rules.Stage.FINAL:
        game.play(choices.choice(game.legal_moves))
    turns = game.state.turns[:players].tolist()
    assert max(turns) - min(turns) <= 1
    seats = asked(game)
    for seat in range(players):
        items = game.state.there[CASE + seat] - int(seat == game.state.turn and game.state.stolen != NONE)
        assert turns[seat] + seats.count(seat) == max(turns) + 1 or items == 0


def test_nothing_can_be_played_when_the_game_is_over() -> None:
    """A9: after final hoarding the game is over."""
    game = position("""
        step: final   last: 2
        > seat 0   case: tin-robot jukebox
          seat 1   case: –
          seat 2   case: –
    """)
    play(game, "hoard jukebox")
    assert game.actor == NOBODY
    assert legal(game) == []
    with pytest.raises(IllegalMove, match="the game is over"):
        game.play({"seat": 0, "move": "hoard", "item": "tin-robot"})


# --- A10: the bonus cards ---------------------------------------------------------------------------------------------


def test_each_bonus_goes_to_the_player_with_the_most_items() -> None:
    """A10: each bonus card goes to the player with the most items of its category in their Hoard."""
    game = position("""
        step: over
          seat 0   hoard: red-toys-1950-1    red-bikes-1951-1   blue-seats-1960-1
          seat 1   hoard: red-toys-1955-1    blue-toys-1965-1   blue-music-1966-1
          seat 2   hoard: green-seats-1975-1
    """)
    assert bonuses(game) == ["50s red bikes seats", "60s blue music toys", "70s green"]


def test_items_still_on_show_count_for_nothing() -> None:
    """A10: in their Hoard; neither the Display Cases nor the discard pile count."""
    game = position("""
        step: final   last: 2   discards: red-toys-1950-5-b
        > seat 0   case: red-toys-1950-5   hoard: –
          seat 1   case: –                 hoard: red-toys-1979-1
          seat 2   case: –                 hoard: –
    """)
    play(game, "pass")
    assert game.is_over
    assert game.scores == [0, 1 + 10 + 6 + 6, 0]


def test_nobody_takes_a_bonus_without_an_item() -> None:
    """A10, ruling: at least one; all have as many, namely none."""
    game = position("""
        step: over
          seat 0   hoard: –
          seat 1   hoard: –
          seat 2   hoard: –
    """)
    assert bonuses(game) == ["–", "–", "–"]
    assert game.scores == [0, 0, 0]


TIES = {
    "50s": ("red-toys-{}-0", "pink-bikes-{}-0", "blue-seats-{}-0", "green-music-{}-0"),
    "red": ("red-toys-{}-0", "red-bikes-{}-0", "red-seats-{}-0", "red-music-{}-0"),
    "toys": ("red-toys-{}-0", "pink-toys-{}-0", "blue-toys-{}-0", "green-toys-{}-0"),
}


def tied_for(bonus: str, first: tuple[int, int], second: tuple[int, int]) -> Game:
    """Two players with two items each that count for the bonus, of these years."""
    a, b, c, d = TIES[bonus]
    return position(f"""
        step: over
          seat 0   hoard: {a.format(first[0])} {b.format(first[1])}
          seat 1   hoard: {c.format(second[0])} {d.format(second[1])}
          seat 2   hoard: –
    """)


@pytest.mark.parametrize("bonus", TIES)
@pytest.mark.parametrize(
    ("first", "second", "winner"),
    [
        pytest.param((1951, 1959), (1952, 1953), 0, id="oldest"),
        pytest.param((1952, 1953), (1951, 1959), 1, id="oldest, the other way round"),
        pytest.param((1951, 1954), (1951, 1955), 0, id="second oldest"),
        pytest.param((1951, 1955), (1951, 1954), 1, id="second oldest, the other way round"),
        pytest.param((1951, 1951), (1951, 1952), 0, id="two of the same year"),
        pytest.param((1959, 1950), (1951, 1951), 0, id="in any order"),
    ],
)
def test_a_tie_goes_to_the_oldest_item_then_the_second_oldest(
    bonus: str, first: tuple[int, int], second: tuple[int, int], winner: int
) -> None:
    """A10: a tie goes to the player with the oldest item of that category, then the second oldest, and so on."""
    assert taker(tied_for(bonus, first, second), bonus) == winner


@pytest.mark.parametrize("bonus", TIES)
def test_if_all_the_years_are_the_same_nobody_takes_the_card(bonus: str) -> None:
    """A10.1: if all the years are the same, nobody takes that card."""
    assert taker(tied_for(bonus, (1951, 1957), (1957, 1951)), bonus) is None


def test_a_tie_goes_on_to_the_third_oldest() -> None:
    """A10: and so on."""
    game = position("""
        step: over
          seat 0   hoard: red-toys-1951-0    red-bikes-1955-0   red-kitchen-1978-0
          seat 1   hoard: red-seats-1951-0   red-music-1955-0   red-gadgets-1977-0
          seat 2   hoard: –
    """)
    assert taker(game, "red") == 1


def test_more_items_beat_older_ones() -> None:
    """A10: the most items come first; years only break ties."""
    game = position("""
        step: over
          seat 0   hoard: red-toys-1950-0
          seat 1   hoard: red-bikes-1978-0   red-seats-1979-0
          seat 2   hoard: –
    """)
    assert taker(game, "red") == 1


def test_only_the_years_of_that_category_break_its_tie() -> None:
    """A10: the oldest item of that category; an older one of another does not help."""
    game = position("""
        step: over
          seat 0   hoard: red-toys-1960-0    blue-bikes-1950-0
          seat 1   hoard: red-seats-1959-0   pink-music-1979-0
          seat 2   hoard: –
    """)
    assert taker(game, "red") == 1


@pytest.mark.parametrize(
    ("hoards", "winner"),
    [
        pytest.param(("red-toys-1950-0", "red-bikes-1951-0", "red-seats-1952-0"), 0, id="the oldest of three"),
        pytest.param(("red-toys-1950-0", "red-bikes-1950-0", "red-seats-1952-0"), None, id="two oldest, one younger"),
        pytest.param(("red-toys-1950-0", "red-bikes-1952-0", "red-seats-1952-0"), 0, id="one oldest, two younger"),
        pytest.param(("red-toys-1950-0", "red-bikes-1950-0", "red-seats-1950-0"), None, id="three the same"),
        pytest.param(
            ("red-toys-1979-0 red-music-1978-0", "red-bikes-1950-0", "red-seats-1950-0"), 0, id="one with more than two"
        ),
        pytest.param(
            ("red-toys-1951-0 red-music-1960-0", "red-bikes-1951-0 red-lighting-1959-0", "red-seats-1950-0"),
            1,
            id="two with more than one",
        ),
        pytest.param(
            ("red-toys-1951-0 red-music-1960-0", "red-bikes-1951-0 red-lighting-1960-0", "red-seats-1950-0"),
            None,
            id="two with more than one, of the same years",
        ),
    ],
)
@pytest.mark.parametrize("seats", list(permutations(range(3))), ids=str)
def test_three_players_may_be_tied_wherever_they_sit(
    hoards: tuple[str, ...], winner: int | None, seats: tuple[int, ...]
) -> None:
    """A10, A10.1: the tie is among those with the most; if the oldest of them are the same, nobody takes the card."""
    game = position(f"""
        step: over
          seat {seats[0]}   hoard: {hoards[0]}
          seat {seats[1]}   hoard: {hoards[1]}
          seat {seats[2]}   hoard: {hoards[2]}
    """)
    assert taker(game, "red") == (None if winner is None else seats[winner])


def test_a_score_is_the_values_of_the_hoard_and_the_bonus_cards() -> None:
    """A10.2: the values of the items in their Hoard plus their bonus cards."""
    game = position("""
        step: over
          seat 0   hoard: red-toys-1950-1   red-bikes-1951-4   blue-seats-1960-3
          seat 1   hoard: blue-toys-1965-5  blue-music-1966-2
          seat 2   hoard: green-seats-1975-5
          seat 3   hoard: –
    """)
    assert bonuses(game) == ["50s red bikes seats toys", "60s blue music", "70s green", "–"]
    assert game.scores == [1 + 4 + 3 + 5 + 4 * 6, 5 + 2 + 8 + 2 * 6, 5 + 10 + 6, 0]
    assert game.ranks == [1, 2, 3, 4]


def test_an_item_of_the_built_in_deck_scores_its_value() -> None:
    """A10.2: the jukebox (pink music of 1952) is worth 5, the disco ball (white lighting of 1977) too."""
    game = position("""
        step: over
          seat 0   hoard: jukebox      case: –
          seat 1   hoard: disco-ball   case: –
          seat 2   hoard: –
    """)
    assert game.scores == [5 + 5 + 6 + 6, 5 + 10 + 6 + 6, 0]


# --- A10.3, A10.4: who wins -------------------------------------------------------------------------------------------


def test_the_highest_score_wins() -> None:
    """A10.3: highest score wins, however old the items are."""
    game = position("""
        step: over
          seat 0   hoard: red-toys-1950-1
          seat 1   hoard: blue-bikes-1979-1
          seat 2   hoard: –
    """)
    assert game.scores == [1 + 5 + 12, 1 + 10 + 12, 0]
    assert game.winners == [1]
    assert game.ranks == [2, 1, 3]


def test_equal_scores_go_to_the_oldest_item() -> None:
    """A10.3: a tie goes to the oldest item in the Hoard."""
    game = position("""
        step: over
          seat 0   hoard: red-toys-1953-5
          seat 1   hoard: blue-bikes-1952-0
          seat 2   hoard: –
    """)
    assert game.scores == [5 + 12, 5 + 12, 0]
    assert game.winners == [1]
    assert game.ranks == [2, 1, 3]


def test_equal_scores_go_to_the_second_oldest_item_next() -> None:
    """A10.3: then the second oldest."""
    game = position("""
        step: over
          seat 0   hoard: red-toys-1952-5    pink-seats-1958-0
          seat 1   hoard: blue-bikes-1952-0  green-music-1957-0
          seat 2   hoard: –
    """)
    assert game.scores == [5 + 24, 5 + 24, 0]
    assert game.winners == [1]


def test_equal_scores_go_on_to_the_third_oldest_item() -> None:
    """A10.3: and so on."""
    game = position("""
        step: over
          seat 0   hoard: red-toys-1952-0    pink-seats-1957-0    black-gadgets-1968-8
          seat 1   hoard: blue-bikes-1952-0  green-music-1957-0   white-kitchen-1967-0
          seat 2   hoard: –
    """)
    assert game.scores == [8 + 36, 8 + 36, 0]
    assert game.winners == [1]


def test_where_one_hoard_runs_out_first_the_longer_one_wins() -> None:
    """A10.4: where one Hoard runs out first, the longer one wins."""
    game = position("""
        step: over
          seat 0   hoard: red-toys-1952-20
          seat 1   hoard: blue-bikes-1952-0   green-seats-1960-0
          seat 2   hoard: –
    """)
    assert game.scores == [20 + 12, 8 + 24, 0]
    assert game.winners == [1]
    assert game.ranks == [2, 1, 3]


def test_an_older_item_beats_a_longer_hoard() -> None:
    """A10.4: the length counts only where one Hoard runs out, with all years the same before."""
    game = position("""
        step: over
          seat 0   hoard: red-toys-1951-37
          seat 1   hoard: blue-bikes-1952-0   green-seats-1953-0   pink-music-1960-0
          seat 2   hoard: –
    """)
    assert game.scores == [37 + 12, 5 + 8 + 36, 0]
    assert game.winners == [0]


def test_where_all_years_are_the_same_the_victory_is_shared() -> None:
    """A10.4: where all years are the same, the victory is shared."""
    game = position("""
        step: over
          seat 0   hoard: red-toys-1952-3
          seat 1   hoard: green-seats-1979-0
          seat 2   hoard: blue-bikes-1952-3
          seat 3   hoard: –
    """)
    assert game.scores == [3 + 12, 10 + 12, 3 + 12, 0]
    assert game.winners == [1]
    assert game.ranks == [2, 1, 2, 4]
    shared = position("""
        step: over
          seat 0   hoard: red-toys-1952-30
          seat 1   hoard: green-seats-1979-0
          seat 2   hoard: blue-bikes-1952-30
          seat 3   hoard: –
    """)
    assert shared.winners == [0, 2]
    assert shared.ranks == [1, 3, 1, 4]


def test_all_may_win_with_nothing() -> None:
    """A10.4: empty Hoards have all years the same."""
    game = position("""
        step: over
          seat 0   hoard: –
          seat 1   hoard: –
          seat 2   hoard: –
    """)
    assert game.winners == [0, 1, 2]


def test_a_hoard_worth_nothing_beats_an_empty_one() -> None:
    """A10.4: the longer one wins, even against none at all."""
    game = position("""
        step: over
          seat 0   hoard: –
          seat 1   hoard: red-toys-1952-0
          seat 2   hoard: red-toys-1952-0-b
    """)
    assert game.scores == [0, 0, 0]
    assert game.winners == [1, 2]
    assert game.ranks == [3, 1, 1]


def test_the_same_order_ranks_all_places() -> None:
    """A10.4: a rank is 1 + the number of players who did better, by points, then by age, then by length."""
    game = position("""
        step: over
          seat 0   hoard: red-toys-1950-0      black-toys-1971-40
          seat 1   hoard: blue-bikes-1950-13
          seat 2   hoard: green-seats-1950-13
          seat 3   hoard: yellow-music-1951-13
          seat 4   hoard: white-kitchen-1950-4  white-kitchen-1969-1
          seat 5   hoard: –
    """)
    assert bonuses(game) == [
        "70s black red toys",
        "blue bikes",
        "green seats",
        "yellow music",
        "60s white kitchen",
        "–",
    ]
    assert game.scores == [68, 25, 25, 25, 25, 0]
    assert game.ranks == [1, 3, 3, 5, 2, 6]


def test_nobody_has_won_before_the_end() -> None:
    """A10.3: who leads is no winner yet."""
    assert position(A_TURN).winners == []


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_scores_of_a_whole_game_are_what_the_hoards_add_up_to(players: int) -> None:
    """A10: counted once more, the long way, with the items as the deck has them."""
    for seed in range(10):
        game = played_to_the_end(brocante.deal("antiques", players=players, seed=seed), seed)
        hoards = [[BUILT_IN.items[BUILT_IN.number[id_]] for id_ in at(game.state, HOARD + p)] for p in range(players)]
        scores = [sum(item.value for item in hoard) for hoard in hoards]
        for bonus in (0, 1, 2, *COLOURS, *CATEGORIES):
            years = [
                sorted(item.year for item in hoard if bonus in (item.decade, item.colour, item.category))
                for hoard in hoards
            ]
            most = max(map(len, years))
            best = min(own for own in years if len(own) == most)
            if most and years.count(best) == 1:
                scores[years.index(best)] += {0: 5, 1: 8, 2: 10}.get(bonus, 6) if isinstance(bonus, int) else 6
        assert game.scores == scores
        ages = [
            (-score, [*sorted(item.year for item in hoard), 9999]) for score, hoard in zip(scores, hoards, strict=True)
        ]
        assert game.ranks == [1 + sum(other < own for other in ages) for own in ages]


# --- A11: the variant "Take that" -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "first"), [(players, first) for players in (3, 4, 5, 6) for first in range(players)]
)
def test_in_the_variant_everyone_is_dealt_one_card_fewer(players: int, first: int) -> None:
    """A11: deal 0, 1 and 2 cards instead of 1, 2 and 3."""
    game = dealt(players, first, take_that=True)
    in_turn = [(first + place) % players for place in range(players)]
    assert [int(game.state.there[CASE + seat]) for seat in in_turn] == [0, 1, 2, 2, 2, 2][:players]
    assert_position(game, f"deck: {63 - sum([0, 1, 2, 2, 2, 2][:players])}   discards: –   first: {first}")


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_in_the_variant_the_first_player_begins_by_stealing(players: int) -> None:
    """A11, A4a: with no item to hoard; even an only item can be stolen, and there is nothing to salvage."""
    game = dealt(players, 0, take_that=True)
    assert_position(game, "step: steal")
    assert_position(game, "> seat 0   case: –   hoard: –")
    (only,) = at(game.state, CASE + 1)
    assert f"steal {only} 1" in legal(game)
    assert all(move.startswith("steal") for move in legal(game))


def test_in_the_variant_an_only_item_can_be_stolen() -> None:
    """A11: a player's only item can be stolen."""
    game = position("""
        variant: take-that   step: steal   discards: tandem
        > seat 0   case: tin-robot
          seat 1   case: skateboard
          seat 2   case: disco-ball beanbag
    """)
    assert legal(game) == ["steal beanbag 2", "steal skateboard 1", "steal disco-ball 2", "salvage"]
    play(game, "steal skateboard 1")
    assert_position(game, "seat 0   case: tin-robot skateboard")
    assert_position(game, "seat 1   case: –")


def test_who_was_robbed_of_the_only_item_skips_hoarding() -> None:
    """A11, A4a: the next turn begins with stealing, from the thief if one likes."""
    game = position("""
        variant: take-that   step: steal   next: lava-lamp boombox
        > seat 0   case: tin-robot
          seat 1   case: skateboard
          seat 2   case: disco-ball
    """)
    play(game, "steal skateboard 1", "keep boombox")
    assert_position(game, "step: steal   discards: lava-lamp")
    assert_position(game, "> seat 1   case: –   hoard: –")
    refused(game, "hoard skateboard", "A5")
    play(game, "steal skateboard 0")
    assert_position(game, "> seat 1   case: skateboard")


def test_in_the_variant_too_there_may_be_nothing_to_steal() -> None:
    """A11, A5.3: where all other Display Cases are empty, and the discard pile as well."""
    game = position("""
        variant: take-that   next: lava-lamp boombox   discards: –
        > seat 0   case: tin-robot
          seat 1   case: –
          seat 2   case: –
    """)
    play(game, "hoard tin-robot")
    assert_position(game, "step: keep   drawn: lava-lamp boombox")


def test_who_was_robbed_of_everything_in_the_last_turn_is_passed_over() -> None:
    """A11, A9: seat 1 has nothing to move, in neither pass."""
    game = position("""
        variant: take-that   step: steal   deck: 2   next: lava-lamp boombox   discards: …
        > seat 0   case: tin-robot    turns: 6
          seat 1   case: skateboard   turns: 6
          seat 2   case: disco-ball   turns: 6
    """)
    play(game, "steal skateboard 1", "keep lava-lamp")
    assert_position(game, "step: final   last: 0   stolen: skateboard")
    assert asked(game) == [2, 0, 2]


# --- what is hidden ---------------------------------------------------------------------------------------------------

HOARDS_ARE_A_SECRET = """
    step: keep   deck: 20   next: hula-hoop puzzle-cube   discards: … moka-pot tandem   drawn: lava-lamp boombox
    > seat 0   case: tin-robot           hoard: jukebox fondue-set      turns: 3
      seat 1   case: skateboard bongos   hoard: toaster beanbag         turns: 2
      seat 2   case: disco-ball          hoard: arc-lamp lips-sofa      turns: 2
"""
VIEWERS = (0, 1, 2, NOBODY)


def shown(game: Game, viewer: int) -> Any:
    """What the table shows a person at a seat."""
    return game.box.shown(game.state, viewer)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_order_of_the_deck_is_hidden_and_its_number_of_cards_public(viewer: int) -> None:
    """Hidden: the deck's order, from the player who draws as well."""
    game = position(HOARDS_ARE_A_SECRET)
    for s in (game.seen(viewer), shown(game, viewer)):
        assert set(s.deck.tolist()) == {NONE}
        assert s.there[DECK] == 20


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_hoard_is_shown_to_its_owner_only_and_its_size_is_public(viewer: int, seat: int) -> None:
    """Hidden: a Hoard from everyone but its owner (its size is public), and what it is worth and counts for."""
    game = position(HOARDS_ARE_A_SECRET)
    s = shown(game, viewer)
    own = viewer == seat
    assert at(s, HOARD + seat) == (at(game.state, HOARD + seat) if own else [])
    assert s.there[HOARD + seat] == 2
    assert s.worth[seat] == (game.state.worth[seat] if own else 0)
    assert s.tally[seat].tolist() == (game.state.tally[seat].tolist() if own else [0] * 17)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_bot_may_remember_the_hoards(viewer: int) -> None:
    """Hidden: everyone saw each item go into a Hoard, so a player with a perfect memory knows them all."""
    game = position(HOARDS_ARE_A_SECRET)
    s = game.seen(viewer)
    for seat in range(3):
        assert at(s, HOARD + seat) == at(game.state, HOARD + seat)
        assert s.worth[seat] == game.state.worth[seat]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_with_open_hoards_everyone_may_look_them_up(viewer: int) -> None:
    """Hidden: option `open_hoards`; the two drawn cards and the deck stay hidden."""
    game = position("hoards: open\n" + HOARDS_ARE_A_SECRET)
    s = shown(game, viewer)
    for seat in range(3):
        assert at(s, HOARD + seat) == at(game.state, HOARD + seat)
        assert s.worth[seat] == game.state.worth[seat]
    assert set(s.deck.tolist()) == {NONE}
    assert at(s, DRAWN) == (["lava-lamp", "boombox"] if viewer == 0 else [])


def test_hoards_are_closed_unless_one_chooses_otherwise() -> None:
    """Hidden: option `open_hoards`, default off."""
    assert brocante.deal("antiques", seed=1).options["open_hoards"] is False


@pytest.mark.parametrize("viewer", VIEWERS)
def test_after_the_end_everyone_may_look_at_every_hoard(viewer: int) -> None:
    """Hidden: before the end; then all are turned over, and not one move earlier."""
    game = position(
        """
        step: final   last: 2
          seat 0   case: –                   hoard: jukebox fondue-set
        > seat 1   case: skateboard bongos   hoard: toaster beanbag
          seat 2   case: –                   hoard: arc-lamp lips-sofa
    """
    )
    assert [at(shown(game, viewer), HOARD + seat) != [] for seat in range(3)] == [viewer == seat for seat in range(3)]
    play(game, "hoard bongos")
    assert game.is_over
    for seat in range(3):
        assert at(shown(game, viewer), HOARD + seat) == at(game.state, HOARD + seat)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_display_cases_and_the_discard_pile_are_public(viewer: int) -> None:
    """Hidden: not what lies face up."""
    game = position(HOARDS_ARE_A_SECRET)
    s = shown(game, viewer)
    for seat in range(3):
        assert at(s, CASE + seat) == at(game.state, CASE + seat)
    assert s.discard_pile.tolist() == game.state.discard_pile.tolist()


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_two_drawn_cards_are_shown_to_the_player_only(viewer: int) -> None:
    """Hidden: the two drawn cards until placed; that there are two is public."""
    s = shown(position(HOARDS_ARE_A_SECRET), viewer)
    assert at(s, DRAWN) == (["lava-lamp", "boombox"] if viewer == 0 else [])
    assert s.there[DRAWN] == 2


SAME_TO_SEAT_1_WITH_ANOTHER_DECK = """
    step: keep   deck: 20   next: puzzle-cube hula-hoop   discards: … moka-pot tandem   drawn: lava-lamp boombox
    > seat 0   case: tin-robot           hoard: jukebox fondue-set      turns: 3
      seat 1   case: skateboard bongos   hoard: toaster beanbag         turns: 2
      seat 2   case: disco-ball          hoard: arc-lamp lips-sofa      turns: 2
"""

SAME_TO_SEAT_1_WITH_OTHER_CARDS_DRAWN = """
    step: keep   deck: 20   next: lava-lamp puzzle-cube   discards: … moka-pot tandem   drawn: hula-hoop boombox
    > seat 0   case: tin-robot           hoard: jukebox fondue-set      turns: 3
      seat 1   case: skateboard bongos   hoard: toaster beanbag         turns: 2
      seat 2   case: disco-ball          hoard: arc-lamp lips-sofa      turns: 2
"""

SHOWN_THE_SAME_TO_SEAT_1_WITH_OTHER_HOARDS = """
    step: keep   deck: 20   next: hula-hoop puzzle-cube   discards: … moka-pot tandem   drawn: lava-lamp boombox
    > seat 0   case: tin-robot           hoard: arc-lamp fondue-set     turns: 3
      seat 1   case: skateboard bongos   hoard: toaster beanbag         turns: 2
      seat 2   case: disco-ball          hoard: jukebox lips-sofa       turns: 2
"""


@pytest.mark.parametrize("viewer", [1, 2, NOBODY])
@pytest.mark.parametrize("other", [SAME_TO_SEAT_1_WITH_ANOTHER_DECK, SAME_TO_SEAT_1_WITH_OTHER_CARDS_DRAWN])
def test_nobody_can_tell_what_is_drawn_nor_how_the_deck_lies(viewer: int, other: str) -> None:
    """Hidden: positions that differ only in what is hidden are the same to all but the player, by any means."""
    one, two = position(HOARDS_ARE_A_SECRET), position(other)
    assert one != two
    assert one.seen(viewer).tobytes() == two.seen(viewer).tobytes()
    if viewer != NOBODY:
        assert one.observation(viewer).tobytes() == two.observation(viewer).tobytes()


def test_nobody_is_shown_what_is_in_the_hoards_of_others() -> None:
    """Hidden: with other items in the Hoards of seat 0 and seat 2 the table looks the same to seat 1."""
    one, two = position(HOARDS_ARE_A_SECRET), position(SHOWN_THE_SAME_TO_SEAT_1_WITH_OTHER_HOARDS)
    assert one != two
    assert shown(one, 1).tobytes() == shown(two, 1).tobytes()
    assert shown(one, NOBODY).tobytes() == shown(two, NOBODY).tobytes()
    assert shown(one, 0).tobytes() != shown(two, 0).tobytes()


@pytest.mark.parametrize("second", ["–", "hula-hoop"])
@pytest.mark.parametrize("viewer", VIEWERS)
def test_who_remembers_everything_knows_the_last_card_of_the_old_deck(viewer: int, second: str) -> None:
    """Hidden (A8.1): it is the only item not yet seen. The second card, of the new deck, nobody else knows. The table
    shows the others neither."""
    game = market(5, "step: steal   deck: 1   next: lava-lamp   discards: deck-chair boombox hula-hoop puzzle-cube")
    play(game, "steal bongos 1")
    if second != "–":
        play(game, "renew hula-hoop puzzle-cube deck-chair boombox")
    both = ["lava-lamp"] if second == "–" else ["hula-hoop", "lava-lamp"]
    assert at(game.seen(viewer), DRAWN) == (both if viewer == 0 else ["lava-lamp"])
    assert at(shown(game, viewer), DRAWN) == (both if viewer == 0 else [])
    assert shown(game, viewer).there[DRAWN] == len(both)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_in_the_turns_after_the_renewal_both_cards_are_hidden_again(viewer: int) -> None:
    """Hidden (A6): the last card of the old deck is known to those who remember, those of the new deck are not."""
    game = market(5, "step: steal   deck: 1   next: lava-lamp   discards: deck-chair boombox hula-hoop puzzle-cube")
    play(game, "steal bongos 1", "renew hula-hoop puzzle-cube deck-chair boombox", "keep lava-lamp")
    play(game, "hoard skateboard", "salvage")
    assert_position(game, "step: keep   drawn: puzzle-cube deck-chair")
    assert_position(game, "> seat 1")
    assert at(game.seen(viewer), DRAWN) == (["puzzle-cube", "deck-chair"] if viewer == 1 else [])


@pytest.mark.parametrize(("players", "take_that"), [(3, True), (5, False), (6, False)])
def test_nobody_ever_sees_what_is_hidden(players: int, take_that: bool) -> None:
    """Hidden: all through a game, it looks the same to a seat when all that it does not know is dealt anew: to one who
    remembers everything, and to one who knows what the table shows."""
    game = brocante.deal("antiques", players=players, take_that=take_that, seed="secrets")
    choices, rng = Random("secrets"), generator("redeal")
    while not game.is_over:
        for viewer in (0, players - 1):
            other = game.redeal(viewer, rng)
            check_state(other)
            assert game.seen(viewer).tobytes() == other.seen(viewer).tobytes()
            assert game.observation(viewer).tobytes() == other.observation(viewer).tobytes()
            from_shown = game.redeal(viewer, rng, from_shown=True)
            check_state(from_shown)
            assert shown(game, viewer).tobytes() == shown(from_shown, viewer).tobytes()
        game.play(choices.choice(game.legal_moves))


def test_what_is_hidden_may_be_any_of_what_was_not_seen() -> None:
    """Hidden: dealt anew, the two drawn cards are any of the 22 that seat 1 has not seen, each as often."""
    game, rng = position(HOARDS_ARE_A_SECRET), generator("unseen")
    unseen = {*deck_cards(game), "lava-lamp", "boombox"}
    drawn = Counter(item for _ in range(1100) for item in at(game.redeal(1, rng).state, DRAWN))
    assert set(drawn) == unseen
    assert all(60 < n < 145 for n in drawn.values())


# --- the record -------------------------------------------------------------------------------------------------------

MY_DECK = deck_with(("red-toys-1952-3", "red-toys-1952-3-b", "blue-seats-1979-0"))


def waiting(deck: str = "reconstructed", **options: Any) -> Game:
    """A game of three that waits for its setup line."""
    return Game(brocante.box("antiques"), {"players": 3, "deck": deck, **options})


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("take_that", [False, True])
def test_the_setup_line_tells_what_was_dealt(players: int, take_that: bool) -> None:
    """Record: `displays` (item ids per seat), `deck` (item ids, next first), `first` (seat); it is read back."""
    game = dealt(players, 1, take_that)
    setup = setup_of(game)
    assert list(setup) == ["displays", "deck", "first"]
    assert setup["displays"] == [at(game.state, CASE + seat) for seat in range(players)]
    assert setup["deck"] == deck_cards(game)
    assert setup["first"] == 1
    again = Game(game.box, game.options)
    again.chance({"setup": setup})
    assert again == game


def test_the_next_card_of_the_setup_is_drawn_first() -> None:
    """Record: `deck`, next first."""
    game = dealt(3, 0).copy()
    coming = setup_of(game)["deck"][:2]
    play(game, legal(game)[0])
    play(game, legal(game)[0])
    assert ids(game.state, game.state.drawn) == coming


def test_a_display_may_list_its_items_in_any_order() -> None:
    """Record: what lies in a Display Case has no order."""
    setup = setup_of(dealt(3, 0))
    setup["displays"][2].reverse()
    game = waiting()
    game.chance({"setup": setup})
    assert game == dealt(3, 0)


def test_a_record_of_another_deck_carries_its_items() -> None:
    """A2b: in the setup line as `items`: `{id: {category, colour, year, value}}`, and the header says `given`."""
    game = brocante.deal("antiques", players=3, deck=MY_DECK, seed=1)
    assert game.header()["options"] == {"players": 3, "deck": "given"}
    items = setup_of(game)["items"]
    assert len(items) == 63
    assert items["red-toys-1952-3"] == {"category": "toys", "colour": "red", "year": 1952, "value": 3}
    again = waiting("given")
    again.chance({"setup": setup_of(game)})
    assert again == game


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("take_that", [False, True])
@pytest.mark.parametrize("deck", ["reconstructed", MY_DECK], ids=["reconstructed", "my deck"])
def test_a_whole_game_is_written_and_read(players: int, take_that: bool, deck: Any) -> None:
    """Record: setup, moves, renewal and result are written, and read they give the same game."""
    game = played_to_the_end(brocante.deal("antiques", players=players, take_that=take_that, deck=deck, seed=11))
    replay = read_again(game)
    assert replay.finished
    assert replay.game == game
    assert brocante.write_record(replay.game).partition(b"\n")[2] == brocante.write_record(game).partition(b"\n")[2]


def test_a_record_that_brings_the_built_in_deck_along_can_be_written_again() -> None:
    """A2b: `given` items that happen to be those of the built-in deck are read, and the record written is sound."""
    setup = setup_of(dealt(3, 0)) | {"items": BUILT_IN.for_record()}
    game = waiting("given")
    game.chance({"setup": setup})
    assert read_again(game).game == game


@pytest.mark.parametrize("end", ["A8.1", "A8.2"])
def test_a_renewal_line_tells_the_new_deck_next_card_first(end: str) -> None:
    """Record: `{"chance": "renew", "deck": [...]}`; after A8.1 its first card is the second one drawn."""
    centre = {
        "A8.1": "step: steal   deck: 1   next: lava-lamp   discards: deck-chair boombox hula-hoop puzzle-cube",
        "A8.2": "step: steal   deck: 2   next: lava-lamp boombox   discards: deck-chair hula-hoop puzzle-cube",
    }[end]
    game = play(market(5, centre), "steal bongos 1")
    if end == "A8.2":
        play(game, "keep lava-lamp")
    told = game.copy()
    assert game.actor == CHANCE
    game.go_on_with("market day")
    line = game.steps[-1].line
    assert list(line) == ["chance", "deck"]
    assert line["chance"] == "renew"
    assert sorted(line["deck"]) == ["boombox", "deck-chair", "hula-hoop", "puzzle-cube"]
    assert ids(game.state, game.state.drawn[1:] if end == "A8.1" else []) + deck_cards(game) == line["deck"]
    told.chance(line)
    assert told == game


def rejected(game: Game, line: dict[str, Any], clause: str) -> None:
    """That a line of chance's is refused with this clause, and changes nothing."""
    before = game.copy()
    with pytest.raises(IllegalMove, match=rf"\({re.escape(clause)}\)"):
        game.chance(line)
    assert game == before
    assert game.steps == before.steps


Damage = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("damage", "clause"),
    [
        pytest.param(lambda setup: setup.pop("displays"), "A3", id="no displays"),
        pytest.param(lambda setup: setup.pop("deck"), "A3", id="no deck"),
        pytest.param(lambda setup: setup.pop("first"), "A3", id="no first player"),
        pytest.param(lambda setup: setup.update(hands=[]), "A3", id="something else"),
        pytest.param(lambda setup: setup.update(first="0"), "A3", id="a first player in words"),
        pytest.param(lambda setup: setup.update(first=True), "A3", id="a first player who is true"),
        pytest.param(lambda setup: setup.update(first=3), "A3", id="a first player who is not there"),
        pytest.param(lambda setup: setup.update(first=-1), "A3", id="a first player below 0"),
        pytest.param(lambda setup: setup.update(first=1), "A3", id="another first player"),
        pytest.param(lambda setup: setup.update(displays={}), "A3", id="displays that are no list"),
        pytest.param(lambda setup: setup["displays"].append([]), "A3", id="a display too many"),
        pytest.param(lambda setup: setup["deck"].extend(setup["displays"].pop()), "A3", id="a display too few"),
        pytest.param(lambda setup: setup["displays"].reverse(), "A3", id="the displays of others"),
        pytest.param(lambda setup: setup["displays"][1].append(setup["deck"].pop()), "A3", id="an item too many"),
        pytest.param(lambda setup: setup["deck"].append(setup["displays"][1].pop()), "A3", id="an item too few"),
        pytest.param(lambda setup: setup["displays"][1].__setitem__(0, 7), "A3", id="an item that is a number"),
        pytest.param(lambda setup: setup["displays"][1].__setitem__(0, "time-machine"), "A1", id="an unknown item"),
        pytest.param(lambda setup: setup["deck"].__setitem__(0, "time-machine"), "A1", id="an unknown card"),
        pytest.param(lambda setup: setup["deck"].__setitem__(0, setup["deck"][1]), "A1", id="a card twice"),
        pytest.param(lambda setup: setup["deck"].append(setup["deck"][0]), "A1", id="a card more"),
        pytest.param(lambda setup: setup["deck"].pop(), "A1", id="a card missing"),
        pytest.param(lambda setup: setup.update(deck=[]), "A1", id="an empty deck"),
        pytest.param(lambda setup: setup.update(items=MY_DECK.for_record()), "A2b", id="items nobody asked for"),
    ],
)
def test_a_setup_that_cannot_be_is_refused(damage: Damage, clause: str) -> None:
    """A3, A1, A2b: a wrong setup line is refused, and nothing was dealt."""
    setup = setup_of(dealt(3, 0))
    waiting().chance({"setup": setup_of(dealt(3, 0))})
    damage(setup)
    rejected(waiting(), {"setup": setup}, clause)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param({"setup": []}, id="a list"),
        pytest.param({"setup": None}, id="nothing"),
        pytest.param({"chance": "renew", "deck": []}, id="a renewal"),
        pytest.param({"setup": setup_of(dealt(3, 0)), "chance": "deal"}, id="more than the setup"),
    ],
)
def test_a_game_begins_with_a_setup_and_nothing_else(line: dict[str, Any]) -> None:
    """A3: the first line of chance's is the setup."""
    rejected(waiting(), line, "A3")


def test_the_setup_of_the_variant_is_not_that_of_the_game() -> None:
    """A11: 0, 1 and 2 cards are dealt in the variant, and only there."""
    rejected(waiting(), {"setup": setup_of(dealt(3, 0, take_that=True))}, "A3")
    rejected(waiting(take_that=True), {"setup": setup_of(dealt(3, 0))}, "A3")


def change(**traits: object) -> Damage:
    """Change the first item of a deck."""
    return lambda items: items["red-toys-1952-3"].update(traits)


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda items: items.pop("red-toys-1952-3"), id="62 items"),
        pytest.param(lambda items: items.update(one_more=items["red-toys-1952-3"]), id="an id that is no slug"),
        pytest.param(lambda items: items.update({"one-more": items["red-toys-1952-3"]}), id="64 items"),
        pytest.param(lambda items: items.clear(), id="no items"),
        pytest.param(lambda items: items.update({"red-toys-1952-3": []}), id="an item that is no table"),
        pytest.param(lambda items: items.update({"red-toys-1952-3": None}), id="an item that is nothing"),
        pytest.param(lambda items: items["red-toys-1952-3"].pop("year"), id="no year"),
        pytest.param(lambda items: items["red-toys-1952-3"].pop("value"), id="no value"),
        pytest.param(lambda items: items["red-toys-1952-3"].pop("colour"), id="no colour"),
        pytest.param(lambda items: items["red-toys-1952-3"].pop("category"), id="no category"),
        pytest.param(change(name={"en": "toy", "fr": "jouet"}), id="a name"),
        pytest.param(change(id="blue-toys-1952-3"), id="another id inside"),
        pytest.param(change(price=3), id="an unknown key"),
        pytest.param(change(year=1949), id="a year before 1950"),
        pytest.param(change(year=1980), id="a year after 1979"),
        pytest.param(change(year="1952"), id="a year in words"),
        pytest.param(change(value=-1), id="a value below 0"),
        pytest.param(change(value=1.5), id="a value with a fraction"),
        pytest.param(change(value=True), id="a value that is true"),
        pytest.param(change(colour=""), id="no word for a colour"),
        pytest.param(change(colour="Dark Red"), id="a colour that is no slug"),
        pytest.param(change(category=7), id="a category that is a number"),
        pytest.param(change(colour="teal"), id="an eighth colour"),
        pytest.param(change(category="clocks"), id="an eighth category"),
        pytest.param(
            lambda items: [item.update(colour="red") for item in items.values() if item["colour"] == "pink"],
            id="six colours",
        ),
    ],
)
def test_items_that_are_no_deck_are_refused(damage: Damage) -> None:
    """A2b: what is not 63 well-formed items, with 14 colours and categories together, is refused."""
    setup = setup_of(brocante.deal("antiques", players=3, deck=MY_DECK, seed=1))
    waiting("given").chance({"setup": json.loads(json.dumps(setup))})
    damage(setup["items"])
    rejected(waiting("given"), {"setup": setup}, "A2b")


def test_a_given_deck_must_be_given() -> None:
    """A2b: a record played with another deck carries it."""
    rejected(waiting("given"), {"setup": setup_of(dealt(3, 0))}, "A2b")


def test_items_must_be_a_table() -> None:
    """A2b: `{id: {…}}`; anything else is no setup (A3)."""
    rejected(waiting("given"), {"setup": setup_of(dealt(3, 0)) | {"items": list(BUILT_IN.ids)}}, "A3")


def test_the_cards_of_a_given_deck_must_be_its_items() -> None:
    """A1: what is dealt is what the deck holds."""
    rejected(waiting("given"), {"setup": setup_of(dealt(3, 0)) | {"items": MY_DECK.for_record()}}, "A1")


@pytest.mark.parametrize("end", ["A8.1", "A8.2"])
@pytest.mark.parametrize(
    "line",
    [
        pytest.param({"chance": "renew"}, id="no deck"),
        pytest.param({"chance": "renew", "deck": "boombox"}, id="no list"),
        pytest.param({"chance": "renew", "deck": [1, 2, 3]}, id="numbers"),
        pytest.param(
            {"chance": "renew", "deck": ["boombox", "deck-chair", "hula-hoop"], "first": 0}, id="something else"
        ),
        pytest.param({"chance": "shuffle", "deck": ["boombox", "deck-chair", "hula-hoop"]}, id="another word"),
        pytest.param({"chance": 1, "deck": ["boombox", "deck-chair", "hula-hoop"]}, id="no word"),
        pytest.param({"chance": "renew", "deck": []}, id="an empty deck"),
        pytest.param({"chance": "renew", "deck": ["boombox", "deck-chair"]}, id="a card missing"),
        pytest.param({"chance": "renew", "deck": ["boombox", "deck-chair", "deck-chair"]}, id="a card for another"),
        pytest.param({"chance": "renew", "deck": ["boombox", "deck-chair", "hula-hoop", "boombox"]}, id="a card twice"),
        pytest.param({"chance": "renew", "deck": ["boombox", "deck-chair", "hula-hoop", "jukebox"]}, id="a card more"),
        pytest.param({"chance": "renew", "deck": ["boombox", "deck-chair", "time-machine"]}, id="an unknown card"),
        pytest.param({"setup": setup_of(dealt(3, 0))}, id="a setup"),
    ],
)
def test_a_renewal_that_cannot_be_is_refused(end: str, line: dict[str, Any]) -> None:
    """A8: the new deck is the discard pile, each card once, and nothing else."""
    centre = {
        "A8.1": "step: steal   deck: 1   next: lava-lamp   discards: deck-chair boombox hula-hoop",
        "A8.2": "step: steal   deck: 2   next: lava-lamp boombox   discards: deck-chair hula-hoop",
    }[end]
    game = play(market(5, centre), "steal bongos 1")
    if end == "A8.2":
        play(game, "keep lava-lamp")
    rejected(game, line, "A8")
    play(game, "renew boombox deck-chair hula-hoop")


def test_the_deck_is_renewed_only_when_it_is_to_be() -> None:
    """A8: a renewal anywhere else is refused: it is somebody's decision."""
    game = market(5, "step: steal   deck: 3   discards: deck-chair boombox")
    before = game.copy()
    with pytest.raises(IllegalMove, match="seat 0"):
        game.chance({"chance": "renew", "deck": ["deck-chair", "boombox"]})
    assert game == before


def test_nobody_moves_while_the_deck_is_to_be_renewed() -> None:
    """A8.1: the player keeps a card when both are drawn, and not before."""
    game = market(5, "step: steal   deck: 1   next: lava-lamp   discards: deck-chair boombox")
    play(game, "steal bongos 1")
    assert legal(game) == []
    with pytest.raises(IllegalMove):
        game.play({"seat": 0, "move": "keep", "item": "lava-lamp"})
