"""Lists of what is legal."""

from brocante.engine.compile import rule


@rule
def offer(actions, n, action, possible):
    """Write an action at place n of a list and return how long the list is then: longer by one if it is possible.

    There is no branch in it, which a processor could not foresee in a card game: that halves the time a list takes.
    """
    actions[n] = action
    return n + int(possible)
