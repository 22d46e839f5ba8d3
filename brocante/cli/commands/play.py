"""`brocante play`: the terminal client, at the shelf, at a game's table or at a server."""

import importlib
from typing import Annotated, Any

import typer

from brocante.cli.errors import report_unplayable_games
from brocante.cli.game_commands import bot_names, game_group
from brocante.cli.language import LANGUAGE, Lang
from brocante.cli.making import make_group
from brocante.engine.box import Box
from brocante.engine.errors import UsageError
from brocante.engine.text import Text
from brocante.extras import needs


def command(name: str) -> Any:
    return make_group(name, "cli.play", game_group(play_game), open_terminal, no_args_is_help=False)


def open_terminal(
    ctx: typer.Context,
    at: Annotated[str | None, typer.Option(metavar="URL", help="cli.option.at")] = None,
    name: Annotated[str | None, typer.Option(help="cli.option.name")] = None,
    lang: Lang = None,
) -> None:
    if at is not None and ctx.invoked_subcommand is not None:
        raise UsageError(Text("client.at_and_game", game=ctx.invoked_subcommand))
    if at is not None:
        terminal_with("server_menu").play_at_server(at, name, LANGUAGE.get())
    elif ctx.invoked_subcommand is None:
        report_unplayable_games()
        terminal_with("app").choose_game(LANGUAGE.get())


def play_game(
    box: Box,
    options: dict[str, Any],
    *,
    bots: Annotated[str | None, typer.Option(metavar="A,B,…", help="cli.option.opponents")] = None,
    seed: Annotated[str | None, typer.Option(help="cli.option.seed")] = None,
    name: Annotated[str | None, typer.Option(help="cli.option.name")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="cli.option.resume")] = False,
    lang: Lang = None,
) -> None:
    opponents = None if bots is None else bot_names(bots)
    play_at_home = terminal_with("app").play_at_home
    play_at_home(box, options, bots=opponents, seed=seed, name=name, resume=resume, code=LANGUAGE.get())


def terminal_with(part: str) -> Any:
    """The terminal client, with the part that is about to be needed: it imports what the extra installs."""
    with needs("terminal"):
        importlib.import_module(f"brocante.terminal.{part}")
        return importlib.import_module("brocante.terminal")
