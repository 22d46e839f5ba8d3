"""What can be touched on a table: it makes a move, or says why it does not."""

from collections.abc import Iterator
from random import Random

import pytest

import brocante
from brocante import NOBODY, Game
from brocante.engine.moves import Move, Part
from brocante.engine.text import LANGUAGES, Player, Text, language
from brocante.engine.view import Stack, View, Zone
from tests.games import antiques_positions, collection_positions, port_positions, vinto_positions
from tests.games.vinto_positions import PLAYED

NAMES = ("Ana", "Ben", "Cleo", "Dan")
PLAYERS = {"antiques": 3, "collection": 2, "port": 2, "vinto": 4}
MOVES = 120
say = language("en").say


def things(view: View) -> list[Stack | Zone]:
    """Everything on the table."""
    zones = [*view.table.centre, *view.table.board, *(zone for place in view.table.places for zone in place.zones)]
    stacks = [stack for zone in zones for stack in zone.stacks]
    return [*zones, *stacks]


def at(view: View, key: str, number: int = 0, seat: int | None = None) -> Stack:
    """A stack of a zone: of a player, or on the table."""
    zones = (*view.table.centre, *view.table.board) if seat is None else view.table.places[seat].zones
    return next(zone for zone in zones if zone.key == key).stacks[number]


def why(view: View, key: str, number: int = 0, seat: int | None = None) -> str:
    stack = at(view, key, number, seat)
    assert not stack.moves
    assert stack.why
    return say(stack.why, NAMES)


def seen_by_actors(game: Game, seed: int) -> Iterator[View]:
    """What whoever is asked sees at every choice of a random game."""
    choices = Random(seed)
    for _ in range(MOVES):
        begun: tuple[int, ...] = ()
        move: Move | None = None
        while not game.is_over and (move is None or isinstance(move, Part)):
            yield game.view(game.actor, begun)
            move, begun = choices.choice(game.choices(begun))
        if move is None:
            break
        game.play(move)


# --- in every game ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", PLAYERS)
def test_what_can_be_touched_makes_an_offered_move_or_says_why_not(slug: str) -> None:
    refused = 0
    for view in seen_by_actors(brocante.deal(slug, players=PLAYERS[slug], seed="touch"), seed=1):
        offered = {offer.move for offer in view.offers}
        for thing in things(view):
            assert set(thing.moves) <= offered
            assert not (thing.moves and thing.why)
            if thing.why:
                assert all(language(code).say(thing.why, NAMES) for code in LANGUAGES)
                refused += 1
    assert refused > MOVES


@pytest.mark.parametrize("slug", PLAYERS)
def test_one_who_is_not_asked_is_told_nothing_of_touching(slug: str) -> None:
    game = brocante.deal(slug, players=PLAYERS[slug], seed="touch")
    others = [game.view(seat) for seat in (*range(game.players), NOBODY) if seat != game.actor]
    idle = game.idle_view(game.actor, Text("prompt.over"))
    assert not idle.offers
    for view in (*others, idle):
        assert not any(thing.moves or thing.why for thing in things(view))


def test_when_the_game_is_over_nothing_is_touched() -> None:
    game = brocante.deal("collection", players=2, seed=1)
    choices = Random(1)
    while not game.is_over:
        game.play(choices.choice(game.legal_moves))
    for seat in (0, NOBODY):
        assert not any(thing.moves or thing.why for thing in things(game.view(seat)))


def test_a_moment_is_for_looking_only() -> None:
    game = vinto_positions.position("pile: 7H …\n> seat 0  KC 3C\n seat 1  2D\n seat 2  2H\n seat 3  2S", rounds=1)
    vinto_positions.play(game, *PLAYED, "look 0,0")
    moment = game.moment(0, len(game.steps) - 1)
    assert moment
    zones = [zone for place in moment.table.places for zone in place.zones]
    assert not any(stack.moves or stack.why for zone in (*zones, *moment.table.centre) for stack in zone.stacks)


# --- Collection -------------------------------------------------------------------------------------------------------


def test_collection_the_pack_ends_the_turn_once_a_card_was_placed() -> None:
    game = collection_positions.position("> seat 0  hand: books 2, stamps\n seat 1  hand: stamps")
    assert why(game.view(0), "pack") == "a turn ends only after at least one card has been placed (C9)"
    game.play("place books")
    assert at(game.view(0), "pack").moves == (game.parse("end"),)


def test_collection_only_ones_own_sets_are_touched() -> None:
    game = collection_positions.position("""
        > seat 0   hand: books 2    table: books 2
          seat 1   hand: stamps     table: stamps 3
    """)
    assert "there are fewer books on the table" in why(game.view(0), "table", seat=0)
    assert not at(game.view(0), "table", seat=1).why


# --- antiques ---------------------------------------------------------------------------------------------------------


def test_antiques_each_thing_says_what_comes_first() -> None:
    game = antiques_positions.position("""
        next: lava-lamp boombox   discards: tandem
        > seat 0   case: tin-robot jukebox
          seat 1   case: skateboard
          seat 2   case: disco-ball beanbag
    """)
    first = "first you hoard an item from your own Display Case (A4)"
    assert why(game.view(0), "discard") == why(game.view(0), "case", seat=1) == first
    game.play("hoard jukebox")
    assert why(game.view(0), "case", seat=1) == "it is Ben’s only item, and cannot be stolen (A5.1)"
    assert why(game.view(0), "case", seat=0).startswith("now you steal an item")
    game.play("salvage")
    assert why(game.view(0), "case", seat=2) == "now you keep one of the two cards you drew (A6)"
    assert at(game.view(0), "drawn", seat=0).moves


# --- Vinto ------------------------------------------------------------------------------------------------------------


TABLE = """
    pile: {card} 6C 6D …   discards: 9S
    > seat 0           KC 3C
      seat 1 (vinto)   2D 3D
      seat 2           2H 3H
      seat 3           2S 3S
"""


def vinto(card: str, *moves: str) -> Game:
    return vinto_positions.play(vinto_positions.position(TABLE.format(card=card), rounds=1), *moves)


def test_vinto_the_piles_begin_a_turn_and_rows_wait() -> None:
    view = vinto("5C").view(0)
    assert [str(move) for move in at(view, "draw").moves] == ["draw"]
    assert at(view, "discard").why == Text("vinto.why.nothing_to_take")
    for seat in range(4):
        assert at(view, "row", seat=seat).why == Text("vinto.why.step.turn")


def test_vinto_a_card_that_was_turned_up_goes_into_ones_own_row() -> None:
    game = vinto("5C", "draw")
    view = game.view(0)
    assert at(view, "row", seat=0).moves
    assert at(view, "drawn").moves == (game.parse("play"),)
    assert at(view, "row", seat=2).why == at(view, "draw").why == Text("vinto.why.step.drawn")
    begun = game.view(0, game.choices()[-1][1])
    assert at(begun, "row", seat=0).why == at(begun, "drawn").why == Text("vinto.touch.begun")


def test_vinto_in_a_window_one_touches_ones_own_row_and_nothing_that_waits() -> None:
    game = vinto("9H", "draw", "play")
    view = game.view(2)
    assert game.actor == 2
    assert at(view, "row", seat=2).moves == (game.parse("toss 0"),)
    for stack in (at(view, "row", seat=0), at(view, "row", seat=3), at(view, "draw")):
        assert stack.why == Text("vinto.why.step.window")
    waiting = at(view, "waiting")
    assert not waiting.moves
    assert not waiting.why


@pytest.mark.parametrize(
    ("card", "seat", "reason"),
    [
        ("7H", 2, "own_card"),
        ("9H", 0, "others_card"),
        *((card, 1, "caller") for card in ("9H", "JH", "QH", "KH", "AH")),
    ],
)
def test_vinto_an_action_says_which_cards_it_is_for(card: str, seat: int, reason: str) -> None:
    blanks = {"player": Player(seat)} if reason == "caller" else {}
    assert at(vinto(card, *PLAYED).view(0), "row", seat=seat).why == Text(f"vinto.why.{reason}", **blanks)


def test_vinto_the_second_card_is_another_one() -> None:
    game = vinto("JH", *PLAYED)
    assert at(game.view(0, game.choices()[0][1]), "row", seat=0).why == Text("vinto.why.two_cards")
    peeking = brocante.deal("vinto", seed=1)
    seat = peeking.actor
    assert at(peeking.view(seat, peeking.choices()[0][1]), "row", 0, seat).why == Text("vinto.why.two_cards")


# --- Port -------------------------------------------------------------------------------------------------------------

ACTIONS = ("buy", "vineyard", "brandy", "harvest", "boat", "age", "draw")


def port(mine: str, table: str = "", *moves: str) -> Game:
    return port_positions.play(port_positions.position(f"{table}\n> seat 0  {mine}\n seat 1\n seat 2"), *moves)


def begun(game: Game, *beginnings: str) -> View:
    """What seat 0 sees when choices have been made, by what they are called."""
    chosen: tuple[int, ...] = ()
    for beginning in beginnings:
        view = game.view(0, chosen)
        labels = [say(offer.label) for offer in view.offers]
        number = next(number for number, label in enumerate(labels) if label.startswith(beginning))
        chosen = game.choices(chosen)[number][1]
    return game.view(0, chosen)


def action(view: View, name: str) -> str:
    return why(view, "actions", ACTIONS.index(name))


def test_port_the_action_table_says_what_is_in_the_way() -> None:
    view = port("vp: 0   estates: baixo-1(vb)=2@4").view(0)
    assert action(view, "buy") == "every free site costs more than the 0 VP that you have (P10)"
    assert action(view, "vineyard") == "all your Estates already have their vineyard (P11)"
    assert action(view, "harvest") == "none of your Estates is both planted and free of barrels (P12)"
    assert action(view, "age") == "there are no barrels in your cellar to age (P16)"
    done = port("vp: 9   done: bought harvested").view(0)
    assert action(done, "buy") == "you have already bought an Estate this round (P9.3)"
    assert action(done, "harvest") == "you have already harvested this round (P9.3)"
    full = port("vp: 9   estates: baixo-1(vb) cima-1(vb) cima-2(vb)").view(0)
    assert action(full, "buy") == "you have placed all your Estate tiles (P2, P10)"
    assert action(port("placed: draw draw draw").view(0), "draw") == "no circle is free for “Draw a card” (P6)"
    assert action(port("", "marked: yes").view(0), "draw") == "you have already placed your marker this turn (P9)"
    assert (
        action(port("warehouse: ruby=…", "supply: 0").view(0), "harvest")
        == "the supply has no barrels left for this (P12.1)"
    )


@pytest.mark.parametrize(
    ("card", "says"),
    [
        ("buying", "every free site costs more"),
        ("planting", "none of your Estates lacks a cube (P19.1)"),
        ("harvest", "none of your Estates has barrels (P20)"),
        ("colheita", "it takes two Tawny barrels from your cellar, and there are fewer (P22)"),
        ("vintage", "it takes a Ruby barrel from your cellar, and there is none (P27)"),
        ("enologist", "there are no barrels in your cellar to age (P16)"),
    ],
)
def test_port_a_card_says_what_it_lacks(card: str, says: str) -> None:
    assert why(port(f"vp: 0   hand: {card}").view(0), "hand", seat=0).startswith(says)


def test_port_the_board_says_what_is_for_later() -> None:
    view = port("boat: cima 2@5   estates: baixo-1(vb)=2@4   cellar: – – | 3@7 –").view(0)
    assert why(view, "cima", 1) == "to buy it, first choose “Buy an Estate” on the action table, or a card (P10)"
    assert why(view, "baixo", 0) == "your boat is not in the sub-region of Baixo Corgo 1 (P14)"
    assert why(view, "estates", seat=0) == why(view, "baixo", 0)
    assert why(view, "baixo", 1) == "there is already an Estate at Baixo Corgo 2 (P10)"
    assert why(view, "boat", seat=0) == "barrels are unloaded only in Gaia (P15)"
    assert why(view, "cellar", 0, 0).startswith("this column is empty")
    assert why(view, "cellar", 2, 0).startswith("this wine waits")
    assert why(view, "warehouse-ruby", seat=0).startswith("barrels come here by ageing")


def test_port_harbours_next_to_ones_boat_are_where_it_sails() -> None:
    sail = "your boat sails only with “Move the boat” or a card (P13)"

    def harbours(game: Game) -> dict[str, list[str]]:
        zones = {zone.key: zone for zone in game.view(0).table.board}
        assert all(zone.why is None or say(zone.why) == sail for zone in zones.values())
        return {
            key: [str(move) for move in zone.moves] or ["why"] for key, zone in zones.items() if zone.moves or zone.why
        }

    assert harbours(port("boat: cima")) == {"baixo": ["why"], "superior": ["why"]}
    away = port("boat: cima", "", "mark boat", "die 3")
    assert harbours(away) == {"baixo": ["sail down"], "superior": ["sail up"]}
    assert [str(move) for move in at(away.view(0), "cima").moves] == ["sail up", "sail down"]
    assert action(away.view(0), "draw").startswith("on the way")


def test_port_a_slot_is_unloaded_into_a_column() -> None:
    view = port("boat: gaia 2@5   cellar: 1@5 – | 3@7 4@4").view(0)
    (move,) = at(view, "boat", seat=0).moves
    assert str(move) == "unload 0 ruby-2"
    assert at(view, "cellar", 1, 0).moves == (move,)
    assert why(view, "cellar", 0, 0).startswith("first unload your boat")
    assert not at(view, "boat", 1, 0).why


def test_port_a_move_that_was_begun_says_what_it_does_not_take() -> None:
    able = port("vp: 4   estates: baixo-1(vb) cima-1(v)   hand: free vintage colheita   cellar: 1@5 – | 3@7 –")
    buying = begun(able, "Buy an Estate")
    assert why(buying, "superior", 0) == "Douro Superior 1 costs 5 VP, and you have only 4 VP (P10)"
    assert action(buying, "draw") == "first finish what you have begun"
    assert why(begun(able, "Store brandy"), "baixo", 0) == "there is already brandy at Baixo Corgo 1 (P11)"
    assert why(begun(able, "Harvest"), "estates", 1, 0).startswith("Cima Corgo 1 is not planted")
    assert why(begun(able, "Card: Selling a Vintage"), "cellar", 2, 0).startswith("the card takes a Ruby barrel")
    assert why(begun(able, "Card: Selling 2 Colheita"), "cellar", 0, 0).startswith("the card takes Tawny barrels")
    free = begun(port("vp: 0   hand: free"), "Card: Free action")
    assert action(free, "buy").startswith("every free site costs more")
    more = begun(port("hand: harvest   estates: baixo-1(vb)=2@4 cima-1(v)"), "Card: Harvest")
    assert why(more, "estates", 1, 0) == "there are no barrels at Cima Corgo 1 (P14, P20)"


# --- parts ------------------------------------------------------------------------------------------------------------


def test_a_part_stands_for_the_move_that_its_action_makes() -> None:
    game = vinto("5C", "draw")
    parts: list[Move] = [move for stack in things(game.view(0)) for move in stack.moves if isinstance(move, Part)]
    assert parts == [offer.move for offer in game.view(0).offers if isinstance(offer.move, Part)]
