from brocante.games.antiques.view import tell

__all__ = ["tell"]
