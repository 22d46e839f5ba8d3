"""What the screens of a server's table have in common: commands, refusals, chat, and being shown out."""

from collections.abc import Callable, Coroutine
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen, Screen
from textual.widgets import Input

from brocante.client.views import clean
from brocante.engine.errors import BrocanteError
from brocante.engine.text import Text
from brocante.terminal.app import terminal_of
from brocante.terminal.key_bar import Key
from brocante.terminal.server_table import ServerTable

#: Seconds for which an announcement is shown; the next one, or none, takes its place.
ANNOUNCED_FOR = 600.0


class ChatInput(ModalScreen[str]):
    """A line to write something to the others."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "cancel")]
    asks: ClassVar[str] = "terminal.remote.saying"

    def compose(self) -> ComposeResult:
        yield Input(placeholder=terminal_of(self).say(self.asks), max_length=300, id="saying")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())

    def action_cancel(self) -> None:
        self.dismiss("")


class NameInput(ChatInput):
    """A line for the name of somebody at the table."""

    asks = "terminal.remote.whom"


def warn(screen: Screen[None], error: BrocanteError) -> None:
    """Say in the corner why something was not done, in place of the last word there."""
    screen.app.clear_notifications()
    screen.notify(clean(error.say(terminal_of(screen).language.code)), severity="warning", markup=False)


class ServerScreen(Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [("slash", "talk"), ("R", "remove")]
    model: ServerTable
    _busy = False
    _gets_up = False

    def send(self, request: Coroutine[Any, Any, Any], then: Callable[[], object] = lambda: None) -> None:
        """Ask the server for something, one thing at a time. What is asked while it is busy is dropped."""
        if self._busy:
            request.close()
        else:
            self._busy = True
            self.run_worker(self._send(request, then))

    async def _send(self, request: Coroutine[Any, Any, Any], then: Callable[[], object]) -> None:
        try:
            await self.attempt(request, then)
        finally:
            self._busy = False

    async def attempt(self, request: Coroutine[Any, Any, Any], then: Callable[[], object]) -> None:
        """A refusal is said in the corner."""
        try:
            await request
        except BrocanteError as error:
            warn(self, error)
        else:
            then()

    def action_talk(self) -> None:
        def say(text: str | None) -> None:
            if text:
                self.send(self.model.table.chat(text))

        self.app.push_screen(ChatInput(), say)

    def action_remove(self) -> None:
        """Host: have somebody get up; while the others are being asked about it, let it be."""
        table = self.model.table

        def remove(name: str | None) -> None:
            seat = self.model.seat_called(name or "")
            if seat is not None:
                self.send(table.remove(seat))
            elif name:
                warn(self, BrocanteError(Text("terminal.remote.nobody_called", name=name)))

        if table.you.host and table.info.removal is not None:
            self.send(table.answer("removal", agrees=False))
        elif table.you.host:
            self.app.push_screen(NameInput(), remove)

    def _host_keys(self) -> list[Key]:
        asks = self.model.table.info.removal is not None
        return [("R", "let_be" if asks else "remove", "screen.remove")] if self.model.table.you.host else []

    def send_language(self) -> None:
        """Have the server speak the language that was chosen."""
        code = terminal_of(self).language.code
        if code != self.model.table.lang:
            self.run_worker(self.model.table.speak(code))

    def hear_announcements(self) -> None:
        self.model.table.on_announcement = self._announce
        if self.model.table.announcement:
            self._announce(self.model.table.announcement)

    def _announce(self, text: str) -> None:
        """Say in the corner what the operator of the server says to everyone, until it is touched or taken back."""
        self.app.clear_notifications()
        if text:
            self.notify(clean(text), timeout=ANNOUNCED_FOR, markup=False)

    def disconnect(self) -> None:
        """Ignore what happens at this table from now on."""
        self.model.on_news = lambda message: None
        self.model.table.on_announcement = lambda text: None
        terminal_of(self).table = None

    def left_table(self) -> bool:
        """Whether the person has no seat here any more. Then go back to the list of tables."""
        if self.model.table.you.seat is not None:
            return False
        self.disconnect()
        if self in self.app.screen_stack:
            self.uncover()
            self.app.pop_screen()
        if not self._gets_up:
            self.app.notify(terminal_of(self).say("terminal.remote.shown_out"), severity="warning", markup=False)
        self.app.run_worker(self.model.table.close())
        return True

    def uncover(self) -> None:
        """Close what lies on top of this screen: the rules, the chat input."""
        while self.app.screen is not self:
            self.app.pop_screen()
