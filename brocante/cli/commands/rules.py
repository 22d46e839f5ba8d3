"""`brocante rules GAME`: the rules page of a game."""

from typing import Annotated, Any

import typer

import brocante
from brocante.cli.language import LANGUAGE, Lang
from brocante.cli.making import make_command


def command(name: str) -> Any:
    return make_command(name, "cli.rules", print_rules)


def print_rules(game: Annotated[str, typer.Argument(help="cli.argument.game")], lang: Lang = None) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    page = brocante.box(game).rules_page(LANGUAGE.get())
    console = Console()
    console.print(Markdown(page), width=min(console.width, 100)) if console.is_terminal else typer.echo(page)
