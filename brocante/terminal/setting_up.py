"""While the rules are being compiled, which takes some seconds the first time."""

from collections.abc import Callable
from threading import Thread

from textual.app import ComposeResult
from textual.containers import Center, Middle
from textual.screen import Screen
from textual.widgets import LoadingIndicator, Static

from brocante.bots import Bot, best_bot
from brocante.engine.box import Box
from brocante.engine.errors import UsageError
from brocante.engine.game import Game
from brocante.terminal.app import terminal_of
from brocante.terminal.seats import PERSON, SeatedGame

#: Moves after which everything that a table needs has been asked for once.
ENOUGH = 12


def prepare(box: Box) -> None:
    """Have everything compiled that a table needs, so that nothing has to be waited for in the middle of a game."""
    game = Game(box, {}, "setting up")
    bot = Bot(box, best_bot(box))
    for _ in range(ENOUGH):
        if not game.is_over:
            game.play(bot.choose(game))
            game.can_undo(game.actor)
            game.view(PERSON)


class SettingUp(Screen[None]):
    """Prepares a game, then sits down at the table that is asked for."""

    def __init__(self, box: Box, seat: Callable[[], SeatedGame]) -> None:
        super().__init__()
        self._box = box
        self._seat = seat

    def compose(self) -> ComposeResult:
        with Middle():
            yield Center(Static(terminal_of(self).say("terminal.setting_up"), classes="notice"))
            yield LoadingIndicator()

    def on_mount(self) -> None:
        Thread(target=self._prepare, daemon=True).start()  # whoever leaves need not wait for it

    def _prepare(self) -> None:
        prepare(self._box)
        if self.app.is_running:
            self.app.call_from_thread(self._sit_down)

    def _sit_down(self) -> None:
        from brocante.terminal.table import TableScreen

        try:
            seated = self._seat()
            seated.keep()
        except UsageError as error:
            terminal_of(self).fail(error)
        else:
            self.app.switch_screen(TableScreen(seated))
