"""What an installation notes under names, apart from all tables, and how that looks as long as it is not damaged."""

import re
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

#: The version of the schema.
SCHEMA = "schema"
#: The key of all tokens, and what tells whether it is as it was made.
SECRET, CHECKSUM = "secret", "secret checksum"
#: How many seconds servers have been running.
SERVED = "served"
#: What the operator says to everyone, and how often they have asked who is connected.
ANNOUNCEMENT, QUESTION = "announcement", "question"
#: The rules by which all tables were last checked.
RULES = "rules"
#: What was missing when a damaged log was last kept.
LOST = "lost"
#: Under this it tries whether it can write.
PROBE = "probe"

SECRET_BYTES = 32
#: Seconds for which no servers have been running.
CENTURY = 100 * 365.25 * 86_400
_seconds = re.compile(rb"\d{16}\.\d{3}")


def is_number(noted: bytes) -> bool:
    return noted.isdigit()


def seconds(number: float) -> bytes:
    """So many seconds as they are noted: of two, the larger is the later one in order, too."""
    return b"%020.3f" % number


def is_seconds(noted: bytes) -> bool:
    return _seconds.fullmatch(noted) is not None and float(noted) < CENTURY


def checksum(secret: bytes) -> bytes:
    return blake2b(secret, digest_size=16).digest()


def damaged(noted: Mapping[str, Any]) -> list[str]:
    """What is not as it must look. The secret of an older version has no checksum yet."""
    looks = {SCHEMA: is_number, SERVED: is_seconds, QUESTION: is_number}
    kept = {name: value if isinstance(value, bytes) else b"" for name, value in noted.items()}
    wrong = [name for name, is_sound in looks.items() if name in kept and not is_sound(kept[name])]
    if CHECKSUM in kept and checksum(kept.get(SECRET, b"")) != kept[CHECKSUM]:
        wrong.append(SECRET)
    return wrong
