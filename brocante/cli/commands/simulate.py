"""`brocante simulate GAME`: bots play many games, and what comes out is summed up."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from brocante.cli.game_commands import bot_names, game_group
from brocante.cli.language import Lang, figure, in_words, say
from brocante.cli.making import make_group
from brocante.cli.printing import Json, print_json, print_table
from brocante.engine.box import Box

BARS = " ▁▂▃▄▅▆▇█"


def command(name: str) -> Any:
    return make_group(name, "cli.simulate", game_group(run_simulation))


def run_simulation(
    box: Box,
    options: dict[str, Any],
    *,
    games: Annotated[int, typer.Option(metavar="K", help="cli.option.games")] = 1000,
    seed: Annotated[str, typer.Option(metavar="S", help="cli.option.simulate_seed")] = "0",
    bots: Annotated[str, typer.Option(metavar="A,B,…", help="cli.option.bots")] = "random",
    records: Annotated[Path | None, typer.Option(metavar="DIR", help="cli.option.records")] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    from brocante.arena.simulate import check_folder, simulate, write_records
    from brocante.backends import compiler
    from brocante.cli.progress import compiling_label, progress_bars

    if records is not None:
        check_folder(records)
    with progress_bars(quiet=as_json) as bars:
        playing = partial(bars.advance, say("cli.progress.play"), games)
        compiling = partial(bars.stand, compiling_label(box))
        result = simulate(box, options, games, seed=seed, bots=bot_names(bots), progress=playing, compiling=compiling)
        if records is not None:
            write_records(result, records, partial(bars.advance, say("cli.progress.records"), games))
    if problem := compiler().not_kept:
        typer.echo(say("cli.not_kept", problem=problem.strerror), err=True)
    summary = result.summary()
    if as_json:
        print_json(summary)
    else:
        print_summary(box, summary, result.scores)


def print_summary(box: Box, summary: dict[str, Any], scores: Any) -> None:
    typer.echo(say("cli.simulated", n=summary["games"], title=in_words(box.title), seed=summary["seed"]))
    low, high = int(scores.min()), int(scores.max())
    rows = []
    for seat in summary["seats"]:
        number, score = seat["seat"], seat["score"]
        mean = figure(f"{score['mean']:.1f} ± {score['sd']:.1f}")
        span, spread = f"{score['least']}–{score['most']}", histogram(scores[:, number], low, high)
        rows.append([str(number), seat["bot"], figure(f"{seat['wins']:.1%}"), mean, span, spread])
    columns = ["seat", "bot", "wins", "score", "range", "spread"]
    print_table(columns, rows, numbers=["seat", "wins", "score", "range"])
    length = summary["length"]
    shape = say("cli.length", mean=figure(f"{length['mean']:.1f}"), least=length["least"], most=length["most"])
    decisions, seconds = figure(f"{summary['decisions_per_second']:,}"), figure(f"{summary['seconds']}")
    typer.echo(f"{shape}\n{say('cli.speed', decisions=decisions, seconds=seconds)}")


def histogram(values: Any, low: int, high: int, bars: int = 24) -> str:
    """How often each score was made, from the lowest of all seats to the highest, as a row of bars."""
    import numpy as np

    counts, _ = np.histogram(values, bins=bars, range=(low, high + 1))
    return "".join(BARS[int(np.ceil(n / counts.max() * (len(BARS) - 1)))] for n in counts)
