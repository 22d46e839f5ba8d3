"""What happened in a game of Port, in words."""

from collections.abc import Iterator
from typing import Any

from brocante.engine.moves import Move
from brocante.engine.state import NOBODY, copied
from brocante.engine.text import Player, Text
from brocante.games.port import rules
from brocante.games.port.faces import (
    ROMAN,
    card_name,
    category_name,
    harbour_name,
    harvest_name,
    named_site,
    site_name,
)
from brocante.games.port.moves import Add, Card, Load, Mark, Pass, Sail, Unload, estate_at
from brocante.games.port.names import CARD_IDS, CATEGORY_IDS
from brocante.games.port.rules import CATEGORIES, KINDS, Act, Kind, Stage


def tell(before: Any, move: Move | None, after: Any, viewer: int, news: bool) -> Iterator[Text]:
    """The lines of the log for one step."""
    if isinstance(move, Mark | Card):
        yield from tell_action(before, move, after, viewer)
    elif move is not None:
        yield from tell_step(before, move, after, viewer)
    elif before.stage != Stage.DEAL:
        yield from tell_chance(before, after, viewer)
    yield from tell_new_round(before, after, viewer)


def about(what: str, seat: int, viewer: int, **blanks: Any) -> Text:
    """A line about the reader or about somebody else."""
    return Text(f"port.log.{what}.{'you' if seat == viewer else 'they'}", player=Player(seat), **blanks)


def tell_action(before: Any, move: Mark | Card, after: Any, viewer: int) -> Iterator[Text]:
    """A marker or a card, and what came of it."""
    seat = move.seat
    if isinstance(move, Card):
        yield about("card", seat, viewer, card=Text(f"port.card.{move.card}"))
    if after.estates[seat] > before.estates[seat]:
        site = int(after.site[seat, before.estates[seat]])
        price = Text("port.points", n=int(before.vp[seat] - after.vp[seat]))
        yield about("buy", seat, viewer, site=site_name(after, site), price=price)
    yield from tell_cubes(before, after, seat, viewer)
    yield from tell_harvest(before, after, seat, viewer)
    if isinstance(move, Card) and (move.columns or move.column):
        columns = tuple(Text(f"port.column.{column}") for column in move.columns or (move.column,))
        paid = Text("port.points", n=int(after.vp[seat] - before.vp[seat]))
        yield about("sell_barrels", seat, viewer, columns=columns, vp=paid)
    if after.stage == Stage.BOAT:
        yield about("wind", seat, viewer, n=int(after.moves_left))
    if move.discard:
        yield about("discard", seat, viewer, card=Text(f"port.card.{move.discard}"))
    if move.action == "draw" and after.stage != Stage.RENEW:
        yield about_draw(kept(before, move), after, seat, viewer)


def tell_cubes(before: Any, after: Any, seat: int, viewer: int) -> Iterator[Text]:
    for cube in ("vineyard", "brandy"):
        for e in range(after.estates[seat]):
            if after[cube][seat, e] > before[cube][seat, e]:
                yield about(cube, seat, viewer, site=site_name(after, after.site[seat, e]))


def tell_harvest(before: Any, after: Any, seat: int, viewer: int) -> Iterator[Text]:
    """A harvest, or more barrels for one."""
    grown = [e for e in range(after.estates[seat]) if after.crop[seat, e] > before.crop[seat, e]]
    if grown:
        listed = tuple(
            Text(
                "port.choice.harvest",
                site=site_name(after, after.site[seat, e]),
                harvest=harvest_name(after.crop[seat, e], after.crop_quality[seat, e]),
            )
            for e in grown
        )
        had = int(before.crop[seat, grown[0]])
        more = int(after.crop[seat, grown[0]]) - had
        yield (
            about("more", seat, viewer, n=more, harvests=listed)
            if had
            else about("harvest", seat, viewer, harvests=listed)
        )


def kept(before: Any, move: Mark | Card) -> Any:
    """The hand from which a card was played or discarded."""
    hand = before.hand[move.seat].copy()
    for card in filter(None, (move.discard, move.card if isinstance(move, Card) else None)):
        hand[CARD_IDS.index(card)] -= 1
    return hand


def about_draw(had: Any, after: Any, seat: int, viewer: int) -> Text:
    """Players read which card they drew themselves."""
    if seat != viewer:
        return about("draw", seat, viewer)
    new = next(k for k in range(KINDS) if after.hand[seat, k] > had[k])
    return about("draw", seat, viewer, card=card_name(new))


def tell_step(before: Any, move: Move, after: Any, viewer: int) -> Iterator[Text]:
    """What is done without a marker or a card. The end of a turn or a trip goes without saying."""
    seat = move.seat
    match move:
        case Sail(_, to):
            yield about(to, seat, viewer, harbour=harbour_name(after.at[seat]))
        case Load(_, site):
            e = estate_at(before, seat, site)
            barrels = harvest_name(before.crop[seat, e], before.crop_quality[seat, e])
            yield about("load", seat, viewer, harvest=barrels, site=named_site(site))
        case Unload(_, slot, column):
            barrels = harvest_name(before.cargo[seat, slot], before.cargo_quality[seat, slot])
            yield about("unload", seat, viewer, harvest=barrels, column=Text(f"port.column.{column}"))
        case Add(_, "none"):
            yield Text("port.log.add_none")
            yield from tell_sale(before, after, seat, viewer)
        case Add(_, category):
            yield about("add", seat, viewer, category=Text(f"port.category.{category}"))
            stored = copied(before)
            stored.warehouse[seat, CATEGORY_IDS.index(category)] += 1
            yield from tell_sale(stored, after, seat, viewer)
        case Pass():
            yield about("pass", seat, viewer)


def tell_chance(before: Any, after: Any, viewer: int) -> Iterator[Text]:
    seat, die = int(before.turn), int(after.die)
    if before.stage == Stage.RENEW:
        yield Text("port.log.renew")
        yield about_draw(before.hand[seat], after, seat, viewer)
    elif before.doing == Act.BOAT:
        yield about("boat", seat, viewer, die=die, n=die)
    else:
        yield from tell_ageing(before, after, seat, viewer)


def tell_ageing(before: Any, after: Any, seat: int, viewer: int) -> Iterator[Text]:
    """Where the barrels went, and what was sold."""
    stored = copied(before)
    rules.mature(stored, seat, int(after.die))
    die = f"{after.die} + 1" if before.in_play == Kind.AGE_QUALITY else str(after.die)
    yield about("age", seat, viewer, die=die, categories=new_barrels(before, stored, seat))
    if before.in_play == Kind.ENOLOGIST:
        matured = copied(stored)
        rules.improve(stored, seat)
        better = new_barrels(matured, stored, seat)
        yield about("improve", seat, viewer, categories=better) if better else about("no_better", seat, viewer)
    if after.stage != Stage.ADD:
        yield from tell_sale(stored, after, seat, viewer)


def new_barrels(before: Any, after: Any, seat: int) -> tuple[Text, ...]:
    added = after.warehouse[seat] - before.warehouse[seat]
    return tuple(
        Text("port.log.barrels", n=int(added[c]), category=category_name(c)) for c in range(CATEGORIES) if added[c] > 0
    )


def tell_sale(stored: Any, after: Any, seat: int, viewer: int) -> Iterator[Text]:
    """The barrels that left the warehouse, and what they brought."""
    sold = new_barrels(after, stored, seat)
    if sold:
        vp = Text("port.points", n=int(after.vp[seat] - stored.vp[seat]))
        yield about("sell", seat, viewer, categories=sold, vp=vp)


def tell_new_round(before: Any, after: Any, viewer: int) -> Iterator[Text]:
    """P7: a new round, with its bonus and its first player; the end."""
    if after.actor == NOBODY:
        yield Text("port.log.over")
    elif before.stage == Stage.DEAL or after.round_number > before.round_number:
        n = int(after.round_number)
        yield about("round", int(after.first), viewer, n=ROMAN[n], bonus=int(after.bonuses[n]))
