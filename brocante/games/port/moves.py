"""The moves of Port, as the record names them: `mark {action, …}` · `card {card, …}` · `sail {to}` · `stop` ·
`load {site}` · `unload {slot, column}` · `add {category}` · `pass` · `end`."""

from collections.abc import Mapping
from typing import Any, Literal

from brocante.engine.deck import NONE
from brocante.engine.moves import Move
from brocante.engine.state import copied
from brocante.games.port import rules
from brocante.games.port.board import board_of
from brocante.games.port.names import (
    ACTION_IDS,
    CARD_IDS,
    CATEGORY_IDS,
    COLUMN_IDS,
    EXTRA_IDS,
    ActionId,
    AddedId,
    CardId,
    ColumnId,
    ExtraId,
)
from brocante.games.port.rules import COLUMNS, Action, Kind, Stage


class Mark(Move, frozen=True):
    action: ActionId
    site: str | None = None
    sites: tuple[str, ...] | None = None
    discard: CardId | None = None


class Card(Move, frozen=True):
    card: CardId
    action: ActionId | None = None
    site: str | None = None
    sites: tuple[str, ...] | None = None
    extra: ExtraId | None = None
    vineyard: str | None = None
    brandy: str | None = None
    columns: tuple[ColumnId, ...] | None = None
    column: ColumnId | None = None
    discard: CardId | None = None


class Sail(Move, frozen=True):
    to: Literal["up", "down"]


class Stop(Move, frozen=True):
    pass


class Load(Move, frozen=True):
    site: str


class Unload(Move, frozen=True):
    slot: int
    column: ColumnId


class Add(Move, frozen=True):
    category: AddedId


class Pass(Move, frozen=True):
    pass


class End(Move, frozen=True):
    pass


MOVES = (Mark, Card, Sail, Stop, Load, Unload, Add, Pass, End)
#: Moves without arguments.
PLAIN: dict[int, type[Move]] = {Action.PASS: Pass, Action.END: End, Action.STOP: Stop}


def move_of(s: Any, actions: tuple[int, ...]) -> Move | None:
    """A marker or a card is one move with all its choices; everything else is a single action."""
    seat, first = int(s.actor), actions[0]
    if first in PLAIN:
        return PLAIN[first](seat)
    if first >= Action.SITE:
        return None  # no move begins like this
    if first >= Action.ADD:
        return Add(seat, "none" if first == Action.ADD_NONE else CATEGORY_IDS[first - Action.ADD])
    if first >= Action.UP:
        return Sail(seat, "up" if first == Action.UP else "down")
    if first >= Action.UNLOAD:
        slot, column = divmod(first - Action.UNLOAD, COLUMNS)
        return Unload(seat, slot, COLUMN_IDS[column])
    if first >= Action.LOAD:
        return Load(seat, site_of(s, seat, first - Action.LOAD))
    return spelled_out(s, seat, actions)


def spelled_out(s: Any, seat: int, actions: tuple[int, ...]) -> Move | None:
    """The move of a marker or a card, if these are all of its choices."""
    after, chosen = copied(s), dict[str, Any]()
    for action in actions:
        chosen.update(choice(after, seat, action, chosen))
        rules.apply(after, action)
    if rules.is_choosing(after):
        return None
    return Card(seat, **chosen) if "card" in chosen else Mark(seat, **chosen)


def may_choose(s: Any, action: int, move: Move) -> bool:
    """Whether it adds to a marker or a card what that has. All other moves are a single action."""
    is_single = Action.LOAD <= action < Action.SITE
    if is_single or not isinstance(move, Mark | Card):
        return is_single != isinstance(move, Mark | Card)
    added = choice(s, int(s.actor), action, {})
    return all(is_part(value, getattr(move, name, None)) for name, value in added.items())


def is_part(value: Any, whole: Any) -> bool:
    """Whether what was chosen is a part of all that was; of lists, some at a time are chosen."""
    return {*value} <= {*(whole or ())} if isinstance(value, tuple) else bool(value == whole)


def choice(s: Any, seat: int, action: int, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """What an action adds to the move that it is a part of."""
    if action < Action.PLAY:
        return {"action": ACTION_IDS[action - Action.MARK]}
    if action < Action.LOAD:
        return {"card": CARD_IDS[action - Action.PLAY]}
    match int(s.stage):
        case Stage.FREE:
            return {"action": ACTION_IDS[action - Action.FREE]}
        case Stage.SITE:
            return {"site": board_of(s).ids[action - Action.SITE]}
        case Stage.EXTRA:
            return {"extra": EXTRA_IDS[action - Action.EXTRA]}
        case Stage.DISCARD:
            return {"discard": CARD_IDS[action - Action.DISCARD]}
        case Stage.VINTAGE:
            return {"column": COLUMN_IDS[action - Action.COLUMN]}
        case Stage.COLHEITA | Stage.COLHEITA_SECOND:
            column = COLUMN_IDS[action - Action.COLUMN]
            return {"columns": tuple(dict.fromkeys((*chosen.get("columns", ()), column)))}
    if action == Action.ENOUGH:
        return {}
    site = site_of(s, seat, action - Action.ESTATE)
    if s.stage == Stage.HARVEST:
        return {"sites": (*chosen.get("sites", ()), site)}
    return {Stage(s.stage).name.lower() if s.in_play == Kind.PLANTING else "site": site}


def site_of(s: Any, seat: int, estate: int) -> str:
    return board_of(s).ids[int(s.site[seat, estate])]


def estate_at(s: Any, seat: int, site: str) -> int | None:
    """Which of a player's Estates is at a site, if any."""
    number = board_of(s).number.get(site, NONE)
    return next((e for e in range(s.estates[seat]) if s.site[seat, e] == number), None)
