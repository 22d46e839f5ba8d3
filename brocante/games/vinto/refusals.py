from typing import Any

from brocante.games.vinto.moves import why_not


def requirements(s: Any, move: Any) -> Any:
    yield False, why_not(s, move)
