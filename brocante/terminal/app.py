"""The application: a language, a theme, and a screen on top."""

from collections.abc import Callable
from typing import Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widget import Widget

from brocante.compiling.queue import CompileQueue
from brocante.engine.box import Box
from brocante.engine.errors import BrocanteError, UsageError
from brocante.engine.text import LANGUAGES, Language, Text, language
from brocante.terminal.home_table import HomeTable
from brocante.terminal.inks import INKS, theme
from brocante.terminal.table_model import TableModel


class Terminal(App[None]):
    """Brocante in a terminal."""

    CSS_PATH = "brocante.tcss"
    TITLE = "Brocante"
    ENABLE_COMMAND_PALETTE = False
    VERTICAL_BREAKPOINTS = [(0, "-short"), (22, "-tall")]  # noqa: RUF012
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (76, "-medium"), (110, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        ("l", "switch_language"),
        ("d", "switch_theme"),
        ("q", "quit"),
        Binding("ctrl+c,ctrl+q", "quit", show=False, priority=True),
    ]

    def __init__(
        self,
        code: str,
        box: Box | None = None,
        seat: Callable[[], HomeTable] | None = None,
        first: Screen[None] | None = None,
        compile_queue: CompileQueue | None = None,
    ) -> None:
        """Open a table, with a game and how to sit down to it; or the `first` screen; or the game menu. Without a
        queue, nothing is compiled."""
        super().__init__()
        self.compile_queue = compile_queue or CompileQueue(closed=True)
        self.language: Language = language(code)
        self._opened = (box, seat) if box and seat else None
        self._first = first
        self.table: TableModel | None = None  # at which the person plays
        for name in INKS:
            self.register_theme(theme(name))
        self.theme = "paper"
        self.pace = "brisk"

    @property
    def inks(self) -> dict[str, str]:
        return INKS[self.theme]

    def say(self, key: str | Text, **blanks: Any) -> str:
        return self.language.say(Text(key, **blanks) if isinstance(key, str) else key)

    def on_mount(self) -> None:
        from brocante.terminal.game_menu import GameMenu

        first = self.screen_of(*self._opened) if self._opened else self._first or GameMenu()
        if first:
            self.push_screen(first)

    def screen_of(self, box: Box, seat: Callable[[], HomeTable]) -> Screen[None] | None:
        """The screen of a game that begins or goes on, while its rules are compiled. If it cannot, say why and stop."""
        from brocante.terminal.home_table_screen import HomeTableScreen

        self.compile_queue.want(box.slug)
        try:
            return HomeTableScreen(seat())
        except UsageError as error:
            self.fail(error)
            return None

    def action_switch_language(self) -> None:
        following = LANGUAGES.index(self.language.code) + 1
        self.language = language(LANGUAGES[following % len(LANGUAGES)])
        self._redraw()

    def action_switch_theme(self) -> None:
        self.theme = "lamplight" if self.theme == "paper" else "paper"
        self._redraw()

    def fail(self, error: BrocanteError) -> None:
        """Stop with a sentence that says why."""
        self.exit(return_code=1, message=f"brocante: {error.say(self.language.code)}")

    def _redraw(self) -> None:
        for screen in self.screen_stack:
            redraw = getattr(screen, "redraw", None)
            if redraw:
                redraw()


def terminal_of(widget: Widget) -> Terminal:
    """The application of a screen or widget."""
    assert isinstance(widget.app, Terminal)
    return widget.app
