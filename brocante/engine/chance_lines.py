"""What chance did, read from a line of a record and checked: its shape, and that every card is there once."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from brocante.engine.errors import IllegalMove, quoted
from brocante.engine.text import Text

Shape = TypeVar("Shape")


def read_as(shape: type[Shape], data: Any, wrong: str, **blanks: Any) -> Shape:
    """The data as an object of this shape. Raises an IllegalMove that says `wrong`, with the problem in a blank."""
    try:
        return msgspec.convert(data, shape)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise IllegalMove(Text(wrong, problem=str(error), **blanks)) from None


class Renewal(msgspec.Struct, forbid_unknown_fields=True):
    """A pile that was shuffled into a new deck, the next card first."""

    chance: str
    deck: list[str]


def read_renewal(line: Mapping[str, Any], what: str) -> list[str]:
    """The new deck of a line `{"chance": "renew", "deck": […]}`; any other line is refused, as `what` says."""
    renewal = read_as(Renewal, dict(line), f"{what}.shape")
    if renewal.chance != "renew":
        raise IllegalMove(Text(f"{what}.chance", chance=quoted(renewal.chance)))
    return renewal.deck


def check_each_once(found: Iterable[str], wanted: Iterable[str], what: str) -> None:
    """Check that every piece is there once, and no other; name the first that is wrong, as `what` says."""
    surplus, lacking = Counter(found), Counter(wanted)
    surplus, lacking = surplus - lacking, lacking - surplus
    if surplus:
        raise IllegalMove(Text(f"{what}.surplus", piece=quoted(min(surplus))))
    if lacking:
        raise IllegalMove(Text(f"{what}.lacking", piece=quoted(min(lacking))))


def check_first(first: int, players: int, clause: str) -> None:
    """Check that the first player sits at the table, as a clause of the rules requires."""
    if not 0 <= first < players:
        raise IllegalMove(Text("error.chance.first", first=first, last=players - 1, clause=clause))
