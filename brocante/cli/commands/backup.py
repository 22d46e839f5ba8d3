"""`brocante backup FILE`: copies all that a server keeps into one file, while it runs or while it does not."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from brocante.cli.errors import WRONG_RECORD
from brocante.cli.language import Lang, in_words, say
from brocante.cli.making import make_command
from brocante.extras import needs


def command(name: str) -> Any:
    return make_command(name, "cli.backup.help", back_up_database)


def back_up_database(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="cli.backup.file")],
    database: Annotated[str, typer.Option(envvar="BROCANTE_DATABASE", help="cli.serve.database")] = "",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="cli.backup.overwrite")] = False,
    lang: Lang = None,
) -> None:
    from brocante.cli.progress import progress_bars

    with needs("server"):
        from brocante.server.backup import back_up
        from brocante.server.config import configured
        from brocante.server.storage import database_at

    there = database_at(configured({"database": database}).database)
    with progress_bars(quiet=False) as bars:
        found = back_up(there, file, partial(bars.stand, say("cli.progress.backup")), overwrite=overwrite)
    for each in found.problems:
        typer.echo(in_words(each.says))
    typer.echo(say("cli.backup.done", file=str(file), tables=found.tables, entries=found.entries))
    if found.problems:
        raise typer.Exit(WRONG_RECORD)
