"""How Port looks: the river with its boats and Estates, the action table, and what lies before every player.

Columns of a cellar and sites of a sub-region are counted from 1, for people as in records.
"""

from itertools import chain
from typing import Any

from brocante.engine.box import result_of
from brocante.engine.moves import Move, Part
from brocante.engine.state import NOBODY
from brocante.engine.text import Player, Text, Words
from brocante.engine.view import Card, Mark, Place, Stack, Table, Zone
from brocante.games.port import rules
from brocante.games.port.board import Board, board_of
from brocante.games.port.faces import (
    BRANDY,
    CARD_FACES,
    FREE_CIRCLE,
    INKS,
    MARKS,
    NO_CUBE,
    NOBODYS,
    OWN_CIRCLES,
    PICTURES,
    ROMAN,
    SIGNS,
    VINEYARD,
    act_name,
    category_faces,
    category_name,
    harbour_name,
    harvest_sign,
    named_site,
)
from brocante.games.port.names import ACTION_IDS, CATEGORY_IDS, COLUMN_IDS, HARBOUR_IDS
from brocante.games.port.rules import (
    ACTS,
    COLUMNS,
    HARBOURS,
    ON_A_SIDE,
    ROUNDS,
    SIDES,
    SLOTS,
    Act,
    Action,
    Stage,
)

#: The actions of each slot of the boat and of each column of the cellar: one is unloaded into the other.
UNLOADING = tuple([Action.UNLOAD + COLUMNS * slot + c for c in range(COLUMNS)] for slot in range(SLOTS))
IN_CELLAR = tuple([Action.COLUMN + c, *(slot[c] for slot in UNLOADING)] for c in range(COLUMNS))


def picture(words: Words) -> Card | None:
    return PICTURES.get(words)


def table(s: Any, viewer: int | None) -> Table:
    asked = int(s.actor) if viewer == s.actor else NOBODY  # who may touch anything
    return Table(
        status=status(s) if board_of(s) == Board.built_in() else Text("port.status.own_board", status=status(s)),
        centre=(deck_zone(s), used_zone(s), supply_zone(s)),
        places=tuple(
            place_of(s, p, score, asked, viewer in (None, p)) for p, score in enumerate(result_of(rules.result, s)[0])
        ),
        board=(*(harbour_zone(s, harbour, asked) for harbour in range(HARBOURS)), action_zone(s, asked)),
    )


def status(s: Any) -> Text:
    """Which round it is, this year's bonus, and which chips are still to come."""
    blanks = {"n": ROMAN[s.round_number], "rounds": ROMAN[-1], "bonus": int(s.bonuses[s.round_number])}
    if s.round_number == ROUNDS - 1:
        return Text("port.status.last", **blanks)
    to_come = (str(chip) for i, chip in enumerate(s.chips.tolist()) if rules.is_to_come(s, i))
    return Text("port.status.round", **blanks, chips=tuple(to_come))


def deck_zone(s: Any) -> Zone:
    return Zone("deck", Text("port.zone.deck"), "piles", (Stack(None, int(s.left)),))


def used_zone(s: Any) -> Zone:
    """The used cards, with those that lie beside the table until the round ends."""
    used = Card("used", Text("port.zone.used"), "", "ink")
    return Zone("used", Text("port.zone.used"), "piles", (Stack(used, int(s.used.sum() + s.aside.sum())),))


def supply_zone(s: Any) -> Zone:
    barrels = Card("barrel", Text("port.barrel"), "◍", "wine")
    return Zone("supply", Text("port.zone.supply"), "piles", (Stack(barrels, int(s.supply)),))


def touching(p: int, asked: int, *actions: int) -> tuple[Move, ...]:
    """What a player does by touching something of theirs. If nothing is possible, the first says why."""
    return tuple([Part(asked, action) for action in actions]) if p == asked != NOBODY else ()


# --- the board --------------------------------------------------------------------------------------------------------


def harbour_zone(s: Any, harbour: int, asked: int) -> Zone:
    """A harbour: the boats that lie there, and the sites of its sub-region."""
    boats = (boat(p, asked) for p, at in enumerate(s.at[: s.players].tolist()) if at == harbour)
    sites = (site(s, i, asked) for i, there in enumerate(s.harbour[: s.sites].tolist()) if there == harbour)
    n = int(s.barrels_of[harbour])
    note = Text("port.note.barrels", n=n) if n else None
    moves = () if asked == NOBODY else sailing(harbour - int(s.at[asked]), asked)
    return Zone(HARBOUR_IDS[harbour], harbour_name(harbour), "list", (*boats, *sites), note, moves)


def sailing(upstream: int, asked: int) -> tuple[Move, ...]:
    """What touching a harbour does that is so far upstream from the boat."""
    to = {1: Action.UP, -1: Action.DOWN}.get(upstream)
    return () if to is None else touching(asked, asked, to)


def boat(p: int, asked: int) -> Stack:
    face = Card(f"boat-{p}", Text("port.boat_of", player=Player(p)), f"\\{SIGNS[p]}/", INKS[p])
    return Stack(face, 1, moves=touching(p, asked, Action.UP, Action.DOWN))


def site(s: Any, i: int, asked: int) -> Stack:
    """A site: its quality, whose Estate stands there with which cubes, and the barrels on it or the price."""
    p = int(s.owner[i]) - 1
    if p < 0:
        face = site_face(s, i, (NOBODYS, NO_CUBE, NO_CUBE))
        price = Text("port.points", n=int(s.price[i]))
        return Stack(face, 0, note=price, moves=touching(asked, asked, Action.SITE + i))
    e = estate_on(s, p, i)
    moves = touching_estate(s, p, asked, e) if p == asked else touching(asked, asked, Action.SITE + i)
    return Stack(site_face(s, i, (MARKS[p], *cubes(s, p, e))), int(s.crop[p, e]), note=crop(s, p, e), moves=moves)


def touching_estate(s: Any, p: int, asked: int, e: int) -> tuple[Move, ...]:
    """An Estate is chosen if a move asks for one; otherwise its harvest is loaded."""
    asks = Stage.VINEYARD <= s.stage <= Stage.MORE
    return touching(p, asked, e + (Action.ESTATE if asks else Action.LOAD))


def site_face(s: Any, i: int, marks: tuple[Mark, ...]) -> Card:
    id_ = board_of(s).ids[i]
    region, _, n = id_.partition("-")
    return Card(id_, named_site(id_), f"{region[0].upper()}{n}", "ink", corner=f"Q{s.quality[i]}", marks=marks)


def estate_on(s: Any, p: int, i: int) -> int:
    return int(s.site[p].tolist().index(i))


def cubes(s: Any, p: int, e: int) -> tuple[Mark, Mark]:
    return VINEYARD if s.vineyard[p, e] else NO_CUBE, BRANDY if s.brandy[p, e] else NO_CUBE


def crop(s: Any, p: int, e: int) -> Text | None:
    """The barrels on an Estate."""
    barrels = int(s.crop[p, e])
    return Text("port.note.harvest", harvest=harvest_sign(barrels, s.crop_quality[p, e])) if barrels else None


def action_zone(s: Any, asked: int) -> Zone:
    return Zone("actions", Text("port.zone.actions"), "sets", tuple(action(s, act, asked) for act in range(ACTS)))


def action(s: Any, act: int, asked: int) -> Stack:
    """An action of the table: whose markers lie on its circles, and how many circles are free."""
    marks = circles(s, act)
    face = Card(ACTION_IDS[act], act_name(act), "", "ink", marks=marks)
    moves = touching(asked, asked, act + (Action.FREE if s.stage == Stage.FREE else Action.MARK))
    return Stack(face, int(s.taken[act]), goal=len(marks), moves=moves)


def circles(s: Any, act: int) -> tuple[Mark, ...]:
    """The taken ones come first. Every player has circles of their own for the boat."""
    placed, there = s.placed[: s.players, act].tolist(), int(s.circles[act])
    taken = [[MARKS[p]] * n for p, n in enumerate(placed)]
    if act != Act.BOAT:
        return (*chain(*taken), *[FREE_CIRCLE] * (there - sum(placed)))
    return tuple(chain(*(marks + [OWN_CIRCLES[p]] * (there - len(marks)) for p, marks in enumerate(taken))))


# --- what lies before a player ----------------------------------------------------------------------------------------


def place_of(s: Any, p: int, score: int, asked: int, open_: bool) -> Place:
    words = Text("port.points", n=score) if s.actor == NOBODY else standing(s, p, score)
    zones = (estates_zone(s, p, asked), boat_zone(s, p, asked), cellar_zone(s, p, asked), *warehouse_zones(s, p, asked))
    return Place(p, score, (*zones, hand_zone(s, p, asked, open_)), words, MARKS[p])


def standing(s: Any, p: int, vp: int) -> Text:
    """VP, markers, and who has the first-player token."""
    key = "first" if p == s.first else "markers"
    return Text(f"port.standing.{key}", vp=Text("port.points", n=vp), n=int(s.markers[p]))


def estates_zone(s: Any, p: int, asked: int) -> Zone:
    stacks = tuple(
        Stack(
            site_face(s, s.site[p, e], cubes(s, p, e)),
            int(s.crop[p, e]),
            note=crop(s, p, e),
            moves=touching_estate(s, p, asked, e),
        )
        for e in range(s.estates[p])
    )
    left = rules.ESTATES - int(s.estates[p])
    return Zone("estates", Text("port.zone.estates"), "list", stacks, Text("port.note.tiles", n=left) if left else None)


def boat_zone(s: Any, p: int, asked: int) -> Zone:
    cargo = zip(s.cargo[p].tolist(), s.cargo_quality[p].tolist(), strict=True)
    stacks = tuple(
        harvest(f"slot-{i}", barrels, quality, "≈", touching(p, asked, *UNLOADING[i]) if barrels else ())
        for i, (barrels, quality) in enumerate(cargo)
    )
    return Zone("boat", Text("port.zone.boat", harbour=harbour_name(s.at[p])), "list", stacks)


def cellar_zone(s: Any, p: int, asked: int) -> Zone:
    """The columns: barrels come from the boat, and go to the warehouse or are sold."""
    cellar = zip(s.cellar[p].tolist(), s.cellar_quality[p].tolist(), strict=True)
    stacks = tuple(
        harvest(COLUMN_IDS[c], barrels, quality, "RT"[rules.side_of(c)], touching(p, asked, *IN_CELLAR[c]))
        for c, (barrels, quality) in enumerate(cellar)
    )
    return Zone("cellar", Text("port.zone.cellar"), "list", stacks)


def harvest(kind: str, barrels: int, quality: int, sign: str, moves: tuple[Move, ...] = ()) -> Stack:
    """A place for a harvest, and what is there."""
    name = harvest_sign(barrels, quality) if barrels else "–"
    return Stack(Card(kind, name, sign, "wine" if sign != "T" else "mustard"), barrels, moves=moves)


def warehouse_zones(s: Any, p: int, asked: int) -> tuple[Zone, ...]:
    """The two sides of the warehouse, each from its lowest category up."""
    stored = zip(category_faces(s), s.warehouse[p].tolist(), s.spaces.tolist(), strict=True)
    stacks = tuple(
        Stack(face, barrels, goal=spaces, moves=touching(p, asked, Action.ADD + c))
        for c, (face, barrels, spaces) in enumerate(stored)
    )
    bottoms = (rules.bottom_of(side) for side in range(SIDES))
    return tuple(
        Zone(
            f"warehouse-{CATEGORY_IDS[bottom]}",
            Text("port.zone.warehouse", category=category_name(bottom)),
            "bars",
            stacks[bottom : bottom + ON_A_SIDE],
        )
        for bottom in bottoms
    )


def hand_zone(s: Any, p: int, asked: int, open_: bool) -> Zone:
    title = Text("port.zone.hand")
    if not open_:
        return Zone("hand", title, "piles", (Stack(None, int(s.held[p])),))
    action = Action.DISCARD if s.stage == Stage.DISCARD else Action.PLAY
    stacks = tuple(
        Stack(CARD_FACES[k], n, moves=touching(p, asked, action + k)) for k, n in enumerate(s.hand[p].tolist()) if n
    )
    return Zone("hand", title, "cards", stacks)
