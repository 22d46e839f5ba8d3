"""How Port looks: the river with its boats and Estates, the action table, and what lies before every player.

Columns of a cellar and sites of a sub-region are counted from 1, for people as in records.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, starmap
from typing import Any, NamedTuple

from brocante.engine.box import result_of
from brocante.engine.moves import Move, Part
from brocante.engine.state import NOBODY
from brocante.engine.text import Player, Text, Words
from brocante.engine.view import Card, Mark, Place, Stack, Table, Zone, remembered
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
    board, estates, asks = board_of(s), estates_by_seat(s), asks_for_estate(s)
    used = sum(s.used.tolist()) + sum(s.aside.tolist())
    return Table(
        status=Text("port.status.own_board", status=status(s)) if board != Board.built_in() else status(s),
        centre=(deck_zone(int(s.left)), used_zone(used), supply_zone(int(s.supply))),
        places=tuple(places(s, board, estates, asked, asks, viewer)),
        board=(*harbour_zones(s, board, estates, asked, asks), action_zone(s, asked)),
    )


def scores(s: Any) -> list[int]:
    """Until the game is over, they are the VP as they stand (P29)."""
    found: list[int] = s.vp[: s.players].tolist()
    return found if s.actor != NOBODY else result_of(rules.result, s)[0]


class Chips(NamedTuple):
    """The part of a state that says which chips are to come, for the rules."""

    chips: tuple[int, ...]
    bonuses: tuple[int, ...]
    round_number: int


def status(s: Any) -> Text:
    """Which round it is, this year's bonus, and which chips are still to come."""
    return status_of(Chips(tuple(s.chips.tolist()), tuple(s.bonuses.tolist()), int(s.round_number)))


@remembered
def status_of(s: Chips) -> Text:
    blanks = {"n": ROMAN[s.round_number], "rounds": ROMAN[-1], "bonus": s.bonuses[s.round_number]}
    if s.round_number == ROUNDS - 1:
        return Text("port.status.last", **blanks)
    to_come = (str(chip) for i, chip in enumerate(s.chips) if rules.is_to_come(s, i))
    return Text("port.status.round", **blanks, chips=tuple(to_come))


@remembered
def deck_zone(n: int) -> Zone:
    return Zone("deck", Text("port.zone.deck"), "piles", (Stack(None, n),))


@remembered
def used_zone(n: int) -> Zone:
    """The used cards, with those that lie beside the table until the round ends."""
    return Zone("used", Text("port.zone.used"), "piles", (Stack(Card("used", Text("port.zone.used"), "", "ink"), n),))


@remembered
def supply_zone(n: int) -> Zone:
    barrels = Card("barrel", Text("port.barrel"), "◍", "wine")
    return Zone("supply", Text("port.zone.supply"), "piles", (Stack(barrels, n),))


@remembered
def touching(p: int, asked: int, *actions: int) -> tuple[Move, ...]:
    """What a player does by touching something of theirs. If nothing is possible, the first says why."""
    return tuple([Part(asked, action) for action in actions]) if p == asked != NOBODY else ()


# --- the board --------------------------------------------------------------------------------------------------------


class Estate(NamedTuple):
    """What stands on a site, in numbers."""

    i: int  # the site
    vineyard: int
    brandy: int
    crop: int  # barrels
    crop_quality: int


#: A player's Estates, in the order in which they were bought.
Estates = tuple[Estate, ...]


def estates_by_seat(s: Any) -> list[Estates]:
    figures = [field[: s.players].tolist() for field in (s.site, s.vineyard, s.brandy, s.crop, s.crop_quality)]
    seats = zip(s.estates[: s.players].tolist(), *figures, strict=True)
    return [tuple([*starmap(Estate, zip(*own, strict=True))][:n]) for n, *own in seats]


def harbour_zones(s: Any, board: Board, estates: Sequence[Estates], asked: int, asks: bool) -> Iterator[Zone]:
    """The harbours, from the sea up: the boats that lie in each, and the sites of its sub-region."""
    boats = s.at[: s.players].tolist()
    built: list[list[Built]] = [[] for _ in range(HARBOURS)]
    for p, own in enumerate(estates):
        for e, estate in enumerate(own):
            built[board.harbours[estate.i]].append(Built(p, e, estate))
    for harbour, barrels in enumerate(s.barrels_of.tolist()):
        there = tuple([p for p, at in enumerate(boats) if at == harbour])
        moves = () if asked == NOBODY else sailing(harbour - boats[asked], asked)
        yield harbour_zone(board, harbour, there, tuple(built[harbour]), barrels, asked, asks, moves)


class Built(NamedTuple):
    """An Estate on the board."""

    p: int  # whose it is
    e: int  # which of theirs
    estate: Estate


@remembered
def harbour_zone(
    board: Board,
    harbour: int,
    boats: tuple[int, ...],
    built: tuple[Built, ...],
    barrels: int,
    asked: int,
    asks: bool,
    moves: tuple[Move, ...],
) -> Zone:
    on = {one.estate.i: one for one in built}
    sites = [
        estate_on_board(board, *on[i], asked, asks) if i in on else free_site(board, i, asked)
        for i, at in enumerate(board.harbours)
        if at == harbour
    ]
    stacks = (*[boat(p, asked) for p in boats], *sites)
    note = Text("port.note.barrels", n=barrels) if barrels else None
    return Zone(HARBOUR_IDS[harbour], harbour_name(harbour), "list", stacks, note, moves)


def sailing(upstream: int, asked: int) -> tuple[Move, ...]:
    """What touching a harbour does that is so far upstream from the boat."""
    to = {1: Action.UP, -1: Action.DOWN}.get(upstream)
    return () if to is None else touching(asked, asked, to)


@remembered
def boat(p: int, asked: int) -> Stack:
    face = Card(f"boat-{p}", Text("port.boat_of", player=Player(p)), f"\\{SIGNS[p]}/", INKS[p])
    return Stack(face, 1, moves=touching(p, asked, Action.UP, Action.DOWN))


def free_site(board: Board, i: int, asked: int) -> Stack:
    """A site that is for sale: its quality and its price."""
    face = site_face(board.ids[i], board.qualities[i], (NOBODYS, NO_CUBE, NO_CUBE))
    return Stack(face, 0, note=Text("port.points", n=board.prices[i]), moves=touching(asked, asked, Action.SITE + i))


def estate_on_board(board: Board, p: int, e: int, estate: Estate, asked: int, asks: bool) -> Stack:
    """The owner touches the Estate; for the others it is a site that they cannot buy."""
    touch = touching_estate(p, asked, e, asks) if p == asked else touching(asked, asked, Action.SITE + estate.i)
    return estate_stack(board.ids[estate.i], board.qualities[estate.i], p, estate, touch)


@remembered
def estate_stack(id_: str, quality: int, p: int | None, estate: Estate, moves: tuple[Move, ...]) -> Stack:
    """A site with an Estate: its quality, whose it is unless that is clear, its cubes, and the barrels on it."""
    _, vineyard, brandy, barrels, crop_quality = estate
    cubes = (VINEYARD if vineyard else NO_CUBE, BRANDY if brandy else NO_CUBE)
    face = site_face(id_, quality, cubes if p is None else (MARKS[p], *cubes))
    crop = Text("port.note.harvest", harvest=harvest_sign(barrels, crop_quality)) if barrels else None
    return Stack(face, barrels, note=crop, moves=moves)


def asks_for_estate(s: Any) -> bool:
    return bool(Stage.VINEYARD <= s.stage <= Stage.MORE)


def touching_estate(p: int, asked: int, e: int, asks: bool) -> tuple[Move, ...]:
    """An Estate is chosen if a move asks for one; otherwise its harvest is loaded."""
    return touching(p, asked, e + (Action.ESTATE if asks else Action.LOAD))


def site_face(id_: str, quality: int, marks: tuple[Mark, ...]) -> Card:
    region, _, n = id_.partition("-")
    return Card(id_, named_site(id_), f"{region[0].upper()}{n}", "ink", corner=f"Q{quality}", marks=marks)


def action_zone(s: Any, asked: int) -> Zone:
    first = Action.FREE if s.stage == Stage.FREE else Action.MARK
    figures = zip(s.placed[: s.players].T.tolist(), s.taken.tolist(), s.circles.tolist(), strict=True)
    stacks = [
        action(act, tuple(placed), taken, circles, touching(asked, asked, act + first))
        for act, (placed, taken, circles) in enumerate(figures)
    ]
    return actions_zone(tuple(stacks))


@remembered
def actions_zone(stacks: tuple[Stack, ...]) -> Zone:
    return Zone("actions", Text("port.zone.actions"), "sets", stacks)


@remembered
def action(act: int, placed: tuple[int, ...], taken: int, circles: int, moves: tuple[Move, ...]) -> Stack:
    """An action of the table: whose markers lie on its circles, and how many circles are free."""
    marks = marks_on(act, placed, circles)
    return Stack(Card(ACTION_IDS[act], act_name(act), "", "ink", marks=marks), taken, goal=len(marks), moves=moves)


def marks_on(act: int, placed: Sequence[int], circles: int) -> tuple[Mark, ...]:
    """The taken circles come first. Every player has circles of their own for the boat."""
    taken = [[MARKS[p]] * n for p, n in enumerate(placed)]
    if act != Act.BOAT:
        return (*chain(*taken), *[FREE_CIRCLE] * (circles - sum(placed)))
    return tuple(chain(*(marks + [OWN_CIRCLES[p]] * (circles - len(marks)) for p, marks in enumerate(taken))))


# --- what lies before a player ----------------------------------------------------------------------------------------


def places(
    s: Any, board: Board, estates: Sequence[Estates], asked: int, asks: bool, viewer: int | None
) -> Iterator[Place]:
    fields = (s.markers, s.at, s.cargo, s.cargo_quality, s.cellar, s.cellar_quality, s.warehouse, s.hand, s.held)
    rows = zip(estates, scores(s), *[field[: s.players].tolist() for field in fields], strict=True)
    faces, spaces, over, first = category_faces(s), tuple(s.spaces.tolist()), s.actor == NOBODY, int(s.first)
    from_hand = Action.DISCARD if s.stage == Stage.DISCARD else Action.PLAY
    for p, (own, score, markers, at, cargo, cargo_quality, cellar, cellar_quality, stored, hand, held) in enumerate(
        rows
    ):
        touching = asked if p == asked else NOBODY  # of what lies here only its owner can touch anything
        zones = (
            estates_zone(board, p, own, touching, asks),
            boat_zone(p, touching, at, tuple(cargo), tuple(cargo_quality)),
            cellar_zone(p, touching, tuple(cellar), tuple(cellar_quality)),
            *warehouse_zones(p, touching, faces, tuple(stored), spaces),
            open_hand(p, touching, from_hand, tuple(hand)) if viewer in (None, p) else closed_hand(held),
        )
        words = Text("port.points", n=score) if over else standing(score, markers, p == first)
        yield Place(p, score, zones, words, MARKS[p])


@remembered
def standing(vp: int, markers: int, is_first: bool) -> Text:
    """VP, markers, and who has the first-player token."""
    key = "first" if is_first else "markers"
    return Text(f"port.standing.{key}", vp=Text("port.points", n=vp), n=markers)


@remembered
def estates_zone(board: Board, p: int, estates: Estates, asked: int, asks: bool) -> Zone:
    stacks = tuple(
        estate_stack(board.ids[own.i], board.qualities[own.i], None, own, touching_estate(p, asked, e, asks))
        for e, own in enumerate(estates)
    )
    left = rules.ESTATES - len(stacks)
    return Zone("estates", Text("port.zone.estates"), "list", stacks, Text("port.note.tiles", n=left) if left else None)


@remembered
def boat_zone(p: int, asked: int, at: int, cargo: tuple[int, ...], qualities: tuple[int, ...]) -> Zone:
    stacks = tuple(
        harvest(f"slot-{i}", barrels, quality, "≈", touching(p, asked, *UNLOADING[i]) if barrels else ())
        for i, (barrels, quality) in enumerate(zip(cargo, qualities, strict=True))
    )
    return Zone("boat", Text("port.zone.boat", harbour=harbour_name(at)), "list", stacks)


@remembered
def cellar_zone(p: int, asked: int, cellar: tuple[int, ...], qualities: tuple[int, ...]) -> Zone:
    """The columns: barrels come from the boat, and go to the warehouse or are sold."""
    stacks = tuple(
        harvest(COLUMN_IDS[c], barrels, quality, "RT"[rules.side_of(c)], touching(p, asked, *IN_CELLAR[c]))
        for c, (barrels, quality) in enumerate(zip(cellar, qualities, strict=True))
    )
    return Zone("cellar", Text("port.zone.cellar"), "list", stacks)


def harvest(kind: str, barrels: int, quality: int, sign: str, moves: tuple[Move, ...] = ()) -> Stack:
    """A place for a harvest, and what is there."""
    name = harvest_sign(barrels, quality) if barrels else "–"
    return Stack(Card(kind, name, sign, "wine" if sign != "T" else "mustard"), barrels, moves=moves)


@remembered
def warehouse_zones(
    p: int, asked: int, faces: tuple[Card, ...], stored: tuple[int, ...], spaces: tuple[int, ...]
) -> tuple[Zone, ...]:
    """The two sides of the warehouse, each from its lowest category up."""
    stacks = tuple(
        Stack(face, barrels, goal=goal, moves=touching(p, asked, Action.ADD + c))
        for c, (face, barrels, goal) in enumerate(zip(faces, stored, spaces, strict=True))
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


@remembered
def open_hand(p: int, asked: int, action: int, hand: tuple[int, ...]) -> Zone:
    stacks = tuple(Stack(CARD_FACES[k], n, moves=touching(p, asked, action + k)) for k, n in enumerate(hand) if n)
    return Zone("hand", Text("port.zone.hand"), "cards", stacks)


@remembered
def closed_hand(n: int) -> Zone:
    return Zone("hand", Text("port.zone.hand"), "piles", (Stack(None, n),))
