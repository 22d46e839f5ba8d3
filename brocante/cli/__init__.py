"""The command line: `brocante games`, `rules`, `play`, `serve`, `simulate`, `replay` and so on (`commands/`)."""

from brocante.cli.root import main

__all__ = ["main"]
