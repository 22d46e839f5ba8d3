"""What runs the rules: the backends by their names, each imported when it is first needed.

>>> backend("python").name
'python'
"""

from functools import cache

from brocante.engine.backend import PYTHON, Backend, Compiler
from brocante.engine.errors import UsageError, quoted
from brocante.engine.text import Text

#: From the simplest to the fastest.
BACKENDS = ("python", "numba")


def backend(name: str) -> Backend:
    """A backend by its name."""
    if name not in BACKENDS:
        raise UsageError(Text("error.backend", backend=quoted(name), backends=BACKENDS))
    return PYTHON if name == PYTHON.name else compiler()


@cache
def compiler() -> Compiler:
    """The fast backend."""
    from brocante.backends.numba import Numba

    return Numba()
