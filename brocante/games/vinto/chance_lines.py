from brocante.games.vinto.moves import chance_from_line, chance_line, event_from_line, events, result_besides

__all__ = ["chance_from_line", "chance_line", "event_from_line", "events", "result_besides"]
