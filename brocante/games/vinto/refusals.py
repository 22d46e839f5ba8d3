"""Why a move of Vinto is refused: what each move needs, clause by clause. It tells no more than the player can see."""

from typing import Any

from brocante.engine.contract import Requirements
from brocante.engine.moves import Move, Part
from brocante.engine.text import Player, Text
from brocante.games.vinto import rules
from brocante.games.vinto.moves import (
    RANKS,
    At,
    Declare,
    Draw,
    End,
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
    place,
)
from brocante.games.vinto.rules import OWN_ROW, SLOTS, Action, Stage

#: The stages at which each move is made.
STAGES: dict[type[Move], tuple[Stage, ...]] = {
    Peek: (Stage.PEEK,),
    Draw: (Stage.TURN,),
    Take: (Stage.TURN,),
    Play: (Stage.DRAWN,),
    Swap: (Stage.DRAWN,),
    Look: (Stage.LOOK_OWN, Stage.LOOK_OTHER),
    Exchange: (Stage.JACK, Stage.QUEEN_LOOKED),
    Look2: (Stage.QUEEN,),
    Leave: (Stage.QUEEN_LOOKED,),
    Declare: (Stage.KING,),
    Name: (Stage.KING_WILD,),
    Give: (Stage.ACE,),
    Toss: (Stage.WINDOW,),
    Pass: (Stage.WINDOW, Stage.TURN),
    Vinto: (Stage.END,),
    End: (Stage.END,),
}
#: The stages at which anybody's card may be pointed at.
POINTING = (
    Stage.LOOK_OWN,
    Stage.LOOK_OTHER,
    Stage.JACK,
    Stage.JACK_SECOND,
    Stage.QUEEN,
    Stage.QUEEN_SECOND,
    Stage.KING,
)
#: The stages within a move.
BEGUN = (Stage.PEEK_SECOND, Stage.SWAP, Stage.JACK_SECOND, Stage.QUEEN_SECOND, Stage.KING_RANK)
#: What the actor must do at each stage.
INSTEAD: dict[int, Text] = {
    stage: Text("vinto.touch.begun" if stage in BEGUN else f"vinto.why.step.{stage.name.lower()}") for stage in Stage
}


def requirements(s: Any, move: Move) -> Requirements:
    stage = int(s.stage)
    yield stage in stages(move), INSTEAD[stage]
    match move:
        case Part():
            yield from touching(s, move.seat, move.action)
        case Draw():
            yield rules.can_draw(s), Text("vinto.why.nothing_to_draw")
        case Take():
            yield rules.can_take(s), Text("vinto.why.nothing_to_take")
        case Pass() if stage == Stage.TURN:
            yield rules.must_pass(s), Text("vinto.why.no_pass")
        case Vinto():
            yield not rules.is_final_round(s), Text("vinto.why.called")
        case Peek(seat, (a, b)):
            yield from two_cards(s, (seat, a), (seat, b))
        case Swap(seat, slot) | Toss(seat, slot):
            yield from a_card(s, (seat, slot))
        case Look(_, at) | Declare(_, at):
            yield from a_card(s, at)
        case Look2(_, a, b):
            yield from two_cards(s, a, b)
        case Exchange(_, a, b) if stage == Stage.QUEEN_LOOKED:
            yield a is None and b is None, Text("vinto.why.those_two")
        case Exchange(_, a, b):
            named = [at for at in (a, b) if at is not None]
            yield len(named) == 2, Text("vinto.why.which_two")
            yield from two_cards(s, *named)
        case Name(_, rank):
            yield rules.can_be_named(RANKS.index(rank)), Text("vinto.why.not_to_be_named", ranks=nameable())
        case Give(_, to):
            yield from a_player(s, to)


def stages(move: Move) -> tuple[Stage, ...]:
    if not isinstance(move, Part):
        return STAGES[type(move)]
    if move.action >= Action.AT:
        return POINTING
    return (Stage.ACE,) if move.action >= Action.GIVE else OWN_ROW


def touching(s: Any, seat: int, action: int) -> Requirements:
    """A card on the table, or the player whose card it is."""
    if action >= Action.AT:
        at = action - Action.AT
        yield from a_card(s, place(at))
        yield rules.are_two(at, rules.picked_before(s)), Text("vinto.why.two_cards")
    elif action >= Action.GIVE:
        yield from a_player(s, action - Action.GIVE)
    else:
        slot = action - Action.SLOT
        yield from a_card(s, (seat, slot))
        yield rules.are_two(slot, rules.picked_before(s)), Text("vinto.why.two_cards")


def a_card(s: Any, at: At) -> Requirements:
    seat, slot = at
    yield rules.is_own_row_for_seven(s, seat), Text("vinto.why.own_card")
    yield rules.is_other_row_for_nine(s, seat), Text("vinto.why.others_card")
    yield 0 <= seat < s.players, Text("vinto.why.no_such_seat", seat=seat)
    yield 0 <= slot < SLOTS and rules.has_card(s, seat, slot), Text("vinto.why.gap", player=Player(seat), slot=slot)
    yield not rules.is_frozen(s, seat), Text("vinto.why.caller", player=Player(seat))


def two_cards(s: Any, a: At, b: At) -> Requirements:
    yield from a_card(s, a)
    yield from a_card(s, b)
    yield rules.are_two(a, b), Text("vinto.why.two_cards")


def a_player(s: Any, seat: int) -> Requirements:
    yield 0 <= seat < s.players, Text("vinto.why.no_such_seat", seat=seat)
    yield not rules.is_frozen(s, seat), Text("vinto.why.caller", player=Player(seat))


def nameable() -> tuple[str, ...]:
    return tuple(rank for number, rank in enumerate(RANKS) if rules.can_be_named(number))
