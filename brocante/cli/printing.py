"""How commands print their results: tables for people, JSON for programs."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from brocante.cli.language import say

if TYPE_CHECKING:
    from rich.text import Text

Json = Annotated[bool, typer.Option("--json", help="cli.option.json")]


#: As wide as any table: whoever reads what is no terminal need not fit it into one.
UNLIMITED = 100_000


def print_table(
    columns: Iterable[str],
    rows: Iterable[Iterable["str | Text"]],
    *,
    numbers: Iterable[str] = (),
    ids: Iterable[str] = (),
) -> None:
    """Columns by their names in the catalogues, numbers to the right. However narrow the terminal, ids are whole: they
    are what the next command needs."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    cells = [[cell if isinstance(cell, Text) else Text(cell) for cell in row] for row in rows]  # as it is: no markup
    for number, column in enumerate(columns):
        table.add_column(
            column and say(f"cli.column.{column}"),
            justify="right" if column in numbers else "left",
            min_width=max((longest_word(row[number].plain) for row in cells), default=0) if column in ids else None,
        )
    for row in cells:
        table.add_row(*row)
    console = Console()
    if not console.is_terminal:
        console.width = UNLIMITED
    console.print(table, crop=False)


def longest_word(text: str) -> int:
    return max(map(len, text.split()), default=0)


def print_json(data: Any) -> None:
    typer.echo(json.dumps(data, ensure_ascii=False, indent=2))
