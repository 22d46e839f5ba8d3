"""`brocante bench`: how fast the rules are on this machine."""

from functools import partial
from typing import Annotated, Any

import typer

import brocante
from brocante.cli.language import Lang, figure, say
from brocante.cli.making import make_command
from brocante.cli.printing import Json, print_json, print_table


def command(name: str) -> Any:
    return make_command(name, "cli.bench", run_bench)


def run_bench(
    game: Annotated[str | None, typer.Argument(help="cli.argument.game")] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    from brocante.arena.bench import measure
    from brocante.cli.progress import compiling_label, progress_bars

    boxes = [brocante.box(game)] if game else [brocante.box(slug) for slug in brocante.GAMES]
    with progress_bars(quiet=as_json) as bars:
        found = measure(
            boxes,
            compiling=lambda box, rules, of: bars.stand(compiling_label(box), rules, of),
            measured=partial(bars.stand, say("cli.progress.bench")),
        )
    if as_json:
        print_json(found)
    else:
        print_rates(found)


def print_rates(found: dict[str, Any]) -> None:
    rates = [(name, figure(f"{rate:,}")) for name, rate in found["moves_per_second"].items()]
    ratios = [(name, figure(f"× {ratio:,}")) for name, ratio in found["ratios"].items()]
    print_table(["", "rate"], [*rates, *ratios], numbers=["rate"])
    if not any(name.startswith("openspiel") for name in found["moves_per_second"]):
        typer.echo(say("cli.no_peer"))
