"""Progress bars on the error output, so that results can be piped."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from brocante.cli.language import in_words, say
from brocante.engine.box import Box


class Bars:
    """Progress bars. Each appears when there is something to report."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._tasks: dict[str, TaskID] = {}

    def advance(self, what: str, of: int, more: int) -> None:
        """So many more are done."""
        self._progress.advance(self._task(what, of), more)

    def stand(self, what: str, done: int, of: int) -> None:
        """So many are done in all."""
        self._progress.update(self._task(what, of), completed=done)

    def _task(self, what: str, of: int) -> TaskID:
        if what not in self._tasks:
            self._tasks[what] = self._progress.add_task(what, total=of)
        return self._tasks[what]


@contextmanager
def progress_bars(quiet: bool) -> Iterator[Bars]:
    """None are drawn where nobody watches."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as progress:
        yield Bars(progress)


def compiling_label(box: Box) -> str:
    return say("cli.progress.compile", title=in_words(box.title))
