"""Why a move on the antiques market is refused: what each move needs, clause by clause."""

from typing import Any

from brocante.engine.contract import Requirements
from brocante.engine.errors import quoted
from brocante.engine.moves import Move
from brocante.engine.text import Player, Text
from brocante.games.antiques import rules
from brocante.games.antiques.deck_file import deck_of
from brocante.games.antiques.moves import Hoard, Keep, Pass, Salvage, Steal
from brocante.games.antiques.rules import Stage

#: The steps in which each move is made.
STEPS: dict[type[Move], tuple[Stage, ...]] = {
    Hoard: (Stage.HOARD, Stage.FINAL),
    Steal: (Stage.STEAL,),
    Salvage: (Stage.STEAL,),
    Keep: (Stage.KEEP,),
    Pass: (Stage.FINAL,),
}


def requirements(s: Any, move: Move) -> Requirements:
    deck, stage = deck_of(s), Stage(s.stage)
    if isinstance(move, Hoard | Steal | Keep):
        yield move.item in deck.number, Text("antiques.why.no_such_item", item=quoted(move.item))
    yield stage in STEPS[type(move)], Text(f"antiques.why.step.{stage.name.lower()}")
    match move:
        case Salvage():
            yield rules.can_salvage(s), Text("antiques.why.nothing_to_salvage")
        case Hoard(seat, item):
            i, name = deck.number[item], deck.title_of(item)
            yield rules.in_case(s, seat, i), Text("antiques.why.not_in_your_case", item=name)
            yield rules.may_be_hoarded(s, seat, i), Text("antiques.why.just_stolen", item=name)
        case Steal(seat, item, victim):
            yield victim != seat, Text("antiques.why.yourself")
            elsewhere = Text("antiques.why.not_in_their_case", item=deck.title_of(item), player=Player(victim))
            yield victim in range(s.players) and rules.in_case(s, victim, deck.number[item]), elsewhere
            yield rules.may_be_robbed(s, victim), Text("antiques.why.only_item", player=Player(victim))
        case Keep(_, item):
            yield rules.is_drawn(s, deck.number[item]), Text("antiques.why.not_drawn", item=deck.title_of(item))
