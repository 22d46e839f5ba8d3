"""`brocante check DATABASE`: goes over everything that a server keeps."""

from functools import partial
from typing import Annotated, Any

import typer

from brocante.cli.errors import WRONG_RECORD
from brocante.cli.language import Lang, amounts, in_words, say
from brocante.cli.making import make_command
from brocante.cli.printing import Json, print_json
from brocante.extras import needs


def command(name: str) -> Any:
    return make_command(name, "cli.check.help", check_database)


def check_database(
    database: Annotated[
        str, typer.Argument(metavar="[DATABASE]", envvar="BROCANTE_DATABASE", help="cli.argument.database")
    ] = "",
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    from brocante.cli.progress import progress_bars

    with needs("server"):
        from brocante.server.checking import check
        from brocante.server.config import configured
        from brocante.server.storage import database_at

    there = database_at(configured({"database": database}).database)
    with progress_bars(quiet=False) as bars:
        findings = check(there, partial(bars.stand, say("cli.progress.check")))
    figures = {"tables": findings.tables, "entries": findings.entries, "games": findings.games}
    problems = findings.problems
    if as_json:
        rows = [
            {"table": each.table, "entry": each.entry, "games": each.games, "problem": in_words(each.says)}
            for each in problems
        ]
        print_json({"database": there.name, **figures, "problems": rows})
    else:
        for each in problems:
            typer.echo(in_words(each.says))
        outcome = "damaged" if problems else "whole"
        typer.echo(say(f"cli.check.{outcome}", database=there.name, n=len(problems), **amounts(**figures)))
    if problems:
        raise typer.Exit(WRONG_RECORD)
