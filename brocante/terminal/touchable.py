"""What can be clicked on a table: parts of a text, and your cards."""

from rich.text import Text as Styled
from textual.events import Click
from textual.message import Message
from textual.widgets import Static

from brocante.engine.view import Stack
from brocante.terminal.pen import TOUCH


class Touched(Message):
    """Something was clicked that makes a move."""

    def __init__(self, move: str) -> None:
        super().__init__()
        self.move = move


class Touchable(Static):
    """A text with parts that can be clicked, such as another player's items."""

    def on_click(self, event: Click) -> None:
        move = event.style.meta.get(TOUCH)
        if move:
            self.post_message(Touched(move))


class CardButton(Static):
    """One of your cards; a click plays it."""

    def __init__(self, stack: Stack, key: str, picture: Styled, slot: int = 0) -> None:
        super().__init__(picture, classes="card" if stack.moves else "card resting")
        self.set_class(bool(stack.card and stack.card.marks), "marked")
        self.set_class(bool(stack.card and stack.card.does), "worded")
        self.set_class(slot > 0, "slot")
        self.set_class(stack.chosen, "chosen")
        self.border_title = str(slot) if slot else ""
        self.border_subtitle = key
        self._stack = stack

    def on_click(self) -> None:
        if self._stack.moves:
            self.post_message(Touched(str(self._stack.moves[0])))
