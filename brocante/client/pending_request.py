"""A request that the server has not answered yet, and how a client finds out whether it was carried out."""

import asyncio
from typing import Any

from brocante.table import commands as c
from brocante.table import facts as f
from brocante.wire.events import Event
from brocante.wire.socket_codec import Request, You


class PendingRequest:
    """The request that was not answered yet. There is one at a time, so that its effects can be recognised."""

    def __init__(self, request: Request, in_window: bool) -> None:
        """`in_window`: made while all decide at the same time, and whoever does not passes."""
        self.request = request
        self.in_window = in_window
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.sent = 0  # how many times
        self.events: list[Event] = []  # what has happened since

    def has_happened(self, you: You) -> bool:
        """Whether the events since show that the command was carried out."""
        command = self.request.command
        if command is None:
            return False
        if isinstance(command, c.Sit | c.Stand):
            return (you.seat is not None) == isinstance(command, c.Sit)
        shown_by = [fact.kind() for fact in command.shown_by]
        if isinstance(command, c.PlayMove) and self.in_window:
            shown_by = [f.Decided.kind()]  # who has not decided passes, and is told that they moved
        found = [event for event in self.events if event.event in shown_by]
        return any(command.host_only or (event.seat == you.seat and not event.by) for event in found)

    def resolve(self, answer: Any) -> None:
        """Hand the answer, or an exception, to whoever waits for it."""
        if self.answer.done():
            return
        if isinstance(answer, BaseException):
            self.answer.set_exception(answer)
        else:
            self.answer.set_result(answer)
