"""What players say: plain text, not too much of it, to all or to those who play with them."""

import pytest

from brocante.engine.state import NOBODY
from brocante.table import LiveTable, audience
from brocante.table import commands as c
from tests.games.vinto_positions import position
from tests.table.tables import ENGLISH, PEOPLE, Sitting, kinds, viewers

ANA, BEN, CLEO, DORA = PEOPLE[:4]
CALLED = """
    pile: 5C …
      seat 0           2C 3C
    > seat 1           2D 3D
      seat 2           2H 3H
      seat 3 (vinto)   2S 3S
"""


def heard(table: LiveTable, viewer: int) -> list[str]:
    events = audience.events(table, viewer, 0, ENGLISH)
    assert events is not None
    return [event.text for event in events if event.event == "said"]


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("hello", "hello"),
        ("  two\nlines\tand\u2028more ", "two lines and more"),
        ("<b>bold</b> & {player}", "<b>bold</b> & {player}"),
        ("\u202eolleh\u200b\x00", "olleh"),
        ("e\u0301t\u00e9", "\u00e9t\u00e9"),
        ("x" * 400, "x" * 300),
    ],
)
def test_a_message_is_one_line_of_plain_text(said: str, heard: str) -> None:
    sitting = Sitting()
    sitting.do(c.Chat(said), ANA)
    event = sitting.told(NOBODY)[-1]
    assert (event.event, event.seat, event.text, event.allies) == ("said", 0, heard, False)


def test_silence_is_not_a_message() -> None:
    assert Sitting().refusal(c.Chat(" \n\u200b"), ANA) == "silence"


def test_a_reaction_is_said_with_one_touch() -> None:
    sitting = Sitting()
    sitting.do(c.Chat(reaction="well_played"), BEN)
    event = sitting.told(NOBODY)[-1]
    assert (event.event, event.seat, event.text, event.reaction) == ("said", 1, "", "well_played")
    assert sitting.refusal(c.Chat("and more", reaction="ouch"), BEN) == "one_reaction"
    for _ in range(4):
        sitting.do(c.Chat(reaction="thanks"), BEN)
    assert sitting.refusal(c.Chat(reaction="thanks"), BEN) == "chatty"


def test_nobody_floods_a_table() -> None:
    sitting = Sitting()
    for _ in range(5):
        sitting.do(c.Chat("hey"), ANA)
        sitting.wait(1)
    assert sitting.refusal(c.Chat("hey"), ANA) == "chatty"
    sitting.do(c.Chat("calm down"), BEN)
    sitting.wait(5.5)
    sitting.do(c.Chat("hey"), ANA)
    assert sitting.refusal(c.Chat("hey"), ANA) == "chatty"


def test_whoever_gets_up_and_sits_down_again_has_still_said_as_much() -> None:
    sitting = Sitting(people=2)
    said = 0
    for _ in range(20):
        if said < 5:
            sitting.do(c.Chat("hey"), BEN)
            said += 1
        else:
            assert sitting.refusal(c.Chat("hey"), BEN) == "chatty"
        sitting.do(c.Stand(), BEN)
        sitting.do(c.Sit("Ben", seat=1 + said % 2), BEN)
        sitting.wait(0.1)
    sitting.do(c.Chat("ahem"), ANA)
    sitting.wait(10)
    assert kinds(sitting.do(c.Chat("hey"), BEN)) == ["Said"]


def test_whoever_comes_as_somebody_else_each_time_does_not_flood_a_table_either() -> None:
    """Nor do they keep those from talking who sit there."""
    sitting, said = Sitting(people=1), 0
    for number in range(20):
        who = f"id-eve-{number}"
        sitting.do(c.Sit(f"Eve {number}", seat=1), who)
        for _ in range(5):
            if said < 5:
                sitting.do(c.Chat("hey"), who)
                said += 1
            else:
                assert sitting.refusal(c.Chat("hey"), who) == "noisy"
        sitting.do(c.Stand(), who)
    for _ in range(5):
        sitting.do(c.Chat("who are you all?"), ANA)
    assert sitting.refusal(c.Chat("I see"), ANA) == "chatty"
    sitting.do(c.Sit("Ben", seat=1), BEN)
    sitting.wait(10)
    sitting.do(c.Chat("at last"), BEN)


def test_those_who_sit_here_may_talk_before_during_and_after_a_game() -> None:
    sitting = Sitting(people=2)
    sitting.do(c.Chat("shall we?"), BEN)
    sitting.start()
    sitting.do(c.Pause(), ANA)
    sitting.do(c.Chat("one moment"), ANA)
    sitting.do(c.Resume(), ANA)
    sitting.play_to_the_end()
    assert kinds(sitting.do(c.Chat("good game"), BEN)) == ["Said"]


def test_the_coalition_talks_among_itself() -> None:
    """V9: until the round is scored."""
    sitting = Sitting("vinto", 4).lay_out(position(CALLED, rounds=1))
    before = {viewer: sitting.table.event_counts[viewer] for viewer in viewers(sitting.table)}
    sitting.do(c.Chat("my 2 is on the left", allies=True), BEN)
    for viewer in (0, 1, 2):
        assert heard(sitting.table, viewer) == ["my 2 is on the left"]
        assert sitting.told(viewer)[-1].allies
    for viewer in (3, NOBODY):
        assert heard(sitting.table, viewer) == []
        assert sitting.table.event_counts[viewer] == before[viewer], "not even a number is missing"
    assert sitting.refusal(c.Chat("and me?", allies=True), DORA) == "no_allies"


def test_nobody_has_allies_before_vinto_is_called() -> None:
    sitting = Sitting("vinto", 4)
    assert sitting.refusal(c.Chat("psst", allies=True), ANA) == "not_started"
    sitting.start()
    assert sitting.refusal(c.Chat("psst", allies=True), ANA) == "no_allies"
    assert Sitting("port").start().refusal(c.Chat("psst", allies=True), ANA) == "no_allies"


def test_whoever_sits_down_later_does_not_hear_what_was_said_in_confidence() -> None:
    sitting = Sitting("vinto", 4).lay_out(position(CALLED, rounds=1))
    sitting.do(c.Chat("in confidence", allies=True), BEN)
    sitting.do(c.Chat("to all"), BEN)
    sitting.play_to_the_end()
    sitting.do(c.Stand(), BEN)
    sitting.do(c.Sit("Eve"), PEOPLE[4])
    assert sitting.table.seat_of(PEOPLE[4]) == 1
    assert heard(sitting.table, 1) == ["", "to all"]
    assert heard(sitting.table, 2) == ["in confidence", "to all"]
