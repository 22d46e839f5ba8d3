"""The command line: `brocante games`, `rules`, `play`, `serve`, `simulate`, `replay` and so on."""

import inspect
import io
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table
from typer.core import TyperGroup

import brocante
from brocante.engine.box import Box
from brocante.engine.errors import BrocanteError, RecordError, UsageError
from brocante.engine.options import Option
from brocante.engine.player_files import Brought
from brocante.engine.text import LANGUAGES, Text, language, preferred_language

WRONG_RECORD, WRONG_USAGE = 1, 2
BARS = " ▁▂▃▄▅▆▇█"


def asked_language(args: list[str]) -> str | None:
    """The language after `--lang`, if there is one of ours: help texts are made before Typer reads any option.

    >>> asked_language(["rules", "--lang", "fr"]), asked_language(["--lang=en"]), asked_language(["--seed", "fr"])
    ('fr', 'en', None)
    """
    words = " ".join(args).replace("--lang=", "--lang ").split()
    asked = {code for flag, code in pairwise(words) if flag == "--lang"}
    return next((code for code in LANGUAGES if code in asked), None)


class Reader:
    """Whoever reads what we print, and in which language."""

    code = asked_language(sys.argv) or preferred_language()

    @classmethod
    def speak(cls, code: str | None) -> str | None:
        if code is not None:
            cls.code = language(code).code
        return code


def say(key: str, **blanks: Any) -> str:
    return language(Reader.code).say(Text(key, **blanks))


class Games(TyperGroup):
    """A group with one command a game, made when it is asked for, which says what there is when a game is not known."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(brocante.GAMES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return for_game(brocante.box(cmd_name), play if self.name == "play" else simulate)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and not args[0].startswith("-"):
            brocante.box(args[0])
        return super().resolve_command(ctx, args)


Lang = Annotated[
    str | None,
    typer.Option("--lang", metavar="en|fr", help=say("cli.option.lang"), callback=Reader.speak, is_eager=True),
]
Json = Annotated[bool, typer.Option("--json", help=say("cli.option.json"))]

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=say("cli.brocante"))
play_app = typer.Typer(cls=Games, invoke_without_command=True, help=say("cli.play"))
simulate_app = typer.Typer(cls=Games, no_args_is_help=True, help=say("cli.simulate"))
app.add_typer(play_app, name="play")
app.add_typer(simulate_app, name="simulate")


@app.callback(invoke_without_command=True)
def start(version: Annotated[bool, typer.Option("--version", help=say("cli.option.version"))] = False) -> None:
    if version:
        typer.echo(f"brocante {brocante.__version__}")
        raise typer.Exit


# --- brocante games, brocante rules -----------------------------------------------------------------------------------


@app.command(help=say("cli.games"))
def games(as_json: Json = False, lang: Lang = None) -> None:
    shelf = [about(brocante.box(slug)) for slug in brocante.GAMES]
    if as_json:
        return print_json(shelf)
    table = plain_table()
    for column in ("slug", "title", "players", "minutes", "authors", "bots"):
        table.add_column(say(f"cli.column.{column}"))
    for game in shelf:
        players = f"{game['players'][0]}–{game['players'][-1]}"
        authors, bots = ", ".join(game["authors"]) or "–", ", ".join(game["bots"])
        authors += f" ({game['publisher']})" if game["publisher"] else ""
        table.add_row(f"[bold]{game['game']}[/]", game["title"], players, str(game["minutes"]), authors, bots)
    return Console().print(table)


def about(box: Box) -> dict[str, Any]:
    from brocante.bots import bots_for

    return {
        "game": box.slug,
        "title": language(Reader.code).say(box.title),
        "edition": box.edition,
        "version": box.version,
        "players": list(box.players),
        "minutes": box.minutes,
        "authors": list(box.authors),
        "publisher": box.publisher,
        "bots": list(bots_for(box)),
        "options": {option.name: option.default for option in box.options},
    }


@app.command(help=say("cli.rules"))
def rules(game: Annotated[str, typer.Argument(help=say("cli.argument.game"))], lang: Lang = None) -> None:
    from rich.markdown import Markdown

    page = brocante.box(game).rules_page(Reader.code)
    console = Console()
    console.print(Markdown(page), width=min(console.width, 100)) if console.is_terminal else typer.echo(page)


# --- brocante deck, brocante board ------------------------------------------------------------------------------------


def template(name: str) -> Callable[[str, str | None], None]:
    """A command that prints what players may replace with their own: `brocante deck GAME`, `brocante board GAME`."""

    def show(game: Annotated[str, typer.Argument(help=say("cli.argument.game"))], lang: Lang = None) -> None:
        kind = kind_to_bring(game, name)
        if kind is None:
            bringing = tuple(slug for slug in brocante.GAMES if kind_to_bring(slug, name))
            raise UsageError(Text("error.nothing_to_bring", game=game, what=name, games=bringing))
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")  # such a file is UTF-8 wherever it is written
        typer.echo(kind.template(), nl=False)

    return show


def kind_to_bring(game: str, name: str) -> type[Brought] | None:
    """What players may bring to a game under this name."""
    return next((option.bring for option in brocante.box(game).options if option.name == name), None)


# --- brocante play ----------------------------------------------------------------------------------------------------


@play_app.callback()
def play_start(
    ctx: typer.Context,
    at: Annotated[str | None, typer.Option(metavar="URL", help=say("cli.option.at"))] = None,
    name: Annotated[str | None, typer.Option(help=say("cli.option.name"))] = None,
    lang: Lang = None,
) -> None:
    from brocante import terminal

    if at is not None and ctx.invoked_subcommand is not None:
        raise UsageError(Text("client.at_and_game", game=ctx.invoked_subcommand))
    if at is not None:
        terminal.play_at_server(at, name, Reader.code)
    elif ctx.invoked_subcommand is None:
        terminal.choose_game(Reader.code)


def play(
    box: Box,
    options: dict[str, Any],
    bots: Annotated[str | None, typer.Option(metavar="A,B,…", help=say("cli.option.opponents"))] = None,
    seed: Annotated[str | None, typer.Option(help=say("cli.option.seed"))] = None,
    name: Annotated[str | None, typer.Option(help=say("cli.option.name"))] = None,
    resume: Annotated[bool, typer.Option("--resume", help=say("cli.option.resume"))] = False,
    lang: Lang = None,
) -> None:
    from brocante import terminal

    terminal.play_at_home(box, options, bots=named(bots), seed=seed, name=name, resume=resume, code=Reader.code)


# --- brocante serve ---------------------------------------------------------------------------------------------------


def serve(
    host: Annotated[str, typer.Option(envvar="BROCANTE_HOST", help=say("cli.serve.host"))] = "127.0.0.1",
    port: Annotated[
        int | None, typer.Option(envvar="BROCANTE_PORT", show_default="8000", help=say("cli.serve.port"))
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help=say("cli.serve.open"))] = False,
    workers: Annotated[int, typer.Option(envvar="BROCANTE_WORKERS", min=1, help=say("cli.serve.workers"))] = 1,
    json_logs: Annotated[bool, typer.Option(envvar="BROCANTE_JSON_LOGS", help=say("cli.serve.json_logs"))] = False,
    lang: Lang = None,
    **given: Any,
) -> None:
    from brocante.server import browser
    from brocante.server.config import configured
    from brocante.server.serve import USUAL_PORT, address
    from brocante.server.serve import serve as run

    def announce(url: str, database: str) -> None:
        if not json_logs:
            typer.echo(say("cli.serving", url=url, database=database))
        if open_page:
            browser.open_when_ready(url)

    if open_page and port is None:
        port, is_there = browser.find_port(host)
        if is_there:
            typer.echo(say("cli.serving_already", url=address(host, port)))
            return browser.open_page(address(host, port))
    port = USUAL_PORT if port is None else port
    return run(configured(given), host=host, port=port, workers=workers, json_logs=json_logs, announce=announce)


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """A command that takes every setting of a server, as a flag or as an environment variable."""
    from brocante.server.config import SETTINGS

    own = [p for p in inspect.signature(command).parameters.values() if p.kind is not p.VAR_KEYWORD]
    keyword = inspect.Parameter.KEYWORD_ONLY
    flags = []
    for name, default in SETTINGS.items():
        asked = typer.Option(envvar=f"BROCANTE_{name.upper()}", help=say(f"cli.serve.{name}"))
        kind = cast("Any", type(default))
        flags.append(inspect.Parameter(name, keyword, default=default, annotation=Annotated[kind, asked]))

    def run(**given: Any) -> None:
        command(**given)

    parameters = [*(p.replace(kind=keyword) for p in own), *flags]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in parameters}
    return run


# --- brocante simulate ------------------------------------------------------------------------------------------------


def simulate(
    box: Box,
    options: dict[str, Any],
    games: Annotated[int, typer.Option(metavar="K", help=say("cli.option.games"))] = 1000,
    seed: Annotated[str, typer.Option(metavar="S", help=say("cli.option.simulate_seed"))] = "0",
    bots: Annotated[str, typer.Option(metavar="A,B,…", help=say("cli.option.bots"))] = "random",
    records: Annotated[Path | None, typer.Option(metavar="DIR", help=say("cli.option.records"))] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    from brocante.arena.simulate import check_folder, simulate, write_records
    from brocante.backends import compiler

    if records is not None:
        check_folder(records)
    lineup = named(bots) or ["random"]
    with progress_bars(quiet=as_json) as bars:
        playing = partial(bars.advance, say("cli.progress.play"), games)
        compiling = partial(bars.stand, compiling_what(box))
        result = simulate(box, options, games, seed=seed, bots=lineup, progress=playing, compiling=compiling)
        if records is not None:
            write_records(result, records, partial(bars.advance, say("cli.progress.records"), games))
    if problem := compiler().not_kept:
        typer.echo(say("cli.not_kept", problem=problem.strerror), err=True)
    summary = result.summary()
    if as_json:
        return print_json(summary)
    return print_summary(box, summary, result.scores)


def print_summary(box: Box, summary: dict[str, Any], scores: Any) -> None:
    console = Console()
    title = language(Reader.code).say(box.title)
    typer.echo(say("cli.simulated", n=summary["games"], title=title, seed=summary["seed"]))
    table = plain_table()
    for column in ("seat", "bot", "wins", "score", "range", "spread"):
        table.add_column(say(f"cli.column.{column}"), justify="left" if column in ("bot", "spread") else "right")
    low, high = int(scores.min()), int(scores.max())
    for seat in summary["seats"]:
        score = seat["score"]
        table.add_row(
            str(seat["seat"]),
            seat["bot"],
            figure(f"{seat['wins']:.1%}"),
            figure(f"{score['mean']:.1f} ± {score['sd']:.1f}"),
            f"{score['least']}–{score['most']}",
            histogram(scores[:, seat["seat"]], low, high),
        )
    console.print(table)
    length = summary["length"]
    shape = say("cli.length", mean=figure(f"{length['mean']:.1f}"), least=length["least"], most=length["most"])
    decisions, seconds = figure(f"{summary['decisions_per_second']:,}"), figure(f"{summary['seconds']}")
    speed = say("cli.speed", decisions=decisions, seconds=seconds)
    console.print(f"{shape}\n{speed}", highlight=False)


def histogram(values: Any, low: int, high: int, bars: int = 24) -> str:
    """How often each score was made, from the lowest of all seats to the highest, as a row of bars."""
    import numpy as np

    counts, _ = np.histogram(values, bins=bars, range=(low, high + 1))
    return "".join(BARS[int(np.ceil(n / counts.max() * (len(BARS) - 1)))] for n in counts)


# --- brocante replay --------------------------------------------------------------------------------------------------


@app.command(help=say("cli.replay"))
def replay(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help=say("cli.argument.files"))],
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    replies = [replayed(file) for file in files]
    if as_json:
        print_json(replies)
    else:
        for reply in replies:
            typer.echo(in_words(reply))
    if any(reply["status"] == "wrong" for reply in replies):
        raise typer.Exit(WRONG_RECORD)
    if any(reply["status"] == "unreadable" for reply in replies):
        raise typer.Exit(WRONG_USAGE)


def replayed(file: Path) -> dict[str, Any]:
    """What became of one file: ok, unfinished, wrong or unreadable."""
    reply: dict[str, Any] = {"file": str(file)}
    try:
        reading = brocante.read(file)
    except RecordError as error:
        return {**reply, "status": "wrong", "line": error.line, "problem": language(Reader.code).say(error.problem)}
    except OSError as error:
        return {**reply, "status": "unreadable", "problem": str(error.strerror)}
    moves = sum(step.move is not None for step in reading.game.steps)
    reply |= {"status": "ok" if reading.finished else "unfinished", "game": reading.game.box.slug, "moves": moves}
    if reading.finished:
        reply |= {"seats": reading.names, **reading.game.result_line()}
    return reply


def in_words(reply: dict[str, Any]) -> str:
    key = f"cli.replay_status.{reply['status']}"
    blanks = {name: value for name, value in reply.items() if name != "status"}
    if reply["status"] == "ok":
        blanks["winners"] = tuple(reply["seats"][seat] for seat in reply["winners"])
        blanks["scores"] = ", ".join(map(str, reply["scores"]))
    return say(key, **blanks)


# --- brocante verify --------------------------------------------------------------------------------------------------


@app.command(help=say("cli.verify"))
def verify(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help=say("cli.argument.record"))],
    commitment: Annotated[str | None, typer.Option(help=say("cli.option.commitment"))] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    from brocante.table.fair import verify as check

    reply: dict[str, Any] = {"file": str(file)}
    try:
        reading = check(file, commitment)
    except OSError:
        raise
    except RecordError as error:
        reply |= {"status": "wrong", "problem": error.say(Reader.code)}
    except BrocanteError as error:
        reply |= {"status": "unfair", "problem": error.say(Reader.code)}
    else:
        reply |= {"status": "fair", "game": reading.game.box.slug, "steps": len(reading.game.steps)}
    if as_json:
        print_json(reply)
    else:
        typer.echo(say(f"cli.verified.{reply['status']}", **{k: v for k, v in reply.items() if k != "status"}))
    if reply["status"] != "fair":
        raise typer.Exit(WRONG_RECORD)


# --- brocante bench ---------------------------------------------------------------------------------------------------


@app.command(help=say("cli.bench"))
def bench(
    game: Annotated[str | None, typer.Argument(help=say("cli.argument.game"))] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    from brocante.arena.bench import bench as measure

    boxes = [brocante.box(game)] if game else [brocante.box(slug) for slug in brocante.GAMES]
    with progress_bars(quiet=as_json) as bars:
        found = measure(
            boxes,
            compiling=lambda box, rules, of: bars.stand(compiling_what(box), rules, of),
            measured=partial(bars.stand, say("cli.progress.bench")),
        )
    if as_json:
        return print_json(found)
    table = plain_table()
    table.add_column("")
    table.add_column(say("cli.column.rate"), justify="right")
    for name, rate in found["moves_per_second"].items():
        table.add_row(name, figure(f"{rate:,}"))
    for name, ratio in found["ratios"].items():
        table.add_row(name, figure(f"× {ratio:,}"))
    Console().print(table)
    if not any(name.startswith("openspiel") for name in found["moves_per_second"]):
        typer.echo(say("cli.no_peer"))
    return None


# --- brocante compile -------------------------------------------------------------------------------------------------


@app.command("compile", help=say("cli.compile.help"))
def compile_games(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help=say("cli.compile.games"))] = None,
    lang: Lang = None,
) -> None:
    from brocante.arena.simulate import loops_of
    from brocante.backends import compiler, disk

    for box in [brocante.box(slug) for slug in games or brocante.GAMES]:
        entries = [*box.entry_points, *loops_of(box)]
        if not all(map(compiler().is_kept, entries)):
            disk.check_it_can_be_written()  # before anybody waits
        began = time.perf_counter()
        with progress_bars(quiet=False) as bars:
            rules = compiler().compile(entries, partial(bars.stand, compiling_what(box)))
        if problem := compiler().not_kept:
            raise problem
        title = language(Reader.code).say(box.title)
        seconds = figure(f"{time.perf_counter() - began:.1f}")
        done = say("cli.compile.done", title=title, n=rules, seconds=seconds)
        typer.echo(done if rules else say("cli.compile.there", title=title))


def compiling_what(box: Box) -> str:
    return say("cli.progress.compile", title=language(Reader.code).say(box.title))


# --- shared -----------------------------------------------------------------------------------------------------------


def for_game(box: Box, command: Callable[..., None]) -> Any:
    """The command `brocante COMMAND GAME`, in which the game's options are flags of the same name."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    asked = inspect.signature(command).parameters.values()
    own = [p.replace(kind=keyword) for p in asked if p.name not in ("box", "options")]

    def run(**given: Any) -> None:
        names = [option.name for option in box.options]
        command(box, box.load({name: given.pop(name) for name in names}), **given)

    flags = [flag(box, option) for option in box.options]
    run.__signature__ = inspect.Signature([*flags, *own])  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in (*flags, *own)}
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    alone.command(box.slug, help=say(f"{box.slug}.blurb"))(run)
    return typer.main.get_command(alone)


def flag(box: Box, option: Option) -> inspect.Parameter:
    """A game's option as a flag. Its value is checked by the game, which says best what it can be."""
    kind = option.kind if option.default is not None else cast("Any", option.kind | None)
    name = f"--{option.name.replace('_', '-')}"
    metavar = "FILE" if option.bring else None
    asked = typer.Option(name, metavar=metavar, help=say(f"{box.slug}.option.{option.name}.help"))
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(option.name, keyword, default=option.default, annotation=Annotated[kind, asked])


def named(bots: str | None) -> list[str] | None:
    return None if bots is None else [name.strip() for name in bots.split(",")]


class Bars:
    """Progress bars, each begun when there is something to tell."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._tasks: dict[str, TaskID] = {}

    def advance(self, what: str, of: int, more: int) -> None:
        """So many more are done."""
        self._progress.advance(self._task(what, of), more)

    def stand(self, what: str, done: int, of: int) -> None:
        """So many are done in all."""
        self._progress.update(self._task(what, of), completed=done)

    def _task(self, what: str, of: int) -> TaskID:
        if what not in self._tasks:
            self._tasks[what] = self._progress.add_task(what, total=of)
        return self._tasks[what]


@contextmanager
def progress_bars(quiet: bool) -> Iterator[Bars]:
    """Bars on the error output, so that what is printed can be piped; none when nobody watches."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as progress:
        yield Bars(progress)


def figure(number: str) -> str:
    """A number as the reader's language writes it."""
    return number.translate({ord(","): "\u00a0", ord("."): ","}) if Reader.code == "fr" else number


def plain_table() -> Table:
    return Table(box=None, pad_edge=False, header_style="bold")


def print_json(data: Any) -> None:
    typer.echo(json.dumps(data, ensure_ascii=False, indent=2))


def main(args: list[str] | None = None) -> None:
    """Run a command; an error a person can mend is one sentence on the error output, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without our signs still gets the words
    try:
        sys.exit(app(args, prog_name="brocante", standalone_mode=False))
    except BrocanteError as error:
        give_up(error.text, WRONG_USAGE)
    except OSError as error:
        give_up(Text("error.file", file=error.filename or "-", problem=error.strerror), WRONG_USAGE)
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(130)
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        give_up(misused(error), WRONG_USAGE)


def give_up(text: Text | str, code: int) -> None:
    sys.stderr.write(f"brocante: {language(Reader.code).say(text)}\n")
    sys.exit(code)


def misused(error: Any) -> Text | str:
    """What Typer has to say about a command, and what the command takes."""
    problem: Text | str = error.format_message().rstrip(".")
    if getattr(error, "option_name", None):
        unknown = type(error).__name__ == "NoSuchOption"
        problem = Text("error.usage.option" if unknown else "error.usage.value", option=error.option_name)
    context = getattr(error, "ctx", None)
    if context is None:
        return problem
    known = getattr(context.command, "list_commands", None)
    commands = tuple(known(context)) if known else ()
    flags = tuple(param.opts[0] for param in context.command.params if param.opts)
    return Text("error.usage.takes", problem=problem, command=context.command_path, known=commands or flags)


app.command("serve", help=say("cli.serve.help"))(with_settings(serve))
app.command("deck", help=say("cli.deck"))(template("deck"))
app.command("board", help=say("cli.board"))(template("board"))

if __name__ == "__main__":
    main()
