from brocante.games.vinto.view import tell

__all__ = ["tell"]
