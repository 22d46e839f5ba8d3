"""`brocante compile`: compiles rules into the cache ahead of time."""

import time
from functools import partial
from typing import Annotated, Any

import typer

import brocante
from brocante.cli.language import Lang, figure, in_words, say
from brocante.cli.making import make_command
from brocante.engine.box import Box


def command(name: str) -> Any:
    return make_command(name, "cli.compile.help", compile_games)


def compile_games(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="cli.compile.games")] = None,
    lang: Lang = None,
) -> None:
    for box in [brocante.box(slug) for slug in games or brocante.GAMES]:
        compile_box(box)


def compile_box(box: Box) -> None:
    from brocante.arena.simulate import loops_of
    from brocante.backends import compiler, disk
    from brocante.cli.progress import compiling_label, progress_bars

    entries = [*box.entry_points, *loops_of(box)]
    if not all(map(compiler().is_kept, entries)):
        disk.check_it_can_be_written()  # before anyone waits
    began = time.perf_counter()
    with progress_bars(quiet=False) as bars:
        rules = compiler().compile(entries, partial(bars.stand, compiling_label(box)))
    if problem := compiler().not_kept:
        raise problem
    title = in_words(box.title)
    done = say("cli.compile.done", title=title, n=rules, seconds=figure(f"{time.perf_counter() - began:.1f}"))
    typer.echo(done if rules else say("cli.compile.there", title=title))
