"""Optional dependencies: `pip install brocante` brings the engine, the games, the command line and the simulator.
Everything else needs an extra (`pyproject.toml`)."""

from collections.abc import Iterator
from contextlib import contextmanager

from brocante.engine.errors import UsageError
from brocante.engine.text import Text


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Wrap imports that need an extra: if it is not installed, raise a UsageError that says how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module == "brocante":
            raise
        raise UsageError(Text("error.extra", module=module, extra=f"brocante[{extra}]")) from None
