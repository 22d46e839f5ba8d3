from brocante.engine import rule
from brocante.engine.observation import observation
from brocante.games.vinto import rules

OBSERVATION = observation(numbers=rules.OBSERVATION)


@rule
def observe(s, seat, out):
    rules.observe(s, seat, out.numbers)
