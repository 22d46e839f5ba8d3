"""What every game stands on: states, rules, random numbers, the contract, records."""

from brocante.engine.common_rules import left_of, offer, rank
from brocante.engine.random import below, generator, shuffle
from brocante.engine.rule import rule
from brocante.engine.state import CHANCE, NOBODY, record

__all__ = ["CHANCE", "NOBODY", "below", "generator", "left_of", "offer", "rank", "record", "rule", "shuffle"]
