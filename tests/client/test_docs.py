"""The page on the API names everything that there is, and its bot plays."""

import re
from pathlib import Path
from typing import get_args

import pytest

from brocante.server.http_errors import FORBIDDEN
from brocante.server.routes import ROUTES
from brocante.table.commands import PlayerCommand
from brocante.table.facts import AnyFact, CaughtUp, Recorded, Stalled
from brocante.table.handlers import HANDLERS
from brocante.wire.socket_codec import Message

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")


async def test_the_bot_of_the_page_plays_a_game_to_its_end(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    (source,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(source.splitlines()) <= 31
    bot: dict[str, object] = {"__name__": "bot"}
    exec(source, bot)
    await bot["main"](url)  # type: ignore[operator]
    told = capsys.readouterr().out
    assert told.startswith("won by ")
    assert '"result"' in told


def test_every_endpoint_is_named() -> None:
    for endpoint in ROUTES:
        assert f"| `{endpoint.method} {endpoint.path}` |" in PAGE


def test_every_message_is_explained() -> None:
    for message in Message.__subclasses__():
        assert f"\n**{message.__struct_config__.tag}**:" in PAGE


def test_every_command_is_named_and_no_other() -> None:
    table = PAGE.partition("| command | |")[2].partition("\n\n")[0]
    named = {
        name for first in re.findall(r"^\| (.*?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", first)
    }
    commands = {kind.kind(): kind for kind in HANDLERS if kind in PlayerCommand.__args__}
    arguments = {name for kind in commands.values() for name in kind.__struct_fields__}
    assert named - arguments - set(commands) == set()
    assert set(commands) <= named
    assert arguments <= named


def test_every_kind_of_event_stands_in_its_category() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| ((?:`\w+` ?)+) \|", PAGE.partition("| category |")[2].partition("\n\n")[0], re.MULTILINE
    )
    listed = {(category, kind) for category, kinds in rows for kind in re.findall(r"\w+", kinds)}
    told = [fact for fact in get_args(AnyFact) if fact not in (CaughtUp, Stalled, Recorded)]  # of which nobody is told
    assert listed == {(fact.category, fact.kind()) for fact in told}


def test_every_refusal_is_listed() -> None:
    from brocante.engine.text import read_catalogue

    catalogue = read_catalogue(Path(__file__).parents[2] / "brocante" / "locale" / "en.toml")
    codes = {key.split(".")[2] for key in catalogue if key.startswith(("server.refused.", "table.refused."))}
    listed = set(re.findall(r"`(\w+)`", PAGE.partition("\n## Refusals")[2].partition("\n## ")[0]))
    assert codes - listed == set()
    assert set(FORBIDDEN) <= listed
