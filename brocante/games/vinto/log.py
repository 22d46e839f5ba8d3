"""What happened in a game of Vinto, in words."""

from collections.abc import Iterator
from typing import Any

from brocante.engine import left_of
from brocante.engine.deck import NONE
from brocante.engine.moves import Move
from brocante.engine.state import NOBODY
from brocante.engine.text import Player, Text
from brocante.games.vinto import rules
from brocante.games.vinto.awards import number, signed
from brocante.games.vinto.faces import name_of, rank_name, whose
from brocante.games.vinto.moves import (
    RANKS,
    Declare,
    Draw,
    Exchange,
    Give,
    Leave,
    Look,
    Look2,
    Name,
    Pass,
    Peek,
    Play,
    Swap,
    Take,
    Toss,
    Vinto,
)
from brocante.games.vinto.rules import Stage


def tell(before: Any, move: Move | None, after: Any, viewer: int, news: bool) -> Iterator[Text]:
    """The lines of the log for one step. A card that comes on the pile is named, since it lies there face up. One that
    is drawn is named only as long as it is news: it may have gone into a row, and then players must remember where. A
    card that somebody looked at is never named."""
    named = news or bool(before.memory_aid)
    if move is None:
        yield from tell_chance(before, after, viewer, named)
    else:
        yield from tell_move(before, move, after, viewer, named)
    if is_revealed(after) and not is_revealed(before):
        yield round_over(after, viewer)
        yield Text("vinto.log.totals", totals=[total_of(after, p) for p in range(after.players)])


def tell_chance(before: Any, after: Any, viewer: int, named: bool) -> Iterator[Text]:
    if after.time_up != before.time_up:
        yield Text("vinto.log.time")
    elif not rules.is_under_way(before):
        yield about("deal", int(after.first), viewer, n=int(after.rounds_played) + 1)
    else:
        yield Text("vinto.log.renew")
        if after.drawn != NONE:
            yield about("draw", int(after.turn), viewer, card=name_of(after.drawn) if named else None)


def tell_move(before: Any, move: Move, after: Any, viewer: int, named: bool) -> Iterator[Text]:
    """Passes in the window and the end of a turn are not worth a line."""
    seat = move.seat
    match move:
        case Peek(_, (a, b)):
            yield about("peek", seat, viewer, a=a + 1, b=b + 1)
        case Draw() if after.drawn != NONE:  # otherwise the deck is renewed first
            yield about("draw", seat, viewer, card=name_of(after.drawn) if named else None)
        case Take():
            yield about("take", seat, viewer, card=name_of(rules.top_of_pile(before)))
        case Play():
            key = "play" if rules.has_action(rules.rank_of(before.drawn)) else "discard"
            yield about(key, seat, viewer, card=name_of(before.drawn))
        case Swap():
            yield from tell_swap(before, move, after, viewer)
        case Toss(_, k):
            yield from tell_toss(before, seat, k, after, viewer)
        case Declare(_, at, rank):
            yield from tell_declaration(before, seat, whose(at, seat, viewer), rank, after, viewer)
        case Give(_, to):
            yield about("give_yourself", seat, viewer) if to == seat else given(seat, to, viewer)
            yield from tell_none_left(before, to, after)
        case Look(_, at):
            yield about("look", seat, viewer, card=whose(at, seat, viewer))
        case Look2(_, a, b) | Exchange(_, tuple() as a, tuple() as b):
            yield about(move.name(), seat, viewer, a=whose(a, seat, viewer), b=whose(b, seat, viewer))
        case Exchange():
            yield about("queen_exchange", seat, viewer)
        case Name(_, rank):
            yield about("name", seat, viewer, rank=rank_name(rank))
        case Leave() | Vinto():
            yield about(move.name(), seat, viewer)
        case Pass() if int(before.stage) == Stage.TURN:
            yield about("pass", seat, viewer)


def tell_swap(before: Any, move: Swap, after: Any, viewer: int) -> Iterator[Text]:
    """Everyone sees the card that comes out on the pile."""
    seat, slot = move.seat, move.slot + 1
    out = int(rules.top_of_pile(after))
    card = name_of(out)
    if move.declare is None:
        yield about("swap", seat, viewer, slot=slot, card=card)
        return
    right = RANKS[rules.rank_of(out)] == move.declare
    key = "swap_right" if right else "swap_wrong"
    yield about(key, seat, viewer, slot=slot, card=card, rank=rank_name(move.declare))
    yield from tell_penalty(before, seat, after, viewer, right)


def tell_toss(before: Any, seat: int, k: int, after: Any, viewer: int) -> Iterator[Text]:
    right = was_right(before, after)
    if right:
        yield about("toss", seat, viewer, slot=k + 1, card=name_of(rules.top_of_pile(after)))
    else:
        rank = RANKS[rules.rank_of(rules.top_of_pile(before))]
        yield about("toss_wrong", seat, viewer, slot=k + 1, rank=rank_name(rank))
    yield from tell_penalty(before, seat, after, viewer, right)


def tell_declaration(before: Any, seat: int, card: Text, rank: str, after: Any, viewer: int) -> Iterator[Text]:
    right = was_right(before, after)
    yield about("declare" if right else "declare_wrong", seat, viewer, card=card, rank=rank_name(rank))
    yield from tell_penalty(before, seat, after, viewer, right)


def tell_penalty(before: Any, seat: int, after: Any, viewer: int, right: bool) -> Iterator[Text]:
    if not right:
        yield about("penalty", seat, viewer)
        yield from tell_none_left(before, seat, after)


def tell_none_left(before: Any, seat: int, after: Any) -> Iterator[Text]:
    """V8.1: there may be no card to take."""
    if after.taker == NOBODY and after.cards[seat] <= before.cards[seat]:
        yield Text("vinto.log.none_left")


def given(seat: int, to: int, viewer: int) -> Text:
    key = "given" if to == viewer else "give"
    return about(key, seat, viewer, to=Player(to))


def round_over(s: Any, viewer: int) -> Text:
    """V10: how a round ended."""
    if not rules.is_final_round(s):
        return Text("vinto.log.no_caller", n=int(s.rounds_played))
    points = int(rules.round_points(s, s.caller))
    others = int(rules.round_points(s, left_of(s, s.caller)))
    how = "lost" if points < 0 else "won" if others < 0 else "level"
    return about(how, int(s.caller), viewer, n=int(s.rounds_played))


def total_of(s: Any, p: int) -> Text:
    points = signed(rules.round_points(s, p))
    return Text("vinto.log.total", player=Player(p), total=number(rules.total(s, p)), points=points)


def about(what: str, seat: int, viewer: int, **blanks: Any) -> Text:
    """A line about the reader, or about somebody else. A card that is None is not named."""
    person = "you" if seat == viewer else "they"
    if blanks.get("card", "") is None:
        what, blanks = f"{what}_something", {name: value for name, value in blanks.items() if name != "card"}
    return Text(f"vinto.log.{what}.{person}", player=Player(seat), **blanks)


def is_revealed(s: Any) -> bool:
    """V10: whether a round is over and all cards lie open."""
    return int(s.stage) == Stage.REVEAL


def was_right(before: Any, after: Any) -> bool:
    """V6, V8: a card that was tossed in or declared rightly lies on the pile."""
    return bool(after.discards > before.discards)
