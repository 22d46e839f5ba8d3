"""Pages over the table: the rules, the part of them that players keep at hand, and the races."""

from collections.abc import Callable
from typing import ClassVar

from rich.table import Table as Grid
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Markdown, Static

from brocante.engine.box import Box
from brocante.engine.text import Language
from brocante.terminal.app import terminal_of
from brocante.terminal.key_bar import LANGUAGE, KeyBar


class OverlayPage(ModalScreen[None]):
    """Something to read; the keys scroll it or close it."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,q,enter", "dismiss")]

    def __init__(self, name: str, content: Markdown | Static) -> None:
        super().__init__()
        self._scroll = VerticalScroll(content, id=name)

    def compose(self) -> ComposeResult:
        yield self._scroll
        yield KeyBar(classes="keys")

    def on_mount(self) -> None:
        self._scroll.focus()
        self.redraw()

    def redraw(self) -> None:
        self.query_one(KeyBar).show([("Esc", "back", "screen.dismiss"), LANGUAGE])


class RulesPage(OverlayPage):
    BINDINGS: ClassVar[list[BindingType]] = [("question_mark,f1", "dismiss")]

    def __init__(self, box: Box) -> None:
        super().__init__("rules", Markdown())
        self._box = box

    def redraw(self) -> None:
        super().redraw()
        self.query_one(Markdown).update(self._text(terminal_of(self).language))

    def _text(self, language: Language) -> str:
        return self._box.rules_page(language.code)


class ReferencePage(RulesPage):
    """The reference card: the part of the rules under the heading that the game names for it."""

    BINDINGS: ClassVar[list[BindingType]] = [("r", "dismiss")]

    def _text(self, language: Language) -> str:
        heading = f"## {language.say(self._box.reference)}\n"
        part = super()._text(language).partition(heading)[2]
        return heading + part.partition("\n## ")[0]


class RacesPage(OverlayPage):
    BINDINGS: ClassVar[list[BindingType]] = [("b", "dismiss")]

    def __init__(self, draw: Callable[[int], Grid]) -> None:
        super().__init__("races-page", Static(id="all-races"))
        self._draw = draw

    def on_resize(self) -> None:
        self.redraw()

    def redraw(self) -> None:
        super().redraw()
        self.query_one("#all-races", Static).update(self._draw(min(self.size.width, 112) - 6))
