"""The cards that the log names, for those who want to see them."""

from itertools import product
from typing import Any

import msgspec
import pytest

import brocante
from brocante.engine.state import NOBODY
from brocante.engine.text import LANGUAGES, Player, Text
from brocante.games.antiques.deck_file import Deck, Item
from brocante.server.broadcast import Reporter, welcome
from brocante.server.session import Detail, Session
from brocante.table import audience
from brocante.table.audience import pictures
from tests.table.tables import ENGLISH, FRENCH, OPTIONS, PEOPLE, Sitting, viewers

NAMES = ("Ana", "Ben", "Cleo", "Dora")


@pytest.mark.parametrize("game", OPTIONS)
def test_every_picture_belongs_to_a_phrase_that_is_said(game: str) -> None:
    sitting = Sitting(game, 2).start()
    for _ in range(60):
        sitting.go_on()
    for viewer, code in product(viewers(sitting.table), LANGUAGES):
        pictured = [event for event in sitting.told(viewer, code) if event.pictures]
        assert pictured
        for event in pictured:
            assert all(any(phrase in line for line in event.said) for phrase in event.pictures)
            assert all(card["kind"] and card["name"] for card in event.pictures.values())


@pytest.mark.parametrize(
    ("game", "text", "phrase", "kind"),
    [
        ("collection", Text("collection.kind.books.cards", n=3), "3 livres", "books"),
        ("port", Text("port.card.free"), "Action libre", "free"),
        ("vinto", Text("vinto.joker"), "un joker", "X"),
        ("vinto", "K♠", "K♠", "K"),
    ],
)
def test_a_card_is_found_wherever_it_is_named(game: str, text: Any, phrase: str, kind: str) -> None:
    blanks = ((text, "and more"), [text], Text("list.and", first=Player(0), last=text))
    for blank in blanks:
        said = [Text("list.and", first=1, last=blank)]
        found = pictures(brocante.box(game), said, FRENCH, NAMES)
        assert {said: card["kind"] for said, card in found.items()} == {phrase: kind}


def test_nothing_else_has_a_picture() -> None:
    for game in OPTIONS:
        said = Text("list.and", first=Player(0), last=Text("points", n=3))
        assert pictures(brocante.box(game), [said, Text("prompt.over")], ENGLISH, NAMES) == {}


def test_a_deck_of_ones_own_has_its_own_pictures() -> None:
    """Even where it calls an item what the built-in deck calls another."""
    oldest, *others = Deck.built_in().items
    crown = Item("crown", oldest.category, oldest.colour, oldest.year, 99, others[0].name)
    for deck, kind in ((Deck((crown, *others[1:], others[0])), "crown"), (Deck.built_in(), others[0].id)):
        game = brocante.deal("antiques", players=3, deck=deck, seed=1)
        words = game.box.label(game.state, game.parse(f"hoard {kind}"))
        (card,) = pictures(game.box, [words], ENGLISH).values()
        assert card["kind"] == kind


# --- what is sent -----------------------------------------------------------------------------------------------------


def listening(table: Any, detail: Detail) -> Session:
    session = Session(PEOPLE[0], ENGLISH, detail, lambda message: None, lambda: None)
    session.take_seat(table)
    return session


def test_pictures_are_sent_to_those_who_are_shown_the_table() -> None:
    sitting = Sitting("collection", 3).start()
    for _ in range(6):
        sitting.go_on()
    at, table = sitting.now, sitting.table
    people, program = listening(table, "view"), listening(table, "moves")
    arrived = msgspec.json.decode(welcome(table, people, at, None))
    assert arrived["pictures"]
    assert all(any(phrase in line for line in arrived["log"]) for phrase in arrived["pictures"])
    reporter = Reporter(table, 1, at, whole=False)
    told = msgspec.json.decode(reporter.news(people))["events"]
    assert told[-1]["pictures"]
    assert b"pictures" not in welcome(table, program, at, None)
    assert b"pictures" not in reporter.news(program)


def test_what_was_missed_is_pictured_if_one_wants_it() -> None:
    sitting = Sitting("collection", 3).start()
    sitting.go_on()
    with_pictures, without = (
        audience.events(sitting.table, NOBODY, 0, ENGLISH, pictured=is_so) for is_so in (True, False)
    )
    assert with_pictures
    assert without
    assert with_pictures[-1].pictures
    assert not any(event.pictures for event in without)
