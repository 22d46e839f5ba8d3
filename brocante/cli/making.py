"""Makes commands out of functions.

Help texts are keys of the catalogues in the code, and are put into words when a command is made: by then the language
is known. What a command needs to run is imported when it runs, so that `brocante --help` is quick.
"""

import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from brocante.cli.language import say

SETTINGS: dict[str, Any] = {"add_completion": False, "pretty_exceptions_enable": False}


def make_command(name: str, help_key: str, function: Callable[..., None]) -> Any:
    app = typer.Typer(**SETTINGS)
    app.command(name, help=say(help_key))(function)
    return in_reader_language(typer.main.get_command(app))


def make_group(
    name: str,
    help_key: str,
    kind: type[TyperGroup],
    function: Callable[..., None] | None = None,
    *,
    no_args_is_help: bool = True,
) -> Any:
    """A command that has further commands. The function runs before them, or alone."""
    app = typer.Typer(name=name, cls=kind, help=say(help_key), no_args_is_help=no_args_is_help, **SETTINGS)
    app.callback(invoke_without_command=function is not None)(function or (lambda: None))
    return in_reader_language(typer.main.get_command(app))


def in_reader_language(command: Any) -> Any:
    for param in command.params:
        if param.help:
            param.help = say(param.help)
    return command


def flag(name: str, kind: Any, default: Any, *spellings: str, **declared: Any) -> inspect.Parameter:
    annotation = Annotated[kind, typer.Option(*spellings, **declared)]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def own_flags(function: Callable[..., None]) -> list[inspect.Parameter]:
    return [p for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY]


def with_flags(function: Callable[..., None], flags: list[inspect.Parameter]) -> Callable[..., None]:
    """The function, as one that Typer sees these flags of."""

    def run(**given: Any) -> None:
        function(**given)

    run.__signature__ = inspect.Signature(flags)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in flags}
    return run
