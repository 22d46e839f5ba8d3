"""The client of a game server: whole games, refusals, fair dealing."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from brocante.client import Client, Garbled, Lost, ServerAway, ServerRefused, TableClient
from brocante.client.errors import HungUp
from brocante.client.table import Update
from brocante.engine.errors import UsageError
from brocante.table import Clock
from brocante.table.fair import Unfair
from brocante.wire.socket_codec import News, NotDone, Welcome
from tests.server.serving import served


async def begun(client: Client, game: str = "collection", **options: Any) -> TableClient:
    """A game against bots that has begun."""
    table = await client.open(game, **options)
    await table.sit()
    await table.start(fill=True)
    return table


async def played(table: TableClient) -> int:
    """Play to the end; how many moves one has made."""
    moves = 0
    async for turn in table.turns():
        assert await turn.play(turn.legal[-1])
        moves += 1
    return moves


async def test_a_bot_plays_one_game_after_another_and_sees_that_all_were_dealt_fairly(url: str) -> None:
    async with Client(url, "Ana") as client:
        table = await begun(client, players=2)
        assert await played(table) > 3
        assert table.info.phase == "over"
        await table.again()
        await played(table)
        assert table.info.games == 2
        for game in (1, 2):
            assert (await table.verify(game)).finished
            assert table.commitments[game] in await table.record(game)
            assert table.nonces[game] in await table.record(game)


async def test_two_guests_meet_by_a_link_and_talk(url: str) -> None:
    async with Client(url, "Ana") as ana, Client(url, "Ben") as ben:
        hers = await ana.open("collection", players=2, private=True, clock=Clock("move", 60))
        await hers.sit(1)
        his = await ben.sit(hers.link)
        assert (hers.you.seat, his.you.seat) == (1, 0)
        told = hers.follow()
        await his.chat("Hello!")
        assert await anext(said(told)) == "Hello!"
        await hers.start()
        assert await asyncio.gather(played(hers), played(his))
        assert hers.info.winners == his.info.winners


async def said(told: AsyncIterator[Update]) -> AsyncIterator[str]:
    async for message in told:
        if not isinstance(message, Lost):
            for event in message.events or ():
                if event.text:
                    yield event.text


async def test_what_one_sees_can_be_asked_for(url: str) -> None:
    async with Client(url, "Ana") as client:
        table = await begun(client, players=3)
        async for turn in table.turns():
            view = await turn.view()
            assert view["viewer"] == table.you.seat
            assert [offer["move"] for offer in view["offers"]] == turn.legal
            break
    async with Client(url, token=client.token, detail="view") as client:
        table = await client.table(table.id)
        assert table.view == view
        assert table.legal is None


async def test_one_against_bots_need_not_wait_and_can_look_back(url: str) -> None:
    async with Client(url, "Ana", detail="view") as client:
        table = await begun(client, players=3, fading=False)
        assert (table.info.pace, table.info.fading) == ("quick", False)
        await table.set_pace("instant")
        assert table.info.pace == "instant"
        await table.skip()
        await table.react("hello")
        while not table.view or not table.view["offers"]:
            await asyncio.sleep(0.01)
        before = table.undo_state
        await table.play(table.view["offers"][0]["move"])
        assert (before, table.undo_state) == ("", "free")
        frames = await table.recap()
        assert frames
        assert all(frame.said and not frame.view["offers"] for frame in frames)
        await table.undo()
        assert table.info.taken_back[0] == 1


async def test_a_token_goes_on_as_the_same_guest_at_the_same_seat(url: str) -> None:
    async with Client(url, "Ana") as client:
        table = await begun(client)
    with pytest.raises(HungUp):
        await table.chat("Is anybody there?")
    async with Client(url, token=client.token) as same:
        assert same.name == "Ana"
        again = await same.sit(table.link)
        assert again.you.seat == table.you.seat
        assert again.log
        await played(again)
        assert (await again.verify()).finished


async def test_games_and_tables_are_listed(url: str) -> None:
    async with Client(url, "Ana") as client, Client(url) as stranger:
        table = await client.open("vinto")
        hidden = await client.open("vinto", private=True)
        listed = [found.id for found in await stranger.tables()]
        assert table.id in listed
        assert hidden.id not in listed
        assert {game.slug for game in await stranger.games()} >= {"vinto", "collection"}
        watching = await stranger.table(table.id)
        assert watching.info.seats[0].kind == "empty"
        with pytest.raises(ServerRefused) as refused:
            await watching.sit()
        assert refused.value.code == "stranger"


async def test_whoever_finds_no_seat_does_not_go_on_listening(url: str) -> None:
    async with Client(url, "Ana") as ana, Client(url, "Ben") as ben:
        table = await begun(ana, players=2)
        with pytest.raises(ServerRefused):
            await ben.sit(table.link)
        with pytest.raises(ServerRefused):
            await ben.table("no-such-table")
        assert ben._tables == []
        await table.close()
        assert ana._tables == []


async def test_a_refusal_has_a_code_for_programs_and_words_for_people(url: str) -> None:
    async with Client(url, "Ana", lang="fr") as client:
        with pytest.raises(ServerRefused, match="The server says: ") as refused:
            await client.open("chess")
        assert refused.value.code == "usage"
        with pytest.raises(ServerRefused) as refused:
            await client.table("no-such-table")
        assert refused.value.code == "no_table"
        table = await begun(client, players=2)
        async for _ in table.turns():
            with pytest.raises(ServerRefused) as refused:
                await table.play("place pianos")
            assert refused.value.code == "illegal_move"
            assert "Le serveur répond" in refused.value.say("fr")
            break
        with pytest.raises(ServerRefused) as refused:
            await table.start()
        assert refused.value.code == "playing"
    with pytest.raises(ServerRefused):
        async with Client(url, token="forged"):
            pass


async def test_a_move_for_a_table_that_has_moved_on_is_not_made(url: str) -> None:
    async with Client(url, "Ana") as client:
        table = await begun(client, players=2)
        async for turn in table.turns():
            assert await turn.play(turn.legal[0])
            assert not await turn.play(turn.legal[0])
            break


async def test_a_request_that_the_rate_limit_refuses_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[str] = []
    take_refusal = TableClient._take_refusal

    def note(table: TableClient, message: NotDone) -> None:
        refused.append(message.code)
        take_refusal(table, message)

    monkeypatch.setattr(TableClient, "_take_refusal", note)
    with served(tmp_path, rate=20.0, burst=60.0) as url:
        async with Client(url, "Ana") as client:
            table = await client.open("collection")
            await asyncio.gather(*(table.look() for _ in range(100)))
    assert refused
    assert set(refused) == {"rate"}


async def test_an_address_at_which_nobody_answers_is_named() -> None:
    with pytest.raises(ServerAway, match=r"No server answers at http://127\.0\.0\.1:9") as away:
        async with Client("http://127.0.0.1:9", "Ana"):
            pass
    assert "Aucun serveur ne répond" in away.value.say("fr")


async def test_what_is_no_server_of_ours_is_told_apart() -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nHello")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(Garbled, match="not a Brocante server"):
            async with Client(f"http://127.0.0.1:{port}", "Ana"):
                pass


async def test_addresses_and_links_are_told_apart(url: str) -> None:
    with pytest.raises(UsageError, match="is the link of a table"):
        Client(f"{url}/tables/abc")
    with pytest.raises(UsageError, match="neither the address"):
        Client("the living room")
    async with Client(url) as client:
        for link in ("http://example.org/tables/abc", f"{url}/"):
            with pytest.raises(UsageError, match="is not a table of"):
                await client.table(link)


# --- fair dealing ---


async def test_another_commitment_than_the_one_that_was_told_is_noticed(url: str) -> None:
    async with Client(url, "Ana") as client:
        table = await begun(client, players=2)
        await played(table)
        table.commitments[1] = "0" * 64
        with pytest.raises(Unfair, match="You were told 000"):
            await table.verify()


async def test_a_deal_without_ones_own_nonce_is_noticed(url: str) -> None:
    async with Client(url, "Ana") as client:
        table = await begun(client, players=2)
        await played(table)
        table.nonces[1] = "mine"
        with pytest.raises(Unfair, match="Your own nonce"):
            await table.verify()


async def test_one_who_sits_down_twice_has_given_the_second_nonce(url: str) -> None:
    async with Client(url, "Ana") as client:
        table = await client.open("collection", players=2)
        await table.sit()
        await table.sit()
        await table.start(fill=True)
        await played(table)
        assert (await table.verify()).finished


async def test_one_who_got_up_before_the_deal_has_no_share_in_it(url: str) -> None:
    async with Client(url, "Ana") as ana, Client(url, "Ben") as ben:
        table = await ana.open("collection", players=2)
        await table.sit()
        his = await ben.sit(table.link)
        await his.stand()
        assert his.you.seat is None
        await table.start(fill=True)
        await played(table)
        await table.verify()
        assert his.nonces == {}
        assert his.commitments == table.commitments


async def test_a_view_is_kept_up_to_date_from_what_has_changed(url: str) -> None:
    async with Client(url, "Ana", detail="view") as client:
        table = await begun(client, players=3)
        await table.set_pace("instant")
        updates = table.follow()
        for _ in range(12):
            while not table.view or not table.view["offers"]:
                message = await anext(updates)
                assert isinstance(message, Welcome | News)
                assert message.view is not None, "whoever follows is told the whole view"
            seen = await table.look()
            assert table.view == seen
            await table.play(table.view["offers"][-1]["move"])


async def test_a_client_that_cannot_follow_what_has_changed_asks_anew(url: str) -> None:
    async with Client(url, "Ana", detail="view") as client:
        table = await begun(client, players=2)
        await table.set_pace("instant")
        while not table.view or not table.view["offers"]:
            await asyncio.sleep(0.01)
        move = table.view["offers"][0]["move"]
        table.view = None  # it is lost
        await table.play(move)
        async with asyncio.timeout(20):
            while not (table.connected and table.view and table.view == await table.look()):
                await asyncio.sleep(0.01)
