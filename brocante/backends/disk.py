"""The disk cache of compiled rules: one file each, named by its fingerprint."""

import hashlib
import os
import re
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

import platformdirs

#: Versions of a rule that are kept: someone may be editing it, or have several copies of Brocante.
KEPT = 12
CHECKSUM = 16
#: By everyone, so that one user can compile for all users of a machine.
READABLE = 0o644


def cache_root() -> Path:
    """`BROCANTE_CACHE_DIR`, or the user's cache directory."""
    chosen = os.environ.get("BROCANTE_CACHE_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("brocante")) / "compiled"


def check_it_can_be_written() -> None:
    """Raises OSError if nothing can be kept, before anyone compiles in vain."""
    cache_root().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=cache_root()):
        pass


def path_of(label: str, fingerprint: str) -> Path:
    return cache_root() / f"{label}-{fingerprint}.compiled"


def read_kept(path: Path) -> bytes | None:
    """The content of a file; None if it is missing or damaged. A damaged file is removed."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    checksum, body = data[:CHECKSUM], data[CHECKSUM:]
    is_whole = checksum == checksum_of(body)
    with suppress(OSError):  # it may belong to someone else and be read-only
        os.utime(path) if is_whole else path.unlink()  # what is used is not pruned
    return body if is_whole else None


def keep(path: Path, body: bytes) -> None:
    """Write a file atomically: two processes may write the same one. Raises OSError if that fails."""
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
    """Remove all but the last used versions of a rule, and the folders that earlier versions of Brocante kept here."""
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
