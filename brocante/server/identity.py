"""Who a client is: a guest with a secret identity, in a signed token that nobody can forge.

A browser keeps the token in a cookie that scripts cannot read; other clients send it as `Authorization: Bearer …`.
Seats belong to the identity in it, which is never sent to anyone else.
"""

import secrets
from collections.abc import Mapping

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


class Identities:
    """Makes and reads tokens, signed with the key of the installation."""

    def __init__(self, key: bytes, days: int) -> None:
        self.max_age = int(days * DAY)
        self._signer = URLSafeTimedSerializer(key, salt="brocante.identity")

    def newcomer(self, name: str) -> Identity:
        name = clean_text(name, LONGEST_NAME)
        if not name:
            raise HttpRefused(400, "name", most=LONGEST_NAME)
        return Identity(secrets.token_urlsafe(16), name)

    def token(self, identity: Identity) -> str:
        signed = self._signer.dumps(msgspec.to_builtins(identity))
        return signed if isinstance(signed, str) else signed.decode()

    def read(self, token: str) -> Identity:
        """Whose token it is; a refusal if it is forged, damaged or too old."""
        try:
            identity = msgspec.convert(self._signer.loads(token, max_age=self.max_age), Identity)
        except (BadData, msgspec.ValidationError):
            raise HttpRefused(401, "token") from None
        if not is_canonical(token):
            raise HttpRefused(401, "token")
        return identity


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
