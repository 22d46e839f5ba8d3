"""The antiques market in the terminal: Display Cases to steal from, the race for the bonuses, the awards at the end."""

import re

import pytest
from textual.events import Key
from textual.widgets import Static

from brocante.engine.text import language
from brocante.games.antiques.deck_file import Deck, Item, deck_of
from brocante.games.antiques.moves import Steal
from brocante.games.antiques.rules import BONUSES, HOARD, ITEMS
from brocante.terminal.home_table import PERSON, HomeTable
from brocante.terminal.home_table_screen import HomeTableScreen
from brocante.terminal.other_players import PlayerPanel
from brocante.terminal.pages import RacesPage
from brocante.terminal.table_screen import PACES
from brocante.terminal.touchable import CardButton, Touched
from tests.terminal.driving import (
    LONGEST,
    SIZES,
    assert_the_scoring_is_told,
    at_table,
    logged,
    moves,
    my_turn,
    seated,
    shown,
)

ITEM = re.compile(r"\d [☼◎♞πψ♪✆][◆★♣▼♥■○] 19[567]\d \w+")
TALL = (150, 50)


def market(seed: str = "market", players: int = 4, **options: object) -> HomeTable:
    return seated(seed, players, "antiques", **options)


def everything_on(screen: HomeTableScreen) -> str:
    return "\n".join(str(part.render()) for part in screen.query(Static))


@pytest.mark.parametrize(
    ("players", "size", "code"),
    [(3, SIZES["wide"], "en"), (4, SIZES["standard"], "fr"), (5, SIZES["narrow"], "fr"), (6, TALL, "en")],
)
async def test_a_whole_game_is_played_to_the_last_bonus_with_the_keyboard(
    players: int, size: tuple[int, int], code: str
) -> None:
    async with at_table(market("whole", players, take_that=players % 2 == 0), code, size) as (pilot, screen):
        for _ in range(LONGEST):
            if screen.model.game.is_over:
                break
            await pilot.press("1" if "1" in screen.key_of.values() else "enter")
            await my_turn(pilot, screen)
        await assert_the_scoring_is_told(pilot, screen)


async def test_every_item_on_show_has_its_value_signs_year_and_name() -> None:
    async with at_table(market(), size=TALL) as (_, screen):
        game = screen.model.game
        panels = "\n".join(str(panel.render()) for panel in screen.query(PlayerPanel))
        on_show = [i for i in range(ITEMS) if 0 < game.state.where[i] < HOARD]
        assert len(ITEM.findall(panels)) == len(on_show)
        for i in on_show:
            item = deck_of(game.state).items[i]
            assert f" {item.year} {language('en').say(item.title)}" in panels


async def test_an_item_of_another_is_stolen_with_its_key_or_by_clicking_it() -> None:
    async with at_table(market(), size=TALL) as (pilot, screen):
        await pilot.press("1")
        await pilot.pause()
        steal = next(move for move in screen.key_of if isinstance(move, Steal))
        panel = screen.query_one(f"#seat-{steal.victim}", PlayerPanel)
        lines = str(panel.render()).splitlines()
        row = next(n for n, line in enumerate(lines) if line.startswith(f"{screen.key_of[steal]} ")) + 1
        await pilot.click(panel, offset=(12, row))
        await pilot.pause()
        made = [step.move for step in screen.model.game.steps if step.move and step.move.seat == PERSON]
        assert made[-1] == steal


async def test_others_hoards_are_not_on_the_screen_before_the_end() -> None:
    """Neither on the table nor in the log, once one's turn has passed."""
    async with at_table(market("secret"), size=TALL) as (pilot, screen):
        for _ in range(12):
            await pilot.press("1")
            await my_turn(pilot, screen)
        game = screen.model.game
        say = language("en").say
        old = {deck_of(game.state).items[i] for i in range(ITEMS) if HOARD < game.state.where[i] < 2 * HOARD}
        news = "\n".join(
            say(t) for n in range(len(game.steps)) if game.is_news(PERSON, n) for t in game.log_of(PERSON, n)
        )
        seen = everything_on(screen)
        hidden = [say(item.title) for item in old if say(item.title) not in news]
        assert len(hidden) > 4
        for name in hidden:
            assert name not in seen
        assert "hoards an item" in logged(screen)


async def test_ones_own_hoard_is_on_the_screen() -> None:
    async with at_table(market(), size=TALL) as (pilot, screen):
        await pilot.press("1")
        await pilot.pause()
        game = screen.model.game
        item = deck_of(game.state).items[next(i for i in range(ITEMS) if game.state.where[i] == HOARD + PERSON)]
        mine = shown(screen, "#mine")
        assert "1 item" in mine
        assert re.search(rf"{item.value}..{item.year % 100}", mine)


async def test_the_race_for_the_bonuses_is_one_key_away() -> None:
    async with at_table(market(), size=SIZES["standard"]) as (pilot, screen):
        await pilot.press("b")
        await pilot.pause(0.1)
        assert isinstance(pilot.app.screen, RacesPage)
        races = screen.view.table.races
        assert len(races) == BONUSES
        for race in races:
            n = sum(count or 0 for count in race.counts) + race.open + race.left
            assert n == (21 if race.points in (5, 8, 10) else 9), "every item is counted once"
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, HomeTableScreen)


async def test_the_awards_come_one_by_one_at_a_calm_pace_and_faster_by_hand() -> None:
    game = market("awards", 3)
    while not game.game.is_over:
        game.game.play(game.game.legal_moves[0])
    async with at_table(game, size=TALL) as (pilot, screen):
        pilot.app.pace = "calm"  # type: ignore[attr-defined]
        screen._awarded = 1
        screen.redraw()
        await pilot.pause(0.1)
        titles = [screen.say(award.title) for award in screen.view.awards]
        assert titles[0] in shown(screen, "#result")
        assert titles[1] not in shown(screen, "#result")
        await pilot.press("space")
        await pilot.pause(0.1)
        assert titles[1] in shown(screen, "#result")
        assert PACES["calm"] > 0
        for _ in titles:
            await pilot.press("space")
        await pilot.pause(0.1)
        assert titles[-1] in shown(screen, "#result")
        assert "1.  " in shown(screen, "#result")


async def test_a_deck_of_ones_own_is_played_with_its_own_names() -> None:
    items = [
        Item(item.id, item.category, item.colour, item.year, item.value, (f"my {item.id}", f"mon {item.id}"))
        for item in Deck.built_in().items
    ]
    items[0] = Item("crown-jewels", "lighting", "white", 1950, 1000, ("crown jewels", "joyaux"))
    deck = Deck(tuple(items))
    async with at_table(market(deck=deck), size=TALL) as (pilot, screen):
        assert "my " in everything_on(screen)
        await pilot.press("l")
        await pilot.pause(0.1)
        assert "mon " in everything_on(screen)
        assert any(isinstance(card, CardButton) for card in screen.query(CardButton))
        assert moves(screen)


async def test_keys_and_clicks_that_come_too_fast_are_dropped() -> None:
    """They were meant for the table as it was drawn before."""
    async with at_table(market(), size=TALL) as (pilot, screen):
        begun = len(screen.model.game.steps)
        for _ in range(3):
            screen.post_message(Key("1", "1"))
            screen.post_message(Touched(str(next(iter(screen.key_of)))))
        await pilot.pause(0.2)
        made = [step.move for step in screen.model.game.steps[begun:] if step.move]
        assert len(made) >= 1
        assert pilot.app.is_running
