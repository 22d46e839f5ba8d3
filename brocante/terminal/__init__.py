"""The terminal client. It draws any game that has a view; nothing in it knows one game from another."""

import logging
import shutil
import sys
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

from brocante.bots import best_bot, lineup
from brocante.compiling.queue import CompileQueue, may_compile
from brocante.engine.box import Box
from brocante.engine.errors import UsageError, quoted
from brocante.engine.game import Game
from brocante.engine.text import Text
from brocante.terminal.home_table import new_game
from brocante.terminal.saved_games import SavedGame, close_outdated, resumed_game, unfinished

if TYPE_CHECKING:
    from brocante.terminal.app import Terminal


def choose_game(code: str) -> None:
    """Let the player choose what to play."""
    from brocante.terminal.app import Terminal

    need_a_terminal()
    with closing(compile_queue()) as compiling:
        run(Terminal(code, compile_queue=compiling))


def play_at_server(link: str, name: str | None, code: str) -> None:
    """Play at a server: at the table of a link, at one of its open tables, or at a new one."""
    from brocante.terminal.app import Terminal
    from brocante.terminal.server_menu import ServerMenu

    menu = ServerMenu(link, name)
    need_a_terminal()
    run(Terminal(code, first=menu))


def play_at_home(
    box: Box,
    options: dict[str, Any],
    *,
    bots: list[str] | None = None,
    seed: str | None = None,
    name: str | None = None,
    resume: bool = False,
    code: str = "en",
) -> None:
    """Begin a game against bots, or go on with the one that was left unfinished."""
    from brocante.terminal.app import Terminal

    if resume:
        closed = close_outdated(box)
        saved = next(unfinished(box), None)
        if saved is None:
            raise UsageError(closed or Text("error.nothing_to_resume", game=box.slug))
        check_same_options(box, saved, options)
        seat = partial(resumed_game, box)
    else:
        players = Game(box, options).players  # nothing is dealt yet
        opponents = lineup(box, bots or [best_bot(box)], players - 1)
        seat = partial(new_game, box, options, opponents, seed, name)
    need_a_terminal()
    with closing(compile_queue()) as compiling:
        run(Terminal(code, box, seat, compile_queue=compiling))


def check_same_options(box: Box, saved: SavedGame, asked: dict[str, Any]) -> None:
    """Refuse options that differ from those that the game was begun with."""
    for option in box.options:
        value, begun = option.written(asked[option.name]), saved.options.get(option.name, option.default)
        if value not in (option.default, begun):
            text = Text("error.resume_other", option=option.name, asked=quoted(value), there=quoted(begun))
            raise UsageError(text)


def compile_queue() -> CompileQueue:
    """Compiles rules while the person plays. It logs nothing, since the screen is taken."""
    logging.getLogger("brocante").addHandler(logging.NullHandler())
    return CompileQueue(closed=not may_compile())


def run(app: "Terminal") -> None:
    """Run the application; afterwards say how to go on with a game that was left."""
    app.run()
    if app.return_code:
        sys.exit(app.return_code)
    program = "brocante" if shutil.which("brocante") else sys.argv[0]
    if app.table and (farewell := app.table.farewell(program)):
        sys.stdout.write(app.say(farewell) + "\n")


def need_a_terminal() -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(Text("error.no_terminal"))
