"""`brocante backup FILE`: copies all that a server keeps into one file, while it runs or while it does not."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from brocante.cli.commands.admin import at_work
from brocante.cli.errors import WRONG_RECORD
from brocante.cli.language import Lang, amounts, in_words, say
from brocante.cli.making import make_command
from brocante.engine.errors import BrocanteError
from brocante.extras import needs

if TYPE_CHECKING:
    from brocante.server.storage.database import Database


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
    is_noted = note(there, database, file)
    for each in found.problems:
        typer.echo(in_words(each.says))
    typer.echo(say("cli.backup.done", file=str(file), **amounts(tables=found.tables, entries=found.entries)))
    if not is_noted:
        typer.echo(say("cli.backup.unnoted", database=there.name))
    if found.problems:
        raise typer.Exit(WRONG_RECORD)


def note(there: "Database", database: str, file: Path) -> bool:
    """Note the backup where it was made, if that can be done: not in what cannot be written to, and not in what an
    older version keeps, which noting would upgrade."""
    from brocante.server import acts
    from brocante.server.operator import is_of_this_version

    try:
        if not is_of_this_version(there):
            return False
        at_work(database, lambda operator: operator.note(acts.Backup(str(file.absolute()))))
    except BrocanteError:
        return False
    return True
