"""What a table is drawn with: words, colours and keys."""

from collections.abc import Mapping

import msgspec
from rich.style import Style
from rich.text import Text as Styled

from brocante.engine.moves import Move
from brocante.engine.text import Say
from brocante.engine.view import Stack

Inks = Mapping[str, str]

TOUCH = "touch"  # under which a piece of text keeps the move that clicking it makes


class Pen(msgspec.Struct, frozen=True):
    """The language, the theme, and the key that makes each move."""

    say: Say
    inks: Inks
    keys: Mapping[Move, str] = {}

    def key(self, stack: Stack) -> str:
        """The key that touches a stack, where there is one."""
        return self.keys.get(stack.moves[0], "") if stack.moves else ""


def clickable(line: Styled, stack: Stack) -> Styled:
    """A text that makes the stack's move when it is clicked, if there is one."""
    if stack.moves:
        line.stylize(Style.from_meta({TOUCH: str(stack.moves[0])}))
    return line
