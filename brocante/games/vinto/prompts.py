"""What is asked in Vinto, what each choice is called, and the key that makes it."""

from collections.abc import Sequence
from typing import Any

from brocante.engine.deck import NONE
from brocante.engine.moves import Move, Part
from brocante.engine.text import Player, Text
from brocante.games.vinto import rules
from brocante.games.vinto.faces import action_of, name_of, rank_name, what_it_does, whose
from brocante.games.vinto.moves import (
    RANKS,
    Declare,
    Exchange,
    Give,
    Look,
    Look2,
    Name,
    Peek,
    Play,
    Swap,
    Take,
    Toss,
    Vinto,
    place,
)
from brocante.games.vinto.rules import Action, Stage

#: The keys that declare a rank: its letter or digit, and 0 for 10.
RANK_KEYS = dict(zip(RANKS, "a234567890jqkx", strict=True))
PLAIN_KEYS = {"play": "0", "pass": "0", "end": "0", "leave": "0", "vinto": "v"}


def prompt(s: Any, viewer: int, moves: Sequence[Move]) -> Text:
    if s.actor != viewer:
        return waiting_prompt(s)
    match int(s.stage):
        case Stage.TURN:
            return turn_prompt(s)
        case Stage.DRAWN:
            return drawn_prompt(s, viewer)
        case Stage.SWAP:
            return Text("vinto.prompt.swap", slot=int(s.picked) + 1)
        case Stage.JACK_SECOND | Stage.QUEEN_SECOND | Stage.KING_RANK:
            key = Stage(s.stage).name.lower()
            return Text(f"vinto.prompt.{key}", card=whose(place(int(s.picked)), viewer, viewer))
        case Stage.QUEEN_LOOKED:
            return queen_prompt(s, viewer)
        case Stage.WINDOW:
            return window_prompt(s)
        case Stage.END:
            return Text("vinto.prompt.only_end" if rules.is_final_round(s) else "vinto.prompt.end")
        case Stage.PEEK | Stage.PEEK_SECOND:
            return Text(f"vinto.prompt.{Stage(s.stage).name.lower()}")
    return Text(f"vinto.prompt.{Stage(s.stage).name.lower()}", card=name_of(s.acting))


def waiting_prompt(s: Any) -> Text:
    """Who is deciding, and what."""
    player = Player(s.actor)
    match int(s.stage):
        case Stage.WINDOW:
            return Text("vinto.prompt.wait.window", player=player)
        case Stage.PEEK | Stage.PEEK_SECOND:
            return Text("vinto.prompt.wait.peek", player=player)
    if s.acting != NONE:
        deed = Text(f"vinto.deed.{action_of(s, int(rules.rank_of(s.acting)))}")
        return Text("vinto.prompt.wait.action", player=player, card=name_of(s.acting), action=deed)
    return Text("prompt.wait", player=player)


def turn_prompt(s: Any) -> Text:
    if not rules.can_take(s):
        return Text("vinto.prompt.turn" if rules.can_draw(s) else "vinto.prompt.pass")
    top = rules.top_of_pile(s)
    blanks = {"card": name_of(top), "action": what_it_does(s, int(rules.rank_of(top)))}
    return Text("vinto.prompt.turn_or_take" if rules.can_draw(s) else "vinto.prompt.take", **blanks)


def drawn_prompt(s: Any, viewer: int) -> Text:
    rank = int(rules.rank_of(s.drawn))
    key = "play" if rules.has_action(rank) else "discard"
    if not s.cards[viewer]:
        return Text(f"vinto.prompt.only_{key}", card=name_of(s.drawn))
    return Text(f"vinto.prompt.{key}", card=name_of(s.drawn), action=what_it_does(s, rank))


def queen_prompt(s: Any, viewer: int) -> Text:
    at = [place(int(s.picked)), place(int(s.other))]
    a, b = (whose(card, viewer, viewer) for card in at)
    first, second = (name_of(s.row[card]) for card in at)
    return Text("vinto.prompt.queen_looked", a=a, b=b, first=first, second=second)


def window_prompt(s: Any) -> Text:
    rank = RANKS[rules.rank_of(rules.top_of_pile(s))]
    return Text("vinto.prompt.window", player=Player(s.turn), rank=rank_name(rank))


def label(s: Any, move: Move) -> Text:
    seat, stage = move.seat, int(s.stage)
    match move:
        case Part(_, action) if action >= Action.AT:
            return Text("vinto.move.point", card=whose(place(action - Action.AT), seat, seat))
        case Part(_, action):
            key = "peek" if stage == Stage.PEEK else "swap"
            return Text(f"vinto.move.{key}", slot=action - Action.SLOT + 1)
        case Peek(_, slots) if stage == Stage.PEEK:
            return Text("vinto.move.peek_both", a=slots[0] + 1, b=slots[1] + 1)
        case Peek(_, slots):
            return Text("vinto.move.peek", slot=sum(slots) - int(s.picked) + 1)
        case Play():
            rank = int(rules.rank_of(s.drawn))
            key = "play" if rules.has_action(rank) else "discard"
            return Text(f"vinto.move.{key}", card=name_of(s.drawn), action=what_it_does(s, rank))
        case Take():
            top = rules.top_of_pile(s)
            return Text("vinto.move.take", card=name_of(top), action=what_it_does(s, int(rules.rank_of(top))))
        case Swap():
            return swap_label(s, move)
        case Look(_, at):
            return Text("vinto.move.look", card=whose(at, seat, seat))
        case Exchange(_, a, b) if a and b and stage == Stage.JACK:
            return Text("vinto.move.exchange_both", a=whose(a, seat, seat), b=whose(b, seat, seat))
        case Exchange(_, a, b) if a and b:
            return Text("vinto.move.exchange_with", card=whose(other_card(s, a, b), seat, seat))
        case Look2(_, a, b) if stage == Stage.QUEEN:
            return Text("vinto.move.look_both", a=whose(a, seat, seat), b=whose(b, seat, seat))
        case Look2(_, a, b):
            return Text("vinto.move.look", card=whose(other_card(s, a, b), seat, seat))
        case Declare(_, at, rank) if stage == Stage.KING:
            return Text("vinto.move.declare_card", card=whose(at, seat, seat), rank=rank_name(rank))
        case Declare(_, _, rank):
            return Text("vinto.move.declare", rank=rank_name(rank))
        case Name(_, rank):
            return Text("vinto.move.name", rank=rank_name(rank), action=what_it_does(s, RANKS.index(rank)))
        case Give(_, to):
            return Text("vinto.move.give_yourself") if to == seat else Text("vinto.move.give", player=Player(to))
        case Toss(_, k):
            return Text("vinto.move.toss", slot=k + 1)
    return Text(f"vinto.move.{move.name()}")


def other_card(s: Any, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    """The one of two cards that was not picked first."""
    return a if place(int(s.picked)) == b else b


def swap_label(s: Any, move: Swap) -> Text:
    """In full; once the slot is chosen, only what is declared."""
    if int(s.stage) == Stage.SWAP:
        return Text("vinto.move.declare", rank=rank_name(move.declare)) if move.declare else Text("vinto.move.silent")
    if move.declare:
        return Text("vinto.move.swap_declaring", slot=move.slot + 1, rank=rank_name(move.declare))
    return Text("vinto.move.swap_silent", slot=move.slot + 1)


def key(move: Move) -> str:
    """Ranks have their letters or digits; cards have the keys of their slots."""
    match move:
        case Swap(_, _, declare):
            return RANK_KEYS[declare] if declare else "s"
        case Declare(_, _, rank) | Name(_, rank):
            return RANK_KEYS[rank]
        case Exchange(_, None, None):
            return "x"
    return PLAIN_KEYS.get(move.name(), "")


def is_risky(move: Move) -> bool:
    """V9: a call of Vinto decides the round."""
    return isinstance(move, Vinto)
