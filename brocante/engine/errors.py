"""Errors, in words that can be translated. Users never see a traceback of these."""

import json
from collections.abc import Sequence
from typing import Any

from brocante.engine.text import Text, language

LONGEST_SHOWN = 60


def quoted(value: Any) -> str:
    """A value that somebody gave, as it would look in a file, cut short."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (RecursionError, TypeError, ValueError):
        text = type(value).__name__
    text = text.encode("utf-8", "replace").decode()
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"


class BrocanteError(Exception):
    """A mistake in what a person did or gave; the text says what is wrong, and what would be right."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return str(self.text)

    def say(self, code: str, names: Sequence[str] = ()) -> str:
        return language(code).say(self.text, names)


class UsageError(BrocanteError):
    """A wrong name, option or number."""


class IllegalMove(BrocanteError):
    """A move that the rules do not allow now. Nothing was changed."""


class RecordError(BrocanteError):
    """A wrong record, and the number of the wrong line (counted from 1)."""

    def __init__(self, line: int, problem: Text) -> None:
        super().__init__(Text("error.line", line=line, problem=problem))
        self.line = line
        self.problem = problem
