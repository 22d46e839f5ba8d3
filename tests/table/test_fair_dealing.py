"""Nobody chooses the deal, and everybody can check it."""

import json
from typing import Any

import msgspec

import brocante
from brocante.engine.game import Game
from brocante.engine.replay import Replay
from brocante.table import audience
from brocante.table import commands as c
from brocante.table.fair import commitment, deal_seed
from tests.table.tables import PEOPLE, Sitting, shown, viewers

ANA, BEN, CLEO = PEOPLE[:3]


def dealt(*nonces: str) -> bytes:
    """What is dealt with these nonces."""
    sitting = Sitting(people=3)
    for who, nonce in zip(PEOPLE, nonces, strict=False):
        sitting.do(c.Contribute(nonce), who)
    game = sitting.start().table.game
    assert game
    return bytes(game.state.tobytes())


def header_of(record: bytes) -> dict[str, Any]:
    header: dict[str, Any] = json.loads(record.splitlines()[0])
    return header


def test_the_seed_is_fixed_before_anyone_gives_their_share() -> None:
    sitting = Sitting(people=2)
    promised = audience.info(sitting.table).commitment
    sitting.do(c.Contribute("one"), ANA)
    sitting.do(c.Contribute("two"), ANA)
    sitting.do(c.Sit("Cleo", nonce="three"), CLEO)
    assert [seat.nonce for seat in audience.info(sitting.table).seats] == ["two", "", "three"]
    sitting.start()
    assert audience.info(sitting.table).commitment == promised
    sitting.play_to_the_end()
    fair = header_of(sitting.table.record())["fair"]
    assert fair == {"commitment": promised, "seed": "secret 0", "nonces": ["two", "", "three"]}
    assert commitment(fair["seed"]) == promised


def test_everyones_share_counts() -> None:
    assert dealt("a", "b", "c") == dealt("a", "b", "c")
    assert len({dealt("a", "b", "c"), dealt("a", "b", "d"), dealt("x", "b", "c"), dealt("ab", "", "c"), dealt()}) == 5


def test_the_seed_is_told_to_nobody_before_the_game_is_over() -> None:
    sitting = Sitting("vinto", people=4).start()
    game = sitting.table.game
    assert game
    assert game.seed
    for _ in range(30):
        sitting.go_on()
    for viewer in viewers(sitting.table):
        sent = b"".join([msgspec.json.encode(sitting.told(viewer)), *shown(sitting.table, viewer, sitting.now)])
        assert b"secret" not in sent
        assert game.seed.encode() not in sent


def test_the_record_alone_proves_the_deal() -> None:
    sitting = Sitting("vinto", people=4).start().play_to_the_end()
    record = sitting.table.record()
    header = header_of(record)
    assert header["seed"] == deal_seed(header["fair"]["seed"], header["fair"]["nonces"])
    assert header["seats"] == ["Ana", "Ben", "Cleo", "Dora"]
    reading = Replay(brocante.box)
    for line in record.splitlines(keepends=True):
        reading.feed(line)
    assert reading.finished
    again = Game(brocante.box("vinto"), header["options"], header["seed"])
    for line in record.splitlines()[1:]:
        told = json.loads(line)
        if "seat" in told:
            again.play(told)
    assert again == reading.game


def test_the_record_does_not_tell_the_seed_of_the_next_game() -> None:
    sitting = Sitting(people=3).start().play_to_the_end()
    record, promised = sitting.table.record(), audience.info(sitting.table).commitment
    assert header_of(record)["fair"]["seed"] == "secret 0"
    assert promised == commitment("secret 1")
    assert sitting.table.seed.encode() not in record
    for who in (ANA, BEN, CLEO):
        sitting.do(c.Again("mine"), who)
    assert audience.info(sitting.table).commitment == promised
    assert sitting.table.record() == record, "until the next game is over"
    sitting.play_to_the_end()
    assert header_of(sitting.table.record())["fair"] == {
        "commitment": promised,
        "seed": "secret 1",
        "nonces": ["mine", "mine", "mine"],
    }


def test_a_share_is_for_one_game_only() -> None:
    sitting = Sitting(people=3)
    sitting.do(c.Contribute("mine"), ANA)
    sitting.start().play_to_the_end()
    assert [seat.nonce for seat in audience.info(sitting.table).seats] == ["", "", ""]
    sitting.do(c.Contribute("another"), ANA)
    assert audience.info(sitting.table).seats[0].nonce == "another"


def test_one_who_is_sent_away_leaves_their_share_in_the_record() -> None:
    sitting = Sitting(people=3)
    sitting.do(c.Contribute("mine"), BEN)
    sitting.start()
    sitting.do(c.Remove(1), ANA)
    sitting.play_to_the_end()
    header = header_of(sitting.table.record())
    assert header["fair"]["nonces"] == ["", "mine", ""]
    assert header["seed"] == deal_seed("secret 0", ["", "mine", ""])
