"""The setup, the die and the renewal of the deck, as records write them."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from brocante.engine.chance_lines import check_each_once, check_first, read_as, read_renewal
from brocante.engine.errors import IllegalMove, quoted
from brocante.engine.text import Text
from brocante.games.port import rules
from brocante.games.port.board import Board, board_of
from brocante.games.port.names import CARD_IDS
from brocante.games.port.rules import HAND, ROUNDS, SIDES_OF_A_DIE, Stage


class Setup(msgspec.Struct, forbid_unknown_fields=True):
    """P7: who begins, the chips from round I on, the hands, the deck with the next card first, and a player's board."""

    first: int
    bonuses: list[int]
    hands: list[list[str]]
    deck: list[str]
    board: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


class Die(msgspec.Struct, forbid_unknown_fields=True):
    """P13, P16."""

    chance: str
    value: int


def chance_line(before: Any, after: Any) -> dict[str, Any]:
    if before.stage == Stage.ROLL:
        return {"chance": "die", "value": int(after.die)}
    deck = [CARD_IDS[k] for k in reversed(after.deck[: after.left])]
    if before.stage == Stage.RENEW:
        return {"chance": "renew", "deck": [*cards(after.hand[before.turn] - before.hand[before.turn]), *deck]}
    setup = {
        "first": int(after.first),
        "bonuses": after.bonuses.tolist(),
        "hands": [cards(after.hand[p]) for p in range(after.players)],
        "deck": deck,
    }
    board = board_of(after)
    return {"setup": setup if board == Board.built_in() else {**setup, "board": board.for_record()}}


def chance_from_line(s: Any, line: Mapping[str, Any]) -> None:
    if s.stage == Stage.DEAL:
        deal_from_line(s, line)
    elif s.stage == Stage.RENEW:
        renew_from_line(s, line)
    else:
        roll_from_line(s, line)


def deal_from_line(s: Any, line: Mapping[str, Any]) -> None:
    """P7."""
    if set(line) != {"setup"}:
        raise IllegalMove(Text("port.setup.only"))
    setup = read_as(Setup, line["setup"], "port.setup.shape")
    Board.take(s, setup.board, lacking="port.setup.board_wanted", other="port.setup.other_board")
    check_setup(s, setup)
    s.bonuses[:] = setup.bonuses
    s.deck[:] = kinds(reversed(dealt(setup)))
    rules.deal(s, setup.first)


def check_setup(s: Any, setup: Setup) -> None:
    """P4, P5, P7: check that a game can begin like this."""
    players = int(s.players)
    check_first(setup.first, players, "P7")
    if sorted(setup.bonuses) != s.chips.tolist():
        raise IllegalMove(Text("port.setup.bonuses", n=ROUNDS, chips=tuple(map(str, s.chips))))
    if len(setup.hands) != players:
        raise IllegalMove(Text("port.setup.hands", hands=len(setup.hands), n=players))
    for seat, hand in enumerate(setup.hands):
        if len(hand) != HAND:
            raise IllegalMove(Text("port.setup.hand", seat=seat, cards=len(hand), n=HAND))
    check_each_once(dealt(setup), cards(s.box), "port.setup.cards")


def dealt(setup: Setup) -> list[str]:
    """All cards in the order in which they are dealt."""
    return [card for hand in setup.hands for card in hand] + setup.deck


def renew_from_line(s: Any, line: Mapping[str, Any]) -> None:
    """P17."""
    deck = read_renewal(line, "port.renewal")
    check_each_once(deck, cards(s.used), "port.renewal.cards")
    rules.gather_used(s)
    s.deck[: s.left] = kinds(reversed(deck))
    rules.go_on_after_renewal(s)


def roll_from_line(s: Any, line: Mapping[str, Any]) -> None:
    """P13, P16."""
    die = read_as(Die, dict(line), "port.die.shape")
    if die.chance != "die" or not 1 <= die.value <= SIDES_OF_A_DIE:
        raise IllegalMove(Text("port.die.wrong", chance=quoted(die.chance), value=die.value, most=SIDES_OF_A_DIE))
    rules.roll(s, die.value)


def cards(counts: Iterable[int]) -> list[str]:
    """The cards by name, from how many there are of each kind."""
    return [card for card, n in zip(CARD_IDS, counts, strict=True) for _ in range(n)]


def kinds(ids: Iterable[str]) -> list[int]:
    names: tuple[str, ...] = CARD_IDS
    return [names.index(card) for card in ids]
