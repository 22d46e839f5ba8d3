"""`brocante restore FILE`: puts what a backup holds in the place of a database."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from brocante.cli.commands.admin import at_work
from brocante.cli.language import Lang, amounts, say
from brocante.cli.making import make_command
from brocante.extras import needs


def command(name: str) -> Any:
    return make_command(name, "cli.restore.help", restore_database)


def restore_database(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="cli.restore.file")],
    database: Annotated[str, typer.Option(envvar="BROCANTE_DATABASE", help="cli.serve.database")] = "",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="cli.restore.overwrite")] = False,
    lang: Lang = None,
) -> None:
    from brocante.cli.progress import progress_bars

    with needs("server"):
        from brocante.server import acts
        from brocante.server.backup import put_back
        from brocante.server.config import configured
        from brocante.server.storage import database_at

    there = database_at(configured({"database": database}).database)
    with progress_bars(quiet=False) as bars:
        found = put_back(file, there, partial(bars.stand, say("cli.progress.restore")), overwrite=overwrite)
    at_work(database, lambda operator: operator.note(acts.Restore(str(file.absolute()))))
    typer.echo(say("cli.restore.done", database=there.name, **amounts(tables=found.tables, entries=found.entries)))
