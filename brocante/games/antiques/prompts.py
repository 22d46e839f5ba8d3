"""What is asked on the antiques market, what each choice is called, and the key that makes it."""

from collections.abc import Sequence
from typing import Any

from brocante.engine.moves import Move
from brocante.engine.text import Player, Text
from brocante.games.antiques import rules
from brocante.games.antiques.faces import name_of
from brocante.games.antiques.moves import Hoard, Keep, Pass, Salvage, Steal
from brocante.games.antiques.rules import Stage


def prompt(s: Any, viewer: int, moves: Sequence[Move]) -> Text:
    if s.actor != viewer:
        return Text("prompt.wait", player=Player(s.actor))
    stage = Stage(s.stage)
    if stage == Stage.STEAL and not rules.can_salvage(s):
        return Text("antiques.prompt.only_steal")
    if stage == Stage.STEAL and not rules.cases_to_rob(s, viewer):
        return Text("antiques.prompt.only_salvage")
    if stage == Stage.FINAL and rules.is_second_pass(s):
        return Text("antiques.prompt.final_again")
    return Text(f"antiques.prompt.{stage.name.lower()}")


def label(s: Any, move: Move) -> Text:
    match move:
        case Steal(_, item, victim):
            return Text("antiques.move.steal", item=name_of(s, item), player=Player(victim))
        case Salvage():
            return Text("antiques.move.salvage", item=name_of(s, rules.top_of_discards(s)))
        case Hoard(_, item) | Keep(_, item):
            return Text(f"antiques.move.{move.name()}", item=name_of(s, item))
    return Text("antiques.move.pass")


def key(move: Move) -> str:
    """Items have no key of their own: there are too many."""
    return {"salvage": "s", "pass": "0"}.get(move.name(), "")


def is_risky(move: Move) -> bool:
    """A9: who hoards nothing more loses an item that they could still hoard."""
    return isinstance(move, Pass)
