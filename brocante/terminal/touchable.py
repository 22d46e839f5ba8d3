"""What on a table can be clicked: parts of a text, and the cards in one's hand."""

from rich.text import Text as Styled
from textual.events import Click
from textual.message import Message
from textual.widgets import Static

from brocante.engine.view import Stack
from brocante.terminal.pen import TOUCH


class Touched(Message):
    """Something on the table was clicked that makes a move."""

    def __init__(self, move: str) -> None:
        super().__init__()
        self.move = move


class Touchable(Static):
    """A text of which parts can be clicked: items of another player, or on the discard pile."""

    def on_click(self, event: Click) -> None:
        move = event.style.meta.get(TOUCH)
        if move:
            self.post_message(Touched(move))


class CardButton(Static):
    """A card in your hand; touching it plays it."""

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
