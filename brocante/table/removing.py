"""Whom a host may remove in the middle of a game: whoever the other people who play agree on.

A bot plays on for whoever is removed. It plays for those who are away, too, so nobody has to be removed for being gone.
"""

from brocante.table.live_table import LiveTable


def may_say(table: LiveTable, seat: int) -> set[int]:
    """Who must agree that the person at a seat is removed: the people who play, but for that person and the host."""
    return set(table.people) - {seat, table.seat_of(table.host)}


def is_agreed(table: LiveTable) -> bool:
    """Whether all of them, and at least one, have agreed to what the host asks."""
    if table.removal_asked is None:
        return False
    asked = may_say(table, table.removal_asked)
    return bool(asked) and asked <= table.removal_agreed
