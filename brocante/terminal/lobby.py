"""Before the deal: who sits where, and the link to give to friends."""

from typing import ClassVar

from rich.text import Text as Styled
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from brocante.client.table import Update
from brocante.engine.errors import BrocanteError
from brocante.engine.text import Text, Words
from brocante.terminal.app import terminal_of
from brocante.terminal.key_bar import LANGUAGE, QUIT, RULES, THEME, Key, KeyBar
from brocante.terminal.pages import RulesPage
from brocante.terminal.server_screen import ServerScreen
from brocante.terminal.server_table import ServerTable


class Lobby(ServerScreen):
    """A table at which nothing is dealt yet."""

    BINDINGS: ClassVar[list[BindingType]] = [("s", "start"), ("question_mark,f1", "rules"), ("escape", "leave")]

    def __init__(self, model: ServerTable) -> None:
        super().__init__()
        self.model = model

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="lobby", can_focus=False):
            yield Static(id="what")
            yield Static(id="who")
            yield Static(id="link")
            yield Static(id="told")
        yield KeyBar(classes="keys")

    def on_mount(self) -> None:
        terminal_of(self).table = self.model
        self.model.on_news = self.news
        self.hear_announcements()
        self.redraw()
        self._go_to_the_table()

    def news(self, message: Update) -> None:
        if not self.left_table():
            self.redraw()
            self._go_to_the_table()

    def _go_to_the_table(self) -> None:
        if self.model.has_begun:
            from brocante.terminal.server_table_screen import ServerTableScreen

            self.model.on_news = lambda message: None
            self.uncover()
            self.app.switch_screen(ServerTableScreen(self.model))

    def say(self, words: Words) -> str:
        return terminal_of(self).language.say(words, self.model.names(""))

    def redraw(self) -> None:
        if not self.display:  # it is being closed
            return
        self.send_language()
        box, inks = self.model.box, terminal_of(self).inks
        what = Styled.assemble((f" {self.say(box.title)} ", f"bold reverse {inks[box.ink]}"))
        what.append(f"  {self.say(self._state)}", style=f"bold {inks['tomato']}")
        self.query_one("#what", Static).update(what)
        self.query_one("#who", Static).update(Styled("\n").join(self._sitting()))
        link = Styled.assemble((f"{self.say(Text('terminal.remote.link'))}\n", inks["faint"]))
        self.query_one("#link", Static).update(link.append(self.model.table.link, style="bold"))
        sentences = [self.say(text) for number in range(self.model.happened) for text in self.model.sentences(number)]
        self.query_one("#told", Static).update(Styled("\n".join(sentences), style=inks["faint"]))
        self.query_one(KeyBar).show(self._keys())

    @property
    def _state(self) -> Text:
        if not self.model.table.connected:
            return Text("terminal.remote.lost")
        if self.model.is_over:  # and nothing of the game can be shown: its rules are gone
            return Text("terminal.remote.closed")
        return Text("terminal.remote.yours" if self.model.table.you.host else "terminal.remote.wait")

    def _sitting(self) -> list[Styled]:
        table, inks = self.model.table, terminal_of(self).inks
        lines = []
        for number, seat in enumerate(table.info.seats):
            line = Styled.assemble((f"{number + 1}  ", inks["faint"]))
            line.append(self.model.names("")[number] if seat.name else self.say(Text("terminal.remote.empty")))
            marks = [("you", number == table.you.seat), ("host", number == table.info.host)]
            for mark in [mark for mark, holds in (*marks, ("bot", seat.kind == "bot")) if holds]:
                line.append(f"  {self.say(Text(f'terminal.remote.mark.{mark}'))}", style=f"italic {inks['faint']}")
            lines.append(line)
        return lines

    def _keys(self) -> list[Key]:
        keys: list[Key] = [("s", "start", "screen.start")] if self._may_start else []
        keys += self._host_keys()
        return [*keys, ("/", "talk", "screen.talk"), RULES, LANGUAGE, THEME, ("Esc", "leave", "screen.leave"), QUIT]

    @property
    def _may_start(self) -> bool:
        """The host starts the first game; everyone may ask for another."""
        return self.model.is_over or self.model.table.you.host

    def action_start(self) -> None:
        if self._may_start:
            table = self.model.table
            self.send(table.again() if self.model.is_over else table.start(fill=True))

    def action_rules(self) -> None:
        self.app.push_screen(RulesPage(self.model.box))

    def action_leave(self) -> None:
        """Get up. The server then says that the seat is gone, and the list of tables comes back."""
        self.send(self._get_up())

    async def _get_up(self) -> None:
        self._gets_up = True
        try:
            await self.model.table.stand()
        except BrocanteError:
            self._gets_up = False
            raise
