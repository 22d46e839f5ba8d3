"""How commands print their results: tables for people, JSON for programs."""

import json
from typing import Annotated, Any

import typer
from rich.table import Table

Json = Annotated[bool, typer.Option("--json", help="cli.option.json")]


def plain_table() -> Table:
    return Table(box=None, pad_edge=False, header_style="bold")


def print_json(data: Any) -> None:
    typer.echo(json.dumps(data, ensure_ascii=False, indent=2))
