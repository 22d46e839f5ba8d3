"""Vinto in the terminal: rows of face-down cards, one small choice after another, cards that are seen for a moment."""

from random import Random
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Markdown, OptionList, Static

import brocante
from brocante.engine.moves import Part
from brocante.games.vinto import rules
from brocante.games.vinto.chance_lines import CARD_NAMES
from brocante.games.vinto.faces import FACES
from brocante.games.vinto.moves import Exchange, Look, Look2, Pass, Swap, place
from brocante.games.vinto.rules import Action, Stage
from brocante.terminal.app import Terminal, terminal_of
from brocante.terminal.game_menu import Chooser, GameMenu
from brocante.terminal.home_table import PERSON, HomeTable
from brocante.terminal.home_table_screen import HomeTableScreen
from brocante.terminal.key_bar import KeyBar
from brocante.terminal.other_players import PlayerPanel
from brocante.terminal.pages import ReferencePage
from brocante.terminal.saved_games import resumed_game
from brocante.terminal.touchable import CardButton
from tests.terminal.driving import (
    LONGEST,
    SIZES,
    assert_the_scoring_is_told,
    at_table,
    attend,
    legal_moves,
    logged,
    my_turn,
    seated,
    shown,
    until,
)

TALL = (150, 50)


def vinto(seed: str = "vinto", players: int = 4, **options: Any) -> HomeTable:
    return seated(seed, players, "vinto", **{"rounds": 1, **options})


def at_the_first_turn(**options: Any) -> HomeTable:
    """Everyone has peeked, and it is the person's turn."""
    for number in range(100):
        table = vinto(f"vinto {number}", **options)
        if table.game.actor == PERSON:
            while table.game.state.stage == Stage.PEEK:
                table.game.play("peek 0,1")
            return table
    raise AssertionError("seat 0 never starts")


def at_the_action(stage: Stage) -> HomeTable:
    """The person has played a card, and is about to carry out its action."""
    table = at_the_first_turn()
    table.game.play("draw")
    table.game.play("swap 4")
    table.game.state.stage = stage
    table.game.state.actor = PERSON
    return table


def everything_on(screen: HomeTableScreen) -> str:
    return "\n".join(str(part.render()) for part in screen.query(Static))


def backs(screen: HomeTableScreen) -> list[bool]:
    """Whether each of one's cards lies face down."""
    return ["▒" in str(card.render()) for card in screen.query(CardButton)]


@pytest.mark.parametrize(
    ("players", "size", "options", "code"),
    [
        (4, SIZES["wide"], {}, "en"),
        (5, SIZES["standard"], {"king": "wild", "rounds": 1}, "fr"),
        (5, SIZES["narrow"], {"memory_aid": True, "rounds": 1}, "en"),
        (5, TALL, {"rounds": 2}, "fr"),
    ],
    ids=["wide", "standard", "narrow", "tall"],
)
async def test_a_whole_game_is_played_with_the_keyboard(
    players: int, size: tuple[int, int], options: dict[str, object], code: str
) -> None:
    choices = Random(code)
    async with at_table(vinto("whole", players, **options), code, size) as (pilot, screen):
        for _ in range(3 * LONGEST):
            await attend(pilot, screen)
            if screen.model.game.is_over:
                break
            keys = [key for key in screen.key_of.values() if key]
            assert keys, "whatever is asked can be answered with a key"
            assert screen.say(screen.view.prompt) in shown(screen, "#prompt").replace("\n", " ")
            await pilot.press("v" if "v" in keys else choices.choice(keys))
            await pilot.pause(0.01)
        assert screen.model.game.is_over
        await assert_the_scoring_is_told(pilot, screen)


async def test_the_cards_one_peeks_at_are_seen_for_a_moment_and_hidden_again() -> None:
    async with at_table(vinto("peek")) as (pilot, screen):
        assert backs(screen) == [True] * 5
        assert "Which is the first?" in shown(screen, "#prompt")
        await pilot.press("2")
        await pilot.pause(0.05)
        assert backs(screen) == [True] * 5, "nothing is seen before the move is complete"
        assert "And which is the second?" in shown(screen, "#prompt")
        await pilot.press("5")
        await pilot.pause(0.05)
        row = screen.model.game.state.row[PERSON]
        assert backs(screen) == [True, False, True, True, False]
        prompt = shown(screen, "#prompt").replace("\n", " ")
        for slot in (2, 5):
            assert f"your card {slot} is {screen.say(FACES[row[slot - 1]].name)}" in prompt
        assert "Space" in prompt
        await pilot.press("1")
        await pilot.pause(0.05)
        assert screen.moment, "only Space goes on"
        await pilot.press("space")
        await attend(pilot, screen)
        assert backs(screen) == [True] * 5
        assert "You look at your cards 2 and 5." in logged(screen).replace("\n", " ")


async def test_what_was_looked_at_is_not_on_the_screen_afterwards_and_never_in_the_log() -> None:
    table = at_the_first_turn()
    async with at_table(table, size=TALL) as (pilot, screen):
        await attend(pilot, screen)
        own = {screen.say(FACES[table.game.state.row[PERSON, k]].name) for k in range(5)}
        assert table.game.state.known[PERSON, 0] == 1 << PERSON
        seen = everything_on(screen)
        assert not [name for name in own if name in seen]


async def test_the_memory_aid_keeps_showing_what_one_has_seen() -> None:
    async with at_table(at_the_first_turn(memory_aid=True)) as (pilot, screen):
        await attend(pilot, screen)
        assert backs(screen) == [False, False, True, True, True]


async def test_a_swap_asks_for_the_card_and_then_for_a_declaration_and_can_be_thought_over() -> None:
    async with at_table(at_the_first_turn()) as (pilot, screen):
        await attend(pilot, screen)
        await pilot.press("1")
        await pilot.pause(0.05)
        game = screen.model.game
        assert game.state.stage == Stage.DRAWN
        drawn = screen.say(FACES[game.state.drawn].name)
        assert drawn in shown(screen, "#prompt")
        assert drawn in shown(screen, "#status")
        steps = len(game.steps)
        await pilot.press("3")
        await pilot.pause(0.05)
        assert "Your card 3 comes out" in shown(screen, "#prompt").replace("\n", " ")
        assert len(screen.model.game.steps) == steps, "nothing has happened yet"
        assert screen.query(CardButton)[2].has_class("chosen")
        await pilot.press("u")
        await pilot.pause(0.05)
        assert drawn in shown(screen, "#prompt")
        await pilot.press("4")
        await pilot.press("s")
        await pilot.pause(0.05)
        assert screen.model.game.steps[steps].move == Swap(PERSON, 3)


async def test_the_pile_says_whether_its_action_is_unused() -> None:
    table = at_the_first_turn()
    state = table.game.state
    state.discard_pile[0], state.row[PERSON, 4] = state.row[PERSON, 4], -1
    state.discards, state.cards[PERSON] = 1, 4
    state.discard_pile[0] = CARD_NAMES.index("9S")
    for unused, words in ((1, "its action is unused"), (0, "its action has been used")):
        state.unused = unused
        async with at_table(table, size=TALL) as (_, screen):
            assert f"9♠ {words}" in shown(screen, "#status")
            assert any("Take 9♠" in screen.say(offer.label) for offer in screen.view.offers) == bool(unused)


async def test_actions_to_come_stand_beside_the_piles_in_their_order() -> None:
    """V5: whose action is being carried out, and whose come after it."""
    table = at_the_first_turn()
    game = table.game
    game.play("draw")
    game.play("swap 4")
    game.state.acting, game.state.waits = CARD_NAMES.index("8C"), 1
    game.state.waiting[0], game.state.waiting_for[0] = CARD_NAMES.index("8D"), 2
    game.state.stage, game.state.actor = Stage.LOOK_OWN, PERSON
    async with at_table(table, size=TALL) as (_, screen):
        status = " ".join(shown(screen, "#status").split())
        assert f"actions to come 8♣ You, now 8♦ {screen.names[2]}" in status
        assert "8♣: look at one of your own cards." in shown(screen, "#prompt").replace("\n", " ")


# --- the reference card -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("code", "wild"), [("en", "any action you name"), ("fr", "l’action de votre choix")])
@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_the_reference_card_is_one_key_away(code: str, wild: str, size: tuple[int, int]) -> None:
    """Every rank with what it counts and does, also what a King does with the option `wild`; the same key closes it."""
    async with at_table(at_the_first_turn(), code, size) as (pilot, screen):
        await attend(pilot, screen)
        keys = str(screen.query_one(KeyBar).render())
        assert f"r {terminal_of(screen).say('terminal.key.reference')}" in keys
        await pilot.press("r")
        await pilot.pause(0.1)
        card = screen.app.screen
        assert isinstance(card, ReferencePage)
        source = card.query_one(Markdown).source
        assert source.startswith("## ")
        assert source.count("\n## ") == 0
        assert all(f" {rank}" in source for rank in ("2,", "7,", "10 |", "J (", "Q (", "K (", "A (", "★ ("))
        assert wild in source
        await pilot.press("r")
        await pilot.pause(0.05)
        assert screen.app.screen is screen


async def test_the_reference_card_is_there_while_one_points_at_cards() -> None:
    """When every card on the table has a key, `r` is none of them."""
    table = at_the_action(Stage.QUEEN)
    give_many_cards(table, PERSON, 12)
    async with at_table(table, size=TALL) as (pilot, screen):
        await attend(pilot, screen)
        assert not {"r", "R"} & set(screen.key_of.values())
        await pilot.press("r")
        await pilot.pause(0.1)
        assert isinstance(screen.app.screen, ReferencePage)


async def test_a_game_without_a_reference_card_offers_none() -> None:
    async with at_table(seated()) as (pilot, screen):
        assert terminal_of(screen).say("terminal.key.reference") not in str(screen.query_one(KeyBar).render())
        await pilot.press("r")
        await pilot.pause(0.05)
        assert screen.app.screen is screen


# --- actions ----------------------------------------------------------------------------------------------------------


async def test_two_cards_are_exchanged_by_pointing_at_them_with_keys() -> None:
    table = at_the_action(Stage.JACK)
    async with at_table(table, size=TALL) as (pilot, screen):
        await attend(pilot, screen)
        await pilot.press("2")
        await pilot.pause(0.05)
        exchange = next(move for move in screen.key_of if isinstance(move, Exchange) and move.b and move.b[0] != PERSON)
        assert exchange.a == (PERSON, 1)
        panel = str(screen.query_one(f"#seat-{exchange.b[0]}", PlayerPanel).render())  # type: ignore[index]
        assert f"{screen.key_of[exchange]}▸▒▒" in panel
        await pilot.press(screen.key_of[exchange])
        await pilot.pause(0.05)
        assert exchange in [step.move for step in screen.model.game.steps]


async def test_another_players_card_is_looked_at_by_clicking_it() -> None:
    table = at_the_action(Stage.LOOK_OTHER)
    async with at_table(table, size=TALL) as (pilot, screen):
        await attend(pilot, screen)
        await pilot.click(screen.query_one("#seat-2", PlayerPanel), offset=(4, 3))
        await pilot.pause(0.05)
        moves = [step.move for step in screen.model.game.steps]
        assert Look(PERSON, (2, 0)) in moves
        assert screen.moment
        panel = str(screen.query_one("#seat-2", PlayerPanel).render())
        assert screen.say(FACES[screen.model.game.state.row[2, 0]].name) in panel


async def test_both_cards_of_a_queen_are_shown_while_one_decides() -> None:
    table = at_the_action(Stage.QUEEN)
    async with at_table(table, size=TALL) as (pilot, screen):
        await attend(pilot, screen)
        row = table.game.state.row.copy()
        first = next(move for move in screen.key_of if isinstance(move, Part))
        await pilot.press(screen.key_of[first])
        await pilot.pause(0.05)
        second = next(move for move in screen.key_of if isinstance(move, Look2) and move.b[0] == 1)
        await pilot.press(screen.key_of[second])
        await pilot.pause(0.05)
        prompt = shown(screen, "#prompt").replace("\n", " ")
        for at in (second.a, second.b):
            assert screen.say(FACES[row[at]].name) in prompt
        await pilot.press("x")
        await attend(pilot, screen)
        assert (table.game.state.row[second.a], table.game.state.row[second.b]) == (row[second.b], row[second.a])


async def test_all_cards_are_turned_up_with_their_totals_when_a_round_is_over() -> None:
    async with at_table(vinto("reveal", 5, rounds=2), size=TALL) as (pilot, screen):
        for _ in range(LONGEST):
            await attend_but_the_reveal(pilot, screen)
            if screen.moment:
                break
            keys = list(screen.key_of.values())
            await pilot.press("v" if "v" in keys else keys[-1] if "0" not in keys else "0")
        assert "Round 1 is over" in shown(screen, "#prompt").replace("\n", " ")
        for seat in range(1, 5):
            panel = str(screen.query_one(f"#seat-{seat}", PlayerPanel).render())
            assert "▒" not in panel
            assert "total" in panel
        assert "total" in shown(screen, "#mine")
        assert not any(backs(screen))
        assert "Round 2 is dealt" not in logged(screen), "the next round comes when this one has been looked at"
        await pilot.press("space")
        await attend(pilot, screen)
        assert "Round 2 is dealt" in logged(screen)


async def attend_but_the_reveal(pilot: Pilot[None], screen: HomeTableScreen) -> None:
    for _ in range(50):
        await my_turn(pilot, screen)
        if not screen.moment or "Round 1" in screen.say(screen.moment.text):
            return
        await pilot.press("space")


# --- the clock --------------------------------------------------------------------------------------------------------


class Clock:
    """A clock that goes on only when it is told to."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("brocante.terminal.home_table.time", clock)
    return clock


async def test_when_time_is_up_the_round_under_way_is_the_last(clock: Clock) -> None:
    table = vinto("clock", rounds=4, minutes=1)
    async with at_table(table) as (pilot, screen):
        assert "◷ 1:00" in shown(screen, "#status")
        clock.now = 15
        await until(pilot, lambda: "◷ 0:45" in shown(screen, "#status"))
        clock.now = 60
        await until(pilot, lambda: bool(table.game.state.time_up))
        await until(pilot, lambda: "Time is up: this round is the last." in logged(screen))
        assert {"event": "time"} in [step.line for step in table.game.steps]
    assert resumed_game(table.game.box).game == table.game, "what the clock said is kept"


def test_a_game_by_the_clock_goes_on_with_the_time_it_had_left(clock: Clock) -> None:
    """What passes while it lies on the disk does not count."""
    table = vinto("later", minutes=10, rounds=4)
    for left in (480, 360, 240):
        clock.now += 120
        table.play(legal_moves(table)[0]) if table.persons_turn else table.let_bots_move()
        clock.now += 86_400
        table = resumed_game(table.game.box)
        assert table.seconds_left == left


def at_the_window(clock: Clock) -> HomeTable:
    """All decide whether to toss in, the person among them."""
    table = vinto("window", minutes=10, rounds=4)
    while table.game.state.stage != Stage.WINDOW or not table.persons_turn:
        table.play(legal_moves(table)[0]) if table.persons_turn else table.let_bots_move()
    return table


def test_nobody_is_hurried_while_all_decide(clock: Clock) -> None:
    table = at_the_window(clock)
    steps = table.happened
    clock.now += 500
    table.watch_the_clock()
    assert table.persons_turn
    assert table.happened == steps
    again = resumed_game(table.box)
    assert again.persons_turn
    again.play(Pass(PERSON))
    assert again.game.state.stage != Stage.WINDOW or not again.persons_turn, "the others have only waited for it"
    assert again.happened > steps


def test_when_time_is_up_while_bots_are_to_move_it_is_said_at_once(clock: Clock) -> None:
    table = vinto("late", minutes=1, rounds=4)
    while not table.bots_turn:
        table.play(legal_moves(table)[0])
    clock.now = 60
    table.watch_the_clock()
    assert table.game.steps[-1].line == {"event": "time"}
    table.watch_the_clock()
    assert table.bots_turn, "bots move when the screen lets them"


async def test_rounds_and_minutes_are_not_both_chosen_on_the_shelf() -> None:
    app = Terminal("en")
    async with app.run_test(size=(120, 60)) as pilot:
        shelf = app.screen
        assert isinstance(shelf, GameMenu)
        game = next(chooser for chooser in shelf.query(Chooser) if chooser.option == "game")
        while game.chosen != "vinto":
            game.focus()
            game.action_turn(1)
            await pilot.pause(0.1)
            game = next(chooser for chooser in shelf.query(Chooser) if chooser.option == "game")
        choosers = {chooser.option: chooser for chooser in shelf.query(Chooser)}
        choosers["rounds"].action_turn(1)
        await pilot.pause(0.05)
        assert choosers["rounds"].chosen != 4
        choosers["minutes"].action_turn(1)
        await pilot.pause(0.05)
        assert (choosers["rounds"].chosen, choosers["minutes"].chosen is None) == (4, False)
        choosers["rounds"].action_turn(1)
        await pilot.pause(0.05)
        assert choosers["minutes"].chosen is None


# --- many cards -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_every_card_keeps_its_key_between_the_two_choices_of_a_move(size: tuple[int, int]) -> None:
    table = at_the_action(Stage.JACK)
    give_many_cards(table, PERSON, 12)
    give_many_cards(table, 2, 7)
    async with at_table(table, size=size) as (pilot, screen):
        await attend(pilot, screen)
        first = {place(part.action - Action.AT): key for part, key in screen.key_of.items() if isinstance(part, Part)}
        assert [first[PERSON, slot] for slot in range(9)] == list("123456789")
        assert len(set(first.values())) == len(first), "a key for every card"
        for at in ((PERSON, 1), (PERSON, 10), (2, 3)):
            await pilot.press(first[at])
            await pilot.pause(0.05)
            second = {
                move.a if move.b == at else move.b: key
                for move, key in screen.key_of.items()
                if isinstance(move, Exchange)
            }
            assert second == {other: key for other, key in first.items() if other != at}
            await pilot.press("u")
            await pilot.pause(0.05)
        titles = [str(card.border_title) for card in screen.query(CardButton)]
        assert titles == [str(slot) for slot in range(1, 13)]
        assert all(
            card.size.width > len(title) + 3 for card, title in zip(screen.query(CardButton), titles, strict=True)
        )


def give_many_cards(table: HomeTable, seat: int, cards: int) -> None:
    """As after many penalties."""
    state = table.game.state
    while state.cards[seat] < cards:
        rules.join(state, seat, rules.next_card(state), 0)


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_five_cards_lie_in_one_row_from_the_first_drawing_on(size: tuple[int, int]) -> None:
    async with at_table(at_the_first_turn(), size=size) as (pilot, screen):
        await pilot.pause(0.1)
        assert [len(row.children) for row in screen.query(".cards")] == [5]


# --- the pace ---------------------------------------------------------------------------------------------------------


async def test_nobody_waits_for_passes_that_go_without_saying() -> None:
    """All bots pass in one go, also at a calm pace."""
    table = at_the_first_turn(players=5)
    async with at_table(table) as (pilot, screen):
        await attend(pilot, screen)
        pilot.app.pace = "calm"  # type: ignore[attr-defined]
        table.game.play("draw")
        table.game.state.known[:] = 0  # so that no bot is sure of anything
        table.game.play("swap 4")
        table.game.state.known[:] = 0
        table.table.refresh()
        assert table.game.actor == 1
        await screen._bot_moves()
        assert [step.move.name() for step in table.game.steps[-4:] if step.move] == ["pass"] * 4
        assert screen.model.persons_turn


async def test_ranks_are_declared_by_their_own_letters_also_where_these_mean_something_else_otherwise() -> None:
    """`q` is the Queen here, and 0 is 10: whoever types 1 and 0 declares what they mean."""
    for keys, declared in (("q", "Q"), ("10", "10"), ("a", "A"), ("x", "X"), ("s", None)):
        async with at_table(at_the_first_turn(), size=TALL) as (pilot, screen):
            await attend(pilot, screen)
            await pilot.press("1")
            await pilot.press("3")
            await pilot.pause(0.05)
            steps = len(screen.model.game.steps)
            assert "quit" not in str(screen.query_one(KeyBar).render())
            for key in keys:
                await pilot.press(key)
            await pilot.pause(0.05)
            assert pilot.app.is_running
            assert screen.model.game.steps[steps].move == Swap(PERSON, 2, declared)  # type: ignore[arg-type]


async def test_every_choice_can_be_read_to_its_end_where_the_list_is_long() -> None:
    """Also where there is a scrollbar, in a narrow list, in French."""
    async with at_table(at_the_action(Stage.JACK), "fr", SIZES["standard"]) as (pilot, screen):
        await attend(pilot, screen)
        await pilot.press("2")
        await pilot.pause(0.1)
        listed = screen.query_one("#moves", OptionList)
        assert listed.virtual_size.height > listed.size.height, "there is a scrollbar"
        lines = ["".join(part.text for part in listed.render_line(y)) for y in range(listed.size.height)]
        seen = " ".join(" ".join(lines).split())
        assert "Avec votre carte 1" in seen
        assert "Avec la carte 1 d’Odette" in seen


async def test_a_window_that_gets_smaller_shows_the_others_one_below_the_other() -> None:
    async with at_table(at_the_first_turn(players=5), size=TALL) as (pilot, screen):
        await attend(pilot, screen)
        assert screen.query_one("#others").styles.grid_size_columns > 1
        await pilot.resize_terminal(80, 24)
        await pilot.pause(0.3)
        assert screen.query_one("#others").styles.grid_size_columns == 1
        panel = str(screen.query_one("#seat-1", PlayerPanel).render())
        assert "5\u00a0▒▒" in panel.splitlines()[1]


async def test_the_arrow_keys_reach_every_choice_of_a_shelf_that_is_higher_than_the_window() -> None:
    app = Terminal("en")
    async with app.run_test(size=SIZES["standard"]) as pilot:
        await app.switch_screen(GameMenu(brocante.box("vinto")))
        await pilot.pause(0.2)
        reached = []
        for _ in range(12):
            await pilot.press("up")
            if isinstance(app.focused, Chooser):
                reached.append(app.focused.option)
        assert {"game", "players", "king", "rounds", "minutes", "max_turns", "memory_aid", "bots"} <= set(reached)
