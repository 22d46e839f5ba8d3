"""Commands with a game after them, such as `brocante play port`: the game's options are flags of the same name."""

import inspect
from collections.abc import Callable
from typing import Any, cast

from typer.core import TyperGroup

import brocante
from brocante.cli.making import flag, make_command, own_flags, with_flags
from brocante.engine.box import Box
from brocante.engine.options import Option


def game_group(function: Callable[..., None]) -> type[TyperGroup]:
    """A group with one command a game, made when it is needed, that calls `function(box, options, …)`. An unknown game
    is answered with a list of the known ones."""

    class GameGroup(TyperGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            return list(brocante.GAMES)

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            return for_game(brocante.box(cmd_name), function)

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            if args and not args[0].startswith("-"):
                brocante.box(args[0])
            return super().resolve_command(ctx, args)

    return GameGroup


def for_game(box: Box, function: Callable[..., None]) -> Any:
    def run(**given: Any) -> None:
        options = {option.name: given.pop(option.name) for option in box.options}
        function(box, box.load(options), **given)

    flags = [option_flag(box, option) for option in box.options]
    return make_command(box.slug, f"{box.slug}.blurb", with_flags(run, [*flags, *own_flags(function)]))


def option_flag(box: Box, option: Option) -> inspect.Parameter:
    """A game's option as a flag. The game checks the value: its error messages are better than Typer's."""
    kind = option.kind if option.default is not None else cast("Any", option.kind | None)
    spelling, metavar = f"--{option.name.replace('_', '-')}", "FILE" if option.bring else None
    words = f"{box.slug}.option.{option.name}.help"
    return flag(option.name, kind, option.default, spelling, metavar=metavar, help=words)


def bot_names(bots: str) -> list[str]:
    """
    >>> bot_names("greedy, random")
    ['greedy', 'random']
    """
    return [name.strip() for name in bots.split(",")]
