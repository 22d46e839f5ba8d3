"""Who a client is: a guest with a secret identity, in a signed token that nobody can forge.

A browser keeps the token in a cookie that scripts cannot read; other clients send it as `Authorization: Bearer …`.
Seats belong to the identity in it, which is never sent to anyone else.
"""

import secrets
from collections.abc import Mapping

import msgspec
from itsdangerous import BadData, URLSafeTimedSerializer

from brocante.server.config import DAY
from brocante.server.http_errors import HttpRefused
from brocante.table.handlers import LONGEST_NAME, clean_text

COOKIE = "brocante"


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
            return msgspec.convert(self._signer.loads(token, max_age=self.max_age), Identity)
        except (BadData, msgspec.ValidationError):
            raise HttpRefused(401, "token") from None


def token_of(headers: Mapping[str, str], cookies: Mapping[str, str]) -> tuple[str, bool] | None:
    """The token that came with a request, and whether it was in the cookie; None from a stranger."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip(), False
    return (cookies[COOKIE], True) if cookies.get(COOKIE) else None


def check_origin(headers: Mapping[str, str], allowed: tuple[str, ...], *, by_cookie: bool) -> None:
    """Keep pages of other sites from acting for somebody whose browser has our cookie."""
    origin = headers.get("origin")
    if origin is None:
        if by_cookie:
            raise HttpRefused(403, "no_origin")
        return
    host = headers.get("host")
    if origin not in allowed and (not host or origin.partition("://")[2] != host):
        raise HttpRefused(403, "origin")
