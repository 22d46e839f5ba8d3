"""What runs the rules: a backend for each way, imported when it is asked for.

>>> backend("python").name
'python'
"""

from functools import cache

from brocante.engine.backend import PYTHON, Backend, Compiler
from brocante.engine.errors import UsageError, shown
from brocante.engine.text import Text

#: From the one that needs nothing to the fastest.
BACKENDS = ("python", "numba")


def backend(name: str) -> Backend:
    """A backend by its name."""
    if name not in BACKENDS:
        raise UsageError(Text("error.backend", backend=shown(name), backends=BACKENDS))
    return PYTHON if name == PYTHON.name else compiler()


@cache
def compiler() -> Compiler:
    """The backend for those who need speed."""
    from brocante.backends.numba import Numba

    return Numba()
