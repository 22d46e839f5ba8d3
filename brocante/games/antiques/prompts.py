from brocante.games.antiques.view import key, label, prompt

__all__ = ["key", "label", "prompt"]
