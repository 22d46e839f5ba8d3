"""Who a client is: a guest with a secret identity, in a signed token that nobody can forge.

A browser keeps the token in a cookie that scripts cannot read; other clients send it as `Authorization: Bearer …`.
Seats belong to the identity in it, which is never sent to anyone else.
"""

import secrets
from collections.abc import Callable, Mapping

import msgspec
from itsdangerous import BadData, URLSafeTimedSerializer
from itsdangerous.encoding import base64_decode, base64_encode
from starlette.requests import HTTPConnection

from brocante.server.config import DAY
from brocante.server.http_errors import HttpRefused
from brocante.table.clean_text import clean_text
from brocante.table.handlers import LONGEST_NAME

COOKIE = "brocante"
#: The scheme of the pages that may use a connection, by the scheme of the connection.
SCHEMES = {"http": "http", "ws": "http", "https": "https", "wss": "https"}


class Identity(msgspec.Struct, frozen=True):
    """A guest: what their seats belong to, and their name."""

    id: str
    name: str


class Claims(Identity, frozen=True):
    """What is in a token: whose it is, and when it was made, by the service clock. Older tokens do not say when."""

    served: int = 0


class Identities:
    """Makes and reads tokens, signed with the key of the installation.

    They grow old by the service clock. With the clock on the wall, one that is set wrong for an hour would have people
    lose who they are, and with it their seats.
    """

    def __init__(self, key: bytes, days: int, service: Callable[[], float]) -> None:
        self.max_age = int(days * DAY)
        self._service = service
        self._signer = URLSafeTimedSerializer(key, salt="brocante.identity")

    def newcomer(self, name: str) -> Identity:
        name = clean_text(name, LONGEST_NAME)
        if not name:
            raise HttpRefused(400, "name", most=LONGEST_NAME)
        return Identity(secrets.token_urlsafe(16), name)

    def token(self, identity: Identity) -> str:
        claims = Claims(identity.id, identity.name, int(self._service()))
        signed = self._signer.dumps(msgspec.to_builtins(claims))
        return signed if isinstance(signed, str) else signed.decode()

    def read(self, token: str) -> Identity:
        """Whose token it is; a refusal if it is forged, damaged or too old."""
        try:
            claims = msgspec.convert(self._signer.loads(token), Claims)
        except (BadData, msgspec.ValidationError):
            raise HttpRefused(401, "token") from None
        if self._service() - claims.served > self.max_age or not is_canonical(token):
            raise HttpRefused(401, "token")
        return Identity(claims.id, claims.name)


def is_canonical(token: str) -> bool:
    """Whether the signature of a token is written as we write it. Base64 can be read with other unused bits, and with
    letters in between that are none of its own; what is signed cannot."""
    signature = token.rpartition(".")[2].encode()
    return base64_encode(base64_decode(signature)) == signature


def token_of(headers: Mapping[str, str], cookies: Mapping[str, str]) -> tuple[str, bool] | None:
    """The token that came with a request, and whether it was in the cookie; None from a stranger."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip(), False
    return (cookies[COOKIE], True) if cookies.get(COOKIE) else None


def check_origin(connection: HTTPConnection, allowed: tuple[str, ...], *, by_cookie: bool) -> None:
    """Keep pages of other sites from acting for somebody whose browser has our cookie."""
    origin = connection.headers.get("origin")
    if origin is None:
        if by_cookie:
            raise HttpRefused(403, "no_origin")
        return
    if origin in allowed:
        return
    host, own = connection.headers.get("host"), SCHEMES[connection.scope["scheme"]]
    scheme, _, site = origin.partition("://")
    if not host or site != host:
        raise HttpRefused(403, "origin")
    if scheme != own:
        raise HttpRefused(403, "scheme", scheme=own)
