"""Compiled rules on disk: one file for each, named by what it was made from."""

import hashlib
import os
import re
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

import platformdirs

#: Of one rule, so many versions are kept: somebody may be working on it, or have several copies of Brocante.
KEPT = 12
CHECKSUM = 16
#: For everyone: one may compile for all users of a machine.
READABLE = 0o644


def cache_root() -> Path:
    """`BROCANTE_CACHE_DIR`, or the user's cache directory."""
    chosen = os.environ.get("BROCANTE_CACHE_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("brocante")) / "compiled"


def check_it_can_be_written() -> None:
    """OSError if nothing can be kept, before anybody works for it."""
    cache_root().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=cache_root()):
        pass


def path_of(label: str, fingerprint: str) -> Path:
    return cache_root() / f"{label}-{fingerprint}.compiled"


def read(path: Path) -> bytes | None:
    """What was kept; None if there is nothing, or nothing whole, which is then removed."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    checksum, body = data[:CHECKSUM], data[CHECKSUM:]
    is_whole = checksum == checksum_of(body)
    with suppress(OSError):  # it may be somebody else's, and only to be read
        os.utime(path) if is_whole else path.unlink()  # what is used is not pruned
    return body if is_whole else None


def keep(path: Path, body: bytes) -> None:
    """Keep it, all or nothing: two processes may write the same file. OSError if there is no room or no permission."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
        try:
            file.write(checksum_of(body) + body)
            file.close()
            os.chmod(file.name, READABLE)
            os.replace(file.name, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(file.name)
            raise
    prune(path)


def prune(path: Path) -> None:
    """Of all versions of a rule, keep those used last; and of what versions of Brocante before this one have kept here,
    in folders, nothing."""
    label = path.name.rpartition("-")[0]
    with suppress(OSError):
        for folder in path.parent.iterdir():
            if re.fullmatch("[0-9a-f]{32}", folder.name) and any(folder.rglob("*.nbi")):  # not what others keep here
                shutil.rmtree(folder, ignore_errors=True)
        versions = sorted(path.parent.glob(f"{label}-*.compiled"), key=lambda file: file.stat().st_mtime, reverse=True)
        for old in versions[KEPT:]:
            old.unlink(missing_ok=True)


def checksum_of(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=CHECKSUM).digest()
