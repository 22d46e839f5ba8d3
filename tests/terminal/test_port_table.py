"""Port in the terminal: the river, the action table, what lies before everyone, cards that say what they do."""

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from brocante.engine.moves import Move, Part
from brocante.engine.text import language
from brocante.games.port.moves import Load, Mark, Pass, Sail, Stop
from brocante.games.port.rules import Action, Stage
from brocante.terminal.home_table import PERSON, HomeTable
from brocante.terminal.home_table_screen import HomeTableScreen
from brocante.terminal.saved_games import resumed_game
from tests.terminal.driving import (
    SIZES,
    assert_the_scoring_is_told,
    at_table,
    logged,
    moves,
    my_turn,
    seated,
    shown,
    until,
)

TALL = (150, 50)
LONGEST = 1500  # key presses of one player in a game


def douro(seed: str = "quay 6", players: int = 3) -> HomeTable:
    return seated(seed, players, "port")


def board(screen: HomeTableScreen) -> str:
    return shown(screen, "#board")


async def press_for(pilot: Pilot[None], screen: HomeTableScreen, move: Move) -> None:
    """Make a move with its key."""
    key = screen.key_of[move]
    await pilot.press({"+": "plus", "-": "minus"}.get(key, key))
    await my_turn(pilot, screen)


async def begin_harvest(pilot: Pilot[None], screen: HomeTableScreen) -> None:
    await pilot.press("h")
    await until(pilot, lambda: "Harvest which Estate first?" in shown(screen, "#prompt"))


@pytest.mark.parametrize(
    ("players", "size", "code"), [(2, SIZES["standard"], "fr"), (3, SIZES["narrow"], "en"), (4, TALL, "fr")]
)
async def test_a_whole_game_is_played_to_the_last_estate_with_the_keyboard(
    players: int, size: tuple[int, int], code: str
) -> None:
    """Every round begins with a harvest, a trip and ageing, if they can be had; whatever comes first otherwise."""
    async with at_table(douro("whole", players), code, size) as (pilot, screen):
        for _ in range(LONGEST):
            if screen.model.game.is_over:
                break
            keys = screen.key_of.values()
            await pilot.press(next((key for key in "ham0x" if key in keys), "enter"))
            await my_turn(pilot, screen)
        await assert_the_scoring_is_told(pilot, screen)


@pytest.mark.parametrize("size", [TALL, SIZES["standard"], SIZES["narrow"]])
async def test_the_river_shows_harbours_boats_sites_and_prices(size: tuple[int, int]) -> None:
    async with at_table(douro(), size=size) as (_, screen):
        drawn = board(screen)
        for harbour in ("Vila Nova de Gaia", "Baixo Corgo", "Cima Corgo", "Douro Superior"):
            assert harbour in drawn
        for boat in ("\\●/", "\\▲/", "\\■/"):
            assert boat in drawn
        assert "B1 Q2 ●♣♦" in drawn
        assert "S4 Q5 ··· 6 VP" in drawn


async def test_the_action_table_shows_free_circles_and_whose_markers_lie_there() -> None:
    async with at_table(douro(), size=TALL) as (pilot, screen):
        await press_for(pilot, screen, Mark(PERSON, "boat"))
        placed = screen.model.game.state.placed[PERSON].tolist()
        assert placed[4] == 1
        assert "Move the boat ●○△△□□" in board(screen)
        assert "Store brandy ○○" in board(screen)


async def test_a_trip_is_made_step_by_step_with_plus_and_minus() -> None:
    async with at_table(douro(), size=TALL) as (pilot, screen):
        await press_for(pilot, screen, Mark(PERSON, "boat"))
        assert screen.model.game.state.stage == Stage.BOAT
        await press_for(pilot, screen, Sail(PERSON, "up"))
        assert "\\●/" in board(screen)
        assert "You sail up to Baixo Corgo." in logged(screen)
        assert screen.key_of[Stop(PERSON)] == "0"
        await press_for(pilot, screen, Stop(PERSON))
        assert screen.model.game.state.at[PERSON] == 1


async def test_a_move_is_made_one_choice_after_another_and_can_be_taken_back() -> None:
    async with at_table(douro(), size=TALL) as (pilot, screen):
        before = screen.model.happened
        await begin_harvest(pilot, screen)
        await pilot.press("escape")
        await until(pilot, lambda: "Your turn" in shown(screen, "#prompt"))
        await begin_harvest(pilot, screen)
        await pilot.press("enter")
        await until(pilot, lambda: screen.model.happened > before)
        assert screen.model.game.steps[-1].move == Mark(PERSON, "harvest", sites=("baixo-1",))
        await pilot.press("u")
        await until(pilot, lambda: screen.model.happened == before)


async def test_the_key_that_ends_a_turn_never_gives_up_a_round() -> None:
    async with at_table(douro(), size=TALL) as (pilot, screen):
        assert screen.key_of[Pass(PERSON)] == "x"
        await pilot.press("0")
        await pilot.pause(0.1)
        assert screen.model.game.state.markers[PERSON] == 2


async def test_the_warehouse_says_what_a_category_needs_and_pays() -> None:
    async with at_table(douro(), size=TALL) as (_, screen):
        mine = shown(screen, "#mine")
        for bar in ("Rub 0–5 ▯▯▯▯+1", "Res 6–9 ▯▯▯+2", "LBV 10+ ▯▯+3", "Vin▯+4", "TRes 5–7 ▯▯▯▯+2", "Col 11+ ▯▯+4"):
            assert bar in mine


@pytest.mark.parametrize("size", [(140, 44), (100, 36)])
async def test_your_hand_is_on_the_screen_with_four_players(size: tuple[int, int]) -> None:
    async with at_table(douro(players=4), size=size) as (pilot, screen):
        await until(pilot, lambda: bool(screen.query("#hand Static")) and screen.query_one("#hand").size.height > 0)
        felt, hand = screen.query_one("#felt"), screen.query_one("#hand")
        assert hand.region.bottom <= felt.region.bottom


async def test_a_site_is_bought_by_clicking_it_on_the_river() -> None:
    async with at_table(douro(), size=TALL) as (pilot, screen):
        screen.play(Part(PERSON, Action.MARK))
        await until(pilot, lambda: "Buy which site?" in shown(screen, "#prompt"))
        wanted, key = [*screen.key_of.items()][-1]
        lines = board(screen).splitlines()
        row, line = next((n, line) for n, line in enumerate(lines) if f"{key}▸C" in line)
        await pilot.click("#board", offset=(line.index(f"{key}▸C") + 5, row + 1))

        def own() -> list[Move]:
            moves = [step.move for step in screen.model.game.steps]
            return [move for move in moves if move and move.seat == PERSON]

        await until(pilot, lambda: bool(own()))
        assert own() == [wanted]


@pytest.mark.parametrize("code", ["en", "fr"])
@pytest.mark.parametrize("size", [TALL, SIZES["standard"]])
async def test_your_cards_say_what_they_do(size: tuple[int, int], code: str) -> None:
    async with at_table(douro(), code, size) as (pilot, screen):
        hand = screen.view.table.places[PERSON].zones[-1]
        await until(pilot, lambda: len(screen.query("#hand Static")) >= len(hand.stacks))
        drawn = " ".join(" ".join(str(part.render()).split()) for part in screen.query("#hand Static").results(Static))
        for stack in hand.stacks:
            assert stack.card
            assert stack.card.does
            for word in language(code).say(stack.card.does).split():
                assert word in drawn


async def test_barrels_are_loaded_at_any_time_of_ones_turn() -> None:
    async with at_table(douro(), size=TALL) as (pilot, screen):
        await press_for(pilot, screen, Mark(PERSON, "boat"))
        await press_for(pilot, screen, Sail(PERSON, "up"))
        await press_for(pilot, screen, Stop(PERSON))
        await pilot.press("0")
        await my_turn(pilot, screen)
        await begin_harvest(pilot, screen)
        await pilot.press("enter")
        await until(pilot, lambda: Load(PERSON, "baixo-1") in screen.key_of)
        await press_for(pilot, screen, Load(PERSON, "baixo-1"))
        assert screen.model.game.state.cargo[PERSON, 0] == 2
        assert "You load 2 barrels" in logged(screen)


async def test_what_the_others_hold_is_not_on_the_screen() -> None:
    async with at_table(douro("secret"), size=TALL) as (_, screen):
        panels = "\n".join(str(screen.query_one(f"#seat-{seat}", Static).render()) for seat in (1, 2))
        assert panels.count("cards  ▒") == 2
        for kind in ("Buying", "Planting", "Free action", "enologist", "Colheita", "Vintage"):
            assert kind not in panels


async def test_a_game_goes_on_where_it_was_left_in_the_middle_of_a_trip() -> None:
    table = douro("later")
    async with at_table(table, size=TALL) as (pilot, screen):
        await press_for(pilot, screen, Mark(PERSON, "boat"))
        assert screen.model.game.state.stage == Stage.BOAT
    assert resumed_game(table.game.box).game == table.game
    async with at_table(resumed_game(table.game.box), size=TALL) as (_, screen):
        assert "stop" in moves(screen)
