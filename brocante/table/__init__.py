"""One live table: seats, a host, clocks, decisions in time windows, undo, chat. No network and no storage here.

What happens at a table is a list of *facts* (`facts.py`), each with its time. A `LiveTable` (`live_table.py`) is what
the facts add up to: the same facts always give the same table. People ask for things with *commands* (`commands.py`).
The handler of a command (`handlers.py`) says which facts follow from it, or refuses in words; it changes nothing.
`audience.py` decides what each viewer is told and shown.
"""

from brocante.table.commands import Command
from brocante.table.facts import Clock, Fact
from brocante.table.handlers import Refused, handle, open_table
from brocante.table.live_table import LiveTable
from brocante.table.table_fields import Seat

__all__ = ["Clock", "Command", "Fact", "LiveTable", "Refused", "Seat", "handle", "open_table"]
