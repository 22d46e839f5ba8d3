"""What can go wrong between a client and a server."""

import msgspec

from brocante.engine.errors import BrocanteError
from brocante.engine.text import Text
from brocante.wire.http import Failure


class ServerRefused(BrocanteError):
    """The server does not do that; nothing was changed. `code` is for programs, `says` for people."""

    def __init__(self, code: str, says: str) -> None:
        super().__init__(Text("client.refused", says=says))
        self.code = code
        self.says = says


class ServerAway(BrocanteError):
    """No server answers there."""

    def __init__(self, url: str, problem: object) -> None:
        super().__init__(Text("client.away", url=url, problem=str(problem) or type(problem).__name__))


class Garbled(BrocanteError):
    """The answer is not that of a Brocante server, or of one of another version."""

    def __init__(self, url: str, problem: object) -> None:
        super().__init__(Text("client.garbled", url=url, problem=str(problem)))


class Uncertain(BrocanteError):
    """The connection was lost before the answer came, and nobody can tell what happened since."""

    def __init__(self) -> None:
        super().__init__(Text("client.uncertain"))


class HungUp(BrocanteError):
    """The client itself has hung up."""

    def __init__(self) -> None:
        super().__init__(Text("client.hung_up"))


def refusal(url: str, body: bytes) -> BrocanteError:
    """What the body of a refused request says."""
    try:
        failure = msgspec.json.decode(body, type=Failure)
    except msgspec.DecodeError as error:
        return Garbled(url, error)
    return ServerRefused(failure.code, failure.says)
