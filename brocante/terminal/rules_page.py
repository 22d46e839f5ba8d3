"""The rules of the game, over the table."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Markdown

from brocante.engine.box import Box
from brocante.terminal.app import terminal_of
from brocante.terminal.keys import Keys


class RulesPage(ModalScreen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,f1,enter", "dismiss", show=False)]

    def __init__(self, box: Box) -> None:
        super().__init__()
        self._box = box

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="rules"):
            yield Markdown()
        yield Keys(classes="keys")

    def on_mount(self) -> None:
        self.redraw()
        self.query_one("#rules").focus()

    def redraw(self) -> None:
        self.query_one(Markdown).update(self._box.rules_page(terminal_of(self).language.code))
        self.query_one(Keys).show([("Esc", "back", "screen.dismiss"), ("l", "language", "app.switch_language")])
