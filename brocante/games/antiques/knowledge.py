from brocante.games.antiques.rules import fill, forget, hide

__all__ = ["fill", "forget", "hide"]
