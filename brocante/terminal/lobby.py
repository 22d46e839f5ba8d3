"""Before the deal: who sits where, and the link to give to friends."""

from collections.abc import Callable, Coroutine
from typing import Any, ClassVar

from rich.text import Text as Styled
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Static

from brocante.client.table import Update
from brocante.client.views import clean
from brocante.engine.errors import BrocanteError
from brocante.engine.text import Text, Words
from brocante.terminal.app import terminal_of
from brocante.terminal.keys import Key, Keys
from brocante.terminal.remote import RemoteSeat
from brocante.terminal.rules_page import RulesPage


class Saying(ModalScreen[str]):
    """A line to write something to the others."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", show=False)]

    def compose(self) -> ComposeResult:
        yield Input(placeholder=terminal_of(self).say("terminal.remote.saying"), max_length=300, id="saying")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())

    def action_cancel(self) -> None:
        self.dismiss("")


class AtServer(Screen[None]):
    """What the screens of a server's table have in common: what was asked of the server, and what it says to it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("slash", "talk", show=False)]
    seated: RemoteSeat
    _busy = False
    _gets_up = False

    def ask(self, asking: Coroutine[Any, Any, Any], then: Callable[[], object] = lambda: None) -> None:
        """Ask the server for something, one thing at a time; a refusal is said in the corner."""
        if self._busy:
            asking.close()
        else:
            self._busy = True
            self.run_worker(self._ask(asking, then))

    async def _ask(self, asking: Coroutine[Any, Any, Any], then: Callable[[], object]) -> None:
        try:
            await self.attempt(asking, then)
        finally:
            self._busy = False

    async def attempt(self, asking: Coroutine[Any, Any, Any], then: Callable[[], object]) -> None:
        try:
            await asking
        except BrocanteError as error:
            self.app.clear_notifications()
            self.notify(clean(error.say(terminal_of(self).language.code)), severity="warning", markup=False)
        else:
            then()

    def action_talk(self) -> None:
        def say(text: str | None) -> None:
            if text:
                self.ask(self.seated.table.chat(text))

        self.app.push_screen(Saying(), say)

    def speak(self) -> None:
        """Be told everything in the language that was chosen."""
        code = terminal_of(self).language.code
        if code != self.seated.table.lang:
            self.run_worker(self.seated.table.speak(code))

    def forget(self) -> None:
        """Whatever happens at this table is nothing to this screen any more."""
        self.seated.on_news = lambda message: None
        terminal_of(self).seated = None

    def is_shown_out(self) -> bool:
        """Whether one has no seat here any more; then back to the tables."""
        if self.seated.table.you.seat is not None:
            return False
        self.forget()
        if self in self.app.screen_stack:
            self.uncover()
            self.app.pop_screen()
        if not self._gets_up:
            self.app.notify(terminal_of(self).say("terminal.remote.shown_out"), severity="warning", markup=False)
        self.app.run_worker(self.seated.table.close())
        return True

    def uncover(self) -> None:
        """Put away whatever lies on top of this screen: the rules, a line that was being written."""
        while self.app.screen is not self:
            self.app.pop_screen()


class Lobby(AtServer):
    """A table at which nothing is dealt yet."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "start", show=False),
        Binding("question_mark,f1", "rules", show=False),
        Binding("escape", "leave", show=False),
    ]

    def __init__(self, seated: RemoteSeat) -> None:
        super().__init__()
        self.seated = seated

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="lobby", can_focus=False):
            yield Static(id="what")
            yield Static(id="who")
            yield Static(id="link")
            yield Static(id="told")
        yield Keys(classes="keys")

    def on_mount(self) -> None:
        terminal_of(self).seated = self.seated
        self.seated.on_news = self.news
        self.redraw()
        self._go_to_the_table()

    def news(self, message: Update) -> None:
        if not self.is_shown_out():
            self.redraw()
            self._go_to_the_table()

    def _go_to_the_table(self) -> None:
        if self.seated.has_begun:
            from brocante.terminal.remote_table import RemoteTable

            self.seated.on_news = lambda message: None
            self.uncover()
            self.app.switch_screen(RemoteTable(self.seated))

    def say(self, words: Words) -> str:
        return terminal_of(self).language.say(words, self.seated.names(""))

    def redraw(self) -> None:
        self.speak()
        box, inks = self.seated.box, terminal_of(self).inks
        what = Styled.assemble((f" {self.say(box.title)} ", f"bold reverse {inks[box.ink]}"))
        what.append(f"  {self.say(self._state)}", style=f"bold {inks['tomato']}")
        self.query_one("#what", Static).update(what)
        self.query_one("#who", Static).update(Styled("\n").join(self._sitting()))
        link = Styled.assemble((f"{self.say(Text('terminal.remote.link'))}\n", inks["faint"]))
        self.query_one("#link", Static).update(link.append(self.seated.table.link, style="bold"))
        told = [self.say(text) for number in range(self.seated.happened) for text in self.seated.told(number)]
        self.query_one("#told", Static).update(Styled("\n".join(told), style=inks["faint"]))
        self.query_one(Keys).show(self._keys())

    @property
    def _state(self) -> Text:
        if not self.seated.table.connected:
            return Text("terminal.remote.lost")
        if self.seated.is_over:  # and there is nothing to be seen of the game: its rules are gone
            return Text("terminal.remote.closed")
        return Text("terminal.remote.yours" if self.seated.table.you.host else "terminal.remote.wait")

    def _sitting(self) -> list[Styled]:
        table, inks = self.seated.table, terminal_of(self).inks
        lines = []
        for number, seat in enumerate(table.info.seats):
            line = Styled.assemble((f"{number + 1}  ", inks["faint"]))
            line.append(self.seated.names("")[number] if seat.name else self.say(Text("terminal.remote.empty")))
            marks = [("you", number == table.you.seat), ("host", number == table.info.host)]
            for mark in [mark for mark, holds in (*marks, ("bot", seat.kind == "bot")) if holds]:
                line.append(f"  {self.say(Text(f'terminal.remote.mark.{mark}'))}", style=f"italic {inks['faint']}")
            lines.append(line)
        return lines

    def _keys(self) -> list[Key]:
        keys: list[Key] = [("s", "start", "screen.start")] if self._may_start else []
        keys += [("/", "talk", "screen.talk"), ("?", "rules", "screen.rules"), ("l", "language", "app.switch_language")]
        return [*keys, ("d", "theme", "app.switch_theme"), ("Esc", "leave", "screen.leave"), ("q", "quit", "app.quit")]

    @property
    def _may_start(self) -> bool:
        """The host deals the first game; another one all who are here."""
        return self.seated.is_over or self.seated.table.you.host

    def action_start(self) -> None:
        if self._may_start:
            table = self.seated.table
            self.ask(table.again() if self.seated.is_over else table.start(fill=True))

    def action_rules(self) -> None:
        self.app.push_screen(RulesPage(self.seated.box))

    def action_leave(self) -> None:
        """Get up; the news that one has no seat any more leads back to the tables."""
        self.ask(self._get_up())

    async def _get_up(self) -> None:
        self._gets_up = True
        try:
            await self.seated.table.stand()
        except BrocanteError:
            self._gets_up = False
            raise
