"""An observation is what a seat knows, as named numbers: one NumPy record of 32-bit floats.

A game fills it in by name (`out.hand[k] = …`); `flat` puts the numbers in a row for programs that learn from them.
"""

from typing import Any

import numpy as np

from brocante.engine.state import with_attributes

Shape = int | tuple[int, ...]


def observation(**shapes: Shape) -> np.dtype[Any]:
    """The type of an observation, from the shapes of its fields; `()` is a single number.

    >>> from brocante.engine.state import new
    >>> OBSERVATION = observation(hand=5, table=(4, 5), left=())
    >>> seen = new(OBSERVATION)
    >>> seen.table[1, 2] = 0.5
    >>> flat(seen).shape
    (26,)
    """
    return with_attributes([(name, np.float32, shape) for name, shape in shapes.items()])


def flat(observed: Any) -> Any:
    """All numbers of an observation in a row, in the order of its fields."""
    return np.frombuffer(observed.tobytes(), np.float32)
