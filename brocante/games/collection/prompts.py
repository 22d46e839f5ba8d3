"""What is asked in Collection, what each choice is called, and the key that makes it."""

from collections.abc import Sequence
from typing import Any

from brocante.engine.moves import Move
from brocante.engine.text import Player, Text
from brocante.games.collection import rules
from brocante.games.collection.faces import cards_named, kind_name
from brocante.games.collection.moves import KINDS, Close, End, Place


def prompt(s: Any, viewer: int, moves: Sequence[Move]) -> Text:
    if s.actor != viewer:
        return Text("prompt.wait", player=Player(s.actor))
    kinds = {type(move) for move in moves}
    if End not in kinds:
        return Text("collection.prompt.begin")
    can_close = Close in kinds
    drawn = (
        Text("collection.prompt.draw", n=n) if (n := int(rules.cards_to_draw(s))) else Text("collection.prompt.no_draw")
    )
    if Place in kinds:
        return Text("collection.prompt.close_or_place" if can_close else "collection.prompt.place", drawn=drawn)
    return Text("collection.prompt.close" if can_close else "collection.prompt.end", drawn=drawn)


def label(s: Any, move: Move) -> Text:
    if isinstance(move, Place | Close):
        return Text(f"collection.move.{move.name()}", card=cards_named(move.kind, 1), kind=kind_name(move.kind))
    return Text("collection.move.end")


def key(move: Move) -> str:
    """1 to 5 place a card of each kind, 6 to 0 close its collection, e ends the turn."""
    if isinstance(move, Place | Close):
        number = KINDS.index(move.kind) + (6 if isinstance(move, Close) else 1)
        return str(number % 10)
    return "e"
