"""The moves of Port and its chance, as the record names them: `mark {action, …}` · `card {card, …}` · `sail {to}` ·
`stop` · `load {site}` · `unload {slot, column}` · `add {category}` · `pass` · `end`."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from brocante.engine.chance_lines import check_each_once, read_as, read_renewal
from brocante.engine.errors import IllegalMove, shown
from brocante.engine.moves import Move, Part
from brocante.engine.state import copied
from brocante.engine.text import Text, Words
from brocante.games.port import rules
from brocante.games.port.board import Board, board_of
from brocante.games.port.faces import act_name, named_site
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
from brocante.games.port.rules import (
    COLUMNS,
    ESTATES,
    HAND,
    NONE,
    ROUNDS,
    SIDES_OF_A_DIE,
    Action,
    Extra,
    Kind,
    Stage,
)


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
#: What is done in one step and names nothing.
PLAIN: dict[int, type[Move]] = {Action.PASS: Pass, Action.END: End, Action.STOP: Stop}


def move_of(s: Any, actions: tuple[int, ...]) -> Move | None:
    """A marker or a card and whatever it asks for is one move; everything else is a single action."""
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


def choice(s: Any, seat: int, action: int, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """What an action says about the move that it is a part of."""
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


# --- why a move is refused --------------------------------------------------------------------------------------------

#: What each action and card asks for. The arguments of a free card are those of its action besides.
ASKS: dict[ActionId, tuple[str, ...]] = {
    "buy": ("site",),
    "vineyard": ("site",),
    "brandy": ("site",),
    "harvest": ("sites",),
    "boat": (),
    "age": (),
    "draw": (),
}
CARD_ASKS: dict[CardId, tuple[str, ...]] = {
    "buying": ("site", "extra"),
    "planting": (),
    "harvest": ("site",),
    "free": ("action",),
    "colheita": ("columns",),
    "boat": (),
    "age-barrel": (),
    "age-quality": (),
    "enologist": (),
    "vintage": ("column",),
}
#: And what may stand beside that, as the position has it.
MAY_SAY = {"planting": ("vineyard", "brandy"), "draw": ("discard",)}


def why_not(s: Any, move: Move) -> Text:
    """The clause that stands in the way. It tells the player no more than they can see."""
    if isinstance(move, Part):
        if rules.is_choosing(s):
            return choice_refused(s, move.seat, move.action)
        if move.action >= Action.LOAD:  # what is done in one step
            move = move_of(s, (move.action,)) or move
    stage = int(s.stage)
    match move:
        case Add():
            return add_refused(s, move)
        case _ if stage == Stage.ADD:
            return Text("port.why.add_first")
        case Unload():
            return unload_refused(s, move)
        case _ if rules.must_unload(s, move.seat):
            return Text("port.why.unload_first")
        case Load():
            return load_refused(s, move)
        case Sail(_, to) if stage == Stage.BOAT:
            return sail_refused(s, to)
        case Sail() | Stop():
            return Text("port.why.no_trip")
        case _ if stage == Stage.BOAT:
            return Text("port.why.on_the_way")
    return turn_refused(s, move)


def add_refused(s: Any, move: Add) -> Text:
    if int(s.stage) != Stage.ADD:
        return Text("port.why.not_due")
    if s.supply == 0:
        return Text("port.why.add_none")
    if move.category == "none":
        return Text("port.why.add_something")
    return Text("port.why.add_where", category=Text(f"port.category.{move.category}"))


def unload_refused(s: Any, move: Unload) -> Text:
    seat = move.seat
    if s.at[seat] != rules.GAIA:
        return Text("port.why.not_in_gaia")
    if not s.cargo[seat].any():
        return Text("port.why.nothing_aboard")
    if s.cellar[seat].all():
        return Text("port.why.cellar_full")
    if not 0 <= move.slot < rules.SLOTS or not s.cargo[seat, move.slot]:
        return Text("port.why.slot", slot=move.slot)
    return Text("port.why.column_full", column=Text(f"port.column.{move.column}"))


def not_yours(s: Any, site: Any, clause: str) -> Text:
    name: Words = named_site(site) if site in board_of(s).number else shown(site)
    return Text("port.why.not_yours", site=name, clause=clause)


def load_refused(s: Any, move: Load) -> Text:
    estate = estate_at(s, move.seat, move.site)
    if estate is None:
        return not_yours(s, move.site, "P14")
    if not s.crop[move.seat, estate]:
        return Text("port.why.no_barrels", site=named_site(move.site))
    if s.harbour[s.site[move.seat, estate]] != s.at[move.seat]:
        return Text("port.why.boat_elsewhere", site=named_site(move.site))
    return Text("port.why.boat_full")


def sail_refused(s: Any, to: str) -> Text:
    if not s.moves_left and not (s.drifting and to == "down"):
        return Text("port.why.no_moves")
    return Text("port.why.end_of_river" if to == "up" else "port.why.sea")


def turn_refused(s: Any, move: Move) -> Text:
    match move:
        case Part(seat, action):
            return touch_refused(s, seat, action)
        case Pass():
            return Text("port.why.end_instead")
        case End():
            return Text("port.why.no_end")
        case Mark() if s.marked:
            return Text("port.why.marked")
        case Mark(seat, action) if not rules.circle_is_free(s, seat, ACTION_IDS.index(action)):
            return Text("port.why.no_circle", action=Text(f"port.action.{action}"))
        case Mark(seat, action):
            return arguments_refused(move, action, ASKS[action]) or act_refused(s, move, action)
        case Card(seat, card) if not s.hand[seat, CARD_IDS.index(card)]:
            return not_held(card)
        case Card(_, "free", action) if action:
            return arguments_refused(move, action, ("action", *ASKS[action])) or act_refused(s, move, action)
        case Card(_, card):
            return arguments_refused(move, card, CARD_ASKS[card]) or card_refused(s, move)
    raise AssertionError(move)  # every other move was dealt with before


def not_held(card: str | None) -> Text:
    return Text("port.why.not_held", card=Text(f"port.card.{card}"))


def arguments_refused(move: Mark | Card, what: str, asks: tuple[str, ...]) -> Text | None:
    """What a move lacks, or says that has no place in it."""
    given = set(move.values()) - {"card" if isinstance(move, Card) else "action"}
    for missing in asks:
        if missing not in given:
            return Text("port.why.missing", what=what, argument=missing)
    surplus = given - set(asks) - set(MAY_SAY.get(what, ()))
    return Text("port.why.surplus", what=what, argument=min(surplus)) if surplus else None


def act_refused(s: Any, move: Mark | Card, action: ActionId) -> Text:
    """Why an action of the table cannot be carried out so."""
    seat = move.seat
    match action:
        case "buy":
            return buy_refused(s, seat, str(move.site), "none")
        case "vineyard" | "brandy":
            return plant_refused(s, seat, str(move.site), action)
        case "harvest":
            return harvest_refused(s, seat, move.sites or ())
        case "boat":
            return Text("port.why.sailed")
        case "age":
            return Text("port.why.cellar_empty")
        case "draw" if move.discard is None:
            return Text("port.why.discard_first", n=HAND)
        case "draw" if s.held[seat] < HAND or isinstance(move, Card):
            return Text("port.why.no_discard", n=HAND)
        case "draw":
            return not_held(move.discard)
    raise AssertionError(move)


def buy_refused(s: Any, seat: int, site: str, extra: ExtraId) -> Text:
    number = board_of(s).number.get(site)
    if s.estates[seat] == rules.ESTATES:
        return Text("port.why.no_tile")
    if s.bought[seat]:
        return Text("port.why.bought")
    if number is None:
        return Text("port.why.no_such_site", site=shown(site), sites=board_of(s).ids)
    if s.owner[number]:
        return Text("port.why.taken", site=named_site(site))
    price = Text("port.points", n=int(rules.price_of(s, number, EXTRA_IDS.index(extra))))
    return Text("port.why.too_dear", site=named_site(site), price=price, vp=vp_of(s, seat))


def vp_of(s: Any, seat: int) -> Text:
    return Text("port.points", n=int(s.vp[seat]))


def plant_refused(s: Any, seat: int, site: str, cube: str) -> Text:
    if estate_at(s, seat, site) is None:
        return not_yours(s, site, "P11")
    return Text(f"port.why.has_{cube}", site=named_site(site))


def harvest_refused(s: Any, seat: int, sites: tuple[str, ...]) -> Text:
    if s.harvested[seat]:
        return Text("port.why.harvested")
    for site in sites:
        estate = estate_at(s, seat, site)
        if estate is None:
            return not_yours(s, site, "P12")
        if not rules.is_planted(s, seat, estate):
            return Text("port.why.not_planted", site=named_site(site))
        if s.crop[seat, estate]:
            return Text("port.why.has_barrels", site=named_site(site))
    if len(set(sites)) < len(sites):
        return Text("port.why.twice")
    return Text("port.why.supply" if sites else "port.why.no_sites")


def card_refused(s: Any, move: Card) -> Text:
    """Why a card cannot be played so (P18–P27)."""
    seat = move.seat
    match move.card:
        case "buying":
            return buy_refused(s, seat, str(move.site), move.extra or "none")
        case "planting":
            return planting_refused(s, seat, {"vineyard": move.vineyard, "brandy": move.brandy})
        case "harvest":
            return more_refused(s, seat, str(move.site))
        case "colheita":
            return Text("port.why.tawny_barrels")
        case "boat":
            return Text("port.why.sailed")
        case "vintage":
            return Text("port.why.ruby_barrel", column=Text(f"port.column.{move.column}"))
        case "age-barrel" | "age-quality" | "enologist":
            return Text("port.why.cellar_empty")
    raise AssertionError(move)  # a free card says its action, or lacks it


def more_refused(s: Any, seat: int, site: str) -> Text:
    estate = estate_at(s, seat, site)
    if estate is None:
        return not_yours(s, site, "P20")
    return Text("port.why.supply") if s.crop[seat, estate] else Text("port.why.no_barrels", site=named_site(site))


def planting_refused(s: Any, seat: int, cubes: Mapping[str, str | None]) -> Text:
    """P19.1: a cube that has a place must be placed."""
    for cube, site in cubes.items():
        has_place = bool(rules.lacks(s, seat, s[cube]))
        if site is None and has_place:
            return Text("port.why.cube_must", cube=Text(f"port.cube.{cube}"))
        if site is not None and not has_place:
            return Text("port.why.cube_lost", cube=Text(f"port.cube.{cube}"))
        if site is not None:
            estate = estate_at(s, seat, site)
            if estate is None or s[cube][seat, estate]:
                return plant_refused(s, seat, site, cube)
    return Text("port.why.nothing_to_plant")


# --- why touching something does nothing ------------------------------------------------------------------------------


def touch_refused(s: Any, seat: int, action: int) -> Text:
    """Why nothing begins with this in a turn."""
    if action >= Action.COLUMN:
        return Text("port.touch.in_cellar" if s.cellar[seat, action - Action.COLUMN] else "port.touch.empty_column")
    if action >= Action.SITE:
        i = action - Action.SITE
        return Text("port.why.taken", site=named_site(board_of(s).ids[i])) if s.owner[i] else Text("port.touch.site")
    if action >= Action.PLAY:
        return card_is_idle(s, seat, action - Action.PLAY)
    if s.marked:
        return Text("port.why.marked")
    if not rules.circle_is_free(s, seat, action):
        return Text("port.why.no_circle", action=act_name(action))
    return act_is_idle(s, seat, ACTION_IDS[action])


def act_is_idle(s: Any, seat: int, action: ActionId) -> Text:
    """Why there is nothing to be done with an action of the table. (A card can always be drawn.)"""
    match action:
        case "buy":
            return nothing_to_buy(s, seat)
        case "vineyard" | "brandy":
            return Text("port.touch.all_have", cube=Text(f"port.cube.{action}"))
        case "harvest" if s.harvested[seat]:
            return Text("port.why.harvested")
        case "harvest":
            return Text("port.touch.none_ripe") if s.supply else Text("port.why.supply")
        case "boat":
            return Text("port.why.sailed")
    return Text("port.why.cellar_empty")


def card_is_idle(s: Any, seat: int, kind: int) -> Text:
    """The same of a card. (A free action can always be to draw one.)"""
    match kind:
        case Kind.BUYING:
            return nothing_to_buy(s, seat)
        case Kind.PLANTING:
            return Text("port.why.nothing_to_plant")
        case Kind.HARVEST:
            return Text("port.touch.no_crop") if s.supply else Text("port.why.supply")
        case Kind.COLHEITA:
            return Text("port.touch.two_tawny")
        case Kind.BOAT:
            return Text("port.why.sailed")
        case Kind.VINTAGE:
            return Text("port.touch.one_ruby")
    return Text("port.why.cellar_empty")


def nothing_to_buy(s: Any, seat: int) -> Text:
    if s.estates[seat] == ESTATES:
        return Text("port.why.no_tile")
    return Text("port.why.bought") if s.bought[seat] else Text("port.touch.all_too_dear", vp=vp_of(s, seat))


def choice_refused(s: Any, seat: int, action: int) -> Text:
    """Why this is not what a move that was begun asks for."""
    stage = int(s.stage)
    is_estate = Action.LOAD <= action < Action.UNLOAD
    if stage == Stage.SITE and Action.SITE <= action < Action.EXTRA:
        extra = EXTRA_IDS[Extra.DISCOUNT if s.in_play == Kind.BUYING else Extra.NONE]
        return buy_refused(s, seat, board_of(s).ids[action - Action.SITE], extra)
    if Stage.VINEYARD <= stage <= Stage.MORE and is_estate:
        return estate_refused(s, seat, site_of(s, seat, action - Action.LOAD))
    if stage == Stage.FREE and action < Action.PLAY:
        return act_is_idle(s, seat, ACTION_IDS[action])
    if stage >= Stage.COLHEITA and action >= Action.COLUMN:
        return Text("port.touch.no_ruby" if stage == Stage.VINTAGE else "port.touch.no_tawny")
    return Text("port.touch.begun")


def estate_refused(s: Any, seat: int, site: str) -> Text:
    match int(s.stage):
        case Stage.HARVEST:
            return harvest_refused(s, seat, (site,))
        case Stage.MORE:
            return more_refused(s, seat, site)
    return plant_refused(s, seat, site, "vineyard" if s.stage == Stage.VINEYARD else "brandy")


# --- chance: the setup, the die and the renewal of the deck -----------------------------------------------------------


class Setup(msgspec.Struct, forbid_unknown_fields=True):
    """P7: who begins, the chips from round I on, the hands, the deck with the next card first; another board."""

    first: int
    bonuses: list[int]
    hands: list[list[str]]
    deck: list[str]
    board: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


class Die(msgspec.Struct, forbid_unknown_fields=True):
    """P13, P16."""

    chance: str
    value: int


def cards(counts: Iterable[int]) -> list[str]:
    """So many of each kind, by name."""
    return [card for card, n in zip(CARD_IDS, counts, strict=True) for _ in range(n)]


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
        deal_as_told(s, line)
    elif s.stage == Stage.RENEW:
        renew_as_told(s, line)
    else:
        roll_as_told(s, line)


def deal_as_told(s: Any, line: Mapping[str, Any]) -> None:
    """P7, with chips and cards where they are."""
    if set(line) != {"setup"}:
        raise IllegalMove(Text("port.setup.only"))
    setup = read_as(Setup, line["setup"], "port.setup.shape")
    Board.take(s, setup.board, lacking="port.setup.board_wanted", other="port.setup.other_board")
    check_setup(s, setup)
    s.bonuses[:] = setup.bonuses
    dealt = [card for hand in setup.hands for card in hand] + setup.deck
    s.deck[:] = numbers(reversed(dealt))
    rules.deal(s, setup.first)


def check_setup(s: Any, setup: Setup) -> None:
    """P4, P5, P7: whether a game can begin like this."""
    players = int(s.players)
    if not 0 <= setup.first < players:
        raise IllegalMove(Text("port.setup.first", first=setup.first, last=players - 1))
    if sorted(setup.bonuses) != s.chips.tolist():
        raise IllegalMove(Text("port.setup.bonuses", n=ROUNDS, chips=tuple(map(str, s.chips))))
    if len(setup.hands) != players:
        raise IllegalMove(Text("port.setup.hands", hands=len(setup.hands), n=players))
    for seat, hand in enumerate(setup.hands):
        if len(hand) != HAND:
            raise IllegalMove(Text("port.setup.hand", seat=seat, cards=len(hand), n=HAND))
    check_each_once([card for hand in setup.hands for card in hand] + setup.deck, cards(s.box), "port.setup.cards")


def renew_as_told(s: Any, line: Mapping[str, Any]) -> None:
    """P17, with the cards in this order."""
    deck = read_renewal(line, "port.renewal")
    check_each_once(deck, cards(s.used), "port.renewal.cards")
    rules.gather_used(s)
    s.deck[: s.left] = numbers(reversed(deck))
    rules.go_on_after_renewal(s)


def numbers(ids: Iterable[str]) -> list[int]:
    names: tuple[str, ...] = CARD_IDS
    return [names.index(card) for card in ids]


def roll_as_told(s: Any, line: Mapping[str, Any]) -> None:
    """P13, P16, with this number of pips."""
    die = read_as(Die, dict(line), "port.die.shape")
    if die.chance != "die" or not 1 <= die.value <= SIDES_OF_A_DIE:
        raise IllegalMove(Text("port.die.wrong", chance=shown(die.chance), value=die.value, most=SIDES_OF_A_DIE))
    rules.roll(s, die.value)
