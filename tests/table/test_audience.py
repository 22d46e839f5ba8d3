"""What each viewer is told, and in which words."""

import pytest

from brocante.engine.state import NOBODY
from brocante.table import audience
from brocante.table import commands as c
from brocante.table.snapshot import restore, take_snapshot
from brocante.wire.events import Now
from tests.games.vinto_positions import play, position
from tests.table.tables import ENGLISH, FRENCH, PEOPLE, Sitting, viewers

ANA, BEN, CLEO, DORA = PEOPLE[:4]
LOOK = """
    pile: 7H 6C 6D …
    > seat 0   KC 3C
      seat 1   2D 3D
      seat 2   2H 3H
      seat 3   2S 3S
"""


def test_everyone_reads_the_log_in_their_language() -> None:
    sitting = Sitting(people=2)
    sitting.do(c.Stand(), BEN)
    sitting.start()
    assert sitting.log(0, "en")[:4] == ["Ana sits down.", "Ben sits down.", "Ben gets up.", "Odette sits down."]
    assert sitting.log(0, "fr")[:4] == ["Ana s’assoit.", "Ben s’assoit.", "Ben se lève.", "Odette s’assoit."]


@pytest.mark.parametrize("game", ["vinto", "port"])
def test_a_language_changes_words_and_nothing_else(game: str) -> None:
    sitting = Sitting(game, 2).start().play_to_the_end()
    for viewer in viewers(sitting.table):
        both = zip(sitting.told(viewer, "en"), sitting.told(viewer, "fr"), strict=True)
        assert all((a.n, a.at, a.event, len(a.said)) == (b.n, b.at, b.event, len(b.said)) for a, b in both)


def test_a_card_is_shown_for_a_moment_to_who_looks_at_it() -> None:
    sitting = Sitting("vinto", 4).lay_out(play(position(LOOK, rounds=1), "draw", "play", "pass", "pass", "pass"))
    sitting.move(ANA, "look 0,0")
    for viewer in viewers(sitting.table):
        event = sitting.told(viewer)[-1]
        assert event.event == "moved"
        assert bool(event.moments) == (viewer == 0)
        assert event.move is None
        assert ("K♣" in str(event)) == (viewer == 0)


def test_everyone_sees_what_a_die_shows() -> None:
    sitting = Sitting("port", 2).start()
    game = sitting.table.game
    assert game is not None
    sitting.do(c.PlayMove("mark boat"), PEOPLE[game.actor])
    rolled = sitting.table.game.steps[-1].line["value"]  # type: ignore[union-attr]
    assert {sitting.told(viewer)[-1].die for viewer in viewers(sitting.table)} == {rolled}
    assert not any(event.die for event in sitting.told(0)[:-1])


def test_one_who_comes_back_is_told_what_they_missed_and_a_newcomer_the_log() -> None:
    sitting = Sitting(people=3).start()
    seen = sitting.table.event_counts[1]
    for _ in range(10):
        sitting.go_on()
    missed = audience.events(sitting.table, 1, seen, ENGLISH)
    assert missed is not None
    assert [event.n for event in missed] == list(range(seen + 1, sitting.table.event_counts[1] + 1))
    assert audience.events(sitting.table, 1, sitting.table.event_counts[1], ENGLISH) == []
    assert audience.events(sitting.table, 1, sitting.table.event_counts[1] + 1, ENGLISH) is None
    assert audience.events(sitting.table, 1, -1, ENGLISH) is None
    assert len(audience.log(sitting.table, NOBODY, FRENCH)) >= 10
    assert audience.log(Sitting().table, NOBODY, ENGLISH) == []


def test_what_lies_before_a_snapshot_is_in_the_facts_alone() -> None:
    sitting = Sitting(people=3).start()
    seen = dict(sitting.table.event_counts)
    sitting.table = restore(take_snapshot(sitting.table), 1.0)
    sitting.go_on()
    for viewer in viewers(sitting.table):
        assert audience.events(sitting.table, viewer, seen[viewer] - 1, ENGLISH) is None
        events = audience.events(sitting.table, viewer, seen[viewer], ENGLISH)
        assert events is not None
        assert [event.n for event in events] == [seen[viewer] + 1]


def test_while_all_decide_one_who_has_waits_for_the_others() -> None:
    sitting = Sitting("vinto", 4).start()
    sitting.move(BEN)
    waiting, asked, watching = (audience.view(sitting.table, viewer) for viewer in (1, 2, NOBODY))
    assert waiting is not None
    assert asked is not None
    assert watching is not None
    assert waiting.prompt == watching.prompt
    assert not waiting.offers
    assert asked.offers
    assert asked.actor == 2
    assert audience.now(sitting.table, sitting.now).asked == tuple(sitting.table.deciding)
    assert len(sitting.table.deciding) == 4


def test_before_the_deal_there_is_nothing_to_see() -> None:
    table = Sitting().table
    assert audience.view(table, 0) is None
    assert audience.legal(table, 0) is None
    assert audience.now(table, 0.0) == Now()


@pytest.mark.parametrize(("game", "people"), [("antiques", 3), ("vinto", 4), ("collection", 2)])
def test_events_say_how_they_read_when_they_are_no_longer_news(game: str, people: int) -> None:
    """A client that has heard everything needs no log: of what is old, it keeps what the log would keep."""
    sitting = Sitting(game, people).start()
    faded = False
    for _ in range(6):
        for _ in range(7):
            sitting.go_on()
        for viewer in (0, people - 1):
            log = audience.log(sitting.table, viewer, ENGLISH)
            assert from_events(sitting, viewer) == log
            later = [ENGLISH.say(text, sitting.table.dealt_to) for text in audience.fading(sitting.table, viewer)]
            faded |= log[len(log) - len(later) :] != later
    assert faded == (game != "collection")


@pytest.mark.parametrize(("game", "people"), [("antiques", 3), ("vinto", 4)])
def test_where_nothing_fades_the_log_is_told_in_full(game: str, people: int) -> None:
    sitting = Sitting(game, people)
    sitting.do(c.Change(fading=False), ANA)
    assert not audience.info(sitting.table).fading
    sitting.start()
    for _ in range(40):
        sitting.go_on()
    for viewer in viewers(sitting.table):
        told = [event for event in sitting.told(viewer) if event.event in ("started", "moved")]
        assert not any(event.later for event in told)
        said = [line for event in told for line in event.said if line != "The game begins."]
        assert audience.log(sitting.table, viewer, ENGLISH) == said
        assert audience.fading(sitting.table, viewer) == []
    sitting.play_to_the_end()
    for who in sitting.people:
        sitting.do(c.Again(), who)
    assert not sitting.table.fading, "it holds for the next game, too"


def from_events(sitting: Sitting, viewer: int) -> list[str]:
    """The log as a client has it, by the rule of docs/api.md."""
    played = [event for event in sitting.told(viewer) if event.event in ("started", "moved", "announced")]
    moves = [event if event.event == "moved" else None for event in played]
    turns = [move and (move.seat if move.turn is None else move.turn) for move in moves]
    old, others_moved = 0, False
    for number in range(len(turns), 0, -1):
        turn = turns[number - 1]
        others_moved |= turn is not None and turn != viewer
        if others_moved and turn == viewer:
            old = number
            break
    old *= sitting.table.phase != "over"
    lines = [event.later or event.said if n < old else event.said for n, event in enumerate(played)]
    return [line for of_event in lines for line in of_event if line != "The game begins."]
