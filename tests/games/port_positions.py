'''Positions of Port, drawn as text.

    position("""
        round: 2   bonus: 3   deck: boat free …   used: vintage
        > seat 0   vp: 5   boat: cima 2@5 –   estates: baixo-1(vb)=2@4 cima-2(v)   hand: free boat
                   cellar: 3@7 2@4 | 4@6 –   warehouse: reserva=2 aged=1
          seat 1   vp: 2   placed: harvest boat   done: harvested
          seat 2
    """)

is a game in which it is seat 0's turn (the mark >), with nothing done in it yet. A line without a seat that is indented
further goes on with the seat above it. A harvest is written `barrels@quality`; `–` is none.

    estates: …        a player's Estates in the order in which they were bought, with their cubes (v vineyard, b brandy)
                      and, after an =, the harvest on them; if they are not drawn, `baixo-1(vb)` for the first seat, …
    boat: cima 2@5    the harbour where a boat lies, and what is in its slots; `gaia` if it is not drawn
    cellar: …         the columns ruby-1 ruby-2 | tawny-1 tawny-2
    warehouse: …      how many barrels a category holds, where there are any
    hand: …           the cards; none if they are not drawn
    vp: 5             3 if it is not drawn
    placed: …         the actions on which a player has markers
    markers: 2        how many are left; 3 less those that are placed if it is not drawn
    done: …           what was done in this round of what is limited: `bought`, `harvested`, and `sailed` for each boat
                      action by a card (those by marker are `placed`)

    round: 2          the first if it is not drawn
    bonus: 3 1        the chip of this round and, if they are drawn, the next ones; 1 if it is not drawn. The other
                      chips lie in ascending order in the other rounds.
    first: 1          who is first (seat 0 if it is not drawn)
    marked: yes       a marker was placed in this turn
    supply: 20        so many barrels; if it is not drawn, all that are drawn nowhere else
    deck: boat free   the deck, next card first
    used: …  aside: … the used cards, and those beside the table (P28)
    …                 here lies what is not drawn elsewhere: cards in the deck, a hand or among the used ones (where no
                      dots are drawn: below the deck), and barrels in a category, as in `ruby=…`.

All 36 cards and 80 barrels are always there.

`assert_position` reads the same drawings. There, what is not drawn may be anything. It reads these, too:

    step: boat        what the rules wait for: turn, boat, add, roll, renew; over
    decides: 2        who is to decide; `chance` or `nobody`
    moves: 3          how many moves the boat has left
    playing: boat     the card whose action is being carried out

Chance does not move by itself: `play(game, "mark boat", "die 3", "sail up", "stop")`.
'''

import re
from collections import Counter
from typing import Any

import brocante
from brocante import CHANCE, NOBODY, Game
from brocante.engine.deck import NONE, lay_out
from brocante.engine.moves import Part
from brocante.games.port import rules
from brocante.games.port.board import board_of
from brocante.games.port.chance_lines import cards
from brocante.games.port.names import ACTION_IDS, CARD_IDS, CATEGORY_IDS, HARBOUR_IDS
from brocante.games.port.rules import (
    BARRELS,
    CATEGORIES,
    COLUMNS,
    ESTATES,
    MARKERS,
    ON_A_SIDE,
    SLOTS,
    Act,
    Stage,
)
from tests.games.drawings import DOTS, NOTHING, Facts, assert_as_drawn, listed, players_in, read_facts, words
from tests.games.playing import spoken

ESTATE = re.compile(r"(?P<site>[a-z]+-\d+)\((?P<cubes>v?b?)\)(?:=(?P<harvest>\d+@\d+))?")
#: What there is, as mere words.
ACTIONS: tuple[str, ...] = ACTION_IDS
CARDS: tuple[str, ...] = CARD_IDS
WINES: tuple[str, ...] = CATEGORY_IDS
HARBOURS: tuple[str, ...] = HARBOUR_IDS
#: In which order things are listed that lie in none.
ORDER: dict[str, tuple[str, ...]] = {
    "placed": ACTIONS,
    "warehouse": WINES,
    "hand": CARDS,
    "used": CARDS,
    "aside": CARDS,
    "done": ("bought", "harvested", "sailed"),
}
OF_A_SEAT = ("vp", "markers", "placed", "done", "estates", "boat", "cellar", "warehouse", "hand")
OF_ALL = ("round", "bonus", "first", "marked", "supply", "deck", "used", "aside", "step", "decides", "moves", "playing")
WITH_CARDS = ("hand", "deck", "used", "aside")


def position(drawing: str) -> Game:
    """A game that stands exactly as drawn; chance waits to be told what falls."""
    facts = read_drawing(drawing)
    players = players_in(facts)
    game = Game(brocante.box("port"), {"players": players})
    s = game.state
    clear_table(s, int(facts.get("first", 0)))
    for seat in range(players):
        seat_down(s, seat, {key: facts.get(f"seat {seat} {key}", NOTHING) for key in OF_A_SEAT})
    lay_cards(s, facts)
    lay_chips(s, int(facts.get("round", 1)) - 1, [int(chip) for chip in facts.get("bonus", "1").split()])
    lay_barrels(s, facts)
    rules.begin_turn(s, int(facts["turn"]))
    s.marked = int(facts.get("marked") == "yes")
    assert_position(game, drawing)
    return game


def assert_position(game: Game, drawing: str) -> None:
    """That everything in the drawing is so, and that the state holds together; what is not drawn may be anything."""
    check_state(game)
    assert_as_drawn(read_drawing(drawing), facts_of(game), is_so)


def play(game: Game, *moves: str) -> Game:
    """The same game after these moves: `play(game, "mark age", "die 3", "0: end", "1: pass")`.

    Who makes a move may stand before it; it must be their decision. `die 3`: chance rolls a 3. `renew boat …`: the deck
    is renewed, next card first, the other cards below.
    """
    for move in moves:
        word, *told = move.split()
        if word == "die":
            game.chance({"chance": "die", "value": int(told[0])})
        elif word == "renew":
            game.chance({"chance": "renew", "deck": renewed_deck(game, told)})
        else:
            game.play(spoken(game, move))
    return game


def legal(game: Game) -> list[str]:
    """What may be done now, as text; and that no choice is offered that leads to no move."""
    check_choices(game)
    return [str(move) for move in game.legal_moves]


def check_choices(game: Game, begun: tuple[int, ...] = ()) -> None:
    choices = game.choices(begun)
    assert choices, f"a choice that leads nowhere: {begun}"
    for choice, actions in choices:
        if isinstance(choice, Part):
            check_choices(game, actions)


def deck_cards(game: Game) -> list[str]:
    """The cards of the deck, next card first."""
    return [CARDS[k] for k in reversed(game.state.deck[: game.state.left])]


# --- reading a drawing ------------------------------------------------------------------------------------------------


def read_drawing(drawing: str) -> Facts:
    """What is drawn, spelled as `facts_of` spells it."""
    facts = read_facts(drawing, OF_ALL, OF_A_SEAT)
    return {what: spelled(what.split()[-1], value) for what, value in facts.items()}


def spelled(key: str, value: str) -> str:
    """In the order in which things lie, or in a fixed one where they lie in none; with every slot and column."""
    found = value.split()
    if key == "boat":
        return " ".join(padded(found, 1 + SLOTS))
    if key == "cellar":
        columns = padded([word for word in found if word != "|"], COLUMNS)
        return " ".join([*columns[:2], "|", *columns[2:]])
    if key in ORDER:
        order = [*ORDER[key], DOTS]
        return listed(sorted(words(value, dots=True), key=lambda word: order.index(word.partition("=")[0])))
    return " ".join(found)


def padded(found: list[str], n: int) -> list[str]:
    if len(found) > n:
        raise ValueError(f"there is no room for {found[n]}")
    return found + [NOTHING] * (n - len(found))


def is_so(real: str, should: str, what: str) -> bool:
    """Whether what is really there was drawn; dots stand for any more cards or barrels."""
    if what == "bonus":
        return real.startswith(should)
    if DOTS not in should:
        return real == should
    there, wanted = words(real), words(should)
    return there[: len(wanted)] == wanted if what == "deck" else not Counter(wanted) - Counter(there)


# --- laying everything out --------------------------------------------------------------------------------------------


def clear_table(s: Any, first: int) -> None:
    """A game that was dealt, with Estates and cards taken away again."""
    lay_out(s.deck, s.box)
    rules.deal(s, first)
    for field in (s.owner, s.estates, s.vineyard, s.brandy, s.hand, s.held):
        field[:] = 0
    s.site[:] = s.deck[:] = NONE
    s.left = 0


def seat_down(s: Any, seat: int, drawn: Facts) -> None:
    """Everything of a player's but the cards and what the dots stand for."""
    s.vp[seat] = 3 if drawn["vp"] == NOTHING else int(drawn["vp"])
    for action in words(drawn["placed"]):
        s.placed[seat, ACTIONS.index(action)] += 1
        s.taken[ACTIONS.index(action)] += 1
    s.markers[seat] = MARKERS - s.placed[seat].sum() if drawn["markers"] == NOTHING else int(drawn["markers"])
    done = Counter(words(drawn["done"]))
    s.bought[seat], s.harvested[seat] = done["bought"], done["harvested"]
    s.sailed[seat] = s.placed[seat, Act.BOAT] + done["sailed"]
    for word in words(drawn["estates"]) or [f"baixo-{seat + 1}(vb)"]:
        settle(s, seat, word)
    if drawn["boat"] != NOTHING:
        harbour, *slots = drawn["boat"].split()
        s.at[seat] = HARBOURS.index(harbour)
        s.cargo[seat], s.cargo_quality[seat] = zip(*map(harvest, slots), strict=True)
    if drawn["cellar"] != NOTHING:
        columns = [harvest(word) for word in drawn["cellar"].split() if word != "|"]
        s.cellar[seat], s.cellar_quality[seat] = zip(*columns, strict=True)
    for word in words(drawn["warehouse"]):
        category, _, n = word.partition("=")
        s.warehouse[seat, WINES.index(category)] = int(n)


def settle(s: Any, seat: int, word: str) -> None:
    estate = ESTATE.fullmatch(word)
    if not estate:
        raise ValueError(f"an Estate is drawn 'cima-1(vb)=3@6', not {word!r}")
    e, site = int(s.estates[seat]), board_of(s).number[estate["site"]]
    if s.owner[site]:
        raise ValueError(f"two Estates are drawn at {estate['site']}")
    rules.settle(s, seat, site)
    s.vineyard[seat, e], s.brandy[seat, e] = "v" in estate["cubes"], "b" in estate["cubes"]
    s.crop[seat, e], s.crop_quality[seat, e] = harvest(estate["harvest"] or NOTHING)


def harvest(word: str) -> tuple[int, int]:
    """The barrels of a harvest and their quality."""
    if word == NOTHING:
        return 0, 0
    barrels, _, quality = word.partition("@")
    return int(barrels), int(quality)


def lay_cards(s: Any, facts: Facts) -> None:
    """The cards where they were drawn, and those that are left over where the dots are."""
    drawn = {what: value for what, value in facts.items() if what.split()[-1] in WITH_CARDS}
    rest = Counter(cards(s.box))
    rest.subtract(card for value in drawn.values() for card in words(value))
    dots = [what for what, value in drawn.items() if DOTS in value] or ["deck"]
    if min(rest.values()) < 0 or len(dots) > 1:
        raise ValueError(f"there are not so many cards, or two places for all the others: {-rest} {dots}")
    for what in {"deck", *drawn}:
        lay(s, what, words(drawn.get(what, "")) + (list(rest.elements()) if what in dots else []))


def lay(s: Any, what: str, some: list[str]) -> None:
    kinds = [CARDS.index(card) for card in some]
    if what == "deck":
        s.left = len(kinds)
        s.deck[: s.left] = kinds[::-1]
        return
    pile = s.hand[int(what.split()[1])] if what.endswith("hand") else s[what]
    for k in kinds:
        pile[k] += 1
    s.held[:] = s.hand.sum(axis=1)


def lay_chips(s: Any, round_number: int, drawn: list[int]) -> None:
    rest = Counter(s.chips.tolist())
    rest.subtract(drawn)
    others = sorted(rest.elements())
    s.round_number = round_number
    s.bonuses[:] = [*others[:round_number], *drawn, *others[round_number:]]


def lay_barrels(s: Any, facts: Facts) -> None:
    """Those that are left over are in the supply, or where the dots are."""
    drawn = sum(int(rules.barrels_owned(s, seat)) for seat in range(s.players))
    s.supply = int(facts.get("supply", BARRELS - drawn))
    rest = BARRELS - drawn - int(s.supply)
    dots = [
        (int(what.split()[1]), WINES.index(word.partition("=")[0]))
        for what, value in facts.items()
        if what.endswith("warehouse")
        for word in value.split()
        if DOTS in word
    ]
    if rest < 0 or len(dots) != (rest > 0):
        raise ValueError(f"{rest} barrels are left over, for {len(dots)} places")
    for place in dots:
        s.warehouse[place] = rest


def renewed_deck(game: Game, told: list[str]) -> list[str]:
    """The cards that were told, and those among the used ones that the dots stand for."""
    drawn = words(" ".join(told))
    rest = Counter(cards(game.state.used)) - Counter(drawn)
    return drawn + (list(rest.elements()) if DOTS in told else [])


# --- what is really there ---------------------------------------------------------------------------------------------


def facts_of(game: Game) -> Facts:
    s = game.state
    waiting = {NOBODY: "nobody", CHANCE: "chance"}
    facts = {
        "turn": str(s.turn),
        "step": "over" if game.is_over else Stage(s.stage).name.lower(),
        "decides": waiting.get(game.actor, str(game.actor)),
        "round": str(s.round_number + 1),
        "bonus": " ".join(map(str, s.bonuses[s.round_number :])),
        "first": str(s.first),
        "marked": "yes" if s.marked else "no",
        "moves": str(s.moves_left),
        "playing": listed([CARDS[s.in_play]] if s.in_play != NONE else []),
        "supply": str(s.supply),
        "deck": listed(deck_cards(game)),
        "used": listed(cards(s.used)),
        "aside": listed(cards(s.aside)),
    }
    for seat in range(game.players):
        facts |= {f"seat {seat} {key}": value for key, value in facts_of_seat(s, seat).items()}
    return facts


def facts_of_seat(s: Any, seat: int) -> Facts:
    placed = [action for action, n in zip(ACTIONS, s.placed[seat], strict=True) for _ in range(n)]
    times = (s.bought[seat], s.harvested[seat], s.sailed[seat] - s.placed[seat, Act.BOAT])
    done = [word for word, n in zip(ORDER["done"], times, strict=True) for _ in range(n)]
    stored = [f"{category}={n}" for category, n in zip(WINES, s.warehouse[seat], strict=True) if n]
    aboard = harvests(s.cargo[seat], s.cargo_quality[seat])
    return {
        "sits": "yes",
        "vp": str(s.vp[seat]),
        "markers": str(s.markers[seat]),
        "placed": listed(placed),
        "done": listed(done),
        "estates": listed([estate_drawn(s, seat, e) for e in range(s.estates[seat])]),
        "boat": " ".join([HARBOURS[s.at[seat]], *aboard]),
        "cellar": spelled("cellar", " ".join(harvests(s.cellar[seat], s.cellar_quality[seat]))),
        "warehouse": listed(stored),
        "hand": listed(cards(s.hand[seat])),
    }


def estate_drawn(s: Any, seat: int, e: int) -> str:
    cubes = "v" * int(s.vineyard[seat, e]) + "b" * int(s.brandy[seat, e])
    (there,) = harvests(s.crop[seat, e : e + 1], s.crop_quality[seat, e : e + 1])
    return f"{board_of(s).ids[s.site[seat, e]]}({cubes})" + (f"={there}" if there != NOTHING else "")


def harvests(barrels: Any, qualities: Any) -> list[str]:
    return [f"{n}@{quality}" if n else NOTHING for n, quality in zip(barrels, qualities, strict=True)]


def check_state(game: Game) -> None:
    """That every card and every barrel is there, and that whatever the state holds twice agrees."""
    s = game.state
    assert game.box.census(s) == rules.BOX.tolist(), "a card or a barrel is missing, or there twice"
    assert s.supply >= 0
    assert (s.vp >= 0).all()
    assert s.held.tolist() == s.hand.sum(axis=1).tolist()
    assert (s.deck[: s.left] != NONE).all()
    assert (s.deck[s.left :] == NONE).all()
    assert s.taken.tolist() == s.placed.sum(axis=0).tolist()
    assert (s.markers + s.placed.sum(axis=1) <= MARKERS).all()
    assert (s.placed[:, Act.BOAT] <= s.sailed).all(), "a marker is a boat action"
    for barrels, quality in ((s.crop, s.crop_quality), (s.cargo, s.cargo_quality), (s.cellar, s.cellar_quality)):
        assert (barrels >= 0).all()
        assert ((barrels > 0) == (quality > 0)).all(), "a quality is that of a harvest"
    limited = [c for c in range(CATEGORIES) if c % ON_A_SIDE]
    assert (s.warehouse >= 0).all()
    assert (s.warehouse[:, limited] <= s.spaces[limited]).all()
    owned = [(int(s.site[p, e]), 1 + p) for p in range(game.players) for e in range(s.estates[p])]
    assert sorted(owned) == [(i, int(owner)) for i, owner in enumerate(s.owner) if owner]
    for p in range(game.players):
        assert (s.site[p, s.estates[p] :] == NONE).all()
        for bare in range(int(s.estates[p]), ESTATES):
            assert not s.vineyard[p, bare] + s.brandy[p, bare] + s.crop[p, bare]
    if s.stage == Stage.TURN:
        assert s.in_play == s.doing == s.chosen == NONE, "nothing is being carried out"
    if s.stage != Stage.BOAT:
        assert s.moves_left == s.drifting == 0
