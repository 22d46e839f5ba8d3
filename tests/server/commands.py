"""The command line, in the process of the test."""

import io
from contextlib import redirect_stderr, redirect_stdout

import pytest

from brocante.cli.root import main


def brocante(*args: str) -> tuple[int, str]:
    """What comes of a command: its exit status, and all that it said."""
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said), pytest.raises(SystemExit) as ended:
        main([*args, "--lang", "en"])
    return int(ended.value.code or 0), said.getvalue()
