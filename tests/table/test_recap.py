"""What happened since one's last turn, turn by turn, as one saw it then."""

from random import Random

import msgspec
import pytest

import brocante
from brocante.engine.history import History
from brocante.engine.random import generator
from brocante.engine.state import NOBODY
from brocante.engine.step import Step
from brocante.server.broadcast import recap
from brocante.table import LiveTable, audience
from brocante.table.recap import turns_since
from tests.table.tables import ENGLISH, PEOPLE, Sitting, viewers

ANA = PEOPLE[0]
NAMES = ("Ana", "Ben", "Cleo")


def back_on_turn() -> Sitting:
    """Ana is to decide again, after everyone else has had a turn."""
    sitting = Sitting(people=1).start()
    return sitting.play_until(lambda table: sitting.asked == [ANA] and seats(sitting, 0) == [1, 2])


def seats(sitting: Sitting, viewer: int) -> list[int | None]:
    return [frame.seat for frame in recap(sitting.table, viewer, ENGLISH)]


def test_a_recap_has_a_frame_for_each_turn_since_ones_own() -> None:
    sitting = back_on_turn()
    frames = recap(sitting.table, 0, ENGLISH)
    names = sitting.table.names
    assert all(line.startswith(names[frame.seat or 0]) for frame in frames for line in frame.said[:1])
    sitting.move(ANA)
    assert recap(sitting.table, 0, ENGLISH) == frames, "her own turn, while it is going on, is not part of it"


def test_a_die_is_rolled_in_the_turn_of_the_player_whose_boat_it_moves() -> None:
    """Though placing a marker is not worth a line, and so opens no turn."""
    game, random = brocante.deal("port", players=3, seed="dice"), Random("dice")
    rolled = 0
    while not game.is_over and rolled < 50:
        game.play(random.choice(game.legal_moves))
        for turn in turns_since(game, 0):
            for said in (ENGLISH.say(text, NAMES) for text in turn.said):
                if " rolls a " in said:
                    assert turn.seat is not None
                    assert said.startswith(NAMES[turn.seat])
                    rolled += 1
    assert rolled


def test_the_last_frame_is_how_things_stand() -> None:
    sitting = back_on_turn()
    *_, last = recap(sitting.table, 0, ENGLISH)
    view = audience.view(sitting.table, 0)
    assert view is not None
    here, there = msgspec.json.decode(view.encoded(ENGLISH, sitting.table.names)), msgspec.json.decode(last.view)
    assert [len(zone["stacks"]) for zone in there["table"]["places"][0]["zones"]] == [
        len(zone["stacks"]) for zone in here["table"]["places"][0]["zones"]
    ]
    assert there["offers"] == []
    assert b'"moves":[{' not in bytes(last.view), "nothing can be touched"


def test_before_the_deal_there_is_nothing_to_tell() -> None:
    assert recap(Sitting().table, 0, ENGLISH) == []


@pytest.mark.parametrize("game", brocante.GAMES)
def test_a_recap_tells_nobody_more_than_they_were_shown(game: str) -> None:
    """With other cards wherever the viewer was not shown them, it is the same."""
    rng, dice = Random(game), generator(game)
    sitting = Sitting(game, 2).start()
    for _ in range(4):
        for _ in range(rng.randrange(3, 12)):
            sitting.go_on() if sitting.table.phase != "over" else None
        for viewer in viewers(sitting.table) if sitting.table.phase != "over" else ():
            here = msgspec.json.encode(recap(sitting.table, viewer, ENGLISH))
            assert msgspec.json.encode(recap(dealt_otherwise(sitting.table, viewer, dice), viewer, ENGLISH)) == here


def dealt_otherwise(table: LiveTable, viewer: int, dice: object) -> LiveTable:
    """The same table, if all along there had been other cards where the viewer was not shown them."""
    other = table.copy()
    assert other.game
    steps = [redealt_step(table, step, viewer, dice) for step in other.game.steps]
    other.game.steps = History(steps)
    return other


def redealt_step(table: LiveTable, step: Step, viewer: int, dice: object) -> Step:
    before, after = (table.box.redealt(s, viewer, dice, from_shown=True) for s in step.states(table.box))
    return msgspec.structs.replace(step, before=before.tobytes(), after=after.tobytes())


def test_those_who_watch_see_the_turns_since_the_player_who_is_to_decide() -> None:
    sitting = back_on_turn()
    assert seats(sitting, NOBODY) == [1, 2]
