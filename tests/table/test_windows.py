"""While all decide at the same time: the order of the rules decides, not the connection (Vinto, V2 and V6.2)."""

from itertools import permutations

import pytest

from brocante.engine.game import Game
from brocante.table import Clock, LiveTable, audience
from brocante.table import commands as c
from brocante.table import facts as f
from tests.games.vinto_positions import assert_position, play, position
from tests.table.tables import PEOPLE, Sitting, kinds, shown

ANA, BEN, CLEO, DORA = PEOPLE[:4]

#: A window after a 3, which has no action: everyone could toss one in.
THREES = """
    pile: 3C 6C 6D 6H …
    > seat 0   2C 4C
      seat 1   3D 2D
      seat 2   3H 2H
      seat 3   3S 2S
"""
#: A window after a 7: whoever tosses one in will look at a card.
SEVENS = """
    pile: 7H 6C 6D 6S …
    > seat 0   2C 3C
      seat 1   7C 2D
      seat 2   7D 2H
      seat 3   7S 2S
"""


#: The same, where one player has two of them.
TWO_SEVENS = SEVENS.replace("7C 2D", "3D 2D").replace("7D 2H", "7C 2H 7D")


def window(drawing: str = THREES, people: int = 4, clock: Clock | None = None) -> Sitting:
    """A toss-in window in which the seats 1, 2 and 3 may decide."""
    sitting = Sitting("vinto", people, clock).lay_out(play(position(drawing, rounds=1), "draw", "play"))
    assert sitting.table.deciding == (1, 2, 3)
    return sitting


def game_of(sitting: Sitting) -> Game:
    assert sitting.table.game
    return sitting.table.game


def last_moves(sitting: Sitting, number: int) -> list[str]:
    return [f"{step.move.seat}: {step.move}" for step in game_of(sitting).steps[-number:] if step.move]


def is_peek(table: LiveTable) -> bool:
    return table.together is not None and table.together.otherwise is None


def test_decisions_are_taken_in_the_order_of_the_rules_whoever_is_faster() -> None:
    """V6.2."""
    decisions = {BEN: ("toss 1", "pass"), CLEO: ("toss 0", "pass"), DORA: ("pass",)}
    after = []
    for order in set(permutations([BEN, BEN, CLEO, CLEO, DORA])):
        sitting, left = window(), {who: iter(moves) for who, moves in decisions.items()}
        for who in order:
            sitting.wait(0.5)
            facts = sitting.move(who, next(left[who]))
        assert kinds(facts) == ["Decided"] + ["Moved"] * 4
        assert last_moves(sitting, 4) == ["1: toss 1", "2: toss 0", "2: pass", "3: pass"]
        after.append(game_of(sitting).state.tobytes())
    assert len(set(after)) == 1


def test_whose_turn_it_is_and_what_happens_to_those_who_do_not_answer_is_told_while_others_are_asked() -> None:
    sitting = window()
    now = audience.now(sitting.table, sitting.now)
    assert (now.turn, now.asked, now.otherwise) == (0, (1, 2, 3), "pass")
    for who in (BEN, CLEO, DORA):
        sitting.move(who, "pass")
    now = audience.now(sitting.table, sitting.now)
    assert (now.turn, now.asked, now.otherwise) == (0, (0,), "")


def test_a_window_closes_by_itself_and_who_has_not_decided_passes() -> None:
    sitting = window(clock=Clock("none", 0, 8))
    sitting.move(DORA, "toss 0")
    assert audience.now(sitting.table, sitting.now).window == 8.0
    assert sitting.wait(7.99) == []
    facts = sitting.wait(0.02)
    assert kinds(facts) == ["Moved"] * 4
    assert [fact.by for fact in facts if isinstance(fact, f.Moved)] == ["player"] * 4
    assert last_moves(sitting, 4) == ["1: pass", "2: pass", "3: toss 0", "3: pass"]


def test_each_tosses_as_many_as_they_like_until_they_pass() -> None:
    """V6.2: and all that is decided is taken in the order of the rules, one player after the other."""
    sitting = window(TWO_SEVENS)
    assert kinds(sitting.move(CLEO, "toss 0")) == ["Decided"]
    assert kinds(sitting.move(DORA, "toss 0")) == ["Decided"]
    assert kinds(sitting.move(BEN, "pass")) == ["Decided"]
    assert kinds(sitting.move(DORA, "pass")) == ["Decided"]
    assert sitting.asked == [CLEO], "who has tossed in one card may toss in another"
    assert kinds(sitting.move(CLEO, "toss 2"))[0] == "Decided"
    facts = sitting.move(CLEO, "pass")
    assert kinds(facts) == ["Decided"] + ["Moved"] * 6
    assert last_moves(sitting, 6) == ["1: pass", "2: toss 0", "2: toss 2", "2: pass", "3: toss 0", "3: pass"]
    assert_position(game_of(sitting), "waits: 7C:2 7D:2 7S:3   acting: 7H   decides: 0")


def test_who_has_nothing_left_to_toss_has_decided() -> None:
    """V6.2: nobody is asked again after tossing the last one."""
    sitting = window(THREES.replace("3H 2H", "3H"))
    assert kinds(sitting.move(CLEO, "toss 0")) == ["Decided", "Decided"]
    assert sitting.asked == [BEN, DORA]


def test_nothing_happens_in_a_window_but_decisions() -> None:
    """V5: what was tossed in waits until everyone has decided; then it is carried out, in order."""
    sitting = window(SEVENS)
    sitting.move(BEN, "toss 0")
    assert_position(game_of(sitting), "discards: 7H   waits: 7H:0")
    sitting.move(CLEO, "toss 0")
    sitting.wait(8)
    assert last_moves(sitting, 5) == ["1: toss 0", "1: pass", "2: toss 0", "2: pass", "3: pass"]
    assert_position(game_of(sitting), "step: look own   decides: 0   discards: 7H 7C 7D   waits: 7C:1 7D:2")
    for who, move in ((ANA, "look 0,0"), (BEN, "look 1,1"), (CLEO, "look 2,1")):
        assert kinds(sitting.move(who, move)) == ["Moved"]
    assert_position(game_of(sitting), "step: end   decides: 0   waits: –")


def test_what_was_to_follow_a_wrong_toss_is_not_done() -> None:
    """V6.3."""
    sitting = window()
    sitting.move(BEN, "toss 1")
    sitting.move(BEN, "toss 0")
    sitting.wait(8)
    assert last_moves(sitting, 3) == ["1: toss 1", "2: pass", "3: pass"]
    assert_position(game_of(sitting), "seat 1   3D 2D 6C")


def test_who_tosses_is_not_told_whether_it_was_right_before_all_have_decided() -> None:
    """V6: everything that one sees and may do is the same, whether the card was right or wrong."""
    right, wrong = window(), window(THREES.replace("3D 2D", "2D 3D"))
    for sitting in (right, wrong):
        sitting.move(BEN, "toss 0")
    assert shown(right.table, 1, right.now) == shown(wrong.table, 1, wrong.now)
    assert audience.legal(right.table, 1) == [{"seat": 1, "move": "pass"}, {"seat": 1, "move": "toss", "slot": 1}]
    view = audience.view(right.table, 1)
    assert view
    assert [stack.count for stack in view.table.places[1].zones[0].stacks] == [0, 1], "the card has left its slot"
    for sitting in (right, wrong):
        sitting.move(BEN, "pass")
    assert shown(right.table, 1, right.now) == shown(wrong.table, 1, wrong.now)


def test_who_has_passed_is_asked_no_more() -> None:
    """V6.2."""
    sitting = window()
    sitting.move(BEN, "pass")
    assert audience.legal(sitting.table, 1) is None
    assert sitting.refusal(c.PlayMove("toss 0"), BEN) == "decided"


def test_a_decision_that_cannot_be_is_refused_at_once() -> None:
    sitting = window()
    assert sitting.refusal(c.PlayMove("toss 4"), BEN) == "error.move.illegal"
    assert sitting.refusal(c.PlayMove("draw"), BEN) == "error.move.illegal"
    assert sitting.refusal(c.PlayMove("pass"), ANA) == "error.move.not_yours"
    assert sitting.refusal(c.PlayMove({"move": "pass", "seat": 2}), BEN) == "other_seat"


def test_bots_decide_when_all_people_have_but_not_sooner_than_a_person_would() -> None:
    sitting = window(people=2)
    sitting.wait(0.1)
    assert kinds(sitting.move(BEN, "pass")) == ["Decided"]
    assert sitting.wait(0.45) == []
    facts = sitting.wait(1.5)
    assert [fact.by for fact in facts[:3] if isinstance(fact, f.Moved)] == ["player", "bot", "bot"]


def test_bots_wait_for_people_until_the_window_closes() -> None:
    sitting = window(people=2)
    assert sitting.wait(7.9) == []
    assert sitting.wait(0.2)


def test_a_bot_decides_for_one_who_is_gone_and_not_for_one_who_comes_back_in_time() -> None:
    sitting = window()
    sitting.move(BEN, "pass")
    sitting.move(CLEO, "pass")
    sitting.do(c.ConnectionLost(3))
    sitting.do(c.Back(), DORA)
    assert sitting.wait(4) == []
    sitting.move(DORA, "toss 0")
    assert kinds(sitting.move(DORA, "pass"))[:1] == ["Decided"]
    assert last_moves(sitting, 2) == ["3: toss 0", "3: pass"]
    sitting = window()
    sitting.move(BEN, "pass")
    sitting.move(CLEO, "pass")
    sitting.do(c.ConnectionLost(3))
    facts = sitting.wait_for_due()
    assert isinstance(facts[2], f.Moved)
    assert (facts[2].seat, facts[2].by) == (3, "bot")


def test_a_window_is_not_longer_because_somebody_leaves_and_comes_back() -> None:
    sitting = window()
    for _ in range(3):
        sitting.wait(2)
        sitting.do(c.Stand(), CLEO)
        sitting.do(c.Back(), CLEO)
    assert audience.now(sitting.table, sitting.now).window == 2.0


# --- V2: the first look -----------------------------------------------------------------------------------------------


def test_all_look_at_their_cards_at_the_same_time() -> None:
    sitting = Sitting("vinto", 4).start()
    assert is_peek(sitting.table)
    assert sitting.table.due() is None, "everyone is waited for"
    for who in (DORA, BEN, ANA):
        facts = sitting.move(who, {"move": "peek", "slots": [1, 3]})
        assert kinds(facts) == ["Decided"]
        seat = sitting.table.seat_of(who)
        assert seat is not None
        assert sitting.told(seat)[-1].move == {"move": "peek", "slots": [1, 3]}
        assert audience.legal(sitting.table, seat) is None
    assert audience.legal(sitting.table, 2)
    facts = sitting.move(CLEO, "peek 0,4")
    assert kinds(facts) == ["Decided"] + ["Moved"] * 4
    assert not sitting.table.together
    for seat in range(4):
        seen = {event.seat for event in sitting.told(seat)[-4:] if event.moments}
        assert seen == {seat}, "everyone sees their own cards"


def test_a_bot_looks_for_one_whose_time_is_up() -> None:
    sitting = Sitting("vinto", 4, Clock("move", 20)).start()
    for who in (BEN, ANA, DORA):
        sitting.move(who)
    sitting.wait(19.9)
    facts = sitting.wait(0.2)
    assert kinds(facts) == ["Decided"] + ["Moved"] * 4
    late = [fact.seat for fact in facts if isinstance(fact, f.Moved) and fact.by == "clock"]
    assert late == [2]
    assert "Cleo is out of time; a bot decides." in sitting.log()


def test_the_time_of_a_first_look_is_taken_off_the_bank_of_each() -> None:
    sitting = Sitting("vinto", 4, Clock("bank", 100)).start()
    for who in (DORA, BEN, ANA):
        sitting.wait(10)
        sitting.move(who)
    sitting.wait(10)
    sitting.move(DORA, "peek 3,4")  # thinks again
    sitting.move(CLEO)
    assert [round(seat.bank) for seat in sitting.table.seats] == [70, 80, 60, 60]


@pytest.mark.parametrize("aid", [False, True])
def test_what_all_decided_is_taken_back_only_if_all_agree(aid: bool) -> None:
    """Even where one knew the card that one tossed in."""
    drawing = SEVENS.replace("7C", "7C(1)")
    game = play(position(drawing, rounds=1, memory_aid=aid), "draw", "play")
    sitting = Sitting("vinto", 4).lay_out(game)
    for who, move in ((BEN, "toss 0"), (CLEO, "pass"), (DORA, "pass"), (BEN, "pass")):
        sitting.move(who, move)
    assert sitting.asked == [ANA]
    assert kinds(sitting.do(c.Undo(), BEN)) == ["UndoAsked"]
