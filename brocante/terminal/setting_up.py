"""While the rules are being compiled, which takes some seconds the first time."""

from collections.abc import Callable
from threading import Thread

from textual.app import ComposeResult
from textual.containers import Center, Middle
from textual.screen import Screen
from textual.widgets import LoadingIndicator, Static

from brocante.engine.box import Box
from brocante.engine.errors import UsageError
from brocante.table.preparing import prepare
from brocante.terminal.app import terminal_of
from brocante.terminal.seats import SeatedGame


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
