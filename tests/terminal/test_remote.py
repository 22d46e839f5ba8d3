"""The terminal at the tables of a server."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from brocante.cli import main
from brocante.client import Client, ServerRefused, TableClient
from brocante.client import table as client_table
from brocante.engine.moves import Part
from brocante.engine.text import language
from brocante.server.operator import Operator
from brocante.table import commands as c
from brocante.table.fair import verify
from brocante.terminal.app import Terminal
from brocante.terminal.game_menu import Chooser
from brocante.terminal.key_bar import KeyBar
from brocante.terminal.lobby import Lobby
from brocante.terminal.pages import RulesPage
from brocante.terminal.server_logins import save_login, saved_login
from brocante.terminal.server_menu import NewTableMenu, ServerMenu, log_in
from brocante.terminal.server_screen import ChatInput, NameInput
from brocante.terminal.server_table_screen import ServerTableScreen
from brocante.wire.http import Listed
from brocante.wire.socket_codec import News
from tests.client.wire import wire_to
from tests.server.serving import served
from tests.server.test_upgrading import FOR_EVER, WRITTEN, unpack_sqlite
from tests.terminal.driving import LONGEST, SIZES, logged, moves, shown, until

CAREFUL = 0.8  # how often one passes where one can: a game of Vinto in which all toss in what they have takes minutes


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("tables")) as url:
        yield url


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_table, "SOON", 0.01)
    monkeypatch.setattr(client_table, "LATER", 0.05)


@asynccontextmanager
async def at_server(
    link: str, name: str | None = "Ana", code: str = "en", size: tuple[int, int] = SIZES["wide"]
) -> AsyncIterator[Pilot[None]]:
    app = Terminal(code, first=ServerMenu(link, name))
    async with app.run_test(size=size) as pilot:
        app.pace = "instant"
        yield pilot


async def on_screen(pilot: Pilot[None], kind: type) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, kind) and bool(pilot.app.screen.query(KeyBar)))
    await pilot.pause(0.05)


async def at_table(pilot: Pilot[None]) -> ServerTableScreen:
    await on_screen(pilot, ServerTableScreen)
    screen = pilot.app.screen
    assert isinstance(screen, ServerTableScreen)
    return screen


async def to_decide(pilot: Pilot[None], screen: ServerTableScreen) -> bool:
    """Wait until there is something to decide; False if the game is over. Moments are looked at and passed."""
    for _ in range(3000):
        await pilot.pause(0.01)
        if screen.moment:
            await pilot.press("space")
        elif screen.model.is_over:
            return False
        elif not screen._busy and moves(screen) and set(moves(screen)) == {str(o.move) for o in screen.view.offers}:
            return True  # they are drawn: what is chosen from an older list is dropped
    raise AssertionError("nothing was asked any more")


async def open_table(pilot: Pilot[None], game: str, **options: int) -> ServerTableScreen:
    """Open a table with the keyboard, and deal."""
    await open_lobby(pilot, game, **options)
    await pilot.press("s")
    return await at_table(pilot)


async def open_lobby(pilot: Pilot[None], game: str, **options: int) -> Lobby:
    await on_screen(pilot, ServerMenu)
    market = pilot.app.screen
    assert isinstance(market, ServerMenu)
    await until(pilot, lambda: market.client is not None)
    await pilot.press("o")
    await on_screen(pilot, NewTableMenu)
    shelf = pilot.app.screen
    assert isinstance(shelf, NewTableMenu)
    while shelf.box.slug != game:
        shelf.query(Chooser).first().action_turn(1)
        await pilot.pause(0.05)
    for chooser in shelf.query(Chooser):
        chooser.chosen = options.get(chooser.option, chooser.chosen)
    shelf.query_one("#start").focus()
    await pilot.press("enter")
    await on_screen(pilot, Lobby)
    lobby = pilot.app.screen
    assert isinstance(lobby, Lobby)
    return lobby


async def test_a_whole_game_is_played_with_the_keyboard(url: str, tmp_path: Path) -> None:
    """From the list of tables to the final scores, with moves of several choices, and windows in which all decide."""
    choices = Random("vinto")
    async with at_server(url, size=SIZES["standard"]) as pilot:
        screen = await open_table(pilot, "vinto", rounds=1)
        for _ in range(3 * LONGEST):
            if not await to_decide(pilot, screen):
                break
            offers, listed = screen.query_one("#moves", OptionList), moves(screen)
            passes = "pass" in listed and choices.random() < CAREFUL
            offers.highlighted = listed.index("pass") if passes else choices.randrange(len(listed))
            told, begun = screen.model.table.n, screen._begun
            await pilot.press("enter")
            await until(
                pilot,
                lambda told=told, begun=begun: (  # type: ignore[misc]
                    (screen.model.table.n, screen._begun) != (told, begun)
                    or not screen.view.offers
                    or screen.model.is_over
                ),
            )
        assert screen.model.is_over
        await until(pilot, lambda: screen.model.epilogue is not None)
        await pilot.press(*["space"] * 20)
        await pilot.pause(0.1)
        assert "Ana" in shown(screen, "#result")
        (record,) = (tmp_path / "records").glob("*.jsonl")
        assert verify(record, screen.model.table.commitments[1]).finished
        await pilot.press("n")
        await until(pilot, lambda: not screen.model.is_over)


async def test_what_can_be_chosen_next_is_forgotten_if_the_game_went_on_before_the_server_said_it(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_server(url) as pilot:
        screen = await open_table(pilot, "port")
        assert await to_decide(pilot, screen)
        model = screen.model
        look = model.table.look

        async def look_too_late(begun: list[int] | None = None) -> dict[str, Any]:
            seen = await look(begun)
            now = model.table.now
            model.table.now = msgspec.structs.replace(now, step=now.step + 1)
            model.take(News([], model.table.now))
            return seen

        first = next(offer.move for offer in screen.view.offers if isinstance(offer.move, Part))
        for answered, begun in ((look_too_late, ()), (look, (first.action,))):
            monkeypatch.setattr(model.table, "look", answered)
            screen.play(first)
            await until(pilot, lambda: not screen._busy)
            assert screen._begun == begun


async def test_at_a_game_whose_rules_are_gone_one_is_told_so_and_starts_anew(tmp_path: Path) -> None:
    unpack_sqlite(tmp_path)
    table = next(one for one in WRITTEN["sqlite"] if (one["game"], one["phase"]) == ("port", "playing"))
    with served(tmp_path, grace=0.1, **FOR_EVER) as url:
        someone = table["people"][0]
        save_login(url, someone["name"], someone["token"])
        async with at_server(f"{url}/tables/{table['id']}", someone["name"]) as pilot:
            await on_screen(pilot, Lobby)
            assert "edition 1 of its rules" in shown_at(pilot, "#told")
            assert "rules that have changed" in shown_at(pilot, "#what")
            await pilot.press("s")
            screen = await at_table(pilot)
            assert screen.view.table.places


@asynccontextmanager
async def opposite(pilot: Pilot[None], ben: TableClient) -> AsyncIterator[ServerTableScreen]:
    """At the table of another guest, at the second seat, when it is one's turn."""
    await on_screen(pilot, Lobby)
    await ben.start()
    screen = await at_table(pilot)
    playing = asyncio.create_task(let_the_other_play(ben))
    try:
        await until(pilot, lambda: bool(moves(screen)))
        yield screen
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


async def let_the_other_play(table: TableClient) -> None:
    async for turn in table.turns():
        await turn.play(turn.legal[-1])


async def test_two_people_sit_opposite_each_other_and_each_sees_their_own_place_first(url: str) -> None:
    async with Client(url, "Ben") as client:
        ben = await client.open("collection", players=2)
        await ben.sit()
        async with at_server(ben.link) as pilot:
            await on_screen(pilot, Lobby)
            assert "Ben" in shown_at(pilot, "#who")
            assert ben.link in shown_at(pilot, "#link")
            await pilot.press("s")  # only the host deals
            async with opposite(pilot, ben) as screen:
                assert screen.model.seat == 1
                assert screen.view.table.places[0].seat == 1
                assert "Ana" in shown(screen, "#mine")
                assert "Ben" in shown(screen, "#seat-0")
                await pilot.press("enter")
                await until(pilot, lambda: "You place" in logged(screen))


def shown_at(pilot: Pilot[None], selector: str) -> str:
    return str(pilot.app.screen.query_one(selector, Static).render())


async def test_a_move_is_taken_back_when_the_other_agrees_and_the_other_way_round(url: str) -> None:
    async with Client(url, "Ben") as client:
        ben = await client.open("collection", players=2)
        await ben.sit()
        async with at_server(ben.link) as pilot, opposite(pilot, ben) as screen:
            await pilot.press("enter")
            await until(pilot, lambda: "e" in screen.key_of.values())
            await pilot.press("e")
            await until(pilot, lambda: "You draw" in logged(screen) and bool(moves(screen)))
            await ben.do(c.Undo())
            await until(pilot, lambda: "Ben would like to take back" in shown(screen, "#prompt"))
            await pilot.press("n")
            await until(pilot, lambda: "does not agree" in logged(screen))
            await ben.do(c.Undo())
            await until(pilot, lambda: screen.model.question == "undo")
            await pilot.press("y")
            await until(pilot, lambda: "Ben takes back a move" in logged(screen) and bool(moves(screen)))
            await pilot.press("u")
            await until(pilot, lambda: "The others are being asked" in shown(screen, "#prompt"))
            await ben.do(c.Agree())
            await until(pilot, lambda: "Ana takes back a move" in logged(screen))


async def test_one_who_is_asked_says_whether_somebody_is_removed(url: str) -> None:
    async with Client(url, name="Ben") as client, Client(url, name="Cleo") as other:
        ben = await client.open("collection", players=3)
        await ben.sit()
        await other.sit(ben.link)
        async with at_server(ben.link) as pilot:
            await on_screen(pilot, Lobby)
            await ben.start()
            screen = await at_table(pilot)
            await ben.remove(1)
            await until(pilot, lambda: "The host asks whether Cleo" in shown(screen, "#prompt"))
            await pilot.press("n")
            await until(pilot, lambda: "nobody is removed" in logged(screen))
            await ben.remove(2)
            await until(pilot, lambda: "whether you should be removed" in shown(screen, "#prompt"))
            assert screen.model.question is None
            await ben.answer("removal", agrees=False)
            await ben.remove(1)
            await until(pilot, lambda: screen.model.question == "removal")
            await pilot.press("y")
            await until(pilot, lambda: "Cleo gets up" in logged(screen))


async def test_a_host_names_whom_to_remove_and_may_let_it_be(url: str) -> None:
    async with at_server(url) as pilot, Client(url, name="Ben") as client, Client(url, name="Cleo") as other:
        lobby = await open_lobby(pilot, "collection", players=3)
        link = lobby.model.table.link
        ben, cleo = await client.sit(link), await other.sit(link)
        await until(pilot, lambda: all(seat.name for seat in lobby.model.table.info.seats))
        await name(pilot, "3")
        await until(pilot, lambda: cleo.you.seat is None)
        await cleo.sit()
        await until(pilot, lambda: all(seat.name for seat in lobby.model.table.info.seats))
        await pilot.press("s")
        screen = await at_table(pilot)
        await name(pilot, "nobody")
        await name(pilot, "cleo")
        await until(pilot, lambda: "The others are being asked whether Cleo" in shown(screen, "#prompt"))
        await pilot.press("R")
        await until(pilot, lambda: "The host lets it be" in logged(screen))
        await name(pilot, "Cleo")
        await until(pilot, lambda: ben.info.removal == 2)
        await ben.answer("removal", agrees=True)
        await until(pilot, lambda: cleo.you.seat is None)


async def name(pilot: Pilot[None], somebody: str) -> None:
    """Say as the host who is to get up."""
    await pilot.press("R")
    await until(pilot, lambda: isinstance(pilot.app.screen, NameInput))
    await pilot.press(*somebody, "enter")
    await until(pilot, lambda: not isinstance(pilot.app.screen, NameInput))


async def test_one_may_talk_pause_and_read_in_another_language(url: str) -> None:
    async with Client(url, "Ben") as client:
        ben = await client.open("collection", players=2)
        await ben.sit()
        async with at_server(ben.link) as pilot, opposite(pilot, ben) as screen:
            await pilot.press("slash", *"Hi [b]", "enter")
            await until(pilot, lambda: "Ana: Hi [b]" in logged(screen))
            await pilot.press("p")
            await until(pilot, lambda: "The game is paused." in shown(screen, "#prompt"))
            assert not moves(screen)
            await pilot.press("p")
            await until(pilot, lambda: bool(moves(screen)))
            await pilot.press("l")
            await until(pilot, lambda: "On distribue la manche 1" in logged(screen))
            assert "À vous" in shown(screen, "#prompt") or "Posez" in shown(screen, "#prompt")


async def test_a_lost_connection_is_said_and_the_game_goes_on_when_it_is_back(url: str) -> None:
    async with wire_to(url) as wire, Client(url, "Ben") as client:
        ben = await client.open("collection", players=2)
        await ben.sit()
        async with at_server(f"{wire.url}/tables/{ben.id}") as pilot, opposite(pilot, ben) as screen:
            wire.down = True
            wire.cut()
            await until(pilot, lambda: "The connection is lost" in shown(screen, "#prompt"))
            assert not moves(screen)
            await ben.chat("Where are you?")
            wire.down = False
            await until(pilot, lambda: bool(moves(screen)))
            assert "Ben: Where are you?" in logged(screen)


async def test_one_who_leaves_finds_their_seat_again_under_the_same_name(url: str, tmp_path: Path) -> None:
    async with at_server(url) as pilot:
        screen = await open_table(pilot, "collection")
        link = screen.model.table.link
        farewell = screen.model.farewell("brocante")
        assert farewell
        assert f"brocante play --at {link}" in language("en").say(farewell)
    assert (tmp_path / "guests.json").stat().st_mode & 0o77 == 0
    async with at_server(link, name=None) as pilot:
        screen = await at_table(pilot)
        assert screen.names[screen.model.seat] == "Ana"
        await pilot.press("escape")
        await on_screen(pilot, ServerMenu)
        assert "you are Ana" in shown_at(pilot, "#here")


async def test_one_gets_up_from_a_table_before_the_deal_or_is_asked_to(url: str) -> None:
    async with Client(url, "Ben") as client:
        ben = await client.open("collection", players=3)
        await ben.sit()
        async with at_server(ben.link) as pilot:
            await on_screen(pilot, Lobby)
            await pilot.press("escape")
            await on_screen(pilot, ServerMenu)
            await until(pilot, lambda: ben.info.seats[1].kind == "empty")
            tables = pilot.app.screen.query_one("#tables", OptionList)
            await until(pilot, lambda: tables.option_count > 1)
            ids = [tables.get_option_at_index(i).id for i in range(tables.option_count)]
            tables.highlighted = ids.index(ben.id)
            await pilot.press("enter")
            await on_screen(pilot, Lobby)
            await ben.do(c.Remove(1))
            await on_screen(pilot, ServerMenu)


async def test_whoever_writes_when_shown_out_is_back_at_the_tables_too(url: str) -> None:
    async with Client(url, "Ben") as client:
        ben = await client.open("collection", players=3)
        await ben.sit()
        async with at_server(ben.link) as pilot:
            await on_screen(pilot, Lobby)
            await pilot.press("slash")
            await until(pilot, lambda: isinstance(pilot.app.screen, ChatInput))
            await ben.do(c.Remove(1))
            await on_screen(pilot, ServerMenu)


async def test_whoever_reads_the_rules_at_the_deal_sits_at_the_table_and_no_lobby_is_left(url: str) -> None:
    async with Client(url, "Ben") as client:
        ben = await client.open("collection", players=2)
        await ben.sit()
        async with at_server(ben.link) as pilot:
            await on_screen(pilot, Lobby)
            await pilot.press("question_mark")
            await until(pilot, lambda: isinstance(pilot.app.screen, RulesPage))
            await ben.start()
            await at_table(pilot)
            assert not any(isinstance(screen, Lobby) for screen in pilot.app.screen_stack)


async def test_one_who_would_get_up_while_something_is_asked_can_do_so_afterwards(url: str) -> None:
    async with wire_to(url) as wire, Client(url, "Ben") as client:
        ben = await client.open("collection", players=3)
        await ben.sit()
        async with at_server(f"{wire.url}/tables/{ben.id}") as pilot:
            await on_screen(pilot, Lobby)
            lobby = pilot.app.screen
            assert isinstance(lobby, Lobby)
            wire.mute = True
            await pilot.press("slash", *"Hi", "enter")
            await until(pilot, lambda: lobby._busy)
            await pilot.press("escape")
            wire.cut()
            await until(pilot, lambda: not lobby._busy and "Ana: Hi" in shown_at(pilot, "#told"))
            await pilot.press("escape")
            await on_screen(pilot, ServerMenu)
            assert not any("no seat" in note.message for note in pilot.app._notifications)


async def test_the_next_game_may_be_played_by_more_people(url: str) -> None:
    async with Client(url, "Ben") as client:
        ben = await client.open("collection", players=2)
        await ben.sit()
        async with at_server(ben.link) as pilot:
            async with opposite(pilot, ben) as screen:
                await screen.model.table.do(c.Resign())
                await until(pilot, lambda: "won by Ben" in shown(screen, "#prompt"))
            await ben.do(c.Change({"players": 3}))
            await ben.again()
            await until(pilot, lambda: "Another game: Ben." in shown(screen, "#prompt"))
            await pilot.press("n")
            await until(pilot, lambda: not screen.model.is_over and bool(screen.query("#seat-2")))


async def test_a_server_that_is_not_there_ends_it_with_a_sentence() -> None:
    app = Terminal("en", first=ServerMenu("http://127.0.0.1:9", "Ana"))
    async with app.run_test(size=SIZES["wide"]) as pilot:
        await until(pilot, lambda: app.return_code is not None)
    assert app.return_code == 1


async def test_only_a_token_that_is_refused_makes_one_a_new_guest(url: str) -> None:
    async def stumble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        says = b'{"code": "storage", "says": "Later."}'
        writer.write(b"HTTP/1.1 503 Busy\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%b" % (len(says), says))
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(stumble, "127.0.0.1", 0) as server:
        busy = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        save_login(busy, "Ana", "mine")
        with pytest.raises(ServerRefused, match="Later"):
            await log_in(busy, "Ana", "en")
        assert saved_login(busy, "Ana") == ("Ana", "mine")
    save_login(url, "Ana", "too old")
    async with await log_in(url, "Ana", "en") as client:
        assert saved_login(url, "Ana") == ("Ana", client.token) != ("Ana", "too old")


async def test_a_link_to_no_table_leads_to_those_that_there_are(url: str) -> None:
    async with at_server(f"{url}/tables/nothing") as pilot:
        await until(pilot, lambda: any("no such table" in note.message for note in pilot.app._notifications))
        assert isinstance(pilot.app.screen, ServerMenu)


async def test_a_list_of_tables_that_arrives_while_one_leaves_is_not_shown(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answered = asyncio.Event(), asyncio.Event()

    async def tables(client: Client) -> list[Listed]:
        asked.set()
        await answered.wait()
        return []

    monkeypatch.setattr(Client, "tables", tables)
    monkeypatch.setattr(KeyBar, "on_unmount", lambda _: answered.set(), raising=False)  # goes before its screen
    async with at_server(url):
        await asked.wait()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--at", "http://example.org", "collection"], "leave out collection, or --at"),
        (["--at", "the living room"], "the living room is neither the address of a server"),
    ],
    ids=["and a game", "no address"],
)
def test_what_cannot_be_an_address_is_refused_in_words(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["play", *words])
    assert stopped.value.code == 2
    assert said in capsys.readouterr().err


async def test_what_the_operator_announces_and_closes_is_read_at_the_table(tmp_path: Path) -> None:
    with served(tmp_path) as url:
        async with (
            at_server(url, size=SIZES["standard"]) as pilot,
            Operator.at(str(tmp_path / "tables.db")) as operator,
        ):
            screen = await open_table(pilot, "collection", players=2)
            await operator.announce("We are back at noon.", None)
            await until(pilot, lambda: any("back at noon" in note.message for note in pilot.app._notifications))
            await operator.close(screen.model.table.id)
            await until(pilot, lambda: screen.model.is_over)
            assert "closed the game" in str(screen.model.waiting)
