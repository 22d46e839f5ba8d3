"""How long people may think, and that nothing gives them more."""

import pytest

from brocante.engine.state import NOBODY
from brocante.table import Clock, audience
from brocante.table import commands as c
from brocante.table import facts as f
from tests.table.tables import PEOPLE, Sitting, kinds

ANA, BEN, CLEO = PEOPLE[:3]
MOVE, BANK = Clock("move", 30), Clock("bank", 60)


def thinking(sitting: Sitting) -> tuple[str, int]:
    """Who is to decide, and at which seat."""
    (who,) = sitting.asked
    seat = sitting.table.seat_of(who)
    assert seat is not None
    return who, seat


def left(sitting: Sitting, seat: int) -> float | None:
    return audience.now(sitting.table, sitting.now).left[seat]


def test_without_a_clock_a_table_waits() -> None:
    sitting = Sitting(people=3).start()
    assert sitting.table.due() is None
    assert sitting.wait(1e6) == []
    assert audience.now(sitting.table, sitting.now).left == ()


@pytest.mark.parametrize("clock", [MOVE, BANK], ids=["move", "bank"])
def test_when_time_is_up_a_bot_decides_and_everyone_is_told(clock: Clock) -> None:
    sitting = Sitting(people=3, clock=clock).start()
    _, seat = thinking(sitting)
    assert sitting.wait(clock.seconds - 0.001) == []
    assert left(sitting, seat) == 0.0
    (moved,) = sitting.wait_for_due()
    assert isinstance(moved, f.Moved)
    assert (moved.seat, moved.by) == (seat, "clock")
    name = sitting.table.seats[seat].name
    assert f"{name} is out of time; a bot decides." in sitting.log()


def test_a_bank_is_for_the_whole_game() -> None:
    sitting = Sitting(people=3, clock=BANK).start()
    who, seat = thinking(sitting)
    sitting.wait(20)
    sitting.move(who)
    assert left(sitting, seat) == 40.0
    sitting.play_until(lambda table: thinking(sitting)[1] != seat)
    sitting.wait(10)
    assert left(sitting, seat) == 40.0, "others think on their own time"


def test_whoever_has_an_empty_bank_does_not_keep_the_others_waiting() -> None:
    sitting = Sitting("vinto", people=4, clock=Clock("bank", 5, 8)).start()
    for _ in range(40):
        sitting.wait_for_due()
    assert all(seat.bank == 0 for seat in sitting.table.seats)
    sitting.play_until(lambda table: table.window_left(sitting.now) is not None)
    assert sitting.asked, "but in a window there is time for all"
    sitting.wait(7.9)
    assert sitting.table.together
    assert kinds(sitting.wait(0.2))[0] == "Moved"


@pytest.mark.parametrize("clock", [MOVE, BANK], ids=["move", "bank"])
def test_neither_leaving_nor_pausing_nor_talking_gives_time_back(clock: Clock) -> None:
    sitting = Sitting(people=3, clock=clock, pace=100.0).start()
    who, seat = thinking(sitting)
    sitting.wait(10)
    sitting.do(c.Chat("hm"), who)
    sitting.do(c.Stand(), who)
    sitting.wait(5)
    sitting.do(c.Back(), who)
    sitting.do(c.Pause(), BEN)
    sitting.wait(1000)
    assert left(sitting, seat) == clock.seconds - 15
    sitting.do(c.Resume(), CLEO)
    sitting.wait(3)
    assert left(sitting, seat) == clock.seconds - 18


def test_taking_back_a_move_does_not_give_its_time_back() -> None:
    sitting = Sitting(people=3, clock=MOVE).start()
    who, seat = thinking(sitting)
    sitting.wait(12)
    sitting.move(who)
    assert thinking(sitting) == (who, seat)
    sitting.wait(13)
    assert kinds(sitting.do(c.Undo(), who)) == ["Undone"]
    assert left(sitting, seat) == 5.0
    sitting.wait(2)
    sitting.do(c.Chat("still thinking"), who)
    assert left(sitting, seat) == 3.0
    sitting.move(who)
    assert left(sitting, seat) == 30.0, "another decision has its own time"


def test_that_another_would_take_back_a_move_gives_nobody_time() -> None:
    sitting = Sitting(people=3, clock=MOVE).start()
    other, _ = thinking(sitting)
    sitting.play_until(lambda table: thinking(sitting)[0] != other)
    who, seat = thinking(sitting)
    sitting.wait(12)
    sitting.move(who)
    assert kinds(sitting.do(c.Undo(), other)) == ["UndoAsked"]
    assert kinds(sitting.do(c.Undo(), who)) == ["Undone"]
    assert left(sitting, seat) == 18.0


def test_taking_back_a_move_does_not_fill_a_bank() -> None:
    sitting = Sitting(people=3, clock=BANK).start()
    who, seat = thinking(sitting)
    sitting.wait(12)
    sitting.move(who)
    sitting.wait(13)
    sitting.do(c.Undo(), who)
    assert left(sitting, seat) == 35.0
    sitting.wait(5)
    assert left(sitting, seat) == 30.0


def test_a_paused_table_does_nothing_by_itself() -> None:
    sitting = Sitting(people=1).start()
    sitting.do(c.Pause(), ANA)
    assert sitting.table.due() is None
    assert sitting.refusal(c.PlayMove("end"), ANA) == "paused"
    assert sitting.refusal(c.Undo(), ANA) == "paused"
    assert sitting.refusal(c.Pause(), ANA) == "paused"
    sitting.do(c.Resume(), ANA)
    assert sitting.refusal(c.Resume(), ANA) == "not_paused"


def test_nobody_pays_for_the_time_in_which_the_server_was_down() -> None:
    sitting = Sitting("vinto", people=4, clock=MOVE, rounds=4, minutes=10).start()
    sitting.wait(20)
    sitting.do(c.Chat("hello"), ANA)
    assert sitting.do(c.Wake()) == []
    sitting.now += 5000
    assert kinds(sitting.do(c.Wake())) == ["Stalled"]
    now = audience.now(sitting.table, sitting.now)
    assert now.left == (30.0, 30.0, 30.0, 30.0)
    assert now.game == 580.0
    assert sitting.told(NOBODY)[-1].event == "said", "nobody is told"


@pytest.mark.parametrize("clock", [Clock(), Clock("move", 90), Clock("bank", 90)], ids=lambda clock: clock.kind)
def test_the_clock_of_the_game_announces_its_end_and_decides_for_nobody(clock: Clock) -> None:
    """Whatever the fraction of the second: floating point is no reason to move for somebody."""
    for fraction in range(5):
        sitting = Sitting("vinto", 4, clock, rounds=4, minutes=1)
        sitting.now += fraction * 0.0137
        sitting.start()
        sitting.now += 0.1 * fraction
        sitting.do(c.Chat("hello"), ANA)
        assert kinds(sitting.wait_for_due()) == ["Announced"]
        assert sitting.table.game_left(sitting.now) == pytest.approx(0, abs=1e-3)
        assert not sitting.table.game_events


def test_bots_take_about_as_long_as_they_should() -> None:
    sitting = Sitting(people=1, pace=2.0).start()
    took = []
    for _ in range(60):
        if sitting.asked:
            sitting.go_on()
        else:
            before = sitting.now
            sitting.wait_for_due()
            took.append(sitting.now - before)
    assert min(took) >= 1.2 - 1e-3
    assert max(took) <= 3.2 + 1e-3
    assert len(set(took)) > 5


def test_a_table_that_everyone_has_left_stands_still() -> None:
    sitting = Sitting("vinto", people=2, clock=BANK, rounds=4, minutes=10).start()
    sitting.wait(10)
    sitting.do(c.Stand(), ANA)
    sitting.do(c.ConnectionLost(1))
    assert sitting.table.due() is None
    sitting.wait(5000)
    assert audience.now(sitting.table, sitting.now).game == 590.0
    sitting.do(c.Back(), BEN)
    assert audience.now(sitting.table, sitting.now).game == 590.0
    assert sitting.table.due() is not None
