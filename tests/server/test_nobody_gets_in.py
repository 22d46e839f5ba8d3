"""Nobody acts for another, sees another's private table or comes in with a token that is not theirs; whoever tries is
told so in their language, and the table and all others go on as if nothing had been."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from brocante.server.config import DAY
from brocante.server.http_errors import HttpRefused
from brocante.server.identity import COOKIE, Identities, Identity
from brocante.table import audience
from tests.server.asking import SITE, House, Person, check_refusal, check_refused, house


@pytest.fixture
async def open_house(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path) as found:
        yield found


class Playing:
    """A game of Collection under way between Ana, who is the host, Ben and Cleo; Eve has no business there."""

    def __init__(self, house: House, table: str, people: list[Person], eve: Person) -> None:
        self.house, self.table, self.eve = house, table, eve
        self.ana, self.ben, self.cleo = people

    @property
    def actor(self) -> Person:
        game = self.house.room(self.table).table.game
        assert game
        return (self.ana, self.ben, self.cleo)[game.actor]

    @property
    def other(self) -> Person:
        """One whose turn it is not."""
        return next(person for person in (self.ana, self.ben, self.cleo) if person != self.actor)

    def legal(self) -> dict[str, Any]:
        table = self.house.room(self.table).table
        assert table.game
        legal = audience.legal(table, table.game.actor)
        assert legal
        return legal[0]

    async def post(self, by: Person | None, command: Any, **more: Any) -> Any:
        return await self.house.ask("POST", f"/api/tables/{self.table}/do", by, json=command, **more)


@pytest.fixture
async def playing(open_house: House) -> Playing:
    table, people = await open_house.game()
    return Playing(open_house, table, people, await open_house.guest("Eve"))


# --- seats and rights -------------------------------------------------------------------------------------------------


async def test_nobody_moves_undoes_or_talks_for_another_seat(playing: Playing) -> None:
    game, move = playing, playing.legal()
    with game.house.unharmed(game.table):
        for command in ({"do": "move", "move": move}, {"do": "undo"}, {"do": "chat", "text": "hi"}, {"do": "resign"}):
            check_refused(await game.post(game.eve, command), 403, "no_seat")
        theirs = {**move, "seat": move["seat"]}
        check_refused(await game.post(game.other, {"do": "move", "move": theirs}), 403, "other_seat")
        check_refused(await game.post(game.other, {"do": "move", "move": {**move, "seat": True}}), 403, "other_seat")
        del theirs["seat"]
        check_refused(await game.post(game.other, {"do": "move", "move": theirs}), 409, "illegal_move")
        check_refused(await game.post(game.other, {"do": "chat", "text": "hi", "seat": 0}), 400, "unreadable")


async def test_an_illegal_attempt_out_of_turn_is_not_told_what_the_actor_could_do(playing: Playing) -> None:
    refused = await playing.post(playing.other, {"do": "move", "move": "place books"})
    assert "legal" not in refused.json()["says"]


@pytest.mark.parametrize(
    "command",
    [{"do": "bot"}, {"do": "remove", "seat": 1}, {"do": "change", "private": True}, {"do": "start", "fill": True}],
    ids=lambda command: command["do"],
)
async def test_only_the_host_arranges_the_table(open_house: House, command: dict[str, Any]) -> None:
    ana, ben, eve = [await open_house.guest(name) for name in ("Ana", "Ben", "Eve")]
    table = await open_house.table(ana)
    await open_house.done("join", table, ben, json={})
    with open_house.unharmed(table):
        for person in (ben, eve):
            for code in ("en", "fr"):
                asked = f"/api/tables/{table}/do?lang={code}"
                check_refused(await open_house.ask("POST", asked, person, json=command), 403, "host_only")


async def test_nobody_else_is_seated_at_a_seat_that_is_taken(open_house: House) -> None:
    ana, eve = await open_house.guest("Ana"), await open_house.guest("Eve")
    table = await open_house.table(ana)
    await open_house.done("join", table, ana, json={"seat": 1})
    with open_house.unharmed(table):
        join = f"/api/tables/{table}/join"
        check_refused(await open_house.ask("POST", join, eve, json={"seat": 1}), 409, "taken")
        check_refused(await open_house.ask("POST", join, eve, json={"seat": 3}), 409, "seat")
        check_refused(await open_house.ask("POST", join, eve, json={"name": "ANA"}), 409, "name_taken")


async def test_strangers_may_watch_and_no_more(open_house: House) -> None:
    ana = await open_house.guest("Ana")
    table = await open_house.table(ana)
    ear = await open_house.ear(table)
    with open_house.unharmed(table):
        for command in ({"do": "sit", "name": "Nobody"}, {"do": "start"}, {"do": "stand"}, {"do": "again"}):
            check_refusal(await ear.ask(command=command), "stranger")
        for what in ("join", "leave", "do"):
            refused = await open_house.ask("POST", f"/api/tables/{table}/{what}", json={"do": "stand"})
            check_refused(refused, 401, "stranger")
        check_refused(await open_house.ask("POST", "/api/tables", json={"game": "vinto"}), 401, "stranger")
        for method in ("GET", "DELETE"):
            check_refused(await open_house.ask(method, "/api/me"), 401, "stranger")


async def test_a_command_that_is_sent_again_is_not_carried_out_again(playing: Playing) -> None:
    game = playing
    actor, table = game.actor, game.house.room(game.table).table
    assert table.game
    move = {key: value for key, value in game.legal().items() if key != "seat"}
    command = {"do": "move", "move": move, "step": len(table.game.steps)}
    assert (await game.post(actor, command)).status_code == 200
    with game.house.unharmed(game.table):
        check_refused(await game.post(actor, command), 409, "stale")


# --- private tables ---------------------------------------------------------------------------------------------------


async def test_a_private_table_is_not_listed_and_a_guessed_one_is_like_none(open_house: House) -> None:
    ana, eve = await open_house.guest("Ana"), await open_house.guest("Eve")
    private, public = await open_house.table(ana, private=True), await open_house.table(ana)
    for query in ("", "?phase=open"):
        listed = (await open_house.ask("GET", f"/api/tables{query}", eve)).json()
        assert [table["id"] for table in listed] == [public]
    guesses = [private[:-1] + ("A" if private[-1] != "A" else "B"), private.swapcase(), private[:8], "x" * 16, "%00"]
    for path in ("", "/view", "/log", "/record"):
        answers = [await open_house.ask("GET", f"/api/tables/{guess}{path}", eve) for guess in guesses]
        for answer in answers:
            check_refused(answer, 404, "no_table")
        assert len({(answer.content, repr(answer.headers)) for answer in answers}) == 1


async def test_a_private_table_answers_no_differently_in_memory_and_on_disk(open_house: House) -> None:
    ana = await open_house.guest("Ana")
    table = await open_house.table(ana, private=True)
    asked = f"/api/tables/{table}"
    first = await open_house.ask("GET", asked)
    open_house.server.rooms.forget(open_house.room(table))
    assert (await open_house.ask("GET", asked)).content == first.content


# --- tokens -----------------------------------------------------------------------------------------------------------


async def is_refused_everywhere(house: House, table: str, token: str) -> bool:
    """Whether a token opens nothing, in no way that it could be sent: in a header it is refused, and whoever has it in
    a cookie, which a browser cannot leave out, is a stranger."""
    bearer = {"authorization": f"Bearer {token}"}
    cookie = {"cookie": f"{COOKIE}={token}", "origin": SITE}
    for headers, code in ((bearer, "token"), (cookie, "stranger")):
        check_refused(await house.ask("GET", "/api/me", headers=headers), 401, code)
        check_refused(await house.ask("POST", f"/api/tables/{table}/leave", headers=headers), 401, code)
    view = f"/api/tables/{table}/view"
    check_refused(await house.ask("GET", view, headers=bearer), 401, "token")
    assert (await house.ask("GET", view, headers=cookie)).content == (await house.ask("GET", view)).content
    ear = await house.ear(table, headers=bearer)
    assert (ear.status, ear.is_open) == (401, False)
    check_refusal(msgspec.json.decode(ear.heard[0]), "token")
    ear = await house.ear(table, headers=cookie)
    assert msgspec.json.decode(ear.heard[0])["stream"] == "watching"
    await ear.hang_up()
    return True


async def test_forged_and_damaged_tokens_open_nothing(playing: Playing) -> None:
    game, token = playing, playing.ana.token
    payload, _, rest = token.partition(".")
    forged = [
        token[:-2] + ("A" if token[-2] != "A" else "B") + token[-1],
        payload,
        f"{payload}.{rest[::-1]}",
        f"{playing.eve.token.partition('.')[0]}.{rest}",
        token + "x",
        "x" * 5000,
        "é",
        ".",
        "..",
        "null",
        Identities(b"another key", 1, lambda: 0.0).token(Identity(playing.ana.id, "Ana")),
    ]
    with game.house.unharmed(game.table):
        for token in forged:
            assert await is_refused_everywhere(game.house, game.table, token), token


async def test_a_token_is_written_in_one_way_only(playing: Playing) -> None:
    """Base64 has unused bits, and whoever reads it skips what is none of its letters: the same bytes, another token."""
    game, token = playing, playing.ana.token
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    last = alphabet.index(token[-1])
    ends = [token[:-1] + alphabet[other] for other in range(last ^ last % 4, (last ^ last % 4) + 4) if other != last]
    assert len(ends) == 3
    within = [token[:-5] + more + token[-5:] for more in ("!", "=", "+-", "\n", "~", ".")]
    with game.house.unharmed(game.table):
        for other in (*ends, f"{token}=", f"{token}==", f"{token}!", *within):
            with pytest.raises(HttpRefused):
                game.house.server.identities.read(other)
        for other in (*ends, f"{token}=", within[0]):
            assert await is_refused_everywhere(game.house, game.table, other), other
    for bearer in ("bearer", "BEARER"):
        answer = await game.house.ask("GET", "/api/me", headers={"authorization": f"{bearer} {token}"})
        assert answer.status_code == 200, "how the scheme is written does not matter (RFC 9110)"


async def test_what_was_signed_for_something_else_is_no_identity(playing: Playing) -> None:
    identities = playing.house.server.identities
    signings: list[Any] = [None, [], {"id": 1, "name": "Ana"}, {"id": playing.ana.id}, "Ana"]
    for signed in signings:
        token = identities._signer.dumps(signed)
        assert isinstance(token, str)
        assert await is_refused_everywhere(playing.house, playing.table, token)


async def test_old_tokens_open_nothing(playing: Playing) -> None:
    playing.house.time.now += 180 * DAY - 60
    assert (await playing.house.ask("GET", "/api/me", playing.ana)).status_code == 200
    playing.house.time.now += 120
    assert await is_refused_everywhere(playing.house, playing.table, playing.ana.token)


async def test_a_token_opens_nothing_any_more_when_its_owner_was_forgotten(playing: Playing) -> None:
    game = playing
    ear, other = await game.house.ear(game.table, game.ana), await game.house.ear(game.table, game.ben)
    assert (await game.house.ask("DELETE", "/api/me", game.ana)).status_code == 200
    await ear.over()
    assert msgspec.json.decode(ear.heard[-1])["type"] == "bye"
    assert await is_refused_everywhere(game.house, game.table, game.ana.token)
    await other.caught_up()


async def test_a_bad_cookie_does_not_keep_anyone_from_becoming_a_guest(open_house: House) -> None:
    headers = {"cookie": f"{COOKIE}=of-another-time", "origin": SITE}
    answer = await open_house.ask("POST", "/api/guests", headers=headers, json={"name": "Ana"})
    assert answer.status_code == 201
    assert COOKIE in answer.headers["set-cookie"]


# --- other sites ------------------------------------------------------------------------------------------------------

ELSEWHERE = (
    "http://evil.test",
    "https://evil.test",
    "null",
    "",
    "http://brocante.test:8080",
    "http://brocante.test.evil.test",
    "http://evil@brocante.test",
    "http://[",
    "file://",
    "brocante.test",
)


@pytest.mark.parametrize("origin", ELSEWHERE)
async def test_pages_of_other_sites_can_do_nothing(playing: Playing, origin: str) -> None:
    game = playing
    with game.house.unharmed(game.table):
        for proof in ({"cookie": f"{COOKIE}={game.ana.token}"}, game.ana.headers, {}):
            headers = {**proof, "origin": origin}
            for method, path in (("POST", f"/api/tables/{game.table}/leave"), ("DELETE", "/api/me")):
                answer = await game.house.ask(method, path, headers=headers)
                check_refused(answer, 403, "origin")
                assert "access-control-allow-origin" not in answer.headers
            ear = await game.house.ear(game.table, headers=headers)
            assert (ear.status, ear.is_open) == (403, False)
            check_refusal(msgspec.json.decode(ear.heard[0]), "origin")
        guest = await game.house.ask("POST", "/api/guests", headers={"origin": origin}, json={"name": "Eve"})
        check_refused(guest, 403, "origin")


async def test_a_cookie_counts_only_from_a_page_that_says_which(playing: Playing) -> None:
    game, cookie = playing, {"cookie": f"{COOKIE}={playing.ana.token}"}
    with game.house.unharmed(game.table):
        answer = await game.house.ask("POST", f"/api/tables/{game.table}/leave", headers=cookie)
        check_refused(answer, 403, "no_origin")
        ear = await game.house.ear(game.table, headers=cookie)
        assert (ear.status, ear.is_open) == (403, False)
    own = await game.house.ear(game.table, headers={**cookie, "origin": SITE})
    assert msgspec.json.decode(own.heard[0])["you"]["seat"] == 0


async def test_no_host_is_the_host_of_no_page(open_house: House) -> None:
    for host in ("", " "):
        headers = {"host": host, "origin": "null"}
        answer = await open_house.ask("POST", "/api/guests", headers=headers, json={"name": "Eve"})
        check_refused(answer, 403, "origin")


async def test_pages_of_sites_that_the_operator_names_may_speak_to_the_server(tmp_path: Path) -> None:
    async with house(tmp_path, origins="https://club.test, https://other.test:8443/") as found:
        ana = await found.guest("Ana")
        table = await found.table(ana)
        for origin in ("https://club.test", "https://other.test:8443"):
            headers = {"origin": origin, **ana.headers}
            answer = await found.ask("POST", f"/api/tables/{table}/join", headers=headers, json={})
            assert answer.status_code == 200
            assert answer.headers["access-control-allow-origin"] == origin
            assert (await found.ear(table, headers=headers)).is_open
            asking = {"origin": origin, "access-control-request-method": "POST"}
            asking |= {"access-control-request-headers": "authorization,content-type"}
            assert (await found.ask("OPTIONS", f"/api/tables/{table}/do", headers=asking)).status_code == 200
        for origin in ("http://club.test", "https://club.test:444", "https://other.test"):
            answer = await found.ask("POST", f"/api/tables/{table}/leave", ana, {"origin": origin})
            check_refused(answer, 403, "origin")
            assert "access-control-allow-origin" not in answer.headers


# --- what cannot be read ----------------------------------------------------------------------------------------------

UNREADABLE = {
    "nothing": "",
    "half an object": '{"id": 1',
    "no object": "[1, 2]",
    "a number": "1e999",
    "no id": '{"command": {"do": "undo"}}',
    "an id that is no number": '{"id": "1", "command": {"do": "undo"}}',
    "a negative id": '{"id": -1, "command": {"do": "undo"}}',
    "a huge id": '{"id": %s, "command": {"do": "undo"}}' % ("9" * 400),
    "no command of people": '{"id": 1, "command": {"do": "tick"}}',
    "one of the server": '{"id": 1, "command": {"do": "lost", "seat": 1}}',
    "a fact": '{"id": 1, "command": {"do": "moved", "seat": 0, "move": {}}}',
    "more than is asked for": '{"id": 1, "command": {"do": "undo", "seat": 0}}',
    "more than a request": '{"id": 1, "command": {"do": "undo"}, "who": "ana"}',
    "a wrong type": '{"id": 1, "command": {"do": "chat", "text": 5}}',
    "a long text": '{"id": 1, "command": {"do": "chat", "text": "%s"}}' % ("x" * 3000),
    "a step that is no number": '{"id": 1, "command": {"do": "move", "move": "end", "step": "1"}}',
    "deep nesting": '{"id": 1, "command": {"do": "move", "move": ' + '{"a":' * 3000 + "}" * 3002,
    "deep lists": "[" * 8000,
    "half a surrogate": '{"id": 1, "command": {"do": "chat", "text": "\\ud800"}}',
    "a raw surrogate": '{"id": 1, "command": {"do": "chat", "text": "\ud800"}}',
    "too many choices": '{"id": 1, "look": {"begun": [' + "1, " * 40 + "1]}}",
}
ODD = {
    "two things": ('{"id": 1, "command": {"do": "undo"}, "look": {"begun": []}}', "one_thing"),
    "nothing at all": ('{"id": 1}', "one_thing"),
    "a huge step": ('{"id": 1, "command": {"do": "move", "move": "end", "step": %s}}' % ("9" * 4000), None),
    "huge numbers": (
        '{"id": 1, "command": {"do": "move", "move": {"move": "place", "kind": %s}}}' % ("9" * 4000),
        None,
    ),
    "a number without end": ('{"id": 1, "command": {"do": "move", "move": {"move": 1e400}}}', None),
    "NUL": ('{"id": 1, "command": {"do": "move", "move": "\\u0000"}}', "illegal_move"),
    "no move": ('{"id": 1, "command": {"do": "move", "move": {"move": null}}}', "illegal_move"),
    "a move of lists": ('{"id": 1, "command": {"do": "move", "move": {"move": [[]], "kind": {}}}}', "illegal_move"),
    "a look at nothing": ('{"id": 1, "look": {"begun": [9007199254740991]}}', "illegal_move"),
    "silence": ('{"id": 1, "command": {"do": "chat", "text": " \\u0000 \\u202e"}}', "silence"),
    "a seat that is none": ('{"id": 1, "command": {"do": "remove", "seat": 15}}', "seat"),
}


@pytest.mark.parametrize("code", ["en", "fr"])
async def test_what_cannot_be_read_is_refused_in_words_and_nobody_is_disturbed(playing: Playing, code: str) -> None:
    game = playing
    ear, ben = await game.house.ear(game.table, game.ana, lang=code), await game.house.ear(game.table, game.ben)
    beginning = {"en": "This cannot be read", "fr": "Ceci est illisible"}[code]
    with game.house.unharmed(game.table):
        for text in UNREADABLE.values():
            ear.say(text)
            refused = await ear.until(lambda _: True)
            check_refusal(refused, "unreadable")
            assert refused["says"].startswith(beginning)
            assert len(refused["says"]) < 300
        for text, why in ODD.values():
            ear.say(text)
            refused = await ear.until(lambda _: True)
            check_refusal(refused, why or refused["code"])
            assert refused["code"] != "failed"
        ear.say_bytes(b'{"id": 1, "command": {"do": "undo"}}')
        check_refusal(await ear.until(lambda _: True), "binary")
        assert (await ear.ask(look={"begun": []}))["type"] == "seen"
        assert len(await ben.caught_up()) == 2, "Ben was told nothing of it"


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
async def test_bodies_that_cannot_be_read_are_refused_in_words(open_house: House, text: str) -> None:
    ana = await open_house.guest("Ana")
    table = await open_house.table(ana)
    with open_house.unharmed(table):
        for path in ("/api/guests", "/api/tables", f"/api/tables/{table}/join", f"/api/tables/{table}/do"):
            content = text.encode("utf-8", "surrogatepass")
            check_refused(await open_house.ask("POST", path, ana, content=content), 400, "unreadable")


async def test_options_that_cannot_be_are_refused_and_no_file_is_read(open_house: House, tmp_path: Path) -> None:
    ana = await open_house.guest("Ana")
    secret = tmp_path / "secret.toml"
    secret.write_text("not for you")
    for game, options in (
        ("nothing", {}),
        ("antiques", {"players": 99}),
        ("antiques", {"players": "3"}),
        ("antiques", {"players": 10**30}),
        ("antiques", {"players": None}),
        ("antiques", {"unknown": 1}),
        ("antiques", {"deck": str(secret)}),
        ("antiques", {"deck": {"cards": []}}),
        ("antiques", {"deck": [[[]]]}),
        ("port", {"board": str(secret)}),
        ("port", {"board": "/etc/passwd"}),
        ("../etc", {}),
    ):
        answer = await open_house.ask("POST", "/api/tables", ana, json={"game": game, "options": options})
        check_refused(answer, 400, "usage")
        assert "not for you" not in answer.text
    assert (await open_house.ask("GET", "/api/tables")).json() == []
