"""The terminal client, driven as a person drives it: keys, mouse, both languages, narrow and wide."""

from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from textual.widgets import Markdown

import brocante
from brocante.terminal.app import Terminal
from brocante.terminal.game_menu import Chooser, GameMenu
from brocante.terminal.home_table import PERSON
from brocante.terminal.home_table_screen import HomeTableScreen
from brocante.terminal.table_screen import PACES
from brocante.terminal.touchable import CardButton
from tests.terminal.driving import LONGEST, SIZES, at_table, logged, moves, my_turn, seated, shown, the_table

BOX = brocante.box("collection")


# --- playing ---


@pytest.mark.parametrize(("size", "code"), [("wide", "en"), ("standard", "fr"), ("narrow", "en")])
async def test_a_whole_game_is_played_to_its_final_scores_with_the_keyboard(size: str, code: str) -> None:
    async with at_table(seated("whole", players=4), code, SIZES[size]) as (pilot, screen):
        for _ in range(LONGEST):
            if screen.model.game.is_over:
                break
            await pilot.press("enter" if len(moves(screen)) < 4 else "down", "enter")
            await my_turn(pilot, screen)
        assert screen.model.game.is_over
        await pilot.pause()
        result = shown(screen, "#result")
        for seat, score in enumerate(screen.model.game.scores):
            assert screen.names[seat] in result
            assert str(score) in result
        assert brocante.read(screen.model.log.record).finished


async def test_bots_move_on_a_machine_that_is_too_busy_for_short_timers(monkeypatch: pytest.MonkeyPatch) -> None:
    later = count(step=0.02)  # seconds go by between any two looks at the clock
    monkeypatch.setattr("textual.timer._time", SimpleNamespace(get_time=lambda: next(later)))
    async with at_table(seated("busy", players=3)) as (pilot, screen):
        for _ in range(5):
            await pilot.press("enter")
            await my_turn(pilot, screen)


async def test_every_legal_move_is_listed_with_its_key() -> None:
    async with at_table() as (_, screen):
        assert moves(screen) == [str(move) for move in screen.model.game.legal_moves]


async def test_a_hotkey_makes_its_move() -> None:
    async with at_table() as (pilot, screen):
        offer = screen.view.offers[-1]
        await pilot.press(offer.key)
        await pilot.pause()
        assert screen.model.game.steps[-1].move == offer.move
        await pilot.press("e")
        await my_turn(pilot, screen)
        assert any(step.line.get("move") == "end" and step.line["seat"] == PERSON for step in screen.model.game.steps)


async def test_arrow_keys_choose_and_enter_plays() -> None:
    async with at_table() as (pilot, screen):
        second = screen.view.offers[1].move
        await pilot.press("down", "enter")
        await pilot.pause()
        assert screen.model.game.steps[-1].move == second


async def test_a_click_on_a_move_or_on_a_card_plays_it() -> None:
    async with at_table() as (pilot, screen):
        await pilot.click("#moves", offset=(3, 1))
        await pilot.pause()
        assert screen.model.game.steps[-1].move
        before = len(screen.model.game.steps)
        card = next(card for card in screen.query(CardButton) if not card.has_class("resting"))
        await pilot.click(card)
        await pilot.pause()
        assert len(screen.model.game.steps) == before + 1


async def test_one_may_take_back_what_one_did_this_turn_and_no_more() -> None:
    async with at_table() as (pilot, screen):
        before = screen.model.game.state.tobytes()
        await pilot.press("enter")
        await pilot.pause()
        assert screen.model.can_undo
        await pilot.press("u")
        await pilot.pause()
        assert screen.model.game.state.tobytes() == before
        steps = len(screen.model.game.steps)
        await pilot.press("u")
        await pilot.pause()
        assert len(screen.model.game.steps) == steps, "what the bots did stands"
        await pilot.press("enter", "e")
        await my_turn(pilot, screen)
        assert not screen.model.can_undo


async def test_one_need_not_wait_for_bots_and_is_told_why_nothing_can_be_taken_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(PACES, "calm", 3600.0)  # bots for whom no test would wait
    async with at_table(seated(players=4)) as (pilot, screen):
        pilot.app.pace = "calm"  # type: ignore[attr-defined]
        await pilot.press("enter", "e")
        await pilot.pause()
        assert screen.model.bots_turn
        assert "skip" in shown(screen, "KeyBar")
        await pilot.press("space")
        await my_turn(pilot, screen)
        assert screen.model.persons_turn
        assert screen.model.undo_state == "shown"
        assert "undo" in shown(screen, "KeyBar")
        await pilot.press("u")
        await pilot.pause()
        assert any("shown you something" in note.message for note in pilot.app._notifications)


async def test_nothing_on_the_screen_changes_when_what_one_cannot_know_is_dealt_anew() -> None:
    async with at_table(seated(players=3)) as (pilot, screen):
        await pilot.press("enter", "e")
        await my_turn(pilot, screen)
        before = everything(screen)
        assert "▒▒▒▒▒ 5" in before
        game = screen.model.game
        redealt = game.redeal(PERSON, brocante.generator("other hands"))
        assert redealt.state.tobytes() != game.state.tobytes()
        game.state = redealt.state
        screen.redraw()
        await pilot.pause(0.1)
        assert everything(screen) == before


def everything(screen: HomeTableScreen) -> str:
    """All the text on the screen."""
    return "\n".join("".join(segment.text for segment in line) for line in screen._compositor.render_strips())


async def test_what_cannot_be_kept_is_not_shown(tmp_path: Path) -> None:
    app = Terminal("en", BOX, seated)
    async with app.run_test(size=SIZES["wide"]) as pilot:
        screen = await the_table(pilot)
        app.pace = "instant"
        await my_turn(pilot, screen)
        screen.model.log.path.write_bytes(b"another program was here\n")
        await pilot.press("enter")
        await pilot.pause(0.1)
    assert app.return_code == 1


async def test_even_a_silly_size_does_not_stop_the_game() -> None:
    async with at_table(seated(players=4)) as (pilot, screen):
        for size in ((40, 15), (4, 4), (20, 5), (250, 60), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause(0.05)
            await pilot.press("enter")
            await my_turn(pilot, screen)
        assert len(screen.model.game.steps) > 5


async def test_a_whole_hand_is_on_the_screen_of_a_standard_terminal() -> None:
    """Five cards of five kinds side by side, in 80 columns and 24 lines."""
    game = seated(players=4)
    game.game.state.hand[PERSON] = 1
    async with at_table(game, size=SIZES["standard"]) as (_, screen):
        cards = list(screen.query(CardButton))
        assert len(cards) == 5
        felt = screen.query_one("#felt").region
        for card in cards:
            assert felt.contains_region(card.region), card.region


async def test_the_language_can_be_changed_at_the_table() -> None:
    async with at_table() as (pilot, screen):
        assert "Your turn" in shown(screen, "#prompt")
        assert "Round 1 is dealt" in logged(screen)
        await pilot.press("l")
        await pilot.pause(0.1)
        assert "À vous" in shown(screen, "#prompt")
        assert "On distribue la manche 1" in logged(screen)


async def test_the_rules_are_one_key_away() -> None:
    async with at_table() as (pilot, screen):
        await pilot.press("question_mark")
        await pilot.pause(0.1)
        assert "## Your turn" in screen.app.screen.query_one(Markdown).source
        await pilot.press("escape")
        await pilot.pause()
        assert screen.app.screen is screen


async def test_after_the_game_another_can_be_dealt() -> None:
    async with at_table(seated("short", players=2)) as (pilot, screen):
        while not screen.model.game.is_over:
            screen.model.play(
                screen.model.game.legal_moves[0]
            ) if screen.model.persons_turn else screen.model.let_bots_move()
        await pilot.press("n")
        await pilot.pause(0.1)
        again = screen.app.screen
        assert isinstance(again, HomeTableScreen)
        assert again is not screen
        assert not again.model.game.is_over


# --- the shelf ---


async def test_the_shelf_deals_the_game_that_was_chosen() -> None:
    app = Terminal("en")
    async with app.run_test(size=(100, 32)) as pilot:
        await pilot.pause(0.1)
        assert isinstance(app.screen, GameMenu)
        players = next(chooser for chooser in app.screen.query(Chooser) if chooser.option == "players")
        players.focus()
        await pilot.press("right")
        await pilot.press("enter")
        table = await the_table(pilot)
        assert table.model.game.box.slug == brocante.GAMES[0]
        assert table.model.game.players == players.chosen == 5
        await pilot.press("escape")
        await pilot.pause(0.1)
        assert isinstance(app.screen, GameMenu)
        assert app.screen.query_one("#resume").display, "the game that was left can be gone on with"


@pytest.mark.parametrize("way", ["click", "space"])
async def test_the_start_button_deals(way: str) -> None:
    app = Terminal("en")
    async with app.run_test(size=(100, 32)) as pilot:
        await pilot.pause(0.1)
        await (pilot.click("#start") if way == "click" else pilot.press("space"))
        assert (await the_table(pilot)).model.game.box.slug == brocante.GAMES[0]


def test_the_client_knows_no_game() -> None:
    """Nothing under terminal/ names a game or anything in it: a game is drawn from its view alone."""
    folder = Path(brocante.__file__).parent / "terminal"
    for file in [*folder.glob("*.py"), *folder.glob("*.tcss")]:
        for word in ("Collection", '"collection', "banknote", "antiques", "hoard", "Hoard", "brocante.games."):
            assert word not in file.read_text(), f"{word} in {file.name}"
