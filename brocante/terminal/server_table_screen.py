"""The screen of a table at a server: like the one at home, but the server says what happens."""

from typing import ClassVar

from textual.binding import BindingType
from textual.events import Key as KeyPress

from brocante.client import Lost
from brocante.client.table import Update
from brocante.engine.moves import Move
from brocante.engine.text import Text
from brocante.table import commands as c
from brocante.terminal.key_bar import Key
from brocante.terminal.server_screen import ServerScreen
from brocante.terminal.server_table import ServerTable
from brocante.terminal.table_screen import TableScreen
from brocante.wire.socket_codec import News, Welcome


class ServerTableScreen(TableScreen, ServerScreen):
    BINDINGS: ClassVar[list[BindingType]] = [("p", "pause")]
    leaving = "leave"
    model: ServerTable

    def __init__(self, model: ServerTable) -> None:
        super().__init__(model)
        self._kept = 0  # records
        self._over = model.is_over

    async def on_mount(self) -> None:
        """The base class draws the table; from then on, every update draws it anew."""
        self.model.on_news = self.news
        self.hear_announcements()
        self._keep_record()

    # --- updates from the server ---

    def news(self, message: Update) -> None:
        if self.left_table():
            return
        had_moments, was_over = bool(self.moments), self._over
        if not isinstance(message, Lost):
            self._take(message)
        self._over = self.model.is_over
        self.run_worker(self.draw())
        if (self.moments and not had_moments) or (self._over and not was_over):
            self._go_on()

    def _take(self, message: Welcome | News) -> None:
        kinds = {event.event for event in message.events or ()}
        if isinstance(message, Welcome) and message.log is not None:  # the log starts anew
            self.moments.skip()
        if "started" in kinds:
            self.moments.clear()
            self._awarded = 1
        if kinds - {"said", "contributed"} or not self.model.has_looked(self._begun):
            self._begun = ()
        self.moments.collect()
        self._keep_record()

    def _keep_record(self) -> None:
        """Save the record of a game that is over."""
        games = self.model.table.info.games
        if self.model.is_over and games > self._kept:
            self._kept = games
            self.run_worker(self.attempt(self.model.keep_record(), self.redraw))

    def redraw(self) -> None:
        self.send_language()
        super().redraw()

    # --- what else is on the screen ---

    def _remarks(self) -> list[Text]:
        return self.model.remarks

    def _further_keys(self) -> list[Key]:
        keys: list[Key] = []
        if self.model.question:
            keys += [("y", "agree", "screen.agree(True)"), ("n", "refuse", "screen.agree(False)")]
        if not self.model.is_over:
            keys.append(("p", "resume" if self.model.table.info.paused else "pause", "screen.pause"))
        keys += self._host_keys()
        return [*keys, ("/", "talk", "screen.talk")]

    # --- what the person does ---

    def on_key(self, event: KeyPress) -> None:
        """While the person is asked to agree to something, `y` and `n` answer that before anything else."""
        if self.model.question and event.character in ("y", "n"):
            event.stop()
            event.prevent_default()
            self.action_agree(event.character == "y")

    def action_agree(self, agrees: bool) -> None:
        if self.model.question:
            self.send(self.model.table.answer(self.model.question, agrees=agrees))

    def action_pause(self) -> None:
        self.send(self.model.table.do(c.Resume() if self.model.table.info.paused else c.Pause()))

    def begin(self, choices: tuple[int, ...]) -> None:
        start = super().begin
        self.send(self.model.look(choices), lambda: self.model.has_looked(choices) and start(choices))

    def make(self, move: Move) -> None:
        self.send(self.model.table.play(move.line()))

    def take_back(self) -> None:
        self.send(self.model.table.undo())

    def skip(self) -> None:
        self.send(self.model.table.skip())

    def play_again(self) -> None:
        self.send(self.model.table.again())

    def leave(self) -> None:
        """Back to the list of tables. The seat is kept; a bot plays on if the person stays away."""
        self.disconnect()
        self.app.run_worker(self.model.table.close())
        self.app.pop_screen()
