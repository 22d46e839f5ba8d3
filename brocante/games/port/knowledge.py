from brocante.games.port.rules import fill, hide

__all__ = ["fill", "hide"]
