"""The moves of Collection and its chance, as the record names them: `place {kind}` · `close {kind}` · `end`."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal, get_args

import msgspec

from brocante.engine.chance_lines import read_as
from brocante.engine.errors import IllegalMove
from brocante.engine.moves import Move
from brocante.engine.text import Text
from brocante.games.collection import rules
from brocante.games.collection.rules import Action

Kind = Literal["banknotes", "watches", "stamps", "books", "tarots"]
KINDS: tuple[str, ...] = get_args(Kind)


class Place(Move, frozen=True):
    kind: Kind


class Close(Move, frozen=True):
    kind: Kind


class End(Move, frozen=True):
    pass


MOVES = (Place, Close, End)


def move_of(s: Any, actions: tuple[int, ...]) -> Move:
    """Every action is a move of its own."""
    seat, action = int(s.actor), actions[0]
    if action == Action.END_TURN:
        return End(seat)
    if action >= Action.CLOSE:
        return Close(seat, KINDS[action - Action.CLOSE])  # type: ignore[arg-type]
    return Place(seat, KINDS[action - Action.PLACE])  # type: ignore[arg-type]


def why_not(s: Any, move: Move) -> Text:
    """The clause that stands in the way."""
    match move:
        case Place(seat, kind):
            if not rules.holds(s, seat, KINDS.index(kind)):
                return Text("collection.why.not_held", kind=kind_name(kind))
            return Text("collection.why.no_room", n=rules.ROOM_ON_TABLE)
        case Close(seat, kind):
            if not rules.large_enough_to_close(s, seat, KINDS.index(kind)):
                return Text("collection.why.too_few", kind=kind_name(kind), n=rules.FEWEST_TO_CLOSE)
            return Text("collection.why.none_placed", kind=kind_name(kind))
    return Text("collection.why.nothing_placed")


def kind_name(kind: str) -> Text:
    return Text(f"collection.kind.{kind}.name")


# --- chance: every round is dealt by it -------------------------------------------------------------------------------


class Setup(msgspec.Struct, forbid_unknown_fields=True):
    """C2: who was dealt what, the pack with the next card first, and who starts."""

    hands: list[list[Kind]]
    pack: list[Kind]
    first: int


def chance_line(before: Any, after: Any) -> dict[str, Any]:
    hands = [[KINDS[k] for k in range(rules.KINDS) for _ in range(hand[k])] for hand in after.hand[: after.players]]
    pack = [KINDS[k] for k in after.pack if k != rules.DRAWN]
    return {"setup": {"hands": hands, "pack": pack, "first": int(after.first)}}


def chance_from_line(s: Any, line: Mapping[str, Any]) -> None:
    setup = read_setup(line)
    check_setup(s, setup)
    cards = [card for hand in setup.hands for card in hand] + setup.pack
    s.pack[:] = [KINDS.index(card) for card in cards]
    s.first = setup.first
    rules.deal(s)


def read_setup(line: Mapping[str, Any]) -> Setup:
    if set(line) != {"setup"}:
        raise IllegalMove(Text("collection.setup.only"))
    return read_as(Setup, line["setup"], "collection.setup.shape", kinds=KINDS)


def check_setup(s: Any, setup: Setup) -> None:
    """C1 and C2 (C12 in later rounds): whether a round can begin like this."""
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
    if not 0 <= setup.first < players:
        raise IllegalMove(Text("collection.setup.first", first=setup.first, last=players - 1))
    if s.rounds > 0 and setup.first != rules.left_of(s, s.first):
        starts = int(rules.left_of(s, s.first))
        raise IllegalMove(Text("collection.setup.passes_left", first=setup.first, seat=starts))
