"""Fair dealing that can be checked.

Before a game the server fixes a secret seed and tells everyone its SHA-256, the *commitment*. Then each seat may give a
*nonce*. The deal, and everything that chance does later, follows from the seed and the nonces together: the server
cannot choose the deal, since it fixed its seed before it knew the nonces, and nobody else can, since they do not know
the seed. When the game is over the seed is told, and everyone can check all of it with the record alone.

There is one limit: whoever knows the seed *and* sits at the table, that is an operator who plays at their own server,
could look for a nonce of their own that suits them, if they give theirs last; and where no seat gives one, the server
alone decides. Clients give a random nonce when they sit down, and the record shows every one.

>>> commitment("secret")
'2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b'
>>> deal_seed("secret", ["a", "b"]) == deal_seed("secret", ["ab", ""])
False
"""

import hashlib
import json
import secrets
from collections.abc import Sequence


def new_seed() -> str:
    """A seed that nobody can guess."""
    return secrets.token_hex(32)


def commitment(seed: str) -> str:
    """What everyone may know of a seed before the game: enough to recognise it, and nothing else."""
    return hashlib.sha256(seed.encode()).hexdigest()


def deal_seed(seed: str, nonces: Sequence[str]) -> str:
    """What the game is dealt with: the SHA-256 of the seed and of every seat's nonce, written as a JSON list."""
    return hashlib.sha256(json.dumps([seed, *nonces]).encode()).hexdigest()
