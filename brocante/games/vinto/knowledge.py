from brocante.games.vinto.rules import fill, forget, hide

__all__ = ["fill", "forget", "hide"]
