"""What is being asked, what each choice is called, and the key that makes it."""

from collections.abc import Iterator, Sequence
from typing import Any

from brocante.engine.moves import Move, Part
from brocante.engine.state import copied
from brocante.engine.text import Player, Text, Words
from brocante.games.port import rules
from brocante.games.port.board import board_of
from brocante.games.port.faces import (
    act_name,
    card_name,
    column_name,
    harbour_name,
    harvest_name,
    harvest_sign,
    named_site,
    site_name,
)
from brocante.games.port.moves import Add, Card, Load, Mark, Pass, Sail, Unload, estate_at
from brocante.games.port.names import ACTION_IDS, COLUMN_IDS, EXTRA_IDS
from brocante.games.port.rules import Action, Stage

#: The keys of the actions, of the boat, and of what ends something.
ACT_KEYS = dict(zip(ACTION_IDS, "bvyhmac", strict=True))
SAIL_KEYS = {"up": "+", "down": "-"}
PLAIN_KEYS = {"end": "0", "stop": "0", "pass": "x"}  # not "0": an accidental second key press must not give up a round


def prompt(s: Any, viewer: int, moves: Sequence[Move]) -> Text:
    if s.actor != viewer:
        return Text("prompt.wait", player=Player(s.actor))
    stage = Stage(s.stage)
    if stage in (Stage.TURN, Stage.BOAT) and rules.must_unload(s, viewer):
        return Text("port.prompt.unload")
    match stage:
        case Stage.TURN if s.marked:
            return Text("port.prompt.marked")
        case Stage.TURN:
            return Text("port.prompt.turn", n=int(s.markers[viewer]))
        case Stage.BOAT:
            if s.drifting and rules.can_sail_down(s, viewer):
                return Text("port.prompt.drifting", n=int(s.moves_left))
            return Text("port.prompt.boat", n=int(s.moves_left)) if s.moves_left else Text("port.prompt.no_moves")
        case Stage.EXTRA:
            return Text("port.prompt.extra", site=site_name(s, s.chosen))
        case Stage.HARVEST if s.chosen:
            return Text("port.prompt.harvest_more")
    return Text(f"port.prompt.{stage.name.lower()}")


def key(move: Move) -> str:
    match move:
        case Part(_, action) if Action.MARK <= action < Action.PLAY:
            return ACT_KEYS[ACTION_IDS[action - Action.MARK]]
        case Part(_, action) if Action.FREE <= action < Action.COLUMN:
            return ACT_KEYS[ACTION_IDS[action - Action.FREE]]
        case Mark(_, action, None, None, None):
            return ACT_KEYS[action]
        case Card(_, "free", action, None, None) if action:
            return ACT_KEYS[action]
        case Sail(_, to):
            return SAIL_KEYS[to]
    return PLAIN_KEYS.get(move.name(), "")


def is_risky(move: Move) -> bool:
    """Who passes is out of the round."""
    return isinstance(move, Pass)


# --- what a move is called --------------------------------------------------------------------------------------------


def label(s: Any, move: Move) -> Text:
    """A move in full; once it has begun, only the choice."""
    match move:
        case Part(seat, action):
            return part_label(s, seat, action)
        case Mark() | Card() if rules.is_choosing(s):
            return last_choice(s, move)
        case Mark(_, action):
            return in_full(Text(f"port.action.{action}"), move)
        case Card(_, card):
            return in_full(Text("port.move.card", card=Text(f"port.card.{card}")), move)
        case Load(seat, site):
            e = estate_at(s, seat, site)
            barrels = harvest_sign(s.crop[seat, e], s.crop_quality[seat, e])
            return Text("port.move.load", harvest=barrels, site=named_site(site))
        case Unload(seat, slot, column):
            barrels = harvest_sign(s.cargo[seat, slot], s.cargo_quality[seat, slot])
            return Text("port.move.unload", harvest=barrels, column=Text(f"port.column.{column}"))
        case Sail(seat, to):
            return Text(f"port.move.{to}", harbour=harbour_name(s.at[seat] + (1 if to == "up" else -1)))
        case Add(_, "none"):
            return Text("port.move.add_none")
        case Add(_, category):
            return Text("port.move.add", category=Text(f"port.category.{category}"))
    return Text(f"port.move.{move.name()}")


def part_label(s: Any, seat: int, action: int) -> Text:
    """A choice that does not complete a move."""
    if action >= Action.COLUMN:
        return column_choice(s, seat, action - Action.COLUMN)
    if action >= Action.FREE:
        return act_name(action - Action.FREE)
    if action >= Action.ESTATE:
        return estate_choice(s, seat, action - Action.ESTATE)
    if action >= Action.SITE:
        return site_choice(s, action - Action.SITE)
    if action >= Action.PLAY:
        return Text("port.move.card", card=card_name(action - Action.PLAY))
    return act_name(action - Action.MARK)


def last_choice(s: Any, move: Mark | Card) -> Text:
    """The choice that completes a move."""
    match move, Stage(s.stage):
        case _, Stage.FREE:
            return Text(f"port.action.{move.action}")
        case _, Stage.SITE:
            return site_choice(s, board_of(s).number[str(move.site)])
        case _, Stage.DISCARD:
            return Text("port.choice.discard", card=Text(f"port.card.{move.discard}"))
        case _, Stage.HARVEST if len(move.sites or ()) == s.chosen:
            return Text("port.choice.enough")
        case Card(), Stage.EXTRA:
            price = rules.price_of(s, s.chosen, EXTRA_IDS.index(str(move.extra)))
            return Text(f"port.extra.{move.extra}", price=Text("port.points", n=int(price)))
        case Card(), Stage.COLHEITA_SECOND:
            return column_choice(s, move.seat, COLUMN_IDS.index((move.columns or ())[-1]))
        case Card(), Stage.VINTAGE:
            return column_choice(s, move.seat, COLUMN_IDS.index(str(move.column)))
    estate = estate_at(s, move.seat, chosen_site(s, move))
    assert estate is not None
    return estate_choice(s, move.seat, estate)


def chosen_site(s: Any, move: Mark | Card) -> str:
    """The Estate that was chosen last."""
    if s.stage == Stage.HARVEST:
        return (move.sites or ())[-1]
    if isinstance(move, Card) and move.card == "planting":
        return str(move.vineyard if s.stage == Stage.VINEYARD else move.brandy)
    return str(move.site)


def site_choice(s: Any, i: int) -> Text:
    price = Text("port.points", n=int(s.price[i]))
    return Text("port.choice.site", site=site_name(s, i), quality=int(s.quality[i]), price=price)


def estate_choice(s: Any, seat: int, e: int) -> Text:
    """An Estate, with the harvest that it has or would have."""
    there = copied(s)
    if s.stage in (Stage.HARVEST, Stage.MORE):
        rules.apply(there, Action.ESTATE + e)
    if not there.crop[seat, e]:
        return site_name(s, s.site[seat, e])
    site, harvest = site_name(s, s.site[seat, e]), harvest_name(there.crop[seat, e], there.crop_quality[seat, e])
    if s.stage == Stage.MORE:
        return Text("port.choice.more", site=site, n=int(s.crop[seat, e]), harvest=harvest)
    return Text("port.choice.harvest", site=site, harvest=harvest)


def column_choice(s: Any, seat: int, column: int) -> Text:
    harvest = harvest_name(s.cellar[seat, column], s.cellar_quality[seat, column])
    return Text("port.choice.column", column=column_name(column), harvest=harvest)


def in_full(what: Text, move: Mark | Card) -> Text:
    details = tuple(details_of(move))
    return Text("port.move.in_full", what=what, details=details) if details else what


def details_of(move: Mark | Card) -> Iterator[Words]:
    """Everything that was chosen, in words."""
    if isinstance(move, Card):
        if move.action:
            yield Text(f"port.action.{move.action}")
        for cube in ("vineyard", "brandy"):
            site = getattr(move, cube)
            if site:
                yield Text("port.choice.cube", cube=Text(f"port.cube.{cube}"), site=named_site(site))
        columns = move.columns or ((move.column,) if move.column else ())
        yield from (Text(f"port.column.{column}") for column in columns)
    yield from map(named_site, move.sites or ((move.site,) if move.site else ()))
    if isinstance(move, Card) and move.extra and move.extra != "none":
        yield Text(f"port.with.{move.extra}")
    if move.discard:
        yield Text("port.choice.discard", card=Text(f"port.card.{move.discard}"))
