"""Another game at the same table."""

import pytest

from brocante.engine.state import NOBODY
from brocante.table import audience
from brocante.table import commands as c
from tests.table.tables import PEOPLE, Sitting, kinds, shown

ANA, BEN, CLEO, DORA, EVE = PEOPLE[:5]


@pytest.fixture
def over() -> Sitting:
    """A game of Collection that three people have played to its end."""
    return Sitting(people=3).start().play_to_the_end()


def test_another_game_is_dealt_when_everybody_wants_it(over: Sitting) -> None:
    first = over.table.game
    assert kinds(over.do(c.Again(), BEN)) == ["AgainAsked"]
    over.do(c.Again(), ANA)
    assert audience.info(over.table).again == (0, 1)
    assert kinds(over.do(c.Again("my share"), CLEO)) == ["Contributed", "AgainAsked", "Started"]
    assert audience.info(over.table).again == ()
    assert over.table.phase == "playing"
    assert over.table.game != first
    assert over.refusal(c.Again(), ANA) == "not_over"
    over.play_to_the_end()
    assert audience.info(over.table).games == 2


def test_the_host_alone_starts_no_other_game(over: Sitting) -> None:
    assert over.refusal(c.Start(fill=True), ANA) == "over"


@pytest.mark.parametrize("leave", [c.Stand(), c.ConnectionLost(2)], ids=["gets up", "is lost"])
def test_one_who_is_gone_is_not_waited_for(over: Sitting, leave: c.Command) -> None:
    over.do(c.Again(), ANA)
    over.do(c.Again(), BEN)
    facts = over.do(leave, CLEO if isinstance(leave, c.Stand) else "")
    assert kinds(facts)[-1] == "Started"
    assert over.table.people == [0, 1]


def test_a_table_that_all_have_left_deals_nothing(over: Sitting) -> None:
    for seat in range(3):
        assert kinds(over.do(c.ConnectionLost(seat))) == ["Went"]
    assert kinds(over.do(c.Again(), BEN)) == ["Returned", "AgainAsked", "Started"]


def test_what_others_wanted_is_asked_anew_when_the_host_changes_it(over: Sitting) -> None:
    over.do(c.Again(), BEN)
    over.do(c.Again(), CLEO)
    over.do(c.Change({"players": 4}), ANA)
    assert audience.info(over.table).again == ()
    assert kinds(over.do(c.Again(), ANA)) == ["AgainAsked"]


def test_a_new_player_joins_between_two_games(over: Sitting) -> None:
    over.do(c.Change({"players": 4}), ANA)
    over.do(c.Sit("Dora"), DORA)
    assert shown(over.table, 3, over.now) == shown(over.table, NOBODY, over.now)
    view = audience.view(over.table, 3)
    assert view is not None
    assert view.viewer == NOBODY, "who had no seat has watched"
    assert over.told(3)[-1].said == ("Dora sits down.",)
    for who in (ANA, BEN, CLEO, DORA):
        over.do(c.Again(), who)
    assert over.table.phase == "playing"
    assert len(over.table.dealt_to) == 4


def test_who_gave_up_plays_again(over: Sitting) -> None:
    for who in (ANA, BEN, CLEO):
        over.do(c.Again(), who)
    over.do(c.Resign(), BEN)
    over.play_to_the_end()
    for who in (ANA, BEN, CLEO):
        over.do(c.Again(), who)
    assert over.table.people == [0, 1, 2]
    assert over.table.phase == "playing"


def test_who_has_gone_for_good_leaves_an_empty_seat_and_the_table_to_another(over: Sitting) -> None:
    over.do(c.ConnectionLost(1))
    assert kinds(over.do(c.Stand(), ANA)) == ["Stood", "Hosted"]
    assert over.table.host == CLEO, "rather to one who is here"
    over.do(c.Sit("Eve"), EVE)
    assert over.table.seat_of(EVE) == 0
