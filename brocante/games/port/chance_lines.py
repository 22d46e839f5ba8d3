from brocante.games.port.moves import chance_from_line, chance_line

__all__ = ["chance_from_line", "chance_line"]
