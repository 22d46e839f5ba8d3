"""`brocante verify RECORD`: checks that a live game was dealt fairly."""

from pathlib import Path
from typing import Annotated, Any

import typer

from brocante.cli.errors import WRONG_RECORD
from brocante.cli.language import LANGUAGE, Lang, say
from brocante.cli.making import make_command
from brocante.cli.printing import Json, print_json
from brocante.engine.errors import BrocanteError, RecordError


def command(name: str) -> Any:
    return make_command(name, "cli.verify", verify_record)


def verify_record(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="cli.argument.record")],
    commitment: Annotated[str | None, typer.Option(help="cli.option.commitment")] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    from brocante.table.fair import taken_back, verify

    finding: dict[str, Any] = {"file": str(file)}
    takers: list[tuple[str, int]] = []
    try:
        reading = verify(file, commitment)
    except BrocanteError as error:
        status = "wrong" if isinstance(error, RecordError) else "unfair"
        finding |= {"status": status, "problem": error.say(LANGUAGE.get())}
    else:
        finding |= {"status": "fair", "game": reading.game.box.slug, "steps": len(reading.game.steps)}
        takers = [(name, n) for name, n in zip(reading.names, taken_back(file), strict=False) if n > 0]
    if as_json:
        print_json({**finding, "taken_back": dict(takers)} if takers else finding)
    else:
        typer.echo(say(f"cli.verified.{finding['status']}", **{k: v for k, v in finding.items() if k != "status"}))
        for player, n in takers:
            typer.echo(say("cli.verified.taken_back", player=player, n=n))
    if finding["status"] != "fair":
        raise typer.Exit(WRONG_RECORD)
