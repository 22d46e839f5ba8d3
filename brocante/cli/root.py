"""`brocante`: the command that has all others, each imported when it is needed."""

import importlib
import io
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import brocante
from brocante.cli.errors import INTERRUPTED, give_up, usage_problem
from brocante.cli.language import choose_language
from brocante.cli.making import make_group
from brocante.engine.errors import BrocanteError
from brocante.engine.text import Text

#: As the help page lists them. Each is in the module of its name, except these.
COMMANDS = [
    "games",
    "rules",
    "replay",
    "verify",
    "bench",
    "compile",
    "serve",
    "check",
    "backup",
    "restore",
    "admin",
    "deck",
    "board",
    "play",
    "simulate",
]
MODULES = {"deck": "templates", "board": "templates"}


class Commands(TyperGroup):
    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = dict.fromkeys(COMMANDS)  # type: ignore[assignment]  # Typer suggests these for a misspelt one

    def list_commands(self, ctx: Any) -> list[str]:
        return COMMANDS

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        return importlib.import_module(f"brocante.cli.commands.{MODULES.get(cmd_name, cmd_name)}").command(cmd_name)


def print_version(version: Annotated[bool, typer.Option("--version", help="cli.option.version")] = False) -> None:
    if version:
        typer.echo(f"brocante {brocante.__version__}")
        raise typer.Exit


def main(args: list[str] | None = None) -> None:
    """Run a command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks our symbols still gets the words
    choose_language(sys.argv[1:] if args is None else args)
    try:
        root = make_group("brocante", "cli.brocante", Commands, print_version)
        sys.exit(root(args, prog_name="brocante", standalone_mode=False))
    except BrocanteError as error:
        give_up(error.text)
    except OSError as error:
        give_up(Text("error.file", file=error.filename or "-", problem=error.strerror))
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(INTERRUPTED)
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        give_up(usage_problem(error))
