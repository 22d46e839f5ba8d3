"""The deal of a round, as records write it."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec

from brocante.engine import left_of
from brocante.engine.chance_lines import check_first, read_as
from brocante.engine.errors import IllegalMove
from brocante.engine.text import Text
from brocante.games.collection import rules
from brocante.games.collection.faces import kind_name
from brocante.games.collection.moves import KINDS, Kind


class Setup(msgspec.Struct, forbid_unknown_fields=True):
    """C2: who was dealt what, the deck with the next card first, and who starts."""

    hands: list[list[Kind]]
    pack: list[Kind]
    first: int


def chance_line(before: Any, after: Any) -> dict[str, Any]:
    hands = [[KINDS[k] for k in range(rules.KINDS) for _ in range(hand[k])] for hand in after.hand[: after.players]]
    pack = [KINDS[k] for k in reversed(after.deck[: after.left])]
    return {"setup": {"hands": hands, "pack": pack, "first": int(after.first)}}


def chance_from_line(s: Any, line: Mapping[str, Any]) -> None:
    setup = read_setup(line)
    check_setup(s, setup)
    cards = [card for hand in setup.hands for card in hand] + setup.pack
    s.deck[:] = [KINDS.index(card) for card in reversed(cards)]
    s.first = setup.first
    rules.deal(s)


def read_setup(line: Mapping[str, Any]) -> Setup:
    if set(line) != {"setup"}:
        raise IllegalMove(Text("collection.setup.only"))
    return read_as(Setup, line["setup"], "collection.setup.shape", kinds=KINDS)


def check_setup(s: Any, setup: Setup) -> None:
    """C1 and C2 (C12 in later rounds): check that a round can begin like this."""
    players = int(s.players)
    if len(setup.hands) != players:
        raise IllegalMove(Text("collection.setup.hands", players=players, hands=len(setup.hands)))
    for seat, hand in enumerate(setup.hands):
        if len(hand) != rules.HAND:
            raise IllegalMove(Text("collection.setup.hand", seat=seat, cards=len(hand), n=rules.HAND))
    dealt: Counter[str] = Counter(card for cards in (*setup.hands, setup.pack) for card in cards)
    for kind, n in zip(KINDS, rules.BOX, strict=True):
        if dealt[kind] != n:
            raise IllegalMove(Text("collection.setup.cards", kind=kind_name(kind), cards=dealt[kind], n=int(n)))
    check_first(setup.first, players, "C2")
    if s.rounds > 0 and setup.first != left_of(s, s.first):
        starts = int(left_of(s, s.first))
        raise IllegalMove(Text("collection.setup.passes_left", first=setup.first, seat=starts))
