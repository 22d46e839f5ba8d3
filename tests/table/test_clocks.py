"""How long people may think, and that nothing gives them more."""

import pytest

from brocante.engine.state import NOBODY
from brocante.table import Clock, audience, handlers
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


def waits(sitting: Sitting, turns: int = 4) -> list[float]:
    """How long the table waits before each of the next turns of bots."""
    found = list[float]()
    while len(found) < turns:
        before = sitting.now
        if not sitting.asked:
            sitting.wait_for_due()
            found.append(round(sitting.now - before, 3))
        else:
            sitting.go_on()
    return found


def test_bots_take_about_as_long_as_people_where_several_play() -> None:
    sitting = Sitting(people=2, pace=2.0).start()
    assert audience.info(sitting.table).pace == "people"
    took = waits(sitting, 8)
    assert min(took) >= 1.2
    assert max(took) <= 3.2
    assert len(set(took)) > 5


def test_whoever_plays_alone_says_how_fast_bots_move() -> None:
    sitting = Sitting(people=1).start()
    assert audience.info(sitting.table).pace == "quick"
    assert set(waits(sitting)) == {0.6}
    assert kinds(sitting.do(c.SetPace("instant"), ANA)) == ["Paced"]
    assert set(waits(sitting)) == {0.0}
    sitting.do(c.SetPace("people"), ANA)
    assert max(waits(sitting)) > 0.6
    assert sitting.do(c.SetPace("people"), ANA) == []
    assert audience.info(sitting.table).pace == "people"


def test_among_people_nobody_hurries_the_bots() -> None:
    sitting = Sitting(people=2).start()
    for command in (c.SetPace("instant"), c.Skip()):
        assert sitting.refusal(command, ANA) == "not_alone"
        assert sitting.refusal(command, PEOPLE[5]) == "no_seat"
    sitting.do(c.Resign(), BEN)
    assert sitting.refusal(c.Skip(), BEN) == "not_alone", "Ana still plays"
    sitting.do(c.SetPace("instant"), ANA)
    assert audience.info(sitting.table).pace == "instant"


@pytest.mark.parametrize("game", ["antiques", "collection", "port", "vinto"])
def test_a_turn_of_a_bot_is_one_thing_that_happens(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handlers, "LONGEST_THOUGHT", 100.0)
    sitting = Sitting(game, people=1).start()
    for _ in range(30):
        if sitting.asked:
            sitting.go_on()
            continue
        together = sitting.table.together
        (first, *more) = [fact for fact in sitting.wait_for_due() if isinstance(fact, f.Moved)]
        if together is None:
            assert {fact.seat for fact in more} <= {first.seat}
            assert sitting.table.together or first.seat not in sitting.table.deciding
        if sitting.table.phase == "over":
            break


def test_a_bot_that_thinks_for_long_shows_what_it_has_done_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = Sitting(people=1).start()
    sitting.play_until(lambda table: not sitting.asked)
    seat = sitting.table.deciding
    monkeypatch.setattr(handlers, "LONGEST_THOUGHT", -1.0)
    assert kinds(sitting.wait_for_due()) == ["Moved"]
    assert sitting.table.deciding == seat
    assert sitting.table.due() == sitting.now


def test_one_who_skips_waits_no_more_until_they_must_decide() -> None:
    sitting = Sitting("vinto", people=1).start()
    for _ in range(12):
        sitting.play_until(lambda table: not sitting.asked)
        assert kinds(sitting.do(c.Skip(), ANA)) == ["Skipped"]
        assert audience.info(sitting.table).skipping
        assert sitting.do(c.Skip(), ANA) == []
        before = sitting.now
        sitting.play_until(lambda table: sitting.asked or table.phase == "over")
        assert sitting.now == before
        assert not audience.info(sitting.table).skipping
        if sitting.table.phase == "over":
            break
        assert sitting.do(c.Skip(), ANA) == [], "it is Ana who keeps the table waiting"


def test_one_who_has_given_up_and_watches_bots_skips_to_the_end() -> None:
    sitting = Sitting(people=2).start()
    sitting.do(c.Resign(), BEN)
    sitting.do(c.Remove(0), ANA)
    sitting.do(c.Skip(), BEN)
    before = sitting.now
    sitting.play_to_the_end()
    assert sitting.now == before
    assert not audience.info(sitting.table).skipping


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
