"""`brocante deck GAME`, `brocante board GAME`: a file to start from for players who bring their own."""

import io
import sys
from typing import Annotated, Any

import typer

import brocante
from brocante.cli.language import Lang
from brocante.cli.making import make_command
from brocante.engine.errors import UsageError
from brocante.engine.player_files import Brought
from brocante.engine.text import Text


def command(name: str) -> Any:
    def print_template(game: Annotated[str, typer.Argument(help="cli.argument.game")], lang: Lang = None) -> None:
        kind = kind_to_bring(game, name)
        if kind is None:
            bringing = tuple(slug for slug in brocante.GAMES if kind_to_bring(slug, name))
            raise UsageError(Text("error.nothing_to_bring", game=game, what=name, games=bringing))
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")  # which such a file is on every system
        typer.echo(kind.template(), nl=False)

    return make_command(name, f"cli.{name}", print_template)


def kind_to_bring(game: str, name: str) -> type[Brought] | None:
    """What players may bring to a game under this name."""
    return next((option.bring for option in brocante.box(game).options if option.name == name), None)
