from brocante.games.vinto.view import awards

__all__ = ["awards"]
