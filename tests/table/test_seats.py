"""Who sits where, who is the host, and what will be played."""

import msgspec
import pytest

from brocante.engine.errors import UsageError
from brocante.engine.state import NOBODY
from brocante.table import Clock, audience, open_table
from brocante.table import commands as c
from tests.table.tables import NOON, PEOPLE, STRANGER, Sitting, kinds, viewers

ANA, BEN, CLEO, DORA = PEOPLE[:4]


def names(sitting: Sitting) -> list[str]:
    return [seat.name for seat in sitting.table.seats]


def test_people_sit_down_at_the_first_empty_seat_or_where_they_like() -> None:
    sitting = Sitting(people=1)
    sitting.do(c.Sit("Cleo", seat=2), CLEO)
    sitting.do(c.Sit("Ben"), BEN)
    assert names(sitting) == ["Ana", "Ben", "Cleo"]
    assert sitting.table.seat_of(CLEO) == 2
    assert sitting.table.seat_of(STRANGER) is None
    assert sitting.table.seat_of("") is None


def test_one_person_has_one_seat_and_a_name_of_their_own() -> None:
    sitting = Sitting(people=2)
    assert sitting.do(c.Sit("Ana", seat=2), ANA) == []
    assert sitting.refusal(c.Sit("aNA"), CLEO) == "name_taken"
    assert sitting.refusal(c.Sit(" \u200b\u202e\x07 "), CLEO) == "name"
    assert sitting.refusal(c.Sit("Cleo", seat=1), CLEO) == "taken"
    assert sitting.refusal(c.Sit("Cleo", seat=3), CLEO) == "seat"
    sitting.do(c.Sit("  Cleo\n of\tthe \u202eNile  "), CLEO)
    assert names(sitting)[2] == "Cleo of the Nile"
    assert sitting.refusal(c.Sit("Dora"), DORA) == "full"


def test_only_the_host_seats_bots_has_people_get_up_changes_and_starts() -> None:
    sitting = Sitting(people=2)
    for command in (c.AddBot(), c.Remove(0), c.Change(private=True), c.Start(fill=True)):
        for who in (BEN, STRANGER, ""):
            assert sitting.refusal(command, who) == "host_only"
    sitting.do(c.AddBot(), ANA)
    sitting.do(c.Change(private=True), ANA)
    sitting.do(c.Remove(1), ANA)
    assert [seat.kind for seat in audience.info(sitting.table).seats] == ["person", "empty", "bot"]
    assert sitting.log()[-1] == "Ben gets up."
    assert sitting.refusal(c.Remove(1), ANA) == "nobody_there"
    assert sitting.refusal(c.Remove(9), ANA) == "seat"


def test_a_bot_has_a_name_that_nobody_has() -> None:
    sitting = Sitting(people=0)
    sitting.do(c.Sit("odette"), ANA)
    sitting.do(c.AddBot(bot="random"), ANA)
    sitting.do(c.AddBot(), ANA)
    assert names(sitting) == ["odette", "Marcel", "Lucienne"]
    assert [seat.bot for seat in sitting.table.seats] == ["", "random", "greedy"]
    assert sitting.refusal(c.AddBot(bot="genius"), ANA) == "full"
    sitting.do(c.Remove(1), ANA)
    assert sitting.refusal(c.AddBot(bot="genius"), ANA) == "error.bot.name"


def test_a_game_starts_when_no_seat_is_empty() -> None:
    sitting = Sitting(people=2)
    assert sitting.refusal(c.Start(), ANA) == "empty_seats"
    assert kinds(sitting.do(c.Start(fill=True), ANA)) == ["BotSat", "Started"]
    for command in (c.Start(), c.Sit("Cleo"), c.AddBot(), c.Change(private=True), c.Contribute("late")):
        assert sitting.refusal(command, CLEO if isinstance(command, c.Sit) else ANA) == "playing"


def test_a_host_who_gets_up_hands_the_table_on() -> None:
    sitting = Sitting(people=3)
    assert kinds(sitting.do(c.Stand(), ANA)) == ["Stood", "Hosted"]
    assert sitting.table.host == BEN
    assert audience.info(sitting.table).host == 1
    sitting.do(c.Stand(), CLEO)
    assert kinds(sitting.do(c.Stand(), BEN)) == ["Stood", "Hosted"]
    assert sitting.table.host == "", "nobody is left"
    assert sitting.refusal(c.Stand(), BEN) == "no_seat"


def test_whoever_sits_down_where_the_host_has_left_is_the_host() -> None:
    sitting = Sitting(people=1)
    sitting.do(c.Stand(), ANA)
    sitting.do(c.Sit("Ben"), BEN)
    assert audience.info(sitting.table).host == 0
    sitting.do(c.Sit("Ana"), ANA)
    assert sitting.refusal(c.Start(fill=True), ANA) == "host_only"
    sitting.do(c.Start(fill=True), BEN)


def test_a_nonce_can_be_given_by_one_who_sits_already() -> None:
    sitting = Sitting(people=1)
    sitting.do(c.Sit("Ana", nonce="mine"), ANA)
    assert sitting.table.seats[0].nonce == "mine"


def test_what_will_be_played_can_be_changed_until_the_deal() -> None:
    sitting = Sitting("vinto", people=4)
    sitting.do(c.Change({"players": 5, "king": "wild"}, clock=Clock("bank", 600)), ANA)
    assert sitting.table.options == {"players": 5, "king": "wild", "rounds": 1}
    assert len(sitting.table.seats) == 5
    sitting.do(c.AddBot(), ANA)
    assert sitting.refusal(c.Change({"players": 4}), ANA) == "too_many"
    assert sitting.refusal(c.Change({"players": 6}), ANA) == "error.option.value"
    assert sitting.refusal(c.Change({"wishes": 3}), ANA) == "error.option.name"
    assert sitting.refusal(c.Change({"minutes": 30}), ANA) == "error.option.both"
    sitting.do(c.Change({"rounds": 4, "minutes": 30}), ANA)
    assert sitting.table.options["minutes"] == 30


@pytest.mark.parametrize(
    ("clock", "why"),
    [
        (Clock("move", 4), "clock"),
        (Clock("bank", 86_401), "clock"),
        (Clock("none", 0, 1), "window"),
        (Clock("move", 30, 61), "window"),
    ],
)
def test_a_clock_that_is_none_is_refused(clock: Clock, why: str) -> None:
    assert Sitting().refusal(c.Change(clock=clock), ANA) == why


@pytest.mark.parametrize("deck", ["/etc/hostname", "given"])
def test_a_file_cannot_be_brought_to_a_live_table(deck: str) -> None:
    with pytest.raises(UsageError):
        open_table("antiques", {"deck": deck}, ANA, NOON)


def test_who_somebody_is_remains_between_them_and_the_server() -> None:
    sitting = Sitting("vinto", people=4)
    sitting.do(c.Stand(), DORA)
    sitting.start().play_to_the_end()
    for viewer in viewers(sitting.table):
        sent = [audience.info(sitting.table), audience.now(sitting.table, sitting.now), sitting.told(viewer)]
        assert b"id-" not in msgspec.json.encode(sent)
    assert b"id-" not in sitting.table.record()


def test_those_who_watch_decide_nothing() -> None:
    sitting = Sitting(people=3).start()
    for command in (
        c.PlayMove("end"),
        c.Undo(),
        c.Pause(),
        c.Resign(),
        c.Chat("hello"),
        c.Back(),
        c.Stand(),
        c.Agree(),
    ):
        assert sitting.refusal(command, STRANGER) in ("no_seat", "no_undo_asked")
    assert audience.legal(sitting.table, NOBODY) is None
    view = audience.view(sitting.table, NOBODY)
    assert view is not None
    assert not view.offers
