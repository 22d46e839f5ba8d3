"""In the middle of a game a host removes nobody on whom the other people who play have not agreed."""

import pytest

from brocante.table import Command, LiveTable, audience
from brocante.table import commands as c
from tests.table.tables import PEOPLE, Sitting, kinds, replayed

ANA, BEN, CLEO, DORA = PEOPLE[:4]
AGREE, REFUSE = c.Agree("removal"), c.Refuse("removal")


def game(people: int = 4) -> Sitting:
    """A game that is under way; Ana is the host."""
    return Sitting("vinto", people).start()


def asked(people: int = 4) -> Sitting:
    """Ana has asked the others whether Ben should be removed."""
    sitting = game(people)
    assert kinds(sitting.do(c.Remove(1), ANA)) == ["RemovalAsked"]
    return sitting


def question(table: LiveTable) -> tuple[int | None, tuple[int, ...]]:
    info = audience.info(table)
    return info.removal, info.removal_agreed


def test_somebody_is_removed_when_all_others_who_play_have_agreed() -> None:
    sitting = asked()
    assert sitting.table.seats[1].who == BEN, "nothing has happened yet"
    assert question(sitting.table) == (1, ())
    assert kinds(sitting.do(AGREE, CLEO)) == ["RemovalAgreed"]
    assert question(sitting.table) == (1, (2,))
    assert kinds(sitting.do(AGREE, DORA)) == ["RemovalAgreed", "Stood"]
    assert question(sitting.table) == (None, ())
    assert (sitting.table.seats[1].who, bool(sitting.table.seats[1].bot)) == ("", True), "a bot plays on"
    assert sitting.refusal(c.Undo(), BEN) == "no_seat"
    sitting.play_to_the_end()


def test_one_who_is_against_it_is_enough() -> None:
    sitting = asked()
    sitting.do(AGREE, CLEO)
    assert kinds(sitting.do(REFUSE, DORA)) == ["RemovalRefused"]
    assert sitting.table.seats[1].who == BEN
    assert sitting.refusal(AGREE, CLEO) == "no_removal_asked"
    sitting.do(c.Remove(1), ANA)
    assert question(sitting.table) == (1, ()), "who asks again, asks everyone again"


def test_neither_the_host_nor_the_person_concerned_has_a_say() -> None:
    sitting = asked()
    for who in (ANA, BEN):
        assert sitting.refusal(AGREE, who) == "own_removal"
    assert sitting.refusal(REFUSE, BEN) == "own_removal"
    assert sitting.refusal(AGREE, "id-stranger") == "no_seat"
    assert sitting.refusal(c.Remove(2), BEN) == "host_only"


def test_everyone_sees_that_it_is_asked_the_person_concerned_and_those_who_watch_too() -> None:
    sitting = asked()
    for viewer in (1, 2, -1):
        event = sitting.told(viewer)[-1]
        assert (event.event, event.category, event.seat) == ("removalasked", "agreement", 1)
        assert event.said == ("The host asks whether Ben should be removed from the game.",)
    assert sitting.told(1, "fr")[-1].said == ("L’hôte demande s’il faut retirer Ben de la partie.",)


def test_the_host_can_let_it_be() -> None:
    sitting = asked()
    assert kinds(sitting.do(REFUSE, ANA)) == ["RemovalWithdrawn"]
    assert question(sitting.table) == (None, ())
    assert sitting.refusal(REFUSE, ANA) == "no_removal_asked"


def test_one_question_is_asked_at_a_time() -> None:
    sitting = asked()
    assert sitting.refusal(c.Remove(2), ANA) == "removal_asked"
    assert sitting.refusal(c.Remove(1), ANA) == "removal_asked"


def test_taking_back_and_removing_are_two_questions() -> None:
    sitting = asked()
    assert sitting.refusal(c.Agree(), CLEO) == "no_undo_asked"
    assert sitting.refusal(c.Refuse(), CLEO) == "no_undo_asked"
    assert question(sitting.table) == (1, ())


def test_whoever_plays_alone_with_the_host_stays_as_long_as_they_are_there() -> None:
    sitting = game(people=2)
    assert sitting.refusal(c.Remove(1), ANA) == "nobody_to_ask"
    sitting.do(c.ConnectionLost(1))
    assert kinds(sitting.do(c.Remove(1), ANA)) == ["Stood"], "a bot plays for them already"


def test_whoever_has_given_up_can_be_removed_where_there_is_nobody_to_ask() -> None:
    sitting = game(people=2)
    sitting.do(c.Resign(), BEN)
    assert kinds(sitting.do(c.Remove(1), ANA)) == ["Stood"]


def test_somebody_who_is_away_is_removed_only_if_the_others_agree_too() -> None:
    sitting = game()
    sitting.do(c.ConnectionLost(1))
    assert kinds(sitting.do(c.Remove(1), ANA)) == ["RemovalAsked"]


def test_those_who_are_away_or_have_given_up_are_not_asked() -> None:
    sitting = game()
    sitting.do(c.ConnectionLost(3))
    sitting.do(c.Remove(1), ANA)
    assert kinds(sitting.do(AGREE, CLEO)) == ["RemovalAgreed", "Stood"]
    sitting = game()
    sitting.do(c.Resign(), DORA)
    sitting.do(c.Remove(1), ANA)
    assert kinds(sitting.do(AGREE, CLEO)) == ["RemovalAgreed", "Stood"]
    assert sitting.refusal(AGREE, CLEO) == "no_removal_asked"


def test_whoever_comes_back_meanwhile_is_asked_as_well() -> None:
    sitting = game()
    sitting.do(c.ConnectionLost(3))
    sitting.do(c.Remove(1), ANA)
    sitting.do(c.Back(), DORA)
    assert kinds(sitting.do(AGREE, CLEO)) == ["RemovalAgreed"]
    assert kinds(sitting.do(AGREE, DORA)) == ["RemovalAgreed", "Stood"]


def test_nobody_is_removed_when_all_who_could_say_so_have_gone() -> None:
    sitting = asked()
    sitting.do(AGREE, CLEO)
    sitting.do(c.Resign(), CLEO)
    assert kinds(sitting.do(c.ConnectionLost(3))) == ["Went"], "Cleo does not play any more, and Dora has not agreed"
    assert question(sitting.table)[0] == 1


@pytest.mark.parametrize("command", [c.Stand(), c.Resign()])
def test_the_question_lapses_when_the_person_leaves_or_gives_up(command: Command) -> None:
    sitting = asked()
    sitting.do(command, BEN)
    assert question(sitting.table) == (None, ())


def test_a_lost_connection_and_a_move_do_not_answer_it() -> None:
    sitting = asked()
    sitting.do(c.ConnectionLost(1))
    sitting.go_on()
    assert question(sitting.table) == (1, ())


def test_the_question_lapses_when_the_game_ends() -> None:
    sitting = asked(people=3).play_to_the_end()
    assert question(sitting.table) == (None, ())
    assert sitting.refusal(AGREE, CLEO) == "over"
    assert kinds(sitting.do(c.Remove(1), ANA)) == ["Stood"], "after a game the host alone decides, as before it"


def test_before_the_deal_the_host_alone_decides() -> None:
    sitting = Sitting("vinto", 4)
    assert sitting.refusal(AGREE, CLEO) == "not_started"
    assert kinds(sitting.do(c.Remove(1), ANA)) == ["Stood"]


def test_bots_stay_and_a_host_may_go_without_asking() -> None:
    sitting = game(people=3)
    assert sitting.refusal(c.Remove(3), ANA) == "nobody_there"
    assert kinds(sitting.do(c.Remove(0), ANA)) == ["Stood"]


def test_a_host_who_only_watches_asks_those_who_play() -> None:
    sitting = Sitting("vinto", 0)
    for who in (BEN, CLEO, DORA):
        sitting.do(c.Sit(who), who)
    sitting.start()
    assert kinds(sitting.do(c.Remove(0), ANA)) == ["RemovalAsked"]
    assert kinds(sitting.do(REFUSE, ANA)) == ["RemovalWithdrawn"]
    sitting.do(c.Remove(0), ANA)
    sitting.do(AGREE, CLEO)
    assert kinds(sitting.do(AGREE, DORA)) == ["RemovalAgreed", "Stood"]


def test_it_can_be_asked_and_answered_in_a_pause() -> None:
    sitting = game(people=3)
    sitting.do(c.Pause(), ANA)
    sitting.do(c.Remove(1), ANA)
    assert kinds(sitting.do(AGREE, CLEO)) == ["RemovalAgreed", "Stood"]


def test_the_question_survives_a_restart() -> None:
    sitting = asked()
    sitting.do(AGREE, CLEO)
    assert question(replayed(sitting.entries)) == (1, (2,))
