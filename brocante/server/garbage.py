"""When Python looks for reference cycles: so that no move waits for it.

Tables are large, live long and have hardly any cycles. Going through all of them takes a tenth of a second for a
thousand tables, so that is done while nobody plays. Of what is new, a little is looked at often.
"""

import asyncio
import gc
from collections.abc import Callable

#: New objects after which those are looked at, which takes a millisecond or two, and at two hundred tables ten
#: microseconds of every move. With more it would take less in all, but longer at a time: with 8,000, of nine thousand
#: tables, one move in a hundred took sixty milliseconds instead of twenty.
YOUNG = 2_500
NEVER = 10**9
#: Seconds between two looks whether anybody plays; in which all is collected at most once, and at least once.
LOOK_EVERY, AT_MOST, AT_LEAST = 10.0, 600.0, 6 * 3600.0


def collect_young_objects_only() -> None:
    """From now on. What there is already stays until the process ends."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, NEVER, NEVER)


async def collect_when_quiet(entries: Callable[[], int]) -> None:
    """Collect everything now and then while no entries are written; if somebody always plays, all the same one day."""
    loop = asyncio.get_running_loop()
    collected, before = loop.time(), entries()
    while True:
        await asyncio.sleep(LOOK_EVERY)
        is_quiet, before = before == (now := entries()), now
        if loop.time() > collected + (AT_MOST if is_quiet else AT_LEAST):
            gc.collect()
            collected = loop.time()
