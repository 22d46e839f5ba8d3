"""Errors that a person can mend: one sentence on the error output, never a traceback."""

import sys
from typing import Any, NoReturn

from brocante.cli.language import in_words
from brocante.engine.text import Text

WRONG_RECORD, WRONG_USAGE, INTERRUPTED = 1, 2, 130


def give_up(text: Text | str) -> NoReturn:
    sys.stderr.write(f"brocante: {in_words(text)}\n")
    sys.exit(WRONG_USAGE)


def report_unplayable_games() -> None:
    """What is wrong with games of other packages: they are missing from every list."""
    from brocante.games.installed import installed_games

    for problem in installed_games().problems:
        sys.stderr.write(f"brocante: {in_words(problem.text)}\n")


def usage_problem(error: Any) -> Text | str:
    """Typer's complaint about a command, and what the command takes."""
    problem: Text | str = error.format_message().rstrip(".")
    if getattr(error, "option_name", None):
        unknown = type(error).__name__ == "NoSuchOption"
        problem = Text("error.usage.option" if unknown else "error.usage.value", option=error.option_name)
    context = getattr(error, "ctx", None)
    if context is None:
        return problem
    known = getattr(context.command, "list_commands", None)
    commands = tuple(known(context)) if known else ()
    flags = tuple(param.opts[0] for param in context.command.params if param.opts)
    return Text("error.usage.takes", problem=problem, command=context.command_path, known=commands or flags)
