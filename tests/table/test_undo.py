"""Taking back: alone while nobody has learned anything, otherwise if all agree."""

from pathlib import Path

import pytest

from brocante.engine.state import NOBODY
from brocante.table import LiveTable, audience
from brocante.table import commands as c
from brocante.table.fair import taken_back, verify
from tests.games.vinto_positions import play, position
from tests.table.tables import PEOPLE, Sitting, kinds

ANA, BEN, CLEO, DORA = PEOPLE[:4]


def steps(sitting: Sitting) -> int:
    assert sitting.table.game
    return len(sitting.table.game.steps)


def on_turn(table: LiveTable) -> str:
    assert table.game
    return table.seats[table.game.actor].who


def placed(people: int = 3) -> tuple[Sitting, str]:
    """Somebody has placed a card of Collection, and may go on."""
    sitting = Sitting(people=people).start().play_until(lambda table: on_turn(table) != "")
    who = on_turn(sitting.table)
    sitting.move(who)
    assert on_turn(sitting.table) == who
    return sitting, who


def drawn() -> Sitting:
    """Ana has drawn a card of Vinto, which everyone has seen."""
    game = position("pile: 5C …\n> seat 0 2C 3C\nseat 1 2D 3D\nseat 2 2H 3H\nseat 3 2S 3S", rounds=1)
    return Sitting("vinto", 4).lay_out(play(game, "draw"))


def test_a_move_that_showed_nothing_is_taken_back_at_once() -> None:
    sitting, who = placed()
    before = steps(sitting)
    assert kinds(sitting.do(c.Undo(), who)) == ["Undone"]
    assert steps(sitting) == before - 1
    assert on_turn(sitting.table) == who
    assert sitting.log()[-1].endswith("takes back a move.")


def test_nobody_takes_back_the_move_of_another() -> None:
    sitting, who = placed()
    other = next(someone for someone in sitting.people if someone != who)
    assert sitting.refusal(c.Undo(), other) == "nothing_to_undo"


def test_what_has_shown_a_card_is_taken_back_if_all_agree() -> None:
    sitting = drawn()
    before = steps(sitting)
    assert kinds(sitting.do(c.Undo(), ANA)) == ["UndoAsked"]
    assert audience.info(sitting.table).undo == 0
    assert sitting.refusal(c.Agree(), ANA) == "own_undo"
    assert sitting.refusal(c.Undo(), ANA) == "undo_asked"
    assert kinds(sitting.do(c.Agree(), CLEO)) == ["UndoAgreed"]
    assert kinds(sitting.do(c.Agree(), BEN)) == ["UndoAgreed"]
    assert audience.info(sitting.table).agreed == (1, 2)
    assert kinds(sitting.do(c.Agree(), DORA)) == ["UndoAgreed", "Undone"]
    assert steps(sitting) == before - 1
    assert (audience.info(sitting.table).undo, audience.info(sitting.table).agreed) == (None, ())
    assert sitting.refusal(c.Agree(), BEN) == "no_undo_asked"


def test_one_who_does_not_agree_is_enough() -> None:
    sitting = drawn()
    sitting.do(c.Undo(), ANA)
    sitting.do(c.Agree(), BEN)
    assert kinds(sitting.do(c.Refuse(), CLEO)) == ["UndoRefused"]
    assert sitting.refusal(c.Agree(), DORA) == "no_undo_asked"
    sitting.do(c.Undo(), ANA)
    assert audience.info(sitting.table).agreed == (), "who asks again, asks everyone again"


def test_a_move_answers_the_question() -> None:
    sitting = drawn()
    sitting.do(c.Undo(), ANA)
    sitting.move(ANA, "play")
    assert audience.info(sitting.table).undo is None


def test_one_who_has_gone_need_not_agree() -> None:
    sitting = drawn()
    sitting.do(c.Undo(), ANA)
    sitting.do(c.Agree(), BEN)
    sitting.do(c.Agree(), CLEO)
    assert kinds(sitting.do(c.ConnectionLost(3))) == ["Went", "Undone"]


def test_nobody_takes_back_alone_what_others_should_agree_to() -> None:
    sitting = drawn()
    sitting.do(c.Undo(), ANA)
    for seat in (1, 2, 3):
        assert kinds(sitting.do(c.ConnectionLost(seat))) == ["Went"]
    sitting.do(c.Refuse(), ANA)
    assert sitting.refusal(c.Undo(), ANA) == "shown"


def alone(game: str) -> Sitting:
    return Sitting(game, people=1).start()


@pytest.mark.parametrize("game", ["port", "vinto"])
def test_bots_agree_at_once_where_nothing_was_shown(game: str) -> None:
    """What they did since is taken back as well."""
    sitting = alone(game).play_until(lambda table: audience.undo_for(table, 0) == "bots")
    before = steps(sitting)
    assert kinds(sitting.do(c.Undo(), ANA)) == ["Undone"]
    assert steps(sitting) < before
    assert sitting.asked == [ANA]
    assert audience.info(sitting.table).taken_back[0] == 1


@pytest.mark.parametrize("game", ["antiques", "collection", "port", "vinto"])
def test_what_has_shown_one_something_is_never_taken_back_alone(game: str) -> None:
    sitting = alone(game).play_until(lambda table: audience.undo_for(table, 0) == "shown")
    assert sitting.refusal(c.Undo(), ANA) == "shown"


def test_everyone_is_told_what_would_become_of_their_last_move() -> None:
    sitting, who = placed()
    seat = sitting.people.index(who)
    assert audience.undo_for(sitting.table, seat) == "free"
    assert {audience.undo_for(sitting.table, other) for other in {0, 1, 2} - {seat}} == {""}
    assert audience.undo_for(sitting.table, NOBODY) is None
    sitting.play_until(lambda table: on_turn(table) not in ("", who))
    assert audience.undo_for(sitting.table, seat) == "ask"
    sitting.do(c.Resign(), who)
    assert audience.undo_for(sitting.table, seat) == ""
    sitting.play_to_the_end()
    assert audience.undo_for(sitting.table, seat) == "over"
    drawn_alone = drawn()
    for other in (1, 2, 3):
        drawn_alone.do(c.ConnectionLost(other))
    assert audience.undo_for(drawn_alone.table, 0) == "shown"


def test_the_record_says_who_took_back_how_many_moves(tmp_path: Path) -> None:
    sitting, who = placed()
    for _ in range(2):
        sitting.do(c.Undo(), who)
        sitting.move(who)
    file = tmp_path / "record.jsonl"
    file.write_bytes(sitting.play_to_the_end().table.record())
    verify(file)
    counts = [2 if someone == who else 0 for someone in sitting.people]
    assert taken_back(file) == counts
    assert audience.info(sitting.table).taken_back == tuple(counts)
    for someone in sitting.people:
        sitting.do(c.Again(), someone)
    assert audience.info(sitting.table).taken_back == (0, 0, 0), "another game, another count"


def test_one_who_asked_and_has_gone_does_not_ask_any_more() -> None:
    for leave in (c.Stand(), c.Resign()):
        sitting = drawn()
        sitting.do(c.Undo(), ANA)
        sitting.do(leave, ANA)
        assert sitting.refusal(c.Agree(), BEN) == "no_undo_asked"


def test_nothing_is_taken_back_of_a_game_that_is_over() -> None:
    sitting = Sitting("port", 2).start()
    for _ in range(12):
        sitting.go_on()
    while audience.info(sitting.table).undo is None:
        sitting.do(c.Undo(), ANA)
    sitting.do(c.Resign(), BEN)
    assert audience.info(sitting.table).undo is None
    assert sitting.refusal(c.Undo(), ANA) == "over"
    assert sitting.refusal(c.Agree(), BEN) == "over"


def test_several_moves_are_taken_back_down_to_the_last_one_of_who_asked() -> None:
    sitting = drawn()
    before = steps(sitting)
    for who, move in ((ANA, "play"), (BEN, "pass"), (CLEO, "pass"), (DORA, "pass")):
        sitting.move(who, move)
    assert kinds(sitting.do(c.Undo(), ANA)) == ["UndoAsked"]
    for who in (BEN, CLEO, DORA):
        sitting.do(c.Agree(), who)
    assert steps(sitting) == before
    assert on_turn(sitting.table) == ANA


def test_what_chance_did_is_the_same_when_it_does_it_again() -> None:
    sitting = Sitting("vinto", 4, rounds=2).start()
    sitting.play_until(lambda table: table.game.state.rounds_played == 1)
    game = sitting.table.game
    assert game
    lines = [step.line for step in game.steps]
    mover = next(step.move for step in reversed(game.steps) if step.move)
    who = sitting.table.seats[mover.seat].who
    assert kinds(sitting.do(c.Undo(), who)) == ["UndoAsked"]
    for other in {*sitting.people} - {who}:
        sitting.do(c.Agree(), other)
    sitting.move(who, str(mover))
    again = sitting.table.game
    assert again
    assert [step.line for step in again.steps] == lines


def test_a_stale_move_is_refused() -> None:
    sitting, who = placed()
    seen = audience.now(sitting.table, sitting.now).step
    sitting.do(c.Undo(), who)
    move = (audience.legal(sitting.table, sitting.table.seat_of(who) or 0) or [])[0]
    assert sitting.refusal(c.PlayMove(move, step=seen), who) == "stale"
    assert kinds(sitting.do(c.PlayMove(move, step=seen - 1), who)) == ["Moved"]
