"""How a server refuses: with a status, a code for programs and a sentence for people."""

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from brocante.engine.errors import BrocanteError, IllegalMove, UsageError
from brocante.engine.text import Text
from brocante.server.metrics import Metrics
from brocante.server.storage import Damaged, StorageError
from brocante.table import Refused
from brocante.wire.http import Failure

Sent = TypeVar("Sent")
Read = TypeVar("Read")
#: Refusals of a table that are about who asks, not about how things stand.
FORBIDDEN = ("host_only", "no_seat", "other_seat")


class HttpRefused(BrocanteError):
    """A refusal of the server, with its HTTP status."""

    def __init__(self, status: int, why: str, **blanks: Any) -> None:
        super().__init__(Text(f"server.refused.{why}", **blanks))
        self.status = status
        self.code = why


def refusal_of(error: Exception, where: str, metrics: Metrics) -> BrocanteError:
    """What a client is told of an error: nothing of the inside. Errors of our own are noted."""
    if isinstance(error, StorageError) or not isinstance(error, BrocanteError):
        metrics.failed(where, error)
    return error if isinstance(error, BrocanteError) else HttpRefused(500, "failed")


def status_and_code(error: BrocanteError) -> tuple[int, str]:
    """The HTTP status of a refusal, and its code for programs."""
    match error:
        case HttpRefused():
            return error.status, error.code
        case Refused():
            return 403 if error.code in FORBIDDEN else 409, error.code
        case IllegalMove():
            return 409, "illegal_move"
        case StorageError():
            return 503, "storage"
        case Damaged():
            return 409, "damaged"  # trying again is of no use
        case UsageError():
            return 400, "usage"
    return 400, "refused"


def answer_to(error: BrocanteError, language: str) -> tuple[int, Failure]:
    """The status and the body of a refusal."""
    status, why = status_and_code(error)
    return status, Failure(why, error.say(language))


def decoded(data: Sent, decode: Callable[[Sent], Read]) -> Read:
    """What a client has sent, or a refusal that says what is wrong with it."""
    try:
        return decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise HttpRefused(400, "unreadable", problem=str(error)) from None
