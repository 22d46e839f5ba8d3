"""The rules of the game, over the table; and the part of them that players keep at hand, the reference card."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Markdown

from brocante.engine.box import Box
from brocante.engine.text import Language
from brocante.terminal.app import terminal_of
from brocante.terminal.key_bar import KeyBar


class RulesPage(ModalScreen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,f1,enter", "dismiss", show=False)]

    def __init__(self, box: Box) -> None:
        super().__init__()
        self._box = box

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="rules"):
            yield Markdown()
        yield KeyBar(classes="keys")

    def on_mount(self) -> None:
        self.redraw()
        self.query_one("#rules").focus()

    def redraw(self) -> None:
        self.query_one(Markdown).update(self._text(terminal_of(self).language))
        self.query_one(KeyBar).show([("Esc", "back", "screen.dismiss"), ("l", "language", "app.switch_language")])

    def _text(self, language: Language) -> str:
        return self._box.rules_page(language.code)


class ReferencePage(RulesPage):
    """The part of the rules under the heading that the game names for it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("r", "dismiss", show=False)]

    def _text(self, language: Language) -> str:
        heading = f"## {language.say(self._box.reference)}\n"
        part = super()._text(language).partition(heading)[2]
        return heading + part.partition("\n## ")[0]
