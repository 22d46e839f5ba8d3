"""The data folder, and small files that are replaced atomically."""

import os
import sys
from contextlib import suppress
from pathlib import Path

import platformdirs


def data_folder() -> Path:
    """`BROCANTE_DATA_DIR`, or the user's data directory."""
    return Path(os.environ.get("BROCANTE_DATA_DIR") or platformdirs.user_data_dir("brocante"))


def write_at_once(file: Path, data: bytes) -> None:
    """Replace a file, readable by its owner only. Readers find the old content or the new, even after a power cut."""
    new = file.with_suffix(".new")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as writing:
        writing.write(data)
        writing.flush()
        os.fsync(writing.fileno())
    new.replace(file)


def leave_to_owner(file: Path, of: Path) -> None:
    """Have a file belong to whoever another belongs to, or the folder where that is to be: what root makes for a
    server, the user as whom it runs must be able to open. Others may not give files away."""
    if sys.platform != "win32":
        with suppress(OSError):
            owner = (of if of.exists() else of.parent).stat()
            os.chown(file, owner.st_uid, owner.st_gid, follow_symlinks=False)
