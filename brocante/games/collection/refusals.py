"""Why a move of Collection is refused: what each move needs, clause by clause."""

from typing import Any

from brocante.engine.contract import Requirements
from brocante.engine.moves import Move
from brocante.engine.text import Text
from brocante.games.collection import rules
from brocante.games.collection.faces import kind_name
from brocante.games.collection.moves import KINDS, Close, Place


def requirements(s: Any, move: Move) -> Requirements:
    match move:
        case Place(seat, kind):
            k = KINDS.index(kind)
            yield rules.holds(s, seat, k), Text("collection.why.not_held", kind=kind_name(kind))
            yield rules.has_room(s, seat, k), Text("collection.why.no_room", n=rules.ROOM_ON_TABLE)
        case Close(seat, kind):
            k = KINDS.index(kind)
            too_few = Text("collection.why.too_few", kind=kind_name(kind), n=rules.FEWEST_TO_CLOSE)
            yield rules.large_enough_to_close(s, seat, k), too_few
            yield rules.placed_this_turn(s, k), Text("collection.why.none_placed", kind=kind_name(kind))
        case _:
            yield rules.can_end_turn(s), Text("collection.why.nothing_placed")
