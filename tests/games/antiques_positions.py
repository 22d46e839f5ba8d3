'''Positions of the antiques market, drawn as text.

    position("""
        deck: 12   next: lava-lamp toaster   discards: … moka-pot tandem
        > seat 0   case: tin-robot jukebox   hoard: disco-ball   turns: 3
          seat 1   case: skateboard          hoard: –            turns: 3
          seat 2   case: bongos              hoard: …            turns: 2
    """)

is a game in which it is seat 0's turn (the mark >), with two items in its Display Case and one in its Hoard; the tandem
is the top of the discard pile, and the lava lamp the next card of the deck. `–` is none.

    step: steal       where the turn is: hoard (if it is not drawn), steal, keep, final, and over; `renew` when chance
                      is to shuffle the discard pile
    deck: 12          so many cards in the deck. Not drawn: all that is left over is in the deck.
    next: …           the next cards of the deck, first card first; after them the others follow, the oldest first.
    discards: …       the discard pile, the top card last
    drawn: …          the cards that were just drawn (at the step keep)
    stolen: …         what was stolen this turn
    renewed: yes      the deck was renewed before (A8)
    last: 1           whose turn it was last (in final hoarding, or when chance is to move)
    first: 1          who started (seat 0 if it is not drawn)
    variant: …        `take-that`
    hoards: open      everyone may look at every Hoard
    turns: 3          how many turns a player has taken (none if it is not drawn)

All 63 items are always there. Where the number of cards in the deck is drawn, what is left over lies wherever there
are three dots: below the drawn cards of the discard pile, or in a Hoard; one each in turn, if there are several places.

Items have the names of the built-in deck, or names that say what they are: `red-toys-1952-3` is a red toy of 1952 with
a value of 3 (`red-toys-1952-3-b` is another one). The latter replace as many of the oldest items of the built-in deck.

Chance does not move by itself: `play(game, "keep toaster", "renew tandem moka-pot")`.
'''

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import cycle
from typing import Any

import brocante
from brocante import CHANCE, NOBODY, Game
from brocante.engine.deck import NONE, take_top
from brocante.games.antiques import rules
from brocante.games.antiques.deck_file import Deck, Item, deck_of
from brocante.games.antiques.rules import CASE, DECK, DISCARD, DRAWN, HOARD, ITEMS, PLACES, Stage
from tests.games.drawings import DOTS, Facts, assert_as_drawn, listed, players_in, read_facts, words

MADE_UP = re.compile(r"(?P<colour>[a-z]+)-(?P<category>[a-z]+)-(?P<year>19\d\d)-(?P<value>\d+)(-[a-z])?")
OF_A_SEAT = ("case", "hoard", "turns")
OF_ALL = ("step", "deck", "next", "discards", "drawn", "stolen", "renewed", "last", "first", "variant", "hoards")
IN_ORDER = ("next", "discards")
WITH_ITEMS = ("case", "hoard", "next", "discards", "drawn", "stolen")


def position(drawing: str) -> Game:
    """A game that stands exactly as drawn."""
    facts = read_drawing(drawing)
    game = Game(brocante.box("antiques"), options_in(facts))
    s = game.state
    s.first, s.renewed = int(facts.get("first", 0)), int(facts.get("renewed") == "yes")
    lay_items(s, facts)
    for seat in range(game.players):
        s.turns[seat] = int(facts.get(f"seat {seat} turns", 0))
    go_to_step(s, facts)
    assert_position(game, drawing)
    assert facts_of(game)["step"] == facts.get("step", "hoard"), "this drawing is of another step"
    return game


def assert_position(game: Game, drawing: str) -> None:
    """That everything in the drawing is so, and that the state holds together; what is not drawn may be anything."""
    check_state(game)
    assert_as_drawn(read_drawing(drawing, deck_of(game.state)), facts_of(game), is_so)


def play(game: Game, *moves: str) -> Game:
    """The same game after these moves: `play(game, "hoard tandem", "steal jukebox 1", "keep toaster")`."""
    for move in moves:
        if move.startswith("renew"):
            game.chance({"chance": "renew", "deck": words(move)[1:]})
        else:
            game.play(move)
    return game


def legal(game: Game) -> list[str]:
    """What may be done now, as text."""
    return [str(move) for move in game.legal_moves]


def deck_cards(game: Game) -> list[str]:
    """The cards of the deck, next card first."""
    return ids(game.state, reversed(game.state.deck[: game.state.there[DECK]]))


def taker(game: Game, bonus: str) -> int | None:
    """Who takes a bonus card (`50s`, `red`, `toys`), if anybody does."""
    seat = int(rules.winner(game.state, bonus_cards(game).index(bonus)))
    return None if seat == NOBODY else seat


def bonuses(game: Game) -> list[str]:
    """The bonus cards that each player takes: `["50s red", "blue toys", "–"]`."""
    takers = {bonus: taker(game, bonus) for bonus in bonus_cards(game)}
    return [listed([bonus for bonus, by in takers.items() if by == seat]) for seat in range(game.players)]


def bonus_cards(game: Game) -> tuple[str, ...]:
    deck = deck_of(game.state)
    return ("50s", "60s", "70s", *deck.colours, *deck.categories)


# --- reading a drawing ------------------------------------------------------------------------------------------------


def read_drawing(drawing: str, deck: Deck | None = None) -> Facts:
    """What is drawn, spelled as `facts_of` spells it."""
    facts = read_facts(drawing, OF_ALL, OF_A_SEAT)
    deck = deck or deck_for(facts)
    return {what: spelled(deck, what, value) for what, value in facts.items()}


def spelled(deck: Deck, what: str, value: str) -> str:
    """Items in the order in which they lie, or from the oldest on where they lie in none."""
    key = what.split()[-1]
    if key not in WITH_ITEMS:
        return value
    found = words(value)
    unknown = [item for item in found if item not in deck.number]
    if unknown:
        raise ValueError(f"there is no {unknown[0]} in the deck")
    in_order = found if key in IN_ORDER else sorted(found, key=deck.number.__getitem__)
    return listed([DOTS] * (DOTS in value) + in_order)


def is_so(real: str, should: str, what: str) -> bool:
    """Whether what is really there was drawn; three dots stand for any items more."""
    if what == "next":
        return words(real)[: len(words(should))] == words(should)
    if DOTS not in should:
        return real == should
    top = words(real)[-len(words(should)) :] if words(should) else []
    return top == words(should) if what == "discards" else set(words(should)) <= set(words(real))


def deck_for(facts: Facts) -> Deck:
    """The built-in deck, or one with the items that the drawing made up."""
    drawn = {what: words(value) for what, value in facts.items() if what.split()[-1] in WITH_ITEMS}
    lying = [item for what, some in drawn.items() if what != "stolen" for item in some]
    if len(set(lying)) < len(lying):
        raise ValueError(f"an item can be in one place only: {listed(sorted(lying))}")
    return deck_with(tuple(sorted(item for item in lying if MADE_UP.fullmatch(item))))


@cache
def deck_with(made_up: tuple[str, ...]) -> Deck:
    kept = Deck.built_in().items[len(made_up) :]
    return Deck(kept + tuple(map(made_up_item, made_up))) if made_up else Deck.built_in()


def made_up_item(name: str) -> Item:
    traits = MADE_UP.fullmatch(name)
    assert traits
    return Item(name, traits["category"], traits["colour"], int(traits["year"]), int(traits["value"]), (name, name))


def options_in(facts: Facts) -> dict[str, object]:
    deck = deck_for(facts)
    return {
        "players": players_in(facts),
        "take_that": facts.get("variant") == "take-that",
        "open_hoards": facts.get("hoards") == "open",
        "deck": "reconstructed" if deck == Deck.built_in() else deck,
    }


# --- laying the items out ---------------------------------------------------------------------------------------------


def lay_items(s: Any, facts: Facts) -> None:
    """Everything where it was drawn, dealt from a deck that lies accordingly."""
    number = deck_of(s).number
    drawn = [(place, number[item]) for place, item in drawn_places(s, facts)]
    coming = [number[item] for item in words(facts.get("drawn", "–")) + words(facts.get("next", "–"))]
    rest = [i for i in range(ITEMS) if i not in {*coming, *(i for _, i in drawn)}]
    of_rest = int(facts["deck"]) - len(words(facts.get("next", "–"))) if "deck" in facts else len(rest)
    dots = places_with_dots(s, facts)
    if of_rest < 0 or len(rest) < of_rest or (len(rest) > of_rest and not dots):
        raise ValueError(f"{len(rest)} items are not drawn, and {of_rest} of them are to be in the deck")
    placed = [*zip(cycle(dots), rest[of_rest:], strict=False), *drawn]  # the drawn discards lie on top
    s.where[:], s.there[DECK] = DECK, ITEMS
    s.discard_pile[:], s.drawn[:] = NONE, NONE
    s.deck[:] = ([i for _, i in placed] + coming + rest[:of_rest])[::-1]
    for place, _ in placed:
        lay(s, take_top(s.deck, s.there[DECK]), place)


def drawn_places(s: Any, facts: Facts) -> Iterator[tuple[int, str]]:
    for seat in range(s.players):
        yield from ((CASE + seat, item) for item in words(facts.get(f"seat {seat} case", "–")))
        yield from ((HOARD + seat, item) for item in words(facts.get(f"seat {seat} hoard", "–")))
    yield from ((DISCARD, item) for item in words(facts.get("discards", "–")))


def places_with_dots(s: Any, facts: Facts) -> list[int]:
    hoards = [HOARD + seat for seat in range(s.players) if DOTS in facts.get(f"seat {seat} hoard", "–")]
    return hoards + [DISCARD] * (DOTS in facts.get("discards", "–"))


def lay(s: Any, i: int, place: int) -> None:
    """An item from the deck, as the rules put it there."""
    if HOARD <= place < DISCARD:
        rules.put(s, i, place - HOARD + CASE)
        rules.hoard(s, place - HOARD, i)
        return
    if place == DISCARD:
        s.discard_pile[s.there[DISCARD]] = i
    rules.put(s, i, place)


def go_to_step(s: Any, facts: Facts) -> None:
    """Begin the step that is drawn, as the rules begin it."""
    player = int(facts.get("last", facts.get("turn", 0)))
    stolen = [deck_of(s).number[item] for item in words(facts.get("stolen", "–"))]
    step = facts.get("step", "hoard")
    if step in ("final", "over"):
        s.turn, s.stolen = player, stolen[0] if stolen else NONE
        rules.begin_final_hoarding(s)
        return
    rules.begin_turn(s, player)
    if step == "steal" and s.stage == Stage.HOARD:
        rules.begin_stealing(s, player)
    if step in ("keep", "renew") and s.stage != Stage.KEEP:
        s.stolen = stolen[0] if stolen else NONE
        rules.draw(s)


# --- where every item is ----------------------------------------------------------------------------------------------


def facts_of(game: Game) -> Facts:
    s = game.state
    waiting = {NOBODY: "over", CHANCE: "renew"}
    facts = {
        "turn": str(game.actor),
        "step": waiting.get(game.actor, Stage(s.stage).name.lower()),
        "deck": str(s.there[DECK]),
        "next": listed(deck_cards(game)),
        "discards": listed(ids(s, s.discard_pile[: s.there[DISCARD]])),
        "drawn": listed(ids(s, sorted(s.drawn[: s.there[DRAWN]]))),
        "stolen": listed(ids(s, [s.stolen] if s.stolen != NONE else [])),
        "renewed": "yes" if s.renewed else "no",
        "last": str(s.turn),
        "first": str(s.first),
        "variant": "take-that" if s.take_that else "–",
        "hoards": "open" if s.open_hoards else "closed",
    }
    for seat in range(game.players):
        facts |= {
            f"seat {seat} sits": "yes",
            f"seat {seat} case": listed(at(s, CASE + seat)),
            f"seat {seat} hoard": listed(at(s, HOARD + seat)),
            f"seat {seat} turns": str(s.turns[seat]),
        }
    return facts


def at(s: Any, place: int) -> list[str]:
    """The items at a place, the oldest first."""
    return ids(s, [i for i in range(ITEMS) if s.where[i] == place])


def ids(s: Any, numbers: Any) -> list[str]:
    return [deck_of(s).ids[i] for i in numbers]


def check_state(game: Game) -> None:
    """That every item is there once, and that whatever the state holds twice agrees."""
    s, deck = game.state, deck_of(game.state)
    assert game.box.census(s) == rules.BOX.tolist(), "an item is missing, or there twice"
    assert s.there.tolist() == [len(at(s, place)) for place in range(PLACES)]
    in_deck, discards, drawn = int(s.there[DECK]), int(s.there[DISCARD]), int(s.there[DRAWN])
    assert (s.where[s.deck[:in_deck]] == DECK).all()
    assert (s.deck[in_deck:] == NONE).all()
    assert (s.where[s.discard_pile[:discards]] == DISCARD).all()
    assert (s.discard_pile[discards:] == NONE).all()
    assert (s.where[s.drawn[:drawn]] == DRAWN).all()
    assert (s.drawn[drawn:] == NONE).all()
    for seat in range(game.players):
        hoard = [deck.items[deck.number[item]] for item in at(s, HOARD + seat)]
        count: Counter[object] = Counter(t for item in hoard for t in (item.decade, item.colour, item.category))
        assert s.worth[seat] == sum(item.value for item in hoard)
        assert s.tally[seat].tolist() == [count[trait] for trait in (0, 1, 2, *deck.colours, *deck.categories)]
