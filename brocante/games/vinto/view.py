"""How Vinto looks: rows of face-down cards, the two piles, and what a player sees for a moment."""

from collections.abc import Callable
from typing import Any, Literal

from brocante.engine.deck import NONE
from brocante.engine.moves import Move, Part
from brocante.engine.state import NOBODY, copied
from brocante.engine.text import Player, Text, Words
from brocante.engine.view import Card, Gesture, Moment, Place, Stack, Table, Zone
from brocante.games.vinto import rules
from brocante.games.vinto.awards import number, signed
from brocante.games.vinto.faces import FACES, name_of, whose
from brocante.games.vinto.knowledge import forget
from brocante.games.vinto.log import is_revealed, round_over, was_right
from brocante.games.vinto.moves import (
    Declare,
    Draw,
    Exchange,
    Look,
    Look2,
    Peek,
    Play,
    Swap,
    Take,
    Toss,
    Vinto,
    place,
)
from brocante.games.vinto.rules import GAP, OWN_ROW, SLOTS, Action, Stage

Touch = Callable[[int, int], tuple[Move, ...]]  # what touching a player's card in a slot does


def table(s: Any, viewer: int | None) -> Table:
    seat = NOBODY if viewer is None else viewer
    touch, chosen = touching(s, seat), chosen_cards(s)
    asked = seat if seat == s.actor else NOBODY  # who may touch the piles
    return Table(
        status=status(s),
        centre=(draw_zone(s, asked), *drawn_zone(s, asked), discard_zone(s, asked), *waiting_zone(s)),
        places=tuple([place_of(s, p, touch, chosen) for p in range(s.players)]),
    )


def place_of(s: Any, p: int, touch: Touch, chosen: list[tuple[int, int]]) -> Place:
    points = int(s.points[p])
    words = Text("vinto.points", n=points, points=number(points))
    return Place(p, points, (row_zone(s, p, touch, chosen),), words)


def status(s: Any) -> Text:
    """Which round it is, and whether it is in its final turns."""
    if rules.is_final_round(s) and rules.is_under_way(s):
        return Text("vinto.status.final", status=which_round(s), player=Player(s.caller))
    return which_round(s)


def which_round(s: Any) -> Text:
    n = int(s.rounds_played) + int(int(s.stage) != Stage.REVEAL)
    if s.minutes:
        return (
            Text("vinto.status.last", n=n) if s.time_up else Text("vinto.status.minutes", n=n, minutes=int(s.minutes))
        )
    return Text("vinto.status.rounds", n=n, rounds=int(s.rounds))


def touching_pile(asked: int, move: type[Move]) -> tuple[Move, ...]:
    return () if asked == NOBODY else (move(asked),)


def draw_zone(s: Any, asked: int) -> Zone:
    pile = Stack(None, int(s.left), moves=touching_pile(asked, Draw))
    return Zone("draw", Text("vinto.zone.draw"), "piles", (pile,))


def drawn_zone(s: Any, asked: int) -> tuple[Zone, ...]:
    """The card that was turned up, until it is played or swapped."""
    if int(s.stage) not in (Stage.DRAWN, Stage.SWAP):
        return ()
    card = Stack(FACES[s.drawn], 1, moves=touching_pile(asked, Play))
    return (Zone("drawn", Text("vinto.zone.drawn"), "row", (card,)),)


def discard_zone(s: Any, asked: int) -> Zone:
    """The discard pile with its top card. A note says whether its action is used, unless it still waits."""
    if not s.discards:
        return Zone("discard", Text("vinto.zone.discard"), "row", ())
    top = rules.top_of_pile(s)
    noted = rules.has_action(rules.rank_of(top)) and top != s.acting and top not in s.waiting[: s.waits]
    note = Text("vinto.note.unused" if s.unused else "vinto.note.used") if noted else None
    pile = Stack(FACES[top], int(s.discards), note=note, moves=touching_pile(asked, Take))
    return Zone("discard", Text("vinto.zone.discard"), "row", (pile,))


def waiting_zone(s: Any) -> tuple[Zone, ...]:
    """V5: the card whose action is being carried out, and those whose actions wait, in order."""
    waits = [(int(s.waiting[k]), int(s.waiting_for[k])) for k in range(s.waits)]
    stacks = [Stack(FACES[card], 1, note=Text("vinto.note.waits", player=Player(p))) for card, p in waits]
    if s.acting != NONE:
        note = Text("vinto.note.acting", player=Player(s.actor)) if s.actor >= 0 else None  # chance renews the deck
        stacks.insert(0, Stack(FACES[s.acting], 1, note=note, chosen=True))
    return (Zone("waiting", Text("vinto.zone.waiting"), "row", tuple(stacks)),) if stacks else ()


def row_zone(s: Any, p: int, touch: Touch, chosen: list[tuple[int, int]]) -> Zone:
    row = s.row[p, : s.width[p]].tolist()
    while row and row[-1] == GAP:
        row.pop()
    stacks = tuple([slot(card, touch(p, k), (p, k) in chosen) for k, card in enumerate(row)])
    return Zone("row", Text("vinto.zone.row"), "slots", stacks, note=row_note(s, p))


def slot(card: int, moves: tuple[Move, ...], chosen: bool) -> Stack:
    if card == GAP:
        return Stack(None, 0)
    return Stack(FACES[card] if card > GAP else None, 1, moves=moves, chosen=chosen)


def chosen_cards(s: Any) -> list[tuple[int, int]]:
    """The cards that were pointed at for an unfinished move."""
    match int(s.stage):
        case Stage.SWAP | Stage.PEEK_SECOND:
            return [(int(s.actor), int(s.picked))]
        case Stage.QUEEN_LOOKED:
            return [place(int(s.picked)), place(int(s.other))]
        case Stage.JACK_SECOND | Stage.QUEEN_SECOND | Stage.KING_RANK:
            return [place(int(s.picked))]
    return []


def touching(s: Any, viewer: int) -> Touch:
    """What pointing at a card does now, or would do at another time."""
    if viewer != s.actor:
        return lambda p, k: ()
    stage = int(s.stage)
    if stage == Stage.ACE:
        return lambda p, k: (Part(viewer, Action.GIVE + p),)
    own = viewer if stage in OWN_ROW else NOBODY
    return lambda p, k: (Part(viewer, Action.SLOT + k if p == own else Action.AT + p * SLOTS + k),)


def row_note(s: Any, p: int) -> Text | None:
    stage = int(s.stage)
    if stage == Stage.REVEAL:
        key = "caller_total" if p == s.caller else "total"
        return Text(f"vinto.note.{key}", total=number(rules.total(s, p)), points=signed(rules.round_points(s, p)))
    return Text("vinto.note.caller") if p == s.caller and stage != Stage.DEAL else None


def moment(before: Any, move: Move | None, after: Any, viewer: int) -> Moment | None:
    """A card that the viewer looks at, a card that was tossed in or declared wrongly, what the others know when
    somebody has called (V9.2), and all cards when a round is over."""
    if is_revealed(after) and not is_revealed(before):
        return Moment(round_over(after, viewer), table(after, viewer), pause=True)
    cards = bared(before, move, after, viewer)
    shown = copied(after)
    forget(shown, viewer)
    if isinstance(move, Vinto) and viewer not in (NOBODY, move.seat):
        return Moment(Text("vinto.moment.vinto", player=Player(move.seat)), table(shown, viewer), pause=True)
    if not cards or all(shown.row[at] > GAP for at in cards):
        return None
    for at in cards:
        shown.row[at] = after.row[at]
    assert move is not None
    words = tuple(
        Text("vinto.moment.card", where=whose(at, viewer, viewer), card=name_of(after.row[at])) for at in cards
    )
    looked = isinstance(move, Peek | Look)
    text = Text("vinto.moment.look", cards=words) if looked else Text("vinto.moment.wrong", cards=words)
    return Moment(text, table(shown, viewer), pause=move.seat == viewer)


def bared(before: Any, move: Move | None, after: Any, viewer: int) -> list[tuple[int, int]]:
    """The cards that a step shows the viewer and that lie face down again afterwards."""
    match move:
        case Peek(seat, slots) if seat == viewer:
            return [(seat, k) for k in slots]
        case Look(seat, at) if seat == viewer:
            return [at]
        case Toss(seat, k) if not was_right(before, after):
            return [(seat, k)]
        case Declare(_, at) if not was_right(before, after):
            return [at]
    return []


def gesture(before: Any, move: Move | None, after: Any) -> Gesture | None:
    """Who looks at which cards (V2, V5), shows one by mistake (V6, V8), swaps one or exchanges two."""
    match move:
        case Peek(seat, slots):
            return gesture_at(seat, "look", *((seat, k) for k in slots))
        case Look(seat, at):
            return gesture_at(seat, "look", at)
        case Look2(seat, a, b):
            return gesture_at(seat, "look", a, b)
        case Toss(seat, k) if not was_right(before, after):
            return gesture_at(seat, "show", (seat, k))
        case Declare(seat, at) if not was_right(before, after):
            return gesture_at(seat, "show", at)
        case Swap(seat, k):
            return gesture_at(seat, "move", (seat, k))
        case Exchange(seat, tuple() as a, tuple() as b):
            return gesture_at(seat, "move", a, b)
        case Exchange(seat):
            return gesture_at(seat, "move", place(int(before.picked)), place(int(before.other)))
    return None


def gesture_at(seat: int, does: Literal["look", "show", "move"], *cards: tuple[int, int]) -> Gesture:
    return Gesture(seat, does, tuple([f"{p}.row.{k}" for p, k in cards]))


#: The single cards that the log names.
PICTURES = {card.name: card for card in FACES}


def picture(words: Words) -> Card | None:
    return PICTURES.get(words)
