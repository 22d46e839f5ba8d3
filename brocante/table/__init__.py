"""One live table: seats, a host, clocks, decisions in time windows, undo, chat. No network and no storage here.

What happens at a table is a list of *facts* (`facts.py`), each with the time at which it happened. A `Table` is what
the facts add up to: the same facts give the same table, whoever adds them up, and when. Somebody asks for something
with a *command* (`commands.py`); `answered` says which facts follow from it, or refuses in words; it changes nothing
itself. What each viewer is told of the facts, and what they are shown, is in `audience.py`.
"""

from brocante.table.commands import Command
from brocante.table.facts import Clock, Fact
from brocante.table.handlers import answered, opened
from brocante.table.state import Refused, Seat, Table

__all__ = ["Clock", "Command", "Fact", "Refused", "Seat", "Table", "answered", "opened"]
