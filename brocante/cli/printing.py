"""How commands print their results: tables for people, JSON for programs."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from brocante.cli.language import say

if TYPE_CHECKING:
    from rich.text import Text

Json = Annotated[bool, typer.Option("--json", help="cli.option.json")]


def print_table(columns: Iterable[str], rows: Iterable[Iterable["str | Text"]], *, numbers: Iterable[str] = ()) -> None:
    """Columns by their names in the catalogues, numbers to the right."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column and say(f"cli.column.{column}"), justify="right" if column in numbers else "left")
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else Text(cell) for cell in row))  # as it is: no markup
    Console().print(table)


def print_json(data: Any) -> None:
    typer.echo(json.dumps(data, ensure_ascii=False, indent=2))
