'''Positions of Vinto, drawn as text.

    position("""
        pile: 7H 2C …   discards: 9S JD*
        > seat 0           5C 7D -- 10H KS
          seat 1           4C(1) 4D(01) 6H(all)
          seat 2 (vinto)   AC AD
          seat 3           –
    """)

is a game in which it is seat 0's turn (the mark >) with nothing done yet. Cards are written rank then suit, as in a
record; -- is a gap (V2.1), `–` is none. In brackets after a card: which seats have seen it; `all` is everyone, those
who watch included. A card without brackets nobody has seen.

    pile: 7H 2C …     the draw pile, next card first
    discards: 9S JD*  the discard pile, top card last; the star: its action is unused (V4.1)
    …                 here lies what is not drawn elsewhere: the last cards of a pile or of a row, the lowest discards.
                      Where no dots are drawn: below the draw pile.
    (vinto)           who called Vinto (V9)
    points: 4         a player's round points so far (none if they are not drawn)
    turns: 12         how many turns this round had (none if it is not drawn)
    round: 2          which round it is (the first if it is not drawn)
    first: 1          who began the round (seat 0 if it is not drawn)
    acting: KH        the card whose action is being carried out (V5), by whoever is on turn unless it is drawn who
                      decides; where none is drawn, the turn begins
    waits: 7H:1 KC:3  the cards whose actions wait, and whose they are, the next one first (V5)

All 54 cards are always there; what the dots stand for lies in the order of the ranks. Options are given besides:
`position(drawing, king="wild")`.

`assert_position` reads the same drawings. There, what is not drawn may be anything, but a seat that is drawn is drawn
with its marks; dots stand for any more cards, a card without brackets may be known to anybody, and `5C()` to nobody. It
reads these, too:

    step: window      what the rules wait for: turn, drawn, swap, look own, look other, jack, …
    decides: 2        who is to decide; `chance` or `nobody`
    drawn: 7H         the card that was turned up
    renewals: 2       how often the draw pile was renewed in this round (V8.1)

Chance does not move by itself: `play(game, "draw", "renew 7H …")`.
'''

import re
from collections.abc import Iterable
from typing import Any

import brocante
from brocante import CHANCE, NOBODY, Game
from brocante.engine.deck import NONE
from brocante.games.vinto import rules
from brocante.games.vinto.chance_lines import CARD_NAMES, NUMBER, TIME
from brocante.games.vinto.rules import CARDS, EVERYONE, GAP, Stage
from tests.games.drawings import DOTS, NOTHING, Facts, assert_as_drawn, listed, players_in, read_facts, words
from tests.games.playing import spoken

CARD = re.compile(r"(?P<card>[^()*]+)(?:\((?P<known>all|\d*)\))?")
OF_A_SEAT = ("mark", "row", "points")
OF_ALL = ("pile", "discards", "turns", "round", "first", "renewals", "step", "decides", "drawn", "acting", "waits")
GAP_DRAWN, UNUSED = "--", "*"
#: Moves: a card is drawn and played, and nobody tosses in.
PLAYED = ("draw", "play", "all pass")
#: The steps at which an action is being carried out.
ACTING = tuple(stage for stage in Stage if Stage.LOOK_OWN <= stage <= Stage.ACE)


def position(drawing: str, **options: Any) -> Game:
    """A game that stands exactly as drawn; chance waits to be told what falls."""
    facts = read_drawing(drawing)
    players = players_in(facts)
    game = Game(brocante.box("vinto"), {"players": players, **options})
    s = game.state
    clear_table(s, int(facts.get("first", 0)))
    lay_cards(s, facts)
    rules.begin_turn(s, int(facts["turn"]))
    s.turns, s.rounds_played = int(facts.get("turns", 0)), int(facts.get("round", 1)) - 1
    for seat in range(players):
        s.points[seat] = int(facts.get(f"seat {seat} points", 0))
        if facts[f"seat {seat} mark"] == "vinto":
            s.caller = seat
    if "acting" in facts:
        carry_out(s, facts)
    assert_position(game, drawing)
    return game


def assert_position(game: Game, drawing: str) -> None:
    """That everything in the drawing is so, and that the state holds together; what is not drawn may be anything."""
    check_state(game)
    assert_as_drawn(read_drawing(drawing), facts_of(game), is_so)


def play(game: Game, *moves: str) -> Game:
    """The same game after these moves: `play(game, "draw", "play", "1: toss 0", "all pass", "end")`.

    Who makes a move may stand before it; it must be their decision. `all pass`: all who are asked in the toss-in window
    pass. `renew 7H …`: chance renews the draw pile, next card first, the other cards below. `time`: time is up.
    """
    for move in moves:
        if move == "time":
            game.announce(TIME)
        elif move == "all pass":
            assert game.state.stage == Stage.WINDOW, "nobody is asked"
            while game.state.stage == Stage.WINDOW:
                game.play("pass")
        elif move.startswith("renew"):
            game.chance({"chance": "renew", "deck": renewed_deck(game, move.split()[1:])})
        else:
            game.play(spoken(game, move))
    return game


def legal(game: Game) -> list[str]:
    """What may be done now, as text."""
    return [str(move) for move in game.legal_moves]


def asked(game: Game) -> list[int]:
    """Who is asked from here on if everyone passes, until the window closes."""
    game, seats = game.copy(), []
    while game.state.stage == Stage.WINDOW:
        seats.append(game.actor)
        game.play("pass")
    return seats


def row(s: Any, seat: int) -> list[str]:
    """The cards of a row as a state has them: `--` is a gap, `?` a card that is not shown."""
    names = {GAP: GAP_DRAWN}
    return [names.get(card, CARD_NAMES[card] if card >= 0 else "?") for card in map(int, s.row[seat, : s.width[seat]])]


def deck(game: Game) -> list[str]:
    """The cards of the draw pile, next card first."""
    return [CARD_NAMES[card] for card in reversed(game.state.deck[: game.state.left])]


# --- reading a drawing ------------------------------------------------------------------------------------------------


def read_drawing(drawing: str) -> Facts:
    return read_facts(drawing, OF_ALL, OF_A_SEAT, unnamed="row")


def card_in(word: str) -> tuple[str, str | None]:
    """A card and who knows it, if that is drawn."""
    found = CARD.fullmatch(word.removesuffix(UNUSED))
    assert found, word
    return found["card"], found["known"]


def is_so(real: str, should: str, what: str) -> bool:
    """Whether what is really there was drawn."""
    there, wanted = words(real), words(should)
    if what.endswith(("row", "pile", "discards")) and DOTS in should.split():
        there = there[-len(wanted) :] if what == "discards" else there[: len(wanted)]
    return len(there) == len(wanted) and all(map(is_word, there, wanted))


def is_word(real: str, should: str) -> bool:
    if real.endswith(UNUSED) != should.endswith(UNUSED):
        return False
    (card, known), (wanted, by) = card_in(real), card_in(should)
    return card == wanted and (by is None or known == by)


# --- laying the cards out ---------------------------------------------------------------------------------------------


def clear_table(s: Any, first: int) -> None:
    """A round that was dealt, with the rows taken away again."""
    s.deck[:] = range(CARDS)
    rules.deal(s, first)
    s.row[:], s.width[:], s.cards[:] = GAP, 0, 0
    s.deck[:] = NONE


def lay_cards(s: Any, facts: Facts) -> None:
    """Everything where it was drawn, and what is left over where the dots are."""
    places = {what: value.split() for what, value in facts.items() if what.endswith(("row", "pile", "discards"))}
    lying = [card_in(word)[0] for value in places.values() for word in words(" ".join(value)) if word != GAP_DRAWN]
    twice = sorted({card for card in lying if lying.count(card) > 1} | {*lying} - {*CARD_NAMES})
    dots = [what for what, value in places.items() if DOTS in value] or ["pile"]
    if twice or len(dots) > 1:
        raise ValueError(f"a card lies in one place only, and so do the dots: {twice} {dots}")
    rest = [card for card in CARD_NAMES if card not in lying]
    for what in {"pile", "discards", *places}:
        drawn = words(" ".join(places.get(what, [])))
        left_over = rest if what in dots else []
        lay(s, what, left_over + drawn if what == "discards" else drawn + left_over)


def lay(s: Any, what: str, drawn: list[str]) -> None:
    if what == "pile":
        s.left = len(drawn)
        s.deck[: s.left] = [NUMBER[card] for card in reversed(drawn)]
    elif what == "discards":
        s.discards, s.unused = len(drawn), int(bool(drawn) and drawn[-1].endswith(UNUSED))
        s.discard_pile[: s.discards] = [NUMBER[card_in(word)[0]] for word in drawn]
    else:
        lay_row(s, int(what.split()[1]), drawn)


def lay_row(s: Any, seat: int, drawn: list[str]) -> None:
    s.width[seat], s.cards[seat] = len(drawn), sum(word != GAP_DRAWN for word in drawn)
    for slot, word in enumerate(drawn):
        if word != GAP_DRAWN:
            card, known = card_in(word)
            s.row[seat, slot] = NUMBER[card]
            s.known[seat, slot] = EVERYONE if known == "all" else sum(1 << int(digit) for digit in known or "")


def carry_out(s: Any, facts: Facts) -> None:
    """The action that was drawn is being carried out, and the others wait."""
    for card, seat in (word.split(":") for word in words(facts.get("waits", ""))):
        s.waiting[s.waits], s.waiting_for[s.waits] = NUMBER[card], int(seat)
        s.waits += 1
    s.acting = NUMBER[facts["acting"]]
    found = rules.carry_out(s, int(facts.get("decides", facts["turn"])), rules.rank_of(s.acting))
    assert found, "this action has no target"


def renewed_deck(game: Game, told: Iterable[str]) -> list[str]:
    """The cards that were told, and those of the discard pile that the dots stand for."""
    told = list(told)
    gathered = [CARD_NAMES[card] for card in game.state.discard_pile[: game.state.discards - 1]]
    return words(" ".join(told)) + [card for card in gathered if DOTS in told and card not in told]


# --- what is really there ---------------------------------------------------------------------------------------------


def facts_of(game: Game) -> Facts:
    s = game.state
    deciding = {NOBODY: "nobody", CHANCE: "chance"}
    waits = zip(s.waiting[: s.waits], s.waiting_for, strict=False)
    unused = UNUSED if s.unused else ""
    facts = {
        "turn": str(s.turn),
        "step": Stage(s.stage).name.lower().replace("_", " "),
        "decides": deciding.get(game.actor, str(game.actor)),
        "pile": listed(deck(game)),
        "discards": listed([CARD_NAMES[card] for card in s.discard_pile[: s.discards]]) + unused,
        "drawn": listed([CARD_NAMES[s.drawn]] if s.drawn != NONE else []),
        "acting": listed([CARD_NAMES[s.acting]] if s.acting != NONE else []),
        "waits": listed([f"{CARD_NAMES[card]}:{seat}" for card, seat in waits]),
        "turns": str(s.turns),
        "round": str(s.rounds_played + 1),
        "first": str(s.first),
        "renewals": str(s.renewals),
    }
    for seat in range(game.players):
        known = [f"({known_by(game, seat, slot)})" for slot in range(s.width[seat])]
        cards = [card if card == GAP_DRAWN else card + by for card, by in zip(row(s, seat), known, strict=True)]
        facts |= {
            f"seat {seat} sits": "yes",
            f"seat {seat} row": listed(cards),
            f"seat {seat} mark": "vinto" if s.caller == seat else NOTHING,
            f"seat {seat} points": str(s.points[seat]),
        }
    return facts


def known_by(game: Game, seat: int, slot: int) -> str:
    """Which seats have seen a card: `01`; `all` if those who watch have, too."""
    known = int(game.state.known[seat, slot])
    return "all" if known == EVERYONE else "".join(str(p) for p in range(game.players) if known >> p & 1)


def check_state(game: Game) -> None:
    """That every card is there once, and that whatever the state holds twice agrees."""
    s = game.state
    assert game.box.census(s) == rules.BOX.tolist(), "a card is missing, or there twice"
    assert (s.deck[: s.left] != NONE).all()
    assert (s.deck[s.left :] == NONE).all()
    assert (s.discard_pile[: s.discards] != NONE).all()
    assert (s.discard_pile[s.discards :] == NONE).all()
    assert (s.shuffled <= s.renewals).all()
    assert (s.shuffled[s.deck[: s.left]] == s.renewals).all(), "the draw pile was shuffled last"
    check_waiting(s)
    for seat in range(rules.MOST_PLAYERS):
        assert s.cards[seat] == (s.row[seat] != GAP).sum()
        assert (s.row[seat, s.width[seat] :] == GAP).all()
        assert (s.known[seat][s.row[seat] == GAP] == 0).all(), "there is nothing to know of a gap"
        in_secret = s.known[seat][s.known[seat] != EVERYONE]
        assert (in_secret < 1 << game.players).all(), "those who watch see what everyone sees"


def check_waiting(s: Any) -> None:
    """That what waits waits for somebody to carry it out, and only while a window is open or an action carried out."""
    stage, waiting, waiting_for = Stage(s.stage), s.waiting[: s.waits], s.waiting_for[: s.waits]
    assert all(card != NONE and rules.has_action(rules.rank_of(card)) for card in waiting)
    assert all(0 <= seat < s.players and seat != s.caller for seat in waiting_for)
    assert (s.waiting[s.waits :] == NONE).all()
    assert (s.waiting_for[s.waits :] == NOBODY).all()
    assert not s.waits or stage in (Stage.WINDOW, *ACTING), "nothing waits before a card is placed or when a turn ends"
    assert (s.acting != NONE) == (stage in ACTING)
    assert not s.placed or s.actor == CHANCE, "a window opens at once, but for the penalty that comes first"
    assert s.fresh <= s.waits
    if stage == Stage.WINDOW:
        assert s.actor in (s.asked, CHANCE)
