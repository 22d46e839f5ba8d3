from brocante.games.vinto.view import key, label, prompt

__all__ = ["key", "label", "prompt"]
