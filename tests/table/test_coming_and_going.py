"""Those who leave, are lost, come back, are sent away or give up."""

import pytest

from brocante.engine.state import NOBODY
from brocante.table import audience
from brocante.table import commands as c
from brocante.table import facts as f
from tests.table.tables import PEOPLE, STRANGER, Sitting, kinds

ANA, BEN, CLEO = PEOPLE[:3]


def until_asked(sitting: Sitting, who: str) -> None:
    seat = sitting.table.seat_of(who)
    sitting.play_until(lambda table: table.deciding == (seat,))


@pytest.mark.parametrize("leave", [c.Stand(), c.ConnectionLost(1)], ids=["leaves", "is lost"])
def test_a_bot_plays_for_one_who_is_gone_and_hands_back(leave: c.Command) -> None:
    sitting = Sitting(people=3).start()
    until_asked(sitting, BEN)
    sitting.do(leave, BEN if isinstance(leave, c.Stand) else "")
    assert audience.info(sitting.table).seats[1].away
    assert sitting.do(leave, BEN if isinstance(leave, c.Stand) else "") == [], "one can go only once"
    facts = sitting.wait_for_due()
    assert {(fact.seat, fact.by) for fact in facts if isinstance(fact, f.Moved)} == {(1, "bot")}
    assert kinds(sitting.do(c.Back(), BEN)) == ["Returned"]
    assert sitting.do(c.Back(), BEN) == []
    until_asked(sitting, BEN)
    assert sitting.table.due() is None


def test_whoever_sits_down_or_moves_again_is_back() -> None:
    sitting = Sitting(people=3).start()
    until_asked(sitting, BEN)
    sitting.do(c.Stand(), BEN)
    assert kinds(sitting.do(c.Sit("Ben"), BEN)) == ["Returned"]
    sitting.do(c.Stand(), BEN)
    assert kinds(sitting.move(BEN)) == ["Returned", "Moved"]


def test_before_the_deal_a_lost_connection_is_waited_for() -> None:
    sitting = Sitting(people=2)
    assert sitting.do(c.ConnectionLost(1)) == []
    assert sitting.refusal(c.ConnectionLost(9)) == "seat"


def test_the_host_may_send_a_player_away_if_the_other_agrees_and_a_bot_plays_on() -> None:
    sitting = Sitting(people=3).start()
    until_asked(sitting, BEN)
    sitting.do(c.Remove(1), ANA)
    assert kinds(sitting.do(c.Agree("removal"), CLEO)) == ["RemovalAgreed", "Stood"]
    assert sitting.log()[-1] == "Ben gets up."
    seat = audience.info(sitting.table).seats[1]
    assert (seat.kind, seat.name, seat.away) == ("bot", "Ben", False)
    for command in (c.Back(), c.PlayMove("end")):
        assert sitting.refusal(command, BEN) == "no_seat"
    assert sitting.refusal(c.Sit("Ben"), BEN) == "playing"
    assert sitting.refusal(c.Remove(1), ANA) == "nobody_there"
    sitting.play_to_the_end()


def test_one_who_gives_up_decides_nothing_any_more() -> None:
    sitting = Sitting(people=3).start()
    until_asked(sitting, BEN)
    assert kinds(sitting.do(c.Resign(), BEN)) == ["Resigned"]
    for command in (c.PlayMove("end"), c.Undo(), c.Pause(), c.Resign()):
        assert sitting.refusal(command, BEN) == "resigned"
    assert audience.legal(sitting.table, 1) is None
    view = audience.view(sitting.table, 1)
    assert view is not None
    assert not view.offers
    sitting.play_to_the_end()
    assert sitting.table.finished
    info = audience.info(sitting.table)
    assert ([seat.resigned for seat in info.seats], info.ended_by) == ([False, True, False], None)


def test_between_two_players_the_other_one_wins() -> None:
    sitting = Sitting("port", people=2).start()
    sitting.do(c.Pause(), ANA)
    assert kinds(sitting.do(c.Resign(), ANA)) == ["Resigned", "Ended", "Recorded", "Committed"]
    info = audience.info(sitting.table)
    assert (info.phase, info.winners, info.paused) == ("over", (1,), False)
    assert ([seat.resigned for seat in info.seats], info.ended_by) == ([True, False], 0)
    assert sitting.table.due() is None
    for viewer in (0, 1, NOBODY):
        view = audience.view(sitting.table, viewer)
        assert view is not None
        assert not view.offers, "nothing is to be decided any more"
        assert audience.legal(sitting.table, viewer) is None
    assert b'"result"' not in sitting.table.record(), "the rules had not come to an end"


def test_when_all_people_have_given_up_the_game_is_over() -> None:
    sitting = Sitting(people=2).start()
    assert kinds(sitting.do(c.Resign(), ANA)) == ["Resigned"]
    assert kinds(sitting.do(c.Resign(), BEN)) == ["Resigned", "Ended", "Recorded", "Committed"]
    assert audience.info(sitting.table).winners == (2,)


def test_a_pause_ends_when_nobody_is_left_who_could_end_it() -> None:
    sitting = Sitting(people=3).start()
    sitting.do(c.Resign(), BEN)
    sitting.do(c.ConnectionLost(2))
    sitting.do(c.Remove(2), ANA)
    sitting.do(c.Pause(), ANA)
    sitting.do(c.Remove(0), ANA)
    assert not sitting.table.paused
    sitting.play_to_the_end()


def test_strangers_neither_come_back_nor_leave() -> None:
    sitting = Sitting(people=3).start()
    for command in (c.Back(), c.Stand(), c.Resign()):
        assert sitting.refusal(command, STRANGER) == "no_seat"
