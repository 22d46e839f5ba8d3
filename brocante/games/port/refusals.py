"""Why a move of Port is refused: what each move needs, clause by clause.

Whole moves come first, then what is touched on the table to begin or to continue one.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from brocante.engine.contract import Requirements
from brocante.engine.errors import quoted
from brocante.engine.moves import Move, Part
from brocante.engine.state import copied, found_once
from brocante.engine.text import Text, Words
from brocante.games.port import rules
from brocante.games.port.board import board_of
from brocante.games.port.faces import act_name, column_name, named_site
from brocante.games.port.moves import (
    Add,
    Card,
    End,
    Load,
    Mark,
    Pass,
    Sail,
    Stop,
    Unload,
    estate_at,
    move_of,
    site_of,
)
from brocante.games.port.names import ACTION_IDS, CARD_IDS, CATEGORY_IDS, COLUMN_IDS, EXTRA_IDS, ActionId, CardId
from brocante.games.port.rules import ACTIONS, HAND, SLOTS, SOLD_BY_COLHEITA, Act, Action, Extra, Kind, Stage

said = cache(Text)  # what is asked for again and again

#: Of a barrel that is to be added while none is due (P24).
NOT_DUE = ((False, said("port.why.not_due")),)


def requirements(s: Any, move: Move) -> Requirements:
    if not isinstance(move, Part):
        return whole_move(s, move)
    now, seat, action = touched_at(s, move.seat), move.seat, move.action
    if now.is_choosing:
        return choice(s, seat, action)
    if not Action.LOAD <= action < Action.SITE:
        return after(now.before_a_turn, touching(s, seat, action))
    if action < Action.UNLOAD:
        return after(now.before_a_step, loading(s, seat, action - Action.LOAD, site_of(s, seat, action - Action.LOAD)))
    if Action.UP <= action < Action.PASS:
        return after(now.before_a_step, under_way(s, move_of(s, (action,))))
    if action >= Action.ADD and not now.barrel_is_due:
        return iter(NOT_DUE)
    return whole_move(s, move_of(s, (action,)) or move)


class Moment(NamedTuple):
    """What all that is touched depends on."""

    is_choosing: bool  # to touch something continues a move
    barrel_is_due: bool
    before_a_turn: Text | None  # what has to be done before a marker or a card
    before_a_step: Text | None  # and before the boat is loaded or sails on


@found_once
def touched_at(s: Any, seat: int) -> Moment:
    hurdles = [first_unmet(asked(s, seat)) for asked in (before_a_turn, before_a_step)]
    return Moment(bool(rules.is_choosing(s)), bool(rules.barrel_is_due(s)), *hurdles)


def first_unmet(required: Requirements) -> Text | None:
    return next((words for is_met, words in required if not is_met), None)


def after(hurdle: Text | None, required: Requirements) -> Requirements:
    """What is required once there is nothing to be done before."""
    return required if hurdle is None else iter(((False, hurdle),))


def before_a_turn(s: Any, seat: int) -> Requirements:
    yield not rules.barrel_is_due(s), said("port.why.add_first")
    yield not rules.must_unload(s, seat), said("port.why.unload_first")
    yield not rules.is_on_the_way(s), said("port.why.on_the_way")


def whole_move(s: Any, move: Move) -> Requirements:
    if isinstance(move, Add):
        yield from adding(s, move)
        return
    if isinstance(move, Unload):
        yield not rules.barrel_is_due(s), said("port.why.add_first")
        yield from unloading(s, move)
        return
    if not isinstance(move, Load | Stop | Sail):
        yield from before_a_turn(s, move.seat)
        yield from in_a_turn(s, move)
        return
    yield from before_a_step(s, move.seat)
    match move:
        case Load(seat, site):
            e = estate_at(s, seat, site)
            yield e is not None, not_yours(s, site, "P14")
            yield from loading(s, seat, e, site)
        case _:
            yield from under_way(s, move)


def before_a_step(s: Any, seat: int) -> Requirements:
    yield not rules.barrel_is_due(s), said("port.why.add_first")
    yield not (rules.has_cargo(s, seat) and rules.must_unload(s, seat)), said("port.why.unload_first")


def in_a_turn(s: Any, move: Move) -> Requirements:
    match move:
        case Pass():
            yield not rules.has_marked(s), said("port.why.end_instead")
        case End():
            yield rules.has_marked(s), said("port.why.no_end")
        case Mark(seat, action):
            yield from marking(s, seat, ACTION_IDS.index(action))
            yield from arguments(move, action, ACT_ASKS[action])
            yield from acting(s, move, action)
        case Card(seat, card):
            yield from holding(s, seat, card)
            yield from playing(s, move)


# --- the boat and the cellar ------------------------------------------------------------------------------------------


def adding(s: Any, move: Add) -> Requirements:
    """P24."""
    yield rules.barrel_is_due(s), said("port.why.not_due")
    if move.category == "none":
        yield not rules.supply_lasts(s), said("port.why.add_something")
    else:
        where = Text("port.why.add_where", category=Text(f"port.category.{move.category}"))
        yield rules.supply_lasts(s), said("port.why.add_none")
        yield rules.takes_a_barrel(s, move.seat, CATEGORY_IDS.index(move.category)), where


def unloading(s: Any, move: Unload) -> Requirements:
    """P15."""
    seat, slot, column = move.seat, move.slot, COLUMN_IDS.index(move.column)
    yield rules.is_in_gaia(s, seat), said("port.why.not_in_gaia")
    yield rules.has_cargo(s, seat), said("port.why.nothing_aboard")
    yield rules.has_empty_column(s, seat), said("port.why.cellar_full")
    yield 0 <= slot < SLOTS and rules.is_loaded(s, seat, slot), Text("port.why.slot", slot=slot)
    yield rules.is_empty(s, seat, column), Text("port.why.column_full", column=column_name(column))


def loading(s: Any, seat: int, e: int | None, site: str) -> Requirements:
    """P14."""
    yield rules.has_crop(s, seat, e), said("port.why.no_barrels", site=named_site(site))
    yield rules.boat_is_at(s, seat, e), said("port.why.boat_elsewhere", site=named_site(site))
    yield rules.has_room(s, seat), said("port.why.boat_full")


def under_way(s: Any, move: Move | None) -> Requirements:
    """P13."""
    yield rules.is_on_the_way(s), said("port.why.no_trip")
    if isinstance(move, Sail):
        yield from sailing(s, move.seat, move.to)


def sailing(s: Any, seat: int, to: str) -> Requirements:
    if to == "up":
        yield rules.has_move_up(s), said("port.why.no_moves")
        yield not rules.is_at_the_top(s, seat), said("port.why.end_of_river")
    else:
        yield rules.has_move_down(s), said("port.why.no_moves")
        yield not rules.is_in_gaia(s, seat), said("port.why.sea")


# --- markers and cards ------------------------------------------------------------------------------------------------

#: What each action asks for, and what each card does. A free card asks for what its action does, too.
ACT_ASKS: dict[ActionId, tuple[str, ...]] = {
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
#: What may be said besides, depending on the position.
MAY_SAY = {"planting": ("vineyard", "brandy"), "draw": ("discard",)}


def arguments(move: Mark | Card, what: str, asks: tuple[str, ...]) -> Requirements:
    given = set(move.values()) - {"card" if isinstance(move, Card) else "action"}
    for name in asks:
        yield name in given, Text("port.why.missing", what=what, argument=name)
    surplus = given - set(asks) - set(MAY_SAY.get(what, ()))
    yield not surplus, Text("port.why.surplus", what=what, argument=min(surplus, default=""))


def marking(s: Any, seat: int, act: int) -> Requirements:
    """P9."""
    yield not rules.has_marked(s), said("port.why.marked")
    yield rules.circle_is_free(s, seat, act), said("port.why.no_circle", action=act_name(act))


def holding(s: Any, seat: int, card: CardId) -> Requirements:
    """P9, P17."""
    yield rules.holds(s, seat, CARD_IDS.index(card)), said("port.why.not_held", card=said(f"port.card.{card}"))


def acting(s: Any, move: Mark | Card, action: ActionId) -> Requirements:
    """An action of the table, with all that it asks for."""
    seat = move.seat
    match action:
        case "buy":
            yield from buying(s, seat, str(move.site), Extra.NONE)
        case "vineyard" | "brandy":
            yield from planting(s, seat, str(move.site), action)
        case "harvest":
            yield from harvesting(s, seat, move.sites or ())
        case "boat":
            yield from setting_out(s, seat)
        case "age":
            yield from ageing(s, seat)
        case "draw":
            yield from drawing(s, seat, move.discard)


def playing(s: Any, move: Card) -> Requirements:
    """A card that is held (P18–P27), with all that it asks for."""
    seat = move.seat
    if move.card == "free" and move.action:
        yield from arguments(move, move.action, ("action", *ACT_ASKS[move.action]))
        yield from acting(played(s, seat, Kind.FREE), move, move.action)
        return
    yield from arguments(move, move.card, CARD_ASKS[move.card])
    match move.card:
        case "buying":
            yield from buying(s, seat, str(move.site), EXTRA_IDS.index(move.extra or "none"))
        case "planting":
            yield from planting_both(s, seat, move)
        case "harvest":
            yield from getting_more(s, seat, str(move.site))
        case "colheita":
            yield from selling_colheita(s, seat, [COLUMN_IDS.index(column) for column in move.columns or ()])
        case "boat":
            yield from setting_out(s, seat)
        case "vintage":
            column = COLUMN_IDS.index(str(move.column))
            words = Text("port.why.ruby_barrel", column=column_name(column))
            yield rules.can_sell_from(played(s, seat, Kind.VINTAGE), seat, column), words
        case "age-barrel" | "age-quality" | "enologist":
            yield from ageing(s, seat)


def played(s: Any, seat: int, kind: Kind) -> Any:
    """The state in which a card that was played asks for its choices."""
    after = copied(s)
    rules.play_card(after, seat, kind)
    return after


def may_buy(s: Any, seat: int) -> Requirements:
    """P9.3, P10."""
    yield rules.has_tile(s, seat), said("port.why.no_tile")
    yield not rules.has_bought(s, seat), said("port.why.bought")


def buying(s: Any, seat: int, site: str, extra: int) -> Requirements:
    """P10, P18."""
    yield from may_buy(s, seat)
    i = board_of(s).number.get(site)
    yield i is not None, Text("port.why.no_such_site", site=quoted(site), sites=board_of(s).ids)
    yield rules.is_free(s, i), Text("port.why.taken", site=named_site(site))
    price = Text("port.points", n=int(rules.price_of(s, i, extra)))
    too_dear = Text("port.why.too_dear", site=named_site(site), price=price, vp=vp_of(s, seat))
    yield rules.can_afford(s, seat, i, extra), too_dear


def planting(s: Any, seat: int, site: str, cube: str) -> Requirements:
    """P11."""
    e = estate_at(s, seat, site)
    yield e is not None, not_yours(s, site, "P11")
    yield rules.estate_lacks(s[cube], seat, e), Text(f"port.why.has_{cube}", site=named_site(site))


def planting_both(s: Any, seat: int, move: Card) -> Requirements:
    """P19.1: a cube that has a place must be placed."""
    for cube, site in (("vineyard", move.vineyard), ("brandy", move.brandy)):
        has_place, name = rules.some_estate_lacks(s, seat, s[cube]), Text(f"port.cube.{cube}")
        if site is None:
            yield not has_place, Text("port.why.cube_must", cube=name)
        else:
            yield has_place, Text("port.why.cube_lost", cube=name)
            yield from planting(s, seat, site, cube)
    yield rules.can_plant(s, seat), said("port.why.nothing_to_plant")


def harvesting(s: Any, seat: int, sites: Sequence[str]) -> Requirements:
    """P9.3, P12; P12.1: the supply must suffice for all of them."""
    yield not rules.has_harvested(s, seat), said("port.why.harvested")
    for site in sites:
        e = estate_at(s, seat, site)
        yield e is not None, not_yours(s, site, "P12")
        yield rules.is_planted(s, seat, e), Text("port.why.not_planted", site=named_site(site))
        yield not rules.has_crop(s, seat, e), Text("port.why.has_barrels", site=named_site(site))
    yield len(set(sites)) == len(sites), said("port.why.twice")
    yield len(sites) > 0, said("port.why.no_sites")
    after = copied(s)
    for site in sites:
        yield rules.supply_lasts(after), said("port.why.supply")
        rules.harvest(after, seat, estate_at(s, seat, site))


def getting_more(s: Any, seat: int, site: str) -> Requirements:
    """P20."""
    e = estate_at(s, seat, site)
    yield e is not None, not_yours(s, site, "P20")
    yield rules.has_crop(s, seat, e), Text("port.why.no_barrels", site=named_site(site))
    yield rules.supply_lasts(s), said("port.why.supply")


def setting_out(s: Any, seat: int) -> Requirements:
    """P13.1."""
    yield rules.can_set_out(s, seat), said("port.why.sailed")


def ageing(s: Any, seat: int) -> Requirements:
    """P16."""
    yield rules.can_age(s, seat), said("port.why.cellar_empty")


def drawing(s: Any, seat: int, discard: CardId | None) -> Requirements:
    """P17."""
    if discard is None:
        yield not rules.must_discard(s, seat), Text("port.why.discard_first", n=HAND)
    else:
        yield rules.must_discard(s, seat), Text("port.why.no_discard", n=HAND)
        yield from holding(s, seat, discard)


def selling_colheita(s: Any, seat: int, columns: Sequence[int]) -> Requirements:
    """P22: both barrels from one column, which is named once, or one from each of two."""
    words = said("port.why.tawny_barrels")
    yield 1 <= len(columns) == len(set(columns)) <= SOLD_BY_COLHEITA, words
    after = played(s, seat, Kind.COLHEITA)
    for column in (columns[0], columns[-1]):
        yield rules.can_sell_from(after, seat, column), words
        rules.choose_column(after, seat, column)


def not_yours(s: Any, site: str, clause: str) -> Text:
    name: Words = named_site(site) if site in board_of(s).number else quoted(site)
    return Text("port.why.not_yours", site=name, clause=clause)


def vp_of(s: Any, seat: int) -> Text:
    return Text("port.points", n=int(s.vp[seat]))


# --- what is touched --------------------------------------------------------------------------------------------------


def touching(s: Any, seat: int, action: int) -> Requirements:
    """What is touched to begin a move; sites and columns are chosen only later."""
    if action >= Action.COLUMN:
        yield not rules.is_empty(s, seat, action - Action.COLUMN), said("port.touch.empty_column")
        yield rules.is_choosing(s), said("port.touch.in_cellar")
    elif action >= Action.SITE:
        i = action - Action.SITE
        yield rules.is_free(s, i), said("port.why.taken", site=named_site(board_of(s).ids[i]))
        yield rules.is_choosing(s), said("port.touch.site")
    elif action >= Action.PLAY:
        k = action - Action.PLAY
        yield from holding(s, seat, CARD_IDS[k])
        yield from card_is_possible(s, seat, k)
    else:
        act = action - Action.MARK
        yield from marking(s, seat, act)
        yield from act_is_possible(s, seat, act)


def act_is_possible(s: Any, seat: int, act: int) -> Requirements:
    """P9.2: there is something to choose for an action of the table. (A card can always be drawn.)"""
    match act:
        case Act.BUY:
            yield from something_to_buy(s, seat, Extra.NONE)
        case Act.VINEYARD | Act.BRANDY:
            cube = ACTION_IDS[act]
            yield rules.some_estate_lacks(s, seat, s[cube]), Text("port.touch.all_have", cube=Text(f"port.cube.{cube}"))
        case Act.HARVEST:
            yield not rules.has_harvested(s, seat), said("port.why.harvested")
            yield rules.supply_lasts(s), said("port.why.supply")
            yield rules.has_ripe(s, seat), said("port.touch.none_ripe")
        case Act.BOAT:
            yield from setting_out(s, seat)
        case Act.AGE:
            yield from ageing(s, seat)


def card_is_possible(s: Any, seat: int, k: int) -> Requirements:
    """P9.2: the same for a card. (With a free action, a card can always be drawn.)"""
    match k:
        case Kind.BUYING:
            yield from something_to_buy(s, seat, Extra.DISCOUNT)
        case Kind.PLANTING:
            yield rules.can_plant(s, seat), said("port.why.nothing_to_plant")
        case Kind.HARVEST:
            yield rules.supply_lasts(s), said("port.why.supply")
            yield rules.some_can_get_more(s, seat), said("port.touch.no_crop")
        case Kind.COLHEITA:
            yield rules.has_two_tawny(s, seat), said("port.touch.two_tawny")
        case Kind.BOAT:
            yield from setting_out(s, seat)
        case Kind.VINTAGE:
            yield rules.has_ruby(s, seat), said("port.touch.one_ruby")
        case Kind.AGE_BARREL | Kind.AGE_QUALITY | Kind.ENOLOGIST:
            yield from ageing(s, seat)


def something_to_buy(s: Any, seat: int, extra: Extra) -> Requirements:
    yield from may_buy(s, seat)
    yield rules.some_site_is_for_sale(s, seat, extra), Text("port.touch.all_too_dear", vp=vp_of(s, seat))


#: The choices that a move asks for once it has begun.
ESTATES, COLUMNS = range(Action.ESTATE, Action.ENOUGH), range(Action.COLUMN, ACTIONS)
CHOICES = {
    Stage.SITE: range(Action.SITE, Action.EXTRA),
    Stage.EXTRA: range(Action.EXTRA, Action.ESTATE),
    Stage.VINEYARD: ESTATES,
    Stage.BRANDY: ESTATES,
    Stage.HARVEST: ESTATES,
    Stage.MORE: ESTATES,
    Stage.DISCARD: range(Action.DISCARD, Action.FREE),
    Stage.FREE: range(Action.FREE, Action.COLUMN),
    Stage.COLHEITA: COLUMNS,
    Stage.COLHEITA_SECOND: COLUMNS,
    Stage.VINTAGE: COLUMNS,
}


def choice(s: Any, seat: int, action: int) -> Requirements:
    """What is touched to continue a move."""
    stage = Stage(s.stage)
    yield action in CHOICES[stage], said("port.touch.begun")
    n = action - CHOICES[stage].start
    match stage:
        case Stage.SITE:
            yield from buying(s, seat, board_of(s).ids[n], rules.cheapest_extra(s))
        case Stage.VINEYARD | Stage.BRANDY:
            yield from planting(s, seat, site_of(s, seat, n), stage.name.lower())
        case Stage.HARVEST:
            yield from harvesting(s, seat, (site_of(s, seat, n),))
        case Stage.MORE:
            yield from getting_more(s, seat, site_of(s, seat, n))
        case Stage.DISCARD:
            yield from holding(s, seat, CARD_IDS[n])
        case Stage.FREE:
            yield from act_is_possible(s, seat, n)
        case Stage.COLHEITA | Stage.COLHEITA_SECOND:
            yield rules.can_sell_from(s, seat, n), said("port.touch.no_tawny")
        case Stage.VINTAGE:
            yield rules.can_sell_from(s, seat, n), said("port.touch.no_ruby")
