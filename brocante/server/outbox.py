"""Messages leave together, at the end of a round of the event loop.

Sending takes the system as long as making many a message does, mostly because it wakes up whoever listens. Where moves
of many tables have come to the disk together, their news leave one after the other: whoever listens to many is woken
once for all of them.
"""

import asyncio
from typing import Protocol

#: Where the state of an application has its outbox.
OUTBOX = "outbox"


class Sender(Protocol):
    """A connection with something to send."""

    def flush(self) -> None:
        """Send it."""


class Outbox:
    """The connections of a process that have something to send."""

    def __init__(self) -> None:
        self._senders: list[Sender] = []

    def add(self, sender: Sender) -> None:
        """Have it send at the end of this round."""
        if not self._senders:
            asyncio.get_running_loop().call_soon(self._flush)
        self._senders.append(sender)

    def _flush(self) -> None:
        senders, self._senders = self._senders, []
        for sender in senders:
            sender.flush()
