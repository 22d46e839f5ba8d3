"""`brocante replay FILE…`: checks records line by line."""

from pathlib import Path
from typing import Annotated, Any

import typer

import brocante
from brocante.cli.errors import WRONG_RECORD, WRONG_USAGE
from brocante.cli.language import Lang, in_words, say
from brocante.cli.making import make_command
from brocante.cli.printing import Json, print_json
from brocante.engine.errors import RecordError


def command(name: str) -> Any:
    return make_command(name, "cli.replay", check_records)


def check_records(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="cli.argument.files")],
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    findings = [check_record(file) for file in files]
    if as_json:
        print_json(findings)
    else:
        for finding in findings:
            typer.echo(sentence(finding))
    if any(finding["status"] == "wrong" for finding in findings):
        raise typer.Exit(WRONG_RECORD)
    if any(finding["status"] == "unreadable" for finding in findings):
        raise typer.Exit(WRONG_USAGE)


def check_record(file: Path) -> dict[str, Any]:
    """One file is ok, unfinished, wrong or unreadable."""
    finding: dict[str, Any] = {"file": str(file)}
    try:
        reading = brocante.read(file)
    except RecordError as error:
        return {**finding, "status": "wrong", "line": error.line, "problem": in_words(error.problem)}
    except OSError as error:
        return {**finding, "status": "unreadable", "problem": str(error.strerror)}
    moves = sum(step.move is not None for step in reading.game.steps)
    finding |= {"status": "ok" if reading.finished else "unfinished", "game": reading.game.box.slug, "moves": moves}
    if reading.finished:
        finding |= {"seats": reading.names, **reading.game.result_line()}
    return finding


def sentence(finding: dict[str, Any]) -> str:
    blanks = {name: value for name, value in finding.items() if name != "status"}
    if finding["status"] == "ok":
        blanks["winners"] = tuple(finding["seats"][seat] for seat in finding["winners"])
        blanks["scores"] = ", ".join(map(str, finding["scores"]))
    return say(f"cli.replay_status.{finding['status']}", **blanks)
